//! Measures how long `linkify` takes to find the links of a running text, divided by our time. The text is generated
//! prose, without links, and with few or many references of each corpus. First both libraries also find names without
//! a scheme, then neither does. The output also has the number of links that each library finds and that both find,
//! because their definitions differ.
//!
//! `extract [--rounds N]`. `extract --differences` prints a table of what each library finds in short texts.

use std::{collections::HashSet, env, error::Error, hint::black_box, ops::Range, time::Instant};

use linkify::{LinkFinder, LinkKind};
use simd_iri_benches::{corpora, median::median};
use simd_iri_text::Extract;

/// Spans of links, one after the other.
type Spans = Vec<Range<usize>>;

fn ours(text: &str, bare: bool, each: &mut dyn FnMut(Range<usize>)) {
    Extract::new().bare(bare).links(text).for_each(|link| each(link.span()));
}

fn linkify(text: &str, bare: bool, each: &mut dyn FnMut(Range<usize>)) {
    let mut finder = LinkFinder::new();
    if bare {
        finder.url_must_have_scheme(false);
    } else {
        finder.kinds(&[LinkKind::Url]);
    }
    finder.links(text).for_each(|link| each(link.start()..link.end()));
}

type Finder = fn(&str, bool, &mut dyn FnMut(Range<usize>));
const FINDERS: [(&str, Finder); 2] = [("simd-iri", ours), ("linkify", linkify)];

fn spans(finder: Finder, text: &str, bare: bool) -> Spans {
    let mut spans = Vec::new();
    finder(text, bare, &mut |span| spans.push(span));
    spans
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let rounds = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => 21,
        ["--rounds", number] => number.parse()?,
        ["--differences"] => {
            differences();
            return Ok(());
        }
        _ => return Err("extract [--rounds N] | --differences".into()),
    };
    compare("English, no links", &prose(&[], 1, ENGLISH), rounds);
    compare("Russian, no links", &prose(&[], 1, RUSSIAN), rounds);
    compare("Japanese, no links", &prose(&[], 1, JAPANESE), rounds);
    for corpus in corpora::all()? {
        let items: Vec<&str> =
            corpus.items.iter().copied().filter(|item| item.starts_with("http")).collect();
        // Nobody writes the other addresses into a text.
        if items.len() < 5_000 || ["hard", "hostile", "malformed"].contains(&corpus.name.as_str()) {
            continue;
        }
        for (often, every) in [("many", 8), ("few", 60)] {
            let text = prose(&items, every, ENGLISH);
            compare(&format!("{}, {often} links", corpus.name), &text, rounds);
        }
    }
    Ok(())
}

/// Measures both in turn.
fn compare(name: &str, text: &str, rounds: usize) {
    println!("{name}: {:.1} MB, {rounds} rounds", text.len() as f64 / 1e6);
    for bare in [true, false] {
        let found = FINDERS.map(|(_, finder)| spans(finder, text, bare));
        let [ours, theirs] = &found;
        let theirs: HashSet<_> = theirs.iter().collect();
        let common = ours.iter().filter(|span| theirs.contains(span)).count();
        let mut times = [const { Vec::new() }; 2];
        for round in 0..rounds {
            for turn in 0..FINDERS.len() {
                let number = (round + turn) % FINDERS.len();
                let (mut count, start) = (0, Instant::now());
                FINDERS[number].1(black_box(text), bare, &mut |span| count += span.len());
                times[number].push(start.elapsed().as_nanos() as f64);
                black_box(count);
            }
        }
        let times = times.map(|rounds| median(&rounds));
        let kind = if bare { "all" } else { "with a scheme" };
        for ((name, _), (time, found)) in FINDERS.iter().zip(times.iter().zip(&found)) {
            let speed = text.len() as f64 / time;
            let ratio = time / times[0];
            let count = found.len();
            println!(
                "  {kind:<14} {name:<9} {speed:>6.2} GB/s {ratio:>6.2}  {count:>6} links, {common} of them both"
            );
        }
    }
}

/// Words and how they are put together: what is between words and after sentences.
struct Language {
    words: &'static str,
    space: &'static str,
    comma: &'static str,
    stop: &'static str,
}

const ENGLISH: Language = Language {
    words: "the of and to in is that it was for on with as at by from they which one had but what all \
            were when there can more about other many then these some would into has two could time \
            people water day number sound place year work back thing name great sentence through \
            because different around another became picture between country follow change again",
    space: " ",
    comma: ", ",
    stop: ". ",
};

const RUSSIAN: Language = Language {
    words: "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой год \
            человек время рука дело жизнь день город сказать знать большой новый самый первый работа",
    space: " ",
    comma: ", ",
    stop: ". ",
};

const JAPANESE: Language = Language {
    words: "これ は それ の 文章 を 読む 人 が 多い と 思う 時間 日本語 では ない ことば カタカナ も ある から \
            東京 まで 行く 新しい 本 について 書いた もの です",
    space: "",
    comma: "、",
    stop: "。",
};

/// Makes some megabytes of sentences, with an item after each group of so many words.
fn prose(items: &[&str], every: usize, language: Language) -> String {
    let words: Vec<&str> = language.words.split_whitespace().collect();
    let mut text = String::new();
    let mut state = 0x6578_7472_6163_7400_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut written, mut next) = (0, items.iter().cycle());
    while text.len() < 4_000_000 {
        text.push_str(words[random(words.len())]);
        written += 1;
        if written % every == 0
            && let Some(item) = next.next()
        {
            text.push_str(language.space);
            text.push_str(item);
        }
        text.push_str(match random(14) {
            0 => language.stop,
            1 => language.comma,
            2 if random(8) == 0 => "\n",
            _ => language.space,
        });
    }
    text
}

/// Short texts for which the two libraries differ or could differ, and the reason.
const TEXTS: &[(&str, &str)] = &[
    (
        "See http://example.com/a_(b).",
        "paired brackets belong to a link, a full stop at its end does not",
    ),
    ("http://example.com/(a/b)", "brackets pair within one part of a path (UTS #58)"),
    ("http://example.com/a,b;c!", "marks belong to a link if something follows"),
    (
        "http://example.com/a\"b",
        "a quote is a mark like any other (UTS #58); `Markup::Log` ends there",
    ),
    ("http://例え.jp/도움말", "letters of all scripts"),
    ("「http://example.com/あ」と", "brackets of all scripts"),
    ("http://example.com/あ。", "full stops of all scripts"),
    ("http://example.com/a\u{3000}b", "spaces of all scripts"),
    ("例え。jp", "the dots of UTS #46"),
    ("foo.香港", "top-level domains of all scripts"),
    ("example.invalid", "only registered top-level domains"),
    ("Thanks.Bye", "only registered top-level domains"),
    ("example.com:80/a?b#c", "host names without a scheme"),
    ("http://ann@example.com/", "user information misleads: not a link (UTS #58)"),
    ("http://-a.example/", "not a valid host name"),
    ("http://a..example/", "not a valid host name"),
    ("ann@example.com", "an address"),
    ("αβγ@example.com", "addresses of all scripts"),
    ("ann@localhost", "only registered top-level domains"),
    ("mailto:ann@example.com?cc=bob@example.com", "header fields belong to the link"),
    ("ann.@example.com", "not a valid address (UTS #58)"),
    ("ftp://example.com/a", "other schemes need `Schemes::Any`"),
    ("urn:isbn:0451450523", "other schemes need `Schemes::Any`"),
    ("\u{202A}http://example.com/א\u{202C}", "a link has no bidi marks (RFC 3987, section 4.1)"),
    ("例http://example.com/", "a link does not begin inside a word (UTS #58)"),
];

/// Prints what both find in them.
fn differences() {
    println!("| text | linkify | simd-iri | why |\n| --- | --- | --- | --- |");
    for (text, why) in TEXTS {
        let [ours, theirs] = FINDERS.map(|(_, finder)| {
            let found = spans(finder, text, true).into_iter().map(|span| code(&text[span]));
            found.collect::<Vec<_>>().join(" ")
        });
        let same = if ours == theirs { "the same" } else { &ours };
        println!("| {} | {theirs} | {same} | {why} |", code(text));
    }
}

/// A text as code, with invisible characters in words.
fn code(text: &str) -> String {
    let shown = text.replace('\u{202A}', "[LRE]").replace('\u{202C}', "[PDF]");
    format!("`{}`", shown.replace('\u{3000}', "[U+3000]"))
}
