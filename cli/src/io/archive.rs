//! Where the records of a web archive begin and end (WARC, ISO 28500): after a header of lines, a content of a stated
//! length and two line breaks. Each reader of archives asks here. Not here: what a record holds, which is in `format`.
//!
//! A length may lie. It is wrong if no line breaks come after the content. Then the record is a fault, which ends where
//! the next line begins with `WARC/`. So a record that is not one hides no other:
//!
//! ```text
//! Start ──WARC/──▶ Header ──empty line──▶ Content ──stated length──▶ Breaks ──▶ Start
//!   │                 │                                                 │
//!   └─────────────────┴──────── a fault ──▶ Lost ◀─────────────────────┘
//!                                             └──a line begins with WARC/──▶ Header
//! ```
//!
//! A reader that has the bytes of a fault goes back to the first line with `WARC/` after its header ([`next_start`]),
//! because a length that is too large has hidden the records in the content. A record that the end of the file cuts is
//! not searched: its content may hold lines of another archive.

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

/// How each record begins.
pub(crate) const BEGIN: &[u8] = b"WARC/";

/// The most bytes of a header. A longer header has no end.
const LONGEST_HEADER: usize = 1 << 20;

/// The line breaks after a content. Old tools write the shorter ones.
const BREAKS: [&[u8]; 2] = [b"\r\n\r\n", b"\n\n"];

/// The place in an archive that comes in parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Archive {
    state: State,
    /// In a header: its bytes so far, and where its last line begins.
    header: Vec<u8>,
    line: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Between two records. So many bytes of [`BEGIN`] were read.
    Start(usize),
    /// Between two records, after bytes that are only white space. Whether the last byte was a newline.
    Blank(bool),
    Header,
    /// In the content: how many bytes are to come. If its last line is a beginning of [`BEGIN`], how many bytes it has.
    Content(u64, Option<usize>),
    /// In the line breaks after the content: which, and how many bytes of them were read.
    Breaks(&'static [u8], usize),
    /// After a fault. In the beginning of a line: how many bytes of [`BEGIN`] it has.
    Lost(Option<usize>),
}

impl Default for State {
    fn default() -> Self {
        Self::Start(0)
    }
}

/// What is at the end of the bytes that were passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The first bytes of a record, [`BEGIN`].
    Begin,
    /// The end of a header.
    Header,
    /// The end of a record. The line breaks after its content have so many bytes.
    End(usize),
    Fault(Fault),
}

/// Why bytes are not a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    NoBegin,
    OpenHeader,
    NoLength,
    /// No line breaks come after the content, or the file ends before them.
    WrongLength,
}

impl Fault {
    /// Returns what is wrong.
    pub(crate) const fn message(self) -> &'static str {
        match self {
            Self::NoBegin => "a record begins with WARC/",
            Self::OpenHeader => "the header of the record has no end",
            Self::NoLength => "the header has no Content-Length",
            Self::WrongLength => {
                "the record does not end where its Content-Length says, with two line breaks; the length is wrong, or \
                 the file is cut"
            }
        }
    }
}

impl Archive {
    /// Passes bytes of the archive up to the next event, and returns how many it has passed. Without an event, all
    /// bytes are passed.
    // For example, a header says `Content-Length: 2`:
    //
    //     part                          passed, event
    //     WARC/1.1\r\n…\r\n\r\nab\r     5, Begin
    //     1.1\r\n…\r\n\r\nab\r          up to the empty line, Header
    //     ab\r                          3, none: one break of four bytes has begun
    //     \n\r\nx                       3, End(4)
    //     x                             0, Fault(NoBegin)
    //
    // Invariant: `header` has at most `LONGEST_HEADER` bytes and a line.
    pub(crate) fn step(&mut self, part: &[u8]) -> (usize, Option<Event>) {
        let mut at = 0;
        while let Some((&byte, rest)) = part.get(at..).and_then(<[u8]>::split_first) {
            let event = match self.state {
                State::Start(0) | State::Blank(_) if byte.is_ascii_whitespace() => {
                    at += 1;
                    self.state = State::Blank(byte == b'\n');
                    None
                }
                State::Start(matched) if BEGIN.get(matched) == Some(&byte) => {
                    at += 1;
                    self.matched(matched + 1, State::Start)
                }
                State::Start(_) => Some(self.lose(Fault::NoBegin, None)),
                // The bytes before this byte are not a record. It may begin one.
                State::Blank(newline) => Some(self.lose(Fault::NoBegin, newline.then_some(0))),
                State::Lost(Some(matched)) if BEGIN.get(matched) == Some(&byte) => {
                    at += 1;
                    self.matched(matched + 1, |matched| State::Lost(Some(matched)))
                }
                State::Lost(_) => {
                    let newline = memchr(b'\n', part.get(at..).unwrap_or_default());
                    at += newline.map_or(rest.len() + 1, |newline| newline + 1);
                    self.state = State::Lost(newline.map(|_| 0));
                    None
                }
                State::Header => {
                    let newline = memchr(b'\n', part.get(at..).unwrap_or_default());
                    let end = newline.map_or(part.len(), |newline| at + newline + 1);
                    self.header.extend_from_slice(part.get(at..end).unwrap_or_default());
                    at = end;
                    self.header_event(newline.is_some())
                }
                State::Content(0, line) => {
                    match BREAKS.into_iter().find(|breaks| breaks.first() == Some(&byte)) {
                        Some(breaks) => {
                            self.state = State::Breaks(breaks, 0);
                            None
                        }
                        None => Some(self.lose(Fault::WrongLength, line)),
                    }
                }
                State::Content(missing, line) => {
                    let here = rest.len() + 1;
                    let taken = usize::try_from(missing).map_or(here, |missing| missing.min(here));
                    let content = part.get(at..at + taken).unwrap_or_default();
                    at += taken;
                    self.state = State::Content(missing - taken as u64, last_line(line, content));
                    None
                }
                State::Breaks(breaks, read) if breaks.get(read) == Some(&byte) => {
                    at += 1;
                    let is_end = read + 1 == breaks.len();
                    self.state =
                        if is_end { State::Start(0) } else { State::Breaks(breaks, read + 1) };
                    is_end.then_some(Event::End(breaks.len()))
                }
                State::Breaks(breaks, read) => {
                    let newline =
                        read.checked_sub(1).and_then(|last| breaks.get(last)) == Some(&b'\n');
                    Some(self.lose(Fault::WrongLength, newline.then_some(0)))
                }
            };
            if event.is_some() {
                return (at, event);
            }
        }
        (at, None)
    }

    /// Goes on after a byte of [`BEGIN`].
    fn matched(&mut self, matched: usize, state: impl Fn(usize) -> State) -> Option<Event> {
        if matched < BEGIN.len() {
            self.state = state(matched);
            return None;
        }
        self.state = State::Header;
        self.header = BEGIN.to_vec();
        self.line = 0;
        Some(Event::Begin)
    }

    fn lose(&mut self, fault: Fault, line: Option<usize>) -> Event {
        self.state = State::Lost(line);
        self.header.clear();
        Event::Fault(fault)
    }

    /// Looks at the last line of a header, which may have its end.
    fn header_event(&mut self, is_line: bool) -> Option<Event> {
        let line = self.header.get(self.line..).unwrap_or_default();
        if is_line && line.trim_ascii_end().is_empty() {
            let Some(length) = content_length(&self.header) else {
                return Some(self.lose(Fault::NoLength, Some(0)));
            };
            self.state = State::Content(length, Some(0));
            self.header.clear();
            return Some(Event::Header);
        }
        let is_next = self.line > 0 && is_line && line.starts_with(BEGIN);
        if is_next || self.header.len() > LONGEST_HEADER {
            return Some(self.lose(Fault::OpenHeader, is_line.then_some(0)));
        }
        if is_line {
            self.line = self.header.len();
        }
        None
    }

    /// Passes the next bytes of the archive up to the end of a record. Returns the position after it, or `None` if the
    /// record goes on in the next part: then all bytes are passed. What is not a record belongs to the record after it.
    pub(crate) fn end(&mut self, part: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let (passed, event) = self.step(part.get(at..).unwrap_or_default());
            at += passed;
            match event {
                Some(Event::End(_)) => return Some(at),
                Some(_) => {}
                None => return None,
            }
        }
    }

    /// Tells whether a record has begun that has not ended. At the end of a file, the file is cut.
    pub(crate) fn is_open(&self) -> bool {
        match self.state {
            State::Start(matched) => matched > 0,
            State::Header | State::Content(..) | State::Breaks(..) => true,
            State::Blank(_) | State::Lost(_) => false,
        }
    }
}

/// Returns the length of the last line of a text, if the line is a beginning of [`BEGIN`] and shorter; `before` is that of
/// the text before it.
fn last_line(before: Option<usize>, text: &[u8]) -> Option<usize> {
    // A longer line is no beginning.
    let tail = text.get(text.len().saturating_sub(BEGIN.len())..).unwrap_or_default();
    let (length, line) = match memrchr(b'\n', tail) {
        Some(newline) => (0, tail.get(newline + 1..)?),
        None => (before?, text),
    };
    let end = length.checked_add(line.len()).filter(|end| *end < BEGIN.len())?;
    (BEGIN.get(length..end) == Some(line)).then_some(end)
}

/// Where the next record begins after a fault: the first line that begins with [`BEGIN`]. The first byte of `bytes` is
/// in the line before it.
pub(crate) fn next_start(bytes: &[u8]) -> Option<usize> {
    memmem::find(bytes, b"\nWARC/").map(|newline| newline + 1)
}

/// Whether the file is cut within the last record of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ending {
    #[default]
    Whole,
    Cut,
}

/// The first record of some bytes, or what stands in its place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct First {
    /// The length of the header.
    pub(crate) header: usize,
    /// The end of the content.
    pub(crate) content: usize,
    pub(crate) end: usize,
    pub(crate) fault: Option<Fault>,
}

/// Finds the first record of some bytes, or the fault at their beginning.
pub(crate) fn first(bytes: &[u8], ending: Ending) -> First {
    let mut archive = Archive::default();
    let (mut at, mut header) = (0, 0);
    let (fault, is_cut) = loop {
        let (passed, event) = archive.step(bytes.get(at..).unwrap_or_default());
        at += passed;
        match event {
            Some(Event::Begin) => {}
            Some(Event::Header) => header = at,
            Some(Event::End(breaks)) => {
                return First { header, content: at - breaks, end: at, fault: None };
            }
            Some(Event::Fault(fault)) => break (fault, false),
            None if header > 0 => break (Fault::WrongLength, ending == Ending::Cut),
            None => break (Fault::OpenHeader, ending == Ending::Cut),
        }
    };
    let searched = bytes.get(header.saturating_sub(1)..).filter(|_| !is_cut);
    let next = searched.and_then(next_start).map(|next| header.saturating_sub(1) + next);
    let end = next.unwrap_or(bytes.len());
    First { header, content: end, end, fault: Some(fault) }
}

/// Returns the number of bytes of the content.
pub(crate) fn content_length(header: &[u8]) -> Option<u64> {
    let value = header.get(value(header, "content-length")?)?;
    // `parse` takes a sign too.
    let digits = std::str::from_utf8(value).ok().filter(|_| value.iter().all(u8::is_ascii_digit));
    digits?.parse().ok()
}

/// Returns the span of the value of a field, without the white space around it.
pub(crate) fn value(header: &[u8], name: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in header.split_inclusive(|byte| *byte == b'\n') {
        let colon = memchr(b':', line);
        let found = colon.and_then(|colon| line.split_at_checked(colon));
        if let Some((found, value)) = found {
            if found.eq_ignore_ascii_case(name.as_bytes()) {
                let value = value.get(1..)?;
                let start = at + found.len() + 1 + value.len() - value.trim_ascii_start().len();
                return Some(start..start + value.trim_ascii().len());
            }
        }
        at += line.len();
    }
    None
}
