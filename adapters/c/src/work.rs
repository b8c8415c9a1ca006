//! The work of each function, in safe Rust: it checks numbers, and calls the library.

use std::borrow::Cow;
use std::cell::Cell;
use std::net::IpAddr;
use std::str::from_utf8;

use simd_iri::encoding_rs::Encoding;
use simd_iri::kind::{Iri, IriReference, Kind, UriReference};
use simd_iri::percent::{self, Place};
use simd_iri::{
    Base, Buf, Builder, Compare, Component, Host, IriBuf, IriRef, IriRefBuf, Level, Normalize,
    Rule, ToIri, ToUri, UriRefBuf, View,
    charset::Unmappable,
    component::ComponentRule,
    document::{Document, Format},
    domain::is_idn_hostname,
    errors::FileNameError,
    http_message::Field,
};
use simd_iri_archive::{Keys, Profile};
use simd_iri_judge::Policy;
use simd_iri_redact::{Redact, RedactPart};
use simd_iri_text::{Prepare, Prepared, RepairKind, RepairSet};

use crate::types::*;

/// The reason why a function fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The text is refused.
    Refused(simd_iri::Error),
    /// The argument with this number, counted from 1, is not valid for the function.
    Argument(u8),
    /// The error that C gets, because the library has an error of another type.
    Other(Error),
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

/// The result of a function that writes a text, if there is a text. `None`: there is no such value.
pub(crate) type Found = Result<Option<()>, Failure>;

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
pub(crate) fn item<T: Copy>(all: &[T], number: u32) -> Result<T, Failure> {
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
    from_utf8(name).ok().and_then(Field::of)
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

pub(crate) fn host_to_unicode(host: &[u8], out: &mut String) -> Written {
    *out = simd_iri::domain::host_to_unicode(ComponentRule::Ihost.parse_bytes(host)?)?;
    Ok(())
}

pub(crate) fn host_to_ascii(host: &[u8], out: &mut String) -> Written {
    *out = simd_iri::domain::host_to_ascii(ComponentRule::Ihost.parse_bytes(host)?)?;
    Ok(())
}

pub(crate) fn is_hostname(given: u32, text: &[u8]) -> Result<bool, Failure> {
    flags(given, SIMD_IRI_FLAG_IDNA, 1)?;
    let is = if given & SIMD_IRI_FLAG_IDNA != 0 {
        is_idn_hostname
    } else {
        simd_iri::domain::is_hostname
    };
    Ok(from_utf8(text).is_ok_and(is))
}

/// Stores each violation. Returns their number.
pub(crate) fn violations(
    number: u32,
    text: &[u8],
    mut store: impl FnMut(Error),
) -> Result<usize, Failure> {
    let violations = rule(number)?.violations_bytes(text);
    Ok(violations.map(|error| store(Failure::Refused(error).into())).count())
}

pub(crate) fn host_kind(text: &[u8]) -> Result<i32, Failure> {
    Ok(match reference(text)?.host() {
        None => SIMD_IRI_NONE,
        Some(Host::RegName(_)) => SIMD_IRI_HOST_REG_NAME,
        Some(Host::Ipv4(_)) => SIMD_IRI_HOST_IPV4,
        Some(Host::Ipv6(_)) => SIMD_IRI_HOST_IPV6,
        Some(Host::IpvFuture(_)) => SIMD_IRI_HOST_IPVFUTURE,
    })
}

pub(crate) fn port(text: &[u8]) -> Result<i32, Failure> {
    Ok(reference(text)?.port_or_default().map_or(SIMD_IRI_NONE, i32::from))
}

pub(crate) fn origin(text: &[u8], out: &mut String) -> Found {
    Ok(reference(text)?.origin().map(|origin| *out = origin.to_string()))
}

pub(crate) fn query_value(name: &[u8], text: &[u8], out: &mut String) -> Found {
    let value = reference(text)?.query_value(utf8(name, 1)?);
    Ok(value.map(|value| out.push_str(&value)))
}

/// Takes any text, because a text that is refused is logged too.
pub(crate) fn masked(text: &[u8], out: &mut String) {
    *out = simd_iri::masked(&String::from_utf8_lossy(text)).to_string();
}

/// Writes any bytes without their secrets by sets, whose names are separated by commas.
pub(crate) fn redact(
    part: u32,
    given: u32,
    sets: &[u8],
    text: &[u8],
    out: &mut Vec<u8>,
) -> Written {
    let part = item(RedactPart::ALL, part)?;
    flags(given, SIMD_IRI_FLAG_SEMICOLONS | SIMD_IRI_FLAG_ANY_CASE | SIMD_IRI_FLAG_NESTED, 2)?;
    let has = |flag| given & flag != 0;
    let redact = Redact::by_names(utf8(sets, 3)?).map_err(|_| Failure::Argument(3))?;
    let redact = redact.part(part).any_case(has(SIMD_IRI_FLAG_ANY_CASE));
    let redact = if has(SIMD_IRI_FLAG_NESTED) { redact.nested(1) } else { redact };
    out.clear();
    redact.push_bytes_to(text, out);
    // Readers differ, so that each reading counts: `sig=a;b` is one pair, and `a;sig=b` is two.
    if has(SIMD_IRI_FLAG_SEMICOLONS) {
        *out = redact.semicolons(true).redact_bytes(out).into_owned();
    }
    Ok(())
}

/// Writes the key of any bytes. Bytes that the profile rejects are their own key.
pub(crate) fn archive_key(profile: u32, text: &[u8], out: &mut Vec<u8>) -> Written {
    Keys::new(item(Profile::ALL, profile)?).key_bytes_into(text, out);
    Ok(())
}

/// Returns the verdict about a text, and writes the URL to send, if the text is not refused.
pub(crate) fn judge(
    given: u32,
    text: &[u8],
    out: &mut String,
) -> Result<(Verdict, Option<()>), Failure> {
    flags(given, SIMD_IRI_FLAG_STRIP_USERINFO | SIMD_IRI_FLAG_NO_LITERALS, 1)?;
    let policy = Policy::public_web()
        .strip_userinfo(given & SIMD_IRI_FLAG_STRIP_USERINFO != 0)
        .refuse_literals(given & SIMD_IRI_FLAG_NO_LITERALS != 0);
    let verdict = policy.judge_bytes(text);
    let reasons = verdict.reasons().iter().map(|reason| 1 << reason.kind() as u32);
    let reasons = reasons.fold(0, |all: u64, bit: u64| all | bit);
    let judged = Verdict { reasons, decision: verdict.decision() as u32, reserved: 0 };
    Ok((judged, verdict.url_to_send().map(|url| out.push_str(url))))
}

/// Writes the name of the range because of which an address is refused.
pub(crate) fn judge_address(address: &[u8], out: &mut String) -> Found {
    let address: IpAddr = utf8(address, 1)?.parse().map_err(|_| Failure::Argument(1))?;
    Ok(simd_iri_judge::judge_address(address).map(|range| *out = range.to_string()))
}

pub(crate) fn relativize(base: &[u8], text: &[u8], out: &mut String) -> Written {
    let base = Base::new(View::<Iri>::parse_bytes(base)?);
    let relative = base.relativize(View::<Iri>::parse_bytes(text)?);
    *out = relative.map_err(|error| at(SIMD_IRI_ERROR_DOT_SEGMENT, error.at()))?.into();
    Ok(())
}

pub(crate) fn to_uri_in_charset(charset: &[u8], text: &[u8], out: &mut String) -> Written {
    let map = ToUri::new().query_charset(encoding(charset)?, Unmappable::Error);
    map.map_into(reference(text)?, out)?;
    Ok(())
}

/// Writes the first meaning of a reference in a charset.
pub(crate) fn interpret(charset: &[u8], text: &[u8], out: &mut String) -> Found {
    let found = simd_iri_lint::interpret(utf8(text, 3)?, &[encoding(charset)?])?;
    Ok(found.first().map(|meaning| out.push_str(meaning.view().as_str())))
}

/// Returns the charset with a label, the argument 1.
fn encoding(label: &[u8]) -> Result<&'static Encoding, Failure> {
    Encoding::for_label(label).ok_or(Failure::Argument(1))
}

pub(crate) fn set_component(
    component: u32,
    value: Option<&[u8]>,
    text: &[u8],
    out: &mut String,
) -> Written {
    let component = item(Component::ALL, component)?;
    if component == Component::Reference {
        return Err(Failure::Argument(1));
    }
    let value = value.map(|value| utf8(value, 2)).transpose()?;
    let builder = Builder::from(reference(text)?).component(component, value);
    *out = builder.build()?.into();
    Ok(())
}

/// Builds a reference from components in the order of [`Components`].
pub(crate) fn build(given: u32, components: [Option<&[u8]>; 7], out: &mut String) -> Written {
    flags(given, SIMD_IRI_FLAG_URI, 1)?;
    *out = if given & SIMD_IRI_FLAG_URI != 0 {
        built(UriRefBuf::builder(), components)?.into()
    } else {
        built(IriRefBuf::builder(), components)?.into()
    };
    Ok(())
}

fn built<'a, K: Kind>(
    mut builder: Builder<'a, K>,
    components: [Option<&'a [u8]>; 7],
) -> Result<Buf<K>, Failure> {
    use Component::{Fragment, Host, Path, Port, Query, Scheme, Userinfo};
    let names = [Scheme, Userinfo, Host, Port, Path, Query, Fragment];
    for (name, value) in names.into_iter().zip(components) {
        let value = value.map(|value| utf8(value, 2)).transpose()?;
        builder = builder.component(name, value);
    }
    Ok(builder.build()?)
}

pub(crate) fn drop_query_pairs(name: &[u8], text: &[u8], out: &mut String) -> Written {
    let name = utf8(name, 1)?;
    out.push_str(reference(text)?.without_query_pairs(|of| of == name).as_str());
    Ok(())
}

pub(crate) fn percent_encode(place: u32, value: &[u8], out: &mut String) -> Written {
    out.push_str(&item(Place::ALL, place)?.encode(value));
    Ok(())
}

/// Returns the octets, which need not be UTF-8.
pub(crate) fn percent_decode(text: &[u8]) -> Result<Vec<u8>, Failure> {
    let decoded = percent::decode(utf8(text, 1)?).bytes();
    decoded
        .map(Cow::into_owned)
        .map_err(|error| at(SIMD_IRI_ERROR_BAD_PERCENT_ENCODING, error.at()))
}

pub(crate) fn from_posix_path(name: &[u8], out: &mut String) -> Written {
    *out = IriBuf::from_posix_path(name).map_err(file_name)?.into();
    Ok(())
}

pub(crate) fn from_windows_path(name: &[u8], out: &mut String) -> Written {
    *out = IriBuf::from_windows_path(utf8(name, 1)?).map_err(file_name)?.into();
    Ok(())
}

pub(crate) fn to_posix_path(text: &[u8]) -> Result<Vec<u8>, Failure> {
    reference(text)?.to_posix_path().map_err(file_name)
}

pub(crate) fn to_windows_path(text: &[u8], out: &mut String) -> Written {
    *out = reference(text)?.to_windows_path().map_err(file_name)?;
    Ok(())
}

pub(crate) fn escape(format: u32, given: u32, text: &[u8], out: &mut String) -> Written {
    let format = item(Format::ALL, format)?;
    flags(given, SIMD_IRI_FLAG_ASCII, 2)?;
    let document = Document::new(format).ascii(given & SIMD_IRI_FLAG_ASCII != 0);
    document.push_to(reference(text)?, out);
    Ok(())
}

pub(crate) fn unescape(format: u32, text: &[u8], out: &mut String) -> Written {
    let read = Document::new(item(Format::ALL, format)?).read(utf8(text, 2)?);
    out.push_str(&read.map_err(|error| at(SIMD_IRI_ERROR_ESCAPE, error.at()))?);
    Ok(())
}

/// Returns the text; or the error of an argument, because it is not UTF-8.
pub(crate) fn utf8(bytes: &[u8], argument: u8) -> Result<&str, Failure> {
    from_utf8(bytes).map_err(|_| Failure::Argument(argument))
}

/// The error of a kind that is at one byte.
fn at(kind: u32, at: usize) -> Failure {
    let start = u32::try_from(at).unwrap_or(u32::MAX - 1);
    Failure::Other(Error { kind: kind as u8, start, end: start + 1, ..Error::default() })
}

/// The error of a name of a file: its place in [`FileNameError::ALL`], counted from 1, is the hint.
fn file_name(error: FileNameError) -> Failure {
    let place = FileNameError::ALL.iter().position(|known| *known == error);
    let hint = place.map_or(0, |place| place as u8 + 1);
    Failure::Other(Error { kind: SIMD_IRI_ERROR_FILE_NAME as u8, hint, ..Error::default() })
}

/// The reason with a hint.
pub(crate) fn of_file_name(hint: u8) -> Option<FileNameError> {
    FileNameError::ALL.get(usize::from(hint.checked_sub(1)?)).copied()
}
