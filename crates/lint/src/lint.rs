//! A lint: the codes that are reported, and the order of the checks.
//!
//! Not here: the checks (`rules`, `bidi`).

use alloc::vec::Vec;

use super::bidi;
use super::code::{COUNT, Code, levels};
use super::facts::CONTINUES;
use super::facts::{COMPOSES, ODD};
use super::facts::{Facts, LISTED};
use super::finding::{Finding, Reporter};
use super::prescan::LintPrescan;
use super::report::Report;
use super::rules::repertoire;
use super::rules::secrets;
use super::rules::{digits, escapes, host, lookalikes, preferred, raw, scheme, spoof};
use super::rules::{mojibake, scripts};
use super::severity::{Profile, Severity};
use simd_iri::batch::{Batch, IntoItems, Outcome};
use simd_iri::low::Known;
use simd_iri::{IriRef, Parts, convert::AsView, kind::Kind, parser::CpuLevel};

/// Returns the findings of a profile in a reference.
///
/// Takes linear time: one pass, and a few more passes over characters outside ASCII and triplets. Allocates nothing if
/// there is no finding.
///
/// ```
/// use simd_iri::iri;
/// use simd_iri_lint::{Profile, lint};
///
/// assert!(lint(iri!("http://example.org/a?b#c"), Profile::Strict).is_empty());
/// assert!(!lint(iri!("http://example.org/\u{200F}"), Profile::Rfc).is_empty());
/// ```
#[must_use]
pub fn lint(view: impl AsView, profile: Profile) -> Report {
    Lint::new(profile).report(view)
}

/// The codes that are reported, and the severity of each. A lint begins with those of a [`Profile`].
///
/// ```
/// use simd_iri_lint::{Code, Lint, Profile, Severity};
/// use simd_iri::iri;
///
/// let lint = Lint::new(Profile::Rfc).severity(Code::BidiFormatting, Some(Severity::Note));
/// assert_eq!(lint.report(iri!("a:\u{200E}")).worst(), Some(Severity::Note));
/// let lint = lint.severity(Code::BidiFormatting, None);
/// assert!(lint.report(iri!("a:\u{200E}")).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lint {
    levels: [Option<Severity>; COUNT],
    divided: bool,
}

/// [`Lint::new`] with the profile [`Profile::Rfc`].
impl Default for Lint {
    fn default() -> Self {
        Self::new(Profile::default())
    }
}

impl Lint {
    /// Returns a lint with the codes and severities of a profile.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Lint, Profile};
    /// assert!(Lint::new(Profile::Rdf).report(iri!("a:b")).is_empty());
    /// ```
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        Self { levels: levels(profile), divided: false }
    }

    /// Returns the lint with another severity for a code. With `None`, the code is not reported.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Code, Lint, Profile};
    /// let lint = Lint::new(Profile::Rfc).severity(Code::BidiFormatting, None);
    /// assert!(lint.report(iri!("a:\u{202E}")).is_empty());
    /// ```
    #[must_use]
    pub fn severity(mut self, code: Code, severity: Option<Severity>) -> Self {
        if let Some(level) = self.levels.get_mut(code as usize) {
            *level = severity;
        }
        self
    }

    /// Sets whether smaller parts count as components: labels of every host, parts of a path between dots,
    /// names and values of a query between `&`, `;` and `=`, and the parts of user information between
    /// colons. RFC 3987, section 4.2 leaves this to the application. The labels of a domain name always count as
    /// components.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Code, Lint, Profile};
    /// let (whole, lint) = (Lint::new(Profile::Rfc), Lint::new(Profile::Rfc).divided(true));
    /// let iri = iri!("http://a/שלום.html");
    /// assert!(whole.report(iri).iter().any(|finding| finding.code() == Code::BidiMixed));
    /// assert!(!lint.report(iri).iter().any(|finding| finding.code() == Code::BidiMixed));
    /// ```
    #[must_use]
    pub const fn divided(self, on: bool) -> Self {
        Self { divided: on, ..self }
    }

    /// Calls `each` with every finding, check by check. Allocates nothing if there is no finding.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Lint, Profile};
    /// let mut count = 0;
    /// Lint::new(Profile::Rfc).each(iri!("a:\u{200E}\u{200F}"), |_| count += 1);
    /// assert_eq!(count, 2);
    /// ```
    // The checks run only if the prescan does not rule out every finding.
    #[inline]
    pub fn each<K: Kind>(&self, view: impl AsView<Kind = K>, mut each: impl FnMut(Finding)) {
        let view = view.as_view();
        let text = view.as_str().as_bytes();
        let prescan = LintPrescan::at(CpuLevel::best(), text, &view.parts());
        if self.asks_more(text) || !prescan.is_quiet(text, &view.parts()) {
            self.run_checks(view.as_iri_ref(), K::RULE.ascii_only(), prescan, &mut each);
        }
        #[cfg(debug_assertions)]
        self.assert_agreement(view, prescan);
    }

    /// Tells whether the lint certainly has no finding in a reference, from the prescan alone.
    #[inline]
    pub(crate) fn is_quiet(&self, level: CpuLevel, text: &[u8], parts: &Parts) -> bool {
        !self.asks_more(text) && LintPrescan::at(level, text, parts).is_quiet(text, parts)
    }

    /// Returns the items in which this lint may have a finding, and the items that do not match the rule of the batch, as
    /// bytes and in order. Null items are not among them.
    ///
    /// An item that is left out matches the rule, and [`report`](Self::report) does not have a finding about it. Most
    /// references are left out: pages and files in ASCII without triplets, user information or an unusual host. An item
    /// that is returned may also be without a finding. One pass over each item after the search of its components; no
    /// allocation.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// # use simd_iri_lint::{Lint, Profile};
    /// let lines = Separated::lines(b"http://a/b\nhttp://u@a/\na b\n");
    /// let others = Lint::new(Profile::Rfc).not_quiet(Batch::new(Rule::Iri), lines);
    /// assert!(others.eq([&b"http://u@a/"[..], b"a b"]));
    /// ```
    pub fn not_quiet<'a, I: IntoItems<'a>>(
        self,
        batch: Batch,
        items: I,
    ) -> impl Iterator<Item = &'a [u8]> + use<'a, I> {
        let level = batch.level();
        let others = batch.parse(items).filter(move |item| match item.outcome() {
            Outcome::Valid(parts) => !self.is_quiet(level, item.bytes(), &parts),
            Outcome::Invalid(_) => true,
            Outcome::Null => false,
        });
        others.map(|item| item.bytes())
    }

    /// Tells whether a code is reported for which the prescan does not look: it cannot rule out digits in words, nor
    /// secret values behind an equals sign.
    #[inline]
    fn asks_more(&self, text: &[u8]) -> bool {
        let is_reported = |code: Code| self.levels.get(code as usize).is_some_and(Option::is_some);
        is_reported(Code::SpoofDigit)
            || is_reported(Code::SpoofSecret) && memchr::memchr(b'=', text).is_some()
    }

    /// Asserts that the checks report the same findings with the prescan and without it.
    #[cfg(debug_assertions)]
    fn assert_agreement<K: Kind>(&self, view: simd_iri::View<'_, K>, prescan: LintPrescan) {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        let text = view.as_str().as_bytes();
        if self.asks_more(text) || !prescan.is_quiet(text, &view.parts()) {
            let each = &mut |finding| with.push(finding);
            self.run_checks(view.as_iri_ref(), K::RULE.ascii_only(), prescan, each);
        }
        let each = &mut |finding| without.push(finding);
        self.run_checks(view.as_iri_ref(), K::RULE.ascii_only(), super::prescan::EVERYTHING, each);
        debug_assert_eq!(with, without, "{view}");
    }

    /// Returns all findings, in the order of their positions.
    ///
    /// ```
    /// # use simd_iri::iri;
    /// # use simd_iri_lint::{Lint, Profile};
    /// let report = Lint::new(Profile::Rfc).report(iri!("a:\u{200E}\u{200F}"));
    /// assert_eq!(report.findings().len(), 2);
    /// ```
    #[must_use]
    pub fn report(&self, view: impl AsView) -> Report {
        let view = view.as_view();
        let mut findings = Vec::new();
        self.each(view, |finding| findings.push(finding));
        Report::new(findings)
    }

    /// Calls `each` with findings about a text that is not a reference. They say how a browser, which follows the URL
    /// Standard, would read the text. The parser reports why the text is not a reference. Takes one pass for each
    /// code. A text of 4 GiB or more has no finding.
    ///
    /// ```
    /// use simd_iri_lint::{Code, Lint, Profile};
    ///
    /// let mut codes = Vec::new();
    /// let lint = Lint::new(Profile::Rfc);
    /// lint.each_of_invalid(r"http://a@b@c\d", |finding| codes.push(finding.code()));
    /// assert_eq!(codes, [Code::SpoofBackslash, Code::SpoofSecondAt]);
    /// ```
    pub fn each_of_invalid(&self, text: &str, mut each: impl FnMut(Finding)) {
        // The offsets of a finding have 32 bits.
        if u32::try_from(text.len()).is_ok() {
            raw::check(text, &mut Reporter::new(&self.levels, &mut each));
        }
    }

    /// Runs each check that may have a finding.
    ///
    /// ```text
    /// the prescan is quiet, besides triplets    preferred::dots: dot segments that are written as triplets
    ///   and characters outside ASCII
    /// otherwise                                 scheme, spoof, host, preferred
    /// a percent sign                            escapes; it returns the facts of the decoded components
    /// a character outside ASCII                 bidi, lookalikes and repertoire, if the facts allow a finding; scripts
    /// CONTINUES in either set of facts          mojibake
    /// the code for digits is reported           digits
    /// the code for secrets is reported          secrets
    /// ```
    ///
    /// Tests and debug builds also run the checks with `EVERYTHING` in place of the prescan. All facts are then set,
    /// and all checks run. The findings must be the same (`assert_agreement`).
    fn run_checks(
        &self,
        iri: IriRef<'_>,
        is_uri: bool,
        prescan: LintPrescan,
        each: &mut dyn FnMut(Finding),
    ) {
        let reporter = &mut Reporter::new(&self.levels, each);
        let known = iri.scheme().and_then(Known::of);
        // The name for which the host stands is decoded and mapped once. If the reference is quiet, no check asks for
        // it: the host has no triplets.
        let mut name = None;
        if prescan.is_quiet_besides(iri.as_str().as_bytes(), &iri.parts()) {
            preferred::dots(iri, known, prescan, reporter);
        } else {
            let second = scheme::second(iri, known);
            let is_meant = second.is_none();
            scheme::check(iri, known, second, reporter);
            spoof::check(iri, known, reporter);
            name = host::name(iri);
            host::check(iri, known, name.as_deref(), reporter);
            preferred::check(iri, known, prescan, (is_uri, is_meant), reporter);
        }
        let mut in_triplets = Facts::NONE;
        if prescan.percent {
            let divided = self.divided;
            let name = name.as_deref();
            in_triplets = escapes::check(iri, known, name, is_uri, divided, prescan, reporter);
        }
        let written = match (prescan.non_ascii, prescan.asks_facts) {
            (false, _) => Facts::NONE,
            (true, true) => Facts::of_written(iri.as_str()),
            // In `EVERYTHING`, all facts are set, so that no check is left out.
            (true, false) => Facts::ALL,
        };
        if prescan.non_ascii {
            bidi::check(iri, self.divided, written, reporter);
            if written.has(LISTED) {
                lookalikes::check(iri, known, reporter);
            }
            if written.has(ODD.or(COMPOSES)) {
                repertoire::check(iri, reporter);
            }
            // No fact rules out that scripts are mixed, so the profile decides alone.
            if reporter.is_reported(Code::SpoofScript) {
                scripts::check(iri, known, self.divided, reporter);
            }
        }
        if in_triplets.or(written).has(CONTINUES) {
            mojibake::check(iri, reporter);
        }
        if reporter.is_reported(Code::SpoofDigit) {
            digits::check(iri, reporter);
        }
        if reporter.is_reported(Code::SpoofSecret) {
            secrets::check(iri, reporter);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use core::fmt::Write;

    use super::*;
    use crate::prescan::EVERYTHING;

    /// Asserts that the findings with prescan and facts equal the findings without both. Returns their number.
    fn compare(text: &str) -> usize {
        let Ok(iri) = IriRef::parse(text) else { return 0 };
        let every = |lint: Lint, code: &Code| lint.severity(*code, Some(Severity::Note));
        let strict = Code::ALL.iter().fold(Lint::new(Profile::Strict), every);
        let mut count = 0;
        for lint in [strict, strict.divided(true), Lint::new(Profile::Crawler)] {
            let prescan = LintPrescan::at(CpuLevel::best(), text.as_bytes(), &iri.parts());
            let [with, without] = [prescan, EVERYTHING].map(|prescan| {
                let mut findings = Vec::new();
                let each = &mut |found| findings.push(found);
                lint.run_checks(iri, text.is_ascii(), prescan, each);
                lint.run_checks(iri, false, prescan, each);
                findings
            });
            assert_eq!(with, without, "{text}");
            count += with.len();
        }
        count
    }

    /// Appends a character as it is, or as triplets.
    fn push(text: &mut String, c: char, is_encoded: bool) {
        if is_encoded {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                write!(text, "%{byte:02x}").unwrap();
            }
        } else {
            text.push(c);
        }
    }

    /// The first and the last character of each run of characters with the same facts.
    fn characters() -> Vec<char> {
        let mut found: Vec<char> = Vec::new();
        let mut before: Option<(char, Facts)> = None;
        for c in '\0'..=char::MAX {
            let facts = Facts::of(c);
            if before.is_none_or(|(_, before)| before != facts) {
                found.extend(before.map(|(last, _)| last));
                found.push(c);
            }
            before = Some((c, facts));
        }
        found
    }

    #[test]
    fn no_character_has_a_finding_that_its_facts_rule_out() {
        let mut count = 0;
        for c in characters() {
            for is_encoded in [false, true] {
                for [before, after] in [["", ""], ["a", "b"], ["\u{5D0}1", ""], ["%C3", "%A9"]] {
                    let mut text = format!("http://a/{before}");
                    push(&mut text, c, is_encoded);
                    text += after;
                    count += compare(&text);
                }
            }
        }
        assert!(count > 10_000, "{count}");
    }

    #[test]
    fn no_text_has_a_finding_that_its_facts_rule_out() {
        let all = characters();
        let other =
            ["/", "a", "B", "1", ".", "..", "-", "?", "#", "&", "=", "%2e", "%2F", "%25", "%c3"];
        let other = other.into_iter().chain(["Ã", "©", "€", "ש", "ا", "日", "か", "e\u{301}", "а"]);
        let other: Vec<_> = other.collect();
        let (mut count, mut random) = (0, 3987_u64);
        let mut below = |most: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % most
        };
        for _ in 0..20_000 {
            let start =
                ["http://a/", "http://ab.", "urn:a:", "", "file:///", "mailto:a@b", "http://x@"];
            let mut text = String::from(start[below(start.len())]);
            for _ in 0..below(9) {
                if below(3) == 0 {
                    push(&mut text, all[below(all.len())], below(2) == 0);
                } else {
                    for c in other[below(other.len())].chars() {
                        push(&mut text, c, !c.is_ascii() && below(2) == 0);
                    }
                }
            }
            count += compare(&text);
        }
        assert!(count > 10_000, "{count}");
    }
}
