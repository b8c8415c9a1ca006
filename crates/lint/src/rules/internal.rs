//! Hosts that a server must not request on behalf of others: the machine itself, its network, and the
//! metadata services of clouds (RFC 6890; RFC 6761, section 6.3).
//!
//! Not here: the tables of addresses and names (the engine), and names that only a lookup shows to be internal.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use simd_iri::low::{
    addresses::{self, AddressKind, Embeds},
    names,
};

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

/// Returns the kind of an IPv4 address, or `None` if it is not internal.
pub(crate) fn of_v4(address: Ipv4Addr) -> Option<Internal> {
    of_address(address.into())
}

/// Returns the kind of an IPv6 address, or `None` if it is not internal. An address that embeds an IPv4 address is of
/// the kind of the IPv4 address.
pub(crate) fn of_v6(address: Ipv6Addr) -> Option<Internal> {
    of_address(address.into()).or_else(|| {
        let embeds = addresses::row(address.into())?.embeds;
        match embeds {
            Embeds::Itself | Embeds::Last | Embeds::SixToFour => {
                let [held, _] = addresses::embedded(embeds, address);
                held.and_then(of_v4)
            }
            _ => None,
        }
    })
}

/// Returns the kind of an address by the table, or `None` for an address that the table has for another reason.
fn of_address(address: IpAddr) -> Option<Internal> {
    if addresses::is_metadata(address) {
        return Some(Internal::Metadata);
    }
    match addresses::row(address)?.kind {
        AddressKind::Unspecified => Some(Internal::Unspecified),
        AddressKind::Loopback => Some(Internal::Loopback),
        AddressKind::Private => Some(Internal::Private),
        AddressKind::LinkLocal => Some(Internal::LinkLocal),
        AddressKind::Other => None,
    }
}

/// Returns the kind of a name in ASCII, in any case, or `None` if it is not internal.
pub(crate) fn of_name(name: &str) -> Option<Internal> {
    let name = name.strip_suffix('.').unwrap_or(name).as_bytes();
    match (names::is_local(name), names::is_metadata(name)) {
        (false, _) => None,
        (true, false) => Some(Internal::LocalName),
        (true, true) => Some(Internal::Metadata),
    }
}
