//! The symbols of a program: its labels, constants and variables.

/// The kind of thing that a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    /// A label, which names an instruction. The value is its index.
    Label,
    /// A constant, whose value can be any number.
    Constant,
    /// One or more bytes of data memory; the value is the address of the first.
    Variable,
}

impl SymbolKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Label, Self::Constant, Self::Variable];

    /// Returns the name of the kind in symbol files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Constant => "constant",
            Self::Variable => "variable",
        }
    }
}

/// A name in a program, with its value.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symbol {
    /// The name as the source writes it. Only names that the whole program can use are kept.
    pub name: String,
    /// The kind of thing that it names.
    pub kind: SymbolKind,
    /// The value: an instruction index, a number or a data address, depending on `kind`.
    pub value: i64,
    /// The number of data bytes that a variable covers. It is 1 for labels and constants.
    pub size: u16,
    /// True for a variable whose contents at power-up the program uses on purpose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_seed: bool,
}

/// The start of the name of a constant of `.pool`, which its value follows in hexadecimal. Such a
/// name is not valid in the language, so it cannot clash with others.
const POOL_CONSTANT: &str = "#0x";

impl Symbol {
    /// Creates the symbol of a constant of `.pool`, such as `#0x05`, at an address of data memory.
    pub fn pool_constant(byte: u8, address: i64) -> Self {
        let name = format!("{POOL_CONSTANT}{byte:02x}");
        Self { name, kind: SymbolKind::Variable, value: address, size: 1, is_seed: false }
    }

    /// Returns the value of a constant of `.pool`, or `None` for any other symbol.
    pub fn pooled_byte(&self) -> Option<u8> {
        u8::from_str_radix(self.name.strip_prefix(POOL_CONSTANT)?, 16).ok()
    }
}
