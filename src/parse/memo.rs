//! A parser that remembers the scheme and the authority of a reference. If the next reference begins with the same
//! text, the parser skips it.
//!
//! Not here: the parser itself (the parent module).
#![forbid(unsafe_code)]

use super::explain::{Matched, explain};
use super::grammar::{Locate, is_end};
use super::masked;
use super::parts::Parts;
use super::questions::{Questions, Visit};
use super::rule::Rule;
use crate::error::{Error, debug_without_text};
use crate::scan::{Cpu, CpuLevel, Job, slice};

/// The length in bytes of the longest `scheme://authority` that is remembered.
const ROOM: usize = 64;

/// A parser for references that often have the same `scheme://authority` as the reference before, such as the
/// references of a log or of RDF data. It compares the start of a reference with the remembered text. If both are
/// the same, it begins with the path.
///
/// It gives the same results as [`Rule::parse`]. It is faster only if references repeat an authority that is slow to
/// parse: an IP literal, userinfo or a port. To compare a plain name takes as long as to parse it. If authorities
/// change, to remember an authority takes as long as a parse.
///
/// Linear in the text, no allocation.
///
/// ```
/// use simd_iri::{Rule, parser::Memo};
///
/// let mut memo = Memo::new(Rule::Iri);
/// for text in ["http://[2001:db8::1]:8080/a", "http://[2001:db8::1]:8080/b?c", "urn:d"] {
///     assert_eq!(memo.parse(text), Rule::Iri.parse(text));
/// }
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, Copy)]
pub struct Memo {
    rule: Rule,
    level: CpuLevel,
    /// The text before the path of the remembered reference. Its length is the offset of the path in `head`.
    text: [u8; ROOM],
    /// The parts of the remembered reference. If nothing is remembered, the path begins at 0.
    head: Parts,
}

debug_without_text!([] Memo, "Memo", rule, level);

// PERF: a parse takes 22 ns instead of 46 for `log`, but 27 instead of 13 for web addresses. So the memo is a type of
// its own. `ratios` in `benches` measures it, in the row `simd-iri/memo`.
impl Memo {
    /// A parser for `rule` that remembers nothing yet.
    ///
    /// ```
    /// # use simd_iri::{Rule, parser::Memo};
    /// assert!(Memo::new(Rule::Uri).parse("http://a/é").is_err());
    /// ```
    #[must_use]
    pub fn new(rule: Rule) -> Self {
        Self { rule, level: CpuLevel::best(), text: [0; ROOM], head: Parts::NONE }
    }

    /// Finds the components of `text`, as [`Rule::parse`] does, and remembers the text before the path.
    ///
    /// # Errors
    /// Returns the first violation of the grammar, with its byte offsets.
    ///
    /// ```
    /// # use simd_iri::{Rule, parser::Memo};
    /// let mut memo = Memo::new(Rule::IriReference);
    /// assert_eq!(memo.parse("//a:80/b")?.path(), 6..8);
    /// assert_eq!(memo.parse("//a:80/c?")?.query(), Some(9..9));
    /// assert_eq!(memo.parse("//a:8000/")?.path(), 8..9);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn parse(&mut self, text: &str) -> Result<Parts, Error> {
        let bytes = text.as_bytes();
        let path = self.head.path().start;
        let known = slice::bytes(&self.text, ..path);
        if path > 0 && bytes.starts_with(known) && is_end(bytes, path) {
            let Self { rule, level, head, .. } = *self;
            let rest = RestJob { locate: Locate { text: bytes, rule }, head };
            return level.run_wide(rest).map_err(|known| explain(rule, bytes, known));
        }
        let parts = self.level.parse(self.rule, text)?;
        let path = parts.path().start;
        if parts.authority().is_some() {
            if let (Some(to), Some(from)) = (self.text.get_mut(..path), bytes.get(..path)) {
                to.copy_from_slice(from);
                self.head = parts;
            }
        }
        Ok(parts)
    }
}

/// A job that parses a text whose parts before the path are known.
#[derive(Clone, Copy)]
struct RestJob<'a> {
    locate: Locate<'a>,
    head: Parts,
}

impl Job for RestJob<'_> {
    type Output = Result<Parts, Matched>;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, _: &[u8]) -> Result<Parts, Matched> {
        masked::visit(simd, self.locate.text, self)
    }
}

impl Visit for RestJob<'_> {
    type Output = Result<Parts, Matched>;

    #[inline(always)]
    fn visit<M: Questions>(self, masks: M) -> Result<Parts, Matched> {
        let Self { locate, head } = self;
        locate.rest(masks, head)
    }
}
