//! The signals that end a run early: the interrupt from the keyboard, a request to terminate, and the loss of the
//! terminal. The run ends after the records that are being processed, and the summary says what was done. A second
//! signal ends the program at once.
//!
//! No thread waits for signals: a signal sets a number, and the run looks at it. Where the run may wait for others and
//! does not see the number, the thread that started the other threads looks (`pipe::run`).

use std::cell::Cell;
use std::process::ExitCode;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of the signal that came; 0 if no signal came.
static SIGNAL: AtomicUsize = AtomicUsize::new(0);

/// Whether the next signal ends the program.
#[cfg(unix)]
static IS_SECOND: AtomicBool = AtomicBool::new(false);

/// Whether the run is complete, and its outputs get their names: signals are too late.
static IS_TOO_LATE: AtomicBool = AtomicBool::new(false);

/// Whether the run has outputs that get names at its end. Then the first signal never ends the program by force.
static HAS_NAMED_OUTPUTS: AtomicBool = AtomicBool::new(false);

/// What ends the program at the second signal.
#[cfg(unix)]
static ENDS: Mutex<Vec<signal_hook::SigId>> = Mutex::new(Vec::new());

/// How often a thread that waits looks for a signal.
pub(crate) const LOOK: Duration = Duration::from_millis(200);

/// Begins to watch for signals. `has_named_outputs` says that outputs get names at the end of the run.
pub(crate) fn watch(has_named_outputs: bool) {
    static BEGIN: Once = Once::new();
    HAS_NAMED_OUTPUTS.fetch_or(has_named_outputs, Ordering::Relaxed);
    // Without a handler, a signal ends the program, as usual.
    BEGIN.call_once(handle);
}

// The actions of a signal run in the order in which they are registered. So the first signal finds `IS_SECOND` unset, and
// sets it for the second one.
#[cfg(unix)]
fn handle() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::{register, register_conditional_shutdown, register_usize};

    let ignored = ignored();
    let mut ends = ENDS.lock().unwrap_or_else(PoisonError::into_inner);
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        if ignored & 1 << (signal - 1) != 0 {
            continue;
        }
        ends.extend(register_conditional_shutdown(signal, 128 + signal, &IS_SECOND).ok());
        let number = usize::try_from(signal).unwrap_or_default();
        let _ = register(signal, &IS_SECOND).and_then(|_| register_usize(signal, &SIGNAL, number));
    }
}

/// Returns the signals that the parent of this process ignores for it, as `nohup` does: bit 0 is signal 1.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn handle() {
    /// The number of the interrupt on other systems.
    const INTERRUPT: usize = 2;
    let _ = ctrlc::set_handler(|| {
        let is_first = SIGNAL.compare_exchange(0, INTERRUPT, Ordering::Relaxed, Ordering::Relaxed);
        if is_first.is_err() && !IS_TOO_LATE.load(Ordering::Relaxed) {
            end();
        }
    });
}

/// Ends the program as the signal that came would have ended it.
fn end() -> ! {
    let signal = SIGNAL.load(Ordering::Relaxed);
    std::process::exit(128 + i32::try_from(signal).unwrap_or(0));
}

/// Tells whether a signal has come.
pub(crate) fn has_come() -> bool {
    !IS_TOO_LATE.load(Ordering::Relaxed) && SIGNAL.load(Ordering::Relaxed) != 0
}

/// Tells whether no signal has come. If so, signals are ignored from now on.
pub(crate) fn close() -> bool {
    if has_come() {
        return false;
    }
    IS_TOO_LATE.store(true, Ordering::Relaxed);
    #[cfg(unix)]
    for action in ENDS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        signal_hook::low_level::unregister(action);
    }
    true
}

/// Ends the program two seconds after a signal, unless files may be getting their names. The run may wait where it does
/// not see a signal, such as for the reader of a pipe.
#[derive(Default)]
pub(crate) struct Patience(Cell<Option<Instant>>);

impl Patience {
    /// Looks for a signal. The thread that waits for the others does this every now and then.
    pub(crate) fn look(&self) {
        if !has_come() {
            return;
        }
        let first = self.0.get().unwrap_or_else(Instant::now);
        self.0.set(Some(first));
        let is_over = first.elapsed() >= Duration::from_secs(2);
        if is_over && !HAS_NAMED_OUTPUTS.load(Ordering::Relaxed) {
            end();
        }
    }
}

/// Returns the exit code of the program if a signal ended it.
pub(crate) fn exit_code() -> Option<ExitCode> {
    let signal = u8::try_from(SIGNAL.load(Ordering::Relaxed)).unwrap_or(0);
    has_come().then(|| (128 | signal).into())
}
