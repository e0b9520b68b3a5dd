//! The context of an expression: its scope, and the active function calls that led to it.

use std::iter::successors;

use crate::names::Name;
use crate::source::{Location, Span};
use crate::symbols::{Known, Scope};
use crate::syntax::PlainName;

/// An active call of a function.
pub(super) struct CallFrame<'f> {
    pub(super) function: Name,
    pub(super) call: Location,
    pub(super) parameters: &'f [PlainName],
    pub(super) arguments: Vec<Known>,
    /// The call that made this call, if any.
    pub(super) caller: Option<&'f CallFrame<'f>>,
}

impl<'f> CallFrame<'f> {
    /// Iterates over this call and its callers, innermost first.
    pub(super) fn outward(frame: Option<&'f Self>) -> impl Iterator<Item = &'f Self> {
        successors(frame, |frame| frame.caller)
    }

    /// Returns the argument for a parameter.
    pub(super) fn argument(&self, name: Name) -> Option<&Known> {
        let number = self.parameters.iter().position(|parameter| parameter.name == name)?;
        self.arguments.get(number)
    }
}

/// The scope of an expression, and the function call in which it is evaluated.
#[derive(Clone, Copy)]
pub(super) struct ExprContext<'f> {
    pub(super) scope: Scope,
    pub(super) frame: Option<&'f CallFrame<'f>>,
}

impl From<&Scope> for ExprContext<'_> {
    fn from(scope: &Scope) -> Self {
        Self { scope: *scope, frame: None }
    }
}

impl ExprContext<'_> {
    /// The location of a range of the file that contains the expression.
    pub(super) fn location(&self, span: Span) -> Location {
        Location { file: self.scope.file, span }
    }
}
