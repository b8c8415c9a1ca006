//! What a finding suggests. Not here: the text that it makes of a span (`apply`).

use core::fmt;

#[cfg(feature = "idna")]
use crate::transform::Level;

/// How to mend the span of a finding.
///
/// ```
/// use simd_iri::check::{Profile, Suggestion};
/// use simd_iri::iri;
///
/// let iri = iri!("http://a/\u{200E}");
/// let finding = iri.lint(Profile::Rfc).findings()[0];
/// let suggestion = finding.suggestion().unwrap();
/// assert_eq!(suggestion.apply(&iri.as_str()[finding.span()]), "%E2%80%8E");
/// assert_eq!(suggestion.to_string(), "percent-encode it");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suggestion {
    /// A triplet for each byte outside ASCII, as RFC 3987, section 3.1 maps to a URI.
    PercentEncode,
    /// The characters that the triplets stand for, of those that need not be encoded.
    Decode,
    /// Triplets with upper-case digits.
    UpperCase,
    /// ASCII letters in lower case, but not those of triplets.
    LowerCase,
    /// The form of a domain name by UTS #46.
    Domain,
    /// A path without its dot segments, if it begins with a slash. A rootless path keeps them.
    RemoveDots,
    /// A slash where there is nothing.
    Slash,
    /// Nothing in the place of a port and its colon.
    RemovePort,
    /// The UTF-8 that was read as windows-1252. The reference names something else afterwards.
    Utf8,
    /// An IPv4 address as four decimal numbers. A program that does not read the form that it was in
    /// took it for a name.
    DottedDecimal,
    /// Normalization form C. The reference names something else afterwards.
    Nfc,
    /// Normalization form KC. The reference names something else afterwards.
    Nfkc,
}

impl Suggestion {
    /// Tells whether the reference means the same afterwards, at the level of its scheme and of domain
    /// names.
    ///
    /// ```
    /// # use simd_iri::check::Suggestion;
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

#[cfg(feature = "idna")]
impl Suggestion {
    /// The lowest level at which the reference is equivalent afterwards. `None` if it is another one.
    ///
    /// ```
    /// # use simd_iri::{Level, check::Suggestion};
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

/// What to do, as the message of a finding ends with it.
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
