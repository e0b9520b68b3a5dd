//! The events of an operating system.

use gray1_tui::{Key, Mouse};

/// Input of the user, or an answer of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TerminalInput {
    /// A key was pressed.
    Key(Key),
    /// A key was released, where the terminal reports that.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    Released(Key),
    /// A character of a text that was pasted; a line end is a blank.
    #[cfg_attr(windows, expect(dead_code, reason = "a console types it"))]
    Pasted(char),
    /// A button of the mouse was pressed or dragged, or its wheel turned.
    Mouse(Mouse),
    /// The terminal has this background: red, green and blue.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    Background([u8; 3]),
    /// The cursor is in this column, from 1.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    Column(u16),
    /// The terminal can report the releases of keys.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    CanReportReleases,
    /// The terminal has sent its last answer, or its size has changed.
    Answered,
}

/// A signal to the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The signal of this number asks the process to end.
    End(i32),
    /// It asks the process to stop, as by ctrl-Z.
    #[cfg_attr(windows, expect(dead_code, reason = "nothing stops there"))]
    Suspend,
    /// The process continues after a stop.
    #[cfg_attr(windows, expect(dead_code, reason = "nothing stops there"))]
    Continued,
    /// The size of the terminal has changed.
    #[cfg_attr(windows, expect(dead_code, reason = "it comes with the keys"))]
    Resized,
}
