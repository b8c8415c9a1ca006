//! The suggestions of findings. Not here: the text that a suggestion makes of a span (`apply`).

use core::fmt;

use simd_iri::Level;

/// How to fix the span of a finding.
///
/// ```
/// use simd_iri_lint::{Profile, Suggestion};
/// use simd_iri::iri;
///
/// let iri = iri!("http://a/\u{200E}");
/// let finding = simd_iri_lint::lint(iri, Profile::Rfc).findings()[0];
/// let suggestion = finding.suggestion().unwrap();
/// assert_eq!(suggestion.apply(&iri.as_str()[finding.span()]), "%E2%80%8E");
/// assert_eq!(suggestion.to_string(), "percent-encode it");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suggestion {
    /// Write each byte outside ASCII as a triplet, as RFC 3987, section 3.1 maps an IRI to a URI.
    PercentEncode,
    /// Decode the triplets of characters that need not be encoded.
    Decode,
    /// Write triplets with upper-case digits.
    UpperCase,
    /// Write ASCII letters in lower case, except the digits of triplets.
    LowerCase,
    /// Write the form of a domain name that UTS #46 gives.
    Domain,
    /// Remove the dot segments of a path that begins with a slash. A rootless path keeps them.
    RemoveDots,
    /// Insert a slash.
    Slash,
    /// Remove the port and its colon.
    RemovePort,
    /// Write the characters of the UTF-8 that was read as windows-1252. The reference then identifies
    /// something else.
    Utf8,
    /// Write the IPv4 address as four decimal numbers. Some programs take the old form of the address for a name.
    DottedDecimal,
    /// Write normalization form C. The reference then identifies something else.
    Nfc,
    /// Write normalization form KC. The reference then identifies something else.
    Nfkc,
}

impl Suggestion {
    /// Tells whether the fixed reference means the same as before, by the rules of its scheme and of domain names.
    ///
    /// ```
    /// # use simd_iri_lint::Suggestion;
    /// assert!(Suggestion::PercentEncode.keeps_meaning());
    /// assert!(!Suggestion::Nfc.keeps_meaning());
    /// ```
    #[must_use]
    pub const fn keeps_meaning(self) -> bool {
        match self {
            Self::PercentEncode
            | Self::Decode
            | Self::UpperCase
            | Self::LowerCase
            | Self::Domain
            | Self::RemoveDots
            | Self::RemovePort
            | Self::Slash => true,
            Self::DottedDecimal | Self::Utf8 | Self::Nfc | Self::Nfkc => false,
        }
    }
}

impl Suggestion {
    /// Returns the lowest level of [`Compare`](simd_iri::Compare) at which the fixed reference is equivalent to the
    /// given reference, or `None` if the two are different references.
    ///
    /// ```
    /// # use simd_iri::Level;
    /// # use simd_iri_lint::Suggestion;
    /// assert_eq!(Suggestion::RemoveDots.level(), Some(Level::Syntax));
    /// assert_eq!(Suggestion::Slash.level(), Some(Level::Scheme));
    /// assert_eq!(Suggestion::Nfc.level(), None);
    /// ```
    #[must_use]
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::PercentEncode
            | Self::Decode
            | Self::UpperCase
            | Self::LowerCase
            | Self::RemoveDots => Some(Level::Syntax),
            Self::Slash | Self::RemovePort => Some(Level::Scheme),
            Self::Domain => Some(Level::SchemeIdna),
            Self::DottedDecimal | Self::Utf8 | Self::Nfc | Self::Nfkc => None,
        }
    }
}

/// Writes the suggestion as the end of the message of a finding.
impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PercentEncode => "percent-encode it",
            Self::Decode => "decode it",
            Self::UpperCase => "write upper-case digits",
            Self::LowerCase => "write it in lower case",
            Self::Domain => "write the domain name in its normal form",
            Self::RemoveDots => "remove the dot segments",
            Self::Slash => "write '/'",
            Self::RemovePort => "leave it out",
            Self::Utf8 => "write the characters of that UTF-8",
            Self::DottedDecimal => "write four decimal numbers",
            Self::Nfc => "write it in normalization form C",
            Self::Nfkc => "write it in normalization form KC",
        })
    }
}
