//! Expressions: from the grammar's flat sequence of operands and operators to a tree.

use std::iter::Peekable;
use std::rc::Rc;

use pest::iterators::{Pair, Pairs};

use super::{EXPRESSION_DEPTH_MAX, Parser, Rule};
use crate::names::Names;
use crate::problem::Problem;
use crate::source::Span;
use crate::syntax::{Binary, Expr, ExprKind, Function, NameExpr, Piece, Symbol, Unary};

impl Parser<'_> {
    /// The bytes of a pair.
    pub(super) fn span_of(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        self.span(span.start()..span.end())
    }

    /// An `expression`.
    pub(super) fn expression(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let mut pairs = pair.into_inner().peekable();
        if let Some(mark) = pairs.next_if(|pair| pair.as_rule() == Rule::pooled) {
            let value = self.conditional(&mut pairs);
            let (span, depth) = (self.span_of(&mark).to(value.span), value.depth);
            return self.node(span, Some(depth), ExprKind::Pooled(Box::new(value)));
        }
        self.conditional(&mut pairs)
    }

    /// `operation` or `operation ? expression : expression`.
    fn conditional(&mut self, pairs: &mut Peekable<Pairs<'_, Rule>>) -> Expr {
        let condition = self.operation(pairs, 0);
        let (Some(then), Some(otherwise)) = (pairs.next(), pairs.next()) else { return condition };
        let branches = [condition, self.expression(then), self.expression(otherwise)];
        let span = branches[0].span.to(branches[2].span);
        let depth = branches.iter().map(|branch| branch.depth).max();
        self.node(span, depth, ExprKind::Conditional(Box::new(branches)))
    }

    /// Operands joined by operators that bind at least this tightly.
    fn operation(&mut self, pairs: &mut Peekable<Pairs<'_, Rule>>, least: u8) -> Expr {
        let mut left = self.operand(pairs);
        while let Some(operator) = next_operator(pairs, least) {
            let right = self.operation(pairs, operator.binding() + 1);
            let span = left.span.to(right.span);
            let depth = left.depth.max(right.depth);
            left =
                self.node(span, Some(depth), ExprKind::Binary(operator, Box::new([left, right])));
        }
        left
    }

    /// A primary behind any number of prefixes.
    fn operand(&mut self, pairs: &mut Peekable<Pairs<'_, Rule>>) -> Expr {
        let mut prefixes = Vec::new();
        while let Some(prefix) = pairs.next_if(|pair| pair.as_rule() == Rule::unary) {
            let operator = match prefix.as_str() {
                "-" => Unary::Negate,
                "!" => Unary::Not,
                _ => Unary::Complement,
            };
            prefixes.push((operator, self.span_of(&prefix)));
        }
        let primary = pairs.next().expect("the grammar ends an operand with a primary");
        let mut operand = self.primary(primary);
        for (operator, span) in prefixes.into_iter().rev() {
            let (span, depth) = (span.to(operand.span), operand.depth);
            operand = self.node(span, Some(depth), ExprKind::Unary(operator, Box::new(operand)));
        }
        operand
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
                    Rule::number => self.number(&pair),
                    Rule::character => self.character(&pair),
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

    fn number(&mut self, pair: &Pair<'_, Rule>) -> ExprKind {
        match number(pair.as_str()) {
            Ok(value) => ExprKind::Number(value),
            Err(problem) => {
                self.report(self.span_of(pair), &problem);
                ExprKind::Bad
            }
        }
    }

    fn character(&mut self, pair: &Pair<'_, Rule>) -> ExprKind {
        if let [byte] = self.text(pair).as_bytes() {
            return ExprKind::Number(i64::from(*byte));
        }
        self.report(self.span_of(pair), &Problem::NotACharacter);
        ExprKind::Bad
    }

    /// The text between quotes, with its escapes replaced.
    pub(super) fn text(&mut self, pair: &Pair<'_, Rule>) -> Rc<str> {
        let quoted = pair.as_str();
        let inner = &quoted[1..quoted.len() - 1];
        if !inner.contains('\\') {
            return inner.into();
        }
        let mut text = String::with_capacity(inner.len());
        let mut characters = inner.char_indices();
        while let Some((_, character)) = characters.next() {
            if character != '\\' {
                text.push(character);
            } else if let Some((at, escaped)) = characters.next() {
                text.push(escape(escaped).unwrap_or_else(|| {
                    // The quote and the backslash stand before it.
                    let start = pair.as_span().start() + 1 + at - 1;
                    let span = self.span(start..start + 1 + escaped.len_utf8());
                    self.report(span, &Problem::UnknownEscape(escaped));
                    escaped
                }));
            }
        }
        text.into()
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
        let Some((function, text, expected)) = Function::named(name.as_str()) else {
            let name = (self.names.intern(name.as_str()), self.span_of(&name));
            self.names.mention(name.0);
            return self.node(span, depth, ExprKind::Apply(name, arguments));
        };
        if arguments.len() != expected {
            let (name, found) = (text.to_owned(), arguments.len());
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

/// The next operator if it binds at least this tightly.
fn next_operator(pairs: &mut Peekable<Pairs<'_, Rule>>, least: u8) -> Option<Binary> {
    let pair = pairs.peek().filter(|pair| pair.as_rule() == Rule::binary)?;
    let operator = Binary::from_text(pair.as_str()).filter(|op| op.binding() >= least)?;
    pairs.next();
    Some(operator)
}

/// The value of `42`, `0x2a`, `0b10_1010` or `0o52`.
pub(super) fn number(text: &str) -> Result<i64, Problem> {
    let (radix, digits) = match text.get(..2) {
        Some("0x" | "0X") => (16, &text[2..]),
        Some("0b" | "0B") => (2, &text[2..]),
        Some("0o" | "0O") => (8, &text[2..]),
        _ => (10, text),
    };
    let well_formed = !digits.is_empty()
        && !digits.starts_with('_')
        && !digits.ends_with('_')
        && digits.chars().all(|c| c == '_' || c.is_digit(radix));
    if !well_formed {
        return Err(Problem::NotANumber(text.to_owned()));
    }
    let digits = digits.replace('_', "");
    i64::from_str_radix(&digits, radix).map_err(|_| Problem::NumberTooLarge(text.to_owned()))
}

/// The character that stands behind a backslash.
fn escape(escaped: char) -> Option<char> {
    Some(match escaped {
        'n' => '\n',
        '0' => '\0',
        '\\' | '\'' | '"' => escaped,
        _ => return None,
    })
}
