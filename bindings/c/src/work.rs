//! The work of each function, in safe Rust: it checks numbers, and calls the library.

use std::borrow::Cow;
use std::cell::Cell;

use simd_iri::kind::{Iri, IriReference, Kind, UriReference};
use simd_iri::text::{Prepare, Prepared, RepairKind, RepairSet};
use simd_iri::{
    Base, Compare, ComponentRule, Field, IriRef, Level, Normalize, Rule, ToIri, ToUri, View,
};

use crate::types::{
    SIMD_IRI_FLAG_BYTES, SIMD_IRI_FLAG_IDNA, SIMD_IRI_FLAG_LENIENT, SIMD_IRI_FLAG_REPAIR,
    SIMD_IRI_FLAG_URI,
};

/// The reason why a function fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The text is refused.
    Refused(simd_iri::Error),
    /// The argument with this number, counted from 1, is not valid for the function.
    Argument(u8),
    /// The library panicked.
    Internal,
}

impl From<simd_iri::Error> for Failure {
    fn from(error: simd_iri::Error) -> Self {
        Self::Refused(error)
    }
}

/// The result of a function that writes a text.
pub(crate) type Written = Result<(), Failure>;

/// The memory in which results are made.
#[derive(Default)]
pub(crate) struct Strings {
    /// The result.
    pub(crate) out: String,
    /// Memory for intermediate results.
    pub(crate) scratch: Vec<u8>,
}

thread_local! {
    /// Kept for the next call of the thread, so that most calls allocate nothing.
    static KEPT: Cell<Option<Strings>> = const { Cell::new(None) };
}

/// The most bytes of each string that a thread keeps.
const MOST_KEPT: usize = 64 * 1024;

/// Runs a function with empty strings that usually have memory already.
pub(crate) fn with_strings<T>(run: impl FnOnce(&mut Strings) -> T) -> T {
    // While the thread ends, the strings of the thread are gone.
    let mut strings = KEPT.try_with(Cell::take).ok().flatten().unwrap_or_default();
    strings.out.clear();
    let result = run(&mut strings);
    if strings.out.capacity().max(strings.scratch.capacity()) <= MOST_KEPT {
        let _ = KEPT.try_with(|kept| kept.set(Some(strings)));
    }
    result
}

/// Returns the start rule with a number, the argument 1.
pub(crate) fn rule(number: u32) -> Result<Rule, Failure> {
    item(Rule::ALL, number)
}

/// Returns the value with a number, the argument 1.
fn item<T: Copy>(all: &[T], number: u32) -> Result<T, Failure> {
    usize::try_from(number).ok().and_then(|at| all.get(at)).copied().ok_or(Failure::Argument(1))
}

/// Checks that all flags are among those that a function knows.
pub(crate) const fn flags(given: u32, known: u32, argument: u8) -> Result<(), Failure> {
    if given & !known == 0 { Ok(()) } else { Err(Failure::Argument(argument)) }
}

fn level(number: u32) -> Result<Level, Failure> {
    item(Level::ALL, number)
}

fn reference(text: &[u8]) -> Result<IriRef<'_>, Failure> {
    Ok(IriRef::parse_bytes(text)?)
}

pub(crate) fn to_uri(given: u32, text: &[u8], out: &mut String) -> Written {
    flags(given, SIMD_IRI_FLAG_IDNA, 1)?;
    let map = ToUri::new().idna(given & SIMD_IRI_FLAG_IDNA != 0);
    map.map_into(reference(text)?, out)?;
    Ok(())
}

pub(crate) fn to_iri(given: u32, text: &[u8], out: &mut String) -> Written {
    flags(given, SIMD_IRI_FLAG_IDNA, 1)?;
    let map = ToIri::new().idna(given & SIMD_IRI_FLAG_IDNA != 0);
    map.map_into(reference(text)?, out);
    Ok(())
}

pub(crate) fn normalize(number: u32, by: u32, text: &[u8], out: &mut String) -> Written {
    let rule = rule(number)?;
    let rules = level(by).map_err(|_| Failure::Argument(2))?.rules();
    let is_uri =
        matches!(rule, Rule::Uri | Rule::UriReference | Rule::AbsoluteUri | Rule::RelativeRef);
    if is_uri {
        normalized::<UriReference>(rule, rules, text, out)
    } else {
        normalized::<IriReference>(rule, rules, text, out)
    }
}

/// Checks that a text matches a rule.
pub(crate) fn check(rule: Rule, text: &[u8]) -> Result<(), simd_iri::Error> {
    rule.violations_bytes(text).next().map_or(Ok(()), Err)
}

fn normalized<K: Kind>(rule: Rule, rules: Normalize, text: &[u8], out: &mut String) -> Written {
    if rule != K::RULE {
        check(rule, text)?;
    }
    rules.map_into(View::<K>::parse_bytes(text)?, out)?;
    Ok(())
}

pub(crate) fn resolve(given: u32, base: &[u8], text: &[u8], out: &mut String) -> Written {
    flags(given, SIMD_IRI_FLAG_LENIENT, 1)?;
    let base = Base::new(View::<Iri>::parse_bytes(base)?);
    let base = base.lenient(given & SIMD_IRI_FLAG_LENIENT != 0);
    base.resolve_into(reference(text)?, out)?;
    Ok(())
}

pub(crate) fn prepare(profile: u32, given: u32, text: &[u8], out: &mut String) -> Written {
    use RepairSet::{BrowserLike, Crawler, Leiri, Rdf, Strict};
    let profile = item(&[Strict, Leiri, BrowserLike, Crawler, Rdf], profile)?;
    flags(given, SIMD_IRI_FLAG_IDNA | SIMD_IRI_FLAG_BYTES | SIMD_IRI_FLAG_URI, 2)?;
    let mut prepare = Prepare::new(profile);
    if given & SIMD_IRI_FLAG_BYTES != 0 {
        prepare = prepare.allow(RepairKind::IllFormed);
    }
    let prepared = prepare.prepare_bytes(text)?;
    if given & SIMD_IRI_FLAG_URI != 0 {
        let map = ToUri::new().idna(given & SIMD_IRI_FLAG_IDNA != 0);
        map.map_into(prepared.view(), out)?;
    } else {
        out.push_str(prepared.view().as_str());
    }
    Ok(())
}

pub(crate) fn key(by: u32, text: &[u8], out: &mut String) -> Written {
    let key = Compare::new(level(by)?).key(reference(text)?)?;
    *out = key;
    Ok(())
}

pub(crate) fn fingerprint(by: u32, text: &[u8]) -> Result<u128, Failure> {
    Ok(Compare::new(level(by)?).fingerprint(reference(text)?))
}

/// The reason why two texts are not compared.
pub(crate) struct Uncompared {
    /// Whether the second text is the invalid one.
    pub(crate) is_second: bool,
    pub(crate) failure: Failure,
}

pub(crate) fn compare(
    by: u32,
    first: Result<&[u8], Failure>,
    second: Result<&[u8], Failure>,
) -> Result<i32, Uncompared> {
    let failed = |is_second| move |failure| Uncompared { is_second, failure };
    let level = level(by).map_err(failed(false))?;
    let first = first.and_then(reference).map_err(failed(false))?;
    let second = second.and_then(reference).map_err(failed(true))?;
    Ok(Compare::new(level).order(first, second) as i32)
}

/// Returns the form of the field with a name; `None` if such fields have no references.
pub(crate) fn field(name: &[u8]) -> Option<Field> {
    std::str::from_utf8(name).ok().and_then(Field::of)
}

/// The value of a field with URIs in place of its references, and the number of references that stay because they
/// cannot become URIs. It needs both strings.
pub(crate) fn field_to_uri<'t>(
    given: u32,
    field: Field,
    value: &'t [u8],
    strings: &'t mut Strings,
) -> Result<(&'t [u8], usize), Failure> {
    flags(given, SIMD_IRI_FLAG_IDNA | SIMD_IRI_FLAG_REPAIR, 1)?;
    let Strings { out, scratch } = strings;
    // PERF: if the whole value is one reference, as in nearly every `Location`, the result is the value.
    if field == Field::Location && value.trim_ascii().len() == value.len() {
        return Ok(match reference_to_uri(given, value, out) {
            Ok(()) => (out.as_bytes(), 0),
            Err(_) => (value, 1),
        });
    }
    let mapped = field.replace_into(value, scratch, |text, put| {
        reference_to_uri(given, text, out)?;
        put(out);
        Ok::<(), simd_iri::Error>(())
    });
    let value = match mapped.value {
        Cow::Borrowed(value) => value,
        // `replace_into` owns nothing.
        Cow::Owned(_) => return Err(Failure::Internal),
    };
    Ok((value, mapped.left))
}

/// Maps a reference in a field to a URI.
// PERF: the parser first, although a repair begins with the parser too: nearly all references need no repair.
fn reference_to_uri(given: u32, text: &[u8], out: &mut String) -> Result<(), simd_iri::Error> {
    let is_idna = given & SIMD_IRI_FLAG_IDNA != 0;
    let map = ToUri::new();
    let map = if is_idna { map.idna_for(Field::DOMAIN_SCHEMES) } else { map };
    match IriRef::parse_bytes(text) {
        Ok(view) => map.map_into(view, out)?,
        Err(_) if given & SIMD_IRI_FLAG_REPAIR != 0 => map.map_into(repaired(text)?.view(), out)?,
        Err(error) => return Err(error),
    };
    Ok(())
}

/// Returns a text after the repair by `SIMD_IRI_FLAG_REPAIR`.
pub(crate) fn repaired(text: &[u8]) -> Result<Prepared<'_>, simd_iri::Error> {
    Prepare::new(RepairSet::Rdf).allow(RepairKind::IllFormed).prepare_bytes(text)
}

/// The host of an authority, in Unicode: triplets decoded, A-labels as U-labels. A host is mapped to a URI first, so
/// that a character that `ToIri` does not decode, such as a bidi control, becomes triplets.
pub(crate) fn host_to_unicode(host: &[u8], out: &mut String) -> Written {
    ComponentRule::Ihost.validate_bytes(host)?;
    let host = std::str::from_utf8(host).unwrap_or_default();
    let iri = format!("http://{host}");
    let uri = ToUri::new().map(View::<Iri>::parse(&iri)?)?;
    let shown = ToIri::new().idna(true).map_into(uri.view(), out);
    let shown = shown.parts().host().unwrap_or_default();
    out.truncate(shown.end);
    out.drain(..shown.start);
    Ok(())
}
