//! The severity of findings, and the profiles that decide it.
//!
//! Not here: the severity of each code (`code`).

use simd_iri::low::named;

/// The severity of a finding.
///
/// ```
/// use simd_iri_lint::Severity;
///
/// assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
/// assert_eq!(Severity::Warning.name(), "warning");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Good to know; no change is needed.
    Note,
    /// Should be changed.
    Warning,
    /// Must be changed.
    Error,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_lint::Severity" Severity {
        Note = "note",
        Warning = "warning",
        Error = "error",
    }
}

/// The purpose of a lint: decides which codes are reported, and with which severity.
///
/// ```
/// use simd_iri_lint::{Code, Profile, Severity};
///
/// assert_eq!(Code::BidiMixed.severity(Profile::Rfc), Some(Severity::Warning));
/// assert_eq!(Code::BidiMixed.severity(Profile::Strict), Some(Severity::Error));
/// assert_eq!(Code::BidiOther.severity(Profile::Rfc), None);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// The severity that the RFCs give: a violation of MUST is an error, a violation of SHOULD is a warning, and a
    /// violation of advice is a note.
    #[default]
    Rfc,
    /// For names in RDF, which are compared character by character: each name should have one spelling.
    Rdf,
    /// For the formats `iri` and `iri-reference` of JSON Schema, which the grammar defines: reports little more
    /// than violations of the RFCs.
    JsonSchema,
    /// For links that others have written: reports what is dangerous, and what programs read in different
    /// ways.
    Crawler,
    /// Reports nearly every code, including the code of draft-duerst-iri-01 about directions. Most codes are errors or
    /// warnings.
    Strict,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_lint::Profile" Profile {
        Rfc = "rfc",
        Rdf = "rdf",
        JsonSchema = "json-schema",
        Crawler = "crawler",
        Strict = "strict",
    }
}

/// Returns the severity in a profile. `letters` has one letter for each profile, in the order of [`Profile::ALL`]: `E`,
/// `W` or `N` for error, warning or note. Any other letter means that the profile does not report the code.
pub(super) const fn level(letters: [u8; 5], profile: Profile) -> Option<Severity> {
    let [rfc, rdf, json_schema, crawler, strict] = letters;
    let letter = match profile {
        Profile::Rfc => rfc,
        Profile::Rdf => rdf,
        Profile::JsonSchema => json_schema,
        Profile::Crawler => crawler,
        Profile::Strict => strict,
    };
    match letter {
        b'E' => Some(Severity::Error),
        b'W' => Some(Severity::Warning),
        b'N' => Some(Severity::Note),
        _ => None,
    }
}
