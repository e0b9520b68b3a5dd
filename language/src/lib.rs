//! What the assembly language and the debugger's expressions have in common: tokens, literals,
//! operators with their precedence and arithmetic, and the functions on numbers.
//!
//! The meaning of a name, and which values an expression starts from, is up to the caller.
//!
//! - [`Lexer`] takes any line apart, well formed or not.
//! - [`number`], [`character`] and [`characters`] read literals.
//! - [`Operators`] turns operands and operators into a tree by precedence.
//! - [`Unary`], [`Binary`] and [`Function`] calculate.

mod function;
mod literal;
mod operator;
mod precedence;
mod token;

pub use function::Function;
pub use literal::{LiteralError, UnknownEscape, character, characters, number};
pub use operator::{ArithmeticError, Binary, Unary};
pub use precedence::Operators;
pub use token::{Lexer, Piece, Token, TokenKind, is_plain_name, pieces, split_comment};
