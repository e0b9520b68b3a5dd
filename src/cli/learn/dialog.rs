//! The dialogue about a lesson: line by line, so that all that was said can be read again. The
//! program is checked whenever its file changes.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gray1_tui::{Code, Key};
use rustix::event::Timespec;
use signal_hook::consts::{SIGHUP, SIGTSTP};

use super::guide::Guide;
use super::report;
use crate::cli::{Done, Failure, Outcome, failure, print};
use crate::front::{self, Changes, Keyboard, WATCH_PERIOD};
use crate::program;

/// Back to the start of the line, and erase it.
const ERASE: &str = "\r\x1b[K";

/// Talks about lessons until the student quits, or a signal ends it.
pub(super) fn run(guide: &mut Guide) -> Outcome {
    let keyboard = Keyboard::take();
    let keyboard =
        keyboard.map_err(|error| failure(format!("the keyboard cannot be used: {error}")))?;
    let page = guide.page()?;
    let stop = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGTSTP, Arc::clone(&stop))
        .map_err(|error| failure(format!("cannot handle signals: {error}")))?;
    let mut dialog = Dialog { guide, keyboard, changes: Changes::default(), stop };
    dialog.say(|_| Ok(page))?;
    let done = dialog.serve();
    // Where the terminal is gone, there is nobody to tell.
    let _ = print("\n");
    done
}

struct Dialog<'a, 'b> {
    guide: &'a mut Guide<'b>,
    keyboard: Keyboard,
    changes: Changes,
    /// Whether we are asked to stop, as by ctrl-Z.
    stop: Arc<AtomicBool>,
}

impl<'b> Dialog<'_, 'b> {
    /// Serves keys and changes of the program.
    fn serve(&mut self) -> Outcome {
        let period = Timespec::try_from(WATCH_PERIOD).expect("it is short");
        loop {
            if let Some(number) = self.guide.checker.signals.received() {
                return Ok(Done::Signal(number));
            }
            if self.stop.swap(false, Ordering::Relaxed) {
                self.keyboard.lend(front::suspend);
                self.prompt()?;
            }
            match self.keyboard.key(&period) {
                Err(_) => return Ok(Done::Signal(SIGHUP as u8)),
                Ok(Some(Key { code: Code::Char('q'), .. })) => return Ok(Done::Well),
                Ok(Some(key)) => self.key(key)?,
                Ok(None) if self.changes.have_settled() => self.say(check)?,
                Ok(None) => {}
            }
        }
    }

    fn key(&mut self, key: Key) -> Result<(), Failure> {
        match key.code {
            Code::Enter | Code::Char('c') => self.say(check),
            Code::Char('p') => self.say(|guide| guide.page()),
            Code::Char('h') => self.say(Guide::hint),
            Code::Char('n') => self.say(Guide::next),
            Code::Char('b') if self.guide.index > 0 => self.say(|guide| guide.go(guide.index - 1)),
            Code::Char('l') => self.say(|guide| Ok(report::list(&guide.student, guide.style))),
            Code::Char('s') => self.say(|guide| guide.solution()),
            Code::Char('w') => {
                let file = self.guide.file();
                self.start(&[file.as_ref(), OsStr::new("--watch")])
            }
            Code::Char('d') => match self.guide.failed_case.clone() {
                None => Ok(()),
                Some(case) => {
                    let tests = self.guide.student.tests_file(self.guide.lesson());
                    let words = ["debug".as_ref(), "--test".as_ref(), tests.as_os_str()];
                    self.start(&[&words[..], &["--case".as_ref(), case.as_ref()]].concat())
                }
            },
            _ => Ok(()),
        }
    }

    /// Does something and says what came of it. A mistake of the student's does not end anything.
    fn say(
        &mut self,
        action: impl FnOnce(&mut Guide<'b>) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        print(ERASE)?;
        let result = action(self.guide);
        // What the program includes may be other files now. Before the student is told of a file,
        // it is watched.
        self.changes.of(program::files(&self.guide.file().to_string_lossy()));
        match result {
            Ok(text) => print(&text)?,
            Err(Failure::Message(message)) => print(&format!("note: {message}\n\n"))?,
            Err(Failure::PipeClosed) => return Err(Failure::PipeClosed),
            Err(failure) => self.guide.checker.messages.failure(&failure),
        }
        self.prompt()
    }

    /// Says which keys there are.
    fn prompt(&self) -> Result<(), Failure> {
        let is_solved = self.guide.is_solved();
        let keys = [
            ("n next lesson", is_solved),
            ("c check", true),
            ("d debug", self.guide.failed_case.is_some()),
            ("h hint", !is_solved),
            ("s solution", is_solved),
            ("w watch", true),
            ("p page", true),
            ("b back", self.guide.index > 0),
            ("l list", true),
            ("q quit", true),
        ];
        let keys: Vec<&str> =
            keys.into_iter().filter(|(_, is_there)| *is_there).map(|(key, _)| key).collect();
        print(&format!("{ERASE}{}", keys.join("  ")))
    }

    /// Starts `gray1` with these words, and waits for its end.
    fn start(&mut self, words: &[&OsStr]) -> Result<(), Failure> {
        print(ERASE)?;
        let run = || Command::new(std::env::current_exe()?).args(words).status();
        match self.keyboard.lend(run) {
            Ok(_) => self.prompt(),
            Err(error) => self.say(|_| Err(failure(format!("cannot start gray1: {error}")))),
        }
    }
}

fn check(guide: &mut Guide) -> Result<String, Failure> {
    guide.check().map(|(_, text)| text)
}
