//! The middle of a large file of lines: workers claim parts of it, and each worker reads its own part. Not here: the
//! first block and the end of the file, which the reader reads (`reader.rs`).

/*
# The algorithm

A claim is a part of `CLAIM` bytes. A record belongs to the claim in which it begins. So a claim is read from the byte before
it to the end of its last record:

    file     a  b  \n c  d  e  \n f  \n g  h  i  \n j  k  \n
    claims            |  claim 1        |  claim 2        |
    records              `cde\n` `f\n`     `ghi\n` `jk\n`

    read the byte before the claim, the claim, and `TAIL` bytes after it
    start = after the first separator from the byte before the claim on; if there is none before the last byte of the claim,
            no record begins in the claim
    end   = after the first separator from the last byte of the claim on
    while no separator is there: read more; if the record is longer than allowed, it is skipped (`skip.rs`)

Both rules ask for a separator from the same byte on, so a claim begins where the claim before it has ended.

The line in which a claim begins is known when all claims before it are read (`lines.rs`), and only who prints a line waits for
it.

CSV has no claims. Whether a newline ends a row depends on all quotes before it, so each claim waits for the claim before it. Tried
with eight threads on two cores: the workers sleep in a row, 1.6 to 4 of them want a processor, and `check --count` takes 1.2 to 1.3 times
the time that it takes with a reader that reads and cuts block after block, where 7.7 do.

# Invariants

- A claim ends before the end of the file, as it was when it was opened. A file that ends in a claim has become shorter. The
  claim that sees it first reports it, and no claim that is read later has records.
- Whoever takes a claim adds its lines, also after an error. So each wait ends.
*/

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::{memchr, memrchr};

use crate::format::cut::Cut;
use crate::invariant::present;
use crate::io::at::At;
use crate::output::progress;
use crate::pipe::block::{self, Block, Step, separators};
use crate::pipe::lines::{Line, Lines};
use crate::pipe::long::Long;
use crate::pipe::skip::Skip;

/// How many bytes a claim has. They stay in the second-level cache until they are processed.
const CLAIM: usize = 1 << 18;

/// How many bytes after the claim are read with it.
const TAIL: usize = 1 << 14;

/// A large file whose records are read by claims.
pub(crate) struct Plain {
    pub(crate) file: Arc<block::File>,
    pub(crate) bytes: Arc<File>,
    /// Its length when it was opened.
    pub(crate) length: u64,
    /// The most bytes of a record.
    pub(crate) longest: usize,
    /// The most bytes of a record with its separator.
    pub(crate) most: usize,
    pub(crate) wants_long: bool,
    /// Whether records of another file may follow.
    pub(crate) is_followed: bool,
}

/// The claims of a file that no worker has taken.
pub(crate) struct Claims {
    shared: Arc<Shared>,
    number: usize,
    next: u64,
    end: u64,
}

struct Shared {
    plain: Plain,
    lines: Arc<Lines>,
    /// Whether the file has become shorter, or cannot be read.
    has_failed: AtomicBool,
}

/// The end of a file, from the first record on that begins after the claims.
pub(crate) struct Rest {
    /// Its first bytes.
    pub(crate) bytes: Vec<u8>,
    pub(crate) offset: u64,
    pub(crate) line: u64,
    /// The bytes after these; `None` if a claim has failed, so that nothing after it is read.
    pub(crate) source: Option<At>,
}

/// A part of a file that a worker reads.
pub(crate) struct Claim {
    shared: Arc<Shared>,
    number: usize,
    from: u64,
}

/// The records of a claim in its buffer, and what else the claim has.
struct Found {
    buffer: Vec<u8>,
    records: Range<usize>,
    long: Option<Long>,
    /// How many lines the records have.
    lines: u64,
    /// How many lines the long record has.
    more: u64,
}

impl Found {
    fn nothing(buffer: Vec<u8>) -> Self {
        Self { buffer, records: 0..0, long: None, lines: 0, more: 0 }
    }
}

impl Claims {
    /// Returns the claims from an offset on, where a record begins in this line; `None` if the file is not large or records
    /// in a claim may be too long.
    pub(crate) fn new(plain: Plain, from: u64, line: u64) -> Option<Self> {
        // The end of the file is after the last claim.
        let count = (plain.length.checked_sub(from)? / CLAIM as u64).checked_sub(1)?;
        let is_wanted = count > 0 && from > 0 && plain.most >= CLAIM + TAIL;
        let (lines, has_failed) = (Arc::new(Lines::new(line)), AtomicBool::new(false));
        let shared = Arc::new(Shared { plain, lines, has_failed });
        is_wanted.then(|| Self { shared, number: 0, next: from, end: from + count * CLAIM as u64 })
    }

    /// Takes the next claim.
    pub(crate) fn take(&mut self) -> Option<Claim> {
        let (from, number) = (self.next, self.number);
        let shared = (from < self.end).then(|| Arc::clone(&self.shared))?;
        self.next += CLAIM as u64;
        self.number += 1;
        Some(Claim { shared, number, from })
    }

    /// Returns what comes after the claims, which are all taken. This waits until they are read.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn rest(&self) -> io::Result<Rest> {
        let Shared { plain, lines, has_failed } = &*self.shared;
        let line = lines.start(self.number);
        if has_failed.load(Ordering::Acquire) {
            return Ok(Rest { bytes: Vec::new(), offset: self.end, line, source: None });
        }
        let (file, offset) = (Arc::clone(&plain.bytes), self.end - 1);
        let mut source = At { file, offset, counts: true };
        let mut bytes = vec![0; CLAIM];
        loop {
            let filled = source.fill(&mut bytes, 0)?;
            bytes.truncate(filled);
            let start = memchr(plain.file.separator, &bytes).map(|at| at + 1);
            if start.is_some() || filled < CLAIM {
                bytes.drain(..start.unwrap_or(filled));
                let offset = source.offset - bytes.len() as u64;
                return Ok(Rest { bytes, offset, line, source: Some(source) });
            }
        }
    }
}

impl Claim {
    /// Reads the records of the claim.
    pub(crate) fn read(self, buffer: Vec<u8>) -> Step {
        let Shared { plain, lines, has_failed } = &*self.shared;
        let found = match has_failed.load(Ordering::Acquire) {
            true => Ok(Found::nothing(buffer)),
            false => self.find(buffer),
        };
        progress::add(CLAIM as u64);
        lines.add(self.number, found.as_ref().map_or(0, |found| found.lines + found.more));
        match found {
            Ok(found) => Step::Block(self.block(found)),
            Err(_) if has_failed.swap(true, Ordering::AcqRel) => {
                Step::Block(self.block(Found::nothing(Vec::new())))
            }
            Err(error) => {
                let line = lines.start(self.number).saturating_sub(1);
                Step::Trouble(format!("{}: after line {line}: {error}", plain.file.name))
            }
        }
    }

    /// Finds the records of the claim.
    fn find(&self, mut buffer: Vec<u8>) -> io::Result<Found> {
        let plain = &self.shared.plain;
        let separator = plain.file.separator;
        let (file, offset) = (Arc::clone(&plain.bytes), self.from - 1);
        let mut source = At { file, offset, counts: false };
        // The memory of a long record is not kept.
        if buffer.len() > 4 * CLAIM {
            buffer = Vec::new();
        }
        buffer.resize(CLAIM + TAIL, 0);
        let mut filled = source.fill(&mut buffer, 0)?;
        self.check(&source, filled == buffer.len())?;
        let (claim, mut searched) = (present(buffer.get(..CLAIM)), CLAIM);
        let Some((start, last)) = memchr(separator, claim).zip(memrchr(separator, claim)) else {
            return Ok(Found::nothing(buffer));
        };
        let (start, last) = (start + 1, last + 1);
        let end = loop {
            if let Some(at) = memchr(separator, present(buffer.get(searched..filled))) {
                break searched + at + 1;
            }
            searched = filled;
            if filled < buffer.len() {
                // The file ends in the record.
                buffer.truncate(filled);
                buffer.extend(plain.is_followed.then_some(separator));
                break buffer.len();
            }
            let room = (2 * filled).min(last.saturating_add(plain.most));
            if room == filled {
                return self.skip(buffer, start..last, &mut source);
            }
            buffer.try_reserve_exact(room - filled)?;
            buffer.resize(room, 0);
            filled = source.fill(&mut buffer, filled)?;
            self.check(&source, filled == buffer.len())?;
        };
        let lines = separators(separator, present(buffer.get(start..end)));
        Ok(Found { buffer, records: start..end, long: None, lines, more: 0 })
    }

    /// Checks that a source has not ended before the end of the file, as it was when the file was opened.
    fn check(&self, source: &At, has_read_all: bool) -> io::Result<()> {
        if has_read_all || source.offset >= self.shared.plain.length {
            return Ok(());
        }
        Err(io::Error::other("the file has become shorter while it was read"))
    }

    /// Skips the record after these records, which is not worked on. The buffer has its first bytes.
    #[cold]
    fn skip(&self, buffer: Vec<u8>, records: Range<usize>, source: &mut At) -> io::Result<Found> {
        let Plain { file, longest, wants_long, is_followed, .. } = &self.shared.plain;
        let lines = separators(file.separator, present(buffer.get(records.clone())));
        let line = self.shared.lines.start(self.number) + lines;
        let long = Long::new(*longest, line, *wants_long)?;
        let mut part = present(buffer.get(records.end..)).to_vec();
        let mut skip = Skip {
            source,
            cut: &mut Cut::Byte(file.separator),
            separator: file.separator,
            is_followed: *is_followed,
            offset: self.from - 1 + records.end as u64,
            line,
            is_end: false,
            failure: None,
        };
        let filled = part.len();
        let (long, _) = skip.read(long, &mut part, filled, 0)?;
        let Skip { line: next, failure, is_end, .. } = skip;
        failure.map_or(Ok(()), Err)?;
        self.check(source, !is_end)?;
        Ok(Found { buffer, records, long: Some(long), lines, more: next - line })
    }

    /// Returns the block of the records.
    fn block(&self, found: Found) -> Block {
        let Found { buffer, records, long, lines: separators, .. } = found;
        let Shared { plain, lines, .. } = &*self.shared;
        let line = Line::Part(Arc::clone(lines), self.number);
        let whole = Block::whole(Arc::clone(&plain.file), buffer, line, false);
        let (head, offset) = (records.start..records.start, self.from - 1);
        Block { range: records, head, separators, offset, long, ..whole }
    }
}
