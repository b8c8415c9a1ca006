//! Which triplets a command decodes.

use clap::builder::TypedValueParser;
use simd_iri::Policy;

use crate::args::named::named;

/// Reads which triplets a command decodes.
pub(crate) fn policy() -> impl TypedValueParser<Value = Policy> {
    named([
        (Policy::Default, "Triplets of letters of all scripts, and of unreserved ASCII"),
        (Policy::NonAsciiOnly, "Only triplets of letters of all scripts"),
        (
            Policy::Conservative,
            "Like default, but not spaces, look-alikes and invisible characters",
        ),
    ])
}
