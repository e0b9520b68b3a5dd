//! The syntax tree: a source file before its names have meanings.
//!
//! Nodes know their places in the file. They are kept small, since a program has tens of thousands
//! of them: what is rare is boxed.

use std::rc::Rc;

use gray1_isa::Op;
use gray1_isa::panel::{Led, LedColor};
use gray1_isa::reason::Reason;
use gray1_language::{Binary, Unary};

use crate::diagnostic::Lint;
use crate::limits::LINE_BYTES_MAX;
use crate::names::{Name, Names};
use crate::source::Span;
use crate::words::Mnemonic;

/// The items of a block or a file, in order. Shared, since macros and repeats walk it again.
pub(crate) type Items = Rc<Vec<Item>>;

/// A label, a statement, or a block of lines.
#[derive(Debug)]
pub(crate) enum Item {
    Label(Symbol),
    Statement(Statement),
    Block(Box<Block>),
}

/// A macro, a routine, a repeat, a structure or the branches of an `.if`.
#[derive(Debug)]
pub(crate) struct Block {
    /// One or more; only an `.if` has several.
    pub(crate) branches: Vec<Branch>,
    /// The statement that closes it; of a block that nothing closes, the one that opens it.
    pub(crate) end: Span,
}

/// The line that opens a block or a branch of it, and the items up to the next such line.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) head: Head,
    /// The statement of the opening line.
    pub(crate) span: Span,
    pub(crate) body: Items,
}

/// The opening line of a block.
#[derive(Debug, Clone)]
pub(crate) enum Head {
    Macro(Rc<MacroHead>),
    Repeat {
        count: Expr,
        index: Option<Name>,
    },
    If(Expr),
    ElseIf(Expr),
    Else,
    Struct(Symbol),
    Routine(Rc<RoutineHead>),
    /// A line with an error, and the name of the macro or routine that it would have defined.
    Lost(BlockKind, Option<Symbol>),
}

/// The kinds of blocks, by how they end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Macro,
    Repeat,
    Routine,
    Struct,
    If,
}

/// `.routine name(parameter, …) -> result`
#[derive(Debug)]
pub(crate) struct RoutineHead {
    pub(crate) name: Symbol,
    pub(crate) parameters: Vec<Symbol>,
    pub(crate) result: Option<Symbol>,
}

impl RoutineHead {
    /// The parameters and the result.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Symbol> {
        self.parameters.iter().chain(&self.result)
    }
}

/// `.macro name parameter, …`
#[derive(Debug)]
pub(crate) struct MacroHead {
    pub(crate) name: Symbol,
    pub(crate) parameters: Vec<Parameter>,
}

/// `.function name(parameter, …) = value`
#[derive(Debug)]
pub(crate) struct FunctionHead {
    pub(crate) name: Name,
    pub(crate) span: Span,
    pub(crate) parameters: Vec<Name>,
    pub(crate) value: Rc<Expr>,
}

/// A parameter of a macro.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Name,
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
    /// `;;`: what the program does in the lines below; `None` if that is not said.
    Caption(Option<Rc<str>>),
    Open(Box<Head>),
    Close(BlockKind),
    /// A line with an error, and the name it would have defined.
    Bad(Option<Box<Symbol>>),
    /// A `.function` line with an error, and the name it would have defined.
    LostFunction(Option<Name>),
}

impl StatementKind {
    /// An instruction; `None` if it takes an operand and there is none, or the other way around.
    pub(crate) fn instruction(mnemonic: Mnemonic, operand: Option<Rc<Expr>>) -> Option<Self> {
        (usize::from(operand.is_some()) == mnemonic.operand_count()).then_some(match mnemonic {
            Mnemonic::Op(op) => Self::Instruction { op, operand },
            Mnemonic::Halt => Self::Halt,
        })
    }
}

/// `name argument, …`
#[derive(Debug)]
pub(crate) struct MacroCall {
    pub(crate) name: Symbol,
    pub(crate) arguments: Box<[Argument]>,
}

/// `.call name(argument, …)`
#[derive(Debug)]
pub(crate) struct RoutineCall {
    pub(crate) name: Symbol,
    pub(crate) arguments: Box<[Rc<Expr>]>,
}

/// `name = value`
#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) name: Symbol,
    pub(crate) value: Rc<Expr>,
}

/// `.var name, size`
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: Symbol,
    pub(crate) size: Option<Expr>,
}

/// `.include "name"`
#[derive(Debug)]
pub(crate) struct Inclusion {
    pub(crate) name: Rc<str>,
    /// The place of the name.
    pub(crate) span: Span,
}

/// `.assert condition, "text"`
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
    /// The parameter it is for, if it says so.
    pub(crate) parameter: Option<(Name, Span)>,
    pub(crate) value: Rc<Expr>,
}

/// A name where it is defined or used.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) span: Span,
    pub(crate) name: NameExpr,
}

impl Symbol {
    /// True if the name starts with `@`.
    pub(crate) fn is_local(&self, names: &Names) -> bool {
        match &self.name {
            NameExpr::Plain(name) => names.is_local(*name),
            NameExpr::Built(pieces) => {
                matches!(pieces.first(), Some(Piece::Text(text)) if text.starts_with('@'))
            }
        }
    }
}

/// A name, or how to build one.
#[derive(Debug, Clone)]
pub(crate) enum NameExpr {
    Plain(Name),
    /// The pieces of `row{n + 1}`.
    Built(Rc<Vec<Piece>>),
}

/// A piece of a name that is built.
#[derive(Debug)]
pub(crate) enum Piece {
    Text(Rc<str>),
    Number(Expr),
}

/// An expression.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    start: u32,
    length: u16,
    depth: u16,
    pub(crate) kind: ExprKind,
}

// An expression stands in a line, and a level of it takes a byte at least.
const _: () = assert!(LINE_BYTES_MAX <= u16::MAX as usize);
// What a line takes is mostly these.
const _: () = assert!(size_of::<Item>() <= 32 && size_of::<Expr>() <= 24);

impl Expr {
    /// An expression of a line, and how many levels of operators, functions and built names are in
    /// it.
    pub(crate) fn new(span: Span, depth: u32, kind: ExprKind) -> Self {
        let length = (span.end - span.start) as u16;
        Self { start: span.start, length, depth: depth as u16, kind }
    }

    /// Its place.
    pub(crate) fn span(&self) -> Span {
        Span { start: self.start, end: self.start + u32::from(self.length) }
    }

    /// The number of levels of operators, functions and built names in it.
    pub(crate) fn depth(&self) -> u32 {
        self.depth.into()
    }
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Number(i64),
    Text(Rc<String>),
    /// `$`
    Here,
    Name(Name),
    /// A name that is built from these pieces.
    Built(Rc<Vec<Piece>>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// `condition ? then : else`
    Conditional(Box<[Expr; 3]>),
    Call(Box<Call<Function>>),
    /// A call of a function that the program defines: its name, and where that stands.
    Apply(Box<Call<(Name, Span)>>),
    /// `#value`: a byte of data memory that holds it.
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
    /// Of numbers.
    Number(gray1_language::Function),
    /// The length of a text.
    Len,
    /// A byte of a text.
    Char,
}

impl Function {
    /// The function of this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|function| function.name() == name)
    }

    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        gray1_language::Function::ALL.into_iter().map(Self::Number).chain([Self::Len, Self::Char])
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Number(function) => function.name(),
            Self::Len => "len",
            Self::Char => "char",
        }
    }

    /// The number of its arguments.
    pub(crate) fn arity(self) -> usize {
        match self {
            Self::Number(function) => function.arity(),
            Self::Len => 1,
            Self::Char => 2,
        }
    }
}

impl Head {
    /// The kind of block it opens, or is a branch of.
    pub(crate) fn kind(&self) -> BlockKind {
        match self {
            Self::Macro(_) => BlockKind::Macro,
            Self::Repeat { .. } => BlockKind::Repeat,
            Self::Routine(_) => BlockKind::Routine,
            Self::Struct(_) => BlockKind::Struct,
            Self::Lost(kind, _) => *kind,
            Self::If(_) | Self::ElseIf(_) | Self::Else => BlockKind::If,
        }
    }
}
