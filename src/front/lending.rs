//! Lends the terminal to other programs: the user's editor, and the shell after ctrl-Z.

use std::io;
use std::process::{self, ExitStatus};
use std::time::Duration;

use gray1_tui::Key;

use super::child::{self, ChildRequest};
use super::events::{self, FrontEvent};
use super::{ExitReason, FrontEnd, terminal};
use crate::files;
use crate::system::{TerminalInput, TerminalModes};

/// How long to wait for the answers before another program gets the keys.
const ANSWERS_WAIT: Duration = Duration::from_secs(3);

impl FrontEnd {
    /// Waits for the terminal's remaining answers, because the next program in the terminal would
    /// take them for keys. Keys pressed meanwhile are lost. Ctrl-C ends the wait.
    pub(super) fn await_answers(&mut self) -> io::Result<Option<ExitReason>> {
        while let Some(asked) = self.asked {
            let left = ANSWERS_WAIT.saturating_sub(asked.elapsed());
            match self.events.recv_timeout(left) {
                Ok(FrontEvent::Input(TerminalInput::Key(key))) if key != Key::control('c') => {}
                Ok(FrontEvent::Input(TerminalInput::Key(_))) | Err(_) => self.asked = None,
                Ok(event) => {
                    if let Some(reason) = self.handle(event)? {
                        return Ok(Some(reason));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Pauses the machine and opens a source file in the user's editor. If a source has changed
    /// afterwards, the program is assembled again.
    pub(super) fn edit(&mut self, file: &str, line: u32) -> io::Result<Option<ExitReason>> {
        let path = self.programs.editable(&self.program, file);
        let editor = path.and_then(|path| child::editor(&path, Some(line)).map_err(str::to_owned));
        let (command, name) = match editor {
            Ok(editor) => editor,
            Err(why) => {
                self.app.note(why);
                return Ok(None);
            }
        };
        if let Some(reason) = self.await_answers()? {
            return Ok(Some(reason));
        }
        let was_running = self.app.is_running();
        let lend = || events::lend(|| self.lend(command));
        let (ended, events) = self.machine.while_paused(was_running, lend);
        self.retake()?;
        let problem = match ended {
            Ok(status) => (!status.success()).then(|| status.to_string()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(problem) = problem {
            self.app.note(format!("{}: {problem}", files::printable(name)));
        }
        for event in events {
            if let Some(reason) = self.handle(event)? {
                return Ok(Some(reason));
            }
        }
        if self.assembled.poll() {
            self.assemble();
        }
        Ok(None)
    }

    /// Gives the terminal to another program until it ends. Also returns the events that still have
    /// to be handled.
    fn lend(&self, mut command: process::Command) -> (io::Result<ExitStatus>, Vec<FrontEvent>) {
        terminal::leave();
        let modes = TerminalModes::get();
        let mut later = Vec::new();
        let ended = command.spawn().and_then(|started| {
            child::wait(started, || {
                let event = self.events.try_recv().ok()?;
                match event {
                    FrontEvent::Suspend => return Some(ChildRequest::Stop),
                    // The child still has the terminal.
                    FrontEvent::Continued => return None,
                    _ => later.push(event),
                }
                matches!(event, FrontEvent::Ended(_) | FrontEvent::TerminalGone)
                    .then_some(ChildRequest::End)
            })
        });
        // The child can have changed the terminal's modes. Set the previous ones, because they are
        // to be restored when we end.
        let _ = modes.and_then(|modes| modes.set());
        (ended, later)
    }

    /// Stops the process. SIGCONT is a separate event.
    pub(super) fn suspend(&mut self) -> io::Result<Option<ExitReason>> {
        let reason = self.await_answers()?;
        if reason.is_none() && !terminal::suspend() {
            self.changed = true;
            self.app.note("no shell to return to");
        }
        Ok(reason)
    }
}
