//! The signals that end a process, for all who have something to tidy up first.

use std::process;
use std::thread;
use std::time::Duration;

use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1,
    SIGUSR2, SIGVTALRM, SIGXCPU,
};

/// The number that a shell adds to that of the signal that ended a process.
pub(crate) const STATUS_SIGNAL: u8 = 128;

/// The time that a process may take to end by itself after a signal.
const GRACE: Duration = Duration::from_secs(5);

/// Every signal that would end the process and can be caught. Not those of a program that has gone
/// wrong (SIGSEGV, SIGBUS, SIGILL, SIGFPE): nothing it does then can be trusted.
pub(crate) fn ending() -> Vec<i32> {
    let mut signals = vec![
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGIO, SIGPROF,
        SIGSYS, SIGTRAP, SIGVTALRM, SIGXCPU,
    ];
    #[cfg(target_os = "linux")]
    {
        use rustix::process::Signal;
        signals.extend([Signal::POWER, Signal::STKFLT].map(Signal::as_raw));
    }
    signals
}

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
