//! Values, and expressions whose evaluation is delayed.

use std::rc::Rc;

use super::scope::Scope;
use crate::names::Name;
use crate::syntax::Expr;

/// The value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Number(i64),
    Text(Rc<String>),
    /// The value of `#n`: a byte of data memory that contains n. Only linking knows its address.
    Pooled(u8),
}

impl Value {
    /// Returns the kind of value in words, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Pooled(_) => "a data byte",
        }
    }
}

/// A value, and the number of the newest definition that it depends on, in the order of
/// definitions. The number matters for names that are built from numbers, because these can only
/// use definitions above them.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) value: Value,
    pub(crate) newest: u32,
}

impl Known {
    /// Creates a number that does not depend on any name.
    pub(crate) fn number(value: i64) -> Self {
        Self { value: Value::Number(value), newest: 0 }
    }
}

/// An expression whose evaluation is delayed until its value is needed.
#[derive(Debug)]
pub(crate) struct Thunk {
    pub(crate) expr: Rc<Expr>,
    pub(crate) scope: Scope,
    /// The constant or parameter with this value.
    pub(crate) name: Name,
}
