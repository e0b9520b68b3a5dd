//! The analysis of a program: definitions, references, folds, and the helpers that the other
//! analyses share.

use std::ops::RangeInclusive;

use gray1_language::{Lexer, Token};

use super::index::{Fold, Index, Occurrence, Viewpoint};
use super::walk;
use crate::assemble::{Assembly, analyze};
use crate::define::Define;
use crate::diagnostic::Diagnostic;
use crate::facts::Facts;
use crate::limits::LINE_BYTES_MAX;
use crate::names::Names;
use crate::parse::parse;
use crate::source::{FileId, Files, InputFile, Loader, Location, Source, Span};

/// The analysis of a source and of the files that it includes.
#[derive(Debug)]
pub struct Analysis {
    /// Errors and warnings, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The source and all files that it includes.
    pub files: Files,
    pub(super) facts: Facts,
    pub(super) index: Index,
    /// The names of `.default` constants that got another value.
    pub(super) overridden: Vec<String>,
}

impl Analysis {
    /// Analyses a source and the files that it includes.
    pub fn new(source: Source, loader: &mut dyn Loader) -> Self {
        Self::with_defines(source, loader, &[])
    }

    /// Analyses a source with other values for its `.default` constants. Values for unknown names
    /// are ignored.
    pub fn with_defines(source: Source, loader: &mut dyn Loader, defines: &[Define]) -> Self {
        let (Assembly { diagnostics, files, .. }, facts) = analyze(source, loader, defines);
        let index = walk::build_index(&files, &facts.trees);
        let overridden = defines.iter().map(|define| define.name.clone()).collect();
        Self { diagnostics, files, facts, index, overridden }
    }

    /// Indexes one source without its includes and without values.
    pub(super) fn from_text(text: &str) -> Self {
        let mut files = Files::default();
        let (id, name) = (String::new(), String::new());
        files.add(InputFile::new(Source { id, name, text: text.to_owned() }));
        let lines = &files.get(FileId::ROOT).lines;
        let (items, _) = parse(FileId::ROOT, lines, &mut Names::default());
        let index = walk::build_index(&files, &[items]);
        let (diagnostics, facts, overridden) = (Vec::new(), Facts::default(), Vec::new());
        Self { diagnostics, files, facts, index, overridden }
    }

    /// Returns the definitions of the name at a byte offset. For the file name of an `.include`,
    /// returns the start of that file.
    pub fn definitions(&self, file: FileId, offset: u32) -> Vec<Location> {
        if let Some(included) = self.find_included(file, offset) {
            return vec![Location { file: included, span: Span { start: 0, end: 0 } }];
        }
        self.find_places(file, offset, |defines| defines)
    }

    /// Returns the uses of the name at a byte offset, and its definitions if requested.
    pub fn references(&self, file: FileId, offset: u32, with_definitions: bool) -> Vec<Location> {
        self.find_places(file, offset, |defines| with_definitions || !defines)
    }

    /// Returns the place of the first instruction. A library without instructions has none.
    pub fn start(&self) -> Option<Location> {
        self.facts.start
    }

    /// Returns the ranges of lines that an editor can fold.
    pub fn folds(&self, file: FileId) -> &[Fold] {
        self.index.file(file).map_or(&[], |file| &file.folds)
    }

    fn find_places(&self, file: FileId, offset: u32, keep: impl Fn(bool) -> bool) -> Vec<Location> {
        let entities = self.index.occurrence(file, offset).map_or(&[][..], |o| &o.entities);
        let places = entities.iter().flat_map(|&id| &self.index.entities[id].places);
        unique(places.filter(|place| keep(place.defines)).map(|place| place.location).collect())
    }

    /// Returns the file that the `.include` at a byte offset names.
    fn find_included(&self, file: FileId, offset: u32) -> Option<FileId> {
        let includes = &self.index.file(file)?.includes;
        let span = includes.iter().find(|span| (span.start..=span.end).contains(&offset))?;
        let name = self.files.text(Location { file, span: *span });
        self.facts.includes.get(&(file, name.into())).copied()
    }

    pub(super) fn occurrence(&self, file: FileId, offset: u32) -> Option<&Occurrence> {
        self.index.occurrence(file, offset)
    }

    /// Limits a range of lines (counted from 1) to the lines that the file has.
    pub(super) fn lines_in(&self, file: FileId, lines: RangeInclusive<u32>) -> RangeInclusive<u32> {
        let last = self.files.get(file).line_count();
        *lines.start().max(&1)..=*lines.end().min(&last)
    }

    /// Returns the tokens of a line and the line's start. A line that is too long has no tokens.
    pub(super) fn tokens_of_line(&self, file: FileId, number: u32) -> (Vec<Token<'_>>, u32) {
        let file = self.files.get(file);
        let text = file.line(number);
        let text = if text.len() > LINE_BYTES_MAX { "" } else { text };
        (Lexer::new(text).collect(), file.line_span(number).start)
    }

    /// Returns the names that are visible in a line. After the last line, only global names are.
    pub(super) fn view_from(&self, file: FileId, number: u32) -> Option<Viewpoint> {
        let lines = &self.index.file(file)?.lines;
        lines.get(number as usize - 1).or(lines.last()).copied()
    }

    /// Returns the line at a byte offset.
    pub(super) fn line(&self, file: FileId, offset: u32) -> LineAt<'_> {
        let file = self.files.get(file);
        let number = file.line_of(offset);
        LineAt { text: file.line(number), start: file.line_span(number).start, number }
    }
}

/// A line of a file.
pub(super) struct LineAt<'a> {
    pub(super) text: &'a str,
    /// The offset of its first byte in the file.
    pub(super) start: u32,
    pub(super) number: u32,
}

/// Sorts places and removes duplicates.
pub(super) fn unique(mut places: Vec<Location>) -> Vec<Location> {
    places.sort_unstable();
    places.dedup();
    places
}
