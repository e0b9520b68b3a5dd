//! The reasons why an expression has no value.

use crate::names::Name;
use crate::report::Reported;
use crate::source::Location;
use crate::symbols::{Namespace, Scope, ThunkId};

/// A use of a name that has no definition so far.
#[derive(Debug, Clone)]
pub(crate) struct MissingName {
    pub(crate) namespace: Namespace,
    pub(crate) name: Name,
    pub(crate) location: Location,
    pub(crate) scope: Scope,
    /// The construct that needs the value now, and its place. `None` if the name can be defined
    /// later.
    pub(crate) needed: Option<(&'static str, Location)>,
}

/// Why an expression has no value.
#[derive(Debug)]
pub(crate) enum Unknown {
    /// There was an error, which was reported.
    Reported(Reported),
    /// A name is not defined, or not defined yet.
    Missing(Box<MissingName>),
    /// It depends on this thunk, which must be evaluated first. Evaluation therefore never recurses
    /// from thunk to thunk, however long the chain of constants or arguments is.
    Waits(ThunkId),
}

impl From<Reported> for Unknown {
    fn from(reported: Reported) -> Self {
        Self::Reported(reported)
    }
}

impl Unknown {
    /// Records the construct that needs a missing name now, unless a construct inside it is already
    /// recorded.
    pub(super) fn needed_by(mut self, what: &'static str, at: Location) -> Self {
        if let Self::Missing(missing) = &mut self {
            missing.needed.get_or_insert((what, at));
        }
        self
    }
}
