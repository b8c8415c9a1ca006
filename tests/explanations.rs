//! Every code and every kind of error has an explanation: its example has the finding or the error, and the corrected
//! example does not.

use simd_iri::{ErrorKind, IriRef, Rule, ToUri, charset::Unmappable};
use simd_iri_lint::{Code, Explanation, Lint, Profile, Severity};

/// The codes of a text, also those that no profile reports.
fn codes(text: &str) -> Vec<Code> {
    let on = |lint: Lint, code: &Code| lint.severity(*code, Some(Severity::Error));
    let lint = Code::ALL.iter().fold(Lint::new(Profile::Strict), on);
    let mut codes = Vec::new();
    match IriRef::parse(text) {
        Ok(reference) => lint.each(reference, |finding| codes.push(finding.code())),
        Err(_) => lint.each_of_invalid(text, |finding| codes.push(finding.code())),
    }
    codes
}

/// The kinds of error of a text, by any rule or mapping.
fn kinds(text: &str) -> Vec<ErrorKind> {
    let mut kinds: Vec<_> = Rule::ALL
        .iter()
        .copied()
        .filter_map(|rule| rule.parse(text).err())
        .map(|e| e.kind())
        .collect();
    if let Ok(reference) = IriRef::parse(text) {
        kinds.extend(ToUri::new().idna(true).map(reference).err().map(|error| error.kind()));
        let latin = ToUri::new().query_charset(encoding_rs::WINDOWS_1252, Unmappable::Error);
        kinds.extend(latin.map(reference).err().map(|error| error.kind()));
    }
    kinds
}

fn is_plain(explanation: Explanation) {
    for text in [explanation.meaning, explanation.fix] {
        assert!(text.ends_with('.') && text.starts_with(char::is_uppercase), "{text}");
        assert!(!text.contains("  "), "{text}");
    }
}

#[test]
fn every_code_has_an_example_with_it_and_one_without() {
    for &code in Code::ALL {
        let explanation = code.explanation();
        is_plain(explanation);
        let (found, left) = (codes(explanation.example), codes(explanation.fixed));
        assert!(found.contains(&code), "{code}: {found:?}");
        assert!(!left.contains(&code), "{code} is in what is mended");
        assert!(IriRef::parse(explanation.fixed).is_ok(), "{code}: {}", explanation.fixed);
        let new: Vec<_> = left.iter().filter(|code| !found.contains(code)).collect();
        assert!(new.is_empty(), "{code}: mending it makes {new:?}");
    }
}

#[test]
fn every_kind_of_error_has_an_example_with_it_and_one_without() {
    for &kind in ErrorKind::ALL {
        let explanation = Explanation::of_error(kind);
        is_plain(explanation);
        if matches!(
            kind,
            ErrorKind::IllFormedUtf8 | ErrorKind::TooLong | ErrorKind::BadCharacterReference
        ) {
            // These errors are about bytes or documents, or about texts that are too long for an example.
            assert_eq!((explanation.example, explanation.fixed), ("", ""));
            continue;
        }
        let found = kinds(explanation.example);
        assert!(found.contains(&kind), "{kind:?}: {found:?}");
        let fixed = IriRef::parse(explanation.fixed);
        assert!(fixed.is_ok(), "{kind:?}: {}", explanation.fixed);
        // A correction does not make a URI of a text that is not one, nor an absolute reference of a relative one.
        assert!(!kinds(explanation.fixed).contains(&kind), "{kind:?} is in what is mended");
    }
}
