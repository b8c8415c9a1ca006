//! Whether a text matches a rule, without offsets and without the reason.
//!
//! Not here: the parser (`grammar`), and the masks that decide short texts (`short`).

use super::grammar::{Locate, locate, utf8};
use super::masked;
use super::rule::Rule;
use crate::scan::{BLOCK, Cpu, CpuLevel, Job};

impl Rule {
    /// Tells whether the whole of `text` matches this rule. Unlike [`Rule::parse`], it does not search for the reason
    /// of an error.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert!(Rule::AbsoluteIri.is_valid("http://a/?b"));
    /// assert!(!Rule::AbsoluteIri.is_valid("http://a/?b#c"));
    /// ```
    #[inline]
    #[must_use]
    pub fn is_valid(self, text: &str) -> bool {
        is_valid_best(self, text.as_bytes())
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
        CpuLevel::best().is_valid_bytes(self, bytes)
    }
}

impl CpuLevel {
    /// [`Rule::is_valid_bytes`] at this level.
    ///
    /// ```
    /// # use simd_iri::{Rule, parser::CpuLevel};
    /// for level in CpuLevel::available() {
    ///     assert!(!level.is_valid_bytes(Rule::Iri, b"http://a/\xC0\xAF"));
    /// }
    /// ```
    #[must_use]
    pub fn is_valid_bytes(self, rule: Rule, bytes: &[u8]) -> bool {
        utf8(self, bytes).is_some_and(|text| is_valid(self, rule, text.as_bytes()))
    }
}

/// Tells whether the whole of a text that is UTF-8 matches `rule`.
#[inline]
pub(crate) fn is_valid(level: CpuLevel, rule: Rule, text: &[u8]) -> bool {
    // At a level without a wide kernel, the parser decides, and `Validate` is not compiled.
    let is_valid =
        level.run_wide_or(Validate(rule), text, |_, text| locate(level, rule, text).is_ok());
    debug_assert_eq!(is_valid, locate(level, rule, text).is_ok(), "{rule} {text:x?}");
    is_valid
}

/// [`is_valid`] for a text that a search of a batch did not decide: the parser alone, because masks would not decide the
/// text either.
#[inline]
pub(crate) fn is_valid_if_rare(level: CpuLevel, rule: Rule, text: &[u8]) -> bool {
    level.run_wide_or(ValidateAny(rule), text, |_, text| locate(level, rule, text).is_ok())
}

/// [`is_valid`] at the best level. It is not inlined, for the same reason as [`locate_best`].
#[inline(never)]
fn is_valid_best(rule: Rule, text: &[u8]) -> bool {
    CpuLevel::run_best(Validate(rule), text, |_, text| is_valid_otherwise(rule, text))
}

/// [`is_valid_best`] for CPUs without a wide kernel, and for the first call. It is a separate function, so that
/// [`is_valid_best`] saves no registers.
#[inline(never)]
fn is_valid_otherwise(rule: Rule, text: &[u8]) -> bool {
    is_valid(CpuLevel::best(), rule, text)
}

/// A job that tells whether a text matches a rule. Masks decide a short text (`short`). The parser decides a
/// longer text, and a text that the masks do not decide.
///
/// There is a job for each length, so that each function saves no registers.
/// Measured: `docs/performance/notes.md`, "Validation".
struct Validate(Rule);

impl Job for Validate {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> bool {
        if text.len() >= BLOCK {
            return simd.apart_on(ValidateTwo(self.0), text);
        }
        match masked::matches::<S, false>(simd, text, self.0) {
            Some(matches) => matches,
            None => simd.apart_on(ValidateAny(self.0), text),
        }
    }
}

/// [`Validate`] for a text of 64 bytes or more.
struct ValidateTwo(Rule);

impl Job for ValidateTwo {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> bool {
        if text.len() >= 2 * BLOCK {
            return simd.apart_on(ValidateAny(self.0), text);
        }
        match masked::matches::<S, true>(simd, text, self.0) {
            Some(matches) => matches,
            None => simd.apart_on(ValidateAny(self.0), text),
        }
    }
}

/// [`Validate`] for any text: the parser. The compiler drops the offsets.
struct ValidateAny(Rule);

impl Job for ValidateAny {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> bool {
        masked::visit(simd, text, Locate { text, rule: self.0 }).is_ok()
    }
}
