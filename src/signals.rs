//! Ends the process after a signal, with time to clean up.

use std::process;
use std::thread;
use std::time::Duration;

use crate::files;

/// A shell adds this to the number of the signal that ended a process, to form the exit status.
pub(crate) const STATUS_SIGNAL: u8 = 128;

/// The time that a process may take to end after a signal.
const GRACE: Duration = Duration::from_secs(5);

/// The exit status for a signal.
fn status(signal: i32) -> i32 {
    i32::from(STATUS_SIGNAL) + signal
}

/// Ends the process now and removes unfinished files.
pub(crate) fn end(signal: i32) -> ! {
    files::discard_unfinished();
    process::exit(status(signal));
}

/// Ends the process after [`GRACE`] if it has not ended by then, for example because it is blocked
/// in a write. Calls `tidy` first.
pub(crate) fn end_soon(signal: i32, tidy: fn()) {
    // If this thread cannot be started, a second signal ends the process.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(GRACE);
        tidy();
        end(signal);
    });
}
