//! Expressions: from the grammar's flat sequence of operands and operators to a tree.

use std::convert::Infallible;
use std::iter::Peekable;
use std::rc::Rc;

use gray1_language::{
    Binary, LiteralError, Operators, Unary, UnknownEscape, character, characters, number,
};
use pest::iterators::{Pair, Pairs};

use super::{EXPRESSION_DEPTH_MAX, Parser, Rule};
use crate::names::Names;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Function, NameExpr, Piece, Symbol};

impl Parser<'_> {
    /// The bytes of a pair.
    pub(super) fn span_of(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        self.span(span.start()..span.end())
    }

    /// An `expression`.
    pub(super) fn expression(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let mut pairs = pair.into_inner().peekable();
        let mark = pairs.next_if(|pair| pair.as_rule() == Rule::pooled);
        let Ok(value) = Sequence { parser: self, pairs }.expression();
        let Some(mark) = mark else { return value };
        let (span, depth) = (self.span_of(&mark).to(value.span), value.depth);
        self.node(span, Some(depth), ExprKind::Pooled(Box::new(value)))
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span_of(&pair);
        match pair.as_rule() {
            Rule::group => {
                let inner = pair.into_inner().next().expect("a group holds an expression");
                Expr { span, ..self.expression(inner) }
            }
            Rule::call => self.call(pair),
            Rule::name => {
                let symbol = self.symbol(pair);
                symbol.name.mention(self.names);
                let depth = symbol.name.depth();
                self.node(span, depth, ExprKind::Symbol(symbol.name))
            }
            rule => {
                let kind = match rule {
                    Rule::number => self.literal(&pair, number(pair.as_str())),
                    Rule::character => self.literal(&pair, character(pair.as_str()).map(i64::from)),
                    Rule::string => ExprKind::Text(self.text(&pair)),
                    _ => ExprKind::Here,
                };
                Expr { span, depth: 0, kind }
            }
        }
    }

    /// An inner node, one level above the deepest of its parts.
    pub(super) fn node(&mut self, span: Span, below: Option<u32>, kind: ExprKind) -> Expr {
        let depth = below.map_or(0, |depth| depth + 1);
        if depth > EXPRESSION_DEPTH_MAX {
            // One error for all the levels that are too many.
            if depth == EXPRESSION_DEPTH_MAX + 1 {
                self.report(span, &Problem::ExpressionTooDeep);
            }
            return Expr { span, depth, kind: ExprKind::Bad };
        }
        Expr { span, depth, kind }
    }

    /// An operator between two operands.
    pub(super) fn binary(&mut self, operator: Binary, operands: [Expr; 2]) -> Expr {
        let [left, right] = &operands;
        let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth));
        self.node(span, Some(depth), ExprKind::Binary(operator, Box::new(operands)))
    }

    /// The value of a literal, or the report of what is wrong with it.
    fn literal(&mut self, pair: &Pair<'_, Rule>, value: Result<i64, LiteralError>) -> ExprKind {
        value.map_or_else(
            |error| {
                self.report_literal(pair, error);
                ExprKind::Bad
            },
            ExprKind::Number,
        )
    }

    fn report_literal(&mut self, pair: &Pair<'_, Rule>, error: LiteralError) {
        let span = match error {
            LiteralError::Escape(UnknownEscape { character, at }) => {
                let start = pair.as_span().start() + at;
                self.span(start..start + '\\'.len_utf8() + character.len_utf8())
            }
            _ => self.span_of(pair),
        };
        self.report(span, &error.into());
    }

    /// The text between quotes, with its escapes replaced.
    pub(super) fn text(&mut self, pair: &Pair<'_, Rule>) -> Rc<str> {
        let characters = characters(pair.as_str()).map(|character| {
            character.unwrap_or_else(|unknown| {
                self.report_literal(pair, unknown.into());
                unknown.character
            })
        });
        characters.collect::<String>().into()
    }

    /// A call of a function, built in or not.
    fn call(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span_of(&pair);
        let mut inner = pair.into_inner();
        let name = inner.next().expect("a call names its function");
        let arguments: Vec<Expr> = inner.map(|argument| self.expression(argument)).collect();
        let depth = arguments.iter().map(|argument| argument.depth).max();
        // What takes no argument may still stand for much.
        let depth = depth.or(Some(0));
        let Some(function) = Function::from_name(name.as_str()) else {
            let name = (self.names.intern(name.as_str()), self.span_of(&name));
            self.names.mention(name.0);
            return self.node(span, depth, ExprKind::Apply(name, arguments));
        };
        let expected = function.arity();
        if arguments.len() != expected {
            let (name, found) = (name.as_str().to_owned(), arguments.len());
            self.report(span, &Problem::ArgumentCount { name, expected, found });
            return Expr { span, depth: 0, kind: ExprKind::Bad };
        }
        self.node(span, depth, ExprKind::Call(function, arguments))
    }

    /// A `name`, with the expressions in it if it is built.
    pub(super) fn symbol(&mut self, pair: Pair<'_, Rule>) -> Symbol {
        let span = self.span_of(&pair);
        let mut inner = pair.into_inner().peekable();
        let first = inner.next().expect("a name starts with a letter");
        if inner.peek().is_none() {
            return Symbol { span, name: NameExpr::Plain(self.names.intern(first.as_str())) };
        }
        let mut pieces = vec![Piece::Text(first.as_str().into())];
        for piece in inner {
            pieces.push(match piece.as_rule() {
                Rule::hole => {
                    let number = piece.into_inner().next().expect("braces hold an expression");
                    Piece::Number(self.expression(number))
                }
                _ => Piece::Text(piece.as_str().into()),
            });
        }
        Symbol { span, name: NameExpr::Built(pieces.into()) }
    }
}

impl NameExpr {
    /// Notes that the name is used. What a built one comes to is known only when it is.
    pub(super) fn mention(&self, names: &mut Names) {
        if let Self::Plain(name) = self {
            names.mention(*name);
        }
    }

    /// The depth of the deepest expression in it; `None` if there is none.
    fn depth(&self) -> Option<u32> {
        match self {
            Self::Plain(_) => None,
            Self::Built(pieces) => pieces.iter().map(Piece::depth).max(),
        }
    }
}

impl Piece {
    fn depth(&self) -> u32 {
        match self {
            Self::Text(_) => 0,
            Self::Number(number) => number.depth,
        }
    }
}

/// The operands and operators of an expression, as the grammar leaves them in a row.
struct Sequence<'a, 'p, 'i> {
    parser: &'a mut Parser<'p>,
    pairs: Peekable<Pairs<'i, Rule>>,
}

impl Operators for Sequence<'_, '_, '_> {
    type Node = Expr;
    type Error = Infallible;

    fn prefix(&mut self) -> Result<Option<(Unary, usize)>, Infallible> {
        let pair = self.pairs.next_if(|pair| pair.as_rule() == Rule::unary);
        Ok(pair.and_then(|pair| Some((Unary::from_text(pair.as_str())?, pair.as_span().start()))))
    }

    fn primary(&mut self) -> Result<Expr, Infallible> {
        let primary = self.pairs.next().expect("the grammar ends an operand with a primary");
        Ok(self.parser.primary(primary))
    }

    fn infix(&mut self, least: u8) -> Option<Binary> {
        let pair = self.pairs.peek().filter(|pair| pair.as_rule() == Rule::binary)?;
        let operator = Binary::from_text(pair.as_str()).filter(|op| op.binding() >= least)?;
        self.pairs.next();
        Some(operator)
    }

    fn branches(&mut self) -> Result<Option<[Expr; 2]>, Infallible> {
        let (Some(then), Some(otherwise)) = (self.pairs.next(), self.pairs.next()) else {
            return Ok(None);
        };
        Ok(Some([self.parser.expression(then), self.parser.expression(otherwise)]))
    }

    fn unary(&mut self, operator: Unary, start: usize, operand: Expr) -> Expr {
        let (span, depth) = (self.parser.span(start..start).to(operand.span), operand.depth);
        self.parser.node(span, Some(depth), ExprKind::Unary(operator, Box::new(operand)))
    }

    fn binary(&mut self, operator: Binary, operands: [Expr; 2]) -> Expr {
        self.parser.binary(operator, operands)
    }

    fn conditional(&mut self, condition: Expr, [then, otherwise]: [Expr; 2]) -> Expr {
        let parts = [condition, then, otherwise];
        let span = parts[0].span.to(parts[2].span);
        let depth = parts.iter().map(|part| part.depth).max();
        self.parser.node(span, depth, ExprKind::Conditional(Box::new(parts)))
    }
}
