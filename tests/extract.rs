//! Links in running text: the sample of Unicode line by line, our own cases, and laws. No character is split, spans
//! are in order, cuts and levels make no difference, and an embedded reference is found.

use std::fs;
use std::path::Path;

use icu_properties::props::{BinaryProperty, DefaultIgnorableCodePoint};
use proptest::prelude::*;
use serde::Deserialize;
use simd_iri_codegen::{LinkData, links};
use simd_iri_text::{Broken, Ends, Extract, LinkKind, LinkStream, Markup, Schemes};

use crate::cases;
use crate::cases::unicode;
use crate::support::{LEVELS, random};

/// The characters before and after a link, as in the test file of UTS #58.
const MARKS: [char; 2] = ['\u{2E20}', '\u{2E21}'];
const MARKUPS: [Markup; 4] = [Markup::Plain, Markup::Log, Markup::Markdown, Markup::Html];

/// A text with its links marked.
fn marked(extract: Extract<'_>, text: &str) -> String {
    let [before, after] = MARKS;
    let (mut out, mut done) = (String::new(), 0);
    for link in extract.links(text) {
        let span = link.span();
        assert!(done <= span.start && span.start < span.end, "{span:?} after {done}: {text:?}");
        assert_eq!(text.get(span.clone()), Some(link.as_str()), "{text:?}");
        out.push_str(&text[done..span.start]);
        out.extend([before]);
        out.push_str(link.as_str());
        out.extend([after]);
        done = span.end;
    }
    out + &text[done..]
}

/// The same at every CPU level.
fn marked_alike(extract: Extract<'_>, text: &str) -> String {
    let mut texts = LEVELS.iter().map(|level| (level, marked(extract.at(*level), text)));
    let (_, first) = texts.next().unwrap();
    for (level, text) in texts {
        assert_eq!(text, first, "{}", level.name());
    }
    first
}

#[test]
#[ignore = "reads the data of UTS #58, which are not in the project"]
fn the_table_is_what_the_generator_makes() {
    let folder = unicode();
    let read = |name| fs::read_to_string(folder.join(name)).unwrap();
    let (term, bracket, email) =
        (read("LinkTerm.txt"), read("LinkBracket.txt"), read("LinkEmail.txt"));
    let made = links(LinkData { term: &term, bracket: &bracket, email: &email }).unwrap();
    let kept = Path::new(crate::ROOT).join("crates/text/src/link_tables/data.rs");
    assert!(fs::read_to_string(kept).unwrap() == made, "made anew: its first lines say how");
}

#[test]
#[ignore = "reads the data of UTS #58, which are not in the project"]
fn the_sample_of_unicode_line_by_line() {
    let folder = unicode();
    let text = fs::read_to_string(folder.join("LinkDetectionTest-sample.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut count = 0;
    for line in lines {
        assert_eq!(marked_alike(Extract::new(), &line.replace(MARKS, "")), line);
        count += 1;
    }
    assert!(count > 100);
    println!("{count} lines");
}

/// A case: a text in which the links are marked.
#[derive(Deserialize)]
struct Row {
    id: String,
    marked: String,
    markup: Option<String>,
    schemes: Option<ListOrAny>,
    bare: Option<bool>,
    relative: Option<bool>,
    prepared: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ListOrAny {
    List(Vec<String>),
    Any(String),
}

#[test]
fn links_where_they_are_and_nowhere_else() {
    let mut count = 0;
    for row in cases::rows::<Row>(&["marked"]).into_iter().flat_map(|(_, rows)| rows) {
        let list: Vec<&str> = match &row.schemes {
            Some(ListOrAny::List(list)) => list.iter().map(String::as_str).collect(),
            _ => vec![],
        };
        let schemes = match &row.schemes {
            None => Schemes::Web,
            Some(ListOrAny::List(_)) => Schemes::Only(&list),
            Some(ListOrAny::Any(any)) => {
                assert_eq!(any, "any");
                Schemes::Any
            }
        };
        let markup = match row.markup.as_deref() {
            None => Markup::Plain,
            Some("log") => Markup::Log,
            Some("markdown") => Markup::Markdown,
            Some("html") => Markup::Html,
            Some(other) => panic!("{}: no markup {other}", row.id),
        };
        let extract = Extract::new().schemes(schemes).markup(markup);
        let extract = extract.bare(row.bare.unwrap_or(true));
        let extract = extract.relative(row.relative.unwrap_or(false));
        let text = row.marked.replace(MARKS, "");
        // At every offset relative to a block.
        for pad in (0..66).step_by(13) {
            let padded = "\n".repeat(pad);
            let found = marked_alike(extract, &format!("{padded}{text}"));
            assert_eq!(found, padded + &row.marked, "{}", row.id);
        }
        if let Some(expected) = row.prepared {
            let prepared = extract.links(&text).map(|link| link.prepare().unwrap());
            let prepared: Vec<_> = prepared.map(|made| made.view().to_string()).collect();
            assert_eq!(prepared, expected, "{}", row.id);
        }
        count += 1;
    }
    println!("{count} cases");
}

/// Texts of parts that matter for detection.
fn running_texts() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "http://",
        "https://",
        "HTTP:",
        "mailto:",
        "urn:",
        "a.com",
        "example.org",
        "例え。jp",
        "ann@",
        "@",
        ".",
        ":",
        "/",
        "?",
        "#",
        "=",
        "&",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "\"",
        "'",
        "`",
        "*",
        "_",
        " ",
        "\n",
        ",",
        "!",
        "a",
        "b-",
        "é",
        "中",
        "公司",
        "。",
        "，",
        "｜",
        "（",
        "）",
        "」",
        "ｃｏｍ",
        "xn--",
        "[::1]",
        ":80",
        "%41",
        "%",
        "\u{202A}",
        "\u{202C}",
        "\u{2069}",
        "\u{200E}",
        "\u{200B}",
        "\u{301}",
        "😀",
        "\u{E000}",
        "\0",
        "](",
        "&amp;",
        "&#46;",
        "&nbsp;",
        "&copy",
        "\\",
        "\\_",
        "\\/",
        "\\u0026",
        "\\ud83d\\ude00",
        "](http://",
        "](<",
        "\n\n",
        "\n[a]: ",
        "```",
        "~~~\n",
        "<a href=",
        "<b title='",
        " src=\"",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "</p>",
        "|",
        "\u{1B}",
        "\u{1B}[36m",
        "\u{9B}1;4m",
        "\u{1B}]8;;http://a.com/b.",
        "\u{9D}0;c.com",
        "\u{9C}",
        "\u{7}",
        "\u{1B}\\",
        "\u{AD}",
        "\u{200D}",
        "\u{FE0F}",
        "git@a.com:b/c.com",
        "@https://",
        ":~:",
    ];
    let piece = prop_oneof![
        20 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => (0..80_usize).prop_map(|count| "x".repeat(count)),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn extracts() -> impl Strategy<Value = Extract<'static>> {
    let schemes = [Schemes::Web, Schemes::Any, Schemes::Only(&["urn", "http"])];
    let chosen = (
        (proptest::sample::select(&MARKUPS[..]), proptest::sample::select(Ends::ALL)),
        0..3_usize,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    );
    chosen.prop_map(move |((markup, ends), number, bare, relative, broken)| {
        let extract = Extract::new().markup(markup).ends(ends).schemes(schemes[number]).bare(bare);
        extract.relative(relative).broken(broken)
    })
}

#[test]
fn spans_are_whole_and_in_order_at_every_level() {
    random(400, (running_texts(), extracts()), |(text, extract)| {
        let found = marked_alike(extract, &text);
        prop_assert_eq!(found.replace(MARKS, ""), text.replace(MARKS, ""));
        for link in extract.links(&text) {
            let meaning = link.meaning();
            let last = meaning.chars().next_back().unwrap();
            let is_whole = meaning.contains(':') || link.kind() == LinkKind::Relative;
            prop_assert!(!is_bidi_control(last) || is_whole || link.broken().is_some(), "{link:?}");
            if link.escapes().is_none() && link.broken().is_none() {
                let mut back = meaning.chars().rev();
                let is_style = matches!(back.next(), Some('\u{FE0E}' | '\u{FE0F}'))
                    && back.next() == Some('😀');
                // An address of OSC 8 is whole, too.
                prop_assert!(!is_invisible(last) || is_style || text.contains("8;;"), "{text:?}");
            }
            // Whether or not it contains a reference.
            let _ = link.prepare();
        }
        Ok(())
    });
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// `Default_Ignorable_Code_Point`.
fn is_invisible(c: char) -> bool {
    DefaultIgnorableCodePoint::for_char(c)
}

/// A reader does not see an invisible character, so it is no part of the link before it or after it.
#[test]
fn no_invisible_character_is_around_a_link() {
    let mut count = 0;
    for c in ('\0'..=char::MAX).filter(|c| is_invisible(*c)) {
        for link in [
            "http://a.com",
            "https://a.com/y",
            "http://a.com/?b=(c)",
            "a.com",
            "a.com/é#f",
            "ann@a.com",
        ] {
            for (before, after) in [("", ""), ("見る ", ""), ("", " is"), ("(", ")"), ("", ". ")]
            {
                for ends in Ends::ALL {
                    let found = |text: &str| {
                        let links = Extract::new().ends(*ends).links(text);
                        links.map(|link| link.as_str().to_owned()).collect::<Vec<_>>()
                    };
                    let ascii = link.replace('é', "");
                    let link = if *ends == Ends::Ascii { ascii.as_str() } else { link };
                    for text in [
                        format!("{before}{link}{c}{after}"),
                        format!("{before}{link}{c}{c}\u{AD}{after}"),
                        format!("{before}{c}{link}{after}"),
                    ] {
                        assert_eq!(found(&text), [link], "{text:?} {ends:?}");
                        count += 1;
                    }
                }
            }
        }
    }
    // What a script or an emoji needs stays inside, and a style stays with its emoji.
    for link in
        ["http://a.com/می\u{200C}خواهم", "http://a.com/👩\u{200D}💻", "http://a.com/❤\u{FE0F}"]
    {
        assert_eq!(marked_alike(Extract::new(), link), format!("\u{2E20}{link}\u{2E21}"));
    }
    println!("{count} texts");
}

/// The texts between sequences of a terminal have the links that they have alone.
#[test]
fn sequences_of_terminals_are_delimiters() {
    const SEQUENCES: [&str; 16] = [
        "\u{1B}[36m",
        "\u{1B}[m",
        "\u{1B}[1;34;4m",
        "\u{1B}[38:2::1:2:3m",
        "\u{1B}[01;31m\u{1B}[K",
        "\u{1B}[?25h",
        "\u{1B}[!p",
        "\u{1B}(B",
        "\u{1B}7",
        "\u{9B}36m",
        "\u{9B}1;4m",
        "\u{1B}]0;see@b.com\u{7}",
        "\u{1B}]2;http://b.com\u{1B}\\",
        "\u{9D}7;b.com/c\u{9C}",
        "\u{9D}8;;\u{9C}",
        "\u{1B}]8;id=1;\u{7}",
    ];
    let controls: &[char] = &['\u{1B}', '\u{9B}', '\u{9D}', '\u{9C}', '\u{7}'];
    let pieces = proptest::collection::vec(
        (running_texts(), proptest::sample::select(&SEQUENCES[..])),
        1..5,
    );
    let markups = proptest::sample::select(&[Markup::Plain, Markup::Log][..]);
    random(800, (pieces, extracts(), markups), |(pieces, extract, markup)| {
        let extract = extract.markup(markup).broken(false);
        let (mut text, mut expected) = (String::new(), Vec::new());
        for (piece, sequence) in pieces {
            // Without the end of a line, which would end a sequence before it.
            let piece = piece.replace(controls, "");
            expected.extend(extract.links(&piece).map(|link| {
                (text.len() + link.span().start, link.as_str().to_owned(), link.kind())
            }));
            text += &piece;
            text += sequence;
        }
        for level in LEVELS.iter() {
            let links = extract.at(*level).links(&text);
            let found: Vec<_> = links
                .map(|link| (link.span().start, link.as_str().to_owned(), link.kind()))
                .collect();
            prop_assert_eq!(&found, &expected, "{:?} {}", text, level.name());
        }
        // The same controls as bytes, in a text that is not UTF-8.
        let mut bytes = Vec::new();
        for c in text.chars() {
            match c {
                '\u{9B}' | '\u{9D}' | '\u{9C}' => bytes.push(c as u8),
                c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        let found = streamed(extract, &bytes, &[], 1 << 20);
        let found: Vec<&String> = found.iter().map(|(_, link)| link).collect();
        let expected: Vec<&String> = expected.iter().map(|(_, link, _)| link).collect();
        prop_assert_eq!(&found, &expected, "{:?}", text);
        Ok(())
    });
}

/// OSC 8 delimits its address, whatever it ends with, and the text that it is shown with is text.
#[test]
fn the_address_of_a_hyperlink_is_a_link() {
    for address in [
        "http://a.com/b.",
        "HTTPS://a.com:8/(b",
        "mailto:ann@a.com?",
        "http://u@a.com/é!",
        "http://[::1]/*",
    ] {
        for begin in ["\u{1B}]8;", "\u{9D}8;"] {
            for parameters in ["", "id=x", "id=1:a=b.com"] {
                for end in ["\u{7}", "\u{1B}\\", "\u{9C}"] {
                    for shown in ["here", "http://c.com", "www.c.com.", "ann@c.com"] {
                        let close = format!("{begin};{end}");
                        let text =
                            format!("x{begin}{parameters};{address}{end}{shown}{close}y.com");
                        for markup in [Markup::Plain, Markup::Log] {
                            let extract = Extract::new().markup(markup);
                            let links: Vec<_> =
                                extract.links(&text).map(|link| link.as_str().to_owned()).collect();
                            let mut expected = vec![address.to_owned()];
                            if shown != "here" {
                                expected.push(shown.trim_end_matches('.').to_owned());
                            }
                            expected.push("y.com".to_owned());
                            assert_eq!(links, expected, "{text:?}");
                        }
                        let ftp = text.replace(address, "ftp://a.com/b");
                        let any = Extract::new().schemes(Schemes::Any);
                        assert_eq!(any.links(&ftp).next().unwrap().as_str(), "ftp://a.com/b");
                        assert!(
                            Extract::new().links(&ftp).all(|link| !link.as_str().contains("a.com"))
                        );
                    }
                }
            }
        }
    }
}

/// With `tight`, a scheme may stand after each character but those that schemes have.
#[test]
fn a_tight_scheme_stands_after_every_other_character() {
    for c in ('!'..='~').chain("é中。（“\u{1F600}".chars()) {
        for (before, after) in [("", ""), ("x", ""), ("x=", ""), ("cc (", ")"), ("-d ", " -v")] {
            let text = format!("{before}{c}https://example.org/x{after}");
            let links = Extract::new().ends(Ends::Tight).links(&text);
            let found: Vec<_> = links.map(|link| link.as_str()).collect();
            let is_of_schemes = c.is_ascii_alphanumeric() || "+-.".contains(c);
            let expected: &[&str] = if is_of_schemes { &[] } else { &["https://example.org/x"] };
            assert_eq!(found, expected, "{text}");
        }
    }
}

/// What is after a colon, a slash or an at sign on a host is no e-mail address (RFC 5322, section 3.4.1).
#[test]
fn accounts_on_hosts_are_no_mail_addresses() {
    let mut count = 0;
    for local in ["git", "ann.b", "a+b", "user_1"] {
        for domain in ["github.com", "h.co.uk", "例え.com", "sub.a.org"] {
            let mail = format!("{local}@{domain}");
            for rest in [
                ":org/repo.git",
                ":a.com/repo",
                ":/path",
                ":~/x",
                ":8080",
                "::mod",
                "::mod/b.com",
                "/inbox",
                "/b.com",
                "@c",
                "@c.com",
                ":./x",
                ":2x/a@b.com",
                ":_x",
                "/~x",
                ":a",
            ] {
                for (before, after) in [("", ""), ("git clone ", " x"), ("(", ")"), ("\"", "\",")] {
                    let text = format!("{before}{mail}{rest}{after}");
                    for markup in MARKUPS {
                        let extract = Extract::new().markup(markup);
                        assert_eq!(marked_alike(extract, &text), text);
                        count += 1;
                    }
                }
            }
            for after in [
                "",
                ":",
                ": b",
                ".",
                ", b",
                "/",
                "/ b",
                ")",
                ":\n",
                "? ",
                "!",
                ":)",
                "&lt;",
                ":1234/forum/q?r=s#t",
                "/foo/bar",
                "/bob@example.com",
            ] {
                let text = format!("to {mail}{after}");
                let links = Extract::new().links(&text).map(|link| link.as_str());
                assert!(links.eq([mail.as_str()]), "{text}");
                count += 1;
            }
        }
    }
    println!("{count} texts");
}

#[test]
fn every_short_text_has_the_same_links_at_every_level() {
    const PIECES: [&str; 11] = ["a", "9", ":", "/", ".", "@", "é", " ", "http", "com", "-"];
    let mut count = 0;
    for number in 0..PIECES.len().pow(4) {
        let places = [1, 11, 121, 1331].map(|unit| PIECES[number / unit % 11]);
        let text = places.concat();
        for schemes in [Schemes::Web, Schemes::Any] {
            for bare in [false, true] {
                let extract = Extract::new().schemes(schemes).bare(bare).broken(true);
                let links: Vec<_> = extract.links(&text).collect();
                for level in LEVELS.iter().copied() {
                    let found = extract.at(level).links(&text);
                    assert!(found.eq(links.iter().copied()), "{text:?} {}", level.name());
                    count += 1;
                }
            }
        }
    }
    println!("{count} texts at some level");
}

#[test]
fn what_is_broken_is_told_of_and_changes_no_link() {
    random(400, (running_texts(), extracts()), |(text, extract)| {
        let links: Vec<_> = extract.broken(false).links(&text).collect();
        let all: Vec<_> = extract.broken(true).links(&text).collect();
        prop_assert!(links.iter().all(|link| link.broken().is_none()));
        prop_assert!(all.iter().filter(|link| link.broken().is_none()).eq(&links), "{text:?}");
        let pairs = all.windows(2);
        for pair in pairs {
            prop_assert!(pair[0].span().end <= pair[1].span().start, "{text:?}");
        }
        Ok(())
    });
    for (markup, text, expected) in [
        (Markup::Plain, "http://-a.example/b", Some(("http://-a.example", Broken::Host))),
        (Markup::Plain, "http://[::g]/ c", Some(("http://[::g]", Broken::Host))),
        (Markup::Plain, "http://u@example.com/b", Some(("http://u@example.com", Broken::Userinfo))),
        (
            Markup::Plain,
            "xhttp://example.com/b.",
            Some(("xhttp://example.com", Broken::WithinWord)),
        ),
        (Markup::Plain, "http:/a/b", Some(("http:/a", Broken::Slashes))),
        (Markup::Plain, "ann@localhost!", Some(("ann@localhost", Broken::Unregistered))),
        (Markup::Plain, "a..b@example.com", Some(("a..b@example.com", Broken::LocalPart))),
        (
            Markup::Plain,
            "www.example.invalid.",
            Some(("www.example.invalid", Broken::Unregistered)),
        ),
        (Markup::Plain, "ftp://example.com/", Some(("ftp://example.com", Broken::Scheme))),
        (Markup::Plain, "a. b: c", None),
        (Markup::Html, "<a href='b c'>", Some(("b c", Broken::Relative))),
        (Markup::Markdown, "[a](b)", Some(("b", Broken::Relative))),
        (Markup::Log, r"http:\/\/-a\/", Some((r"http:\/\/-a", Broken::Host))),
    ] {
        let found = Extract::new().markup(markup).broken(true).links(text).next();
        let found = found.map(|link| (link.as_str(), link.broken().unwrap()));
        assert_eq!(found, expected, "{text}");
    }
}

/// Escapes each character of a text, or some, in the syntax of a format.
fn escaped(markup: Markup, text: &str, chosen: &[bool]) -> String {
    let mut out = String::new();
    for (c, is_chosen) in text.chars().zip(chosen.iter().cycle()) {
        let number = u32::from(c);
        match markup {
            Markup::Log if matches!(c, '"' | '\\') => out.extend(['\\', c]),
            Markup::Log if *is_chosen && c == '/' => out.push_str("\\/"),
            Markup::Log if *is_chosen => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            Markup::Html if *is_chosen || matches!(c, '&' | '<') => {
                out.push_str(&format!("&#x{number:x};"));
            }
            Markup::Markdown if *is_chosen || matches!(c, '\\' | '&') => match c {
                _ if c.is_ascii_punctuation() => out.extend(['\\', c]),
                _ => out.push_str(&format!("&#{number};")),
            },
            _ => out.push(c),
        }
    }
    out
}

#[test]
fn escapes_change_no_reference() {
    // No emphasis characters, which are part of a link if they are escaped.
    const PIECES: &[&str] = &[
        "http://",
        "https://a.example/",
        "b",
        "é",
        "😀",
        "/",
        "?",
        "=",
        "(",
        ")",
        "x@y.com",
        "a.com",
        ".",
        ",",
        "#",
        "%20",
        ":80",
        "urn:a:",
        "'",
        "\"",
        " ",
        "~",
        "..",
        "中",
    ];
    let pieces = proptest::collection::vec(proptest::sample::select(PIECES), 0..12);
    let texts = pieces.prop_map(|pieces| pieces.concat());
    let chosen = proptest::collection::vec(any::<bool>(), 1..9);
    random(400, (texts, chosen, extracts()), |(text, chosen, extract)| {
        let extract = extract.broken(false).relative(false);
        // White space may be escaped. Escaped white space ends no word of the source.
        for markup in [Markup::Log, Markup::Html, Markup::Markdown] {
            let extract = extract.markup(markup);
            let source = escaped(markup, &text, &chosen);
            let meant: Vec<_> =
                extract.links(&source).map(|link| link.meaning().into_owned()).collect();
            // As in a text without escapes, except for characters that only mean something to the markup.
            let plain: Vec<_> = extract.links(&text).map(|link| link.as_str().to_owned()).collect();
            prop_assert_eq!(&meant, &plain, "{} {:?}", source, extract);
        }
        Ok(())
    });
}

/// What a stream finds if its parts end at `cuts`.
fn streamed(extract: Extract<'_>, bytes: &[u8], cuts: &[usize], limit: u32) -> Vec<(u64, String)> {
    let mut stream = LinkStream::new(extract, limit);
    let mut found = Vec::new();
    let mut done = 0;
    for cut in cuts.iter().copied().chain([bytes.len()]) {
        stream.push(&bytes[done..cut], |at, link| found.push((at, link.as_str().to_owned())));
        done = cut;
    }
    stream.finish(|at, link| found.push((at, link.as_str().to_owned())));
    found
}

#[test]
fn cuts_make_no_difference() {
    let texts = (running_texts(), extracts(), any::<proptest::sample::Index>());
    let strays = proptest::collection::vec(any::<(proptest::sample::Index, u8)>(), 0..3);
    let cuts = proptest::collection::vec(any::<proptest::sample::Index>(), 0..6);
    random(400, (texts, strays, cuts), |((text, extract, at), strays, cuts)| {
        let place = |index: proptest::sample::Index, length: usize| index.index(length + 1);
        let whole: Vec<_> = extract
            .links(&text)
            .map(|link| (link.span().start as u64, link.as_str().to_owned()))
            .collect();
        let all: Vec<usize> = (1..text.len()).collect();
        prop_assert_eq!(&streamed(extract, text.as_bytes(), &[], 1 << 20), &whole);
        prop_assert_eq!(&streamed(extract, text.as_bytes(), &all, 1 << 20), &whole);
        prop_assert_eq!(
            &streamed(extract, text.as_bytes(), &[place(at, text.len())], 9999),
            &whole
        );
        // Bytes that are not UTF-8, and words beyond the limit.
        let mut bytes = text.repeat(3).into_bytes();
        for (index, byte) in strays {
            bytes.insert(place(index, bytes.len()), byte);
        }
        let mut cuts: Vec<_> = cuts.into_iter().map(|index| place(index, bytes.len())).collect();
        cuts.sort_unstable();
        let all: Vec<usize> = (1..bytes.len()).collect();
        let limited = streamed(extract, &bytes, &[], 0);
        prop_assert_eq!(&streamed(extract, &bytes, &cuts, 0), &limited);
        prop_assert_eq!(&streamed(extract, &bytes, &all, 0), &limited);
        Ok(())
    });
}

/// The program searches plain text and logs in blocks that end with white space.
#[test]
fn pieces_after_white_space_have_the_links_of_the_whole() {
    let cuts = proptest::collection::vec(any::<proptest::sample::Index>(), 0..6);
    let markups = proptest::sample::select(&[Markup::Plain, Markup::Log][..]);
    random(800, (running_texts(), extracts(), markups, cuts), |(text, extract, markup, cuts)| {
        let text = text.replace('\u{A0}', "\n") + " a.com\thttp://b.com\r\n" + &text;
        let extract = extract.markup(markup);
        let white: Vec<usize> =
            text.match_indices([' ', '\t', '\r', '\n']).map(|(at, _)| at + 1).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| white[cut.index(white.len())]).collect();
        for every in [false, true] {
            if every {
                cuts.clone_from(&white);
            }
            cuts.push(text.len());
            cuts.sort_unstable();
            let (mut found, mut start) = (Vec::new(), 0);
            for cut in &cuts {
                let links = extract.links(&text[start..*cut]);
                found.extend(
                    links.map(|link| (start + link.span().start, link.as_str(), link.kind())),
                );
                start = *cut;
            }
            let whole = extract.links(&text);
            let whole: Vec<_> =
                whole.map(|link| (link.span().start, link.as_str(), link.kind())).collect();
            prop_assert_eq!(&found, &whole);
        }
        Ok(())
    });
}

#[test]
fn every_short_html_may_be_cut_anywhere() {
    const PIECES: [&str; 12] =
        ["<", "</", "<!", "-->", "a", "://", ">", " ", " href=", "'", "http://a.com", "@"];
    let mut count = 0;
    for number in 0..PIECES.len().pow(4) {
        let places = [1, 12, 144, 1728].map(|unit| PIECES[number / unit % 12]);
        let text = places.concat();
        let extract = Extract::new().markup(Markup::Html).schemes(Schemes::Any).broken(true);
        let links = extract.links(&text);
        let whole: Vec<_> =
            links.map(|link| (link.span().start as u64, link.as_str().to_owned())).collect();
        let all: Vec<usize> = (1..text.len()).collect();
        assert_eq!(streamed(extract, text.as_bytes(), &all, 1 << 20), whole, "{text:?}");
        count += 1;
    }
    println!("{count} texts");
}

/// Valid IRIs of `http` that detection finds as a whole: no userinfo, brackets in pairs, and no punctuation at the
/// end.
fn web_iris() -> impl Strategy<Value = String> {
    const HOSTS: &[&str] = &[
        "a.example",
        "例え.jp",
        "ab.אבג",
        "[::1]",
        "127.0.0.1",
        "a:80",
        "مثال.com:8080",
        "x--y.com:",
    ];
    const PIECES: &[&str] = &[
        "a", "1", "é", "א", "دو", "中", "-", "_", "%20", "%D7%90", ".", ",", ";", ":", "!", "'",
        "(a)", "(א)", "$", "*", "+", "@", "😀",
    ];
    let part = |glue: &'static str| {
        let piece = proptest::sample::select(PIECES);
        proptest::collection::vec(piece, 0..5).prop_map(move |pieces| pieces.concat() + glue)
    };
    let path = proptest::collection::vec(part("a/"), 0..4).prop_map(|parts| parts.concat());
    let query = proptest::option::of(part("=א"));
    let fragment = proptest::option::of(part("ב"));
    (proptest::sample::select(HOSTS), path, query, fragment).prop_map(
        |(host, path, query, fragment)| {
            let query = query.map(|query| format!("?{query}")).unwrap_or_default();
            let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
            format!("http://{host}/{path}{query}{fragment}")
        },
    )
}

#[test]
fn what_is_embedded_is_found() {
    use simd_iri::Iri;
    use simd_iri_lint::{Direction, Embed, Marks};

    let around = proptest::sample::select(
        &[
            ("", ""),
            ("see ", " there"),
            ("ראה ", " שם"),
            ("(", ")."),
            ("«", "», "),
            ("انظر: ", "، "),
        ][..],
    );
    random(400, (web_iris(), around), |(text, (before, after))| {
        let iri = Iri::parse(&text).unwrap();
        for direction in [Direction::LeftToRight, Direction::RightToLeft] {
            for marks in [Marks::Embedding, Marks::Isolate] {
                let embed = Embed::new(direction).before(before).after(after).marks(marks);
                let embedded = format!("{before}{}{after}", embed.map(iri));
                for markup in MARKUPS {
                    let found: Vec<_> = Extract::new()
                        .markup(markup)
                        .links(&embedded)
                        .map(|link| link.as_str())
                        .collect();
                    prop_assert_eq!(&found, &[text.as_str()], "{:?}", embedded);
                }
            }
        }
        let prepared = Extract::new().links(&text).next().unwrap().prepare().unwrap();
        prop_assert!(prepared.repairs().is_empty());
        Ok(())
    });
}
