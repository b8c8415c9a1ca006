//! Masks → [`Parts`]: where the components of a reference lie, or that there is no reference.
//!
//! Here: the grammar of section 2.2 of RFC 3987 as questions to a text seen through masks
//! (`masked`), once for every start rule, every length and every CPU level; the stand-alone rules
//! (`component`); and, on failure alone, what is wrong and where (`explain`). Not here: which
//! characters a set holds (`tables`), and what the components mean (`reference`).
//!
//! ```text
//! scheme     ends at the first byte that a scheme cannot hold, if that is a colon
//! authority  begins after `//` and ends at the first `/`, `?` or `#`
//! path       ends at the first `?` before the `#`
//! query      ends at the first ASCII byte that neither path nor query can hold, if that is a `#`
//! fragment   is the rest
//! ```
//!
//! What each component may hold is then one set for the host, one for path and query, one for the
//! fragment; what is rare in an authority (`@`, a port, an `IP-literal`) has a function of its own.
#![forbid(unsafe_code)]

mod bitset;
mod component;
mod cursors;
mod explain;
mod literal;
mod many;
mod masked;
mod memo;
mod parts;
mod rule;
mod terminators;
mod walk;

pub(crate) use cursors::{Found, ROOM, Rows, Texts, Want};
pub use explain::Violations;
pub(crate) use explain::{Known, explain};
pub(crate) use literal::parse_const;
pub(crate) use many::{Sink, Spans, parse_many};
pub use memo::Memo;
pub use parts::Parts;
pub(crate) use rule::SchemeRule;
pub use rule::{ComponentRule, Rule, UnknownRule};
pub use terminators::Terminators;

use crate::error::Error;
use crate::scan::dfa::{self, NonAscii};
use crate::scan::{self, CpuLevel, Job, Query, Simd};
use crate::tables::{
    AT, BRACKETS, COLON, DIGIT, END, FRAGMENT, NAME, QUERY, QUESTION, REG_NAME, SCHEME,
    SCHEME_FIRST, USERINFO,
};
use masked::{Masked, Visit};

impl Rule {
    /// Finds the components of `text`, all of which must match this rule.
    ///
    /// One pass over a text of up to 127 bytes, a few over a longer one; no allocation.
    ///
    /// # Errors
    /// The first violation of the grammar, with its byte offsets; found by a second, slower pass.
    ///
    /// ```
    /// use simd_iri::{ErrorKind, Rule};
    ///
    /// let parts = Rule::Iri.parse("http://例え.jp/a?b")?;
    /// assert_eq!(parts.host(), Some(7..16));
    /// assert_eq!(Rule::Iri.parse("//a").map_err(|e| e.kind()), Err(ErrorKind::MissingScheme));
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[inline]
    pub fn parse(self, text: &str) -> Result<Parts, Error> {
        self.parse_at(CpuLevel::best(), text)
    }

    /// [`Rule::parse`] at a chosen level.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// # use simd_iri::{CpuLevel, Rule};
    /// for level in CpuLevel::available() {
    ///     assert_eq!(Rule::Iri.parse_at(level, "a:b"), Rule::Iri.parse("a:b"));
    /// }
    /// ```
    pub fn parse_at(self, level: CpuLevel, text: &str) -> Result<Parts, Error> {
        parse(level, self, text)
    }

    /// [`Rule::parse`] for bytes, which must be UTF-8.
    ///
    /// Costs one pass more, which is short for bytes that are all ASCII.
    ///
    /// # Errors
    /// As there; ill-formed UTF-8 is a violation with its place.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, Rule};
    /// assert!(Rule::Iri.parse_bytes(b"a:b").is_ok());
    /// let error = Rule::Iri.parse_bytes(b"a:\xFF").unwrap_err();
    /// assert_eq!((error.kind(), error.span()), (ErrorKind::IllFormedUtf8, 2..3));
    /// ```
    #[inline]
    pub fn parse_bytes(self, bytes: &[u8]) -> Result<Parts, Error> {
        self.parse_bytes_at(CpuLevel::best(), bytes)
    }

    /// [`Rule::parse_bytes`] at a chosen level.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// # use simd_iri::{CpuLevel, Rule};
    /// for level in CpuLevel::available() {
    ///     assert!(Rule::Iri.parse_bytes_at(level, b"a:b").is_ok());
    /// }
    /// ```
    pub fn parse_bytes_at(self, level: CpuLevel, bytes: &[u8]) -> Result<Parts, Error> {
        parse_bytes(level, self, bytes).map(|(_, parts)| parts)
    }

    /// Tells whether all of `text` matches this rule, and spares what finding out why costs.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert!(Rule::AbsoluteIri.is_valid("http://a/?b"));
    /// assert!(!Rule::AbsoluteIri.is_valid("http://a/?b#c"));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_valid(self, text: &str) -> bool {
        self.is_valid_at(CpuLevel::best(), text)
    }

    /// [`Rule::is_valid`] at a chosen level.
    ///
    /// ```
    /// # use simd_iri::{CpuLevel, Rule};
    /// for level in CpuLevel::available() {
    ///     assert!(Rule::IriReference.is_valid_at(level, "a"));
    /// }
    /// ```
    #[must_use]
    pub fn is_valid_at(self, level: CpuLevel, text: &str) -> bool {
        level.run(Validate { text: text.as_bytes(), rule: self })
    }

    /// [`Rule::is_valid`] for bytes, which must be UTF-8.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert!(!Rule::Iri.is_valid_bytes(b"http://a/\xC0\xAF"));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_valid_bytes(self, bytes: &[u8]) -> bool {
        self.is_valid_bytes_at(CpuLevel::best(), bytes)
    }

    /// [`Rule::is_valid_bytes`] at a chosen level.
    ///
    /// ```
    /// # use simd_iri::{CpuLevel, Rule};
    /// for level in CpuLevel::available() {
    ///     assert!(!Rule::Iri.is_valid_bytes_at(level, b"http://a/\xC0\xAF"));
    /// }
    /// ```
    #[must_use]
    pub fn is_valid_bytes_at(self, level: CpuLevel, bytes: &[u8]) -> bool {
        utf8(level, bytes).is_some_and(|text| self.is_valid_at(level, text))
    }

    /// Every violation of this rule by `bytes`, in the order of their places: none if they match
    /// it, and first the one that [`Rule::parse_bytes`] reports.
    ///
    /// Linear in the bytes, no allocation; it is not made for speed.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// let places = Rule::Iri.violations(b"http://a b/%zz#|").map(|error| error.span().start);
    /// assert!(places.eq([8, 11, 15]));
    /// ```
    #[must_use]
    pub fn violations(self, bytes: &[u8]) -> Violations<'_> {
        Violations::new(self, bytes)
    }
}

/// Checks that all of `text` matches `rule` and finds its components.
#[inline]
pub(crate) fn parse(level: CpuLevel, rule: Rule, text: &str) -> Result<Parts, Error> {
    locate(level, rule, text.as_bytes()).map_err(|known| explain(rule, text.as_bytes(), known))
}

/// The components of a text that is UTF-8; if it does not match `rule`, how much of it does.
///
/// Every parse of a reference is a call of this one function, so that the kernels are compiled once, in
/// this crate, and not in the crate of each user.
#[inline(never)]
fn locate(level: CpuLevel, rule: Rule, text: &[u8]) -> Result<Parts, Known> {
    level.run(Parse { text, rule })
}

/// [`parse`] for bytes, which must be UTF-8. Returns the text, too.
pub(crate) fn parse_bytes(
    level: CpuLevel,
    rule: Rule,
    bytes: &[u8],
) -> Result<(&str, Parts), Error> {
    match utf8(level, bytes) {
        Some(text) => parse(level, rule, text).map(|parts| (text, parts)),
        None => Err(explain(rule, bytes, Known::Nothing)),
    }
}

/// `bytes` as a string, if they are UTF-8 and not so many that no rule takes them.
fn utf8(level: CpuLevel, bytes: &[u8]) -> Option<&str> {
    u32::try_from(bytes.len()).ok().and_then(|_| scan::utf8(level, bytes))
}

/// Finds the components of a text that is known to match `IRI-reference`.
pub(crate) fn split(text: &str) -> Parts {
    let parts = parse(CpuLevel::best(), Rule::IriReference, text);
    debug_assert!(parts.is_ok_and(|parts| parts.check(text)), "not a reference: {text}");
    parts.unwrap_or_default()
}

/// A text to be parsed.
struct Parse<'a> {
    text: &'a [u8],
    rule: Rule,
}

impl Job for Parse<'_> {
    /// The components of the text; if it does not match the rule, how much of it does.
    type Output = Result<Parts, Known>;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> Result<Parts, Known> {
        masked::visit(simd, self.text, Locate { text: self.text, rule: self.rule })
    }
}

/// A text of which only the validity is asked.
struct Validate<'a> {
    text: &'a [u8],
    rule: Rule,
}

impl Job for Validate<'_> {
    type Output = bool;

    #[cfg_attr(optimized, inline(always))]
    fn run<S: Simd>(self, simd: S) -> bool {
        masked::visit(simd, self.text, Locate { text: self.text, rule: self.rule }).is_ok()
    }
}

/// The parser. The text is well-formed UTF-8.
#[derive(Clone, Copy)]
struct Locate<'a> {
    text: &'a [u8],
    rule: Rule,
}

impl Visit for Locate<'_> {
    /// The components of the text; if it does not match the rule, how much of it does.
    type Output = Result<Parts, Known>;

    #[cfg_attr(optimized, inline(always))]
    fn visit<M: Masked>(self, masks: M) -> Result<Parts, Known> {
        let (head, known) = self.head(masks)?;
        self.rest(masks, head, known)
    }
}

impl Locate<'_> {
    /// What is before the path, which are the parts of that alone; and how much is known.
    #[cfg_attr(optimized, inline(always))]
    fn head<M: Masked>(self, masks: M) -> Result<(Parts, Known), Known> {
        let Self { text, rule } = self;
        let scheme_end = masks.find_near(Query::Outside(&SCHEME), 0);
        let has_scheme = text.get(scheme_end) == Some(&b':')
            && text.first().is_some_and(|first| SCHEME_FIRST.contains(*first));
        if has_scheme {
            if rule.scheme() == SchemeRule::Absent {
                return Err(Known::Nothing);
            }
        } else if rule.scheme() == SchemeRule::Required
            // A colon in the first segment would have ended a scheme.
            || !is_end(text, scheme_end)
                && masks.find(Query::In(&COLON), 0) < masks.find(Query::In(&END), 0)
        {
            return Err(Known::Nothing);
        }

        let after_scheme = if has_scheme { scheme_end + 1 } else { 0 };
        let mut known = Known::Scheme(after_scheme);
        let (authority, host, host_end, path) =
            if text.get(after_scheme..).is_some_and(|rest| matches!(rest, [b'/', b'/', ..])) {
                let authority = after_scheme + 2;
                // Most hosts are plain names, and nothing is around them.
                let name_end = masks.find_near(Query::Outside(&NAME), authority);
                if is_end(text, name_end) {
                    known = Known::Authority(name_end);
                    (authority, authority, name_end, name_end)
                } else {
                    let path = masks.find_near(Query::In(&END), name_end);
                    let (host, host_end) =
                        authority_parts(masks, text, authority, path).ok_or(known)?;
                    (authority, host, host_end, path)
                }
            } else {
                (after_scheme, after_scheme, after_scheme, after_scheme)
            };
        let scheme_end = if has_scheme { scheme_end } else { 0 };
        let (scheme_end, authority) = (scheme_end as u32, authority as u32);
        let (host, host_end, path) = (host as u32, host_end as u32, path as u32);
        Ok((Parts::at([scheme_end, authority, host, host_end, path, path, path, path]), known))
    }

    /// All parts, given those of what is before the path, and how much is known.
    #[cfg_attr(optimized, inline(always))]
    fn rest<M: Masked>(self, masks: M, head: Parts, known: Known) -> Result<Parts, Known> {
        let Self { text, rule } = self;
        let len = text.len();
        let end = u32::try_from(len).map_err(|_| Known::Nothing)?;
        let [scheme_end, authority, host, host_end, path_start, ..] = head.offsets();
        let path = path_start as usize;
        let query_end = masks.find(Query::Foreign(&QUERY), path);
        let path_end = masks.find(Query::In(&QUESTION), path).min(query_end);
        if query_end < len {
            let fragment = text.get(query_end) == Some(&b'#')
                && rule.allows_fragment()
                && masks.find(Query::Foreign(&FRAGMENT), query_end + 1) == len;
            if !fragment {
                return Err(known);
            }
        }
        let query = path_end..query_end;
        let allowed = |at| is_allowed(text, at, query.contains(&at));
        if !masks.characters_hold(rule.ascii_only(), allowed) {
            return Err(known);
        }
        let (path_end, query_end) = (path_end as u32, query_end as u32);
        Ok(Parts::at([scheme_end, authority, host, host_end, path_start, path_end, query_end, end]))
    }
}

/// Tells whether what can only be before the path ends at `at`.
#[cfg_attr(optimized, inline(always))]
fn is_end(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| END.contains(*byte))
}

/// Finds the host between `start` and `end`, which are the ends of an `iauthority`: where it begins
/// and where it ends. `None` if this is none, but for triplets and characters outside ASCII.
#[cfg_attr(optimized, inline(always))]
fn authority_parts<M: Masked>(
    masks: M,
    text: &[u8],
    start: usize,
    end: usize,
) -> Option<(usize, usize)> {
    let at = masks.find_near(Query::In(&AT), start);
    let host = if at < end {
        if masks.find_near(Query::Foreign(&USERINFO), start) < at {
            return None;
        }
        at + 1
    } else {
        start
    };
    let host_end = if text.get(host) == Some(&b'[') {
        let close = masks.find_near(Query::In(&BRACKETS), host + 1);
        if !text.get(host..=close).is_some_and(dfa::matches_ip_literal) {
            return None;
        }
        close + 1
    } else {
        masks.find_near(Query::Foreign(&REG_NAME), host).min(end)
    };
    let ends = host_end == end
        || text.get(host_end) == Some(&b':')
            && masks.find_near(Query::Outside(&DIGIT), host_end + 1) >= end;
    ends.then_some((host, host_end))
}

/// Tells whether the grammar allows the character at `at`, whose first byte may begin one outside
/// `ucschar`.
#[cfg_attr(optimized, inline(always))]
fn is_allowed(text: &[u8], at: usize, in_query: bool) -> bool {
    match dfa::non_ascii(text.get(at..).unwrap_or_default()) {
        NonAscii::Ucschar => true,
        NonAscii::Private => in_query,
        NonAscii::Other => false,
    }
}
