//! Batches give the answer of the parser for each item alone: in every form, at every level, and wherever the items
//! lie.
//!
//! The witness is `CpuLevel::parse_bytes`, item by item, at the lowest level, which `exhaustive` compares with the
//! automata. Not tested: an item of more than 4 GiB in one buffer. Not here: whether the parser is right.

use allocation_counter::measure;
use proptest::prelude::*;
use proptest::sample::Index;
use simd_iri::batch::{
    Batch, ByteSlice, ColumnError, Columns, Item, Items, Offset, Outcome, Separated, Slice,
    Spanned, Stream, TextColumn,
};
use simd_iri::{Component, Error, ErrorKind, IriRef, Normalize, Parts, Rule, parser::CpuLevel};
use simd_iri_lint::{Code, Lint, Profile, Severity};

use crate::cases;
use crate::support::*;

/// An item: where it begins, its bytes, and the expected answer.
type Row<'a> = (u64, &'a [u8], Outcome);

fn row<'a>(item: Item<'a>) -> Row<'a> {
    (item.start(), item.bytes(), item.outcome())
}

/// The answer of the parser for one item.
fn witness(rule: Rule, bytes: &[u8]) -> Outcome {
    match LEVELS[0].parse_bytes(rule, bytes) {
        Ok(parts) => Outcome::Valid(parts),
        Err(error) => Outcome::Invalid(error),
    }
}

/// The items of a buffer, one after the other.
fn rows(rule: Rule, buffer: &[u8], separator: u8) -> Vec<Row<'_>> {
    let mut items: Vec<_> = buffer.split(|byte| *byte == separator).collect();
    // After the last separator, there is an item only if there are bytes.
    items.pop_if(|last| last.is_empty());
    let mut start = 0;
    let with_start = items.into_iter().map(|item| {
        let row = (start, item, witness(rule, item));
        start += item.len() as u64 + 1;
        row
    });
    with_start.collect()
}

/// The content of the columns, by their accessors.
#[derive(PartialEq, Debug, Default)]
struct Held {
    starts: Vec<u64>,
    offsets: Vec<[u32; 8]>,
    errors: Vec<(u64, Error)>,
    nulls: Vec<u64>,
}

impl Held {
    /// The expected content of the columns.
    fn expected(rows: &[Row<'_>]) -> Self {
        let mut held = Self::default();
        for (row, (start, item, outcome)) in (0..).zip(rows) {
            held.starts.push(*start);
            held.offsets.push(match outcome {
                Outcome::Valid(parts) => offsets(parts),
                _ => [0, 0, 0, 0, 0, 0, 0, item.len() as u32],
            });
            match outcome {
                Outcome::Valid(_) => {}
                Outcome::Invalid(error) => held.errors.push((row, *error)),
                Outcome::Null => held.nulls.push(row),
            }
        }
        held
    }

    /// The actual content of the columns.
    fn found(columns: &Columns) -> Self {
        let offsets = [
            columns.scheme_end(),
            columns.authority(),
            columns.host(),
            columns.host_end(),
            columns.path(),
            columns.path_end(),
            columns.query_end(),
            columns.end(),
        ];
        assert!(offsets.iter().all(|column| column.len() == columns.len()));
        Self {
            starts: columns.starts().to_vec(),
            offsets: (0..columns.len()).map(|row| offsets.map(|column| column[row])).collect(),
            errors: columns.errors().to_vec(),
            nulls: columns.nulls().to_vec(),
        }
    }
}

/// The offsets of a row, from the ranges of the components.
fn offsets(parts: &Parts) -> [u32; 8] {
    let path = parts.path();
    let authority = parts.authority().unwrap_or(path.start..path.start);
    let host = parts.host().unwrap_or(path.start..path.start);
    let offsets = [
        parts.scheme().map_or(0, |scheme| scheme.end),
        authority.start,
        host.start,
        host.end,
        path.start,
        path.end,
        parts.query().map_or(path.end, |query| query.end),
        parts.len(),
    ];
    offsets.map(|offset| offset as u32)
}

/// Asserts that all forms of a batch of `items`, at every level, find what is `expected`. Returns the number of
/// items.
fn agree<'a>(rule: Rule, items: impl Items<'a>, expected: &[Row<'a>]) -> usize {
    let of = |wanted: fn(&Outcome) -> bool| {
        let rows = expected.iter().filter(move |(.., outcome)| wanted(outcome));
        rows.map(|(_, item, _)| *item)
    };
    let valid = || of(|outcome| matches!(outcome, Outcome::Valid(_)));
    let invalid = || of(|outcome| matches!(outcome, Outcome::Invalid(_)));
    let null = || of(|outcome| matches!(outcome, Outcome::Null));
    let held = Held::expected(expected);
    for &level in LEVELS.iter() {
        let batch = level.batch(rule);
        let what = || format!("{rule}, {}, {items:?}", level.name());

        let mut parsed = batch.parse(items.clone());
        for row_expected in expected {
            let found = parsed.next().map(row);
            let (start, item, _) = row_expected;
            assert_eq!(found, Some(*row_expected), "{}, at {start}: {}", what(), show(item));
        }
        assert_eq!([parsed.next(), parsed.next()], [None; 2], "{}", what());

        let count = batch.count(items.clone());
        let numbers = [expected.len(), valid().count(), invalid().count(), null().count()];
        let found = [count.items, count.valid, count.invalid, count.null];
        assert_eq!(found, numbers.map(|number| number as u64), "{}", what());
        assert!(batch.valid(items.clone()).eq(valid()), "{}", what());
        assert!(batch.invalid(items.clone()).eq(invalid()), "{}", what());
        changed_by_normalization(batch, items.clone(), expected);
        let not_normal =
            |level: CpuLevel| level.batch(rule).not_normal(items.clone(), Normalize::syntax());
        assert!(not_normal(level).eq(not_normal(LEVELS[0])), "{}", what());

        {
            with_findings(batch, items.clone(), expected);
            let lint = Lint::new(Profile::Strict);
            let not_quiet = |level: CpuLevel| lint.not_quiet(level.batch(rule), items.clone());
            assert!(not_quiet(level).eq(not_quiet(LEVELS[0])), "{}", what());
        }

        let mut columns = Columns::new();
        batch.columns(items.clone(), &mut columns);
        assert_eq!(Held::found(&columns), held, "{}", what());
    }
    expected.len()
}

/// Asserts that exactly the items that normalization does not change may be left out.
fn changed_by_normalization<'a>(batch: Batch, items: impl Items<'a>, expected: &[Row<'a>]) {
    for rules in [Normalize::syntax(), Normalize::scheme()] {
        let mut others = batch.not_normal(items.clone(), rules).peekable();
        for (_, item, outcome) in expected {
            if *outcome == Outcome::Null || others.next_if(|other| other == item).is_some() {
                continue;
            }
            assert!(matches!(outcome, Outcome::Valid(_)), "left out: {}", show(item));
            let iri = IriRef::parse_bytes(item).unwrap();
            assert!(iri.normalize(rules).unwrap().is_borrowed(), "left out: {}", show(item));
        }
        assert_eq!(others.next(), None);
    }
}

/// Asserts that no item is left out that has a finding or does not match the rule.
fn with_findings<'a>(batch: Batch, items: impl Items<'a>, expected: &[Row<'a>]) {
    let every = |lint: Lint, code: &Code| lint.severity(*code, Some(Severity::Note));
    let strict = Lint::new(Profile::Strict);
    // With the code for digits in words, no item may be left out.
    for lint in [strict, strict.divided(true), Code::ALL.iter().fold(strict, every)] {
        let mut others = lint.not_quiet(batch, items.clone()).peekable();
        for (_, item, outcome) in expected {
            if *outcome == Outcome::Null || others.next_if(|other| other == item).is_some() {
                continue;
            }
            assert!(matches!(outcome, Outcome::Valid(_)), "left out: {}", show(item));
            let iri = IriRef::parse_bytes(item).unwrap();
            assert!(lint.report(iri).is_empty(), "left out: {}", show(item));
        }
        assert_eq!(others.next(), None);
    }
}

/// [`agree`] for all items of a buffer.
fn agree_separated(rule: Rule, buffer: &[u8], separator: u8) -> usize {
    let items = Separated::new(buffer, separator).unwrap();
    agree(rule, items, &rows(rule, buffer, separator))
}

/// At every level, items in normal form are left out, and items that the rules change are not.
#[test]
fn references_in_normal_form_are_left_out() {
    let normal = b"http://a.b/C/d.\nx\n\nhttp://\xC3\xA9/\xD0\xB0?A\n/A/b..#C\nhttp://u@a/\nurn:a:b\n//a/b:80\n";
    let other = b"Http://a/\n/.d\n?\xE2\x80\x94\n//U@a\nhttp://A/\n/%7e\na:/b/../c\na:/.\n\xE2\x80\x8E\n\xFF\nb c\n\
        http://a:80/\nhttp://a\nhttp://a:/\n//a?b\n//a#b\n";
    let lines = [&normal[..], other].concat().repeat(40);
    for level in LEVELS.iter() {
        for rules in [Normalize::syntax(), Normalize::scheme()] {
            let items = Separated::lines(&lines);
            let found = level.batch(Rule::IriReference).not_normal(items, rules);
            let expected = other.split(|byte| *byte == b'\n').filter(|item| !item.is_empty());
            assert!(found.eq(expected.collect::<Vec<_>>().repeat(40)), "{}", level.name());
        }
    }
}

/// Capital letters, dots, slashes and triplets in every place of a scheme, an authority and a path, in texts with a separator
/// between them and in texts that touch.
#[test]
fn every_string_of_5_signs_of_a_change() {
    const SIGNS: &[u8] = b"aA:/.%";
    let heads: [&[u8]; 5] = [b"", b"b", b"b:", b"b://", b"//"];
    let total = count_all(heads.len() * SIGNS.len(), |job| {
        let (head, first) = (heads[job / SIGNS.len()], job % SIGNS.len());
        let mut texts = Vec::new();
        strings::<5>(SIGNS, first, |text| texts.push([head, text].concat()));
        let items: Vec<_> = texts.iter().map(Vec::as_slice).collect();
        let total_of = |rule: Rule| {
            agree_touching(rule, &items, b"", b"")
                + agree_separated(rule, &items.join(&b"\n"[..]), b'\n')
        };
        [Rule::Iri, Rule::IriReference].into_iter().map(total_of).sum()
    });
    println!("{total} items with signs of a change, batch = parser");
}

/// At every level, pages and files without a finding are left out, and items with a finding are not.
#[test]
fn references_without_findings_are_left_out() {
    let quiet = b"http://a.b/C/d.\nhttps://a:8080/?b#c\nfile://h/a\nhttp://b.example./x\n";
    let other = b"HTTP://a/\nhttp://a\nhttp://a:22/\nhttp://u@a/\nhttp://localhost/\nhttp://1.2/\nx\nhttp://a/%41\n\
        http://a/\xC3\xA9\nhttp://xn--a/\nhttp://a/./b\nfile:////a\nfile://h/a?b\nhttp://a..b/\n\xFF\nb c\n";
    let lines = [&quiet[..], other].concat().repeat(40);
    for level in LEVELS.iter() {
        let lint = Lint::new(Profile::Rfc);
        let found = lint.not_quiet(level.batch(Rule::IriReference), Separated::lines(&lines));
        let expected = other.split(|byte| *byte == b'\n').filter(|item| !item.is_empty());
        assert!(found.eq(expected.collect::<Vec<_>>().repeat(40)), "{}", level.name());
    }
}

/// Separators: bytes that no text can hold, and bytes that are members of the sets of the grammar.
const SEPARATORS: &[u8] = b"\n\0 a1,/:#%?@[|";

#[test]
fn every_string_of_length_3_over_the_classes() {
    let bytes = representatives();
    let total = count_all(bytes.len() * SEPARATORS.len(), |job| {
        let (first, separator) = (job / SEPARATORS.len(), SEPARATORS[job % SEPARATORS.len()]);
        let mut buffer = Vec::new();
        strings::<3>(&bytes, first, |text| {
            buffer.extend_from_slice(text);
            buffer.push(separator);
            // An empty item now and then, so that not all items lie at multiples of four.
            if buffer.len() % 67 < 4 {
                buffer.push(separator);
            }
        });
        Rule::ALL.iter().map(|&rule| agree_separated(rule, &buffer, separator)).sum()
    });
    let separators = show(SEPARATORS);
    println!("{total} items over {} classes, separators {separators}, batch = parser", bytes.len());
}

#[test]
fn every_string_of_length_3_across_the_border_of_a_block() {
    let bytes = representatives();
    // A buffer is read at once, so that the bytes at a border stay there.
    assert!(2 * bytes.len() < 128);
    let total = count_all(bytes.len() * bytes.len(), |job| {
        let [first, second] = [job / bytes.len(), job % bytes.len()].map(|index| bytes[index]);
        let mut total = 0;
        for &rule in Rule::ALL {
            // The items before are valid, because their answers are found first.
            let before = if rule.is_valid("a:") { "a:" } else { "" };
            let before = format!("{before:x<59}\n");
            // The border is before one of the bytes of the string, or after it.
            for shift in 0..4 {
                let mut buffer = format!("{:x<shift$}\n", "").into_bytes();
                for &third in &bytes {
                    // 60 bytes, and four bytes of the string.
                    buffer.extend_from_slice(before.as_bytes());
                    buffer.extend_from_slice(&[first, second, third, b'\n']);
                }
                total += agree_separated(rule, &buffer, b'\n');
            }
        }
        total
    });
    println!("{total} items at and across borders of blocks, batch = parser");
}

/// Pieces of authorities: what may begin, end or interrupt user information, a host and a port.
const AUTHORITY: &[&str] = &[
    "[",
    "]",
    "[::1]",
    "[1:2:3:4:5:6:7:8]",
    "[::12345]",
    "[::1.2.3.4]",
    "[v1.a:b]",
    "::",
    "@",
    ":",
    "80",
    "a.b",
    "%41",
    "%4",
    "é",
    "\u{FFFE}",
    "\u{E000}",
    " ",
    "/",
    "?#",
];

/// An authority of four pieces in an item, with an ordinary item after it.
fn every_authority(each: impl Fn(&[u8]) -> usize + Sync) -> usize {
    let count = AUTHORITY.len();
    count_all(count * count, |job| {
        let mut buffer = Vec::new();
        for rest in 0..count * count {
            let numbers = [job % count, job / count, rest % count, rest / count];
            let authority: String = numbers.map(|number| AUTHORITY[number]).concat();
            buffer.extend_from_slice(format!("s://{authority}\nurn:a\n").as_bytes());
        }
        each(&buffer)
    })
}

#[test]
fn every_authority_of_four_pieces() {
    let total = every_authority(|buffer| {
        let items: Vec<_> =
            buffer.split(|byte| *byte == b'\n').filter(|item| !item.is_empty()).collect();
        agree_separated(Rule::Iri, buffer, b'\n')
            + agree_separated(Rule::IriReference, buffer, b'\n')
            + agree_touching(Rule::Iri, &items, b"x", b"]")
    });
    println!("{total} items with authorities of four pieces, batch = parser");
}

#[test]
fn every_authority_without_a_scheme_and_with_odd_separators() {
    let total = every_authority(|buffer| {
        let text = String::from_utf8(buffer.to_vec()).unwrap().replace("s://", "//");
        let odd =
            |separator: u8| text.replace('\n', &char::from(separator).to_string()).into_bytes();
        let separators = b"]@:8a/".iter();
        agree_separated(Rule::UriReference, text.as_bytes(), b'\n')
            + agree_separated(Rule::IrelativeRef, text.as_bytes(), b'\n')
            + separators
                .map(|byte| agree_separated(Rule::IriReference, &odd(*byte), *byte))
                .sum::<usize>()
    });
    println!("{total} items with authorities and odd separators, batch = parser");
}

/// A batch remembers the last rare authority. After it comes the same reference, cut in two items or with a piece in it.
#[test]
fn references_that_begin_as_the_reference_before() {
    let starts = ["s://", "//", "s:///", "s:"];
    let authorities = [
        "[::1]",
        "[::1]:8",
        "[v1.a:b]:80",
        "[::1.2.3.4]",
        "[1:2:3:4:5:6:7:8:9]",
        "u@h",
        "u:%41p@h:80",
        "u:é@[::1]:8",
        "a:8b",
    ];
    let pieces = ["", "/", "]", "[", "8", ":", "@", " ", "é", "\u{FFFE}", "?#"];
    let ends = ["", "/a", "?a", "#\u{FFFE}", ":"];
    let total = count_all(starts.len() * authorities.len(), |job| {
        let (start, authority) = (starts[job % starts.len()], authorities[job / starts.len()]);
        let mut total = 0;
        for text in ends.map(|end| format!("{start}{authority}{end}")) {
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let (head, tail) = text.split_at(at);
                let changed = pieces.map(|piece| format!("{head}{piece}{tail}"));
                let all = changed.iter().flat_map(|changed| [&text, changed]).map(String::as_str);
                let all: Vec<_> = all.chain([head, tail, &*text]).map(str::as_bytes).collect();
                let lines = all.join(&b'\n');
                total += agree_separated(Rule::Iri, &lines, b'\n')
                    + agree_separated(Rule::IriReference, &lines, b'\n')
                    + agree_separated(Rule::IriReference, &lines, b":]8@/"[at % 5])
                    + agree_touching(Rule::Iri, &all, b"/", b"]");
            }
        }
        total
    });
    println!("{total} items that begin as the item before, batch = parser");
}

/// Parts of an authority that are longer than a word of masks, or nearly as long.
#[test]
fn long_authorities_at_every_offset_of_a_block() {
    let fill = |piece: &str, len: usize| piece.repeat(len).chars().take(len).collect::<String>();
    let total = count_all(64, |offset| {
        let (mut buffer, rare) = (filler(offset), "\u{FFFE}");
        for len in [1, 20, 38, 39, 40, 41, 58, 59, 60, 61, 62, 63, 64, 65, 66, 70, 127, 128, 140] {
            for authority in [
                format!("u:{}@h:8", fill("p", len)),
                format!("u:{}", fill("p", len)),
                format!("u@{}:80", fill("h", len)),
                format!("u:x@h:{}", fill("8", len)),
                format!("u:x@h:{}é", fill("8", len)),
                format!("[::1]:{}", fill("8", len)),
                format!("[::1]:{}a", fill("8", len)),
                format!("[{}]", fill("1:", len)),
                format!("[v1.{}]:80", fill("a:", len)),
                format!("{}@[::1]", fill("u", len)),
                format!("u@[{}::]:1", fill("1:", len)),
                format!("[{}", fill("1:", len)),
                format!("{}@b@c", fill("u:", len)),
            ] {
                buffer.extend_from_slice(
                    format!("s://{authority}\ns://{authority}/é{rare}\n").as_bytes(),
                );
            }
        }
        let items: Vec<_> =
            buffer.split(|byte| *byte == b'\n').filter(|item| !item.is_empty()).collect();
        agree_separated(Rule::Iri, &buffer, b'\n') + agree_touching(Rule::Iri, &items, b"", b"]@8")
    });
    println!("{total} items with long authorities, batch = parser");
}

/// Some items of `len` bytes, separators included.
fn filler(len: usize) -> Vec<u8> {
    let common = b"http://example.org/a?b#c\n\nurn:a\n";
    let mut filler: Vec<_> = common.iter().copied().cycle().take(len).collect();
    if let Some(last) = filler.last_mut() {
        *last = b'\n';
    }
    filler
}

#[test]
fn long_references_at_every_offset_of_a_block() {
    let carriers = carriers();
    let total = count_all(carriers.len() * 131, |job| {
        let (text, before) = (carriers[job / 131].1.as_bytes(), filler(job % 131));
        let mut total = 0;
        for &rule in Rule::ALL {
            // The last item with and without a separator, and one more.
            for after in [&b""[..], b"\n", b"\nurn:d"] {
                let buffer = [&before, text, after].concat();
                total += agree_separated(rule, &buffer, b'\n');
            }
        }
        total
    });
    println!("{total} items with long references among them, batch = parser");
}

#[test]
fn every_case_at_every_offset_of_a_block() {
    /// Longer buffers are put at fewer offsets.
    const LONG: usize = 1 << 14;
    for file in cases::all() {
        let total = count_all(file.cases.len(), |job| {
            let case = &file.cases[job];
            let offsets: Vec<usize> = if case.input.len() > LONG {
                vec![0, 1, 63]
            } else if file.path.starts_with(crate::ROOT.to_owned() + "/tests") {
                (0..=130).collect()
            } else {
                // There are many such items, and those of the next case differ from them.
                (job % 7..=130).step_by(7).collect()
            };
            let buffers = offsets.into_iter().map(|offset| {
                let after = [&b""[..], b"\n", b"\nurn:d"][offset % 3];
                [&filler(offset), &case.input[..], after].concat()
            });
            buffers.map(|buffer| agree_separated(case.rule, &buffer, b'\n')).sum()
        });
        println!("{total} items with {} cases of {}", file.cases.len(), file.path.display());
    }
}

#[test]
fn items_longer_than_is_read_in_one_go() {
    const LENGTHS: std::ops::Range<usize> = (1 << 12) - 80..(1 << 12) + 3;
    let total = count(LENGTHS.len(), |job| {
        let path = "p/é%41".repeat(1 << 12);
        let mut end = LENGTHS.start + job;
        while !path.is_char_boundary(end) {
            end += 1;
        }
        let mut total = 0;
        for tail in ["", "%", "é", "?q#f", "#f#"] {
            for before in [0, 1, 65] {
                let text = ["http://h/", &path[..end], tail, "\nurn:a\n"].concat();
                let buffer = [&filler(before), text.as_bytes()].concat();
                for rule in [Rule::Iri, Rule::IriReference] {
                    total += agree_separated(rule, &buffer, b'\n');
                }
            }
        }
        total
    });
    println!("{total} items with some of 4 KiB and more among them, batch = parser");
}

#[test]
fn parts_far_from_the_start() {
    // A window of 64 bits finds the ends of a scheme and of an authority if they are near.
    let lengths = [1, 2, 59, 60, 61, 62, 63, 64, 65, 66, 126, 127, 128, 129, 200];
    let total = count(lengths.len(), |job| {
        let mut total = 0;
        for far in lengths {
            for before in [0, 1, 30, 63, 64] {
                let (scheme, name) = ("s".repeat(lengths[job]), "n".repeat(far));
                let text =
                    format!("{scheme}://{name}/p?q#f\n//{name}\n{scheme}\n{scheme}:{name}\n");
                let buffer = [&filler(before), text.as_bytes()].concat();
                total += agree_separated(Rule::Iri, &buffer, b'\n');
                total += agree_separated(Rule::IriReference, &buffer, b'\n');
            }
        }
        total
    });
    println!("{total} items with parts of 1 to 200 bytes, batch = parser");
}

#[test]
fn every_length_of_a_short_buffer() {
    let text = "urn:b%42é?c#d//h.x/".repeat(10);
    let total = count_all(SEPARATORS.len() * (text.len() + 1), |job| {
        let (len, separator) = (job / SEPARATORS.len(), SEPARATORS[job % SEPARATORS.len()]);
        // Without a separator except where the text has one, and with some more.
        let mut buffer = text.as_bytes()[..len].to_vec();
        let few = agree_separated(Rule::IriReference, &buffer, separator);
        buffer.iter_mut().skip(len % 11).step_by(11).for_each(|byte| *byte = separator);
        few + agree_separated(Rule::IriReference, &buffer, separator)
    });
    println!("{total} items, in buffers of 0 to 200 bytes");
}

#[test]
fn every_number_of_items() {
    // Up to more items than fit into a chunk, twice; with or without a separator after each.
    let total = count_all(600, |items| {
        let mut total = 0;
        for item in [&b""[..], b"a", b"urn:a", b"http://a/b?c#d", b"/\xC3\xA9", b"\xFF"] {
            let mut buffer = [item, b"\n"].concat().repeat(items);
            total += agree_separated(Rule::Iri, &buffer, b'\n');
            total += agree_separated(Rule::IriReference, &buffer, b'\n');
            assert_eq!(rows(Rule::Iri, &buffer, b'\n').len(), items);
            buffer.pop();
            total += agree_separated(Rule::Iri, &buffer, b'\n');
        }
        total
    });
    println!("{total} items, in buffers of 0 to 599");
}

#[test]
fn an_ill_formed_item_changes_no_other() {
    const ITEMS: usize = 300;
    let total = count_all(ITEMS, |place| {
        let mut total = 0;
        // Not a character; the end or the start of one, which a neighbour could complete; a surrogate.
        for bad in [&b"\xFF"[..], b"urn:\xC3", b"\xA9", b"urn:\xE4\xB8", b"\xED\xA0\x80", b"|\xFF"]
        {
            for good in ["urn:é", "http://h/é中😀"] {
                let items = (0..ITEMS).map(|i| if i == place { bad } else { good.as_bytes() });
                let buffer = items.collect::<Vec<_>>().join(&b'\n');
                for &level in LEVELS.iter() {
                    let items = Separated::lines(&buffer);
                    let parsed = level.batch(Rule::Iri).parse(items);
                    for (i, item) in parsed.enumerate() {
                        assert_eq!(item.parts().is_some(), i != place, "{}", show(item.bytes()));
                    }
                }
                total += agree_separated(Rule::Iri, &buffer, b'\n');
            }
        }
        total
    });
    println!("{total} items, one of {ITEMS} ill-formed");
}

/// Items of all kinds, with some that are not UTF-8.
fn items() -> impl Strategy<Value = Vec<Vec<u8>>> {
    const COMMON: &[&str] = &[
        "http://example.org/a/b?c=d#e",
        "http://h:80/a",
        "//u@h:1?",
        "urn:a:b",
        "//h/é",
        "/дом?q",
        "",
        "中:b",
        "a b",
    ];
    let item = prop_oneof![
        4 => texts().prop_map(String::into_bytes),
        2 => proptest::sample::select(COMMON).prop_map(Vec::from),
        1 => byte_strings(),
        1 => Just(Vec::new()),
    ];
    // Sometimes more items than fit into a chunk.
    let times = prop_oneof![3 => Just(1), 1 => 1..12_usize];
    (proptest::collection::vec(item, 0..40), times)
        .prop_map(|(items, times)| vec![items; times].concat())
}

fn separator() -> impl Strategy<Value = u8> {
    let select = proptest::sample::select(SEPARATORS);
    prop_oneof![2 => Just(b'\n'), 2 => select, 1 => 0..0x80_u8]
}

fn rule() -> impl Strategy<Value = Rule> {
    proptest::sample::select(Rule::ALL)
}

#[test]
fn random_items() {
    let strategy = (rule(), items(), separator(), any::<bool>());
    random(4_000, strategy, |(rule, items, separator, closed)| {
        let mut buffer = items.join(&separator);
        buffer.extend(closed.then_some(separator));
        agree_separated(rule, &buffer, separator);
        Ok(())
    });
}

#[test]
fn a_random_ill_formed_item_changes_no_other() {
    let strategy = (rule(), items(), separator(), any::<Index>(), any::<Index>());
    random(2_000, strategy, |(rule, mut items, separator, which, at)| {
        items.push(b"urn:last".to_vec());
        // A text that holds a separator is more than one item.
        items.iter_mut().for_each(|item| item.retain(|byte| *byte != separator));
        let found = |items: &[Vec<u8>]| {
            let buffer = items.join(&separator);
            agree_separated(rule, &buffer, separator);
            let parsed = Batch::new(rule).parse(Separated::new(&buffer, separator).unwrap());
            parsed.map(|item| item.outcome()).collect::<Vec<_>>()
        };
        let mut before = found(&items);
        let which = which.index(items.len());
        let at = at.index(items[which].len() + 1);
        items[which].insert(at, 0xFF);
        let mut after = found(&items);
        prop_assert!(matches!(after.remove(which), Outcome::Invalid(_)));
        before.remove(which);
        prop_assert_eq!(before, after);
        Ok(())
    });
}

/// The items of a column, one after the other.
fn column_rows<'a>(
    rule: Rule,
    offsets: &[usize],
    values: &'a [u8],
    is_null: impl Fn(usize) -> bool,
) -> Vec<Row<'a>> {
    let spans = offsets.windows(2).map(|pair| pair[0]..pair[1]).enumerate();
    let rows = spans.map(|(number, span)| {
        let start = span.start as u64;
        if is_null(number) {
            (start, &[][..], Outcome::Null)
        } else {
            (start, &values[span.clone()], witness(rule, &values[span]))
        }
    });
    rows.collect()
}

/// [`agree`] for items that touch, after some bytes that are in no item, with and without nulls.
fn agree_touching(rule: Rule, items: &[&[u8]], before: &[u8], after: &[u8]) -> usize {
    let values = [before, &items.concat(), after].concat();
    let mut offsets = vec![before.len()];
    for item in items {
        offsets.push(offsets[offsets.len() - 1] + item.len());
    }
    let bits = vec![0b1101_1011; items.len() / 8 + 2];
    let total = agree_column::<i32>(rule, &offsets, &values, &bits, 3) + agree_apart(rule, items);
    // A chunk in which no item is empty is searched in another way.
    let filled: Vec<_> = items.iter().copied().filter(|item| !item.is_empty()).collect();
    if filled.len() == items.len() {
        return total;
    }
    total + agree_touching(rule, &filled, before, after)
}

/// [`agree`] for items that are not parts of one buffer, or lie apart in one: as bytes, and as texts if all items are UTF-8.
fn agree_apart(rule: Rule, items: &[&[u8]]) -> usize {
    let rows: Vec<_> = items.iter().map(|item| (0, *item, witness(rule, item))).collect();
    let total = agree(rule, ByteSlice::new(items), &rows) + agree_spanned(rule, items);
    let texts: Result<Vec<_>, _> = items.iter().map(|item| std::str::from_utf8(item)).collect();
    total + texts.map_or(0, |texts| agree(rule, Slice::new(&texts), &rows))
}

/// [`agree`] for items at spans of a buffer: with other bytes between them, and the last item first.
fn agree_spanned(rule: Rule, items: &[&[u8]]) -> usize {
    let between = [&b","[..], b"", b"\"\n\xFF", b"urn:a\n"];
    let (mut buffer, mut spans) = (Vec::new(), Vec::new());
    for (number, item) in items.iter().enumerate() {
        buffer.extend_from_slice(between[number % between.len()]);
        let start = buffer.len();
        buffer.extend_from_slice(item);
        spans.push((start as u32, buffer.len() as u32));
    }
    let last = spans.pop();
    spans.splice(..0, last);
    let row = |&(start, end): &(u32, u32)| {
        let item = &buffer[start as usize..end as usize];
        (u64::from(start), item, witness(rule, item))
    };
    let rows: Vec<_> = spans.iter().map(row).collect();
    agree(rule, Spanned::new(&buffer, &spans).unwrap(), &rows)
}

/// The number of bytes of a search, with a separator after each text.
const SEARCH: usize = 4096;

/// The length of the longest text that a search reads if the texts are not parts of one buffer.
const LONGEST: usize = 256;

#[test]
fn items_apart_of_each_length_fill_a_search() {
    // Texts of which one more or one less fits into a search, and texts that are copied in another way or not at all.
    let lengths = [0, 1, 3, 4, 7, 8, 15, 16, 20, 31, 32, 63, 64, 65, 127, 128, 129, 255, 511];
    let lengths: Vec<_> = lengths.into_iter().chain([LONGEST, LONGEST + 1, SEARCH, 9000]).collect();
    // The last character of a text may be cut, and then the text as bytes is ill-formed.
    let text = |len: usize| ["urn:é", &"p%41é/".repeat(len / 7 + 1)].concat().into_bytes();
    let texts: Vec<_> = lengths.iter().map(|len| text(*len)[..*len].to_vec()).collect();
    let total = count_all(texts.len(), |job| {
        let mut total = 0;
        for other in &texts {
            let many = if texts[job].len().max(other.len()) < 100 { 500 } else { 40 };
            let items: Vec<_> =
                (0..many).map(|i| [&texts[job], other][i % 3 % 2].as_slice()).collect();
            for rule in [Rule::Iri, Rule::IriReference] {
                total += agree_apart(rule, &items);
            }
        }
        total
    });
    println!("{total} items apart, of 0 to 9,000 bytes, batch = parser");
}

#[test]
fn items_apart_around_the_end_of_a_search() {
    // The first items leave from 0 to 9 bytes of a search, or end at its end, or one byte after it.
    let total = count_all(12, |left| {
        let first = b"urn:".iter().copied().cycle().take(SEARCH / 16 - 1).collect::<Vec<_>>();
        let last = &first[..first.len() + 1 - left.max(1)];
        let more = b"urn:a";
        let mut items = vec![&first[..]; 15];
        items.push(last);
        items.extend([
            &more[..],
            b"",
            b"a\nb",
            b"\0",
            b"\xFF",
            b"",
            more,
            b"a b",
            b"http://u@h:1/",
        ]);
        Rule::ALL.iter().map(|rule| agree_apart(*rule, &items)).sum()
    });
    println!("{total} items apart, at the end of a search, batch = parser");
}

#[test]
fn many_items_apart() {
    // As many items as a chunk, the window of texts and twice the window hold, and one more or one less.
    let one = "a:\u{E000}?é";
    let giant = ["http://h/", &"x".repeat(100_000)].concat();
    for count in [0, 1, 2, 31, 32, 33, 191, 192, 193, 383, 384, 385, 576, 577, 1000] {
        for rule in [Rule::Iri, Rule::IriReference, Rule::Uri] {
            // The same text many times, and empty texts.
            agree_apart(rule, &vec![one.as_bytes(); count]);
            agree_apart(rule, &vec![&b""[..]; count]);
            // A text that is far longer than a search among short texts.
            let mut items = vec![&b"urn:a"[..]; count];
            items.insert(count / 2, giant.as_bytes());
            items.insert(count / 3, b"urn:\xC3");
            agree_apart(rule, &items);
        }
    }
    // Owned texts, and the forms that a caller has.
    let owned: Vec<String> = (0..300).map(|number| format!("urn:{number}")).collect();
    let batch = Batch::new(Rule::Iri);
    assert_eq!(batch.count(&owned).valid, 300);
    assert_eq!(batch.count(owned.as_slice()).valid, 300);
    assert!(batch.valid(&owned).eq(owned.iter().map(String::as_bytes)));
    assert_eq!(batch.count(ByteSlice::new(&owned)).valid, 300);
}

#[test]
fn random_items_apart() {
    let strategy = (rule(), items(), proptest::collection::vec(any::<Index>(), 0..400));
    random(2_000, strategy, |(rule, items, picks)| {
        let items: Vec<_> = items.iter().map(Vec::as_slice).collect();
        agree_apart(rule, &items);
        // In any order, and each item as often as it is picked.
        if !items.is_empty() {
            let picked: Vec<_> = picks.iter().map(|pick| *pick.get(&items)).collect();
            agree_apart(rule, &picked);
            let texts: Vec<_> =
                picked.into_iter().filter(|item| std::str::from_utf8(item).is_ok()).collect();
            agree_apart(rule, &texts);
        }
        Ok(())
    });
}

#[test]
fn every_string_of_length_3_touches_the_next() {
    let bytes = representatives();
    let total = count_all(bytes.len(), |first| {
        let mut texts = Vec::new();
        strings::<3>(&bytes, first, |text| {
            texts.push(text.to_vec());
            // Sometimes an empty item or a shorter one, so that the others lie everywhere in a block.
            match texts.len() % 23 {
                0 => texts.push(Vec::new()),
                7 => texts.push(text[..2].to_vec()),
                _ => {}
            }
        });
        let items: Vec<_> = texts.iter().map(Vec::as_slice).collect();
        Rule::ALL.iter().map(|&rule| agree_touching(rule, &items, b"", b"")).sum()
    });
    println!("{total} items that touch, batch = parser");
}

#[test]
fn items_that_touch_lie_at_every_offset_of_a_block() {
    let ports = [
        "http://h:80/p?q#f",
        "http://h:/",
        "http://h:8a/",
        "http://u@h:1/",
        "http://u:1@h/",
        "//h:65536",
        "//h:1?q",
        "a://h:1#f",
        "a://h:1:2",
        "//%41:1/",
        "//%4:1/",
        "//é中😀:80/\u{E000}?\u{E000}",
        "//:",
        "a:b:1",
        "a#b#c",
        "a##",
        "a#",
        "?a?b#c",
        "#",
        "?",
        "a:",
        ":",
        "/",
        "//",
        "///",
        "a\nb",
        "\n",
        "a:\nb",
        "%",
        "a%4",
        "a:%41",
        "1",
        "é",
        "é😀",
        "\u{E000}",
        "\u{FFFE}",
    ];
    let total = count_all(131, |before| {
        let filler = [b"x".repeat(before / 2), b"a:b".to_vec(), b"/y".repeat(before)];
        let mut total = 0;
        for pair in ports.windows(2) {
            let [one, two] = [pair[0].as_bytes(), pair[1].as_bytes()];
            // The last byte of a text, which may be inside a character, goes to the next item.
            let cut = one.len() - 1;
            let items: &[&[u8]] = &[
                &filler[0],
                one,
                two,
                b"",
                one,
                b"",
                b"",
                two,
                &filler[2],
                &one[..cut],
                &one[cut..],
                two,
                &filler[1],
                one,
            ];
            for rule in [Rule::Iri, Rule::IriReference, Rule::AbsoluteUri, Rule::RelativeRef] {
                // Bytes beyond the column that would complete the last item, or make the first invalid.
                total += agree_touching(rule, items, b"", b"");
                total += agree_touching(rule, items, b"\xFF:", &[b'/'; 200]);
            }
        }
        total
    });
    println!(
        "{total} items that touch, with ports, fragments and characters across blocks, batch = parser"
    );
}

#[test]
fn items_that_touch_fill_a_search() {
    // Lengths for which a copy is longer than the item, as long, and shorter; and for which one item more or less
    // fits into a search.
    let lengths =
        [0, 1, 15, 20, 21, 63, 64, 127, 128, 129, 1000, 2047, 2048, 4094, 4095, 4096, 4097, 4300];
    let total = count_all(lengths.len(), |job| {
        let mut total = 0;
        for other in lengths {
            let texts = [lengths[job], other].map(|len| {
                let text = ["urn:é", &"p%41é".repeat(len / 6 + 1)].concat();
                let mut end = len.min(text.len());
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                text.as_bytes()[..end].to_vec()
            });
            let many = if lengths[job].max(other) < 200 { 600 } else { 6 };
            let items: Vec<_> = (0..many).map(|i| &texts[i % 3 % 2][..]).collect();
            total += agree_touching(Rule::Iri, &items, b"", b"");
            total += agree_touching(Rule::UriReference, &items, b"abc", b"def");
        }
        total
    });
    println!("{total} items that touch, of 0 to 4,300 bytes, batch = parser");
}

/// [`agree`] for a column with offsets of a type, without nulls and with the nulls that `bits` names.
fn agree_column<O: Offset + TryFrom<usize>>(
    rule: Rule,
    offsets: &[usize],
    values: &[u8],
    bits: &[u8],
    first: usize,
) -> usize {
    let of_type: Vec<O> = offsets.iter().map(|at| O::try_from(*at).ok().unwrap()).collect();
    let column = TextColumn::new(&of_type, values).unwrap();
    let is_null = |item: usize| bits[(first + item) / 8] >> ((first + item) % 8) & 1 == 0;
    let (whole, nulls) = (
        column_rows(rule, offsets, values, |_| false),
        column_rows(rule, offsets, values, is_null),
    );
    let mut known = 0;
    if let Ok(text) = std::str::from_utf8(values) {
        let column = TextColumn::utf8(&of_type, text).unwrap();
        known += agree(rule, column, &whole);
        known += agree(rule, column.with_validity(bits, first).unwrap(), &nulls);
    }
    known
        + agree(rule, column, &whole)
        + agree(rule, column.with_validity(bits, first).unwrap(), &nulls)
}

#[test]
fn columns_cut_anywhere() {
    // The whole is UTF-8; also without its last byte, where it is not.
    let text = "urn:é中😀http://h/\u{E000}?\u{E000}#é".as_bytes();
    let total = count_all(text.len() + 1, |from| {
        let mut total = 0;
        for values in [text, &text[..text.len() - 1]] {
            for to in from..=values.len() {
                let offsets = [from, to, values.len()];
                for rule in [Rule::Iri, Rule::IriReference, Rule::UriReference] {
                    for (bits, first) in [(&[0b01][..], 0), (&[0b10], 0), (&[0x7F, 0xFE], 7)] {
                        total += agree_column::<i32>(rule, &offsets, values, bits, first);
                        total += agree_column::<i64>(rule, &offsets, values, bits, first);
                    }
                }
            }
        }
        total
    });
    println!("{total} items of columns, batch = parser");
}

#[test]
fn random_columns() {
    let cuts = proptest::collection::vec(any::<Index>(), 1..300);
    let bits = proptest::collection::vec(any::<u8>(), 40);
    let strategy = (rule(), items(), cuts, any::<bool>(), bits, 0..=9_usize);
    random(3_000, strategy, |(rule, items, cuts, whole, bits, first)| {
        // Either the items as they are, of which the first is not in the column; or cut anywhere.
        let values = items.concat();
        let ends = items.iter().scan(0, |end, item| {
            *end += item.len();
            Some(*end)
        });
        let mut offsets: Vec<usize> = if whole && !items.is_empty() {
            ends.take(300).collect()
        } else {
            cuts.iter().map(|cut| cut.index(values.len() + 1)).collect()
        };
        offsets.sort_unstable();
        agree_column::<i32>(rule, &offsets, &values, &bits, first);
        agree_column::<i64>(rule, &offsets, &values, &bits, first);
        Ok(())
    });
}

#[test]
fn what_is_no_column_is_refused() {
    use ColumnError::*;
    fn refused<O: Offset>(offsets: &[O], values: &[u8]) -> Option<ColumnError> {
        TextColumn::new(offsets, values).err()
    }
    for (offsets, values, expected) in [
        (&[][..], &b"abc"[..], Some(NoOffset)),
        (&[0], b"", None),
        (&[3], b"abc", None),
        (&[4], b"abc", Some(OutOfBounds { index: 0 })),
        (&[-1], b"abc", Some(Descending { index: 0 })),
        (&[0, -1], b"abc", Some(Descending { index: 1 })),
        (&[i32::MIN, 1], b"abc", Some(Descending { index: 0 })),
        (&[0, 2, 1, 3], b"abc", Some(Descending { index: 2 })),
        (&[0, 2, 2, 4], b"abc", Some(OutOfBounds { index: 3 })),
        (&[0, i32::MAX], b"abc", Some(OutOfBounds { index: 1 })),
        (&[1, 1, 3], b"abc", None),
    ] {
        let longer: Vec<_> = offsets.iter().copied().map(i64::from).collect();
        assert_eq!(refused(offsets, values), expected, "{offsets:?}");
        assert_eq!(refused(&longer, values), expected, "{longer:?}");
    }
    let far = [0, i64::from(u32::MAX) + 2];
    assert_eq!(refused(&far, b"abc"), Some(OutOfBounds { index: 1 }), "no offset is cut off");

    for items in 0..20 {
        let offsets = vec![0_i32; items + 1];
        let column = TextColumn::new(&offsets, b"").unwrap();
        for (bytes, first) in (0..4).flat_map(|bytes| (0..=9).map(move |first| (bytes, first))) {
            let bits = vec![0xFF; bytes];
            let refused = column.with_validity(&bits, first).err();
            let expected = (first + items > 8 * bytes).then_some(FewBits { items });
            assert_eq!(refused, expected, "{items} items, {bytes} bytes, from bit {first}");
        }
        let refused = column.with_validity(&[0xFF; 3], usize::MAX).err();
        assert_eq!(refused, Some(FewBits { items }), "{items} items");
    }
}

#[test]
fn separators_are_ascii() {
    for byte in 0..=u8::MAX {
        assert_eq!(Separated::new(b"", byte).is_some(), byte.is_ascii());
        let stream = Stream::new(Batch::new(Rule::Iri), byte, 1);
        assert_eq!(stream.is_some(), byte.is_ascii());
    }
}

#[test]
fn columns_are_appended_to() {
    let column = TextColumn::new(&[0, 1, 4], b"cd:e").unwrap().with_validity(&[0b10], 0).unwrap();
    let mut columns = Columns::new();
    let batch = Batch::new(Rule::Iri);
    batch.columns(Separated::lines(b"a:b\nc\n"), &mut columns);
    batch.columns(column, &mut columns);
    batch.columns(Separated::lines(b"d"), &mut columns);
    assert_eq!(columns.starts(), [0, 4, 0, 1, 0]);
    assert_eq!(columns.end(), [3, 1, 0, 3, 1]);
    assert!(columns.errors().iter().map(|(row, _)| *row).eq([1, 4]));
    assert_eq!(columns.nulls(), [2]);
    columns.clear();
    assert_eq!(columns, Columns::new());
}

/// An item that outlives the part of the stream that held it.
type Kept = (u64, Vec<u8>, Outcome);

fn kept((start, bytes, outcome): Row<'_>) -> Kept {
    (start, bytes.to_vec(), outcome)
}

/// What a stream finds if its input arrives in these parts.
fn streamed<'a>(mut stream: Stream, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Kept> {
    let mut found = Vec::new();
    for piece in pieces {
        stream.push(piece, |item| found.push(kept(row(item))));
    }
    stream.finish(|item| found.push(kept(row(item))));
    found
}

/// The expected answer of a stream with a limit.
fn limited(rows: &[Row<'_>], limit: u32) -> Vec<Kept> {
    let stream = Stream::new(Batch::new(Rule::Iri), b'\n', limit).unwrap();
    let too_long = streamed(stream, [&vec![b'x'; limit as usize + 1][..]])[0].2;
    let Outcome::Invalid(error) = too_long else { panic!("{limit}: not limited") };
    assert_eq!((error.kind(), error.component()), (ErrorKind::TooLong, Component::Reference));
    assert_eq!(error.span(), limit as usize..limit as usize);
    let limited = rows.iter().map(|row| match row.1.get(..limit as usize) {
        Some(shown) if shown.len() < row.1.len() => (row.0, shown.to_vec(), too_long),
        _ => kept(*row),
    });
    limited.collect()
}

#[test]
fn streams_cut_anywhere() {
    let text = "http://é/\n\nurn:a b\n//u@h:80/中?q#f\n\n1:é😀\n%".as_bytes();
    let texts = [text, &[text, b"4\xFF\xC3\n"].concat(), &[text, b"\xF0\x9F\n/"].concat()];
    let (separators, limits) = (*b"\n/:", [0, 1, 9, 10, 1000]);
    let jobs = texts.len() * Rule::ALL.len() * separators.len() * limits.len();
    let total = count_all(jobs, |job| {
        let mut rest = job;
        let mut one_of = |many: usize| {
            let one = rest % many;
            rest /= many;
            one
        };
        let (text, rule) = (texts[one_of(texts.len())], Rule::ALL[one_of(Rule::ALL.len())]);
        let (separator, limit) = (separators[one_of(3)], limits[one_of(5)]);
        let expected = limited(&rows(rule, text, separator), limit);
        let mut total = 0;
        for &level in LEVELS.iter() {
            let stream = Stream::new(level.batch(rule), separator, limit).unwrap();
            for first in 0..=text.len() {
                for second in first..=text.len() {
                    let cut = [&text[..first], &text[first..second], &text[second..]];
                    let found = streamed(stream.clone(), cut);
                    assert_eq!(found, expected, "{rule}, {}, {cut:?}", level.name());
                    total += 1;
                }
            }
        }
        total
    });
    println!("{total} streams in up to three pieces, as the whole");
}

#[test]
fn random_streams() {
    let cuts = proptest::collection::vec(any::<Index>(), 0..30);
    let limit = prop_oneof![0..40_u32, Just(4096)];
    let strategy = (rule(), items(), separator(), cuts, limit);
    random(4_000, strategy, |(rule, items, separator, cuts, limit)| {
        let buffer = items.join(&separator);
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(buffer.len() + 1)).collect();
        cuts.extend([0, buffer.len()]);
        cuts.sort_unstable();
        let expected = limited(&rows(rule, &buffer, separator), limit);
        for &level in LEVELS.iter() {
            let stream = Stream::new(level.batch(rule), separator, limit).unwrap();
            let pieces = cuts.windows(2).map(|pair| &buffer[pair[0]..pair[1]]);
            prop_assert_eq!(streamed(stream.clone(), pieces), &expected[..]);
            // Cut after every byte.
            prop_assert_eq!(streamed(stream, buffer.chunks(1)), &expected[..]);
        }
        Ok(())
    });
}

#[test]
fn nothing_allocates_but_columns_and_cut_items() {
    let files = cases::all();
    let inputs: Vec<_> =
        files.iter().flat_map(|file| &file.cases).map(|case| &case.input[..]).collect();
    let buffer = inputs.join(&b'\n');
    let offsets: Vec<_> = (0..=buffer.len() as i64).step_by(50).collect();
    let spans: Vec<_> = (0..buffer.len() as u32 - 60).step_by(50).map(|at| (at, at + 60)).collect();
    let bits = vec![0x5A; offsets.len() / 8 + 1];
    let lines = Separated::lines(&buffer);
    let column = TextColumn::new(&offsets, &buffer).unwrap().with_validity(&bits, 3).unwrap();
    LEVELS.iter().for_each(|_| ());

    fn every_form<'a>(batch: Batch, items: impl Items<'a>) -> u64 {
        let parsed = batch.parse(items.clone()).count();
        let selected = batch.valid(items.clone()).count() + batch.invalid(items.clone()).count();
        batch.count(items).items + (parsed + selected) as u64
    }
    let mut columns = Columns::new();
    for &rule in Rule::ALL {
        for &level in LEVELS.iter() {
            let batch = level.batch(rule);
            let kept = measure(|| {
                assert!(every_form(batch, lines) > 0);
                assert!(every_form(batch, column) > 0);
                assert!(every_form(batch, ByteSlice::new(&inputs)) > 0);
                assert!(every_form(batch, Spanned::new(&buffer, &spans).unwrap()) > 0);
            });
            assert_eq!(kept.count_total, 0, "{rule}: allocations");

            columns = Columns::new();
            let cold = measure(|| batch.columns(lines, &mut columns));
            assert!(cold.count_total > 0, "what allocates is counted");
            columns.clear();
            let warm = measure(|| batch.columns(lines, &mut columns));
            assert_eq!(warm.count_total, 0, "{rule}: allocations of warm columns");
        }
    }
    println!("{} items without an allocation", columns.len());
}

#[test]
fn a_stream_allocates_no_more_than_twice_its_limit() {
    for limit in [0, 1, 7, 100, 1000, 5000] {
        for piece in [1, 3, 64, 10_000] {
            let text = vec![b'x'; 20_000];
            let mut stream = Stream::new(Batch::new(Rule::Iri), b'\n', limit).unwrap();
            let whole = measure(|| stream.push(b"a:b\nc:d\n", |_| ()));
            assert_eq!(whole.count_total, 0, "an item that is not cut");
            let cut = measure(|| {
                text.chunks(piece).for_each(|piece| stream.push(piece, |_| ()));
            });
            let most = (2 * i64::from(limit)).max(8);
            assert!(cut.bytes_current <= most, "{limit}: {}", cut.bytes_current);
        }
    }
}
