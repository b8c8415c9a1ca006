//! Items of a stream that arrives in parts, which may be cut anywhere.
//!
//! Not here: reading the stream.

use alloc::vec::Vec;

use memchr::{memchr, memrchr};

use super::{Batch, Item, Outcome, Separated};
use crate::error::{Error, debug_without_text};
use crate::scan::slice;

/// A stream of items with a separator between them, which arrives in parts.
///
/// If the end of a part cuts an item, the stream keeps the start of the item, up to a limit, until the rest
/// arrives. The results do not depend on where the stream is cut.
///
/// ```
/// use simd_iri::Rule;
/// use simd_iri::batch::{Batch, Stream};
///
/// let mut stream = Stream::new(Batch::new(Rule::Iri), b'\n', 1 << 20).unwrap();
/// let mut starts = Vec::new();
/// for part in ["http://a/\nhtt", "p://", "b/\nur", "n:c"] {
///     stream.push(part.as_bytes(), |item| starts.push((item.start(), item.parts().is_some())));
/// }
/// stream.finish(|item| starts.push((item.start(), item.parts().is_some())));
/// assert_eq!(starts, [(0, true), (10, true), (20, true)]);
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct Stream {
    batch: Batch,
    separator: u8,
    limit: u32,
    /// The start of the item that the end of the last part cut, at most `limit` bytes of it.
    kept: Vec<u8>,
    /// Whether the item that was cut is longer than the limit.
    is_too_long: bool,
    /// The offset in the stream of the item that was cut, or of the next item. An item is cut exactly if
    /// `start` is less than `end`.
    start: u64,
    /// The offset in the stream at which the next part begins.
    end: u64,
}

debug_without_text!([] Stream, "Stream", batch, separator, limit, start, end);

impl Stream {
    /// Returns a stream of items of at most `limit` bytes, or `None` if the separator is not ASCII.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Stream}};
    /// assert!(Stream::new(Batch::new(Rule::Iri), b'\n', 8192).is_some());
    /// assert!(Stream::new(Batch::new(Rule::Iri), 0xFF, 8192).is_none());
    /// ```
    #[must_use]
    pub fn new(batch: Batch, separator: u8, limit: u32) -> Option<Self> {
        let (kept, is_too_long, start, end) = (Vec::new(), false, 0, 0);
        let stream = Self { batch, separator, limit, kept, is_too_long, start, end };
        separator.is_ascii().then_some(stream)
    }

    /// Takes a part of the stream, and calls `each` with every item that ends in it, in order.
    ///
    /// An item of more bytes than the limit is invalid, with the kind
    /// [`TooLong`](crate::ErrorKind::TooLong), and [`Item::bytes`] has only its first `limit` bytes.
    /// Allocates at most twice the limit, and only for an item that is cut.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, Rule, batch::{Batch, Stream}};
    /// let mut stream = Stream::new(Batch::new(Rule::Iri), b' ', 4).unwrap();
    /// let mut found = Vec::new();
    /// for part in ["urn:", "abc a:b", " "] {
    ///     stream.push(part.as_bytes(), |item| found.push(item.error().map(|e| e.kind())));
    /// }
    /// assert_eq!(found, [Some(ErrorKind::TooLong), None]);
    /// ```
    pub fn push(&mut self, part: &[u8], mut each: impl FnMut(Item<'_>)) {
        // First the rest of the item that was cut; then all whole items; then the start of the next item.
        let mut rest = part;
        if self.start < self.end {
            let Some(at) = memchr(self.separator, part) else { return self.keep(part) };
            self.keep(slice::bytes(part, ..at));
            self.hand_out(&mut each);
            self.skip(1);
            rest = slice::bytes(part, at + 1..);
        }
        let end = memrchr(self.separator, rest).map_or(0, |last| last + 1);
        let (whole, cut) = (slice::bytes(rest, ..end), slice::bytes(rest, end..));
        if let Some(items) = Separated::new(whole, self.separator) {
            for item in self.batch.parse(items) {
                let start = self.start + item.start();
                each(self.limited(Item { start, ..item }));
            }
        }
        self.skip(whole.len());
        self.keep(cut);
    }

    /// Ends the stream: calls `each` with the last item, if no separator came after it.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Stream}};
    /// let stream = Stream::new(Batch::new(Rule::Iri), b'\n', 8192).unwrap();
    /// stream.finish(|_| panic!("there was nothing"));
    /// ```
    pub fn finish(mut self, mut each: impl FnMut(Item<'_>)) {
        if self.start < self.end {
            self.hand_out(&mut each);
        }
    }

    /// Keeps further bytes of the item that is cut, up to the limit.
    fn keep(&mut self, bytes: &[u8]) {
        let room = (self.limit as usize).saturating_sub(self.kept.len());
        self.is_too_long |= bytes.len() > room;
        self.kept.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        self.end += bytes.len() as u64;
    }

    /// Skips bytes that are not kept.
    fn skip(&mut self, len: usize) {
        self.end += len as u64;
        self.start = self.end;
    }

    /// Reports the item that was cut and is complete now.
    fn hand_out(&mut self, each: &mut impl FnMut(Item<'_>)) {
        let bytes = self.kept.as_slice();
        let outcome = if self.is_too_long {
            Outcome::Invalid(Error::too_long(self.limit))
        } else {
            match self.batch.level.parse_bytes(self.batch.rule, bytes) {
                Ok(parts) => Outcome::Valid(parts),
                Err(error) => Outcome::Invalid(error),
            }
        };
        each(Item { start: self.start, bytes, outcome });
        self.kept.clear();
        (self.is_too_long, self.start) = (false, self.end);
    }

    /// Applies the limit to an item that was not cut. So the result does not depend on where the stream is cut.
    fn limited<'a>(&self, item: Item<'a>) -> Item<'a> {
        match item.bytes.get(..self.limit as usize) {
            Some(bytes) if bytes.len() < item.bytes.len() => {
                Item { bytes, outcome: Outcome::Invalid(Error::too_long(self.limit)), ..item }
            }
            _ => item,
        }
    }
}
