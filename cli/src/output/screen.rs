//! The width of the terminal. Not here: what the program writes to it.

use std::io;

/// Where the width is not known.
pub(crate) const USUAL: usize = 80;

/// A narrower terminal has no room for a picture: its lines are wrapped there.
const NARROWEST: usize = 40;

/// The cells in a line of the terminal that standard output is.
pub(crate) fn stdout_width() -> usize {
    columns(io::stdout()).map_or(USUAL, |columns| columns.max(NARROWEST))
}

/// The cells in a line of the terminal that standard error is.
pub(crate) fn stderr_width() -> usize {
    columns(io::stderr()).map_or(USUAL, |columns| columns.max(NARROWEST))
}

/// The width that the system reports; a terminal that does not know its width reports 0.
#[cfg(unix)]
fn columns(terminal: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// What the system says of a terminal.
#[cfg(windows)]
fn columns(terminal: impl std::os::windows::io::AsHandle) -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(terminal)?;
    Some(columns.into())
}

/// Other systems do not say.
#[cfg(not(any(unix, windows)))]
fn columns<T>(_: T) -> Option<usize> {
    None
}
