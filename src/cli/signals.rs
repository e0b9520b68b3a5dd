//! The signals that ask a command without a screen to stop.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::{Failure, failure};

/// The signals that ask us to stop. The first is answered when the machine comes to a rest, which
/// is soon; a second one of them ends the process at once, in case we hang in a write.
pub(super) struct Signals(Arc<AtomicUsize>);

impl Signals {
    pub(super) fn listen() -> Result<Self, Failure> {
        Self::register().map_err(|error| failure(format!("cannot handle signals: {error}")))
    }

    fn register() -> io::Result<Self> {
        let received = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        let unless_ignored = [SIGHUP, SIGQUIT].into_iter().filter(|signal| !is_ignored(*signal));
        for signal in [SIGINT, SIGTERM].into_iter().chain(unless_ignored) {
            let status = i32::from(super::STATUS_SIGNAL) + signal;
            signal_hook::flag::register_conditional_shutdown(signal, status, Arc::clone(&again))?;
            signal_hook::flag::register(signal, Arc::clone(&again))?;
            let number = signal.unsigned_abs() as usize;
            signal_hook::flag::register_usize(signal, Arc::clone(&received), number)?;
        }
        Ok(Self(received))
    }

    /// The number of the signal that came last, if one came.
    pub(super) fn received(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            number => Some(number as u8),
        }
    }
}

/// Whether whoever started us wants this signal ignored, as `nohup` does. Only Linux tells; an
/// answer that is not known counts as yes.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}
