//! Everything that can be wrong with a source, with the error messages.

use gray1_isa::text::plural;
use gray1_isa::{ImageError, Op};
use gray1_language::{ArithmeticError, LiteralError};

use crate::diagnostic::Diagnostic;
use crate::source::Location;

/// A mistake in a source. It displays as the first line of the message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    // --- A line by itself ---
    #[error("the program's files are larger than {} MiB", crate::limits::SOURCE_BYTES_MAX >> 20)]
    SourceTooLarge,
    #[error("the program's files have more than {max} lines", max = crate::limits::SOURCE_LINES_MAX)]
    SourceTooLong,
    #[error("the line has {0} bytes; at most {max} are allowed", max = crate::limits::LINE_BYTES_MAX)]
    LineTooLong(usize),
    #[error("brackets are nested more than {max} deep", max = crate::limits::NESTING_MAX)]
    BracketsTooDeep,
    #[error("a line can have at most {max} `?`", max = crate::limits::NESTING_MAX)]
    TooManyConditionals,
    #[error("this `{0}` is never closed")]
    Unclosed(char),
    #[error("unmatched `{0}`")]
    ClosesNothing(char),
    #[error("{} is not allowed here", character(*.0))]
    OddCharacter(char),
    #[error("expected {expected}, found {found}")]
    Expected { expected: String, found: String },
    #[error("the label `{0}` has no colon")]
    MissingColon(String),
    #[error("unknown directive `{0}`")]
    UnknownDirective(String),
    #[error(transparent)]
    Literal(#[from] LiteralError),
    #[error("unknown function `{0}`")]
    UnknownFunction(String),
    #[error("`{name}` takes {expected} {}, not {found}", plural(*.expected, "argument"))]
    ArgumentCount { name: String, expected: usize, found: usize },
    #[error("`{name}` takes {}, not {found}", operands(*.expected))]
    OperandCount { name: &'static str, expected: usize, found: usize },
    #[error("`{0}` is reserved: it is the name of an instruction")]
    Reserved(String),
    #[error("function `{0}` is built in")]
    BuiltIn(String),
    #[error("macros cannot be local")]
    LocalMacro,
    #[error("routines cannot be local")]
    LocalRoutine,
    #[error("the expression is nested more than {max} deep", max = crate::limits::EXPRESSION_DEPTH_MAX)]
    ExpressionTooDeep,
    #[error("duplicate parameter `{0}`")]
    ParameterTwice(String),

    // --- Blocks ---
    #[error("this `{opener}` has no `{closer}`")]
    BlockUnclosed { opener: &'static str, closer: &'static str },
    #[error("`{0}` without an open block")]
    BlockUnopened(&'static str),
    #[error("`{0}` after the `.else` of its `.if`")]
    AfterElse(&'static str),
    #[error("blocks are nested more than {max} deep", max = crate::limits::NESTING_MAX)]
    BlocksTooDeep,

    // --- Names ---
    #[error("{kind} `{name}` is defined twice")]
    DefinedTwice { kind: &'static str, name: String },
    #[error("undefined symbol `{0}`")]
    Undefined(String),
    #[error("`{name}` is not known yet: {what} can use only what is defined above")]
    NotKnownYet { name: String, what: &'static str },
    #[error("unknown instruction `{0}`")]
    UnknownInstruction(String),
    #[error("macro `{0}` is used before its definition")]
    MacroDefinedLater(String),
    #[error("a number in a name must not be negative, but is {0}")]
    NegativeInName(i64),
    #[error("`{0}` is defined in terms of itself")]
    Cycle(String),

    // --- Macro calls ---
    #[error("macro `{name}` takes {}, not {found}", at_most(*.max, "argument"))]
    TooManyArguments { name: String, max: usize, found: usize },
    #[error("macro `{name}` needs an argument for `{parameter}`")]
    MissingArgument { name: String, parameter: String },
    #[error("macro `{name}` has no parameter `{parameter}`")]
    UnknownParameter { name: String, parameter: String },
    #[error("`{0}` is given twice")]
    ArgumentTwice(String),
    #[error("positional arguments must come before named ones")]
    PositionalAfterNamed,
    #[error("macro `{0}` calls itself more than {max} times", max = crate::limits::DEPTH_MAX)]
    EndlessMacro(String),
    #[error("macros and includes are nested more than {max} deep here", max = crate::limits::DEPTH_MAX)]
    ExpandedTooDeep,
    #[error("the program expands to more than {max} lines", max = crate::limits::LINES_MAX)]
    ExpandedTooFar,

    #[error("the program defines more than {max} symbols", max = crate::limits::SYMBOLS_MAX)]
    TooManySymbols,
    #[error("the program's macro calls have more than {max} arguments in all",
        max = crate::limits::ARGUMENTS_MAX)]
    TooManyBindings,
    #[error("the names that are built from numbers take more than {} MiB",
        crate::limits::BUILT_BYTES_MAX >> 20)]
    TooManyBuiltBytes,

    // --- Routines ---
    #[error("`.default` in a routine: it defines a constant for the whole program")]
    DefaultInRoutine,
    #[error("`-D {0}`: no `.default` of the program defines this name")]
    UnknownDefine(String),
    #[error("`-D {0}` is given twice")]
    DefineTwice(String),
    #[error("routines cannot be nested")]
    NestedRoutine,
    #[error("unknown routine `{0}`")]
    UnknownRoutine(String),
    #[error("`.return` outside a routine")]
    ReturnOutside,
    #[error("recursive call of `{0}`: routines cannot recurse without a stack")]
    Recursion(String),
    #[error("`{name}` is called from {sites} places; at most {max} are allowed",
        max = crate::limits::CALL_SITES_MAX)]
    TooManySites { name: String, sites: usize },
    #[error("cannot place the routines: each placement changes which of them are called")]
    RoutinesUnsettled,

    // --- Functions and structures ---
    #[error("functions are nested too deeply here: `{0}` may call itself")]
    FunctionTooDeep(String),
    #[error("functions are called more than {max} times", max = crate::limits::FUNCTION_CALLS_MAX)]
    TooManyFunctionCalls,
    #[error("a structure can contain only variables")]
    NotInStructure,
    #[error("the variables of a structure cannot be local")]
    LocalField,
    #[error("a seed must be a variable of the whole program")]
    LocalSeed,

    // --- Values ---
    #[error("{what} must be {min} to {max}, not {value}")]
    OutOfRange { what: &'static str, value: i64, min: i64, max: i64 },
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    #[error("expected a number, found {found}")]
    ExpectedNumber { found: &'static str },
    #[error("expected a string, found {found}")]
    ExpectedText { found: &'static str },
    #[error("the string has {length} {}; index {index} is out of range",
        plural(*.length, "byte"))]
    NoSuchByte { length: usize, index: i64 },

    // --- Layout ---
    #[error("two instructions at index 0x{0:04x}")]
    Overlap(u16),
    #[error("program memory is full: it holds 8192 instructions")]
    ProgramFull,
    #[error(
        "{what} would take 0x{start:04x} to 0x{last:04x}, but the panel's memory starts at 0x1fe0"
    )]
    ReachesPanel { what: String, start: u32, last: u32 },

    #[error("there are two `.pool`s")]
    PoolTwice,
    #[error("`#` needs a `.pool`, and there is none")]
    NoPool,
    #[error(
        "cannot compute the size of the pool: values after `#` depend on indexes that change with \
         it"
    )]
    PoolUnsettled,
    #[error("{}", pooled_operand(*.0))]
    PooledOperand(Op),

    // --- Directives ---
    #[error("cannot include `{name}`: {why}")]
    CannotInclude { name: String, why: String },
    #[error("the path `{0}` has a backslash")]
    Backslash(String),
    #[error("`{0}` includes itself")]
    IncludeCycle(String),
    #[error("more than {max} files are included", max = u16::MAX)]
    TooManyFiles,
    #[error("unknown warning `{0}`")]
    UnknownLint(String),
    #[error("unknown colour `{word}` (expected {expected})")]
    UnknownColour { word: String, expected: String },
    #[error("invalid mark \"{0}\" (expected one character)")]
    Mark(String),
    #[error("expected `rows = address` or `index = address`, each at most once")]
    GridSetting,
    #[error("expected `was = \"sign\"`, where the sign is a colour or the mark of a grid")]
    ReasonCondition,
    #[error("a reason belongs below the caption (`;; ...`) of its instructions")]
    ReasonWithoutCaption,
    #[error(transparent)]
    Presentation(ImageError),
    #[error("the program already has a {0}")]
    SecondSetting(&'static str),
    #[error("assertion failed{}", .0.as_ref().map_or(String::new(), |text| format!(": {text}")))]
    AssertionFailed(Option<String>),
    #[error("{0}")]
    Stated(String),
    #[error("internal error of the assembler: {0}")]
    Internal(&'static str),
    #[error("too many errors: only the first {max} are shown", max = crate::limits::ERRORS_MAX)]
    TooManyErrors,
}

impl Problem {
    /// Returns the error for this mistake at a place.
    pub(crate) fn at(&self, location: Location) -> Diagnostic {
        Diagnostic { label: self.label(), ..Diagnostic::error(self.to_string()) }.at(location)
    }

    /// Returns true if the arguments of the enclosing macro calls can cause the mistake. Then each
    /// call gets its own error. All other mistakes belong to the macro itself and are reported
    /// once.
    pub(crate) fn depends_on_values(&self) -> bool {
        matches!(
            self,
            Self::OutOfRange { .. }
                | Self::Arithmetic(_)
                | Self::NegativeInName(_)
                | Self::NoSuchByte { .. }
                | Self::ReachesPanel { .. }
                | Self::AssertionFailed(_)
                | Self::Stated(_)
        )
    }

    /// Returns a label for the underlined source, if it adds something to the message.
    fn label(&self) -> Option<String> {
        let label = match self {
            Self::Undefined(_) => "not defined anywhere",
            Self::DefinedTwice { .. } => "defined again here",
            Self::UnknownInstruction(_) => "neither an instruction nor a macro",
            Self::Overlap(_) => "this index is taken",
            _ => return None,
        };
        Some(label.to_owned())
    }
}

/// Returns the name of a character that is invisible or looks like a blank.
fn character(c: char) -> String {
    let name = match c {
        '\u{a0}' => "no-break space ",
        '\u{2009}' => "thin space ",
        '\u{200b}' => "zero-width space ",
        '\u{202f}' => "narrow no-break space ",
        _ => "character ",
    };
    format!("the {name}U+{:04X}", u32::from(c))
}

fn pooled_operand(op: Op) -> String {
    let name = op.mnemonic();
    match op {
        Op::St => {
            "`ST` cannot write to a constant: all uses of the value share its byte".to_owned()
        }
        Op::Ldi => "`LDI` takes the number itself, without `#`".to_owned(),
        _ => format!("`{name}` takes an instruction index, not a data byte"),
    }
}

fn operands(count: usize) -> String {
    if count == 0 {
        "no operand".to_owned()
    } else {
        format!("{count} {}", plural(count, "operand"))
    }
}

fn at_most(max: usize, noun: &str) -> String {
    if max == 0 { format!("no {noun}") } else { format!("at most {max} {}", plural(max, noun)) }
}
