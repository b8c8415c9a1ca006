//! Arbitrary strings: each repair is made where it must be and nowhere else. The result is a reference, and a string
//! that is a reference does not change.

use std::cell::Cell;

use proptest::prelude::*;
use simd_iri::{Error, ErrorKind, IriRef, Rule, iri};
use simd_iri_text::{
    Context, Prepare, Prepared,
    RepairKind::{self, *},
    RepairSet,
};

use crate::support::{byte_strings, random, show, texts};

const CONTEXTS: [Context; 4] = [Context::Plain, Context::Typed, Context::Html, Context::Xml];
const REPAIR_SETS: [RepairSet; 5] = [
    RepairSet::Strict,
    RepairSet::Leiri,
    RepairSet::BrowserLike,
    RepairSet::Crawler,
    RepairSet::Rdf,
];

/// The result of a text: the kinds of repair, without repetitions, and the reference.
fn made(prepared: &Result<Prepared<'_>, Error>) -> (Vec<RepairKind>, Result<String, Error>) {
    let mut kinds: Vec<_> =
        prepared.iter().flat_map(Prepared::repairs).map(|repair| repair.kind()).collect();
    kinds.dedup();
    (kinds, prepared.as_ref().map(|made| made.view().to_string()).map_err(|error| *error))
}

#[test]
fn each_repair_where_it_must_be_and_where_not() {
    use Context::{Html, Plain, Typed, Xml};
    // Each kind of repair with a text that is repaired, and one that needs no such repair.
    let cases: &[(RepairKind, Context, &str, &str, &str)] = &[
        (ByteOrderMark, Plain, "\u{FEFF}a b", "a%20b", "a\u{FEFF}|"),
        (Trimmed, Plain, " \t\r\na\n", "a", "\u{A0}a|"),
        (CharacterReference, Html, "a&#xE9;&amp;b&#47c&amp", "aé&b/c&", "?a&copy=1&b"),
        (CharacterReference, Html, "ros&eacute;?&#128;&#0;", "rosé?€%EF%BF%BD", "?a&#;"),
        (CharacterReference, Xml, "a&lt;&#233;", "a%3Cé", "a&x&#47b"),
        (Wrapper, Typed, "<URL:http://a/>", "http://a/", "a<b>c"),
        (Wrapper, Typed, "“http://a/”", "http://a/", "<a"),
        (Invisible, Typed, "\u{202A}http://a/\u{202C}", "http://a/", "http://a/\u{202A}b"),
        (MissingScheme, Typed, "www.例え.jp/a", "https://www.例え.jp/a", "/www.a.b/"),
        (MissingScheme, Typed, "//a/b", "https://a/b", "http://a/b"),
        (MissingScheme, Typed, "localhost:80/b", "https://localhost:80/b", "urn:1"),
        (MissingScheme, Typed, "a.example:8080", "https://a.example:8080", "../b"),
        (MissingScheme, Typed, "[::1]:80/b", "https://[::1]:80/b", "[::1/b]"),
        (MissingScheme, Typed, "127.0.0.1#b", "https://127.0.0.1#b", "a:1"),
        (MissingScheme, Typed, "me@a.example?b", "mailto:me@a.example?b", "tel:1"),
        (LineBreak, Plain, "http://a/b\r\nc\td", "http://a/bcd", "a b"),
        (LineBreak, Typed, "http://a/b \r\n  c", "http://a/bc", "a b"),
        (Space, Plain, "a b?c d#e f", "a%20b?c%20d#e%20f", "a|b"),
        (FullWidth, Typed, "ｈｔｔｐ：／／ａ。b／ｃ", "http://a.b/ｃ", "http://a/ｂ|"),
        (Backslash, Plain, r"http:\\a\b?c\d", "http://a/b?c%5Cd", r"urn:a\b"),
        (Backslash, Plain, r"a\b#c\d", "a/b#c%5Cd", r"?a\b"),
        (Slashes, Plain, "http:/a/b|", "http://a/b%7C", "file:/ab|"),
        (Drive, Plain, "file:///C|/x", "file:///C:/x", "file:///CC|/x"),
        (TrimmedControl, Plain, "\u{1} \u{C}a\u{1F}", "a", " a\u{1}b "),
        (Trimmed, Html, "\u{C}a&#12;", "a", "a\u{C}b"),
        (Slashes, Plain, "https:////a/b|", "https://a/b%7C", "urn://a/|"),
        (SecondAt, Plain, "http://a@b@c/@@", "http://a%40b@c/@@", "mailto:a@b@c|"),
        (StrayPercent, Plain, "100%/%4/%zz%41", "100%25/%254/%25zz%41", "%41|"),
        (SecondHash, Plain, "a#b#c#", "a#b%23c%23", "a#b|"),
        (Bracket, Plain, "/a[b]?c[]=d", "/a%5Bb%5D?c%5B%5D=d", "http://[::1]/|"),
        (NotAllowed, Plain, "/<a>\"{b}|^`", "/%3Ca%3E%22%7Bb%7D%7C%5E%60", "/a b"),
        (Control, Plain, "/a\u{0}\u{7F}", "/a%00%7F", "/a b"),
        (Replacement, Plain, "/\u{FFFD}", "/%EF%BF%BD", "/\u{FFFE}"),
        (NotUcschar, Plain, "/\u{E000}?\u{E000}", "/%EE%80%80?\u{E000}", "/é|"),
        (DotSegment, Plain, "1:a", "./1:a", "a:1|"),
        (DotSegment, Plain, "é:a:b", "./é:a:b", "/1:a|"),
        (DotSegment, Plain, ":a", "./:a", "a/:|"),
    ];
    for &(kind, context, text, expected, without) in cases {
        let prepare = Prepare::new(RepairSet::BrowserLike).context(context);
        let (kinds, reference) = made(&prepare.prepare(text));
        assert_eq!(reference.as_deref(), Ok(expected), "{text:?}");
        assert!(kinds.contains(&kind), "{text:?}: {kinds:?}");
        assert!(!made(&prepare.prepare(without)).0.contains(&kind), "{without:?}: {kind:?}");
        let (kinds, _) = made(&prepare.forbid(kind).prepare(text));
        assert!(!kinds.contains(&kind), "{text:?} without {kind:?}");
    }
    let removed = Prepare::new(RepairSet::BrowserLike).allow(SpaceRemoved);
    assert_eq!(made(&removed.prepare("a b")), (vec![SpaceRemoved], Ok("ab".to_owned())));
    let octets = Prepare::new(RepairSet::BrowserLike);
    assert_eq!(
        made(&octets.prepare_bytes(b"/\xC0\xAF")),
        (vec![IllFormed], Ok("/%C0%AF".to_owned()))
    );
    let leiri = Prepare::new(RepairSet::Leiri);
    assert_eq!(made(&leiri.prepare("//a b")), (vec![InHost], Ok("//a%20b".to_owned())));
    let tested = cases.iter().map(|case| case.0);
    let others = [SpaceRemoved, IllFormed, InHost, NotNormalized, SameScheme];
    let tested: Vec<_> = tested.chain(others).collect();
    assert!(RepairKind::ALL.iter().all(|kind| tested.contains(kind)), "a kind without a case");
}

#[test]
fn what_cannot_be_repaired_is_an_error_with_its_place() {
    for (profile, text, span) in [
        (RepairSet::BrowserLike, " http://a b/", 9..10),
        (RepairSet::BrowserLike, "http://a:8x/", 10..11),
        (RepairSet::BrowserLike, "\t//[::1::]/ ", 3..10),
        (RepairSet::Strict, " é|", 3..4),
        (RepairSet::Leiri, "a b%c", 3..5),
        (RepairSet::Leiri, "a b[c", 3..4),
        (RepairSet::Leiri, "a b#c#", 5..6),
        (RepairSet::Rdf, " a", 0..0),
        (RepairSet::Rdf, "//a|b", 3..4),
        (RepairSet::Strict, "a b", 1..2),
    ] {
        let prepared = Prepare::new(profile).prepare(text);
        match prepared {
            Err(error) => assert_eq!(error.span(), span, "{text:?}"),
            // Percent-encoded, not trimmed.
            Ok(made) => assert_eq!((made.view().as_str(), text), ("%20a", " a")),
        }
    }
    let xml = Prepare::new(RepairSet::Crawler).context(Context::Xml);
    let error = xml.prepare("a&#xD800;b").unwrap_err();
    assert_eq!((error.kind(), error.span()), (ErrorKind::BadCharacterReference, 1..9));
    assert!(!error.to_string().contains("'&'"), "{error}");
    assert!(xml.forbid(CharacterReference).prepare("a&#xD800;b").is_ok());
}

#[test]
fn schemes_have_their_rules() {
    let prepare = Prepare::new(RepairSet::BrowserLike);
    for (text, expected) in [
        ("mailto:a b@c.example?subject=d e", "mailto:a%20b@c.example?subject=d%20e"),
        ("data:text/plain,a\\b c", "data:text/plain,a%5Cb%20c"),
        ("data:text/plain;base64,YQ\n==", "data:text/plain;base64,YQ=="),
        (" javascript:void(0)", "javascript:void(0)"),
        ("file:\\\\C:\\a", "file:///C:/a"),
    ] {
        assert_eq!(prepare.prepare(text).unwrap().view(), expected);
    }
    assert_eq!(prepare.prepare("JavaScript:a(\"b\")").unwrap_err().span(), 13..14);
}

/// A drive of Windows, with every number of slashes before it, in every place, where it is a drive and where it is
/// not.
#[test]
fn drives_of_windows() {
    let prepare = Prepare::new(RepairSet::BrowserLike);
    for (text, expected) in [
        ("file:///C|/x", "file:///C:/x"),
        ("file:///c|", "file:///c:"),
        ("FILE:///z|?q|", "FILE:///z:?q%7C"),
        ("file:///C|\\x", "file:///C:/x"),
        ("file:c|", "file:///c:"),
        ("file:c|/x", "file:///c:/x"),
        ("file:/c|#f", "file:///c:#f"),
        ("file:\\c|\\x", "file:///c:/x"),
        ("file://c|/x", "file:///c:/x"),
        ("file:\\\\C:\\x", "file:///C:/x"),
        ("file://host/C|/x", "file://host/C:/x"),
        ("file://host/C|", "file://host/C:"),
        // Not drives.
        ("file:///CD|/x", "file:///CD%7C/x"),
        ("file:///1|/x", "file:///1%7C/x"),
        ("file:///C|x", "file:///C%7Cx"),
        ("file:////C|/x", "file:////C%7C/x"),
        ("file:///a/C|/x", "file:///a/C%7C/x"),
        ("file://host/a/C|/x", "file://host/a/C%7C/x"),
        ("file:///?C|", "file:///?C%7C"),
        ("http://a/C|/x", "http://a/C%7C/x"),
        ("C|/x", "C%7C/x"),
    ] {
        assert_eq!(made(&prepare.prepare(text)).1.as_deref(), Ok(expected), "{text}");
        let (kinds, _) = made(&prepare.forbid(Drive).prepare(text));
        assert!(!kinds.contains(&Drive), "{text}");
    }
    let base = prepare.base(iri!("file://host/D:/y"));
    for (text, expected) in
        [("C|/x", "file:///C:/x"), ("/C|/x", "file://host/C:/x"), ("file:C|/x", "file:///C:/x")]
    {
        assert_eq!(made(&base.prepare(text)).1.as_deref(), Ok(expected), "{text}");
    }
}

/// The examples of RFC 3986, section 5.4, resolve to the same targets after they are prepared. A scheme that the base
/// has too is left out if browsers leave it out.
#[test]
fn references_with_a_base() {
    let base = iri!("http://a/b/c/d;p?q");
    let prepare = Prepare::new(RepairSet::BrowserLike).base(base);
    for (text, expected, kinds) in [
        ("g", "http://a/b/c/g", &[][..]),
        (" ../g h", "http://a/b/g%20h", &[Trimmed, Space]),
        ("", "http://a/b/c/d;p?q", &[]),
        ("http:/foo", "http://a/foo", &[SameScheme]),
        ("HTTP:foo", "http://a/b/c/foo", &[SameScheme]),
        ("http:?x", "http://a/b/c/d;p?x", &[SameScheme]),
        ("http:#x", "http://a/b/c/d;p?q#x", &[SameScheme]),
        ("http:", "http://a/b/c/d;p?q", &[SameScheme]),
        ("http:\\foo", "http://a/foo", &[SameScheme, Backslash]),
        ("http:b:c", "http://a/b/c/b:c", &[SameScheme, DotSegment]),
        ("http:\\\\foo", "http://foo", &[Backslash]),
        ("http://foo/../x", "http://foo/x", &[]),
        ("https:/foo", "https:/foo", &[]),
        ("https:/foo|bar/", "", &[]),
        ("https:/foo/|", "https://foo/%7C", &[Slashes, NotAllowed]),
        ("//x\\y", "http://x/y", &[Backslash]),
        ("///x", "http:///x", &[]),
        ("///x/|", "http://x/%7C", &[Slashes, NotAllowed]),
        ("////x/|", "http://x/%7C", &[Slashes, NotAllowed]),
        ("/x/|", "http://a/x/%7C", &[NotAllowed]),
        ("urn:x", "urn:x", &[]),
    ] {
        let (found, reference) = made(&prepare.prepare(text));
        assert_eq!(reference.unwrap_or_default(), expected, "{text}");
        assert_eq!(found, kinds, "{text}");
    }
    let strict = Prepare::new(RepairSet::Strict).base(base);
    assert_eq!(strict.prepare("http:/foo").unwrap().view(), "http:/foo");
    assert_eq!(prepare.forbid(SameScheme).prepare("http:/foo").unwrap().view(), "http:/foo");
    // Only the schemes of browsers have this rule.
    let other = Prepare::new(RepairSet::BrowserLike).base(iri!("foo://a/b"));
    assert_eq!(other.prepare("foo:/bar").unwrap().view(), "foo:/bar");
    assert_eq!(other.prepare("a\\b").unwrap().view(), "foo://a/a%5Cb");
    let urls = Prepare::new(RepairSet::BrowserLike).base(iri!("http://a/"));
    let made: Vec<_> =
        urls.prepare_each("b |").map(|made| made.unwrap().view().to_string()).collect();
    assert_eq!(made, ["http://a/b", "http://a/%7C"]);
}

/// Exactly the C0 controls are left out at both ends, as characters or as character references.
#[test]
fn controls_at_the_ends() {
    let prepare = Prepare::new(RepairSet::BrowserLike);
    let html = prepare.context(Context::Html);
    for number in 0..0x100_u32 {
        let c = char::from_u32(number).unwrap();
        let is_cut = number <= 0x20;
        for (text, prepare) in [
            (format!("{c}{c} {c}http://a/x{c} {c}"), prepare),
            (format!("&#x{number:x};a&#{number};"), html),
        ] {
            let Ok(made) = prepare.prepare(&text) else { continue };
            // HTML reads another character for NUL.
            let is_cut = is_cut && !(number == 0 && text.starts_with('&'));
            let is_bare = ["http://a/x", "a"].contains(&made.view().as_str());
            assert_eq!(is_bare, is_cut, "{text:?}: {}", made.view());
        }
    }
    let strict = Prepare::new(RepairSet::Strict);
    assert!(strict.prepare("\u{C}a").is_err() && strict.prepare("a\u{1}").is_err());
    assert_eq!(strict.context(Context::Html).prepare("\u{C}a").unwrap().view(), "a");
}

/// The list of repairs is bounded, and the other repairs are counted.
#[test]
fn the_list_of_repairs_is_bounded() {
    for count in [0, 1, 999, 1_000, 1_001, 20_000] {
        let text = "|".repeat(count) + " ";
        let prepared = Prepare::new(RepairSet::BrowserLike).prepare(&text).unwrap();
        assert_eq!(prepared.repairs().len(), 1_000.min(count + 1));
        assert_eq!(prepared.repairs().len() + prepared.unlisted_repairs(), count + 1);
    }
}

#[test]
fn the_missing_scheme_is_that_of_the_caller() {
    let typed = Prepare::new(RepairSet::Crawler).context(Context::Typed);
    for scheme in ["http", "wss", "x-a+b.c"] {
        let prepare = typed.scheme(scheme).unwrap();
        for (text, expected) in [
            ("//a/b", format!("{scheme}://a/b")),
            ("www.a.example", format!("{scheme}://www.a.example")),
            ("<localhost:80/>", format!("{scheme}://localhost:80/")),
            ("me@a.example", "mailto:me@a.example".to_owned()),
            ("/a.b", "/a.b".to_owned()),
        ] {
            assert_eq!(prepare.prepare(text).unwrap().view(), expected.as_str(), "{text}");
        }
    }
    for scheme in ["", "1", "a b", "a:", "é"] {
        assert!(typed.scheme(scheme).is_err(), "{scheme:?}");
    }
    let plain = typed.context(Context::Plain).scheme("http").unwrap();
    assert_eq!(plain.prepare("www.a.example").unwrap().view(), "www.a.example");
}

/// Only a local part, an at sign and a domain are an e-mail address (RFC 5322, section 3.4.1).
#[test]
fn accounts_on_hosts_are_no_mail_addresses() {
    for set in [RepairSet::Strict, RepairSet::BrowserLike, RepairSet::Crawler] {
        let typed = Prepare::new(set).context(Context::Typed);
        for mail in ["git@github.com", "a.b+c@h.co.uk", "user@10.0.0.1", "ann@例え.com", "é@a.b"]
        {
            for (before, after) in [("", ""), ("<", ">"), (" ", " "), ("\"", "\""), ("URL:", "")] {
                for rest in ["", "?subject=a", "#x", "?a/b:c@d"] {
                    let text = format!("{before}{mail}{rest}{after}");
                    let made = typed.prepare(&text).unwrap();
                    assert_eq!(made.view().as_str(), format!("mailto:{mail}{rest}"));
                }
                for rest in [
                    ":org/repo.git",
                    ":/srv",
                    ":8080",
                    ":",
                    "::mod",
                    "/inbox",
                    "/",
                    "/?x",
                    "@c",
                    "@c.com",
                    ":8080/a",
                    ":22?x",
                    "@c/d",
                ] {
                    let text = format!("{before}{mail}{rest}{after}");
                    // Without another scheme, it is a relative reference or an error.
                    if let Ok(made) = typed.prepare(&text) {
                        assert!(made.view().scheme().is_none(), "{text}: {}", made.view());
                    }
                }
            }
        }
    }
}

/// The examples and the rules of the guidelines of 2011 (sections 4 to 6), each with its step.
#[test]
fn the_guidelines() {
    let html = Prepare::new(RepairSet::Strict).context(Context::Html);
    let example = "htt&#x0070;://www.example.com/&#x0066;&#x006f;&#x006f;bar&#x002f;foo&#x003f;bar";
    assert_eq!(html.prepare(example).unwrap().view(), "http://www.example.com/foobar/foo?bar");
    let strict = Prepare::new(RepairSet::Strict);
    for profile in REPAIR_SETS {
        let prepare = Prepare::new(profile);
        let trimmed = |text: &str| prepare.prepare(text).map(|made| made.view().to_string());
        let trims = !matches!(profile, RepairSet::Leiri | RepairSet::Rdf);
        assert_eq!(trimmed(" \r\n\ta\t\n\r ") == Ok("a".to_owned()), trims, "{profile:?}: 4, 1");
        // No other white space is affected or considered.
        assert_eq!(trimmed("\u{2003}a\u{3000}"), Ok("\u{2003}a\u{3000}".to_owned()), "4, 1");
        // A text without a scheme is a relative reference.
        assert_eq!(trimmed("a/b:c"), Ok("a/b:c".to_owned()), "5.1");
        assert_eq!(trimmed("//u:p@a:80?b?c#d?e"), Ok("//u:p@a:80?b?c#d?e".to_owned()), "5.2");
    }
    let schemes = Prepare::new(RepairSet::BrowserLike);
    for (text, expected, step) in [
        ("1a:b", "./1a:b", "5.1"),
        ("a_b:c", "./a_b:c", "5.1"),
        ("http://a/b\\c", "http://a/b/c", "5.3"),
        ("/é b", "/é%20b", "5.3"),
        ("?é\u{FFFF}|=\\&\"", "?é%EF%BF%BF%7C=%5C&%22", "5.4"),
        ("#é\u{E000} /?", "#é%EE%80%80%20/?", "5.5"),
        ("javascript:a%zz", "", "6.2"),
        ("mailto:a\\b@c d", "mailto:a%5Cb@c%20d", "6.3"),
        ("data:,a\\b|c", "data:,a%5Cb%7Cc", "6.4"),
    ] {
        let made = schemes.prepare(text).map(|made| made.view().to_string()).unwrap_or_default();
        assert_eq!(made, expected, "{step}");
    }
    assert_eq!(strict.prepare("//a:x").unwrap_err().span(), 4..5, "5.2.3");
}

/// Space, delimiters and "unwise" characters, which the draft of 2002 allowed (section 2.2), and all
/// that legacy extended IRIs allow.
#[test]
fn the_wider_alphabets() {
    let leiri = Prepare::new(RepairSet::Leiri);
    for before in ["/", "//u", "/?", "/#"] {
        for c in ('\0'..='\u{FFFD}').filter(|c| c.is_ascii() || u32::from(*c) % 0x1D == 0) {
            let text = format!("{before}{c}");
            let made = leiri.prepare(&text);
            if "#%[]:".contains(c) {
                let is_valid = IriRef::parse(&text).is_ok();
                assert_eq!(made.is_ok(), is_valid, "{text:?} is touched");
                continue;
            }
            let made = made.unwrap_or_else(|error| panic!("{text:?}: {error}"));
            let octets = String::from(c).into_bytes().into_iter();
            let encoded: String = octets.map(|octet| format!("%{octet:02X}")).collect();
            let encoded = format!("{before}{encoded}");
            let is_valid = IriRef::parse(&text).is_ok();
            assert_eq!(made.view().as_str(), if is_valid { &text } else { &encoded }, "{text:?}");
        }
    }
}

#[test]
fn references_between_spaces() {
    let places = |text: &'static str| {
        let made = Prepare::new(RepairSet::Rdf).prepare_each(text);
        let made = made.map(|one| one.map(|one| (one.view().to_string(), one.repairs().len())));
        made.collect::<Result<Vec<_>, _>>()
    };
    assert_eq!(places("  a|b  c\n"), Ok(vec![("a%7Cb".to_owned(), 1), ("c".to_owned(), 0)]));
    assert_eq!(places(" a //[ c").unwrap_err().span().start, 6);
    assert_eq!(places(" \n"), Ok(Vec::new()));
}

#[test]
fn bytes_in_a_charset() {
    use encoding_rs::{SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252, WINDOWS_1258};

    let prepare = Prepare::new(RepairSet::BrowserLike);
    for (bytes, charset, expected, places) in [
        (&b"/\xE9 b"[..], WINDOWS_1252, "/é%20b", vec![(Space, 2..3)]),
        (b"/\x93\xFA|", SHIFT_JIS, "/日%7C", vec![(NotAllowed, 3..4)]),
        (b"/e\xEC", WINDOWS_1258, "/é", vec![(NotNormalized, 0..3)]),
        (
            b" /\x93\xFA|\x93\xFA^ ",
            SHIFT_JIS,
            "/日%7C日%5E",
            vec![(Trimmed, 0..1), (Trimmed, 8..9), (NotAllowed, 4..5), (NotAllowed, 7..8)],
        ),
        (b"/e\xCC\x81", UTF_8, "/e\u{301}", vec![]),
        (b"\xFF\xFE/\0|\0", WINDOWS_1252, "/%7C", vec![(ByteOrderMark, 0..2), (NotAllowed, 4..6)]),
        (b"/\0|\0", UTF_16LE, "/%7C", vec![(NotAllowed, 2..4)]),
    ] {
        let prepared = prepare.prepare_bytes_in(bytes, charset).unwrap();
        assert_eq!(prepared.view(), expected);
        let repairs = prepared.repairs().iter();
        let repairs: Vec<_> = repairs.map(|repair| (repair.kind(), repair.span())).collect();
        assert_eq!(repairs, places, "{}", show(bytes));
    }
    for (bytes, charset, start) in [(&b"/a\xFF"[..], UTF_8, 2), (b"/\x81\x20", SHIFT_JIS, 1)] {
        assert_eq!(prepare.prepare_bytes_in(bytes, charset).unwrap_err().span().start, start);
    }
}

/// The laws of a string, in every context and by every profile.
fn obey(bytes: &[u8]) -> Result<(), TestCaseError> {
    for (context, profile) in CONTEXTS
        .iter()
        .flat_map(|context| REPAIR_SETS.iter().map(move |profile| (*context, *profile)))
    {
        let prepare = Prepare::new(profile).context(context);
        let prepared = prepare.prepare_bytes(bytes);
        let text = std::str::from_utf8(bytes).ok();
        let valid = text.and_then(|text| IriRef::parse(text).ok());
        let spans: Vec<_> = match &prepared {
            Ok(prepared) => {
                let view = prepared.view();
                prop_assert_eq!(Rule::IriReference.parse(view.as_str()), Ok(view.parts()));
                if let (Some(valid), Context::Plain) = (valid, context) {
                    prop_assert_eq!(valid, view);
                    prop_assert!(prepared.clone().into_reference().is_borrowed());
                }
                let changed = text.is_none_or(|text| text != view.as_str());
                prop_assert!(!changed || !prepared.repairs().is_empty(), "{}", show(bytes));
                let plain = Prepare::new(profile);
                prop_assert!(plain.prepare(view.as_str()).unwrap().repairs().is_empty());
                // After three slashes, the first segment becomes a host, which may not be a host.
                match prepare.base(iri!("http://h/b")).prepare_bytes(bytes) {
                    Ok(based) => {
                        prop_assert!(based.view().scheme().is_some(), "{}", show(bytes));
                    }
                    Err(_) => prop_assert!(view.as_str().starts_with("///"), "{}", show(bytes)),
                }
                prepared.repairs().iter().map(|repair| repair.span()).collect()
            }
            Err(error) => {
                prop_assert!(context != Context::Plain || valid.is_none());
                vec![error.span()]
            }
        };
        for span in spans {
            prop_assert!(span.start <= span.end && span.end <= bytes.len(), "{}", show(bytes));
            let text = text.unwrap_or_default();
            let is_boundary = text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
            prop_assert!(is_boundary || text.is_empty(), "{}", show(bytes));
        }
    }
    Ok(())
}

/// What all repairs concern, in each of its spellings.
const REPAIRED: &[&str] = &[
    "\u{FEFF}",
    " ",
    "\t",
    "\n ",
    "\r\n",
    "\u{1}",
    "\u{C}",
    "<",
    ">",
    "\"",
    "'",
    "“",
    "”",
    "«",
    "»",
    "URL:",
    "url:",
    "u\nrl:",
    "ｕrl：",
    "\u{200B}",
    "\u{202A}",
    "\u{202C}",
    "http:",
    "HTTPS:",
    "ｈｔｔｐ：",
    "ftp:",
    "file:",
    "urn:",
    "x:",
    "mailto:",
    "javascript:",
    "java\nscript:",
    "/",
    "／",
    "\\",
    "＼",
    "//",
    "／／",
    "/／",
    ":",
    "：",
    "?",
    "？",
    "#",
    "＃",
    "@",
    "＠",
    "a.b",
    "ａ。ｂ",
    "ｅｖｉｌ．ｃｏｍ",
    "www.例え.jp",
    "localhost",
    "[::1]",
    "１２７.0.0.1",
    ":80",
    "：８０",
    "a",
    "ａ",
    "é",
    "e\u{301}",
    ".",
    "..",
    "。",
    "./",
    "../",
    "%",
    "%41",
    "%4",
    "％41",
    "|",
    "C|",
    "C:",
    "Ｃ：",
    "c|/",
    "[",
    "]",
    "{",
    "^",
    "`",
    "\u{FFFD}",
    "\u{E000}",
    "\u{FFFF}",
    "\0",
    "&amp;",
    "&#x2F;",
    "&#47",
    "&lt;",
    "&",
    "&#65;",
    "&#xFF0F;",
];

/// A string that was prepared is prepared: the same repairs find nothing in it, in the same context. Of HTML and XML, the
/// result is written into a document again, or is read as what it is.
#[test]
fn what_is_prepared_stays_as_it_is() {
    let pieces = proptest::collection::vec(proptest::sample::select(REPAIRED), 0..7);
    // Each repair is allowed or forbidden.
    let kinds =
        proptest::collection::vec((proptest::sample::select(RepairKind::ALL), any::<bool>()), 0..4);
    let bases = proptest::sample::select(
        &[
            None,
            Some("http://h/b/c?q"),
            Some("file://h/D:/x"),
            Some("foo:b"),
            Some("foo:／／c"),
            Some("a:///"),
        ][..],
    );
    let options = (
        proptest::sample::select(&CONTEXTS[..]),
        proptest::sample::select(&REPAIR_SETS[..]),
        bases,
        kinds,
    );
    random(60_000, (pieces, options), |(pieces, (context, set, base, kinds))| {
        let text = pieces.concat();
        let mut prepare = Prepare::new(set);
        if let Some(base) = base {
            prepare = prepare.base(simd_iri::Iri::parse(base).unwrap());
        }
        for (kind, is_allowed) in kinds {
            prepare = if is_allowed { prepare.allow(kind) } else { prepare.forbid(kind) };
        }
        let Ok(once) = prepare.context(context).prepare(&text) else { return Ok(()) };
        let once = once.view().as_str().to_owned();
        let same = |context: Context, given: &str| {
            let twice = prepare.context(context).prepare(given);
            let shown =
                format!("{text:?} became {once:?}, then {twice:?}: {context:?}, {prepare:?}");
            prop_assert!(twice.is_ok_and(|twice| twice.view() == once.as_str()), "{shown}");
            Ok(())
        };
        match context {
            Context::Plain | Context::Typed => same(context, &once)?,
            Context::Html | Context::Xml => {
                same(Context::Plain, &once)?;
                // Unless its references are left as they are.
                let format = if context == Context::Xml {
                    simd_iri::document::Format::Xml
                } else {
                    simd_iri::document::Format::Html
                };
                let written =
                    simd_iri::document::Document::new(format).write(IriRef::parse(&once).unwrap());
                let reads = prepare
                    .context(context)
                    .prepare("?&#38;")
                    .is_ok_and(|made| made.view() == "?&");
                if reads {
                    same(context, &written)?;
                }
            }
            _ => {}
        }
        Ok(())
    });
}

#[test]
fn a_host_is_narrow_however_its_slashes_are_repaired() {
    let typed = |text: &str| {
        let prepare = Prepare::new(RepairSet::BrowserLike).context(Context::Typed);
        prepare.prepare(text).unwrap().view().to_string()
    };
    for (text, expected) in [
        ("https:/ｅｖｉｌ．ｃｏｍ/a b", "https://evil.com/a%20b"),
        ("https:／ｅｖｉｌ．ｃｏｍ／a b", "https://evil.com/a%20b"),
        ("https:\\ｅｖｉｌ．ｃｏｍ\\a b", "https://evil.com/a%20b"),
        ("https:////ｅｖｉｌ．ｃｏｍ/a b", "https://evil.com/a%20b"),
        ("／a.b/x", "/a.b/x"),
        ("／／a.b/x", "https://a.b/x"),
        ("ａ.b／x", "https://a.b/x"),
        ("x:/ａ b", "x:/ａ%20b"),
        ("file:/ａ b", "file:/ａ%20b"),
    ] {
        assert_eq!(typed(text), expected, "{text}");
    }
}

/// With all replacements, a string is what `prepare` makes of it, before the base resolves it. They are in order, do not
/// touch, and each changes something.
#[test]
fn replacements_make_the_result() {
    let pieces = proptest::collection::vec(proptest::sample::select(REPAIRED), 0..7);
    let kinds =
        proptest::collection::vec((proptest::sample::select(RepairKind::ALL), any::<bool>()), 0..4);
    let options = (
        proptest::sample::select(&CONTEXTS[..]),
        proptest::sample::select(&REPAIR_SETS[..]),
        proptest::sample::select(&[None, Some("http://h/b/c?q"), Some("file://h/D:/x")][..]),
        kinds,
    );
    random(60_000, (pieces, options), |(pieces, (context, set, base, kinds))| {
        let text = pieces.concat();
        let mut prepare = Prepare::new(set).context(context);
        let base = base.map(|base| simd_iri::Iri::parse(base).unwrap());
        if let Some(base) = base {
            prepare = prepare.base(base);
        }
        for (kind, is_allowed) in kinds {
            prepare = if is_allowed { prepare.allow(kind) } else { prepare.forbid(kind) };
        }
        let (made, all) = (prepare.prepare(&text), prepare.replacements(&text));
        let Ok(made) = made else {
            prop_assert_eq!(all.unwrap_err(), made.unwrap_err());
            return Ok(());
        };
        let all = all.unwrap();
        let (mut changed, mut last) = (text.clone(), usize::MAX);
        for one in all.iter().rev() {
            prop_assert!(one.span().end < last, "{text:?} {all:?}");
            last = one.span().start;
            prop_assert!(text[one.span()] != *one.as_str(), "{text:?} {all:?}");
            changed.replace_range(one.span(), one.as_str());
        }
        prop_assert_eq!(all.is_empty(), made.repairs().is_empty(), "{:?} {:?}", text, all);
        let changed = IriRef::parse(&changed);
        prop_assert!(changed.is_ok(), "{text:?} {all:?}");
        let changed = changed.unwrap();
        let resolved = base.filter(|_| changed.scheme().is_none());
        let expected = match resolved {
            Some(base) => simd_iri::Base::new(base).resolve(changed).unwrap().into_string(),
            None => changed.as_str().to_owned(),
        };
        // A reference with a scheme and a base may lose its dot segments.
        let is_same = made.view() == expected.as_str();
        prop_assert!(is_same || base.is_some() && resolved.is_none(), "{text:?} {all:?} {made:?}");
        Ok(())
    });
}

#[test]
fn replacements_are_bounded() {
    for count in [999, 1_000, 1_001, 3_000] {
        let text = "a b".repeat(count);
        let all = Prepare::new(RepairSet::Leiri).replacements(&text).unwrap();
        assert_eq!(all.len(), count.min(1_000));
        let mut changed = text.clone();
        for one in all.iter().rev() {
            changed.replace_range(one.span(), one.as_str());
        }
        assert_eq!(changed, text.replace(' ', "%20"));
    }
}

#[test]
fn random_strings_become_references_or_errors() {
    random(3_000, byte_strings(), |bytes| obey(&bytes));
    const PIECES: &[&str] = &[
        "<",
        ">",
        "\"",
        "URL:",
        " ",
        "\n",
        "&amp;",
        "&#x2F;",
        "&",
        "\\",
        "/",
        ":",
        "@",
        "%",
        "#",
        "[",
        "]",
        "ｈ",
        "：",
        "。",
        "www.",
        "a",
        "1",
        ".",
        "http",
        "\u{202A}",
        "\u{FFFD}",
        "javascript:",
        "é",
    ];
    let mixed = proptest::collection::vec(proptest::sample::select(PIECES), 0..12);
    random(3_000, mixed, |pieces| obey(pieces.concat().as_bytes()));
    random(500, texts(), |text| {
        let made = Prepare::new(RepairSet::Crawler).prepare_each(&text).count();
        prop_assert_eq!(made, text.split_ascii_whitespace().count());
        Ok(())
    });
}

/// A prescan finds that a string needs no repair. With a space before the string, the steps run, and must give the
/// same answer. (With debug assertions, the library compares both for every string that any test prepares.)
#[test]
fn the_prescan_answers_as_the_steps_do() {
    const PIECES: &[&str] = &[
        "http:",
        "HTTPS:",
        "file:",
        "a.b:",
        "url:",
        "javascript:",
        "/",
        "//",
        "///",
        "c:",
        "a",
        "www.b.c",
        "localhost",
        ":80",
        ":",
        "?",
        "#",
        "@",
        "&",
        "&a=",
        "&copy",
        "&amp;",
        "&#65;",
        "&#xD800;",
        "ａ",
        "：",
        "。",
        "、",
        "か",
        "é",
        "'",
        "“",
        "”",
        "«",
        "\u{200B}",
        "\u{202A}",
        "\u{E000}",
        "%41",
        "[::1]",
        "..",
        "a-long-name-which-reaches-over-the-end-of-a-block-of-bytes.example",
    ];
    let profiles = [RepairSet::Strict, RepairSet::BrowserLike, RepairSet::Crawler];
    let bases = [None, Some(iri!("http://h/b")), Some(iri!("file:///b"))];
    let mixed = proptest::collection::vec(proptest::sample::select(PIECES), 0..7);
    random(4_000, mixed, |pieces| {
        let text = pieces.concat();
        for (profile, context) in
            profiles.iter().flat_map(|profile| CONTEXTS.map(|c| (*profile, c)))
        {
            for base in bases {
                let prepare = Prepare::new(profile).context(context);
                let prepare = base.map_or(prepare, |base| prepare.base(base));
                let spaced = format!(" {text}");
                let result = |made: Result<Prepared<'_>, Error>, before: usize| {
                    let made = made.map(|made| made.view().to_string());
                    made.map_err(|error| (error.kind(), error.span().start - before))
                };
                if context != Context::Plain {
                    let (bare, spaced) = (prepare.prepare(&text), prepare.prepare(&spaced));
                    prop_assert_eq!(
                        result(bare, 0),
                        result(spaced, 1),
                        "{:?} {:?}",
                        profile,
                        context
                    );
                }
            }
        }
        Ok(())
    });
}

/// The links that a page has most often are borrowed.
#[test]
fn clean_links_are_borrowed() {
    let html = Prepare::new(RepairSet::BrowserLike).context(Context::Html);
    for text in [
        "",
        "#top",
        "/a/b?c=d&e=f#g",
        "../か、、き",
        "http://www.example.org/a%20b;c=d?e=",
        "https://me@例え.jp:8042/도움말?q=क#τ",
        "file:///C:/a",
        "mailto:a@b.example",
        "javascript:void(0)",
        "http://[::1]/&copy=1",
    ] {
        let made = html.prepare(text).unwrap();
        assert!(made.repairs().is_empty(), "{text}");
        assert!(made.into_reference().is_borrowed(), "{text}");
    }
}

/// The source has a character reference where the text has a percent sign: to change its first byte is not a correction.
#[test]
fn an_error_in_a_character_reference_has_no_suggestion() {
    for source in ["a&#37;zz", "a&#x25;zz", "a&percnt;zz"] {
        let error = Prepare::new(RepairSet::Strict).context(Context::Html).prepare(source);
        let error = error.unwrap_err();
        assert_eq!(error.kind(), simd_iri::ErrorKind::BadPercentEncoding, "{source}");
        assert_eq!(error.suggestion(), None, "{source}");
    }
}

/// What the repairs of browsers make of the bytes after the host, character by character: the result, and each repair.
fn of_each_character(
    tail: &[u8],
    start: usize,
    removes_spaces: bool,
) -> (String, Vec<(RepairKind, std::ops::Range<usize>)>) {
    let (mut made, mut repairs, mut delimiter, mut at) = (String::new(), Vec::new(), '/', 0);
    let is_removed =
        |byte: &u8| matches!(byte, b'\t' | b'\r' | b'\n') || removes_spaces && *byte == b' ';
    while let Some(rest) = tail.get(at..).filter(|rest| !rest.is_empty()) {
        let valid = rest.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
        let c = valid.chars().next();
        let length = c.map_or(1, char::len_utf8);
        let octets = rest.get(..length).unwrap_or_default();
        let kept: Vec<_> = rest.iter().skip(1).filter(|byte| !is_removed(byte)).take(2).collect();
        let is_triplet = kept.len() == 2 && kept.iter().all(|digit| digit.is_ascii_hexdigit());
        let kind = match c {
            None => Some(IllFormed),
            Some('\t' | '\r' | '\n') => Some(LineBreak),
            Some(' ') if removes_spaces => Some(SpaceRemoved),
            Some(' ') => Some(Space),
            Some('%') => (!is_triplet).then_some(StrayPercent),
            Some('\\') if delimiter == '/' => Some(Backslash),
            Some('#') if delimiter == '#' => Some(SecondHash),
            Some('[' | ']') => Some(Bracket),
            Some(c) if c.is_ascii_control() => Some(Control),
            Some('<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`') => Some(NotAllowed),
            Some('\u{FFFD}') => Some(Replacement),
            Some('\u{E000}') if delimiter == '?' => None,
            Some('\u{E000}' | '\u{FFFF}') => Some(NotUcschar),
            Some('?' | '#') => {
                let c = c.unwrap_or_default();
                delimiter = if delimiter == '#' { '#' } else { c };
                None
            }
            Some(_) => None,
        };
        match kind {
            None => made.extend(c),
            Some(LineBreak | SpaceRemoved) => {}
            Some(Backslash) => made.push('/'),
            Some(_) => octets.iter().for_each(|octet| made += &format!("%{octet:02X}")),
        }
        let place = start + at;
        repairs.extend(kind.map(|kind| (kind, place..place + length)));
        at += length;
    }
    (made, repairs)
}

/// A full-width character in an authority is repaired as its ASCII is, wherever it is in a block of 64 bytes.
#[test]
fn a_full_width_character_in_an_authority_is_its_ascii() {
    // Each piece, and the piece in ASCII.
    const PIECES: &[(&[u8], &[u8])] = &[
        (b"a", b"a"),
        (b"example.", b"example."),
        (b"%", b"%"),
        (b"%4", b"%4"),
        (b"41", b"41"),
        (b"|", b"|"),
        (b"\t", b"\t"),
        (b"\xFF", b"\xFF"),
        (b"\xE3\x80", b"\xE3\x80"),
        ("é".as_bytes(), "é".as_bytes()),
        ("例".as_bytes(), "例".as_bytes()),
        ("、".as_bytes(), "、".as_bytes()),
        ("｟".as_bytes(), "｟".as_bytes()),
        ("😀".as_bytes(), "😀".as_bytes()),
        ("\u{E000}".as_bytes(), "\u{E000}".as_bytes()),
        ("\u{FFFF}".as_bytes(), "\u{FFFF}".as_bytes()),
        ("ａ".as_bytes(), b"a"),
        ("。".as_bytes(), b"."),
        ("．".as_bytes(), b"."),
        ("％".as_bytes(), b"%"),
        ("４".as_bytes(), b"4"),
        ("１".as_bytes(), b"1"),
        ("＠".as_bytes(), b"@"),
        ("：".as_bytes(), b":"),
        ("［".as_bytes(), b"["),
        ("｜".as_bytes(), b"|"),
        ("＜".as_bytes(), b"<"),
    ];
    let count = prop_oneof![6 => Just(1_usize), 3 => 1..30_usize, 1 => 60..200_usize];
    let runs = proptest::collection::vec((proptest::sample::select(PIECES), count), 1..12);
    let contexts = proptest::sample::select(&[Context::Plain, Context::Typed, Context::Html][..]);
    let prepared = Cell::new(0);
    random(30_000, (runs, contexts, any::<bool>()), |(runs, context, has_path)| {
        let [mut given, mut ascii] = [b"http://".to_vec(), b"http://".to_vec()];
        for ((piece, in_ascii), count) in runs {
            given.extend(piece.repeat(count));
            ascii.extend(in_ascii.repeat(count));
        }
        let tail: &[u8] = if has_path { "/ａ。".as_bytes() } else { b"" };
        given.extend(tail);
        ascii.extend(tail);
        // A reference is used unchanged, unless somebody has typed it.
        if context != Context::Typed && Rule::IriReference.is_valid_bytes(&given) {
            return Ok(());
        }
        let prepare = Prepare::new(RepairSet::BrowserLike).context(context);
        let text = |bytes: &[u8]| {
            let made = prepare.prepare_bytes(bytes).ok();
            made.map(|made| made.view().as_str().to_owned())
        };
        let expected = text(&ascii);
        prepared.set(prepared.get() + u32::from(expected.is_some()));
        prop_assert_eq!(text(&given), expected, "{}", show(&given));
        Ok(())
    });
    assert!(prepared.get() > 100, "{prepared:?}");
}

/// Many characters at once are repaired as each of them, wherever a run ends in a block of 64 bytes. The first 1,000
/// repairs are listed, and the others are counted.
#[test]
fn a_run_is_repaired_as_its_characters() {
    const RUNS: &[&[u8]] = &[
        b"a",
        b"/",
        b"?",
        b"#",
        b"@:",
        b"&",
        b"%",
        b"%4",
        b"%4a",
        b"%\t4\n1",
        b"% ",
        b"F",
        b" ",
        b"\t",
        b"\r\n",
        b"|",
        b"<",
        b"\\",
        b"[",
        b"]",
        b"\0",
        b"\x7F",
        "é".as_bytes(),
        "日".as_bytes(),
        "😀".as_bytes(),
        "ａ".as_bytes(),
        "\u{E000}".as_bytes(),
        "\u{FFFD}".as_bytes(),
        "\u{FFFF}".as_bytes(),
        b"\xFF",
        b"\x80",
        b"\xC3",
        b"\xE3\x81",
        b"\xED\xA0\x80",
        b"\xC0\x80",
        b"\xF4\x90\x80\x80",
        b"\xF0\x9F",
    ];
    let count = prop_oneof![4 => 1..4_usize, 3 => 1..70_usize, 1 => 400..1_200_usize];
    let run = (proptest::sample::select(RUNS), count);
    let runs = proptest::collection::vec(run, 0..9);
    random(30_000, (runs, any::<bool>()), |(runs, removes_spaces)| {
        let head = "http://h/";
        let mut given = head.as_bytes().to_vec();
        for (run, count) in runs {
            given.extend(run.repeat(count));
        }
        // White space at the end would be trimmed.
        given.push(b';');
        let mut prepare = Prepare::new(RepairSet::BrowserLike);
        if removes_spaces {
            prepare = prepare.allow(SpaceRemoved);
        }
        let made = prepare.prepare_bytes(&given).unwrap();
        let tail = given.get(head.len()..).unwrap_or_default();
        let (expected, repairs) = of_each_character(tail, head.len(), removes_spaces);
        let listed: Vec<_> =
            made.repairs().iter().map(|repair| (repair.kind(), repair.span())).collect();
        prop_assert_eq!(made.view().as_str(), format!("{head}{expected}"), "{}", show(&given));
        prop_assert_eq!(listed.len() + made.unlisted_repairs(), repairs.len());
        prop_assert!(repairs.iter().take(1_000).eq(&listed), "{}", show(&given));
        Ok(())
    });
}

/// A character and its character reference are the same character: the bytes that are not references are read in blocks, and
/// references are read one by one. There may be more repairs than are listed, white space may go on over a block, and in
/// user information, hosts and literals other repairs are allowed than in a path.
#[test]
fn characters_in_blocks_are_repaired_as_references() {
    const HEADS: &[&str] =
        &["http://h/", "http://", "http://u@", "http://[", "//h?", "", "file:///", "a:b#", "http:"];
    const RUNS: &[&[u8]] = &[
        b"a",
        b"a",
        b"/",
        b"?",
        b"#",
        b"@",
        b":",
        b"%",
        b"%4",
        b"4",
        b" ",
        b" ",
        b"  ",
        b"\t",
        b"\n",
        b" \n ",
        b"|",
        b"\\",
        b"[",
        b"]",
        b"[::1]",
        b"\x7F",
        "é".as_bytes(),
        "日".as_bytes(),
        "😀".as_bytes(),
        "ａ".as_bytes(),
        "／".as_bytes(),
        "％".as_bytes(),
        "。".as_bytes(),
        "\u{E000}".as_bytes(),
        "\u{FFFD}".as_bytes(),
        b"\xFF",
        b"\xC3",
        b"\xE3\x81",
        b"\xF0\x9F\x98",
    ];
    let count = prop_oneof![8 => 1..4_usize, 4 => 1..70_usize, 1 => 1_000..1_200_usize];
    let runs = proptest::collection::vec((proptest::sample::select(RUNS), count), 0..9);
    let settings = (0..3_usize, any::<bool>(), any::<bool>(), any::<u64>());
    random(30_000, (proptest::sample::select(HEADS), runs, settings), |(head, runs, settings)| {
        let (set, removes_spaces, encodes_hosts, seed) = settings;
        let set = [RepairSet::BrowserLike, RepairSet::Crawler, RepairSet::Leiri][set];
        let mut given = head.as_bytes().to_vec();
        for (run, count) in runs {
            given.extend(run.repeat(count));
        }
        given.push(b'a');
        // Every third character or so becomes a reference.
        let (mut referred, mut random) = (Vec::new(), seed);
        for chunk in given.utf8_chunks() {
            for c in chunk.valid().chars() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                match random >> 62 {
                    0 => referred.extend_from_slice(format!("&#{};", u32::from(c)).as_bytes()),
                    _ => referred.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
            referred.extend_from_slice(chunk.invalid());
        }
        let mut prepare = Prepare::new(set).context(Context::Html);
        if removes_spaces {
            prepare = prepare.allow(SpaceRemoved);
        }
        if encodes_hosts {
            prepare = prepare.allow(RepairKind::InHost);
        }
        let [made, expected] = [&given, &referred].map(|bytes| {
            let made = prepare.prepare_bytes(bytes);
            made.map(|made| made.view().to_string()).map_err(|error| error.kind())
        });
        prop_assert_eq!(made, expected, "{}", show(&given));
        Ok(())
    });
}

/// What ends a host that is not valid is an error with its place, whatever is repaired after it.
#[test]
fn an_error_in_a_host_has_its_place_if_other_repairs_are_only_counted() {
    for (count, set) in [1, 3, 1_100]
        .into_iter()
        .flat_map(|n| [(n, RepairSet::Crawler), (n, RepairSet::BrowserLike)])
    {
        for (host, end) in [("[ ", 9), ("[  ", 10), ("[\u{FFFD}\u{FFFD}", 14)] {
            let text = format!("http://{host}?{}c", "b ".repeat(count));
            let error = Prepare::new(set).prepare(&text).unwrap_err();
            assert_eq!(
                (error.kind(), error.span()),
                (ErrorKind::UnexpectedEnd, end..end),
                "{text}"
            );
        }
    }
}

/// The digits after `%` may come from character references, follow white space that is removed, or be full-width.
#[test]
fn the_digits_of_a_triplet_are_those_after_all_steps() {
    let browser = Prepare::new(RepairSet::BrowserLike);
    let (html, typed) = (browser.context(Context::Html), browser.context(Context::Typed));
    let wrapped = Prepare::new(RepairSet::Crawler);
    for (prepare, text, expected) in [
        (html, "%4&#52;", "%44"),
        (html, "%&#52;4", "%44"),
        (html, "%\t&#52;\n&#52;", "%44"),
        (html, "%4&#71;", "%254G"),
        (html, "%4&", "%254&"),
        (browser, "%\t4\r\n1", "%41"),
        (browser, "%\t4\r\nx", "%254x"),
        (browser, "% 41", "%25%2041"),
        (wrapped, "% \n41", "%41"),
        (wrapped, "% 41", "%25%2041"),
        (wrapped.context(Context::Xml), "%\t4 \t&#49;", "%41"),
        (typed, "//a%4１/", "https://a%41/"),
        (typed, "//a％４１/", "https://a%41/"),
        (typed, "//a%4「/", "https://a%254「/"),
        (typed, "//ａ«b/", "https://a«b/"),
    ] {
        assert_eq!(prepare.prepare(text).unwrap().view(), expected, "{text:?}");
        // The same, with the digits in the next block.
        for count in 50..66 {
            let before = "a".repeat(count);
            let head = text.find(['%', '％']).unwrap_or(text.len());
            let tail = expected.find('%').unwrap_or(expected.len());
            let (mut text, mut expected) = (text.to_owned(), expected.to_owned());
            text.insert_str(head, &before);
            expected.insert_str(tail, &before);
            assert_eq!(prepare.prepare(&text).unwrap().view(), expected.as_str(), "{text:?}");
        }
    }
}

/// An error has the same place however long the text before it and after it is, and whatever is repaired there.
#[test]
fn an_error_among_runs_has_its_place() {
    for run in ["|", "%", "a", "\t", "é", "a\\", "\u{FFFD}", "%41", " b"] {
        for count in [0, 1, 20, 21, 22, 61, 62, 63, 64, 65, 200] {
            let prepare = Prepare::new(RepairSet::BrowserLike).forbid(Bracket);
            let (before, after) = (run.repeat(count), run.repeat(count / 2));
            let text = format!("http://h/{before}[{after}x");
            let at = "http://h/".len() + before.len();
            assert_eq!(prepare.prepare(&text).unwrap_err().span(), at..at + 1, "{text:?}");
        }
    }
}

/// What needs no repair is resolved as what is repaired: the path of the base may begin with full-width slashes.
#[test]
fn full_width_slashes_of_a_base_stay() {
    let base = Prepare::new(RepairSet::BrowserLike).base(iri!("foo:／／c"));
    for context in [Context::Typed, Context::Html, Context::Xml] {
        for (text, expected) in [("?x", "foo:./／／c?x"), ("?|", "foo:./／／c?%7C")] {
            let made = base.context(context).prepare(text).unwrap();
            assert_eq!(made.view(), expected, "{text}");
            assert_eq!(base.context(context).prepare(expected).unwrap().view(), expected);
        }
    }
    // A reference is used unchanged.
    assert_eq!(base.prepare("?x").unwrap().view(), "foo:／／c?x");
}

/// Full-width slashes at the start of a path that was resolved do not become those of an authority the next time.
#[test]
fn full_width_slashes_of_a_resolved_path_stay() {
    let typed = Prepare::new(RepairSet::BrowserLike).context(Context::Typed);
    for (base, text, expected) in [
        ("foo:b", "./／／", "foo:./／／"),
        ("foo:b", "./／／a/b", "foo:./／／a/b"),
        ("foo:b", ".//／a", "foo:.//／a"),
        ("foo:b", "/./／", "foo:.//／"),
        ("foo:b", "foo:/./／", "foo:.//／"),
        ("foo:b", "./／a", "foo:／a"),
        ("foo:b", "./a／／", "foo:a／／"),
        ("foo://h/b", "./／／", "foo://h/／／"),
    ] {
        let prepare = typed.base(simd_iri::Iri::parse(base).unwrap());
        let once = prepare.prepare(text).unwrap().view().to_string();
        assert_eq!(once, expected, "{text} {base}");
        assert_eq!(prepare.prepare(&once).unwrap().view(), once.as_str(), "{text} {base}");
    }
}
