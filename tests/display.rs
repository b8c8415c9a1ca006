//! References as they are displayed: cases, the formatting test of Unicode, and the laws that a displayed reference
//! means the same and is found as a whole in running text.

use std::fs;

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::{Component, IriRef, Normalize, Rule, ToUri, UriRefBuf, percent};
use simd_iri_lint::{Code, Profile};
use simd_iri_lint::{DisplayIri, DisplayUts58};
use simd_iri_text::{Prepare, RepairSet};

use crate::cases::{rows, unicode};
use crate::support::{random, texts};

/// A reference, and how it is shown in both forms.
#[derive(Deserialize)]
struct Case {
    id: String,
    input: String,
    shown: String,
    uts58: String,
}

#[test]
fn every_case_is_shown_as_it_says() {
    let mut ran = 0;
    for case in rows::<Case>(&["shown", "uts58"]).into_iter().flat_map(|(_, cases)| cases) {
        let iri = IriRef::parse(&case.input).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let shown = DisplayIri::new().map(iri).unwrap();
        assert_eq!(shown.as_str(), case.shown, "{}", case.id);
        assert_eq!(shown.is_borrowed(), case.input == case.shown, "{}", case.id);
        assert_eq!(DisplayUts58::new().map(iri), case.uts58, "{}", case.id);
        obey(iri).unwrap_or_else(|failure| panic!("{}: {failure}", case.id));
        ran += 1;
    }
    println!("{ran} cases");
}

/// The structure in a comment of the test of Unicode, as a URI whose values are fully encoded.
fn uri(structure: &str) -> String {
    let mut out = String::new();
    let (mut has_query, mut has_fragment) = (false, false);
    for field in structure.split(['𝑺', '𝑯', '𝑷', '𝑸', '𝑽', '𝑭', '𝑫']).skip(1) {
        let mark = structure[..field.as_ptr() as usize - structure.as_ptr() as usize].chars();
        // A space separates the fields.
        let value = field.strip_prefix('=').unwrap();
        let value = value.strip_suffix([' ', '}']).unwrap();
        let before = match mark.last().unwrap() {
            '𝑷' => "/",
            '𝑸' if std::mem::replace(&mut has_query, true) => "&",
            '𝑸' => "?",
            '𝑽' => "=",
            '𝑭' => {
                has_fragment = true;
                "#"
            }
            '𝑫' if std::mem::replace(&mut has_fragment, true) => ":~:",
            '𝑫' => "#:~:",
            _ => {
                out.push_str(value);
                continue;
            }
        };
        out.push_str(before);
        for octet in value.bytes() {
            out.push_str(&format!("%{octet:02X}"));
        }
    }
    out
}

/// The sample of 18.0 has few pairs, and that of 17.0 is beside it. From 18.0 on, the first line of a pair is the structure
/// encoded, except where a value has a delimiter; in 17.0 a mark at the end of that line is not encoded.
#[test]
#[ignore = "reads the data of UTS #58, which are not in the project"]
fn the_formatting_test_of_unicode() {
    let folder = unicode();
    for (folder, least) in [(folder.clone(), 5), (folder.with_file_name("unicode"), 26)] {
        let path = folder.join("LinkFormattingTest-sample.txt");
        if least == 26 && !path.exists() {
            println!("the sample of 17.0 is not at {path:?}");
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let mut structure = None;
        let (mut pairs, mut from_the_line) = (0, 0);
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(comment) = line.strip_prefix('#') {
                structure = comment.trim().strip_prefix('{').or(structure);
            } else if !line.is_empty() {
                let expected = lines.next().unwrap();
                let structure = structure.take().unwrap();
                let uri = uri(structure);
                let iri = IriRef::parse(&uri).unwrap();
                assert_eq!(DisplayUts58::new().map(iri), expected, "{structure}");
                let medial = DisplayUts58::new().medial(true).map(iri);
                assert_eq!(medial, expected.replace("%2E", "."), "{structure}");
                assert_eq!(seen(expected), expected.len(), "{expected}");
                // A line with a delimiter that belongs to a value is another reference, or none.
                let delimiters = ['/', '?', '#', '&', '='];
                let is_same = line.matches(delimiters).eq(uri.matches(delimiters))
                    && percent::decode(line).utf8() == percent::decode(&uri).utf8();
                if let (true, Ok(encoded)) = (is_same, IriRef::parse(line)) {
                    assert_eq!(DisplayUts58::new().map(encoded), expected, "{line}");
                    from_the_line += 1;
                }
                pairs += 1;
            }
        }
        assert!(pairs >= least && from_the_line >= least / 2, "{pairs}, {from_the_line}: {path:?}");
        println!(
            "{pairs} pairs from their structure, {from_the_line} from their first line: {path:?}"
        );
    }
}

/// The effect of a character on the end of a link, for ASCII and the characters of the tests.
fn term(c: char) -> &'static str {
    match c {
        '!' | '"' | '\'' | ',' | '.' | ':' | ';' | '?' | '。' => "soft",
        '(' | '<' | '[' | '{' | '「' => "open",
        ')' | '>' | ']' | '}' | '」' => "close",
        '\0'..=' ' | '\x7F' | '\u{3000}' | '\u{E000}' => "hard",
        _ => "include",
    }
}

/// The end of a link that begins with a host, by UTS #58, word for word as the standard has it.
fn seen(text: &str) -> usize {
    let authority = text.find("://").map_or(0, |at| at + 3);
    let after =
        |from: usize, stops: &[char]| text[from..].find(stops).map_or(text.len(), |at| from + at);
    let path = after(authority, &['/', '?', '#']);
    let query = after(path, &['?', '#']);
    let fragment = after(query, &['#']);
    let mut safe = path;
    for (initiator, end, interior) in [
        (path, query, &["/"][..]),
        (query, fragment, &["=", "&"]),
        (fragment, text.len(), &[":~:"]),
    ] {
        let mut open = Vec::new();
        for (at, c) in text[..end].char_indices().skip_while(|(at, _)| *at < initiator) {
            if at == initiator || interior.iter().any(|mark| text[at..].starts_with(mark)) {
                open.clear();
            }
            let next = at + c.len_utf8();
            match term(c) {
                "include" => safe = next,
                "soft" => {}
                "hard" => return safe,
                "open" => {
                    open.push(c);
                    safe = next;
                }
                _ => {
                    let pairs = ["()", "<>", "[]", "{}", "「」"];
                    let opened = open.pop().map_or(String::new(), String::from) + &String::from(c);
                    if !pairs.contains(&opened.as_str()) {
                        return safe;
                    }
                    safe = next;
                }
            }
        }
    }
    safe
}

/// A reference by its values: the decoded texts between the delimiters.
fn values(iri: IriRef<'_>) -> Vec<(Option<char>, Vec<u8>)> {
    let parts = [(Some(iri.path()), &['/'][..]), (iri.query(), &['=', '&']), (iri.fragment(), &[])];
    let mut values = Vec::new();
    for (part, delimiters) in parts {
        for value in part.unwrap_or_default().split_inclusive(delimiters) {
            let delimiter = value.chars().last().filter(|c| delimiters.contains(c));
            let value = delimiter.map_or(value, |delimiter| value.strip_suffix(delimiter).unwrap());
            values.push((delimiter, percent::decode(value).bytes().unwrap().into_owned()));
        }
        values.push((part.map(|_| '#'), Vec::new()));
    }
    values
}

/// The URI, with domain names in the form of the DNS, in lower case, and with unreserved ASCII decoded.
fn to_uri(iri: IriRef<'_>) -> UriRefBuf {
    let uri = ToUri::new().idna(true).map(iri).or_else(|_| iri.to_uri()).unwrap();
    let only = Normalize::none().percent_encoding(true).case(true);
    uri.view().normalize(only).unwrap().into_owned()
}

const BIDI_CONTROLS: [char; 12] = [
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// The laws of a displayed reference.
fn obey(iri: IriRef<'_>) -> Result<(), TestCaseError> {
    let shown = DisplayIri::new().map(iri).unwrap();
    let view = shown.view();
    prop_assert_eq!(Rule::IriReference.parse(view.as_str()), Ok(view.parts()), "{}", iri);
    prop_assert_eq!(to_uri(view), to_uri(iri), "{}", iri);
    prop_assert!(DisplayIri::new().map(view).unwrap().is_borrowed(), "{}", iri);
    prop_assert!(!view.as_str().contains(BIDI_CONTROLS), "{}", iri);
    no_host_misleads(view)?;
    no_value_is_half_decoded(iri, view)?;
    let latin = DisplayIri::new().glyphs(|c| c <= 'ÿ').map(iri).unwrap();
    prop_assert!(latin.as_str().chars().all(|c| c <= 'ÿ'), "{}", iri);
    let again = DisplayIri::new().glyphs(|c| c <= 'ÿ').map(latin.view()).unwrap();
    prop_assert!(again.is_borrowed(), "{}: {}, {}", iri, latin, again);
    prop_assert_eq!(to_uri(latin.view()), to_uri(iri), "{}", iri);

    for medial in [false, true] {
        let text = DisplayUts58::new().medial(medial).map(iri);
        prop_assert!(!text.contains(BIDI_CONTROLS), "{}", iri);
        let back = Prepare::new(RepairSet::Rdf).prepare(&text);
        let back = back.unwrap_or_else(|error| panic!("{iri}: {text}: {error}"));
        let back = back.view();
        prop_assert_eq!(values(back), values(iri), "{}: {}", iri, text);
        prop_assert_eq!((back.scheme(), back.port()), (iri.scheme(), iri.port()));
    }
    Ok(())
}

/// No label of a displayed host is in letters of which the lint says that they mislead.
fn no_host_misleads(shown: IriRef<'_>) -> Result<(), TestCaseError> {
    for finding in &simd_iri_lint::lint(shown, Profile::Strict) {
        // An internal host is no other host than it seems to be.
        let is_judged = finding.code().name().starts_with("spoof.")
            && finding.code() != Code::SpoofInternalHost;
        if finding.component() == Component::Host && is_judged {
            let label = &shown.as_str()[finding.span()];
            prop_assert!(label.is_ascii(), "{}: {} in {}", shown, finding.code(), label);
        }
    }
    Ok(())
}

/// A value whose triplets are not UTF-8 keeps them. Values are what is between the delimiters of a query, and the other
/// components.
fn no_value_is_half_decoded(iri: IriRef<'_>, shown: IriRef<'_>) -> Result<(), TestCaseError> {
    let parts = |iri: IriRef<'_>| -> Vec<String> {
        let query = iri.query().unwrap_or_default().split(['&', ';', '=']);
        let others = [iri.userinfo(), Some(iri.path()), iri.fragment()];
        query.chain(others.into_iter().flatten()).map(str::to_owned).collect()
    };
    let (before, after) = (parts(iri), parts(shown));
    prop_assert_eq!(before.len(), after.len(), "{}", iri);
    for (value, shown) in before.iter().zip(&after) {
        if percent::decode(value).utf8().is_err() {
            let each = |c: char| if is_displayed(c) { c.to_string() } else { triplets(c) };
            prop_assert_eq!(shown, &value.chars().map(each).collect::<String>(), "{}", iri);
        }
    }
    Ok(())
}

/// Tells whether a character is displayed as itself in a query.
fn is_displayed(c: char) -> bool {
    let text = format!("?{c}");
    // The characters that the grammar does not allow are not tested here.
    IriRef::parse(&text).map_or(true, |iri| DisplayIri::new().map(iri).unwrap().is_borrowed())
}

fn triplets(c: char) -> String {
    c.to_string().bytes().map(|octet| format!("%{octet:02X}")).collect()
}

/// References of characters that matter here: delimiters, characters that are escaped and characters that are not.
fn references() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "/",
        "?",
        "#",
        "=",
        "&",
        ":",
        "~",
        ":~:",
        ".",
        "!",
        ",",
        ";",
        "'",
        "(",
        ")",
        "@",
        "+",
        "%28",
        "%29",
        "%5B",
        "%5D",
        "%3C",
        "%3E",
        "「",
        "」",
        "%E3%80%8C",
        "%E3%80%8D",
        "%22",
        "%2E",
        "%3A",
        "%7E",
        "%2F",
        "%3F",
        "%23",
        "%3D",
        "%26",
        "%2B",
        "%5C",
        "%25",
        "4",
        "1",
        "a",
        "é",
        "%C3%A9",
        "%C3",
        "%FF",
        "。",
        "%E3%80%82",
        "\u{3000}",
        "%E3%80%80",
        "%20",
        "%00",
        "\u{202E}",
        "%E2%80%8F",
        "中",
        "%ee%80%80",
        "%d2%DA",
        "%B7%d6",
        "%82%A0",
    ];
    proptest::collection::vec(proptest::sample::select(PIECES), 0..12)
        .prop_map(|pieces| pieces.concat())
}

#[test]
fn random_references_are_shown_as_they_are() {
    const STARTS: &[&str] =
        &["", "/", "//a.example/", "http://a.example/", "https://é.example?", "mailto:", "urn:"];
    random(1_000, (proptest::sample::select(STARTS), references()), |(start, rest)| {
        let text = format!("{start}{rest}");
        let Ok(iri) = IriRef::parse(&text) else { return Ok(()) };
        obey(iri)?;
        let shown = DisplayUts58::new().map(iri);
        // The question mark of an empty query cannot be escaped.
        let is_ended = iri.query() != Some("") || iri.fragment().is_some();
        if start.starts_with("http") && is_ended && iri.port().is_none() && iri.userinfo().is_none()
        {
            prop_assert_eq!(seen(&shown), shown.len(), "{}", shown);
            for (before, after) in [("", ""), ("See ", " on"), ("(", ". "), ("「", "。")] {
                let text = format!("{before}{shown}{after}");
                let links: Vec<_> = simd_iri_text::Extract::new().links(&text).collect();
                let found: Vec<_> = links.iter().map(|link| link.as_str()).collect();
                prop_assert_eq!(found, [&shown], "{}", text);
            }
            let medial = DisplayUts58::new().medial(true).map(iri) + "a";
            prop_assert_eq!(seen(&medial), medial.len(), "{}", medial);
        }
        Ok(())
    });
    random(500, texts(), |text| IriRef::parse(&text).map_or(Ok(()), obey));
}

/// Hosts of labels in all their forms, of look-alikes, and of characters that UTS #46 maps to others.
fn hosts() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "B",
        "1",
        "-",
        "--",
        "_",
        ".",
        ".",
        "é",
        "É",
        "ß",
        "ẞ",
        "ς",
        "İ",
        "ſ",
        "Ѱ",
        "р",
        "ӏ",
        "о",
        "%D0%B0",
        "%CD%B4",
        "%CD%B5",
        "\u{2B9}",
        "%CC%81",
        "e%CC%81",
        "%C2%AD",
        "\u{200D}",
        "\u{200C}",
        "%E2%80%8E",
        "\u{3002}",
        "%EF%BD%A1",
        "ａ",
        "＿",
        "①",
        "％",
        "א",
        "٣",
        "中",
        "ー",
        "々",
        "\u{E0100}",
        "%F3%A0%84%80",
        "xn--",
        "xn--80ak6aa92e",
        "xn--bcher-kva",
        "XN--BCHER-KVA",
        "xn--jqa59ea8qnr",
        "xn--a",
        "x%6E--99zt52a",
        "\u{378}",
        "%EE%80%80",
        "℡",
        "ﬁ",
        "tᴡitter",
        "xn--titter-345b",
        "аст",
        "日本ー",
        "ノ",
        "℀",
        "\u{2215}",
        "Ã©",
        "ɡ",
        "ѐ",
        "·",
        "þ",
        ".com",
        ".рф",
    ];
    proptest::collection::vec(proptest::sample::select(PIECES), 1..7)
        .prop_map(|pieces| pieces.concat())
}

#[test]
fn random_hosts_are_shown_as_they_are() {
    random(8_000, (hosts(), 0..8_usize), |(host, which)| {
        let scheme = if which == 0 { "other" } else { "http" };
        let text = format!("{scheme}://{host}/");
        if let Ok(iri) = IriRef::parse(&text) {
            obey(iri)?;
        }
        Ok(())
    });
    // A case that was found: a letter that is mapped makes the label another one to judge.
    for text in ["http://Ѱррӏ%CD%B4.", "http://%D0%B0рр%D3%8F%D0%B5/", "http://АРР\u{4C0}Е/"]
    {
        obey(IriRef::parse(text).unwrap()).unwrap();
    }
}

#[test]
fn brackets_and_escapes_without_end() {
    for (piece, other) in
        [("(", "%29"), ("%5B", "%5D"), ("%FF", "%25"), ("%C3%A9.", "%3A~"), ("a/", ")")]
    {
        let long = |piece: &str| piece.repeat(5_000);
        let text = format!("http://a.example/{}?{}#:~:{}", long("a("), long(piece), long(other));
        let iri = IriRef::parse(&text).unwrap();
        let shown = DisplayUts58::new().map(iri);
        assert!(shown.len() <= 2 * text.len());
        {
            let mut links = simd_iri_text::Extract::new().links(&shown);
            assert_eq!(links.next().map(|link| link.span()), Some(0..shown.len()));
        }
        assert!(DisplayIri::new().map(iri).unwrap().as_str().len() <= text.len());
    }
}

#[test]
fn every_character_is_shown_or_encoded() {
    let displayed = |c: char| {
        let text = format!("?{c}");
        let iri = IriRef::parse(&text).ok()?;
        let shown = DisplayIri::new().map(iri).unwrap();
        Some(shown.is_borrowed())
    };
    // A range of each kind, and its neighbours.
    for (seen, unseen) in [
        ('é', '\u{A0}'),
        ('\u{61B}', '\u{61C}'),
        ('\u{2010}', '\u{200B}'),
        ('\u{2027}', '\u{202E}'),
        ('\u{3001}', '\u{3000}'),
        ('\u{1F600}', '\u{E000}'),
        ('\u{377}', '\u{378}'),
        ('\u{FE10}', '\u{FE0F}'),
        ('\u{2FF0}', '\u{2065}'),
        ('\u{20000}', '\u{2FA1E}'),
    ] {
        assert_eq!((displayed(seen), displayed(unseen)), (Some(true), Some(false)), "{seen:?}");
    }
}
