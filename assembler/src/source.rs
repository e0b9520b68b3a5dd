//! Source files: their contents, the starts of their lines, and the loader of included files.

use std::collections::HashMap;

use gray1_isa::format::Position;
use gray1_isa::{SourceLine, SourceText};

/// A source file as the caller provides it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The identity of the file, such as its canonical path. Each file is included only once.
    pub id: String,
    /// The name that messages, listings and source maps show.
    pub name: String,
    /// The contents of the file.
    pub text: String,
}

/// Finds the files that `.include` names. The assembler itself does not read files.
pub trait Loader {
    /// Loads the file `name` that an `.include` in the file `includer` refers to.
    ///
    /// # Errors
    /// Returns a short reason if there is no such file, or if it is not text.
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String>;

    /// Returns the name of an existing file that is similar to one that cannot be loaded.
    fn find_similar(&self, name: &str) -> Option<String> {
        self.libraries()?.find_similar(name)
    }

    /// Returns the name of a file that defines `name`, as a suggestion to include it.
    fn find_library(&self, name: &str) -> Option<String> {
        self.libraries()?.find_library(name)
    }

    /// Returns the loader of the files that any program can include by their names.
    fn libraries(&self) -> Option<&dyn Loader> {
        None
    }
}

/// A loader that finds no files.
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
    /// The file that the assembler was started with.
    pub const ROOT: Self = Self(0);

    pub(crate) fn to_usize(self) -> usize {
        usize::from(self.0)
    }
}

/// A range in a file, in bytes from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The end of the range, one byte after the last.
    pub end: u32,
}

impl Span {
    /// Returns the range from the start of `self` to the end of `other`.
    pub(crate) fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A range in one of the files of an assembly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file that contains the range.
    pub file: FileId,
    /// The range in the file.
    pub span: Span,
}

impl Location {
    /// The start of the source.
    pub(crate) const START: Self = Self { file: FileId::ROOT, span: Span { start: 0, end: 0 } };

    /// Returns true if `other` is inside this range.
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
    /// The text and its lines, shared with the image.
    pub(crate) lines: SourceText,
}

impl InputFile {
    pub(crate) fn new(Source { id, name, text }: Source) -> Self {
        Self { id, name, lines: SourceText::new(text) }
    }

    /// Returns the identity of the file.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name that messages show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the contents of the file.
    pub fn text(&self) -> &str {
        self.lines.text()
    }

    /// Returns the number of lines. An empty line after the last line end counts.
    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32 + u32::from(self.lines.ends_with_line_end())
    }

    /// Returns the number of the line that contains a byte, counted from 1.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.lines.line_of(offset) as u32 + 1
    }

    /// Returns the range of a line (counted from 1) without its line end, in bytes.
    ///
    /// # Panics
    /// Panics if there is no such line.
    pub fn line_span(&self, line: u32) -> Span {
        let span = self.lines.span(line as usize - 1).expect("a line of this file");
        Span { start: span.start, end: span.end }
    }

    /// Returns a line (counted from 1) without its line end.
    ///
    /// # Panics
    /// Panics if there is no such line.
    pub fn line(&self, line: u32) -> &str {
        let Span { start, end } = self.line_span(line);
        &self.text()[start as usize..end as usize]
    }

    /// Iterates over the lines without their line ends. A final line end does not start another
    /// line.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter()
    }

    /// Returns the line and the column of a byte.
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
    /// Adds a file. Returns `None` if a source map cannot number any more files.
    pub(crate) fn add(&mut self, file: InputFile) -> Option<FileId> {
        let id = FileId(u16::try_from(self.files.len()).ok()?);
        self.by_id.insert(file.id.clone(), id);
        self.files.push(file);
        Some(id)
    }

    /// Returns the file with this identity.
    pub fn find(&self, id: &str) -> Option<FileId> {
        self.by_id.get(id).copied()
    }

    /// Returns a file by its number.
    pub fn get(&self, file: FileId) -> &InputFile {
        &self.files[usize::from(file.0)]
    }

    /// Iterates over all files, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = &InputFile> {
        self.files.iter()
    }

    /// Iterates over all files with their numbers.
    pub(crate) fn iter_with_ids(&self) -> impl Iterator<Item = (FileId, &InputFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// Returns the source at a location.
    pub fn text(&self, at: Location) -> &str {
        &self.get(at.file).text()[at.span.start as usize..at.span.end as usize]
    }

    /// Returns the file and the line of a location, as source maps store them.
    pub fn place(&self, at: Location) -> SourceLine {
        SourceLine { file: at.file.0, line: self.get(at.file).line_of(at.span.start) }
    }
}
