//! The names of the profiles of keys of web archives, for `archive-key`, `dedup`, `join` and `cdxj`. Not here: what a
//! profile does, which the library knows.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use simd_iri::errors::UnknownName;
use simd_iri_archive::Profile;

use crate::args::named::named;

/// Returns a parser of the profiles.
pub(crate) fn profile() -> impl TypedValueParser<Value = Profile> {
    named([
        (Profile::Wayback, "The CDX key of the Wayback Machine"),
        (Profile::Pywb, "The CDX key of pywb, of the Python package surt and of Common Crawl"),
        (Profile::Heritrix, "The SURT of Heritrix"),
        (Profile::Urlcanon, "The SURT of urlcanon"),
        (Profile::Ssurt, "The SSURT of urlcanon"),
    ])
}

/// What comes before the name of a profile in --by.
const BY: &str = "archive-key=";

/// Returns a parser of --by, whose values are such as `archive-key=pywb`.
pub(crate) fn by() -> impl TypedValueParser<Value = Profile> {
    let names = Profile::ALL.iter().map(|profile| format!("{BY}{profile}"));
    PossibleValuesParser::new(names).try_map(|value| {
        let name = value.strip_prefix(BY).unwrap_or(&value);
        name.parse::<Profile>().map_err(|error: UnknownName| error)
    })
}
