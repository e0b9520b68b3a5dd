//! The recent past: the last executed instructions, and the wires before the last edge. Both depend
//! only on the position in the history, and are recomputed on demand.

use std::sync::Arc;

use super::history::History;
use super::recorder::{RECENT, RecentSteps, Recorder, WaveEdge};
use super::why::{Explanation, Records};

/// A record of the last instructions, which a separate machine executes again.
#[derive(Debug)]
pub(super) struct Trail {
    /// The record of the last instructions. For the last one, it also has the edges.
    recorder: Recorder,
    /// The records for questions, and the last answer.
    pub(super) records: Records,
    pub(super) explanation: Option<Arc<Explanation>>,
}

/// The number of recorded instructions. It is one more than the number shown, so that the
/// instruction before the oldest shown one is known.
const NOTED: u64 = RECENT + 1;

impl Trail {
    pub(super) fn new(history: &History) -> Self {
        let recorder = Recorder::new(history.replay_from(history.checkpoints().nearest(0)));
        Self { recorder, records: Records::default(), explanation: None }
    }

    /// Returns the most recently executed instructions.
    pub(super) fn recent(&mut self, history: &History) -> RecentSteps {
        self.find(history);
        self.recorder.recent(history.inputs())
    }

    /// Returns the levels of all wires before the last edge, on an engine with wires. Returns
    /// `None` just after a reset, and at the end of a program.
    pub(super) fn levels_before(&mut self, history: &History) -> Option<&[bool]> {
        self.find(history);
        history.engine().circuit()?;
        if history.engine().edges() == 0 {
            self.recorder.recent(history.inputs()).newest()?;
        }
        let (_, before) = self.recorder.edges.split_last()?;
        before.last().map(WaveEdge::levels)
    }

    /// Records up to the present, and continues an earlier record if possible.
    fn find(&mut self, history: &History) {
        let (now, inputs) = (history.position(), history.inputs());
        let first = now.moment.saturating_sub(NOTED).max(history.start());
        let checkpoint = history.checkpoints().nearest(first);
        let recorder = &mut self.recorder;
        let can_continue = history.can_catch_up(&recorder.replay)
            && recorder.replay.moment() >= checkpoint.moment()
            && recorder.replay.engine.error().is_none();
        if !can_continue {
            recorder.replay.restore(checkpoint, inputs);
        }
        if !can_continue || recorder.replay.moment() < first {
            recorder.replay.go_to(inputs, first);
            recorder.restart();
        }
        let fails = history.engine().error().is_some();
        recorder.replay.go_to(inputs, recorder.replay.moment());
        let before = if now.edges == 0 { now.moment.saturating_sub(1) } else { now.moment };
        if recorder.replay.moment() < before {
            recorder.record_steps(inputs, before);
            recorder.edges.clear();
        }
        while recorder.replay.position() < now || fails && recorder.replay.engine.error().is_none()
        {
            if recorder.edges.is_empty() {
                recorder.record_present(inputs, None);
            }
            recorder.record_edge(inputs, None);
        }
    }
}
