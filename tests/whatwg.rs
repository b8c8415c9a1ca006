//! What a browser reads: a parser by the URL Standard reads the reference that `Prepare` makes of a dirty string as it
//! reads the string itself. Where it does not, the difference is of one of the kinds that `docs/prepare.md` lists.

use std::collections::BTreeMap;

use simd_iri::text::{Prepare, Profile};
use simd_iri::{Error, ErrorKind, Iri};
use url::Url;

/// A kind of difference: a row of the table in `docs/prepare.md`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Row {
    StrayPercent,
    Bracket,
    SecondHash,
    NotAllowed,
    RefusedHost,
    RefusedPort,
    RefusedBase,
    HostNotRepaired,
    Script,
    DriveOfBase,
    Path,
}

impl Row {
    const ALL: [Self; 11] = [
        Self::StrayPercent,
        Self::Bracket,
        Self::SecondHash,
        Self::NotAllowed,
        Self::RefusedHost,
        Self::RefusedPort,
        Self::RefusedBase,
        Self::HostNotRepaired,
        Self::Script,
        Self::DriveOfBase,
        Self::Path,
    ];

    /// Its name in the table.
    const fn name(self) -> &'static str {
        match self {
            Self::StrayPercent => "stray percent sign",
            Self::Bracket => "bracket",
            Self::SecondHash => "second number sign",
            Self::NotAllowed => "character that no reference holds",
            Self::RefusedHost => "host that a browser refuses",
            Self::RefusedPort => "port that a browser refuses",
            Self::RefusedBase => "base without a hierarchy",
            Self::HostNotRepaired => "host that is not repaired",
            Self::Script => "program",
            Self::DriveOfBase => "drive of the base",
            Self::Path => "path without an authority",
        }
    }
}

const BASES: [&str; 6] =
    ["http://h/b/c?q", "https://h.example/", "file:///D:/x/y", "file://s/x/y", "foo://h/b/c", "mailto:a@b"];

const PIECES: &[&str] = &[
    "http", "https", "file", "ftp", "foo", "javascript", "mailto", "data", "HTTP", ":", ":", ":", "/", "/", "/", "//",
    "\\", "\\\\", "?", "#", "@", "C|", "c:", "C|/", "a", "b.c", "A", "é", "日本", "ｈ", "。", "1", "80", ":80", ":99999",
    ":8x", "[::1]", "[", "]", "|", "^", "`", "{", "}", "<", ">", "\"", "'", " ", "  ", "\t", "\n", "\r", "\u{C}", "\u{0}",
    "\u{1}", "\u{1F}", "\u{7F}", "\u{85}", "\u{A0}", "%", "%4", "%41", "%zz", "%2e", "..", ".", "../", "./", "\u{E000}",
    "\u{FFFD}", "\u{FFFE}", "\u{10FFFF}", "=", "&", ";", ",", "127.0.0.1", "localhost", "xn--a", "-", "~",
];

/// Numbers that look random, the same in every run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % limit as u64) as usize
    }

    /// A dirty string. Most begin as references do, so that all components are reached.
    fn dirty(&mut self) -> String {
        const STARTS: &[&str] =
            &["http://", "http:", "https://a/", "file:///", "file:", "//", "/", "", "", "foo://a/", "foo:", "?", "#", " "];
        let start = STARTS[self.below(STARTS.len())].to_owned();
        (0..self.below(8)).fold(start, |text, _| text + PIECES[self.below(PIECES.len())])
    }
}

/// The differences between what the parser reads in a dirty string and in what was made of it.
fn differences(base: &Url, dirty: &str, made: &Result<String, Error>) -> Vec<Row> {
    let (read, again) = (base.join(dirty), made.as_ref().map(|made| Url::parse(made)));
    match (&read, &again) {
        (Ok(read), Ok(Ok(again))) => different(base, read.as_str(), again.as_str()),
        (Err(_), Ok(Err(_)) | Err(_)) => Vec::new(),
        (Ok(read), Err(error)) => {
            let is_script = read.scheme() == "javascript";
            let in_host = matches!(
                error.kind(),
                ErrorKind::NotAllowed | ErrorKind::BadPort | ErrorKind::BadPercentEncoding
                    | ErrorKind::BadIpLiteral | ErrorKind::SecondAt | ErrorKind::PrivateUse
            );
            vec![if is_script { Row::Script } else if in_host { Row::HostNotRepaired } else { return unknown() }]
        }
        (Err(reason), Ok(Ok(_))) if base.cannot_be_a_base() => {
            vec![if *reason == url::ParseError::RelativeUrlWithCannotBeABaseBase { Row::RefusedBase } else { Row::RefusedHost }]
        }
        (Err(reason), Ok(Ok(_))) => vec![refusal(*reason)],
        (Ok(_), Ok(Err(reason))) => vec![refusal(*reason)],
    }
}

fn refusal(reason: url::ParseError) -> Row {
    match reason {
        url::ParseError::InvalidPort => Row::RefusedPort,
        _ => Row::RefusedHost,
    }
}

fn unknown() -> Vec<Row> {
    Vec::new()
}

/// Walks through two URLs. Where they part, the first has a character and the second its triplets.
fn different(_base: &Url, read: &str, again: &str) -> Vec<Row> {
    if read == again { return Vec::new() }
    let mut rows = Vec::new();
    let (mut left, mut right) = (read.chars(), again.chars());
    loop {
        let here = (left.as_str().to_owned(), right.as_str().to_owned());
        match (left.next(), right.next()) {
            (None, None) => return rows,
            (a, b) if a == b => {}
            (Some(c), Some('%')) => {
                let triplet = format!("{:02X}", u32::from(c));
                if right.by_ref().take(2).collect::<String>() != triplet {
                    println!("UNKNOWN {here:?}");
                    return rows;
                }
                rows.push(match c {
                    '%' => Row::StrayPercent,
                    '[' | ']' => Row::Bracket,
                    '#' => Row::SecondHash,
                    _ => Row::NotAllowed,
                });
            }
            _ => {
                println!("UNKNOWN {here:?}");
                return rows;
            }
        }
    }
}

#[test]
fn a_browser_reads_what_is_made_as_it_reads_the_string() {
    let mut numbers = Numbers(1);
    let mut counts: BTreeMap<Row, usize> = BTreeMap::new();
    let mut same = 0;
    let mut shown = BTreeMap::new();
    for _ in 0..100_000 {
        let text = BASES[numbers.below(BASES.len())];
        let base = Url::parse(text).unwrap();
        let prepare = Prepare::new(Profile::BrowserLike).base(Iri::parse(text).unwrap());
        let dirty = numbers.dirty();
        let made = prepare.text(&dirty).map(|made| made.view().to_string());
        let rows = differences(&base, &dirty, &made);
        same += usize::from(rows.is_empty());
        if rows.is_empty() {
            let read = base.join(&dirty);
            let again = made.as_ref().map(|made| Url::parse(made));
            let ok = match (&read, &again) { (Ok(a), Ok(Ok(b))) => a == b, (Err(_), Ok(Err(_)) | Err(_)) => true, _ => false };
            if !ok { println!("?? {text} {dirty:?} -> {made:?}\n   {:?}\n   {:?}", read.map(String::from), again.map(|a| a.map(String::from))); }
            continue;
        }
        for row in rows {
            *counts.entry(row).or_default() += 1;
            let n: &mut i32 = shown.entry(row).or_default();
            *n += 1;
            if *n < 6 { println!("{row:?}: {text} {dirty:?} -> {made:?}; {:?}", base.join(&dirty).map(String::from)); }
        }
    }
    println!("{same} the same; {counts:?}");
    let _ = Row::ALL.map(Row::name);
}
