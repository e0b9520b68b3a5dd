//! Builds expression trees from the grammar's flat sequences of operands and operators.

use std::rc::Rc;

use gray1_language::{
    Binary, LiteralError, Operators, Unary, UnknownEscape, parse_character, parse_number, unescape,
};

use super::grammar::{Match, MissingPart, Parts, Rule};
use super::parser::Parser;
use crate::habits;
use crate::limits::EXPRESSION_DEPTH_MAX;
use crate::names::Names;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{Call, Expr, ExprKind, Function, NameExpr, Piece, Symbol};

impl Parser<'_> {
    /// Builds the tree of an `expression`.
    pub(super) fn parse_expression(&mut self, matched: Match<'_>) -> Result<Expr, MissingPart> {
        let mut parts = Parts::new(matched);
        let mark = parts.next_if(Rule::pooled);
        let value = Sequence { parser: self, parts }.parse_expression()?;
        let Some(mark) = mark else { return Ok(value) };
        let (span, depth) = (self.span_of(&mark).to(value.span()), value.depth());
        Ok(self.make_node(span, Some(depth), ExprKind::Pooled(Box::new(value))))
    }

    fn parse_primary(&mut self, matched: Match<'_>) -> Result<Expr, MissingPart> {
        let span = self.span_of(&matched);
        let kind = match matched.as_rule() {
            Rule::group => {
                let inner = Parts::new(matched).require("brackets hold no expression")?;
                let inner = self.parse_expression(inner)?;
                return Ok(Expr::new(span, inner.depth(), inner.kind));
            }
            Rule::call => return self.parse_call(matched),
            Rule::name => {
                let symbol = self.parse_symbol(matched)?;
                symbol.name.mention(self.names);
                let depth = symbol.name.depth();
                return Ok(self.make_node(span, depth, symbol.name.into_kind()));
            }
            Rule::number => self.convert(&matched, parse_number(matched.as_str())),
            Rule::character => {
                self.convert(&matched, parse_character(matched.as_str()).map(i64::from))
            }
            Rule::string => ExprKind::Text(Rc::new(self.unescape(&matched))),
            _ => ExprKind::Here,
        };
        Ok(Expr::new(span, 0, kind))
    }

    /// Builds an inner node, one level deeper than its deepest part.
    pub(super) fn make_node(&mut self, span: Span, below: Option<u32>, kind: ExprKind) -> Expr {
        let depth = below.map_or(0, |depth| depth + 1);
        if depth > EXPRESSION_DEPTH_MAX {
            // Report only the first level that is too deep.
            if depth == EXPRESSION_DEPTH_MAX + 1 {
                self.report(span, &Problem::ExpressionTooDeep);
            }
            return Expr::new(span, depth, ExprKind::Bad);
        }
        Expr::new(span, depth, kind)
    }

    /// Builds the node of an operator and its two operands.
    pub(super) fn make_binary(&mut self, operator: Binary, operands: [Expr; 2]) -> Expr {
        let [left, right] = &operands;
        let (span, depth) = (left.span().to(right.span()), left.depth().max(right.depth()));
        self.make_node(span, Some(depth), ExprKind::Binary(operator, Box::new(operands)))
    }

    /// Returns the value of a literal, or reports the error in it.
    fn convert(&mut self, matched: &Match<'_>, value: Result<i64, LiteralError>) -> ExprKind {
        value.map_or_else(
            |error| {
                self.report_literal(matched, error);
                ExprKind::Bad
            },
            ExprKind::Number,
        )
    }

    fn report_literal(&mut self, matched: &Match<'_>, error: LiteralError) {
        let span = match error {
            LiteralError::Escape(UnknownEscape { character, at }) => {
                let start = matched.as_span().start() + at;
                self.span(start..start + '\\'.len_utf8() + character.len_utf8())
            }
            _ => self.span_of(matched),
        };
        let help = match &error {
            LiteralError::NotANumber(text) => habits::help_with_number(text, self.location(span)),
            _ => None,
        };
        self.report_with(span, &error.into(), |diagnostic| diagnostic.help(help));
    }

    /// Returns the string between quotes with its escapes replaced.
    pub(super) fn unescape(&mut self, matched: &Match<'_>) -> String {
        let characters = unescape(matched.as_str()).map(|character| {
            character.unwrap_or_else(|unknown| {
                self.report_literal(matched, unknown.into());
                unknown.character
            })
        });
        characters.collect()
    }

    /// Builds the call of a function, built-in or not.
    fn parse_call(&mut self, matched: Match<'_>) -> Result<Expr, MissingPart> {
        let span = self.span_of(&matched);
        let mut parts = Parts::new(matched);
        let name = parts.require("a function has no name")?;
        let arguments: Box<[Expr]> =
            parts.map(|argument| self.parse_expression(argument)).collect::<Result<_, _>>()?;
        let depth = arguments.iter().map(Expr::depth).max();
        // A call without arguments still counts as a level, because the function can be deep.
        let depth = depth.or(Some(0));
        let Some(function) = Function::from_name(name.as_str()) else {
            let function = self.plain_name(&name);
            self.names.mention(function.name);
            let call = Call { function, arguments };
            return Ok(self.make_node(span, depth, ExprKind::Apply(Box::new(call))));
        };
        let (expected, found) = (function.arity(), arguments.len());
        if found != expected {
            let name = function.name().to_owned();
            self.report(span, &Problem::ArgumentCount { name, expected, found });
            return Ok(Expr::new(span, 0, ExprKind::Bad));
        }
        let call = Call { function, arguments };
        Ok(self.make_node(span, depth, ExprKind::Call(Box::new(call))))
    }

    /// Builds a `name`, including the expressions in its braces.
    pub(super) fn parse_symbol(&mut self, matched: Match<'_>) -> Result<Symbol, MissingPart> {
        let span = self.span_of(&matched);
        let mut parts = Parts::new(matched);
        let first = parts.require("a name has no text")?;
        if parts.peek().is_none() {
            return Ok(Symbol { span, name: NameExpr::Plain(self.names.intern(first.as_str())) });
        }
        let mut pieces = vec![Piece::Text(first.as_str().into())];
        for piece in parts {
            pieces.push(match piece.as_rule() {
                Rule::hole => {
                    let number = Parts::new(piece).require("braces hold no expression")?;
                    Piece::Number(self.parse_expression(number)?)
                }
                _ => Piece::Text(piece.as_str().into()),
            });
        }
        pieces.shrink_to_fit();
        Ok(Symbol { span, name: NameExpr::Built(Rc::new(pieces)) })
    }
}

impl NameExpr {
    /// Marks the name as used. The full spelling of a built name is not known yet.
    pub(super) fn mention(&self, names: &mut Names) {
        if let Self::Plain(name) = self {
            names.mention(*name);
        }
    }

    /// Returns the kind of an expression that consists of the name.
    pub(super) fn into_kind(self) -> ExprKind {
        match self {
            Self::Plain(name) => ExprKind::Name(name),
            Self::Built(pieces) => ExprKind::Built(pieces),
            Self::Missing => ExprKind::Bad,
        }
    }

    /// Returns the depth of the deepest expression in the name, or `None` if it has none.
    fn depth(&self) -> Option<u32> {
        match self {
            Self::Plain(_) | Self::Missing => None,
            Self::Built(pieces) => pieces.iter().map(Piece::depth).max(),
        }
    }
}

impl Piece {
    fn depth(&self) -> u32 {
        match self {
            Self::Text(_) => 0,
            Self::Number(number) => number.depth(),
        }
    }
}

/// The operands and operators of an expression, in source order.
struct Sequence<'a, 'p, 'i> {
    parser: &'a mut Parser<'p>,
    parts: Parts<'i>,
}

impl Operators for Sequence<'_, '_, '_> {
    type Tree = Expr;
    type Error = MissingPart;

    fn take_prefix(&mut self) -> Result<Option<(Unary, usize)>, MissingPart> {
        let prefix = self.parts.next_if(Rule::unary);
        Ok(prefix.and_then(|p| Some((Unary::from_text(p.as_str())?, p.as_span().start()))))
    }

    fn take_primary(&mut self) -> Result<Expr, MissingPart> {
        let operand = self.parts.require("an expression has no operand")?;
        self.parser.parse_primary(operand)
    }

    fn take_infix(&mut self, least: u8) -> Option<Binary> {
        let next = self.parts.peek().filter(|part| part.as_rule() == Rule::binary)?;
        let operator = Binary::from_text(next.as_str()).filter(|op| op.precedence() >= least)?;
        self.parts.next();
        Some(operator)
    }

    fn take_branches(&mut self) -> Result<Option<[Expr; 2]>, MissingPart> {
        let Some(then) = self.parts.next_if(Rule::expression) else { return Ok(None) };
        let otherwise = self.parts.require("a conditional has one branch")?;
        Ok(Some([self.parser.parse_expression(then)?, self.parser.parse_expression(otherwise)?]))
    }

    fn make_unary(&mut self, operator: Unary, start: usize, operand: Expr) -> Expr {
        let (span, depth) = (self.parser.span(start..start).to(operand.span()), operand.depth());
        self.parser.make_node(span, Some(depth), ExprKind::Unary(operator, Box::new(operand)))
    }

    fn make_binary(&mut self, operator: Binary, operands: [Expr; 2]) -> Expr {
        self.parser.make_binary(operator, operands)
    }

    fn make_conditional(&mut self, condition: Expr, [then, otherwise]: [Expr; 2]) -> Expr {
        let parts = [condition, then, otherwise];
        let span = parts[0].span().to(parts[2].span());
        let depth = parts.iter().map(Expr::depth).max();
        self.parser.make_node(span, depth, ExprKind::Conditional(Box::new(parts)))
    }
}
