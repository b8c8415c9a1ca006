//! The numbers of all functions, and a call of one. Not here: the functions, which are in a file for each module.

use crate::functions::{Arguments, CORE, Function, made};
use crate::state::{FAILED, NONE, SAME, State, UNKNOWN};

/// The names of all functions, in the order of their numbers.
const NAMES: Function =
    ("functions", |_| made(all().map(|(name, _)| name).collect::<Vec<_>>().join(" ")));

/// The functions of this module. The first gives the names of all.
fn all() -> impl Iterator<Item = Function> {
    let functions = core::iter::once(&NAMES).chain(CORE);
    #[cfg(feature = "idna")]
    let functions = functions.chain(crate::functions::IDNA);
    #[cfg(feature = "check")]
    let functions = functions.chain(crate::documents::ALL).chain(crate::people::ALL);
    #[cfg(feature = "check")]
    let functions = functions.chain(crate::redact::ALL).chain(crate::templates::ALL);
    #[cfg(feature = "full")]
    let functions = functions.chain(crate::archive::ALL).chain(crate::judge::ALL);
    #[cfg(feature = "full")]
    let functions = functions.chain(crate::rules::ALL);
    #[cfg(feature = "page")]
    let functions = functions.chain(crate::characters::ALL).chain(crate::steps::ALL);
    functions.copied()
}

/// Calls the function with a number, and writes its answer.
pub(crate) fn call(number: usize, state: &mut State) -> i32 {
    let arguments = Arguments::of(&state.input, &state.numbers);
    let answer = match all().nth(number) {
        Some((_, function)) => function(&arguments),
        None => Ok(None),
    };
    match answer {
        Ok(Some(text)) if arguments.is_first(&text) => SAME,
        Ok(Some(text)) => state.answer(text),
        Ok(None) => NONE,
        Err(error) => {
            let code = if error.is_unknown_name() { UNKNOWN } else { FAILED };
            state.error = error;
            code
        }
    }
}
