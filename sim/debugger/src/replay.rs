//! A machine that moves through its history and gets the inputs of each moment on arrival.

use gray1_isa::Executed;
use gray1_sim::engine::Engine;
use gray1_sim::profile::ExecutionCounts;

use super::expression::MachineView;
use super::inputs::{Input, Inputs};
use super::watch_set::{Hit, Matches, WatchSet};

/// A machine and its position in the history.
#[derive(Debug, Clone)]
pub(super) struct Replay {
    pub(super) engine: Box<dyn Engine>,
    pub(super) totals: Totals,
    /// Output not yet taken, up to the last printed byte.
    pub(super) fresh: Vec<u8>,
    /// The conditions whose expression held before the instruction under way.
    held: Matches,
    /// The number of inputs of its history, each of which starts another future.
    pub(super) revision: u64,
}

/// Totals since power-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Totals {
    /// Executed instructions: the moment.
    pub(super) moment: u64,
    /// `PrintedBytes` bytes.
    pub(super) printed: u64,
    /// `PrintedBytes` lines.
    pub(super) lines: u64,
    /// Bytes and lines printed before the last reset.
    pub(super) before_reset: (u64, u64),
}

impl Replay {
    pub(super) fn new(engine: Box<dyn Engine>) -> Self {
        let (totals, held) = (Totals::default(), Matches::default());
        Self { engine, totals, fresh: Vec::new(), held, revision: 0 }
    }

    pub(super) fn moment(&self) -> u64 {
        self.totals.moment
    }

    /// The moment, and the edges of the oscillator since.
    pub(super) fn position(&self) -> (u64, u32) {
        (self.moment(), self.engine.edges())
    }

    /// Whether it has left a position, or never will.
    pub(super) fn has_left(&self, position: (u64, u32)) -> bool {
        self.position() != position || self.engine.halted()
    }

    /// The state of the machine, as expressions see it.
    pub(super) fn view(&self) -> MachineView<'_> {
        MachineView::of(&*self.engine)
    }

    /// Runs up to a moment, a hit or the end of the program, whichever is first.
    pub(super) fn run(&mut self, inputs: &Inputs, watch_set: &WatchSet, to: u64) -> Option<Hit> {
        self.engine.watch(watch_set.watched());
        // The conditions whose expression holds now. Nothing but watched instructions and inputs
        // changes them.
        let mut holding = None;
        while self.moment() < to && !self.engine.halted() {
            let stop = inputs.next_after(self.moment()).map_or(to, |next| next.min(to));
            let before = self.position();
            let count = self.engine.run_to_watched(stop - before.0);
            self.totals.moment += count;
            let (mut matches, mut executed) = (Matches::default(), None);
            // If nothing was executed, the next instruction is watched.
            if count == 0 {
                (matches, executed) = self.step(watch_set, &mut holding)?;
            }
            let edges = self.engine.edges();
            debug_assert!(self.has_left(before), "it would run for ever");
            if edges == 0 {
                self.arrive(inputs);
                holding = holding.filter(|_| inputs.at(self.moment()).next().is_none());
            }
            if edges == 0 && !self.engine.halted() {
                matches = matches.or(watch_set.reached(self.view()));
            }
            if !matches.is_none() {
                let (moment, next) = (self.moment(), self.engine.pc());
                return Some(Hit { moment, edges, matches, executed, next });
            }
        }
        self.collect();
        None
    }

    /// The hit of conditions that wait for the next instruction.
    pub(super) fn reached(&self, watch_set: &WatchSet) -> Option<Hit> {
        let matches = watch_set.reached(self.view());
        let is_hit = !matches.is_none() && !self.engine.halted();
        let (moment, next) = (self.moment(), self.engine.pc());
        is_hit.then_some(Hit { moment, edges: 0, matches, executed: None, next })
    }

    /// Sets the conditions whose expression held before the instruction under way, from a machine
    /// that stands before it.
    pub(super) fn hold(&mut self, watch_set: &WatchSet, before: &Self) {
        self.held = watch_set.holding(before.view());
    }

    /// Executes a watched instruction, or the part of it up to an edge that makes a condition true.
    /// `holding` are the conditions whose expression holds before and after it, if that is known.
    fn step(
        &mut self,
        watch_set: &WatchSet,
        holding: &mut Option<Matches>,
    ) -> Option<(Matches, Option<Executed>)> {
        let before = holding.take();
        if self.engine.edges() == 0 {
            self.held = before.unwrap_or_else(|| watch_set.holding(self.view()));
        }
        let held = self.held;
        if watch_set.watches_wires() {
            return self.step_by_edges(watch_set, held);
        }
        let executed = self.engine.step()?;
        self.totals.moment += 1;
        let now = watch_set.holding(self.view());
        *holding = Some(now);
        let matches = watch_set.done(&executed, held, now, self.view());
        Some((matches, Some(executed).filter(|_| !matches.is_none())))
    }

    fn step_by_edges(
        &mut self,
        watch_set: &WatchSet,
        held: Matches,
    ) -> Option<(Matches, Option<Executed>)> {
        loop {
            let before = self.engine.circuit()?.levels();
            let executed = self.engine.edge();
            let mut matches = watch_set.done_by_edge(&before, self.engine.circuit()?, self.view());
            if let Some(executed) = executed {
                self.totals.moment += 1;
                let now = watch_set.holding(self.view());
                matches = matches.or(watch_set.done(&executed, held, now, self.view()));
                return Some((matches, Some(executed).filter(|_| !matches.is_none())));
            }
            if !matches.is_none() || self.engine.halted() {
                return Some((matches, None));
            }
        }
    }

    /// Executes up to a moment.
    pub(super) fn go_to(&mut self, inputs: &Inputs, to: u64) {
        self.go_by(inputs, to, |engine, count| engine.run(count));
    }

    /// The same, and counts the executed instructions.
    pub(super) fn go_to_counting(
        &mut self,
        inputs: &Inputs,
        to: u64,
        counts: &mut ExecutionCounts,
    ) {
        self.go_by(inputs, to, |engine, count| engine.run_counting(count, counts));
    }

    /// Executes up to a moment. `run` executes at most a number of instructions and returns how
    /// many it did.
    fn go_by(
        &mut self,
        inputs: &Inputs,
        to: u64,
        mut run: impl FnMut(&mut dyn Engine, u64) -> u64,
    ) {
        while self.moment() < to && !self.engine.halted() {
            let stop = inputs.next_after(self.moment()).map_or(to, |next| next.min(to));
            let before = self.position();
            self.totals.moment += run(&mut *self.engine, stop - before.0);
            debug_assert!(self.has_left(before), "it would run for ever");
            self.arrive(inputs);
        }
    }

    /// Executes an instruction.
    pub(super) fn go_one(&mut self, inputs: &Inputs) {
        self.totals.moment += u64::from(self.engine.step().is_some());
        self.arrive(inputs);
        self.fresh.clear();
    }

    /// Turns the oscillator over once.
    pub(super) fn edge(&mut self, inputs: &Inputs) {
        if self.engine.edge().is_some() {
            self.totals.moment += 1;
            self.arrive(inputs);
        }
    }

    /// Collects output, and gives the machine the inputs of this moment.
    pub(super) fn arrive(&mut self, inputs: &Inputs) {
        self.collect();
        for input in inputs.at(self.moment()) {
            self.give(input);
        }
    }

    pub(super) fn give(&mut self, input: Input) {
        match input {
            Input::Reset => {
                self.engine.reset();
                self.totals.before_reset = (self.totals.printed, self.totals.lines);
            }
            Input::Hold(buttons) => self.engine.hold(buttons),
            Input::Poke(address, byte) => self.engine.poke(address, byte),
            Input::Load(registers) => {
                // An engine that cannot do it stays as it is every time.
                self.engine.load(registers);
            }
        }
    }

    fn collect(&mut self) {
        let bytes = self.engine.take_output();
        self.totals.printed += bytes.len() as u64;
        self.totals.lines += bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        self.fresh.extend(bytes);
    }
}
