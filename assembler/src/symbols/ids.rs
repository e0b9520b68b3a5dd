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

/// The number of a definition, in the order of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DefinitionId(pub(crate) u32);

/// The number of an expression whose evaluation is delayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ThunkId(pub(crate) u32);
