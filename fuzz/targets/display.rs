//! A reference: its displayed form is a reference, means the same, and has no bidi formatting character, also by the
//! policies of browsers, whose judgement does not depend on the spelling of a host. As text, it is read back with the same
//! values.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri::{IriRef, Normalize, Rule, ToUri, UriRefBuf, domain::host_to_ascii, percent};
use simd_iri_lint::DisplayPolicy;
use simd_iri_lint::{DisplayIri, DisplayUts58};
use simd_iri_text::{Prepare, RepairSet};

const BIDI_CONTROLS: [char; 12] = [
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

fuzz_target!(|text: &str| {
    let Ok(iri) = IriRef::parse(text) else { return };
    let policies = DisplayPolicy::ALL.iter().map(|policy| DisplayIri::new().policy(*policy));
    let displays = [DisplayIri::new(), DisplayIri::new().glyphs(|c| c <= '\u{5FF}')];
    for display in displays.into_iter().chain(policies) {
        let shown = display.map(iri).expect("room");
        let view = shown.view();
        assert_eq!(Rule::IriReference.parse(view.as_str()), Ok(view.parts()), "{iri}");
        assert_eq!(to_uri(view), to_uri(iri), "{iri}");
        let again = display.map(view).expect("room");
        assert!(again.is_borrowed(), "{iri}: {shown}, {again}");
        assert!(!view.as_str().contains(BIDI_CONTROLS), "{iri}");
    }
    let host = iri.host_str().unwrap_or_default();
    for policy in DisplayPolicy::ALL {
        let shown = policy.judge(host);
        assert!(shown.is_unicode() || !host.is_ascii() || host.contains(['-', '%']), "{host}");
        if let Ok(ascii) = host_to_ascii(host) {
            assert_eq!(policy.judge(&ascii), shown, "{host}");
        }
    }
    for medial in [false, true] {
        let text = DisplayUts58::new().medial(medial).map(iri);
        assert!(!text.contains(BIDI_CONTROLS), "{iri}");
        let back = Prepare::new(RepairSet::Rdf).prepare(&text);
        let back = back.unwrap_or_else(|error| panic!("{iri}: {text}: {error}"));
        assert_eq!(values(back.view()), values(iri), "{iri}: {text}");
    }
});

/// The URI, with domain names in the form of the DNS, in lower case, and with unreserved ASCII decoded.
fn to_uri(iri: IriRef<'_>) -> UriRefBuf {
    let uri = ToUri::new().idna(true).map(iri).or_else(|_| iri.to_uri()).expect("room");
    uri.view()
        .normalize(Normalize::none().percent_encoding(true).case(true))
        .expect("room")
        .into_owned()
}

/// The decoded texts between the delimiters.
fn values(iri: IriRef<'_>) -> Vec<Vec<u8>> {
    let parts = [(Some(iri.path()), &['/'][..]), (iri.query(), &['=', '&']), (iri.fragment(), &[])];
    let mut values = Vec::new();
    for (part, delimiters) in parts {
        values.push(part.map_or("none", |_| "some").into());
        for value in part.unwrap_or_default().split(delimiters) {
            values.push(percent::decode(value).bytes().expect("triplets").into_owned());
        }
    }
    values
}
