//! The input events and signals that an operating system delivers.

use gray1_tui::{Key, Mouse};

/// Input from the user, or an answer from the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TerminalInput {
    /// A key was pressed.
    Key(Key),
    /// A key was released, if the terminal reports releases.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    Released(Key),
    /// A pasted character. A line end arrives as a space.
    #[cfg_attr(windows, expect(dead_code, reason = "a console types it"))]
    Pasted(char),
    /// A button of the mouse was pressed or dragged, or its wheel turned.
    Mouse(Mouse),
    /// The terminal's background: red, green and blue.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    Background([u8; 3]),
    /// The cursor's column, from 1.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    Column(u16),
    /// The terminal can report key releases.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    CanReportReleases,
    /// The terminal has sent its last answer, or its size has changed.
    Answered,
}

/// A signal to the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The number of a signal that asks the process to end.
    End(i32),
    /// Asks the process to stop. Ctrl-Z sends it, for example.
    #[cfg_attr(windows, expect(dead_code, reason = "nothing stops there"))]
    Suspend,
    /// The process continues after a stop.
    #[cfg_attr(windows, expect(dead_code, reason = "nothing stops there"))]
    Continued,
    /// The size of the terminal has changed.
    #[cfg_attr(windows, expect(dead_code, reason = "it comes with the keys"))]
    Resized,
}
