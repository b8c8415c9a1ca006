//! Any text: the laws of findings, fixes and the order of display.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri::batch::{Batch, Separated};
use simd_iri::kind::Kind;
use simd_iri::{Compare, IriRef, Level, Normalize, UriRef, View};
use simd_iri_lint as check;
use simd_iri_lint::{Code, Direction, Embed, Lint, Marks, Profile, Report};

fuzz_target!(|text: &str| {
    let Ok(iri) = IriRef::parse(text) else {
        Lint::new(Profile::Strict).each_of_invalid(text, |finding| {
            assert!(text.get(finding.span()).is_some(), "{finding:?}");
        });
        return;
    };
    obey(iri);
    if let Ok(uri) = UriRef::parse(text) {
        obey(uri);
    }
});

fn obey<K: Kind>(view: View<'_, K>) {
    for &profile in Profile::ALL {
        let lint = Lint::new(profile).divided(profile == Profile::Strict);
        let report = lint.report(view);
        for finding in &report {
            assert!(view.as_str().get(finding.span()).is_some(), "{finding:?}");
        }
        // A reference that a batch leaves out has no finding.
        let line = Separated::lines(view.as_str().as_bytes());
        let is_left_out = lint.not_quiet(Batch::new(K::RULE), line).next().is_none();
        assert!(!is_left_out || report.is_empty(), "{view}");
        let is_known = |code| report.iter().any(|finding| finding.code() == code);
        for finding in &report {
            let Some(suggestion) = finding.suggestion() else { continue };
            let (text, span) = (view.as_str(), finding.span());
            let part = suggestion.apply(&text[span.clone()]);
            let text = format!("{}{part}{}", &text[..span.start], &text[span.end..]);
            let fixed = View::<K>::parse(&text).unwrap_or_else(|error| panic!("{view}: {error}"));
            if let Some(level) = suggestion.level() {
                assert!(view.is_equivalent(fixed, level), "{view} {text} {level:?}");
                let by = Compare::by(Normalize::scheme().idna(true).urn(true));
                assert!(by.equivalent(view, fixed), "{view} {text}");
            }
        }
        let fixed = lint.fix(view).expect("short texts have room");
        for finding in &lint.report(fixed.view()) {
            assert!(is_known(finding.code()), "{view} {fixed}: {finding:?}");
        }
        assert_eq!(K::RULE.parse(fixed.as_str()), Ok(fixed.view().parts()));
        assert!(Compare::new(Level::SchemeIdna).equivalent(view, fixed.view()), "{view} {fixed}");
        assert_eq!(lint.fix(fixed.view()).expect("room"), fixed.as_str(), "{view}");
        // A fix makes no look-alike, and hides no host that is one. The lint itself asserts that the prescan loses no
        // finding.
        let has = |report: &Report, code| report.iter().any(|finding| finding.code() == code);
        let left = lint.report(fixed.view());
        for code in Code::ALL.iter().filter(|code| code.name().starts_with("spoof.")) {
            assert!(has(&report, *code) || !has(&left, *code), "{view} {fixed}: {code} is new");
        }
        for code in
            [Code::SpoofLabel, Code::SpoofWholeScript, Code::SpoofIpv4, Code::SpoofInternalHost]
        {
            assert_eq!(has(&report, code), has(&left, code), "{view} {fixed}: {code} is lost");
        }
        let all = lint.fix_all(view).expect("room");
        assert_eq!(K::RULE.parse(all.as_str()), Ok(all.view().parts()));
        assert_eq!(lint.fix_all(all.view()).expect("room"), all.as_str(), "{view}");
    }
    let seen = simd_iri_lint::visual(view);
    assert_eq!(seen.chars().count(), view.as_str().chars().count());
    // A reference with formatting characters of its own, contrary to section 4.1, is not read back.
    if !view.as_str().contains(['\u{200E}', '\u{202A}', '\u{202C}', '\u{2066}', '\u{2069}']) {
        for marks in [Marks::Embedding, Marks::Isolate, Marks::EachPart] {
            let embedded = Embed::new(Direction::RightToLeft).marks(marks).map(view);
            assert_eq!(check::unembed(&embedded), view.as_str());
        }
    }
}
