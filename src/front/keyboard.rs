//! Reads single keys for a command that prints line by line, without line editing and echo. Ctrl-C
//! and ctrl-Z send signals as usual.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gray1_tui::Key;

use crate::system::{KeyReader, TerminalInput, TerminalModes};

/// The modes that the terminal had before it was switched to single keys. `None` if it was never
/// switched.
static BEFORE: Mutex<Option<TerminalModes>> = Mutex::new(None);

/// Restores the terminal's modes if they were changed. May be called from any thread.
pub(crate) fn restore_modes() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(before) = &*before {
        // Fails only if the terminal is gone.
        let _ = before.set();
    }
}

/// The keyboard in single-key mode. Dropping this restores the previous modes.
pub(crate) struct Keyboard {
    /// The terminal's modes to restore.
    before: TerminalModes,
    keys: KeyReader,
    /// Keys that were read ahead.
    pressed: VecDeque<Key>,
}

impl Keyboard {
    /// Switches the keyboard to single keys.
    ///
    /// # Errors
    /// If standard input is not a terminal.
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
            // Set each time, because a shell that stopped and continued us may have changed the
            // modes.
            self.before.silent().set()?;
            self.read(time)?;
        }
        Ok(self.pressed.pop_front())
    }

    /// Restores the previous modes while something else runs.
    #[expect(clippy::unused_self, reason = "no key can be waited for meanwhile")]
    pub(crate) fn lend<T>(&mut self, work: impl FnOnce() -> T) -> T {
        restore_modes();
        work()
    }

    fn read(&mut self, time: Duration) -> io::Result<()> {
        if !self.keys.wait(Some(time))? {
            return Ok(());
        }
        let is_open = self.keys.read(|input| {
            if let TerminalInput::Key(key) = input {
                self.pressed.push_back(key);
            }
            Ok(())
        })?;
        if is_open { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        restore_modes();
    }
}
