//! How much is repaired, for `prepare` and recipes: the profiles, what happens to spaces, and the sources of
//! items. Not here: what a repair does.

use clap::ValueEnum;
use serde::Deserialize;
use simd_iri::text::{Context, RepairSet};

/// How much the command repairs.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RepairProfile {
    /// White space at the ends
    Strict,
    /// What XML once allowed in references
    Leiri,
    /// What browsers repair in a link
    BrowserLike,
    /// What browsers repair, and wrappers around the link
    Crawler,
    /// Characters that are not allowed are percent-encoded, and nothing is removed
    Rdf,
}

impl From<RepairProfile> for RepairSet {
    fn from(profile: RepairProfile) -> Self {
        match profile {
            RepairProfile::Strict => Self::Strict,
            RepairProfile::Leiri => Self::Leiri,
            RepairProfile::BrowserLike => Self::BrowserLike,
            RepairProfile::Crawler => Self::Crawler,
            RepairProfile::Rdf => Self::Rdf,
        }
    }
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

/// The source of the items.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    /// A field of a protocol or a file
    Plain,
    /// A person: wrappers are removed, and a missing scheme is added
    Typed,
    /// An attribute of HTML: character references are decoded
    Html,
    /// An attribute of XML: character references are decoded
    Xml,
}

impl From<Origin> for Context {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Plain => Self::Plain,
            Origin::Typed => Self::Typed,
            Origin::Html => Self::Html,
            Origin::Xml => Self::Xml,
        }
    }
}
