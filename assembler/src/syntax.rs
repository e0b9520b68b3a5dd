//! The syntax tree: a parsed source file whose names have no meanings yet.
//!
//! Each node has its range in the file. A program has tens of thousands of nodes, so they are kept
//! small and rare parts are boxed.

use std::rc::Rc;
use std::slice;

use gray1_isa::Op;
use gray1_isa::panel::{Led, LedColor};
use gray1_isa::reason::Reason;
use gray1_language::{Binary, Unary};

use crate::diagnostic::Lint;
use crate::keywords::Mnemonic;
use crate::limits::LINE_BYTES_MAX;
use crate::names::{Name, Names};
use crate::source::Span;

/// The items of a block or file, in order. They are shared, because macros and repeats walk over
/// them several times.
pub(crate) type Items = Rc<Vec<Item>>;

/// A label, a statement, or a block of lines.
#[derive(Debug)]
pub(crate) enum Item {
    Label(Symbol),
    Statement(Statement),
    Block(Box<Block>),
}

/// A macro, a routine, a repeat, a structure, or an `.if` with its branches.
#[derive(Debug)]
pub(crate) struct Block {
    /// At least one. Only an `.if` can have several.
    pub(crate) branches: Vec<Branch>,
    /// The range of the closing statement, or `None` if the block is not closed.
    pub(crate) end: Option<Span>,
}

/// A line that opens a block or a branch, and the items up to the next such line.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) head: Head,
    /// The range of the opening statement.
    pub(crate) span: Span,
    pub(crate) body: Items,
    /// True if an error makes the opening statement unusable.
    pub(crate) is_lost: bool,
}

/// The opening line of a block.
#[derive(Debug, Clone)]
pub(crate) enum Head {
    Macro(Rc<MacroHead>),
    Repeat { count: Expr, index: Option<PlainName> },
    If(Expr),
    ElseIf(Expr),
    Else,
    Struct(Symbol),
    Routine(Rc<RoutineHead>),
}

/// The kinds of blocks. Each has its own closing directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Macro,
    Repeat,
    Routine,
    Struct,
    If,
}

/// The opening line `.routine name(parameter, …) -> result`.
#[derive(Debug)]
pub(crate) struct RoutineHead {
    pub(crate) name: Symbol,
    pub(crate) parameters: Vec<Symbol>,
    pub(crate) result: Option<Symbol>,
}

impl RoutineHead {
    /// Iterates over the parameters and the result.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Symbol> {
        self.parameters.iter().chain(&self.result)
    }
}

/// The opening line `.macro name parameter, …`.
#[derive(Debug)]
pub(crate) struct MacroHead {
    pub(crate) name: Symbol,
    pub(crate) parameters: Vec<Parameter>,
}

/// The line `.function name(parameter, …) = value`.
#[derive(Debug)]
pub(crate) struct FunctionHead {
    pub(crate) name: Symbol,
    pub(crate) parameters: Vec<PlainName>,
    pub(crate) value: Rc<Expr>,
}

/// A parameter of a macro, with its default.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: PlainName,
    pub(crate) default: Option<Rc<Expr>>,
}

/// The statement of a line.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) span: Span,
    pub(crate) kind: StatementKind,
}

/// The kinds of statements.
#[derive(Debug)]
pub(crate) enum StatementKind {
    Instruction {
        op: Op,
        operand: Option<Rc<Expr>>,
    },
    Halt,
    Call(Box<MacroCall>),
    /// `.call`
    CallRoutine(Box<RoutineCall>),
    Return,
    Assign(Box<Constant>),
    /// `.default`
    Default(Box<Constant>),
    Org(Box<Expr>),
    Ram(Box<Expr>),
    Word(Rc<Expr>),
    Pool,
    Var(Box<Variable>),
    Include(Box<Inclusion>),
    Assert(Rc<Assertion>),
    Error(Rc<str>),
    Allow(Box<[Lint]>),
    Title(Rc<str>),
    Show(Box<Shown>),
    Function(Rc<FunctionHead>),
    /// A `;;` caption of the lines below. `None` ends a caption.
    Caption(Option<Rc<str>>),
    Open(Box<Head>),
    Close(BlockKind),
    /// A statement that an error makes unusable, as far as it could be read.
    Lost(Box<StatementKind>),
    /// A part of a line that could not be read.
    Bad,
}

impl StatementKind {
    /// Creates an instruction. Returns `None` if its operand is missing or superfluous.
    pub(crate) fn instruction(mnemonic: Mnemonic, operand: Option<Rc<Expr>>) -> Option<Self> {
        (usize::from(operand.is_some()) == mnemonic.operand_count()).then_some(match mnemonic {
            Mnemonic::Op(op) => Self::Instruction { op, operand },
            Mnemonic::Halt => Self::Halt,
        })
    }
}

/// A call such as `name argument, …`.
#[derive(Debug)]
pub(crate) struct MacroCall {
    pub(crate) name: Symbol,
    pub(crate) arguments: Box<[Argument]>,
}

/// A call such as `.call name(argument, …)`.
#[derive(Debug)]
pub(crate) struct RoutineCall {
    pub(crate) name: Symbol,
    pub(crate) arguments: Box<[Rc<Expr>]>,
}

/// A definition such as `name = value`.
#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) name: Symbol,
    pub(crate) value: Rc<Expr>,
}

/// A variable such as `.var name, size` or `.seed name, size`.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: Symbol,
    pub(crate) size: Option<Expr>,
    /// True if the program uses its contents at power-up on purpose.
    pub(crate) is_seed: bool,
}

/// A line such as `.include "name"`.
#[derive(Debug)]
pub(crate) struct Inclusion {
    pub(crate) name: Rc<str>,
    /// The range of the name.
    pub(crate) span: Span,
}

/// A line such as `.assert condition, "text"`.
#[derive(Debug)]
pub(crate) struct Assertion {
    pub(crate) condition: Expr,
    pub(crate) text: Option<Rc<str>>,
}

/// An entry of a program's presentation.
#[derive(Debug)]
pub(crate) enum Shown {
    /// `.show`
    Value { address: Expr, caption: Option<Rc<str>> },
    /// `.grid`
    Grid { first: Expr, size: Expr, mark: char, rows: Option<Rc<Expr>>, index: Option<Rc<Expr>> },
    /// `.legend`
    Legend(Led, Rc<str>),
    /// `.count`
    Count(LedColor, Rc<str>),
    /// `.why`
    Why(Reason),
    /// `.result`
    Result(Rc<str>),
}

/// An argument of a macro call.
#[derive(Debug)]
pub(crate) struct Argument {
    /// The parameter, for a named argument.
    pub(crate) parameter: Option<PlainName>,
    pub(crate) value: Rc<Expr>,
}

/// A name where it is defined or used.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) span: Span,
    pub(crate) name: NameExpr,
}

/// A name that is not built from numbers, where it is defined or used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainName {
    pub(crate) span: Span,
    pub(crate) name: Name,
}

impl From<PlainName> for Symbol {
    fn from(PlainName { span, name }: PlainName) -> Self {
        Self { span, name: NameExpr::Plain(name) }
    }
}

impl Symbol {
    /// Returns true if the name starts with `@`.
    pub(crate) fn is_local(&self, names: &Names) -> bool {
        match &self.name {
            NameExpr::Plain(name) => names.is_local(*name),
            NameExpr::Built(pieces) => {
                matches!(pieces.first(), Some(Piece::Text(text)) if text.starts_with('@'))
            }
            NameExpr::Missing => false,
        }
    }
}

/// A plain name, or the pieces of a name that is built from numbers.
#[derive(Debug, Clone)]
pub(crate) enum NameExpr {
    Plain(Name),
    /// The pieces of a name such as `row{n + 1}`.
    Built(Rc<Vec<Piece>>),
    /// An error left the definition without a name.
    Missing,
}

/// A piece of a name that is built from numbers.
#[derive(Debug)]
pub(crate) enum Piece {
    Text(Rc<str>),
    Number(Expr),
}

/// An expression, with its range and depth.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    start: u32,
    length: u16,
    depth: u16,
    pub(crate) kind: ExprKind,
}

// An expression fits in a line, and each level takes at least one byte of it.
const _: () = assert!(LINE_BYTES_MAX <= u16::MAX as usize);
// These nodes take most of the memory.
const _: () = assert!(size_of::<Item>() <= 32 && size_of::<Expr>() <= 24);

impl Expr {
    /// Creates an expression with the given number of nested levels of operators, functions and
    /// built names.
    pub(crate) fn new(span: Span, depth: u32, kind: ExprKind) -> Self {
        let length = (span.end - span.start) as u16;
        Self { start: span.start, length, depth: depth as u16, kind }
    }

    /// Returns the range of the expression.
    pub(crate) fn span(&self) -> Span {
        Span { start: self.start, end: self.start + u32::from(self.length) }
    }

    /// Returns the expressions that it is made of, without those in the braces of a name.
    pub(crate) fn parts(&self) -> &[Self] {
        match &self.kind {
            ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Here
            | ExprKind::Name(_)
            | ExprKind::Built(_)
            | ExprKind::Bad => &[],
            ExprKind::Unary(_, operand) | ExprKind::Pooled(operand) => slice::from_ref(operand),
            ExprKind::Binary(_, operands) => &**operands,
            ExprKind::Conditional(parts) => &**parts,
            ExprKind::Call(call) => &call.arguments,
            ExprKind::Apply(call) => &call.arguments,
        }
    }

    /// Returns the value of a number.
    pub(crate) fn as_number(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the number of nested levels of operators, functions and built names.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.into()
    }
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Number(i64),
    Text(Rc<String>),
    /// The index of the current instruction, `$`.
    Here,
    Name(Name),
    /// A name that is built from these pieces.
    Built(Rc<Vec<Piece>>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// A choice such as `condition ? then : else`.
    Conditional(Box<[Expr; 3]>),
    Call(Box<Call<Function>>),
    /// A call of a function that the program defines.
    Apply(Box<Call<PlainName>>),
    /// The operand `#value`: a byte of data memory that contains the value.
    Pooled(Box<Expr>),
    /// A part with an error that was reported.
    Bad,
}

/// A call of a function.
#[derive(Debug, Clone)]
pub(crate) struct Call<F> {
    pub(crate) function: F,
    pub(crate) arguments: Box<[Expr]>,
}

/// The built-in functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    /// A function of numbers.
    Number(gray1_language::Function),
    /// The length of a string.
    Len,
    /// A byte of a string.
    Char,
}

impl Function {
    /// Returns the function with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|function| function.name() == name)
    }

    /// Iterates over all built-in functions.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        gray1_language::Function::ALL.into_iter().map(Self::Number).chain([Self::Len, Self::Char])
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Number(function) => function.name(),
            Self::Len => "len",
            Self::Char => "char",
        }
    }

    /// Returns the number of arguments it takes.
    pub(crate) fn arity(self) -> usize {
        match self {
            Self::Number(function) => function.arity(),
            Self::Len => 1,
            Self::Char => 2,
        }
    }
}

impl Head {
    /// Returns the kind of block that it opens or is a branch of.
    pub(crate) fn kind(&self) -> BlockKind {
        match self {
            Self::Macro(_) => BlockKind::Macro,
            Self::Repeat { .. } => BlockKind::Repeat,
            Self::Routine(_) => BlockKind::Routine,
            Self::Struct(_) => BlockKind::Struct,
            Self::If(_) | Self::ElseIf(_) | Self::Else => BlockKind::If,
        }
    }

    /// Returns true if it starts another branch of a block.
    pub(crate) fn is_branch(&self) -> bool {
        matches!(self, Self::ElseIf(_) | Self::Else)
    }
}
