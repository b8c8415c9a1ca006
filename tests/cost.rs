//! No item is expensive: the time of each operation is bounded by the length of its item times a constant, in whatever
//! way the item is made. The inputs are repetitions of one piece or of two, with something before and after them: what
//! is quadratic is quadratic in the number of pieces.
//!
//! A time is the least of several. An operation is refused only if it is slower for each byte of a long item than of a
//! short one again and again. The test prints the dearest item of each operation (`--nocapture`), which
//! `docs/threats.md` states. Not here: the commands of the program (`scripts/test-cost`).

use std::fmt::Write;
use std::hint::black_box;
use std::time::Duration;

use simd_iri::query::FormPair;
use simd_iri::{
    Base, Compare, DecodePolicy, IriBuf, IriRef, IriRefBuf, Level, Normalize, Rule, ToIri, ToUri,
    charset::Unmappable,
    document::{Document, Format},
    encoding_rs,
    http_message::Field,
    iri,
};
use simd_iri_archive as archive;
use simd_iri_judge as judge;
use simd_iri_lint::{Code, DisplayPolicy, Lint, Profile, Severity, Suggestion};
use simd_iri_lint::{DisplayIri, DisplayUts58};
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
use simd_iri_text::{Context, Ends, Extract, Markup, Prepare, RepairSet, Schemes};

use crate::support::SAMPLE;

/// The lengths in bytes of a short item and of a long one.
const SHORT: usize = 4 << 10;
const LONG: usize = 96 << 10;

/// By how much a byte of a long item may be dearer than one of a short item. Memory and caches account for less than
/// 2; a quadratic operation whose loop takes a cycle for 32 bytes has 10.
const DEARER: f64 = 3.0;

/// What is repeated.
const PIECES: &[&str] = &[
    "a",
    "A",
    "/",
    "//",
    "/.",
    "/..",
    "/../a",
    "a/../",
    "/%2E%2e",
    "/./",
    ":",
    "@",
    "a@",
    "@a.com",
    "?",
    "&",
    "a=b&",
    "=",
    "#",
    "%41",
    "%7E",
    "%2f",
    "%",
    "%C3%A9",
    "%E2%82%AC",
    "%FF",
    "%C3",
    "%C3%83%C2%A9",
    "Ã©",
    "%C3%83%C6%92%C3%82%C2%A9",
    "é",
    "e\u{301}",
    "\u{301}",
    "א",
    "אa",
    "a1א",
    "ش",
    "\u{202E}",
    "%E2%80%AE",
    "\u{200B}",
    "\u{200D}",
    "क\u{94D}",
    "例",
    "。",
    "例。",
    ".",
    "a.",
    "a.com",
    ".com ",
    "-",
    "xn--",
    "xn--a.",
    "1.",
    "0x1.",
    "ａ",
    "／",
    "：",
    "а",
    "аb",
    "ﬁ",
    "한",
    "ᄒ",
    "ｶ",
    "😀",
    "\u{E000}",
    "%EE%80%80",
    "\\",
    "|",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "(",
    ")",
    "[",
    "]",
    "{",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\0",
    "&amp;",
    "&#",
    "&#1;",
    "&#x41;",
    "&ampamp",
    "&",
    ";",
    ",",
    "!",
    "$",
    "*",
    "_",
    "~",
    "\u{FEFF}",
    "“",
    "«",
    "http://",
    "http:",
    "http://a/",
    "http:/",
    "mailto:",
    "mailto:a@b.com,",
    "urn:",
    "ab:",
    "url:",
    "<url:",
    "javascript:",
    "file:///c|/",
    "postgres://u:p@h",
    "//u:p@",
    "password=",
    "\\u0061",
    "\\/",
    "](",
    "<a href=",
    "<!--",
    "-->",
    "``",
    "`a` ",
    "\n> ",
    "\n- ",
    "a:80",
    ":080",
    "[::1]",
    "%00",
    "a%20b",
    "+",
    "\u{3000}",
    "\u{AD}",
    "ß",
    "İ",
    "\u{FFFD}",
    "ÃÂ",
    "â€™",
    "%e2%80%99",
];
/// What is before it.
const HEADS: &[&str] = &["", "http://h/", "http://h/?", "http://", "mailto:", "urn:a:", "a:"];
/// What is after it.
const TAILS: &[&str] = &["", "/..", "@b.com", ";", "é"];

/// Uses a result.
fn keep<T>(result: T) {
    black_box(result);
}

type Operation = (&'static str, Box<dyn Fn(&str)>);

/// All operations on one item. Each takes any text.
fn operations() -> Vec<Operation> {
    let mut all: Vec<Operation> = Vec::new();
    let mut on_text = |name: &'static str, run: fn(&str)| all.push((name, Box::new(run)));
    on_text("parse", |text| keep(IriRef::parse(text)));
    on_text("violations", |text| {
        black_box(Rule::IriReference.violations(text).count());
    });
    on_text("lint of what is invalid", |text| {
        Lint::new(Profile::Crawler).each_of_invalid(text, keep)
    });
    on_text("judge", |text| keep(judge::Policy::public_web().judge(text)));
    on_text("judge, redirect", |text| {
        keep(judge::Policy::public_web().judge_redirect(text, "http://a.example/b/c", 1));
    });
    on_text("extract", |text| keep(Extract::new().links(text).count()));
    on_text("extract, any scheme, broken", |text| {
        black_box(Extract::new().schemes(Schemes::Any).broken(true).links(text).count());
    });
    on_text("extract, tight", |text| keep(Extract::new().ends(Ends::Tight).links(text).count()));
    on_text("extract, ASCII", |text| keep(Extract::new().ends(Ends::Ascii).links(text).count()));
    on_text("extract, log", |text| keep(Extract::new().markup(Markup::Log).links(text).count()));
    on_text("extract, Markdown", |text| {
        black_box(Extract::new().markup(Markup::Markdown).relative(true).links(text).count());
    });
    on_text("extract, HTML", |text| {
        black_box(Extract::new().markup(Markup::Html).relative(true).links(text).count());
    });
    on_text("links, prepared", |text| {
        for link in Extract::new().markup(Markup::Html).relative(true).links(text).take(3) {
            let _ = black_box(link.prepare());
        }
    });
    for set in RepairSet::ALL {
        for context in [Context::Plain, Context::Typed, Context::Html, Context::Xml] {
            all.push((
                "prepare",
                Box::new(move |text| {
                    let _ = black_box(Prepare::new(*set).context(context).prepare(text));
                }),
            ));
        }
    }
    all.push((
        "prepare with a base",
        Box::new(|text| {
            let _ = black_box(
                Prepare::new(RepairSet::BrowserLike).base(iri!("http://a/b/c")).prepare(text),
            );
        }),
    ));
    let catalog = r#"{"providers": {"a": {"urlPattern": "^", "rules": ["(?:a|b)*", "utm_[a-z]*"],
        "rawRules": ["(?:a+b?)+c", ".*!{9}|a"], "redirections": ["q=(.*)https"]}}}"#;
    for (format, rules) in [
        (RuleFormat::Toml, "[[drop]]\nnames = ['a*']\npatterns = ['(?:b|c)*d', '.*=.*']"),
        (RuleFormat::ClearUrls, catalog),
        (
            RuleFormat::AdGuard,
            "$removeparam=/(?:a+b?)+c/\n*a*b*^c$removeparam=a\n||a$removeparam=b",
        ),
    ] {
        let rules = QueryRules::parse(rules, format).unwrap();
        all.push((
            "query rules",
            Box::new(move |text| {
                if let Ok(view) = IriRef::parse(text) {
                    keep(rules.apply(view));
                }
            }),
        ));
    }
    for profile in archive::Profile::ALL {
        all.push(("archive key", Box::new(|text| keep(archive::key(text, *profile)))));
    }
    let mut on_text = |name: &'static str, run: fn(&str)| all.push((name, Box::new(run)));
    on_text("archive, aggressive", |text| keep(archive::aggressive(text)));
    on_text("unwrap", |text| {
        for before in
            ["www.google.com/url?q=https:", "urldefense.com/v2/url?u=", "urldefense.com/v3/__*__;"]
        {
            if let Ok(view) = IriRef::parse(&format!("https://{before}{text}")) {
                keep(Unwrap::new().levels(5).apply(view));
            }
        }
    });
    on_text("from typed text", |text| keep(IriRefBuf::from_typed(text)));
    on_text("from a charset", |text| {
        keep(IriRefBuf::from_legacy(text.as_bytes(), encoding_rs::WINDOWS_1258))
    });
    on_text("interpret", |text| {
        keep(simd_iri_lint::interpret(text, &[encoding_rs::WINDOWS_1252, encoding_rs::SHIFT_JIS]))
    });
    on_text("charsets", |text| keep(simd_iri_lint::charsets(text).count()));
    on_text("unescape", |text| {
        for format in [Format::Html, Format::Xml, Format::Json] {
            let _ = black_box(Document::new(format).read(text));
        }
    });
    on_text("fields", |text| {
        for field in [Field::Location, Field::Link, Field::Refresh] {
            black_box(ToUri::new().map_field(field, text.as_bytes()));
        }
    });
    on_text("host names", |text| {
        black_box((simd_iri::domain::is_hostname(text), simd_iri::domain::is_idn_hostname(text)));
    });
    on_text("file names", |text| keep(IriBuf::from_posix_path(text.as_bytes())));
    on_text("suggestions", |text| {
        for suggestion in [
            Suggestion::PercentEncode,
            Suggestion::Decode,
            Suggestion::UpperCase,
            Suggestion::LowerCase,
            Suggestion::Domain,
            Suggestion::RemoveDots,
            Suggestion::Utf8,
            Suggestion::DottedDecimal,
            Suggestion::Nfc,
            Suggestion::Nfkc,
        ] {
            black_box(suggestion.apply(text));
        }
    });
    let mut on_view = |name: &'static str, run: fn(IriRef<'_>)| {
        all.push((
            name,
            Box::new(move |text| {
                if let Ok(view) = IriRef::parse(text) {
                    run(view);
                }
            }),
        ));
    };
    on_view("lint", |view| keep(simd_iri_lint::lint(view, Profile::Crawler)));
    on_view("lint, every code", |view| {
        let all = Code::ALL.iter().fold(Lint::new(Profile::Strict), |lint, code| {
            lint.severity(*code, Some(Severity::Note))
        });
        black_box(all.report(view));
    });
    on_view("fix", |view| keep(Lint::new(Profile::Rfc).fix(view)));
    on_view("fix all", |view| {
        let all = Code::ALL.iter().fold(Lint::new(Profile::Strict), |lint, code| {
            lint.severity(*code, Some(Severity::Note))
        });
        let _ = black_box(all.fix_all(view));
    });
    on_view("to a URI", |view| keep(view.to_uri()));
    on_view("to a URI, IDNA, charset", |view| {
        let map =
            ToUri::new().idna(true).query_charset(encoding_rs::WINDOWS_1258, Unmappable::Reference);
        let _ = black_box(map.map(view));
    });
    on_view("to an IRI", |view| keep(view.to_iri()));
    on_view("to an IRI, conservative, IDNA", |view| {
        black_box(ToIri::new().policy(DecodePolicy::Conservative).idna(true).map(view));
    });
    on_view("normalize", |view| keep(view.normalize(Normalize::scheme())));
    on_view("normalize, every rule", |view| {
        let all = Normalize::scheme()
            .idna(true)
            .urn(true)
            .mailto(true)
            .ipv6(true)
            .rootless_dots(true)
            .rooted_dots(true);
        for policy in
            [DecodePolicy::Default, DecodePolicy::NonAsciiOnly, DecodePolicy::Conservative]
        {
            let _ = black_box(view.normalize(all.policy(policy)));
        }
    });
    on_view("compare, key, fingerprint", |view| {
        for level in [Level::Syntax, Level::Scheme, Level::SchemeIdna] {
            let compare = Compare::new(level);
            black_box((compare.equivalent(view, view), compare.fingerprint(view)));
        }
    });
    on_view("resolve", |view| keep(Base::new(iri!("http://a/b/c?d")).resolve(view)));
    on_view("relativize", |view| {
        if let Ok(target) = simd_iri::Iri::try_from(view) {
            let _ = black_box(Base::new(iri!("http://h/a/b")).relativize(target));
            let _ = black_box(Base::new(target).relativize(iri!("http://h/a/b")));
            let _ = black_box(Base::new(target).relativize(target));
        }
    });
    on_view("display", |view| keep(DisplayIri::new().map(view)));
    on_view("display by a policy", |view| {
        for policy in DisplayPolicy::ALL {
            keep(DisplayIri::new().policy(*policy).map(view));
            black_box(policy.judge(view.host_str().unwrap_or_default()));
        }
    });
    on_view("display as text", |view| keep(DisplayUts58::new().map(view)));
    on_view("skeleton", |view| keep(simd_iri_lint::skeleton(view)));
    on_view("visual order", |view| keep(simd_iri_lint::visual(view)));
    on_view("escape", |view| {
        for format in [Format::Html, Format::Xml, Format::Json] {
            black_box(Document::new(format).write(view));
        }
    });
    on_view("pairs", |view| {
        black_box(
            view.query_form().map(|FormPair(name, value)| name.len() + value.len()).sum::<usize>(),
        );
        let mut owned = IriRefBuf::from(view);
        owned.sort_query_pairs();
        owned.drop_query_pairs(|name| name == "a");
        black_box(owned);
    });
    on_view("registrable domain, origin, masked", |view| {
        black_box((
            view.registrable_domain(),
            view.origin(),
            view.masked().to_string(),
            format!("{view:?}"),
        ));
    });
    all
}

/// An item of about `length` bytes.
fn item(head: &str, piece: &str, tail: &str, length: usize) -> String {
    head.to_owned() + &piece.repeat(length / piece.len()) + tail
}

/// The time for which this thread has run. Other work on the machine does not count, where the system can tell.
pub(crate) fn time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed()
    }
}

/// The least time of some runs, in nanoseconds for each byte. A run asks about as many bytes as a long item has: what
/// other work does to caches then strikes the runs of a short item as often as the runs of a long one.
fn cost(run: &dyn Fn(&str), text: &str, runs: usize) -> f64 {
    let again = LONG.div_ceil(text.len());
    let times = (0..runs).map(|_| {
        let start = time();
        for _ in 0..again {
            run(black_box(text));
        }
        (time() - start).as_nanos() as f64 / (again * text.len()) as f64
    });
    times.fold(f64::MAX, f64::min)
}

/// The cost of a byte of a short item, and of a long one.
fn costs(run: &dyn Fn(&str), shape: (&str, &str, &str), runs: usize) -> (f64, f64) {
    let (head, piece, tail) = shape;
    let short = cost(run, &item(head, piece, tail, SHORT), runs);
    (short, cost(run, &item(head, piece, tail, LONG), runs))
}

/// Tells whether an operation is dearer for each byte of a long item, again and again.
fn is_quadratic(run: &dyn Fn(&str), shape: (&str, &str, &str)) -> bool {
    (1..8).all(|runs| {
        let (short, long) = costs(run, shape, runs);
        // Less than a nanosecond is a loop over masks; caches tell such lengths apart.
        long > DEARER * short.max(1.0)
    })
}

#[test]
fn the_time_of_an_item_is_linear_in_its_length() {
    let pairs: Vec<String> = PIECES
        .iter()
        .zip(PIECES.iter().cycle().skip(41))
        .map(|(one, other)| format!("{one}{other}"))
        .collect();
    let pieces: Vec<&str> =
        PIECES.iter().copied().chain(pairs.iter().map(String::as_str)).collect();
    // Each piece with a few heads and tails; all of them in turn.
    let shapes: Vec<_> = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| (HEADS[at % HEADS.len()], *piece, TAILS[at % TAILS.len()]))
        .chain(PIECES.iter().enumerate().map(|(at, piece)| (HEADS[1 + at % 2], *piece, "")))
        .collect();
    let (mut report, mut dear, mut count) = (String::new(), Vec::new(), 0);
    // A sample takes other shapes for each operation.
    let step = if *SAMPLE > 1 { 9 } else { 1 };
    for (number, (name, run)) in operations().into_iter().enumerate() {
        let mut dearest = (0.0, ("", "", ""));
        for shape in shapes.iter().skip(number % step).step_by(step) {
            let (head, piece, tail) = *shape;
            let long = cost(&run, &item(head, piece, tail, LONG), 1);
            count += 1;
            // PERF: most operations are so cheap that nothing in them is quadratic.
            if long > 4.0 && is_quadratic(&run, *shape) {
                dear.push(format!("{name} of {shape:?}: {:?} ns a byte", costs(&run, *shape, 3)));
            }
            if long > dearest.0 {
                dearest = (long, *shape);
            }
        }
        let (head, piece, tail) = dearest.1;
        let least = cost(&run, &item(head, piece, tail, LONG), 3);
        writeln!(report, "{name:40} {least:8.1} ns a byte: {:?}", dearest.1).unwrap();
    }
    println!("{count} items\n{report}");
    assert!(dear.is_empty(), "quadratic:\n{}", dear.join("\n"));
}

/// The law is held by a test that can fail: it finds what is quadratic.
#[test]
fn what_is_quadratic_is_found() {
    let each_is_asked_of_all = |text: &str| {
        let count = text.char_indices().filter(|(at, _)| text.as_bytes()[*at..].is_ascii());
        black_box(count.count());
    };
    assert!(is_quadratic(&each_is_asked_of_all, ("", "a", "")));
    let linear = |text: &str| keep(text.to_uppercase());
    assert!(!is_quadratic(&linear, ("", "é", "")));
}
