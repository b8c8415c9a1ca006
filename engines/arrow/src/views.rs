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
    views: Vec<u128>,
    valid: BooleanBufferBuilder,
    /// The buffers of the input, and after them those of new texts.
    buffers: Vec<Buffer>,
    /// The buffer of new texts that is being filled. Its number is that of the next buffer.
    block: Vec<u8>,
}

impl Views {
    /// An array without a row, which has room for `rows` rows and may refer to `buffers`.
    pub(crate) fn new(rows: usize, buffers: Vec<Buffer>) -> Self {
        let (views, valid) = (Vec::with_capacity(rows), BooleanBufferBuilder::new(rows));
        Self { views, valid, buffers, block: Vec::new() }
    }

    /// Appends a null.
    pub(crate) fn push_null(&mut self) {
        self.views.push(0);
        self.valid.append(false);
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
        self.views.push(view);
        self.valid.append(true);
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

    /// Appends a part of each of these rows; `part` gives where it lies in its row, and `None` gives null, as does a row
    /// that does not match.
    ///
    /// # Errors
    /// A part has 2 GiB or more, or is not text.
    pub(crate) fn push_parts(
        &mut self,
        rows: &Rows<'_>,
        part: impl Fn(usize) -> Option<(u32, u32)>,
    ) -> Result<(), ArrowError> {
        let Rows { values, starts, matching, cut } = *rows;
        let mut is_text = true;
        for (first, (starts, matching)) in (0..).step_by(64).zip(starts.chunks(64).zip(matching)) {
            let mut there = 0_u64;
            for (bit, start) in starts.iter().enumerate() {
                let found = if matching >> bit & 1 == 1 { part(first + bit) } else { None };
                let (view, text) = match found {
                    Some((begin, end)) => {
                        there |= 1 << bit;
                        let (begin, end) = (*start + u64::from(begin), *start + u64::from(end));
                        view_of(values, begin as usize, end as usize, cut)
                    }
                    None => (0, true),
                };
                is_text &= text;
                self.views.push(view);
            }
            self.valid.append_packed_range(0..starts.len(), &there.to_le_bytes());
        }
        if is_text {
            return Ok(());
        }
        // No view of the array is used after an error.
        let message = "a part of a row has 2 GiB or more, or is not UTF-8".to_owned();
        Err(ArrowError::InvalidArgumentError(message))
    }

    /// Returns the array.
    #[expect(unsafe_code, reason = "Arrow's checked constructor reads each text again")]
    pub(crate) fn finish(mut self) -> StringViewArray {
        if !self.block.is_empty() {
            self.close_block();
        }
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

/// Consecutive rows of an array, of which parts become views.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// The values of the whole array.
    pub(crate) values: &'a [u8],
    /// Where each row begins in the values.
    pub(crate) starts: &'a [u64],
    /// A bit for each row: whether it is there and matches.
    pub(crate) matching: &'a [u64],
    /// How it is known that a part is text.
    pub(crate) cut: Cut,
}

/// How it is known that a part of a row is text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// All rows are ASCII, and so is each part.
    Ascii,
    /// All rows are UTF-8, by the type of the array. A part is, if no character is cut at its ends.
    Utf8,
    /// Nothing is known: each part is checked.
    Bytes,
}

/// The view of the values from `begin` to `end`, and whether they are text that a view can refer to.
#[inline]
fn view_of(values: &[u8], begin: usize, end: usize, cut: Cut) -> (u128, bool) {
    let Some(text) = values.get(begin..end) else { return (0, false) };
    let is_text = match cut {
        Cut::Ascii => true,
        Cut::Utf8 => !is_inside(text.first()) && !is_inside(values.get(end)),
        Cut::Bytes => std::str::from_utf8(text).is_ok(),
    };
    let length = text.len();
    // The first 16 bytes at once, of which a short text is a part.
    let head = match values.get(begin..begin + 16).and_then(|head| head.try_into().ok()) {
        Some(head) => u128::from_le_bytes(head),
        None => text.iter().take(16).rev().fold(0, |head, byte| head << 8 | u128::from(*byte)),
    };
    if length <= INLINE {
        return ((head & !(!0 << (8 * length))) << 32 | length as u128, is_text);
    }
    let (buffer, offset) = (slice_at(begin), begin % SLICE);
    let view = (offset as u128) << 96 | (buffer as u128) << 64 | (head & 0xFFFF_FFFF) << 32;
    (view | length as u128, is_text && i32::try_from(length).is_ok())
}

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
