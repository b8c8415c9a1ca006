//! The errors of a text: none if it is valid; otherwise all of them, in order, and the error of the parse first.
//!
//! The cases have the expected errors (`violations` in `data/`).

use std::collections::BTreeSet;

use proptest::prelude::*;
use simd_iri::{Component, Error, ErrorKind, Rule};

use crate::cases::{self, Violation};
use crate::support::*;

/// The laws of the violations of any input.
fn law(start: &Start, bytes: &[u8]) {
    let Start { rule, dfa } = start;
    let context = || format!("{}: {}", rule.name(), show(bytes));
    let found: Vec<Error> = rule.violations_bytes(bytes).collect();
    assert_eq!(found.is_empty(), dfa.accepts(bytes), "{}", context());
    assert_eq!(found.first().copied(), start.agree(bytes).err(), "{}", context());
    let mut end = 0;
    for error in found {
        let span = error.span();
        assert!(end <= span.start && span.start <= span.end, "{error:?}: {}", context());
        end = span.end;
        assert!(end <= bytes.len(), "{error:?}: {}", context());
        if let Ok(text) = std::str::from_utf8(bytes) {
            let whole = text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
            assert!(whole, "{error:?}: {}", context());
        }
        let message = error.to_string();
        if let Ok(text) = std::str::from_utf8(bytes) {
            helps(error, text, |text| rule.violations(text).next());
        }
        assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
    }
}

/// After the suggestion of the first violation, the next violation is at a later byte, or nearer to the end of the text. The
/// message has the suggestion.
pub(crate) fn helps(error: Error, text: &str, first: impl Fn(&str) -> Option<Error>) {
    let Some(edit) = error.suggestion() else { return };
    let context = || format!("{error:?} {edit:?} {text:?}");
    let message = error.to_string();
    let words = if edit.as_str().is_empty() { "remove it" } else { edit.as_str() };
    assert!(message.contains(words), "{message} {}", context());
    let after = edit.apply(text).unwrap_or_else(|| panic!("{}", context()));
    if first(text) == Some(error) {
        let left = |text: &str, error: Error| text.len() - error.span().start;
        let moves_on = first(&after).is_none_or(|next| {
            next.span().start > error.span().start || left(&after, next) < left(text, error)
        });
        assert!(moves_on, "{} {after:?}", context());
    }
}

#[test]
fn every_case_reports_what_it_should() {
    let mut codes = BTreeSet::new();
    let mut expected = 0;
    for case in cases::all().iter().flat_map(|file| &file.cases) {
        law(start(case.rule), &case.input);
        if let Some(violations) = &case.violations {
            let found: Vec<_> =
                case.rule.violations_bytes(&case.input).map(Violation::from).collect();
            assert_eq!(found, *violations, "{}: {}", case.id, show(&case.input));
            codes.extend(found.into_iter().map(|violation| violation.kind));
            expected += 1;
        }
    }
    println!("{expected} cases say what is reported; kinds: {codes:?}");
    // All kinds except `TooLong`, whose input does not fit into a case.
    assert_eq!(codes.len(), 13, "a case for each kind of error");
}

#[test]
fn every_short_string_over_the_classes() {
    let bytes = representatives();
    let total = count_all(bytes.len(), |first| {
        let mut inputs = 0;
        strings::<3>(&bytes, first, |text| {
            for start in STARTS.iter() {
                law(start, text);
                inputs += 1;
            }
        });
        inputs
    });
    println!("{total} strings, violations = automaton");
}

#[test]
fn random_inputs() {
    random(10_000, byte_strings(), |bytes| {
        STARTS.iter().for_each(|start| law(start, &bytes));
        Ok(())
    });
}

#[test]
fn every_ill_formed_part_is_one_violation() {
    let bytes = proptest::sample::select(
        &b"a/?#%\x80\xBF\xC0\xC2\xDF\xE0\xA0\xE2\x81\xED\x9F\xEE\xF0\x90\xF4\x8F\xF5\xFF"[..],
    );
    random(20_000, proptest::collection::vec(bytes, 0..12), |bytes| {
        let text = [b"//h/", &bytes[..]].concat();
        let chunks = text.utf8_chunks();
        let parts = chunks.filter(|chunk| !chunk.invalid().is_empty()).count();
        let found = Rule::IriReference.violations_bytes(&text).map(Violation::from);
        let found = found.filter(|violation| violation.kind == "ill-formed-utf8").count();
        prop_assert_eq!(found, parts, "{}", show(&text));
        Ok(())
    });
}

/// The error of a text is its first violation, wherever the text is ill-formed: in the middle of each component, at its
/// end, and before and after other errors.
#[test]
fn the_error_of_an_ill_formed_text_is_its_first_violation() {
    const PIECES: &[&[u8]] = &[
        b"a",
        b":",
        b"//",
        b"/",
        b"?",
        b"#",
        b"@",
        b"[",
        b"]",
        b"::1",
        b"%41",
        b"%4",
        "é".as_bytes(),
        b"\xC3",
        b"\xFF",
        b"\xED\xA0\x80",
        " ".as_bytes(),
        b"8",
    ];
    let count = PIECES.len();
    let total = count_all(count * count * count, |job| {
        let mut total = 0;
        for rest in 0..count * count {
            let numbers =
                [job % count, job / count % count, job / count / count, rest % count, rest / count];
            let text = numbers.map(|number| PIECES[number]).concat();
            if std::str::from_utf8(&text).is_ok() {
                continue;
            }
            for &rule in Rule::ALL {
                let first = rule.violations_bytes(&text).next();
                for level in LEVELS.iter() {
                    assert_eq!(
                        level.parse_bytes(rule, &text).err(),
                        first,
                        "{rule} {}",
                        show(&text)
                    );
                }
                total += 1;
            }
        }
        total
    });
    println!("{total} ill-formed texts");
}

/// The error of a text is its first violation, whatever is wrong in or after an IP literal, a port or user information.
#[test]
fn the_error_of_an_authority_is_its_first_violation() {
    const PIECES: &[&str] = &[
        "[::1]",
        "[::12345]",
        "[1.2.3.4]",
        "[v1.a]",
        "[",
        "]",
        ":",
        "8",
        "a",
        "@",
        "%4",
        "é",
        " ",
        "/",
        "#",
    ];
    let count = PIECES.len();
    let mut total = 0;
    for number in 0..count.pow(4) {
        let numbers = [
            number % count,
            number / count % count,
            number / count.pow(2) % count,
            number / count.pow(3),
        ];
        let text = format!("s://{}", numbers.map(|number| PIECES[number]).concat());
        for rule in [Rule::Iri, Rule::AbsoluteIri] {
            let first = rule.violations(&text).next();
            for level in LEVELS.iter() {
                assert_eq!(level.parse(rule, &text).err(), first, "{rule} {text}");
            }
            total += 1;
        }
    }
    println!("{total} texts with authorities");
}

#[test]
fn messages_say_where_and_what_to_do() {
    for (rule, text, said) in [
        (Rule::Iri, "http://example.com/?a|b", &["'|'", "byte 21", "query", "%7C"][..]),
        (Rule::Iri, "http://[fe80::1%25en0]/", &["zone"]),
        (Rule::IriReference, "1a:b", &["./"]),
        (Rule::Iri, "http://h/100%", &["%25"]),
    ] {
        let message = rule.parse(text).unwrap_err().to_string();
        for word in said {
            assert!(message.contains(word), "{word:?} in {message:?}");
        }
    }
}

#[test]
fn a_million_violations_take_no_more_than_linear_time() {
    let text = format!("http://h/{}", "|%".repeat(500_000));
    assert_eq!(Rule::Iri.violations(&text).count(), 1_000_000);
}

/// A program in another language may give any four numbers, and an error may be moved anywhere.
#[test]
fn each_error_of_four_numbers_has_a_message_and_perhaps_a_suggestion() {
    const OFFSETS: [u32; 6] = [0, 1, 2, 5, u32::MAX - 1, u32::MAX];
    const CHARACTERS: [u32; 9] = [
        0,
        '%' as u32,
        '\\' as u32,
        ':' as u32,
        'a' as u32,
        'é' as u32,
        0xD800,
        0x10FFFF,
        u32::MAX,
    ];
    let (mut errors, mut suggestions) = (0, 0);
    for (start, end) in OFFSETS.iter().flat_map(|start| OFFSETS.iter().map(move |end| (start, end)))
    {
        for ch in CHARACTERS {
            // Kinds, components and hints, and more of each than there are.
            for codes in
                (0..20 * 12 * 20).map(|n| (n % 20) | ((n / 20 % 12) << 8) | ((n / 240) << 16))
            {
                let Some(error) = Error::from_words([*start, *end, ch, codes]) else { continue };
                errors += 1;
                assert!(!error.to_string().is_empty() && !format!("{error:?}").is_empty());
                for moved in [error, error.moved_by(usize::MAX), error.moved_back_by(1)] {
                    if let Some(edit) = moved.suggestion() {
                        suggestions += 1;
                        assert!(edit.span().start <= edit.span().end, "{moved:?}");
                        let _ = edit.apply("a%é/b");
                    }
                }
            }
        }
    }
    println!("{errors} errors, {suggestions} suggestions");
    assert!(suggestions > 0);
}

/// A message is made without the formatter of the standard library. Here, the formatter says what its parts are.
#[test]
fn every_character_and_every_number_is_written_as_the_standard_library_writes_it() {
    let of = |kind: ErrorKind, at: u32, ch: u32| {
        let place = ErrorKind::ALL.iter().position(|known| *known == kind).unwrap() as u32;
        let path = Component::Path as u32;
        Error::from_words([at, at, ch, (place + 1) | path << 8]).unwrap().to_string()
    };
    for ch in ('\0'..=char::MAX).step_by(sample(0x11_0000)) {
        let is_shown =
            if ch.is_ascii() { !ch.is_control() } else { ch.escape_debug().count() == 1 };
        let number = u32::from(ch);
        let shown = match (is_shown, ch.is_ascii()) {
            (true, true) => format!("'{ch}'"),
            (true, false) => format!("'{ch}' (U+{number:04X})"),
            (false, _) => format!("U+{number:04X}"),
        };
        let message = of(ErrorKind::NotAllowed, 31, number);
        assert!(
            message.starts_with(&format!("{shown} at byte 31 is not allowed in a path; ")),
            "{message}"
        );
        let triplets: String =
            ch.to_string().bytes().map(|octet| format!("%{octet:02X}")).collect();
        let expected = format!(
            "private-use character {shown} at byte 7 is not allowed in a path, only in a query; write {triplets}"
        );
        assert_eq!(of(ErrorKind::PrivateUse, 7, number), expected);
    }
    let powers = (0..32).map(|bit| 1_u32 << bit).chain((0..10).map(|zeros| 10_u32.pow(zeros)));
    for number in powers.flat_map(|power| [power - 1, power, power + 1]).chain([u32::MAX]) {
        let expected = format!("a path of more than {number} bytes is too long; shorten it");
        assert_eq!(of(ErrorKind::TooLong, number, 0), expected);
        let expected = format!(
            "0x{number:02X} at byte 3 in a path begins ill-formed UTF-8; convert the text to UTF-8"
        );
        assert_eq!(of(ErrorKind::IllFormedUtf8, 3, number), expected);
    }
}
