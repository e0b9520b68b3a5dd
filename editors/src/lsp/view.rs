//! A document in its program. All requests about documents are answered from such a view.

use std::ops::RangeInclusive;

use gray1_asm::{Analysis, FileId, InputFile, Location as Place, Span};

use super::positions;
use super::protocol::{Location, Position, Range};

/// Returns the URI of a file from its identity, if the client can show the file.
pub type Uris<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;

/// A document in its program.
pub struct View<'a> {
    /// The program.
    pub program: &'a Analysis,
    /// The program, and other programs that may share files with it.
    pub programs: Vec<&'a Analysis>,
    /// The document.
    pub file: FileId,
    pub uri: Uris<'a>,
}

impl View<'_> {
    pub(super) fn document(&self) -> &InputFile {
        self.program.files.get(self.file)
    }

    /// The byte at a position.
    pub(super) fn offset(&self, position: Position) -> u32 {
        positions::offset(self.document(), position)
    }

    /// The range of a span of the document.
    pub(super) fn range(&self, span: Span) -> Range {
        positions::range(self.document(), span)
    }

    /// The numbers of the lines that a range touches, counted from 1.
    pub(super) fn lines(range: Range) -> RangeInclusive<u32> {
        range.start.line.saturating_add(1)..=range.end.line.saturating_add(1)
    }

    /// The location of a place in the program, if the client can show it.
    pub(super) fn location(&self, at: Place) -> Option<Location> {
        self.location_in(self.program.files.get(at.file), at.span)
    }

    /// The location of a place in the program, if the author can edit the file.
    pub(super) fn editable_location(&self, at: Place) -> Option<Location> {
        self.editable_location_in(self.program.files.get(at.file), at.span)
    }

    fn location_in(&self, file: &InputFile, span: Span) -> Option<Location> {
        let uri = (self.uri)(file.id())?;
        Some(Location { uri, range: positions::range(file, span) })
    }

    /// The location of a part of a file of any program, if the author can edit the file.
    pub(super) fn editable_location_in(&self, file: &InputFile, span: Span) -> Option<Location> {
        let is_built_in = gray1_programs::built_in_path(file.id()).is_some();
        if is_built_in { None } else { self.location_in(file, span) }
    }
}
