//! The analysis of a program: definitions, references and folds, and the helpers of all other
//! answers.

use std::ops::RangeInclusive;

use gray1_language::{Lexer, Token};

use super::index::{Fold, Index, Occurrence, Viewpoint};
use super::walk;
use crate::assemble::{Assembly, analyze};
use crate::define::Define;
use crate::diagnostic::Diagnostic;
use crate::facts::Facts;
use crate::limits::LINE_BYTES_MAX;
use crate::source::{FileId, Files, InputFile, Loader, Location, Source, Span};

/// The analysis of a source and of all files that it includes.
#[derive(Debug)]
pub struct Analysis {
    /// Errors and warnings, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The source and all it included.
    pub files: Files,
    pub(super) facts: Facts,
    pub(super) index: Index,
    /// The names that a `.default` takes another value for.
    pub(super) given: Vec<String>,
}

impl Analysis {
    /// Analyses a source and all files that it includes.
    pub fn new(source: Source, loader: &mut dyn Loader) -> Self {
        Self::with(source, loader, &[])
    }

    /// The same with other values for the constants among these that the program defines by
    /// `.default`.
    pub fn with(source: Source, loader: &mut dyn Loader, defines: &[Define]) -> Self {
        let (Assembly { diagnostics, files, .. }, facts) = analyze(source, loader, defines);
        let index = walk::index(&files);
        let given = defines.iter().map(|define| define.name.clone()).collect();
        Self { diagnostics, files, facts, index, given }
    }

    /// Analyses the text of a file alone: its index, without values.
    pub(super) fn of_text(text: &str) -> Self {
        let mut files = Files::default();
        let (id, name) = (String::new(), String::new());
        files.add(InputFile::new(Source { id, name, text: text.to_owned() }));
        let index = walk::index(&files);
        let (diagnostics, facts, given) = (Vec::new(), Facts::default(), Vec::new());
        Self { diagnostics, files, facts, index, given }
    }

    /// The definitions of the name at a byte; for the name of an included file, its start.
    #[must_use]
    pub fn definitions(&self, file: FileId, offset: u32) -> Vec<Location> {
        if let Some(included) = self.included(file, offset) {
            return vec![Location { file: included, span: Span { start: 0, end: 0 } }];
        }
        self.places(file, offset, |defines| defines)
    }

    /// The uses of the name at a byte, and its definitions if those are asked for as well.
    #[must_use]
    pub fn references(&self, file: FileId, offset: u32, with_definitions: bool) -> Vec<Location> {
        self.places(file, offset, |defines| with_definitions || !defines)
    }

    /// The start of the program; a library that makes no words does not.
    #[must_use]
    pub fn start(&self) -> Option<Location> {
        self.facts.start
    }

    /// The lines of a file that belong together.
    #[must_use]
    pub fn folds(&self, file: FileId) -> &[Fold] {
        self.index.file(file).map_or(&[], |file| &file.folds)
    }

    fn places(&self, file: FileId, offset: u32, wanted: impl Fn(bool) -> bool) -> Vec<Location> {
        let entities = self.index.occurrence(file, offset).map_or(&[][..], |o| &o.entities);
        let places = entities.iter().flat_map(|&id| &self.index.entities[id].places);
        let places = places.filter(|place| wanted(place.defines)).map(|place| place.location);
        unique(places.collect())
    }

    /// The file that is included by the name at a byte.
    fn included(&self, file: FileId, offset: u32) -> Option<FileId> {
        let includes = &self.index.file(file)?.includes;
        let span = includes.iter().find(|span| (span.start..=span.end).contains(&offset))?;
        let name = self.files.text(Location { file, span: *span });
        self.facts.includes.get(&(file, name.into())).copied()
    }

    pub(super) fn occurrence(&self, file: FileId, offset: u32) -> Option<&Occurrence> {
        self.index.occurrence(file, offset)
    }

    /// Those of these lines, counted from 1, that a file has.
    pub(super) fn lines_in(&self, file: FileId, lines: RangeInclusive<u32>) -> RangeInclusive<u32> {
        let last = self.files.get(file).line_count();
        *lines.start().max(&1)..=*lines.end().min(&last)
    }

    /// The tokens of a line, and where the line starts. One that the assembler refuses has none.
    pub(super) fn tokens_of_line(&self, file: FileId, number: u32) -> (Vec<Token<'_>>, u32) {
        let file = self.files.get(file);
        let text = file.line(number);
        let text = if text.len() > LINE_BYTES_MAX { "" } else { text };
        (Lexer::new(text).collect(), file.line_span(number).start)
    }

    /// The names in sight of a line. Behind the last line there is nothing to see but what is seen
    /// everywhere.
    pub(super) fn seen_from(&self, file: FileId, number: u32) -> Option<Viewpoint> {
        let lines = &self.index.file(file)?.lines;
        lines.get(number as usize - 1).or(lines.last()).copied()
    }

    /// The line of a byte: its text, its start, its number.
    pub(super) fn line(&self, file: FileId, offset: u32) -> (&str, u32, u32) {
        let file = self.files.get(file);
        let number = file.line_of(offset);
        (file.line(number), file.line_span(number).start, number)
    }

    /// The token at a byte, where it starts in the file, and whether a statement starts with it.
    pub(super) fn token(&self, file: FileId, offset: u32) -> Option<(Token<'_>, u32, bool)> {
        let (text, start, _) = self.line(file, offset);
        let within = (offset - start) as usize;
        let tokens: Vec<Token<'_>> = Lexer::new(text).collect();
        let is_hit = |t: &Token<'_>| t.start <= within && within <= t.end();
        let number = tokens.iter().rposition(is_hit)?;
        let is_first = number == 0 || tokens[number - 1].is(":");
        Some((tokens[number], start + tokens[number].start as u32, is_first))
    }
}

/// Places in their order, each once.
pub(super) fn unique(mut places: Vec<Location>) -> Vec<Location> {
    places.sort_unstable();
    places.dedup();
    places
}
