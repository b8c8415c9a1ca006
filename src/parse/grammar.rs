//! The grammar of RFC 3987, section 2.2, as questions to a text that is seen through masks: the parser,
//! written once for all start rules, lengths and CPU levels.
//!
//! Not here: the answers to the questions (`masked`, `walk`), and the reason why a text does not match
//! (`explain`).

use super::dfa;
use super::dfa::NonAscii;
use super::explain::{COLON_OR_END, InputPart, Matched, Violations, explain, explain_any};
use super::ip;
use super::masked;
use super::parts::Parts;
use super::questions::{Questions, Visit};
use super::rule::{Rule, SchemeRule};
use crate::error::Error;
use crate::scan::{self, Cpu, CpuLevel, Job, Query, slice};
use crate::tables::{
    AT, AsciiSet, BRACKETS, COLON, DIGIT, END, FRAGMENT, HEXDIG, NAME, PERCENT, QUERY, QUESTION,
    REG_NAME, SCHEME, SCHEME_FIRST, USERINFO,
};

impl Rule {
    /// Finds the components of `text`. The whole text must match this rule.
    ///
    /// One pass over a text of up to 127 bytes, a few passes over a longer one; no allocation.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets. A second pass finds it.
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
        parse_best(self, text)
    }

    /// [`Rule::parse`] for bytes, which must be UTF-8.
    ///
    /// Checking UTF-8 costs one more pass, which is short if all bytes are ASCII.
    ///
    /// # Errors
    /// Returns the first violation, with its byte offsets. Ill-formed UTF-8 is a violation, too.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, Rule};
    /// assert!(Rule::Iri.parse_bytes(b"a:b").is_ok());
    /// let error = Rule::Iri.parse_bytes(b"a:\xFF").unwrap_err();
    /// assert_eq!((error.kind(), error.span()), (ErrorKind::IllFormedUtf8, 2..3));
    /// ```
    #[inline]
    pub fn parse_bytes(self, bytes: &[u8]) -> Result<Parts, Error> {
        CpuLevel::best().parse_bytes(self, bytes)
    }

    /// Returns every violation of this rule in `text`, in the order of the text. If the text matches the rule, there is
    /// no violation. The first violation is the error of [`Rule::parse`].
    ///
    /// Linear time, no allocation. Made for reports, not for speed.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// let places = Rule::Iri.violations("http://a b/%zz#|").map(|error| error.span().start);
    /// assert!(places.eq([8, 11, 15]));
    /// ```
    #[must_use]
    pub fn violations(self, text: &str) -> Violations<'_> {
        self.violations_bytes(text.as_bytes())
    }

    /// [`Rule::violations`] for bytes, which must be UTF-8. Each part that is not UTF-8 is a violation,
    /// unless an IP address or a fragment as a whole is the violation.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!(Rule::Iri.violations_bytes(b"a:\xFF b").count(), 2);
    /// ```
    #[must_use]
    pub fn violations_bytes(self, bytes: &[u8]) -> Violations<'_> {
        Violations::new(self, bytes)
    }

    /// Checks that the whole of `text` matches this rule. [`Rule::parse`] also returns the components.
    ///
    /// # Errors
    /// Those of [`Rule::parse`].
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert!(Rule::Iri.validate("http://a/").is_ok());
    /// assert_eq!(Rule::Iri.validate("http://a b/").unwrap_err().span(), 8..9);
    /// ```
    #[inline]
    pub fn validate(self, text: &str) -> Result<(), Error> {
        self.parse(text).map(drop)
    }

    /// [`Rule::validate`] for bytes, which must be UTF-8.
    ///
    /// # Errors
    /// Those of [`Rule::parse_bytes`].
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert!(Rule::Iri.validate_bytes(b"a:\xFF").is_err());
    /// ```
    #[inline]
    pub fn validate_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.parse_bytes(bytes).map(drop)
    }
}

/// The engine at a chosen CPU level, for tests and benchmarks.
impl CpuLevel {
    /// [`Rule::parse`] at this level.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets.
    ///
    /// ```
    /// # use simd_iri::{Rule, parser::CpuLevel};
    /// for level in CpuLevel::available() {
    ///     assert_eq!(level.parse(Rule::Iri, "a:b"), Rule::Iri.parse("a:b"));
    /// }
    /// ```
    pub fn parse(self, rule: Rule, text: &str) -> Result<Parts, Error> {
        parse(self, rule, text)
    }

    /// [`Rule::parse_bytes`] at this level.
    ///
    /// # Errors
    /// Returns the first violation, with its byte offsets. Ill-formed UTF-8 is a violation, too.
    ///
    /// ```
    /// # use simd_iri::{Rule, parser::CpuLevel};
    /// for level in CpuLevel::available() {
    ///     assert!(level.parse_bytes(Rule::Iri, b"a:b").is_ok());
    /// }
    /// ```
    pub fn parse_bytes(self, rule: Rule, bytes: &[u8]) -> Result<Parts, Error> {
        // This does not call the private function below, because its result would be copied once more.
        // Measured: `docs/performance/notes.md`, "Parse".
        match utf8(self, bytes) {
            Some(text) => parse(self, rule, text),
            None => Err(explain_ill_formed(self, rule, bytes)),
        }
    }
}

/// [`parse`] at the best level.
#[inline]
pub(crate) fn parse_best(rule: Rule, text: &str) -> Result<Parts, Error> {
    match locate_best(rule, text) {
        Ok(parts) => Ok(parts),
        Err(known) => Err(explain(rule, text.as_bytes(), known)),
    }
}

/// [`locate`] at the best level.
///
/// Every parse of a reference calls this one function, so that the kernels are compiled once, in this crate, and
/// not in the crate of each user, which may be built without optimization.
// The kernel writes the result where the caller reads it. If this function explained the error, it would copy the
// result.
#[inline(never)]
pub(crate) fn locate_best(rule: Rule, text: &str) -> Result<Parts, Matched> {
    CpuLevel::run_best(Parse(rule), text.as_bytes(), |_, text| locate_otherwise(rule, text))
}

/// [`locate_best`] for CPUs without a wide kernel, and for the first call. It is a separate function, so that
/// [`locate_best`] saves no registers.
#[inline(never)]
fn locate_otherwise(rule: Rule, text: &[u8]) -> Result<Parts, Matched> {
    locate(CpuLevel::best(), rule, text)
}

/// Checks that the whole of `text` matches `rule`, and finds its components.
#[inline]
pub(crate) fn parse(level: CpuLevel, rule: Rule, text: &str) -> Result<Parts, Error> {
    match locate(level, rule, text.as_bytes()) {
        Ok(parts) => Ok(parts),
        Err(known) => Err(explain(rule, text.as_bytes(), known)),
    }
}

/// Returns the components of a text that is UTF-8; or, if the text does not match `rule`, how much of it matches.
#[inline]
pub(crate) fn locate(level: CpuLevel, rule: Rule, text: &[u8]) -> Result<Parts, Matched> {
    level.run_on(Parse(rule), text)
}

/// [`parse`] for bytes, which must be UTF-8. Returns them as text, too.
pub(crate) fn parse_bytes(
    level: CpuLevel,
    rule: Rule,
    bytes: &[u8],
) -> Result<(&str, Parts), Error> {
    match utf8(level, bytes) {
        Some(text) => parse(level, rule, text).map(|parts| (text, parts)),
        None => Err(explain_ill_formed(level, rule, bytes)),
    }
}

/// Returns the first reason why `bytes`, which are not UTF-8 or are too long, do not match `rule`.
///
/// The parser reads the text before the first ill-formed bytes, and the search for the reason begins where that text
/// stops to match, or at its end. Of a text `http://a/b\xFF?c`, the parser reads `http://a/b`.
#[cold]
pub(crate) fn explain_ill_formed(level: CpuLevel, rule: Rule, bytes: &[u8]) -> Error {
    explain_any(rule, bytes, known_of(level, rule, bytes).unwrap_or(Matched::Nothing))
}

/// Returns how much of `bytes`, which are not UTF-8, matches `rule`; `None` if the parser cannot tell.
fn known_of(level: CpuLevel, rule: Rule, bytes: &[u8]) -> Option<Matched> {
    u32::try_from(bytes.len()).ok()?;
    let len = core::str::from_utf8(bytes).err()?.valid_up_to();
    let text = bytes.get(..len)?;
    // Without a delimiter, the text may be a part of a scheme.
    text.iter().find(|byte| COLON_OR_END.contains(**byte))?;
    let known = match locate(level, rule, text) {
        Ok(parts) => {
            let [_, start, host, _, path, ..] = parts.offsets();
            let is_in_authority =
                path as usize == len && text.get(..start as usize)?.ends_with(b"//");
            if is_in_authority {
                let userinfo = start < host;
                Matched::Authority { userinfo, wrong: false, start, plain: start, end: path }
            } else {
                wrong_in(parts, len)
            }
        }
        Err(known) => known,
    };
    Some(match known {
        // The authority may go on after the ill-formed bytes.
        Matched::Authority { start, plain, end, .. } if end as usize == len => {
            let rest = bytes.get(len..)?;
            let more = rest.iter().position(|byte| END.contains(*byte)).unwrap_or(rest.len());
            let authority = bytes.get(start as usize..len + more)?;
            let userinfo = authority.iter().any(|byte| AT.contains(*byte));
            let end = (len + more) as u32;
            Matched::Authority { userinfo, wrong: false, start, plain, end }
        }
        known => known,
    })
}

/// Returns `bytes` as a string if they are UTF-8 and fewer than 4 GiB, which is the limit of offsets.
pub(crate) fn utf8(level: CpuLevel, bytes: &[u8]) -> Option<&str> {
    u32::try_from(bytes.len()).ok().and_then(|_| scan::utf8(level, bytes))
}

/// Finds the components of a text that is known to match `IRI-reference`. If the text does not match, debug builds
/// panic, and other builds return the parts of the empty text.
pub(crate) fn split(text: &str) -> Parts {
    let parts = parse_best(Rule::IriReference, text);
    debug_assert!(parts.is_ok_and(|parts| parts.check(text)), "not a reference: {text}");
    parts.unwrap_or_default()
}

/// [`locate`] as a job.
struct Parse(Rule);

impl Job for Parse {
    /// The components of the text; or, if the text does not match the rule, how much of it matches.
    type Output = Result<Parts, Matched>;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> Result<Parts, Matched> {
        masked::visit(simd, text, Locate { text, rule: self.0 })
    }
}

/// The parser.
///
/// Invariants: the text is well-formed UTF-8. [`Matched`] says how much of the text matches the rule, and `explain`
/// does not walk that part again.
#[derive(Clone, Copy)]
pub(super) struct Locate<'a> {
    pub(super) text: &'a [u8],
    pub(super) rule: Rule,
}

impl Visit for Locate<'_> {
    /// The components of the text; or, if the text does not match the rule, how much of it matches.
    type Output = Result<Parts, Matched>;

    #[inline(always)]
    fn visit<M: Questions>(self, masks: M) -> Result<Parts, Matched> {
        let Self { text, rule } = self;
        // Scheme: it ends at the first byte that it cannot hold, if that is a colon.
        let scheme_end = masks.find_near(Query::Outside(&SCHEME), 0);
        let has_scheme = text.get(scheme_end) == Some(&b':')
            && text.first().is_some_and(|first| SCHEME_FIRST.contains(*first));
        if has_scheme {
            if rule.scheme() == SchemeRule::Absent {
                return Err(Matched::Nothing);
            }
        } else if rule.scheme() == SchemeRule::Required
            // Without a scheme, the first segment must not hold a colon.
            || !is_end(text, scheme_end)
                && text.get(masks.find_rarely(Query::In(&COLON_OR_END), scheme_end)) == Some(&b':')
        {
            let _ = self.end()?;
            return Err(Matched::NoScheme(scheme_end as u32));
        }

        // Authority: after two slashes.
        let after_scheme = if has_scheme { scheme_end + 1 } else { 0 };
        let (authority, host, host_end, path) =
            if text.get(after_scheme..).is_some_and(|rest| matches!(rest, [b'/', b'/', ..])) {
                let authority = after_scheme + 2;
                // Most authorities are a plain name. Everything else is the cold path.
                let name_end = masks.find_near(Query::Outside(&NAME), authority);
                if is_end(text, name_end) {
                    (authority, authority, name_end, name_end)
                } else {
                    let path = masks.find_near(Query::In(&END), name_end);
                    match authority_parts(masks, text, authority, path) {
                        Ok((host, host_end)) => (authority, host, host_end, path),
                        Err(userinfo) => {
                            let _ = self.end()?;
                            let (start, plain) = (authority as u32, name_end as u32);
                            let end = path as u32;
                            return Err(Matched::Authority {
                                userinfo,
                                wrong: true,
                                start,
                                plain,
                                end,
                            });
                        }
                    }
                }
            } else {
                (after_scheme, after_scheme, after_scheme, after_scheme)
            };
        let scheme_end = if has_scheme { scheme_end } else { 0 };
        let (scheme_end, authority) = (scheme_end as u32, authority as u32);
        let (host, host_end, path) = (host as u32, host_end as u32, path as u32);
        // All later offsets are at the start of the path.
        self.rest(masks, Parts::at([scheme_end, authority, host, host_end, path, path, path, path]))
    }
}

impl Locate<'_> {
    /// The end of the text as an offset. A text that is too long for offsets does not match.
    #[inline(always)]
    fn end(self) -> Result<u32, Matched> {
        u32::try_from(self.text.len()).map_err(|_| Matched::Nothing)
    }

    /// Parses the path, the query and the fragment. `head` has the offsets up to the path. Returns all offsets.
    #[inline(always)]
    pub(super) fn rest<M: Questions>(self, masks: M, head: Parts) -> Result<Parts, Matched> {
        let Self { text, rule } = self;
        let end = self.end()?;
        let len = text.len();
        let [scheme_end, authority, host, host_end, path_start, ..] = head.offsets();
        let path = path_start as usize;
        // The query ends at the first ASCII byte that neither a path nor a query can hold. The path ends at the first
        // question mark before that byte.
        let query_end = masks.find(Query::Foreign(&QUERY), path);
        let path_end = masks.find(Query::In(&QUESTION), path).min(query_end);
        let (path_at, query_at) = (path_end as u32, query_end as u32);
        let parts =
            Parts::at([scheme_end, authority, host, host_end, path_start, path_at, query_at, end]);
        // Fragment: the byte at `query_end` must be `#`, and all bytes after it must be allowed.
        if query_end < len {
            let mut foreign = query_end;
            if text.get(query_end) == Some(&b'#') && rule.allows_fragment() {
                foreign = masks.find(Query::Foreign(&FRAGMENT), query_end + 1);
            }
            if foreign < len {
                // The triplets and the characters outside ASCII before `foreign` are not checked here.
                // Measured: `docs/performance/notes.md`, "Size of a program that parses".
                let unchecked = masks.find_rarely(Query::Outside(&CHECKED), 0);
                return Err(match wrong_in(parts, unchecked.min(foreign)) {
                    Matched::Part(part, at) if unchecked < foreign => Matched::Before(part, at),
                    matched => matched,
                });
            }
        }
        // Triplets and characters outside ASCII, in all components at once. Only a query may hold private-use
        // characters.
        let query = path_end..query_end;
        let allowed = |at| is_allowed(text, at, query.contains(&at));
        match masks.first_wrong(rule.ascii_only(), &query, allowed) {
            None => Ok(Parts::at(scan::row(parts.offsets()))),
            Some(wrong) => Err(wrong_in(parts, wrong)),
        }
    }
}

/// The ASCII characters except the percent sign. The set of the component is the only check that they need.
const CHECKED: AsciiSet = PERCENT.others();

/// Returns how much of a text with these components matches, if it matches up to `at`.
#[inline(always)]
fn wrong_in(parts: Parts, at: usize) -> Matched {
    let [_, start, host, _, end, path_end, query_end, _] = parts.offsets();
    let at = at as u32;
    // If the end of the authority cuts a triplet, the missing digit is at the start of the path.
    if at <= end && start < end {
        let userinfo = start < host;
        return Matched::Authority { userinfo, wrong: false, start, plain: start, end };
    }
    let part = if at <= path_end { InputPart::Path } else { InputPart::Query };
    Matched::Part(if at <= query_end { part } else { InputPart::Fragment }, at)
}

/// Tells whether a scheme or an authority may end at `at`: at `/`, `?` or `#`, or with the text.
#[inline(always)]
pub(super) fn is_end(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| END.contains(*byte))
}

/// Finds the host in the `iauthority` from `start` to `end`. Returns where the host begins and ends. If the text is
/// not an `iauthority`, the error tells whether there is an `@`. Does not check triplets and characters outside ASCII.
#[inline(always)]
pub(super) fn authority_parts<M: Questions>(
    masks: M,
    text: &[u8],
    start: usize,
    end: usize,
) -> Result<(usize, usize), bool> {
    // Userinfo: the text before the first `@`.
    let at = masks.find_near(Query::In(&AT), start);
    let host = if at < end {
        if masks.find_near(Query::Foreign(&USERINFO), start) < at {
            return Err(true);
        }
        at + 1
    } else {
        start
    };
    // Host: an IP literal in brackets, or a name.
    let host_end = if text.get(host) == Some(&b'[') {
        let close = masks.find_near(Query::In(&BRACKETS), host + 1);
        let members = masks.members(&HEXDIG, &COLON, host + 1);
        if !text.get(host..=close).is_some_and(|literal| ip::is_literal(literal, members)) {
            return Err(at < end);
        }
        close + 1
    } else {
        masks.find_near(Query::Foreign(&REG_NAME), host).min(end)
    };
    // Port: digits after a colon, or nothing.
    let ends = host_end == end
        || text.get(host_end) == Some(&b':')
            && masks.find_near(Query::Outside(&DIGIT), host_end + 1) >= end;
    if ends { Ok((host, host_end)) } else { Err(at < end) }
}

/// Tells whether the grammar allows the character at `at`, which is outside ASCII.
#[inline(always)]
pub(super) fn is_allowed(text: &[u8], at: usize, in_query: bool) -> bool {
    match dfa::NonAscii::of(slice::bytes(text, at..)) {
        NonAscii::Ucschar => true,
        NonAscii::Private => in_query,
        NonAscii::Other => false,
    }
}
