//! The readers of HTML and Markdown against the parsers that others keep, over generated documents; and the laws of
//! what is written over a reference. The fuzz target `documents` asks the same of any text.

use std::cell::Cell;

use proptest::prelude::*;
use simd_iri_text::{Extract, Markup};

use crate::peers;
use crate::support::random;

fn search(markup: Markup) -> Extract<'static> {
    Extract::new().markup(markup).text(false).relative(true)
}

/// The references of a document as the library reads them, and the base.
fn read(markup: Markup, text: &str) -> (Vec<String>, Option<String>) {
    let (mut found, mut base) = (Vec::new(), None);
    for link in search(markup).links(text) {
        // The parsers of others make one line break of two characters before they read.
        let meaning = link.meaning().replace("\r\n", "\n").replace('\r', "\n");
        if link.is_base() {
            base = Some(meaning.clone());
        }
        found.push(meaning);
    }
    (found, base)
}

fn documents(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(pieces);
    proptest::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

/// Parts of HTML. Elements of SVG and MathML are whole, because only a whole tree of elements knows which end tags
/// leave them.
const HTML: &[&str] = &[
    "<a href=",
    "<A HREF = ",
    "<img src=",
    "<base href=",
    "<BASE ",
    " href='",
    "\"",
    "'",
    ">",
    "/>",
    "</a>",
    " ",
    "\n",
    "\r\n",
    "u1",
    "/x y",
    "é",
    "&amp;",
    "&copy=1",
    "&copy",
    "&#x41;",
    "&#32;",
    "&NotEqualTilde;",
    "<!--",
    "-->",
    "--!>",
    "->",
    "-",
    "!",
    "<!",
    "<?x",
    "<!DOCTYPE html \"",
    "<script>",
    "</script>",
    "</script ",
    "<script",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "<textarea>",
    "</TEXTAREA>",
    "<template>",
    "</template>",
    "<iframe src=u3>",
    "</iframe>",
    "<noscript>",
    "</noscript>",
    "<xmp>",
    "</xmp>",
    "<noembed>",
    "</noembed>",
    "<plaintext>",
    "<p>",
    "</p>",
    "<div title='u1'>",
    "</div>",
    "<![CDATA[",
    "]]>",
    "<form action='u4'>",
    "</form>",
    "<a ping='u5 u6'",
    "<meta http-equiv=refresh content='0;url=u7'>",
    "<meta content=0;url=u8 http-equiv=REFRESH>",
    "<meta content=0;url=u8>",
    "<object data=u9 archive='u5 u6'>",
    "<b data=u9>",
    "<q cite=v1>",
    "<button formaction=v2>",
    "<i itemscope itemtype='v3 v4' itemid=v5>",
    "href=u10 href=u11>",
    "<a",
    "<",
    "</",
    "</>",
    "/",
    "=",
    "<svg><style><a xlink:href='v6'/></style></svg>",
    "<svg><title><script><a href=no></script><title><b href=no></title></title><![CDATA[<a href=no>]]></svg>",
    "<svg><base href=v7></svg>",
    "<svg><foreignObject><p><style><a href=no></style></p></foreignObject><a href=v8></a></svg>",
    "<math><mi><b href=v9></b></mi><script><a href=w1></a></script></math>",
    "<svg/><math/>",
    "<svg><p>",
];

#[test]
fn html_has_the_references_that_html5ever_finds() {
    let (texts, references) = (Cell::new(0), Cell::new(0));
    random(4000, documents(HTML, 30), |text| {
        let found = read(Markup::Html, &text);
        texts.set(texts.get() + 1);
        references.set(references.get() + found.0.len());
        prop_assert_eq!(found, peers::html(&text), "{:?}", text);
        Ok(())
    });
    assert!(references.get() * 4 > texts.get(), "{references:?} in {texts:?}");
}

/// Parts of Markdown. Not here: sections of characters and `<pre>`, which pulldown-cmark reads otherwise than the
/// specification says; `tests/data/links.jsonl` has them.
const MARKDOWN: &[&str] = &[
    "[a]",
    "(",
    ")",
    "[",
    "]",
    "](",
    "(u1)",
    "(<u2>",
    "<u 3>",
    " \"t\")",
    " 't'",
    "![",
    "`",
    "``",
    "```\n",
    "~~~",
    "\n",
    "\n\n",
    "    ",
    "  ",
    "\t",
    "> ",
    ">",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "10. ",
    "-\n",
    "---\n",
    "===\n",
    "# ",
    "[a]: u4\n",
    "[b]:\nu5 'x'\n",
    "[c]: <u6> \"",
    "\\",
    "\\[",
    "&amp;",
    "&copy;",
    "&copy",
    "*",
    "_",
    "<http://u7>",
    "<x@y.z>",
    "<b>",
    "<a href=\"u8\">",
    "<a href='",
    "'>",
    "<!--",
    "-->",
    "<div>\n",
    "</div>",
    "<?",
    "?>",
    "<!X ",
    "x",
    "é",
    "[a][b]",
    "[a][]",
    "[é]: /u9\n",
    "[É]",
    "<",
    "[x](u10)",
    "![i](u11)",
    "(a(b)c)",
    "\r\n",
    "\"",
    "***\n",
    "<i\n",
    "<div style='",
];

#[test]
fn markdown_has_the_destinations_that_pulldown_cmark_finds() {
    let (texts, references) = (Cell::new(0), Cell::new(0));
    random(8000, documents(MARKDOWN, 30), |text| {
        let (mut found, _) = read(Markup::Markdown, &text);
        texts.set(texts.get() + 1);
        references.set(references.get() + found.len());
        found.sort();
        // Of a value on several lines of a list, pulldown-cmark drops other white space.
        let plain = |found: Vec<String>| {
            let words = |text: &String| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            let mut plain: Vec<_> = found.iter().map(words).collect();
            plain.sort();
            plain
        };
        prop_assert_eq!(plain(found), plain(peers::markdown(&text)), "{:?}", text);
        Ok(())
    });
    assert!(references.get() * 4 > texts.get(), "{references:?} in {texts:?}");
}

/// What may be written over a reference.
fn texts() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "http://a/",
        "b",
        "é",
        "&",
        "&amp;",
        "&copy",
        "=",
        ";",
        "'",
        "\"",
        "(",
        ")",
        "<",
        ">",
        "\\",
        "*",
        ",",
        "/",
        "?",
        "#",
        "%20",
        "`",
        "mailto:x@y.z",
        "-",
        "[",
        "]",
        "&#x41",
    ];
    documents(PIECES, 8).prop_filter("an empty text is no reference", |text| !text.is_empty())
}

/// A reference that did not change has the same bytes. Another is read back, and nothing outside it changes: each other
/// reference is the same.
#[test]
fn what_is_written_is_read_back_and_nothing_else_changes() {
    const PAGES: &[&str] = &[
        "<a href='a&amp;b'> <a href=c> <a href=\"d\">",
        "<img src=a srcset='b 1x, c 2x' alt=x> <a ping=\"d e\">",
        "<p style=\"x:url(a) y:url('b') z:url(&quot;c&quot;)\" id=x>",
        "<meta http-equiv=refresh content='1;url=a'><meta http-equiv=refresh content=\"1;url='b'\">",
    ];
    const TEXTS: &[&str] =
        &["[a](b) ![c](<d> 't')\n\n[e]: f\n", "<http://a&amp;> [b](c\\_d&amp;e)", "> <a href=b>"];
    let cases = [(Markup::Html, PAGES), (Markup::Markdown, TEXTS)];
    for (markup, pages) in cases {
        for page in pages {
            let links: Vec<_> = search(markup).links(page).collect();
            assert!(!links.is_empty(), "{page}");
            for (number, link) in links.iter().enumerate() {
                let escapes = link.escapes().unwrap();
                let old = escapes.read(link.as_str()).into_owned();
                assert_eq!(escapes.write(link.as_str(), &old), link.as_str(), "{page}");
                random(100, texts(), |text| {
                    // A reference ends where its list does, has no quote of a refresh, and stays an autolink.
                    let is_autolink = page.get(..link.span().start).unwrap().ends_with('<')
                        && !page.get(..link.span().start).unwrap().ends_with("(<");
                    let text = match () {
                        () if is_autolink && markup == Markup::Markdown => format!("x-y:{text}"),
                        () => text,
                    };
                    let mut written = (*page).to_owned();
                    written.replace_range(link.span(), &escapes.write(link.as_str(), &text));
                    let found: Vec<_> = search(markup)
                        .links(&written)
                        .map(|link| link.escapes().unwrap().read(link.as_str()).into_owned())
                        .collect();
                    prop_assert_eq!(found.len(), links.len(), "{}", written);
                    for (place, found) in found.iter().enumerate() {
                        let link = &links[place];
                        let before = link.escapes().unwrap().read(link.as_str());
                        let expected = if place == number { &*text } else { &*before };
                        let plain = |text: &str| {
                            let text =
                                text.replace("%2C", ",").replace("%27", "'").replace("%22", "\"");
                            text.replace("%3C", "<").replace("%3E", ">")
                        };
                        prop_assert_eq!(plain(found), plain(expected), "{}", written);
                    }
                    Ok(())
                });
            }
        }
    }
}

/// An autolink of Markdown ends at each control, at a space, and at `<` and `>` (CommonMark, sections 2.1 and 6.5).
#[test]
fn each_character_of_ascii_in_an_autolink() {
    for c in (0..128_u8).map(char::from).filter(|c| !"\0\r\n".contains(*c)) {
        let text = format!("<ab:{c}c>");
        let links = Extract::new().markup(Markup::Markdown).text(false).relative(true);
        let found = links.links(&text).any(|link| link.as_str() == format!("ab:{c}c"));
        assert_eq!(found, !(c.is_ascii_control() || " <>".contains(c)), "{c:?}");
    }
}

/// Every text of one to five of these characters.
fn short_texts(chars: &[char]) -> impl Iterator<Item = String> {
    let digit = move |number: usize, place| chars[number / chars.len().pow(place) % chars.len()];
    (1..=5).flat_map(move |length| {
        let of_length = 0..chars.len().pow(length);
        of_length.map(move |number| (0..length).map(|place| digit(number, place)).collect())
    })
}

/// A destination of Markdown is read back, whatever its parentheses, angle brackets and backslashes.
#[test]
fn each_short_destination_is_read_back() {
    const CHARS: &[char] = &['(', ')', '\\', '<', '&', 'a'];
    let page = "[x](y) z";
    let link = search(Markup::Markdown).links(page).next().unwrap();
    for text in short_texts(CHARS) {
        let escapes = link.escapes().unwrap();
        let mut written = page.to_owned();
        written.replace_range(link.span(), &escapes.write(link.as_str(), &text));
        let found: Vec<_> = search(Markup::Markdown)
            .links(&written)
            .map(|link| link.escapes().unwrap().read(link.as_str()).into_owned())
            .collect();
        assert_eq!(found, [text], "{written}");
    }
}

/// HTML in Markdown ends where its first line says (CommonMark, section 4.6): at a blank line, or at an end of its own.
#[test]
fn html_in_markdown_ends_at_its_end() {
    for (open, close, ends_at_blank) in [
        ("<pre>", "</pre>", false),
        ("<script>", "</script>", false),
        ("<!--", "-->", false),
        ("<?x", "?>", false),
        ("<!X", ">", false),
        ("<![CDATA[", "]]>", false),
        ("<div>", "</div>", true),
        ("<b>", "</b>", true),
    ] {
        let text = format!("{open}\n[a](u1)\n\n[b](u2)\n{close}\n\n[c](u3)\n");
        let links = search(Markup::Markdown).links(&text);
        let found: Vec<_> = links.map(|link| link.as_str().to_owned()).collect();
        let expected: &[&str] = if ends_at_blank { &["u2", "u3"] } else { &["u3"] };
        assert_eq!(found, expected, "{text}");
    }
}

/// A title of a link ends at its quote, and a backslash hides a quote (CommonMark, section 6.3).
#[test]
fn titles_are_those_that_pulldown_cmark_finds() {
    for title in short_texts(&['"', '\'', '(', ')', '\\', 'a', ' ']) {
        for text in [format!("[x](u {title})"), format!("[x]: u {title}\n\n[x]")] {
            let (found, _) = read(Markup::Markdown, &text);
            assert_eq!(found, peers::markdown(&text), "{text}");
        }
    }
}
