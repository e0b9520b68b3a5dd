//! Executes edges of the oscillator once more when the waves around the present are wanted, and
//! remembers them for the next steps.

use std::sync::Arc;

use gray1_board::Board;
use gray1_debugger::{self, Debugger};

use super::levels::LevelSource;
use super::{Program, Rate, Waves};

/// How many edges are executed once more on each side of the present: twice as many as are shown,
/// so that they serve for some steps.
const RECORDED: usize = 2 * Waves::REACH;
/// In instructions a second; at a faster pace the lines cannot be followed on the screen.
const RATE_MAX: u64 = 100;

/// Whether a machine runs slowly enough for its waves to be watched.
pub(super) fn follows(rate: Rate) -> bool {
    matches!(rate, Rate::Instructions(per_second) if per_second <= RATE_MAX)
}

/// The source of the waves.
#[derive(Default)]
pub(super) struct WaveSource {
    known: Option<Known>,
}

/// What was executed once more, and what it depends on.
struct Known {
    program: Arc<Program>,
    /// The inputs that the history had got.
    revision: u64,
    board: Arc<Board>,
    record: Arc<gray1_debugger::Waves>,
}

impl WaveSource {
    /// The waves around the present.
    pub(super) fn waves(
        &mut self,
        program: &Arc<Program>,
        debugger: &Debugger,
        levels: &mut LevelSource,
    ) -> Waves {
        let is_replica = debugger.wires().is_none();
        let known = match self.known.take() {
            Some(known) if known.serves(program, debugger) => known,
            _ => Known::of(program, debugger, levels),
        };
        let (board, record) = (Arc::clone(&known.board), Arc::clone(&known.record));
        let now = known.place(debugger).unwrap_or(record.now);
        self.known = Some(known);
        Waves { board, is_replica, record, now }
    }
}

impl Known {
    fn of(program: &Arc<Program>, debugger: &Debugger, levels: &mut LevelSource) -> Self {
        let history = debugger.history();
        let (board, record) = if let Some(wires) = debugger.wires() {
            (Arc::clone(&wires.board), history.waves(RECORDED, None))
        } else {
            let (board, preset) = levels.replica(program);
            (Arc::clone(board), history.waves(RECORDED, Some(preset)))
        };
        let (program, revision) = (Arc::clone(program), history.revision());
        Self { program, revision, board, record: Arc::new(record) }
    }

    /// The number of the present edge.
    fn place(&self, debugger: &Debugger) -> Option<usize> {
        let (present, edges) = (debugger.position(), &self.record.edges);
        let place = edges.partition_point(|edge| edge.position <= present).checked_sub(1)?;
        (edges[place].position == present).then_some(place)
    }

    /// Whether it holds as much around the present as is shown.
    fn serves(&self, program: &Arc<Program>, debugger: &Debugger) -> bool {
        let is_same_run =
            Arc::ptr_eq(&self.program, program) && self.revision == debugger.history().revision();
        let (record, reach) = (&self.record, Waves::REACH);
        is_same_run
            && self.place(debugger).is_some_and(|place| {
                let reaches_back = record.is_whole_past || place >= reach;
                reaches_back && (record.is_whole_future || place + reach < record.edges.len())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Command, LineDetail};
    use crate::tests as testing;

    #[test]
    fn what_was_executed_once_more_serves_the_next_steps() {
        for step in [Command::StepPhase, Command::StepPhaseBack] {
            let mut session = testing::session(testing::program("queens"), false);
            session.advance_by(1000);
            session.command(Command::RunOrPause);
            session.command(Command::ShowLines(LineDetail::Waves));
            let waves = session.snapshot().waves.unwrap();
            assert_eq!((waves.now(), waves.edges().len()), (Waves::REACH, 2 * Waves::REACH + 1));
            let first = waves.record;
            for steps in 1..=Waves::REACH + 1 {
                session.command(step.clone());
                let record = session.snapshot().waves.unwrap().record;
                assert_eq!(Arc::ptr_eq(&first, &record), steps <= Waves::REACH, "{steps}");
            }
        }
    }
}
