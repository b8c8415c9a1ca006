//! Finds the ends of records while the input is read, so that a block of input holds whole records.
//! Not here: the fields of a record.

use std::iter::Peekable;

use memchr::{Memchr, memchr, memchr_iter, memrchr};
use simd_iri::parser::CpuLevel;

use crate::io::archive::{Archive, BEGIN, Event, next_start};
use crate::io::decode::BYTE_ORDER_MARK;
use crate::spans::csv::{self, Before, Known};

/// Finds the ends of records. It sees every byte of a file once, in parts.
#[derive(Clone, Debug)]
pub(crate) enum Cut {
    /// Records end at a byte.
    Byte(u8),
    /// Records end at a newline outside quotes.
    Csv(Quotes),
    /// Parts of running text end at a newline, or at other white space if there is none.
    Text,
    /// The file is one record.
    Whole,
    /// Records have a length.
    Warc(Records),
}

/// The records of an archive that comes in parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    archive: Archive,
    /// How many bytes were read since the last place before which no record can begin: the end of a header, or of a
    /// record.
    since: usize,
}

impl Records {
    /// Does what [`Cut::scan`] does.
    // After a fault, the scan goes back to the first line that may begin a record, if its bytes are here. They are here
    // but for a record that is too long. For example, a length is too large by 20:
    //
    //     WARC/1.1 … 30 … \r\n\r\n 10 bytes \r\n\r\n WARC/1.1 …
    //                             │      content       │ no line breaks: a fault; the search begins at the header's end
    //                                             │ the next record: here the fault ends, and the scan goes on
    fn scan(&mut self, bytes: &[u8], from: usize) -> Ends {
        let mut ends = Ends::default();
        let mut at = from;
        loop {
            let (passed, event) = self.archive.step(bytes.get(at..).unwrap_or_default());
            at += passed;
            self.since = self.since.saturating_add(passed);
            match event {
                None => return ends,
                // What is no record stays with the record after it. So white space alone is at the end of a file.
                Some(Event::Begin) => self.since = BEGIN.len(),
                // The newline at the end of the header may come before the next record.
                Some(Event::Header) => self.since = 1,
                Some(Event::End(_)) => {
                    ends.add(at);
                    self.since = 0;
                }
                Some(Event::Fault(_)) => {
                    let start = at.checked_sub(self.since);
                    let search = start.and_then(|start| bytes.get(start..at));
                    let next = search.and_then(next_start);
                    if let (Some(start), Some(next)) = (start, next) {
                        at = start + next;
                        ends.add(at);
                        *self = Self::default();
                    }
                }
            }
        }
    }

    /// Tells whether a record has begun that has not ended.
    pub(crate) fn is_open(&self) -> bool {
        self.archive.is_open()
    }
}

/// The ends of records in a part of a file: the position after the terminator of the first record that ends there, and
/// of the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) first: Option<usize>,
    pub(crate) last: Option<usize>,
}

impl Ends {
    fn add(&mut self, end: usize) {
        self.first = self.first.or(Some(end));
        self.last = Some(end);
    }
}

impl Cut {
    /// Finds the ends of records in the next part of a file, which begins at `from` in `bytes`. The bytes before it were
    /// scanned before.
    pub(crate) fn scan(&mut self, bytes: &[u8], from: usize) -> Ends {
        let part = bytes.get(from..).unwrap_or_default();
        let ends = match self {
            Self::Byte(separator) => Ends {
                first: memchr(*separator, part).map(|at| at + 1),
                last: memrchr(*separator, part).map(|at| at + 1),
            },
            Self::Csv(quotes) => quotes.scan(part, &mut Known::default()),
            Self::Text => {
                // A word that is too long is cut and not skipped, so only the last end is asked for.
                let is_white = |byte: &u8| b" \t\r".contains(byte);
                let last = memrchr(b'\n', part).or_else(|| part.iter().rposition(is_white));
                let last = last.map(|at| at + 1);
                Ends { first: last, last }
            }
            Self::Whole => Ends::default(),
            Self::Warc(records) => return records.scan(bytes, from),
        };
        Ends { first: ends.first.map(|at| from + at), last: ends.last.map(|at| from + at) }
    }

    /// Does what [`scan`](Self::scan) does. `known` becomes what masks find of the fields of CSV in the part.
    pub(crate) fn scan_fields(&mut self, bytes: &[u8], from: usize, known: &mut Known) -> Ends {
        *known = Known::from(from);
        let Self::Csv(quotes) = self else { return self.scan(bytes, from) };
        let ends = quotes.scan(bytes.get(from..).unwrap_or_default(), known);
        Ends { first: ends.first.map(|at| from + at), last: ends.last.map(|at| from + at) }
    }

    /// Tells whether the file ends within a record, if it ends here. Only of a web archive.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self, Self::Warc(records) if records.is_open())
    }

    /// Returns the position of the quote that is not closed so far, if there is one.
    pub(crate) fn open_quote(&self) -> Option<u64> {
        match self {
            // At the end of a file, a quote that is pending closes the field.
            Self::Csv(quotes) if quotes.is_inside && !quotes.is_pending => Some(quotes.opened),
            _ => None,
        }
    }
}

/// Returns the length of a text without a character that its end cuts.
pub(crate) fn whole_characters(text: &[u8]) -> usize {
    // For example, `ab\xC3` has the length 2, and so has `abé`. The next text then begins with the whole `é`.
    let last = text.iter().rev().take(4).position(|byte| byte & 0xC0 != 0x80);
    let start = last.and_then(|back| text.len().checked_sub(back + 1));
    // The last character is left out even if it is whole, unless it is ASCII, which is never cut.
    let is_ascii = text.last().is_some_and(u8::is_ascii);
    start.filter(|start| *start > 0 && !is_ascii).unwrap_or(text.len())
}

/// The state of a scan of CSV at the start of a part: outside or inside quotes.
///
/// A newline ends a record unless it is inside quotes. A quote opens a field only if the byte before it
/// ends a field or a record; otherwise it is an ordinary byte. So only quotes and the bytes next to them
/// matter, and the scan does not search for delimiters:
///
/// ```text
/// outside: a quote after a delimiter, a newline or nothing opens a field; any other quote is text
/// inside:  a quote before a quote is text, and so is the second; any other quote closes the field
/// ```
///
/// For example, `x,"a""b\nc"\ny"z\n` has two records. The first quote opens a field. The next two quotes are text, and
/// the newline after `b` is inside. The quote after `c` closes the field, and the next newline ends the first record.
/// The last quote is text, because `y` comes before it.
///
/// A part may end between a quote and the byte that decides what the quote is. Then the quote is pending.
#[derive(Clone, Debug)]
pub(crate) struct Quotes {
    delimiter: u8,
    is_inside: bool,
    /// Whether the last byte was a quote inside quotes. It closes the field unless another quote follows.
    is_pending: bool,
    /// The last byte of the part before this part; a newline at the start of the file.
    previous: u8,
    /// The first bytes of the file, where a byte-order mark may be.
    head: [u8; BYTE_ORDER_MARK.len()],
    /// How many bytes came before the part.
    seen: u64,
    /// The position in the file of the quote that opened the field. It counts only inside quotes.
    opened: u64,
}

impl Quotes {
    pub(crate) fn new(delimiter: u8) -> Self {
        let (seen, opened) = (0, 0);
        let (is_inside, is_pending, previous, head) = (false, false, b'\n', [0; 3]);
        Self { delimiter, is_inside, is_pending, previous, head, seen, opened }
    }

    /// Finds the ends of the rows in the next part of a file. Masks find the ends of whole rows, and the loop over single
    /// bytes does the rest. `known` becomes what they find.
    fn scan(&mut self, part: &[u8], known: &mut Known) -> Ends {
        let is_separator = self.previous == self.delimiter || self.previous == b'\n';
        let before = Before {
            is_inside: self.is_inside && !self.is_pending,
            separator: !self.is_inside && is_separator,
            quote: self.is_pending,
        };
        let may_have_mark = self.seen < self.head.len() as u64
            && (self.seen > 0 || part.starts_with(&BYTE_ORDER_MARK));
        let mut quotes = memchr_iter(b'"', part).peekable();
        // Without quotes, the loop is two searches.
        let is_asked = quotes.peek().is_some() && !may_have_mark;
        let search = || csv::ends(CpuLevel::best(), part, self.delimiter, before, known);
        let found = is_asked.then(search).flatten();
        let Some((first, last)) = found else { return self.scan_bytes(part, quotes) };
        (self.is_inside, self.is_pending, self.previous) = (false, false, b'\n');
        self.seen += last as u64;
        let rest = part.get(last..).unwrap_or_default();
        let rest = self.scan_bytes(rest, memchr_iter(b'"', rest).peekable());
        Ends { first: Some(first), last: Some(last + rest.last.unwrap_or(0)) }
    }

    //     for each quote, with the byte before it:
    //         inside, and the quote before it is pending and adjacent: both quotes are text
    //         inside otherwise: this quote is pending
    //         outside: the newlines up to here end records; a quote after a delimiter or a newline opens a field
    //     outside: the newlines after the last quote end records
    //
    // For example, the parts `"a"` and `"b"\n`. After the first part, its second quote is pending. The first byte of
    // the second part is a quote, so both quotes are text. The last quote closes the field, and the newline ends the
    // record.
    fn scan_bytes(&mut self, part: &[u8], quotes: Peekable<Memchr<'_>>) -> Ends {
        let mut ends = Ends::default();
        let seen = usize::try_from(self.seen).unwrap_or(usize::MAX);
        self.head.iter_mut().skip(seen).zip(part).for_each(|(head, byte)| *head = *byte);
        // The first byte after the last quote.
        let mut from = 0;
        for quote in quotes {
            let before = match quote.checked_sub(1) {
                // The first field begins after a byte-order mark.
                _ if seen.saturating_add(quote) == self.head.len()
                    && self.head == BYTE_ORDER_MARK =>
                {
                    b'\n'
                }
                Some(at) => part.get(at).copied().unwrap_or_default(),
                None => self.previous,
            };
            if self.is_inside && self.is_pending && quote == from {
                // The second of two quotes.
                self.is_pending = false;
                from = quote + 1;
                continue;
            }
            self.close();
            if self.is_inside {
                self.is_pending = true;
            } else {
                self.lines(part, from, quote, &mut ends);
                self.is_inside = before == self.delimiter || before == b'\n';
                self.opened = self.seen + quote as u64;
            }
            from = quote + 1;
        }
        if from < part.len() {
            self.close();
        }
        if !self.is_inside {
            self.lines(part, from, part.len(), &mut ends);
        }
        self.previous = part.last().copied().unwrap_or(self.previous);
        self.seen += part.len() as u64;
        ends
    }

    /// Closes the field if a quote is pending.
    fn close(&mut self) {
        if self.is_pending {
            self.is_pending = false;
            self.is_inside = false;
        }
    }

    /// Adds the ends of the records between two positions outside quotes.
    #[expect(clippy::unused_self, reason = "it belongs to the scan outside quotes")]
    fn lines(&self, part: &[u8], from: usize, to: usize, ends: &mut Ends) {
        let part = part.get(from..to).unwrap_or_default();
        if let Some(at) = memchr(b'\n', part) {
            ends.add(from + at + 1);
        }
        if let Some(at) = memrchr(b'\n', part) {
            ends.add(from + at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::format::csv::Row;
    use crate::io::archive::{self, Ending, Fault};
    use crate::random::Random;

    /// The ends of the records of a text, by its rows.
    fn by_rows(text: &[u8]) -> Vec<usize> {
        let (mut at, mut ends) = (0, Vec::new());
        while at < text.len() {
            let mut row = Row::new(b',', text, at);
            while row.next().is_some() {}
            at = row.end;
            if !row.is_open && text[..at].ends_with(b"\n") {
                ends.push(at);
            }
        }
        ends
    }

    type Found = (Range<usize>, Option<Fault>);

    /// The blocks of an archive whose bytes come in parts, as the reader of blocks makes them, and the records and faults
    /// in the blocks.
    fn records_of(archive: &[u8], step: usize) -> (Vec<Found>, bool) {
        let (mut cut, mut block, mut from) = (Cut::Warc(Records::default()), 0, 0);
        let mut found = Vec::new();
        let mut add = |block: Range<usize>, ending| {
            let mut at = block.start;
            while at < block.end && !archive[at..block.end].trim_ascii().is_empty() {
                let first = archive::first(&archive[at..block.end], ending);
                found.push((at..at + first.end, first.fault));
                at += first.end;
            }
        };
        while from < archive.len() {
            let end = (from + step).min(archive.len());
            // The rest of the block before is at the beginning of the buffer.
            if let Some(last) = cut.scan(&archive[block..end], from - block).last {
                add(block..block + last, Ending::Whole);
                block += last;
            }
            from = end;
        }
        let ending = if cut.is_cut() { Ending::Cut } else { Ending::Whole };
        add(block..archive.len(), ending);
        (found, cut.is_cut())
    }

    /// Archives of three records with each wrong length of the first and of the second, with what stands between records
    /// and with a cut, in parts of each length. Only the records whose lengths are right are found, all of them are, and
    /// the parts do not matter.
    #[test]
    fn a_wrong_length_hides_no_record_wherever_a_read_ends() {
        let record = |content: &str, length: usize, breaks: &str| {
            format!("WARC/1.1\r\nContent-Length: {length:02}\r\n\r\n{content}{breaks}")
        };
        let mut archives = 0;
        for breaks in ["\r\n\r\n", "\n\n"] {
            for (between, faults) in [("", 0), ("\r\n", 1), ("WARC\nx\n", 1), (" \n", 1)] {
                for (first, second) in (0..90).map(|n| (n, 4)).chain((0..50).map(|n| (80 - n, n))) {
                    let parts = [
                        record("a\nWA", first, breaks),
                        between.to_owned(),
                        record("bbbb", second, breaks),
                        record("", 0, breaks),
                    ];
                    let archive = parts.concat().into_bytes();
                    let (expected, is_cut) = records_of(&archive, archive.len());
                    // By chance, a wrong length may end before other line breaks.
                    let starts = [0, parts[0].len() + between.len()];
                    let is_chance = |start: usize, length: usize, right: usize| {
                        let end = start + "WARC/1.1\r\nContent-Length: 00\r\n\r\n".len() + length;
                        let rest = archive.get(end..).unwrap_or_default();
                        length != right
                            && (rest.starts_with(b"\r\n\r\n") || rest.starts_with(b"\n\n"))
                    };
                    if is_chance(starts[0], first, 4) || is_chance(starts[1], second, 4) {
                        continue;
                    }
                    for step in [1, 2, 3, 5, 7, 30, 64] {
                        let found = records_of(&archive, step);
                        assert_eq!(found, (expected.clone(), is_cut), "{step} {parts:?}");
                    }
                    let ends = expected.iter().map(|(span, _)| span.end);
                    assert!(ends.eq(
                        expected.iter().skip(1).map(|(span, _)| span.start).chain([archive.len()])
                    ));
                    let mut at = 0;
                    let mut right = Vec::new();
                    for (part, is_right) in parts.iter().zip([first == 4, false, second == 4, true])
                    {
                        right.extend(is_right.then_some((at..at + part.len(), None)));
                        at += part.len();
                    }
                    let good: Vec<_> =
                        expected.iter().filter(|(_, fault)| fault.is_none()).cloned().collect();
                    // A length may be too large for the file: then the file is cut.
                    if is_cut {
                        assert!(right.starts_with(&good), "{parts:?}");
                    } else {
                        assert_eq!(good, right, "{parts:?}");
                        let wrong = usize::from(first != 4) + usize::from(second != 4);
                        let all = expected.len() - good.len();
                        assert!((wrong.max(faults)..=wrong + faults).contains(&all), "{parts:?}");
                    }
                    archives += 1;
                }
            }
        }
        assert!(archives > 1_000);
        // A cut at each byte: no record is found that is not in the whole, and what is open is told.
        let inner = record("x", 1, "\r\n\r\n");
        let whole = record(&inner, inner.len(), "\r\n\r\n") + &record("", 0, "\r\n\r\n");
        let whole = whole.as_bytes();
        let (expected, _) = records_of(whole, whole.len());
        for cut in 0..whole.len() {
            let (found, is_cut) = records_of(&whole[..cut], 7);
            let good = found.iter().filter(|(_, fault)| fault.is_none());
            assert!(good.zip(&expected).all(|(found, expected)| found == expected), "{cut}");
            assert_eq!(is_cut, cut > 0 && expected[0].0.end != cut, "{cut}");
        }
    }

    /// Rows of a few hundred bytes, in parts of any length.
    #[test]
    fn long_rows_end_where_their_fields_do() {
        let mut random = Random(1);
        let mut open = 0;
        for _ in 0..20_000 {
            let text = random.rows(b',');
            let (mut quotes, mut from) = (Quotes::new(b','), 0);
            while from < text.len() {
                let to = (from + 1 + random.below(300)).min(text.len());
                let found = quotes.scan(&text[from..to], &mut Known::default());
                let before = &text[..to];
                let ends = by_rows(before);
                let mut new = ends.iter().filter(|end| **end > from).map(|end| end - from);
                let expected = Ends { first: new.next(), last: new.next_back() };
                let expected = Ends { last: expected.last.or(expected.first), ..expected };
                assert_eq!(found, expected, "{} {from}", before.escape_ascii());
                // The quote that is open is the first byte of the last field.
                let mut row = Row::new(b',', before, ends.last().copied().unwrap_or(0));
                let last =
                    row.by_ref().last().filter(|_| row.is_open).map(|field| field.start as u64);
                assert_eq!(
                    Cut::Csv(quotes.clone()).open_quote(),
                    last,
                    "{}",
                    before.escape_ascii()
                );
                open += u32::from(last.is_some());
                from = to;
            }
        }
        assert!(open > 2_000, "{open}");
    }

    /// Every text of up to seven bytes that matter, cut into two parts at every place, with a byte-order mark and without.
    #[test]
    fn rows_end_where_their_fields_do() {
        let bytes = *b"\",\na";
        for length in 1..=7 {
            for number in 0..2 * bytes.len().pow(length) {
                let mark = if number % 2 == 0 { &BYTE_ORDER_MARK[..] } else { &[] };
                let digit = |place| bytes[number / 2 / bytes.len().pow(place) % bytes.len()];
                let rows: Vec<u8> = (0..length).map(digit).collect();
                let expected: Vec<_> = by_rows(&rows).iter().map(|end| mark.len() + end).collect();
                let text = [mark, &rows].concat();
                for cut in 0..text.len() {
                    let mut quotes = Quotes::new(b',');
                    let (a, b) = text.split_at(cut);
                    let (first, second) = (
                        quotes.scan(a, &mut Known::default()),
                        quotes.scan(b, &mut Known::default()),
                    );
                    let last = second.last.map(|at| at + cut).or(first.last);
                    let start = first.first.or(second.first.map(|at| at + cut));
                    assert_eq!(last, expected.last().copied(), "{:?} {cut}", text.escape_ascii());
                    assert_eq!(start, expected.first().copied(), "{:?} {cut}", text.escape_ascii());
                }
            }
        }
    }
}
