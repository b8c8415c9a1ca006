//! Links in a text that arrives in parts, which may be cut anywhere.
//!
//! What is kept of a piece begins with the first thing that only more text can decide: a word, a paragraph of
//! Markdown, an attribute of HTML. It is looked at again only when it has doubled, or when its end is there for
//! certain, so that time is linear however small the pieces are. Not here: reading.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::finder::{Finder, Progress};
use super::region::is_white;
use crate::scan::{slice, utf8_whole};
use crate::text::{Extract, Link, Markup};

/// A text of which one piece after the other is there.
///
/// What the end of a piece cuts is kept until the rest of it comes, up to a limit: a word of plain text or of a
/// log, a paragraph of Markdown, a word or an attribute of HTML. What is found does not depend on where the cuts
/// are. Bytes that are not UTF-8 are part of no link.
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
    /// The start of what the end of the last piece cut: less than the limit.
    kept: Vec<u8>,
    /// How much of it was looked at in vain.
    tried: usize,
    /// Where it begins, or else the next piece.
    start: u64,
    /// The structure of the text there.
    progress: Progress,
    /// Where it was last cut at the limit.
    cut: Option<u64>,
}

impl<'s> LinkStream<'s> {
    /// A stream in which at most `limit` bytes are kept: what is longer, a word for example, is cut after so
    /// many bytes, as if the text ended there; [`last_cut`](Self::last_cut) says so. No limit is less than 64.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 64);
    /// let word = format!("{}example.com", ".".repeat(64));
    /// let mut count = 0;
    /// stream.push(word.as_bytes(), |_, _| count += 1);
    /// assert_eq!(stream.last_cut(), Some(64));
    /// stream.finish(|at, _| assert_eq!(at, 64));
    /// ```
    #[must_use]
    pub const fn new(extract: Extract<'s>, limit: u32) -> Self {
        let limit = if limit < 64 { 64 } else { limit as usize };
        let progress = Progress::new(extract);
        Self { extract, limit, kept: Vec::new(), tried: 0, start: 0, progress, cut: None }
    }

    /// Takes a piece, and calls `each` with links that end in it for certain, in order, and where
    /// each begins: a byte offset from the very start of the text. The span of the link itself is one into
    /// a part of the text. Links of HTML and Markdown may come with a later piece.
    ///
    /// Allocates for what is cut, at most twice the limit.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 8192);
    /// let mut count = 0;
    /// stream.push(b"example.com example.org", |_, _| count += 1);
    /// assert_eq!(count, 1); // the other might go on
    /// ```
    pub fn push(&mut self, piece: &[u8], mut each: impl FnMut(u64, Link<'_>)) {
        let is_words = matches!(self.extract.markup, Markup::Plain | Markup::Log);
        let mut rest = piece;
        while !self.kept.is_empty() && !rest.is_empty() {
            // A word is over with the white space after it.
            let white = is_words.then(|| first_white(rest)).flatten();
            let room = self.limit - self.kept.len();
            let (taken, further) = match white {
                Some(at) if at < room => rest.split_at(at + 1),
                _ => rest.split_at(rest.len().min(room)),
            };
            self.kept.extend_from_slice(taken);
            rest = further;
            let length = self.kept.len();
            let is_over = white.is_some() || length == self.limit;
            let is_due = !is_words && length / 2 >= self.tried;
            if is_over || is_due {
                let kept = core::mem::take(&mut self.kept);
                self.tried = self.complete(&kept, &mut each);
                self.kept = kept;
                self.kept.drain(..length - self.tried);
            }
        }
        if !rest.is_empty() {
            self.tried = self.complete(rest, &mut each);
            self.kept.extend_from_slice(slice::bytes(rest, rest.len() - self.tried..));
        }
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

    /// Where something longer than the limit was last cut, from the very start of the text: a link there may
    /// be incomplete.
    ///
    /// ```
    /// # use simd_iri::text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 64);
    /// stream.push(b"a word", |_, _| {});
    /// assert_eq!(stream.last_cut(), None);
    /// ```
    #[must_use]
    pub const fn last_cut(&self) -> Option<u64> {
        self.cut
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
        self.hand_out(&kept, true, &mut each);
    }

    /// Hands out the links of all that is complete, or as long as the limit, and says how many bytes are left.
    fn complete(&mut self, bytes: &[u8], each: &mut impl FnMut(u64, Link<'_>)) -> usize {
        let mut rest = bytes;
        loop {
            let window = rest.get(..self.limit).unwrap_or(rest);
            // A character that is cut is not there yet.
            let window = slice::bytes(window, ..boundary(window));
            let mut done = self.hand_out(window, false, each);
            if done == 0 {
                if rest.len() < self.limit {
                    return rest.len();
                }
                done = self.hand_out(window, true, each);
                self.cut = Some(self.start);
            }
            rest = slice::bytes(rest, done..);
        }
    }

    /// Hands out the links of a part of the text, and says how much of it is done.
    fn hand_out(
        &mut self,
        bytes: &[u8],
        is_whole: bool,
        each: &mut impl FnMut(u64, Link<'_>),
    ) -> usize {
        let text = utf8_whole(bytes).map_or_else(|| Cow::Owned(with_nuls(bytes)), Cow::Borrowed);
        let mut finder = Finder::new(&text, self.extract, self.progress, is_whole);
        while let Some(link) = finder.next() {
            each(self.start + link.span().start as u64, link);
        }
        let (done, progress) = finder.done();
        self.progress = progress;
        self.start += done as u64;
        done
    }
}

/// Text of the same length, in which NUL stands for each byte that is not UTF-8: no link holds it.
fn with_nuls(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\0'));
    }
    text
}

/// Where a word ends.
fn first_white(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| is_white(*byte))
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
