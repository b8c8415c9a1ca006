//! A verdict: the decision, its reasons, and what is judged.
//!
//! Not here: the steps that make it (`steps`).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::net::IpAddr;
use core::ops::Range;

use super::address::AddressRange;
use simd_iri::low::{debug_without_text, named};

/// What a policy says about a text.
///
/// ```
/// use simd_iri_judge::{Decision, Policy};
///
/// let policy = Policy::public_web();
/// assert_eq!(policy.judge("ftp://example.com/").decision(), Decision::Refuse);
/// assert_eq!(policy.judge("http://93.184.216.34/").decision(), Decision::Allow);
/// assert_eq!(policy.judge("http://example.com/").decision(), Decision::Resolve);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// Do not fetch the text. The verdict has the reasons.
    Refuse,
    /// The host is an address that the policy permits.
    Allow,
    /// The host is a name, and nothing speaks against it. Each address to which it resolves is to be judged, and the
    /// connection must use one of the addresses that are not refused.
    Resolve,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_judge::Decision" Decision { Refuse = "refuse", Allow = "allow", Resolve = "resolve" }
}

/// The kind of a reason.
///
/// ```
/// use simd_iri_judge::{Policy, ReasonKind};
///
/// let verdict = Policy::public_web().judge("http://example.com:22/");
/// assert_eq!(verdict.reasons()[0].kind(), ReasonKind::Port);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReasonKind {
    /// A control character or a space: some readers remove it.
    ControlOrSpace,
    /// A backslash: some readers take it for a slash.
    Backslash,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// There is no scheme.
    NoScheme,
    /// The policy does not allow the scheme.
    Scheme,
    /// There is no host.
    NoHost,
    /// The text is not an IRI (RFC 3987).
    InvalidRfc3987,
    /// The URL Standard refuses the text.
    InvalidWhatwg,
    /// There is user information, which may be empty.
    Userinfo,
    /// RFC 3987 and the URL Standard read different hosts or ports.
    ReadingsDiffer,
    /// A label of the host is empty.
    EmptyLabel,
    /// The host is too long for the DNS.
    HostTooLong,
    /// The host is the name of a metadata service.
    MetadataName,
    /// The host is a name of a private network, or not a name of the DNS.
    SpecialName,
    /// The policy refuses the name.
    RefusedName,
    /// The host is not in the allow-list of the policy.
    NotListed,
    /// The host is an address, and the policy refuses every address.
    Literal,
    /// The host is an address of a range that is refused.
    Address,
    /// The policy does not allow the port.
    Port,
    /// The URL that redirects is refused itself.
    Base,
    /// A redirect leaves `https`.
    Downgrade,
    /// More redirects follow one another than the policy allows.
    TooManyRedirects,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_judge::ReasonKind" ReasonKind {
        ControlOrSpace = "control-or-space",
        Backslash = "backslash",
        NotUtf8 = "not-utf8",
        NoScheme = "no-scheme",
        Scheme = "scheme",
        NoHost = "no-host",
        InvalidRfc3987 = "invalid-rfc3987",
        InvalidWhatwg = "invalid-whatwg",
        Userinfo = "userinfo",
        ReadingsDiffer = "readings-differ",
        EmptyLabel = "empty-label",
        HostTooLong = "host-too-long",
        MetadataName = "metadata-name",
        SpecialName = "special-name",
        RefusedName = "refused-name",
        NotListed = "not-listed",
        Literal = "literal",
        Address = "address",
        Port = "port",
        Base = "base",
        Downgrade = "downgrade",
        TooManyRedirects = "too-many-redirects",
    }
}

impl ReasonKind {
    /// Returns a sentence without a full stop about the text that is refused.
    ///
    /// ```
    /// # use simd_iri_judge::ReasonKind;
    /// assert_eq!(ReasonKind::Port.message(), "the policy does not allow the port");
    /// ```
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::ControlOrSpace => {
                "the text has a control character or a space, which some readers remove"
            }
            Self::Backslash => "the text has a backslash, which some readers take for a slash",
            Self::NotUtf8 => "the bytes are not UTF-8",
            Self::NoScheme => "the text has no scheme",
            Self::Scheme => "the policy does not allow the scheme",
            Self::NoHost => "the text has no host",
            Self::InvalidRfc3987 => "the text is not an IRI",
            Self::InvalidWhatwg => "the URL Standard refuses the text",
            Self::Userinfo => "the text has user information",
            Self::ReadingsDiffer => "RFC 3987 and the URL Standard read different hosts or ports",
            Self::EmptyLabel => "a label of the host is empty",
            Self::HostTooLong => "the host is too long for the DNS",
            Self::MetadataName => "the host is the name of a metadata service",
            Self::SpecialName => {
                "the host is a name of a private network, or not a name of the DNS"
            }
            Self::RefusedName => "the policy refuses the name",
            Self::NotListed => "the host is not in the allow-list",
            Self::Literal => "the host is an address, and the policy refuses every address",
            Self::Address => "the host is an address of a range that is refused",
            Self::Port => "the policy does not allow the port",
            Self::Base => "the URL that redirects is refused",
            Self::Downgrade => "the redirect leaves https",
            Self::TooManyRedirects => "too many redirects follow one another",
        }
    }
}

/// A reason to refuse a text. `Display` writes the name of the kind, and the name of the range of an address.
///
/// ```
/// use simd_iri_judge::Policy;
///
/// let verdict = Policy::public_web().judge("http://10.0.0.1:8080/");
/// let [address, port] = verdict.reasons() else { panic!() };
/// assert_eq!((address.to_string().as_str(), address.span()), ("address 10.0.0.0/8", Some(7..15)));
/// assert_eq!((port.to_string().as_str(), port.span()), ("port", Some(16..20)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reason {
    kind: ReasonKind,
    /// The byte offsets of the place, start and end.
    place: Option<(usize, usize)>,
    range: Option<AddressRange>,
}

impl Reason {
    pub(super) fn new(kind: ReasonKind, place: Option<Range<usize>>) -> Self {
        Self { kind, place: place.map(|place| (place.start, place.end)), range: None }
    }

    pub(super) fn of_range(range: AddressRange, place: Option<Range<usize>>) -> Self {
        Self { range: Some(range), ..Self::new(ReasonKind::Address, place) }
    }

    /// Returns the reason in a text that begins after `before` bytes of the text that is judged.
    pub(super) fn moved_back(self, before: usize) -> Self {
        let moved = |(start, end): (usize, usize)| {
            Some((start.checked_sub(before)?, end.checked_sub(before)?))
        };
        Self { place: self.place.and_then(moved), ..self }
    }

    pub(super) const fn without_place(self) -> Self {
        Self { place: None, ..self }
    }

    /// Returns the kind.
    ///
    /// ```
    /// # use simd_iri_judge::{Policy, ReasonKind};
    /// assert_eq!(Policy::public_web().judge("a").reasons()[0].kind(), ReasonKind::NoScheme);
    /// ```
    #[must_use]
    pub const fn kind(self) -> ReasonKind {
        self.kind
    }

    /// Returns the byte offsets of the place in the text, or `None` if the reason has no place.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// assert_eq!(Policy::public_web().judge("http://a@example.com/").reasons()[0].span(), Some(7..9));
    /// ```
    #[must_use]
    pub fn span(self) -> Option<Range<usize>> {
        self.place.map(|(start, end)| start..end)
    }

    /// Returns the range of the address, for [`ReasonKind::Address`].
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let verdict = Policy::public_web().judge("http://169.254.169.254/");
    /// assert!(verdict.reasons()[0].range().unwrap().is_metadata());
    /// ```
    #[must_use]
    pub const fn range(self) -> Option<AddressRange> {
        self.range
    }
}

/// Writes the name of the kind, and the name of the range.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match self.range {
            Some(range) => write!(f, " {range}"),
            None => Ok(()),
        }
    }
}

/// The decision about a text, with all reasons and with what is judged. Its `Debug` does not write the text.
///
/// ```
/// use simd_iri_judge::{Decision, Policy};
///
/// let verdict = Policy::public_web().judge("http://127.1:8080/");
/// assert_eq!(verdict.decision(), Decision::Refuse);
/// let reasons: Vec<_> = verdict.reasons().iter().map(ToString::to_string).collect();
/// assert_eq!(reasons, ["readings-differ", "address 127.0.0.0/8", "port"]);
/// assert_eq!(verdict.host_by_rfc(), Some("127.1"));
/// assert_eq!(verdict.host_by_whatwg(), Some("127.0.0.1"));
/// assert_eq!(verdict.url_to_send(), None);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Verdict {
    pub(super) decision: Decision,
    pub(super) reasons: Vec<Reason>,
    pub(super) scheme: Option<String>,
    pub(super) host_by_rfc: Option<String>,
    pub(super) host_by_whatwg: Option<String>,
    pub(super) port: Option<u16>,
    pub(super) address: Option<IpAddr>,
    pub(super) url_to_send: Option<String>,
}

debug_without_text!([] Verdict, "Verdict", decision, reasons);

impl Verdict {
    /// The verdict about a text that is refused before it is read.
    pub(super) fn refused(reasons: Vec<Reason>) -> Self {
        Self {
            decision: Decision::Refuse,
            reasons,
            scheme: None,
            host_by_rfc: None,
            host_by_whatwg: None,
            port: None,
            address: None,
            url_to_send: None,
        }
    }

    /// Adds reasons before the others, and refuses the text if there is a reason.
    pub(super) fn refused_for(mut self, reasons: impl IntoIterator<Item = Reason>) -> Self {
        self.reasons.splice(0..0, reasons);
        if !self.reasons.is_empty() {
            self.decision = Decision::Refuse;
            self.url_to_send = None;
        }
        self
    }

    /// Returns the decision.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// assert_eq!(Policy::public_web().judge("").decision(), Decision::Refuse);
    /// ```
    #[must_use]
    pub const fn decision(&self) -> Decision {
        self.decision
    }

    /// Returns all reasons to refuse the text, in a fixed order of their kinds. The list is empty if the text is not
    /// refused.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// assert!(Policy::public_web().judge("http://example.com/").reasons().is_empty());
    /// ```
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// Returns the scheme in lower case, if there is one.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// assert_eq!(Policy::public_web().judge("HTTP://example.com/").scheme(), Some("http"));
    /// ```
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// Returns the host by RFC 3987 as it is written, or `None` if there is no authority. The host of a text that is
    /// not an IRI ends where the delimiters say.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let verdict = Policy::public_web().judge(r"http://127.0.0.1\@Example.com/");
    /// assert_eq!(verdict.host_by_rfc(), Some("Example.com"));
    /// ```
    #[must_use]
    pub fn host_by_rfc(&self) -> Option<&str> {
        self.host_by_rfc.as_deref()
    }

    /// Returns the host by the URL Standard as the standard writes it, or `None` if the standard refuses the text. The
    /// host is empty if there is no host, and if a name is too long for the DNS.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let verdict = Policy::public_web().judge(r"http://127.0.0.1\@Example.com/");
    /// assert_eq!(verdict.host_by_whatwg(), Some("127.0.0.1"));
    /// ```
    #[must_use]
    pub fn host_by_whatwg(&self) -> Option<&str> {
        self.host_by_whatwg.as_deref()
    }

    /// Returns the port by the URL Standard, or the default port of the scheme.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// assert_eq!(Policy::public_web().judge("https://example.com/").port(), Some(443));
    /// ```
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the address, if the URL Standard reads an address as host.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let verdict = Policy::public_web().judge("http://2130706433/");
    /// assert_eq!(verdict.address(), "127.0.0.1".parse().ok());
    /// ```
    #[must_use]
    pub const fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// Returns the URL to request, or `None` if the text is refused. It is built from the judged parts, in ASCII: the
    /// serialization of the URL Standard, without user information and without a fragment. Its verdict is the same.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let verdict = Policy::public_web().judge("HTTP://Bücher.example:080/a/./é?q='#top");
    /// assert_eq!(verdict.url_to_send(), Some("http://xn--bcher-kva.example/a/%C3%A9?q=%27"));
    /// ```
    #[must_use]
    pub fn url_to_send(&self) -> Option<&str> {
        self.url_to_send.as_deref()
    }
}
