//! What a module keeps between two calls: the texts of the caller, and the last answer.

use std::cell::RefCell;

use crate::answer::ErrorAnswer;

/// The result of a function whose answer is the first text of the caller.
pub(crate) const SAME: i32 = -1;
/// The result of a function that refuses its texts.
pub(crate) const FAILED: i32 = -2;
/// The result of a function if there is no such value.
pub(crate) const NONE: i32 = -3;
/// The result of a function that does not know a name among its texts.
pub(crate) const UNKNOWN: i32 = -4;
/// The length of a text that is not there.
pub(crate) const ABSENT: u32 = u32::MAX;

/// The result of a function whose answer is longer than a code can say.
pub(crate) const TOO_LONG: i32 = -5;

/// The most texts of a call.
pub(crate) const TEXTS: usize = 16;

/// The number of units of a string that is copied unit by unit.
pub(crate) const UNITS: usize = 512;

pub(crate) struct State {
    /// The first units of a string.
    pub(crate) units: [u16; UNITS],
    /// The texts of the caller.
    pub(crate) input: Vec<u8>,
    /// The text or the rows of the answer.
    pub(crate) output: Vec<u8>,
    /// The lengths of the texts, or the offsets of components.
    pub(crate) numbers: [u32; TEXTS],
    /// The last error.
    pub(crate) error: ErrorAnswer,
}

thread_local! {
    static STATE: RefCell<State> = const {
        RefCell::new(State {
            units: [0; UNITS],
            input: Vec::new(),
            output: Vec::new(),
            numbers: [0; TEXTS],
            error: ErrorAnswer::NONE,
        })
    };
}

/// Runs a function with the state. A module has one thread, and no function of the module calls another.
pub(crate) fn with<T>(run: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(run)
}

/// Returns the first bytes of a room, in which the caller has written UTF-8.
pub(crate) fn text(input: &[u8], length: usize) -> &str {
    input.get(..length).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or_default()
}

impl State {
    /// Returns the place for texts of `length` bytes. Memory of WebAssembly never shrinks, so the room does not either.
    pub(crate) fn room(&mut self, length: usize) -> *mut u8 {
        if self.input.len() < length {
            self.input.resize(length, 0);
        }
        self.input.as_mut_ptr()
    }

    /// Makes a text the answer, and returns its length.
    pub(crate) fn answer(&mut self, text: String) -> i32 {
        self.output = text.into_bytes();
        i32::try_from(self.output.len()).unwrap_or(TOO_LONG)
    }
}
