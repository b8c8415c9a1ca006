//! Many references in one buffer: lines, or whatever a byte separates, and columns as Arrow has them.
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
//! A batch is read in chunks of some hundred items. Items with a byte between them are first taken
//! apart all together, bit by bit; what is rare or wrong in them, and every item of a column, the
//! parser is asked about. UTF-8 is checked of all items of a chunk at once. Nothing is allocated for
//! an item.
//!
//! Here: the ways to ask ([`Batch`]) and the results. Not here: parsing (`parse`).
#![forbid(unsafe_code)]

mod chunk;
#[cfg(feature = "alloc")]
mod columns;
mod items;
#[cfg(feature = "alloc")]
mod stream;

use core::iter::FusedIterator;

pub use crate::error::ColumnError;
#[cfg(feature = "alloc")]
pub use columns::{ColumnVecs, Columns};
pub use items::{Column, IntoItems, Items, Offset, Separated, Slice};
#[cfg(feature = "alloc")]
pub use stream::Stream;

use crate::error::Error;
use crate::parse::{Found, Known, Parts, ROOM, Rows, Rule, Sink, Want, explain, parse_many};
use crate::reference::IriRef;
use crate::scan::{CpuLevel, utf8_whole};
use chunk::{Bits, Chunk};
use items::sealed::Source;

/// How the items of a batch are read: by a start rule, at a CPU level.
///
/// Every method passes over the bytes of its items a few times while they are in the first-level
/// cache, which is linear in their length, and allocates nothing for an item.
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

/// How many items there are, and of which kind.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// let count = Batch::new(Rule::Uri).count(Separated::lines(b"a:b\nc\n"));
/// assert_eq!((count.items, count.valid, count.null), (2, 1, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Count {
    /// All of them.
    pub items: u64,
    /// Those that match the rule.
    pub valid: u64,
    /// Those of a column that are null.
    pub null: u64,
}

impl Count {
    /// Those that do not match the rule.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// assert_eq!(Batch::new(Rule::Uri).count(Separated::lines(b"a:b\nc\n")).invalid(), 1);
    /// ```
    #[must_use]
    pub const fn invalid(self) -> u64 {
        self.items - self.valid - self.null
    }
}

impl Batch {
    /// Reads items by `rule`.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// assert_eq!(Batch::new(Rule::Iri).count(Separated::lines(b"")).items, 0);
    /// ```
    #[must_use]
    pub fn new(rule: Rule) -> Self {
        Self { rule, level: CpuLevel::best() }
    }

    /// The same at a chosen level.
    ///
    /// ```
    /// # use simd_iri::{CpuLevel, Rule, batch::{Batch, Separated}};
    /// for level in CpuLevel::available() {
    ///     let batch = Batch::new(Rule::Iri).at_level(level);
    ///     assert_eq!(batch.count(Separated::lines(b"a:b\na\n")).valid, 1);
    /// }
    /// ```
    #[must_use]
    pub const fn at_level(self, level: CpuLevel) -> Self {
        Self { level, ..self }
    }

    /// Counts the items; no offset is kept.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Column}};
    /// let column = Column::new(&[0, 3, 4], b"a:bc")?;
    /// assert_eq!(Batch::new(Rule::Iri).count(column).valid, 1);
    /// # Ok::<(), simd_iri::batch::ColumnError>(())
    /// ```
    #[must_use]
    pub fn count<'a>(self, items: impl IntoItems<'a>) -> Count {
        let mut items = items.into_items();
        let mut chunk = Chunk::EMPTY;
        let mut count = Count::default();
        while items.fill(self.level, self.rule, Want::Sure, &mut chunk) {
            count.items += chunk.found.len as u64;
            count.null += chunk.null.size();
            count.valid += self.valid_items(items.buffer(), &chunk).size();
        }
        count
    }

    /// Parses every item, in order.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let items = Batch::new(Rule::Iri).parse(Separated::lines(b"a:b\nc"));
    /// assert!(items.map(|item| (item.start(), item.parts().is_some())).eq([(0, true), (4, false)]));
    /// ```
    pub fn parse<'a, I: IntoItems<'a>>(self, items: I) -> Parsed<'a, I::Items> {
        let items = items.into_items();
        let (chunk, failed) = (Chunk::EMPTY, Failed::NONE);
        Parsed { batch: self, buffer: items.buffer(), items, chunk, failed, next: 0 }
    }

    /// The items that match the rule, in order, as bytes; no offset is kept.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// let lines = Separated::lines(b"a:b\nc\nd:e\n");
    /// assert!(Batch::new(Rule::Iri).valid(lines).eq([b"a:b", b"d:e"]));
    /// ```
    pub fn valid<'a, I: IntoItems<'a>>(self, items: I) -> Selected<'a, I::Items> {
        Selected::new(self, items.into_items(), true)
    }

    /// The items that do not match the rule, in order, as bytes; nulls are not among them.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// assert!(Batch::new(Rule::Iri).invalid(Separated::lines(b"a:b\nc\n")).eq([b"c"]));
    /// ```
    pub fn invalid<'a, I: IntoItems<'a>>(self, items: I) -> Selected<'a, I::Items> {
        Selected::new(self, items.into_items(), false)
    }

    /// Appends the offsets of the components of every item to `columns`, which are the caller's: a
    /// [`Columns`] that is cleared and used again allocates no more.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Columns, Separated}};
    /// let mut columns = Columns::new();
    /// Batch::new(Rule::Iri).columns(Separated::lines(b"a:b\nhttp://c/d\n"), &mut columns);
    /// assert_eq!(columns.starts(), [0, 4]);
    /// assert_eq!(columns.path(), [2, 8]);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn columns<'a>(self, items: impl IntoItems<'a>, columns: &mut Columns) {
        let mut items = items.into_items();
        let (mut chunk, mut failed) = (Chunk::EMPTY, Failed::NONE);
        while items.fill(self.level, self.rule, Want::Parts, &mut chunk) {
            self.locate(items.buffer(), &mut chunk, &mut failed);
            columns.append(self.rule, items.buffer(), &mut chunk, &failed);
        }
    }

    // Neither is generic, so that the parser is compiled once for each, and in this crate.

    /// The items of a chunk that are valid.
    fn valid_items(self, buffer: &[u8], chunk: &Chunk) -> Bits {
        let mut valid = chunk.sure();
        if chunk.unsure.is_empty() {
            return valid;
        }
        parse_many(self.level, self.rule, buffer, &chunk.found.spans, chunk.unsure.0, &mut valid);
        valid
    }

    /// Locates the components of all items of a chunk.
    fn locate(self, buffer: &[u8], chunk: &mut Chunk, failed: &mut Failed) {
        failed.items = chunk.ill_formed;
        if chunk.unsure.is_empty() {
            return;
        }
        let Found { spans, rows, .. } = &mut chunk.found;
        let mut sink = Locating { rows, failed };
        parse_many(self.level, self.rule, buffer, spans, chunk.unsure.0, &mut sink);
    }
}

/// Which items of a chunk match.
impl Sink for Bits {
    #[cfg_attr(optimized, inline(always))]
    fn take(&mut self, number: u8, result: Result<Parts, Known>) {
        self.set(number, result.is_ok());
    }
}

/// The items of a chunk that are invalid.
#[derive(Clone, Debug)]
struct Failed {
    items: Bits,
    /// How much of each is known to match.
    known: [Known; ROOM],
}

/// Where the components of the items of a chunk lie.
struct Locating<'a> {
    rows: &'a mut Rows,
    failed: &'a mut Failed,
}

impl Sink for Locating<'_> {
    #[cfg_attr(optimized, inline(always))]
    fn take(&mut self, number: u8, result: Result<Parts, Known>) {
        match result {
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
    /// None.
    const NONE: Self = Self { items: Bits::NONE, known: [Known::Nothing; ROOM] };

    /// Why an invalid item is invalid.
    #[cold]
    fn explain(&self, rule: Rule, chunk: &Chunk, number: u8, bytes: &[u8]) -> Error {
        let known = if chunk.ill_formed.contains(number) {
            None
        } else {
            self.known.get(usize::from(number))
        };
        explain(rule, bytes, known.copied().unwrap_or(Known::Nothing))
    }
}

/// What is found out about an item.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Outcome, Separated}};
/// let item = Batch::new(Rule::Iri).parse(Separated::lines(b"http://a/")).next().unwrap();
/// assert!(matches!(item.outcome(), Outcome::Valid(parts) if parts.path() == (8..9)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It matches the rule; where its components lie, in bytes from its own start.
    Valid(Parts),
    /// It does not; the first violation, in bytes from its own start.
    Invalid(Error),
    /// There is none: its column says that it is null.
    Null,
}

/// An item, and what is found out about it.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// let item = Batch::new(Rule::Iri).parse(Separated::lines(b"a:b\nc:d")).last().unwrap();
/// assert_eq!((item.start(), item.bytes()), (4, &b"c:d"[..]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Item<'a> {
    start: u64,
    bytes: &'a [u8],
    outcome: Outcome,
}

impl<'a> Item<'a> {
    /// Where it begins: a byte offset into the buffer or, of a stream, from its very start.
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

    /// Its bytes, without the separator.
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

    /// Its text; `None` if its bytes are not UTF-8. One pass over the bytes.
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

    /// The reference, if it matches the rule: its text with its components. One pass over the bytes.
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

    /// What is found out about it.
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

    /// Where its components lie, in bytes from its own start, if it matches the rule.
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

    /// The first violation, in bytes from its own start, if it does not match the rule.
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

/// The items of a batch with what is found out about them: see [`Batch::parse`].
///
/// Some 28 KiB, which hold a chunk of items.
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// assert_eq!(Batch::new(Rule::Iri).parse(Separated::lines(b"a\nb")).count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Parsed<'a, I> {
    batch: Batch,
    buffer: &'a [u8],
    items: I,
    chunk: Chunk,
    failed: Failed,
    next: usize,
}

impl<'a, I: Items<'a>> Iterator for Parsed<'a, I> {
    type Item = Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Item<'a>> {
        if self.next == self.chunk.found.len {
            // Also if there is no further chunk: then it is empty, and stays at its end.
            self.next = 0;
            if !self.items.fill(self.batch.level, self.batch.rule, Want::Parts, &mut self.chunk) {
                return None;
            }
            self.buffer = self.items.buffer();
            self.batch.locate(self.buffer, &mut self.chunk, &mut self.failed);
        }
        let Self { batch, buffer, chunk, failed, next, .. } = self;
        let number = *next as u8;
        let span = chunk.found.spans.get(number);
        let bytes = buffer.get(span.clone()).unwrap_or_default();
        let outcome = if failed.items.contains(number) {
            Outcome::Invalid(failed.explain(batch.rule, chunk, number, bytes))
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

/// The items of a batch that match the rule, or those that do not: see [`Batch::valid`] and
/// [`Batch::invalid`].
///
/// ```
/// # use simd_iri::{Rule, batch::{Batch, Separated}};
/// assert_eq!(Batch::new(Rule::Iri).invalid(Separated::lines(b"a\nb")).count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Selected<'a, I> {
    batch: Batch,
    buffer: &'a [u8],
    items: I,
    chunk: Chunk,
    /// Those of the chunk that are selected and not yet handed out.
    pending: Bits,
    valid: bool,
}

impl<'a, I: Items<'a>> Selected<'a, I> {
    fn new(batch: Batch, items: I, valid: bool) -> Self {
        let (buffer, chunk, pending) = (items.buffer(), Chunk::EMPTY, Bits::NONE);
        Self { batch, buffer, items, chunk, pending, valid }
    }
}

impl<'a, I: Items<'a>> Iterator for Selected<'a, I> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(number) = self.pending.next() {
                return self.buffer.get(self.chunk.found.spans.get(number));
            }
            if !self.items.fill(self.batch.level, self.batch.rule, Want::Spans, &mut self.chunk) {
                return None;
            }
            self.buffer = self.items.buffer();
            let valid = self.batch.valid_items(self.buffer, &self.chunk);
            let others = Bits::below(self.chunk.found.len).without(self.chunk.null).without(valid);
            self.pending = if self.valid { valid } else { others };
        }
    }
}

impl<'a, I: Items<'a>> FusedIterator for Selected<'a, I> {}
