//! Many references in one buffer: lines, items with another separator, and columns in the layout of Apache
//! Arrow.
//!
//! ```
//! use simd_iri::Rule;
//! use simd_iri::batch::{Batch, Outcome, Separated};
//!
//! let lines = Separated::lines(b"http://a/?b\nnot an IRI\nurn:c\n");
//! let batch = Batch::new(Rule::Iri);
//! assert_eq!(batch.count(lines).valid, 2);
//!
//! for item in batch.parse(lines) {
//!     match item.outcome() {
//!         Outcome::Valid(parts) => println!("a path of {} bytes", parts.path().len()),
//!         Outcome::Invalid(error) => println!("at byte {}: {error}", item.start()),
//!         Outcome::Null => unreachable!("only columns have nulls"),
//!     }
//! }
//! ```
//!
//! A batch reads its items in chunks of up to 256. All items of a chunk are parsed at once; only unsure and invalid
//! items, and long strings of a slice, are parsed one by one. UTF-8 is checked for all items of a chunk at once. No
//! item allocates memory.
//!
//! Here: the operations of a batch ([`Batch`]) and their results. Not here: parsing (`cursors`, `parse`).
#![forbid(unsafe_code)]

pub(crate) mod bitset;
pub(crate) mod found;
pub(crate) mod many;

mod bitmap;
mod chunk;
mod columns;
pub(crate) mod cursors;
mod gather;
mod items;
mod normal;
#[cfg(feature = "serde")]
mod serde;
mod spans;
mod stream;
mod window;

use core::iter::FusedIterator;

pub use crate::error::ColumnError;
pub use bitmap::Bitmap;
pub use columns::{ColumnVecs, Columns};
pub use items::{ByteSlice, IntoItems, Items, Offset, Separated, Slice, Spanned, TextColumn};
pub use stream::Stream;

use crate::error::{Error, debug_without_text};
use crate::parse::{Matched, Parts, Rule, explain, explain_ill_formed, is_valid_if_rare, locate};
use crate::reference::IriRef;
use crate::scan::{CpuLevel, utf8_whole};
use crate::transform::Normalize;
use bitset::ROOM;
use chunk::{Chunk, ItemSet};
use cursors::Want;
use found::{Found, Rows};
use items::sealed::Source;
use many::{Sink, parse_many};

/// A start rule for many items, and the CPU level that is used.
///
/// Every method takes time linear in the bytes of its items, and reads each chunk of items a few times. No
/// item allocates memory.
///
/// ```
/// use simd_iri::Rule;
/// use simd_iri::batch::{Batch, Separated};
///
/// let references = Separated::new(b"../a b.html c", b' ').unwrap();
/// assert_eq!(Batch::new(Rule::IriReference).count(references).valid, 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Batch {
    rule: Rule,
    level: CpuLevel,
}

/// The numbers of all items, and of valid, invalid and null items. A later version may count more.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// let count = Batch::new(Rule::Uri).count(Separated::lines(b"a:b\nc\n"));
/// assert_eq!((count.items, count.valid, count.invalid, count.null), (2, 1, 1, 0));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Count {
    /// The number of items.
    pub items: u64,
    /// The number of items that match the rule.
    pub valid: u64,
    /// The number of items that do not match the rule. Null items are not among them.
    pub invalid: u64,
    /// The number of items of a column that are null.
    pub null: u64,
}

impl CpuLevel {
    /// [`Batch::new`] at this level, for tests and benchmarks.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::Separated, parser::CpuLevel};
    /// for level in CpuLevel::available() {
    ///     let batch = level.batch(Rule::Iri);
    ///     assert_eq!(batch.count(Separated::lines(b"a:b\na\n")).valid, 1);
    /// }
    /// ```
    #[must_use]
    pub const fn batch(self, rule: Rule) -> Batch {
        Batch { rule, level: self }
    }
}

impl Batch {
    /// Returns a batch whose items must match `rule`, at the best CPU level.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// assert_eq!(Batch::new(Rule::Iri).count(Separated::lines(b"")).items, 0);
    /// ```
    #[must_use]
    pub fn new(rule: Rule) -> Self {
        CpuLevel::best().batch(rule)
    }

    /// Counts the items. For most items, no offset is computed.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, TextColumn}};
    /// let column = TextColumn::new(&[0, 3, 4], b"a:bc")?;
    /// assert_eq!(Batch::new(Rule::Iri).count(column).valid, 1);
    /// # Ok::<(), simd_iri::batch::ColumnError>(())
    /// ```
    #[must_use]
    pub fn count<'a>(self, items: impl IntoItems<'a>) -> Count {
        let mut items = items.into_items();
        let mut chunk = Chunk::empty();
        let mut count = Count::default();
        while items.fill(self.level, self.rule, Want::Sure, &mut chunk) {
            count.items += chunk.found.len as u64;
            count.null += chunk.null.size();
            count.valid += self.valid_items(&chunk).size();
        }
        count.invalid = count.items - count.valid - count.null;
        count
    }

    /// Appends a bit for every item to `valid`: 1 if the item matches the rule, and 0 if it does not match or is null.
    /// A [`Bitmap`] that is cleared and used again allocates only where it grows.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Bitmap, Separated}};
    /// let mut valid = Bitmap::new();
    /// Batch::new(Rule::Iri).validity(Separated::lines(b"a:b\nc\n"), &mut valid);
    /// assert_eq!(valid.words(), [0b01]);
    /// ```
    pub fn validity<'a>(self, items: impl IntoItems<'a>, valid: &mut Bitmap) {
        self.each_validity(items, |bits, count| valid.append(ItemSet(bits), count));
    }

    /// Calls `take` for each chunk of at most 256 items, with a bit for each item and the number of items. A bit is 1
    /// if the item matches the rule, and 0 if it does not match or is null. The first item is the lowest bit of the
    /// first word; the bits after the last item are 0. The number of items of a chunk need not be a multiple of eight,
    /// even if another chunk follows.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let mut valid = 0;
    /// Batch::new(Rule::Iri).each_validity(Separated::lines(b"a:b\nc\n"), |[first, ..], count| {
    ///     assert_eq!((first, count), (0b01, 2));
    ///     valid += first.count_ones();
    /// });
    /// assert_eq!(valid, 1);
    /// ```
    pub fn each_validity<'a>(
        self,
        items: impl IntoItems<'a>,
        mut take: impl FnMut([u64; 4], usize),
    ) {
        let mut items = items.into_items();
        let mut chunk = Chunk::empty();
        while items.fill(self.level, self.rule, Want::Sure, &mut chunk) {
            let ItemSet(valid) = self.valid_items(&chunk);
            take(valid, chunk.found.len);
        }
    }

    /// Parses every item. Returns an iterator over the items and their outcomes, in order.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let items = Batch::new(Rule::Iri).parse(Separated::lines(b"a:b\nc"));
    /// assert!(items.map(|item| (item.start(), item.parts().is_some())).eq([(0, true), (4, false)]));
    /// ```
    pub fn parse<'a, I: IntoItems<'a>>(self, items: I) -> Parsed<'a, I::Items> {
        let items = items.into_items();
        let (chunk, failed) = (Chunk::empty(), Failed::NONE);
        Parsed { batch: self, items, chunk, failed, next: 0 }
    }

    /// Returns the items that match the rule as bytes, in order, without offsets.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let lines = Separated::lines(b"a:b\nc\nd:e\n");
    /// assert!(Batch::new(Rule::Iri).valid(lines).eq([b"a:b", b"d:e"]));
    /// ```
    pub fn valid<'a, I: IntoItems<'a>>(self, items: I) -> Selected<'a, I::Items> {
        Selected::new(self, items.into_items(), Choice::Valid)
    }

    /// Returns the items that do not match the rule as bytes, in order. Null items are not among them.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// assert!(Batch::new(Rule::Iri).invalid(Separated::lines(b"a:b\nc\n")).eq([b"c"]));
    /// ```
    pub fn invalid<'a, I: IntoItems<'a>>(self, items: I) -> Selected<'a, I::Items> {
        Selected::new(self, items.into_items(), Choice::Invalid)
    }

    /// Returns the level of the CPU at which the batch works.
    #[doc(hidden)]
    #[must_use]
    pub const fn level(self) -> CpuLevel {
        self.level
    }

    /// Returns the items that normalization by `rules` may change, and the items that do not match the rule, as bytes
    /// and in order. Null items are not among them.
    ///
    /// An item that is left out matches the rule and is its own normal form. An item that is returned and matches the
    /// rule may also be its own normal form. It has a triplet, a dot after a slash, a character that may direct the
    /// order of display, an upper-case letter up to the end of its host, or an authority with a port or without a path
    /// after it. If `rules` has a rule that [`Normalize::scheme`] does not have, all items except null items are returned.
    ///
    /// ```
    /// # use simd_iri::{Normalize, Rule, batch::{Batch, Separated}};
    /// let lines = Separated::lines(b"http://a/B\nHTTP://a/\na b\n");
    /// let others = Batch::new(Rule::Iri).not_normal(lines, Normalize::syntax());
    /// assert!(others.eq([&b"HTTP://a/"[..], b"a b"]));
    /// ```
    pub fn not_normal<'a, I: IntoItems<'a>>(
        self,
        items: I,
        rules: Normalize,
    ) -> Selected<'a, I::Items> {
        Selected::new(self, items.into_items(), Choice::NotNormal(rules))
    }

    /// Appends the offsets of the components of every item to `columns`. A [`Columns`] that is cleared and
    /// used again allocates only where it grows.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"a:b\nhttp://c/d\n"), &mut columns);
    /// assert_eq!(columns.starts(), [0, 4]);
    /// assert_eq!(columns.path(), [2, 8]);
    /// ```
    pub fn columns<'a>(self, items: impl IntoItems<'a>, columns: &mut Columns) {
        let mut items = items.into_items();
        let (mut chunk, mut failed) = (Chunk::empty(), Failed::NONE);
        while items.fill(self.level, self.rule, Want::Parts, &mut chunk) {
            self.locate(&mut chunk, &mut failed);
            columns.append(self, &mut chunk, &failed);
        }
    }

    // The functions below are not generic, so that the compiler makes each of them once, and in this crate.

    /// Returns the items of a chunk that are valid.
    fn valid_items(self, chunk: &Chunk<'_>) -> ItemSet {
        let mut valid = chunk.sure();
        if chunk.unsure.is_empty() {
            return valid;
        }
        let Chunk { bytes, found, unsure, .. } = chunk;
        parse_many(self.level, self.rule, bytes, &found.spans, unsure.0, &mut valid);
        valid
    }

    /// Returns the items of a chunk that are selected.
    fn select(self, chunk: &Chunk<'_>, choice: &Choice) -> ItemSet {
        let others = ItemSet::below(chunk.found.len).without(chunk.null);
        match choice {
            Choice::Valid => self.valid_items(chunk),
            Choice::Invalid => others.without(self.valid_items(chunk)),
            Choice::NotNormal(rules) if !rules.is_of_scheme() => others,
            Choice::NotNormal(_) => others.without(normal::items(self.level, self.rule, chunk)),
        }
    }

    /// Finds the offsets of all valid items of a chunk, and the items that failed.
    fn locate(self, chunk: &mut Chunk<'_>, failed: &mut Failed) {
        failed.items = chunk.ill_formed;
        if chunk.unsure.is_empty() {
            return;
        }
        let Chunk { bytes, found: Found { spans, rows, .. }, unsure, .. } = chunk;
        let mut sink = Locating { rows, failed };
        parse_many(self.level, self.rule, bytes, spans, unsure.0, &mut sink);
    }
}

/// Collects the items of a chunk that match.
impl Sink for ItemSet {
    #[inline(always)]
    fn take(&mut self, number: u8, level: CpuLevel, rule: Rule, text: &[u8]) {
        self.set(number, is_valid_if_rare(level, rule, text));
    }
}

/// The items of a chunk that are invalid.
#[derive(Clone, Debug)]
struct Failed {
    items: ItemSet,
    /// The part of each failed item that is known to match.
    known: [Matched; ROOM],
}

/// Collects the offsets of the items of a chunk, and the items that failed.
struct Locating<'a> {
    rows: &'a mut Rows,
    failed: &'a mut Failed,
}

impl Sink for Locating<'_> {
    #[inline(always)]
    fn take(&mut self, number: u8, level: CpuLevel, rule: Rule, text: &[u8]) {
        match locate(level, rule, text) {
            Ok(parts) => self.rows.set(number, parts),
            Err(known) => {
                if let Some(place) = self.failed.known.get_mut(usize::from(number)) {
                    *place = known;
                }
                self.failed.items.set(number, true);
            }
        }
    }
}

impl Failed {
    /// No item.
    const NONE: Self = Self { items: ItemSet::NONE, known: [Matched::Nothing; ROOM] };

    /// Returns the first violation of an invalid item.
    #[cold]
    fn explain(&self, batch: Batch, chunk: &Chunk<'_>, number: u8, bytes: &[u8]) -> Error {
        let Batch { rule, level } = batch;
        if chunk.ill_formed.contains(number) {
            return explain_ill_formed(level, rule, bytes);
        }
        let known = self.known.get(usize::from(number));
        explain(rule, bytes, known.copied().unwrap_or(Matched::Nothing))
    }
}

/// The result for an item.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Outcome, Separated}};
/// let item = Batch::new(Rule::Iri).parse(Separated::lines(b"http://a/")).next().unwrap();
/// assert!(matches!(item.outcome(), Outcome::Valid(parts) if parts.path() == (8..9)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The item matches the rule. The offsets are in bytes relative to the start of the item.
    Valid(Parts),
    /// The item does not match the rule: its first violation. The offsets are in bytes relative to the start of the
    /// item.
    Invalid(Error),
    /// The item is null in its column.
    Null,
}

/// An item and its outcome.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// let item = Batch::new(Rule::Iri).parse(Separated::lines(b"a:b\nc:d")).last().unwrap();
/// assert_eq!((item.start(), item.bytes()), (4, &b"c:d"[..]));
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Item<'a> {
    start: u64,
    bytes: &'a [u8],
    outcome: Outcome,
}

debug_without_text!([] Item<'_>, "Item", start, outcome);

impl<'a> Item<'a> {
    /// Returns the offset in bytes at which the item begins, relative to the start of the buffer or of the
    /// stream.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let items = Batch::new(Rule::Iri).parse(Separated::lines(b"a\nb\n"));
    /// assert!(items.map(|item| item.start()).eq([0, 2]));
    /// ```
    #[must_use]
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// Returns the bytes of the item, without the separator.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let items = Batch::new(Rule::Iri).parse(Separated::lines(b"a\n\nb"));
    /// assert!(items.map(|item| item.bytes()).eq([&b"a"[..], b"", b"b"]));
    /// ```
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the text of the item, or `None` if its bytes are not UTF-8. One pass over the bytes.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let items = Batch::new(Rule::Iri).parse(Separated::lines(b"a:b\n\xFF"));
    /// assert!(items.map(|item| item.text()).eq([Some("a:b"), None]));
    /// ```
    #[must_use]
    pub fn text(&self) -> Option<&'a str> {
        utf8_whole(self.bytes)
    }

    /// Returns the reference with its components, or `None` if the item does not match the rule. One pass
    /// over the bytes.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let items = Batch::new(Rule::Iri).parse(Separated::lines(b"a:b\nc"));
    /// assert!(items.map(|item| item.view().map(|iri| iri.path())).eq([Some("b"), None]));
    /// ```
    #[must_use]
    pub fn view(&self) -> Option<IriRef<'a>> {
        Some(IriRef::new(self.text()?, self.parts()?))
    }

    /// Returns the outcome: the item is valid, invalid or null.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, Rule, batch::{Batch, Outcome, Separated}};
    /// let item = Batch::new(Rule::Iri).parse(Separated::lines(b"a")).next().unwrap();
    /// assert!(matches!(item.outcome(), Outcome::Invalid(e) if e.kind() == ErrorKind::MissingScheme));
    /// ```
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the offsets of the components, in bytes relative to the start of the item, or `None` if the item is not
    /// valid.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let item = Batch::new(Rule::Iri).parse(Separated::lines(b"urn:a")).next().unwrap();
    /// assert_eq!(item.parts().unwrap().path(), 4..5);
    /// ```
    #[must_use]
    pub const fn parts(&self) -> Option<Parts> {
        match self.outcome {
            Outcome::Valid(parts) => Some(parts),
            _ => None,
        }
    }

    /// Returns the first violation, or `None` if the item is valid or null. Its offsets are in bytes relative to the
    /// start of the item.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let item = Batch::new(Rule::Iri).parse(Separated::lines(b"a:b c")).next().unwrap();
    /// assert_eq!(item.error().unwrap().span(), 3..4);
    /// ```
    #[must_use]
    pub const fn error(&self) -> Option<Error> {
        match self.outcome {
            Outcome::Invalid(error) => Some(error),
            _ => None,
        }
    }
}

/// The iterator over the items of a batch and their outcomes. [`Batch::parse`] makes it.
///
/// It holds a chunk of items and has about 33 KiB.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// assert_eq!(Batch::new(Rule::Iri).parse(Separated::lines(b"a\nb")).count(), 2);
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct Parsed<'a, I> {
    batch: Batch,
    items: I,
    chunk: Chunk<'a>,
    failed: Failed,
    next: usize,
}

debug_without_text!([I] Parsed<'_, I>, "Parsed", batch, next);

impl<'a, I: Items<'a>> Iterator for Parsed<'a, I> {
    type Item = Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Item<'a>> {
        if self.next == self.chunk.found.len {
            // If there is no further chunk, `fill` leaves an empty chunk, and the iterator stays at its end.
            self.next = 0;
            if !self.items.fill(self.batch.level, self.batch.rule, Want::Parts, &mut self.chunk) {
                return None;
            }
            self.batch.locate(&mut self.chunk, &mut self.failed);
        }
        let Self { batch, chunk, failed, next, .. } = self;
        let number = *next as u8;
        let (span, bytes) = (chunk.found.spans.get(number), chunk.item(number));
        let outcome = if failed.items.contains(number) {
            Outcome::Invalid(failed.explain(*batch, chunk, number, bytes))
        } else if chunk.null.contains(number) {
            Outcome::Null
        } else {
            Outcome::Valid(chunk.found.rows.get(number))
        };
        *next += 1;
        Some(Item { start: span.start as u64, bytes, outcome })
    }
}

impl<'a, I: Items<'a>> FusedIterator for Parsed<'a, I> {}

/// The iterator over the selected items of a batch. [`Batch::valid`], [`Batch::invalid`] and [`Batch::not_normal`] make it.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// assert_eq!(Batch::new(Rule::Iri).invalid(Separated::lines(b"a\nb")).count(), 2);
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone)]
pub struct Selected<'a, I> {
    batch: Batch,
    items: I,
    chunk: Chunk<'a>,
    /// The items of the chunk that are selected and not returned yet.
    pending: ItemSet,
    choice: Choice,
}

debug_without_text!([I] Selected<'_, I>, "Selected", batch);

/// The kind of items that are selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Valid,
    Invalid,
    NotNormal(Normalize),
}

impl Choice {
    /// Returns the results about a chunk that the selection needs.
    const fn want(self) -> Want {
        match self {
            Self::NotNormal(_) => Want::Normal,
            _ => Want::Spans,
        }
    }
}

impl<'a, I: Items<'a>> Selected<'a, I> {
    fn new(batch: Batch, items: I, choice: Choice) -> Self {
        let (chunk, pending) = (Chunk::empty(), ItemSet::NONE);
        Self { batch, items, chunk, pending, choice }
    }
}

impl<'a, I: Items<'a>> Iterator for Selected<'a, I> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(number) = self.pending.next() {
                return Some(self.chunk.item(number));
            }
            let Self { batch, items, chunk, choice, .. } = self;
            if !items.fill(batch.level, batch.rule, choice.want(), chunk) {
                return None;
            }
            self.pending = batch.select(chunk, choice);
        }
    }
}

impl<'a, I: Items<'a>> FusedIterator for Selected<'a, I> {}
