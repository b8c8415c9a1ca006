//! Text that is not Unicode yet, or was typed: the resulting references, which have no additional delimiter.

use encoding_rs::{ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252, WINDOWS_1258};
use proptest::prelude::*;
use simd_iri::query::FormPair;
use simd_iri::{
    Iri, IriBuf, IriRef, IriRefBuf, ToUri, UriRefBuf,
    charset::{LegacyError, Unmappable},
    errors::FileNameError,
    iri,
};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::support::{random, texts};

#[test]
fn what_is_typed_is_composed_and_stays_in_its_components() {
    for (typed, expected) in [
        ("http://a/Vie\u{302}\u{323}t", "http://a/Vi\u{1EC7}t"),
        ("?a=\u{338}b", "?a=\u{338}b"),
        ("a:\u{1FEF}\u{37E}\u{212A}", "a:%60%3B%4B"),
        ("a:\u{212A}\u{327}", "a:\u{136}"),
        ("a:\u{37E}\u{301}", "a:%3B\u{301}"),
        ("/\u{301}e\u{301}", "/\u{301}é"),
        ("\u{1100}\u{1161}\u{11A8}", "각"),
        ("%4e\u{301}", "%4e\u{301}"),
        ("", ""),
    ] {
        assert_eq!(IriRefBuf::from_typed(typed).unwrap(), expected, "{typed}");
    }
    // The Kelvin sign does not become a letter of a scheme.
    assert!(IriRefBuf::from_typed("\u{212A}:a").is_err());
}

#[test]
fn random_text_that_is_typed() {
    let marks = proptest::sample::select(
        &["\u{301}", "\u{338}", "\u{37E}", "\u{1FEF}", "\u{212A}", "e", "=", "\u{327}"][..],
    );
    let mixed =
        (texts(), proptest::collection::vec((marks, any::<proptest::sample::Index>()), 0..4));
    random(6_000, mixed, |(mut text, marks)| {
        for (mark, at) in marks {
            let places: Vec<_> =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            text.insert_str(places[at.index(places.len())], mark);
        }
        let Ok(reference) = IriRef::parse(&text) else { return Ok(()) };
        let Ok(typed) = IriRefBuf::from_typed(&text) else {
            // A triplet in a place where none may be: a scheme or a port had none before either.
            prop_assert!(false, "{text} was a reference");
            return Ok(());
        };
        let ascii = |text: &str| {
            let kept =
                text.chars().filter(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && *c != '%');
            kept.collect::<String>()
        };
        prop_assert_eq!(ascii(typed.as_str()), ascii(reference.as_str()), "{}", text);
        let again = IriRefBuf::from_typed(typed.as_str()).unwrap();
        prop_assert_eq!(again.as_str(), typed.as_str(), "idempotent");
        for run in typed.as_str().split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()) {
            // The digits of a triplet may be letters, which do not compose.
            prop_assert!(is_nfc(run.get(2..).unwrap_or(run)), "{run:?} of {text:?}");
        }
        Ok(())
    });
}

#[test]
fn legacy_charsets() {
    for (bytes, charset, expected) in [
        (&b"http://a/\xE9"[..], WINDOWS_1252, "http://a/é"),
        (b"/\x93\xFA", SHIFT_JIS, "/日"),
        (b"/\xC1", KOI8_R, "/а"),
        // A letter and a tone mark, which normalization form C composes.
        (b"/e\xEC", WINDOWS_1258, "/é"),
        (b"/e\xCC\x81", UTF_8, "/e\u{301}"),
        (b"/\0e\0\x01\x03", UTF_16LE, "/e\u{301}"),
    ] {
        assert_eq!(IriRefBuf::from_legacy(bytes, charset).unwrap(), expected, "{}", charset.name());
    }
    for (bytes, charset, at) in
        [(&b"ab\xFFc"[..], UTF_8, 2), (b"a\x81\x20", SHIFT_JIS, 1), (b"/\0\x00\xD8", UTF_16LE, 2)]
    {
        let error = IriRefBuf::from_legacy(bytes, charset).unwrap_err();
        assert_eq!(error, LegacyError::IllFormed { at }, "{}", charset.name());
    }
    let LegacyError::Invalid(refused) = IriRefBuf::from_legacy(b"\xE9 ", WINDOWS_1252).unwrap_err()
    else {
        panic!("every charset has a space")
    };
    assert_eq!((refused.error().span(), refused.into_text()), (2..3, "é ".to_owned()));
}

#[test]
fn queries_in_the_charset_of_a_document() {
    let by = |charset, unmappable| ToUri::new().query_charset(charset, unmappable);
    for (charset, iri, expected) in [
        (WINDOWS_1252, "http://é/é?a=é&%C3%A9#é", "http://%C3%A9/%C3%A9?a=%E9&%C3%A9#%C3%A9"),
        (SHIFT_JIS, "https://a/?表x", "https://a/?%95%5Cx"),
        (ISO_2022_JP, "https://a/?日x", "https://a/?%1B%24%42%46%7C%1B%28%42x"),
        (UTF_16LE, "http://a/?é", "http://a/?%C3%A9"),
        (WINDOWS_1252, "ftp://a/?é", "ftp://a/?%C3%A9"),
        (WINDOWS_1252, "?é", "?%C3%A9"),
    ] {
        let reference = IriRef::parse(iri).unwrap();
        let uri = by(charset, Unmappable::Error).map(reference).unwrap();
        assert_eq!(uri, expected);
        assert_eq!(IriRef::parse(expected).unwrap().parts(), uri.view().parts());
    }
    let iri = iri!("http://a/?aé日b");
    let error = by(WINDOWS_1252, Unmappable::Error).map(iri).unwrap_err();
    assert_eq!(error.span(), 13..16);
    let uri = by(WINDOWS_1252, Unmappable::Reference).map(iri).unwrap();
    assert_eq!(uri, "http://a/?a%E9%26%2326085%3Bb");
}

#[test]
fn a_lenient_text_is_encoded_where_no_reference_could_hold_it() {
    for (text, expected) in [
        ("http://a/b c", "http://a/b%20c"),
        ("<\"{}|\\^`>é", "%3C%22%7B%7D%7C%5C%5E%60%3E%C3%A9"),
        ("http://a b/", "http://a%20b/"),
        ("?a b#c d", "?a%20b#c%20d"),
        ("a", "a"),
    ] {
        assert_eq!(ToUri::new().map_lenient(text).unwrap(), expected);
    }
    for (text, span) in [
        ("a b%", 3..4),
        ("a b[", 3..4),
        ("a b#c#", 5..6),
        ("h tp://a", 1..2),
        ("http://[ ::1]", 7..13),
        ("http://a:8 0", 10..11),
        ("a b\u{E000}", 3..6),
    ] {
        assert_eq!(ToUri::new().map_lenient(text).unwrap_err().span(), span, "{text}");
    }
    let nfc: String = "e\u{301}".nfc().collect();
    assert_ne!(
        ToUri::new().map_lenient("e\u{301}").unwrap(),
        ToUri::new().map_lenient(&nfc).unwrap()
    );
}

#[test]
fn pairs_in_the_charset_of_a_document_come_back() {
    let charsets = [
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "gb18030",
        "big5",
        "euc-kr",
        "windows-1252",
        "utf-8",
    ];
    for label in charsets {
        let charset = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        random(400, "[a日本é+&= %\\\\ア가中~]{0,6}", |value| {
            let pairs = [(value.as_str(), "x"), ("y", value.as_str())];
            let builders = [IriRefBuf::builder().query_pairs_in(pairs, charset, Unmappable::Error)];
            for built in builders.map(|builder| builder.build()) {
                // Only characters that the charset does not have are refused.
                let Ok(built) = built else {
                    let (_, _, has_others) = charset.encode(&value);
                    prop_assert!(has_others, "{} {}", label, value);
                    continue;
                };
                let found: Vec<_> = built.view().query_pairs_in(charset).collect();
                let expected = pairs.map(|(name, value)| (name.into(), value.into()));
                prop_assert_eq!(found, expected, "{} {}", label, built);
            }
            let form =
                UriRefBuf::builder().query_form_in(pairs, charset, Unmappable::Error).build();
            if let Ok(form) = form {
                prop_assert!(form.as_str().is_ascii());
                let found: Vec<_> = form.view().query_form_in(charset).collect();
                let expected = pairs.map(|(name, value)| FormPair(name.into(), value.into()));
                prop_assert_eq!(found, expected, "{} {}", label, form);
            }
            Ok(())
        });
    }
    // Octets that have no meaning, and characters that are written as themselves.
    let pairs = IriRef::parse("?%93%FA=%93&日%FF=+").unwrap().query_form_in(encoding_rs::SHIFT_JIS);
    let expected = [("日", "\u{FFFD}"), ("日\u{FFFD}", " ")];
    assert!(pairs.eq(expected.map(|(name, value)| FormPair(name.into(), value.into()))));
}

#[test]
fn file_names_in_a_legacy_charset_come_back() {
    for (charset, name, expected) in [
        (encoding_rs::SHIFT_JIS, &b"/\x93\xFA\x96{/\x83\x5C"[..], "file:///日本/ソ"),
        (encoding_rs::WINDOWS_1252, b"/caf\xE9 1", "file:///café%201"),
        (encoding_rs::UTF_8, "/caf\u{e9}".as_bytes(), "file:///café"),
        // A character that Unicode does not compose is decomposed in no charset.
        (encoding_rs::UTF_8, "/cafe\u{301}".as_bytes(), "file:///cafe\u{301}"),
    ] {
        let iri = IriBuf::from_posix_path_in(name, charset).unwrap();
        assert_eq!(iri, expected);
        assert_eq!(iri.view().to_posix_path_in(charset).unwrap(), name);
    }
    for (charset, name, error) in [
        (encoding_rs::SHIFT_JIS, &b"/\x93"[..], FileNameError::NotInCharset),
        (encoding_rs::SHIFT_JIS, b"a", FileNameError::NotAbsolute),
        (encoding_rs::WINDOWS_1252, b"/a\0", FileNameError::Nul),
        // A slash that is part of a character.
        (encoding_rs::ISO_2022_JP, b"/\x1B$B%/\x1B(B", FileNameError::Separator),
    ] {
        assert_eq!(IriBuf::from_posix_path_in(name, charset), Err(error), "{name:?}");
    }
    let iri = Iri::parse("file:///%E9").unwrap();
    assert_eq!(iri.to_posix_path_in(encoding_rs::UTF_8), Err(FileNameError::NotUtf8));
    let iri = Iri::parse("file:///α").unwrap();
    assert_eq!(iri.to_posix_path_in(encoding_rs::WINDOWS_1252), Err(FileNameError::NotInCharset));
}

/// What is read from a charset is put in normalization form C, and what is written in the charset again has the same
/// characters: none that the form made is missing in the charset.
#[test]
fn what_is_read_from_a_charset_is_written_in_it() {
    let charsets = [
        "windows-1258",
        "windows-1252",
        "windows-1253",
        "windows-1255",
        "windows-1256",
        "windows-874",
        "iso-8859-2",
        "iso-8859-7",
        "iso-8859-8",
        "koi8-u",
        "macintosh",
        "shift_jis",
        "euc-jp",
        "euc-kr",
        "big5",
        "gbk",
        "gb18030",
    ];
    let (mut count, mut composed) = (0, 0);
    for name in charsets {
        let charset = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
        let map = ToUri::new().query_charset(charset, Unmappable::Error);
        let mut run = |octets: &[u8]| {
            let bytes = [b"http://a/?".as_slice(), octets].concat();
            let Ok(iri) = IriBuf::from_legacy(&bytes, charset) else { return };
            // Some characters are read in a charset and not written in it, as the Encoding Standard says.
            if charset.encode(&charset.decode(octets).0).2 {
                return;
            }
            let uri = map.map(iri.view());
            let uri = uri.unwrap_or_else(|error| panic!("{name}, {octets:02X?}, {iri}: {error}"));
            let query = uri.view().query().unwrap();
            let octets: Vec<u8> = simd_iri::percent::decode(query).collect();
            let back = charset.decode_without_bom_handling(&octets).0;
            let same = |text: &str| text.nfc().collect::<String>();
            let decoded: Vec<u8> = simd_iri::percent::decode(iri.view().query().unwrap()).collect();
            let given = std::str::from_utf8(&decoded).unwrap();
            assert_eq!(same(&back), same(given), "{name}: {octets:02X?}");
            composed += usize::from(back != given);
            count += 1;
        };
        for first in 0x80..=0xFF {
            run(&[first]);
            for second in 0x80..=0xFF {
                run(&[first, second]);
                // A letter of ASCII or of the charset, and two marks.
                if name == "windows-1258" {
                    for letter in b"aeouAy" {
                        run(&[*letter, first, second]);
                    }
                }
            }
            for second in 0x40..=0x7E {
                run(&[first, second]);
            }
        }
    }
    assert!(composed > 100, "{composed} of {count}");
    println!("{count} texts, of which {composed} are composed");
}
