//! The rules of the grammar: the eight start rules, and the rules of single components.
//!
//! Not here: how a text is matched with a rule.
#![forbid(unsafe_code)]

use crate::error::named;

/// A start rule: the rule that a whole text must match (RFC 3987, section 2.2; RFC 3986, appendix A). It has no `Default`,
/// because no rule is right for most texts.
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

named! {
    /// Returns the name of the rule in the ABNF.
    "simd_iri::Rule" Rule {
        Iri = "IRI",
        IriReference = "IRI-reference",
        AbsoluteIri = "absolute-IRI",
        IrelativeRef = "irelative-ref",
        Uri = "URI",
        UriReference = "URI-reference",
        AbsoluteUri = "absolute-URI",
        RelativeRef = "relative-ref",
    }
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
    #[doc(hidden)]
    #[inline(always)]
    pub const fn ascii_only(self) -> bool {
        self as u8 & ASCII != 0
    }
}

/// The rule of a single component (RFC 3987, section 2.2).
///
/// [`ComponentRule::validate`] checks the rule of RFC 3987. [`ComponentRule::validate_uri`] checks the rule of
/// RFC 3986, which is the same rule for ASCII alone.
///
/// ```
/// use simd_iri::component::ComponentRule;
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

named! {
    /// Returns the name of the rule in the ABNF of RFC 3987.
    "simd_iri::component::ComponentRule" ComponentRule {
        Scheme = "scheme",
        Iauthority = "iauthority",
        Iuserinfo = "iuserinfo",
        Ihost = "ihost",
        IregName = "ireg-name",
        IpLiteral = "IP-literal",
        Ipv6Address = "IPv6address",
        IpvFuture = "IPvFuture",
        Ipv4Address = "IPv4address",
        Port = "port",
        Ipath = "ipath",
        IpathAbempty = "ipath-abempty",
        IpathAbsolute = "ipath-absolute",
        IpathNoscheme = "ipath-noscheme",
        IpathRootless = "ipath-rootless",
        IpathEmpty = "ipath-empty",
        Isegment = "isegment",
        IsegmentNz = "isegment-nz",
        IsegmentNzNc = "isegment-nz-nc",
        Iquery = "iquery",
        Ifragment = "ifragment",
    }
}

impl ComponentRule {
    /// Returns the name of the same rule in the ABNF of RFC 3986: the name without the `i` for
    /// "internationalized".
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
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
