//! A byte that chooses the options, one that chooses the cuts, and a text. Links are parts of the source, whole and
//! in order, and the same at every CPU level and for every cut. They have the same reference if the text is escaped.
//! Reporting broken links changes no link. Each link is a reference or an error. From the same start, no link is longer
//! than in the strict way.
#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use simd_iri::parser::CpuLevel;
use simd_iri_text::{Ends, Extract, LinkKind, LinkStream, Markup, Schemes};

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
    let extract = extract.relative(how >> 5 & 1 == 1).broken(how >> 6 & 1 == 1);
    let extract = extract.ends(match (how >> 7, cut & 1) {
        (0, _) => Ends::Strict,
        (_, 0) => Ends::Tight,
        _ => Ends::Ascii,
    });
    if let Ok(text) = std::str::from_utf8(bytes) {
        obey(extract, text);
        escape(extract, text);
        shorter(extract, text);
        let whole: Vec<_> = extract
            .links(text)
            .map(|link| (link.span().start as u64, link.as_str().to_owned(), link.kind()))
            .collect();
        // A limit that no text reaches.
        assert_eq!(streamed(extract, bytes, usize::from(*cut).max(1), u32::MAX), whole, "{text:?}");
    }
    // A limit of 64 bytes, at which words are cut.
    let step = usize::from(*cut).max(1);
    assert_eq!(streamed(extract, bytes, step, 0), streamed(extract, bytes, bytes.len().max(1), 0));
});

fn obey(extract: Extract<'_>, text: &str) {
    let links: Vec<_> = extract.links(text).collect();
    let mut done = 0;
    for link in &links {
        let span = link.span();
        assert!(done <= span.start && span.start < span.end, "{span:?} {text:?}");
        assert_eq!(text.get(span.clone()), Some(link.as_str()), "{text:?}");
        done = span.end;
        let is_relative = link.kind() == LinkKind::Relative || link.broken().is_some();
        if let Ok(prepared) = link.prepare() {
            assert!(is_relative || prepared.view().scheme().is_some(), "{text:?}");
            for repair in prepared.repairs() {
                assert!(link.as_str().get(repair.span()).is_some(), "{repair:?} {text:?}");
            }
        }
    }
    for level in CpuLevel::available() {
        assert!(extract.at(level).links(text).eq(links.iter().copied()), "{}", level.name());
    }
    let all = extract.broken(true).links(text).filter(|link| link.broken().is_none());
    assert!(all.eq(extract.broken(false).links(text)), "{text:?}");
}

/// Links of a way beside strict, and the strict links that begin at the same places.
fn shorter(extract: Extract<'_>, text: &str) {
    let extract = extract.broken(false);
    let strict: HashMap<_, _> = extract
        .ends(Ends::Strict)
        .links(text)
        .map(|link| (link.span().start, link.span().end))
        .collect();
    for link in extract.links(text) {
        let end = strict.get(&link.span().start);
        assert!(end.is_none_or(|end| link.span().end <= *end), "{} {text:?}", link.as_str());
    }
}

/// In a log, every character as an escape: the same links.
fn escape(extract: Extract<'_>, text: &str) {
    let extract = extract.markup(Markup::Log);
    if text.contains('\\') {
        return;
    }
    let mut escaped = String::new();
    for c in text.chars() {
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
    }
    let meant = extract.links(&escaped).map(|link| link.meaning().into_owned());
    assert!(meant.eq(extract.links(text).map(|link| link.as_str().to_owned())), "{text:?}");
}

type Found = (u64, String, LinkKind);

fn streamed(extract: Extract<'_>, bytes: &[u8], step: usize, limit: u32) -> Vec<Found> {
    let mut stream = LinkStream::new(extract, limit);
    let mut found = Vec::new();
    for piece in bytes.chunks(step) {
        stream.push(piece, |at, link| found.push((at, link.as_str().to_owned(), link.kind())));
    }
    stream.finish(|at, link| found.push((at, link.as_str().to_owned(), link.kind())));
    found
}
