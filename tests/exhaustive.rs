//! Levels = automata = oracle, on complete sets of inputs: every byte at every offset, every character in every
//! component, every prefix, every short string over the classes of bytes; and on random inputs.
//!
//! All eight start rules, at every level of the CPU. Not here: single cases, which are data.

use crate::support::*;
use proptest::prelude::*;
use simd_iri::Rule;
use simd_iri::batch::Separated;
use simd_iri_codegen::automaton;

#[test]
fn every_byte_at_every_offset_of_every_component() {
    let carriers = carriers();
    let total = count_all(carriers.len() * OFFSETS, |job| {
        let (_, carrier) = &carriers[job / OFFSETS];
        let offset = job % OFFSETS;
        let mut bytes = carrier.clone().into_bytes();
        for byte in 0..=u8::MAX {
            bytes[offset] = byte;
            for start in STARTS.iter() {
                // In the middle, and as the last byte of the text.
                let _ = start.agree(&bytes);
                let _ = start.agree(&bytes[..=offset]);
            }
        }
        256 * 2 * STARTS.len()
    });
    println!("{total} inputs with a byte at an offset, levels = automaton");
}

#[test]
fn every_edge_of_a_range_at_every_offset_of_every_component() {
    let carriers = carriers();
    let edges = [ORACLE.edges("ucschar"), ORACLE.edges("iprivate")].concat();
    let total = count_all(carriers.len() * OFFSETS, |job| {
        let (_, carrier) = &carriers[job / OFFSETS];
        let mut offset = job % OFFSETS;
        while !carrier.is_char_boundary(offset) {
            offset += 1;
        }
        for &edge in &edges {
            let text = format!("{}{edge}{}", &carrier[..offset], &carrier[offset..]);
            for start in STARTS.iter() {
                let _ = start.agree(text.as_bytes());
            }
        }
        edges.len() * STARTS.len()
    });
    println!("{total} inputs with a character at an offset, levels = automaton");
}

/// The text around a character that stands in each component.
const PLACES: [(&str, &str); 10] = [
    ("a", ":b"),
    ("http://", "@h/"),
    ("http://", "/"),
    ("http://[v1.", "]/"),
    ("http://h:1", "/"),
    ("http://h/", "?q#f"),
    ("", "/b"),
    ("http://h/?", "#f"),
    ("http://h/#", ""),
    // Across the end of a block of 64 bytes.
    ("http://h/0123456789/0123456789/0123456789/0123456789/0123456789", "/"),
];

#[test]
fn every_character_in_every_component() {
    const CHUNK: usize = 0x1000;
    let total = count_all((char::MAX as usize + 1) / CHUNK, |chunk| {
        let mut inputs = 0;
        let mut text = String::new();
        let from = (chunk * CHUNK) as u32;
        for character in (from..from + CHUNK as u32).filter_map(char::from_u32) {
            for (before, after) in PLACES {
                text.clear();
                text.extend([before, character.encode_utf8(&mut [0; 4]), after]);
                for start in STARTS.iter() {
                    if start.agree_on_validity(text.as_bytes()) {
                        assert!(start.agree_on_result(text.as_bytes()).is_ok());
                    }
                    inputs += 1;
                }
            }
        }
        inputs
    });
    println!("{total} inputs with a character in a component, levels = automaton");
}

/// In a long text, masks decide the private-use characters of a query that begins and ends anywhere in a block. The same
/// characters before or after the query are wrong.
#[test]
fn private_use_characters_at_the_edges_of_a_query() {
    let characters = ['\u{E000}', '\u{F8FF}', '\u{F0000}', '\u{FFFFD}', '\u{105678}', '\u{10FFFD}'];
    let total = count_all(67, |before| {
        let mut inputs = 0;
        for character in characters {
            for len in [0, 1, 2, 15, 16, 17, 40] {
                let run = character.to_string().repeat(len);
                let head = format!("http://h/é\u{A0}{}", "x".repeat(before));
                for (path, fragment) in
                    [("", ""), ("", "#"), (&*run, ""), ("", &*format!("#{run}"))]
                {
                    let tail = "y".repeat(130);
                    let text = format!("{head}{path}?{run}é{run}{fragment}{tail}");
                    let is_valid =
                        len == 0 || !path.contains(character) && !fragment.contains(character);
                    for level in LEVELS.iter() {
                        assert_eq!(
                            level.parse(Rule::Iri, &text).is_ok(),
                            is_valid,
                            "{level}: {text}"
                        );
                        assert_eq!(
                            level.parse(Rule::Iri, &text),
                            LEVELS[0].parse(Rule::Iri, &text)
                        );
                        // A noncharacter among them is wrong.
                        let wrong = format!("{head}?{run}\u{10FFFF}{run}{tail}");
                        let error = level.parse(Rule::Iri, &wrong).unwrap_err();
                        assert_eq!(
                            error.span().start,
                            head.len() + 1 + run.len(),
                            "{level}: {wrong}"
                        );
                    }
                    inputs += 2;
                }
            }
        }
        inputs
    });
    println!("{total} long texts with private-use characters, levels = definition");
}

/// The lengths of the texts, which select one block, two blocks or many; and in each, the border between
/// two blocks that the character crosses or touches.
///
/// The masks refine the leads of a block only if it has more than one. So each block has another lead, at its
/// fifth byte, which no character at a border covers.
const BORDERS: [(usize, usize); 5] = [(63, 59), (100, 64), (128, 64), (200, 128), (200, 192)];

#[test]
fn every_character_at_every_offset_of_a_border_between_blocks() {
    const CHUNK: usize = 0x1000;
    let [iri, uri] = [Rule::Iri, Rule::Uri];
    let [ucschar, private] = ["ucschar", "iprivate"].map(|rule| automaton(rule).unwrap());
    // The edges of ranges come first, so that they are in every sample.
    let edges = [ORACLE.edges("ucschar"), ORACLE.edges("iprivate")].concat();
    let total = count_all(1 + (char::MAX as usize + 1) / CHUNK, |job| {
        let chunk = |chunk: usize| (chunk * CHUNK).max(0x80) as u32..((chunk + 1) * CHUNK) as u32;
        let characters: Vec<char> = match job.checked_sub(1) {
            Some(number) => chunk(number).filter_map(char::from_u32).collect(),
            None => edges.clone(),
        };
        let mut inputs = 0;
        for before in 0..=4 {
            // Each character in a text of its own, in the path and in the query.
            for ((len, border), mark) in BORDERS.into_iter().zip("/?/?/".chars().chain(['?'])) {
                let block = format!("{:a<63}", "aaaa\u{A0}");
                let mut text = block.repeat(4);
                text.replace_range(..3, &format!("a:{mark}"));
                text.truncate(len);
                let at = border - before;
                for character in &characters {
                    let size = character.len_utf8();
                    if at + size > len {
                        continue;
                    }
                    text.replace_range(at..at + size, character.encode_utf8(&mut [0; 4]));
                    let bytes = &text.as_bytes()[at..at + size];
                    let valid = ucschar.accepts(bytes) || mark == '?' && private.accepts(bytes);
                    for level in LEVELS.iter() {
                        let is = level.is_valid_bytes(iri, text.as_bytes());
                        assert_eq!(is, valid, "{level}: {character:?} at {at} of {len}");
                    }
                    text.replace_range(at..at + size, &"aaaa"[..size]);
                    inputs += 1;
                }
            }
            // All characters in a batch, in lines of 64 bytes, each at its place in the line.
            let mut lines = String::from("a:\n");
            let mut expected = 0;
            for character in &characters {
                let start = lines.len();
                lines.push_str("a:");
                while lines.len() % 64 != 64 - before.max(1) {
                    lines.push('a');
                }
                lines.push(*character);
                while lines.len() < start + 63 {
                    lines.push('a');
                }
                lines.push('\n');
                expected +=
                    u64::from(ucschar.accepts(character.encode_utf8(&mut [0; 4]).as_bytes()));
            }
            for level in LEVELS.iter() {
                let count = level.batch(iri).count(Separated::lines(lines.as_bytes()));
                assert_eq!(count.valid, expected + 1, "{level}: job {job}, {before} before");
                let count = level.batch(uri).count(Separated::lines(lines.as_bytes()));
                assert_eq!(count.valid, 1, "{level}: job {job}, {before} before");
            }
            inputs += characters.len();
        }
        inputs
    });
    println!("{total} inputs with a character at a border, levels = automaton");
}

/// Addresses of digits, groups and colons: each form that the masks decide, and some forms that the automaton
/// decides.
fn addresses() -> Vec<String> {
    let groups = |count, group: &str| vec![group; count].join(":");
    let mut addresses: Vec<String> =
        ["", ":", ":::", "::1.2.3.4", "v1.a:b", "::g"].map(String::from).to_vec();
    for group in ["1", "aF", "0123", "12345"] {
        for before in 0..=9 {
            addresses.push(groups(before, group));
            addresses.push(format!(":{}", groups(before, group)));
            addresses.push(format!("{}:", groups(before, group)));
            addresses.push(format!("::{}::", groups(before, group)));
            for after in 0..=9 - before {
                addresses.push(format!("{}::{}", groups(before, group), groups(after, group)));
                addresses.push(format!("{}:::{}", groups(before, group), groups(after, group)));
            }
        }
    }
    addresses
}

#[test]
fn every_form_of_an_address_at_every_offset_of_a_border_between_blocks() {
    let addresses = addresses();
    let start = start(Rule::IriReference);
    let total = count_all(addresses.len(), |job| {
        let address = &addresses[job];
        let mut inputs = 0;
        // The bracket at every offset up to the third block; and texts of one block, of two, and longer ones, in
        // which digits and colons follow the literal.
        for before in 0..=130 {
            for after in
                ["", ":1", "/1::1/1:1:1:1:1:1:1:1/0123456789:0123456789:0123456789:012345678"]
            {
                let text = format!("//{}@[{address}]{after}", "a".repeat(before));
                let _ = start.agree(text.as_bytes());
                inputs += 1;
            }
        }
        inputs
    });
    println!("{total} inputs with an address at an offset, levels = automaton");
}

#[test]
fn every_prefix_of_long_references() {
    let carriers = carriers();
    let total = count_all(carriers.len(), |job| {
        let bytes = carriers[job].1.as_bytes();
        for end in 0..=bytes.len() {
            for start in STARTS.iter() {
                let parsed = start.agree(&bytes[..end]);
                if let Ok(text) = std::str::from_utf8(&bytes[..end]) {
                    assert_eq!(parsed.is_ok(), ORACLE.matches(start.rule.name(), text), "{text:?}");
                }
            }
        }
        (bytes.len() + 1) * STARTS.len()
    });
    println!("{total} prefixes, levels = automaton = oracle");
}

/// In a text of five blocks or more, the parser passes a plain stretch after the first block once, and does not
/// search it again. The bytes before and after the stretch must be found.
#[test]
fn every_pair_of_bytes_at_the_borders_of_a_long_plain_stretch() {
    let places = [64, 128, 256, 320, 384];
    let lengths = [319, 320, 385, 449];
    let bytes = representatives();
    let total = count_all(bytes.len(), |first| {
        let mut inputs = 0;
        strings::<2>(&bytes, first, |pair| {
            for before in ["", "a:", "//", "//h/", "/%41?", "#"] {
                for at in places.iter().flat_map(|place| place - 3..=place + 1) {
                    for length in lengths.into_iter().filter(|length| at + 2 <= *length) {
                        let mut text = format!("{before:g<length$}").into_bytes();
                        text[at..at + 2].copy_from_slice(pair);
                        for start in STARTS.iter() {
                            let _ = start.agree(&text);
                            inputs += 1;
                        }
                    }
                }
            }
        });
        inputs
    });
    println!("{total} inputs with two bytes at a border of a stretch, levels = automaton");
}

#[test]
fn every_string_of_length_3_over_the_classes() {
    let bytes = representatives();
    let total = count_all(bytes.len(), |first| {
        let mut inputs = 0;
        strings::<3>(&bytes, first, |text| {
            for length in 0..=3 {
                // Each of the shorter texts once.
                if text[length..].iter().any(|&byte| byte != bytes[0]) {
                    continue;
                }
                let text = &text[..length];
                let mut reading = std::str::from_utf8(text).ok().map(|text| ORACLE.reading(text));
                for start in STARTS.iter() {
                    let is = reading.as_mut().is_some_and(|text| text.is(start.rule.name()));
                    assert_eq!(start.agree(text).is_ok(), is, "{}, {text:?}", start.rule.name());
                    inputs += 1;
                }
            }
        });
        inputs
    });
    println!("{total} strings over {} classes, levels = automaton = oracle", bytes.len());
}

#[test]
fn every_string_of_length_4_over_the_classes() {
    let bytes = representatives();
    let total = count_all(bytes.len(), |first| {
        let mut inputs = 0;
        strings::<4>(&bytes, first, |text| {
            for start in STARTS.iter() {
                start.agree_on_validity(text);
                inputs += 1;
            }
        });
        inputs
    });
    println!("{total} strings over {} classes, levels = automaton", bytes.len());
}

#[test]
fn random_texts() {
    random(20_000, texts(), |text| {
        let mut reading = ORACLE.reading(&text);
        for start in STARTS.iter() {
            let valid = start.agree(text.as_bytes()).is_ok();
            prop_assert_eq!(valid, reading.is(start.rule.name()), "{}", start.rule.name());
        }
        Ok(())
    });
}

#[test]
fn random_bytes() {
    random(20_000, byte_strings(), |bytes| {
        for start in STARTS.iter() {
            let valid = start.agree(&bytes).is_ok();
            prop_assert!(!valid || std::str::from_utf8(&bytes).is_ok());
        }
        Ok(())
    });
}
