//! Wrapped links and rules for queries: what a wrapper holds comes out as it was put in, and what no rule names stays.
//!
//! The encoders write links as mail filters and sites write them, by their documents and not by the decoders of the
//! library.

use std::path::Path;

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri::{IriRef, IriRefBuf};
use simd_iri_rules::{
    QueryRules, RuleErrorKind, RuleFormat, StillWrapped, Unwrap, Unwrapped, Wrapper,
};

use crate::cases;
use crate::support::{byte_strings, random, show, texts};

/// A link, and what rules make of it: null if it is not unwrapped.
#[derive(Deserialize)]
struct Row {
    input: String,
    options: Options,
    #[serde(alias = "expected")]
    ruled: Option<String>,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    op: String,
    #[serde(default)]
    depth: u8,
    format: Option<RuleFormat>,
    #[serde(default)]
    rules: serde_json::Value,
    #[serde(default)]
    referral: bool,
    #[serde(default)]
    mark: bool,
}

impl Options {
    /// The rules; none without a format.
    fn rules(&self) -> QueryRules {
        let text = match &self.rules {
            serde_json::Value::Array(lines) => {
                lines.iter().map(|line| line.as_str().unwrap()).collect::<Vec<_>>().join("\n")
            }
            serde_json::Value::Null => String::new(),
            catalog => catalog.to_string(),
        };
        let rules = QueryRules::parse(&text, self.format.unwrap_or(RuleFormat::AdGuard)).unwrap();
        rules.allow_referral(self.referral).keep_mark(self.mark)
    }
}

fn check(row: &Row) {
    let Row { input, options, ruled, why } = row;
    let rules = options.rules();
    let link = IriRef::parse(input).unwrap();
    match options.op.as_str() {
        "unwrap" => {
            let unwrapped = law(Unwrap::new().levels(options.depth).rules(&[&rules]), link);
            let is_link = |text: &String| IriRef::parse(text).is_ok();
            if let Some(text) = ruled.as_ref().filter(|text| !is_link(text)) {
                // Such a text is in the wrapper, but it is not a link.
                assert_eq!(unwrapped.refused(), Some(text.as_str()), "{input}: {why}");
                assert_eq!(unwrapped.still_wrapped(), Some(StillWrapped::NotALink));
                return;
            }
            let expected = ruled.as_ref().unwrap_or(input);
            assert_eq!(unwrapped.reference(), expected.as_str(), "{input}: {why}");
            assert_eq!(unwrapped.wrappers().is_empty(), ruled.is_none(), "{input}: {why}");
        }
        "remove" => {
            let applied = rules.apply(link);
            assert_eq!(Some(applied.reference().as_str()), ruled.as_deref(), "{input}: {why}");
            twice_is_once(&rules, link);
        }
        op => panic!("{op}"),
    }
}

#[test]
fn every_case_is_ruled_as_it_says() {
    let mut checked = 0;
    for (path, rows) in cases::rows::<Row>(&["input", "options", "ruled"]) {
        println!("{} cases of {}", rows.len(), path.display());
        rows.iter().for_each(check);
        checked += rows.len();
    }
    assert!(checked > 0);
    let shared = Path::new(crate::ROOT).join("../shared/cases/asked_query_rules.jsonl");
    match std::fs::read_to_string(&shared) {
        Ok(text) => {
            println!("{} shared cases", text.lines().count());
            text.lines().for_each(|line| check(&serde_json::from_str(line).unwrap()));
        }
        Err(_) => println!("no cases at {}", shared.display()),
    }
}

/// Checks what holds for every unwrapping.
fn law<'a>(unwrap: Unwrap<'_>, link: IriRef<'a>) -> Unwrapped<'a> {
    let unwrapped = unwrap.apply(link);
    let is_link = unwrapped.wrappers().is_empty();
    assert_eq!(is_link, unwrapped.reference().as_str() == link.as_str(), "{link}");
    assert_eq!(is_link, unwrap.apply(link).into_reference().is_borrowed(), "{link}");
    assert!(unwrapped.wrappers().len() <= 5, "{link}");
    let reference = unwrapped.reference();
    assert_eq!(IriRef::parse(reference.as_str()).map(IriRef::parts), Ok(reference.parts()));
    if !is_link {
        let scheme = reference.scheme().unwrap().to_ascii_lowercase();
        assert!(["http", "https", "mailto"].contains(&scheme.as_str()), "{reference}");
    }
    // The levels, one after another, are the levels at once.
    let mut by_one = IriRefBuf::from(link);
    for wrapper in unwrapped.wrappers() {
        let next = unwrap.levels(1).apply(by_one.view());
        assert_eq!(next.wrappers(), [*wrapper], "{by_one}");
        by_one = next.into_reference().into_owned();
    }
    assert_eq!(by_one, reference.as_str());
    unwrapped
}

/// Percent-encodes every byte for which `keeps` is false.
fn encoded(text: &str, keeps: impl Fn(u8) -> bool) -> String {
    let write = |byte: u8| match keeps(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(write).collect()
}

/// Writes a target as version 2 of URL Defense does.
fn proofpoint2(text: &str) -> String {
    let written = encoded(text, |byte| byte.is_ascii_alphanumeric() || b"./~".contains(&byte));
    written.replace('%', "-").replace('/', "_")
}

/// Writes a target as version 3 of URL Defense does: what is not kept is taken out, in runs of up to 65.
fn proofpoint3(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut written, mut taken) = (String::new(), String::new());
    let keeps = |c: char| c.is_ascii_alphanumeric() || "-._~:/?=&+;,".contains(c);
    let mut rest: Vec<char> = text.chars().rev().collect();
    while let Some(c) = rest.pop() {
        if keeps(c) {
            written.push(c);
            continue;
        }
        let mut run = vec![c];
        while run.len() < 65 && rest.last().is_some_and(|next| !keeps(*next)) {
            run.extend(rest.pop());
        }
        match run.len() {
            1 => written.push('*'),
            count => written.extend(['*', '*', char::from(ALPHABET[count - 2])]),
        }
        taken.extend(run);
    }
    let mut letters = String::new();
    for group in taken.as_bytes().chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            letters.push(char::from(ALPHABET[(bits >> (18 - 6 * place) & 63) as usize]));
        }
    }
    format!("__{written}__;{letters}!!Token-_0!Sig$")
}

/// Every wrapper that can be written, with the link that it writes.
fn wraps(target: &str) -> Vec<(Wrapper, String)> {
    let all = encoded(target, |byte| byte.is_ascii_alphanumeric());
    // What a query may hold, and neither ends the value nor is an escape.
    let few = encoded(target, |byte| {
        byte.is_ascii_alphanumeric() || b"-._~:/?@!$'()*+,;=".contains(&byte)
    });
    let mut wraps = Vec::new();
    for value in [all, few] {
        for (wrapper, before, after) in [
            (
                Wrapper::SafeLinks,
                "https://nam02.safelinks.protection.outlook.com/?url=",
                "&data=05&reserved=0",
            ),
            (
                Wrapper::SafeLinks,
                "https://x.safelinks.protection.outlook.de/?a=b&amp;url=",
                "&amp;data=05",
            ),
            (
                Wrapper::SafeLinks,
                "https://nam06.safelinks.protection.outlook.com/ap/w-59584e83/?url=",
                "&data=04",
            ),
            (
                Wrapper::SafeLinks,
                "https://x.safelinks.protection.outlook.us/%61p/X-0aF?a=b&url=",
                "#b",
            ),
            (Wrapper::Proofpoint1, "https://urldefense.proofpoint.com/v1/url?u=", "&k=a%3Db&r=c"),
            (Wrapper::Google, "https://www.google.com/url?sa=t&q=", "&usg=x"),
            (Wrapper::Google, "http://www.google.com.br/url?url=", "#x"),
            (Wrapper::Facebook, "https://l.facebook.com/l.php?u=", "&h=x"),
            (Wrapper::Instagram, "https://L.instagram.com/?e=x&u=", ""),
            (Wrapper::YouTube, "https://www.youtube.com/redirect?q=", "&v=x"),
            (Wrapper::LinkedIn, "https://www.linkedin.com/safety/go?url=", "&trk=x"),
            (Wrapper::DuckDuckGo, "https://duckduckgo.com/l/?uddg=", "&rut=x"),
            (Wrapper::Rule, "https://out.example/to?a=b&u=", ""),
        ] {
            wraps.push((wrapper, format!("{before}{value}{after}")));
        }
    }
    wraps.push((Wrapper::Proofpoint3, format!("https://urldefense.us/v3/{}", proofpoint3(target))));
    // Version 2 reads the target as HTML has it.
    let html = target.replace('&', "&amp;");
    let version2 = proofpoint2(&html);
    let link = format!("https://urldefense.com/v2/url?u={version2}&d=x&c=y");
    wraps.push((Wrapper::Proofpoint2, link));
    wraps
}

const WRAPPERS: &str = "[[wrapper]]\nhost = \"out.example\"\nparameter = \"u\"";

/// Links to which a wrapper may lead.
fn targets() -> impl Strategy<Value = String> {
    let links = texts().prop_filter_map("a link", |text| {
        let link = format!("https://a.example/{}", text.trim_start_matches('/'));
        IriRef::parse(&link).is_ok().then_some(link)
    });
    let runs =
        (1..140_usize, proptest::sample::select(&["*", "é", "#", "(", "%41", "[:", "__;"][..]))
            .prop_map(|(count, piece)| format!("https://h/a?{}b", piece.repeat(count)))
            .prop_filter("a link", |text| IriRef::parse(text).is_ok());
    prop_oneof![4 => links, 1 => runs, 1 => Just("mailto:a@b.example?c=d".to_owned())]
}

#[test]
fn what_is_wrapped_comes_out_as_it_was_put_in() {
    let rules = QueryRules::parse(WRAPPERS, RuleFormat::Toml).unwrap();
    let all = [&rules];
    let unwrap = Unwrap::new().rules(&all);
    random(
        4_000,
        (targets(), targets(), any::<proptest::sample::Index>()),
        |(target, tail, at)| {
            for (wrapper, link) in wraps(&target) {
                let view = IriRef::parse(&link).unwrap_or_else(|error| panic!("{link}: {error}"));
                if wrapper == Wrapper::Google && target.starts_with("mailto:") {
                    assert!(law(unwrap, view).still_wrapped().is_some());
                    continue;
                }
                let unwrapped = law(unwrap, view);
                assert_eq!(unwrapped.reference(), target.as_str(), "{link}");
                assert_eq!(unwrapped.wrappers(), [wrapper], "{link}");
                assert_eq!(law(unwrap.levels(0), view).wrappers(), []);
            }
            // Several levels, up to the limit.
            let mut link = target.clone();
            let all = wraps(&tail);
            let number = at.index(all.len());
            for level in 1..=7_u8 {
                let (wrapper, wrapped) = wraps(&link).swap_remove(number);
                if wrapper == Wrapper::Google && target.starts_with("mailto:") {
                    break;
                }
                link = wrapped;
                let view = IriRef::parse(&link).unwrap();
                let unwrapped = law(unwrap.levels(9), view);
                assert_eq!(unwrapped.wrappers().len(), usize::from(level.min(5)), "{link}");
                let is_cut = level > 5;
                assert_eq!(unwrapped.still_wrapped(), is_cut.then_some(StillWrapped::Levels));
                assert_eq!(unwrapped.reference() == target.as_str(), !is_cut, "{link}");
                let fewer = law(unwrap.levels(level - 1), view);
                assert_eq!(fewer.wrappers().len(), usize::from(level - 1).min(5), "{link}");
            }
            Ok(())
        },
    );
}

/// Decodes triplets, by a definition of this test.
fn decoded(text: &str) -> Vec<u8> {
    let (mut bytes, mut at) = (Vec::new(), 0);
    while let Some(byte) = text.as_bytes().get(at) {
        let digits = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (byte, digits) {
            (b'%', Some(octet)) => bytes.push(octet),
            (byte, _) => bytes.push(*byte),
        }
        at += if *byte == b'%' && digits.is_some() { 3 } else { 1 };
    }
    bytes
}

#[test]
fn a_target_is_a_part_of_the_decoded_link() {
    let pieces = proptest::sample::select(
        &[
            "https://",
            "www.google.com/url?q=",
            "l.instagram.com/?u=",
            "http%3A%2F%2F",
            "a.example",
            "/",
            "&",
            "=",
            "u=",
            "q=",
            "%25",
            "%2541",
            "%FF",
            "é",
            "amp;",
            "#",
            "urldefense.com/v2/url?u=",
            "-3A",
            "__",
            "__;",
            "*",
            "**B",
            "Kio",
            "!!",
            "urldefense.com/v3/",
            "mailto:",
            "javascript:",
            "@",
            ":80",
            "?",
        ][..],
    );
    let links = proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat());
    let wrapped = links.clone().prop_map(|rest| format!("https://www.google.com/url?q={rest}"));
    random(60_000, prop_oneof![links, wrapped, texts()], |text| {
        let Ok(link) = IriRef::parse(&text) else { return Ok(()) };
        let unwrapped = law(Unwrap::new(), link);
        let _ = law(Unwrap::new().levels(3), link);
        let target = unwrapped.reference().as_str().as_bytes();
        let whole = match unwrapped.wrappers() {
            [] => return Ok(()),
            [Wrapper::Proofpoint2] => decoded(&text.replace('-', "%").replace('_', "/")),
            // Its characters come from two places.
            [Wrapper::Proofpoint3] => return Ok(()),
            _ => decoded(&text),
        };
        let is_part = whole.windows(target.len()).any(|part| part == target);
        assert!(is_part, "{} of {text}", show(target));
        Ok(())
    });
}

#[test]
fn what_is_still_wrapped_has_its_reason() {
    let catalog =
        r#"{"providers":{"a":{"urlPattern":"l\\.example","redirections":["u=([^&]*)","^(.*)$"]}}}"#;
    let rules = QueryRules::parse(catalog, RuleFormat::ClearUrls).unwrap();
    for (link, levels, wrappers, reason) in [
        ("https://l.instagram.com/?e=x", 1, 0, Some(StillWrapped::NoTarget)),
        ("https://l.instagram.com/?u=", 1, 0, Some(StillWrapped::NoTarget)),
        ("https://l.instagram.com/?u=%FF", 1, 0, Some(StillWrapped::Malformed)),
        ("https://urldefense.com/v3/a", 1, 0, Some(StillWrapped::Malformed)),
        ("https://l.instagram.com/?u=a.example", 1, 0, Some(StillWrapped::NotALink)),
        ("https://l.instagram.com/?u=https:a", 1, 0, Some(StillWrapped::NotALink)),
        ("https://l.instagram.com/?u=https://a.example/%20", 1, 0, Some(StillWrapped::NotALink)),
        ("https://l.instagram.com/?u=data:,a", 1, 0, Some(StillWrapped::Scheme)),
        ("https://l.instagram.com/?u=https://l.instagram.com/", 1, 1, None),
        ("https://l.instagram.com/?u=https://l.instagram.com/", 2, 1, Some(StillWrapped::NoTarget)),
        // The catalog says that an address leads to itself.
        ("https://l.example/", 3, 0, Some(StillWrapped::Loop)),
        ("https://l.example/?u=https://l.example/", 3, 1, Some(StillWrapped::Loop)),
        ("https://l.example/?u=b.example/", 3, 1, None),
        ("https://l.example/?u=%25FF", 3, 0, Some(StillWrapped::Malformed)),
        ("https://a.example/?u=https://b.example/", 3, 0, None),
        // Paths of Safe Links that are not those of documents.
        ("https://x.safelinks.protection.outlook.com/ap/?url=https://b.example/", 3, 0, None),
        ("https://x.safelinks.protection.outlook.com/ap/w-/?url=https://b.example/", 3, 0, None),
        ("https://x.safelinks.protection.outlook.com/ap/w-5g/?url=https://b.example/", 3, 0, None),
        ("https://x.safelinks.protection.outlook.com/ap/ww-5/?url=https://b.example/", 3, 0, None),
        ("https://x.safelinks.protection.outlook.com/ap/1-5/?url=https://b.example/", 3, 0, None),
        ("https://x.safelinks.protection.outlook.com/ap/w-5/a?url=https://b.example/", 3, 0, None),
        ("https://x.safelinks.protection.outlook.com/ap/w-5//?url=https://b.example/", 3, 0, None),
        ("https://a.example/ap/w-59584e83/?url=https://b.example/", 3, 0, None),
    ] {
        let expected = match link.split_once("l.instagram.com/?u=https://l.") {
            Some(_) if levels == 1 => Some(StillWrapped::NoTarget),
            _ => reason,
        };
        let view = IriRef::parse(link).unwrap();
        let unwrapped = law(Unwrap::new().levels(levels).rules(&[&rules]), view);
        assert_eq!(unwrapped.wrappers().len(), wrappers, "{link}");
        assert_eq!(unwrapped.still_wrapped(), expected, "{link}");
    }
}

/// Checks that rules change nothing of their result, and that it is a reference.
fn twice_is_once(rules: &QueryRules, link: IriRef<'_>) {
    let applied = rules.apply(link);
    let reference = applied.reference();
    assert_eq!(IriRef::parse(reference.as_str()).map(IriRef::parts), Ok(reference.parts()));
    assert!(applied.dropped() == 0 || reference.len() < link.len() || applied.is_redirected());
    if !applied.is_redirected() {
        let again = rules.apply(reference);
        assert_eq!(again.reference(), reference.as_str(), "{link}");
        assert_eq!(again.dropped(), 0, "{link}");
        assert_eq!(again.is_at_rest(), applied.is_at_rest(), "{link}");
    }
}

const NAMES: [&str; 6] = ["a", "b", "ab", "utm_a", "é", "A"];

/// A pair, and its decoded name.
fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    let names = proptest::sample::select(&NAMES[..]).prop_flat_map(|name| {
        let written = name.to_owned();
        prop_oneof![2 => Just(written), 1 => Just(encoded(name, |_| false))]
            .prop_map(move |written| (name.to_owned(), written))
    });
    let values = proptest::sample::select(&["", "=", "=1", "=%7E+b", "==", "=é%FF", "=a=b"][..]);
    let pair = (names, values).prop_map(|((name, written), value)| (name, written + value));
    proptest::collection::vec(pair, 0..8)
}

/// `&amp;` of HTML is one delimiter: it goes with the pair after it, or with all pairs before the first that stays.
#[test]
fn a_name_begins_after_an_ampersand_of_html() {
    let delimiters = proptest::sample::select(&["&", "&amp;", "&amp;amp;"][..]);
    let pairs = pairs().prop_flat_map(move |pairs| {
        let count = pairs.len();
        (Just(pairs), proptest::collection::vec(delimiters.clone(), count))
    });
    let dropped = proptest::collection::vec(any::<bool>(), NAMES.len());
    random(20_000, (pairs, dropped), |((pairs, delimiters), dropped)| {
        let named: Vec<&str> =
            NAMES.iter().zip(&dropped).filter(|(_, is)| **is).map(|(name, _)| *name).collect();
        let rules = format!("[[drop]]\nnames = {named:?}");
        let rules = QueryRules::parse(&rules, RuleFormat::Toml).unwrap();
        let written = |stays: &dyn Fn(&str) -> bool| {
            let all = pairs.iter().zip(&delimiters).filter(|((name, _), _)| stays(name));
            let query: String = all.map(|((_, pair), before)| format!("{before}{pair}")).collect();
            let query = query.trim_start_matches('&');
            let query = query.trim_start_matches("amp;");
            let mark = if query.is_empty() { "" } else { "?" };
            format!("https://h.example/p{mark}{query}#f")
        };
        let link = written(&|_| true);
        let link = IriRef::parse(&link).unwrap();
        let expected = written(&|name| !named.contains(&name));
        assert_eq!(rules.apply(link).reference(), expected.as_str(), "{link} without {named:?}");
        twice_is_once(&rules, link);
        Ok(())
    });
}

#[test]
fn pairs_that_no_rule_names_stay() {
    let dropped = proptest::collection::vec(any::<bool>(), NAMES.len());
    random(20_000, (pairs(), dropped), |(pairs, dropped)| {
        let named: Vec<&str> =
            NAMES.iter().zip(&dropped).filter(|(_, is)| **is).map(|(name, _)| *name).collect();
        let query: Vec<&str> = pairs.iter().map(|(_, pair)| pair.as_str()).collect();
        let text = format!("https://h.example/p?{}#f", query.join("&"));
        let text = if query.is_empty() { text.replace('?', "") } else { text };
        let link = IriRef::parse(&text).unwrap();
        let toml = format!("[[drop]]\nhost = 'h.example'\nnames = {named:?}");
        let patterns = format!("[[drop]]\npatterns = {named:?}");
        let list: String =
            named.iter().map(|name| format!("||example^$removeparam={name}\n")).collect();
        let rules = serde_json::json!({"urlPattern": "^", "rules": named});
        let catalog = serde_json::json!({"providers": {"p": rules}}).to_string();
        for (format, source) in [
            (RuleFormat::Toml, &toml),
            (RuleFormat::Toml, &patterns),
            (RuleFormat::AdGuard, &list),
            (RuleFormat::ClearUrls, &catalog),
        ] {
            let rules = QueryRules::parse(source, format).unwrap();
            let goes = |(name, pair): &&(String, String)| match format {
                // The names of a list are compared as they are written, those of a catalog without case.
                RuleFormat::AdGuard => named.contains(&pair.split('=').next().unwrap()),
                RuleFormat::ClearUrls => {
                    named.iter().any(|one| one.to_lowercase() == name.to_lowercase())
                }
                _ => named.contains(&name.as_str()),
            };
            let kept: Vec<&str> =
                pairs.iter().filter(|pair| !goes(pair)).map(|(_, pair)| pair.as_str()).collect();
            let expected = match kept.as_slice() {
                [] => "https://h.example/p#f".to_owned(),
                kept => format!("https://h.example/p?{}#f", kept.join("&")),
            };
            let applied = rules.apply(link);
            assert_eq!(applied.reference(), expected.as_str(), "{text} by {source}");
            assert_eq!(applied.dropped(), pairs.len() - kept.len(), "{text} by {source}");
            twice_is_once(&rules, link);
        }
        Ok(())
    });
}

#[test]
fn any_rules_come_to_rest() {
    let pieces = proptest::sample::select(
        &[
            "$removeparam",
            "=",
            "a",
            "b",
            "\n",
            "@@",
            "||",
            "^",
            "|",
            "*",
            "/",
            "/i",
            "~",
            ",",
            "\\,",
            "h.example",
            "?",
            "&",
            "domain=x",
            "script",
            "match-case",
            "(",
            ")",
            "[",
            "]",
            ".",
            "+",
            "$",
        ][..],
    );
    let lists = proptest::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat());
    let patterns = proptest::sample::select(
        &[
            "a",
            "^a",
            "[ab]",
            ".",
            "a+",
            "(a|b)*",
            "=",
            "&",
            "\\?",
            "/",
            "b$",
            "é",
            "h",
            "u=([^&]*)",
            "^(.*)$",
            "p?",
        ][..],
    );
    let patterns = proptest::collection::vec(patterns, 0..3);
    let provider = (patterns.clone(), patterns.clone(), patterns.clone(), any::<bool>()).prop_map(
        |(rules, raw, redirections, is_complete)| {
            serde_json::json!({
                "urlPattern": "example", "rules": rules, "rawRules": raw, "completeProvider": is_complete,
                "redirections": redirections.into_iter().take(1).filter(|one| one.contains('(')).collect::<Vec<_>>(),
            })
        },
    );
    let catalogs = proptest::collection::vec(provider, 0..3).prop_map(|all| {
        let providers: serde_json::Map<_, _> =
            all.into_iter().enumerate().map(|(number, one)| (number.to_string(), one)).collect();
        serde_json::json!({"providers": providers}).to_string()
    });
    let sources = prop_oneof![
        lists.prop_map(|text| (RuleFormat::AdGuard, text)),
        catalogs.prop_map(|text| (RuleFormat::ClearUrls, text)),
    ];
    random(
        6_000,
        (sources, proptest::collection::vec(texts(), 1..4)),
        |((format, text), tails)| {
            let rules = QueryRules::parse(&text, format).unwrap();
            for tail in tails {
                let link = format!("https://h.example/p?a=1&b&{tail}");
                if let Ok(link) = IriRef::parse(&link) {
                    twice_is_once(&rules, link);
                    let _ = law(Unwrap::new().levels(4).rules(&[&rules]), link);
                }
            }
            Ok(())
        },
    );
}

#[test]
fn a_wrong_file_is_refused_at_its_place() {
    use RuleErrorKind::*;
    let toml = RuleFormat::Toml;
    let json = RuleFormat::ClearUrls;
    for (format, text, line, column, kind) in [
        (toml, "x", 1, 2, Syntax),
        (toml, "[drop]", 1, 1, Unread),
        (toml, "[[drp]]", 1, 3, UnknownKey),
        (toml, "\n[[drop]]", 2, 1, MissingKey),
        (toml, "[[drop]]\nnames = [\"a\"]\nnames = []", 3, 1, Twice),
        (toml, "[[drop]]\nnames = 'a'", 2, 9, WrongType),
        (toml, "[[drop]]\nnames = [1]", 2, 10, WrongType),
        (toml, "[[drop]]\nnames = ['a' 'b']", 2, 14, Syntax),
        (toml, "[[drop]]\nnames = ['a'", 2, 13, Syntax),
        (toml, "[[drop]]\nnames = [\"\\q\"]", 2, 12, Syntax),
        (toml, "drop = 'a'", 1, 8, Unread),
        (toml, "[[drop]] x", 1, 10, Syntax),
        (toml, "[[drop]]\nhost = '*'\nnames = []", 2, 8, WrongValue),
        (toml, "[[drop]]\nhost = 'a*b'\nnames = []", 2, 8, WrongValue),
        (toml, "[[drop]]\npath = '/'", 2, 1, UnknownKey),
        (toml, "[[drop]]\npatterns = ['é', '(?=a)']", 2, 18, LookAround),
        (toml, "[[wrapper]]\nhost = 'a'", 1, 1, MissingKey),
        (toml, "[[wrapper]]\nparameter = 'a'", 1, 1, MissingKey),
        (toml, "[[wrapper]]\ndecode = 'base64'", 2, 10, WrongValue),
        (toml, "[[wrapper]]\npath = 'a'", 2, 8, WrongValue),
        (json, "", 1, 1, Syntax),
        (json, "{}", 1, 1, MissingKey),
        (json, "{\"providers\":{}} x", 1, 18, Syntax),
        (json, "{\"providers\":[]}", 1, 14, NewFormat),
        (json, "version: 2\nproviders: []", 1, 1, NewFormat),
        (json, "[{}]", 1, 1, NewFormat),
        (json, "{\"providers\":\n{\"a\": {}}}", 2, 7, MissingKey),
        (json, "{\"providers\":{\"a\":1}}", 1, 19, WrongType),
        (json, "{\"providers\":{\"a\":{\"urlPattern\":1}}}", 1, 33, WrongType),
        (json, "{\"providers\":{\"a\":{\"urlPattern\":\"(\"}}}", 1, 33, Pattern),
        (
            json,
            "{\"providers\":{\"a\":{\"urlPattern\":\"\",\n\"rules\":[\"a\",\"(a{1000}){1000}{1000}\"]}}}",
            2,
            14,
            TooLarge,
        ),
        (json, "{\"x\":[[[}", 1, 9, Syntax),
        (json, "{\"providers\":{\"a\":{\"urlPattern\":\"\\ud800\"}}}", 1, 40, Syntax),
    ] {
        let error = QueryRules::parse(text, format).unwrap_err();
        assert_eq!((error.line(), error.column(), error.kind()), (line, column, kind), "{text}");
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")));
    }
    let list = "||a^\n  $removeparam=a,important\n!x\n\n$removeparam=/(/\n@@||b^$removeparam";
    let rules = QueryRules::parse(list, RuleFormat::AdGuard).unwrap();
    let skipped: Vec<_> =
        rules.skipped().iter().map(|error| (error.line(), error.column(), error.kind())).collect();
    assert_eq!(skipped, [(1, 1, OtherRule), (2, 18, Modifier), (5, 14, Pattern)]);
    assert_eq!(rules.count(), 1);
}

#[test]
fn no_file_is_too_hostile_to_refuse() {
    let pieces = proptest::sample::select(
        &[
            "[[drop]]\n",
            "[[wrapper]]\n",
            "names = ",
            "patterns = ",
            "host = ",
            "'a'",
            "\"a\"",
            "[",
            "]",
            ",",
            "\n",
            "#",
            "{",
            "}",
            "\"providers\":",
            "\"urlPattern\":",
            "\"rules\":",
            "\"",
            "\\",
            "\\u00",
            "é",
            ":",
            "true",
            "1",
            "\\ud83d\\ude00",
            "'",
            "decode = 'proofpoint3'",
            "\u{FEFF}",
        ][..],
    );
    let files = proptest::collection::vec(pieces, 0..16).prop_map(|all| all.concat().into_bytes());
    random(60_000, prop_oneof![files, byte_strings()], |bytes| {
        let text = String::from_utf8_lossy(&bytes);
        for format in RuleFormat::ALL {
            match QueryRules::parse(&text, *format) {
                Err(error) => {
                    let line = text.split('\n').nth(error.line() - 1).unwrap();
                    assert!(error.column() <= line.chars().count() + 1, "{text:?}: {error}");
                }
                Ok(rules) => {
                    assert_eq!(rules.format(), *format);
                    twice_is_once(&rules, IriRef::parse("https://a/?a&b").unwrap());
                }
            }
        }
        Ok(())
    });
    // Deep, long, and many.
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    assert_eq!(
        QueryRules::parse(&deep, RuleFormat::ClearUrls).unwrap_err().kind(),
        RuleErrorKind::MissingKey
    );
    let many = "$removeparam=/a{1000}/\n".repeat(10_000);
    assert_eq!(
        QueryRules::parse(&many, RuleFormat::AdGuard).unwrap_err().kind(),
        RuleErrorKind::TooLarge
    );
    let lines = "$removeparam=a\n".repeat(100_000);
    assert_eq!(QueryRules::parse(&lines, RuleFormat::AdGuard).unwrap().count(), 100_000);
}

#[test]
fn the_formats_of_tests_are_all_formats() {
    assert_eq!(RuleFormat::ALL.len(), 3);
    let text = "[[drop]] # a comment\nnames = [ # names\n  \"utm\\u005F*\", 'b',\n]\r\n";
    let rules = QueryRules::parse(text, RuleFormat::Toml).unwrap();
    assert_eq!(rules.apply(IriRef::parse("?utm_x&b&c").unwrap()).reference(), "?c");
    let text = format!("\u{FEFF}{text}");
    assert_eq!(QueryRules::parse(&text, RuleFormat::Toml).unwrap().count(), 2);
}
