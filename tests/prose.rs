//! Links in Chinese, Japanese and Korean prose, with `Ends::Tight` and `Ends::Ascii`: our own cases, a corpus in twelve
//! languages that was judged by reading, and laws. A link is never longer than with `Ends::Strict`, and a
//! percent-encoded link is never cut.
//!
//! Not here: what holds for every way, which `extract` tests with each.

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri_text::{Ends, Extract, Link, LinkKind, Markup, Schemes};

use crate::cases;
use crate::support::{LEVELS, random};

fn found(extract: Extract<'_>, text: &str) -> Vec<String> {
    extract.links(text).map(|link| link.as_str().to_owned()).collect()
}

/// A text, and its links in each way.
#[derive(Deserialize)]
struct Row {
    id: String,
    prose: String,
    tight: Vec<String>,
    ascii: Vec<String>,
    markup: Option<Markup>,
    any_scheme: Option<bool>,
    bare: Option<bool>,
}

#[test]
fn every_case_at_every_level() {
    let files = cases::rows::<Row>(&["prose", "tight", "ascii"]);
    let rows: Vec<_> = files.into_iter().flat_map(|(_, rows)| rows).collect();
    assert!(rows.len() >= 100, "{}", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let schemes = if row.any_scheme == Some(true) { Schemes::Any } else { Schemes::Web };
        let extract = Extract::new().schemes(schemes).bare(row.bare == Some(true));
        let extract = extract.markup(row.markup.unwrap_or_default());
        for (ends, expected) in [(Ends::Tight, &row.tight), (Ends::Ascii, &row.ascii)] {
            for level in LEVELS.iter() {
                let found = found(extract.ends(ends).at(*level), &row.prose);
                if found != *expected {
                    wrong.push(format!("{} {ends}: {found:?}, not {expected:?}", row.id));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{} cases", rows.len());
}

/// A sentence, and the links that a reader sees in it.
#[derive(Deserialize)]
struct Sentence {
    id: String,
    language: String,
    text: String,
    links: Vec<String>,
}

/// The sentences whose links with `Ends::Tight` are not the links that a reader sees: letters right after a path belong
/// to the path, as do `—` and `②`, and a mark in a title ends the link. How many of a corpus differ depends on how many of
/// its links have letters right after a path.
const OTHERWISE: &[&str] = &[
    "zh-Hans-04",
    "zh-Hans-09",
    "zh-Hans-22",
    "zh-Hans-51",
    "zh-Hans-62",
    "zh-Hant-08",
    "ja-10",
    "ja-30",
    "ja-52",
    "ja-65",
    "ko-52",
    "en-16",
];

#[test]
fn readers_agree() {
    let files = cases::rows::<Sentence>(&["language", "text", "links"]);
    let sentences: Vec<_> = files.into_iter().flat_map(|(_, rows)| rows).collect();
    let mut languages: Vec<_> = sentences.iter().map(|sentence| &sentence.language).collect();
    languages.sort_unstable();
    languages.dedup();
    assert!(sentences.len() >= 400 && languages.len() >= 12, "{}", sentences.len());
    let agree = |ends| {
        let differs = |sentence: &&Sentence| {
            found(Extract::new().ends(ends), &sentence.text) != sentence.links
        };
        sentences.iter().filter(differs).collect::<Vec<_>>()
    };
    let others = agree(Ends::Tight);
    for Sentence { id, text, links, .. } in &others {
        println!("{id}: {:?}, not {links:?}", found(Extract::new().ends(Ends::Tight), text));
    }
    let agreed = sentences.len() - others.len();
    println!("tight: {agreed} of {}", sentences.len());
    println!("strict: {} of them", sentences.len() - agree(Ends::Strict).len());
    println!("ascii: {} of them", sentences.len() - agree(Ends::Ascii).len());
    assert!(agreed * 100 >= sentences.len() * 97, "{agreed} of {}", sentences.len());
    assert!(others.iter().map(|sentence| sentence.id.as_str()).eq(OTHERWISE.iter().copied()));
}

/// Prose of Chinese, Japanese and Korean around links: letters, marks, brackets, and ASCII.
fn prose() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "http://",
        "https://",
        "http://a.com",
        "https://b.example/c",
        "https://例え。jp",
        "https://例え.jp/引",
        "mailto:ann@",
        "urn:",
        "ftp://",
        "a.com",
        "例え.公司",
        "例え。jp",
        "ann@",
        "localhost",
        ".",
        "。",
        "．",
        "｡",
        "、",
        "，",
        "：",
        "；",
        "！",
        "？",
        "“",
        "”",
        "…",
        "⋯",
        "｜",
        "＜",
        "＞",
        "\u{3000}",
        "（",
        "）",
        "「",
        "」",
        "《",
        "》",
        "［",
        "］",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "/",
        "?",
        "#",
        "=",
        "&",
        ":",
        "@",
        "%E4",
        " ",
        "\n",
        ",",
        "!",
        "'",
        "*",
        "_",
        "a",
        "1",
        "-",
        "+",
        "中",
        "国",
        "ー",
        "々",
        "한",
        "국",
        "é",
        "я",
        "ไ",
        "・",
        "～",
        "→",
        "😀",
        "\u{2069}",
        "\u{202A}",
        "com",
        "公司",
        "ａ",
        "１",
        "\\u3002",
        "&amp;",
    ];
    let piece = prop_oneof![
        20 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => (0..300_usize).prop_map(|count| "語".repeat(count)),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn extracts() -> impl Strategy<Value = Extract<'static>> {
    let schemes = [Schemes::Web, Schemes::Any, Schemes::Only(&["urn", "http", "ftp"])];
    (
        proptest::sample::select(Markup::ALL),
        proptest::sample::select(schemes.to_vec()),
        any::<bool>(),
    )
        .prop_map(|(markup, schemes, bare)| {
            Extract::new().markup(markup).schemes(schemes).bare(bare).relative(true)
        })
}

#[test]
fn no_link_is_longer_than_in_an_earlier_way() {
    random(2000, (prose(), extracts()), |(text, extract)| {
        let links =
            Ends::ALL.iter().map(|ends| extract.ends(*ends).links(&text).collect::<Vec<_>>());
        let links: Vec<Vec<Link<'_>>> = links.collect();
        for (earlier, later) in [(0, 1), (0, 2), (1, 2)] {
            for link in &links[later] {
                let same =
                    links[earlier].iter().find(|other| other.span().start == link.span().start);
                let is_longer = same.is_some_and(|other| link.span().end > other.span().end);
                prop_assert!(
                    !is_longer,
                    "{} {:?} of {text:?}",
                    link.as_str(),
                    same.map(Link::as_str)
                );
            }
        }
        Ok(())
    });
}

/// A link in ASCII is the same in each way, whatever prose is around it, if the prose leaves a mark or a space.
#[test]
fn no_percent_encoded_link_is_cut() {
    const PIECES: &[&str] = &[
        "a",
        "b1",
        "%E4%B8%AD",
        "%EF%BC%8C",
        "%E3%80%82",
        "/",
        "?",
        "#",
        "=",
        "&",
        "(c)",
        ".",
        ",",
        ";",
        "-",
        "_",
        "~",
        ":",
        "@",
        "!",
        "'",
    ];
    const HOSTS: &[&str] =
        &["a.com", "xn--r8jz45g.jp", "localhost:80", "[::1]", "127.0.0.1", "%E4%BE%8B.jp"];
    const BEFORE: &[&str] =
        &["", "见", "見る→", "「", "（", "참고：", "。", "，", " ", "“", "は", "é"];
    const AFTER: &[&str] = &[
        "",
        "。",
        "，见",
        "！",
        "？",
        "、次",
        "；",
        "”",
        "’",
        "…",
        "｜",
        "　",
        " ",
        "（说明）",
        "「引用」",
        "）",
        "」です",
    ];
    let path = proptest::collection::vec(proptest::sample::select(PIECES), 0..8);
    let parts = (
        proptest::sample::select(BEFORE),
        proptest::sample::select(HOSTS),
        path,
        proptest::sample::select(AFTER),
    );
    random(2000, parts, |(before, host, path, after)| {
        let link = format!("http://{host}/{}z", path.concat());
        let text = format!("{before}{link}{after}");
        let alone = found(Extract::new(), &format!(" {link} "));
        for ends in [Ends::Tight, Ends::Ascii] {
            for level in LEVELS.iter() {
                let found = found(Extract::new().ends(ends).at(*level), &text);
                prop_assert_eq!(found.first(), alone.first(), "{} {}", &text, ends);
            }
        }
        Ok(())
    });
}

/// Every text of four pieces, so that no rule depends on what stands elsewhere.
#[test]
fn every_short_text_obeys_the_rules_of_its_marks() {
    const PIECES: [&str; 12] =
        ["", "a", "中", "。", "，", "（", "）", "/", ".com", "公司", " ", ")"];
    let mut count = 0;
    for number in 0..PIECES.len().pow(4) {
        let [before, first, second, third] =
            [1, 12, 144, 1728].map(|unit| PIECES[number / unit % PIECES.len()]);
        let text = format!("{before}http://b.c/d{first}{second}{third}");
        let tight = found(Extract::new().ends(Ends::Tight).bare(false), &text);
        let ascii = found(Extract::new().ends(Ends::Ascii).bare(false), &text);
        if before.ends_with(['a', 'm']) {
            assert!(tight.is_empty() && ascii.is_empty(), "{text:?}");
            continue;
        }
        let [tight, ascii] = [&tight, &ascii].map(|found| found.first().unwrap().as_str());
        assert!(!tight.contains(['。', '，', ' ']), "{tight} of {text:?}");
        assert!(ascii.is_ascii(), "{ascii} of {text:?}");
        assert_eq!(tight.matches('（').count(), tight.matches('）').count(), "{tight} of {text:?}");
        assert!(!tight.contains("d（") && !tight.contains("/（"), "{tight} of {text:?}");
        count += 1;
    }
    println!("{count} texts");
}

/// The content of brackets that belong to a link has at most 256 bytes.
#[test]
fn a_bracket_is_closed_soon_or_not_at_all() {
    for length in 0..200 {
        let title = format!("http://a.example/中（{}）", "中".repeat(length));
        let expected = if length <= 84 { title.as_str() } else { "http://a.example/中" };
        assert_eq!(found(Extract::new().ends(Ends::Tight), &title), [expected], "{length}");
    }
}

/// References that the markup or `<` delimits are whole in each way.
#[test]
fn what_the_writer_delimits_is_whole() {
    let title = "https://ja.wikipedia.org/wiki/君の名は。";
    for ends in Ends::ALL.iter().copied() {
        for (markup, text, expected) in [
            (Markup::Markdown, format!("[a]({title})"), title),
            (Markup::Markdown, format!("<{title}>"), title),
            (Markup::Html, format!("<a href='{title}'>b</a>"), title),
            (Markup::Log, format!("<{title}>"), title),
            (Markup::Plain, format!("<{title}x>"), &format!("{title}x")),
        ] {
            let links = Extract::new().markup(markup).ends(ends).links(&text).collect::<Vec<_>>();
            assert!(links.iter().map(Link::as_str).eq([expected]), "{markup} {ends}");
            assert_eq!(links[0].kind(), LinkKind::Iri);
        }
    }
}
