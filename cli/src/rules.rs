//! The rules of normalization by name, for `normalize` and `compare`, which have levels of them and switch
//! on others one by one. Not here: what a rule does, which the library knows.

use clap::ValueEnum;
use simd_iri::Normalize;

/// A rule of normalization.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum NormalRule {
    /// ASCII letters of scheme and host in lower case: in every level
    Case,
    /// Triplets decoded or in upper case: in every level
    PercentEncoding,
    /// Dot segments removed after an authority or a slash: in every level
    DotSegments,
    /// Dot segments removed in paths without a slash at the start, too
    RootlessDots,
    /// An empty or default port removed: at the level scheme
    Port,
    /// An empty path made / where the scheme says so: at the level scheme
    EmptyPath,
    /// The host of the scheme as a domain name: at the level scheme-idna
    Domain,
    /// The host localhost of file removed
    FileLocalhost,
    /// IPv6 addresses as RFC 5952 writes them
    Ipv6,
    /// URNs as RFC 8141 writes and compares them
    Urn,
    /// Domains of the addresses of mailto in lower case
    Mailto,
}

impl NormalRule {
    /// These rules, and this one.
    fn on(self, rules: Normalize) -> Normalize {
        match self {
            Self::Case => rules.case(true),
            Self::PercentEncoding => rules.percent_encoding(true),
            Self::DotSegments => rules.dot_segments(true),
            Self::RootlessDots => rules.rootless_dots(true),
            Self::Port => rules.port(true),
            Self::EmptyPath => rules.empty_path(true),
            Self::Domain => rules.domain(true),
            Self::FileLocalhost => rules.file_localhost(true),
            Self::Ipv6 => rules.ipv6(true),
            Self::Urn => rules.urn(true),
            Self::Mailto => rules.mailto(true),
        }
    }
}

/// The rules of a level, and these.
pub(crate) fn with(level: Normalize, rules: &[NormalRule]) -> Normalize {
    rules.iter().fold(level, |rules, rule| rule.on(rules))
}
