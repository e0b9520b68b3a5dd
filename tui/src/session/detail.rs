//! Details of a snapshot that take work, and are made only while a pane shows them.

use std::sync::Arc;

use gray1_debugger::Debugger;

use super::levels::LevelSource;
use super::profile::Profiler;
use super::wave_source::WaveSource;
use super::{BoardLoader, Levels, LineDetail, Program, Waves};

/// The wanted details, and their sources.
pub(super) struct Detail {
    pub(super) lines: LineDetail,
    levels: LevelSource,
    waves: WaveSource,
    /// Counts what is executed, if that is wanted.
    pub(super) profiler: Option<Profiler>,
}

impl Detail {
    pub(super) fn new(board: BoardLoader) -> Self {
        Self {
            lines: LineDetail::default(),
            levels: LevelSource::new(board),
            waves: WaveSource::default(),
            profiler: None,
        }
    }

    /// The levels and the waves of the board's wires, as far as they are wanted. Waves take too
    /// long for a machine that is not slow.
    pub(super) fn of(
        &mut self,
        program: &Arc<Program>,
        debugger: &mut Debugger,
        is_slow: bool,
    ) -> (Option<Arc<Levels>>, Option<Waves>) {
        match self.lines {
            LineDetail::Levels => (Some(Arc::new(self.levels.levels(program, debugger))), None),
            LineDetail::Waves if is_slow => {
                (None, Some(self.waves.waves(program, debugger, &mut self.levels)))
            }
            LineDetail::Waves | LineDetail::Nothing => (None, None),
        }
    }
}
