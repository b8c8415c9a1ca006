//! Builds arrays of text that refer to the buffers of the input.

use arrow_array::StringViewArray;
use arrow_array::builder::{BooleanBufferBuilder, make_view};
use arrow_buffer::{Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::ArrowError;

use crate::input::{SLICE, slice_at};

/// The number of bytes in a buffer of new texts, unless one text has more.
const BLOCK: usize = 1 << 20;

/// The length of the longest text that a view itself holds.
const INLINE: usize = 12;

/// An array of text that grows. A text that lies in a buffer of the input is not copied.
///
/// Invariant: each view holds its text, or refers to bytes of one of the buffers that were UTF-8 when the view was
/// made. Buffers never change.
pub(crate) struct Views {
    /// The views, and after them zeros for the rows that follow. A null is zero, and a page of zeros that is never written
    /// takes no memory and no time: most addresses have neither a port nor user information.
    views: Vec<u128>,
    /// The number of rows.
    rows: usize,
    valid: BooleanBufferBuilder,
    /// The buffers of the input, and after them those of new texts.
    buffers: Vec<Buffer>,
    /// The buffer of new texts that is being filled. Its number is that of the next buffer.
    block: Vec<u8>,
}

impl Views {
    /// An array without a row, which has room for `rows` rows and may refer to `buffers`.
    pub(crate) fn new(rows: usize, buffers: Vec<Buffer>) -> Self {
        let (views, valid) = (vec![0; rows], BooleanBufferBuilder::new(rows));
        Self { views, rows: 0, valid, buffers, block: Vec::new() }
    }

    /// Appends a null.
    pub(crate) fn push_null(&mut self) {
        self.push_view(0, false);
    }

    fn push_view(&mut self, view: u128, is_valid: bool) {
        match self.views.get_mut(self.rows) {
            Some(place) => *place = view,
            None => self.views.push(view),
        }
        self.rows += 1;
        self.valid.append(is_valid);
    }

    /// Appends a text. If it lies in the buffer with this number, the view refers to that; if not, the text is copied.
    pub(crate) fn push(&mut self, text: &str, buffer: usize) {
        let view = if text.len() <= INLINE {
            make_view(text.as_bytes(), 0, 0)
        } else if let Some(offset) = self.buffers.get(buffer).and_then(|b| offset_in(b, text)) {
            make_view(text.as_bytes(), buffer as u32, offset)
        } else {
            self.copied(text)
        };
        self.push_view(view, true);
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

    /// Appends a part of each of these rows, or null where there is none.
    ///
    /// # Errors
    /// A part has 2 GiB or more, or is not text.
    pub(crate) fn push_parts(
        &mut self,
        rows: &Rows<'_>,
        part: &Part<'_>,
    ) -> Result<(), ArrowError> {
        let values = rows.values;
        let mut is_text = true;
        let mut view = |begin, end, is_cut_well: bool| {
            let view = view_of(values, begin, end);
            is_text &= is_cut_well & view.is_some();
            view.unwrap_or_default()
        };
        match rows.cut {
            Cut::Ascii => self.push_views(rows, part, |begin, end| view(begin, end, true)),
            Cut::Utf8 => self.push_views(rows, part, |begin, end| {
                let is_cut = is_inside(values.get(begin)) | is_inside(values.get(end));
                view(begin, end, !is_cut)
            }),
            Cut::Bytes => self.push_views(rows, part, |begin, end| {
                let text = values.get(begin..end).map(std::str::from_utf8);
                view(begin, end, matches!(text, Some(Ok(_))))
            }),
        }
        if is_text {
            return Ok(());
        }
        // No view of the array is used after an error.
        let message = "a part of a row has 2 GiB or more, or is not UTF-8".to_owned();
        Err(ArrowError::InvalidArgumentError(message))
    }

    /// Appends the view that `view` makes of each part, given where it lies in the values, or null where there is none.
    pub(crate) fn push_views(
        &mut self,
        rows: &Rows<'_>,
        part: &Part<'_>,
        mut view: impl FnMut(usize, usize) -> u128,
    ) {
        let end = self.rows + rows.starts.len();
        self.views.resize(end.max(self.views.len()), 0);
        let places = self.views.get_mut(self.rows..end).unwrap_or_default();
        self.rows = end;
        let bounds = rows.starts.chunks(64).zip(part.begins.chunks(64)).zip(part.ends.chunks(64));
        let sets = part.there.iter().zip(rows.matching);
        for ((((starts, begins), ends), (there, matching)), places) in
            bounds.zip(sets).zip(places.chunks_mut(64))
        {
            let there = there & matching;
            self.valid.append_packed_range(0..starts.len(), &there.to_le_bytes());
            // No branch depends on the presence of one part, which a CPU cannot predict.
            let mut rest = there;
            while rest != 0 {
                let row = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if let (Some(place), Some(start), Some(begin), Some(end)) =
                    (places.get_mut(row), starts.get(row), begins.get(row), ends.get(row))
                {
                    let (begin, end) = (begin + part.delimiter, end - part.last);
                    *place = view(
                        (start + u64::from(begin)) as usize,
                        (start + u64::from(end)) as usize,
                    );
                }
            }
        }
    }

    /// Returns the array.
    #[expect(unsafe_code, reason = "Arrow's checked constructor reads each text again")]
    pub(crate) fn finish(mut self) -> StringViewArray {
        if !self.block.is_empty() {
            self.close_block();
        }
        self.views.truncate(self.rows);
        let views = ScalarBuffer::from(self.views);
        let nulls = Some(NullBuffer::new(self.valid.finish())).filter(|n| n.null_count() > 0);
        debug_assert!(
            StringViewArray::try_new(views.clone(), self.buffers.clone(), nulls.clone()).is_ok(),
            "a view does not refer to a text"
        );
        // SAFETY: by the invariant, each view is one of these. Arrow's `make_view` made it of a `&str`: it holds the text, or
        // `push` found that the memory of the text is that of the buffer at the offset, or `copied` put it there. Or
        // `view_of` made it, and found that the part lies in the values and is UTF-8; `slice_at` is the number that
        // `Input::buffers` gives the slice.
        // There are as many bits of validity as views, because each view is pushed with its bit.
        unsafe { StringViewArray::new_unchecked(views, self.buffers, nulls) }
    }
}

/// The number of rows whose components are written one after the other. It is so small that their data stays in the
/// cache.
pub(crate) const ROWS: usize = 1024;

/// A set of at most [`ROWS`] rows.
pub(crate) type Set = [u64; ROWS / 64];

/// At most [`ROWS`] consecutive rows of an array, of which parts become views.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// The values of the whole array.
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
    /// 1 if a part begins after the delimiter at `begins`.
    pub(crate) delimiter: u32,
    pub(crate) ends: &'a [u32],
    /// 1 if a part ends before the delimiter that ends at `ends`.
    pub(crate) last: u32,
    /// The rows that have the part, and perhaps some that do not match.
    pub(crate) there: Set,
}

/// The reason why a part of a row is known to be text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// All rows are ASCII, and so is each part.
    Ascii,
    /// All rows are UTF-8, by the type of the array. A part is, if no character is cut at its ends.
    Utf8,
    /// Nothing is known: each part is checked.
    Bytes,
}

/// The view of the values from `begin` to `end`, or `None` if there is none, because the text has 2 GiB or more.
#[inline]
fn view_of(values: &[u8], begin: usize, end: usize) -> Option<u128> {
    let text = values.get(begin..end)?;
    let length = text.len();
    // The first 16 bytes at once, of which a short text is a part.
    let head = match values.get(begin..begin + 16).and_then(|head| head.try_into().ok()) {
        Some(head) => u128::from_le_bytes(head),
        None => text.iter().take(16).rev().fold(0, |head, byte| head << 8 | u128::from(*byte)),
    };
    // Without a branch on the length, which a CPU cannot predict: a mask keeps what a view holds of the text, and
    // another one the place of a long text.
    let kept = KEPT.get(length).copied().unwrap_or(0xFFFF_FFFF);
    let is_long = u128::from(length > INLINE).wrapping_neg();
    let place = (slice_at(begin) as u128) << 64 | ((begin % SLICE) as u128) << 96;
    let view = (head & kept) << 32 | (place & is_long) | length as u128;
    i32::try_from(length).is_ok().then_some(view)
}

/// The bytes of a text of each length that its view holds.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const KEPT: [u128; INLINE + 1] = {
    let mut kept = [0; INLINE + 1];
    let mut length = 0;
    while length <= INLINE {
        kept[length] = !(!0 << (8 * length));
        length += 1;
    }
    kept
};

/// Tells whether a byte is one after the first of a character.
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
        // The number of the second buffer is that of no buffer of the input.
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
