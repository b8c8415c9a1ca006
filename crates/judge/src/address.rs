//! Verdicts about IP addresses.
//!
//! Not here: the table (the engine), and hosts as they are written (`standard`).

use core::fmt;
use core::net::{IpAddr, Ipv4Addr};

use simd_iri::low::{
    addresses::{self, Embeds, OUTSIDE},
    range::IpRange,
};

/// The range because of which an address is refused. `Display` writes its name.
///
/// If an IPv6 address stands for an IPv4 address, the name has both ranges.
///
/// ```
/// use simd_iri_judge::judge_address;
///
/// let name = |address: &str| judge_address(address.parse().unwrap()).map(|range| range.to_string());
/// assert_eq!(name("127.0.0.1").as_deref(), Some("127.0.0.0/8"));
/// assert_eq!(name("::ffff:10.0.0.1").as_deref(), Some("::ffff:0:0/96 of 10.0.0.0/8"));
/// assert_eq!(name("2600::5efe:10.0.0.1").as_deref(), Some("ISATAP of 10.0.0.0/8"));
/// assert_eq!(name("4000::1").as_deref(), Some("outside 2000::/3"));
/// assert_eq!(name("93.184.216.34"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AddressRange {
    /// `None` for an interface of ISATAP.
    range: Option<IpRange>,
    /// The range of the IPv4 address that the IPv6 address holds.
    held: Option<IpRange>,
    is_metadata: bool,
    meaning: &'static str,
}

impl AddressRange {
    /// Returns the range, or `None` for an IPv6 address that is refused only because of the IPv4 address in its ISATAP
    /// interface.
    ///
    /// ```
    /// # use simd_iri_judge::judge_address;
    /// let range = judge_address("::1".parse().unwrap()).unwrap();
    /// assert_eq!(range.range(), "::1".parse().ok());
    /// ```
    #[must_use]
    pub const fn range(self) -> Option<IpRange> {
        self.range
    }

    /// Returns the range of the IPv4 address for which the IPv6 address stands, if it is refused because of this
    /// address.
    ///
    /// ```
    /// # use simd_iri_judge::judge_address;
    /// let range = judge_address("64:ff9b::7f00:1".parse().unwrap()).unwrap();
    /// assert_eq!(range.held(), "127.0.0.0/8".parse().ok());
    /// ```
    #[must_use]
    pub const fn held(self) -> Option<IpRange> {
        self.held
    }

    /// Tells whether the address is that of a metadata service of a cloud, which hands out credentials.
    ///
    /// ```
    /// # use simd_iri_judge::judge_address;
    /// assert!(judge_address("169.254.169.254".parse().unwrap()).unwrap().is_metadata());
    /// assert!(!judge_address("169.254.1.1".parse().unwrap()).unwrap().is_metadata());
    /// ```
    #[must_use]
    pub const fn is_metadata(self) -> bool {
        self.is_metadata
    }

    /// Returns the words of the table about the range, such as `loopback`.
    ///
    /// ```
    /// # use simd_iri_judge::judge_address;
    /// assert_eq!(judge_address("::1".parse().unwrap()).unwrap().meaning(), "loopback");
    /// ```
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.meaning
    }
}

/// Writes the name of the range.
impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.range {
            None => f.write_str("ISATAP")?,
            Some(range) if range == OUTSIDE.range => write!(f, "outside {}", addresses::GLOBAL)?,
            Some(range) => write!(f, "{range}")?,
        }
        match self.held {
            Some(held) => write!(f, " of {held}"),
            None => Ok(()),
        }
    }
}

/// Returns the day of the table of ranges, as `YYYY-MM-DD`.
///
/// ```
/// assert_eq!(simd_iri_judge::ranges_date(), "2025-10-09");
/// ```
#[must_use]
pub const fn ranges_date() -> &'static str {
    addresses::DATE
}

/// Judges an address by the policy [`Policy::public_web`](super::Policy::public_web): returns the range because of
/// which it is refused, or `None` if it is an address of the public internet. Compares the address with each row of a
/// table of 38 rows; allocates nothing.
///
/// An IPv4-mapped address and an address of NAT64 stand for their IPv4 address. 6to4, Teredo and the other ranges that
/// hold IPv4 addresses are refused as a whole.
///
/// ```
/// use simd_iri_judge::judge_address;
///
/// assert!(judge_address("169.254.169.254".parse().unwrap()).is_some());
/// assert!(judge_address("2002:7f00:1::".parse().unwrap()).is_some());
/// assert!(judge_address("64:ff9b::5db8:d822".parse().unwrap()).is_none());
/// ```
#[must_use]
pub fn judge_address(address: IpAddr) -> Option<AddressRange> {
    Ranges::default().judge(address)
}

/// The ranges of a policy, besides those of the table.
#[derive(Clone, Default)]
pub(super) struct Ranges {
    pub(super) refused: alloc::vec::Vec<IpRange>,
    pub(super) permitted: alloc::vec::Vec<IpRange>,
    /// Prefixes of NAT64, of 32, 40, 48, 56, 64 or 96 bits.
    pub(super) nat64: alloc::vec::Vec<IpRange>,
}

impl Ranges {
    /// Judges an address. An IPv6 address is judged by itself, and by each IPv4 address for which it stands:
    ///
    /// ```text
    /// a metadata service                     refused, whatever is permitted
    /// IPv4-mapped, NAT64                     the IPv4 address decides
    /// permitted, with an IPv4 address in it  refused if the IPv4 address is refused
    /// permitted, local NAT64                 refused if the IPv4 address is that of a metadata service
    /// an interface of ISATAP                 refused if the IPv4 address is refused
    /// ```
    pub(super) fn judge(&self, address: IpAddr) -> Option<AddressRange> {
        let IpAddr::V6(v6) = address else { return self.alone(address) };
        let row = addresses::row(address);
        let embeds = row.map_or(Embeds::Nothing, |row| row.embeds);
        let prefix = self.nat64.iter().find(|prefix| prefix.contains(address));
        let held_by = |range: Option<IpRange>, held: Ipv4Addr| {
            let inner = self.alone(held.into())?;
            Some(AddressRange { range, held: inner.range, ..inner })
        };
        let stands_for = match (row, prefix) {
            _ if addresses::is_metadata(address) => None,
            (_, Some(prefix)) => {
                addresses::after_prefix(v6, prefix.length()).map(|held| (*prefix, held))
            }
            (Some(row), None) if embeds == Embeds::Itself => {
                let [held, _] = addresses::embedded(embeds, v6);
                held.map(|held| (row.range, held))
            }
            _ => None,
        };
        if let Some((range, held)) = stands_for {
            return self.own(address).or_else(|| held_by(Some(range), held));
        }
        if let Some(found) = self.alone(address) {
            return Some(found);
        }
        // The length of the prefix of local NAT64 is not known, so that the IPv4 address may be another address.
        let is_certain = |held: &Ipv4Addr| {
            embeds != Embeds::LocalNat64 || addresses::is_metadata((*held).into())
        };
        let held = addresses::embedded(embeds, v6).into_iter().flatten().filter(is_certain);
        let range = row.map(|row| row.range);
        let refused = held.filter_map(|held| held_by(range, held)).next();
        refused.or_else(|| held_by(None, addresses::isatap(v6)?))
    }

    /// Judges an address by itself: the most specific range decides. A range of the caller goes before the table, and a
    /// range that the caller refuses goes before a range of the same length that the caller permits.
    fn alone(&self, address: IpAddr) -> Option<AddressRange> {
        let row = addresses::row(address);
        let of_row = || {
            let row = row?;
            let is_metadata = addresses::is_metadata(address);
            Some(AddressRange {
                range: Some(row.range),
                held: None,
                is_metadata,
                meaning: row.meaning,
            })
        };
        if addresses::is_metadata(address) {
            return of_row();
        }
        if let Some(own) = self.own(address) {
            return Some(own);
        }
        let is_permitted = longest(&self.permitted, address).is_some();
        if is_permitted { None } else { of_row() }
    }

    /// Returns the range of the caller because of which an address is refused, if no permitted range is more specific.
    fn own(&self, address: IpAddr) -> Option<AddressRange> {
        let range = longest(&self.refused, address)?;
        let permitted = longest(&self.permitted, address);
        if permitted.is_some_and(|permitted| permitted.length() > range.length()) {
            return None;
        }
        let meaning = "refused by the policy";
        Some(AddressRange { range: Some(range), held: None, is_metadata: false, meaning })
    }
}

/// Returns the most specific range that has an address.
fn longest(ranges: &[IpRange], address: IpAddr) -> Option<IpRange> {
    let found = ranges.iter().filter(|range| range.contains(address));
    found.max_by_key(|range| range.length()).copied()
}
