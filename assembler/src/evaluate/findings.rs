//! The mistakes and the values of a program, as far as they are known.

use super::memo::Memo;
use super::unknown::MissingName;
use crate::names::Name;
use crate::report::{Reported, Reporter, Ticket};
use crate::suggest::Suggestions;
use crate::symbols::Namespace;

/// The errors so far, those whose wording is still open, and the values that are known.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) reporter: Reporter,
    /// Names that something needed before they were defined: reported, unless the definition was
    /// lost, and to be reworded once it is known whether there is one below.
    pub(super) early: Vec<(Option<Ticket>, MissingName)>,
    /// The errors about names that have no definition where they are used.
    pub(crate) undefined: Vec<(Reported, Namespace, Name)>,
    /// The error that constants in data memory need a `.pool`.
    pub(crate) without_pool: Option<Reported>,
    pub(super) suggestions: Suggestions,
    pub(super) memo: Memo,
}
