//! Hosts as domain names: Unicode's own tests, the examples of RFC 3490, and the mapping there and back.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::percent::{self, RegName};
use simd_iri::{Compare, ErrorKind, Iri, IriRef, Level, Normalize, ToIri, ToUri, Uri};

use crate::cases;
use crate::support::random;

/// The host by IDNA; `None` if IDNA refuses it.
fn to_ascii(host: &str) -> Option<String> {
    let text = format!("http://{host}/é");
    let iri = Iri::parse(&text).unwrap();
    match ToUri::new().idna(true).map(iri) {
        Ok(uri) => {
            let view = uri.view();
            assert_eq!(Uri::parse(view.as_str()).map(|uri| uri.parts()), Ok(view.parts()));
            assert_eq!(view.path(), "/%C3%A9");
            assert!(ToUri::new().idna(true).map(view).unwrap().is_borrowed(), "idempotent: {host}");
            view.host_str().map(str::to_owned)
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::BadDomain);
            assert_eq!(&text[error.span()], host);
            None
        }
    }
}

/// The text that a field of the file of Unicode stands for.
fn unescaped(field: &str) -> String {
    if field == "\"\"" {
        return String::new();
    }
    let (mut units, mut rest) = (Vec::new(), field);
    while let Some(c) = rest.chars().next() {
        let digits = rest.strip_prefix("\\u").and_then(|rest| rest.get(..4));
        if let Some(digits) = digits {
            units.push(u16::from_str_radix(digits, 16).unwrap());
            rest = &rest[6..];
        } else {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            rest = &rest[c.len_utf8()..];
        }
    }
    String::from_utf16_lossy(&units)
}

#[test]
fn the_tests_of_unicode() {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home.map(|home| home.join("registry/src"));
    let registries = sources.and_then(|sources| fs::read_dir(sources).ok());
    let file = registries.into_iter().flatten().flatten().find_map(|registry| {
        let crates = fs::read_dir(registry.path()).ok()?;
        let named =
            |path: &PathBuf| path.file_name()?.to_str().map(|name| name.starts_with("idna-1."));
        let found =
            crates.flatten().map(|entry| entry.path()).find(|path| named(path) == Some(true));
        fs::read_to_string(found?.join("tests/IdnaTestV2.txt")).ok()
    });
    let file = file.expect("IdnaTestV2.txt in the sources of the crate `idna`, in CARGO_HOME");
    let (mut run, mut in_ascii, mut lenient, mut newer) = (0, 0, 0, 0);
    for line in file.lines().map(|line| line.split('#').next().unwrap()) {
        let fields: Vec<_> = line.split(';').map(str::trim).collect();
        let &[source, unicode, unicode_status, ascii, ascii_status, ..] = fields.as_slice() else {
            assert!(line.trim().is_empty(), "{line}");
            continue;
        };
        let source_text = unescaped(source);
        let or = |field: &str, other: &str| unescaped(if field.is_empty() { other } else { field });
        let status = if ascii_status.is_empty() { unicode_status } else { ascii_status };
        let unicode = or(unicode, source);
        let expected = if ascii.is_empty() { unicode } else { unescaped(ascii) };
        let codes: Vec<_> = status
            .trim_matches(['[', ']'])
            .split(',')
            .map(str::trim)
            .filter(|code| !code.is_empty())
            .collect();
        // Our profile: hyphens may be third and fourth, and the last character may be a dot.
        let lengths = expected.strip_suffix('.').unwrap_or(&expected);
        let fits =
            lengths.len() <= 253 && lengths.split('.').all(|label| (1..=63).contains(&label.len()));
        // And labels in ASCII may have underscores.
        let underscored = expected.split('.').any(|label| label.contains('_'));
        let is_encoded = |label: &str| label.contains('_') && !label.is_ascii();
        let has_underscore = underscored && !expected.split('.').any(is_encoded);
        let is_allowed = codes.iter().all(|code| {
            *code == "V2" || *code == "A4_2" && fits || *code == "U1" && has_underscore
        });
        let host = percent::encode_iri::<RegName>(&source_text).to_string();
        if host.is_ascii() && !host.contains('%') {
            // It is refused, or stays as it is; an empty host is not a name.
            let iri = format!("http://{host}/");
            let uri = ToUri::new().idna(true).map(Iri::parse(&iri).unwrap());
            // The reason is the same as below.
            let is_newer = codes.contains(&"V7") && uri.is_ok();
            let is_allowed = is_allowed || is_newer;
            assert_eq!(uri.is_ok(), is_allowed || host.is_empty(), "{line}");
            assert!(uri.is_ok_and(|uri| uri.is_borrowed()) || !is_allowed, "{line}");
            in_ascii += 1;
            continue;
        }
        lenient += usize::from(!codes.is_empty() && is_allowed);
        let found = to_ascii(&host);
        // The file is of one version of Unicode, and the tables of the crate may be of the next, in which characters
        // have been assigned.
        if codes.contains(&"V7") && found.is_some() {
            assert_eq!(found.as_ref(), Some(&expected), "{line}");
            newer += 1;
        } else {
            assert_eq!(found, is_allowed.then_some(expected), "{line}");
        }
        run += 1;
    }
    assert!(run > 4000 && newer < 50, "{run}, {newer}");
    println!(
        "{run} names, {lenient} of them allowed by our profile alone, {newer} by newer tables; {in_ascii} in ASCII"
    );
}

#[derive(Deserialize)]
struct Row {
    host: String,
    ascii: Option<String>,
    profile: String,
}

#[test]
fn names_of_rfc_3490() {
    for (path, rows) in cases::rows::<Row>(&["host", "ascii", "profile"]) {
        let (mut same, mut other) = (0, 0);
        for Row { host, ascii, profile } in &rows {
            assert!(profile.contains("idna2003"));
            if host.is_ascii() {
                // A host in ASCII stays as it is; RFC 3490 writes it in lower case. A text that is not a host is
                // refused before.
                if Iri::parse(&format!("http://{host}/")).is_ok() && !host.contains('_') {
                    let lower = |name: String| name.to_ascii_lowercase();
                    assert_eq!(to_ascii(host).map(lower), ascii.clone().map(lower), "{host}");
                }
                other += 1;
                continue;
            }
            let found = to_ascii(host);
            // RFC 5891 keeps two letters that RFC 3490 maps to others.
            match host.as_str() {
                "faß.de" => assert_eq!(found.as_deref(), Some("xn--fa-hia.de")),
                "ς.gr" => assert_eq!(found.as_deref(), Some("xn--3xa.gr")),
                _ => {
                    assert_eq!(&found, ascii, "{host}");
                    same += 1;
                    continue;
                }
            }
            other += 1;
        }
        println!("{same} the same, {other} not, of {}", path.display());
    }
}

#[derive(Deserialize)]
struct Mapped {
    id: String,
    input: String,
    expected: String,
    options: Options,
}

#[derive(Deserialize)]
struct Options {
    host: Option<String>,
}

#[test]
fn every_case_of_iri_to_uri() {
    for (path, rows) in cases::rows::<Mapped>(&["id", "input", "expected", "options"]) {
        let rows: Vec<_> =
            rows.iter().filter(|row| row.options.host.as_deref() == Some("idna")).collect();
        for Mapped { id, input, expected, .. } in &rows {
            let reference = IriRef::parse(input).unwrap();
            assert_eq!(ToUri::new().idna(true).map(reference).unwrap(), expected.as_str(), "{id}");
        }
        println!("{} cases of {}", rows.len(), path.display());
    }
}

#[test]
fn a_host_that_is_shown_comes_back() {
    let labels = proptest::collection::vec(
        proptest::sample::select(
            &[
                "a",
                "xn--bcher-kva",
                "XN--BCHER-KVA",
                "xn--99zt52a",
                "xn--a",
                "xn--",
                "xn--a-0",
                "xn--4xa",
                "xn--3xa",
                "xn--mgbh0fb",
                "xn--0ca24w",
                "b%C3%BC",
                "x%6e--bcher-kva",
                "%78n%2D%2dbcher-kva",
                "a%2Eb",
                "a_b",
                "xn--_-9fa",
                "%E2%80%8E",
                "%C2%AD",
                "É",
                "é",
                "xn--fiqs8s",
                "xn---",
                "xn--zca",
                "",
            ][..],
        ),
        1..5,
    );
    random(4000, labels, |labels| {
        let host = labels.join(".");
        for scheme in ["http", "other"] {
            let text = format!("{scheme}://{host}/%C3%A9");
            let iri = Iri::parse(&text).unwrap();
            let shown = ToIri::new().idna(true).map(iri);
            let view = shown.view();
            prop_assert_eq!(Iri::parse(view.as_str()).map(|iri| iri.parts()), Ok(view.parts()));
            prop_assert!(ToIri::new().idna(true).map(view).is_borrowed(), "{}", view);
            // Every label by itself, if the name has only one.
            let Some(back) = to_ascii(&host) else { continue };
            if scheme == "http" {
                let again = ToUri::new().idna(true).map(view).unwrap();
                let again = again.view().host_str().map(str::to_ascii_lowercase);
                prop_assert_eq!(again, Some(back.to_ascii_lowercase()), "{}", view);
            } else {
                let plain = ToIri::new().map(iri);
                prop_assert_eq!(plain.view().host_str(), view.host_str());
            }
        }
        Ok(())
    });
}

#[test]
fn a_host_and_its_normal_form_are_equivalent_with_any_other_rules() {
    let pieces = prop::collection::vec(
        prop::sample::select(
            &[
                "xn--",
                "XN--",
                "tpst",
                "tpsty",
                "Y",
                "bcher-kva",
                "KVA",
                "委壂",
                "é",
                "É",
                "ß",
                "a",
                "A",
                "1",
                "-",
                "_",
                ".",
                "%59",
                "%C3%A9",
                "%2E",
                "。",
                "\u{AD}",
                "%C2%AD",
            ][..],
        ),
        1..5,
    );
    random(20_000, (pieces, any::<u8>()), |(pieces, bits)| {
        let text = format!("http://{}/", pieces.concat());
        let on = |bit: u8| bits >> bit & 1 == 1;
        let rules = Normalize::none().idna(true).case(on(0)).percent_encoding(on(1)).port(on(2));
        let by = Compare::by(rules);
        let iri = Iri::parse(&text).unwrap();
        let normal = iri.normalize(rules).unwrap();
        prop_assert!(normal.view().normalize(rules).unwrap().is_borrowed(), "{text} {normal}");
        prop_assert!(by.equivalent(iri, normal.view()), "{text} {normal} {rules:?}");
        let uri = iri.to_uri().unwrap();
        let of_uri = uri.view().normalize(rules).unwrap();
        prop_assert!(of_uri.view().normalize(rules).unwrap().is_borrowed(), "{uri} {of_uri}");
        prop_assert!(by.equivalent(normal.view(), of_uri.view()), "{normal} {of_uri} {rules:?}");
        Ok(())
    });
}

#[test]
fn a_host_in_ascii_is_refused_as_its_encoded_form_is() {
    let long = "a".repeat(64);
    for (host, is_name) in [
        ("xn--a", false),
        ("XN--A", false),
        ("-a.com", false),
        ("a-.com", false),
        ("a..b", false),
        (".a", false),
        ("a..", false),
        (long.as_str(), false),
        ("a!b", false),
        ("xn--_-9fa", false),
        ("a.", true),
        ("a_b.example.com", true),
        ("_dmarc.Example.com", true),
        ("ab--cd", true),
        ("127.0.0.1", true),
        ("xn--bcher-kva", true),
        ("", true),
        ("[::1]", true),
        ("[v1.a_b]", true),
    ] {
        let plain = format!("http://{host}/");
        let uri = ToUri::new().idna(true).map(Iri::parse(&plain).unwrap());
        assert_eq!(uri.as_ref().is_ok_and(|uri| uri.is_borrowed()), is_name, "{host}");
        assert_eq!(uri.is_ok(), is_name, "{host}");
        assert!(ToUri::new().map(Iri::parse(&plain).unwrap()).unwrap().is_borrowed());
        // The first letter as a triplet.
        if let Some(byte) = host.bytes().next().filter(|byte| *byte != b'[') {
            let encoded = format!("%{byte:02X}{}", &host[1..]);
            assert_eq!(to_ascii(&encoded).is_some(), is_name, "{encoded}");
        }
    }
    // An underscore beside other labels, and in one with other letters.
    assert_eq!(to_ascii("a_b.bücher.example").as_deref(), Some("a_b.xn--bcher-kva.example"));
    assert_eq!(to_ascii("a_bücher.example"), None);
}

#[test]
fn a_host_of_very_many_labels_is_refused_early() {
    for host in
        ["é.".repeat(1 << 20), "xn--bcher-kva.".repeat(1 << 16) + "é", "%C3%A9".repeat(1 << 20)]
    {
        assert_eq!(to_ascii(&host), None);
    }
}

#[derive(Deserialize)]
struct Pair {
    a: String,
    b: String,
    /// The level of the comparison. The shared cases have it in `level`.
    ladder: Option<String>,
    level: String,
    equal: bool,
    may: Option<bool>,
}

#[test]
fn domain_names_are_compared_as_names() {
    let by = Compare::new(Level::SchemeIdna);
    let rules = Normalize::scheme().idna(true);
    let same = |a: &str, b: &str| {
        let (a, b) = (IriRef::parse(a).unwrap(), IriRef::parse(b).unwrap());
        let keys = (by.key(a).unwrap(), by.key(b).unwrap());
        assert_eq!(by.order(a, b), keys.0.cmp(&keys.1), "{a}, {b}");
        assert_eq!(by.fingerprint(a) == by.fingerprint(b), keys.0 == keys.1, "{a}, {b}");
        for view in [a, b] {
            let normal = view.normalize(rules).unwrap();
            let view = normal.view();
            assert_eq!(IriRef::parse(view.as_str()).map(|view| view.parts()), Ok(view.parts()));
            assert!(view.normalize(rules).unwrap().is_borrowed(), "{view}");
            assert!(by.equivalent(a, b) == (by.equivalent(view, a) && by.equivalent(view, b)));
        }
        keys.0 == keys.1
    };
    for (a, b, expected) in [
        ("http://bücher/", "http://xn--bcher-kva", true),
        ("http://BÜCHER/", "http://b%C3%BCcher:80", true),
        ("http://BÜCHER/", "http://XN--BCHER-KVA", true),
        ("other://bücher", "other://xn--bcher-kva", false),
        ("//bücher", "//xn--bcher-kva", false),
        // It is refused, and so compared as it is written.
        ("http://é_", "http://%C3%A9_/", true),
        ("http://é_", "http://É_/", false),
    ] {
        assert_eq!(same(a, b), expected, "{a}, {b}");
    }
    // Cases that the level before decides, and cases that the RFC merely allows.
    for (path, rows) in cases::rows::<Pair>(&["a", "b", "equal"]) {
        let rows: Vec<_> = rows
            .iter()
            .filter(|row| {
                let is_scheme = row.ladder.as_ref().unwrap_or(&row.level) == "scheme";
                is_scheme && row.equal || row.may.is_some() || row.level == "may"
            })
            .collect();
        for Pair { a, b, .. } in &rows {
            assert!(same(a, b), "{a}, {b}");
        }
        println!("{} cases of {}", rows.len(), path.display());
    }
}

/// The host of an origin is the host that the DNS is asked for, in whatever spelling it is written; it is never another
/// one. `url` is the parser by the URL Standard.
#[test]
fn the_host_of_an_origin_is_that_of_the_dns() {
    const PIECES: &[&str] = &[
        "a",
        "B",
        "1",
        "-",
        "--",
        "_",
        ".",
        ".",
        "é",
        "É",
        "ß",
        "ς",
        "%C3%A9",
        "%c3%89",
        "%41",
        "%2E",
        "%2F",
        "%20",
        "%FF",
        "\u{3002}",
        "%EF%BD%A1",
        "ａ",
        "１",
        "א",
        "中",
        "\u{AD}",
        "\u{200D}",
        "xn--",
        "xn--bcher-kva",
        "XN--BCHER-KVA",
        "℡",
        "!",
        "\u{378}",
    ];
    let hosts = proptest::collection::vec(proptest::sample::select(PIECES), 1..7);
    let (same, of_url) = (Cell::new(0), Cell::new(0));
    random(6_000, (hosts, 0..4_usize), |(pieces, which)| {
        let (host, scheme) = (pieces.concat(), ["http", "HTTPS", "wss", "ftp"][which]);
        let text = format!("{scheme}://{host}:81/é");
        let iri = Iri::parse(&text).unwrap();
        let origin = iri.origin();
        let written = origin.as_ref().map(|origin| origin.to_string());
        if let Some(text) = &written {
            prop_assert!(text.is_ascii() && !text.contains('%'), "{iri}: {text}");
            prop_assert_eq!(text, &text.to_ascii_lowercase());
        }
        match ToUri::new().idna(true).map(iri) {
            Ok(uri) => {
                prop_assert!(uri.view().is_same_origin(iri), "{iri}");
                let of_uri = uri.view().host_str().map(str::to_ascii_lowercase);
                prop_assert_eq!(origin.as_ref().map(|it| it.host().to_owned()), of_uri, "{}", iri);
                let shown = ToIri::new().idna(true).map(uri.view());
                prop_assert!(shown.view().is_same_origin(iri), "{iri} {shown}");
                same.set(same.get() + 1);
            }
            // A name in ASCII is compared as it is, although no DNS has it.
            Err(_) => {
                let decoded = percent::decode(&host).lossy().to_ascii_lowercase();
                let known = decoded.is_ascii() && origin.is_some();
                prop_assert!(origin.is_none() || known, "{iri}: {written:?}");
            }
        }
        // The URL Standard reads a last label of digits as an address.
        let is_number = |host: &str| {
            let host = host.strip_suffix('.').unwrap_or(host);
            host.rsplit('.')
                .next()
                .is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()))
        };
        if let (Some(text), Ok(url)) = (written, url::Url::parse(&text)) {
            if !is_number(origin.as_ref().unwrap().host()) {
                prop_assert_eq!(text, url.origin().ascii_serialization(), "{}", iri);
                of_url.set(of_url.get() + 1);
            }
        }
        Ok(())
    });
    let (same, of_url) = (same.get(), of_url.get());
    println!("{same} hosts of the DNS, {of_url} origins by the URL Standard");
    assert!(same > 5 && of_url > 5, "{same} {of_url}");
}
