//! Whether labels have colors, and which.

use std::env;
use std::sync::atomic::{AtomicU8, Ordering};

use clap::ValueEnum;

/// When labels have colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless the variable NO_COLOR is set
    Auto,
    Always,
    Never,
}

static CHOICE: AtomicU8 = AtomicU8::new(When::Auto as u8);

/// Sets when labels have colors.
pub(crate) fn set(when: When) {
    CHOICE.store(when as u8, Ordering::Relaxed);
}

/// Tells whether labels have colors in output that goes to a terminal or not.
pub(crate) fn is_on(terminal: bool) -> bool {
    match CHOICE.load(Ordering::Relaxed) {
        choice if choice == When::Always as u8 => true,
        choice if choice == When::Never as u8 => false,
        _ => {
            let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
            terminal && !is_set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// Returns what comes before and after a label of a severity: the codes of its color.
pub(crate) fn of_severity(severity: &str, is_on: bool) -> (&'static str, &'static str) {
    if !is_on {
        return ("", "");
    }
    let color = match severity {
        "error" => "\x1B[1;31m",
        "warning" => "\x1B[1;33m",
        _ => "\x1B[1;36m",
    };
    (color, "\x1B[0m")
}
