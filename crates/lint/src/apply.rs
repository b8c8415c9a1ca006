//! The text that a suggestion makes of the span of a finding.

use alloc::string::String;
use core::net::Ipv4Addr;

use super::rules::preferred::{self, lower_case};
use super::rules::{escapes, meant};
use super::suggestion::Suggestion;
use simd_iri::low::{Query, encode, ipv4, push_upper_triplets};

impl Suggestion {
    /// Returns the text that the suggestion puts in the place of `span`. `span` is the text at the span of a finding.
    /// Returns the same text if the suggestion does not apply.
    ///
    /// One pass and an allocation.
    ///
    /// ```
    /// # use simd_iri_lint::Suggestion;
    /// assert_eq!(Suggestion::PercentEncode.apply("a\u{202E}"), "a%E2%80%AE");
    /// assert_eq!(Suggestion::Decode.apply("%7Ea%2F"), "~a%2F");
    /// assert_eq!(Suggestion::LowerCase.apply("A%C3"), "a%C3");
    /// assert_eq!(Suggestion::RemoveDots.apply("/a/../b"), "/b");
    /// assert_eq!(Suggestion::RemoveDots.apply("a/../b"), "a/../b");
    /// assert_eq!(Suggestion::DottedDecimal.apply("0x7f.1"), "127.0.0.1");
    /// ```
    #[must_use]
    pub fn apply(self, span: &str) -> String {
        match self {
            Self::PercentEncode => {
                let mut out = String::new();
                encode(span.as_bytes(), Query::NonAscii, &mut out);
                out
            }
            Self::Decode => escapes::decoded(span),
            Self::UpperCase => {
                let mut out = String::new();
                push_upper_triplets(span, &mut out);
                out
            }
            Self::LowerCase => lower_case(span),
            Self::Domain => preferred::domain(span).map_or_else(|| span.into(), Into::into),
            Self::RemoveDots => preferred::without_dots(span),
            Self::Slash => "/".into(),
            Self::RemovePort => String::new(),
            Self::Utf8 => super::rules::mojibake::repaired(span),
            Self::DottedDecimal => match ipv4::address(&meant::name(span)) {
                Some(address) => alloc::format!("{}", Ipv4Addr::from_bits(address)),
                None => span.into(),
            },
            Self::Nfc => super::rules::repertoire::nfc(span),
            Self::Nfkc => super::rules::repertoire::nfkc(span),
        }
    }
}
