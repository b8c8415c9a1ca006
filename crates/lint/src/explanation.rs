//! A longer text about a code or a kind of error: what it means, why it matters, how to fix it, and an example.
//!
//! Here: the text of each kind of error. Not here: the texts of the codes (`code`).

use simd_iri::ErrorKind;

/// What a code means, with an example that has a finding of the code, and the same example after a fix.
///
/// ```
/// use simd_iri_lint::{Code, Profile};
/// use simd_iri::IriRef;
///
/// let explanation = Code::PreferredDots.explanation();
/// assert_eq!(explanation.example, "http://example.org/a/../b");
/// assert_eq!(explanation.fixed, "http://example.org/b");
/// let report = simd_iri_lint::lint(IriRef::parse(explanation.example)?, Profile::Strict);
/// assert_eq!(report.findings()[0].code(), Code::PreferredDots);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Explanation {
    /// The finding, and why it matters: one or more sentences.
    pub meaning: &'static str,
    /// The section of the specification that the code follows from.
    pub section: &'static str,
    /// The remedy: a sentence.
    pub fix: &'static str,
    /// A text for which the code is reported; empty if no short text has the problem.
    pub example: &'static str,
    /// The same text without the problem: a reference for which the code is not reported.
    pub fixed: &'static str,
}

impl Explanation {
    /// Returns what a kind of error means, with an example that has such an error, and the same example after a fix.
    ///
    /// Most examples do not match `IRI-reference`. The other examples match it, and only a further requirement makes
    /// them wrong: a scheme, no fragment, ASCII, a domain name, a charset. Constant; nothing is computed.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, Rule};
    /// # use simd_iri_lint::Explanation;
    /// let explanation = Explanation::of_error(ErrorKind::BadPort);
    /// let error = Rule::IriReference.parse(explanation.example).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::BadPort);
    /// assert!(Rule::IriReference.parse(explanation.fixed).is_ok());
    /// ```
    #[must_use]
    pub const fn of_error(kind: ErrorKind) -> Self {
        let (section, meaning, fix, example, fixed) = match kind {
            ErrorKind::NotAllowed => (
                "RFC 3987, section 2.2",
                "A character is not allowed where it stands. Spaces, quotes, angle brackets, braces, the vertical \
                 bar, the backslash, the caret and the grave accent are allowed nowhere.",
                "Percent-encode the character.",
                "http://example.org/a b",
                "http://example.org/a%20b",
            ),
            ErrorKind::BadPercentEncoding => (
                "RFC 3986, section 2.1",
                "A percent sign begins a triplet, and two hexadecimal digits must follow it.",
                "Write %25 for the percent sign itself.",
                "http://example.org/100%",
                "http://example.org/100%25",
            ),
            ErrorKind::IllFormedUtf8 => (
                "RFC 3629, section 4",
                "The bytes are not UTF-8, so that they stand for no character. They may be in another \
                 charset.",
                "Convert the text to UTF-8, or name its charset.",
                "",
                "",
            ),
            ErrorKind::PrivateUse => (
                "RFC 3987, section 2.2",
                "A private-use character stands outside a query, which is the only component that allows one.",
                "Percent-encode the character.",
                "http://example.org/\u{E000}",
                "http://example.org/%EE%80%80",
            ),
            ErrorKind::BadScheme => (
                "RFC 3986, section 3.1",
                "What is before the first colon is not a scheme: a letter, and then letters, digits, '+', '-' and '.'.",
                "Write the scheme, or ./ before the path of a relative reference.",
                "1http://example.org/",
                "http://example.org/",
            ),
            ErrorKind::BadIpLiteral => (
                "RFC 3986, section 3.2.2",
                "What is in brackets is neither an IPv6 address nor an address of a later version.",
                "Write the IPv6 address without a zone identifier, or remove the brackets.",
                "http://[2001:db8::1::2]/",
                "http://[2001:db8::1:2]/",
            ),
            ErrorKind::BadPort => (
                "RFC 3986, section 3.2.3",
                "The port is not a number.",
                "Write digits alone after the colon.",
                "http://example.org:http/",
                "http://example.org:80/",
            ),
            ErrorKind::SecondAt => (
                "RFC 3986, section 3.2",
                "The authority has two '@'. The first one ends the user information, and no host holds \
                 another.",
                "Write %40 for an '@' of the user information.",
                "ftp://ann@home@example.org/",
                "ftp://ann%40home@example.org/",
            ),
            ErrorKind::ColonInFirstSegment => (
                "RFC 3986, section 4.2",
                "A relative reference is asked for, and its first segment holds a colon, so that what \
                 is before the colon reads like a scheme.",
                "Write ./ before the path.",
                "a:b",
                "./a:b",
            ),
            ErrorKind::MissingScheme => (
                "RFC 3987, section 2.2",
                "The reference is relative, and an IRI with a scheme is asked for.",
                "Begin with a scheme, or resolve the reference relative to its base.",
                "//example.org/",
                "https://example.org/",
            ),
            ErrorKind::FragmentNotAllowed => (
                "RFC 3986, section 4.3",
                "The reference has a fragment, and an absolute IRI, which has none, is asked for.",
                "Remove the fragment.",
                "http://example.org/#top",
                "http://example.org/",
            ),
            ErrorKind::NonAscii => (
                "RFC 3986, section 2",
                "The reference holds characters outside ASCII, and a URI, which has none, is asked for.",
                "Map the IRI to a URI, which percent-encodes them.",
                "http://example.org/é",
                "http://example.org/%C3%A9",
            ),
            ErrorKind::UnexpectedEnd => (
                "RFC 3986, section 3.2.2",
                "Something is missing at the end: the closing bracket of an IP literal, or a text that must not \
                 be empty.",
                "Write what is missing.",
                "http://[::1",
                "http://[::1]",
            ),
            ErrorKind::BadDomain => (
                "RFC 3987, section 3.1",
                "A domain name is asked for, and UTS #46 refuses the host.",
                "Write the domain name as it is registered.",
                "http://é_.example/",
                "http://é.example/",
            ),
            ErrorKind::Unmappable => (
                "RFC 3987, section 6.4",
                "The query holds a character that the charset of the document does not have.",
                "Use UTF-8, or let the character become a numeric character reference.",
                "http://example.org/?α",
                "http://example.org/?a",
            ),
            ErrorKind::BadCharacterReference => (
                "XML 1.0, section 4.1",
                "In XML, a character reference has a number that is not that of a character.",
                "Write the number of a character.",
                "",
                "",
            ),
            ErrorKind::TooLong => (
                "a limit of this library",
                "The input has 4 GiB or more, or more than the limit of a stream. Offsets have 32 bits.",
                "Cut the input into references.",
                "",
                "",
            ),
            // A kind of another version of the engine, which Cargo.toml does not allow.
            _ => ("", "", "", "", ""),
        };
        Self { meaning, section, fix, example, fixed }
    }
}
