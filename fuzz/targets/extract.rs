//! A byte that chooses how, one that cuts, and a text: links are whole, in order, the same at every CPU
//! level and however the text is cut; and each is a reference or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_iri::CpuLevel;
use simd_iri::text::{Extract, LinkStream, Markup, Schemes};

fuzz_target!(|data: &[u8]| {
    let [how, cut, bytes @ ..] = data else { return };
    let markup = match how & 3 {
        0 => Markup::Plain,
        1 => Markup::Log,
        2 => Markup::Markdown,
        _ => Markup::Html,
    };
    let schemes = match how >> 2 & 3 {
        0 | 1 => Schemes::Web,
        2 => Schemes::Any,
        _ => Schemes::Only(&["urn", "ftp", "http"]),
    };
    let extract = Extract::new().markup(markup).schemes(schemes).bare(how >> 4 & 1 == 0);
    if let Ok(text) = str::from_utf8(bytes) {
        obey(extract, text);
    }
    // A limit of 64 bytes, at which words are cut.
    let step = usize::from(*cut).max(1);
    assert_eq!(streamed(extract, bytes, step), streamed(extract, bytes, bytes.len().max(1)));
});

fn obey(extract: Extract<'_>, text: &str) {
    let links: Vec<_> = extract.links(text).collect();
    let mut done = 0;
    for link in &links {
        let span = link.span();
        assert!(done <= span.start && span.start < span.end, "{span:?} {text:?}");
        assert_eq!(text.get(span.clone()), Some(link.as_str()), "{text:?}");
        assert!(!link.as_str().contains([' ', '\n', '\r', '\t']), "{text:?}");
        done = span.end;
        if let Ok(prepared) = link.prepare() {
            assert!(prepared.view().scheme().is_some(), "{text:?}");
        }
    }
    for level in CpuLevel::available() {
        assert!(extract.at_level(level).links(text).eq(links.iter().copied()), "{}", level.name());
    }
}

fn streamed(extract: Extract<'_>, bytes: &[u8], step: usize) -> Vec<(u64, String)> {
    let mut stream = LinkStream::new(extract, 0);
    let mut found = Vec::new();
    for piece in bytes.chunks(step) {
        stream.push(piece, |at, link| found.push((at, link.as_str().to_owned())));
    }
    stream.finish(|at, link| found.push((at, link.as_str().to_owned())));
    found
}
