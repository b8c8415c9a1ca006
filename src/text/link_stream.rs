//! Links in a text that comes in pieces, which may be cut anywhere.
//!
//! No link has white space in it, so that whatever is before the last of it is complete. Not here:
//! reading.

use alloc::vec::Vec;

use super::{Extract, Link};
use crate::scan::utf8_whole;

/// A text of which one piece after the other is there.
///
/// The word that the end of a piece cuts is kept until the rest of it comes, up to a limit; what is
/// found does not depend on where the cuts are. Bytes that are not UTF-8 are part of no link.
///
/// ```
/// use simd_iri::text::{Extract, LinkStream};
///
/// let mut stream = LinkStream::new(Extract::new(), 1 << 16);
/// let mut found = Vec::new();
/// for piece in [&b"see htt"[..], b"p://a.example/\xC3", b"\xA9, or exa", b"mple.com"] {
///     stream.push(piece, |at, link| found.push((at, link.as_str().to_owned())));
/// }
/// stream.finish(|at, link| found.push((at, link.as_str().to_owned())));
/// assert_eq!(found, [(4, "http://a.example/é".to_owned()), (28, "example.com".to_owned())]);
/// ```
#[derive(Clone, Debug)]
pub struct LinkStream<'s> {
    extract: Extract<'s>,
    limit: usize,
    /// The start of a word that the end of the last piece cut: less than the limit.
    kept: Vec<u8>,
    /// Where it begins, or else the next piece.
    start: u64,
}

impl<'s> LinkStream<'s> {
    /// A stream of words of at most `limit` bytes: a longer one is looked at in parts of so many, as if
    /// white space were between them. No limit is less than 64.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 64);
    /// let word = format!("{}example.com", ".".repeat(64));
    /// let mut count = 0;
    /// stream.push(word.as_bytes(), |_, _| count += 1);
    /// stream.finish(|at, _| assert_eq!(at, 64));
    /// ```
    #[must_use]
    pub const fn new(extract: Extract<'s>, limit: u32) -> Self {
        let limit = if limit < 64 { 64 } else { limit as usize };
        Self { extract, limit, kept: Vec::new(), start: 0 }
    }

    /// Takes a piece, and calls `each` with every link that ends in it for certain, in order, and where
    /// it begins: a byte offset from the very start of the text. The span of the link itself is one into
    /// a part of the text.
    ///
    /// Allocates for a word that is cut, at most as much as twice the limit.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 8192);
    /// let mut count = 0;
    /// stream.push(b"example.com example.org", |_, _| count += 1);
    /// assert_eq!(count, 1); // the other might go on
    /// ```
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(u64, Link<'_>)) {
        let mut rest = piece;
        while !self.kept.is_empty() && !rest.is_empty() {
            let word = first_white(rest).map_or(rest.len(), |at| at + 1);
            let room = self.limit - self.kept.len();
            let (taken, further) = rest.split_at_checked(word.min(room)).unwrap_or_default();
            self.kept.extend_from_slice(taken);
            rest = further;
            let kept = core::mem::take(&mut self.kept);
            let tail = self.complete(&kept, &mut each);
            self.kept = kept;
            let done = self.kept.len() - tail;
            self.kept.drain(..done);
        }
        let tail = self.complete(rest, &mut each);
        self.kept.extend_from_slice(rest.get(rest.len() - tail..).unwrap_or_default());
    }

    /// Where what is kept begins, from the very start of the text: all links before were handed out.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 8192);
    /// stream.push(b"one two", |_, _| {});
    /// assert_eq!(stream.position(), 4);
    /// ```
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.start
    }

    /// Calls `each` with the links of what is left.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 8192);
    /// stream.push(b"example.com", |_, _| panic!("it might go on"));
    /// stream.finish(|at, link| assert_eq!((at, link.as_str()), (0, "example.com")));
    /// ```
    pub fn finish(mut self, mut each: impl FnMut(u64, Link<'_>)) {
        let kept = core::mem::take(&mut self.kept);
        self.hand_out(&kept, &mut each);
    }

    /// Hands out the links of all words that are complete, or as long as the limit, and says how many
    /// bytes are left.
    fn complete(&mut self, bytes: &[u8], each: &mut impl FnMut(u64, Link<'_>)) -> usize {
        let mut rest = bytes;
        loop {
            let window = rest.get(..self.limit).unwrap_or(rest);
            let cut = match last_white(window) {
                Some(at) => at + 1,
                None if window.len() == self.limit => boundary(window),
                None => return rest.len(),
            };
            let (words, further) = rest.split_at_checked(cut).unwrap_or_default();
            self.hand_out(words, each);
            rest = further;
        }
    }

    /// Hands out the links of a part of the text.
    fn hand_out(&mut self, bytes: &[u8], each: &mut impl FnMut(u64, Link<'_>)) {
        let mut start = self.start;
        let mut of = |text: &str, start: u64| {
            for link in self.extract.links(text) {
                each(start + link.span().start as u64, link);
            }
        };
        match utf8_whole(bytes) {
            Some(text) => of(text, start),
            None => {
                for chunk in bytes.utf8_chunks() {
                    of(chunk.valid(), start);
                    start += (chunk.valid().len() + chunk.invalid().len()) as u64;
                }
            }
        }
        self.start += bytes.len() as u64;
    }
}

/// Where a word ends.
fn first_white(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| is_white(*byte))
}

fn last_white(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| is_white(*byte))
}

/// White space that is in no link, whatever the context.
const fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// The last place in a part of a text that cuts no character.
fn boundary(bytes: &[u8]) -> usize {
    let end = bytes.len();
    let last = bytes.iter().rev().take(3).position(|byte| byte & 0xC0 != 0x80);
    let Some(back) = last.map(|back| back + 1) else { return end };
    let lead = end.checked_sub(back).and_then(|at| bytes.get(at)).copied().unwrap_or_default();
    let length = match lead {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    };
    if length > back { end - back } else { end }
}
