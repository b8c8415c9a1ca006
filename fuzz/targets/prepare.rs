//! Any bytes: in every context and by every profile, the result is a reference or an error, and every repair has its
//! position. The list of repairs is bounded. With a base, the result has a scheme. What was prepared needs no repair in the same
//! context, with the same base.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri::{IriRef, Rule, iri};
use simd_iri_text::{Context, Prepare, RepairSet};

const CONTEXTS: [Context; 4] = [Context::Plain, Context::Typed, Context::Html, Context::Xml];
const REPAIR_SETS: [RepairSet; 5] = [
    RepairSet::Strict,
    RepairSet::Leiri,
    RepairSet::BrowserLike,
    RepairSet::Crawler,
    RepairSet::Rdf,
];

const BIDI_CONTROLS: [char; 12] = [
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

fuzz_target!(|bytes: &[u8]| {
    let text = std::str::from_utf8(bytes).ok();
    let valid = text.and_then(|text| IriRef::parse(text).ok());
    for profile in REPAIR_SETS {
        for context in CONTEXTS {
            let prepared = Prepare::new(profile).context(context).prepare_bytes(bytes);
            if let (Context::Plain, Some(valid)) = (context, valid) {
                let reference = prepared.as_ref().expect("a reference").clone().into_reference();
                assert!(reference.is_borrowed());
                assert_eq!(reference.view(), valid);
            }
            let spans: Vec<_> = match &prepared {
                Ok(prepared) => {
                    let view = prepared.view();
                    assert_eq!(Rule::IriReference.parse(view.as_str()), Ok(view.parts()));
                    let count = prepared.repairs().len();
                    assert!(count <= 1_000 && (count == 1_000 || prepared.unlisted_repairs() == 0));
                    let is_changed = text != Some(view.as_str());
                    assert!(!is_changed || !prepared.repairs().is_empty(), "{view}");
                    // In HTML and XML, `&` of the result would begin a character reference again.
                    let is_decoded = matches!(context, Context::Html | Context::Xml);
                    let context = if is_decoded { Context::Plain } else { context };
                    needs_no_repair(Prepare::new(profile).context(context), view);
                    // A character reference is a way to write one.
                    if matches!(context, Context::Plain | Context::Typed) {
                        let count = |text: &str| text.matches(BIDI_CONTROLS).count();
                        let given = bytes.utf8_chunks().map(|chunk| count(chunk.valid())).sum();
                        assert!(count(view.as_str()) <= given, "{view}");
                    }
                    prepared.repairs().iter().map(|repair| repair.span()).collect()
                }
                Err(error) => {
                    let _ = error.to_string();
                    vec![error.span()]
                }
            };
            for span in spans {
                assert!(span.start <= span.end && span.end <= bytes.len(), "{span:?}");
                let is_boundary = |at| text.is_none_or(|text| text.is_char_boundary(at));
                assert!(is_boundary(span.start) && is_boundary(span.end), "{span:?}");
            }
        }
        for base in [iri!("http://h/b/c?q"), iri!("file://h/D:/x"), iri!("foo:b")] {
            let prepare = Prepare::new(profile).base(base);
            if let Ok(prepared) = prepare.prepare_bytes(bytes) {
                let view = prepared.view();
                assert_eq!(Rule::IriReference.parse(view.as_str()), Ok(view.parts()));
                assert!(view.scheme().is_some(), "{view}");
                needs_no_repair(prepare, view);
            }
        }
        if let Some(text) = text {
            let count = Prepare::new(profile).prepare_each(text).count();
            assert_eq!(count, text.split_ascii_whitespace().count());
        }
    }
});

fn needs_no_repair(prepare: Prepare<'_>, view: IriRef<'_>) {
    let again = prepare.prepare(view.as_str()).expect("a reference");
    assert!(again.repairs().is_empty(), "{view}: {:?}", again.repairs());
    assert_eq!(again.view().as_str(), view.as_str());
}
