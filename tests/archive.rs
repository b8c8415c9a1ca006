//! Keys of web archives: the cases have their keys in each profile, and keys obey the laws of docs/archive.md.
//!
//! The shared cases come from the tests of the tools. Not here: a comparison with a tool on generated addresses, because
//! the tools are not part of this project.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use simd_iri_archive::{Keys, Profile, Scope, Www, aggressive, key};

use crate::cases;
use crate::support::{random, texts};

/// An own case.
#[derive(Deserialize)]
struct Row {
    id: String,
    address: String,
    keys: BTreeMap<String, Option<String>>,
}

#[test]
fn each_case_has_its_key_in_each_profile() {
    let mut count = 0;
    for (_, rows) in cases::rows::<Row>(&["address", "keys"]) {
        for row in rows {
            for (profile, wanted) in row.keys {
                let key = key(&row.address, profile.parse().unwrap());
                let found = (!key.is_rejected()).then_some(key.as_str());
                assert_eq!(found, wanted.as_deref(), "{}: {}, {profile}", row.id, row.address);
                assert!(!key.is_rejected() || key.as_str() == row.address, "{}", row.id);
                count += 1;
            }
        }
    }
    println!("{count} keys");
    assert!(count >= 103);
}

/// A case of a tool. `form` is what the tool makes of the input.
#[derive(Deserialize)]
struct OfTool {
    input: String,
    options: Form,
    expected: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Form {
    form: String,
    scheme: Option<bool>,
    trailing_comma: Option<bool>,
}

/// What this library makes of an input; `None` if there is no answer.
fn answer(tool: &str, form: &Form, input: &str) -> Option<String> {
    let cdx = if tool == "pywb" { Profile::Pywb } else { Profile::Wayback };
    let between = |text: String, before: &str, after: &str| {
        text.strip_prefix(before).and_then(|text| text.strip_suffix(after)).map(str::to_owned)
    };
    let of_host = |profile, host| key(&format!("a://{host}/"), profile).into_string();
    match form.form.as_str() {
        "cdx" => {
            Some(key(input, cdx)).filter(|key| !key.is_rejected()).map(|key| key.into_string())
        }
        "sort-query" => {
            let key = key(&format!("http://h/?{input}"), cdx).into_string();
            Some(key.split_once('?').map_or("", |(_, query)| query).to_owned())
        }
        "heritrix" => Some(key(input, Profile::Heritrix).into_string()),
        "ssurt" => Some(key(input, Profile::Ssurt).into_string()),
        "ssurt-host" => between(of_host(Profile::Ssurt, input), "", "//a:/"),
        "reverse-host" => between(of_host(Profile::Urlcanon, input), "a://(", ")/"),
        "surt" => {
            let keys =
                Keys::new(Profile::Urlcanon).scheme(form.scheme?).comma(form.trailing_comma?);
            Some(keys.key(input).into_string())
        }
        "aggressive" => Some(aggressive(input)),
        "ipv4" => {
            // In an SSURT, the labels of a name are in reverse, and an address stays as it is.
            let is_address = between(of_host(Profile::Ssurt, input), "", "//a:/")? == input;
            let host = between(aggressive(&format!("http://{input}/")), "http://", "/");
            host.filter(|_| is_address)
        }
        form => panic!("{form}"),
    }
}

#[test]
#[ignore = "reads the cases of other projects, which are not in this one"]
fn each_case_of_a_tool_has_its_answer() {
    let named = std::env::var_os("SIMD_IRI_CASES").map(PathBuf::from);
    let shared = named.unwrap_or_else(|| crate::layers::root().join("../shared/cases"));
    let text = fs::read_to_string(shared.join("asked_surt.jsonl")).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let OfTool { input, options, expected } = serde_json::from_str(line).unwrap();
        for (tool, wanted) in expected {
            count += 1;
            let found = answer(&tool, &options, &input);
            // A null or an object is an error of the tool.
            if found.as_deref() != wanted.as_str() {
                wrong.push(format!("{tool} {}: {input}: {found:?}, {wanted}", options.form));
            }
        }
    }
    println!("{count} answers");
    assert!(count >= 244 && wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Texts in which the pieces that keys treat are often.
fn addresses() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "http://",
        "https://",
        "HTTP://",
        "ftp://",
        "foo:",
        "dns:",
        "www.",
        "WWW2.",
        "a",
        "B",
        ".com",
        ".",
        "..",
        "/",
        "//",
        "/../",
        "/./",
        "?",
        "&",
        "=",
        "#",
        "@",
        ":",
        ":80",
        ":443",
        "[::1]",
        "[",
        "]",
        "1.2.3.4",
        "010.1",
        "0x7f",
        "256",
        "%41",
        "%2e",
        "%2F",
        "%25",
        "%2541",
        "%C3%A9",
        "%E9",
        "%",
        "é",
        "ß",
        "א",
        "。",
        " ",
        "\t",
        "\u{2028}",
        "sid=",
        "cfid=1",
        "cftoken=2",
        "&cftoken=",
        "jsessionid=",
        "0123456789abcdef0123456789ABCDEF",
        "(S(abcdefghijklmnopqrstuvwx))",
        "(abcdefghijklmnopqrstuvw1)",
        ".aspx",
        ";jsessionid=",
        "aspsessionidabcdefgh=abcdefghijklmnopqrstuvwx",
        ",",
        ")",
        "\0",
        "\u{10FFFF}",
    ];
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..10);
    prop_oneof![3 => pieces.prop_map(|pieces| pieces.concat()), 1 => texts()]
}

/// All settings of a profile.
fn settings() -> impl Strategy<Value = Keys> {
    let profile = prop::sample::select(Profile::ALL);
    let switches = any::<[bool; 8]>();
    (profile, prop::sample::select(Www::ALL), switches).prop_map(|(profile, www, switches)| {
        let [slash, session_ids, sort, case, scheme, comma, reverse_ip, aggressive] = switches;
        Keys::new(profile)
            .www(www)
            .slash(slash)
            .session_ids(session_ids)
            .sort(sort)
            .case(case)
            .scheme(scheme)
            .comma(comma)
            .reverse_ip(reverse_ip)
            .aggressive(aggressive)
    })
}

#[test]
fn every_text_has_a_key_through_each_entry() {
    random(40_000, (addresses(), settings()), |(text, keys)| {
        let key = keys.key(&text);
        let (mut written, mut bytes) = (String::from("before"), b"before".to_vec());
        prop_assert_eq!(keys.key_into(&text, &mut written), !key.is_rejected());
        prop_assert_eq!(keys.key_bytes_into(text.as_bytes(), &mut bytes), !key.is_rejected());
        prop_assert_eq!(&written, key.as_str());
        prop_assert_eq!(&bytes, key.as_str().as_bytes());
        prop_assert!(!key.is_rejected() || key.as_str() == text);
        // The texts about an archive stay as they are.
        let is_about = text.starts_with("filedesc") || text.starts_with("warcinfo");
        let is_cdx = keys.profile().is_cdx() && !key.is_rejected() && !is_about;
        if is_cdx && !text.starts_with("dns:") {
            let is_field = |byte: &u8| byte.is_ascii() && *byte > b' ';
            prop_assert!(bytes.iter().all(is_field), "{}: {}", text, key);
        }
        let range = keys.range(&text, Scope::Exact).unwrap();
        let line = format!("{key} 2026");
        prop_assert!(range.contains(key.as_str()) && range.contains(&line), "{}", text);
        let _ = (keys.range(&text, Scope::Host), keys.range(&text, Scope::Domain));
        let Some(prefix) = keys.range(&text, Scope::Prefix) else {
            // No text is after all texts that begin with U+10FFFF, or with nothing.
            prop_assert!(key.as_str().chars().all(|c| c == '\u{10FFFF}'), "{}", text);
            return Ok(());
        };
        let longer = [prefix.start(), "\u{10FFFF}"].concat();
        prop_assert!(prefix.contains(&longer), "{}", text);
        Ok(())
    });
}

#[test]
fn bytes_that_are_not_utf_8_have_a_key() {
    let bytes = prop::collection::vec(
        prop_oneof![prop::sample::select(&b"http://a.%/?&=\xC3\xE2\x80"[..]), any::<u8>()],
        0..24,
    );
    random(20_000, (bytes, settings()), |(bytes, keys)| {
        let mut key = Vec::new();
        let has_key = keys.key_bytes_into(&bytes, &mut key);
        prop_assert!(has_key || key == bytes);
        if let Ok(text) = std::str::from_utf8(&bytes) {
            let made = keys.key(text).into_string();
            prop_assert_eq!(made.as_bytes(), key);
        }
        Ok(())
    });
}

/// Names, paths and queries whose key is known: the labels in reverse, and the rest as it is.
fn known() -> impl Strategy<Value = (Vec<String>, String, String)> {
    let label = "[b-v][a-z0-9]{0,4}";
    let labels = prop::collection::vec(label, 1..4);
    (labels, "(/[b-z]{1,5}){0,3}", "([b-h]=[0-9]{1,3}(&[b-h]=[0-9]{1,3}){0,3})?")
}

/// Writes the letters and digits of a text as triplets, where `how` says so, once or more often.
fn encoded(text: &str, how: &[u8]) -> String {
    let mut times = how.iter().cycle();
    let mut written = String::new();
    for c in text.chars() {
        let times = times.next().map_or(0, |times| times % 3);
        match c.is_ascii_alphanumeric() && times > 0 {
            true => {
                written.push('%');
                written.push_str(&"25".repeat(usize::from(times) - 1));
                written.push_str(&format!("{:02X}", c as u32));
            }
            false => written.push(c),
        }
    }
    written
}

#[test]
fn spellings_of_an_address_have_one_key() {
    let how = prop::collection::vec(any::<u8>(), 1..8);
    let inputs = (known(), how, prop::sample::select(&["http", "https"][..]), 0..6_usize);
    random(20_000, inputs, |((labels, path, query), how, scheme, kind)| {
        let host = labels.join(".");
        let mut pairs: Vec<_> = query.split('&').collect();
        pairs.sort_unstable();
        let reversed: Vec<_> = labels.iter().rev().map(String::as_str).collect();
        let written =
            if query.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
        let slash = if path.is_empty() { "/" } else { "" };
        let wanted = format!("{}){path}{slash}{written}", reversed.join(","));
        let after = if query.is_empty() { String::new() } else { format!("?{query}") };
        let spelled = match kind {
            0 => format!("{scheme}://{host}{path}/{after}"),
            1 => format!("{scheme}://www.{}{}{after}#f", host.to_uppercase(), path.to_uppercase()),
            2 => format!("{scheme}://{}{}{after}", encoded(&host, &how), encoded(&path, &how)),
            3 => format!(
                "{scheme}://u:p@.{host}..:{}/{path}{after}",
                if scheme == "http" { 80 } else { 443 }
            ),
            4 => format!("{host}/a/../.{path}/{}", after.replace('&', "%26").replace('=', "%253D")),
            _ => format!(" {scheme}:////{host}{path}\t{after}\n"),
        };
        for profile in [Profile::Wayback, Profile::Pywb] {
            let key = key(&spelled, profile);
            prop_assert_eq!(key.as_str(), &wanted, "{} {}", profile, spelled);
        }
        Ok(())
    });
}

#[test]
fn a_range_has_the_keys_of_its_scope_alone() {
    random(20_000, (known(), known(), any::<bool>()), |(a, b, is_below)| {
        let (mut labels, path, _) = a;
        if labels.len() == 1 {
            labels.push("example".into());
        }
        let host = labels.join(".");
        let (mut others, rest, query) = b;
        if is_below {
            others.extend(labels.clone());
        }
        let other = others.join(".");
        let text = format!("http://{host}{path}");
        let found = format!("http://{other}{rest}/?{query}");
        for profile in Profile::ALL {
            let keys = Keys::new(*profile);
            let has = |scope, address: &str| {
                keys.range(&text, scope).unwrap().contains(keys.key(address).as_str())
            };
            prop_assert!(has(Scope::Host, &format!("http://{host}{rest}/?{query}")), "{}", text);
            prop_assert!(has(Scope::Domain, &format!("http://{host}{rest}/?{query}")), "{}", text);
            prop_assert_eq!(has(Scope::Host, &found), other == host, "{} {}", profile, found);
            let is_below = other == host || other.ends_with(&format!(".{host}"));
            prop_assert_eq!(has(Scope::Domain, &found), is_below, "{} {} {}", profile, text, found);
            prop_assert!(has(Scope::Prefix, &format!("{text}/x")), "{} {}", profile, text);
            prop_assert!(!has(Scope::Exact, &format!("{text}/x")), "{} {}", profile, text);
        }
        Ok(())
    });
}

/// The address of an SSURT.
fn read_back(key: &str) -> Option<String> {
    let (host, rest) = key.split_once("//")?;
    let (before, path) = rest.split_once(":/")?;
    let (before, user) = before.split_once('@').map_or((before, None), |(a, b)| (a, Some(b)));
    let (port, scheme) = before.split_once(':').map_or((None, before), |(a, b)| (Some(a), b));
    let mut labels: Vec<_> = host.strip_suffix(',')?.split(',').collect();
    labels.reverse();
    let user = user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{scheme}://{user}{}{port}/{path}", labels.join(".")))
}

#[test]
fn an_ssurt_is_read_back() {
    let inputs = (known(), "([a-z]{1,3}(:[a-z]{0,3})?@)?", "(:[0-9]{0,4})?", "(#[a-z]{0,3})?");
    random(20_000, inputs, |((labels, path, query), user, port, fragment)| {
        let text = format!("foo://{user}{}{port}/{path}?{query}{fragment}", labels.join("."));
        let key = key(&text, Profile::Ssurt);
        prop_assert_eq!(read_back(key.as_str()), Some(text));
        Ok(())
    });
}

#[test]
fn hosts_of_idna_2003() {
    let of = |text: &str| key(text, Profile::Pywb).into_string();
    for (host, wanted) in [
        ("faß.de", "de,fass)/"),
        ("FAẞ.de", "de,fass)/"),
        ("ας.gr", "gr,xn--mxa0b)/"),
        ("a\u{200D}b.com", "com,ab)/"),
        ("xn--é.com", "com,xn--%c3%a9)/"),
        ("é_.com", "com,xn--_-9fa)/"),
        ("é..com", "com,%c3%a9)/"),
        ("例え。jp", "jp,xn--r8jz45g)/"),
        ("１.２.３.４", "4,3,2,1)/"),
    ] {
        assert_eq!(of(&format!("http://{host}/")), wanted, "{host}");
    }
    // A label that is too long is refused, and the host stays.
    let long = "é".repeat(70);
    assert_eq!(of(&format!("http://{long}/")), format!("{})/", "%c3%a9".repeat(70)));
}
