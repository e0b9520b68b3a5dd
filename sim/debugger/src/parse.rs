//! Reads what people type: expressions, and the places that breaks name.

use std::iter::Peekable;
use std::ops::Range;

use gray1_isa::{RamAddr, RomIndex, Symbol, SymbolKind};
use gray1_language::{
    Binary, Function, Lexer, LiteralError, Operators, Token, TokenKind, Unary, character, number,
};

use super::expression::{Expression, Node};
use super::scope::{Scope, Wires};

/// Why a text is not an expression or a condition, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// The character, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else should stand here.
    #[error("expected {expected}, found {}", Found(.found))]
    Expected {
        /// What.
        expected: &'static str,
        /// What stands there.
        found: Option<char>,
    },
    /// A name that the program does not have.
    #[error("the program has no '{0}'")]
    Unknown(String),
    /// A number or a character that is not well formed.
    #[error(transparent)]
    Literal(#[from] LiteralError),
    /// A call with too few arguments, or too many.
    #[error("'{name}' takes {expected} argument{}, not {found}", if *.expected == 1 { "" } else { "s" })]
    ArgumentCount {
        /// The function.
        name: &'static str,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Too many levels of brackets, prefixes and conditions.
    #[error("this is nested too deeply")]
    TooDeep,
    /// More than a person types.
    #[error("expected the end within {TEXT_MAX} bytes")]
    TooLong,
    /// A place must stay where it is.
    #[error("a place cannot depend on the machine")]
    NotConstant,
    /// A number that names no place.
    #[error("{value} is outside {memory} 0 to 8191")]
    Outside {
        /// The number, or that it has no value.
        value: String,
        /// What has this range.
        memory: &'static str,
    },
    /// Wires of an engine that has none.
    #[error("needs --engine chips or timed: this engine has no wires")]
    NoWires,
    /// Glitches of a board whose wires do not move in time.
    #[error("needs --engine timed: this engine has no glitches")]
    NoGlitches,
    /// A name that no wire of the board has.
    #[error("the board has no wire '{0}'")]
    UnknownWire(String),
    /// A row or column that the display does not have.
    #[error("expected a row and a column from 0 to 7, found {0}")]
    NoSquare(u16),
    /// More than a byte holds.
    #[error("expected a byte, 0 to 255, found {0}")]
    NoByte(u16),
    /// A variable where an instruction is meant.
    #[error("'{0}' is a variable: write {0}, read {0} and access {0} are breaks")]
    Variable(String),
}

struct Found<'a>(&'a Option<char>);

impl std::fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(found) => write!(f, "'{}'", found.escape_debug()),
            None => f.write_str("the end"),
        }
    }
}

/// The most levels of brackets, prefixes and conditions.
const DEPTH_MAX: usize = 100;
/// The longest text, in bytes; with it operators in a row are bounded, each of which goes deeper.
const TEXT_MAX: usize = 1000;

impl Expression {
    /// Reads an expression that names symbols of a program.
    ///
    /// # Errors
    /// If the text is not an expression; the error says where and why.
    pub fn parse<'a>(text: &'a str, scope: impl Into<Scope<'a>>) -> Result<Self, ParseError> {
        Self::read(&mut Parser::new(text, scope.into())?)
    }

    /// An expression in a form that means the same wherever the machine is: names of the routine
    /// around [`Scope::at`] as `routine.name`.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn qualified(text: &str, scope: Scope) -> Result<String, ParseError> {
        qualified(text, scope, Self::read)
    }

    fn read(parser: &mut Parser) -> Result<Self, ParseError> {
        let expression = parser.expression()?;
        parser.end()?;
        Ok(expression)
    }
}

/// What this reads, in a form that means the same wherever the machine is.
pub(super) fn qualified<T>(
    text: &str,
    scope: Scope,
    read: impl FnOnce(&mut Parser) -> Result<T, ParseError>,
) -> Result<String, ParseError> {
    let mut parser = Parser::new(text, scope)?;
    read(&mut parser)?;
    Ok(parser.qualified())
}

/// A text that is being read.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Peekable<Lexer<'a>>,
    /// Where the last token that was taken ends, in bytes.
    end: usize,
    scope: Scope<'a>,
    depth: usize,
    /// Names that stand for a symbol of another name: where they start, and that symbol.
    short: Vec<(Range<usize>, &'a Symbol)>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, scope: Scope<'a>) -> Result<Self, ParseError> {
        let tokens = Lexer::new(text).peekable();
        let parser = Self { text, tokens, end: 0, scope, depth: 0, short: Vec::new() };
        if text.len() <= TEXT_MAX { Ok(parser) } else { Err(parser.error_at(0, Problem::TooLong)) }
    }

    /// The text with its short names in full.
    fn qualified(&self) -> String {
        let mut text = self.text.to_owned();
        for (range, symbol) in self.short.iter().rev() {
            text.replace_range(range.clone(), &symbol.name);
        }
        text
    }

    /// Nothing more may come.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        if self.has_more() { Err(self.expected("an operator or the end")) } else { Ok(()) }
    }

    /// Whether anything comes.
    pub(super) fn has_more(&mut self) -> bool {
        self.tokens.peek().is_some()
    }

    /// Whether this word comes next.
    pub(super) fn next_word_is(&mut self, word: &str) -> bool {
        self.tokens.peek().is_some_and(|token| is_word(token, word))
    }

    /// Takes this word, if it comes next.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        self.next_if(|token| is_word(token, word)).is_some()
    }

    /// Takes this word, if it comes next with a name behind it; otherwise it may be a label.
    pub(super) fn takes_verb(&mut self, verb: &str) -> bool {
        let behind = self.at() + verb.len();
        let next = self.text.get(behind..).unwrap_or_default().split_whitespace().next();
        let names = |next: &str| next != "if" && next.starts_with(char::is_alphabetic);
        next.is_some_and(names) && self.takes_word(verb)
    }

    /// The wires that can be named.
    pub(super) fn wires(&self) -> Option<&'a Wires> {
        self.scope.wires
    }

    /// The name of a wire, `PCL.3`, and the byte at which it starts.
    pub(super) fn wire_name(&mut self) -> (usize, &'a str) {
        let start = self.at();
        let ends = |c: char| c.is_whitespace() || c == '=';
        let name = self.text[start..].split(ends).next().unwrap_or_default();
        while self.next_if(|token| token.start < start + name.len()).is_some() {}
        (start, name)
    }

    /// Takes this symbol, if it comes next.
    pub(super) fn takes(&mut self, symbol: &str) -> bool {
        self.next_if(|token| token.is(symbol)).is_some()
    }

    /// A number that is known beforehand, and the symbol, if it is a symbol and nothing else.
    pub(super) fn place(
        &mut self,
        memory: &'static str,
    ) -> Result<(u16, Option<&'a Symbol>), ParseError> {
        let start = self.at();
        let expression = self.expression()?;
        if !expression.is_constant() {
            return Err(self.error_at(start, Problem::NotConstant));
        }
        let place = self.address(&expression, start, memory)?;
        Ok((place.get(), self.scope.symbol(&self.text[start..self.end])))
    }

    /// The value of an expression that starts at this byte and does not depend on the machine.
    fn address(
        &self,
        expression: &Expression,
        start: usize,
        memory: &'static str,
    ) -> Result<RamAddr, ParseError> {
        let value = expression.constant();
        let address = value.and_then(|value| u16::try_from(value).ok()).and_then(RamAddr::new);
        address.ok_or_else(|| {
            let value = value.map_or_else(|| "this".to_owned(), |value| value.to_string());
            self.error_at(start, Problem::Outside { value, memory })
        })
    }

    /// The entry of a routine, if its name comes next and names nothing else.
    pub(super) fn takes_routine(&mut self) -> Option<RomIndex> {
        let name = self.tokens.peek().filter(|token| token.kind == TokenKind::Name)?.text;
        let routines = self.scope.image.routines().list();
        let routine = routines.iter().find(|routine| routine.name == name)?;
        let entry = routine.indexes.first().copied();
        if self.scope.symbol(name).is_none() {
            self.next_if(|_| true);
            return entry;
        }
        None
    }

    pub(super) fn expected(&mut self, expected: &'static str) -> ParseError {
        let at = self.at();
        let found = self.text[at..].chars().next();
        self.error_at(at, Problem::Expected { expected, found })
    }

    pub(super) fn error_at(&self, at: usize, problem: Problem) -> ParseError {
        ParseError { column: self.text[..at].chars().count() + 1, problem }
    }

    /// The byte at which the next thing starts.
    pub(super) fn at(&mut self) -> usize {
        self.tokens.peek().map_or(self.text.len(), |token| token.start)
    }

    fn next_if(&mut self, wanted: impl FnOnce(&Token<'a>) -> bool) -> Option<Token<'a>> {
        let token = self.tokens.next_if(wanted)?;
        self.end = token.end();
        Some(token)
    }

    /// Takes a closing bracket or a separator.
    fn close(&mut self, symbol: &str, expected: &'static str) -> Result<(), ParseError> {
        if self.takes(symbol) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Goes a level deeper.
    fn deeper(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth <= DEPTH_MAX {
            return Ok(());
        }
        let at = self.at();
        Err(self.error_at(at, Problem::TooDeep))
    }

    fn value(&mut self) -> Result<Expression, ParseError> {
        if self.takes("(") {
            let inner = self.expression()?;
            return self.close(")", "')'").map(|()| inner);
        }
        if self.takes("[") {
            return self.byte();
        }
        let literals = [TokenKind::Number, TokenKind::Character, TokenKind::Name];
        let Some(token) = self.next_if(|token| literals.contains(&token.kind)) else {
            return Err(self.expected("a value"));
        };
        let literal = match token.kind {
            TokenKind::Number => number(token.text),
            TokenKind::Character => character(token.text).map(i64::from),
            _ => return self.named(token),
        };
        literal
            .map(|it| Node::Number(it).into())
            .map_err(|error| self.error_at(token.start, error.into()))
    }

    fn byte(&mut self) -> Result<Expression, ParseError> {
        let start = self.at();
        let address = self.expression()?;
        self.close("]", "']'")?;
        if address.is_constant() {
            Ok(Node::At(self.address(&address, start, "data memory")?).into())
        } else {
            Ok(Node::Byte(Box::new(address)).into())
        }
    }

    /// A register, a call of a function or a symbol.
    fn named(&mut self, Token { text, start, .. }: Token<'_>) -> Result<Expression, ParseError> {
        if let Some(function) = Function::from_name(text)
            && self.takes("(")
        {
            return self.call(function, start);
        }
        match text {
            "A" => return Ok(Node::A.into()),
            "C" => return Ok(Node::Carry.into()),
            "PC" => return Ok(Node::Pc.into()),
            _ => {}
        }
        // `multiply.product` is two tokens without a gap.
        let behind = start + text.len();
        self.next_if(|token| token.kind == TokenKind::Directive && token.start == behind);
        let name = &self.text[start..self.end];
        let Some(symbol) = self.scope.symbol(name) else {
            return Err(self.error_at(start, Problem::Unknown(name.to_owned())));
        };
        if symbol.name != name {
            self.short.push((start..self.end, symbol));
        }
        let node = match symbol.kind {
            SymbolKind::Variable => Node::Address(symbol.value),
            _ => Node::Number(symbol.value),
        };
        Ok(node.into())
    }

    /// The arguments of a function, behind the bracket.
    fn call(&mut self, function: Function, start: usize) -> Result<Expression, ParseError> {
        let mut arguments = vec![self.expression()?];
        while self.takes(",") {
            arguments.push(self.expression()?);
        }
        self.close(")", "')'")?;
        let (expected, found) = (function.arity(), arguments.len());
        if found != expected {
            let problem = Problem::ArgumentCount { name: function.name(), expected, found };
            return Err(self.error_at(start, problem));
        }
        let mut arguments = arguments.into_iter();
        let none = || Node::Number(0).into();
        let both = std::array::from_fn(|_| arguments.next().unwrap_or_else(none));
        Ok(Node::Call(function, Box::new(both)).into())
    }
}

impl Operators for Parser<'_> {
    type Node = Expression;
    type Error = ParseError;

    fn prefix(&mut self) -> Result<Option<(Unary, usize)>, ParseError> {
        let token = self.next_if(|token| Unary::from_text(token.text).is_some());
        let Some(operator) = token.and_then(|token| Unary::from_text(token.text)) else {
            return Ok(None);
        };
        self.deeper()?;
        Ok(Some((operator, self.end)))
    }

    fn primary(&mut self) -> Result<Expression, ParseError> {
        self.deeper()?;
        let value = self.value()?;
        self.depth -= 1;
        Ok(value)
    }

    fn infix(&mut self, least: u8) -> Option<Binary> {
        let operator = Binary::from_text(self.tokens.peek()?.text)?;
        self.next_if(|_| operator.binding() >= least)?;
        Some(operator)
    }

    fn branches(&mut self) -> Result<Option<[Expression; 2]>, ParseError> {
        if !self.takes("?") {
            return Ok(None);
        }
        self.deeper()?;
        let then = self.expression()?;
        self.close(":", "':'")?;
        let otherwise = self.expression()?;
        self.depth -= 1;
        Ok(Some([then, otherwise]))
    }

    fn unary(&mut self, operator: Unary, _: usize, operand: Expression) -> Expression {
        self.depth -= 1;
        Node::Unary(operator, Box::new(operand)).into()
    }

    fn binary(&mut self, operator: Binary, operands: [Expression; 2]) -> Expression {
        Node::Binary(operator, Box::new(operands)).into()
    }

    fn conditional(
        &mut self,
        condition: Expression,
        [then, otherwise]: [Expression; 2],
    ) -> Expression {
        Node::Conditional(Box::new([condition, then, otherwise])).into()
    }
}

/// Whether a token is this word.
fn is_word(token: &Token<'_>, word: &str) -> bool {
    token.kind == TokenKind::Name && token.text == word
}
