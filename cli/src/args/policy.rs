//! Which triplets a command decodes.

use clap::builder::TypedValueParser;
use simd_iri::DecodePolicy;

use crate::args::named::named;

/// Reads which triplets a command decodes.
pub(crate) fn policy() -> impl TypedValueParser<Value = DecodePolicy> {
    named([
        (DecodePolicy::Default, "Triplets of letters of all scripts, and of unreserved ASCII"),
        (DecodePolicy::NonAsciiOnly, "Only triplets of letters of all scripts"),
        (
            DecodePolicy::Conservative,
            "Like default, but not spaces, look-alikes and invisible characters",
        ),
    ])
}
