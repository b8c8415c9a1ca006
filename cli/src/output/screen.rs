//! The terminal: its width, and whether the output goes there. Not here: what the program writes to it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// The width that is assumed if it is not known.
pub(crate) const USUAL: usize = 80;

/// The least width that is used. A narrower terminal has no room for a picture and wraps its lines.
const NARROWEST: usize = 40;

/// Whether the output of the command goes to files.
static IS_APART: AtomicBool = AtomicBool::new(false);

/// Notes that the output of the command goes to files, so that standard output stays empty.
pub(crate) fn set_apart() {
    IS_APART.store(true, Ordering::Relaxed);
}

/// Tells whether the output of the command goes to files.
pub(crate) fn is_apart() -> bool {
    IS_APART.load(Ordering::Relaxed)
}

/// Returns the width of the terminal at standard output.
pub(crate) fn stdout_width() -> usize {
    columns(io::stdout()).map_or(USUAL, |columns| columns.max(NARROWEST))
}

/// Returns the width of the terminal at standard error.
pub(crate) fn stderr_width() -> usize {
    columns(io::stderr()).map_or(USUAL, |columns| columns.max(NARROWEST))
}

/// Returns the width that the system reports. A terminal that does not know its width reports 0.
#[cfg(unix)]
fn columns(terminal: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Returns the width that the system reports.
#[cfg(windows)]
fn columns(terminal: impl std::os::windows::io::AsHandle) -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(terminal)?;
    Some(columns.into())
}

/// Other systems do not report a width.
#[cfg(not(any(unix, windows)))]
fn columns<T>(_: T) -> Option<usize> {
    None
}
