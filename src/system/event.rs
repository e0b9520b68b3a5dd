//! Events that systems tell of.

use gray1_tui::{Background, Key, Mouse};

/// A user's action, or the terminal's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TerminalInput {
    /// Pressed a key.
    Key(Key),
    /// Pressed a button of the mouse, moved it meanwhile, or turned its wheel.
    Mouse(Mouse),
    /// The terminal has such a background.
    #[cfg_attr(windows, expect(dead_code, reason = "a console is not asked"))]
    Background(Background),
    /// The terminal has answered all that it will, or has another size.
    Answered,
}

/// A signal to the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The one of this number asks the process to end.
    End(i32),
    /// Asks it to stop, as by ctrl-Z.
    #[cfg_attr(windows, expect(dead_code, reason = "nothing stops there"))]
    Suspend,
    /// The process goes on after a stop.
    #[cfg_attr(windows, expect(dead_code, reason = "nothing stops there"))]
    Continued,
    /// The terminal has another size.
    #[cfg_attr(windows, expect(dead_code, reason = "it comes with the keys"))]
    Resized,
}
