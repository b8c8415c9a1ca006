//! IPv6 addresses as text (RFC 5952).
//!
//! Not here: the parser of addresses, which is in `core`.

use alloc::string::String;
use core::fmt::Write;
use core::net::{Ipv4Addr, Ipv6Addr};

/// Appends an address in brackets, in the form of RFC 5952. After a well-known prefix, the last 32 bits are
/// written as an IPv4 address (section 5).
pub(crate) fn push_ipv6(address: Ipv6Addr, out: &mut String) {
    let bits = address.to_bits();
    let embedded = Ipv4Addr::from_bits(bits as u32);
    // Writing to a string never fails. The standard library itself writes an IPv4 address after `::ffff:0:0/96`.
    let _ = match bits >> 32 {
        // RFC 2765, section 2.1: IPv4-translated addresses.
        0xFFFF_0000 => write!(out, "[::ffff:0:{embedded}]"),
        // RFC 6052, section 2.1: the well-known prefix of translators.
        0x0064_FF9B_0000_0000_0000_0000 => write!(out, "[64:ff9b::{embedded}]"),
        _ => write!(out, "[{address}]"),
    };
}
