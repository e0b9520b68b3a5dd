//! The way on which a machine came to where it is: the instructions executed last, and the wires
//! before the last edge. Both are a function of the moment alone.

use gray1_sim::engine::{Engine, Snapshot};

use super::history::{History, Progress};
use super::inputs::Input;
use super::recent::{LENGTH, RecentSteps};
use super::watch_set::WatchSet;

/// The way to the present of a history. It moves the machine, so that it need not execute the last
/// instructions twice; where a run has stopped unforeseen, they are executed again on demand.
#[derive(Debug, Clone, Default)]
pub(super) struct Trail {
    recent: RecentSteps,
    /// An engine with wires before its last edge or instruction; `None` just after a reset, and at
    /// the end of a program.
    before: Option<Snapshot>,
    /// The moment from which on instructions were noted one by one.
    noted_from: u64,
    /// Whether `before` is of the present.
    knows_before: bool,
}

/// One more than are kept, so that the oldest one knows the instruction before it.
const NOTED: u64 = LENGTH as u64 + 1;

impl Trail {
    pub(super) fn new(history: &mut History) -> Self {
        let mut trail = Self::default();
        trail.retrace(history);
        trail
    }

    /// The instructions executed last. They are right after [`Self::find`].
    pub(super) fn recent(&self) -> &RecentSteps {
        &self.recent
    }

    /// The levels of all wires before the last edge, on an engine with wires; `None` just after a
    /// reset, and at the end of a program. They are right after [`Self::find`].
    pub(super) fn levels_before(&self, present: &dyn Engine) -> Option<Vec<bool>> {
        let position = |engine: &dyn Engine| (engine.executed(), engine.edges());
        let mut engine = present.boxed_clone();
        engine.restore(self.before.as_ref()?);
        loop {
            let levels = engine.circuit()?.levels();
            engine.edge();
            if position(&*engine) == position(present) || engine.halted() {
                return Some(levels);
            }
            debug_assert!(position(&*engine) < position(present), "it would run for ever");
        }
    }

    /// Runs to the first hit, `limit` instructions at most. The last instructions are executed one
    /// by one, to note them. So are the first ones, since many stops are near: the display of the
    /// queens search changes every 15 instructions.
    pub(super) fn run(
        &mut self,
        history: &mut History,
        watch_set: &WatchSet,
        limit: u64,
    ) -> Progress {
        let end = history.moment().saturating_add(limit);
        let near = end.min(history.moment().saturating_add(LENGTH as u64));
        if let Some(progress) = self.run_one_by_one(history, watch_set, near) {
            return progress;
        }
        let fast_end = end.saturating_sub(NOTED);
        if history.moment() < fast_end {
            let progress = history.run(watch_set, fast_end - history.moment());
            self.noted_from = history.moment();
            self.knows_before = false;
            if progress != Progress::Limit {
                return progress;
            }
        }
        let stopped = self.run_one_by_one(history, watch_set, end);
        stopped.unwrap_or(if history.engine().halted() {
            Progress::Halted
        } else {
            Progress::Limit
        })
    }

    /// Executes and notes instructions up to a moment; the reason if it stops before.
    fn run_one_by_one(
        &mut self,
        history: &mut History,
        watch_set: &WatchSet,
        end: u64,
    ) -> Option<Progress> {
        while history.moment() < end {
            // It takes a while to keep the state before an instruction: only the last one's is.
            let is_last = history.moment() + 1 == end;
            let run = |history: &mut History| history.run(watch_set, 1);
            let progress = if is_last {
                self.note(history, run)
            } else {
                self.knows_before = history.engine().circuit().is_none();
                self.recent.note(history, run)
            };
            if progress != Progress::Limit {
                return Some(progress);
            }
        }
        None
    }

    /// Turns the oscillator over once.
    pub(super) fn edge(&mut self, history: &mut History) {
        self.note(history, History::edge);
    }

    /// Lets a history go on by an instruction or an edge of the oscillator, and notes it.
    fn note<T>(&mut self, history: &mut History, go_on: impl FnOnce(&mut History) -> T) -> T {
        let engine = history.engine();
        self.before = engine.circuit().map(|_| engine.save());
        self.knows_before = true;
        let result = self.recent.note(history, go_on);
        // There is nothing before a reset.
        if history.engine().edges() == 0 && self.recent.newest().is_none() {
            self.before = None;
        }
        result
    }

    /// Does something from outside, before the instruction under way.
    pub(super) fn give(&mut self, history: &mut History, input: Input) {
        self.find(history);
        let edges = history.engine().edges();
        history.give(input);
        match input {
            Input::Reset => {
                self.recent.clear();
                self.before = None;
            }
            Input::Load(_) => self.recent.forget_register(),
            Input::Hold(_) | Input::Poke(..) => (0..edges).for_each(|_| self.edge(history)),
        }
    }

    /// Notes that the machine has gone elsewhere.
    pub(super) fn lose(&mut self, history: &History) {
        self.noted_from = history.moment();
        self.knows_before = false;
    }

    /// Finds the way to the present again, if the machine came here too fast to note it.
    pub(super) fn find(&mut self, history: &mut History) {
        let is_noted = history.moment() >= self.noted_from.saturating_add(NOTED);
        if !self.knows_before || !(is_noted || self.noted_from == 0) {
            self.retrace(history);
        }
    }

    fn retrace(&mut self, history: &mut History) {
        let (now, engine) = (history.moment(), history.engine());
        let (edges, has_failed) = (engine.edges(), engine.error().is_some());
        *self = Self { knows_before: true, ..Self::default() };
        history.seek(now.saturating_sub(NOTED));
        let step = |history: &mut History| history.run(&WatchSet::default(), 1);
        while history.moment() < now {
            self.note(history, step);
        }
        if history.engine().executed() == 0 {
            self.recent.clear();
        }
        (0..edges).for_each(|_| self.edge(history));
        if has_failed {
            self.note(history, step);
        }
    }
}
