//! The context of an expression: its scope, and the function calls in which it is evaluated.

use std::iter::successors;

use crate::names::Name;
use crate::source::{Location, Span};
use crate::symbols::{Known, Scope};

/// An active call of a function.
pub(super) struct CallFrame<'f> {
    pub(super) function: Name,
    pub(super) call: Location,
    pub(super) parameters: &'f [Name],
    pub(super) arguments: Vec<Known>,
    /// The call that this one was made in.
    pub(super) caller: Option<&'f CallFrame<'f>>,
}

impl<'f> CallFrame<'f> {
    /// A call and those around it, innermost first.
    pub(super) fn outward(frame: Option<&'f Self>) -> impl Iterator<Item = &'f Self> {
        successors(frame, |frame| frame.caller)
    }

    /// The argument for a parameter of this name.
    pub(super) fn argument(&self, name: Name) -> Option<&Known> {
        let number = self.parameters.iter().position(|parameter| *parameter == name)?;
        self.arguments.get(number)
    }
}

/// The context of an expression: its scope, and the call of the function that it belongs to.
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
    /// A part of the file that the expression stands in.
    pub(super) fn location(&self, span: Span) -> Location {
        Location { file: self.scope.file, span }
    }
}
