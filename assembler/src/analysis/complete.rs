//! Completion: the words that fit at a place.

use gray1_language::{Lexer, Token, TokenKind};

use super::index::{Entity, Home, NameKind, Namespace, Viewpoint};
use super::program::Analysis;
use crate::diagnostic::Lint;
use crate::directives::{self, DIRECTIVES, Operands};
use crate::source::{FileId, Span};
use crate::words::{FUNCTIONS, INSTRUCTIONS, Keyword};

/// The words that fit at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completions {
    /// The text that they replace.
    pub span: Span,
    /// The words, in no meaningful order.
    pub items: Vec<Completion>,
}

/// A word that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word.
    pub text: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// Its usage or its value.
    pub detail: Option<String>,
    /// Its effect, in Markdown.
    pub documentation: Option<String>,
}

/// The kinds of words that fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    /// An instruction.
    Instruction,
    /// A directive.
    Directive,
    /// A kind of warning.
    Warning,
    /// A name that the program defines.
    Name(NameKind),
    /// A function that is built in.
    BuiltIn,
    /// `parameter = `, in a call.
    Argument,
}

impl Analysis {
    /// The words that fit at a byte.
    #[must_use]
    pub fn completions(&self, file: FileId, offset: u32) -> Completions {
        let (text, start, number) = self.line(file, offset);
        let before = &text[..((offset - start) as usize).min(text.len())];
        let tokens: Vec<Token<'_>> = Lexer::new(before).collect();
        let word = tokens.last().filter(|last| {
            let is_word = matches!(last.kind, TokenKind::Name | TokenKind::Directive);
            is_word && last.end() == before.len()
        });
        let length = word.map_or(0, |word| word.text.len() as u32);
        let span = Span { start: offset - length, end: offset };
        let code = &tokens[..tokens.len() - usize::from(word.is_some())];
        let items = match self.seen_from(file, number) {
            Some(seen) if !ends_in_text(&tokens, before) => {
                Scope { analysis: self, seen }.at(code, word)
            }
            None => statements(self),
            Some(_) => Vec::new(),
        };
        Completions { span, items }
    }
}

/// A place in a program, and the names that are seen from there.
struct Scope<'a> {
    analysis: &'a Analysis,
    seen: Viewpoint,
}

impl Scope<'_> {
    /// The words that fit after these tokens.
    fn at(&self, code: &[Token<'_>], word: Option<&Token<'_>>) -> Vec<Completion> {
        let start = code.iter().rposition(|token| token.is(":")).map_or(0, |colon| colon + 1);
        // In an expression, a colon belongs to its `?`.
        let start = if code.iter().any(|token| token.is("?")) { 0 } else { start };
        let Some((first, rest)) = code[start..].split_first() else {
            return statements(self.analysis);
        };
        if word.is_some_and(|word| word.kind == TokenKind::Directive) {
            return Vec::new();
        }
        match first.kind {
            TokenKind::Directive => {
                let known = directives::find(first.text);
                known.map_or_else(Vec::new, |known| self.behind(known.operands, rest))
            }
            TokenKind::Name => {
                let at_argument = rest.last().is_none_or(|last| last.is(","));
                let mut items = self.operands();
                if at_argument {
                    items.extend(self.arguments(first.text));
                }
                items
            }
            _ => self.operands(),
        }
    }

    /// The words that fit after a directive and these tokens.
    fn behind(&self, operands: Operands, rest: &[Token<'_>]) -> Vec<Completion> {
        match operands {
            Operands::Lints => lints(),
            Operands::Nothing(_)
            | Operands::Text(_)
            | Operands::File
            | Operands::Legend
            | Operands::Count => Vec::new(),
            // A new name, then perhaps new names of parameters; their values may use everything.
            Operands::Macro | Operands::Routine | Operands::Function | Operands::Structure
                if !rest.iter().any(|token| token.is("=")) =>
            {
                Vec::new()
            }
            Operands::Variable if rest.is_empty() => Vec::new(),
            Operands::RoutineCall if rest.is_empty() => self.routines(),
            _ => self.operands(),
        }
    }

    /// The parameters of the macro that is called.
    fn arguments(&self, called: &str) -> Vec<Completion> {
        let called = self.analysis.index.find(called, Namespace::Macros, self.seen);
        let parameters = called.map_or(&[][..], |id| &self.analysis.index.entities[id].parameters);
        let item = |&id: &usize| Completion {
            text: format!("{} = ", self.analysis.index.entities[id].name),
            kind: CompletionKind::Argument,
            detail: None,
            documentation: None,
        };
        parameters.iter().map(item).collect()
    }

    fn routines(&self) -> Vec<Completion> {
        let is_routine = |entity: &&Entity| entity.kind == NameKind::Routine;
        self.analysis
            .index
            .entities
            .iter()
            .filter(is_routine)
            .map(|entity| name(self.analysis, entity))
            .collect()
    }

    /// The words that can be part of an expression.
    fn operands(&self) -> Vec<Completion> {
        let homes: Vec<Home> = self
            .analysis
            .index
            .homes(self.seen)
            .chain([Home::Everywhere(Namespace::Functions)])
            .collect();
        let visible =
            self.analysis.index.entities.iter().filter(|entity| homes.contains(&entity.home));
        let names = visible.map(|entity| name(self.analysis, entity));
        names.chain(FUNCTIONS.iter().map(|word| item(word, CompletionKind::BuiltIn))).collect()
    }
}

/// True if a line ends in a comment, in a text that is not closed, or in a number.
fn ends_in_text(tokens: &[Token<'_>], line: &str) -> bool {
    let last = tokens.last().filter(|last| last.end() == line.len());
    last.is_some_and(|last| match last.kind {
        TokenKind::Comment | TokenKind::Number => true,
        TokenKind::Damaged => last.text.starts_with(['"', '\'']),
        _ => false,
    })
}

/// The words that a statement can start with.
fn statements(analysis: &Analysis) -> Vec<Completion> {
    let instructions = INSTRUCTIONS.iter().map(|word| item(word, CompletionKind::Instruction));
    let directives = DIRECTIVES.iter();
    let directives = directives.map(|known| item(&known.word, CompletionKind::Directive));
    let is_macro = |entity: &&Entity| entity.kind == NameKind::Macro;
    let macros =
        analysis.index.entities.iter().filter(is_macro).map(|entity| name(analysis, entity));
    instructions.chain(directives).chain(macros).collect()
}

/// A name that the program defines.
fn name(analysis: &Analysis, entity: &Entity) -> Completion {
    let about = analysis.about(entity);
    let detail = match entity.kind {
        NameKind::Macro | NameKind::Routine | NameKind::Function => Some(about.signature()),
        _ => about.value_in_brief(),
    };
    Completion {
        text: entity.name.clone(),
        kind: CompletionKind::Name(entity.kind),
        detail,
        documentation: about.documentation(),
    }
}

fn lints() -> Vec<Completion> {
    let item = |lint: Lint| Completion {
        text: lint.name().to_owned(),
        kind: CompletionKind::Warning,
        detail: None,
        documentation: None,
    };
    Lint::ALL.map(item).into()
}

fn item(word: &Keyword, kind: CompletionKind) -> Completion {
    Completion {
        text: word.name().to_owned(),
        kind,
        detail: Some(word.usage.to_owned()),
        documentation: Some(word.does.to_owned()),
    }
}
