//! A document as a request looks at it: its file, in the program that it is a part of.

use std::ops::RangeInclusive;

use gray1_asm::{Analysis, FileId, InputFile, Location as Place, Span};

use super::documents::Documents;
use super::positions;
use super::protocol::{Location, Position, Range};

/// A document in its program.
pub(super) struct View<'a> {
    pub(super) program: &'a Analysis,
    /// That one, and those that may share files with it.
    pub(super) programs: &'a [Analysis],
    pub(super) documents: &'a Documents,
    pub(super) file: FileId,
}

impl View<'_> {
    /// The document.
    pub(super) fn text(&self) -> &InputFile {
        self.program.files.get(self.file)
    }

    /// The byte at a position.
    pub(super) fn offset(&self, position: Position) -> u32 {
        positions::offset(self.text(), position)
    }

    /// The range of a span of the document.
    pub(super) fn range(&self, span: Span) -> Range {
        positions::range(self.text(), span)
    }

    /// The numbers of the lines that a range touches, counted from 1.
    pub(super) fn lines(range: Range) -> RangeInclusive<u32> {
        range.start.line.saturating_add(1)..=range.end.line.saturating_add(1)
    }

    /// A place of the program, wherever an editor can show it.
    pub(super) fn location(&self, at: Place) -> Option<Location> {
        self.documents.location(self.program.files.get(at.file), at.span)
    }

    /// The same, if it can be edited there.
    pub(super) fn editable(&self, at: Place) -> Option<Location> {
        self.documents.editable(self.program.files.get(at.file), at.span)
    }
}
