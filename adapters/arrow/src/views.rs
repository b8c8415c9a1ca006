//! Builds arrays of text that refer to the buffers of the input.

use arrow_array::StringViewArray;
use arrow_array::builder::{BooleanBufferBuilder, make_view};
use arrow_buffer::{Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::ArrowError;

use crate::input::{SLICE, slice_at};

/// The number of bytes in a buffer of new texts, unless a single text is longer.
const BLOCK: usize = 1 << 20;

/// The length of the longest text that a view itself holds.
const INLINE: usize = 12;

/// An array of text that grows. A text that lies in a buffer of the input is not copied.
///
/// Invariant: each view holds its text, or refers to bytes of one of the buffers that were UTF-8 when the view was
/// made. Buffers never change.
pub(crate) struct Views {
    /// The views, and after them zeros for the rows that follow. A null is zero, and a page of zeros that is never
    /// written takes no memory and no time: most addresses have neither a port nor user information.
    views: Vec<u128>,
    /// The number of rows.
    rows: usize,
    valid: BooleanBufferBuilder,
    /// The buffers of the input, and after them the buffers of new texts.
    buffers: Vec<Buffer>,
    /// The buffer of new texts that is being filled. Its number will be the number of buffers before it.
    block: Vec<u8>,
}

impl Views {
    /// An array without a row, which has room for `rows` rows and may refer to `buffers`.
    pub(crate) fn new(rows: usize, buffers: Vec<Buffer>) -> Self {
        let valid = BooleanBufferBuilder::new(rows);
        let views = vec![0; rows];
        Self { views, rows: 0, valid, buffers, block: Vec::new() }
    }

    /// Appends a null.
    pub(crate) fn push_null(&mut self) {
        self.rows += 1;
        self.valid.append(false);
    }

    fn push_view(&mut self, view: u128) {
        match self.views.get_mut(self.rows) {
            Some(place) => *place = view,
            None => {
                self.views.resize(self.rows, 0);
                self.views.push(view);
            }
        }
        self.rows += 1;
        self.valid.append(true);
    }

    /// Appends a text. If it lies in the buffer with this number, the view refers to that buffer; otherwise, the text
    /// is copied.
    pub(crate) fn push(&mut self, text: &str, buffer: usize) {
        let view = if text.len() <= INLINE {
            make_view(text.as_bytes(), 0, 0)
        } else if let Some(offset) = self.buffers.get(buffer).and_then(|b| offset_in(b, text)) {
            make_view(text.as_bytes(), buffer as u32, offset)
        } else {
            self.copied(text)
        };
        self.push_view(view);
    }

    /// Appends a text or a null.
    pub(crate) fn push_option(&mut self, text: Option<&str>, buffer: usize) {
        match text {
            Some(text) => self.push(text, buffer),
            None => self.push_null(),
        }
    }

    /// Copies a text into the buffer of new texts. Returns its view.
    fn copied(&mut self, text: &str) -> u128 {
        if !self.block.is_empty() && self.block.len() + text.len() > BLOCK {
            self.close_block();
        }
        let offset = self.block.len() as u32;
        self.block.extend_from_slice(text.as_bytes());
        make_view(text.as_bytes(), self.buffers.len() as u32, offset)
    }

    fn close_block(&mut self) {
        self.buffers.push(Buffer::from_vec(std::mem::take(&mut self.block)));
    }

    /// Appends a part of each of these rows, or null where the part is absent.
    ///
    /// # Errors
    /// A part has 2 GiB or more, or is not text.
    pub(crate) fn push_parts(
        &mut self,
        rows: &Rows<'_>,
        part: &Part<'_>,
    ) -> Result<(), ArrowError> {
        let values = rows.values;
        let is_text = match rows.cut {
            Cut::Ascii => self.push_views(rows, part, |_, _| true),
            Cut::Utf8 => self.push_views(rows, part, |begin, end| {
                // At the place of an empty text may be the bytes of a null, which need not be UTF-8.
                let is_cut = is_inside(values.get(begin)) | is_inside(values.get(end));
                (begin == end) | !is_cut
            }),
            Cut::Bytes => self.push_views(rows, part, |begin, end| {
                matches!(values.get(begin..end).map(std::str::from_utf8), Some(Ok(_)))
            }),
        };
        if is_text {
            return Ok(());
        }
        // No view of the array is used after an error.
        let message = "a part of a row has 2 GiB or more, or is not UTF-8".to_owned();
        Err(ArrowError::InvalidArgumentError(message))
    }

    /// Appends the view of each part, or null where the part is absent. Returns whether each part has less than 2 GiB
    /// and `is_text` is true of the place of each part in the values.
    fn push_views(
        &mut self,
        rows: &Rows<'_>,
        part: &Part<'_>,
        is_text: impl Fn(usize, usize) -> bool,
    ) -> bool {
        let (mut is_all_text, mut lengths) = (true, 0);
        let mut view = |start: u64, begin: u32, end: u32| {
            let start = start as usize;
            let begin = start + begin as usize + part.delimiter;
            let end = start + end as usize - part.last;
            is_all_text &= is_text(begin, end);
            let (view, length) = view_of(rows.values, begin, end);
            lengths |= length;
            view
        };
        // A part without a delimiter is empty where it is absent. The view of an empty text is zero, and so is the view
        // of a null.
        let is_zero_if_absent = part.delimiter == 0 && part.last == 0;
        let (first, there) = self.push_rows(rows, &part.there);
        for ((first, there), group) in (first..).step_by(64).zip(there).zip(part.groups(rows)) {
            if there == 0 {
                continue;
            }
            if is_zero_if_absent {
                let places = self.places(first, group.starts.len());
                for (place, (start, (begin, end))) in places.iter_mut().zip(group.rows()) {
                    *place = view(*start, *begin, *end);
                }
                continue;
            }
            // A loop over the bits has no branch on the presence of each part, which a CPU cannot predict.
            let places = self.places(first, group.starts.len());
            for row in Bits(there) {
                if let (Some(place), Some((start, begin, end))) =
                    (places.get_mut(row), group.row(row))
                {
                    *place = view(start, begin, end);
                }
            }
        }
        is_all_text && i32::try_from(lengths).is_ok()
    }

    /// Appends the view `usual` for each part, or null where the part is absent. Where the first byte of a part is
    /// `rare`, `view` makes the view of the part.
    pub(crate) fn push_names(
        &mut self,
        rows: &Rows<'_>,
        part: &Part<'_>,
        usual: u128,
        rare: impl Fn(u8) -> bool,
        view: impl Fn(&[u8]) -> u128,
    ) {
        let (first, there) = self.push_rows(rows, &part.there);
        for ((first, there), group) in (first..).step_by(64).zip(there).zip(part.groups(rows)) {
            if there == 0 {
                continue;
            }
            let (mut special, places) = (0, self.places(first, group.starts.len()));
            for (row, (place, (start, (begin, _)))) in
                places.iter_mut().zip(group.rows()).enumerate()
            {
                let first = rows.values.get(*start as usize + *begin as usize);
                special |= u64::from(first.is_some_and(|first| rare(*first))) << row;
                *place = usual & u128::from(there >> row & 1).wrapping_neg();
            }
            for row in Bits(special & there) {
                if let (Some(place), Some((start, begin, end))) =
                    (places.get_mut(row), group.row(row))
                {
                    let start = start as usize;
                    let text = rows.values.get(start + begin as usize..start + end as usize);
                    *place = view(text.unwrap_or_default());
                }
            }
        }
    }

    /// Appends these rows with the view of a null. Marks the rows of `there` that match as texts; the caller puts their
    /// views. Returns the number of the first row, and the rows that are texts.
    fn push_rows(&mut self, rows: &Rows<'_>, there: &Set) -> (usize, Set) {
        let count = rows.starts.len();
        let mut there = *there;
        there.iter_mut().zip(rows.matching).for_each(|(word, matching)| *word &= matching);
        let mut bytes = [0; ROWS / 8];
        for (place, word) in bytes.chunks_exact_mut(8).zip(there) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.valid.append_packed_range(0..count, &bytes);
        let first = self.rows;
        self.rows += count;
        if self.views.len() < self.rows {
            self.views.resize(self.rows, 0);
        }
        (first, there)
    }

    /// The places of `count` views from row `first` on. [`Views::push_rows`] made them zero.
    fn places(&mut self, first: usize, count: usize) -> &mut [u128] {
        self.views.get_mut(first..first + count).unwrap_or_default()
    }

    /// Returns the array.
    #[expect(unsafe_code, reason = "Arrow's checked constructor reads each text again")]
    pub(crate) fn finish(mut self) -> StringViewArray {
        if !self.block.is_empty() {
            self.close_block();
        }
        self.views.resize(self.rows, 0);
        let views = ScalarBuffer::from(self.views);
        let nulls = Some(NullBuffer::new(self.valid.finish())).filter(|n| n.null_count() > 0);
        debug_assert!(
            StringViewArray::try_new(views.clone(), self.buffers.clone(), nulls.clone()).is_ok(),
            "a view does not refer to a text"
        );
        // SAFETY: by the invariant, each view is one of these. Arrow's `make_view` made it of a text: it holds the
        // text, or `push` found that the memory of the text is that of the buffer at the offset, or `copied` put it
        // there. Or `view_of` made it, and found that the part lies in the values and is UTF-8; `slice_at` is the
        // number that `Input::buffers` gives the slice. Or it is zero, the view of an empty text. There are as many
        // bits of validity as rows, because each row is pushed with its bit, and there is now a view for each row.
        unsafe { StringViewArray::new_unchecked(views, self.buffers, nulls) }
    }
}

/// The number of rows whose components are written one after the other, so that their texts and offsets stay in the
/// cache.
pub(crate) const ROWS: usize = 4096;

/// A set of at most [`ROWS`] rows.
pub(crate) type Set = [u64; ROWS / 64];

/// At most [`ROWS`] consecutive rows of an array, of which parts become views.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// The values of the array up to the end of the last of these rows.
    pub(crate) values: &'a [u8],
    /// Where each row begins in the values.
    pub(crate) starts: &'a [u64],
    /// The rows that are not null and match.
    pub(crate) matching: &'a Set,
    /// The reason why a part is known to be text.
    pub(crate) cut: Cut,
}

/// Where a part lies in each row: from `begins + delimiter` to `ends - last`, in bytes relative to the row.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) begins: &'a [u32],
    /// 1 if the part begins after a delimiter at `begins`; otherwise 0.
    pub(crate) delimiter: usize,
    pub(crate) ends: &'a [u32],
    /// 1 if the part ends before a delimiter that ends at `ends`; otherwise 0.
    pub(crate) last: usize,
    /// The rows that have the part, and perhaps some that do not match.
    pub(crate) there: Set,
}

impl<'a> Part<'a> {
    /// The rows in groups of 64.
    fn groups(self, rows: &Rows<'a>) -> impl Iterator<Item = Group<'a>> {
        let bounds = self.begins.chunks(64).zip(self.ends.chunks(64));
        let groups = rows.starts.chunks(64).zip(bounds);
        groups.map(|(starts, (begins, ends))| Group { starts, begins, ends })
    }
}

/// At most 64 rows: where each begins, and the bounds of a part.
struct Group<'a> {
    starts: &'a [u64],
    begins: &'a [u32],
    ends: &'a [u32],
}

impl<'a> Group<'a> {
    fn rows(&self) -> impl ExactSizeIterator<Item = (&'a u64, (&'a u32, &'a u32))> {
        self.starts.iter().zip(self.begins.iter().zip(self.ends))
    }

    fn row(&self, row: usize) -> Option<(u64, u32, u32)> {
        Some((*self.starts.get(row)?, *self.begins.get(row)?, *self.ends.get(row)?))
    }
}

/// The numbers of the bits of a word that are set.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// How it is known that a part of a row is text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// All rows are ASCII, and so is each part.
    Ascii,
    /// The bytes from the first row to the end of the last row are UTF-8. A part is text if no character is cut at its
    /// ends.
    Utf8,
    /// Nothing is known: each part is checked.
    Bytes,
}

/// The view of the values from `begin` to `end`, and the length. The number is not a view if the length is 2 GiB or
/// more.
///
/// A view of Arrow has 128 bits, from the lowest bit on:
///
/// ```text
/// bits             0 to 31    32 to 63                   64 to 95                 96 to 127
/// up to 12 bytes   length     bytes 0 to 3 of the text   bytes 4 to 7             bytes 8 to 11
/// more             length     bytes 0 to 3 of the text   number of the buffer     offset in the buffer
/// ```
#[inline(always)]
fn view_of(values: &[u8], begin: usize, end: usize) -> (u128, usize) {
    // The first 16 bytes at once. A text of up to 12 bytes is a part of them.
    let head = match values.get(begin..begin.wrapping_add(16)).map(<[u8; 16]>::try_from) {
        Some(Ok(head)) if end <= values.len() => u128::from_le_bytes(head),
        _ => match values.get(begin..end) {
            Some(text) => head_of(text),
            None => return (0, usize::MAX),
        },
    };
    let length = end.wrapping_sub(begin);
    // There is no branch on the length, because a CPU cannot predict it: one mask keeps the bytes of the text that the
    // view holds, and another mask keeps the place of a long text.
    let kept = KEPT.get(length.min(INLINE + 1)).unwrap_or(&Kept { low: 0, high: 0, place: 0 });
    let low = u64::from(head as u32 & kept.low) << 32 | length as u64;
    let place = slice_at(begin) as u64 | ((begin % SLICE) as u64) << 32;
    let high = ((head >> 32) as u64 & kept.high) | (place & kept.place);
    (u128::from(low) | u128::from(high) << 64, length)
}

/// The first 16 bytes of a text, with zeros after it.
#[cold]
fn head_of(text: &[u8]) -> u128 {
    text.iter().take(16).rev().fold(0, |head, byte| head << 8 | u128::from(*byte))
}

/// The masks for texts of one length: the parts that the view of the text holds.
#[derive(Clone, Copy)]
struct Kept {
    /// The bits that the view holds of the first 4 bytes of the text.
    low: u32,
    /// The bits that the view holds of the next 8 bytes.
    high: u64,
    /// The bits that the view holds of the place of the text.
    place: u64,
}

/// The masks for each length of a text. The last entry is for all texts that are longer than [`INLINE`].
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
static KEPT: [Kept; INLINE + 2] = {
    let mut kept = [Kept { low: !0, high: 0, place: !0 }; INLINE + 2];
    let mut length = 0;
    while length <= INLINE {
        let bits: u128 = !(!0 << (8 * length));
        kept[length] = Kept { low: bits as u32, high: (bits >> 32) as u64, place: 0 };
        length += 1;
    }
    kept
};

/// Tells whether a byte is a byte of a character after its first byte.
fn is_inside(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
}

/// The offset of `text` in `buffer`, or `None` if it does not lie there or a view cannot have the offset.
fn offset_in(buffer: &Buffer, text: &str) -> Option<u32> {
    let offset = (text.as_ptr() as usize).checked_sub(buffer.as_ptr() as usize)?;
    let fits = offset.checked_add(text.len())? <= buffer.len();
    u32::try_from(offset).ok().filter(|offset| fits && *offset <= i32::MAX as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;

    #[test]
    fn a_text_in_a_buffer_is_not_copied() {
        let buffer = Buffer::from(b"0123456789abcdef0123456789abcdef".as_slice());
        let part = std::str::from_utf8(&buffer.as_slice()[3..20]).unwrap();
        let mut views = Views::new(4, vec![buffer.clone()]);
        views.push(part, 0);
        views.push("a text of its own", 0);
        views.push(part, 7);
        views.push_null();
        views.push("", 0);
        let array = views.finish();
        assert_eq!(
            array.iter().collect::<Vec<_>>(),
            [Some(part), Some("a text of its own"), Some(part), None, Some("")]
        );
        assert_eq!(array.value(0).as_ptr(), part.as_ptr());
        // No buffer of the input has the number of the second buffer.
        assert_ne!(array.value(2).as_ptr(), part.as_ptr());
    }

    #[test]
    fn new_texts_fill_several_buffers() {
        let texts: Vec<String> = (0..5000).map(|i| format!("{i:0>700}")).collect();
        let mut views = Views::new(texts.len(), Vec::new());
        texts.iter().for_each(|text| views.push(text, 0));
        let array = views.finish();
        assert!(array.data_buffers().len() > 2);
        assert!(array.iter().map(Option::unwrap).eq(texts.iter().map(String::as_str)));
        assert_eq!(array.null_count(), 0);
    }
}
