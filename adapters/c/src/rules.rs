//! Wrapped links, and rules for queries.
//!
//! Not here: what the rules are (`QueryRules` of the library).

use simd_iri::IriRef;
use simd_iri_rules::{RuleError, RuleFormat, Unwrap};

use crate::types::*;
use crate::work::{Failure, Written, flags, item, utf8};

/// Writes a link without its wrappers.
pub(crate) fn unwrap(
    levels: u32,
    rules: Option<&QueryRules>,
    text: &[u8],
    out: &mut String,
) -> Written {
    let rules: Vec<_> = rules.iter().map(|rules| &rules.0).collect();
    let unwrap = Unwrap::new().levels(u8::try_from(levels).unwrap_or(u8::MAX)).rules(&rules);
    out.push_str(unwrap.apply(IriRef::parse_bytes(text)?).reference().as_str());
    Ok(())
}

/// Reads rules.
pub(crate) fn read(format: u32, given: u32, text: &[u8]) -> Result<QueryRules, Failure> {
    let format = item(RuleFormat::ALL, format)?;
    flags(given, SIMD_IRI_FLAG_ALLOW_REFERRAL | SIMD_IRI_FLAG_KEEP_MARK, 2)?;
    let rules = simd_iri_rules::QueryRules::parse(utf8(text, 3)?, format);
    let rules = rules.map_err(|error| Failure::Other(numbered(error)))?;
    let has = |flag| given & flag != 0;
    let rules = rules.allow_referral(has(SIMD_IRI_FLAG_ALLOW_REFERRAL));
    Ok(QueryRules(rules.keep_mark(has(SIMD_IRI_FLAG_KEEP_MARK))))
}

/// Writes a reference without the pairs that the rules name.
pub(crate) fn apply(rules: &QueryRules, text: &[u8], out: &mut String) -> Written {
    out.push_str(rules.0.apply(IriRef::parse_bytes(text)?).reference().as_str());
    Ok(())
}

/// Stores why rules are not applied. Returns their number.
pub(crate) fn skipped(rules: &QueryRules, store: impl FnMut(Error)) -> usize {
    rules.0.skipped().iter().copied().map(numbered).map(store).count()
}

/// The error as C has it: the line in the place of the start, and the column in the place of the end.
fn numbered(error: RuleError) -> Error {
    let [start, end, hint] = error.to_words();
    // There are few kinds.
    Error { start, end, kind: SIMD_IRI_ERROR_RULES as u8, hint: hint as u8, ..Error::default() }
}

/// Returns the error of which C has the numbers.
pub(crate) fn error(error: Error) -> Option<RuleError> {
    RuleError::from_words([error.start, error.end, error.hint.into()])
}
