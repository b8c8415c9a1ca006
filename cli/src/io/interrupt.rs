//! The signals that end a run early: the interrupt from the keyboard, a request to terminate, and the loss of the
//! terminal. The run ends after the records that are being processed, and the summary says what was done. A second
//! signal ends the program at once.

use std::process::ExitCode;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

/// The number of the signal that came; 0 if no signal came; [`TOO_LATE`] if signals are ignored from now on.
// The states:
//
//     0 ──a signal──▶ its number ──a second signal──▶ the program ends
//     0 ──`close`───▶ `TOO_LATE`: each signal is ignored
//
// The number changes at most once. So a signal and `close` at the same time have one winner: either no file gets its
// name, or all files get their names.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// The run is complete, and its outputs get their names.
const TOO_LATE: u8 = u8::MAX;

/// Whether the run has outputs that get names at its end. Then the first signal never ends the program by force.
static HAS_NAMED_OUTPUTS: AtomicBool = AtomicBool::new(false);

/// A channel to which nothing is sent. It closes when a signal comes.
struct Closing {
    sender: Mutex<Option<Sender<()>>>,
    receiver: Receiver<()>,
}

static CLOSING: LazyLock<Closing> = LazyLock::new(|| {
    let (sender, receiver) = bounded(0);
    Closing { sender: Mutex::new(Some(sender)), receiver }
});

/// Begins to watch for signals. `has_named_outputs` says that outputs get names at the end of the run.
pub(crate) fn watch(has_named_outputs: bool) {
    static BEGIN: Once = Once::new();
    HAS_NAMED_OUTPUTS.fetch_or(has_named_outputs, Ordering::Relaxed);
    // Without a handler, a signal ends the program, as usual.
    BEGIN.call_once(handle);
}

#[cfg(unix)]
fn handle() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let ignored = ignored();
    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let signals = signals.filter(|signal| ignored & 1 << (signal - 1) == 0);
    let Ok(mut signals) = Signals::new(signals) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            come(u8::try_from(signal).unwrap_or(TOO_LATE - 1));
        }
    });
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
    const INTERRUPT: u8 = 2;
    let _ = ctrlc::set_handler(|| come(INTERRUPT));
}

/// Takes a signal. The first signal ends the run, and the second signal ends the program. After [`close`], signals are
/// ignored.
fn come(signal: u8) {
    match SIGNAL.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => CLOSING.sender.lock().unwrap_or_else(PoisonError::into_inner).take(),
        Err(TOO_LATE) => return,
        Err(first) => std::process::exit(code(first)),
    };
    if !HAS_NAMED_OUTPUTS.load(Ordering::Relaxed) {
        // The run may wait where it does not see the signal, such as for the writer of a named pipe. So the program
        // ends after two seconds.
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(2));
            // A file may have begun to take its name in these two seconds (`Pending::take`).
            if !HAS_NAMED_OUTPUTS.load(Ordering::Relaxed) {
                std::process::exit(code(signal));
            }
        });
    }
}

/// Returns the exit code of a program that a signal ends, as shells show it.
fn code(signal: u8) -> i32 {
    128 + i32::from(signal)
}

/// Tells whether a signal has come.
pub(crate) fn has_come() -> bool {
    !matches!(SIGNAL.load(Ordering::Relaxed), 0 | TOO_LATE)
}

/// Tells whether no signal has come. If so, signals are ignored from now on.
pub(crate) fn close() -> bool {
    let closed = SIGNAL.compare_exchange(0, TOO_LATE, Ordering::Relaxed, Ordering::Relaxed);
    matches!(closed, Ok(_) | Err(TOO_LATE))
}

/// Returns the exit code of the program if a signal ended it.
pub(crate) fn exit_code() -> Option<ExitCode> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    has_come().then(|| (128 | signal).into())
}

/// Returns a channel that closes when a signal comes.
pub(crate) fn channel() -> &'static Receiver<()> {
    &CLOSING.receiver
}
