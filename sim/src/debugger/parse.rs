//! Reads what people type: expressions, and the places that breaks name.

use gray1_isa::{Image, RamAddr, Symbol};

use super::expression::{Binary, Expression, Node, Unary};

/// A text that says nothing, and where it stops making sense.
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
    /// A number above 2^63 - 1, or a digit that its base does not have.
    #[error("'{0}' is no number from 0 to 2^63 - 1")]
    Number(String),
    /// Brackets within brackets, beyond all measure.
    #[error("this is nested too deeply")]
    TooDeep,
    /// More than anybody types.
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

/// Brackets and operators within each other.
const DEPTH_MAX: usize = 100;
/// The longest text, in bytes; with it operators in a row are bounded, each of which goes deeper.
const TEXT_MAX: usize = 1000;

impl Expression {
    /// Reads an expression that names symbols of this program.
    ///
    /// # Errors
    /// If the text is no expression; the error says where and why.
    pub fn parse(text: &str, image: &Image) -> Result<Self, ParseError> {
        let mut parser = Parser::new(text, image)?;
        let expression = parser.expression()?;
        parser.end()?;
        Ok(expression)
    }
}

/// A text that is being read.
pub(super) struct Parser<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
    image: &'a Image,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, image: &'a Image) -> Result<Self, ParseError> {
        let parser = Self { text, at: 0, image, depth: 0 };
        if text.len() <= TEXT_MAX { Ok(parser) } else { Err(parser.error_at(0, Problem::TooLong)) }
    }

    /// The whole expression that starts here.
    pub(super) fn expression(&mut self) -> Result<Expression, ParseError> {
        self.binary(0).map(Expression)
    }

    /// Nothing more may come.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("an operator or the end")) }
    }

    /// Whether anything comes.
    pub(super) fn has_more(&mut self) -> bool {
        !self.rest().is_empty()
    }

    /// Whether this word comes next.
    pub(super) fn next_word_is(&mut self, word: &str) -> bool {
        name(self.rest()) == word
    }

    /// Takes this word, if it comes next.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let found = self.next_word_is(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes these characters, if they come next.
    pub(super) fn takes(&mut self, characters: &str) -> bool {
        let found = self.rest().starts_with(characters);
        if found {
            self.at += characters.len();
        }
        found
    }

    /// A number that is known beforehand, and the symbol, if it is a symbol and nothing else.
    pub(super) fn place(
        &mut self,
        memory: &'static str,
    ) -> Result<(u16, Option<&'a Symbol>), ParseError> {
        self.rest();
        let start = self.at;
        let node = self.binary(0)?;
        let fail = |problem| Err(self.error_at(start, problem));
        if !node.is_constant() {
            return fail(Problem::NotConstant);
        }
        let value = node.constant();
        let place = value.and_then(|value| u16::try_from(value).ok()).and_then(RamAddr::new);
        let Some(place) = place else {
            let value = value.map_or_else(|| "this".to_owned(), |value| value.to_string());
            return fail(Problem::Outside { value, memory });
        };
        Ok((place.get(), self.image.symbol(self.text[start..self.at].trim_end())))
    }

    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    pub(super) fn expected(&mut self, expected: &'static str) -> ParseError {
        let found = self.rest().chars().next();
        self.error_at(self.at, Problem::Expected { expected, found })
    }

    pub(super) fn error_at(&self, at: usize, problem: Problem) -> ParseError {
        ParseError { column: self.text[..at].chars().count() + 1, problem }
    }

    /// The byte at which the next thing starts.
    pub(super) fn at(&mut self) -> usize {
        self.text.len() - self.rest().len()
    }

    /// What is joined by operators that bind more tightly than `loosest`.
    fn binary(&mut self, loosest: u8) -> Result<Node, ParseError> {
        let mut left = self.unary()?;
        while let Some((operator, binding)) = self.operator(loosest) {
            let right = self.binary(binding)?;
            left = Node::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operator(&mut self, loosest: u8) -> Option<(Binary, u8)> {
        let rest = self.rest();
        let found = Binary::ALL.iter().find(|(written, ..)| rest.starts_with(written))?;
        let (written, operator, binding) = *found;
        (binding > loosest).then(|| {
            self.at += written.len();
            (operator, binding)
        })
    }

    fn unary(&mut self) -> Result<Node, ParseError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.error_at(self.at, Problem::TooDeep));
        }
        let operator = Unary::ALL.into_iter().find(|(written, _)| self.takes(written));
        let node = match operator {
            Some((_, operator)) => Node::Unary(operator, Box::new(self.unary()?)),
            None => self.operand()?,
        };
        self.depth -= 1;
        Ok(node)
    }

    fn operand(&mut self) -> Result<Node, ParseError> {
        if self.takes("(") {
            let inner = self.binary(0)?;
            return if self.takes(")") { Ok(inner) } else { Err(self.expected("')'")) };
        }
        if self.takes("[") {
            return self.byte();
        }
        if self.takes("'") {
            return self.character();
        }
        let word = name(self.rest());
        match word.chars().next() {
            Some('0'..='9') => self.number(word),
            Some(_) => self.symbol(word),
            None => Err(self.expected("a value")),
        }
    }

    fn byte(&mut self) -> Result<Node, ParseError> {
        let start = self.at;
        let address = self.binary(0)?;
        if !self.takes("]") {
            return Err(self.expected("']'"));
        }
        if !address.is_constant() {
            return Ok(Node::Byte(Box::new(address)));
        }
        let value = address.constant();
        let known = value.and_then(|value| u16::try_from(value).ok()).and_then(RamAddr::new);
        known.map(Node::At).ok_or_else(|| {
            let value = value.map_or_else(|| "this".to_owned(), |value| value.to_string());
            self.error_at(start, Problem::Outside { value, memory: "data memory" })
        })
    }

    fn character(&mut self) -> Result<Node, ParseError> {
        let mut characters = self.text[self.at..].chars();
        let value = match characters.next() {
            Some('\\') => match characters.next() {
                Some('n') => Some('\n'),
                Some('0') => Some('\0'),
                Some(c @ ('\\' | '\'' | '"')) => Some(c),
                _ => None,
            },
            Some(c) if c.is_ascii() && c != '\'' => Some(c),
            _ => None,
        };
        match (value, characters.next()) {
            (Some(value), Some('\'')) => {
                self.at = self.text.len() - characters.as_str().len();
                Ok(Node::Number(u32::from(value).into()))
            }
            _ => Err(self.expected("a character and a quote")),
        }
    }

    fn number(&mut self, word: &str) -> Result<Node, ParseError> {
        let digits = word.replace('_', "");
        let (base, digits) = match digits.get(..2) {
            Some("0x") => (16, &digits[2..]),
            Some("0b") => (2, &digits[2..]),
            Some("0o") => (8, &digits[2..]),
            _ => (10, &digits[..]),
        };
        let number = i64::from_str_radix(digits, base)
            .map_err(|_| self.error_at(self.at, Problem::Number(word.to_owned())))?;
        self.at += word.len();
        Ok(Node::Number(number))
    }

    fn symbol(&mut self, word: &str) -> Result<Node, ParseError> {
        let node = match (word, self.image.symbol(word)) {
            ("A", _) => Node::A,
            ("C", _) => Node::Carry,
            ("PC", _) => Node::Pc,
            (_, Some(symbol)) => Node::Number(symbol.value),
            (_, None) => return Err(self.error_at(self.at, Problem::Unknown(word.to_owned()))),
        };
        self.at += word.len();
        Ok(node)
    }
}

/// The letters, digits and underscores that a text starts with.
fn name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}
