//! Signature help: the operands of the instruction, directive or call that is being typed.

use std::ops::Range;

use gray1_language::{Lexer, Token, TokenKind};

use super::index::{Entity, Viewpoint};
use super::program::{Analysis, LineAt};
use crate::directives::{self, Operands};
use crate::keywords::{FUNCTIONS, INSTRUCTIONS, Keyword, find};
use crate::line_parts::{LineParts, split_arguments};
use crate::source::FileId;
use crate::symbols::Namespace;

/// The last parameter of a signature that accepts any number of arguments.
const MORE: &str = "…";

/// The operands of an instruction, directive or call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The name and the parameters.
    pub text: String,
    /// A description in Markdown.
    pub documentation: Option<String>,
    /// The byte range of each parameter in `text`.
    pub parameters: Vec<Range<usize>>,
    /// The number of the parameter that is being typed, counted from 0. It can exceed the number of
    /// parameters.
    pub active: usize,
}

impl Analysis {
    /// Returns the signature of the statement or call that contains a byte offset.
    pub fn signature_help(&self, file: FileId, offset: u32) -> Option<Signature> {
        let LineAt { text, start, number } = self.line(file, offset);
        let before = text.get(..(offset - start) as usize).unwrap_or(text);
        let tokens: Vec<Token<'_>> = Lexer::new(before).collect();
        let parts = LineParts::new(&tokens);
        if parts.comment.is_some() {
            return None;
        }
        let view = self.view_from(file, number)?;
        let call = open_call(parts.statement).and_then(|(name, operands)| {
            let signature = self.explain_call(parts.statement, name, view)?;
            Some((signature, operands))
        });
        let (mut signature, operands) = call.or_else(|| {
            let (first, operands) = parts.statement.split_first()?;
            let is_complete = first.end() < before.len();
            Some((self.explain_statement(first, view).filter(|_| is_complete)?, operands))
        })?;
        signature.active = signature.active_parameter(operands);
        Some(signature)
    }

    /// Returns the signature of an instruction, directive or macro.
    fn explain_statement(&self, first: &Token<'_>, view: Viewpoint) -> Option<Signature> {
        match first.kind {
            TokenKind::Directive => Some(Signature::from_word(directives::find(first.text)?.word)),
            TokenKind::Name => find(&INSTRUCTIONS, first.text)
                .map(Signature::from_word)
                .or_else(|| self.explain_name(first.text, Namespace::Macros, view)),
            _ => None,
        }
    }

    /// Returns the signature of the call whose name is the token number `at` of a statement.
    fn explain_call(&self, tokens: &[Token<'_>], at: usize, view: Viewpoint) -> Option<Signature> {
        let directive = directives::find(tokens[0].text).filter(|_| at == 1);
        let name = tokens[at].text;
        match directive.map(|directive| directive.operands) {
            Some(Operands::RoutineCall) => self.explain_name(name, Namespace::Routines, view),
            // A definition, not a call.
            Some(Operands::Routine | Operands::Function) => None,
            _ => find(&FUNCTIONS, name)
                .map(Signature::from_word)
                .or_else(|| self.explain_name(name, Namespace::Functions, view)),
        }
    }

    fn explain_name(&self, name: &str, namespace: Namespace, view: Viewpoint) -> Option<Signature> {
        let entity = &self.index.entities[self.index.find(name, namespace, view)?];
        Some(Signature::new(self.usage(entity), self.documentation(entity)))
    }

    /// Returns the definition of a macro, routine or function, starting at its name.
    pub(super) fn usage(&self, entity: &Entity) -> String {
        let line = self.signature(entity);
        let tokens: Vec<Token<'_>> = Lexer::new(&line).collect();
        let name = LineParts::new(&tokens).statement.get(1);
        name.map_or_else(|| entity.name.clone(), |name| line[name.start..].to_owned())
    }
}

impl Signature {
    fn new(text: String, documentation: Option<String>) -> Self {
        let parameters = parameters(&text);
        Self { text, documentation, parameters, active: 0 }
    }

    fn from_word(word: Keyword) -> Self {
        Self::new(word.usage.to_owned(), Some(word.effect.to_owned()))
    }

    /// Returns the number of the parameter that the last operand belongs to.
    fn active_parameter(&self, operands: &[Token<'_>]) -> usize {
        let operands = split_arguments(operands);
        let named = operands.last().and_then(|operand| match operand {
            [name, equals, ..] if equals.is("=") => self.find_parameter(name.text),
            _ => None,
        });
        let number = named.unwrap_or(operands.len() - 1);
        match self.parameters.split_last() {
            Some((last, others)) if self.text[last.clone()] == *MORE => number.min(others.len()),
            _ => number,
        }
    }

    fn find_parameter(&self, name: &str) -> Option<usize> {
        let texts = self.parameters.iter().map(|at| &self.text[at.clone()]);
        let mut words = texts.map(|text| Lexer::new(text).next());
        words.position(|word| word.is_some_and(|word| word.text == name))
    }
}

/// Returns the byte ranges of the parameters in a signature. The parameters are in brackets right
/// after the name, or follow the name without brackets.
fn parameters(text: &str) -> Vec<Range<usize>> {
    let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
    let Some((_, rest)) = tokens.split_first() else { return Vec::new() };
    let rest = match rest {
        [open, inner @ ..] if open.is("(") => {
            let end = inner.iter().position(|token| token.is(")"));
            &inner[..end.unwrap_or(inner.len())]
        }
        all => all,
    };
    let all = split_arguments(rest).into_iter();
    all.filter_map(|tokens| Some(tokens.first()?.start..tokens.last()?.end())).collect()
}

/// Returns the innermost call whose bracket is still open: the index of the token with its name,
/// and the tokens after the bracket.
fn open_call<'t, 'a>(statement: &'t [Token<'a>]) -> Option<(usize, &'t [Token<'a>])> {
    let mut open = Vec::new();
    for (at, token) in statement.iter().enumerate() {
        if token.is("(") {
            open.push(at);
        } else if token.is(")") {
            open.pop();
        }
    }
    let mut open = open.into_iter().rev();
    let at = open.find(|&at| at > 0 && statement[at - 1].kind == TokenKind::Name)?;
    Some((at - 1, &statement[at + 1..]))
}
