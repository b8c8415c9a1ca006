//! Finds links in a text that arrives in parts, which may be cut anywhere.
//!
//! The stream keeps the end of a part, from the first construct on that needs more text: a word, a document of
//! Markdown, a tag of HTML. It searches the kept text again only when the kept text has doubled, or when the end
//! of the construct has certainly arrived. So time is linear, however small the parts are. Not here: reading the
//! text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::finder::{Finder, Progress};
use super::region::is_white;
use super::terminal;
use crate::Extract;
use crate::Link;
use crate::Markup;
use simd_iri::low::{debug_without_text, slice, utf8};
use simd_iri::parser::CpuLevel;

/// A search for links in a text that arrives in parts.
///
/// If the end of a part cuts a construct, the stream keeps the construct until the rest arrives, up to a limit. A
/// construct is a word of plain text or of a log, a whole document of Markdown, or a word or a tag of HTML. The links
/// do not depend on where the text is cut. No link holds a byte that is not UTF-8.
///
/// ```
/// use simd_iri_text::{Extract, LinkStream};
///
/// let mut stream = LinkStream::new(Extract::new(), 1 << 16);
/// let mut found = Vec::new();
/// for part in [&b"see htt"[..], b"p://a.example/\xC3", b"\xA9, or exa", b"mple.com"] {
///     stream.push(part, |at, link| found.push((at, link.as_str().to_owned())));
/// }
/// stream.finish(|at, link| found.push((at, link.as_str().to_owned())));
/// assert_eq!(found, [(4, "http://a.example/é".to_owned()), (28, "example.com".to_owned())]);
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct LinkStream<'s> {
    extract: Extract<'s>,
    limit: usize,
    /// The start of the construct that the end of the last part cut: fewer bytes than the limit.
    kept: Vec<u8>,
    /// The number of kept bytes that were searched in vain.
    tried: usize,
    /// The offset in the whole text of the kept bytes, or of the next part if none are kept.
    start: u64,
    /// The state of the search at that offset.
    progress: Progress,
    /// The offset in the whole text of the last cut at the limit.
    cut: Option<u64>,
}

debug_without_text!([] LinkStream<'_>, "LinkStream", extract, limit, start, cut);

impl<'s> LinkStream<'s> {
    /// Returns a stream that keeps at most `limit` bytes, or 64 if `limit` is less. A longer construct, such as
    /// a long word, is cut at that length, as if the text ended there. [`last_cut`](Self::last_cut) reports the
    /// cut.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, LinkStream};
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

    /// Takes a part of the text. Calls `each` with every link that certainly ends in it, in order, and with
    /// the byte offset of the link from the start of the whole text. The span of the link itself is
    /// relative to a part of the text. Links of HTML and Markdown may be reported with a later part.
    ///
    /// Allocates for text that is cut, at most twice the limit.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 8192);
    /// let mut count = 0;
    /// stream.push(b"example.com example.org", |_, _| count += 1);
    /// assert_eq!(count, 1); // the other might go on
    /// ```
    pub fn push(&mut self, part: &[u8], mut each: impl FnMut(u64, Link<'_>)) {
        let is_words = matches!(self.extract.markup, Markup::Plain | Markup::Log);
        let mut rest = part;
        while !self.kept.is_empty() && !rest.is_empty() {
            // A word ends with the white space after it.
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

    /// Returns the byte offset, from the start of the whole text, of the text that is kept. All links
    /// before it were reported.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 8192);
    /// stream.push(b"one two", |_, _| {});
    /// assert_eq!(stream.position(), 4);
    /// ```
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.start
    }

    /// Returns the byte offset, from the start of the whole text, at which a construct longer than the limit
    /// was last cut. A link there may be incomplete. Returns `None` if nothing was cut.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 64);
    /// stream.push(b"a word", |_, _| {});
    /// assert_eq!(stream.last_cut(), None);
    /// ```
    #[must_use]
    pub const fn last_cut(&self) -> Option<u64> {
        self.cut
    }

    /// Ends the stream: calls `each` with the links of the rest.
    ///
    /// ```
    /// # use simd_iri_text::{Extract, LinkStream};
    /// let mut stream = LinkStream::new(Extract::new(), 8192);
    /// stream.push(b"example.com", |_, _| panic!("it might go on"));
    /// stream.finish(|at, link| assert_eq!((at, link.as_str()), (0, "example.com")));
    /// ```
    pub fn finish(mut self, mut each: impl FnMut(u64, Link<'_>)) {
        let kept = core::mem::take(&mut self.kept);
        self.hand_out(&kept, true, &mut each);
    }

    /// Reports the links of the text that is complete, or as long as the limit. Returns the number of bytes
    /// that are left.
    fn complete(&mut self, bytes: &[u8], each: &mut impl FnMut(u64, Link<'_>)) -> usize {
        let mut rest = bytes;
        loop {
            let window = rest.get(..self.limit).unwrap_or(rest);
            // If the end cuts a character, that character waits for its rest.
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

    /// Reports the links of a part of the text. Returns the number of bytes that are done.
    fn hand_out(
        &mut self,
        bytes: &[u8],
        is_whole: bool,
        each: &mut impl FnMut(u64, Link<'_>),
    ) -> usize {
        let is_words = matches!(self.extract.markup, Markup::Plain | Markup::Log);
        let text = utf8(CpuLevel::best(), bytes)
            .map_or_else(|| Cow::Owned(with_nuls(bytes, is_words)), Cow::Borrowed);
        let mut finder = Finder::new(&text, self.extract, self.progress.clone(), is_whole);
        while let Some(link) = finder.next() {
            each(self.start + link.span().start as u64, link);
        }
        let (done, progress) = finder.done();
        self.progress = progress;
        self.start += done as u64;
        done
    }
}

/// Returns a text of the same length, with NUL for each byte that is not UTF-8: no link holds NUL. With `controls`, also
/// for each byte of a sequence of a terminal that begins with a control of one byte.
fn with_nuls(bytes: &[u8], controls: bool) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut last: &[u8] = &[];
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        let hidden = match last {
            [introducer @ (terminal::CSI | terminal::OSC)] if controls => {
                let found = terminal::body(*introducer, valid.as_bytes());
                found.address.map_or(found.end, |address| address.start)
            }
            _ => 0,
        };
        let shown = slice::text(valid, hidden..);
        text.extend(core::iter::repeat_n('\0', hidden));
        text.push_str(shown);
        text.extend(chunk.invalid().iter().map(|_| '\0'));
        last = chunk.invalid();
    }
    text
}

/// Returns the offset of the first white space.
fn first_white(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| is_white(*byte))
}

/// Returns the last offset that does not cut a character.
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
