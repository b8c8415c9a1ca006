//! Applies the suggestions of the findings to a reference.
//!
//! A round applies all suggestions and lints the result; rounds follow until nothing changes. No suggestion
//! undoes another: a triplet counts as needless only if the component without it would not be reported, and
//! a host that misleads is never decoded. If the result has a finding that the reference did not have, the
//! riskiest suggestion is left out, and all rounds are repeated.
//!
//! Not here: which suggestions there are (`rules`), and the text that a suggestion makes of a span (`apply`).

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

/// The largest number of rounds. The result of one suggestion may need another: a triplet becomes upper
/// case, then is decoded, and then is part of a dot segment. No reference has needed more rounds.
const ROUNDS: usize = 8;

impl Lint {
    /// Applies every suggestion that keeps the meaning ([`Suggestion::keeps_meaning`]). Returns a reference
    /// that is equivalent by [`Level::SchemeIdna`] and has six of the seven forms that draft-duerst-iri-10,
    /// section 5.4 prefers. For the seventh, normal forms of characters, see [`Lint::fix_all`].
    ///
    /// Only codes with a severity are fixed. The result has no finding of a code that the reference did not
    /// have: a suggestion that would cause one is not applied. Borrows the reference if there is nothing to
    /// fix; otherwise costs a bounded number of reports, copies and parses.
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

    /// Applies every suggestion, also those that make another reference: components in normalization form C, or KC
    /// for look-alikes; IPv4 addresses as four decimal numbers. Use it when you create an IRI. In all other respects,
    /// it is the same as [`Lint::fix`].
    ///
    /// # Errors
    /// The result has 4 GiB or more.
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
        // A suggestion that one step leaves out may be harmless in the next.
        for _ in 0..ROUNDS {
            let Some(next) = self.step(fixed.view(), &given, all)? else { break };
            fixed = Cow::Owned(next);
        }
        Ok(fixed)
    }

    /// Applies suggestions, but none that causes a finding of a code that is not in `given`. Returns `None`
    /// if nothing changes.
    fn step<K: Kind>(
        &self,
        view: View<'_, K>,
        given: &Report,
        all: bool,
    ) -> Result<Option<Buf<K>>, Error> {
        // The codes are few, the findings may be many.
        let mut known: Vec<_> = given.iter().map(|known| known.code()).collect();
        known.sort_unstable();
        known.dedup();
        let is_known = |found: &Finding| known.binary_search(&found.code()).is_ok();
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
            // Decoded characters may mix scripts or directions, and without dots a number may be next to a
            // component that runs from right to left. Leave out the riskiest suggestion first.
            refused.extend(used.into_iter().max_by_key(|suggestion| risk(*suggestion)));
        }
    }

    /// Applies suggestions, then those of the result, and so on. Adds the suggestions that were applied to
    /// `used`. Returns `None` if there is none to apply.
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

/// Returns how likely it is that a suggestion causes a finding of another code; higher is riskier.
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

/// Returns the text with suggestions applied to spans that do not overlap; of overlapping spans, the first is used.
/// Adds the applied suggestions to `used`. Returns `None` if nothing changes.
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
