//! The identities of names, definitions and expressions.

/// The name spaces: names of different ones never conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// Labels, constants and variables.
    Symbols,
    Functions,
    Macros,
    Routines,
}

/// A definition, by its place in the order of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DefinitionId(pub(crate) u32);

/// An expression that waits for its value to be needed, by its place among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ThunkId(pub(crate) u32);
