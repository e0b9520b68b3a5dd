//! Values, and expressions whose value is not needed yet.

use std::rc::Rc;

use super::scope::Scope;
use crate::names::Name;
use crate::syntax::Expr;

/// The value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Number(i64),
    Text(Rc<String>),
    /// `#n`: the byte of data memory that holds n; only linking knows its address.
    Pooled(u8),
}

impl Value {
    /// Its kind, in words.
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

/// An expression that waits for its value to be needed.
#[derive(Debug)]
pub(crate) struct Thunk {
    pub(crate) expr: Rc<Expr>,
    pub(crate) scope: Scope,
    /// The constant or the parameter that it is the value of.
    pub(crate) name: Name,
}
