//! Compares with a browser: a parser by the URL Standard reads the reference that `Prepare` makes of a dirty string,
//! and the string itself. If the results differ, the difference is of one of the kinds that `docs/prepare.md` lists.

use std::collections::BTreeMap;

use simd_iri::{Component, Error, Iri, percent};
use simd_iri_text::{Prepare, RepairSet};
use url::{ParseError, Url};

/// A kind of difference: a row of the table in `docs/prepare.md`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Row {
    StrayPercent,
    Bracket,
    SecondHash,
    NotAllowed,
    FullWidth,
    RefusedHost,
    OpaqueBase,
    HostNotRepaired,
    Script,
    DriveOfBase,
    BackslashAfterSlash,
    BarOfDrive,
    NoSlash,
    ByteOrderMark,
}

impl Row {
    const ALL: [Self; 14] = [
        Self::StrayPercent,
        Self::Bracket,
        Self::SecondHash,
        Self::NotAllowed,
        Self::FullWidth,
        Self::RefusedHost,
        Self::OpaqueBase,
        Self::HostNotRepaired,
        Self::Script,
        Self::DriveOfBase,
        Self::BackslashAfterSlash,
        Self::BarOfDrive,
        Self::NoSlash,
        Self::ByteOrderMark,
    ];

    /// Its name in the table.
    const fn name(self) -> &'static str {
        match self {
            Self::StrayPercent => "stray percent sign",
            Self::Bracket => "bracket",
            Self::SecondHash => "second number sign",
            Self::NotAllowed => "character that no component allows",
            Self::FullWidth => "full-width scheme or host",
            Self::RefusedHost => "host that a browser refuses",
            Self::OpaqueBase => "base without a hierarchy",
            Self::HostNotRepaired => "character that no authority allows",
            Self::Script => "script",
            Self::DriveOfBase => "drive of the base",
            Self::BackslashAfterSlash => "backslash at the start of a path",
            Self::BarOfDrive => "bar of a drive",
            Self::NoSlash => "host without two slashes",
            Self::ByteOrderMark => "byte order mark at the start",
        }
    }
}

const BASES: [&str; 6] = [
    "http://h/b/c?q",
    "https://h.example/",
    "file:///D:/x/y",
    "file://s/x/y",
    "foo://h/b/c",
    "mailto:a@b",
];

const PIECES: &[&str] = &[
    "\u{FEFF}",
    "http",
    "https",
    "file",
    "ftp",
    "foo",
    "javascript",
    "mailto",
    "data",
    "HTTP",
    ":",
    ":",
    ":",
    "/",
    "/",
    "/",
    "//",
    "\\",
    "\\\\",
    "?",
    "#",
    "@",
    "C|",
    "c:",
    "C|/",
    "a",
    "b.c",
    "A",
    "é",
    "日本",
    "ｈ",
    "。",
    "1",
    "80",
    ":80",
    ":99999",
    ":8x",
    "[::1]",
    "[",
    "]",
    "|",
    "^",
    "`",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "'",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\u{C}",
    "\u{0}",
    "\u{1}",
    "\u{1F}",
    "\u{7F}",
    "\u{85}",
    "\u{A0}",
    "%",
    "%4",
    "%41",
    "%zz",
    "%2e",
    "..",
    ".",
    "../",
    "./",
    "\u{E000}",
    "\u{FFFD}",
    "\u{FFFE}",
    "\u{10FFFF}",
    "=",
    "&",
    ";",
    ",",
    "127.0.0.1",
    "localhost",
    "xn--a",
    "-",
    "~",
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

    /// A dirty string. Most strings begin like references, so that all components occur.
    fn dirty(&mut self) -> String {
        const STARTS: &[&str] = &[
            "http://",
            "http:",
            "https://a/",
            "file:///",
            "file:",
            "//",
            "/",
            "",
            "",
            "foo://a/",
            "foo:",
            "?",
            "#",
            " ",
        ];
        let start = STARTS[self.below(STARTS.len())].to_owned();
        (0..self.below(8)).fold(start, |text, _| text + PIECES[self.below(PIECES.len())])
    }
}

/// The differences between the URL of a dirty string and the URL of its reference; `None` if no row describes one of
/// them.
fn differences(base: &Url, dirty: &str, made: &Result<String, Error>) -> Option<Vec<Row>> {
    let again = made.as_ref().map(|made| Url::parse(made));
    let row = match (base.join(dirty), again) {
        (Ok(read), Ok(Ok(again))) => return different(base, read.as_str(), again.as_str()),
        (Err(_), Ok(Err(_)) | Err(_)) => return Some(Vec::new()),
        (Ok(read), Err(_)) if read.scheme() == "javascript" => Row::Script,
        (Ok(_), Err(error)) => match error.component() {
            Component::Host | Component::Port | Component::Userinfo => Row::HostNotRepaired,
            _ => return None,
        },
        (Err(ParseError::RelativeUrlWithCannotBeABaseBase), Ok(Ok(_))) => Row::OpaqueBase,
        // The parser is wrong here if the scheme is not one of the special schemes.
        (Err(_), Ok(Ok(_))) if base.scheme() == "foo" && dirty.contains('\\') => {
            Row::BackslashAfterSlash
        }
        (Err(_), Ok(Ok(_))) => Row::RefusedHost,
        (Ok(_), Ok(Err(_))) => return None,
    };
    Some(vec![row])
}

/// Walks through two URLs. Where they differ, the first has a character and the second its triplets.
fn different(base: &Url, read: &str, again: &str) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    let (mut left, mut right) = (read, again);
    while left != right {
        let c = left.chars().next()?;
        let is_hex = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let is_triplet = c == '%' && left.get(1..3).is_some_and(is_hex);
        let is_same = right.starts_with(c) && (c != '%' || is_triplet);
        let triplet = format!("%{:02X}", u32::from(c));
        // A full-width character in triplets, and its narrow form.
        let wide = left.get(..9).and_then(|wide| percent::decode(wide).utf8().ok());
        let wide = wide.and_then(|wide| match wide.chars().next()? {
            '\u{3002}' => Some('.'),
            c => char::from_u32(u32::from(c).checked_sub(0xFEE0)?),
        });
        if is_same {
            (left, right) = (&left[c.len_utf8()..], &right[c.len_utf8()..]);
        } else if !is_triplet && right.starts_with(&triplet) {
            rows.push(match c {
                '%' => Row::StrayPercent,
                '[' | ']' => Row::Bracket,
                '#' => Row::SecondHash,
                _ => Row::NotAllowed,
            });
            (left, right) = (&left[1..], &right[3..]);
        } else if let Some(narrow) = wide.filter(|narrow| right.starts_with(*narrow)) {
            rows.push(Row::FullWidth);
            (left, right) = (&left[9..], &right[narrow.len_utf8()..]);
        } else if base.as_str().starts_with("file:///D:") && left.starts_with("D:") {
            rows.push(Row::DriveOfBase);
            left = left[2..].strip_prefix('/').unwrap_or(&left[2..]);
        } else {
            return None;
        }
    }
    Some(rows)
}

/// The row of a string whose URL is entirely different.
fn of_the_whole(base: &Url, dirty: &str) -> Option<Row> {
    let dirty = dirty.replace(['\t', '\n', '\r'], "");
    let dirty = dirty.trim_matches(|c| c <= ' ');
    let lower = dirty.to_ascii_lowercase();
    let after = ["http:", "https:", "ftp:"].iter().find_map(|scheme| lower.strip_prefix(scheme));
    let slashes = |text: &str| text.chars().take_while(|c| ['/', '\\'].contains(c)).count();
    let is_drive = |text: &str| text.contains("c|") || text.contains("c:");
    if dirty.starts_with('\u{FEFF}') {
        Some(Row::ByteOrderMark)
    } else if base.scheme() == "foo" && dirty.starts_with(['/', '\\']) && dirty.contains('\\') {
        Some(Row::BackslashAfterSlash)
    } else if dirty.contains(['ｈ', '。']) {
        Some(Row::FullWidth)
    } else if lower.contains("c|") || lower.starts_with("file:") && is_drive(&lower) {
        Some(Row::BarOfDrive)
    } else if base.as_str().starts_with("file:///D:") && slashes(dirty) == 1 {
        Some(Row::DriveOfBase)
    } else {
        let is_remote = after.map_or(slashes(dirty) > 2, |rest| slashes(rest) != 2);
        is_remote.then_some(Row::NoSlash)
    }
}

#[test]
fn a_browser_reads_what_is_made_as_it_reads_the_string() {
    let mut numbers = Numbers(1);
    let mut counts = BTreeMap::<Row, usize>::new();
    let mut unknown = Vec::new();
    for _ in 0..100_000 {
        let text = BASES[numbers.below(BASES.len())];
        let base = Url::parse(text).unwrap();
        let prepare = Prepare::new(RepairSet::BrowserLike).base(Iri::parse(text).unwrap());
        let dirty = numbers.dirty();
        let made = prepare.prepare(&dirty).map(|made| made.view().to_string());
        let rows = differences(&base, &dirty, &made);
        match rows.or_else(|| Some(vec![of_the_whole(&base, &dirty)?])) {
            Some(rows) => rows.into_iter().for_each(|row| *counts.entry(row).or_default() += 1),
            None => {
                unknown.push(format!("{text} {dirty:?}: {made:?}, but {:?}", base.join(&dirty)))
            }
        }
    }
    println!("{counts:?}");
    assert!(
        unknown.is_empty(),
        "{} of no row:\n{}",
        unknown.len(),
        unknown[..unknown.len().min(40)].join("\n")
    );
    let table = include_str!("../docs/prepare.md");
    for row in Row::ALL {
        assert!(counts.contains_key(&row), "no example of a {}", row.name());
        let count = table.matches(&format!("| {} |", row.name())).count();
        assert_eq!(count, 1, "the table has {count} rows of {}", row.name());
    }
    let rows = table.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(rows, Row::ALL.len() + 2, "the table has rows that the test does not know");
}
