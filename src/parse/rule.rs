//! The rules of the grammar: the eight start rules, and the rules of single components.
//!
//! Not here: how a text is matched with a rule.
#![forbid(unsafe_code)]

use core::{fmt, str::FromStr};

/// A start rule: the rule that a whole text must match (RFC 3987, section 2.2; RFC 3986, appendix A).
///
/// ```
/// use simd_iri::Rule;
///
/// assert!(Rule::IriReference.is_valid("../céu"));
/// assert!(!Rule::Iri.is_valid("../céu"), "an IRI has a scheme");
/// assert!(!Rule::UriReference.is_valid("../céu"), "a URI is ASCII");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Rule {
    /// `IRI`: has a scheme, and may have a fragment.
    Iri = SCHEME,
    /// `IRI-reference`: an `IRI` or an `irelative-ref`.
    IriReference = 0,
    /// `absolute-IRI`: has a scheme and no fragment.
    AbsoluteIri = SCHEME | NO_FRAGMENT,
    /// `irelative-ref`: has no scheme, and may have a fragment.
    IrelativeRef = NO_SCHEME,
    /// `URI`: an `IRI` in ASCII.
    Uri = SCHEME | ASCII,
    /// `URI-reference`: an `IRI-reference` in ASCII.
    UriReference = ASCII,
    /// `absolute-URI`: an `absolute-IRI` in ASCII.
    AbsoluteUri = SCHEME | NO_FRAGMENT | ASCII,
    /// `relative-ref`: an `irelative-ref` in ASCII.
    RelativeRef = NO_SCHEME | ASCII,
}

// Each requirement of a rule is a bit of its number, so that the parser tests one bit.
const SCHEME: u8 = 1;
const NO_SCHEME: u8 = 2;
const NO_FRAGMENT: u8 = 4;
const ASCII: u8 = 8;

/// Whether a rule requires, allows or forbids a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemeRule {
    Required,
    Optional,
    Absent,
}

impl Rule {
    /// All eight start rules.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// let valid = Rule::ALL.iter().copied().filter(|rule| rule.is_valid("urn:a#b"));
    /// assert!(valid.eq([Rule::Iri, Rule::IriReference, Rule::Uri, Rule::UriReference]));
    /// ```
    pub const ALL: &[Self] = &[
        Self::Iri,
        Self::IriReference,
        Self::AbsoluteIri,
        Self::IrelativeRef,
        Self::Uri,
        Self::UriReference,
        Self::AbsoluteUri,
        Self::RelativeRef,
    ];

    /// Returns the name of the rule in the ABNF.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::AbsoluteIri.name(), "absolute-IRI");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iri => "IRI",
            Self::IriReference => "IRI-reference",
            Self::AbsoluteIri => "absolute-IRI",
            Self::IrelativeRef => "irelative-ref",
            Self::Uri => "URI",
            Self::UriReference => "URI-reference",
            Self::AbsoluteUri => "absolute-URI",
            Self::RelativeRef => "relative-ref",
        }
    }

    /// Whether the rule requires, allows or forbids a scheme.
    #[inline(always)]
    pub(crate) const fn scheme(self) -> SchemeRule {
        match self as u8 & (SCHEME | NO_SCHEME) {
            0 => SchemeRule::Optional,
            SCHEME => SchemeRule::Required,
            _ => SchemeRule::Absent,
        }
    }

    /// Whether the rule allows a fragment.
    #[inline(always)]
    pub(crate) const fn allows_fragment(self) -> bool {
        self as u8 & NO_FRAGMENT == 0
    }

    /// Whether this is a rule of RFC 3986, which allows only ASCII.
    #[inline(always)]
    pub(crate) const fn ascii_only(self) -> bool {
        self as u8 & ASCII != 0
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not one of the eight start rules.
///
/// ```
/// # use simd_iri::Rule;
/// assert_eq!("url".parse::<Rule>().map_err(|e| e.to_string()), Err("not one of IRI, \
/// IRI-reference, absolute-IRI, irelative-ref, URI, URI-reference, absolute-URI, relative-ref".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRule(());

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not one of ")?;
        for (i, rule) in Rule::ALL.iter().enumerate() {
            write!(f, "{}{rule}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownRule {}

impl FromStr for Rule {
    type Err = UnknownRule;

    /// Reads the name of a rule. Case does not matter, as in all names of an ABNF.
    ///
    /// # Errors
    /// The name is not the name of a start rule.
    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        let found = Self::ALL.iter().copied().find(|rule| rule.name().eq_ignore_ascii_case(name));
        found.ok_or(UnknownRule(()))
    }
}

/// The rule of a single component (RFC 3987, section 2.2).
///
/// [`ComponentRule::validate`] checks the rule of RFC 3987. [`ComponentRule::validate_uri`] checks the rule of
/// RFC 3986, which is the same rule for ASCII alone.
///
/// ```
/// use simd_iri::ComponentRule;
///
/// assert!(ComponentRule::Isegment.validate("naïve").is_ok());
/// let error = ComponentRule::Isegment.validate("a/b").unwrap_err();
/// assert_eq!(error.span(), 1..2);
/// assert!(ComponentRule::Isegment.validate_uri("naïve").is_err());
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComponentRule {
    /// `scheme`
    Scheme,
    /// `iauthority`
    Iauthority,
    /// `iuserinfo`
    Iuserinfo,
    /// `ihost`
    Ihost,
    /// `ireg-name`
    IregName,
    /// `IP-literal`, with its brackets
    IpLiteral,
    /// `IPv6address`
    Ipv6Address,
    /// `IPvFuture`
    IpvFuture,
    /// `IPv4address`
    Ipv4Address,
    /// `port`
    Port,
    /// `ipath`: any of its five forms
    Ipath,
    /// `ipath-abempty`: begins with `/` or is empty
    IpathAbempty,
    /// `ipath-absolute`: begins with `/` but not with `//`
    IpathAbsolute,
    /// `ipath-noscheme`: begins with a segment without a colon
    IpathNoscheme,
    /// `ipath-rootless`: begins with a segment
    IpathRootless,
    /// `ipath-empty`: no character
    IpathEmpty,
    /// `isegment`
    Isegment,
    /// `isegment-nz`: not empty
    IsegmentNz,
    /// `isegment-nz-nc`: not empty, no colon
    IsegmentNzNc,
    /// `iquery`, where private-use characters are allowed
    Iquery,
    /// `ifragment`
    Ifragment,
}

impl ComponentRule {
    /// All rules of components.
    ///
    /// ```
    /// # use simd_iri::ComponentRule;
    /// assert!(ComponentRule::ALL.iter().any(|rule| rule.name() == "ipath-noscheme"));
    /// ```
    pub const ALL: &[Self] = &[
        Self::Scheme,
        Self::Iauthority,
        Self::Iuserinfo,
        Self::Ihost,
        Self::IregName,
        Self::IpLiteral,
        Self::Ipv6Address,
        Self::IpvFuture,
        Self::Ipv4Address,
        Self::Port,
        Self::Ipath,
        Self::IpathAbempty,
        Self::IpathAbsolute,
        Self::IpathNoscheme,
        Self::IpathRootless,
        Self::IpathEmpty,
        Self::Isegment,
        Self::IsegmentNz,
        Self::IsegmentNzNc,
        Self::Iquery,
        Self::Ifragment,
    ];

    /// Returns the name of the rule in the ABNF of RFC 3987.
    ///
    /// ```
    /// # use simd_iri::ComponentRule;
    /// assert_eq!(ComponentRule::Ipv6Address.name(), "IPv6address");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Iauthority => "iauthority",
            Self::Iuserinfo => "iuserinfo",
            Self::Ihost => "ihost",
            Self::IregName => "ireg-name",
            Self::IpLiteral => "IP-literal",
            Self::Ipv6Address => "IPv6address",
            Self::IpvFuture => "IPvFuture",
            Self::Ipv4Address => "IPv4address",
            Self::Port => "port",
            Self::Ipath => "ipath",
            Self::IpathAbempty => "ipath-abempty",
            Self::IpathAbsolute => "ipath-absolute",
            Self::IpathNoscheme => "ipath-noscheme",
            Self::IpathRootless => "ipath-rootless",
            Self::IpathEmpty => "ipath-empty",
            Self::Isegment => "isegment",
            Self::IsegmentNz => "isegment-nz",
            Self::IsegmentNzNc => "isegment-nz-nc",
            Self::Iquery => "iquery",
            Self::Ifragment => "ifragment",
        }
    }

    /// Returns the name of the same rule in the ABNF of RFC 3986: the name without the `i` for
    /// "internationalized".
    ///
    /// ```
    /// # use simd_iri::ComponentRule;
    /// assert_eq!(ComponentRule::IregName.uri_name(), "reg-name");
    /// assert_eq!(ComponentRule::Port.uri_name(), "port");
    /// ```
    #[must_use]
    pub const fn uri_name(self) -> &'static str {
        match self.name().as_bytes() {
            [b'i', name @ ..] => match core::str::from_utf8(name) {
                Ok(name) => name,
                Err(_) => self.name(),
            },
            _ => self.name(),
        }
    }
}

impl fmt::Display for ComponentRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
