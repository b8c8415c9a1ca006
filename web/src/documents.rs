//! The functions that change references, and read and write them for documents and file systems.

use serde::Serialize;
use simd_iri::percent;
use simd_iri::{Builder, Component, Document, Format, IriBuf, IriRefBuf, Rule};

use crate::answer::{self, ErrorAnswer};
use crate::functions::{Answer, Arguments, Function, made, refused};
use crate::utf16::Offsets;

pub(crate) const ALL: &[Function] = &[
    ("violations", violations),
    ("dropQueryPairs", drop_query_pairs),
    ("setComponent", set_component),
    ("build", build),
    ("escape", |of| made(document(of)?.write(of.reference_of_any_rule()?))),
    ("unescape", |of| document(of)?.read(of.text(0)?).map_or_else(refused, made)),
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
    // Each name is percent-encoded, so that no ampersand is part of a name.
    let names = of.text(1)?.split('&').map(|name| percent::decode(name).lossy());
    let names: Vec<_> = names.collect();
    let reference = of.reference_of_any_rule()?;
    made(reference.without_query_pairs(|name| names.iter().any(|dropped| dropped == name)).as_str())
}

fn set_component(of: &Arguments<'_>) -> Answer {
    let builder = Builder::from(of.reference_of_any_rule()?);
    let component: Component = of.name(1)?;
    builder
        .component(component, of.text_if_there(2)?)
        .build()
        .map_or_else(|error| Err(answer::of_error(error, b"")), |built: IriRefBuf| made(built))
}

fn build(of: &Arguments<'_>) -> Answer {
    use Component::{Fragment, Host, Path, Port, Query, Scheme, Userinfo};
    let mut builder = IriRefBuf::builder();
    for (at, name) in [Scheme, Userinfo, Host, Port, Path, Query, Fragment].into_iter().enumerate()
    {
        builder = builder.component(name, of.text_if_there(at)?);
    }
    // The place of the error is in a component, and not in a text.
    builder.build().map_or_else(|error| Err(answer::of_error(error, b"")), made)
}

fn document(of: &Arguments<'_>) -> Result<Document, ErrorAnswer> {
    Ok(Document::new(of.name::<Format>(1)?).ascii(of.text(2)? == "ascii"))
}

fn to_posix_path(of: &Arguments<'_>) -> Answer {
    match of.iri()?.to_posix_path() {
        Ok(name) => String::from_utf8(name).map_or_else(refused, made),
        Err(error) => refused(error),
    }
}
