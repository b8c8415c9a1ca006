//! Targets of HTTP requests in origin-form: a path that begins with a slash, and perhaps a query (RFC 9112, section
//! 3.2.1).
//!
//! Alone, `//a/b` would be a reference with an authority. The target URI of a request has scheme and authority
//! before the target (RFC 9112, section 3.3), so that `//a/b` is a path there. So the function puts an authority
//! before a target, parses both, and moves the offsets back.

use std::str::from_utf8;

use simd_iri::check::{charsets, interpret};
use simd_iri::kind::Kind;
use simd_iri::text::{Prepare, RepairKind, RepairSet};
use simd_iri::{ComponentRule, Error, Iri, IriRef, IriRefBuf, Normalize, Rule, ToIri, ToUri, View};

use crate::types::{SIMD_IRI_FLAG_IRI, SIMD_IRI_FLAG_NORMALIZE, SIMD_IRI_FLAG_REPAIR};
use crate::work::{Failure, Strings, Written, check, flags, repaired, with_strings};

/// The scheme and authority that are put before a target. No step below changes them.
const BEFORE: &str = "http://h";

/// Parses a target, and returns the offsets of its components.
pub(crate) fn parse(target: &[u8]) -> Result<[u32; 8], Failure> {
    // Without an authority, only two slashes and a fragment have another meaning.
    if target.starts_with(b"/") && !target.starts_with(b"//") {
        let view = IriRef::parse_bytes(target);
        if let Some(view) = view.ok().filter(|view| view.fragment().is_none()) {
            return Ok(view.parts().offsets());
        }
    }
    with_strings(|strings| {
        let text = with_authority(target, &mut strings.scratch)?;
        let [_, _, _, _, rest @ ..] = absolute(text)?.parts().offsets();
        let [path, path_end, query_end, end] = rest.map(|offset| offset - BEFORE.len() as u32);
        Ok([0, 0, 0, 0, path, path_end, query_end, end])
    })
}

/// Repairs, normalizes or maps a target, as the flags say. The result is a URI, or an IRI with the flag for IRIs.
pub(crate) fn transform<'t>(
    given: u32,
    target: &[u8],
    strings: &'t mut Strings,
) -> Result<&'t [u8], Failure> {
    flags(given, SIMD_IRI_FLAG_REPAIR | SIMD_IRI_FLAG_NORMALIZE | SIMD_IRI_FLAG_IRI, 1)?;
    let has = |flag| given & flag != 0;
    let Strings { out, scratch } = strings;
    let text = with_authority(target, scratch)?;
    let prepared =
        if has(SIMD_IRI_FLAG_REPAIR) { Some(repaired(text).map_err(moved)?) } else { None };
    let text = prepared.as_ref().map_or(text, |prepared| prepared.view().as_str().as_bytes());
    let view = absolute(text)?;
    let rules = if has(SIMD_IRI_FLAG_NORMALIZE) { Normalize::syntax() } else { Normalize::none() };
    if has(SIMD_IRI_FLAG_IRI) {
        rules.map_into(for_people(view)?.view(), out)?;
    } else {
        rules.map_into(ToUri::new().map(view)?.view(), out)?;
    }
    // As in a reference without an authority, the removal of dot segments leaves no two slashes at the start: a
    // server could read the text after them as an authority.
    fn made(out: &str) -> &str {
        out.get(BEFORE.len()..).unwrap_or_default()
    }
    if made(out).starts_with("//") && !target.starts_with(b"//") {
        out.insert_str(BEFORE.len(), "/.");
    }
    Ok(made(out).as_bytes())
}

/// Returns the IRIs that a target may stand for if its triplets or bytes are in another charset than UTF-8 (RFC 3987,
/// section 7.7), separated by spaces. The charsets are those in which the triplets are letters.
pub(crate) fn names(target: &[u8], strings: &mut Strings) -> Written {
    let Strings { out, scratch } = strings;
    let text = with_authority(target, scratch)?;
    let prepared;
    let text = match from_utf8(text) {
        Ok(text) => text,
        Err(_) => {
            let prepare = Prepare::new(RepairSet::Strict).allow(RepairKind::IllFormed);
            prepared = prepare.prepare_bytes(text).map_err(moved)?.into_reference();
            prepared.view().as_str()
        }
    };
    let charsets: Vec<_> = charsets(text).collect();
    for name in interpret(text, &charsets).map_err(moved)? {
        let name = for_people(name.view())?;
        out.push_str(if out.is_empty() { "" } else { " " });
        out.push_str(name.view().as_str().strip_prefix(BEFORE).unwrap_or_default());
    }
    Ok(())
}

/// Returns a reference as people read it. The reference is first mapped to a URI. So a character that `ToIri` does not
/// decode, such as a bidi control, becomes triplets, even if the target has the character itself.
fn for_people<K: Kind>(view: View<'_, K>) -> Result<IriRefBuf, Error> {
    Ok(ToIri::new().map(ToUri::new().map(view.as_iri_ref())?.view()).into_buf())
}

/// Parses a target behind an authority. It has no fragment.
fn absolute(text: &[u8]) -> Result<Iri<'_>, Failure> {
    let view = Iri::parse_bytes(text).map_err(moved)?;
    if view.fragment().is_some() {
        check(Rule::AbsoluteIri, text).map_err(moved)?;
    }
    Ok(view)
}

/// Writes a target behind an authority.
///
/// # Errors
/// The target does not begin with a slash: it has another form.
fn with_authority<'t>(target: &[u8], text: &'t mut Vec<u8>) -> Result<&'t [u8], Failure> {
    if !target.starts_with(b"/") {
        ComponentRule::IpathAbsolute.validate_bytes(target)?;
    }
    text.clear();
    text.extend_from_slice(BEFORE.as_bytes());
    text.extend_from_slice(target);
    Ok(text)
}

/// Returns an error about a target behind an authority as the error about the target.
fn moved(error: Error) -> Error {
    let [start, end, ch, codes] = error.to_words();
    let back = |offset: u32| offset.saturating_sub(BEFORE.len() as u32);
    Error::from_words([back(start), back(end), ch, codes]).unwrap_or(error)
}
