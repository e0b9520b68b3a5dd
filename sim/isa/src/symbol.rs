//! The names that a program gives to its places and numbers.

/// The meaning of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    /// An instruction index.
    Label,
    /// A number.
    Constant,
    /// One or more bytes of data memory; the value is the address of the first.
    Variable,
}

impl SymbolKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Label, Self::Constant, Self::Variable];

    /// The kind as symbol files and messages write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Constant => "constant",
            Self::Variable => "variable",
        }
    }
}

/// A name of a program with its value.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symbol {
    /// The name as the source writes it. Only names that are seen in the whole program are kept.
    pub name: String,
    /// Its meaning.
    pub kind: SymbolKind,
    /// An instruction index, a number or a data address, by `kind`.
    pub value: i64,
    /// The number of instructions (a label: 1), numbers (1) or data bytes that it covers.
    pub size: u16,
}
