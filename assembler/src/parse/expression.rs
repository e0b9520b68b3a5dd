//! Reads expressions.

use std::convert::Infallible;
use std::rc::Rc;

use gray1_language::{
    Binary, LiteralError, Operators, Token, TokenKind, Unary, UnknownEscape, parse_character,
    parse_number, unescape,
};

use super::reader::{Reader, TEXT, VALUE};
use crate::habits;
use crate::limits::EXPRESSION_DEPTH_MAX;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{Argument, Call, Expr, ExprKind, Function};

impl<'l> Reader<'l, '_, '_> {
    /// Reads an expression. It can start with `#`.
    pub(super) fn read_value(&mut self) -> Expr {
        let mark = self.rest.first().filter(|token| token.is("#")).map(|mark| self.span_of(mark));
        if mark.is_some() {
            self.advance();
        }
        let Ok(value) = self.parse_expression();
        let Some(mark) = mark else { return value };
        let (span, depth) = (mark.to(value.span()), value.depth());
        self.make_node(span, Some(depth), ExprKind::Pooled(Box::new(value)))
    }

    /// Reads an argument of a call: a value, or `name = value`.
    pub(super) fn read_argument(&mut self) -> Argument {
        let is_named = self.is_at(1, "=");
        let name = self.rest.first().filter(|token| is_named && is_word(token));
        let parameter = name.map(|token| self.make_plain_name(token));
        if parameter.is_some() {
            self.advance();
            self.advance();
        }
        Argument { parameter, value: Rc::new(self.read_value()) }
    }

    /// Reads a string in double quotes, which must be there.
    pub(super) fn read_text(&mut self) -> Option<Token<'l>> {
        let token = self.take_kind(TokenKind::Text, TEXT);
        if token.is_none() {
            self.fail();
        }
        token
    }

    /// Returns a string in quotes with its escapes replaced.
    pub(super) fn unescape(&mut self, token: &Token<'_>) -> String {
        let characters = unescape(token.text).map(|character| {
            character.unwrap_or_else(|unknown| {
                self.report_literal(token, unknown.into());
                unknown.character
            })
        });
        characters.collect()
    }

    /// Makes an inner node, one level deeper than its deepest part.
    pub(super) fn make_node(&mut self, span: Span, below: Option<u32>, kind: ExprKind) -> Expr {
        let depth = below.map_or(0, |depth| depth + 1);
        if depth > EXPRESSION_DEPTH_MAX {
            // Report only the first level that is too deep.
            if depth == EXPRESSION_DEPTH_MAX + 1 {
                self.parser.report(span, &Problem::ExpressionTooDeep);
            }
            return Expr::new(span, depth, ExprKind::Bad);
        }
        Expr::new(span, depth, kind)
    }

    /// Returns the value of a literal, or reports the error in it.
    fn convert(&mut self, token: &Token<'_>, value: Result<i64, LiteralError>) -> ExprKind {
        match value {
            Ok(number) => ExprKind::Number(number),
            Err(error) => {
                self.report_literal(token, error);
                ExprKind::Bad
            }
        }
    }

    fn report_literal(&mut self, token: &Token<'_>, error: LiteralError) {
        let span = match error {
            LiteralError::Escape(UnknownEscape { character, at }) => {
                let start = token.start + at;
                self.span(start, start + '\\'.len_utf8() + character.len_utf8())
            }
            _ => self.span_of(token),
        };
        let help = match &error {
            LiteralError::NotANumber(text) => {
                habits::help_with_number(text, self.parser.location(span))
            }
            _ => None,
        };
        self.parser.report_with(span, &error.into(), |diagnostic| diagnostic.help(help));
    }

    /// Reads an expression in brackets. Its range includes the brackets.
    fn read_group(&mut self, start: usize) -> Expr {
        self.open();
        let inner = self.read_value();
        self.close();
        Expr::new(self.span(start, self.end), inner.depth(), inner.kind)
    }

    /// Reads the arguments of a function, built-in or not.
    fn read_call(&mut self, name: &Token<'_>) -> Expr {
        let arguments: Box<[Expr]> = self.read_bracketed(Self::read_value).into();
        let span = self.span(name.start, self.end);
        // A call without arguments still counts as a level, because the function can be deep.
        let depth = arguments.iter().map(Expr::depth).max().or(Some(0));
        let Some(function) = Function::from_name(name.text) else {
            let function = self.make_plain_name(name);
            self.parser.names.mention(function.name);
            let call = Call { function, arguments };
            return self.make_node(span, depth, ExprKind::Apply(Box::new(call)));
        };
        let (expected, found) = (function.arity(), arguments.len());
        if found != expected {
            let name = function.name().to_owned();
            self.parser.report(span, &Problem::ArgumentCount { name, expected, found });
            self.loose.extend(arguments);
            return Expr::new(span, 0, ExprKind::Bad);
        }
        let call = Call { function, arguments };
        self.make_node(span, depth, ExprKind::Call(Box::new(call)))
    }
}

/// Returns true for a name without braces.
pub(super) fn is_word(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Name && !token.text.contains('{')
}

/// Returns true for a token that can be the name of a function.
fn is_function(token: &Token<'_>) -> bool {
    is_word(token) && !token.text.starts_with('@')
}

/// Returns true for a token that can start a value after its prefixes.
fn starts_value(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Name | TokenKind::Number | TokenKind::Character | TokenKind::Text => true,
        TokenKind::Symbol => ["(", "$"].contains(&token.text),
        TokenKind::Directive | TokenKind::Comment | TokenKind::Damaged => false,
    }
}

impl Operators for Reader<'_, '_, '_> {
    type Node = Expr;
    type Error = Infallible;

    fn take_prefix(&mut self) -> Result<Option<(Unary, usize)>, Infallible> {
        let next = self.rest.first().filter(|token| token.kind == TokenKind::Symbol);
        let prefix = next.and_then(|token| Some((Unary::from_text(token.text)?, token.start)));
        if prefix.is_some() {
            self.advance();
        }
        Ok(prefix)
    }

    fn take_primary(&mut self) -> Result<Expr, Infallible> {
        self.expect(VALUE);
        let Some(token) = self.rest.first().copied().filter(starts_value) else {
            self.fail();
            return Ok(Expr::new(self.span(self.end, self.end), 0, ExprKind::Bad));
        };
        if token.is("(") {
            return Ok(self.read_group(token.start));
        }
        self.advance();
        let kind = match token.kind {
            TokenKind::Name if is_function(&token) && self.is_at(0, "(") => {
                return Ok(self.read_call(&token));
            }
            TokenKind::Name => return Ok(self.read_name(token)),
            TokenKind::Number => self.convert(&token, parse_number(token.text)),
            TokenKind::Character => {
                self.convert(&token, parse_character(token.text).map(i64::from))
            }
            TokenKind::Text => ExprKind::Text(Rc::new(self.unescape(&token))),
            _ => ExprKind::Here,
        };
        Ok(Expr::new(self.span_of(&token), 0, kind))
    }

    fn take_infix(&mut self, least: u8) -> Option<Binary> {
        self.expect("an operator");
        let next = self.rest.first().filter(|token| token.kind == TokenKind::Symbol)?;
        let operator = Binary::from_text(next.text).filter(|op| op.precedence() >= least)?;
        self.advance();
        Some(operator)
    }

    fn take_branches(&mut self) -> Result<Option<[Expr; 2]>, Infallible> {
        if !self.take_question_mark() {
            return Ok(None);
        }
        let then = self.read_value();
        self.require(":", "`:`");
        Ok(Some([then, self.read_value()]))
    }

    fn make_unary(&mut self, operator: Unary, start: usize, operand: Expr) -> Expr {
        let (span, depth) = (self.span(start, start).to(operand.span()), operand.depth());
        self.make_node(span, Some(depth), ExprKind::Unary(operator, Box::new(operand)))
    }

    fn make_binary(&mut self, operator: Binary, operands: [Expr; 2]) -> Expr {
        let [left, right] = &operands;
        let (span, depth) = (left.span().to(right.span()), left.depth().max(right.depth()));
        self.make_node(span, Some(depth), ExprKind::Binary(operator, Box::new(operands)))
    }

    fn make_conditional(&mut self, condition: Expr, [then, otherwise]: [Expr; 2]) -> Expr {
        let parts = [condition, then, otherwise];
        let span = parts[0].span().to(parts[2].span());
        let depth = parts.iter().map(Expr::depth).max();
        self.make_node(span, depth, ExprKind::Conditional(Box::new(parts)))
    }
}
