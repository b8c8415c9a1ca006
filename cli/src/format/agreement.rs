//! Tests that the search of many records by masks gives the records of the reader of the format: the same records in the
//! same order, and for those that it does not leave to the reader the same text of the address.

use simd_iri::low::BLOCK;
use simd_iri::{CpuLevel, Rule};

use crate::args::records::RecordArgs;
use crate::format::{Record, csv};
use crate::spans::Records;
use crate::spans::csv::{Before, ends};

/// Numbers that depend on the first number alone.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }

    /// A field of a row: usual, or with quotes in any places.
    fn field(&mut self, delimiter: u8) -> Vec<u8> {
        let text: &[u8] = [
            &b"http://a.example/"[..],
            b"urn:a",
            b"",
            b"a",
            "é".as_bytes(),
            b"\xFF",
            b"x b",
            b"http://a.example/a/long/path/of/more/than/a/block/of/bytes?with=a&query=of#its",
        ][self.below(8)];
        let inside = [&b""[..], b"\n", b"\"\"", b"\r", b"\r\n", &[delimiter], b"\"\"\n\"\""];
        match self.below(12) {
            0..6 => text.to_vec(),
            6..9 => [b"\"", text, inside[self.below(7)], text, b"\""].concat(),
            9 => [b"\"\"".as_slice(), inside[self.below(7)]].concat(),
            10 => [text, b"\"", inside[self.below(7)]].concat(),
            _ => [text, inside[self.below(7)], text].concat(),
        }
    }

    /// Rows, most of which have three fields.
    pub(super) fn rows(&mut self, delimiter: u8) -> Vec<u8> {
        let mut rows = Vec::new();
        // Most texts have no odd quotes, so that the rows after them are compared, too.
        let is_usual = self.below(3) > 0;
        for _ in 0..self.below(24) {
            let fields = [3, 3, 3, 3, 1, 2, 4, 0][self.below(8)];
            for number in 0..fields {
                rows.extend((number > 0).then_some(delimiter));
                let field = self.field(delimiter);
                let is_quoted = field.starts_with(b"\"") && field.ends_with(b"\"");
                if !is_usual || is_quoted || !field.iter().any(|byte| b"\"\r\n".contains(byte)) {
                    rows.extend(field);
                }
            }
            rows.extend([&b"\n"[..], b"\n", b"\n", b"\r\n", b"\r\n"][self.below(5)]);
        }
        // Some bytes become others, or are removed.
        for _ in 0..self.below(8).saturating_sub(4) {
            let place = self.below(rows.len() + 1);
            let byte = [b'"', b'\n', b'\r', delimiter, b'a', 0xEF, 0][self.below(7)];
            if self.below(2) == 0 {
                rows.insert(place, byte);
            } else if let Some(old) = rows.get_mut(place) {
                *old = byte;
            }
        }
        rows.truncate(rows.len() - self.below(rows.len() / 4 + 1));
        rows
    }
}

/// A layout of rows without a header, whose address is in a column.
fn layout(delimiter: u8, column: usize) -> csv::Layout {
    let field = Some((column + 1).to_string());
    let args = RecordArgs { no_header: true, field, ..RecordArgs::lines(None, 1 << 20) };
    csv::Layout::new(&args, delimiter).unwrap()
}

/// The records of a text by the reader of rows: where each begins, and the text of its address if it has one.
fn by_reader(layout: &csv::Layout, text: &[u8], from: usize) -> Vec<(usize, Option<Vec<u8>>)> {
    let (mut records, mut at) = (Vec::new(), from);
    while at < text.len() {
        let mut record = Record::default();
        layout.next(text, at, &mut record);
        let fields = record.fields.iter().filter(|_| record.error.is_none() && !record.is_filler);
        let item = fields.map(|field| csv::decode(&text[field.span.clone()]).into_owned()).next();
        records.push((at, item));
        at = record.end;
    }
    records
}

#[test]
fn rows_by_masks_are_rows_of_the_reader() {
    let mut random = Random(3987);
    let mut found = Records::default();
    let (mut regular, mut others) = (0, 0);
    for number in 0..20_000 {
        let delimiter = [b',', b';', b'\t', 0][random.below(4)];
        let (layout, from) = (layout(delimiter, random.below(4)), 3 * random.below(2));
        let text = [&b"\xEF\xBB\xBF"[..from], &random.rows(delimiter)].concat();
        let rows = by_reader(&layout, &text, from);
        for level in CpuLevel::available() {
            let what = || format!("{level}, {layout:?}, {}", text.escape_ascii());
            if !layout.find(level, &text, from, &mut found) {
                assert_eq!(level.name(), "scalar");
                continue;
            }
            let is_regular = |at: usize| found.starts.binary_search(&(at as u32)).is_ok();
            let parsed = level.batch(Rule::Iri).parse(found.items(&text).unwrap());
            let items: Vec<_> = parsed.map(|item| item.bytes()).collect();
            let expected: Vec<_> = rows.iter().filter(|(at, _)| is_regular(*at)).collect();
            let expected = expected.into_iter().map(|(_, item)| item.as_deref());
            assert!(expected.eq(items.iter().copied().map(Some)), "{}", what());
            let ends = rows.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
            for ((at, item), end) in rows.iter().zip(ends) {
                *(if is_regular(*at) { &mut regular } else { &mut others }) += 1;
                // A row that is read one by one has a reason.
                let is_strange = text[*at..].iter().any(|byte| b"\"\r".contains(byte));
                let is_last = text.len() - end < BLOCK;
                assert!(is_regular(*at) || is_strange || is_last || item.is_none(), "{}", what());
            }
            // Some regular rows are selected, and the visit breaks at each row that is visited.
            let is_selected = |item: &[u8]| item.len() % 3 == number % 3;
            let visited: Vec<usize> = rows
                .iter()
                .filter(|(at, item)| !is_regular(*at) || item.as_deref().is_some_and(is_selected))
                .map(|(at, _)| *at)
                .collect();
            for stop in 0..=visited.len() {
                let mut seen = Vec::new();
                let selected = items.iter().copied().filter(|item| is_selected(item));
                let passed = found.each(&text, selected, |at| {
                    seen.push(at);
                    Ok(seen.len() <= stop)
                });
                let last = visited.get(stop);
                let before = rows.iter().filter(|(at, _)| last.is_none_or(|last| at <= last));
                assert_eq!(passed.unwrap() as usize + seen.len(), before.count(), "{}", what());
                assert_eq!(seen, visited[..visited.len().min(stop + 1)], "{}", what());
            }
        }
    }
    assert!(regular > 100_000 && others > 100_000, "{regular} {others}");
}

#[test]
fn every_level_ends_rows_at_the_same_places() {
    let mut random = Random(3986);
    let mut count = 0;
    for _ in 0..20_000 {
        let text = random.rows(b',');
        let mut bit = || random.below(2) == 0;
        let before = Before { is_inside: bit(), separator: bit(), quote: bit() };
        let expected = ends(CpuLevel::best(), &text, b',', before);
        for level in CpuLevel::available().filter(|level| level.name() != "scalar") {
            let found = ends(level, &text, b',', before);
            assert_eq!(found, expected, "{level} {before:?} {}", text.escape_ascii());
            count += usize::from(found.is_some());
        }
    }
    assert!(count > 5_000, "{count}");
}
