//! A call of C, as a call of Rust: the arguments are read, a panic is caught, and the answer or the error is stored.
//!
//! Not here: what a pointer must be (`memory`), and the functions that C calls (`interface`, `texts`).

use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::memory::{self, Place};
use crate::types::*;
use crate::work::{Failure, Found, Strings, Written, with_strings};

pub(crate) const ARGUMENT: u8 = SIMD_IRI_ERROR_ARGUMENT as u8;
pub(crate) const RULES: u8 = SIMD_IRI_ERROR_RULES as u8;
pub(crate) const PREFIX_OF_LIST: u8 = SIMD_IRI_ERROR_PREFIX_OF_LIST as u8;
pub(crate) const TEMPLATE: u8 = SIMD_IRI_ERROR_TEMPLATE as u8;
pub(crate) const DOT_SEGMENT: u8 = SIMD_IRI_ERROR_DOT_SEGMENT as u8;
pub(crate) const ESCAPE: u8 = SIMD_IRI_ERROR_ESCAPE as u8;
pub(crate) const FILE_NAME: u8 = SIMD_IRI_ERROR_FILE_NAME as u8;
pub(crate) const INTERNAL: u8 = SIMD_IRI_ERROR_INTERNAL as u8;
const NONE: isize = SIMD_IRI_NONE as isize;

/// A buffer of the caller.
pub(crate) type Room<'a> = Result<&'a mut [MaybeUninit<u8>], Failure>;

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(error) => {
                let [start, end, character, codes] = error.to_words();
                let [kind, component, hint, reserved] = codes.to_le_bytes();
                Self { start, end, character, kind, component, hint, reserved }
            }
            Failure::Argument(number) => Self { kind: ARGUMENT, hint: number, ..Self::default() },
            Failure::Other(error) => error,
            Failure::Internal => Self { kind: INTERNAL, ..Self::default() },
        }
    }
}

impl Error {
    /// Returns the error of the library. `None` for an error of the interface, or without an error.
    pub(crate) fn of_library(self) -> Option<simd_iri::Error> {
        let Self { start, end, character, kind, component, hint, reserved } = self;
        let codes = u32::from_le_bytes([kind, component, hint, reserved]);
        simd_iri::Error::from_words([start, end, character, codes])
    }
}

/// The offsets as an array, which is copied at once. Eight fields in a row have the layout of an array.
pub(crate) const fn as_array(parts: *mut Parts) -> *mut [u32; 8] {
    const { assert!(size_of::<Parts>() == size_of::<[u32; 8]>()) }
    parts.cast()
}

/// Reads the arguments of a function by functions of `memory`. Only this macro relies on the contract of the functions,
/// which `interface` states.
macro_rules! arguments {
    ($($name:ident = $read:ident($($argument:expr),+);)+) => {
        // SAFETY: the contract of all functions.
        $(let $name = unsafe { $crate::memory::$read($($argument),+) };)+
    };
}

pub(crate) use arguments;

/// Runs a function that may panic.
pub(crate) fn caught<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // A panic leaves no invalid value: the closures change only memory of the caller that has no meaning after an
    // error, and strings that are dropped.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Failure::Internal))
}

/// Makes a value, or stores the error.
#[inline(always)]
pub(crate) fn made<T>(make: impl FnOnce() -> Result<T, Failure>, error: Place<Error>) -> Option<T> {
    caught(make).map_err(|failure| error.store(failure.into())).ok()
}

/// Makes a value and stores it, or stores the error. Returns whether there is a value.
// PERF: inlined, and stored where it is made: a result that is moved twice doubled the time of a parse
// (benches/engines/c).
#[inline(always)]
pub(crate) fn answer<T, U: From<T>>(
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
pub(crate) fn put(text: &[u8], room: &mut [MaybeUninit<u8>]) -> isize {
    memory::put(text, room);
    // A text has at most `isize::MAX` bytes.
    text.len() as isize
}

/// Makes a text and writes it into a buffer. Returns its length, or -1.
pub(crate) fn written(
    room: Room<'_>,
    error: Place<Error>,
    make: impl FnOnce(&mut Strings) -> Written,
) -> isize {
    written_part(room, error, |strings| make(strings).map(|()| strings.out.as_bytes()))
}

/// [`written`] for a text that is a part of the strings.
pub(crate) fn written_part(
    room: Room<'_>,
    error: Place<Error>,
    make: impl FnOnce(&mut Strings) -> Result<&[u8], Failure>,
) -> isize {
    into(room, error, |strings, room| Ok(put(make(strings)?, room)))
}

/// [`written`] for a text that may not be there: then, the result is [`SIMD_IRI_NONE`].
pub(crate) fn found(
    room: Room<'_>,
    error: Place<Error>,
    find: impl FnOnce(&mut Strings) -> Found,
) -> isize {
    into(room, error, |strings, room| {
        let found = find(strings)?;
        Ok(found.map_or(NONE, |()| put(strings.out.as_bytes(), room)))
    })
}

/// Empties a buffer and runs a function that may write into it. Returns what the function returns, or -1.
fn into(
    room: Room<'_>,
    error: Place<Error>,
    write: impl FnOnce(&mut Strings, &mut [MaybeUninit<u8>]) -> Result<isize, Failure>,
) -> isize {
    let make = || {
        let room = room?;
        memory::put(&[], room);
        with_strings(|strings| write(strings, room))
    };
    made(make, error).unwrap_or(-1)
}

#[cfg(test)]
#[expect(unsafe_code, reason = "makes a place as C does")]
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
