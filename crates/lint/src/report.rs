//! All findings of a reference, in the order of their positions.

use alloc::vec::{self, Vec};
use core::slice;

use super::finding::Finding;
use super::severity::Severity;

/// The findings of a reference, in the order of their positions. A report without findings has allocated
/// nothing.
///
/// ```
/// use simd_iri_lint::{Code, Profile, Severity};
/// use simd_iri::iri;
///
/// assert!(simd_iri_lint::lint(iri!("http://example.org/"), Profile::Rfc).is_empty());
///
/// let report = simd_iri_lint::lint(iri!("a:\u{202E}b\u{202C}"), Profile::Rfc);
/// assert_eq!(report.findings().len(), 2);
/// assert_eq!(report.worst(), Some(Severity::Error));
/// assert!(report.iter().all(|finding| finding.code() == Code::BidiFormatting));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// Returns a report of findings, and sorts them by their positions.
    pub(super) fn new(mut findings: Vec<Finding>) -> Self {
        findings.sort_by_key(|finding| (finding.span().start, finding.span().end, finding.code()));
        Self { findings }
    }

    /// Returns the findings, in the order of their positions.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::Profile;
    /// assert_eq!(simd_iri_lint::lint(iri!("a:b"), Profile::Rfc).findings(), []);
    /// ```
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Tells whether there are no findings.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::Profile;
    /// assert!(simd_iri_lint::lint(iri!("a:b"), Profile::Rfc).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the highest severity of all findings, or `None` if there are none.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::Profile;
    /// assert_eq!(simd_iri_lint::lint(iri!("a:b"), Profile::Rfc).worst(), None);
    /// ```
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.iter().map(|finding| finding.severity()).max()
    }

    /// Returns an iterator over the findings.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::Profile;
    /// assert_eq!(simd_iri_lint::lint(iri!("a:b"), Profile::Rfc).iter().count(), 0);
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
