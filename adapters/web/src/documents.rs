//! The functions that change references, and read and write them for documents and file systems.

use std::collections::HashSet;

use serde::Serialize;
use simd_iri::kind::{IriReference, Kind, UriReference};
use simd_iri::percent;
use simd_iri::{
    Builder, Component, IriBuf, IriRefBuf, Rule, View,
    document::{Document, Format},
};

use crate::answer::{self, ErrorAnswer};
use crate::functions::{Answer, Arguments, Function, is_of_uris, made, refused};
use crate::utf16::Offsets;

pub(crate) const ALL: &[Function] = &[
    ("violations", violations),
    ("dropQueryPairs", drop_query_pairs),
    ("setComponents", set_components),
    ("build", build),
    ("escape", |of| made(document(of)?.write(of.reference_of_any_rule()?))),
    ("unescape", unescape),
    ("fromPosixPath", |of| IriBuf::from_posix_path(of.bytes(0)).map_or_else(refused, made)),
    ("fromWindowsPath", |of| IriBuf::from_windows_path(of.text(0)?).map_or_else(refused, made)),
    ("toPosixPath", to_posix_path),
    ("toWindowsPath", |of| of.iri()?.to_windows_path().map_or_else(refused, made)),
];

/// Writes an answer with several fields as JSON.
pub(crate) fn json(answer: &impl Serialize) -> String {
    // The answers are structs of texts and numbers, which have a form in JSON.
    serde_json::to_string(answer).unwrap_or_default()
}

/// The third text is the greatest number of errors, if it is a number.
fn violations(of: &Arguments<'_>) -> Answer {
    let (rule, text) = (of.name::<Rule>(1)?, of.bytes(0));
    let most = of.text(2)?.parse().unwrap_or(usize::MAX);
    let offsets = Offsets::of(text);
    let errors = rule.violations_bytes(text).take(most);
    let answers = errors.map(|error| answer::located(error, |span| offsets.range(span)));
    made(json(&answers.collect::<Vec<_>>()))
}

fn drop_query_pairs(of: &Arguments<'_>) -> Answer {
    // An ampersand ends each name. The ampersands and the percent signs of names are percent-encoded.
    let names = of.text(1)?.split_terminator('&').map(|name| percent::decode(name).lossy());
    let names: HashSet<_> = names.collect();
    made(of.reference_of_any_rule()?.without_query_pairs(|name| names.contains(name)).as_str())
}

/// Sets components at once: the third text has their names, and the texts after it have the values. A value that is not there
/// removes its component.
fn set_components(of: &Arguments<'_>) -> Answer {
    of.reference()?;
    if is_of_uris(of.name(1)?) { changed::<UriReference>(of) } else { changed::<IriReference>(of) }
}

fn changed<K: Kind>(of: &Arguments<'_>) -> Answer {
    let view = View::<K>::parse_bytes(of.bytes(0)).map_err(|error| of.refused(error))?;
    let mut builder = Builder::from(view);
    for (place, name) in of.text(2)?.split_terminator(' ').enumerate() {
        let component: Component = name.parse().map_err(answer::of_unknown_name)?;
        builder = builder.component(component, of.text_if_there(3 + place)?);
    }
    built(builder)
}

fn build(of: &Arguments<'_>) -> Answer {
    use Component::{Fragment, Host, Path, Port, Query, Scheme, Userinfo};
    let mut builder = IriRefBuf::builder();
    let names = [Scheme, Userinfo, Host, Port, Path, Query, Fragment];
    for (place, name) in names.into_iter().enumerate() {
        builder = builder.component(name, of.text_if_there(place)?);
    }
    built(builder)
}

fn built<K: Kind>(builder: Builder<'_, K>) -> Answer {
    // The place of the error is in a component, and not in a text.
    builder.build().map_or_else(|error| Err(answer::of_error(error, b"")), made)
}

fn unescape(of: &Arguments<'_>) -> Answer {
    match document(of)?.read(of.text(0)?) {
        Ok(text) => made(text),
        Err(error) => {
            let all = Component::Reference.name();
            let span = error.at()..error.at() + 1;
            Err(answer::at("escape", all, &error.to_string(), span, of.bytes(0)))
        }
    }
}

fn document(of: &Arguments<'_>) -> Result<Document, ErrorAnswer> {
    Ok(Document::new(of.name::<Format>(1)?).ascii(of.text(2)? == "ascii"))
}

fn to_posix_path(of: &Arguments<'_>) -> Answer {
    match of.iri()?.to_posix_path() {
        Ok(name) => String::from_utf8(name).map_or_else(|_| refused("the name is not UTF-8"), made),
        Err(error) => refused(error),
    }
}
