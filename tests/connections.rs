//! Connection strings in running text: no password, and no part of one, becomes a link. The law is held by a corpus of
//! connection strings, written here, and by a generator that knows only how such strings are composed.
//!
//! A password is between white space. What is quoted holds its quote with a backslash only.

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri_text::{Ends, Extract, LinkKind, Markup, Schemes};

use crate::cases;
use crate::support::{LEVELS, random};

/// A connection string with its password, as it is written.
#[derive(Deserialize)]
struct Row {
    id: String,
    connection: String,
    secret: String,
}

const SCHEMES: [Schemes<'static>; 3] =
    [Schemes::Web, Schemes::Any, Schemes::Only(&["http", "mailto", "postgres"])];

const ENDS: [Ends; 2] = [Ends::Strict, Ends::Tight];

/// A text as somebody writes it in a document of this format, who knows its escapes.
fn written(markup: Markup, text: &str) -> String {
    match markup {
        Markup::Html | Markup::Markdown => {
            text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
        }
        _ => text.to_owned(),
    }
}

/// Returns the reason why the links of a text break the law: which link begins in a secret, or is guessed from it.
fn leak(extract: Extract<'_>, text: &str, secret: &str) -> Option<String> {
    let secrets: Vec<_> = text.match_indices(secret).map(|(at, _)| at..at + secret.len()).collect();
    assert!(!secrets.is_empty(), "{secret} is in {text}");
    extract.links(text).find_map(|link| {
        let span = link.span();
        let is_guessed = matches!(link.kind(), LinkKind::Email | LinkKind::Domain);
        let leaks = |secret: &std::ops::Range<usize>| {
            let overlaps = span.start < secret.end && secret.start < span.end;
            overlaps && (is_guessed || secret.start < span.start)
        };
        let leaks = link.broken().is_none() && secrets.iter().any(leaks);
        leaks.then(|| format!("{:?} {} of {text:?}, {extract:?}", link.kind(), link.as_str()))
    })
}

/// All searches of a text at the best level, and the plain one at every level.
fn all_leaks(text: &str, secret: &str) -> Vec<String> {
    let mut found = Vec::new();
    for markup in Markup::ALL {
        let (text, secret) = (written(*markup, text), written(*markup, secret));
        for schemes in SCHEMES {
            for (ends, broken) in ENDS.into_iter().flat_map(|ends| [(ends, false), (ends, true)]) {
                let extract = Extract::new().markup(*markup).schemes(schemes).broken(broken);
                let extract = extract.ends(ends);
                found.extend(leak(extract, &text, &secret));
            }
        }
    }
    for level in LEVELS.iter() {
        found.extend(leak(Extract::new().at(*level), text, secret));
    }
    found
}

#[test]
fn no_password_of_the_corpus_becomes_a_link() {
    let files = cases::rows::<Row>(&["connection", "secret"]);
    let rows: Vec<_> = files.into_iter().flat_map(|(_, rows)| rows).collect();
    assert!(rows.len() >= 200, "{}", rows.len());
    let mut leaks = Vec::new();
    for Row { id, connection, secret } in &rows {
        let around = [
            ("", ""),
            ("see ", " or ask ann@example.org."),
            ("x@example.com\t", "\nhttp://example.org/"),
            ("例: ", " 。"),
        ];
        for (before, after) in around {
            let text = format!("{before}{connection}{after}");
            leaks.extend(all_leaks(&text, secret).into_iter().map(|leak| format!("{id}: {leak}")));
            // The search goes on after the string.
            for wanted in ["ann@example.org", "http://example.org/", "x@example.com"] {
                let is_there = before.contains(wanted) || after.contains(wanted);
                let mut links = Extract::new().links(&text);
                assert!(!is_there || links.any(|link| link.as_str() == wanted), "{id}: {wanted}");
            }
        }
    }
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
    println!("{} connection strings", rows.len());
}

#[test]
fn no_password_of_a_generated_string_becomes_a_link() {
    let chosen = |from: &'static [&'static str]| proptest::sample::select(from);
    let scheme = chosen(&[
        "postgres",
        "postgresql+psycopg2",
        "mysql",
        "mongodb+srv",
        "amqps",
        "redis",
        "ftp",
        "ssh",
        "git+ssh",
        "docker",
        "ldap",
        "smtp",
        "nats",
        "kafka",
        "http",
        "https",
        "HTTP",
        "jdbc:mysql",
        "xy",
        "wss",
        "r2dbc:mariadb",
        "a.b-c",
    ]);
    let slashes = chosen(&["://", "://", "://", ":\\/\\/", "%3A%2F%2F", ":///", ":\\\\"]);
    let user = chosen(&["bob", "", "bob%40corp.com", "b.c", "ann-1", "x_y", "用户", "CORP;bob"]);
    // Everything but white space and controls.
    let password = proptest::collection::vec(
        prop_oneof![
            6 => proptest::char::range('!', '~').prop_map(String::from),
            2 => chosen(&["a.com", "@", ",http://", "mailto:", "//", ".org", ":80", "%40", "%2F", "x@y.com"])
                .prop_map(str::to_owned),
            1 => chosen(&["é", "密", "。", "😀", "ｃｏｍ"]).prop_map(str::to_owned),
        ],
        1..10,
    );
    let host = chosen(&[
        "db.example.com",
        "db.example.com:5432",
        "a.example.com:1,b.example.com:2",
        "例え.jp",
        "localhost",
        "[::1]:80",
        "10.0.0.1",
        "x.co.uk",
    ]);
    let tail = chosen(&["", "/", "/app?x=1", "/a@b.com", "/app#y", ",ops@example.com"]);
    let around =
        chosen(&["", "\"", "'", "`", "=", "DSN=\"", "(", "{\"a\":\"", "see:", "https://x.org/,"]);
    let parts = (scheme, slashes, user, password, (host, tail, around));
    random(20_000, parts, |(scheme, slashes, user, password, (host, tail, around))| {
        let password = password.concat();
        // A quote around the string is written with a backslash in it. The start of a web address is a link of its own.
        let end = match around.chars().last() {
            Some(quote @ ('"' | '\'' | '`')) => String::from(quote),
            Some('(') => String::from(")"),
            _ => String::new(),
        };
        let password = match end.as_str() {
            "" => password,
            end => password.replace(end, &format!("\\{end}")),
        };
        let text = format!("{around}{scheme}{slashes}{user}:{password}@{host}{tail}{end}");
        // The secret with what is around it, so that it is found in its place alone.
        let (before, after) = (format!("{user}:"), format!("@{host}"));
        let at = around.len() + scheme.len() + slashes.len() + before.len();
        let span = at..at + password.len();
        prop_assert_eq!(&text[span.end..span.end + after.len()], &after);
        for (schemes, ends) in
            SCHEMES.into_iter().flat_map(|schemes| ENDS.map(|ends| (schemes, ends)))
        {
            for markup in [Markup::Plain, Markup::Log] {
                // In a log, a backslash is an escape, and what it means is read.
                if markup == Markup::Log && (password.contains(['"', '\\']) || slashes == ":\\\\") {
                    continue;
                }
                let extract = Extract::new().schemes(schemes).markup(markup).ends(ends);
                for link in extract.links(&text) {
                    let found = link.span();
                    let overlaps = found.start < span.end && span.start < found.end;
                    let is_guessed = matches!(link.kind(), LinkKind::Email | LinkKind::Domain);
                    let leaks = overlaps && (is_guessed || span.start < found.start);
                    prop_assert!(
                        !leaks,
                        "{} {} of {text:?} {extract:?}",
                        link.kind(),
                        link.as_str()
                    );
                }
            }
        }
        Ok(())
    });
}

#[test]
fn no_link_begins_inside_an_address() {
    let found = |text: &str| -> Vec<String> {
        Extract::new().links(text).map(|link| link.as_str().to_owned()).collect()
    };
    let none: [&str; 0] = [];
    for text in [
        "/r?u=https%3A%2F%2Fexample.com%2Fa",
        "foo%40example.com",
        "ssh://git@github.com/x",
        "//example.com/a",
        "//cdn.example.com:80/a,b.com",
        "ftp://a.example/?u=http://b.com/",
        "ftp://a.example/b.com",
        "ftp://u:http://b.com@c.example",
        "git+https://example.com/a@v1.com",
        "javascript://example.com/a@b.com",
    ] {
        assert_eq!(found(text), none, "{text}");
    }
    // What only looks similar is found.
    for (text, wanted) in [
        ("C:\\Users\\ann@example.com", "ann@example.com"),
        ("file.c:12:ann@example.com", "ann@example.com"),
        ("12:30:45:ann@example.com", "ann@example.com"),
        ("Mail:ann@example.com", "ann@example.com"),
        ("SMTP:ann@example.com;", "ann@example.com"),
        ("\"by\":\"ann@example.com\"", "ann@example.com"),
        ("http:example.com", "example.com"),
        ("a,http://b.com/", "http://b.com/"),
        ("url=http://b.com/", "http://b.com/"),
        ("(ftp://a.example),b.com", "b.com"),
        ("{\"a\":\"ftp://a.example\",\"b\":\"c.com\"}", "c.com"),
        ("\"postgres://u:p@h\",\"ann@example.com\"", "ann@example.com"),
        ("//x http://b.com", "http://b.com"),
        ("//http://b.com", "http://b.com"),
        ("ann@example.com:80/a", "ann@example.com"),
        ("bcc:ann@a.com,bob@b.com", "bob@b.com"),
    ] {
        assert!(found(text).iter().any(|link| link == wanted), "{text}: {:?}", found(text));
    }
}
