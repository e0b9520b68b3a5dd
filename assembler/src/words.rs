//! The instructions and the built-in functions by name, each described in a line.

use gray1_isa::Op;

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    /// The word and its operands.
    pub(crate) usage: &'static str,
    /// Its effect, in a sentence.
    pub(crate) does: &'static str,
}

impl Keyword {
    /// A word with its operands, and its effect.
    pub(crate) const fn new(usage: &'static str, does: &'static str) -> Self {
        Self { usage, does }
    }

    /// The word by itself.
    pub(crate) fn name(&self) -> &'static str {
        self.usage.split([' ', '(']).next().unwrap_or_default()
    }
}

/// The word of this name in a table, in either case.
pub(crate) fn find(table: &[Keyword], name: &str) -> Option<Keyword> {
    table.iter().find(|word| word.name().eq_ignore_ascii_case(name)).copied()
}

/// The instruction that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mnemonic {
    Op(Op),
    /// `HALT`: a jump to itself.
    Halt,
}

impl Mnemonic {
    /// The instruction of this name, in either case. Nothing else can have such a name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let halt = || name.eq_ignore_ascii_case("HALT").then_some(Self::Halt);
        Op::from_mnemonic(name).map(Self::Op).or_else(halt)
    }

    /// The name in upper case.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Op(op) => op.mnemonic(),
            Self::Halt => "HALT",
        }
    }

    /// The number of its operands.
    pub(crate) fn operand_count(self) -> usize {
        usize::from(!matches!(self, Self::Op(Op::Shr) | Self::Halt))
    }
}

/// The instructions.
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

/// The functions that are built in.
pub(crate) const FUNCTIONS: [Keyword; 7] = [
    Keyword::new("lo(x)", "Bits 0 to 7 of x."),
    Keyword::new("hi(x)", "Bits 8 to 15 of x."),
    Keyword::new("min(a, b)", "The smaller one."),
    Keyword::new("max(a, b)", "The larger one."),
    Keyword::new("log2(x)", "The exponent of a power of two."),
    Keyword::new("len(\"text\")", "The number of bytes in the text."),
    Keyword::new("char(\"text\", i)", "Byte i of the text, counted from 0."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Function;

    fn names(table: &[Keyword]) -> Vec<&str> {
        table.iter().map(Keyword::name).collect()
    }

    #[test]
    fn every_word_of_the_language_is_here() {
        let mnemonics: Vec<&str> = Op::ALL.map(Op::mnemonic).into_iter().chain(["HALT"]).collect();
        assert_eq!(names(&INSTRUCTIONS), mnemonics);
        let functions: Vec<&str> = Function::all().map(Function::name).collect();
        assert_eq!(names(&FUNCTIONS), functions);
    }

    #[test]
    fn the_usage_shows_what_an_instruction_takes() {
        for word in INSTRUCTIONS {
            let mnemonic = Mnemonic::from_name(&word.name().to_lowercase()).unwrap();
            assert_eq!(mnemonic.name(), word.name());
            assert_eq!(mnemonic.operand_count(), word.usage.split(' ').count() - 1);
        }
        assert_eq!(Mnemonic::from_name("HALTS"), None);
    }
}
