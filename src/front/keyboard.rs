//! Single keys for a command that prints line by line: the terminal neither waits for the end of a
//! line nor shows what is typed. Ctrl-C and ctrl-Z send signals as usual.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

use gray1_tui::Key;
use rustix::event::Timespec;
use rustix::io::retry_on_intr;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::events::{SEQUENCE, wait_for_input};
use super::input::{Decoder, Input};

/// The terminal's settings before, while the keyboard is ours.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Gives the keyboard back, if it is ours, from any thread.
pub(crate) fn give_back() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(before) = &*before {
        // If that fails, the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
    }
}

/// The keyboard while it is ours. Dropping this gives it back.
pub(crate) struct Keyboard {
    /// The terminal's settings before.
    before: Termios,
    decoder: Decoder,
    /// Keys that were pressed before they were asked for.
    pressed: VecDeque<Key>,
}

impl Keyboard {
    /// Takes the keyboard.
    ///
    /// # Errors
    /// If standard input is no terminal.
    pub(crate) fn take() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        BEFORE.lock().unwrap_or_else(PoisonError::into_inner).replace(before.clone());
        Ok(Self { before, decoder: Decoder::default(), pressed: VecDeque::new() })
    }

    /// Waits for a key, but no longer than this.
    ///
    /// # Errors
    /// If the terminal has gone away.
    pub(crate) fn key(&mut self, time: &Timespec) -> io::Result<Option<Key>> {
        if self.pressed.is_empty() {
            // Each time: whoever stopped and continued us may have changed the settings.
            self.silence()?;
            self.read(time)?;
        }
        Ok(self.pressed.pop_front())
    }

    /// Gives the keyboard back while something else has it.
    #[expect(clippy::unused_self, reason = "no key can be waited for meanwhile")]
    pub(crate) fn lend<T>(&mut self, work: impl FnOnce() -> T) -> T {
        give_back();
        work()
    }

    fn silence(&self) -> io::Result<()> {
        let mut ours = self.before.clone();
        ours.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &ours)?)
    }

    fn read(&mut self, time: &Timespec) -> io::Result<()> {
        let stdin = io::stdin();
        let mut bytes = [0; 256];
        let mut time = time;
        let mut has_read = false;
        while wait_for_input(&stdin, Some(time))? {
            let count = retry_on_intr(|| rustix::io::read(&stdin, &mut bytes))?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let inputs = self.decoder.take(&bytes[..count]);
            self.pressed.extend(inputs.into_iter().filter_map(key));
            (time, has_read) = (&SEQUENCE, true);
        }
        if has_read {
            self.pressed.extend(self.decoder.idle().and_then(key));
        }
        Ok(())
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        give_back();
    }
}

fn key(input: Input) -> Option<Key> {
    match input {
        Input::Key(key) => Some(key),
        Input::Mouse(_) | Input::Background(_) | Input::Answered => None,
    }
}
