//! The lines of the program's main source: the current line, and the lines with breakpoints.

use std::sync::Arc;

use gray1_debugger::{Breakpoints, SourceLines};
use gray1_isa::{Image, RomIndex, SourceLine};

/// The number of the main source file.
const ROOT: u16 = 0;

/// Maps instructions to lines of the main source, and back.
pub(crate) struct MainLines {
    image: Arc<Image>,
    lines: SourceLines,
}

impl MainLines {
    pub(crate) fn new(image: &Arc<Image>) -> Self {
        Self { image: Arc::clone(image), lines: SourceLines::new(image.source_map()) }
    }

    /// Returns the line of an instruction, counted from 1. For code from a library, it is the line
    /// of the macro call.
    pub(crate) fn line_at(&self, index: RomIndex) -> Option<u32> {
        let levels = self.lines.lines_of(self.image.source_map(), index);
        let places = levels.iter().map(|level| level.origin.place);
        places.into_iter().find(|place| place.file == ROOT).map(|place| place.line)
    }

    /// Returns the first instruction of a line, or of the next line that has instructions.
    pub(crate) fn first_instruction(&self, line: u32) -> Option<RomIndex> {
        let (_, starts) = self.lines.starts(SourceLine { file: ROOT, line })?;
        starts.first().copied()
    }

    /// Returns the lines that have breakpoints.
    pub(crate) fn breakpoint_lines(&self, breaks: &Breakpoints) -> Vec<u32> {
        let conditions = breaks.list().iter().filter_map(|it| it.condition());
        conditions.filter_map(|it| self.line_at(it.instruction()?)).collect()
    }
}
