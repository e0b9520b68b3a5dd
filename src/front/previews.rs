//! The thread that previews programs in the open dialog, so that a slow disk or a long program does
//! not block the keys.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};

use gray1_tui::{Preview, Programs};

use super::events::FrontEvent;
use super::test_hook;

/// The handle of the thread.
pub(super) struct PreviewThread {
    names: Sender<String>,
    previews: Receiver<(String, Preview)>,
    thread: JoinHandle<()>,
    /// True while a preview is pending. There is one at a time, because the next one may depend on
    /// it or on keys pressed meanwhile.
    is_busy: bool,
}

impl PreviewThread {
    /// Starts the thread. It sends an event when there is a preview, and when it ends.
    pub(super) fn start(
        programs: &'static (dyn Programs + Sync),
        events: Sender<FrontEvent>,
    ) -> Self {
        let (names, wanted) = channel::<String>();
        let (answers, previews) = channel();
        let thread = thread::spawn(move || {
            let _gone = AnnounceEnd(events.clone());
            // Declared after `_gone`, so that the channel closes before the thread announces its
            // end.
            let answers = answers;
            for name in wanted {
                test_hook::panic_in("previews");
                let preview = programs.preview(&name);
                // Fails only if the screen has ended.
                let _ = answers.send((name, preview));
                let _ = events.send(FrontEvent::Previewed);
            }
        });
        Self { names, previews, thread, is_busy: false }
    }

    /// Sends the name to the thread, unless a preview is pending.
    pub(super) fn ask(&mut self, name: impl FnOnce() -> Option<String>) {
        if !self.is_busy
            && let Some(name) = name()
        {
            // If the thread has died, its last event reports that.
            self.is_busy = self.names.send(name).is_ok();
        }
    }

    /// The name and its preview, if that has arrived.
    pub(super) fn preview(&mut self) -> Option<(String, Preview)> {
        let preview = self.previews.try_recv().ok();
        self.is_busy &= preview.is_none();
        preview
    }

    /// Ends the thread without waiting for a preview to finish. If the thread panicked, the panic
    /// is resumed here without printing its message again.
    pub(super) fn stop(self) {
        while self.previews.try_recv().is_ok() {}
        let has_ended = self.previews.try_recv() == Err(TryRecvError::Disconnected);
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
