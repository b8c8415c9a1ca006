//! References in documents: the written text is in the repertoire and syntax of the document, and is read back as the
//! same reference.

use encoding_rs::{Encoding, GB18030, ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1252};
use proptest::prelude::*;
use simd_iri::{
    IriRef,
    document::{Document, Format},
};

use crate::support::{random, texts};

const FORMATS: [Format; 6] =
    [Format::Html, Format::Xml, Format::Json, Format::Css, Format::NTriples, Format::Plain];

/// The text that is written into a document, after it was read back and checked by the syntax of its format.
fn written(document: Document, format: Format, reference: IriRef<'_>) -> String {
    let text = document.write(reference);
    let read = document.read(&text).unwrap();
    match format {
        Format::Html | Format::Xml => {
            assert!(!text.contains(['"', '\'', '<', '>']), "{text}");
            let bare = text.match_indices('&').filter(|(at, _)| {
                !text[*at..].starts_with("&amp;") && !text[*at..].starts_with("&#x")
            });
            assert_eq!(bare.count(), 0, "{text}");
        }
        Format::Json => {
            let quoted = format!("\"{text}\"");
            assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), reference.as_str());
        }
        Format::Css => assert!(!text.contains(['"', '\'', '\n']), "{text}"),
        Format::NTriples => assert!(!text.contains(['<', '>', '"', ' ', '`', '^'])),
        Format::Plain => assert!(IriRef::parse(&text).is_ok()),
        other => panic!("no law for {other:?}"),
    }
    if format == Format::Plain {
        assert_eq!(read, text);
    } else {
        assert_eq!(read, reference.as_str(), "{text}");
    }
    text
}

#[test]
fn what_is_written_is_read_as_what_it_was() {
    random(4_000, texts(), |text| {
        let Ok(reference) = IriRef::parse(&text) else { return Ok(()) };
        for format in FORMATS {
            let document = Document::new(format);
            written(document, format, reference);
            let ascii = written(document.ascii(true), format, reference);
            prop_assert!(ascii.is_ascii(), "{}", ascii);
            if format == Format::Plain {
                let uri = reference.to_uri().unwrap();
                prop_assert_eq!(&ascii, uri.as_str());
            }
            for charset in [WINDOWS_1252, SHIFT_JIS, ISO_2022_JP, KOI8_R, GB18030] {
                let text = written(document.charset(charset), format, reference);
                prop_assert!(is_in(charset, &text), "{}: {}", charset.name(), text);
            }
        }
        Ok(())
    });
}

/// Tells whether a charset has all characters of a text.
fn is_in(charset: &'static Encoding, text: &str) -> bool {
    let (bytes, _, unmappable) = charset.encode(text);
    !unmappable
        && charset.decode_without_bom_handling(&bytes).0.chars().count() == text.chars().count()
}

#[test]
fn what_others_write_is_read() {
    for (format, text, expected) in [
        (Format::Html, "a?b&c", Ok("a?b&c")),
        (Format::Html, "&#233;&#xE9;&#XE9;&#233x", Ok("ééééx")),
        (Format::Xml, "&amp;amp;&lt;&gt;&quot;&apos;", Ok("&amp;<>\"'")),
        (Format::Xml, "a&#x110000;", Err(1)),
        (Format::Xml, "a&#0;", Err(1)),
        (Format::Xml, "a&#1;", Err(1)),
        (Format::Xml, "a&#xD800;", Err(1)),
        (Format::Xml, "a&#xFFFE;", Err(1)),
        (Format::Xml, "a&#99999999999999999999;", Err(1)),
        (
            Format::Xml,
            "&#;&#x;&#X41;&#65&eacute;&amp&AMP;",
            Ok("&#;&#x;&#X41;&#65&eacute;&amp&AMP;"),
        ),
        (Format::Xml, "&#9;&#xD7FF;&#xE000;&#x00010FFFF;", Ok("\t\u{D7FF}\u{E000}\u{10FFFF}")),
        (Format::Html, "http://example.org/ros&eacute;", Ok("http://example.org/rosé")),
        (Format::Html, "&#;&#x;&#xg;&;&nonesuch;", Ok("&#;&#x;&#xg;&;&nonesuch;")),
        (Format::Html, "?a=1&copy=2&copy2&copyb&copy_&copy", Ok("?a=1&copy=2&copy2&copyb©_©")),
        (Format::Html, "&notit;&notin;&not;&not", Ok("&notit;∉¬¬")),
        (Format::Html, "&bne;&NotEqualTilde;", Ok("=\u{20E5}≂\u{338}")),
        (
            Format::Html,
            "&#0;&#xDFFF;&#x110000;&#99999999999999999999",
            Ok("\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ),
        (Format::Html, "&CounterClockwiseContourIntegral;", Ok("∳")),
        (Format::Html, "&AMP&Amp;&aMP;", Ok("&&Amp;&aMP;")),
        (Format::Json, r"\u00e9\ud83d\ude00\/\\\t", Ok("é😀/\\\t")),
        (Format::Json, r"a\ude00", Err(1)),
        (Format::Json, r"a\u+123", Err(1)),
        (Format::Json, r"a\", Err(1)),
        (Format::Json, r"a\U0001F600", Err(1)),
        (Format::NTriples, r"\u00E9\U0001F600", Ok("é😀")),
        (Format::NTriples, r"a\ud83d\ude00", Err(1)),
        (Format::NTriples, r"a\t", Err(1)),
        (Format::Css, r"\e9\1f600 a\(\000041b", Ok("é😀a(Ab")),
        (Format::Css, "a\\\nb", Ok("ab")),
        (Format::Css, r"a\d800", Err(1)),
        (Format::Plain, r"a&amp;\u00E9%41", Ok(r"a&amp;\u00E9%41")),
    ] {
        let read = Document::new(format).read(text).map_err(|error| error.at());
        assert_eq!(read.as_deref(), expected.as_ref().copied(), "{format:?}: {text}");
    }
}

/// Every number up to 0x400, and the numbers around each bound, in each notation.
#[test]
fn numbers_stand_for_what_the_standards_say() {
    let bounds =
        [0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000, 0x10_FFFF, 0x11_0000];
    for number in (0..0x400).chain(bounds) {
        let html = match number {
            0 => '\u{FFFD}',
            // For these numbers, the standard lists the characters of windows-1252.
            0x80..=0x9F => WINDOWS_1252.decode(&[number as u8]).0.chars().next().unwrap(),
            _ => char::from_u32(number).unwrap_or('\u{FFFD}'),
        };
        let written = [
            format!("{number}"),
            format!("x{number:X}"),
            format!("x000{number:x}"),
            format!("X{number:x}"),
        ];
        for written in written {
            for (end, after) in [(";", ""), ("", ""), ("", "-"), ("", "=")] {
                let text = format!("a&#{written}{end}{after}");
                let read = Document::new(Format::Html).read(&text).unwrap();
                assert_eq!(read, format!("a{html}{after}"), "{text}");
                let xml = Document::new(Format::Xml).read(&text).map_err(|error| error.at());
                let is_reference = end == ";" && !written.starts_with('X');
                // XML 1.0, section 2.2.
                let is_char = matches!(number, 9 | 10 | 13 | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x10000..=0x10FFFF);
                let wanted = match (is_reference, is_char) {
                    (false, _) => Ok(text.clone()),
                    (true, true) => Ok(format!("a{}", char::from_u32(number).unwrap())),
                    (true, false) => Err(1),
                };
                assert_eq!(xml.map(String::from), wanted, "{text}");
            }
        }
    }
}

/// Another implementation of the standard reads the same from texts of references and parts of references.
#[test]
fn another_reader_of_html_reads_the_same() {
    let names: Vec<_> = entities::ENTITIES.iter().map(|entity| entity.entity).collect();
    let mut ends: Vec<String> = ["", ";", "=", "a", "9", "-", "&", "é"].map(String::from).into();
    ends.push("#".to_owned());
    for name in &names {
        let bare = name.strip_suffix(';').unwrap_or(name);
        for end in &ends {
            let text = format!("{bare}{end}");
            let read = Document::new(Format::Html).read(&text).unwrap();
            assert_eq!(read, htmlize::unescape_attribute(&*text), "{text}");
        }
    }
    let name = proptest::sample::select(names).prop_map(String::from);
    let part = proptest::sample::select(vec![
        "&", "#", "x", "X", ";", "=", "0", "1", "9", "80", "d8", "110000", "amp", "not", "it", "é",
        " ", "a", "Z",
    ]);
    let piece = prop_oneof![2 => part.prop_map(String::from), 1 => name];
    random(20_000, proptest::collection::vec(piece, 0..8), |pieces| {
        let text = pieces.concat();
        let read = Document::new(Format::Html).read(&text).unwrap();
        prop_assert_eq!(read, htmlize::unescape_attribute(&*text), "{}", text);
        Ok(())
    });
}
