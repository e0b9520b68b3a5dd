//! The signals that ask a command without a screen to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::outcome::{Failure, failure};
use crate::front;
use crate::signals::{end, end_soon};
use crate::system::{self, SIGINT, SIGQUIT};

/// The signals that ask the command to end. The first is handled after the current slice of the
/// run. If that takes too long, or a second signal arrives, the process ends.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    /// The number of the first signal, or 0.
    received: Arc<AtomicUsize>,
    /// True while another program has the keyboard, so that ctrl-C is meant for it.
    is_lent: Arc<AtomicBool>,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, Failure> {
        let signals = Self::default();
        let listener = signals.clone();
        system::on_end_signal(move |signal| listener.take(signal))
            .or_else(|_| system::store_end_signal(&signals.received))
            .map_err(|error| failure(format!("cannot handle signals: {error}")))?;
        Ok(signals)
    }

    /// Ends the process at the first signal, and removes unfinished files. Commands that cannot
    /// stop halfway use this. If the thread that waits for signals cannot be started, a signal
    /// leaves the unfinished files behind.
    pub(crate) fn end_at_once() {
        let _ = system::on_end_signal(|signal| end(signal));
    }

    /// The number of the first signal, if there was one.
    pub(crate) fn received(&self) -> Option<u8> {
        match self.received.load(Ordering::Relaxed) {
            0 => None,
            number => Some(number as u8),
        }
    }

    /// Ends the work of a command after the first signal.
    ///
    /// # Errors
    /// If there was a signal.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.received().map_or(Ok(()), |number| Err(Failure::Signal(number)))
    }

    /// Runs `work` while another program has the keyboard and handles ctrl-C.
    pub(crate) fn lend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.is_lent.store(true, Ordering::Relaxed);
        let result = work();
        self.is_lent.store(false, Ordering::Relaxed);
        result
    }

    fn take(&self, signal: i32) {
        if [SIGINT, SIGQUIT].contains(&signal) && self.is_lent.load(Ordering::Relaxed) {
            return;
        }
        if self.received.swap(signal.unsigned_abs() as usize, Ordering::Relaxed) == 0 {
            end_soon(signal, front::restore_modes);
        } else {
            front::restore_modes();
            end(signal);
        }
    }
}
