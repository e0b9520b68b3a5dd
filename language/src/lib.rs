//! The parts that the assembly language shares with the debugger's expressions: tokens, literals,
//! operators with their precedence and arithmetic, and the functions of numbers.
//!
//! This crate does not resolve names. Callers decide what a name means and where values come from.
//!
//! - [`Lexer`] splits any line, well formed or not, into tokens.
//! - [`parse_number`], [`parse_character`] and [`unescape`] read literals.
//! - [`Operators`] builds a tree from operands and operators by precedence.
//! - [`Unary`], [`Binary`] and [`Function`] calculate.
//! - [`find_nearest`] finds a similar name, and [`did_you_mean`] asks about it.

mod function;
mod literal;
mod operator;
mod precedence;
mod similar;
mod token;

pub use function::Function;
pub use literal::{LiteralError, UnknownEscape, parse_character, parse_number, unescape};
pub use operator::{ArithmeticError, Binary, Unary};
pub use precedence::Operators;
pub use similar::{did_you_mean, find_nearest, is_of_similar_length, suggest};
pub use token::{Lexer, Piece, Token, TokenKind, is_plain_name, split_comment, split_pieces};
