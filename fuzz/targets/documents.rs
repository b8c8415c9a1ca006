//! The readers of HTML, Markdown, sitemaps and N-Triples: html5ever, one of two parsers of Markdown, and oxttl find the same
//! references in any text, but for the texts that this file names. In every format, an address that does not change keeps
//! its bytes, and another is read back and changes nothing outside.
#![no_main]

#[path = "../../tests/peers.rs"]
mod peers;

use std::collections::BTreeSet;
use std::panic;

use libfuzzer_sys::fuzz_target;
use markdown::mdast::Node;
use oxttl::NTriplesParser;
use simd_iri_cli::fuzzing::{ADDRESSED, addresses, replaced};
use simd_iri_text::{Extract, Markup};

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
    let markers = |line: &str| line.matches(['>', '-', '+', '*', '.', ')']).count();
    let is_deep = text.lines().any(|line| markers(line) > DEEPEST);
    // The trees of `peers` are those of pages, not of a part of one.
    let parts = ["<svg", "<math", "<select", "<frameset", "srcset", "style", "refresh"];
    // pulldown-cmark reads controls as spaces before a destination, and as a part of one. Both parsers read tabs otherwise
    // than CommonMark: before a quote, in an item of a list, after a fence.
    let is_control = |c: char| c.is_ascii_control() && !"\n\r".contains(c);
    if is_deep || has(text, &parts) || text.contains(is_control) {
        return;
    }
    let mut found = read(Markup::Markdown, text);
    found.sort();
    // In a block of code, pulldown-cmark does not end a line at a carriage return alone.
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    // Where the two parsers differ, CommonMark agrees with one of them.
    if found != peers::markdown(&lines) {
        // The crate `markdown` panics on some texts, and then has no answer.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let second = panic::catch_unwind(|| second(&lines));
        panic::set_hook(hook);
        assert_eq!(found, second.unwrap_or_else(|_| found.clone()), "{text:?}");
    }
}

/// The references that the crate `markdown` finds, sorted.
fn second(text: &str) -> Vec<String> {
    let root = markdown::to_mdast(text, &markdown::ParseOptions::default())
        .expect("Markdown has no errors");
    let (mut found, mut labels, mut pending) = (Vec::new(), BTreeSet::new(), vec![&root]);
    while let Some(node) = pending.pop() {
        match node {
            Node::Link(link) => {
                let start = link.position.as_ref().map_or(0, |position| position.start.offset);
                // In an autolink, an address of mail has no scheme.
                let is_mail =
                    text[start..].starts_with('<') && !text[start + 1..].starts_with("mailto:");
                let address = link.url.strip_prefix("mailto:").filter(|_| is_mail);
                found.push(address.unwrap_or(&link.url).to_owned());
            }
            Node::Image(image) => found.push(image.url.clone()),
            // The first definition of a label counts.
            Node::Definition(definition) if labels.insert(&definition.identifier) => {
                found.push(definition.url.clone());
            }
            Node::Html(html) => found.extend(peers::html(&html.value).0),
            _ => {}
        }
        pending.extend(node.children().into_iter().flatten().rev());
    }
    found.retain(|found| !found.is_empty());
    found.sort();
    found
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

/// Tells whether the address at `start` may decide what is around it in Markdown.
///
/// - `<a:…>` is an address if no space and no other `<` is in it.
/// - `<?` ends with `?>` for Markdown, and with `>` for HTML; `<!` with `]]>` or `-->`.
/// - A line with three backticks begins a block of code if it has no other backtick.
/// - `[…](…)` is a link if what is in parentheses has no control, and pairs of parentheses.
/// - `[…]: …` defines a link. The address may be a part of the label, by which links name the definition, or end a title
///   with its quotes. The destination itself has no control, and pairs of parentheses.
fn decides(address: &[u8], start: usize, document: &[u8]) -> bool {
    let has = |part: &[u8]| document.windows(part.len()).any(|it| it == part);
    let of_autolinks = |byte: &u8| b"<> ".contains(byte);
    let of_destinations = |byte: &u8| b"[]()".contains(byte) || byte.is_ascii_control();
    let before = document.get(..start).unwrap_or_default();
    let before = before.strip_suffix(b"<").unwrap_or(before).trim_ascii_end();
    let is_definition = before.ends_with(b"]:");
    let of_ends = |byte: &u8| b"?]-".contains(byte);
    address.iter().any(of_autolinks) && has(b"<")
        || address.iter().any(of_ends) && (has(b"<?") || has(b"<!"))
        || address.contains(&b'`') && has(b"```")
        || address.iter().any(of_destinations) && (has(b"](") || is_definition)
        || has(b"]:") && !is_definition
}

fn rewrite(format: &str, bytes: &[u8]) {
    let before = addresses(format, bytes);
    let mut done = 0;
    for (number, (span, text)) in before.iter().enumerate() {
        assert!(done <= span.start && span.start <= span.end, "{format}");
        done = span.end;
        let Some(text) = text else { continue };
        assert_eq!(replaced(format, bytes, number, text), bytes, "{format}");
        if format == "markdown" && decides(text, span.start, bytes) {
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
