//! The addresses that are not of the public internet: a table with a date.
//!
//! The rows are those of the IANA registries of special-purpose addresses for IPv4 and IPv6, with multicast, and with
//! address space that is deprecated or not allocated. A narrower row of a registry inside a wider row of the table is
//! left out, because it is refused with the wider row: 192.0.0.0/24 stands for its eight parts, and 2001::/23 for
//! Teredo, ORCHID and the others in it. The registries call a few rows globally reachable (anycast of PCP, TURN, AS112
//! and AMT). The table has these rows too, because no pages are there.
//!
//! Not here: what a check or a policy says about a row, and names (`names`).

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::range::IpRange;

/// The day of the table: the registries as they are on this day, by the RFCs that each row names.
pub const DATE: &str = "2025-10-09";

/// The kinds of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressKind {
    /// No address: `0.0.0.0`, `::`.
    Unspecified,
    /// The machine itself.
    Loopback,
    /// A network of its own.
    Private,
    /// One link.
    LinkLocal,
    /// Any other address that is not of the public internet.
    Other,
}

/// How an IPv6 address holds an IPv4 address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Embeds {
    /// It does not.
    Nothing,
    /// The last 32 bits; such an address stands for the IPv4 address alone.
    Itself,
    /// The last 32 bits.
    Last,
    /// The 32 bits after the first 16 (RFC 3056, section 2).
    SixToFour,
    /// The server in the 32 bits after the first 32, and the client in the last 32 bits, inverted (RFC 4380, section
    /// 4).
    Teredo,
    /// A prefix of 48 or of 96 bits before the IPv4 address (RFC 6052, section 2.2; RFC 8215).
    LocalNat64,
}

/// A row of the table.
#[derive(PartialEq, Eq, Debug)]
pub struct AddressRow {
    /// The addresses.
    pub range: IpRange,
    /// What the addresses are.
    pub kind: AddressKind,
    /// The address that an address of the range stands for.
    pub embeds: Embeds,
    /// What the addresses are for.
    pub meaning: &'static str,
}

const fn v4(octets: [u8; 4], length: u8, kind: AddressKind, meaning: &'static str) -> AddressRow {
    AddressRow { range: IpRange::v4(octets, length), kind, embeds: Embeds::Nothing, meaning }
}

const fn v6(groups: [u16; 8], length: u8, kind: AddressKind, meaning: &'static str) -> AddressRow {
    holding(groups, length, kind, Embeds::Nothing, meaning)
}

const fn holding(
    groups: [u16; 8],
    length: u8,
    kind: AddressKind,
    embeds: Embeds,
    meaning: &'static str,
) -> AddressRow {
    AddressRow { range: IpRange::v6(groups, length), kind, embeds, meaning }
}

/// The rows for IPv4, in order.
pub(crate) const IPV4: [AddressRow; 19] = [
    v4([0, 0, 0, 0], 8, AddressKind::Unspecified, "this network"), // RFC 791, RFC 1122
    v4([10, 0, 0, 0], 8, AddressKind::Private, "private use"),     // RFC 1918
    v4([100, 64, 0, 0], 10, AddressKind::Private, "shared by customers of a provider"), // RFC 6598
    v4([127, 0, 0, 0], 8, AddressKind::Loopback, "loopback"),      // RFC 1122
    v4([168, 63, 129, 16], 32, AddressKind::Other, "the platform of Azure"), // Microsoft; the address looks public
    v4([169, 254, 0, 0], 16, AddressKind::LinkLocal, "link-local"),          // RFC 3927
    v4([172, 16, 0, 0], 12, AddressKind::Private, "private use"),            // RFC 1918
    v4([192, 0, 0, 0], 24, AddressKind::Other, "protocol assignments"), // RFC 6890, 7050, 7335, 7600, 7723, 8155
    v4([192, 0, 2, 0], 24, AddressKind::Other, "documentation"),        // RFC 5737
    v4([192, 31, 196, 0], 24, AddressKind::Other, "AS112"),             // RFC 7535
    v4([192, 52, 193, 0], 24, AddressKind::Other, "multicast tunnels (AMT)"), // RFC 7450
    v4([192, 88, 99, 0], 24, AddressKind::Other, "relays of 6to4, deprecated"), // RFC 7526
    v4([192, 168, 0, 0], 16, AddressKind::Private, "private use"),      // RFC 1918
    v4([192, 175, 48, 0], 24, AddressKind::Other, "AS112"),             // RFC 7534
    v4([198, 18, 0, 0], 15, AddressKind::Other, "benchmarks"),          // RFC 2544
    v4([198, 51, 100, 0], 24, AddressKind::Other, "documentation"),     // RFC 5737
    v4([203, 0, 113, 0], 24, AddressKind::Other, "documentation"),      // RFC 5737
    v4([224, 0, 0, 0], 4, AddressKind::Other, "multicast"),             // RFC 5771
    v4([240, 0, 0, 0], 4, AddressKind::Other, "reserved"),              // RFC 1112, RFC 919
];

/// The rows for IPv6, in order.
pub(crate) const IPV6: [AddressRow; 19] = [
    v6([0, 0, 0, 0, 0, 0, 0, 0], 128, AddressKind::Unspecified, "unspecified"), // RFC 4291
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, AddressKind::Loopback, "loopback"),       // RFC 4291
    // RFC 4291, section 2.5.5.1
    holding([0; 8], 96, AddressKind::Other, Embeds::Last, "IPv4-compatible, deprecated"),
    // RFC 4291, section 2.5.5.2
    holding([0, 0, 0, 0, 0, 0xFFFF, 0, 0], 96, AddressKind::Other, Embeds::Itself, "IPv4-mapped"),
    // RFC 2765, section 2.1
    holding([0, 0, 0, 0, 0xFFFF, 0, 0, 0], 96, AddressKind::Other, Embeds::Last, "IPv4-translated"),
    // RFC 6052, section 2.1
    holding([0x64, 0xFF9B, 0, 0, 0, 0, 0, 0], 96, AddressKind::Other, Embeds::Itself, "NAT64"),
    // RFC 8215
    holding(
        [0x64, 0xFF9B, 1, 0, 0, 0, 0, 0],
        48,
        AddressKind::Private,
        Embeds::LocalNat64,
        "local NAT64",
    ),
    v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64, AddressKind::Other, "discarded"), // RFC 6666
    v6([0x100, 0, 0, 1, 0, 0, 0, 0], 64, AddressKind::Other, "dummy prefix"), // RFC 9780
    // RFC 2928, 4380, 4843, 5180, 7343, 7450, 7535, 7723, 8155, 9374, 9665
    holding(
        [0x2001, 0, 0, 0, 0, 0, 0, 0],
        23,
        AddressKind::Other,
        Embeds::Teredo,
        "protocol assignments",
    ),
    v6([0x2001, 0xDB8, 0, 0, 0, 0, 0, 0], 32, AddressKind::Other, "documentation"), // RFC 3849
    holding([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, AddressKind::Other, Embeds::SixToFour, "6to4"), // RFC 3056
    v6([0x2620, 0x4F, 0x8000, 0, 0, 0, 0, 0], 48, AddressKind::Other, "AS112"), // RFC 7534
    v6([0x3FFF, 0, 0, 0, 0, 0, 0, 0], 20, AddressKind::Other, "documentation"), // RFC 9637
    v6([0x5F00, 0, 0, 0, 0, 0, 0, 0], 16, AddressKind::Other, "segment routing"), // RFC 9602
    v6([0xFC00, 0, 0, 0, 0, 0, 0, 0], 7, AddressKind::Private, "unique local"), // RFC 4193
    v6([0xFE80, 0, 0, 0, 0, 0, 0, 0], 10, AddressKind::LinkLocal, "link-local"), // RFC 4291
    v6([0xFEC0, 0, 0, 0, 0, 0, 0, 0], 10, AddressKind::Private, "site-local, deprecated"), // RFC 3879
    v6([0xFF00, 0, 0, 0, 0, 0, 0, 0], 8, AddressKind::Other, "multicast"), // RFC 4291
];

/// The addresses for IPv6 that are allocated to the public internet (RFC 4291, section 2.4).
pub const GLOBAL: IpRange = IpRange::v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// The row of an IPv6 address that is outside [`GLOBAL`] and in no other row.
pub const OUTSIDE: AddressRow = v6([0; 8], 0, AddressKind::Other, "not allocated");

/// The addresses of metadata services. 168.63.129.16 is public by the registries.
pub(crate) const METADATA: [IpAddr; 14] = [
    a4([169, 254, 169, 254]),                    // most clouds
    a4([169, 254, 170, 2]),                      // AWS ECS
    a4([169, 254, 170, 23]),                     // AWS EKS
    a4([168, 63, 129, 16]),                      // Azure
    a4([100, 100, 100, 200]),                    // Alibaba
    a4([192, 0, 0, 192]),                        // Oracle
    a4([169, 254, 42, 42]),                      // Scaleway
    a4([169, 254, 0, 23]),                       // Tencent
    a6([0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254]),   // AWS
    a6([0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x23]),    // AWS EKS
    a6([0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254]),    // Google
    a6([0xFE80, 0, 0, 0, 0, 0, 0xA9FE, 0xA9FE]), // OpenStack
    a6([0xFD00, 0xA9FE, 0xA9FE, 0, 0, 0, 0, 1]), // Linode
    a6([0xFD00, 0x42, 0, 0, 0, 0, 0, 0x42]),     // Scaleway
];

const fn a4([a, b, c, d]: [u8; 4]) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(a, b, c, d))
}

const fn a6([a, b, c, d, e, f, g, h]: [u16; 8]) -> IpAddr {
    IpAddr::V6(Ipv6Addr::new(a, b, c, d, e, f, g, h))
}

/// Tells whether an address is that of a metadata service.
pub fn is_metadata(address: IpAddr) -> bool {
    METADATA.contains(&address)
}

/// Returns the most specific row that has an address, or `None` for an address of the public internet. Compares the
/// address with each row.
pub fn row(address: IpAddr) -> Option<&'static AddressRow> {
    static OF_IPV4: [AddressRow; 19] = IPV4;
    static OF_IPV6: [AddressRow; 19] = IPV6;
    static OTHER: AddressRow = OUTSIDE;
    let rows = if address.is_ipv4() { &OF_IPV4 } else { &OF_IPV6 };
    let found = rows.iter().filter(|row| row.range.contains(address));
    let found = found.max_by_key(|row| row.range.length());
    let is_outside = address.is_ipv6() && !GLOBAL.contains(address);
    found.or(is_outside.then_some(&OTHER))
}

/// Returns the IPv4 addresses that an IPv6 address holds, in one of two places.
pub fn embedded(embeds: Embeds, address: Ipv6Addr) -> [Option<Ipv4Addr>; 2] {
    let bits = address.to_bits();
    let at = |shift: u32| Some(Ipv4Addr::from_bits((bits >> shift) as u32));
    match embeds {
        Embeds::Nothing => [None, None],
        Embeds::Itself | Embeds::Last => [at(0), None],
        Embeds::SixToFour => [at(80), None],
        // Only 2001::/32 of the row is Teredo.
        Embeds::Teredo if bits >> 96 == 0x2001_0000 => {
            [at(64), Some(Ipv4Addr::from_bits(!(bits as u32)))]
        }
        Embeds::Teredo => [None, None],
        Embeds::LocalNat64 => [after_prefix(address, 48), at(0)],
    }
}

/// Returns the IPv4 address after a prefix of NAT64 of 32, 40, 48, 56, 64 or 96 bits; `None` for another length. The
/// address skips the bits 64 to 71, which are 0 (RFC 6052, section 2.2).
///
/// For example, 2001:db8:1c0:2:21:: after a prefix of 40 bits is 192.0.2.33: `c0 00 02` is before the skipped byte, and
/// `21` after it.
pub fn after_prefix(address: Ipv6Addr, length: u8) -> Option<Ipv4Addr> {
    let bits = address.to_bits();
    let found = match length {
        96 => bits,
        32 | 40 | 48 | 56 | 64 => {
            // Both halves without the skipped byte, as 120 bits; the prefix is before the address.
            let packed = (bits >> 64) << 56 | bits & ((1 << 56) - 1);
            packed >> (88 - u32::from(length))
        }
        _ => return None,
    };
    Some(Ipv4Addr::from_bits(found as u32))
}

/// Returns the IPv4 address of an interface of ISATAP: the last 32 bits after `0:5efe` or `200:5efe` (RFC 5214,
/// section 6.1).
pub fn isatap(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [.., 0 | 0x200, 0x5EFE, _, _] => Some(Ipv4Addr::from_bits(address.to_bits() as u32)),
        _ => None,
    }
}
