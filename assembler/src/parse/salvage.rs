//! Salvages parts of a line with an error: the names it would have defined, and the block it would
//! have opened or closed.

use super::grammar::{Match, Parts, Rule, read};
use super::line::ParsedLine;
use super::parser::Parser;
use crate::directives::{self, Directive, Operands, Role};
use crate::source::Span;
use crate::syntax::{Expr, ExprKind, Head, NameExpr, Statement, StatementKind, Symbol};

impl Parser<'_> {
    /// Salvages a line that starts with `text`. `span` is the range of its code.
    pub(super) fn salvage(&mut self, text: &str, span: Span) -> ParsedLine {
        let mut line = ParsedLine::default();
        let Ok(mut parts) = read(Rule::salvage, text) else { return line };
        while let Some(label) = parts.next_if(Rule::label) {
            line.labels.extend(self.salvage_name(label));
        }
        let directive = parts.next_if(Rule::directive);
        let directive = directive.and_then(|directive| directives::find(directive.as_str()));
        let name = parts.next_if(Rule::whole).and_then(|whole| self.salvage_name(whole));
        let kind = match directive {
            Some(directive) => damaged(directive, name, span),
            None => StatementKind::Bad(name.map(Box::new)),
        };
        line.statement = Some(Statement { span, kind });
        line
    }

    /// Returns the name at the start of a match.
    fn salvage_name(&mut self, matched: Match<'_>) -> Option<Symbol> {
        Parts::new(matched).next().and_then(|name| self.parse_symbol(name).ok())
    }
}

/// Returns the statement for a directive with an error, with the name after it if there is one.
fn damaged(directive: &Directive, name: Option<Symbol>, span: Span) -> StatementKind {
    let bad = Expr::new(span, 0, ExprKind::Bad);
    match (directive.operands, directive.role) {
        (Operands::Nothing(make), _) => make(),
        // Keep the block, because it still has its lines.
        (Operands::Value(make), Role::Opens(_) | Role::Branches(_)) => make(bad),
        (Operands::Repeat, _) => {
            StatementKind::Open(Box::new(Head::Repeat { count: bad, index: None }))
        }
        (_, Role::Opens(kind)) => StatementKind::Open(Box::new(Head::Lost(kind, name))),
        (Operands::Variable | Operands::Default, _) => StatementKind::Bad(name.map(Box::new)),
        (Operands::Function, _) => StatementKind::LostFunction(match name {
            Some(Symbol { name: NameExpr::Plain(name), .. }) => Some(name),
            _ => None,
        }),
        _ => StatementKind::Bad(None),
    }
}
