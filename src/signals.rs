//! The signals that end a process, for all who have something to tidy up first.

use std::process;
use std::thread;
use std::time::Duration;

/// The number that a shell adds to that of the signal that ended a process.
pub(crate) const STATUS_SIGNAL: u8 = 128;

/// The time that a process may take to end by itself after a signal.
const GRACE: Duration = Duration::from_secs(5);

/// The exit status that tells of a signal.
pub(crate) fn status(signal: i32) -> i32 {
    i32::from(STATUS_SIGNAL) + signal
}

/// Ends the process if it is still there after [`GRACE`], as when it hangs in a write that nothing
/// takes. `tidy` comes first.
pub(crate) fn end_soon(signal: i32, tidy: fn()) {
    thread::spawn(move || {
        thread::sleep(GRACE);
        tidy();
        process::exit(status(signal));
    });
}
