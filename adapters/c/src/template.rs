//! Templates of references: the values of an expansion, and the places of a match.
//!
//! Not here: what a template is (`template` of the library).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::str::from_utf8;

use simd_iri_template::{ExpandError, Match, Template, TemplateError, Value, Variables};

use crate::memory::GivenVariable;
use crate::types::*;
use crate::work::{Failure, Written, flags, utf8};

/// Parses a template, the argument 2.
fn parsed(template: &[u8]) -> Result<Template, Failure> {
    Template::parse(utf8(template, 2)?).map_err(|error| {
        let [start, character, hint] = error.to_words();
        // A character has at most four bytes, and there are few kinds.
        let end = start + error.span().len() as u32;
        let kind = SIMD_IRI_ERROR_TEMPLATE as u8;
        Failure::Other(Error { start, end, character, kind, hint: hint as u8, ..Error::default() })
    })
}

/// Returns the error of a template of which C has the numbers.
pub(crate) fn error(error: Error) -> Option<TemplateError> {
    TemplateError::from_words([error.start, error.character, error.hint.into()])
}

/// Returns the error of an expansion of which C has the numbers.
pub(crate) const fn prefix_error(error: Error) -> ExpandError {
    ExpandError::from_words([error.start, error.end])
}

pub(crate) fn expand<'a>(
    given: u32,
    template: &[u8],
    variables: impl Iterator<Item = GivenVariable<'a>>,
    out: &mut String,
) -> Written {
    flags(given, SIMD_IRI_FLAG_IRI, 1)?;
    let template = parsed(template)?;
    let variables = values(variables)?;
    let expanded = if given & SIMD_IRI_FLAG_IRI != 0 {
        template.expand_iri(&variables)
    } else {
        template.expand(&variables)
    };
    *out = expanded.map_err(|error| {
        let ([start, end], kind) = (error.to_words(), SIMD_IRI_ERROR_PREFIX_OF_LIST as u8);
        Failure::Other(Error { start, end, kind, ..Error::default() })
    })?;
    Ok(())
}

/// Returns the values of variables, the argument 4. A name that comes again makes a list, or with keys a map.
fn values<'a>(
    variables: impl Iterator<Item = GivenVariable<'a>>,
) -> Result<Variables<'a>, Failure> {
    let mut values: BTreeMap<&str, Value<'_>> = BTreeMap::new();
    for variable in variables {
        let [name, value, key] = variable?;
        let name = utf8(name.unwrap_or_default(), 4)?;
        let Some(value) = value else { continue };
        let value = Cow::Borrowed(utf8(value, 4)?);
        let key = key.map(|key| utf8(key, 4)).transpose()?.map(Cow::Borrowed);
        match (values.entry(name), key) {
            (Entry::Vacant(place), None) => _ = place.insert(Value::Text(value)),
            (Entry::Vacant(place), Some(key)) => {
                _ = place.insert(Value::Map([(key, value)].into()))
            }
            (Entry::Occupied(mut place), key) => match (place.get_mut(), key) {
                (Value::Text(first), None) => {
                    let first = core::mem::take(first);
                    place.insert(Value::List([first, value].into()));
                }
                (Value::List(items), None) => items.push(value),
                (Value::Map(pairs), Some(key)) => pairs.push((key, value)),
                _ => return Err(Failure::Argument(4)),
            },
        }
    }
    Ok(values.into_iter().collect())
}

/// Stores each value that the template finds in a text. Returns their number, or `None` if there is no match.
pub(crate) fn matched(
    given: u32,
    template: &[u8],
    text: &[u8],
    mut store: impl FnMut(Capture),
) -> Result<Option<usize>, Failure> {
    let known = SIMD_IRI_FLAG_QUERY_AS_SET | SIMD_IRI_FLAG_KNOWN_PAIRS | SIMD_IRI_FLAG_SINGLE_PAIRS;
    flags(given, known, 1)?;
    let has = |flag| given & flag != 0;
    let template = parsed(template)?;
    if u32::try_from(text.len()).is_err() {
        let kind = SIMD_IRI_ERROR_TOO_LONG as u8;
        return Err(Failure::Other(Error { kind, ..Error::default() }));
    }
    let options = Match::new()
        .query_as_set(has(SIMD_IRI_FLAG_QUERY_AS_SET))
        .known_pairs_only(has(SIMD_IRI_FLAG_KNOWN_PAIRS))
        .single_pairs_only(has(SIMD_IRI_FLAG_SINGLE_PAIRS));
    // Bytes that are not UTF-8 are not an expansion.
    let captures = from_utf8(text).ok().and_then(|text| options.match_uri(&template, text));
    let Some(captures) = captures else { return Ok(None) };
    let mut count = 0;
    for capture in captures.iter() {
        // The name is a part of the text of the template.
        let name = capture.name().as_ptr() as usize - template.as_str().as_ptr() as usize;
        let (name, name_end) = (name as u32, (name + capture.name().len()) as u32);
        let (items, is_item) = match capture.value() {
            Value::Text(text) => (core::slice::from_ref(text), 0),
            Value::List(items) => (items.as_slice(), 1),
            // A match has no maps.
            Value::Map(_) => (&[][..], 0),
        };
        for ((item, raw), span) in items.iter().zip(capture.raw()).zip(capture.spans()) {
            let (start, end) = (span.start as u32, span.end as u32);
            let is_encoded = u32::from(*item != raw);
            store(Capture { name, name_end, start, end, is_item, is_encoded });
            count += 1;
        }
    }
    Ok(Some(count))
}
