//! The readers of HTML, Markdown, sitemaps and N-Triples: html5ever, pulldown-cmark and oxttl find the same references
//! in any text, but for the texts that this file names. In every format, an address that does not change keeps its
//! bytes, and another is read back and changes nothing outside.
#![no_main]

#[path = "../../tests/peers.rs"]
mod peers;

use libfuzzer_sys::fuzz_target;
use oxttl::NTriplesParser;
use simd_iri::text::{Extract, Markup};
use simd_iri_cli::fuzzing::{ADDRESSED, addresses, replaced};

/// How deep quotes and lists of Markdown may be.
const DEEPEST: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // HTML and CommonMark replace it.
    if text.contains('\0') {
        return;
    }
    html(text);
    markdown(text);
    statements(text);
    for format in ADDRESSED {
        rewrite(format, bytes);
    }
});

fn read(markup: Markup, text: &str) -> Vec<String> {
    let links = Extract::new().markup(markup).text(false).relative(true).links(text);
    links.map(|link| link.meaning().replace("\r\n", "\n").replace('\r', "\n")).collect()
}

/// Tells whether a text has one of some parts, in any case of letters.
fn has(text: &str, parts: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    parts.iter().any(|part| text.contains(part))
}

fn html(text: &str) {
    // The tree of elements decides which end tags leave SVG and MathML, and which tags lists of options and sets of
    // frames have. `peers` does not split these attributes.
    let parts = ["<svg", "<math", "<select", "<frameset", "srcset", "style", "refresh"];
    if !has(text, &parts) {
        assert_eq!(read(Markup::Html, text), peers::html(text).0, "{text:?}");
    }
}

fn markdown(text: &str) {
    // pulldown-cmark ends a block of HTML only with the end tag of its element, and reads links in sections of
    // characters.
    let parts = ["<pre", "<script", "<style", "<textarea", "<![cdata["];
    let attributes = ["<svg", "<math", "<select", "<frameset", "srcset", "style", "refresh"];
    // It also reads controls as spaces before a destination, and as a part of one.
    let is_control = |c: char| c.is_ascii_control() && !"\t\n\r".contains(c);
    // In a declaration or an instruction in a quote, it reads the markers of the quote.
    let starts_with_letter = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let has_declaration = text.split("<!").skip(1).any(starts_with_letter);
    // After a tab, a quote ends a paragraph of another quote.
    let is_other =
        has_declaration || text.contains("<?") || text.contains("\t>") || text.contains(is_control);
    // simd-iri reads a limited depth of quotes and lists.
    let markers = |line: &str| line.matches(['>', '-', '+', '*', '.', ')']).count();
    let is_other = is_other || text.lines().any(|line| markers(line) > DEEPEST);
    if !has(text, &parts) && !has(text, &attributes) && !is_other {
        let mut found = read(Markup::Markdown, text);
        found.sort();
        // In a block of code, pulldown-cmark does not end a line at a carriage return alone, as CommonMark does.
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        assert_eq!(found, peers::markdown(&lines), "{text:?}");
    }
}

/// Each line that is a statement of N-Triples has the addresses that oxttl finds.
fn statements(text: &str) {
    for line in text.lines() {
        let mut statements = NTriplesParser::new().for_slice(line.as_bytes());
        let (Some(Ok(statement)), None) = (statements.next(), statements.next()) else { continue };
        let found = addresses("nt", line.as_bytes());
        let found: Vec<_> = found.into_iter().map(|(_, text)| text).collect();
        let mut expected = Vec::new();
        if let oxrdf::Subject::NamedNode(name) = &statement.subject {
            expected.push(name.as_str().to_owned());
        }
        expected.push(statement.predicate.as_str().to_owned());
        match &statement.object {
            oxrdf::Term::NamedNode(name) => expected.push(name.as_str().to_owned()),
            oxrdf::Term::Literal(literal) if has_datatype(line) => {
                expected.push(literal.datatype().as_str().to_owned());
            }
            _ => {}
        }
        let expected: Vec<_> = expected.into_iter().map(|name| Some(name.into_bytes())).collect();
        assert_eq!(found, expected, "{line:?}");
    }
}

/// Tells whether the literal at the end of a statement has a datatype.
fn has_datatype(line: &str) -> bool {
    line.rsplit('"').next().is_some_and(|after| after.starts_with("^^"))
}

/// Tells whether an address may decide what is around it in Markdown. A line with three backticks begins a block of code if it
/// has no other backtick. `[…]: …` defines a link if there are no other brackets, and the destination has no control and has
/// pairs of parentheses. `<a:…>` is an address if no space and no other `<` is in it.
fn decides(address: &[u8], document: &[u8]) -> bool {
    let has = |part: &[u8]| document.windows(part.len()).any(|it| it == part);
    let of_definitions = |byte: &u8| b"[]()".contains(byte) || byte.is_ascii_control();
    let of_autolinks = |byte: &u8| b"<> ".contains(byte);
    address.iter().any(of_autolinks) && has(b"<")
        || address.contains(&b'`') && has(b"```")
        || address.iter().any(of_definitions) && has(b"]:")
}

fn rewrite(format: &str, bytes: &[u8]) {
    let before = addresses(format, bytes);
    let mut done = 0;
    for (number, (span, text)) in before.iter().enumerate() {
        assert!(done <= span.start && span.start <= span.end, "{format}");
        done = span.end;
        let Some(text) = text else { continue };
        assert_eq!(replaced(format, bytes, number, text), bytes, "{format}");
        if format == "markdown" && decides(text, bytes) {
            continue;
        }
        let other = b"x-y:z?a&b='c'&lt;";
        let written = replaced(format, bytes, number, other);
        let after = addresses(format, &written);
        assert_eq!(after.len(), before.len(), "{format} {:?}", written.escape_ascii());
        for (place, (_, found)) in after.iter().enumerate() {
            let expected =
                if place == number { Some(&other[..]) } else { before[place].1.as_deref() };
            // Quotes inside quotes of a refresh are percent-encoded.
            let found =
                found.as_deref().map(|found| String::from_utf8_lossy(found).replace("%27", "'"));
            let expected = expected.map(|text| String::from_utf8_lossy(text).replace("%27", "'"));
            assert_eq!(found, expected, "{format} {:?}", written.escape_ascii());
        }
        if number > 8 {
            return;
        }
    }
}
