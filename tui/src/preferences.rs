//! What a user may want to find again the next time.

use crate::theme::{Background, Colors};

/// What a user may want to find again the next time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    /// Whether the pane in front stands alone.
    pub alone: bool,
    /// Which colours are used.
    pub colors: Colors,
    /// What the screen is drawn on; `None` for what the terminal has.
    pub background: Option<Background>,
    /// Whether the machine dwells on printed lines.
    pub dwells: bool,
    /// The names of the lines that the waves pane shows, in their order; none for the usual ones.
    pub waves: Vec<String>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            alone: false,
            colors: Colors::default(),
            background: None,
            dwells: true,
            waves: Vec::new(),
        }
    }
}
