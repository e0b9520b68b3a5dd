//! Source files: their texts, the starts of their lines, and the loader of included files.

use std::collections::HashMap;

use gray1_isa::format::Position;
use gray1_isa::{SourceLine, SourceText};

/// A source file as the caller hands it over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The identity of this file, such as its canonical path: a file is included once.
    pub id: String,
    /// The name that messages, listings and source maps show.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Finds the files that `.include` names. The assembler itself reads no files.
pub trait Loader {
    /// Fetches the file called `name` in an `.include` of the file `includer`.
    ///
    /// # Errors
    /// If there is no such file, or it is not text: a short message that says why.
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String>;

    /// The name of a loadable file that is similar to one that cannot be loaded.
    fn similar_to(&self, _name: &str) -> Option<String> {
        None
    }

    /// The name of a file that could be included to define `name`, for the help of an error.
    fn library_of(&self, _name: &str) -> Option<String> {
        None
    }
}

/// A loader for sources that include nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoIncludes;

impl Loader for NoIncludes {
    fn load(&mut self, _: &InputFile, _: &str) -> Result<Source, String> {
        Err("files cannot be included here".to_owned())
    }
}

/// A file of an assembly, numbered in the order in which the files were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(crate) u16);

impl FileId {
    /// The file that the assembler was started on.
    pub const ROOT: Self = Self(0);

    pub(crate) fn to_usize(self) -> usize {
        usize::from(self.0)
    }
}

/// A range of a file, in bytes from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// From the start of `self` to the end of `other`.
    #[must_use]
    pub(crate) fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A range of one of the files of an assembly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// The range in it.
    pub span: Span,
}

impl Location {
    /// The start of the source.
    pub(crate) const START: Self = Self { file: FileId::ROOT, span: Span { start: 0, end: 0 } };

    /// True if `other` is a part of this one.
    pub(crate) fn contains(self, other: Self) -> bool {
        self.file == other.file
            && self.span.start <= other.span.start
            && other.span.end <= self.span.end
    }
}

/// A source file that was read.
#[derive(Debug, Clone)]
pub struct InputFile {
    id: String,
    name: String,
    /// Shared with the image.
    pub(crate) lines: SourceText,
}

impl InputFile {
    pub(crate) fn new(Source { id, name, text }: Source) -> Self {
        Self { id, name, lines: SourceText::new(text) }
    }

    /// The identity of this file.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name that messages show.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.lines.text()
    }

    /// The number of lines; an empty one after the last line end counts.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32 + u32::from(self.lines.ends_with_line_end())
    }

    /// The number of the line that holds a byte, counted from 1.
    #[must_use]
    pub fn line_of(&self, offset: u32) -> u32 {
        self.lines.line_of(offset) as u32 + 1
    }

    /// The start and the end of a line (without its line end), in bytes. Counted from 1.
    ///
    /// # Panics
    /// If there is no such line.
    #[must_use]
    pub fn line_span(&self, line: u32) -> Span {
        let span = self.lines.span(line as usize - 1).expect("a line of this file");
        Span { start: span.start, end: span.end }
    }

    /// A line without its end. Counted from 1.
    ///
    /// # Panics
    /// If there is no such line.
    #[must_use]
    pub fn line(&self, line: u32) -> &str {
        let Span { start, end } = self.line_span(line);
        &self.text()[start as usize..end as usize]
    }

    /// The lines without their ends. A line end at the end of the text starts no further line.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter()
    }

    /// The line and the column of a byte.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_of(offset);
        let before = &self.text()[self.line_span(line).start as usize..offset as usize];
        Position { line: line as usize, column: before.chars().count() + 1 }
    }
}

/// The files of an assembly.
#[derive(Debug, Clone, Default)]
pub struct Files {
    files: Vec<InputFile>,
    by_id: HashMap<String, FileId>,
}

impl Files {
    /// Adds a file; `None` if there are already as many as a source map can number.
    pub(crate) fn add(&mut self, file: InputFile) -> Option<FileId> {
        let id = FileId(u16::try_from(self.files.len()).ok()?);
        self.by_id.insert(file.id.clone(), id);
        self.files.push(file);
        Some(id)
    }

    /// The file of this identity.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<FileId> {
        self.by_id.get(id).copied()
    }

    /// A file.
    #[must_use]
    pub fn get(&self, file: FileId) -> &InputFile {
        &self.files[usize::from(file.0)]
    }

    /// All files, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = &InputFile> {
        self.files.iter()
    }

    /// The same, each with its number.
    pub(crate) fn iter_with_ids(&self) -> impl Iterator<Item = (FileId, &InputFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The text at a location.
    #[must_use]
    pub fn text(&self, at: Location) -> &str {
        &self.get(at.file).text()[at.span.start as usize..at.span.end as usize]
    }

    /// File and line of a location, as source maps keep it.
    #[must_use]
    pub fn place(&self, at: Location) -> SourceLine {
        SourceLine { file: at.file.0, line: self.get(at.file).line_of(at.span.start) }
    }
}
