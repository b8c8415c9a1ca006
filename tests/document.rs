//! References in documents: what is written is in the document's repertoire and syntax, and is read as
//! what it was.

use encoding_rs::{Encoding, GB18030, ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1252};
use proptest::prelude::*;
use simd_iri::{Document, Format, IriRef};

use crate::support::{random, texts};

const FORMATS: [Format; 6] =
    [Format::Html, Format::Xml, Format::Json, Format::Css, Format::NTriples, Format::Plain];

/// What is written into a document, after it was read back and looked at as its format has it.
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
            let ascii = written(document.ascii(), format, reference);
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
        (Format::Xml, "a&#;", Err(1)),
        (Format::Xml, "a&#0;", Err(1)),
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
