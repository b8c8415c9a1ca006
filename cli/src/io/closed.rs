//! Which standard streams were closed when the program began, as after `iri check >&-`.
//!
//! The standard library of Rust opens `/dev/null` in the place of a closed stream before `main`, so that no other file
//! takes its number. Then nothing can tell any more that the output goes nowhere. So the system calls [`note`] before the
//! standard library (`main.rs`).

use std::sync::atomic::{AtomicU8, Ordering};

/// A bit for each stream that was closed.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Notes which streams are closed. The standard library is not there yet, and nothing here needs it.
#[cfg(unix)]
pub fn note() {
    use rustix::io::{Errno, fcntl_getfd};
    use rustix::stdio::{stderr, stdin, stdout};

    for (bit, stream) in [(1, stdin()), (2, stdout()), (4, stderr())] {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            CLOSED.fetch_or(bit, Ordering::Relaxed);
        }
    }
}

/// Tells whether a standard stream was closed: 0 is the input, 1 the output, 2 the stream of errors.
pub(crate) fn was(stream: u32) -> bool {
    stream < 3 && CLOSED.load(Ordering::Relaxed) >> stream & 1 == 1
}
