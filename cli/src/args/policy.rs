//! Which triplets a command decodes.

use clap::ValueEnum;
use serde::Deserialize;
use simd_iri::Policy;

/// Which triplets a command decodes.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Decoded {
    /// Triplets of letters of all scripts, and of unreserved ASCII
    Default,
    /// Only triplets of letters of all scripts
    NonAsciiOnly,
    /// Like default, but not spaces, look-alikes and invisible characters
    Conservative,
}

impl From<Decoded> for Policy {
    fn from(decoded: Decoded) -> Self {
        match decoded {
            Decoded::Default => Self::Default,
            Decoded::NonAsciiOnly => Self::NonAsciiOnly,
            Decoded::Conservative => Self::Conservative,
        }
    }
}
