//! The functions that C calls. `include/simd_iri.h` says what they do.
//!
//! Each function turns its pointers into slices, calls `work` or `target`, and stores the answer. A panic does not leave
//! a function: it becomes the error `SIMD_IRI_ERROR_INTERNAL`.
//!
//! # Safety
//! Of every function: a text, which is a pointer and a length, can be read; a buffer, which is a pointer and a capacity,
//! can be written, and overlaps nothing else; other pointers are null or point to a value of their type, aligned or not.
#![expect(unsafe_code, reason = "C calls these functions with pointers")]
#![expect(clippy::missing_safety_doc, reason = "the contract of all functions is above")]

use core::ffi::c_char;
use core::fmt::Write;
use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use simd_iri::batch::{Batch, Column, IntoItems, Offset, Separated};
use simd_iri::{Component, CpuLevel};

use crate::memory::{self, Message};
use crate::target;
use crate::types::*;
use crate::work::{self, Failure, Strings, Uncompared, Written, with_strings};

const ARGUMENT: u8 = SIMD_IRI_ERROR_ARGUMENT as u8;
const INTERNAL: u8 = SIMD_IRI_ERROR_INTERNAL as u8;

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(error) => {
                let [start, end, character, codes] = error.to_words();
                let [kind, component, hint, reserved] = codes.to_le_bytes();
                Self { start, end, character, kind, component, hint, reserved }
            }
            Failure::Argument(number) => Self { kind: ARGUMENT, hint: number, ..Self::default() },
            Failure::Internal => Self { kind: INTERNAL, ..Self::default() },
        }
    }
}

impl Error {
    /// Returns the error of the library, unless this is an error of the interface or none.
    fn of_library(self) -> Option<simd_iri::Error> {
        let Self { start, end, character, kind, component, hint, reserved } = self;
        let codes = u32::from_le_bytes([kind, component, hint, reserved]);
        simd_iri::Error::from_words([start, end, character, codes])
    }
}

/// The offsets as an array, which is copied at once: the layout of eight fields in a row is that of an array.
const fn offsets(parts: *mut Parts) -> *mut [u32; 8] {
    const { assert!(size_of::<Parts>() == size_of::<[u32; 8]>()) }
    parts.cast()
}

/// Runs a function that may panic.
fn caught<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // A panic leaves no invalid value: the closures change only memory of the caller that has no meaning after an
    // error, and strings that are dropped.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Failure::Internal))
}

/// Runs a function, and stores its error. Returns whether there is none.
///
/// # Safety
/// The pointer is null or points to an error.
#[inline(always)]
unsafe fn done(run: impl FnOnce() -> Result<(), Failure>, error: *mut Error) -> bool {
    let result = caught(run);
    if let Err(failure) = result {
        // SAFETY: the caller promises it.
        unsafe { memory::store(error, failure.into()) }
    }
    result.is_ok()
}

/// Makes a value and stores it, or stores the error. Returns whether there is a value.
///
/// # Safety
/// The pointers are null or point to a value of their type.
// PERF: inlined, and stored where it is made: a result that is moved twice doubled the time of a parse
// (benches/engines/c).
#[inline(always)]
unsafe fn answer<T, U: From<T>>(
    make: impl FnOnce() -> Result<T, Failure>,
    value: *mut U,
    error: *mut Error,
) -> bool {
    let run = || {
        let made = make()?;
        // SAFETY: the caller promises it.
        unsafe { memory::store(value, made.into()) };
        Ok(())
    };
    // SAFETY: the caller promises it.
    unsafe { done(run, error) }
}

/// Writes a text into a buffer. Returns its length.
fn put(text: &[u8], room: &mut [MaybeUninit<u8>]) -> isize {
    memory::put(text, room);
    // A text has at most `isize::MAX` bytes.
    text.len() as isize
}

/// Makes a text and writes it into a buffer. Returns its length, or -1.
///
/// # Safety
/// The pointer is null or points to an error.
unsafe fn written(
    room: Result<&mut [MaybeUninit<u8>], Failure>,
    error: *mut Error,
    make: impl FnOnce(&mut Strings) -> Written,
) -> isize {
    // SAFETY: the caller promises it.
    unsafe { written_part(room, error, |strings| make(strings).map(|()| strings.out.as_bytes())) }
}

/// [`written`] for a text that is a part of the strings.
///
/// # Safety
/// That of [`written`].
unsafe fn written_part(
    room: Result<&mut [MaybeUninit<u8>], Failure>,
    error: *mut Error,
    make: impl FnOnce(&mut Strings) -> Result<&[u8], Failure>,
) -> isize {
    let mut length = -1;
    let make = || {
        let room = room?;
        memory::put(&[], room);
        with_strings(|strings| {
            let text = make(strings)?;
            Ok(put(text, room))
        })
    };
    // SAFETY: the caller promises it.
    unsafe { answer(make, &raw mut length, error) };
    length
}

/// Reads the texts of a function, and writes what it makes of them to its buffer, by the contract of all functions. Each text
/// and the buffer has the number of its argument.
macro_rules! made_text {
    (
        [$($text:ident, $length:ident, $number:literal);+]
        to [$buffer:ident, $capacity:ident, $to:literal], $error:ident, $make:expr
    ) => {{
        // SAFETY: the contract of all functions.
        $(let $text = unsafe { memory::text($text, $length, $number) };)+
        // SAFETY: the contract of all functions.
        let room = unsafe { memory::buffer($buffer, $capacity, $to) };
        // SAFETY: the contract of all functions.
        unsafe { written(room, $error, $make) }
    }};
}

/// Parses a text by a start rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_parse(
    rule: u32,
    text: *const c_char,
    length: usize,
    parts: *mut Parts,
    error: *mut Error,
) -> bool {
    // SAFETY: the contract of all functions.
    let text = unsafe { memory::text(text, length, 2) };
    // PERF: no `?` and no `answer` between the parser and the memory of the caller. In a `Result<_, Failure>` the offsets
    // lie where the fields of an error would, and the compiler moves them in pieces of 4, 8, 4 and 16 bytes. A caller that
    // copies them with loads of 16 bytes then waits for those stores: a quarter of the time of a parse.
    let run = || match work::rule(rule)?.parse_bytes(text?) {
        Ok(found) => {
            // SAFETY: the contract of all functions.
            unsafe { memory::store(offsets(parts), found.offsets()) };
            Ok(())
        }
        Err(error) => Err(Failure::Refused(error)),
    };
    // SAFETY: the contract of all functions.
    unsafe { done(run, error) }
}

/// Tells whether a text matches a start rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_is_valid(rule: u32, text: *const c_char, length: usize) -> bool {
    // SAFETY: the contract of all functions.
    let text = unsafe { memory::text(text, length, 2) };
    caught(|| Ok(work::rule(rule)?.is_valid_bytes(text?))).unwrap_or(false)
}

/// Maps an IRI reference to a URI reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_to_uri(
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    made_text!(
        [text, length, 2] to [buffer, capacity, 4], error,
        |strings| work::to_uri(flags, text?, &mut strings.out)
    )
}

/// Maps a URI reference to an IRI reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_to_iri(
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    made_text!(
        [text, length, 2] to [buffer, capacity, 4], error,
        |strings| work::to_iri(flags, text?, &mut strings.out)
    )
}

/// Normalizes a text that matches a start rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_normalize(
    rule: u32,
    level: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    made_text!(
        [text, length, 3] to [buffer, capacity, 5], error,
        |strings| work::normalize(rule, level, text?, &mut strings.out)
    )
}

/// Resolves a reference relative to a base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_resolve(
    flags: u32,
    base: *const c_char,
    base_length: usize,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    made_text!(
        [base, base_length, 2; text, length, 4] to [buffer, capacity, 6], error,
        |strings| work::resolve(flags, base?, text?, &mut strings.out)
    )
}

/// Makes a reference of an arbitrary text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_prepare(
    profile: u32,
    flags: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    made_text!(
        [text, length, 3] to [buffer, capacity, 5], error,
        |strings| work::prepare(profile, flags, text?, &mut strings.out)
    )
}

/// Writes the key by which a reference is compared.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_key(
    level: u32,
    text: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    made_text!(
        [text, length, 2] to [buffer, capacity, 4], error,
        |strings| work::key(level, text?, &mut strings.out)
    )
}

/// Stores the fingerprint of a reference: two numbers of 64 bits, the lower one first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_fingerprint(
    level: u32,
    text: *const c_char,
    length: usize,
    fingerprint: *mut u64,
    error: *mut Error,
) -> bool {
    // SAFETY: the contract of all functions.
    let text = unsafe { memory::text(text, length, 2) };
    let make = || {
        let whole = work::fingerprint(level, text?)?;
        Ok([whole as u64, (whole >> 64) as u64])
    };
    // SAFETY: the contract of all functions.
    unsafe { answer(make, fingerprint.cast::<[u64; 2]>(), error) }
}

/// Compares two references by their keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_compare(
    level: u32,
    first: *const c_char,
    first_length: usize,
    second: *const c_char,
    second_length: usize,
    error: *mut Error,
) -> i32 {
    // SAFETY: the contract of all functions.
    let first = unsafe { memory::text(first, first_length, 2) };
    // SAFETY: the contract of all functions.
    let second = unsafe { memory::text(second, second_length, 4) };
    let mut order = SIMD_IRI_EQUAL;
    let mut refused = SIMD_IRI_FIRST_REFUSED;
    let make = || {
        let compared = work::compare(level, first, second);
        compared.map_err(|Uncompared { is_second, failure }| {
            refused = if is_second { SIMD_IRI_SECOND_REFUSED } else { SIMD_IRI_FIRST_REFUSED };
            failure
        })
    };
    // SAFETY: the contract of all functions.
    let is_compared = unsafe { answer(make, &raw mut order, error) };
    if is_compared { order } else { refused }
}

/// Writes a host in Unicode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_host_to_unicode(
    host: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    made_text!(
        [host, length, 1] to [buffer, capacity, 3], error,
        |strings| work::host_to_unicode(host?, &mut strings.out)
    )
}

/// Parses the target of an HTTP request in origin-form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_target_parse(
    target: *const c_char,
    length: usize,
    parts: *mut Parts,
    error: *mut Error,
) -> bool {
    // SAFETY: the contract of all functions.
    let bytes = unsafe { memory::text(target, length, 1) };
    let make = || target::parse(bytes?);
    // SAFETY: the contract of all functions.
    unsafe { answer(make, offsets(parts), error) }
}

/// Repairs, normalizes or maps the target of an HTTP request in origin-form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_target_transform(
    flags: u32,
    target: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    // SAFETY: the contract of all functions.
    let bytes = unsafe { memory::text(target, length, 2) };
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(buffer, capacity, 4) };
    // SAFETY: the contract of all functions.
    unsafe { written_part(room, error, |strings| target::transform(flags, bytes?, strings)) }
}

/// Writes the names that a legacy target may stand for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_target_names(
    target: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    error: *mut Error,
) -> isize {
    // SAFETY: the contract of all functions.
    let bytes = unsafe { memory::text(target, length, 1) };
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(buffer, capacity, 3) };
    // SAFETY: the contract of all functions.
    unsafe { written(room, error, |strings| target::names(bytes?, strings)) }
}

/// Maps the references in the value of a field of HTTP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_field_to_uri(
    flags: u32,
    name: *const c_char,
    name_length: usize,
    value: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
    left: *mut usize,
    error: *mut Error,
) -> isize {
    // SAFETY: the contract of all functions.
    let name = unsafe { memory::text(name, name_length, 2) };
    // SAFETY: the contract of all functions.
    let value = unsafe { memory::text(value, length, 4) };
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(buffer, capacity, 6) };
    let mut written = -1;
    let make = || {
        let room = room?;
        memory::put(&[], room);
        let Some(field) = work::field(name?) else {
            written = SIMD_IRI_NO_REFERENCES;
            return Ok(0);
        };
        with_strings(|strings| {
            let (mapped, left) = work::field_to_uri(flags, field, value?, strings)?;
            written = put(mapped, room);
            Ok(left)
        })
    };
    // SAFETY: the contract of all functions.
    unsafe { answer(make, left, error) };
    written
}

/// Validates the items of a batch. Writes a bit for each item into `room`; bits that do not fit into it are left out.
fn validated<'a>(
    rule: u32,
    items: impl IntoItems<'a>,
    room: &mut [MaybeUninit<u8>],
) -> Result<Count, Failure> {
    let mut count = Count::default();
    let mut places = room.iter_mut();
    let mut write = |byte| {
        places.next().map(|place| place.write(byte));
    };
    // A chunk may end within a byte: the bits that make no whole byte yet, and their number.
    let (mut bits, mut held) = (0_u16, 0);
    Batch::new(work::rule(rule)?).each_validity(items, |words, number| {
        let bytes = words.into_iter().flat_map(u64::to_le_bytes);
        for (byte, first) in bytes.zip((0..number).step_by(8)) {
            bits |= u16::from(byte) << held;
            held += (number - first).min(8);
            if held >= 8 {
                let [whole, rest] = bits.to_le_bytes();
                write(whole);
                (bits, held) = (u16::from(rest), held - 8);
            }
        }
        count.items += number as u64;
        count.valid += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    });
    if held > 0 {
        let [rest, _] = bits.to_le_bytes();
        write(rest);
    }
    Ok(count)
}

/// Validates the lines of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_validate_lines(
    rule: u32,
    text: *const c_char,
    length: usize,
    valid: *mut u8,
    capacity: usize,
    count: *mut Count,
    error: *mut Error,
) -> bool {
    // SAFETY: the contract of all functions.
    let text = unsafe { memory::text(text, length, 2) };
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(valid, capacity, 4) };
    let make = || validated(rule, Separated::lines(text?), room?);
    // SAFETY: the contract of all functions.
    unsafe { answer(make, count, error) }
}

/// Validates the items between offsets.
///
/// # Safety
/// The contract of all functions.
#[expect(clippy::too_many_arguments, reason = "those of the functions below")]
unsafe fn validate_offsets<O: Offset>(
    rule: u32,
    offsets: *const O,
    items: usize,
    text: *const c_char,
    length: usize,
    valid: *mut u8,
    capacity: usize,
    count: *mut Count,
    error: *mut Error,
) -> bool {
    let is_empty = offsets.is_null() && items == 0;
    let number = items.checked_add(1).ok_or(Failure::Argument(3));
    // SAFETY: the contract of all functions.
    let offsets = number.and_then(|number| unsafe { memory::values(offsets, number, 2) });
    // SAFETY: the contract of all functions.
    let text = unsafe { memory::text(text, length, 4) };
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(valid, capacity, 6) };
    let make = || {
        if is_empty {
            text?;
            return validated(rule, Separated::lines(b""), room?);
        }
        let column = Column::new(offsets?, text?).map_err(|_| Failure::Argument(2))?;
        validated(rule, column, room?)
    };
    // SAFETY: the contract of all functions.
    unsafe { answer(make, count, error) }
}

/// Validates the items between offsets of 32 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_validate_offsets32(
    rule: u32,
    offsets: *const i32,
    items: usize,
    text: *const c_char,
    length: usize,
    valid: *mut u8,
    capacity: usize,
    count: *mut Count,
    error: *mut Error,
) -> bool {
    // SAFETY: the contract of all functions.
    unsafe { validate_offsets(rule, offsets, items, text, length, valid, capacity, count, error) }
}

/// Validates the items between offsets of 64 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_validate_offsets64(
    rule: u32,
    offsets: *const i64,
    items: usize,
    text: *const c_char,
    length: usize,
    valid: *mut u8,
    capacity: usize,
    count: *mut Count,
    error: *mut Error,
) -> bool {
    // SAFETY: the contract of all functions.
    unsafe { validate_offsets(rule, offsets, items, text, length, valid, capacity, count, error) }
}

/// Writes a message into a buffer. Returns its length.
fn told(
    room: Result<&mut [MaybeUninit<u8>], Failure>,
    tell: impl FnOnce(&mut Message<'_>),
) -> usize {
    let result = caught(|| {
        let mut message = Message::new(room?);
        tell(&mut message);
        Ok(message.length)
    });
    result.unwrap_or(0)
}

/// Writes the message of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_error_message(
    error: *const Error,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the contract of all functions.
    let error = unsafe { memory::load(error) }.unwrap_or_default();
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(buffer, capacity, 2) };
    told(room, |message| {
        // Writing a message does not fail.
        let _ = match (error.of_library(), error.kind) {
            (Some(error), _) => write!(message, "{error}"),
            (None, 0) => write!(message, "no error"),
            (None, ARGUMENT) => write!(
                message,
                "argument {} is not what the function asks for; simd_iri.h says what it must be",
                error.hint
            ),
            (None, INTERNAL) => write!(message, "the library failed; please report it as a defect"),
            (None, _) => write!(message, "this is no error of simd_iri; pass one unchanged"),
        };
    })
}

/// Writes the name of the kind of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_error_name(
    error: *const Error,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the contract of all functions.
    let error = unsafe { memory::load(error) }.unwrap_or_default();
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(buffer, capacity, 2) };
    told(room, |message| {
        let _ = message.write_str(match (error.of_library(), error.kind) {
            (Some(error), _) => error.kind().name(),
            (None, 0) => "none",
            (None, ARGUMENT) => "argument",
            (None, INTERNAL) => "internal",
            (None, _) => "unknown",
        });
    })
}

/// Writes the name of the component of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_error_component(
    error: *const Error,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the contract of all functions.
    let error = unsafe { memory::load(error) }.unwrap_or_default();
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(buffer, capacity, 2) };
    told(room, |message| {
        let component = error.of_library().map(simd_iri::Error::component);
        let _ = message.write_str(component.unwrap_or(Component::Reference).name());
    })
}

/// Writes the name of the CPU level that is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_cpu_level(buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the contract of all functions.
    let room = unsafe { memory::buffer(buffer, capacity, 1) };
    told(room, |message| {
        let _ = message.write_str(CpuLevel::best().name());
    })
}

/// Returns the version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn simd_iri_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let mut error = Error::default();
        // SAFETY: the pointer is that of a variable.
        let length = unsafe { written(Ok(&mut []), &raw mut error, |_| panic!("on purpose")) };
        assert_eq!((length, error.kind), (-1, INTERNAL));
    }
}
