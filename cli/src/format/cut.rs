//! Finds the ends of records while the input is read, so that a block of input holds whole records.
//! Not here: the fields of a record.

use memchr::{memchr, memchr_iter, memrchr};

use crate::io::archive::Archive;
use crate::io::decode::BYTE_ORDER_MARK;

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
    Warc(Archive),
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
    /// Finds the ends of records in the next part of a file.
    pub(crate) fn scan(&mut self, part: &[u8]) -> Ends {
        match self {
            Self::Byte(separator) => Ends {
                first: memchr(*separator, part).map(|at| at + 1),
                last: memrchr(*separator, part).map(|at| at + 1),
            },
            Self::Csv(quotes) => quotes.scan(part),
            Self::Text => {
                // A word that is too long is cut and not skipped, so only the last end is asked for.
                let is_white = |byte: &u8| b" \t\r".contains(byte);
                let last = memrchr(b'\n', part).or_else(|| part.iter().rposition(is_white));
                let last = last.map(|at| at + 1);
                Ends { first: last, last }
            }
            Self::Whole => Ends::default(),
            Self::Warc(archive) => {
                let mut ends = Ends::default();
                let mut at = 0;
                while let Some(end) = archive.end(part.get(at..).unwrap_or_default()) {
                    at += end;
                    ends.add(at);
                }
                ends
            }
        }
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

    //     for each quote, with the byte before it:
    //         inside, and the quote before it is pending and adjacent: both quotes are text
    //         inside otherwise: this quote is pending
    //         outside: the newlines up to here end records; a quote after a delimiter or a newline opens a field
    //     outside: the newlines after the last quote end records
    //
    // For example, the parts `"a"` and `"b"\n`. After the first part, its second quote is pending. The first byte of
    // the second part is a quote, so both quotes are text. The last quote closes the field, and the newline ends the
    // record.
    fn scan(&mut self, part: &[u8]) -> Ends {
        let mut ends = Ends::default();
        let seen = usize::try_from(self.seen).unwrap_or(usize::MAX);
        self.head.iter_mut().skip(seen).zip(part).for_each(|(head, byte)| *head = *byte);
        // The first byte after the last quote.
        let mut from = 0;
        for quote in memchr_iter(b'"', part) {
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
    use super::*;
    use crate::format::csv::Row;

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
                    let (first, second) = (quotes.scan(a), quotes.scan(b));
                    let last = second.last.map(|at| at + cut).or(first.last);
                    let start = first.first.or(second.first.map(|at| at + cut));
                    assert_eq!(last, expected.last().copied(), "{:?} {cut}", text.escape_ascii());
                    assert_eq!(start, expected.first().copied(), "{:?} {cut}", text.escape_ascii());
                }
            }
        }
    }
}
