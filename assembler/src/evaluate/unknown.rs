//! Why an expression has no value.

use crate::names::Name;
use crate::report::Reported;
use crate::source::Location;
use crate::symbols::{Namespace, Scope, ThunkId};

/// The use of a name that has no definition so far.
#[derive(Debug, Clone)]
pub(crate) struct MissingName {
    pub(crate) namespace: Namespace,
    pub(crate) name: Name,
    pub(crate) location: Location,
    pub(crate) scope: Scope,
    /// The construct that needs it at once, and its place; `None` if it may be defined later.
    pub(crate) needed: Option<(&'static str, Location)>,
}

/// Why an expression has no value.
#[derive(Debug)]
pub(crate) enum Unknown {
    /// There is an error.
    Reported(Reported),
    /// A name is not defined, or not yet.
    Missing(Box<MissingName>),
    /// At the first attempt: it depends on this thunk, which has to be worked out first. So no
    /// recursion goes from thunk to thunk, however long the chain of constants or arguments.
    Waits(ThunkId),
}

impl From<Reported> for Unknown {
    fn from(reported: Reported) -> Self {
        Self::Reported(reported)
    }
}

impl Unknown {
    /// Notes what needs a missing name at once, unless something further in does.
    pub(super) fn needed_by(mut self, what: &'static str, at: Location) -> Self {
        if let Self::Missing(missing) = &mut self {
            missing.needed.get_or_insert((what, at));
        }
        self
    }
}
