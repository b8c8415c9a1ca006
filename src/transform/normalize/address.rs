//! IPv6 addresses as text (RFC 5952).
//!
//! Not here: the reading of addresses, which `core` does.

use alloc::string::String;
use core::fmt::Write;
use core::net::{Ipv4Addr, Ipv6Addr};

/// Appends an address in brackets, in the form of RFC 5952. Where a well-known prefix says that the last
/// 32 bits are an IPv4 address, they are written as one (section 5).
pub(crate) fn push_ipv6(address: Ipv6Addr, out: &mut String) {
    let bits = address.to_bits();
    let embedded = Ipv4Addr::from_bits(bits as u32);
    // A string takes all that is written. The standard library writes `::ffff:0:0/96` in this way itself.
    let _ = match bits >> 32 {
        // RFC 2765, section 2.1: IPv4-translated addresses.
        0xFFFF_0000 => write!(out, "[::ffff:0:{embedded}]"),
        // RFC 6052, section 2.1: the well-known prefix of translators.
        0x0064_FF9B_0000_0000_0000_0000 => write!(out, "[64:ff9b::{embedded}]"),
        _ => write!(out, "[{address}]"),
    };
}
