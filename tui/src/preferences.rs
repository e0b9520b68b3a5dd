//! The choices that a user may want to find again the next time.

use crate::theme::{Background, Colors};

/// The choices that a user may want to find again the next time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    /// True if the pane in front stands alone.
    pub alone: bool,
    /// Which colours are used.
    pub colors: Colors,
    /// The background; `None` for the terminal's.
    pub background: Option<Background>,
    /// True if the machine dwells on printed lines.
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
