//! The interrupt from the keyboard: the run ends after the records that are being processed, and the
//! summary says what was done. A second interrupt ends the program at once.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

/// The exit code of a program that an interrupt ends, as shells show it.
pub(crate) const EXIT_CODE: u8 = 130;

static HAS_COME: AtomicBool = AtomicBool::new(false);

/// A channel to which nothing is sent. It closes when the interrupt comes.
struct Closing {
    sender: Mutex<Option<Sender<()>>>,
    receiver: Receiver<()>,
}

static CLOSING: LazyLock<Closing> = LazyLock::new(|| {
    let (sender, receiver) = bounded(0);
    Closing { sender: Mutex::new(Some(sender)), receiver }
});

/// Begins to watch for the interrupt.
pub(crate) fn watch() {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(|| {
        // Without a handler, an interrupt ends the program, as usual.
        let _ = ctrlc::set_handler(|| {
            if HAS_COME.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_CODE.into());
            }
            CLOSING.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
            // A run that waits for a file without another thread, such as a named pipe, does not see the
            // interrupt.
            std::thread::sleep(Duration::from_secs(2));
            std::process::exit(EXIT_CODE.into());
        });
    });
}

/// Tells whether the interrupt has come.
pub(crate) fn has_come() -> bool {
    HAS_COME.load(Ordering::Relaxed)
}

/// Returns a channel that closes when the interrupt comes.
pub(crate) fn channel() -> &'static Receiver<()> {
    &CLOSING.receiver
}
