//! Removes fields of a query, and of a fragment, from a reference. All other bytes stay.

use alloc::string::String;

use super::round::RuleOptions;
use crate::wrapped::wrappers::after_ampersand;
use simd_iri::low::slice;
use simd_iri::{IriRef, IriRefBuf, query::kept_pairs};

/// Returns a reference without the fields that `drops` names by their written text, and how many these are; `None` if
/// all fields stay.
pub(super) fn without(
    reference: IriRef<'_>,
    options: RuleOptions,
    in_fragment: bool,
    mut drops: impl FnMut(&str) -> bool,
) -> Option<(IriRefBuf, usize)> {
    let mut dropped = 0;
    let mut keeps = |field: &str| {
        let keeps = !drops(field);
        dropped += usize::from(!keeps);
        keeps
    };
    let mut query = reference.query().and_then(|query| kept_pairs(query, &mut keeps));
    if let (Some(Some(left)), true) = (&mut query, options.reads_html) {
        // The delimiter before the first pair that is left goes as a whole.
        let is_first = reference.query().is_some_and(|query| query.starts_with("amp;"));
        let entity = if is_first { 0 } else { left.len() - after_ampersand(left).len() };
        left.drain(..entity);
    }
    // A fragment without a value is the name of a place.
    let fields = reference.fragment().filter(|text| in_fragment && text.contains('='));
    let fragment = fields.and_then(|text| kept_pairs(text, &mut keeps));
    if query.is_none() && fragment.is_none() {
        return None;
    }
    let text = reference.as_str();
    let parts = reference.parts();
    let mut made = String::with_capacity(text.len());
    made.push_str(slice::text(text, ..parts.path().end));
    let written = query.unwrap_or_else(|| reference.query().map(Into::into));
    let keeps_mark = options.keeps_mark && reference.query().is_some();
    if let Some(query) = written.or_else(|| keeps_mark.then(String::new)) {
        made.push('?');
        made.push_str(&query);
    }
    if let Some(fragment) = fragment.unwrap_or_else(|| reference.fragment().map(Into::into)) {
        made.push('#');
        made.push_str(&fragment);
    }
    // The text is a reference: whole pieces between delimiters are left out.
    IriRefBuf::parse(made).ok().map(|made| (made, dropped))
}
