//! The parser of conditions and expressions: their tokens, and the grammar of expressions.
//!
//! Expressions have the operators and precedences of the assembly language, from `gray1-language`.

use std::iter::Peekable;
use std::ops::Range;

use gray1_isa::panel::{BUTTONS, GREEN, MAILBOX, RED, SIDE};
use gray1_isa::{RamAddr, Symbol, SymbolKind};
use gray1_language::{
    Binary, Function, Lexer, Operators, Token, TokenKind, Unary, find_nearest, parse_character,
    parse_number,
};

use super::expression::Expression;
use super::parse_error::{ParseError, ParseProblem, TEXT_MAX};
use super::scope::Scope;

/// The maximum nesting depth of brackets, prefix operators and conditions.
const DEPTH_MAX: usize = 100;

/// The registers, the number of executed instructions, and the mailboxes of the front panel.
const WORDS: [&str; 6] = ["A", "C", "PC", "moment", "buttons", "mailbox"];

/// A recursive descent parser over the tokens of a condition or an expression.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Peekable<Lexer<'a>>,
    /// The position in bytes at which the last taken token ends.
    end: usize,
    pub(super) scope: Scope<'a>,
    depth: usize,
    /// The unqualified names in the input, with their positions and symbols.
    short: Vec<(Range<usize>, &'a Symbol)>,
}

/// A constant in a condition.
pub(super) struct Place<'a> {
    pub(super) number: u16,
    /// The symbol, if the constant is only a symbol.
    pub(super) symbol: Option<&'a Symbol>,
    /// The input, if it names a byte of data memory.
    pub(super) byte: Option<&'a str>,
}

impl Expression {
    /// Parses an expression with the symbols of a program.
    ///
    /// # Errors
    /// If the text is not an expression. The error has the column and the problem.
    pub fn parse<'a>(text: &'a str, scope: impl Into<Scope<'a>>) -> Result<Self, ParseError> {
        Self::read(&mut Parser::new(text, scope.into())?)
    }

    /// Parses an expression that must depend on the machine, such as the guard of a breakpoint.
    ///
    /// # Errors
    /// If the text is not such an expression. The error has the column and the problem.
    pub fn parse_condition<'a>(
        text: &'a str,
        scope: impl Into<Scope<'a>>,
    ) -> Result<Self, ParseError> {
        let mut parser = Parser::new(text, scope.into())?;
        let expression = parser.parse_varying()?;
        parser.expect_end()?;
        Ok(expression)
    }

    /// Qualifies the names in an expression, as [`crate::Condition::qualified`] does.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn qualified(text: &str, scope: Scope) -> Result<String, ParseError> {
        qualified(text, scope, Self::read)
    }

    fn read(parser: &mut Parser) -> Result<Self, ParseError> {
        let expression = parser.parse_expression()?;
        parser.expect_end()?;
        Ok(expression)
    }
}

/// Returns the input with its names qualified. Fails if `read` does not accept the input.
pub(super) fn qualified<T>(
    text: &str,
    scope: Scope,
    read: impl FnOnce(&mut Parser) -> Result<T, ParseError>,
) -> Result<String, ParseError> {
    let mut parser = Parser::new(text, scope)?;
    read(&mut parser)?;
    Ok(parser.qualified())
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, scope: Scope<'a>) -> Result<Self, ParseError> {
        let tokens = Lexer::new(text).peekable();
        let parser = Self { text, tokens, end: 0, scope, depth: 0, short: Vec::new() };
        if text.len() <= TEXT_MAX {
            Ok(parser)
        } else {
            Err(parser.error_at(0, ParseProblem::TooLong))
        }
    }

    /// Returns the input with qualified names.
    pub(super) fn qualified(&self) -> String {
        let mut text = self.text.to_owned();
        for (range, symbol) in self.short.iter().rev() {
            text.replace_range(range.clone(), &symbol.name);
        }
        text
    }

    // ---- Words and symbols

    /// Requires the end of the input.
    pub(super) fn expect_end(&mut self) -> Result<(), ParseError> {
        if self.has_more() { Err(self.expected("an operator or the end")) } else { Ok(()) }
    }

    /// Returns true if there are more tokens.
    fn has_more(&mut self) -> bool {
        self.tokens.peek().is_some()
    }

    /// Takes the next token if it is this word.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        self.next_if(|token| is_word(token, word)).is_some()
    }

    /// Takes the next token if it is this symbol.
    pub(super) fn takes(&mut self, symbol: &str) -> bool {
        self.next_if(|token| token.is(symbol)).is_some()
    }

    /// Parses a constant.
    pub(super) fn parse_place(&mut self, kind: &'static str) -> Result<Place<'a>, ParseError> {
        let start = self.at();
        let expression = self.parse_expression()?;
        if expression.is_comparison() {
            let text = &self.text[start..self.end];
            let (meant, is_constant) = (self.dereference(text), expression.is_constant());
            let problem = if is_constant && meant == text {
                ParseProblem::NeverChanges("n".to_owned())
            } else {
                ParseProblem::Comparison { meant, is_constant }
            };
            return Err(self.error_at(start, problem));
        }
        if !expression.is_constant() {
            return Err(self.error_at(start, ParseProblem::NotConstant));
        }
        let number = self.parse_address(&expression, start, kind)?.get();
        let text = &self.text[start..self.end];
        let byte = expression.is_address().then_some(text);
        Ok(Place { number, symbol: self.scope.symbol(text), byte })
    }

    /// Parses an expression that must depend on the machine.
    pub(super) fn parse_varying(&mut self) -> Result<Expression, ParseError> {
        let start = self.at();
        let expression = self.parse_expression()?;
        if !expression.is_constant() {
            return Ok(expression);
        }
        let mut names = Lexer::new(&self.text[start..self.end]).map(|token| token.text);
        let variable = names.find(|name| self.is_variable(name)).unwrap_or("n");
        Err(self.error_at(start, ParseProblem::NeverChanges(variable.to_owned())))
    }

    /// Puts variables into square brackets, unless they are inside some.
    fn dereference(&self, text: &str) -> String {
        let (mut result, mut end, mut depth) = (String::new(), 0, 0);
        for token in Lexer::new(text) {
            result += &text[end..token.start];
            end = token.end();
            depth += i32::from(token.is("[")) - i32::from(token.is("]"));
            let is_address = depth == 0 && self.is_variable(token.text);
            let [open, close] = if is_address { ["[", "]"] } else { [""; 2] };
            result.extend([open, token.text, close]);
        }
        result
    }

    fn is_variable(&self, name: &str) -> bool {
        self.scope.symbol(name).is_some_and(|symbol| symbol.kind == SymbolKind::Variable)
    }

    /// Returns the error for an unknown name. `words` are known besides the program's names.
    pub(super) fn unknown(&self, name: &str, at: usize, words: &[&str]) -> ParseError {
        let symbols = self.scope.image.symbols().iter().map(|symbol| &*symbol.name);
        let known = symbols.chain(words.iter().copied());
        let near = find_nearest(name, known).map(str::to_owned);
        self.error_at(at, ParseProblem::Unknown { name: name.to_owned(), near })
    }

    /// Evaluates a constant expression that starts at this byte.
    fn parse_address(
        &self,
        expression: &Expression,
        start: usize,
        memory: &'static str,
    ) -> Result<RamAddr, ParseError> {
        let value = expression.constant();
        let address = value.and_then(|value| u16::try_from(value).ok()).and_then(RamAddr::new);
        address.ok_or_else(|| {
            let value = value.map_or_else(|| "this".to_owned(), |value| value.to_string());
            self.error_at(start, ParseProblem::Outside { value, memory })
        })
    }

    pub(super) fn expected(&mut self, expected: &'static str) -> ParseError {
        let at = self.at();
        let found = self.text[at..].chars().next();
        self.error_at(at, ParseProblem::Expected { expected, found })
    }

    pub(super) fn error_at(&self, at: usize, problem: ParseProblem) -> ParseError {
        ParseError { column: self.text[..at].chars().count() + 1, problem }
    }

    /// Returns the byte at which the next token starts.
    pub(super) fn at(&mut self) -> usize {
        self.tokens.peek().map_or(self.text.len(), |token| token.start)
    }

    pub(super) fn next_if(&mut self, wanted: impl FnOnce(&Token<'a>) -> bool) -> Option<Token<'a>> {
        let token = self.tokens.next_if(wanted)?;
        self.end = token.end();
        Some(token)
    }

    /// Requires a closing bracket or a separator.
    fn close(&mut self, symbol: &str, expected: &'static str) -> Result<(), ParseError> {
        if self.takes(symbol) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Enters a nesting level. Fails if there are too many.
    fn descend(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth <= DEPTH_MAX {
            return Ok(());
        }
        let at = self.at();
        Err(self.error_at(at, ParseProblem::TooDeep))
    }

    // ---- Expressions

    fn value(&mut self) -> Result<Expression, ParseError> {
        if self.takes("(") {
            let inner = self.parse_expression()?;
            return self.close(")", "')'").map(|()| inner);
        }
        if self.takes("[") {
            return self.parse_byte();
        }
        let literals = [TokenKind::Number, TokenKind::Character, TokenKind::Name];
        let Some(token) = self.next_if(|token| literals.contains(&token.kind)) else {
            return Err(self.expected("a value"));
        };
        let literal = match token.kind {
            TokenKind::Number => parse_number(token.text),
            TokenKind::Character => parse_character(token.text).map(i64::from),
            _ => return self.resolve(token),
        };
        literal.map(Expression::Number).map_err(|error| self.error_at(token.start, error.into()))
    }

    fn parse_byte(&mut self) -> Result<Expression, ParseError> {
        let start = self.at();
        let address = self.parse_expression()?;
        self.close("]", "']'")?;
        if address.is_constant() {
            Ok(Expression::At(self.parse_address(&address, start, "data memory")?))
        } else {
            Ok(Expression::Byte(Box::new(address)))
        }
    }

    /// Parses a register, a function call or a symbol.
    fn resolve(&mut self, Token { text, start, .. }: Token<'_>) -> Result<Expression, ParseError> {
        if let Some(function) = Function::from_name(text)
            && self.takes("(")
        {
            return self.parse_call(function, start);
        }
        match text {
            "A" => return Ok(Expression::A),
            "C" => return Ok(Expression::Carry),
            "PC" => return Ok(Expression::Pc),
            _ => {}
        }
        // `multiply.product` consists of two tokens without a gap.
        let end = start + text.len();
        self.next_if(|token| token.kind == TokenKind::Directive && token.start == end);
        let name = &self.text[start..self.end];
        let Some(symbol) = self.scope.symbol(name) else {
            if name == "moment" {
                return Ok(Expression::Moment);
            }
            let byte = self.parse_panel_byte(name)?;
            let byte = byte.ok_or_else(|| self.unknown(name, start, &WORDS))?;
            return Ok(Expression::Address(byte.get().into()));
        };
        if symbol.name != name {
            self.short.push((start..self.end, symbol));
        }
        Ok(match symbol.kind {
            SymbolKind::Variable => Expression::Address(symbol.value),
            _ => Expression::Number(symbol.value),
        })
    }

    /// Parses the rest of a byte of the front panel, as answers name it: `buttons`, `green row 2`.
    fn parse_panel_byte(&mut self, name: &str) -> Result<Option<RamAddr>, ParseError> {
        let first = match name {
            "buttons" => return Ok(Some(BUTTONS)),
            "mailbox" => return Ok(Some(MAILBOX)),
            "green" if self.takes_word("row") => GREEN,
            "red" if self.takes_word("row") => RED,
            _ => return Ok(None),
        };
        let row = |token: &Token| token.text.parse().ok().filter(|row: &u16| *row < SIDE as u16);
        let token = self.next_if(|token| row(token).is_some());
        let row = token.as_ref().and_then(row).ok_or_else(|| self.expected("a row from 0 to 7"))?;
        Ok(Some(RamAddr::truncate(first.get() + row)))
    }

    /// Parses the arguments of a function, after the opening bracket.
    fn parse_call(&mut self, function: Function, start: usize) -> Result<Expression, ParseError> {
        let mut arguments = vec![self.parse_expression()?];
        while self.takes(",") {
            arguments.push(self.parse_expression()?);
        }
        self.close(")", "')'")?;
        let (expected, found) = (function.arity(), arguments.len());
        if found != expected {
            let problem = ParseProblem::ArgumentCount { name: function.name(), expected, found };
            return Err(self.error_at(start, problem));
        }
        let mut arguments = arguments.into_iter();
        let both = std::array::from_fn(|_| arguments.next().unwrap_or(Expression::Number(0)));
        Ok(Expression::Call(function, Box::new(both)))
    }
}

impl Operators for Parser<'_> {
    type Tree = Expression;
    type Error = ParseError;

    fn take_prefix(&mut self) -> Result<Option<(Unary, usize)>, ParseError> {
        let token = self.next_if(|token| Unary::from_text(token.text).is_some());
        let Some(operator) = token.and_then(|token| Unary::from_text(token.text)) else {
            return Ok(None);
        };
        self.descend()?;
        Ok(Some((operator, self.end)))
    }

    fn take_primary(&mut self) -> Result<Expression, ParseError> {
        self.descend()?;
        let value = self.value()?;
        self.depth -= 1;
        Ok(value)
    }

    fn take_infix(&mut self, least: u8) -> Option<Binary> {
        let operator = Binary::from_text(self.tokens.peek()?.text)?;
        self.next_if(|_| operator.precedence() >= least)?;
        Some(operator)
    }

    fn take_branches(&mut self) -> Result<Option<[Expression; 2]>, ParseError> {
        if !self.takes("?") {
            return Ok(None);
        }
        self.descend()?;
        let then = self.parse_expression()?;
        self.close(":", "':'")?;
        let otherwise = self.parse_expression()?;
        self.depth -= 1;
        Ok(Some([then, otherwise]))
    }

    fn make_unary(&mut self, operator: Unary, _: usize, operand: Expression) -> Expression {
        self.depth -= 1;
        Expression::Unary(operator, Box::new(operand))
    }

    fn make_binary(&mut self, operator: Binary, operands: [Expression; 2]) -> Expression {
        Expression::Binary(operator, Box::new(operands))
    }

    fn make_conditional(
        &mut self,
        condition: Expression,
        [then, otherwise]: [Expression; 2],
    ) -> Expression {
        Expression::Conditional(Box::new([condition, then, otherwise]))
    }
}

/// Returns true if a token is this word.
pub(super) fn is_word(token: &Token<'_>, word: &str) -> bool {
    token.kind == TokenKind::Name && token.text == word
}
