//! The instructions and built-in functions, each with its name and a one-line description.

use gray1_isa::Op;

/// An instruction, directive or function, with its description.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    /// The name and the operands.
    pub(crate) usage: &'static str,
    /// The effect, in a sentence.
    pub(crate) effect: &'static str,
}

impl Keyword {
    pub(crate) const fn new(usage: &'static str, effect: &'static str) -> Self {
        Self { usage, effect }
    }

    /// Returns the name without the operands.
    pub(crate) fn name(&self) -> &'static str {
        self.usage.split([' ', '(']).next().unwrap_or_default()
    }
}

/// Finds a name in a table, in upper or lower case.
pub(crate) fn find(table: &[Keyword], name: &str) -> Option<Keyword> {
    table.iter().find(|word| word.name().eq_ignore_ascii_case(name)).copied()
}

/// An instruction that a source can contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mnemonic {
    Op(Op),
    /// A `HALT`, which is a jump to itself.
    Halt,
}

impl Mnemonic {
    /// Returns the instruction with this name, in upper or lower case. These names are reserved.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let op = Op::from_mnemonic(name).map(Self::Op);
        op.or_else(|| name.eq_ignore_ascii_case("HALT").then_some(Self::Halt))
    }

    /// Returns the name in upper case.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Op(op) => op.mnemonic(),
            Self::Halt => "HALT",
        }
    }

    /// Returns the number of operands.
    pub(crate) fn operand_count(self) -> usize {
        usize::from(!matches!(self, Self::Op(Op::Shr) | Self::Halt))
    }
}

/// The instructions, with their descriptions.
pub(crate) const INSTRUCTIONS: [Keyword; 9] = [
    Keyword::new("LDI n", "A ← n. C stays."),
    Keyword::new("LD a", "A ← [a]. C stays."),
    Keyword::new("ST a", "[a] ← A. C stays."),
    Keyword::new("ADD a", "A ← A + [a], C ← the carry."),
    Keyword::new("NAND a", "A ← not (A and [a]). C stays."),
    Keyword::new("SHR", "A ← A / 2, C ← the bit shifted out."),
    Keyword::new("JC t", "Goes to t if C is 1."),
    Keyword::new("JMP t", "Goes to t."),
    Keyword::new("HALT", "A jump to itself: the program ends."),
];

/// The built-in functions, with their descriptions.
pub(crate) const FUNCTIONS: [Keyword; 7] = [
    Keyword::new("lo(x)", "Bits 0 to 7 of x."),
    Keyword::new("hi(x)", "Bits 8 to 15 of x."),
    Keyword::new("min(a, b)", "The smaller one."),
    Keyword::new("max(a, b)", "The larger one."),
    Keyword::new("log2(x)", "The exponent of a power of two."),
    Keyword::new("len(\"text\")", "The number of bytes in the string."),
    Keyword::new("char(\"text\", i)", "Byte i of the string, counted from 0."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Function;

    fn names(table: &[Keyword]) -> Vec<&str> {
        table.iter().map(Keyword::name).collect()
    }

    #[test]
    fn every_instruction_and_function_has_a_description() {
        let mnemonics: Vec<&str> = Op::ALL.map(Op::mnemonic).into_iter().chain(["HALT"]).collect();
        assert_eq!(names(&INSTRUCTIONS), mnemonics);
        let functions: Vec<&str> = Function::all().map(Function::name).collect();
        assert_eq!(names(&FUNCTIONS), functions);
    }

    #[test]
    fn the_usage_of_an_instruction_shows_its_operands() {
        for word in INSTRUCTIONS {
            let mnemonic = Mnemonic::from_name(&word.name().to_lowercase()).unwrap();
            assert_eq!(mnemonic.name(), word.name());
            assert_eq!(mnemonic.operand_count(), word.usage.split(' ').count() - 1);
        }
        assert_eq!(Mnemonic::from_name("HALTS"), None);
    }
}
