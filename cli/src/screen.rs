//! How wide the terminal is. Not here: what is written to it.

use std::io;

use terminal_size::{Height, Width, terminal_size_of};

/// Where the width is not known.
pub(crate) const USUAL: usize = 80;

/// A narrower terminal has no room for a picture: its lines are wrapped there.
const NARROWEST: usize = 40;

/// The cells in a line of the terminal that standard output is.
pub(crate) fn stdout_width() -> usize {
    width(terminal_size_of(io::stdout()))
}

/// The cells in a line of the terminal that standard error is.
pub(crate) fn stderr_width() -> usize {
    width(terminal_size_of(io::stderr()))
}

fn width(size: Option<(Width, Height)>) -> usize {
    size.map_or(USUAL, |(Width(cells), _)| usize::from(cells).max(NARROWEST))
}
