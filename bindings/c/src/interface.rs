//! The functions that C calls. `include/simd_iri.h` says what they do.
//!
//! Each function turns its pointers into slices, calls `work` or `target`, and stores the answer. A panic does not
//! leave a function: it becomes the error `SIMD_IRI_ERROR_INTERNAL`.
//!
//! # Safety
//! This contract holds for every function. A text, which is a pointer and a length, can be read. A buffer, which is a
//! pointer and a capacity, can be written, and overlaps nothing else. Other pointers are null or point to a value of
//! their type, aligned or not.
#![expect(unsafe_code, reason = "C calls these functions with pointers")]
#![expect(clippy::missing_safety_doc, reason = "the contract of all functions is above")]

use core::ffi::c_char;
use core::fmt::Write;
use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use simd_iri::batch::{Batch, Column, IntoItems, Offset, Separated};
use simd_iri::{Component, CpuLevel};

use crate::memory::{self, Message, Place};
use crate::target;
use crate::types::*;
use crate::work::{self, Failure, Strings, Uncompared, Written, with_strings};

const ARGUMENT: u8 = SIMD_IRI_ERROR_ARGUMENT as u8;
const INTERNAL: u8 = SIMD_IRI_ERROR_INTERNAL as u8;

/// A buffer of the caller.
type Room<'a> = Result<&'a mut [MaybeUninit<u8>], Failure>;

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
    /// Returns the error of the library. `None` for an error of the interface, or without an error.
    fn of_library(self) -> Option<simd_iri::Error> {
        let Self { start, end, character, kind, component, hint, reserved } = self;
        let codes = u32::from_le_bytes([kind, component, hint, reserved]);
        simd_iri::Error::from_words([start, end, character, codes])
    }
}

/// The offsets as an array, which is copied at once. Eight fields in a row have the layout of an array.
const fn as_array(parts: *mut Parts) -> *mut [u32; 8] {
    const { assert!(size_of::<Parts>() == size_of::<[u32; 8]>()) }
    parts.cast()
}

/// Reads the arguments of a function by functions of `memory`. Only this macro relies on the contract of the functions.
macro_rules! arguments {
    ($($name:ident = $read:ident($($argument:expr),+);)+) => {
        // SAFETY: the contract of all functions.
        $(let $name = unsafe { memory::$read($($argument),+) };)+
    };
}

/// Runs a function that may panic.
fn caught<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // A panic leaves no invalid value: the closures change only memory of the caller that has no meaning after an
    // error, and strings that are dropped.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Failure::Internal))
}

/// Makes a value, or stores the error.
#[inline(always)]
fn made<T>(make: impl FnOnce() -> Result<T, Failure>, error: Place<Error>) -> Option<T> {
    caught(make).map_err(|failure| error.store(failure.into())).ok()
}

/// Makes a value and stores it, or stores the error. Returns whether there is a value.
// PERF: inlined, and stored where it is made: a result that is moved twice doubled the time of a parse
// (benches/engines/c).
#[inline(always)]
fn answer<T, U: From<T>>(
    make: impl FnOnce() -> Result<T, Failure>,
    value: Place<U>,
    error: Place<Error>,
) -> bool {
    let run = || {
        value.store(make()?.into());
        Ok(())
    };
    made(run, error).is_some()
}

/// Writes a text into a buffer. Returns its length.
fn put(text: &[u8], room: &mut [MaybeUninit<u8>]) -> isize {
    memory::put(text, room);
    // A text has at most `isize::MAX` bytes.
    text.len() as isize
}

/// Makes a text and writes it into a buffer. Returns its length, or -1.
fn written(
    room: Room<'_>,
    error: Place<Error>,
    make: impl FnOnce(&mut Strings) -> Written,
) -> isize {
    written_part(room, error, |strings| make(strings).map(|()| strings.out.as_bytes()))
}

/// [`written`] for a text that is a part of the strings.
fn written_part(
    room: Room<'_>,
    error: Place<Error>,
    make: impl FnOnce(&mut Strings) -> Result<&[u8], Failure>,
) -> isize {
    let make = || {
        let room = room?;
        memory::put(&[], room);
        with_strings(|strings| Ok(put(make(strings)?, room)))
    };
    made(make, error).unwrap_or(-1)
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
    arguments! {
        text = text(text, length, 2);
        parts = place(as_array(parts));
        error = place(error);
    }
    // PERF: no `?` and no `answer` between the parser and the memory of the caller. In a `Result<_, Failure>`, the
    // offsets share their memory with the fields of an error, and the compiler moves them in pieces of 4, 8, 4 and 16
    // bytes. A caller that copies them with loads of 16 bytes then waits for those stores: a quarter of the time of a
    // parse.
    let run = || match work::rule(rule)?.parse_bytes(text?) {
        Ok(found) => {
            parts.store(found.offsets());
            Ok(())
        }
        Err(error) => Err(Failure::Refused(error)),
    };
    made(run, error).is_some()
}

/// Tells whether a text matches a start rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_is_valid(rule: u32, text: *const c_char, length: usize) -> bool {
    arguments! { text = text(text, length, 2); }
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
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::to_uri(flags, text?, &mut strings.out))
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
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::to_iri(flags, text?, &mut strings.out))
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
    arguments! {
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::normalize(rule, level, text?, &mut strings.out))
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
    arguments! {
        base = text(base, base_length, 2);
        text = text(text, length, 4);
        room = buffer(buffer, capacity, 6);
        error = place(error);
    }
    written(room, error, |strings| work::resolve(flags, base?, text?, &mut strings.out))
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
    arguments! {
        text = text(text, length, 3);
        room = buffer(buffer, capacity, 5);
        error = place(error);
    }
    written(room, error, |strings| work::prepare(profile, flags, text?, &mut strings.out))
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
    arguments! {
        text = text(text, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written(room, error, |strings| work::key(level, text?, &mut strings.out))
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
    arguments! {
        text = text(text, length, 2);
        fingerprint = place(fingerprint.cast::<[u64; 2]>());
        error = place(error);
    }
    let make = || {
        let whole = work::fingerprint(level, text?)?;
        Ok([whole as u64, (whole >> 64) as u64])
    };
    answer(make, fingerprint, error)
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
    arguments! {
        first = text(first, first_length, 2);
        second = text(second, second_length, 4);
        error = place(error);
    }
    let mut refused = SIMD_IRI_FIRST_REFUSED;
    let make = || {
        let compared = work::compare(level, first, second);
        compared.map_err(|Uncompared { is_second, failure }| {
            refused = if is_second { SIMD_IRI_SECOND_REFUSED } else { SIMD_IRI_FIRST_REFUSED };
            failure
        })
    };
    made(make, error).unwrap_or(refused)
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
    arguments! {
        host = text(host, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| work::host_to_unicode(host?, &mut strings.out))
}

/// Parses the target of an HTTP request in origin-form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_target_parse(
    target: *const c_char,
    length: usize,
    parts: *mut Parts,
    error: *mut Error,
) -> bool {
    arguments! {
        bytes = text(target, length, 1);
        parts = place(as_array(parts));
        error = place(error);
    }
    answer(|| target::parse(bytes?), parts, error)
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
    arguments! {
        bytes = text(target, length, 2);
        room = buffer(buffer, capacity, 4);
        error = place(error);
    }
    written_part(room, error, |strings| target::transform(flags, bytes?, strings))
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
    arguments! {
        bytes = text(target, length, 1);
        room = buffer(buffer, capacity, 3);
        error = place(error);
    }
    written(room, error, |strings| target::names(bytes?, strings))
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
    arguments! {
        name = text(name, name_length, 2);
        value = text(value, length, 4);
        room = buffer(buffer, capacity, 6);
        left = place(left);
        error = place(error);
    }
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
    answer(make, left, error);
    written
}

/// Validates the items of a batch. Writes a bit for each item into `room`; bits that do not fit into `room` are left
/// out.
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
    // A chunk may end within a byte. `bits` holds the bits that do not fill a byte yet, and `held` is their number. For
    // example, after a chunk of 11 items, one byte is written and `held` is 3. The next chunk begins at bit 3 of the
    // second byte.
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
    arguments! {
        text = text(text, length, 2);
        room = buffer(valid, capacity, 4);
        count = place(count);
        error = place(error);
    }
    answer(|| validated(rule, Separated::lines(text?), room?), count, error)
}

/// Validates the items between offsets. Without offsets there are no items.
fn validated_column<O: Offset>(
    rule: u32,
    offsets: Result<&[O], Failure>,
    text: Result<&[u8], Failure>,
    room: Room<'_>,
) -> Result<Count, Failure> {
    let (offsets, text) = (offsets?, text?);
    if offsets.is_empty() {
        return validated(rule, Separated::lines(b""), room?);
    }
    let column = Column::new(offsets, text).map_err(|_| Failure::Argument(2))?;
    validated(rule, column, room?)
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
    arguments! {
        offsets = offsets(offsets, items, 2);
        text = text(text, length, 4);
        room = buffer(valid, capacity, 6);
        count = place(count);
        error = place(error);
    }
    answer(|| validated_column(rule, offsets, text, room), count, error)
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
    arguments! {
        offsets = offsets(offsets, items, 2);
        text = text(text, length, 4);
        room = buffer(valid, capacity, 6);
        count = place(count);
        error = place(error);
    }
    answer(|| validated_column(rule, offsets, text, room), count, error)
}

/// Writes a message into a buffer. Returns its length.
fn told(room: Room<'_>, tell: impl FnOnce(&mut Message<'_>)) -> usize {
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
    arguments! {
        error = load(error);
        room = buffer(buffer, capacity, 2);
    }
    let error = error.unwrap_or_default();
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
            (None, _) => {
                write!(message, "this is not an error of simd_iri; pass an error unchanged")
            }
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
    arguments! {
        error = load(error);
        room = buffer(buffer, capacity, 2);
    }
    let error = error.unwrap_or_default();
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
    arguments! {
        error = load(error);
        room = buffer(buffer, capacity, 2);
    }
    let error = error.unwrap_or_default();
    told(room, |message| {
        let component = error.of_library().map(simd_iri::Error::component);
        let _ = message.write_str(component.unwrap_or(Component::Reference).name());
    })
}

/// Writes the name of the CPU level that is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simd_iri_cpu_level(buffer: *mut c_char, capacity: usize) -> usize {
    arguments! { room = buffer(buffer, capacity, 1); }
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
        // SAFETY: the pointer points to a variable.
        let place = unsafe { memory::place(&raw mut error) };
        let length = written(Ok(&mut []), place, |_| panic!("on purpose"));
        assert_eq!((length, error.kind), (-1, INTERNAL));
    }
}
