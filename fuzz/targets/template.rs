//! A template, a reference, and values on the other lines. The template is a template or has an error in it. An expansion of
//! texts matches, and its captures expand to it again. So do the captures of the reference.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri::{IriRef, UriRef};
use simd_iri_template::{Captures, Match, Template, Value, Variables};

fuzz_target!(|text: &str| {
    let mut lines = text.split('\n');
    let (template, reference) =
        (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let template = match Template::parse(template) {
        Ok(template) => template,
        Err(error) => {
            assert!(template.get(error.span()).is_some());
            assert!(error.to_string().contains(&format!("at byte {}", error.span().start)));
            return;
        }
    };
    let _ = template.ambiguities();
    let names: Vec<&str> = template.variables().collect();
    let variables: Variables<'_> = names.iter().copied().zip(lines).collect();
    let uri = template.expand(&variables).expect("texts have prefixes");
    let iri = template.expand_iri(&variables).expect("texts have prefixes");
    assert!(uri.is_ascii());
    if let (Ok(_), Ok(iri)) = (UriRef::parse(&uri), IriRef::parse(&iri)) {
        assert_eq!(iri.to_uri().expect("room").as_str(), uri);
    }
    for text in [&*uri, &*iri, reference] {
        if let Some(captures) = template.match_uri(text) {
            check(&template, &captures, text);
        }
        let set = Match::new().query_as_set(true);
        if let Some(captures) = set.match_uri(&template, text) {
            for capture in &captures {
                capture.spans().iter().for_each(|span| assert!(text.get(span.clone()).is_some()));
            }
        }
    }
});

/// The captures lie in the text, and expand to the text, up to the spelling of triplets.
fn check(template: &Template, captures: &Captures<'_, '_>, text: &str) {
    for capture in captures {
        for (span, raw) in capture.spans().iter().zip(capture.raw()) {
            assert_eq!(text.get(span.clone()), Some(raw));
        }
        assert!(!matches!(capture.value(), Value::Map(_)));
    }
    let again = template.expand(&Variables::from(captures)).expect("no list has a prefix");
    assert_eq!(spelled(&again), spelled(text), "{template}");
}

/// The text with triplets in upper case, unreserved characters without triplets, and characters outside ASCII as triplets.
fn spelled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let (byte, is_triplet) = match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())
        {
            Some(byte) => (byte, true),
            None => (*first, false),
        };
        rest = if is_triplet { &after[2..] } else { after };
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || byte.is_ascii() && !is_triplet
        {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
