//! Signals that end the process, for code that has to clean up first.

use std::process;
use std::thread;
use std::time::Duration;

use crate::files;

/// The number that a shell adds to the number of the signal that ended a process.
pub(crate) const STATUS_SIGNAL: u8 = 128;

/// The time that a process may take to end by itself after a signal.
const GRACE: Duration = Duration::from_secs(5);

/// The exit status for a signal.
fn status(signal: i32) -> i32 {
    i32::from(STATUS_SIGNAL) + signal
}

/// Ends the process now, without a trace of unfinished files.
pub(crate) fn end(signal: i32) -> ! {
    files::discard_unfinished();
    process::exit(status(signal));
}

/// Ends the process after [`GRACE`], unless it has ended by itself: it may hang in a write that is
/// never completed. `tidy` is called first.
pub(crate) fn end_soon(signal: i32, tidy: fn()) {
    // Without a thread, a second signal ends the process.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(GRACE);
        tidy();
        end(signal);
    });
}
