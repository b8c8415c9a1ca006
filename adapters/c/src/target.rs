//! Targets of HTTP requests in origin-form, and what the flags make of a target.
//!
//! Not here: what a target is (`TargetForm` of the library).

use std::str::from_utf8;

use simd_iri::http_message::TargetForm::Origin;
use simd_iri::kind::Kind;
use simd_iri::{Error, IriRef, IriRefBuf, Normalize, ToIri, ToUri, View, http_message::Target};
use simd_iri_lint::{charsets, interpret};
use simd_iri_text::{Prepare, RepairKind, RepairSet};

use crate::types::{SIMD_IRI_FLAG_IRI, SIMD_IRI_FLAG_NORMALIZE, SIMD_IRI_FLAG_REPAIR};
use crate::work::{Failure, Strings, Written, flags, repaired};

/// Parses a target, and returns the offsets of its components.
pub(crate) fn parse(target: &[u8]) -> Result<[u32; 8], Failure> {
    let path_end = match Origin.parse_bytes(target)? {
        Target::Origin { path, .. } => path.len(),
        _ => 0,
    };
    let [path_end, end] = [path_end, target.len()].map(|offset| offset as u32);
    Ok([0, 0, 0, 0, 0, path_end, end, end])
}

/// Repairs, normalizes or maps a target, as the flags say. The result is a URI, or an IRI with the flag for IRIs.
pub(crate) fn transform<'t>(
    given: u32,
    target: &[u8],
    strings: &'t mut Strings,
) -> Result<&'t [u8], Failure> {
    flags(given, SIMD_IRI_FLAG_REPAIR | SIMD_IRI_FLAG_NORMALIZE | SIMD_IRI_FLAG_IRI, 1)?;
    let has = |flag| given & flag != 0;
    let reference = Origin.to_reference(target);
    let moved = |error: Error| error.moved_back_by(reference.len() - target.len());
    let prepared;
    let view = if has(SIMD_IRI_FLAG_REPAIR) {
        prepared = repaired(&reference).map_err(moved)?;
        prepared.view()
    } else {
        IriRef::parse_bytes(&reference).map_err(moved)?
    };
    // PERF: a reference is a target if it begins with a slash and has no fragment, so only other texts are parsed again.
    if !target.starts_with(b"/") || view.fragment().is_some() {
        Origin.parse(Origin.target_of(target, view.as_str()))?;
    }
    let rules =
        if has(SIMD_IRI_FLAG_NORMALIZE) { Normalize::request_target() } else { Normalize::none() };
    let out = &mut strings.out;
    if has(SIMD_IRI_FLAG_IRI) {
        rules.map_into(for_people(view)?.view(), out)?;
    } else {
        rules.map_into(ToUri::new().map(view)?.view(), out)?;
    }
    Ok(Origin.target_of(target, out).as_bytes())
}

/// Returns the IRIs that a target may stand for if its triplets or bytes are in another charset than UTF-8 (RFC 3987,
/// section 7.7), separated by spaces. The charsets are those in which the triplets are letters.
pub(crate) fn names(target: &[u8], strings: &mut Strings) -> Written {
    let reference = Origin.to_reference(target);
    let moved = |error: Error| error.moved_back_by(reference.len() - target.len());
    let prepared;
    let text = match from_utf8(&reference) {
        Ok(text) => text,
        Err(_) => {
            let prepare = Prepare::new(RepairSet::Strict).allow(RepairKind::IllFormed);
            prepared = prepare.prepare_bytes(&reference).map_err(moved)?.into_reference();
            prepared.view().as_str()
        }
    };
    Origin.parse(Origin.target_of(target, text))?;
    let charsets: Vec<_> = charsets(text).collect();
    let out = &mut strings.out;
    for name in interpret(text, &charsets).map_err(moved)? {
        let name = for_people(name.view())?;
        out.push_str(if out.is_empty() { "" } else { " " });
        out.push_str(Origin.target_of(target, name.view().as_str()));
    }
    Ok(())
}

/// Returns a reference as people read it. The reference is first mapped to a URI. So a character that `ToIri` does not
/// decode, such as a bidi control, becomes triplets, even if the target has the character itself.
fn for_people<K: Kind>(view: View<'_, K>) -> Result<IriRefBuf, Error> {
    Ok(ToIri::new().map(ToUri::new().map(view.as_iri_ref())?.view()).into_owned())
}
