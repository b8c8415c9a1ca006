//! The functions of a module of WebAssembly, which `package/engine.js` calls.
//!
//! A call is a few numbers, because each crossing between JavaScript and the module costs more than the parser. The caller
//! writes texts into the memory of the module, calls a function with their lengths, and reads the answer:
//!
//! ```text
//! room(11)             the place where the caller writes `http://a/é`, 11 bytes of UTF-8
//! parse(1, 11, 10)     1: the text matches the rule with number 1
//! numbers()            4 7 7 8 8 10 10 10: the offsets of the components in the string of the caller
//! ```
//!
//! Offsets are in units of UTF-16, as in JavaScript, so that the caller cuts components out of its own string. A function
//! that makes a text returns the length of [`output`], or [`SAME`](state::SAME) if the result is the text of the caller:
//! then nothing crosses back.
//!
//! Here: what is called often, each with numbers of its own, and [`call`], which calls all else. Not here: rules about
//! IRIs. Each function calls the library.

#![expect(unsafe_code, reason = "JavaScript finds the functions by their names")]

mod answer;
#[cfg(feature = "full")]
mod archive;
mod call;
#[cfg(feature = "page")]
mod characters;
#[cfg(feature = "check")]
mod documents;
mod functions;
#[cfg(feature = "check")]
mod given;
#[cfg(feature = "full")]
mod judge;
#[cfg(feature = "check")]
mod people;
#[cfg(feature = "check")]
mod redact;
mod rows;
#[cfg(feature = "full")]
mod rules;
mod state;
#[cfg(feature = "page")]
mod steps;
#[cfg(feature = "check")]
mod templates;
mod utf16;

use simd_iri::Rule;

use crate::state::with;

/// Returns the place for texts of `length` bytes in all. The bytes that it has stay; the place may be another.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    with(|state| state.room(length))
}

/// Returns the place for [`narrow`], which has room for [`UNITS`](state::UNITS) units.
#[unsafe(no_mangle)]
pub extern "C" fn units() -> *const u16 {
    with(|state| state.units.as_ptr())
}

/// Returns the place of the numbers of a call.
#[unsafe(no_mangle)]
pub extern "C" fn numbers() -> *const u32 {
    with(|state| state.numbers.as_ptr())
}

/// Returns the place of the text or of the rows of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    with(|state| state.output.as_ptr())
}

/// Writes the first `length` units of [`units`] as UTF-8 into [`room`]. Returns the number of bytes, at most three for each
/// unit.
///
/// In a browser, the caller copies a short string unit by unit, which takes less time than a call of `TextEncoder`.
#[unsafe(no_mangle)]
pub extern "C" fn narrow(length: usize) -> usize {
    with(|state| {
        let state::State { units, input, .. } = state;
        utf16::narrow(units.get(..length).unwrap_or_default(), input)
    })
}

/// Parses a text by the rule with a number. Returns 1, and the numbers are the offsets of the components; or 0, and
/// [`error`] has the reason. `units` is the length of the text in UTF-16.
#[unsafe(no_mangle)]
pub extern "C" fn parse(rule: usize, length: usize, units: usize) -> u32 {
    with(|state| {
        let text = state.input.get(..length).unwrap_or_default();
        match rule_of(rule).parse_bytes(text) {
            Ok(parts) => {
                let offsets = utf16::of_parts(&parts);
                // In a text that is ASCII, both offsets are the same.
                let is_ascii = length == units;
                let offsets = if is_ascii { offsets } else { utf16::offsets(text, offsets) };
                state.numbers.iter_mut().zip(offsets).for_each(|(number, offset)| *number = offset);
                1
            }
            Err(error) => {
                state.error = answer::of_error(error, text);
                0
            }
        }
    })
}

/// Tells whether a text matches the rule with a number.
// By the parser: the function that only tells would make the module larger by an eighth, and takes 67 instead of 58 ns here.
#[unsafe(no_mangle)]
pub extern "C" fn is_valid(rule: usize, length: usize) -> u32 {
    with(|state| {
        let text = state.input.get(..length).unwrap_or_default();
        rule_of(rule).parse_bytes(text).is_ok().into()
    })
}

/// Counts the lines of a text that match the rule with a number. The numbers are all lines and the valid lines.
#[unsafe(no_mangle)]
pub extern "C" fn count(rule: usize, length: usize) {
    with(|state| {
        let [lines, valid, ..] = &mut state.numbers;
        (*lines, *valid) = rows::count(rule_of(rule), state::text(&state.input, length));
    });
}

/// Parses the lines of a text by the rule with a number. Returns the number of lines; the output has a row for each line.
#[unsafe(no_mangle)]
pub extern "C" fn rows(rule: usize, length: usize) -> usize {
    with(|state| {
        let state::State { input, output, .. } = state;
        output.clear();
        rows::write(rule_of(rule), state::text(input, length), output)
    })
}

/// Calls the function with a number in [`call::all`]. The numbers are the lengths of its texts, which lie one behind
/// the other; [`ABSENT`](state::ABSENT) is a text that is not there. Returns the length of the answer, or a code.
#[unsafe(no_mangle)]
pub extern "C" fn call(function: usize) -> i32 {
    with(|state| call::call(function, state))
}

/// Writes the error of the last call as [`text`](answer::ErrorAnswer::text), and returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn error() -> i32 {
    with(|state| {
        let error = core::mem::replace(&mut state.error, answer::ErrorAnswer::NONE).text();
        state.answer(error)
    })
}

/// The rule with a number. The caller has no other numbers.
fn rule_of(number: usize) -> Rule {
    Rule::ALL.get(number).copied().unwrap_or(Rule::IriReference)
}
