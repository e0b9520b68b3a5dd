//! The replay driver: a machine that moves through its history and receives the inputs of each
//! moment when it arrives there. Every part of the debugger that examines the past uses such a
//! machine.

use gray1_isa::Executed;
use gray1_sim::Registers;
use gray1_sim::engine::Engine;
use gray1_sim::profile::ExecutionCounts;

use super::checkpoints::Checkpoint;
use super::expression::MachineView;
use super::inputs::{Input, Inputs};
use super::watch_set::{Hit, Matches, WatchSet};

/// A machine and its position in the history.
#[derive(Debug, Clone)]
pub struct Replay {
    pub(super) engine: Box<dyn Engine>,
    pub(super) totals: Totals,
    /// The printed bytes that have not been taken yet.
    pub(super) fresh: Vec<u8>,
    /// The registers at the start of the current instruction.
    pub(super) began: Registers,
    /// The number of hits of each condition since power-up, if a caller counts them.
    pub(super) hit_counts: Box<[u64]>,
    /// The conditions whose expression was true before the current instruction.
    held: Matches,
    /// The revision of the inputs that the machine has received.
    revision: u64,
}

/// A position of a replay, with the revision of the inputs that it had received.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) position: (u64, u32),
    pub(super) revision: u64,
}

/// The totals since power-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Totals {
    /// The number of executed instructions, which is the moment.
    pub(super) moment: u64,
    /// The number of printed bytes.
    pub(super) printed: u64,
    /// The number of printed lines.
    pub(super) lines: u64,
    /// The numbers of bytes and lines that were printed before the last reset.
    pub(super) before_reset: (u64, u64),
}

/// The mode in which a machine executes. A visitor is called after each instruction or edge, before
/// the machine receives the inputs that follow. The visitor gets the instruction that was
/// completed, if there is one.
pub enum DriveMode<'a> {
    /// Execute as fast as the engine can.
    Fast,
    /// Execute up to the next hit of these conditions.
    ToHit(&'a WatchSet),
    /// Execute and count the executions of each instruction.
    Counting(&'a mut ExecutionCounts),
    /// Execute one instruction at a time, up to the next hit of these conditions.
    ByInstruction(&'a WatchSet, &'a mut dyn FnMut(&Replay, Executed)),
    /// Execute one oscillator edge at a time, at most this many.
    ByEdge(u32, &'a mut dyn FnMut(&Replay, Option<Executed>)),
}

impl Replay {
    pub(super) fn new(engine: Box<dyn Engine>) -> Self {
        Self {
            began: engine.registers(),
            engine,
            totals: Totals::default(),
            fresh: Vec::new(),
            hit_counts: Box::default(),
            held: Matches::default(),
            revision: 0,
        }
    }

    /// Returns the machine at its present position in the history.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// Returns the moment: the number of instructions executed since power-up.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.totals.moment
    }

    /// Returns the moment and the number of oscillator edges since then.
    pub(super) fn position(&self) -> (u64, u32) {
        (self.moment(), self.engine.edges())
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { position: self.position(), revision: self.revision }
    }

    /// Returns true if the machine has reached a moment or has halted.
    pub(super) fn has_reached(&self, moment: u64) -> bool {
        self.moment() >= moment || self.engine.halted()
    }

    /// Returns the state of the machine, as expressions see it.
    pub(super) fn view(&self) -> MachineView<'_> {
        MachineView::new(&*self.engine)
    }

    /// Executes up to a moment or the end of the program, in one of five modes. Returns the hit at
    /// which it stopped.
    pub(super) fn drive(
        &mut self,
        inputs: &Inputs,
        mut mode: DriveMode<'_>,
        to: u64,
    ) -> Option<Hit> {
        self.catch_up(inputs);
        if let DriveMode::ToHit(watch_set) = mode {
            self.engine.watch(watch_set.watched());
        }
        // The conditions whose expression is true now. Only watched instructions and inputs change
        // them.
        let mut holding = None;
        while !self.has_reached(to) {
            let stop = inputs.next_after(self.moment()).map_or(to, |next| next.min(to));
            let before = self.position();
            let limit = stop - before.0;
            let mut hit = (Matches::default(), None);
            match &mut mode {
                DriveMode::Fast => self.totals.moment += self.engine.run(limit),
                DriveMode::Counting(counts) => {
                    self.totals.moment += self.engine.run_counting(limit, counts);
                }
                DriveMode::ToHit(watch_set) => {
                    let count = self.engine.run_to_watched(limit);
                    self.totals.moment += count;
                    // If the count is 0, the next instruction is watched.
                    if count == 0 {
                        let Some(found) = self.step_to_hit(watch_set, &mut holding) else { break };
                        hit = found;
                    }
                }
                DriveMode::ByInstruction(watch_set, visit) if watch_set.is_empty() => {
                    self.step_each(limit, visit);
                }
                DriveMode::ByInstruction(watch_set, visit) => {
                    let Some(found) = self.step_to_hit(watch_set, &mut holding) else { break };
                    hit = found;
                    hit.1.into_iter().for_each(|executed| visit(self, executed));
                }
                DriveMode::ByEdge(0, _) => return None,
                DriveMode::ByEdge(edges, visit) => {
                    let executed = self.engine.edge();
                    self.totals.moment += u64::from(executed.is_some());
                    *edges -= 1;
                    visit(self, executed);
                }
            }
            debug_assert!(self.position() != before || self.engine.halted(), "no advance");
            if self.engine.edges() == 0 {
                self.arrive(inputs);
            }
            if let DriveMode::ToHit(watch_set) | DriveMode::ByInstruction(watch_set, _) = mode {
                let (mut matches, executed) = hit;
                let executed = executed.filter(|_| !matches.is_none());
                if self.engine.edges() == 0 {
                    holding = holding.filter(|_| inputs.at(self.moment()).next().is_none());
                    if !self.engine.halted() {
                        matches = matches.or(watch_set.reached(self.view()));
                    }
                }
                if !matches.is_none() {
                    let ((moment, edges), next) = (self.position(), self.engine.pc());
                    return Some(Hit { moment, edges, matches, executed, next });
                }
            }
        }
        self.collect();
        None
    }

    /// Executes up to this many instructions. There must be no inputs between them.
    fn step_each(&mut self, limit: u64, visit: &mut dyn FnMut(&Self, Executed)) {
        for _ in 0..limit {
            let Some(executed) = self.engine.step() else { break };
            self.totals.moment += 1;
            visit(self, executed);
            self.began = self.engine.registers();
        }
    }

    /// Executes up to a moment.
    pub(super) fn go_to(&mut self, inputs: &Inputs, to: u64) {
        self.drive(inputs, DriveMode::Fast, to);
    }

    /// Executes up to a moment and counts the hits before a position. Passes each hit to `note`,
    /// with the counts that include it.
    pub(super) fn count_hits(
        &mut self,
        inputs: &Inputs,
        watch_set: &WatchSet,
        to: u64,
        before: (u64, u32),
        mut note: impl FnMut(Hit, &[u64]),
    ) {
        while !self.has_reached(to) {
            let hit = self.drive(inputs, DriveMode::ToHit(watch_set), to);
            self.fresh.clear();
            if let Some(hit) = hit.filter(|hit| hit.position() < before) {
                hit.matches.count(&mut self.hit_counts);
                note(hit, &self.hit_counts);
            }
        }
    }

    /// Returns a hit if conditions wait for the next instruction.
    pub(super) fn reached(&self, watch_set: &WatchSet) -> Option<Hit> {
        let matches = watch_set.reached(self.view());
        let is_hit = !matches.is_none() && !self.engine.halted();
        let (moment, next) = (self.moment(), self.engine.pc());
        is_hit.then_some(Hit { moment, edges: 0, matches, executed: None, next })
    }

    /// Sets the conditions whose expression was true before the current instruction. `before` is a
    /// machine in the state before that instruction.
    pub(super) fn hold(&mut self, watch_set: &WatchSet, before: &Self) {
        self.held = watch_set.holding(before.view());
    }

    /// Executes an instruction, or only up to an edge that makes a condition true. `holding` has
    /// the conditions whose expression is true before the instruction, if they are known. On
    /// return, it has those whose expression is true after the instruction.
    fn step_to_hit(
        &mut self,
        watch_set: &WatchSet,
        holding: &mut Option<Matches>,
    ) -> Option<(Matches, Option<Executed>)> {
        let before = holding.take();
        if self.engine.edges() == 0 {
            self.held = before.unwrap_or_else(|| watch_set.holding(self.view()));
        }
        let (matches, executed) = if watch_set.watches_wires() {
            self.edges_to_hit(watch_set)?
        } else {
            (Matches::default(), Some(self.engine.step()?))
        };
        let Some(executed) = executed else { return Some((matches, None)) };
        self.totals.moment += 1;
        let now = watch_set.holding(self.view());
        *holding = Some(now);
        let matches = matches.or(watch_set.occurred(&executed, self.held, now, &*self.engine));
        Some((matches, Some(executed)))
    }

    /// Moves the oscillator until a condition on wires is true or the instruction is complete.
    fn edges_to_hit(&mut self, watch_set: &WatchSet) -> Option<(Matches, Option<Executed>)> {
        loop {
            let before = self.engine.circuit()?.levels();
            let executed = self.engine.edge();
            let matches = watch_set.occurred_by_edge(&before, self.engine.circuit()?, self.view());
            if executed.is_some() || !matches.is_none() || self.engine.halted() {
                return Some((matches, executed));
            }
        }
    }

    /// Restores the engine and the totals of a checkpoint, and gives the engine the inputs of that
    /// moment.
    pub(super) fn restore(&mut self, checkpoint: &Checkpoint, inputs: &Inputs) {
        self.engine.restore(&checkpoint.snapshot);
        self.totals = checkpoint.totals;
        self.fresh.clear();
        self.arrive(inputs);
        self.revision = inputs.revision();
    }

    /// Gives the machine the inputs of its moment that it has not received yet.
    pub(super) fn catch_up(&mut self, inputs: &Inputs) {
        if self.revision != inputs.revision() {
            if self.engine.edges() == 0 {
                inputs.since(self.revision, self.moment()).for_each(|input| self.give(input));
                self.began = self.engine.registers();
            }
            self.revision = inputs.revision();
        }
    }

    /// Collects output, and gives the machine the inputs of this moment.
    fn arrive(&mut self, inputs: &Inputs) {
        self.collect();
        inputs.at(self.moment()).for_each(|input| self.give(input));
        self.began = self.engine.registers();
    }

    fn give(&mut self, input: Input) {
        match input {
            Input::Reset => {
                self.engine.reset();
                self.totals.before_reset = (self.totals.printed, self.totals.lines);
            }
            Input::Hold(buttons) => self.engine.hold(buttons),
            Input::Poke(address, byte) => self.engine.poke(address, byte),
            Input::Load(registers) => {
                // An engine that does not support this ignores it, in every replay.
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
