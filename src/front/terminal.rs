//! Takes over the terminal and restores it, whatever happens in between.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

use gray1_tui::Depth;
use ratatui::Frame;

use super::screen::Screen;
use crate::system::{self, QUESTION, give_screen_back, take_screen};

/// Whether the terminal is ours: raw, on the alternate screen, without a cursor, with the mouse.
static OURS: AtomicBool = AtomicBool::new(false);
/// Held while a frame is drawn, so that a panic in another thread cannot restore the terminal in
/// the middle of it.
static DRAWING: Mutex<()> = Mutex::new(());

/// Reset colours, alternate screen on, cursor off; the mouse tells of buttons, wheel and
/// movements with a button held (1002), in decimal numbers (1006). crossterm would have it tell of
/// every movement, too.
const ENTER: &[u8] = b"\x1b[m\x1b[?1049h\x1b[?25l\x1b[?1002h\x1b[?1006h";
/// The mouse is silent, reset colours, cursor on, alternate screen off.
const LEAVE: &[u8] = b"\x1b[?1006l\x1b[?1002l\x1b[m\x1b[?25h\x1b[?1049l";

/// Whether there is a terminal that the front end can work with: keyboard and screen, and one that
/// can do more than print (`TERM` is set, and is not `dumb`).
#[must_use]
pub(crate) fn usable() -> bool {
    let capable = system::variable("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
    capable && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The terminal while it is ours. Dropping this gives it back.
pub(super) struct Terminal {
    inner: ratatui::Terminal<Screen<io::Stdout>>,
}

impl Terminal {
    /// Takes the terminal, and asks it for its background; the answer comes with the keys.
    ///
    /// # Errors
    /// If there is none, or it cannot be talked to. It is as it was then.
    pub(super) fn take(depth: Depth) -> io::Result<Self> {
        install_panic_hook(thread::current().id());
        let inner = ratatui::Terminal::new(Screen::new(io::stdout(), depth))?;
        let mut terminal = Self { inner };
        terminal.retake()?;
        write_out(QUESTION)?;
        Ok(terminal)
    }

    /// Takes the terminal again after another program had it; the next frame is drawn in full.
    ///
    /// # Errors
    /// If it cannot be talked to.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        // crossterm remembers that it made the terminal raw, and would not do it again.
        give_screen_back()?;
        OURS.store(true, Ordering::SeqCst);
        take_screen()?;
        write_out(ENTER)?;
        self.inner.clear()
    }

    /// Draws a frame, unless the terminal has been given back.
    ///
    /// # Errors
    /// If the terminal cannot be talked to.
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

/// Gives the terminal back, if it is ours. Errors are of no use here: the terminal may be gone.
pub(super) fn leave() {
    if OURS.swap(false, Ordering::SeqCst) {
        // The settings first: that cannot hang, even if the terminal takes no output.
        let _ = give_screen_back();
        let _ = write_out(LEAVE);
    }
}

/// Restores only the terminal's modes, which works even while another thread is blocked in a write
/// to it.
pub(super) fn abandon() {
    let _ = give_screen_back();
}

/// Restores the terminal and stops the whole job. The caller has to call [`Terminal::retake`] when
/// it continues. Returns false, doing nothing, if there is no shell to continue us.
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
            // The thread that draws may hold the lock, and will not finish its frame.
            let _finished = (thread::current().id() != drawing_thread)
                .then(|| DRAWING.lock().unwrap_or_else(PoisonError::into_inner));
            leave();
            print_message(panic);
        }));
    });
}
