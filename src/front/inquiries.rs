//! The thread that previews programs in the open dialog, so that a slow disk or a long program does
//! not block the keys.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};

use gray1_tui::{Finding, Inquiry, Programs};

use super::events::FrontEvent;
use super::test_hook;

/// The handle of the thread.
pub(super) struct InquiryThread {
    inquiries: Sender<Inquiry>,
    findings: Receiver<Finding>,
    thread: JoinHandle<()>,
    /// True while an answer is pending. There is one inquiry at a time, because the next one may
    /// depend on its answer or on keys pressed meanwhile.
    is_busy: bool,
}

impl InquiryThread {
    /// Starts the thread. It sends an event when there is an answer, and when it ends.
    pub(super) fn start(
        programs: &'static (dyn Programs + Sync),
        events: Sender<FrontEvent>,
    ) -> Self {
        let (inquiries, asked) = channel::<Inquiry>();
        let (answers, findings) = channel();
        let thread = thread::spawn(move || {
            let _gone = AnnounceEnd(events.clone());
            // Declared after `_gone`, so that the channel closes before the thread announces its
            // end.
            let answers = answers;
            for inquiry in asked {
                test_hook::panic_in("inquiries");
                // Fails only if the screen has ended.
                let _ = answers.send(inquiry.ask(programs));
                let _ = events.send(FrontEvent::Found);
            }
        });
        Self { inquiries, findings, thread, is_busy: false }
    }

    /// Sends the inquiry to the thread, unless an answer is pending.
    pub(super) fn ask(&mut self, inquiry: impl FnOnce() -> Option<Inquiry>) {
        if !self.is_busy
            && let Some(inquiry) = inquiry()
        {
            // If the thread has died, its last event reports that.
            self.is_busy = self.inquiries.send(inquiry).is_ok();
        }
    }

    /// The answer, if it has arrived.
    pub(super) fn finding(&mut self) -> Option<Finding> {
        let finding = self.findings.try_recv().ok();
        self.is_busy &= finding.is_none();
        finding
    }

    /// Ends the thread without waiting for an inquiry to finish. If the thread panicked, the panic
    /// is resumed here without printing its message again.
    pub(super) fn stop(self) {
        while self.findings.try_recv().is_ok() {}
        let has_ended = self.findings.try_recv() == Err(TryRecvError::Disconnected);
        if has_ended && let Err(panic) = self.thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

/// Sends an event when the thread ends, even by a panic.
struct AnnounceEnd(Sender<FrontEvent>);

impl Drop for AnnounceEnd {
    fn drop(&mut self) {
        let _ = self.0.send(FrontEvent::ThreadGone);
    }
}
