//! The dialogue about a lesson. It prints line by line, so that it stays in the terminal's
//! scrollback, and checks the program whenever its file changes.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gray1_tui::{Key, KeyCode};

use super::guide::Guide;
use crate::cli::shared::outcome::{Done, Failure, Outcome, failure, print};
use crate::cli::shared::signals::Signals;
use crate::files;
use crate::front::{self, ChildRequest, FileChanges, Keyboard, WATCH_PERIOD};
use crate::program;
use crate::system;

/// Moves to the start of the line and erases it.
const ERASE: &str = "\r\x1b[K";

/// Runs the dialogue until the student quits or a signal ends it.
pub(super) fn run(guide: &mut Guide) -> Outcome {
    let keyboard = Keyboard::take();
    let keyboard =
        keyboard.map_err(|error| failure(format!("cannot read the keyboard: {error}")))?;
    let page = guide.page();
    let stop = Arc::new(AtomicBool::new(false));
    system::on_suspend(Arc::clone(&stop))
        .map_err(|error| failure(format!("cannot handle signals: {error}")))?;
    let mut dialog = Dialog { guide, keyboard, changes: FileChanges::default(), stop, width: 0 };
    dialog.perform(|_| Ok(page))?;
    let done = dialog.serve();
    // This fails only if the terminal is gone, and then an error message could not be shown either.
    let _ = print("\n");
    done
}

struct Dialog<'a, 'b> {
    guide: &'a mut Guide<'b>,
    keyboard: Keyboard,
    changes: FileChanges,
    /// Set when we are asked to stop, for example by ctrl-Z.
    stop: Arc<AtomicBool>,
    /// The terminal's width when the keys were printed.
    width: usize,
}

impl<'b> Dialog<'_, 'b> {
    /// Handles keys and changes of the program.
    fn serve(&mut self) -> Outcome {
        loop {
            self.guide.checker.signals.check()?;
            if self.stop.swap(false, Ordering::Relaxed) {
                self.keyboard.lend(front::suspend);
                self.prompt()?;
            }
            match self.keyboard.key(WATCH_PERIOD) {
                Err(_) => return Ok(Done::Signal(system::SIGHUP as u8)),
                Ok(Some(Key { code: KeyCode::Char('q'), .. })) => return Ok(Done::Success),
                Ok(Some(key)) => self.handle_key(key)?,
                Ok(None) if self.changes.have_settled() => self.perform(check)?,
                Ok(None) if screen_width() != self.width => self.prompt()?,
                Ok(None) => {}
            }
        }
    }

    fn handle_key(&mut self, key: Key) -> Result<(), Failure> {
        match key.code {
            KeyCode::Enter | KeyCode::Char('c') => self.perform(check),
            KeyCode::Char('p') => self.perform(|guide| Ok(guide.page())),
            KeyCode::Char('h') => self.perform(Guide::hint),
            KeyCode::Char('n') => self.perform(Guide::next),
            KeyCode::Char('b') if self.guide.index > 0 => {
                self.perform(|guide| Ok(guide.go(guide.index - 1)))
            }
            KeyCode::Char('l') => self.perform(|guide| Ok(guide.student.list(guide.style))),
            KeyCode::Char('s') => self.perform(|guide| guide.solution()),
            KeyCode::Char('e') => self.edit(),
            KeyCode::Char('w') => {
                let file = self.guide.file();
                self.start_gray1(&[file.as_ref(), OsStr::new("--watch")])
            }
            KeyCode::Char('d') => match self.guide.failed_case.clone() {
                None => Ok(()),
                Some(case) => {
                    let tests = self.guide.student.tests_file(self.guide.lesson());
                    let args = ["debug".as_ref(), "--test".as_ref(), tests.as_os_str()];
                    self.start_gray1(&[&args[..], &["--case".as_ref(), case.as_ref()]].concat())
                }
            },
            _ => Ok(()),
        }
    }

    /// Performs an action and prints its result. A student's error does not end the dialogue.
    fn perform(
        &mut self,
        action: impl FnOnce(&mut Guide<'b>) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        print(ERASE)?;
        let result = action(self.guide);
        // The program may include other files now. Each file is watched before a message about it
        // appears.
        self.changes.watch(program::find_files(self.guide.file(), &[]));
        match result {
            Ok(text) => print(&text)?,
            Err(Failure::Message(message)) => self.note(&message)?,
            Err(stopped @ (Failure::PipeClosed | Failure::Signal(_))) => return Err(stopped),
            Err(failure) => self.guide.checker.messages.report(&failure),
        }
        if let Some(problem) = self.guide.problem.take() {
            self.note(&problem)?;
        }
        self.prompt()
    }

    #[expect(clippy::unused_self, reason = "only the dialogue speaks in notes")]
    fn note(&self, text: &str) -> Result<(), Failure> {
        print(&format!("note: {text}\n\n"))
    }

    /// Prints the available keys that fit into one line, so that the line can be erased.
    fn prompt(&mut self) -> Result<(), Failure> {
        self.width = screen_width();
        let is_solved = self.guide.is_solved();
        let keys = [
            ("n next", is_solved),
            ("e edit", true),
            ("c check", !is_solved),
            ("d debug", self.guide.failed_case.is_some()),
            ("h hint", !is_solved),
            ("s solution", is_solved),
            ("w watch", true),
            ("p page", true),
            ("b back", self.guide.index > 0),
            ("l list", true),
        ];
        let mut line = String::new();
        for (key, _) in keys.into_iter().filter(|(_, is_there)| *is_there) {
            if line.len() + key.len() + "  q quit ".len() > self.width {
                break;
            }
            line = line + key + "  ";
        }
        // After a key in the last column, the cursor may be in the next line.
        let line: String = (line + "q quit").chars().take(self.width.saturating_sub(1)).collect();
        print(&format!("{ERASE}{line}"))
    }

    /// Opens the program in the student's editor. If the file has changed, it is checked.
    fn edit(&mut self) -> Result<(), Failure> {
        match front::editor(&self.guide.file(), None) {
            Ok((command, editor)) => self.start(command, &files::printable(editor)),
            Err(why) => self.perform(|_| Err(failure(why))),
        }
    }

    /// Starts `gray1` with these arguments, and waits for its end.
    fn start_gray1(&mut self, args: &[&OsStr]) -> Result<(), Failure> {
        match std::env::current_exe() {
            Ok(program) => {
                let mut command = Command::new(program);
                command.args(args);
                self.start(command, "gray1")
            }
            Err(error) => self.perform(|_| Err(failure(format!("cannot start gray1: {error}")))),
        }
    }

    /// Gives the terminal to another program until it ends.
    fn start(&mut self, mut command: Command, name: &str) -> Result<(), Failure> {
        print(ERASE)?;
        let (signals, stop) = (self.guide.checker.signals, &self.stop);
        let ended = self.keyboard.lend(|| {
            signals.lend(|| front::wait(command.spawn()?, || take_request(signals, stop)))
        });
        match ended {
            // The other program has printed its own error messages, so its status does not matter.
            Ok(_) => self.prompt(),
            Err(error) => self.perform(|_| Err(failure(format!("cannot start {name}: {error}")))),
        }
    }
}

/// Returns what the signals that have arrived ask of the other program.
fn take_request(signals: &Signals, stop: &AtomicBool) -> Option<ChildRequest> {
    let stops = stop.swap(false, Ordering::Relaxed).then_some(ChildRequest::Stop);
    stops.or_else(|| signals.received().map(|_| ChildRequest::End))
}

/// The width of the terminal, or 80 if it is unknown.
fn screen_width() -> usize {
    front::size().map_or(80, |size| size.width.into())
}

fn check(guide: &mut Guide) -> Result<String, Failure> {
    guide.check().map(|(_, text)| text)
}
