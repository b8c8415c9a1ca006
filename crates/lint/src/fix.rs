//! Applies the suggestions of the findings to a reference.
//!
//! Not here: which suggestions there are (`rules`), and the text that a suggestion makes of a span (`apply`).

/*
# The algorithm

Three loops are inside one another:

    fixed     lints the given reference once; repeats steps until a step changes nothing
      step    repeats: apply rounds; if the result has a finding of a new code, refuse the riskiest suggestion that
              was applied, and begin again with the reference of the step
        rounds    repeats: apply the suggestions to spans that do not overlap, and lint the result, until nothing changes

A new code is a code that the given reference did not have. For example, the rounds for `HTTP://A/b/../%7ec%2f` are:

    HTTP://A/b/../%7ec%2f    lower case of the scheme and of the host; no dot segments. The triplets lie in the span of
                             the path and wait
    http://a/%7ec%2f         decode `%7e`; upper case of `%2f`
    http://a/~c%2F           no suggestion

The path of `http://a/א/./1` keeps its dot segment. Without it, the number `1` would stand beside the right-to-left
segment `א`, which is a finding of a new code. So `step` refuses to remove dot segments.

Each text is linted once: a report goes with its text (`Linted`), from a round to the next, to the question about new
codes, and to the next step. A reference without an applicable suggestion costs one lint, and most others cost two. (The
program lints the result once more, because the public result is the reference alone.)

# Invariants

- No suggestion undoes another suggestion. A triplet counts as needless only if the decoded component is not reported.
  A host that misleads is never decoded.
- `step` ends: each of its repetitions refuses one more suggestion, and there are twelve suggestions.
- `fixed` and `rounds` end after `ROUNDS` repetitions at the latest.
*/

use alloc::string::String;
use alloc::vec::Vec;

use super::finding::Finding;
use super::lint::Lint;
use super::report::Report;
use super::suggestion::Suggestion;
use simd_iri::low::buf_of;
use simd_iri::low::slice;
use simd_iri::{Buf, Error, Mapped, View, convert::IntoView, kind::Kind};

/// The largest number of rounds. The result of one suggestion may need another suggestion: a triplet is written in
/// upper case, then it is decoded, and then it is part of a dot segment. No reference has needed more rounds.
const ROUNDS: usize = 8;

impl Lint {
    /// Applies every suggestion that keeps the meaning ([`Suggestion::keeps_meaning`]). Returns a reference
    /// that is equivalent by [`Level::SchemeIdna`] and has six of the seven forms that draft-duerst-iri-10,
    /// section 5.4 prefers. For the seventh, normal forms of characters, see [`Lint::fix_all`].
    ///
    /// Only codes with a severity are fixed. A suggestion is not applied if it would cause a finding of a code that the
    /// reference does not have. Borrows the reference if there is nothing to fix. Otherwise, it costs a bounded number
    /// of reports, copies and parses.
    ///
    /// [`Suggestion::keeps_meaning`]: super::Suggestion::keeps_meaning
    /// [`Level::SchemeIdna`]: simd_iri::Level::SchemeIdna
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// use simd_iri_lint::{Lint, Profile};
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
    pub fn fix<'a, K: Kind>(
        &self,
        view: impl IntoView<'a, Kind = K>,
    ) -> Result<Mapped<'a, K>, Error> {
        let view = view.into_view();
        self.fixed(view, false)
    }

    /// Applies every suggestion, even if the result is another reference: components in normalization form C, or KC
    /// for variants of characters; text in place of mojibake; IPv4 addresses as four decimal numbers. Use it when you
    /// create an IRI. In all other respects, it is the same as [`Lint::fix`].
    ///
    /// # Errors
    /// The result has 4 GiB or more.
    ///
    /// ```
    /// use simd_iri_lint::{Lint, Profile};
    /// use simd_iri::iri;
    ///
    /// let lint = Lint::new(Profile::Rfc);
    /// assert_eq!(lint.fix_all(iri!("http://0x7f.1/"))?, "http://127.0.0.1/");
    /// # #[cfg(feature = "idna")]
    /// assert_eq!(lint.fix_all(iri!("a:e\u{301}"))?, "a:é");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn fix_all<'a, K: Kind>(
        &self,
        view: impl IntoView<'a, Kind = K>,
    ) -> Result<Mapped<'a, K>, Error> {
        let view = view.into_view();
        self.fixed(view, true)
    }

    fn fixed<'a, K: Kind>(&self, view: View<'a, K>, all: bool) -> Result<Mapped<'a, K>, Error> {
        let given = self.report(view);
        let mut fixed: Option<Linted<K>> = None;
        // A suggestion that one step refuses may be harmless in the next step.
        for _ in 0..ROUNDS {
            let (current, report) =
                fixed.as_ref().map_or((view, &given), |fixed| (fixed.buf.view(), &fixed.report));
            let Some(next) = self.step(current, report, &given, all)? else { break };
            fixed = Some(next);
        }
        Ok(fixed.map_or(Mapped::Borrowed(view), |fixed| Mapped::Owned(fixed.buf)))
    }

    /// Applies all suggestions except suggestions that cause a finding of a code that is not in `given`. `report` has the
    /// findings of `view`. Returns `None` if nothing changes.
    fn step<K: Kind>(
        &self,
        view: View<'_, K>,
        report: &Report,
        given: &Report,
        all: bool,
    ) -> Result<Option<Linted<K>>, Error> {
        // There are few codes, and there may be many findings.
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
            let Some(fixed) = self.rounds(view, report, is_taken, &mut used)? else {
                return Ok(None);
            };
            if fixed.report.iter().all(is_known) {
                return Ok(Some(fixed));
            }
            // Decoded characters may mix scripts or directions. Without dot segments, a number may be beside a
            // component that runs from right to left. The riskiest suggestion is refused first.
            refused.extend(used.into_iter().max_by_key(|suggestion| risk(*suggestion)));
        }
    }

    /// Applies the suggestions of the reference, then the suggestions of the result, and so on. `report` has the findings
    /// of `view`. Adds the suggestions that were applied to `used`. Returns `None` if no suggestion changes anything.
    fn rounds<K: Kind>(
        &self,
        view: View<'_, K>,
        report: &Report,
        is_taken: impl Fn(Suggestion) -> bool,
        used: &mut Vec<Suggestion>,
    ) -> Result<Option<Linted<K>>, Error> {
        let mut fixed: Option<Linted<K>> = None;
        for _ in 0..ROUNDS {
            let (current, report) =
                fixed.as_ref().map_or((view, report), |fixed| (fixed.buf.view(), &fixed.report));
            let Some(text) = applied(current.as_str(), report, &is_taken, used) else { break };
            let parts = K::RULE.parse(&text)?;
            let buf = buf_of(text, parts);
            let report = self.report(buf.view());
            fixed = Some(Linted { buf, report });
        }
        Ok(fixed)
    }
}

/// A reference and its findings.
struct Linted<K: Kind> {
    buf: Buf<K>,
    report: Report,
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

/// Returns the text after suggestions were applied to spans that do not overlap. A span that overlaps an earlier span
/// is left out. Adds the applied suggestions to `used`. Returns `None` if nothing changes.
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
