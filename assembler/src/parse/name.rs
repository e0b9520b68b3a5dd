//! Reads names: where they are defined, and where they are used.

use std::rc::Rc;

use gray1_language::{Lexer, Piece as Part, Token, TokenKind, split_pieces};

use super::expression::is_word;
use super::reader::{NAME, Reader};
use crate::keywords::Mnemonic;
use crate::names::Names;
use crate::problem::Problem;
use crate::syntax::{Call, Expr, ExprKind, Function, NameExpr, Piece, PlainName, Symbol};

impl<'l> Reader<'l, '_, '_> {
    /// Reads a name that is being defined.
    pub(super) fn read_definition(&mut self) -> Symbol {
        match self.take_kind(TokenKind::Name, NAME) {
            // The start of a name whose next braces are damaged is not the name.
            Some(token) if token.text.contains('{') && self.is_at(0, "{") => self.miss_name(),
            Some(token) => self.define(token),
            None => self.miss_name(),
        }
    }

    /// Makes the symbol of a name that is being defined. It must not be a mnemonic.
    pub(super) fn define(&mut self, token: Token<'_>) -> Symbol {
        self.refuse_reserved(&token);
        let is_valid_so_far = self.failure.is_none();
        let symbol = self.read_symbol(token);
        let is_damaged = is_valid_so_far && self.failure.is_some();
        if is_damaged { Symbol { name: NameExpr::Missing, ..symbol } } else { symbol }
    }

    /// Makes the symbol of a name that is not there.
    pub(super) fn miss_name(&mut self) -> Symbol {
        self.fail();
        Symbol { span: self.span(self.end, self.end), name: NameExpr::Missing }
    }

    /// Reads a name that must not be local or built from numbers.
    pub(super) fn read_plain_name(&mut self) -> Option<Token<'l>> {
        let next = self.rest.first().filter(|token| token.kind == TokenKind::Name);
        let is_built = next.is_some_and(|token| token.text.contains('{'));
        self.expect(if is_built { "a name without braces" } else { NAME });
        if next.is_none_or(|token| is_built || token.text.starts_with('@')) {
            self.fail();
        }
        self.advance()
    }

    /// Reads a plain name that is being defined.
    pub(super) fn read_plain_definition(&mut self) -> Option<PlainName> {
        let token = self.read_plain_name()?;
        self.refuse_reserved(&token);
        Some(self.make_plain_name(&token))
    }

    /// Reads a plain name that is being defined, as a symbol.
    pub(super) fn read_plain_symbol(&mut self) -> Symbol {
        let name = self.read_plain_definition();
        name.map_or_else(|| self.miss_name(), Symbol::from)
    }

    /// Reads the plain names in brackets that are being defined.
    pub(super) fn read_parameters(&mut self) -> Vec<PlainName> {
        self.read_bracketed(Self::read_plain_definition).into_iter().flatten().collect()
    }

    pub(super) fn make_plain_name(&mut self, token: &Token<'_>) -> PlainName {
        PlainName { name: self.parser.names.intern(token.text), span: self.span_of(token) }
    }

    fn refuse_reserved(&mut self, token: &Token<'_>) {
        if Mnemonic::from_name(token.text).is_some() {
            self.parser.report(self.span_of(token), &Problem::Reserved(token.text.to_owned()));
        }
    }

    /// Reads the token of a name, including the expressions in its braces.
    pub(super) fn read_symbol(&mut self, token: Token<'_>) -> Symbol {
        let span = self.span_of(&token);
        if !token.text.contains('{') {
            return Symbol { span, name: NameExpr::Plain(self.parser.names.intern(token.text)) };
        }
        let mut pieces = Vec::new();
        for part in split_pieces(token.text) {
            pieces.push(match part {
                Part::Text(text) => Piece::Text(text.into()),
                Part::Hole { start, text } => {
                    // The closing brace shows where the expression must end.
                    let hole = &token.text[start..=start + text.len()];
                    Piece::Number(self.read_hole(hole, span.start + start as u32))
                }
            });
        }
        pieces.shrink_to_fit();
        Symbol { span, name: NameExpr::Built(Rc::new(pieces)) }
    }

    /// Reads an expression in braces, including the closing brace.
    fn read_hole(&mut self, text: &str, start: u32) -> Expr {
        let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
        let expected = std::mem::take(&mut self.parser.expected);
        let mut inside = self.inside_braces(start, &tokens);
        let value = inside.read_value();
        inside.require("}", "`}`");
        let (loose, failure) = (inside.finish(), inside.failure.take());
        self.parser.expected = expected;
        self.loose.extend(loose);
        if let Some(failure) = failure {
            self.fail_with(failure);
        }
        value
    }

    /// Makes the expression of a name that is used.
    pub(super) fn read_name(&mut self, token: Token<'_>) -> Expr {
        let symbol = self.read_symbol(token);
        symbol.name.mention(self.parser.names);
        let depth = symbol.name.depth();
        self.make_node(
            symbol.span,
            depth,
            match symbol.name {
                NameExpr::Plain(name) => ExprKind::Name(name),
                NameExpr::Built(pieces) => ExprKind::Built(pieces),
                NameExpr::Missing => ExprKind::Bad,
            },
        )
    }

    /// Makes the expression of a name in a part of the line that cannot be read. Returns `None` for
    /// a built-in function.
    pub(super) fn read_loose_name(&mut self, token: Token<'_>) -> Option<Expr> {
        if !self.is_at(0, "(") || !is_word(&token) {
            return Some(self.read_name(token));
        }
        if Function::from_name(token.text).is_some() {
            return None;
        }
        let call = Call { function: self.make_plain_name(&token), arguments: Box::default() };
        Some(Expr::new(call.function.span, 0, ExprKind::Apply(Box::new(call))))
    }
}

impl NameExpr {
    /// Marks the name as used. The full spelling of a built name is not known yet.
    pub(super) fn mention(&self, names: &mut Names) {
        if let Self::Plain(name) = self {
            names.mention(*name);
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
