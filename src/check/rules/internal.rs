//! Hosts that a server must not request on behalf of others: the machine itself, its network, and the
//! metadata services of clouds (RFC 6890; RFC 6761, section 6.3).
//!
//! Not here: how IPv4 addresses are spelled (`ipv4`), and names that only a lookup shows to be internal.

use core::net::{Ipv4Addr, Ipv6Addr};

/// The kinds of internal hosts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Internal {
    Loopback,
    Unspecified,
    Private,
    LinkLocal,
    Metadata,
    LocalName,
}

impl Internal {
    const ALL: [Self; 6] = [
        Self::Loopback,
        Self::Unspecified,
        Self::Private,
        Self::LinkLocal,
        Self::Metadata,
        Self::LocalName,
    ];

    /// Returns the kind with this number, which a finding stores.
    pub(crate) fn numbered(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number)
    }

    /// Returns the words of a message about a host of this kind.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::Loopback => "is a loopback address, which is the machine itself",
            Self::Unspecified => {
                "is an address of this network, which many systems take for the machine itself"
            }
            Self::Private => "is an address of a private network",
            Self::LinkLocal => "is a link-local address",
            Self::Metadata => "is the metadata service of a cloud, which hands out credentials",
            Self::LocalName => "is a name for the machine itself or a local network",
        }
    }
}

/// The addresses of metadata services, in this order: most clouds, containers on AWS, Alibaba, Oracle, Azure. The
/// address of Azure is public.
const METADATA: [Ipv4Addr; 5] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
    Ipv4Addr::new(168, 63, 129, 16),
];

/// The IPv6 address of the metadata service of AWS.
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254);

/// Names of internal hosts, and suffixes of such names after a dot: RFC 6761, section 6.3; RFC 6762,
/// section 3; RFC 8375; and `internal`, which ICANN has reserved for private use.
const LOCAL_NAMES: [&str; 4] = ["localhost", "local", "home.arpa", "internal"];

/// The names of metadata services.
const METADATA_NAMES: [&str; 2] = ["metadata.google.internal", "instance-data.ec2.internal"];

/// Returns the kind of an IPv4 address, or `None` if it is not internal.
pub(crate) fn of_v4(address: Ipv4Addr) -> Option<Internal> {
    let [first, second, ..] = address.octets();
    if METADATA.contains(&address) {
        Some(Internal::Metadata)
    } else if first == 0 {
        Some(Internal::Unspecified)
    } else if address.is_loopback() {
        Some(Internal::Loopback)
    } else if address.is_link_local() {
        Some(Internal::LinkLocal)
    } else if address.is_private() || first == 100 && second & 0xC0 == 64 {
        // Also the addresses that customers of a provider share (RFC 6598).
        Some(Internal::Private)
    } else {
        None
    }
}

/// Returns the kind of an IPv6 address, or `None` if it is not internal. An address that embeds an IPv4 address is of
/// the kind of the IPv4 address.
pub(crate) fn of_v6(address: Ipv6Addr) -> Option<Internal> {
    if address == METADATA_V6 {
        return Some(Internal::Metadata);
    } else if address.is_loopback() {
        return Some(Internal::Loopback);
    } else if address.is_unspecified() {
        return Some(Internal::Unspecified);
    }
    match address.segments() {
        // fe80::/10 is for links; fec0::/10 was for sites, and fc00::/7 has replaced it (RFC 3879).
        [first, ..] if first & 0xFFC0 == 0xFE80 => Some(Internal::LinkLocal),
        [first, ..] if first & 0xFE00 == 0xFC00 || first & 0xFFC0 == 0xFEC0 => {
            Some(Internal::Private)
        }
        // The prefix of translators inside a network (RFC 8215).
        [0x64, 0xFF9B, 1, ..] => Some(Internal::Private),
        // IPv4-mapped, IPv4-translated and IPv4-compatible (RFC 4291, section 2.5.5; RFC 2765, section
        // 2.1), and NAT64 (RFC 6052, section 2.1).
        [0, 0, 0, 0, 0, 0xFFFF | 0, high, low]
        | [0, 0, 0, 0, 0xFFFF, 0, high, low]
        | [0x64, 0xFF9B, 0, 0, 0, 0, high, low]
        // 6to4 (RFC 3056, section 2).
        | [0x2002, high, low, ..] => of_v4(embedded(high, low)),
        _ => None,
    }
}

/// Returns the IPv4 address that two groups of an IPv6 address hold.
fn embedded(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

/// Returns the kind of a name in ASCII, in any case, or `None` if it is not internal.
pub(crate) fn of_name(name: &str) -> Option<Internal> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if METADATA_NAMES.iter().any(|metadata| name.eq_ignore_ascii_case(metadata)) {
        return Some(Internal::Metadata);
    }
    is_local_name(name.as_bytes()).then_some(Internal::LocalName)
}

/// Tells whether a name without a final dot names this machine or a machine in its network.
pub(crate) fn is_local_name(name: &[u8]) -> bool {
    LOCAL_NAMES.iter().any(|local| {
        let rest = name.len().checked_sub(local.len()).and_then(|at| name.split_at_checked(at));
        rest.is_some_and(|(before, end)| {
            end.eq_ignore_ascii_case(local.as_bytes()) && matches!(before, [] | [.., b'.'])
        })
    })
}
