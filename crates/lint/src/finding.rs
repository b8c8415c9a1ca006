//! A finding: a code and a position. Its message is in `message`, its suggestion in `suggestion`.

use core::ops::Range;

use super::code::Code;
use super::severity::Severity;
use super::suggestion::Suggestion;
use simd_iri::Component;

/// What a check has found in a valid reference.
///
/// A `Copy` value of 16 bytes that borrows nothing from the reference. `Display` writes the message.
///
/// ```
/// use simd_iri_lint::{Code, Profile, Severity, Suggestion};
/// use simd_iri::{Component, iri};
///
/// let report = simd_iri_lint::lint(iri!("http://a/b\u{202E}c"), Profile::Rfc);
/// let finding = report.findings()[0];
/// assert_eq!(finding.code(), Code::BidiFormatting);
/// assert_eq!(finding.severity(), Severity::Error);
/// assert_eq!(finding.span(), 10..13);
/// assert_eq!(finding.component(), Component::Path);
/// assert_eq!(finding.suggestion(), Some(Suggestion::PercentEncode));
/// assert_eq!(
///     finding.to_string(),
///     "U+202E at byte 10 in a path directs the order of display; percent-encode it",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Finding {
    start: u32,
    end: u32,
    /// The data of the message besides the span: a character, a port, an address, or a kind of internal host.
    pub(super) about: u32,
    code: Code,
    severity: Severity,
    component: Component,
    suggestion: Option<Suggestion>,
}

const _: () = assert!(size_of::<Finding>() == 16);

impl Finding {
    /// Returns the code.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Code, Profile};
    /// let report = simd_iri_lint::lint(iri!("a:\u{200E}"), Profile::Rfc);
    /// assert_eq!(report.findings()[0].code(), Code::BidiFormatting);
    /// ```
    #[must_use]
    pub const fn code(self) -> Code {
        self.code
    }

    /// Returns the severity that the lint gives to the code.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Profile, Severity};
    /// let report = simd_iri_lint::lint(iri!("a:\u{200E}"), Profile::Rfc);
    /// assert_eq!(report.findings()[0].severity(), Severity::Error);
    /// ```
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.severity
    }

    /// Returns the byte offsets of the finding in the reference, on character boundaries. The span is empty
    /// if the finding is that something is missing.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::Profile;
    /// let report = simd_iri_lint::lint(iri!("a:é\u{200E}"), Profile::Rfc);
    /// assert_eq!(report.findings()[0].span(), 4..7);
    /// ```
    #[must_use]
    pub const fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the component that holds the span.
    ///
    /// ```
    /// # use simd_iri::{Component, iri};
    /// # use simd_iri_lint::Profile;
    /// let report = simd_iri_lint::lint(iri!("a:?\u{200E}"), Profile::Rfc);
    /// assert_eq!(report.findings()[0].component(), Component::Query);
    /// ```
    #[must_use]
    pub const fn component(self) -> Component {
        self.component
    }

    /// Returns the section of the specification that the code follows from.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::Profile;
    /// let report = simd_iri_lint::lint(iri!("a:\u{200E}"), Profile::Rfc);
    /// assert_eq!(report.findings()[0].section(), "RFC 3987, section 4.1");
    /// ```
    #[must_use]
    pub const fn section(self) -> &'static str {
        self.code.section()
    }

    /// Returns how to fix the span, or `None` if no fix is known.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Profile, Suggestion};
    /// let report = simd_iri_lint::lint(iri!("a:\u{200E}"), Profile::Rfc);
    /// assert_eq!(report.findings()[0].suggestion(), Some(Suggestion::PercentEncode));
    /// ```
    #[must_use]
    pub const fn suggestion(self) -> Option<Suggestion> {
        self.suggestion
    }
}

/// Passes a finding to a function of the caller if the code of the finding has a severity.
pub(super) struct Reporter<'s> {
    levels: &'s [Option<Severity>],
    each: &'s mut dyn FnMut(Finding),
}

impl<'s> Reporter<'s> {
    /// Returns a reporter that passes findings to `each`. `levels` has the severity of every code.
    pub(super) fn new(levels: &'s [Option<Severity>], each: &'s mut dyn FnMut(Finding)) -> Self {
        Self { levels, each }
    }

    /// Tells whether a code has a severity, so that it is reported.
    pub(super) fn is_reported(&self, code: Code) -> bool {
        self.levels.get(code as usize).is_some_and(Option::is_some)
    }

    /// Reports a code for a span of a component, if the code has a severity.
    #[cold]
    pub(super) fn report(
        &mut self,
        code: Code,
        component: Component,
        span: Range<usize>,
        suggestion: Option<Suggestion>,
        about: u32,
    ) {
        let severity = self.levels.get(code as usize).copied().flatten();
        if let Some(severity) = severity {
            // A text that was parsed or linted has less than 4 GiB.
            let (start, end) = (span.start as u32, span.end as u32);
            (self.each)(Finding { start, end, about, code, severity, component, suggestion });
        }
    }
}
