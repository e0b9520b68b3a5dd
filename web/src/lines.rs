//! The lines of the program's own source: the current one, and those with breaks.

use std::sync::Arc;

use gray1_debugger::{Breakpoints, SourceLines};
use gray1_isa::{Image, RomIndex, SourceLine};

/// The number of the program's own file, with which the assembler began.
const ROOT: u16 = 0;

/// The lines of a program.
pub(crate) struct OwnLines {
    image: Arc<Image>,
    lines: SourceLines,
}

impl OwnLines {
    pub(crate) fn of(image: &Arc<Image>) -> Self {
        Self { image: Arc::clone(image), lines: SourceLines::new(image.source_map()) }
    }

    /// The line of an instruction, counted from 1: its own, or that of the call of a library's
    /// macro.
    pub(crate) fn at(&self, index: RomIndex) -> Option<u32> {
        let levels = self.lines.lines_of(self.image.source_map(), index);
        let places = levels.iter().map(|level| level.origin.place);
        places.into_iter().find(|place| place.file == ROOT).map(|place| place.line)
    }

    /// The first instruction of a line, or of the next line with instructions.
    pub(crate) fn start(&self, line: u32) -> Option<RomIndex> {
        let (_, starts) = self.lines.starts(SourceLine { file: ROOT, line })?;
        starts.first().copied()
    }

    /// The lines that have breaks.
    pub(crate) fn with_breaks(&self, breaks: &Breakpoints) -> Vec<u32> {
        let conditions = breaks.list().iter().filter_map(|it| it.condition());
        conditions.filter_map(|it| self.at(it.instruction()?)).collect()
    }
}
