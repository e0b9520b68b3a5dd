//! Takes over the terminal, and restores it however the front end ends.

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

use gray1_tui::Depth;
use ratatui::Frame;

use super::screen::Screen;
use crate::files::STDIO;
use crate::system::{self, restore_screen, take_screen};

/// Whether we have the terminal: raw, on the alternate screen, without a cursor, with the mouse.
static OURS: AtomicBool = AtomicBool::new(false);
/// Held while a frame is drawn, so that a panic in another thread cannot restore the terminal in
/// the middle of it.
static DRAWING: Mutex<()> = Mutex::new(());

/// Whether the terminal reports key releases.
static REPORTS_RELEASES: AtomicBool = AtomicBool::new(false);

/// Resets colours, switches to the alternate screen, hides the cursor, and marks pasted text
/// (2004).
const ENTER: &[u8] = b"\x1b[m\x1b[?1049h\x1b[?25l\x1b[?2004h";
/// Reports the mouse's buttons, wheel and movements with a button held (1002), in decimal numbers
/// (1006). crossterm would also report every other movement.
const MOUSE: &[u8] = b"\x1b[?1002h\x1b[?1006h";
/// Reverses [`ENTER`] and [`MOUSE`].
const LEAVE: &[u8] = b"\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[m\x1b[?25h\x1b[?1049l";

/// Asks for the terminal's background (OSC 11: xterm, VTE and many others).
pub(super) const ASK_BACKGROUND: &str = "\x1b]11;?\x1b\\";
/// Asks for the cursor's column after a box character, which some East Asian fonts draw twice as
/// wide.
pub(super) const ASK_WIDTH: &str = "\x1b[H\u{2500}\x1b[6n\r\x1b[K";
/// Asks whether the terminal can report key releases (kitty's keyboard protocol).
pub(super) const ASK_RELEASES: &str = "\x1b[?u";
/// Asks for the terminal's type (DA1). All terminals answer this last question, so no other answer
/// will follow.
const ASK_LAST: &str = "\x1b[c";
/// Reports all keys as escape sequences, with their releases (1 + 2 + 8).
const REPORT_RELEASES: &[u8] = b"\x1b[>11u";
/// Reverses [`REPORT_RELEASES`].
const CONCEAL_RELEASES: &[u8] = b"\x1b[<u";

/// The reason why the front end cannot use this terminal, if there is one. It needs a keyboard, a
/// screen, and a terminal that can do more than print (`TERM` is set and is not `dumb`). If the
/// program comes from standard input, the keys come from the terminal itself. Users of screen
/// readers set `GRAY1_PLAIN`.
pub(crate) fn obstacle(program: impl AsRef<OsStr>) -> Option<&'static str> {
    let capable = system::env_var("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
    let is_plain = system::env_var("GRAY1_PLAIN").is_some_and(|it| !it.is_empty() && it != "0");
    if is_plain {
        Some("GRAY1_PLAIN asks for no front end")
    } else if !io::stdout().is_terminal() {
        Some("standard output is not a terminal")
    } else if !capable {
        Some("this terminal cannot show the front end")
    } else if !io::stdin().is_terminal() && program.as_ref() != STDIO {
        Some("standard input is not a terminal, so the front end cannot read keys")
    } else {
        None
    }
}

/// The terminal while the front end controls it. Dropping this restores it.
pub(super) struct Terminal {
    inner: ratatui::Terminal<Screen<io::Stdout>>,
    has_mouse: bool,
}

impl Terminal {
    /// Takes the terminal, with or without its mouse.
    ///
    /// # Errors
    /// If there is none, or reading or writing fails. The terminal is then unchanged.
    pub(super) fn take(depth: Depth, has_mouse: bool) -> io::Result<Self> {
        if !io::stdin().is_terminal() && !system::take_keyboard() {
            return Err(io::Error::other("there is no keyboard"));
        }
        install_panic_hook(thread::current().id());
        let inner = ratatui::Terminal::new(Screen::new(io::stdout(), depth))?;
        let mut terminal = Self { inner, has_mouse };
        terminal.retake()?;
        Ok(terminal)
    }

    /// Sends questions to the terminal. The answers arrive among the keys.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    #[expect(clippy::unused_self, reason = "only who has the terminal may ask it")]
    pub(super) fn ask(&self, questions: &str) -> io::Result<()> {
        write_out(format!("{questions}{ASK_LAST}").as_bytes())
    }

    /// Makes the terminal report key releases, or not.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    #[expect(clippy::unused_self, reason = "only who has the terminal may ask it")]
    pub(super) fn report_releases(&self, reports: bool) -> io::Result<()> {
        if REPORTS_RELEASES.swap(reports, Ordering::SeqCst) != reports {
            write_out(if reports { REPORT_RELEASES } else { CONCEAL_RELEASES })?;
        }
        Ok(())
    }

    /// Takes the terminal again after another program had it. The next frame is drawn in full.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        // crossterm remembers that it made the terminal raw, and would not do it again.
        restore_screen()?;
        system::make_streams_block();
        OURS.store(true, Ordering::SeqCst);
        take_screen()?;
        write_out(ENTER)?;
        write_out(if self.has_mouse { MOUSE } else { b"" })?;
        self.invalidate()
    }

    /// Makes the next frame be drawn in full.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    pub(super) fn invalidate(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    /// Draws a frame, unless the terminal has been restored.
    ///
    /// # Errors
    /// If writing to the terminal fails.
    pub(super) fn draw(&mut self, view: impl FnOnce(&mut Frame)) -> io::Result<()> {
        let _drawing = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        if OURS.load(Ordering::SeqCst) {
            self.inner.draw(view)?;
        }
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        leave();
    }
}

/// Restores the terminal if we have it. Errors are ignored, because the terminal may be gone.
pub(super) fn leave() {
    if OURS.swap(false, Ordering::SeqCst) {
        // The modes come first: setting them cannot block, even if the terminal accepts no output.
        let _ = restore_screen();
        if REPORTS_RELEASES.swap(false, Ordering::SeqCst) {
            let _ = write_out(CONCEAL_RELEASES);
        }
        let _ = write_out(LEAVE);
    }
}

/// Restores only the terminal's modes, which works even while another thread is blocked in a write
/// to it.
pub(super) fn abandon() {
    let _ = restore_screen();
}

/// Restores the terminal and stops the whole job. When it continues, the caller must call
/// [`Terminal::retake`]. If there is no shell to continue us, does nothing and returns false.
pub(crate) fn suspend() -> bool {
    if !system::can_stop() {
        return false;
    }
    leave();
    system::stop()
}

fn write_out(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// Makes a panic in any thread restore the terminal before its message is printed.
fn install_panic_hook(drawing_thread: ThreadId) {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let print_message = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // The drawing thread may hold the lock itself, and will not finish its frame.
            let _finished = (thread::current().id() != drawing_thread)
                .then(|| DRAWING.lock().unwrap_or_else(PoisonError::into_inner));
            leave();
            print_message(panic);
        }));
    });
}
