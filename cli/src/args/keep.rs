//! What is printed instead of an item that fails.

use clap::ValueEnum;

/// What is printed instead of an item that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Keep {
    /// An empty line
    Empty,
    /// The item itself
    Input,
}

impl Keep {
    /// Returns the text that is printed instead of an item.
    pub(crate) fn text(self, item: &[u8]) -> &[u8] {
        match self {
            Self::Empty => b"",
            Self::Input => item,
        }
    }
}
