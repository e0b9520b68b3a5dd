//! The calls of functions that are active while an expression is evaluated.

use std::iter::successors;

use crate::names::Name;
use crate::source::Location;
use crate::symbols::Known;

/// An active call of a function.
pub(super) struct Frame<'f> {
    pub(super) function: Name,
    pub(super) call: Location,
    pub(super) parameters: &'f [Name],
    pub(super) arguments: Vec<Known>,
    /// The call that this one was made in.
    pub(super) caller: Option<&'f Frame<'f>>,
}

impl<'f> Frame<'f> {
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
