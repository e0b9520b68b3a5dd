//! Completion: the words that can be typed at the cursor.

use gray1_isa::panel::Led;
use gray1_language::{Lexer, Token, TokenKind};

use super::index::{Entity, NameKind, Scope, Viewpoint};
use super::program::{Analysis, LineAt};
use crate::diagnostic::Lint;
use crate::directives::{self, DIRECTIVES, Operands};
use crate::keywords::{FUNCTIONS, INSTRUCTIONS, Keyword};
use crate::source::{FileId, Span};
use crate::symbols::Namespace;

/// The words that can be typed at a place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completions {
    /// The range of the file that the chosen word replaces.
    pub span: Span,
    /// The words, unsorted. The editor sorts them.
    pub items: Vec<Completion>,
}

/// A word that completion offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word to insert.
    pub text: String,
    /// The kind of word, which editors show as an icon.
    pub kind: CompletionKind,
    /// The usage of an instruction, directive or function, or the value of a name.
    pub detail: Option<String>,
    /// A description in Markdown.
    pub documentation: Option<String>,
}

impl Completion {
    /// A word without a detail or a description.
    fn bare(text: String, kind: CompletionKind) -> Self {
        Self { text, kind, detail: None, documentation: None }
    }
}

/// The kinds of words that completion offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    /// An instruction.
    Instruction,
    /// A directive such as `.org`.
    Directive,
    /// The name of a warning, for `.allow`.
    Warning,
    /// A colour of the display.
    Colour,
    /// A name that the program defines.
    Name(NameKind),
    /// A built-in function.
    BuiltIn,
    /// The `parameter = ` of a named argument in a macro call.
    Argument,
}

impl Analysis {
    /// Returns the words that can be typed at a byte offset.
    pub fn completions(&self, file: FileId, offset: u32) -> Completions {
        let LineAt { text, start, number } = self.line(file, offset);
        let before = &text[..((offset - start) as usize).min(text.len())];
        let tokens: Vec<Token<'_>> = Lexer::new(before).collect();
        let word = tokens.last().filter(|last| {
            let is_word = matches!(last.kind, TokenKind::Name | TokenKind::Directive);
            is_word && last.end() == before.len()
        });
        let length = word.map_or(0, |word| word.text.len() as u32);
        let span = Span { start: offset - length, end: offset };
        let code = &tokens[..tokens.len() - usize::from(word.is_some())];
        let items = match self.view_from(file, number) {
            Some(view) if !ends_in_text(&tokens, before) => self.complete_code(code, word, view),
            None => self.list_statements(),
            Some(_) => Vec::new(),
        };
        Completions { span, items }
    }

    /// Returns the words that can follow these tokens of a line.
    fn complete_code(
        &self,
        code: &[Token<'_>],
        word: Option<&Token<'_>>,
        view: Viewpoint,
    ) -> Vec<Completion> {
        let start = code.iter().rposition(|token| token.is(":")).map_or(0, |colon| colon + 1);
        // A colon can also belong to a `?`. Then it does not end a label.
        let start = if code.iter().any(|token| token.is("?")) { 0 } else { start };
        let Some((first, rest)) = code[start..].split_first() else {
            return self.list_statements();
        };
        if word.is_some_and(|word| word.kind == TokenKind::Directive) {
            return Vec::new();
        }
        match first.kind {
            TokenKind::Directive => {
                let found = directives::find(first.text);
                found.map_or_else(Vec::new, |it| self.complete_operands(it.operands, rest, view))
            }
            TokenKind::Name => {
                let at_argument = rest.last().is_none_or(|last| last.is(","));
                let mut items = self.list_values(view);
                if at_argument {
                    items.extend(self.list_arguments(first.text, view));
                }
                items
            }
            _ => self.list_values(view),
        }
    }

    /// Returns the words that can follow a directive and these operands.
    fn complete_operands(
        &self,
        operands: Operands,
        rest: &[Token<'_>],
        view: Viewpoint,
    ) -> Vec<Completion> {
        let at_argument = rest.last().is_some_and(|last| last.is(","));
        match operands {
            Operands::Lints => list_words(Lint::ALL.map(Lint::name), CompletionKind::Warning),
            Operands::Legend | Operands::Why if rest.is_empty() => {
                list_words(Led::ALL.map(Led::name), CompletionKind::Colour)
            }
            Operands::Count if rest.is_empty() => {
                list_words(["green", "red"], CompletionKind::Colour)
            }
            Operands::Why if at_argument && rest.len() > 2 => {
                list_words(["was = "], CompletionKind::Argument)
            }
            Operands::Grid if at_argument && rest.iter().any(|it| it.kind == TokenKind::Text) => {
                list_words(["rows = ", "index = "], CompletionKind::Argument)
            }
            Operands::Nothing(_)
            | Operands::Text(_)
            | Operands::File
            | Operands::Legend
            | Operands::Why
            | Operands::Count => Vec::new(),
            // The user is inventing a name here, so suggest nothing. After an `=`, which starts the
            // value of a parameter, any name is possible.
            Operands::Macro
            | Operands::Routine
            | Operands::Function
            | Operands::Structure
            | Operands::Default
                if !rest.iter().any(|token| token.is("=")) =>
            {
                Vec::new()
            }
            Operands::Variable { .. } if rest.is_empty() => Vec::new(),
            Operands::RoutineCall if rest.is_empty() => {
                self.list_names(NameKind::Routine).collect()
            }
            _ => self.list_values(view),
        }
    }

    /// Returns the named arguments that a macro accepts.
    fn list_arguments(&self, macro_name: &str, view: Viewpoint) -> Vec<Completion> {
        let found = self.index.find(macro_name, Namespace::Macros, view);
        let parameters = found.map_or(&[][..], |id| &self.index.entities[id].parameters);
        let texts = parameters.iter().map(|&id| format!("{} = ", self.index.entities[id].name));
        texts.map(|text| Completion::bare(text, CompletionKind::Argument)).collect()
    }

    /// Returns the names of this kind.
    fn list_names(&self, kind: NameKind) -> impl Iterator<Item = Completion> {
        let found = self.index.entities.iter().filter(move |entity| entity.kind == kind);
        found.map(|entity| self.offer_name(entity))
    }

    /// Returns the words that can appear in an expression.
    fn list_values(&self, view: Viewpoint) -> Vec<Completion> {
        let scopes: Vec<Scope> =
            self.index.scopes(view).chain([Scope::Global(Namespace::Functions)]).collect();
        let visible = self.index.entities.iter().filter(|entity| scopes.contains(&entity.scope));
        let names = visible.map(|entity| self.offer_name(entity));
        names.chain(FUNCTIONS.iter().map(|word| offer(word, CompletionKind::BuiltIn))).collect()
    }

    /// Returns the words that can start a statement.
    fn list_statements(&self) -> Vec<Completion> {
        let instructions = INSTRUCTIONS.iter().map(|word| offer(word, CompletionKind::Instruction));
        let directives = DIRECTIVES.iter();
        let directives = directives.map(|known| offer(&known.word, CompletionKind::Directive));
        instructions.chain(directives).chain(self.list_names(NameKind::Macro)).collect()
    }

    /// Returns the completion of a name that the program defines.
    fn offer_name(&self, entity: &Entity) -> Completion {
        let detail = match entity.kind {
            NameKind::Macro | NameKind::Routine | NameKind::Function => {
                Some(self.signature(entity))
            }
            _ => entity.definition().and_then(|at| self.value_at(at)),
        };
        Completion {
            text: entity.name.clone(),
            kind: CompletionKind::Name(entity.kind),
            detail,
            documentation: self.documentation(entity),
        }
    }
}

/// Returns true if a line ends in a comment, an unclosed string or a number.
fn ends_in_text(tokens: &[Token<'_>], line: &str) -> bool {
    let last = tokens.last().filter(|last| last.end() == line.len());
    last.is_some_and(|last| match last.kind {
        TokenKind::Comment | TokenKind::Number => true,
        TokenKind::Damaged => last.text.starts_with(['"', '\'']),
        _ => false,
    })
}

fn list_words<const N: usize>(words: [&str; N], kind: CompletionKind) -> Vec<Completion> {
    words.map(|word| Completion::bare(word.to_owned(), kind)).into()
}

fn offer(word: &Keyword, kind: CompletionKind) -> Completion {
    Completion {
        text: word.name().to_owned(),
        kind,
        detail: Some(word.usage.to_owned()),
        documentation: Some(word.effect.to_owned()),
    }
}
