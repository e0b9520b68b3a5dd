//! Hover: explains the word under the cursor by its value, address, cost and comments.

use gray1_language::{Lexer, Token, TokenKind, split_comment};

use super::index::{Entity, NameKind, Occurrence};
use super::program::{Analysis, LineAt};
use crate::directives;
use crate::facts::{Cost, KnownMeaning};
use crate::keywords::{FUNCTIONS, INSTRUCTIONS, Keyword, find};
use crate::source::{FileId, Location, Span};
use crate::symbols::Value;

/// The maximum number of values listed for a name that is defined several times.
const VALUES_MAX: usize = 8;

/// The explanation of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The range of the word.
    pub span: Span,
    /// The explanation, in Markdown.
    pub markdown: String,
}

impl Analysis {
    /// Explains the word at a byte offset. Returns `None` if there is nothing to explain.
    pub fn hover(&self, file: FileId, offset: u32) -> Option<Hover> {
        if let Some(occurrence) = self.occurrence(file, offset) {
            let place = Location { file, span: occurrence.span };
            let markdown = self.explain_name_at(occurrence, place)?;
            return Some(Hover { span: occurrence.span, markdown });
        }
        let LineAt { text, start, .. } = self.line(file, offset);
        let within = (offset - start) as usize;
        let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
        let number = tokens.iter().rposition(|it| it.start <= within && within <= it.end())?;
        let token = tokens[number];
        let start = start + token.start as u32;
        let is_first = number == 0 || tokens[number - 1].is(":");
        let found = match token.kind {
            TokenKind::Directive => directives::find(token.text)?.word,
            TokenKind::Name if is_first => find(&INSTRUCTIONS, token.text)?,
            TokenKind::Name => find(&FUNCTIONS, token.text)?,
            _ => return None,
        };
        let span = Span { start, end: start + token.text.len() as u32 };
        Some(Hover { span, markdown: self.explain_word(found, Location { file, span }) })
    }

    /// Explains a mnemonic, directive or built-in function. For an instruction, also lists its
    /// indexes in program memory.
    fn explain_word(&self, word: Keyword, place: Location) -> String {
        let mut parts = vec![code_block(word.usage), word.effect.to_owned()];
        let line = self.files.get(place.file);
        let end = line.line_span(line.line_of(place.span.start)).end;
        // Facts are stored by statement, and a statement starts with its keyword.
        let mut indexes: Vec<u16> = self
            .facts
            .words
            .iter()
            .filter(|(at, _)| at.file == place.file && at.span.start == place.span.start)
            .filter(|(at, _)| at.span.end <= end)
            .flat_map(|(_, indexes)| indexes.iter().copied())
            .collect();
        indexes.sort_unstable();
        if !indexes.is_empty() {
            let all = indexes.iter().map(|index| format!("0x{index:04x}"));
            parts.push(format!("At {}", join_list(all.collect(), "index", "indexes")));
        }
        parts.join("\n\n")
    }

    fn explain_name_at(&self, occurrence: &Occurrence, place: Location) -> Option<String> {
        let entities: Vec<&Entity> =
            occurrence.entities.iter().map(|&id| &self.index.entities[id]).collect();
        let entity = *entities.first()?;
        let mut parts = vec![code_block(&self.signature(entity))];
        match entity.kind {
            NameKind::Macro => parts.extend(self.describe_macro_cost(entity, place)),
            _ => parts.extend(self.describe_values(&entities, self.files.text(place))),
        }
        parts.extend(self.documentation(entity));
        Some(parts.join("\n\n"))
    }

    fn describe_macro_cost(&self, entity: &Entity, place: Location) -> Option<String> {
        let mut calls = self.facts.calls.iter().filter(|(at, _)| at.file == place.file);
        if let Some((_, cost)) = calls.find(|(at, _)| at.span.start == place.span.start) {
            return Some(format!("Here: {}", format_cost(*cost)));
        }
        let cost = self.facts.macros.get(&entity.definition()?)?;
        Some(format!("Its calls: {}", format_cost(*cost)))
    }

    /// Returns the value of a name, or a list of its values if it is defined several times.
    fn describe_values(&self, entities: &[&Entity], text: &str) -> Option<String> {
        let places = entities.iter().flat_map(|entity| entity.definitions());
        let all: Vec<&(String, KnownMeaning)> =
            places.filter_map(|place| self.facts.meanings.get(&place)).flatten().collect();
        let of_this_name: Vec<&KnownMeaning> =
            all.iter().filter(|(name, _)| name == text).map(|(_, meaning)| meaning).collect();
        match (of_this_name.as_slice(), all.as_slice()) {
            ([only], _) => Some(describe(only)),
            ([], [(_, only)]) => Some(describe(only)),
            (_, []) => None,
            (_, [(first, _), others @ ..]) => {
                let is_one_name = others.iter().all(|(name, _)| name == first);
                let values = all.iter().map(|(name, meaning)| {
                    let value = describe_briefly(meaning);
                    if is_one_name { value } else { format!("{name} = {value}") }
                });
                Some(join_list(values.collect(), "value", "values"))
            }
        }
    }

    /// Returns the value of the name defined at a place, if it has exactly one.
    pub(super) fn value_at(&self, place: Location) -> Option<String> {
        self.meaning_at(place).map(describe_briefly)
    }

    /// Returns the meaning of the name defined at a place, if every expansion gives it the same.
    pub(super) fn meaning_at(&self, place: Location) -> Option<&KnownMeaning> {
        match self.facts.meanings.get(&place)?.as_slice() {
            [(_, only)] => Some(only),
            _ => None,
        }
    }
}

/// Descriptions of names.
impl Analysis {
    /// Returns the line that defines a name, or the name and its kind.
    pub(super) fn signature(&self, entity: &Entity) -> String {
        let name = &entity.name;
        match entity.kind {
            NameKind::Label => format!("{name}:"),
            NameKind::Field => format!("{name} (in a structure)"),
            NameKind::Parameter => format!("{name} (a parameter)"),
            _ => self.defining_line(entity).unwrap_or_else(|| name.clone()),
        }
    }

    /// Returns the defining line without its comment and surrounding blanks.
    fn defining_line(&self, entity: &Entity) -> Option<String> {
        let place = entity.definition()?;
        let line = self.line(place.file, place.span.start).text;
        Some(split_comment(line).0.trim().to_owned())
    }

    /// Returns the comments of a definition as Markdown.
    pub(super) fn documentation(&self, entity: &Entity) -> Option<String> {
        let comments = self.find_comments(entity);
        let lines: Vec<&str> = comments.into_iter().map(strip_comment_mark).collect();
        (!lines.is_empty()).then(|| escape_markdown(&lines.join("\n")))
    }

    /// Returns the `;;` comments of a definition, without their marks.
    pub(super) fn captions(&self, entity: &Entity) -> Vec<String> {
        let comments = self.find_comments(entity).into_iter();
        let captions = comments.filter(|comment| comment.starts_with(";;"));
        captions.map(|comment| strip_comment_mark(comment).to_owned()).collect()
    }

    /// Returns the comments directly above a definition, and the comment on its line.
    fn find_comments(&self, entity: &Entity) -> Vec<&str> {
        let place = entity.definition().filter(|_| entity.kind != NameKind::Parameter);
        let Some(place) = place else { return Vec::new() };
        let file = self.files.get(place.file);
        let number = file.line_of(place.span.start);
        let above = (1..number).rev().map(|number| file.line(number).trim());
        let mut comments: Vec<&str> = above.take_while(|line| line.starts_with(';')).collect();
        comments.reverse();
        comments.extend(split_comment(file.line(number)).1);
        comments
    }
}

impl Entity {
    /// Returns the places where the entity is defined, ordered by file and offset.
    pub(super) fn definitions(&self) -> impl Iterator<Item = Location> {
        self.places.iter().filter(|place| place.defines).map(|place| place.location)
    }

    /// The place of its first definition.
    pub(super) fn definition(&self) -> Option<Location> {
        self.definitions().next()
    }
}

/// Removes the `;` or `;;` from a comment.
fn strip_comment_mark(comment: &str) -> &str {
    let text = comment.strip_prefix(";;").or_else(|| comment.strip_prefix(';'));
    let text = text.unwrap_or(comment);
    text.strip_prefix(' ').unwrap_or(text).trim_end()
}

fn code_block(text: &str) -> String {
    format!("```gray1\n{}\n```", text.replace("```", "` ` `"))
}

/// Escapes a string so that Markdown shows it literally, with each line's leading blanks.
fn escape_markdown(text: &str) -> String {
    let mut markdown = String::new();
    for line in text.lines() {
        let rest = line.trim_start_matches(' ');
        markdown.push_str(&"\u{a0}".repeat(line.len() - rest.len()));
        for c in rest.chars() {
            if c.is_ascii_punctuation() && !",.:;()/'\"?%".contains(c) {
                markdown.push('\\');
            }
            markdown.push(c);
        }
        markdown.push_str("  \n");
    }
    markdown.trim_end().to_owned()
}

fn describe(meaning: &KnownMeaning) -> String {
    match meaning {
        KnownMeaning::Label(index) => format!("Label: index {index} = 0x{index:04x}"),
        KnownMeaning::Routine(index) => format!("Routine: index {index} = 0x{index:04x}"),
        KnownMeaning::Constant(Value::Number(value @ 10..)) => {
            format!("Constant: {value} = 0x{value:x}")
        }
        KnownMeaning::Constant(_) => format!("Constant: {}", describe_briefly(meaning)),
        KnownMeaning::Variable { address, size: 1 } => {
            format!("Variable: a byte at address 0x{address:04x}")
        }
        KnownMeaning::Variable { address, size } => {
            format!("Variable: {size} bytes at address 0x{address:04x}")
        }
    }
}

fn describe_briefly(meaning: &KnownMeaning) -> String {
    match meaning {
        KnownMeaning::Label(index) | KnownMeaning::Routine(index) => format!("0x{index:04x}"),
        KnownMeaning::Variable { address, .. } => format!("0x{address:04x}"),
        KnownMeaning::Constant(Value::Number(value)) => value.to_string(),
        KnownMeaning::Constant(Value::Text(text)) => format!("{text:?}"),
        KnownMeaning::Constant(Value::Pooled(value)) => format!("the byte that holds {value}"),
    }
}

pub(super) fn format_cost(Cost { least, most }: Cost) -> String {
    match (least, most) {
        (1, 1) => "1 instruction".to_owned(),
        _ if least == most => format!("{least} instructions"),
        _ => format!("{least} to {most} instructions"),
    }
}

/// Joins items into a list. Adds the count unless there is exactly one item.
fn join_list(mut all: Vec<String>, one: &str, several: &str) -> String {
    let count = all.len();
    all.truncate(VALUES_MAX);
    let shown = all.join(", ");
    match count {
        1 => format!("{one} {shown}"),
        _ if count > VALUES_MAX => format!("{count} {several}: {shown}, …"),
        _ => format!("{count} {several}: {shown}"),
    }
}
