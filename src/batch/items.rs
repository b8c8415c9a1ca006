//! The sources of items: bytes with a separator between the items, a column with offsets, spans of a buffer, or slices of
//! texts that lie anywhere.
//!
//! Not here: what the batch does with the items.

use core::fmt::Debug;

use super::bitset::{BLOCKS, MOST};
use super::chunk::{Chunk, ItemSet};
use super::cursors::Want;
use super::found::Texts;
use super::spans::Spans;
use crate::error::{ColumnError, debug_without_text};
use crate::parse::Rule;
use crate::scan::{BLOCK, CpuLevel, slice, utf8_whole};

pub(super) mod sealed {
    use crate::batch::chunk::Chunk;
    use crate::batch::cursors::Want;
    use crate::parse::Rule;
    use crate::scan::CpuLevel;

    /// A buffer that is cut into items.
    pub trait Source<'a> {
        /// Fills a chunk with the next items, and decides as much as can be decided for all of them at
        /// once. Returns false if there are no more items.
        fn fill(&mut self, level: CpuLevel, rule: Rule, want: Want, chunk: &mut Chunk<'a>) -> bool;
    }

    /// An integer that can be an offset.
    pub trait Integer: Copy + Ord {
        /// Returns the offset, or `None` if the offset is negative.
        fn to_u64(self) -> Option<u64>;

        /// Returns the offset. If the offset is negative, or too large for the target, the result is any number.
        fn as_usize(self) -> usize;
    }
}

/// Items in memory. The trait is sealed: [`Separated`], [`TextColumn`], [`Spanned`], [`Slice`] and [`ByteSlice`] implement
/// it.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, Items, Separated}};
///
/// fn all_valid<'a>(items: impl Items<'a>) -> bool {
///     Batch::new(Rule::Iri).count(items).invalid == 0
/// }
/// assert!(all_valid(Separated::lines(b"a:b\n")));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of items",
    note = "the sources are `Separated`, `TextColumn`, `Spanned`, `Slice` and `ByteSlice`"
)]
pub trait Items<'a>: sealed::Source<'a> + Clone + Debug {}

/// Values that can be read as [`Items`]: items themselves, and slices, arrays and vectors of strings.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, IntoItems}};
///
/// fn all_valid<'a>(items: impl IntoItems<'a>) -> bool {
///     Batch::new(Rule::Iri).count(items).invalid == 0
/// }
/// assert!(all_valid(&["a:b", "c:d"]) && !all_valid(&vec![String::from("a")]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of items",
    label = "not lines, a column or a slice of texts",
    note = "for the lines of a buffer, write `Separated::lines(bytes)`"
)]
pub trait IntoItems<'a> {
    /// The type of the items.
    type Items: Items<'a>;

    /// Returns the items.
    fn into_items(self) -> Self::Items;
}

impl<'a, I: Items<'a>> IntoItems<'a> for I {
    type Items = I;

    fn into_items(self) -> I {
        self
    }
}

impl<'a, S: AsRef<str> + Debug> IntoItems<'a> for &'a [S] {
    type Items = Slice<'a, S>;

    fn into_items(self) -> Slice<'a, S> {
        Slice { texts: self }
    }
}

impl<'a, S: AsRef<str> + Debug, const N: usize> IntoItems<'a> for &'a [S; N] {
    type Items = Slice<'a, S>;

    fn into_items(self) -> Slice<'a, S> {
        self.as_slice().into_items()
    }
}

impl<'a, S: AsRef<str> + Debug> IntoItems<'a> for &'a alloc::vec::Vec<S> {
    type Items = Slice<'a, S>;

    fn into_items(self) -> Slice<'a, S> {
        self.as_slice().into_items()
    }
}

/// The strings of a slice as items. Each string is a buffer of its own, so every item begins at 0.
///
/// The strings may lie anywhere. Short strings are copied to one place of 4 KiB, where many of them are parsed at once,
/// and the memory of the strings after them is fetched in the meantime. A string of more than 256 bytes is parsed alone,
/// where it lies. A batch of texts in one buffer copies nothing: [`Separated`] and [`TextColumn`].
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, Slice}};
///
/// let texts = Slice::new(&["a:b", "c"]);
/// assert_eq!(Batch::new(Rule::Iri).count(texts).valid, 1);
/// ```
///
/// `Debug` does not write the text, which may hold a password.
pub struct Slice<'a, S> {
    /// The strings that are not in the window of a chunk yet.
    texts: &'a [S],
}

debug_without_text!([S] Slice<'_, S>, "Slice");

impl<'a, S: AsRef<str>> Slice<'a, S> {
    /// Returns the strings of a slice as items.
    ///
    /// ```
    /// # use simd_iri::batch::Slice;
    /// assert_eq!(format!("{:?}", Slice::new(&["a:b"])), "Slice { .. }");
    /// ```
    #[must_use]
    pub const fn new(texts: &'a [S]) -> Self {
        Self { texts }
    }
}

impl<S> Clone for Slice<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Slice<'_, S> {}

impl<'a, S: AsRef<str> + Debug> sealed::Source<'a> for Slice<'a, S> {
    fn fill(&mut self, level: CpuLevel, rule: Rule, want: Want, chunk: &mut Chunk<'a>) -> bool {
        advance(&mut self.texts, chunk, |text| text.as_ref().as_bytes());
        chunk.take_texts(level, rule, want, true)
    }
}

/// Moves the next of `texts` into the window of a chunk, in place of the texts of the last chunk.
#[inline]
fn advance<'a, S>(texts: &mut &'a [S], chunk: &mut Chunk<'a>, bytes: impl Fn(&'a S) -> &'a [u8]) {
    let mut rest = texts.iter();
    chunk.bytes.window.advance(chunk.found.len, &mut rest.by_ref().map(bytes));
    *texts = rest.as_slice();
}

impl<'a, S: AsRef<str> + Debug> Items<'a> for Slice<'a, S> {}

/// The byte strings of a slice as items, as in [`Slice`]. They need not be UTF-8: an item that is not UTF-8 is invalid.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, ByteSlice}};
///
/// let texts: [&[u8]; 3] = [b"a:b", b"a:\xFF", b"a:\n"];
/// assert!(Batch::new(Rule::Iri).valid(ByteSlice::new(&texts)).eq([b"a:b"]));
/// ```
///
/// `Debug` does not write the text, which may hold a password.
pub struct ByteSlice<'a, S> {
    /// The byte strings that are not in the window of a chunk yet.
    texts: &'a [S],
}

debug_without_text!([S] ByteSlice<'_, S>, "ByteSlice");

impl<'a, S: AsRef<[u8]>> ByteSlice<'a, S> {
    /// Returns the byte strings of a slice as items.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, ByteSlice}};
    /// assert_eq!(Batch::new(Rule::Iri).count(ByteSlice::new(&[b"a:b"])).valid, 1);
    /// ```
    #[must_use]
    pub const fn new(texts: &'a [S]) -> Self {
        Self { texts }
    }
}

impl<S> Clone for ByteSlice<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for ByteSlice<'_, S> {}

impl<'a, S: AsRef<[u8]> + Debug> sealed::Source<'a> for ByteSlice<'a, S> {
    fn fill(&mut self, level: CpuLevel, rule: Rule, want: Want, chunk: &mut Chunk<'a>) -> bool {
        advance(&mut self.texts, chunk, S::as_ref);
        chunk.take_texts(level, rule, want, false)
    }
}

impl<'a, S: AsRef<[u8]> + Debug> Items<'a> for ByteSlice<'a, S> {}

/// Bytes with a separator between the items. A separator after the last item does not begin another item:
/// the empty text has no item, and a text that is one separator has one empty item.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, Separated}};
///
/// let count = |text: &[u8]| Batch::new(Rule::IriReference).count(Separated::lines(text)).items;
/// assert_eq!([count(b""), count(b"\n"), count(b"a"), count(b"a\n"), count(b"a\n\n")], [0, 1, 1, 1, 2]);
/// ```
#[derive(Clone, Copy)]
pub struct Separated<'a> {
    bytes: &'a [u8],
    separator: u8,
    /// The offset at which the next item begins.
    next: usize,
}

impl<'a> Separated<'a> {
    /// Returns items with `separator` between them, or `None` if the separator is not ASCII.
    ///
    /// ```
    /// # use simd_iri::batch::Separated;
    /// assert!(Separated::new(b"a\0b", 0).is_some());
    /// assert!(Separated::new(b"", 0x80).is_none());
    /// ```
    #[must_use]
    pub const fn new(bytes: &'a [u8], separator: u8) -> Option<Self> {
        if separator.is_ascii() { Some(Self { bytes, separator, next: 0 }) } else { None }
    }

    /// Returns items that are lines: a line feed separates them. A carriage return belongs to the item.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, Separated}};
    /// assert_eq!(Batch::new(Rule::Iri).count(Separated::lines(b"a:b\nc:d")).valid, 2);
    /// ```
    #[must_use]
    pub const fn lines(bytes: &'a [u8]) -> Self {
        Self { bytes, separator: b'\n', next: 0 }
    }
}

impl Debug for Separated<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let separator = char::from(self.separator);
        f.debug_struct("Separated")
            .field("len", &self.bytes.len())
            .field("separator", &separator)
            .field("next", &self.next)
            .finish()
    }
}

impl<'a> sealed::Source<'a> for Separated<'a> {
    fn fill(&mut self, level: CpuLevel, rule: Rule, want: Want, chunk: &mut Chunk<'a>) -> bool {
        let Self { bytes: buffer, separator, next: from } = *self;
        chunk.bytes.buffer = buffer;
        let texts = Texts { rule, buffer, from, separator };
        let found = &mut chunk.found;
        found.find(level, texts, want);
        (chunk.null, chunk.ill_formed) = (ItemSet::NONE, ItemSet::NONE);
        if found.len == 0 {
            return false;
        }
        self.next = found.end + 1;
        // An ASCII separator is not part of another character: if the whole is UTF-8, each item is UTF-8.
        let all = slice::bytes(buffer, from..found.end);
        if !found.is_ascii && utf8_whole(all).is_none() {
            if want == Want::Sure {
                found.find(level, texts, Want::Spans);
            }
            chunk.find_ill_formed();
        }
        chunk.judge(chunk.found.len);
        true
    }
}

impl<'a> Items<'a> for Separated<'a> {}

/// The parts of a buffer at spans as items: the first byte of each item, and the byte after its last. The spans may lie in
/// any order, and may overlap. The items need not be UTF-8.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, Spanned}};
///
/// let rows = b"1,urn:a,x\n2,b,y\n";
/// let column = Spanned::new(rows, &[(2, 7), (12, 13)]).unwrap();
/// assert!(Batch::new(Rule::Iri).valid(column).eq([b"urn:a"]));
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, Copy)]
pub struct Spanned<'a> {
    buffer: &'a [u8],
    /// The spans of the items that are not in a chunk yet. Each lies in the buffer.
    spans: &'a [(u32, u32)],
}

debug_without_text!([] Spanned<'_>, "Spanned");

impl<'a> Spanned<'a> {
    /// Returns the parts of a buffer as items, or `None` if a span is not a part of it. One pass over the spans.
    ///
    /// ```
    /// # use simd_iri::batch::Spanned;
    /// assert!(Spanned::new(b"ab", &[(0, 2), (2, 2)]).is_some());
    /// assert!(Spanned::new(b"ab", &[(1, 3)]).is_none() && Spanned::new(b"ab", &[(1, 0)]).is_none());
    /// ```
    #[must_use]
    pub fn new(buffer: &'a [u8], spans: &'a [(u32, u32)]) -> Option<Self> {
        let len = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
        // No branch in the loop, so that the compiler vectorizes it.
        let are_inside =
            spans.iter().fold(true, |all, (start, end)| all & (start <= end) & (*end <= len));
        are_inside.then_some(Self { buffer, spans })
    }
}

impl<'a> sealed::Source<'a> for Spanned<'a> {
    fn fill(&mut self, level: CpuLevel, rule: Rule, want: Want, chunk: &mut Chunk<'a>) -> bool {
        chunk.bytes.buffer = self.buffer;
        (chunk.null, chunk.ill_formed) = (ItemSet::NONE, ItemSet::NONE);
        // As many items as fit into a search with a separator after each. If the first item does not fit, it is the only
        // item of its chunk.
        let Spans { starts, ends } = &mut chunk.found.spans;
        let (mut len, mut bytes) = (0, 0);
        for ((start, end), (from, to)) in starts.iter_mut().zip(ends).zip(self.spans).take(MOST) {
            (*start, *end) = (*from as usize, *to as usize);
            bytes += *end - *start + 1;
            if len > 0 && bytes > BLOCKS * BLOCK {
                break;
            }
            len += 1;
        }
        chunk.found.len = len;
        chunk.found.find_gathered(level, rule, self.buffer, want);
        // An ASCII separator is not part of another character: if the whole is UTF-8, each item is UTF-8.
        let is_text = |all| utf8_whole(all).is_some();
        if !chunk.found.is_ascii && !chunk.found.gathered().is_some_and(is_text) {
            chunk.find_ill_formed();
        }
        self.spans = self.spans.get(len..).unwrap_or_default();
        chunk.judge(len);
        len > 0
    }
}

impl<'a> Items<'a> for Spanned<'a> {}

/// The type of the offsets of a column: `i32`, `i64`, `u32` or `u64`. The trait is sealed.
///
/// ```
/// use simd_iri::batch::{TextColumn, ColumnError, Offset};
///
/// fn column<'a, O: Offset>(offsets: &'a [O], values: &'a [u8]) -> Result<TextColumn<'a, O>, ColumnError> {
///     TextColumn::new(offsets, values)
/// }
/// assert!(column(&[0_i32, 1], b"a").is_ok() && column(&[0_i64, 1], b"a").is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an offset of a column",
    note = "offsets are `i32`, `i64`, `u32` or `u64`"
)]
pub trait Offset: sealed::Integer + Debug {}

macro_rules! offsets {
    ($($offset:ty),+) => {$(
        impl sealed::Integer for $offset {
            fn to_u64(self) -> Option<u64> {
                u64::try_from(self).ok()
            }

            fn as_usize(self) -> usize {
                self as usize
            }
        }

        impl Offset for $offset {}
    )+};
}

offsets!(i32, i64, u32, u64);

/// Checks the offsets one after the other: they must ascend, and be at most `len`. The error names the first wrong
/// offset.
#[cold]
fn check<O: Offset>(offsets: &[O], len: usize) -> Result<(), ColumnError> {
    let mut before = 0;
    for (index, offset) in offsets.iter().enumerate() {
        let offset = offset.to_u64().filter(|offset| *offset >= before);
        before = offset.ok_or(ColumnError::Descending { index })?;
        if before > len as u64 {
            return Err(ColumnError::OutOfBounds { index });
        }
    }
    Ok(())
}

/// A column of strings in the layout of Apache Arrow: item *i* is the bytes from offset *i* to offset
/// *i* + 1.
///
/// The first offset need not be 0, as in a slice of a longer column. The values need not be UTF-8: an item
/// that is not UTF-8, or that begins or ends inside a character, is invalid.
///
/// ```
/// use simd_iri::{Rule, batch::{Batch, TextColumn, Outcome}};
///
/// let column = TextColumn::new(&[1_i32, 4, 4, 7], b"-a:bc:d")?.with_validity(&[0b1010], 1)?;
/// let outcomes = Batch::new(Rule::Iri).parse(column).map(|item| item.outcome());
/// let kinds = outcomes.map(|outcome| matches!(outcome, Outcome::Valid(_)));
/// assert!(kinds.eq([true, false, true]));
/// # Ok::<(), simd_iri::batch::ColumnError>(())
/// ```
///
/// `Debug` does not write the text, which may hold a password.
#[derive(Clone, Copy)]
pub struct TextColumn<'a, O> {
    offsets: &'a [O],
    values: &'a [u8],
    /// The values, if they are known to be UTF-8.
    text: Option<&'a str>,
    /// One bit for each item, which is 0 if the item is null; and the number of the first bit.
    validity: Option<(&'a [u8], usize)>,
    /// The number of the next item.
    next: usize,
}

debug_without_text!([O] TextColumn<'_, O>, "TextColumn", next);

impl<'a, O: Offset> TextColumn<'a, O> {
    /// Returns a column without nulls. One pass over the offsets.
    ///
    /// # Errors
    /// There is no offset; an offset is negative or less than the offset before it; or an offset is past the
    /// end of `values`.
    ///
    /// ```
    /// # use simd_iri::batch::{TextColumn, ColumnError};
    /// assert_eq!(TextColumn::new(&[0, 2], b"a").unwrap_err(), ColumnError::OutOfBounds { index: 1 });
    /// assert_eq!(TextColumn::new(&[1, 0], b"a").unwrap_err(), ColumnError::Descending { index: 1 });
    /// assert_eq!(TextColumn::<i32>::new(&[], b"").unwrap_err(), ColumnError::NoOffset);
    /// ```
    pub fn new(offsets: &'a [O], values: &'a [u8]) -> Result<Self, ColumnError> {
        let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
            return Err(ColumnError::NoOffset);
        };
        // No branch in the loop, so that the compiler vectorizes it.
        let pairs = offsets.iter().zip(offsets.iter().skip(1));
        let ascend = pairs.fold(true, |all, (from, to)| all & (from <= to));
        let is_inside = last.to_u64().is_some_and(|last| last <= values.len() as u64);
        if !ascend || !is_inside || first.to_u64().is_none() {
            check(offsets, values.len())?;
        }
        Ok(Self { offsets, values, text: None, validity: None, next: 0 })
    }

    /// Returns a column without nulls whose values are UTF-8, such as a column of the Arrow types `Utf8` and
    /// `LargeUtf8`. UTF-8 is not checked again. One pass over the offsets.
    ///
    /// An offset may lie inside a character, as with [`TextColumn::new`]: the items at this offset are invalid.
    ///
    /// # Errors
    /// The errors of [`TextColumn::new`].
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, TextColumn}};
    /// let column = TextColumn::utf8(&[0, 9, 17], "urn:caféurn:thé")?;
    /// assert_eq!(Batch::new(Rule::Iri).count(column).valid, 2);
    /// # Ok::<(), simd_iri::batch::ColumnError>(())
    /// ```
    pub fn utf8(offsets: &'a [O], values: &'a str) -> Result<Self, ColumnError> {
        Ok(Self { text: Some(values), ..Self::new(offsets, values.as_bytes())? })
    }

    /// Returns the column with nulls: item *i* is null if bit `first` + *i* is 0. Bit 0 is the lowest bit of
    /// the first byte.
    ///
    /// # Errors
    /// There are fewer bits than items.
    ///
    /// ```
    /// # use simd_iri::{Rule, batch::{Batch, TextColumn}};
    /// let column = TextColumn::new(&[0, 1, 2], b"ab")?;
    /// assert!(column.with_validity(&[0xFF], 7).is_err());
    /// assert_eq!(Batch::new(Rule::Iri).count(column.with_validity(&[0b01], 0)?).null, 1);
    /// # Ok::<(), simd_iri::batch::ColumnError>(())
    /// ```
    pub fn with_validity(self, bits: &'a [u8], first: usize) -> Result<Self, ColumnError> {
        let items = self.offsets.len() - 1;
        match first.checked_add(items) {
            Some(end) if end.div_ceil(8) <= bits.len() => {
                Ok(Self { validity: Some((bits, first)), ..self })
            }
            _ => Err(ColumnError::FewBits { items }),
        }
    }

    /// Sets where the items of a chunk lie, and which are null.
    fn set_spans(&self, chunk: &mut Chunk<'_>) {
        let offsets = self.offsets.get(self.next..).unwrap_or_default();
        let Spans { starts, ends } = &mut chunk.found.spans;
        let places = starts.iter_mut().zip(ends).take(chunk.found.len);
        for (number, ((start, end), pair)) in places.zip(offsets.windows(2)).enumerate() {
            let [from, to] = pair else { return };
            *start = from.as_usize();
            let is_null = self.is_null(self.next + number);
            // The bytes of a null item have no meaning, and need not be UTF-8.
            *end = if is_null { *start } else { to.as_usize() };
            chunk.null.set(number as u8, is_null);
        }
    }

    /// Tells whether all items of a chunk are UTF-8, if that is known or costs little to find out.
    fn is_utf8(&self, chunk: &Chunk<'_>) -> bool {
        if let (None, Some(all)) = (self.text, chunk.found.gathered()) {
            // An ASCII separator is not part of another character: if the whole is UTF-8, each item is UTF-8.
            return utf8_whole(all).is_some();
        }
        let hull = chunk.found.spans.hull(chunk.found.len);
        let (text, first) = match self.text {
            Some(text) => (Some(text), 0),
            None => (self.values.get(hull.clone()).and_then(utf8_whole), hull.start),
        };
        // Even if the whole is UTF-8, an item may begin or end inside a character. Each item but the last item ends
        // where the next item begins, or is null and empty.
        text.is_some_and(|text| {
            let is_boundary = |at: usize| text.is_char_boundary(at - first);
            is_boundary(hull.end) && chunk.spans().all(|span| is_boundary(span.start))
        })
    }

    /// Tells whether an item is null.
    fn is_null(&self, item: usize) -> bool {
        self.validity.is_some_and(|(bits, first)| {
            let bit = first + item;
            bits.get(bit / 8).is_none_or(|byte| byte >> (bit % 8) & 1 == 0)
        })
    }
}

impl<'a, O: Offset> sealed::Source<'a> for TextColumn<'a, O> {
    fn fill(&mut self, level: CpuLevel, rule: Rule, want: Want, chunk: &mut Chunk<'a>) -> bool {
        chunk.bytes.buffer = self.values;
        (chunk.null, chunk.ill_formed) = (ItemSet::NONE, ItemSet::NONE);
        let [first, offsets @ ..] = self.offsets.get(self.next..).unwrap_or_default() else {
            return false;
        };
        let first = first.as_usize();
        // As many items as fit into a search. If the first item does not fit, it is the only item of its chunk.
        let found = &mut chunk.found;
        let ends = offsets.iter().map(|end| end.as_usize().wrapping_sub(first));
        let fit = found.touch(ends);
        found.len = found.len.max(usize::from(!offsets.is_empty()));
        let len = found.len;
        let touching = fit
            && self.validity.is_none()
            && found.find_touching(level, rule, self.values, first, want);
        if !touching {
            self.set_spans(chunk);
            chunk.found.find_gathered(level, rule, self.values, want);
        }
        let is_text = self.text.is_some() && chunk.found.starts_are_ascii;
        if !chunk.found.is_ascii && !is_text {
            if touching && want == Want::Sure {
                self.set_spans(chunk);
            }
            if !self.is_utf8(chunk) {
                chunk.find_ill_formed();
            }
        }
        self.next += len;
        chunk.judge(len);
        len > 0
    }
}

impl<'a, O: Offset> Items<'a> for TextColumn<'a, O> {}
