//! The words of the language, each with what it does in a line.

/// A word of the language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// The word, and what stands behind it.
    pub(crate) usage: &'static str,
    pub(crate) does: &'static str,
}

impl Word {
    /// The word by itself.
    pub(crate) fn name(&self) -> &'static str {
        self.usage.split([' ', '(']).next().unwrap_or_default()
    }
}

/// What `word` is, in a table.
pub(crate) fn find(table: &[Word], word: &str) -> Option<Word> {
    table.iter().find(|known| known.name().eq_ignore_ascii_case(word)).copied()
}

const fn word(usage: &'static str, does: &'static str) -> Word {
    Word { usage, does }
}

/// The instructions.
pub(crate) const INSTRUCTIONS: [Word; 9] = [
    word("LDI n", "A ← n. C stays."),
    word("LD a", "A ← [a]. C stays."),
    word("ST a", "[a] ← A. C stays."),
    word("ADD a", "A ← A + [a], C ← the carry."),
    word("NAND a", "A ← not (A and [a]). C stays."),
    word("SHR", "A ← A / 2, C ← the bit shifted out."),
    word("JC t", "Goes to t if C is 1."),
    word("JMP t", "Goes to t."),
    word("HALT", "A jump to itself: the program ends."),
];

/// The directives.
pub(crate) const DIRECTIVES: [Word; 25] = [
    word(".org n", "The next instruction goes to index n."),
    word(".ram n", "The next variable goes to address n."),
    word(".word n", "A word of program memory as it is, 0 to 65535."),
    word(".var name, size = 1", "Reserves data memory; the name is its address."),
    word(".pool", "Plants the data bytes that `#` names, two instructions each."),
    word(".function name(parameter, …) = expression", "Defines a function."),
    word(".struct name", "The layout of data that occurs several times, up to `.endstruct`."),
    word(".endstruct", "Ends a `.struct`."),
    word(".routine name(parameter, …) -> result", "Defines a routine, up to `.endroutine`."),
    word(".endroutine", "Ends a `.routine`, which returns."),
    word(".call name(argument, …)", "Calls a routine; its result is in A."),
    word(".return", "Returns from a routine before its end."),
    word(".macro name parameter = default, …", "Defines a macro, up to `.endmacro`."),
    word(".endmacro", "Ends a `.macro`."),
    word(".repeat count, index", "The lines up to `.endrepeat`, so many times."),
    word(".endrepeat", "Ends a `.repeat`."),
    word(".if condition", "The lines of the first condition that is not 0, up to `.endif`."),
    word(".elseif condition", "What is there if the conditions before are 0 and this one is not."),
    word(".else", "What is there if all conditions are 0."),
    word(".endif", "Ends an `.if`."),
    word(".include \"file\"", "Takes a file in, once."),
    word(".assert condition, \"text\"", "An error unless the condition holds."),
    word(".error \"text\"", "An error."),
    word(".allow warning, …", "Switches kinds of warnings off."),
    word(".title \"text\"", "What lists and the front end call the program."),
];

/// The functions that are built in.
pub(crate) const FUNCTIONS: [Word; 7] = [
    word("lo(x)", "Bits 0 to 7 of x."),
    word("hi(x)", "Bits 8 to 15 of x."),
    word("min(a, b)", "The smaller one."),
    word("max(a, b)", "The larger one."),
    word("log2(x)", "The exponent of a power of two."),
    word("len(\"text\")", "How many bytes the text has."),
    word("char(\"text\", i)", "Byte i of the text, counted from 0."),
];

#[cfg(test)]
mod tests {
    use gray1_isa::Op;

    use super::*;
    use crate::syntax::Function;

    fn names(table: &[Word]) -> Vec<&str> {
        table.iter().map(Word::name).collect()
    }

    #[test]
    fn every_word_of_the_language_is_here() {
        let mnemonics: Vec<&str> = Op::ALL.map(Op::mnemonic).into_iter().chain(["HALT"]).collect();
        assert_eq!(names(&INSTRUCTIONS), mnemonics);
        assert_eq!(names(&DIRECTIVES), crate::parse::DIRECTIVES);
        assert_eq!(names(&FUNCTIONS), Function::all().map(Function::name).collect::<Vec<_>>());
    }
}
