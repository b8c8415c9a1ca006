//! Pointers of the caller, as slices. Every condition on a pointer is checked here, or is a promise of the caller
//! that is named here.
//!
//! A text is a pointer and a length. A null pointer is the empty text if the length is 0, and is refused otherwise.
#![expect(unsafe_code, reason = "C passes pointers")]

use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::{fmt, slice};

use crate::types::{Components, QueryRules, Variable};
use crate::work::Failure;

/// Tells whether this number of values can lie behind a pointer: a slice of Rust has at most `isize::MAX` bytes.
fn fits<T>(pointer: *const T, length: usize) -> bool {
    let bytes = length.checked_mul(size_of::<T>());
    !pointer.is_null() && pointer.is_aligned() && bytes.is_some_and(|b| isize::try_from(b).is_ok())
}

/// Returns the values behind a pointer; `argument` is the number of the argument for the error.
///
/// # Safety
/// Unless `length` is 0 or the pointer is null, `length` values can be read there while the result is in use.
pub(crate) unsafe fn values<'a, T>(
    pointer: *const T,
    length: usize,
    argument: u8,
) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if !fits(pointer, length) {
        return Err(Failure::Argument(argument));
    }
    // SAFETY: `fits` has checked that the pointer is aligned and not null and that the length is possible; the caller
    // promises that the values are there.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// Returns the offsets of items: one more than there are items. Without items, a null pointer has no offsets.
///
/// # Safety
/// The promise of [`values`], for one value more than `items`.
pub(crate) unsafe fn offsets<'a, T>(
    pointer: *const T,
    items: usize,
    argument: u8,
) -> Result<&'a [T], Failure> {
    if pointer.is_null() && items == 0 {
        return Ok(&[]);
    }
    // The number of the items is the argument after the offsets.
    let number = items.checked_add(1).ok_or(Failure::Argument(argument + 1))?;
    // SAFETY: the caller promises the same.
    unsafe { values(pointer, number, argument) }
}

/// Returns the bytes of a text.
///
/// # Safety
/// The promise of [`values`].
pub(crate) unsafe fn text<'a>(
    pointer: *const c_char,
    length: usize,
    argument: u8,
) -> Result<&'a [u8], Failure> {
    // SAFETY: the caller promises the same. A `c_char` and a `u8` are both one byte.
    unsafe { values(pointer.cast::<u8>(), length, argument) }
}

/// Returns the bytes of a text; `None` for a null pointer, which is no text.
///
/// # Safety
/// The promise of [`values`].
pub(crate) unsafe fn optional<'a>(
    pointer: *const c_char,
    length: usize,
    argument: u8,
) -> Result<Option<&'a [u8]>, Failure> {
    if pointer.is_null() && length == 0 {
        return Ok(None);
    }
    // SAFETY: the caller promises the same.
    unsafe { text(pointer, length, argument) }.map(Some)
}

/// Returns the texts of components.
///
/// # Safety
/// Unless the pointer is null, the structure can be read there, and the promise of [`values`] holds for each text.
pub(crate) unsafe fn components<'a>(
    pointer: *const Components,
    argument: u8,
) -> Result<[Option<&'a [u8]>; 7], Failure> {
    // SAFETY: the caller promises the same.
    let components = unsafe { load(pointer) }.ok_or(Failure::Argument(argument))?;
    let Components { scheme, userinfo, host, port, path, query, fragment } = components;
    let mut texts = [None; 7];
    for (place, part) in texts.iter_mut().zip([scheme, userinfo, host, port, path, query, fragment])
    {
        // SAFETY: the caller promises the same for each text.
        *place = unsafe { optional(part.start, part.length, argument) }?;
    }
    Ok(texts)
}

/// The texts of a variable: name, value and key.
pub(crate) type GivenVariable<'a> = Result<[Option<&'a [u8]>; 3], Failure>;

/// Returns the texts of variables.
///
/// # Safety
/// Unless the pointer is null, `count` structures can be read there while the result is in use, aligned or not, and the
/// promise of [`values`] holds for each text.
pub(crate) unsafe fn variables<'a>(
    pointer: *const Variable,
    count: usize,
    argument: u8,
) -> Result<impl Iterator<Item = GivenVariable<'a>>, Failure> {
    let bytes = count.checked_mul(size_of::<Variable>());
    let is_possible = count == 0 || !pointer.is_null();
    if !is_possible || bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(Failure::Argument(argument));
    }
    Ok((0..count).map(move |at| {
        // SAFETY: the pointer is not null, because there is a structure, and the caller promises `count` structures.
        let Variable { name, value, key } = unsafe { pointer.wrapping_add(at).read_unaligned() };
        let mut texts = [None; 3];
        for (place, part) in texts.iter_mut().zip([name, value, key]) {
            // SAFETY: the caller promises the same for each text.
            *place = unsafe { optional(part.start, part.length, argument) }?;
        }
        Ok(texts)
    }))
}

/// Returns the rules behind a pointer; `None` for a null pointer.
///
/// # Safety
/// Unless the pointer is null, [`boxed`] has made it, and [`free`] does not end the rules while the result is in use.
pub(crate) unsafe fn rules<'a>(pointer: *const QueryRules) -> Option<&'a QueryRules> {
    // SAFETY: the caller promises that the rules live, and nothing changes rules.
    unsafe { pointer.as_ref() }
}

/// Moves rules to a place of their own, which [`free`] gives back.
pub(crate) fn boxed(rules: QueryRules) -> *mut QueryRules {
    Box::into_raw(Box::new(rules))
}

/// Ends rules.
///
/// # Safety
/// Unless the pointer is null, [`boxed`] has made it, this is the first call with it, and nothing uses the rules.
pub(crate) unsafe fn free(pointer: *mut QueryRules) {
    if !pointer.is_null() {
        // SAFETY: the caller promises that the pointer is of `boxed` and that nobody else has or ends the rules.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// Returns a buffer for a result. It need not be initialized.
///
/// # Safety
/// Unless `capacity` is 0 or the pointer is null, `capacity` bytes can be written there, and nothing else reads or
/// writes them while the result is in use.
pub(crate) unsafe fn buffer<'a, T>(
    pointer: *mut T,
    capacity: usize,
    argument: u8,
) -> Result<&'a mut [MaybeUninit<u8>], Failure> {
    if capacity == 0 {
        return Ok(&mut []);
    }
    let pointer = pointer.cast::<MaybeUninit<u8>>();
    if !fits(pointer, capacity) {
        return Err(Failure::Argument(argument));
    }
    // SAFETY: `fits` has checked that the pointer is not null and that the length is possible; bytes have no alignment,
    // and the type allows uninitialized bytes. The caller promises the memory.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, capacity) })
}

/// A place of the caller for a value. If the pointer is null, the caller does not want the value.
#[derive(Clone, Copy)]
pub(crate) struct Place<T>(*mut T);

/// Returns a place for a value.
///
/// # Safety
/// Unless the pointer is null, a `T` can be written there while the result is in use. It need not be aligned.
pub(crate) const unsafe fn place<T>(pointer: *mut T) -> Place<T> {
    Place(pointer)
}

/// Returns places for values, in a row.
///
/// # Safety
/// Unless the pointer is null, `capacity` values can be written there while the result is in use. They need not be
/// aligned.
pub(crate) unsafe fn places<T>(
    pointer: *mut T,
    capacity: usize,
    argument: u8,
) -> Result<impl Iterator<Item = Place<T>>, Failure> {
    let bytes = capacity.checked_mul(size_of::<T>());
    let is_possible = capacity == 0 || !pointer.is_null();
    if !is_possible || bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(Failure::Argument(argument));
    }
    Ok((0..capacity).map(move |at| Place(pointer.wrapping_add(at))))
}

impl<T> Place<T> {
    pub(crate) fn store(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the pointer is not null, and the caller of `place` promised the memory.
            unsafe { self.0.write_unaligned(value) }
        }
    }
}

/// Reads a value of the caller; `None` behind a null pointer.
///
/// # Safety
/// Unless the pointer is null, a `T` can be read there. It need not be aligned.
pub(crate) unsafe fn load<T: Copy>(pointer: *const T) -> Option<T> {
    // SAFETY: the pointer is not null, and the caller promises the value.
    (!pointer.is_null()).then(|| unsafe { pointer.read_unaligned() })
}

/// Writes a result and a NUL after it, if there is room for both. Otherwise the buffer holds the empty string: a part
/// of a reference would be another reference.
pub(crate) fn put(result: &[u8], room: &mut [MaybeUninit<u8>]) {
    let fits = result.len() < room.len();
    let result = if fits { result } else { &[] };
    // PERF: this loop becomes a `memcpy`.
    for (place, byte) in room.iter_mut().zip(result) {
        place.write(*byte);
    }
    if let Some(end) = room.get_mut(result.len()) {
        end.write(0);
    }
}

/// A message that is written into a buffer as far as it fits: whole characters, and a NUL.
pub(crate) struct Message<'a> {
    room: &'a mut [MaybeUninit<u8>],
    /// The bytes that are written.
    written: usize,
    /// The bytes of the whole message.
    pub(crate) length: usize,
}

impl<'a> Message<'a> {
    pub(crate) fn new(room: &'a mut [MaybeUninit<u8>]) -> Self {
        let mut message = Self { room, written: 0, length: 0 };
        message.end();
        message
    }

    /// Writes the NUL after the text.
    fn end(&mut self) {
        if let Some(place) = self.room.get_mut(self.written) {
            place.write(0);
        }
    }
}

impl fmt::Write for Message<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        // After a cut, nothing more is written.
        let is_whole = self.written == self.length;
        self.length += piece.len();
        let room = self.room.len().saturating_sub(self.written + 1);
        let end = (0..=room.min(piece.len())).rev().find(|end| piece.is_char_boundary(*end));
        let kept = piece.get(..end.unwrap_or(0)).filter(|_| is_whole).unwrap_or_default();
        for (place, byte) in self.room.iter_mut().skip(self.written).zip(kept.bytes()) {
            place.write(byte);
        }
        self.written += kept.len();
        self.end();
        Ok(())
    }
}
