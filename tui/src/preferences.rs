//! The user's choices, which are restored in the next session.

use crate::terminal::Background;
use crate::theme::Colors;

/// The user's choices, which are restored in the next session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    /// Whether the pane in front fills the screen.
    pub alone: bool,
    pub colors: Colors,
    /// The background. `None` for the terminal's.
    pub background: Option<Background>,
    /// Whether the machine pauses at printed lines.
    pub dwells: bool,
    pub mouse: bool,
    /// The names of the wires in the waves pane, in order. Empty for the default ones.
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
