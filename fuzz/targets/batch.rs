//! Any bytes as items of a buffer: a batch gives the answer of the parser for each item alone, in every form and
//! wherever the items lie.
//!
//! The first four bytes choose: the start rule, the level, the separator, and the state from which cuts, limits and
//! nulls are drawn. The rest is the buffer. Not here: whether the parser is right (`parse`).
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use simd_iri::batch::{
    Batch, ByteSlice, Columns, Item, Items, Outcome, Separated, Spanned, Stream, TextColumn,
};
use simd_iri::{ErrorKind, Rule, parser::CpuLevel};

static LEVELS: LazyLock<Vec<CpuLevel>> = LazyLock::new(|| CpuLevel::available().collect());

/// An item: where it begins, its bytes, and the expected answer.
type Row<'a> = (u64, &'a [u8], Outcome);

fuzz_target!(
    init: {
        let names: Vec<_> = LEVELS.iter().map(|level| level.name()).collect();
        eprintln!("levels: {}", names.join(", "));
    },
    |bytes: &[u8]| {
        let Some(([rule, level, separator, seed], buffer)) = bytes.split_first_chunk() else {
            return;
        };
        let rule = Rule::ALL[usize::from(*rule) % 8];
        let level = LEVELS[usize::from(*level) % LEVELS.len()];
        let separator = separator & 0x7F;
        let mut draw = Draw(u64::from(*seed));
        let batch = level.batch(rule);

        let rows = rows(rule, buffer, separator);
        every_form(batch, Separated::new(buffer, separator).unwrap(), &rows);
        in_pieces(batch, buffer, separator, &rows, &mut draw);
        let items: Vec<_> = rows.iter().map(|(_, item, _)| *item).collect();
        let apart: Vec<_> = rows.iter().map(|(_, item, outcome)| (0, *item, *outcome)).collect();
        every_form(batch, ByteSlice::new(&items), &apart);
        let span = |(start, item, _): &Row<'_>| (*start as u32, *start as u32 + item.len() as u32);
        let spans: Vec<_> = rows.iter().map(span).collect();
        every_form(batch, Spanned::new(buffer, &spans).unwrap(), &rows);

        // The same spans as a column, with the separators at their ends; and any other spans.
        let ends = rows.iter().map(|(start, item, _)| *start as usize + item.len() + 1);
        let mut spans: Vec<_> = ends.map(|end| end.min(buffer.len())).collect();
        spans.insert(0, 0);
        columns(rule, batch, &spans, buffer, &mut draw);
        let mut cuts = draw.cuts(buffer.len());
        cuts.push(draw.below(buffer.len() + 1));
        cuts.sort_unstable();
        columns(rule, batch, &cuts, buffer, &mut draw);
    }
);

/// Numbers that depend on the input alone.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }

    /// Up to eight places in a text.
    fn cuts(&mut self, len: usize) -> Vec<usize> {
        (0..self.below(9)).map(|_| self.below(len + 1)).collect()
    }
}

fn witness(rule: Rule, bytes: &[u8]) -> Outcome {
    match rule.parse_bytes(bytes) {
        Ok(parts) => Outcome::Valid(parts),
        Err(error) => Outcome::Invalid(error),
    }
}

fn rows(rule: Rule, buffer: &[u8], separator: u8) -> Vec<Row<'_>> {
    let mut start = 0;
    let mut rows = Vec::new();
    for item in buffer.split_inclusive(|byte| *byte == separator) {
        let text = item.strip_suffix(&[separator]).unwrap_or(item);
        rows.push((start, text, witness(rule, text)));
        start += item.len() as u64;
    }
    rows
}

fn row<'a>(item: Item<'a>) -> Row<'a> {
    (item.start(), item.bytes(), item.outcome())
}

/// All operations on items.
fn every_form<'a>(batch: Batch, items: impl Items<'a>, rows: &[Row<'a>]) {
    assert!(batch.parse(items.clone()).map(row).eq(rows.iter().copied()));

    let of = |wanted: fn(&Outcome) -> bool| {
        let rows = rows.iter().filter(move |(.., outcome)| wanted(outcome));
        rows.map(|(_, item, _)| *item)
    };
    let valid = || of(|outcome| matches!(outcome, Outcome::Valid(_)));
    let invalid = || of(|outcome| matches!(outcome, Outcome::Invalid(_)));
    let null = of(|outcome| *outcome == Outcome::Null).count() as u64;
    let count = batch.count(items.clone());
    assert_eq!((count.items, count.null), (rows.len() as u64, null));
    assert_eq!(count.valid, valid().count() as u64);
    assert_eq!(count.invalid, invalid().count() as u64);
    assert!(batch.valid(items.clone()).eq(valid()));
    assert!(batch.invalid(items.clone()).eq(invalid()));

    let mut columns = Columns::new();
    batch.columns(items, &mut columns);
    assert_eq!(columns.len(), rows.len());
    let (mut errors, mut nulls) = (columns.errors().iter(), columns.nulls().iter());
    for (i, (start, item, outcome)) in rows.iter().enumerate() {
        assert_eq!(columns.starts()[i], *start);
        let offsets = [
            columns.scheme_end()[i],
            columns.authority()[i],
            columns.host()[i],
            columns.host_end()[i],
            columns.path()[i],
            columns.path_end()[i],
            columns.query_end()[i],
            columns.end()[i],
        ];
        let [scheme_end, authority, host, host_end, path, path_end, query_end, end] =
            offsets.map(|offset| offset as usize);
        assert_eq!(end, item.len());
        match outcome {
            Outcome::Valid(parts) => {
                assert_eq!(parts.scheme().map_or(0, |scheme| scheme.end), scheme_end);
                let of_authority = parts.authority().map(|part| (part.start, part.end));
                assert_eq!(of_authority.unwrap_or((path, path)), (authority, path));
                let of_host = parts.host().map(|part| (part.start, part.end));
                assert_eq!(of_host.unwrap_or((path, path)), (host, host_end));
                assert_eq!(parts.path(), path..path_end);
                assert_eq!(parts.query().map_or(path_end, |query| query.end), query_end);
            }
            Outcome::Invalid(error) => assert_eq!(errors.next(), Some(&(i as u64, *error))),
            Outcome::Null => assert_eq!(nulls.next(), Some(&(i as u64))),
        }
        if !matches!(outcome, Outcome::Valid(_)) {
            assert_eq!(offsets[..7], [0; 7]);
        }
    }
    assert_eq!((errors.next(), nulls.next()), (None, None));
}

/// Columns with and without nulls, with offsets of both types.
fn columns(rule: Rule, batch: Batch, offsets: &[usize], values: &[u8], draw: &mut Draw) {
    let first = draw.below(10);
    let bits: Vec<u8> = (0..offsets.len() / 8 + 3).map(|_| draw.below(256) as u8).collect();
    let rows = |with_nulls: bool| -> Vec<Row<'_>> {
        let spans = offsets.windows(2).map(|pair| pair[0]..pair[1]).enumerate();
        let rows = spans.map(|(i, span)| {
            let start = span.start as u64;
            if with_nulls && bits[(first + i) / 8] >> ((first + i) % 8) & 1 == 0 {
                (start, &[][..], Outcome::Null)
            } else {
                (start, &values[span.clone()], witness(rule, &values[span]))
            }
        });
        rows.collect()
    };
    let short: Vec<_> = offsets.iter().map(|at| *at as i32).collect();
    every_form(batch, TextColumn::new(&short, values).unwrap(), &rows(false));
    let long: Vec<_> = offsets.iter().map(|at| *at as i64).collect();
    let column = TextColumn::new(&long, values).unwrap().with_validity(&bits, first).unwrap();
    every_form(batch, column, &rows(true));
}

/// A stream that is cut anywhere, with a limit.
fn in_pieces(batch: Batch, buffer: &[u8], separator: u8, rows: &[Row<'_>], draw: &mut Draw) {
    let limit = draw.below(80);
    let mut cuts = draw.cuts(buffer.len());
    cuts.extend([0, buffer.len()]);
    cuts.sort_unstable();

    let mut expected = rows.iter();
    let mut check = |item: Item<'_>| {
        let (start, bytes, outcome) = *expected.next().unwrap();
        if bytes.len() > limit {
            assert_eq!((item.start(), item.bytes()), (start, &bytes[..limit]));
            assert_eq!(item.error().map(|error| error.kind()), Some(ErrorKind::TooLong));
        } else {
            assert_eq!(row(item), (start, bytes, outcome));
        }
    };
    let mut stream = Stream::new(batch, separator, limit as u32).unwrap();
    for pair in cuts.windows(2) {
        stream.push(&buffer[pair[0]..pair[1]], &mut check);
    }
    stream.finish(&mut check);
    assert_eq!(expected.next(), None);
}
