//! The user's choices, to be restored the next time.

use crate::theme::{Background, Colors};

/// The user's choices, to be restored the next time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    /// Whether the pane in front is shown alone.
    pub alone: bool,
    /// The colours.
    pub colors: Colors,
    /// The background; `None` for the terminal's.
    pub background: Option<Background>,
    /// Whether the machine dwells on printed lines.
    pub dwells: bool,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// The names of the wires in the waves pane, in order; empty for the usual ones.
    pub waves: Vec<String>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            alone: false,
            colors: Colors::default(),
            background: None,
            dwells: true,
            mouse: true,
            waves: Vec::new(),
        }
    }
}
