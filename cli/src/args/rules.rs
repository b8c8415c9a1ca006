//! The names of the rules of normalization, for `normalize` and `compare`. Both have a level, which is a
//! set of rules, and can add single rules to it. Not here: what a rule does.

use clap::ValueEnum;
use serde::Deserialize;
use simd_iri::Normalize;

/// How much the command normalizes.
#[derive(Clone, Copy, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NormalLevel {
    /// Only the rules of --rule
    None,
    /// Case, triplets, dot segments
    Syntax,
    /// Also what a scheme implies
    Scheme,
    /// Also hosts as domain names
    SchemeIdna,
}

impl From<NormalLevel> for Normalize {
    fn from(level: NormalLevel) -> Self {
        match level {
            NormalLevel::None => Self::none(),
            NormalLevel::Syntax => Self::syntax(),
            NormalLevel::Scheme => Self::scheme(),
            NormalLevel::SchemeIdna => Self::scheme().idna(true),
        }
    }
}

/// A rule of normalization.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NormalRule {
    /// Write ASCII letters of scheme and host in lower case; in every level
    Case,
    /// Decode triplets or write them in upper case; in every level
    PercentEncoding,
    /// Remove dot segments after an authority or a slash; in every level
    DotSegments,
    /// Remove dot segments also in paths that do not begin with a slash
    RootlessDots,
    /// Remove dot segments after a slash also without a scheme
    RootedDots,
    /// Remove an empty or default port; at the level scheme
    Port,
    /// Make an empty path / if the scheme says so; at the level scheme
    EmptyPath,
    /// Normalize the host as a domain name if the scheme has one; at the level scheme-idna
    Domain,
    /// Remove the host localhost of file IRIs
    FileLocalhost,
    /// Write IPv6 addresses as RFC 5952 does
    Ipv6,
    /// Normalize URNs as RFC 8141 compares them
    Urn,
    /// Write the domains of mailto addresses in lower case
    Mailto,
}

impl NormalRule {
    /// Adds this rule.
    fn on(self, rules: Normalize) -> Normalize {
        match self {
            Self::Case => rules.case(true),
            Self::PercentEncoding => rules.percent_encoding(true),
            Self::DotSegments => rules.dot_segments(true),
            Self::RootlessDots => rules.rootless_dots(true),
            Self::RootedDots => rules.rooted_dots(true),
            Self::Port => rules.port(true),
            Self::EmptyPath => rules.empty_path(true),
            Self::Domain => rules.idna(true),
            Self::FileLocalhost => rules.file_localhost(true),
            Self::Ipv6 => rules.ipv6(true),
            Self::Urn => rules.urn(true),
            Self::Mailto => rules.mailto(true),
        }
    }
}

/// Adds rules to the rules of a level.
pub(crate) fn with(level: Normalize, rules: &[NormalRule]) -> Normalize {
    rules.iter().fold(level, |rules, rule| rule.on(rules))
}
