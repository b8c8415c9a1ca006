//! Ranges of IP addresses, in the notation of CIDR (RFC 4632, section 3.1; RFC 4291, section 2.3).

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::str::FromStr;

/// A range of IP addresses: the addresses that begin with some bits.
///
/// `FromStr` reads the notation of CIDR, and `Display` writes it. An address alone is
/// the range of this address.
///
/// ```
/// # use simd_iri::low::range::IpRange;
///
/// let range: IpRange = "10.0.0.0/8".parse()?;
/// assert!(range.contains("10.1.2.3".parse()?));
/// assert!(!range.contains("::ffff:10.1.2.3".parse()?));
/// assert_eq!("fd00:0::/8".parse::<IpRange>()?.to_string(), "fd00::/8");
/// assert_eq!("::1".parse::<IpRange>()?.to_string(), "::1/128");
/// assert!("10.0.0.1/8".parse::<IpRange>().is_err());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IpRange {
    first: IpAddr,
    length: u8,
}

impl IpRange {
    /// The range of IPv4 addresses that share the first `length` bits with an address.
    pub(crate) const fn v4(octets: [u8; 4], length: u8) -> Self {
        let [a, b, c, d] = octets;
        Self { first: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), length }
    }

    /// The range of IPv6 addresses that share the first `length` bits with an address.
    pub(crate) const fn v6(groups: [u16; 8], length: u8) -> Self {
        let [a, b, c, d, e, f, g, h] = groups;
        Self { first: IpAddr::V6(Ipv6Addr::new(a, b, c, d, e, f, g, h)), length }
    }

    /// Tells whether an address is in the range. A range of IPv4 addresses has no IPv6 address, and the other way
    /// round. A few instructions.
    ///
    /// ```
    /// # use simd_iri::low::range::IpRange;
    /// let range: IpRange = "fe80::/10".parse().unwrap();
    /// assert!(range.contains("febf::1".parse().unwrap()) && !range.contains("fec0::1".parse().unwrap()));
    /// ```
    #[must_use]
    pub const fn contains(self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(_), IpAddr::V4(_)) | (IpAddr::V6(_), IpAddr::V6(_)) => {
                let differs = bits(self.first) ^ bits(address);
                differs.leading_zeros() >= self.length as u32
            }
            _ => false,
        }
    }

    /// Returns the number of bits that all addresses of the range share: the number after the slash.
    ///
    /// ```
    /// # use simd_iri::low::range::IpRange;
    /// assert_eq!("10.0.0.0/8".parse::<IpRange>().unwrap().length(), 8);
    /// ```
    #[must_use]
    pub const fn length(self) -> u8 {
        self.length
    }

    /// Returns the first address of the range.
    ///
    /// ```
    /// # use simd_iri::low::range::IpRange;
    /// let range: IpRange = "fe80::/10".parse().unwrap();
    /// assert_eq!(range.first().to_string(), "fe80::");
    /// ```
    #[must_use]
    pub const fn first(self) -> IpAddr {
        self.first
    }
}

/// Returns the bits of an address; the first bit of any address is the highest bit.
const fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => (address.to_bits() as u128) << 96,
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// An IPv6 address that displays its groups alone, as the URL Standard writes it (section 3.6). The standard library
/// writes the last groups of some addresses as decimals, as in `::ffff:10.0.0.1`.
pub struct Groups(pub Ipv6Addr);

impl fmt::Display for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.segments() {
            [0, 0, 0, 0, 0, 0xFFFF, high, low] => write!(f, "::ffff:{high:x}:{low:x}"),
            _ => write!(f, "{}", self.0),
        }
    }
}

/// Writes the notation of CIDR.
impl fmt::Display for IpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first {
            IpAddr::V4(address) => write!(f, "{address}/{}", self.length),
            IpAddr::V6(address) => write!(f, "{}/{}", Groups(address), self.length),
        }
    }
}

/// A text is not a range of IP addresses, or has a bit after the bits that the addresses share. The error does not hold
/// the text.
///
/// ```
/// # use simd_iri::low::range::IpRange;
/// let error = "10.0.0.1/8".parse::<IpRange>().unwrap_err();
/// assert_eq!(error.to_string(), "not a range of IP addresses, such as 10.0.0.0/8 or fd00::/8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RangeError;

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a range of IP addresses, such as 10.0.0.0/8 or fd00::/8")
    }
}

impl core::error::Error for RangeError {}

/// Reads the notation of CIDR, or an address. All bits after the shared bits must be 0.
impl FromStr for IpRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length)),
            None => (text, None),
        };
        let first: IpAddr = address.parse().map_err(|_| RangeError)?;
        let longest = if first.is_ipv4() { 32 } else { 128 };
        let length = match length {
            None => longest,
            Some(digits) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                digits.parse().map_err(|_| RangeError)?
            }
            Some(_) => return Err(RangeError),
        };
        let rest = bits(first).checked_shl(u32::from(length)).unwrap_or_default();
        if length > longest || rest != 0 {
            return Err(RangeError);
        }
        Ok(Self { first, length })
    }
}
