//! The table of directives: name, operands, statement, and the description that editors show. All
//! other code takes its knowledge of directives from this table.

use std::rc::Rc;

use crate::keywords::Keyword;
use crate::syntax::{BlockKind, Expr, Head, Shown, StatementKind};

#[derive(Debug)]
pub(crate) struct Directive {
    /// Its name, usage and description.
    pub(crate) word: Keyword,
    pub(crate) role: Role,
    pub(crate) operands: Operands,
}

/// How a directive relates to the lines around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It makes no code and is not part of a block.
    Alone,
    /// It makes code, like an instruction.
    Code,
    /// It opens a block.
    Opens(BlockKind),
    /// It ends a branch of a block and starts the next one.
    Branches(BlockKind),
    /// It closes a block.
    Closes(BlockKind),
}

/// The operands of a directive. The variants for simple operands hold the constructor of the
/// statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operands {
    Nothing(fn() -> StatementKind),
    /// An expression.
    Value(fn(Expr) -> StatementKind),
    /// A string in double quotes.
    Text(fn(Rc<str>) -> StatementKind),
    /// A file name in double quotes.
    File,
    /// A condition, and an optional string.
    Assertion,
    /// The address of a byte, and an optional caption.
    ValueShown,
    /// The address of the first byte, the number of bytes, a mark, and named addresses.
    Grid,
    /// A colour of the display, and its meaning.
    Legend,
    /// A colour of LEDs, and a caption.
    Count,
    /// A colour of the display, a reason, and optionally the previous sign of the square.
    Why,
    /// The names of kinds of warnings.
    Lints,
    /// A new name, and an optional size.
    Variable {
        is_seed: bool,
    },
    /// A new name.
    Structure,
    /// A new name, and its value.
    Default,
    /// A new name, and parameters with optional defaults.
    Macro,
    /// A new name, parameters in brackets, and an expression.
    Function,
    /// A new name, parameters in brackets, and an optional result.
    Routine,
    /// The name of a routine, and arguments in brackets.
    RoutineCall,
    /// A count, and an optional new name for the index.
    Repeat,
}

impl Operands {
    /// Returns true if a name among the operands can be a symbol, and not only a colour or a kind
    /// of warnings.
    pub(crate) fn can_have_symbols(self) -> bool {
        !matches!(self, Self::Legend | Self::Count | Self::Why | Self::Lints)
    }
}

use BlockKind::{If, Macro, Repeat, Routine, Struct};
use Operands::{Nothing, Text, Value};
use Role::{Alone, Branches, Closes, Code, Opens};

const fn row(usage: &'static str, role: Role, takes: Operands, effect: &'static str) -> Directive {
    Directive { word: Keyword::new(usage, effect), role, operands: takes }
}

/// All directives, in lower case.
#[rustfmt::skip]
pub(crate) static DIRECTIVES: [Directive; 33] = [
    row(".org n", Alone, Value(|index| StatementKind::Org(Box::new(index))), "The next instruction goes to index n."),
    row(".ram n", Alone, Value(|address| StatementKind::Ram(Box::new(address))), "The next variable goes to address n."),
    row(".word n", Code, Value(|value| StatementKind::Word(Rc::new(value))),
        "Emits a word as it is, 0 to 65535."),
    row(".var name, size", Alone, Operands::Variable { is_seed: false },
        "Reserves a byte of data memory, or `size` bytes; the name is the address of the first."),
    row(".seed name, size", Alone, Operands::Variable { is_seed: true },
        "Reserves bytes as `.var` does, whose contents at power-up the program uses on purpose."),
    row(".default NAME = value", Alone, Operands::Default,
        "Defines a constant that the command line can override: `-D NAME=value`."),
    row(".pool", Alone, Nothing(|| StatementKind::Pool),
        "Initialises the data bytes that `#` names, with two instructions for each."),
    row(".function name(parameter, …) = expression", Alone, Operands::Function,
        "Defines a function."),
    row(".struct name", Opens(Struct), Operands::Structure,
        "Defines the layout of a group of variables, up to `.endstruct`."),
    row(".endstruct", Closes(Struct), Nothing(|| StatementKind::Close(Struct)),
        "Ends a `.struct`."),
    row(".routine name(parameter, …) -> result", Opens(Routine), Operands::Routine,
        "Defines a routine, up to `.endroutine`."),
    row(".endroutine", Closes(Routine), Nothing(|| StatementKind::Close(Routine)),
        "Ends a `.routine`, which returns."),
    row(".call name(argument, …)", Code, Operands::RoutineCall,
        "Calls a routine; its result is in A."),
    row(".return", Code, Nothing(|| StatementKind::Return),
        "Returns from a routine before its end."),
    row(".macro name parameter = default, …", Opens(Macro), Operands::Macro,
        "Defines a macro, up to `.endmacro`."),
    row(".endmacro", Closes(Macro), Nothing(|| StatementKind::Close(Macro)),
        "Ends a `.macro`."),
    row(".repeat count, index", Opens(Repeat), Operands::Repeat,
        "Repeats the lines up to `.endrepeat`; the index counts from 0."),
    row(".endrepeat", Closes(Repeat), Nothing(|| StatementKind::Close(Repeat)),
        "Ends a `.repeat`."),
    row(".if condition", Opens(If), Value(|condition| StatementKind::Open(Box::new(Head::If(condition)))),
        "Assembles the lines of the first condition that is not 0, up to `.endif`."),
    row(".elseif condition", Branches(If),
        Value(|condition| StatementKind::Open(Box::new(Head::ElseIf(condition)))),
        "Assembles these lines if the condition is not 0 and those before are 0."),
    row(".else", Branches(If), Nothing(|| StatementKind::Open(Box::new(Head::Else))),
        "Assembles these lines if all conditions are 0."),
    row(".endif", Closes(If), Nothing(|| StatementKind::Close(If)), "Ends an `.if`."),
    row(".include \"file\"", Alone, Operands::File, "Includes a file, at most once."),
    row(".assert condition, \"text\"", Alone, Operands::Assertion,
        "Reports an error unless the condition holds."),
    row(".error \"text\"", Alone, Text(StatementKind::Error), "Reports an error."),
    row(".allow warning, …", Alone, Operands::Lints, "Switches warnings of these kinds off."),
    row(".show address, \"caption\"", Alone, Operands::ValueShown,
        "Shows the value of a byte next to the registers."),
    row(".grid first, size, \"mark\", rows = address, index = address", Alone, Operands::Grid,
        "Draws bytes as rows of squares; a set bit is drawn as the mark."),
    row(".legend colour, \"meaning\"", Alone, Operands::Legend,
        "Sets the meaning of a colour on the display."),
    row(".count colour, \"caption\"", Alone, Operands::Count,
        "Counts the LEDs of a colour that come on, for `gray1 compare`."),
    row(".why colour, \"reason\", was = \"sign\"", Alone, Operands::Why,
        "Explains why the instructions of the caption above give a square this colour."),
    row(".result \"word\"", Alone, Text(|word| StatementKind::Show(Box::new(Shown::Result(word)))),
        "Names the lines that the program prints: a word for one of them, such as `solution`."),
    row(".title \"text\"", Alone, Text(StatementKind::Title),
        "Gives the program a title, for `gray1 list` and the front end."),
];

/// Returns the directive with this name, in upper or lower case.
pub(crate) fn find(name: &str) -> Option<&'static Directive> {
    DIRECTIVES.iter().find(|directive| directive.name().eq_ignore_ascii_case(name))
}

/// Returns the name of the directive that opens this kind of block.
pub(crate) fn opener(kind: BlockKind) -> &'static str {
    with_role(Opens(kind))
}

/// Returns the name of the directive that closes this kind of block.
pub(crate) fn closer(kind: BlockKind) -> &'static str {
    with_role(Closes(kind))
}

fn with_role(role: Role) -> &'static str {
    DIRECTIVES.iter().find(|directive| directive.role == role).map_or("", Directive::name)
}

impl Directive {
    pub(crate) fn name(&self) -> &'static str {
        self.word.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_has_an_opener_and_a_closer() {
        for directive in &DIRECTIVES {
            if let Opens(kind) | Branches(kind) | Closes(kind) = directive.role {
                let (opener, closer) = (opener(kind), closer(kind));
                assert_eq!(opener.replacen('.', ".end", 1), closer);
                assert!(find(&opener.to_uppercase()).is_some(), "{}", directive.name());
            }
        }
    }

    #[test]
    fn directive_names_are_unique() {
        for directive in &DIRECTIVES {
            let found = find(directive.name()).unwrap();
            assert!(std::ptr::eq(found, directive), "{} occurs twice", directive.name());
        }
        assert!(find(".orgs").is_none());
    }
}
