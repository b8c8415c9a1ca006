//! Redaction: no secret of a generated reference is left, and nothing else changes. Not here: the generator, which is in
//! `planted`.

use std::cell::Cell;
use std::path::Path;

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::IriRef;
use simd_iri_redact::{Reason, Redact, RedactPart, RedactUserinfo, SecretSet};

use crate::cases;
use crate::planted::planted;
use crate::support::{byte_strings, count, random, sample, show};

/// A text and how it is redacted.
#[derive(Deserialize)]
struct Row {
    input: String,
    options: Options,
    #[serde(alias = "expected")]
    redacted: String,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    set: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    userinfo: Option<RedactUserinfo>,
    part: Option<RedactPart>,
    fragment: Option<bool>,
    #[serde(default)]
    semicolons: bool,
    #[serde(default)]
    raw: bool,
    #[serde(default)]
    whatwg: bool,
    #[serde(default)]
    any_case: bool,
    #[serde(default)]
    data: bool,
    #[serde(default)]
    nested: u8,
    replacement: Option<String>,
}

/// Checks a case, and that the result is its own result.
fn check(row: &Row) {
    let Options { set, keys, userinfo, part, fragment, nested, replacement, .. } = &row.options;
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let redact = match set.as_deref() {
        None => Redact::default(),
        Some("none") => Redact::none(),
        Some(set) => Redact::new(set.parse().unwrap()),
    };
    let Options { semicolons, raw, whatwg, any_case, data, .. } = row.options;
    let redact = redact.keys(&keys).semicolons(semicolons).raw(raw).whatwg(whatwg);
    let redact = redact.any_case(any_case).data(data).nested(*nested);
    let redact = redact.userinfo(userinfo.unwrap_or_default()).part(part.unwrap_or_default());
    let redact = redact.replacement(replacement.as_deref().unwrap_or("REDACTED")).unwrap();
    let redact = fragment.map_or(redact, |fragment| redact.fragment(fragment));
    assert_eq!(redact.redact(&row.input), row.redacted, "{}: {}", row.input, row.why);
    law(redact, row.input.as_bytes());
}

#[test]
fn every_case_is_redacted_as_it_says() {
    let mut checked = 0;
    for (path, rows) in cases::rows::<Row>(&["input", "options", "redacted"]) {
        println!("{} cases of {}", rows.len(), path.display());
        rows.iter().for_each(check);
        checked += rows.len();
    }
    assert!(checked > 0);
    let shared = Path::new(crate::ROOT).join("../shared/cases/asked_redaction.jsonl");
    match std::fs::read_to_string(&shared) {
        // They were written when the default was OpenTelemetry's set alone.
        Ok(text) => text.lines().for_each(|line| {
            let mut row: Row = serde_json::from_str(line).unwrap();
            row.options.set.get_or_insert_with(|| "otel".to_owned());
            check(&row);
        }),
        Err(_) => println!("no cases at {}", shared.display()),
    }
}

/// Checks what holds for every text. Returns the redacted text.
fn law(redact: Redact<'_>, bytes: &[u8]) -> Vec<u8> {
    let all: Vec<_> = redact.redactions(bytes).collect();
    let mut expected = Vec::new();
    let mut done = 0;
    for one in &all {
        let span = one.span();
        assert!(done <= span.start && span.start <= span.end, "{}: {span:?}", show(bytes));
        expected.extend_from_slice(&bytes[done..span.start]);
        expected.extend_from_slice(one.to_string().as_bytes());
        done = span.end;
        assert!(one.key().end <= span.start, "{}", show(bytes));
    }
    expected.extend_from_slice(&bytes[done..]);
    let redacted = redact.redact_bytes(bytes).into_owned();
    assert_eq!(show(&redacted), show(&expected), "{}", show(bytes));
    // Twice is once.
    let again: Vec<_> = redact.redactions(&redacted).collect();
    assert_eq!(again, [], "{} of {}", show(&redacted), show(bytes));
    let mut pushed = b"x".to_vec();
    assert_eq!(redact.push_bytes_to(bytes, &mut pushed), all.len());
    assert_eq!(pushed[1..], redacted);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let of_text = redact.redact(text);
        assert_eq!(of_text.as_bytes(), redacted);
        assert_eq!(matches!(of_text, std::borrow::Cow::Borrowed(_)), all.is_empty());
        assert_eq!(redact.wrap(text).to_string(), of_text);
        assert_eq!(format!("{:?}", redact.wrap(text)), format!("{of_text:?}"));
    }
    redacted
}

/// All sets.
fn all_sets() -> Redact<'static> {
    SecretSet::ALL.iter().fold(Redact::none(), |redact, set| redact.set(*set))
}

const USERINFO: [RedactUserinfo; 4] =
    [RedactUserinfo::Shape, RedactUserinfo::Both, RedactUserinfo::Password, RedactUserinfo::Drop];

#[test]
fn any_bytes_are_redacted_once() {
    let pieces = proptest::sample::select(
        &[
            "sig=",
            "&",
            ";",
            "jsessionid=",
            "https:",
            "http:",
            "x:",
            "//",
            "@",
            "u:p@",
            "%73ig=",
            "data:,",
            "=",
            "\\",
            "\\u0026",
            "\\u003d",
            "\\x26",
            "amp;",
            "#38;",
            "?",
            "#",
            "/",
            ":x/",
            "token=",
            "REDACTED",
            "REDACTED:REDACTED@",
            "(4)",
            "\t",
            "a[password]=",
            "%3A%2F%2Fu%40",
            "mailto:",
            " ",
            "80",
            "x://",
            "u:pa",
            "s@h/",
            "\"",
            "\\n",
            ":PORT",
            "%40",
            "%253D",
            "a-token=",
        ][..],
    );
    let words =
        proptest::collection::vec(pieces, 0..14).prop_map(|words| words.concat().into_bytes());
    let texts = prop_oneof![2 => words, 1 => byte_strings()];
    let flags = any::<(bool, bool, bool, bool, bool, bool)>();
    random(
        60_000,
        (texts, 0..4_usize, 0..3_u8, flags, 0..4_usize),
        |(bytes, userinfo, nested, flags, part)| {
            let (semicolons, raw, whatwg, fragment, data, is_short) = flags;
            let redact =
                all_sets().userinfo(USERINFO[userinfo]).nested(nested).semicolons(semicolons);
            let redact = redact.raw(raw).whatwg(whatwg).fragment(fragment).data(data);
            let redact = redact.part(RedactPart::ALL[part]);
            let redact = if is_short { redact.replacement("*").unwrap() } else { redact };
            let redacted = law(redact, &bytes);
            let replacement = if is_short { 1 } else { "REDACTED".len() };
            let ranges = redact.redactions(&bytes).count();
            assert!(redacted.len() <= bytes.len() + 18 + replacement * ranges, "{}", show(&bytes));
            Ok(())
        },
    );
}

#[test]
fn no_secret_of_a_million_references_is_left() {
    const ALL: usize = 1_000_000;
    let sample = sample(ALL);
    let seed: usize = std::env::var("PROPTEST_RNG_SEED").map_or(0, |seed| seed.parse().unwrap());
    let redact = all_sets().nested(2);
    let secrets = count(ALL.div_ceil(sample), |number| {
        let planted = planted(seed.wrapping_mul(ALL) + number, 2);
        let redacted = law(redact, &planted.text);
        for secret in &planted.secrets {
            let is_left = redacted.windows(secret.len()).any(|part| part == &secret[..]);
            assert!(!is_left, "{} of {}", show(&redacted), show(&planted.text));
        }
        // The same in running text, as one word.
        let is_in_word = |byte: &u8| *byte > b' ' && !b"\"<>`\x7F".contains(byte);
        let word = planted.text.iter().map(|byte| if is_in_word(byte) { *byte } else { b'_' });
        let text: Vec<u8> = b"See ".iter().copied().chain(word).chain(*b". Next").collect();
        let redacted = law(redact.part(RedactPart::Text), &text);
        // There, an escape of the ampersand ends a value, and what follows is no secret.
        let is_in_value = |secret: &[u8]| {
            let Some(at) = memchr::memmem::find(&text, secret) else { return true };
            let before = &text[..at];
            let escape = memchr::memmem::rfind(before, b"\\u0026");
            // A letter behind the escape is of the next key.
            escape.is_none_or(|escape| before[escape + 6..].iter().any(u8::is_ascii_alphabetic))
        };
        for secret in planted.secrets.iter().filter(|secret| is_in_value(secret)) {
            let is_left = redacted.windows(secret.len()).any(|part| part == &secret[..]);
            assert!(!is_left, "{} of {}", show(&redacted), show(&text));
        }
        planted.secrets.len()
    });
    println!("{secrets} secrets");
    assert!(secrets > ALL / sample);
}

/// What is not secret stays: references without a secret are borrowed.
#[test]
fn nothing_else_changes() {
    for case in cases::own().iter().flat_map(|file| &file.cases) {
        let Some(text) = case.text() else { continue };
        let Ok(iri) = IriRef::parse(text) else { continue };
        if iri.userinfo().is_none_or(str::is_empty)
            && !iri.query().is_some_and(|query| query.contains('='))
        {
            let found: Vec<_> = Redact::default().redactions(text).collect();
            // Browsers read an authority after these schemes, which the RFC does not read.
            let is_special =
                ["http", "https", "ws", "wss", "ftp"].map(Some).contains(&iri.scheme());
            let is_path = found.iter().all(|one| one.reason() == Reason::Userinfo) && is_special;
            assert!(found.is_empty() || is_path, "{text}: {found:?}");
        }
    }
    let query = "?".to_owned()
        + &["X-Amz-Date=1", "sigs=2", "si=3", "Sig=4", "sig", "xsig=5", "a=sig"].join("&");
    assert_eq!(Redact::new(SecretSet::Otel).redact(&query), query);
}

#[test]
fn a_redacted_reference_is_a_reference() {
    random(20_000, crate::support::texts(), |text| {
        if IriRef::parse(&text).is_ok() {
            for userinfo in [RedactUserinfo::Shape, RedactUserinfo::Both, RedactUserinfo::Password]
            {
                let redacted = all_sets().userinfo(userinfo).nested(1).redact(&text).into_owned();
                assert!(IriRef::parse(&redacted).is_ok(), "{text}: {redacted}");
            }
        }
        Ok(())
    });
}

#[test]
fn running_text_keeps_what_is_around_its_references() {
    let redact = Redact::default().part(RedactPart::Text);
    for (text, redacted) in [
        ("a=b c@d", "a=b c@d"),
        ("See https://u:p@h/. a@b.", "See https://REDACTED:REDACTED@h/. a@b."),
        (
            "[x](https://a/?sig=b),https://c/?sig=d.",
            "[x](https://a/?sig=REDACTED),https://c/?sig=REDACTED.",
        ),
        ("<a href=\"https://h/?sig=a\">b</a>", "<a href=\"https://h/?sig=REDACTED\">b</a>"),
        (
            r#"{"m":"{\"u\":\"https:\/\/u:p@h?sig=x\"}"}"#,
            r#"{"m":"{\"u\":\"https:\/\/REDACTED:REDACTED@h?sig=REDACTED\"}"}"#,
        ),
        ("GET /a?sig=x HTTP/1.1", "GET /a?sig=REDACTED HTTP/1.1"),
        ("url=https://u:p@h level=info", "url=https://REDACTED:REDACTED@h level=info"),
        (
            "请看https://u:p@h/?sig=x。次の行",
            "请看https://REDACTED:REDACTED@h/?sig=REDACTED。次の行",
        ),
        ("https://a/?u=https://b/?sig=c", "https://a/?u=REDACTED"),
        ("https://a/?sig=https://b/,c", "https://a/?sig=REDACTED"),
        (
            "['https://a/?sig=b','https://c/?sig=d']",
            "['https://a/?sig=REDACTED','https://c/?sig=REDACTED']",
        ),
    ] {
        assert_eq!(redact.redact(text), redacted);
        law(redact, text.as_bytes());
    }
    assert!(redact.replacement("").is_err());
    let stars = redact.replacement("***").unwrap();
    assert_eq!(stars.redact("(//u:p@h/?sig=x*)"), "(//***:***@h/?sig=****)");
    law(stars, b"(//u:p@h/?sig=x*)");
}

#[test]
fn each_reason_and_each_set_is_reported() {
    let redact = all_sets().keys(&["own"]).nested(1);
    let text = "//u@h/a;jsessionid=b?own=c&code=d&n=%3Fsig%3De#token=f";
    let all: Vec<_> =
        redact.redactions(text).map(|one| (one.reason(), one.set(), &text[one.key()])).collect();
    assert_eq!(
        all,
        [
            (Reason::Userinfo, None, ""),
            (Reason::SessionId, Some(SecretSet::Common), "jsessionid"),
            (Reason::QueryKey, None, "own"),
            (Reason::QueryKey, Some(SecretSet::OAuth), "code"),
            (Reason::Nested, None, "n"),
            (Reason::FragmentKey, Some(SecretSet::OAuth), "token"),
        ]
    );
    let data = redact.data(true).redactions("data:,a").next().unwrap();
    assert_eq!(data.reason(), Reason::Data);
    for set in SecretSet::ALL {
        for key in set.keys() {
            let text = format!("?{key}=x");
            assert_eq!(
                Redact::new(*set).redactions(&text).next().unwrap().set(),
                Some(*set),
                "{key}"
            );
        }
    }
}

#[test]
fn an_escape_before_a_reference_hides_nothing() {
    let before =
        [r"\n", r"\t", r"\r\n", r"\\n", r"\", r"a\", r"a\n", r"C:\a=", r"\\\\n", r"\u000a"];
    for before in before {
        for scheme in ["https://", "amqp://", r"https:\/\/"] {
            for part in RedactPart::ALL {
                let text = format!("{before}{scheme}user:secret@a.example/");
                let redacted = Redact::default().part(*part).redact(&text).into_owned();
                let is_kept = matches!(part, RedactPart::Query);
                assert_eq!(redacted.contains("secret"), is_kept, "{part}: {text}");
            }
        }
    }
}

/// The words of a name as programs spell them: the case of letters, what separates the words, what stands around the name,
/// and the byte that is a triplet. Words are of lower-case letters.
fn spelled(words: &[&str], spelling: &(u8, &str, usize, u8)) -> String {
    let (case, separator, around, triplet) = *spelling;
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let words = words.iter().enumerate().map(|(at, word)| match case {
        1 => word.to_ascii_uppercase(),
        2 | 3 if at > 0 || case == 3 => capital(word),
        _ => (*word).to_owned(),
    });
    let words: Vec<String> = words.collect();
    // Only capitals separate words without a separator.
    let separator = if case == 1 || (case == 0 && separator.is_empty()) { "_" } else { separator };
    let name = words.join(separator);
    let (before, after) =
        [("", ""), ("_", ""), ("", "_"), ("", "[]"), ("", "[0]"), ("amp;", "")][around];
    let name = format!("{name}{after}");
    let mut written = before.to_owned();
    for (at, byte) in name.bytes().enumerate() {
        // The separator may be a triplet already.
        let is_whole = !matches!(byte, b'%' | b'+' | b'0'..=b'9');
        match is_whole && at % 8 == usize::from(triplet) {
            true => written += &format!("%{byte:02X}"),
            false => written.push(byte.into()),
        }
    }
    written
}

/// The words of names: those of keys, and harmless ones.
const WORDS: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "pwd",
    "api",
    "access",
    "private",
    "license",
    "key",
    "session",
    "id",
    "code",
    "refresh",
    "client",
    "sig",
    "signature",
    "user",
    "page",
    "count",
    "keyboard",
    "tokenizer",
    "monkey",
    "author",
    "webhook",
    "new",
    "xx",
];

fn spellings() -> impl Strategy<Value = (u8, &'static str, usize, u8)> {
    let separators = proptest::sample::select(&["", "-", "_", ".", "--", "%20", "+"][..]);
    (0..4_u8, separators, 0..6_usize, 0..16_u8)
}

#[test]
fn the_spelling_of_a_name_changes_no_answer() {
    let words = proptest::collection::vec(proptest::sample::select(WORDS), 1..5);
    let own = [&["new-page", "*-user-id", "count-*"][..], &[]];
    let redact = own.map(|keys| Redact::default().keys(keys));
    let (secret, harmless) = (Cell::new(0), Cell::new(0));
    random(200_000, (words, spellings(), 0..2_usize), |(words, spelling, own)| {
        let is_secret = |name: &str| redact[own].redactions(&format!("?{name}=x")).next().is_some();
        let (plain, name) = (words.join("-"), spelled(&words, &spelling));
        assert_eq!(is_secret(&name), is_secret(&plain), "{name} {plain}");
        let last = words[words.len() - 1];
        if ["token", "secret", "password", "passwd", "pwd", "signature"].contains(&last) {
            assert!(is_secret(&plain), "{plain}");
        }
        if own == 1
            && ["page", "count", "keyboard", "tokenizer", "monkey", "author", "xx"].contains(&last)
        {
            assert!(!is_secret(&plain), "{plain}");
        }
        let counted = if is_secret(&plain) { &secret } else { &harmless };
        counted.set(counted.get() + 1);
        Ok(())
    });
    assert!(secret.get() > 100 && harmless.get() > 100);
}

#[test]
fn each_key_is_found_however_it_is_spelled() {
    let keys: Vec<&str> = SecretSet::DEFAULT.iter().flat_map(|set| set.keys()).copied().collect();
    random(50_000, (0..keys.len(), spellings()), |(at, spelling)| {
        // The words of `SAMLRequest` and `AWSAccessKeyId`.
        let key = keys[at].replace("SAML", "Saml").replace("AWS", "Aws");
        let mut words = vec![String::new()];
        for c in key.replace('*', "some").chars() {
            if c == '-'
                || c == '_'
                || (c.is_ascii_uppercase() && words.last().is_some_and(|word| !word.is_empty()))
            {
                words.push(String::new());
            }
            if c.is_ascii_alphanumeric() {
                words.last_mut().unwrap().push(c.to_ascii_lowercase());
            }
        }
        words.retain(|word| !word.is_empty());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let name = spelled(&words, &spelling);
        let text = format!("/?a=b&{name}=x");
        assert!(Redact::default().redactions(&text).next().is_some(), "{text}");
        Ok(())
    });
}

/// A name of a real site whose value is no secret.
#[derive(Deserialize)]
struct Harmless {
    harmless: String,
}

#[test]
fn no_harmless_name_is_secret() {
    let all = cases::rows::<Harmless>(&["harmless"]);
    let mut count = 0;
    for Harmless { harmless } in all.iter().flat_map(|(_, names)| names) {
        let text = format!("/?{harmless}=x&{harmless}[]=x&a[{harmless}]=x#{harmless}=x");
        assert_eq!(Redact::default().redact(&text), text);
        let upper = text.to_ascii_uppercase();
        assert_eq!(Redact::default().redact(&upper), upper);
        count += 1;
    }
    assert!(count >= 400, "{count}");
}

#[test]
fn no_part_of_a_password_stays_in_running_text() {
    let pieces = proptest::sample::select(
        &["Pa", "ss9", " ", "\"", "<", ">", "`", "?", "#", "/", "'", "!", "é", "\\n", "("][..],
    );
    let passwords = proptest::collection::vec(pieces, 0..5);
    let schemes = proptest::sample::select(&["https", "amqp", "mongodb+srv", "jdbc:mysql"][..]);
    let around = proptest::sample::select(
        &[("", ""), ("failed: ", " then"), ("parse \"", "\": no port"), ("(", ")."), ("<", ">")][..],
    );
    let redact = Redact::default().part(RedactPart::Text);
    random(
        100_000,
        (passwords, schemes, around, any::<bool>()),
        |(pieces, scheme, around, slash)| {
            // It begins with a letter, because a number is a port, and has at most one blank before its end.
            let password = format!("Zq{}Zq", pieces.concat());
            let (before, after) = around;
            let path = if slash { "/x" } else { ":80/x" };
            let text = format!("{before}{scheme}://user:{password}@host{path}{after}");
            let redacted = law(redact, text.as_bytes());
            let redacted = String::from_utf8(redacted).unwrap();
            assert_eq!(
                redacted,
                format!("{before}{scheme}://REDACTED:REDACTED@host{path}{after}"),
                "{text}"
            );
            Ok(())
        },
    );
}

#[test]
fn a_password_that_was_cut_is_redacted_and_a_port_stays() {
    let words = proptest::sample::select(&["user", "db-1.example", "10.0.0.1", "a_b", "[::1]"][..]);
    let ends = proptest::sample::select(&["", " x", "\n", "\" y", "> z", ", a b@c", ": no"][..]);
    let redact = Redact::default().part(RedactPart::Text);
    random(
        50_000,
        (words, "[a-wyzA-WYZ][a-zA-Z0-9!$%]{0,8}[a-oq-z]", ends),
        |(host, password, end)| {
            let is_port = password.to_ascii_lowercase().contains("port");
            // An address has no password, and letters of an address may be hexadecimal.
            if host != "[::1]" && !is_port {
                let redacted =
                    redact.redact(&format!("at kafka://{host}:{password}{end}")).into_owned();
                assert_eq!(redacted, format!("at kafka://REDACTED:REDACTED{end}"));
            }
            for port in ["80", "8080", "PORT", "{port}", "$HTTP_PORT", "<port>", "xxxx"] {
                let text = format!("at kafka://{host}:{port}{end}");
                assert_eq!(redact.redact(&text), text);
                law(redact, text.as_bytes());
            }
            Ok(())
        },
    );
    for text in ["at 12:30:45 x", "t://12:30pm x", "2026-11-28T10:30:00Z", "host:PORT", "user:pa"] {
        assert_eq!(redact.redact(text), text);
    }
}
