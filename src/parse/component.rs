//! Checks a text that is a single component, and not part of a reference.
//!
//! Not here: the names of the rules (`rule`), and why a text does not match (`explain`).
#![forbid(unsafe_code)]

use super::dfa;
use super::explain::{self, Violations};
use super::grammar::{authority_parts, is_allowed, utf8};
use super::masked;
use super::questions::{Questions, Visit};
use super::rule::ComponentRule;
use crate::error::Error;
use crate::scan::{Cpu, CpuLevel, Job, Query};
use crate::tables::{
    COLON, DIGIT, FRAGMENT, PATH, QUERY, REG_NAME, SCHEME, SCHEME_FIRST, SEGMENT, SEGMENT_NC,
    SLASH, USERINFO,
};

impl ComponentRule {
    /// Checks that the whole of `text` matches this rule.
    ///
    /// Linear in the text, no allocation.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `text`.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert!(ComponentRule::Ihost.validate("[::1]").is_ok());
    /// assert!(ComponentRule::Port.validate("80a").is_err());
    /// ```
    pub fn validate(self, text: &str) -> Result<(), Error> {
        self.validate_bytes(text.as_bytes())
    }

    /// [`ComponentRule::validate`] for bytes, which must be UTF-8.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `bytes`.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert!(ComponentRule::Ifragment.validate_bytes(b"caf\xE9").is_err());
    /// ```
    pub fn validate_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.check(CpuLevel::best(), bytes, false).map(drop)
    }

    /// Checks that the whole of `text` matches the same rule of RFC 3986, which allows only ASCII.
    ///
    /// Linear in the text, no allocation.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `text`.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert!(ComponentRule::Ifragment.validate_uri("caf%C3%A9").is_ok());
    /// ```
    pub fn validate_uri(self, text: &str) -> Result<(), Error> {
        self.validate_uri_bytes(text.as_bytes())
    }

    /// [`ComponentRule::validate_uri`] for bytes.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `bytes`.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert!(ComponentRule::Ifragment.validate_uri_bytes(b"caf\xE9").is_err());
    /// ```
    pub fn validate_uri_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.check(CpuLevel::best(), bytes, true).map(drop)
    }

    /// Tells whether the whole of `text` matches this rule. Unlike [`ComponentRule::validate`], it does not search for
    /// the reason of an error.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert!(ComponentRule::Ipv6Address.is_valid("::1") && !ComponentRule::Ipv6Address.is_valid("::g"));
    /// ```
    #[must_use]
    pub fn is_valid(self, text: &str) -> bool {
        self.is_valid_bytes(text.as_bytes())
    }

    /// [`ComponentRule::is_valid`] for bytes, which must be UTF-8.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert!(!ComponentRule::Ifragment.is_valid_bytes(b"caf\xE9"));
    /// ```
    #[must_use]
    pub fn is_valid_bytes(self, bytes: &[u8]) -> bool {
        self.matched(CpuLevel::best(), bytes, false).is_some()
    }

    /// Checks that the whole of `text` matches this rule, and returns it.
    ///
    /// # Errors
    /// Those of [`ComponentRule::validate`].
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert_eq!(ComponentRule::Port.parse("80"), Ok("80"));
    /// assert_eq!(ComponentRule::Port.parse("8O").unwrap_err().span(), 1..2);
    /// ```
    pub fn parse(self, text: &str) -> Result<&str, Error> {
        self.parse_bytes(text.as_bytes())
    }

    /// [`ComponentRule::parse`] for bytes, which must be UTF-8. Returns them as text.
    ///
    /// # Errors
    /// Those of [`ComponentRule::validate_bytes`].
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert_eq!(ComponentRule::Port.parse_bytes(b"80"), Ok("80"));
    /// ```
    pub fn parse_bytes(self, bytes: &[u8]) -> Result<&str, Error> {
        self.check(CpuLevel::best(), bytes, false)
    }

    /// Returns every violation of this rule in `text`, in the order of the text. If the text matches the rule, there is
    /// no violation. The first violation is the error of [`ComponentRule::validate`].
    ///
    /// Linear time, no allocation. Made for reports, not for speed.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// let places = ComponentRule::Isegment.violations("a/b?").map(|error| error.span().start);
    /// assert!(places.eq([1, 3]));
    /// ```
    #[must_use]
    pub fn violations(self, text: &str) -> Violations<'_> {
        self.violations_bytes(text.as_bytes())
    }

    /// [`ComponentRule::violations`] for bytes, which must be UTF-8. Each part that is not UTF-8 is a violation,
    /// unless an IP address or a fragment as a whole is the violation.
    ///
    /// ```
    /// # use simd_iri::component::ComponentRule;
    /// assert_eq!(ComponentRule::Isegment.violations_bytes(b"a\xFF/").count(), 2);
    /// ```
    #[must_use]
    pub fn violations_bytes(self, bytes: &[u8]) -> Violations<'_> {
        if self.is_valid_bytes(bytes) {
            Violations::none()
        } else {
            Violations::of_component(self, false, bytes)
        }
    }

    /// Returns the text if it matches this rule; with `ascii`, if it matches the rule of RFC 3986.
    fn matched(self, level: CpuLevel, bytes: &[u8], ascii: bool) -> Option<&str> {
        // `utf8` refuses bytes of 4 GiB and more, which no offset can describe.
        utf8(level, bytes)
            .filter(|text| level.run_wide(MatchesComponent { rule: self, text, ascii }))
    }

    /// [`matched`](Self::matched), with the reason if the text does not match.
    fn check(self, level: CpuLevel, bytes: &[u8], ascii: bool) -> Result<&str, Error> {
        self.matched(level, bytes, ascii)
            .ok_or_else(|| explain::explain_component(self, ascii, bytes))
    }
}

impl CpuLevel {
    /// [`ComponentRule::validate_bytes`] at this level, for tests and benchmarks.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `bytes`.
    ///
    /// ```
    /// # use simd_iri::{component::ComponentRule, parser::CpuLevel};
    /// for level in CpuLevel::available() {
    ///     assert!(level.validate_bytes(ComponentRule::Ifragment, b"caf\xE9").is_err());
    /// }
    /// ```
    pub fn validate_bytes(self, rule: ComponentRule, bytes: &[u8]) -> Result<(), Error> {
        rule.check(self, bytes, false).map(drop)
    }
}

/// A job that tells whether a text matches the rule of a component.
#[derive(Clone, Copy)]
struct MatchesComponent<'a> {
    rule: ComponentRule,
    text: &'a str,
    /// Whether the rule of RFC 3986 is checked.
    ascii: bool,
}

impl Job for MatchesComponent<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> bool {
        masked::visit_any(simd, self.text.as_bytes(), self)
    }
}

impl Visit for MatchesComponent<'_> {
    type Output = bool;

    #[inline(always)]
    fn visit<M: Questions>(self, masks: M) -> bool {
        use ComponentRule as C;

        let text = self.text.as_bytes();
        let first = text.first().copied();
        // Most rules are a condition on the start of the text, and a set of characters. The other rules return at once.
        let (begins_well, set) = match self.rule {
            C::Scheme => {
                return first.is_some_and(|first| SCHEME_FIRST.contains(first))
                    && masks.find(Query::Outside(&SCHEME), 0) == text.len();
            }
            C::Port => return masks.find(Query::Outside(&DIGIT), 0) == text.len(),
            C::Iauthority => {
                return authority_parts(masks, text, 0, text.len()).is_ok()
                    && self.characters_hold(masks);
            }
            C::IpLiteral => return dfa::matches_ip_literal(text),
            C::Ihost if first == Some(b'[') => return dfa::matches_ip_literal(text),
            C::Ipv6Address => {
                return !is_version_mark(first) && dfa::matches_ip_literal_content(text);
            }
            C::IpvFuture => {
                return is_version_mark(first) && dfa::matches_ip_literal_content(text);
            }
            C::Ipv4Address => return dfa::matches_ipv4_address(text),
            C::IpathEmpty => return text.is_empty(),
            C::Iuserinfo => (true, &USERINFO),
            C::Ihost | C::IregName => (true, &REG_NAME),
            C::Ipath => (true, &PATH),
            C::IpathAbempty => (matches!(first, None | Some(b'/')), &PATH),
            C::IpathAbsolute => (first == Some(b'/') && text.get(1) != Some(&b'/'), &PATH),
            C::IpathNoscheme => {
                let colon = masks.find(Query::In(&COLON), 0);
                let slash = masks.find(Query::In(&SLASH), 0);
                (!matches!(first, None | Some(b'/')) && colon >= slash, &PATH)
            }
            C::IpathRootless => (!matches!(first, None | Some(b'/')), &PATH),
            C::Isegment => (true, &SEGMENT),
            C::IsegmentNz => (first.is_some(), &SEGMENT),
            C::IsegmentNzNc => (first.is_some(), &SEGMENT_NC),
            C::Iquery => (true, &QUERY),
            C::Ifragment => (true, &FRAGMENT),
        };
        begins_well
            && masks.find(Query::Foreign(set), 0) == text.len()
            && self.characters_hold(masks)
    }
}

impl MatchesComponent<'_> {
    /// Tells whether the rule allows every triplet and every character outside ASCII.
    #[inline(always)]
    fn characters_hold<M: Questions>(self, masks: M) -> bool {
        let text = self.text.as_bytes();
        let in_query = self.rule == ComponentRule::Iquery;
        let query = 0..if in_query { text.len() } else { 0 };
        masks.first_wrong(self.ascii, &query, |at| is_allowed(text, at, in_query)).is_none()
    }
}

/// Tells whether `first` begins an `IPvFuture`. An `IPv6address` does not begin with this character.
#[inline(always)]
fn is_version_mark(first: Option<u8>) -> bool {
    matches!(first, Some(b'v' | b'V'))
}
