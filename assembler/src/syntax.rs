//! The syntax tree: what a source file says, before anything is known about what it means.
//!
//! Nodes know the bytes they were read from.

use std::rc::Rc;

use gray1_isa::Op;
use gray1_isa::panel::{Led, LedColor};
use gray1_language::{Binary, Unary};

use crate::diagnostic::Lint;
use crate::names::{Name, Names};
use crate::source::Span;
use crate::words::Mnemonic;

/// What stands in a block or a file, in order. Shared, since macros and repeats walk it again.
pub(crate) type Items = Rc<[Item]>;

/// A line, or a block of lines.
#[derive(Debug)]
pub(crate) enum Item {
    Line(Line),
    Block(Block),
}

/// `label* statement?`
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) labels: Vec<Symbol>,
    pub(crate) statement: Option<Statement>,
}

impl Line {
    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.statement.is_none()
    }
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

/// What opens a block.
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
    /// A `.routine` line with an error, and the name it would have defined.
    LostRoutine(Option<Symbol>),
    /// A `.struct` line with an error.
    LostStruct,
    /// A `.macro` line with an error, and the name it would have defined.
    LostMacro(Option<Symbol>),
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

/// What a line says, labels and comment aside.
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
    Call {
        name: Symbol,
        arguments: Vec<Argument>,
    },
    /// `.call`
    CallRoutine {
        name: Symbol,
        arguments: Vec<Rc<Expr>>,
    },
    Return,
    Assign {
        name: Symbol,
        value: Rc<Expr>,
    },
    Org(Expr),
    Ram(Expr),
    Word(Rc<Expr>),
    Pool,
    Var {
        name: Symbol,
        size: Option<Expr>,
    },
    Include {
        name: Rc<str>,
        span: Span,
    },
    Assert {
        condition: Rc<Expr>,
        text: Option<Rc<str>>,
    },
    Error(Rc<str>),
    Allow(Vec<Lint>),
    Title(Rc<str>),
    /// Boxed, because each line is as large as its largest kind of statement.
    Show(Box<Shown>),
    Function(Rc<FunctionHead>),
    /// `;;`: what the program does in the lines below; `None` if that is not said.
    Caption(Option<Rc<str>>),
    Open(Head),
    Close(BlockKind),
    /// A line with an error, and the name it would have defined.
    Bad(Option<Symbol>),
    /// A `.function` line with an error, and the name it would have defined.
    LostFunction(Option<Name>),
}

impl StatementKind {
    /// An instruction; `None` if it does not take so many operands.
    pub(crate) fn instruction(mnemonic: Mnemonic, mut operands: Vec<Rc<Expr>>) -> Option<Self> {
        (operands.len() == mnemonic.operand_count()).then(|| match mnemonic {
            Mnemonic::Op(op) => Self::Instruction { op, operand: operands.pop() },
            Mnemonic::Halt => Self::Halt,
        })
    }
}

/// What a program wants shown.
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
    /// Whether the name starts with `@`.
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
    Built(Rc<[Piece]>),
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
    pub(crate) span: Span,
    /// How many levels of operators, functions and built names are in it.
    pub(crate) depth: u32,
    pub(crate) kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Number(i64),
    Text(Rc<str>),
    /// `$`
    Here,
    Symbol(NameExpr),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// `condition ? then : else`
    Conditional(Box<[Expr; 3]>),
    Call(Function, Box<[Expr]>),
    /// A call of a function that the program defines.
    Apply((Name, Span), Box<[Expr]>),
    /// `#value`: a byte of data memory that holds it.
    Pooled(Box<Expr>),
    /// A part with an error that was reported.
    Bad,
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

    /// How many arguments it takes.
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
            Self::Macro(_) | Self::LostMacro(_) => BlockKind::Macro,
            Self::Repeat { .. } => BlockKind::Repeat,
            Self::Routine(_) | Self::LostRoutine(_) => BlockKind::Routine,
            Self::Struct(_) | Self::LostStruct => BlockKind::Struct,
            Self::If(_) | Self::ElseIf(_) | Self::Else => BlockKind::If,
        }
    }
}
