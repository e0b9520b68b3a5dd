//! The instructions executed last, and the wires before the last edge. Both depend only on the
//! position in the history, and are found on demand.

use std::sync::Arc;

use gray1_circuit::Circuit;

use super::history::History;
use super::replay::Replay;
use super::why::{Records, Story};
use super::window::{RECENT, RecentSteps, Window};

/// The last instructions, executed again on a separate machine.
#[derive(Debug)]
pub(super) struct Trail {
    /// The other fields are valid for its position.
    replay: Replay,
    window: Window,
    /// The levels of all wires before the last edge, on an engine with wires; `None` just after a
    /// reset, and at the end of a program.
    levels_before: Option<Vec<bool>>,
    /// What is recorded for questions, and the last answer.
    pub(super) records: Records,
    pub(super) story: Option<Arc<Story>>,
}

/// One more than is kept, so that the oldest one knows the instruction before it.
const NOTED: u64 = RECENT + 1;

impl Trail {
    pub(super) fn new(history: &History) -> Self {
        let replay = history.replay_from(history.checkpoints().nearest(0));
        Self {
            window: Window::at(&replay),
            replay,
            levels_before: None,
            records: Records::default(),
            story: None,
        }
    }

    /// The instructions executed last.
    pub(super) fn recent(&mut self, history: &History) -> RecentSteps {
        self.find(history);
        self.window.recent()
    }

    /// The levels of all wires before the last edge, on an engine with wires; `None` just after a
    /// reset, and at the end of a program.
    pub(super) fn levels_before(&mut self, history: &History) -> Option<&[bool]> {
        self.find(history);
        self.levels_before.as_deref()
    }

    /// Executes up to the present, from where it was the last time if possible.
    fn find(&mut self, history: &History) {
        let (now, inputs) = (history.position(), history.inputs());
        let first = now.0.saturating_sub(NOTED).max(history.start());
        let start = history.checkpoints().nearest(first);
        let is_on_the_way = self.replay.revision == history.revision()
            && self.replay.position() <= now
            && self.replay.moment() >= start.moment()
            && self.replay.engine.error().is_none();
        if !is_on_the_way {
            self.replay.restore(start, inputs);
            self.replay.revision = history.revision();
        }
        if !is_on_the_way || self.replay.moment() < first {
            self.replay.go_to(inputs, first);
            self.window = Window::at(&self.replay);
        }
        while self.replay.position() < now || self.has_still_to_fail(history) {
            let is_last = self.replay.moment() + u64::from(now.1 == 0) >= now.0;
            let moment = self.replay.moment();
            if is_last {
                self.levels_before = self.replay.engine.circuit().map(Circuit::levels);
                self.replay.edge(inputs);
            } else {
                self.replay.go_to(inputs, moment + 1);
            }
            if self.replay.moment() > moment {
                self.window.note(&self.replay, inputs);
            }
        }
        self.replay.fresh.clear();
        // Nothing precedes a reset.
        if now.1 == 0 && self.window.recent().newest().is_none() {
            self.levels_before = None;
        }
    }

    fn has_still_to_fail(&self, history: &History) -> bool {
        history.engine().error().is_some() && self.replay.engine.error().is_none()
    }
}
