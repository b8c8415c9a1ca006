//! All findings of a reference, in the order of their positions.

use alloc::vec::{self, Vec};
use core::slice;

use super::code::{COUNT, Code, Severity};
use super::finding::Finding;

/// The findings of a reference, in the order of their positions. A report without findings has allocated
/// nothing.
///
/// ```
/// use simd_iri::check::{Code, Profile, Severity};
/// use simd_iri::iri;
///
/// assert!(iri!("http://example.org/").lint(Profile::Rfc).is_empty());
///
/// let report = iri!("a:\u{202E}b\u{202C}").lint(Profile::Rfc);
/// assert_eq!(report.findings().len(), 2);
/// assert_eq!(report.worst(), Some(Severity::Error));
/// assert!(report.iter().all(|finding| finding.code() == Code::BidiFormatting));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
    /// The codes of [`Report::not_checked`]: a bit for each code, in the order of [`Code::ALL`].
    not_checked: u128,
}

const _: () = assert!(COUNT <= u128::BITS as usize);

impl Report {
    /// Returns a report of findings, and sorts them by their positions.
    pub(super) fn new(mut findings: Vec<Finding>, not_checked: impl Iterator<Item = Code>) -> Self {
        findings.sort_by_key(|finding| (finding.span().start, finding.span().end, finding.code()));
        let not_checked = not_checked.fold(0, |codes, code| codes | 1_u128 << code as u32);
        Self { findings, not_checked }
    }

    /// Returns the findings, in the order of their positions.
    ///
    /// ```
    /// # use simd_iri::{check::Profile, iri};
    /// assert_eq!(iri!("a:b").lint(Profile::Rfc).findings(), []);
    /// ```
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the codes of the lint that this build checks only in part or not at all, because a feature is off
    /// ([`Lint::not_checked`](super::Lint::not_checked)). A report without findings says nothing about these codes.
    ///
    /// ```
    /// # use simd_iri::check::{Code, Profile};
    /// # use simd_iri::iri;
    /// // A build with all features finds the Cyrillic letter, and another build says that it did not look.
    /// let report = iri!("http://\u{430}pple.example/").lint(Profile::Rfc);
    /// let is_found = report.iter().any(|finding| finding.code() == Code::SpoofLabel);
    /// assert!(is_found || report.not_checked().any(|code| code == Code::SpoofLabel));
    /// ```
    pub fn not_checked(&self) -> impl Iterator<Item = Code> + use<> {
        let codes = self.not_checked;
        Code::ALL.iter().copied().filter(move |code| codes >> *code as u32 & 1 != 0)
    }

    /// Tells whether there are no findings. It says nothing about the codes of [`not_checked`](Self::not_checked).
    ///
    /// ```
    /// # use simd_iri::{check::Profile, iri};
    /// assert!(iri!("a:b").lint(Profile::Rfc).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the highest severity of all findings, or `None` if there are none.
    ///
    /// ```
    /// # use simd_iri::{check::Profile, iri};
    /// assert_eq!(iri!("a:b").lint(Profile::Rfc).worst(), None);
    /// ```
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.iter().map(|finding| finding.severity()).max()
    }

    /// Returns an iterator over the findings.
    ///
    /// ```
    /// # use simd_iri::{check::Profile, iri};
    /// assert_eq!(iri!("a:b").lint(Profile::Rfc).iter().count(), 0);
    /// ```
    pub fn iter(&self) -> slice::Iter<'_, Finding> {
        self.findings.iter()
    }
}

impl<'r> IntoIterator for &'r Report {
    type Item = &'r Finding;
    type IntoIter = slice::Iter<'r, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Report {
    type Item = Finding;
    type IntoIter = vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.findings.into_iter()
    }
}
