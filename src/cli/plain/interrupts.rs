//! Ctrl-C in the plain debugger: it interrupts a run, and keeps the session.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::PROMPT;
use crate::cli::shared::outcome::{Failure, failure, print};
use crate::signals::end;
use crate::system::{self, SIGINT};

/// The wishes to interrupt a run.
#[derive(Default)]
pub(super) struct Interrupts {
    /// Whether a command is being carried out.
    is_working: AtomicBool,
    is_asked: AtomicBool,
}

impl Interrupts {
    /// Begins to listen to signals. Those other than ctrl-C end the process, and so does ctrl-C
    /// unless it `keeps` the session.
    pub(super) fn listen(keeps: bool) -> Result<Arc<Self>, Failure> {
        let interrupts = Arc::new(Self::default());
        let listener = Arc::clone(&interrupts);
        let listening = system::on_end_signal(move |signal| {
            if signal != SIGINT || !keeps {
                end(signal);
            }
            listener.is_asked.store(true, Ordering::Relaxed);
            if !listener.is_working.load(Ordering::Relaxed) {
                // The terminal has discarded the line that was being typed. If it is gone, nobody
                // needs a prompt.
                let _ = print(&format!("\n{PROMPT}"));
            }
        });
        listening.map_err(|error| failure(format!("cannot handle signals: {error}")))?;
        Ok(interrupts)
    }

    /// Carries out a command, which an earlier wish does not interrupt.
    pub(super) fn during<T>(&self, command: impl FnOnce() -> T) -> T {
        self.is_working.store(true, Ordering::Relaxed);
        self.is_asked.store(false, Ordering::Relaxed);
        let done = command();
        self.is_working.store(false, Ordering::Relaxed);
        done
    }

    /// Returns true once after the user has asked to interrupt the command.
    pub(super) fn take(&self) -> bool {
        self.is_asked.swap(false, Ordering::Relaxed)
    }
}
