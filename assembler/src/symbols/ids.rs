//! The identities of names, definitions and expressions.

/// The name spaces. Names in different name spaces do not conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// Labels, constants and variables.
    Symbols,
    Functions,
    Macros,
    Routines,
}

/// A definition, by its position in the order of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DefinitionId(pub(crate) u32);

/// An expression whose evaluation is delayed, by its position among these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ThunkId(pub(crate) u32);
