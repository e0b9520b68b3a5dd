//! The errors and values that evaluation has found so far.

use super::memo::Memo;
use super::unknown::MissingName;
use crate::names::Name;
use crate::report::{Reported, Reporter, Ticket};
use crate::suggest::Suggestions;
use crate::symbols::Namespace;

/// The errors, the errors whose wording is still open, and the known values.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) reporter: Reporter,
    /// Names that were needed before they were defined. Each was reported, unless its definition
    /// was lost to another error. The report is reworded once it is known whether the name is
    /// defined below.
    pub(super) early: Vec<(Option<Ticket>, MissingName)>,
    /// Errors about names that are undefined where they are used.
    pub(crate) undefined: Vec<(Reported, Namespace, Name)>,
    /// The error that constants in data memory need a `.pool`.
    pub(crate) without_pool: Option<Reported>,
    pub(super) suggestions: Suggestions,
    pub(super) memo: Memo,
}
