//! The grammar of breakpoint conditions and expressions, as users type them.
//!
//! ```text
//! condition  = event [ "if" expression ]
//! event      = ( "read" | "write" | "access" ) place
//!            | "wire" name ( "rises" | "falls" | "changes" | "=" number )
//!            | ( "glitch" | "double" ) name
//!            | "led" [ number [ "," ] number ]
//!            | "mailbox" [ number ]
//!            | "unwritten"
//!            | "when" expression
//!            | routine | place
//! place      = expression of constants, an index or an address from 0 to 8191
//! number     = expression of constants, from 0 to 8191
//! ```
//!
//! Expressions have the operators and precedences of the assembly language, from `gray1-language`.

use std::iter::Peekable;
use std::ops::Range;

use gray1_isa::panel::SIDE;
use gray1_isa::{RamAddr, RomIndex, Symbol, SymbolKind};
use gray1_language::{
    Binary, Function, Lexer, Operators, Token, TokenKind, Unary, parse_character, parse_number,
};

use super::condition::{Access, Condition, Event};
use super::expression::Expression;
use super::parse_error::{ParseError, ParseProblem, TEXT_MAX};
use super::scope::Scope;
use super::signal::Signal;
use super::wires::{WireChange, WireEvent};

/// The maximum nesting depth of brackets, prefix operators and conditions.
const DEPTH_MAX: usize = 100;

impl Condition {
    /// Parses a condition that a user typed, with the symbols of a program:
    ///
    /// - `row3`, `row3 + 2`, `0x12`, `multiply`: the machine reaches an instruction, or the first
    ///   one of a routine
    /// - `write stack`, `read N`, `access N + 1`: an access to a byte, or to any byte of a variable
    /// - `led`, `led 0, 7`: a change of any square, or of the one in this row and column
    /// - `mailbox`, `mailbox '\n'`: any printed byte, or this one
    /// - `unwritten`: a read of a byte that nothing has written since power-up
    /// - `wire PCL.3 rises` (`falls`, `changes`), `wire PC_LOAD = 1`: a change of a wire, or of all
    ///   wires with this name
    /// - `glitch PCL.3`: a wire that changes more than once in an edge of the oscillator
    /// - `double PCL`: two or more wires with this name that change in the same edge
    /// - `when [N] == 8 && A > 3`: an expression that becomes true
    ///
    /// Each of them may end with `if` and an expression that must also be true then.
    ///
    /// # Errors
    /// If the text is not a condition. The error has the column and the problem.
    pub fn parse<'a>(text: &'a str, scope: impl Into<Scope<'a>>) -> Result<Self, ParseError> {
        Self::read(&mut Parser::new(text, scope.into())?)
    }

    /// Qualifies the names in a condition, so that it means the same wherever the machine is. A
    /// name of the routine that contains [`Scope::at`] becomes `routine.name`.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn qualified(text: &str, scope: Scope) -> Result<String, ParseError> {
        qualified(text, scope, Self::read)
    }

    fn read(parser: &mut Parser) -> Result<Self, ParseError> {
        let event = parser.parse_event()?;
        let guard = if parser.takes_word("if") { Some(parser.parse_expression()?) } else { None };
        parser.expect_end()?;
        let condition = Self::from(event);
        Ok(match guard {
            Some(guard) => condition.only_if(guard),
            None => condition,
        })
    }
}

impl Expression {
    /// Parses an expression with the symbols of a program.
    ///
    /// # Errors
    /// If the text is not an expression. The error has the column and the problem.
    pub fn parse<'a>(text: &'a str, scope: impl Into<Scope<'a>>) -> Result<Self, ParseError> {
        Self::read(&mut Parser::new(text, scope.into())?)
    }

    /// Qualifies the names in an expression, as [`Condition::qualified`] does.
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

/// Returns the address of the byte that the input names. For a variable, it is the first byte.
///
/// # Errors
/// If the input names no byte. The error has the column and the problem.
pub fn parse_byte(text: &str, scope: Scope) -> Result<RamAddr, ParseError> {
    let mut parser = Parser::new(text, scope)?;
    let (address, _) = parser.parse_place("data memory")?;
    parser.expect_end()?;
    Ok(RamAddr::truncate(address))
}

/// Returns the input with its names qualified. Fails if `read` does not accept the input.
fn qualified<T>(
    text: &str,
    scope: Scope,
    read: impl FnOnce(&mut Parser) -> Result<T, ParseError>,
) -> Result<String, ParseError> {
    let mut parser = Parser::new(text, scope)?;
    read(&mut parser)?;
    Ok(parser.qualified())
}

/// A recursive descent parser over the tokens of a condition or an expression.
struct Parser<'a> {
    text: &'a str,
    tokens: Peekable<Lexer<'a>>,
    /// The position in bytes at which the last taken token ends.
    end: usize,
    scope: Scope<'a>,
    depth: usize,
    /// The unqualified names in the input, with their positions and symbols.
    short: Vec<(Range<usize>, &'a Symbol)>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, scope: Scope<'a>) -> Result<Self, ParseError> {
        let tokens = Lexer::new(text).peekable();
        let parser = Self { text, tokens, end: 0, scope, depth: 0, short: Vec::new() };
        if text.len() <= TEXT_MAX {
            Ok(parser)
        } else {
            Err(parser.error_at(0, ParseProblem::TooLong))
        }
    }

    /// Returns the input with qualified names.
    fn qualified(&self) -> String {
        let mut text = self.text.to_owned();
        for (range, symbol) in self.short.iter().rev() {
            text.replace_range(range.clone(), &symbol.name);
        }
        text
    }

    // ---- Events

    fn parse_event(&mut self) -> Result<Event, ParseError> {
        for (word, access) in
            [("read", Access::Read), ("write", Access::Write), ("access", Access::Any)]
        {
            if self.takes_word(word) {
                return self.parse_bytes(access);
            }
        }
        // Older files contain `line` instead of `wire`.
        for verb in ["wire", "line", "glitch", "double"] {
            let start = self.at();
            if self.takes_verb(verb) {
                return self.parse_wires(verb, start).map(Event::Wires);
            }
        }
        if self.takes_word("led") {
            self.parse_square()
        } else if self.takes_word("mailbox") {
            self.parse_printed()
        } else if self.takes_word("unwritten") {
            Ok(Event::Unwritten)
        } else if self.takes_word("when") {
            self.parse_expression().map(Event::Turns)
        } else {
            self.parse_instruction()
        }
    }

    /// Parses a byte, or a variable with all of its bytes.
    fn parse_bytes(&mut self, access: Access) -> Result<Event, ParseError> {
        let (first, symbol) = self.parse_place("data memory")?;
        let size = symbol.map_or(1, |symbol| symbol.size.max(1));
        let last = RamAddr::new(first.saturating_add(size - 1)).unwrap_or(RamAddr::MAX);
        Ok(Event::Touches(access, RamAddr::truncate(first)..=last))
    }

    fn parse_instruction(&mut self) -> Result<Event, ParseError> {
        if let Some(entry) = self.takes_routine() {
            return Ok(Event::reaches(entry));
        }
        let start = self.at();
        let (index, symbol) = self.parse_place("program memory")?;
        match symbol {
            Some(symbol) if symbol.kind == SymbolKind::Variable => {
                Err(self.error_at(start, ParseProblem::Variable(symbol.name.clone())))
            }
            _ => Ok(Event::reaches(RomIndex::truncate(index))),
        }
    }

    fn parse_square(&mut self) -> Result<Event, ParseError> {
        if !self.has_operand() {
            return Ok(Event::Display);
        }
        let row = self.parse_side()?;
        if !self.takes(",") && !self.has_operand() {
            return Err(self.expected("a comma and a column"));
        }
        Ok(Event::Square { row, column: self.parse_side()? })
    }

    /// Parses the number of a row or a column.
    fn parse_side(&mut self) -> Result<u8, ParseError> {
        let start = self.at();
        let (number, _) = self.parse_place("numbers")?;
        let side = u8::try_from(number).ok().filter(|side| usize::from(*side) < SIDE);
        side.ok_or_else(|| self.error_at(start, ParseProblem::NoSquare(number)))
    }

    fn parse_printed(&mut self) -> Result<Event, ParseError> {
        if !self.has_operand() {
            return Ok(Event::Prints(None));
        }
        let start = self.at();
        let (number, _) = self.parse_place("numbers")?;
        let byte = u8::try_from(number);
        byte.map(|byte| Event::Prints(Some(byte)))
            .map_err(|_| self.error_at(start, ParseProblem::NoByte(number)))
    }

    /// Parses the wires and their change after a verb that starts at this byte.
    fn parse_wires(&mut self, verb: &str, start: usize) -> Result<WireEvent, ParseError> {
        let Some(wires) = self.scope.wires else {
            return Err(self.error_at(start, ParseProblem::NoWires));
        };
        let (at, name) = self.parse_wire_name();
        let Some(signal) = Signal::named(name, &wires.board) else {
            return Err(self.error_at(at, ParseProblem::UnknownWire(name.to_owned())));
        };
        let change = match verb {
            "glitch" if wires.in_time => WireChange::Glitches,
            "glitch" => return Err(self.error_at(start, ParseProblem::NoGlitches)),
            "double" => WireChange::MovesTwo,
            _ => self.parse_wire_change()?,
        };
        Ok(WireEvent { signal, change })
    }

    fn parse_wire_change(&mut self) -> Result<WireChange, ParseError> {
        for (word, change) in [
            ("rises", WireChange::Rises),
            ("falls", WireChange::Falls),
            ("changes", WireChange::Changes),
        ] {
            if self.takes_word(word) {
                return Ok(change);
            }
        }
        if !self.takes("=") {
            return Err(self.expected("rises, falls, changes or '='"));
        }
        let (number, _) = self.parse_place("numbers")?;
        Ok(WireChange::Becomes(number.into()))
    }

    // ---- Words and symbols

    /// Requires the end of the input.
    fn expect_end(&mut self) -> Result<(), ParseError> {
        if self.has_more() { Err(self.expected("an operator or the end")) } else { Ok(()) }
    }

    /// Returns true if there are more tokens.
    fn has_more(&mut self) -> bool {
        self.tokens.peek().is_some()
    }

    /// Returns true if an operand is next, and not the end of the event.
    fn has_operand(&mut self) -> bool {
        self.tokens.peek().is_some_and(|token| !is_word(token, "if"))
    }

    /// Takes the next token if it is this word.
    fn takes_word(&mut self, word: &str) -> bool {
        self.next_if(|token| is_word(token, word)).is_some()
    }

    /// Takes the next token if it is this word and a name follows. Otherwise the word may be a
    /// label.
    fn takes_verb(&mut self, verb: &str) -> bool {
        let end = self.at() + verb.len();
        let next = self.text.get(end..).unwrap_or_default().split_whitespace().next();
        let names = |next: &str| next != "if" && next.starts_with(char::is_alphabetic);
        next.is_some_and(names) && self.takes_word(verb)
    }

    /// Parses the name of a wire, such as `PCL.3`. Also returns the byte at which it starts.
    fn parse_wire_name(&mut self) -> (usize, &'a str) {
        let start = self.at();
        let ends = |c: char| c.is_whitespace() || c == '=';
        let name = self.text[start..].split(ends).next().unwrap_or_default();
        while self.next_if(|token| token.start < start + name.len()).is_some() {}
        (start, name)
    }

    /// Takes the next token if it is this symbol.
    fn takes(&mut self, symbol: &str) -> bool {
        self.next_if(|token| token.is(symbol)).is_some()
    }

    /// Parses a constant. Also returns the symbol if the constant is only a symbol.
    fn parse_place(&mut self, kind: &'static str) -> Result<(u16, Option<&'a Symbol>), ParseError> {
        let start = self.at();
        let expression = self.parse_expression()?;
        if !expression.is_constant() {
            return Err(self.error_at(start, ParseProblem::NotConstant));
        }
        let place = self.parse_address(&expression, start, kind)?;
        Ok((place.get(), self.scope.symbol(&self.text[start..self.end])))
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

    /// Takes the next token if it is the name of a routine and not also the name of a symbol.
    /// Returns the first instruction of the routine.
    fn takes_routine(&mut self) -> Option<RomIndex> {
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

    fn expected(&mut self, expected: &'static str) -> ParseError {
        let at = self.at();
        let found = self.text[at..].chars().next();
        self.error_at(at, ParseProblem::Expected { expected, found })
    }

    fn error_at(&self, at: usize, problem: ParseProblem) -> ParseError {
        ParseError { column: self.text[..at].chars().count() + 1, problem }
    }

    /// Returns the byte at which the next token starts.
    fn at(&mut self) -> usize {
        self.tokens.peek().map_or(self.text.len(), |token| token.start)
    }

    fn next_if(&mut self, wanted: impl FnOnce(&Token<'a>) -> bool) -> Option<Token<'a>> {
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
            return Err(self.error_at(start, ParseProblem::Unknown(name.to_owned())));
        };
        if symbol.name != name {
            self.short.push((start..self.end, symbol));
        }
        Ok(match symbol.kind {
            SymbolKind::Variable => Expression::Address(symbol.value),
            _ => Expression::Number(symbol.value),
        })
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
fn is_word(token: &Token<'_>, word: &str) -> bool {
    token.kind == TokenKind::Name && token.text == word
}
