//! Applies the suggestions of the findings to a reference.
//!
//! A round applies all suggestions and lints the result; rounds follow until nothing changes. No suggestion
//! undoes another: a triplet counts as needless only if the component without it would not be reported, and
//! a host that misleads is never decoded. If the result has a finding that the reference did not have, the
//! riskiest suggestion is left out, and all rounds are repeated.
//!
//! Not here: what is suggested (the checks), and what becomes of a span (`suggestion`).

use alloc::string::String;
use alloc::vec::Vec;

use super::finding::Finding;
use super::lint::Lint;
use super::report::Report;
use super::suggestion::Suggestion;
use crate::error::Error;
use crate::reference::kind::Kind;
use crate::reference::{Buf, Cow, View};
use crate::scan::slice;

/// What one suggestion makes possible, another may complete: a triplet in upper case, decoded, in
/// a path without dot segments. More rounds have not been needed.
const ROUNDS: usize = 8;

impl Lint {
    /// The reference with every suggestion that keeps its meaning ([`Suggestion::keeps_meaning`]): it is
    /// equivalent by [`Level::SchemeIdna`], and in six of the seven forms that draft-duerst-iri-10, section
    /// 5.4 prefers. For the seventh, normal forms of characters, see [`Lint::fix_all`].
    ///
    /// Only what is reported at all is fixed. The result has no finding of a code that the reference did not
    /// have: a suggestion that would bring one about is not applied. Borrowed if there is nothing to fix;
    /// otherwise a bounded number of times the cost of a report, a copy and a parse.
    ///
    /// [`Suggestion::keeps_meaning`]: super::Suggestion::keeps_meaning
    /// [`Level::SchemeIdna`]: crate::Level::SchemeIdna
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// use simd_iri::check::{Lint, Profile};
    /// use simd_iri::iri;
    ///
    /// let lint = Lint::new(Profile::Rfc);
    /// assert_eq!(lint.fix(iri!("HTTP://A/b/../%7ec%2f"))?, "http://a/~c%2F");
    /// assert_eq!(lint.fix(iri!("http://a"))?, "http://a/");
    /// // A character that turns the line around is encoded, as section 4.2 of RFC 3987 advises.
    /// assert_eq!(lint.fix(iri!("a:b\u{202E}"))?, "a:b%E2%80%AE");
    /// assert!(lint.fix(iri!("http://a/b"))?.is_borrowed());
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn fix<'a, K: Kind>(&self, view: View<'a, K>) -> Result<Cow<'a, K>, Error> {
        self.fixed(view, false)
    }

    /// [`Lint::fix`] with every suggestion, also those that make another reference: components in
    /// normalization form C, or KC for look-alikes; IPv4 addresses as four decimal numbers. It is for
    /// those who create an IRI.
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use simd_iri::check::{Lint, Profile};
    /// use simd_iri::iri;
    ///
    /// let lint = Lint::new(Profile::Rfc);
    /// assert_eq!(lint.fix_all(iri!("http://0x7f.1/"))?, "http://127.0.0.1/");
    /// # #[cfg(feature = "repertoire")]
    /// assert_eq!(lint.fix_all(iri!("a:e\u{301}"))?, "a:é");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn fix_all<'a, K: Kind>(&self, view: View<'a, K>) -> Result<Cow<'a, K>, Error> {
        self.fixed(view, true)
    }

    fn fixed<'a, K: Kind>(&self, view: View<'a, K>, all: bool) -> Result<Cow<'a, K>, Error> {
        let mut fixed = Cow::Borrowed(view);
        let given = self.report(view);
        // What is left out of one step may do no harm after it.
        for _ in 0..ROUNDS {
            let Some(next) = self.step(fixed.view(), &given, all)? else { break };
            fixed = Cow::Owned(next);
        }
        Ok(fixed)
    }

    /// Applies suggestions, but not those that bring about a finding of a code that is not in `given`. `None`
    /// if nothing changes.
    fn step<K: Kind>(
        &self,
        view: View<'_, K>,
        given: &Report,
        all: bool,
    ) -> Result<Option<Buf<K>>, Error> {
        let is_known = |found: &Finding| given.iter().any(|known| known.code() == found.code());
        let mut refused = Vec::new();
        loop {
            let is_taken = |suggestion: Suggestion| {
                (all || suggestion.keeps_meaning()) && !refused.contains(&suggestion)
            };
            let mut used = Vec::new();
            let Some(fixed) = self.rounds(view, is_taken, &mut used)? else { return Ok(None) };
            if self.report(fixed.view()).iter().all(is_known) {
                return Ok(Some(fixed));
            }
            // Characters that are decoded may mix scripts or directions, and dots that go may put numbers
            // beside a component that runs from right to left. The riskiest is left out first.
            refused.extend(used.into_iter().max_by_key(|suggestion| risk(*suggestion)));
        }
    }

    /// Applies suggestions, and then those of the result. The suggestions that were applied are added to
    /// `used`. `None` if there is none to apply.
    fn rounds<K: Kind>(
        &self,
        view: View<'_, K>,
        is_taken: impl Fn(Suggestion) -> bool,
        used: &mut Vec<Suggestion>,
    ) -> Result<Option<Buf<K>>, Error> {
        let mut fixed: Option<Buf<K>> = None;
        for _ in 0..ROUNDS {
            let current = fixed.as_ref().map_or(view, Buf::view);
            let report = self.report(current);
            let Some(text) = applied(current.as_str(), &report, &is_taken, used) else { break };
            let parts = K::RULE.parse(&text)?;
            fixed = Some(Buf::new(text, parts));
        }
        Ok(fixed)
    }
}

/// How likely it is that a suggestion brings about what another code reports.
const fn risk(suggestion: Suggestion) -> u8 {
    match suggestion {
        Suggestion::Slash | Suggestion::RemovePort => 0,
        Suggestion::LowerCase => 1,
        Suggestion::UpperCase => 2,
        Suggestion::PercentEncode => 3,
        Suggestion::Domain => 4,
        Suggestion::RemoveDots => 5,
        Suggestion::Decode => 6,
        Suggestion::DottedDecimal => 7,
        Suggestion::Nfc => 8,
        Suggestion::Nfkc => 9,
        Suggestion::Utf8 => 10,
    }
}

/// A text with what is suggested for spans that do not overlap, the first of those that do. What is applied
/// is added to `used`.
fn applied(
    text: &str,
    report: &Report,
    is_taken: impl Fn(Suggestion) -> bool,
    used: &mut Vec<Suggestion>,
) -> Option<String> {
    let (mut out, mut done, mut is_changed) = (String::new(), 0, false);
    for finding in report {
        let (Some(suggestion), span) = (finding.suggestion(), finding.span()) else { continue };
        if !is_taken(suggestion) || span.start < done {
            continue;
        }
        let before = slice::text(text, span.clone());
        let after = suggestion.apply(before);
        if after != before {
            out.push_str(slice::text(text, done..span.start));
            out.push_str(&after);
            (done, is_changed) = (span.end, true);
            if !used.contains(&suggestion) {
                used.push(suggestion);
            }
        }
    }
    out.push_str(slice::text(text, done..));
    is_changed.then_some(out)
}
