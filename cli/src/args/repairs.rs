//! How much is repaired, for `prepare` and recipes: the profiles, what happens to spaces, and the sources of
//! items. Not here: what a repair does.

use clap::ValueEnum;
use clap::builder::TypedValueParser;
use serde::Deserialize;
use simd_iri_text::{Context, RepairSet};

use crate::args::named::named;

/// Reads how much the command repairs.
pub(crate) fn profile() -> impl TypedValueParser<Value = RepairSet> {
    named([
        (RepairSet::Strict, "White space at the ends"),
        (RepairSet::Leiri, "What XML once allowed in references"),
        (RepairSet::BrowserLike, "What browsers repair in a link"),
        (RepairSet::Crawler, "What browsers repair, and wrappers around the link"),
        (
            RepairSet::Rdf,
            "Characters that are not allowed are percent-encoded, and nothing is removed",
        ),
    ])
}

/// What happens to spaces inside an item.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Spaces {
    /// They stay, so the item is an error
    Keep,
    /// They become %20
    Encode,
    /// They are removed
    Remove,
}

/// Reads the source of the items.
pub(crate) fn context() -> impl TypedValueParser<Value = Context> {
    named([
        (Context::Plain, "A field of a protocol or a file"),
        (Context::Typed, "A person: wrappers are removed, and a missing scheme is added"),
        (Context::Html, "An attribute of HTML: character references are decoded"),
        (Context::Xml, "An attribute of XML: character references are decoded"),
    ])
}
