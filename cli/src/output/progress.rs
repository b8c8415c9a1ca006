//! Shows the part of the input that was read, on a terminal that shows nothing else.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::screen;

/// The bytes of files that were read, before decompression.
static READ: AtomicU64 = AtomicU64::new(0);

static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// How long a run takes before the bar appears.
const PATIENCE: Duration = Duration::from_millis(700);

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(200);

/// Counts bytes that were read.
pub(crate) fn add(bytes: u64) {
    READ.fetch_add(bytes, Ordering::Relaxed);
}

/// Shows a bar until the run is over. `length` is the number of bytes of all files, if it is known. `wait` is called
/// between two updates. It waits for a time or until the run is over, and tells whether the run is over.
pub(crate) fn show(length: Option<u64>, wait: impl Fn(Duration) -> bool) {
    if wait(PATIENCE) {
        return;
    }
    let bar = BAR.get_or_init(|| {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let template = match length {
            Some(_) => "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        // The template is valid: a test draws it.
        bar.with_style(
            ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()),
        )
    });
    loop {
        bar.set_position(READ.load(Ordering::Relaxed));
        if wait(TICK) {
            bar.finish_and_clear();
            return;
        }
    }
}

/// Tells whether a bar may be shown: standard error is a terminal, and the output does not go to one.
pub(crate) fn is_wanted() -> bool {
    io::stderr().is_terminal() && (screen::is_apart() || !io::stdout().is_terminal())
}

/// Calls `write`, which writes to standard error, without the bar between its lines.
pub(crate) fn hidden(write: impl FnOnce()) {
    match BAR.get() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
