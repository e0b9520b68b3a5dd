//! The signals that ask a command without a screen to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::{Failure, failure};

/// The signals that ask us to stop. The first is answered when the machine comes to a rest, which
/// is soon; a second one of them ends the process at once, in case we hang in a write.
pub(super) struct Signals(Arc<AtomicUsize>);

impl Signals {
    pub(super) fn listen() -> Result<Self, Failure> {
        Self::register().map_err(|error| failure(format!("no signals: {error}")))
    }

    fn register() -> io::Result<Self> {
        let received = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
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
