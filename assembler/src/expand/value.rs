//! Values, and expressions whose value is not needed yet.

use std::rc::Rc;

use super::scope::Scope;
use crate::names::Name;
use crate::report::Reported;
use crate::source::Location;
use crate::syntax::Expr;

/// What an expression is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Number(i64),
    Text(Rc<str>),
    /// `#n`: the byte of data memory that holds n; where it is, is nobody's business.
    Pooled(u8),
}

impl Value {
    /// What it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::Pooled(_) => "a data byte",
        }
    }
}

/// A value, and the youngest definition it depends on (a count of definitions): names that are
/// built can use only what is defined above.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) value: Value,
    pub(crate) newest: u32,
}

impl Known {
    /// A number that depends on no name.
    pub(crate) fn number(value: i64) -> Self {
        Self { value: Value::Number(value), newest: 0 }
    }
}

/// Why there is no value.
#[derive(Debug)]
pub(crate) enum Stop {
    /// There was an error.
    Reported(Reported),
    /// A name is not defined, or not yet.
    Missing(Box<Missing>),
    /// It hangs on this thunk, which has to be worked out first. So no recursion goes from thunk to
    /// thunk, however long the chain of constants or arguments.
    Waits(ThunkId),
}

impl Stop {
    /// Notes who needs a missing name at once, unless somebody further in does.
    pub(crate) fn needed_by(self, who: &'static str, at: Location) -> Self {
        match self {
            Self::Missing(mut missing) => {
                missing.needed_by.get_or_insert((who, at));
                Self::Missing(missing)
            }
            other => other,
        }
    }
}

/// What a name can be the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namespace {
    Symbols,
    Functions,
}

/// The use of a name that has no definition so far.
#[derive(Debug, Clone)]
pub(crate) struct Missing {
    pub(crate) namespace: Namespace,
    pub(crate) name: Name,
    pub(crate) location: Location,
    pub(crate) scope: Scope,
    /// Who must know it at once, and where; `None` if it may be defined later.
    pub(crate) needed_by: Option<(&'static str, Location)>,
}

/// An expression that waits for its value to be needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThunkId(pub(crate) u32);

/// See [`ThunkId`].
#[derive(Debug)]
pub(crate) struct Thunk {
    pub(crate) expr: Rc<Expr>,
    pub(crate) scope: Scope,
    /// The constant or the parameter that it is the value of.
    pub(crate) name: Name,
    pub(crate) state: State,
}

/// How far a thunk is.
#[derive(Debug, Clone)]
pub(crate) enum State {
    Waiting,
    /// Its value is being worked out: to meet it again is a cycle.
    UnderWay,
    Done(Known),
    /// It has no value.
    Failed(Reported),
}

impl From<Reported> for Stop {
    fn from(reported: Reported) -> Self {
        Self::Reported(reported)
    }
}
