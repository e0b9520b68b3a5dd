//! Single keys for a command that prints line by line, without line editing and echo. Ctrl-C and
//! ctrl-Z send signals as usual.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gray1_tui::Key;

use crate::system::{KeyReader, TerminalInput, TerminalModes};

/// The terminal's modes to restore, while the keyboard is ours.
static BEFORE: Mutex<Option<TerminalModes>> = Mutex::new(None);

/// Gives the keyboard back if it is ours. May be called from any thread.
pub(crate) fn give_back() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(before) = &*before {
        // If that fails, the terminal is gone.
        let _ = before.set();
    }
}

/// The keyboard while it is ours. Dropping this gives it back.
pub(crate) struct Keyboard {
    /// The terminal's modes to restore.
    before: TerminalModes,
    keys: KeyReader,
    /// Keys that were read ahead.
    pressed: VecDeque<Key>,
}

impl Keyboard {
    /// Takes the keyboard.
    ///
    /// # Errors
    /// If standard input is no terminal.
    pub(crate) fn take() -> io::Result<Self> {
        let before = TerminalModes::get()?;
        BEFORE.lock().unwrap_or_else(PoisonError::into_inner).replace(before.clone());
        Ok(Self { before, keys: KeyReader::default(), pressed: VecDeque::new() })
    }

    /// Waits for a key, but no longer than this.
    ///
    /// # Errors
    /// If the terminal has gone away.
    pub(crate) fn key(&mut self, time: Duration) -> io::Result<Option<Key>> {
        if self.pressed.is_empty() {
            // Each time: whoever stopped and continued us may have changed the settings.
            self.before.silent().set()?;
            self.read(time)?;
        }
        Ok(self.pressed.pop_front())
    }

    /// Gives the keyboard back while something else runs.
    #[expect(clippy::unused_self, reason = "no key can be waited for meanwhile")]
    pub(crate) fn lend<T>(&mut self, work: impl FnOnce() -> T) -> T {
        give_back();
        work()
    }

    fn read(&mut self, time: Duration) -> io::Result<()> {
        if !self.keys.wait(Some(time))? {
            return Ok(());
        }
        let goes_on = self.keys.read(|input| {
            if let TerminalInput::Key(key) = input {
                self.pressed.push_back(key);
            }
            Ok(())
        })?;
        if goes_on { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        give_back();
    }
}
