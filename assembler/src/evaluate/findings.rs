//! What is wrong with a program, as far as is known.

use super::unknown::Missing;
use crate::report::{Reporter, Ticket};
use crate::suggest::Suggestions;

/// The errors so far, and those whose wording is still open.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) reporter: Reporter,
    /// Names that something needed before they were defined: reported, unless the definition was
    /// lost, and to be reworded once it is known whether there is one below.
    pub(super) early: Vec<(Option<Ticket>, Missing)>,
    pub(super) suggestions: Suggestions,
}
