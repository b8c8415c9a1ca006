//! The order of display: the examples of RFC 3987, section 4.4, in Hebrew and in Arabic, and references
//! that are put into running text.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use simd_iri::{Iri, IriRef};
use simd_iri_lint::{Code, Direction, Embed, Lint, Marks, Profile, unembed};
use unicode_bidi::{BidiInfo, Level};

use crate::support::*;

/// The examples of the RFC, in each of two scripts.
fn examples() -> Vec<Value> {
    let path = Path::new(crate::ROOT).join("conformance/cases/rfc3987/bidi.jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// An example as it is written.
fn logical(example: &Value) -> &str {
    example["input"].as_str().unwrap()
}

#[test]
fn the_examples_are_displayed_as_the_rfc_prints_them() {
    let mut count = 0;
    for example in examples() {
        let text = logical(&example);
        assert_eq!(
            simd_iri_lint::visual(Iri::parse(text).unwrap()),
            example["expected"].as_str().unwrap()
        );
        // The order of example 9 by the algorithm is not the order that the RFC prints.
        if example.get("tags").is_none() {
            let notation = example["logical"].as_str().unwrap();
            let letter = |c: char| {
                let mut letters = notation.chars().zip(text.chars());
                letters.find(|(upper, _)| *upper == c).map_or(c, |(_, letter)| letter)
            };
            let printed = example["visual"].as_str().unwrap();
            assert_eq!(printed.chars().map(letter).collect::<String>(), example["expected"]);
        }
        count += 1;
    }
    assert_eq!(count, 20);
}

proptest! {
    #[test]
    fn the_offsets_of_display_are_those_of_all_characters(
        text in "[a-c0-9/:.א-גء-ت]{0,20}",
    ) {
        let Ok(reference) = IriRef::parse(&text) else { return Ok(()) };
        let offsets = simd_iri_lint::visual_offsets(reference);
        let character = |at: &usize| text[*at..].chars().next().unwrap();
        prop_assert_eq!(offsets.iter().map(character).collect::<String>(), simd_iri_lint::visual(reference));
        let mut sorted = offsets;
        sorted.sort_unstable();
        prop_assert!(sorted.into_iter().eq(text.char_indices().map(|(at, _)| at)));
    }
}

#[test]
fn the_examples_that_are_not_allowed_are_found() {
    let lint = Lint::new(Profile::Rfc).divided(true);
    let rules = [Code::BidiMixed, Code::BidiEdge, Code::BidiDigit];
    for example in examples() {
        let iri = Iri::parse(logical(&example)).unwrap();
        let report = lint.report(iri);
        let broken = report.iter().filter(|finding| rules.contains(&finding.code()));
        let broken: Vec<_> = broken.map(|finding| &iri.as_str()[finding.span()]).collect();
        assert_eq!(*example["mixed"].as_array().unwrap(), broken, "{iri}");
        let is_number = |code| code == Code::BidiNumber;
        let has_number = report.iter().any(|finding| is_number(finding.code()));
        assert_eq!(has_number, example["status"] == "allowed-not-recommended", "{iri}");
    }
}

/// The order of display by the algorithm, without the formatting characters.
fn displayed(text: &str, direction: Direction) -> String {
    let level = if direction == Direction::LeftToRight { Level::ltr() } else { Level::rtl() };
    let info = BidiInfo::new(text, Some(level));
    let lines = info.paragraphs.iter().map(|p| info.reorder_line(p, p.range.clone()));
    lines.collect::<String>().replace(['\u{202A}', '\u{202C}', '\u{2066}', '\u{2069}'], "")
}

const DIRECTIONS: [Direction; 2] = [Direction::LeftToRight, Direction::RightToLeft];

#[test]
fn an_embedded_reference_is_displayed_in_its_own_order() {
    let mut bare = 0;
    for example in examples() {
        let iri = Iri::parse(logical(&example)).unwrap();
        for direction in DIRECTIONS {
            for (before, after) in
                [("", ""), ("see ", " there"), ("", " אב"), ("אב ", ""), ("(", ")"), ("ב-", "1")]
            {
                for marks in [Marks::Embedding, Marks::Isolate] {
                    let embed = Embed::new(direction).before(before).after(after).marks(marks);
                    let text = embed.map(iri);
                    let line = displayed(&[before, &text, after].concat(), direction);
                    assert!(line.contains(&*simd_iri_lint::visual(iri)), "{line} {iri}");
                    bare += usize::from(text == iri.as_str());
                    assert_eq!(unembed(&text), iri.as_str());
                }
            }
        }
    }
    assert!(bare > 0, "some need no marks");
}

#[test]
fn each_part_is_displayed_in_its_place() {
    let iri = Iri::parse("http://ab.אב.גד/הו?ז=1").unwrap();
    let embed = Embed::new(Direction::LeftToRight).marks(Marks::EachPart);
    let text = embed.map(iri);
    let line = displayed(&text, Direction::LeftToRight).replace('\u{200E}', "");
    assert_eq!(line, "http://ab.בא.דג/וה?ז=1");
    assert_ne!(line, simd_iri_lint::visual(iri), "which is another order than that of the RFC");
    assert_eq!(unembed(&text), iri.as_str());
}

#[test]
fn random_references_come_back_from_running_text() {
    const PIECES: &[&str] = &[
        "a", "1", "א", "ب", "٣", "/", ".", "-", "(", ")", "%41", "+", "?", "\u{5B0}", "é",
        "\u{2029}",
    ];
    const AROUND: &[&str] = &["", "a ", " א", "1", " (", "), ", "\n", "ب-"];
    let text = proptest::collection::vec(proptest::sample::select(PIECES), 0..12);
    let around = || proptest::sample::select(AROUND);
    random(2_000, (text, around(), around()), |(pieces, before, after)| {
        let text = format!("x:{}", pieces.concat());
        let iri = IriRef::parse(&text).unwrap();
        for direction in DIRECTIONS {
            for marks in [Marks::Embedding, Marks::Isolate, Marks::EachPart] {
                let embed = Embed::new(direction).before(before).after(after).marks(marks);
                let embedded = embed.map(iri);
                prop_assert_eq!(unembed(&embedded), iri.as_str());
                if marks == Marks::Embedding && !text.contains('\u{2029}') {
                    let line = displayed(&[before, &embedded, after].concat(), direction);
                    prop_assert!(line.contains(&*simd_iri_lint::visual(iri)), "{line:?} {iri}");
                }
            }
        }
        let mut sorted: Vec<char> = simd_iri_lint::visual(iri).chars().collect();
        let mut chars: Vec<char> = text.chars().collect();
        sorted.sort_unstable();
        chars.sort_unstable();
        prop_assert_eq!(sorted, chars);
        Ok(())
    });
}
