//! Decompresses the members of a gzip file by several threads. Web archives and the files of `bgzip` have thousands of
//! members, each of which is compressed alone (RFC 1952, section 2.2). Not here: what a member is (`gzip.rs`).
//!
//! Law: the bytes and the error are those of [`Members`] on the same file.

/*
# The algorithm

The compressed bytes are cut into pieces of equal length. A thread takes the next piece, searches the first place where a
member may begin, and decompresses all members that begin in the piece. The last may end in a later piece:

    pieces      |   0       |   1       |   2       |
    members     [ a ][ b   ][ c ][ d         ][ e ]
    thread 1    a b                                    from 0 to the start of c
    thread 2                  c d                      from c to the start of e

A compressed body may hold the first bytes of a member, and even a whole member in a stored block. So what a thread found
is a guess. The reader joins the pieces: it knows the offset where the next member begins, because all members before it
were read.

    piece = the piece in which the next member begins
    if the thread began at the next member: take its bytes; the next member begins where the thread ended
    otherwise: decompress the members of this piece here

A thread gives up a piece after `MOST` bytes of text and after `TRIES` places, so the memory is bounded, and a file of first
bytes of members is not dear: the reader then decompresses these members in small parts.

The threads start when the first member has ended before the end of the file. So a file of one member has no threads.

# Invariants

- The reader delivers only bytes of members that begin where the member before has ended.
- No thread takes a piece more than `threads + 2` pieces after that of the reader.
- Each piece that is taken gets a result, and the reader waits only for pieces that are taken or will be.
*/

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use memchr::memmem;

use crate::invariant::present;
use crate::io::at::At;
use crate::io::gzip::Members;
use crate::output::progress;

/// How many compressed bytes a piece has.
const PIECE: u64 = 1 << 19;

/// How many bytes of text a thread keeps of a piece.
const MOST: usize = 16 << 20;

/// How many places of a piece a thread tries. Other bytes look like the begin of a member once in 16 MB.
const TRIES: usize = 16;

/// The least room for a read.
const ROOM: usize = 1 << 16;

/// How a member begins.
const BEGIN: &[u8] = b"\x1F\x8B\x08";

/// A gzip file whose members are decompressed by several threads.
pub(crate) struct Pieces {
    common: Arc<Common>,
    /// The length of the file when it was opened.
    length: u64,
    threads: usize,
    has_threads: bool,
    /// The offset where the next member begins.
    next: u64,
    /// The members that are decompressed here, and the offset of the first.
    here: Option<(Members<At>, u64)>,
    /// The text of the last piece, and how much of it was read.
    text: (Vec<u8>, usize),
}

/// What the threads share.
struct Common {
    file: Arc<File>,
    state: Mutex<Claims>,
    moved: Condvar,
}

#[derive(Default)]
struct Claims {
    /// The piece that is taken next.
    next: u64,
    /// The piece of the reader.
    reader: u64,
    results: BTreeMap<u64, Option<Guess>>,
    /// The memory of texts that were read.
    spare: Vec<Vec<u8>>,
    is_over: bool,
}

/// The members that a thread found in a piece.
struct Guess {
    start: u64,
    end: u64,
    text: Vec<u8>,
}

impl Pieces {
    /// Returns the text of a file, which is decompressed by at most this many threads.
    pub(crate) fn new(file: File, threads: usize) -> Self {
        let length = file.metadata().map_or(0, |data| data.len());
        let (state, moved) = (Mutex::default(), Condvar::new());
        let common = Arc::new(Common { file: Arc::new(file), state, moved });
        let mut pieces = Self {
            common,
            length,
            threads,
            has_threads: false,
            next: 0,
            here: None,
            text: Default::default(),
        };
        // The first member.
        pieces.read_here(0);
        pieces
    }

    /// Decompresses the next members here: those that begin before `limit`, and the first.
    fn read_here(&mut self, limit: u64) {
        let file = Arc::clone(&self.common.file);
        let at = At { file, offset: self.next, counts: true };
        let limit = limit.saturating_sub(self.next);
        self.here = Some((Members::before(at, limit), self.next));
    }

    /// Goes on to the next member, which begins at `next`. Returns whether there is one.
    fn go_on(&mut self) -> io::Result<bool> {
        let length = self.common.file.metadata()?.len();
        if self.next == length || self.next == self.length && length < self.length {
            return Ok(false);
        }
        if self.next > length {
            let message = "the file became shorter while it was read";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        let piece = self.next / PIECE;
        if !self.has_threads {
            self.has_threads = true;
            self.common.lock().next = piece;
            for _ in 0..self.threads {
                let common = Arc::clone(&self.common);
                let window = self.threads as u64 + 2;
                // Without threads, the reader does all.
                if std::thread::Builder::new().spawn(move || work(&common, window)).is_err() {
                    self.threads = 0;
                    break;
                }
            }
        }
        let found = if self.threads > 0 { self.common.wait(piece) } else { None };
        match found.filter(|found| found.start == self.next) {
            Some(Guess { end, text, .. }) => {
                progress::add(end - self.next);
                self.next = end;
                let (before, _) = std::mem::replace(&mut self.text, (text, 0));
                self.common.lock().spare.push(before);
            }
            None => self.read_here((piece + 1) * PIECE),
        }
        Ok(true)
    }
}

impl Read for Pieces {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let (text, taken) = &mut self.text;
            let count = present(text.get(*taken..)).read(room)?;
            *taken += count;
            if count > 0 || room.is_empty() {
                return Ok(count);
            }
            if let Some((members, start)) = &mut self.here {
                let count = members.read(room)?;
                if count > 0 {
                    return Ok(count);
                }
                self.next = *start + members.end();
                self.here = None;
            }
            if !self.go_on()? {
                return Ok(0);
            }
        }
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        self.common.lock().is_over = true;
        self.common.moved.notify_all();
    }
}

impl Common {
    fn lock(&self) -> MutexGuard<'_, Claims> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the result of a piece, and takes it. If it was taken before, there is none.
    fn wait(&self, piece: u64) -> Option<Guess> {
        let mut state = self.lock();
        if state.reader > piece {
            return None;
        }
        // From here on, the reader asks only for later pieces.
        state.reader = piece + 1;
        state.next = state.next.max(piece);
        state.results.retain(|number, _| *number >= piece);
        self.moved.notify_all();
        let mut state = self
            .moved
            .wait_while(state, |state| !state.results.contains_key(&piece))
            .unwrap_or_else(PoisonError::into_inner);
        state.results.remove(&piece).flatten()
    }
}

/// Takes pieces until the reader is dropped.
fn work(common: &Arc<Common>, window: u64) {
    loop {
        let state = common.moved.wait_while(common.lock(), |state| {
            !state.is_over && state.next >= state.reader + window
        });
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.is_over {
            return;
        }
        let piece = state.next;
        state.next += 1;
        let memory = state.spare.pop().unwrap_or_default();
        drop(state);
        let found = find(common, piece, memory);
        let mut state = common.lock();
        if piece + 1 >= state.reader {
            state.results.insert(piece, found);
        }
        drop(state);
        common.moved.notify_all();
    }
}

/// Decompresses the members that begin in a piece into `text`. Returns `None` if no member begins there, or if the text is too
/// long.
fn find(common: &Arc<Common>, piece: u64, mut text: Vec<u8>) -> Option<Guess> {
    let (start, limit) = (piece * PIECE, (piece + 1) * PIECE);
    // A member that begins at the end of the piece goes on after it.
    let mut bytes = Vec::new();
    let at = |offset| At { file: Arc::clone(&common.file), offset, counts: false };
    at(start).take(PIECE + BEGIN.len() as u64).read_to_end(&mut bytes).ok()?;
    // All tries together are bounded, too.
    let mut left = MOST;
    for place in memmem::find_iter(&bytes, BEGIN).take(TRIES) {
        let first = start + place as u64;
        if first >= limit || bytes.get(place + BEGIN.len()).is_some_and(|flags| flags & 0xE0 != 0) {
            continue;
        }
        let mut members = Members::before(at(first), limit - first);
        // How much of the memory is text, how much of this is text of whole members, and where these end.
        let (mut length, mut whole) = (0, (0, 0));
        let outcome = loop {
            if text.len() < length + ROOM {
                text.resize(length + 16 * ROOM, 0);
            }
            let read = members.read(present(text.get_mut(length..)));
            if members.end() > whole.1 {
                whole = (length, members.end());
            }
            match read {
                Ok(0) => break Ok(length),
                Ok(count) if count > left => return None,
                Ok(count) => (left, length) = (left - count, length + count),
                Err(error) => break Err(error),
            }
        };
        // A member that is wrong does not make the members before it wrong.
        if outcome.is_ok() || whole.1 > 0 {
            text.truncate(outcome.unwrap_or(whole.0));
            return Some(Guess { start: first, end: first + members.end(), text });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};
    use std::time::{Duration, Instant};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::random::Random;

    fn gzip(text: &[u8], level: u32) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::new(level));
        gzip.write_all(text).unwrap();
        gzip.finish().unwrap()
    }

    /// Bytes that do not become shorter.
    fn noise(random: &mut Random, length: usize) -> Vec<u8> {
        (0..length).map(|_| random.below(256) as u8).collect()
    }

    /// Members of many lengths: empty, of one byte, and longer than a piece; text, noise, and members in stored blocks.
    fn members(random: &mut Random) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..1 + random.below(60) {
            let length = [0, 1, 300, 20_000, 200_000, 900_000][random.below(6)];
            let text = match random.below(3) {
                0 => b"http://a.example/ ".iter().copied().cycle().take(length).collect(),
                1 => noise(random, length / 4),
                // A whole member is a part of a stored block.
                _ => {
                    [noise(random, 9), gzip(&noise(random, length / 4), 6), BEGIN.to_vec()].concat()
                }
            };
            bytes.extend(gzip(&text, random.below(2) as u32 * 6));
            bytes.extend(vec![0; [0, 0, 0, 1, 70_000][random.below(5)]]);
        }
        bytes
    }

    #[test]
    fn the_text_is_that_of_one_thread() {
        let random = &mut Random(1952);
        let (mut long, mut failed) = (0, 0);
        for round in 0..24 {
            let mut bytes = members(random);
            // Whole, cut off, damaged, or with other bytes at the end.
            match round % 4 {
                1 => bytes.truncate(random.below(bytes.len())),
                2 => {
                    let place = random.below(bytes.len());
                    bytes[place] ^= 1 << random.below(8);
                }
                3 => bytes.extend([&b"x"[..], BEGIN, b"\0\0\x1F"][random.below(3)]),
                _ => {}
            }
            let read = |source: &mut dyn Read| {
                let mut text = Vec::new();
                let outcome = source.read_to_end(&mut text);
                (text, outcome.err().map(|error| (error.kind(), error.to_string())))
            };
            let expected = read(&mut Members::new(&bytes[..]));
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes).unwrap();
            file.rewind().unwrap();
            for threads in [1, 2, 5] {
                let found = read(&mut Pieces::new(file.try_clone().unwrap(), threads));
                assert!(found.0 == expected.0, "{round} {threads}");
                assert_eq!(found.1, expected.1, "{round} {threads}");
            }
            long += usize::from(bytes.len() as u64 > 2 * PIECE);
            failed += usize::from(expected.1.is_some());
        }
        assert!(long > 12 && failed > 6, "{long} {failed}");
    }

    #[test]
    fn a_file_that_becomes_shorter_is_incomplete() {
        let random = &mut Random(3);
        let bytes: Vec<u8> = (0..64).flat_map(|_| gzip(&noise(random, 1 << 18), 6)).collect();
        for threads in [1, 2, 5] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes).unwrap();
            let mut pieces = Pieces::new(file.try_clone().unwrap(), threads);
            pieces.read_exact(&mut vec![0; 1 << 19]).unwrap();
            file.set_len(100).unwrap();
            let outcome = pieces.read_to_end(&mut Vec::new());
            assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::UnexpectedEof, "{threads}");
        }
    }

    /// In each piece, 170,000 places look like a member. To try them all takes minutes.
    #[test]
    fn a_file_of_false_members_is_not_dear() {
        let member = gzip(&BEGIN.repeat(160_000), 0);
        let bytes = member.repeat(16);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let (start, mut text) = (Instant::now(), Vec::new());
        Pieces::new(file, 2).read_to_end(&mut text).unwrap();
        assert_eq!(text.len(), 16 * 160_000 * BEGIN.len());
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
