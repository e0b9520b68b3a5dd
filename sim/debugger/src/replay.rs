//! The replay driver: a machine that moves through its history and receives the inputs of each
//! moment when it arrives there. Every run of the debugger and of the commands uses such a machine.

use gray1_isa::{Executed, RomIndex, Write};
use gray1_sim::engine::Engine;
use gray1_sim::profile::ExecutionCounts;

use super::checkpoints::Checkpoint;
use super::expression::MachineView;
use super::first_writes::FirstWrites;
use super::inputs::{Input, Inputs, Received};
use super::position::Position;
use super::watch_set::{Hit, Matches, NO_CONDITIONS, WatchSet};

/// A machine and its position in the history.
#[derive(Debug, Clone)]
pub(super) struct Replay {
    pub(super) engine: Box<dyn Engine>,
    pub(super) totals: Totals,
    /// The printed bytes that have not been taken yet.
    pub(super) fresh: Vec<u8>,
    /// The number of hits of each condition since power-up, if a caller counts them.
    pub(super) hit_counts: Box<[u64]>,
    /// The first write to each byte, if a caller needs them.
    pub(super) first_writes: Option<FirstWrites>,
    received: Received,
    /// The way to the present position, until its hit has been reported.
    arrival: Option<Arrival>,
}

/// What happened on the way to a position.
#[derive(Debug, Clone, Copy, Default)]
struct Arrival {
    /// The conditions that became true.
    matches: Matches,
    /// The instruction that made some of them true.
    executed: Option<Executed>,
}

/// A position of a replay, with the inputs that it had received.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) position: Position,
    pub(super) received: Received,
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

/// Something that happens in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    /// The machine executed a step: an instruction, or an edge of the oscillator. The step
    /// completed this instruction, if there is one.
    Step(Option<Executed>),
    /// The machine received an input.
    Input(Input),
    /// The machine arrived where conditions are true.
    Hit(Hit),
}

/// The things in a run that its caller wants to see. The machine is as fast as they allow.
///
/// A watch belongs to one run, because it remembers which expressions are true.
#[derive(Debug)]
pub struct Watch<'a> {
    set: &'a WatchSet,
    pace: Pace<'a>,
    /// The conditions whose expression was true before the current instruction.
    held: Matches,
    /// The conditions whose expression is true now, if they are known. Only watched instructions
    /// and inputs change them.
    holding: Option<Matches>,
}

/// The length of a step.
#[derive(Debug)]
enum Pace<'a> {
    /// Up to the end of the run.
    Unobserved,
    /// Up to the next input.
    Inputs,
    /// Up to the end of the run, but count the executions of each instruction.
    Counting(&'a mut ExecutionCounts),
    /// Up to the next instruction that can make a condition true.
    Hits,
    Instructions,
    Edges,
}

impl<'a> Watch<'a> {
    fn new(set: &'a WatchSet, pace: Pace<'a>) -> Self {
        Self { set, pace, held: Matches::default(), holding: None }
    }

    /// Sees nothing.
    pub fn nothing() -> Self {
        Self::new(&NO_CONDITIONS, Pace::Unobserved)
    }

    /// Sees each input.
    pub fn inputs() -> Self {
        Self::new(&NO_CONDITIONS, Pace::Inputs)
    }

    /// Sees nothing, but counts the executions of each instruction.
    pub fn counting(counts: &'a mut ExecutionCounts) -> Self {
        Self::new(&NO_CONDITIONS, Pace::Counting(counts))
    }

    /// Sees the hits of these conditions.
    pub fn hits(set: &'a WatchSet) -> Self {
        Self::new(set, Pace::Hits)
    }

    /// Sees each instruction, each input, and the hits of these conditions.
    pub fn instructions(set: &'a WatchSet) -> Self {
        Self::new(set, Pace::Instructions)
    }

    /// Sees each edge of the oscillator, each input, and the hits of these conditions.
    pub fn edges(set: &'a WatchSet) -> Self {
        Self::new(set, Pace::Edges)
    }

    /// Sets the conditions whose expression was true before the current instruction. `before` is a
    /// machine in the state before that instruction.
    pub(super) fn hold(&mut self, before: &Replay) {
        self.held = self.set.holding(before.view());
    }
}

impl Replay {
    pub(super) fn new(engine: Box<dyn Engine>) -> Self {
        Self {
            engine,
            totals: Totals::default(),
            fresh: Vec::new(),
            hit_counts: Box::default(),
            first_writes: None,
            received: Received::default(),
            arrival: Some(Arrival::default()),
        }
    }

    /// Returns the moment: the number of instructions executed since power-up.
    pub(super) fn moment(&self) -> u64 {
        self.totals.moment
    }

    pub(super) fn position(&self) -> Position {
        Position { moment: self.moment(), edges: self.engine.edges() }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { position: self.position(), received: self.received }
    }

    /// Returns true if the machine has reached a moment or has halted.
    pub(super) fn has_reached(&self, moment: u64) -> bool {
        self.moment() >= moment || self.engine.halted()
    }

    /// Returns the state of the machine, as expressions see it.
    pub(super) fn view(&self) -> MachineView<'_> {
        MachineView::new(&*self.engine, self.moment())
    }

    /// Runs up to a moment or the end of the program, but only until something happens that the
    /// watch wants to see. Returns that, or `None` at the end of the run.
    ///
    /// All that happens at one moment comes in this order: the step that leads there, the inputs,
    /// the hit of the conditions that these have made true. The start of a run is such a moment,
    /// without a step.
    pub(super) fn next(
        &mut self,
        inputs: &Inputs,
        watch: &mut Watch<'_>,
        to: u64,
    ) -> Option<Happened> {
        if watch.set.watches_unwritten() && self.first_writes.is_none() {
            debug_assert_eq!(self.moment(), 0, "earlier writes are not known");
            self.first_writes = Some(FirstWrites::new(&*self.engine));
        }
        // Where the first writes are already recorded, the machine need not stop at stores.
        let recorded = self.first_writes.as_ref().map_or(0, |it| it.end);
        if self.moment() < recorded
            && recorded < to
            && let Some(happened) = self.next(inputs, watch, recorded)
        {
            return Some(happened);
        }
        self.watch(watch);
        loop {
            let next = inputs.next(self.received);
            if let Some((moment, input)) = next
                && moment <= self.moment()
                && self.engine.edges() == 0
            {
                self.receive(input, watch);
                self.received = inputs.with_next(self.received);
                match watch.pace {
                    Pace::Unobserved | Pace::Counting(_) | Pace::Hits => continue,
                    _ => return Some(Happened::Input(input)),
                }
            }
            if let Some(hit) = self.arrive(watch.set) {
                self.collect();
                return Some(Happened::Hit(hit));
            }
            if self.has_reached(to) {
                self.collect();
                return None;
            }
            let limit = next.map_or(to, |(moment, _)| moment.min(to)) - self.moment();
            let executed = match &mut watch.pace {
                Pace::Unobserved | Pace::Inputs
                    if self.first_writes.as_ref().is_none_or(|it| it.end > self.moment()) =>
                {
                    self.engine.run(limit)
                }
                Pace::Counting(counts) => self.engine.run_counting(limit, counts),
                Pace::Unobserved | Pace::Inputs | Pace::Hits => self.engine.run_to_watched(limit),
                Pace::Instructions | Pace::Edges => 0,
            };
            self.totals.moment += executed;
            self.arrival = Some(Arrival::default());
            // If nothing was executed, the next instruction is watched.
            if executed == 0 && !self.engine.halted() {
                let executed = self.step(watch);
                let has_written = executed.as_ref().is_some_and(|it| it.write.is_some());
                if let Pace::Instructions | Pace::Edges = watch.pace {
                    return Some(Happened::Step(executed));
                }
                // Each first write leaves less to watch.
                if self.first_writes.is_some() && has_written {
                    self.watch(watch);
                }
            }
        }
    }

    /// Lets the engine stop before the instructions that a fast run must observe.
    fn watch(&mut self, watch: &Watch<'_>) {
        let reads = watch.set.watches_unwritten();
        let needed = self.first_writes.as_ref().filter(|it| reads || it.end <= self.moment());
        match (&watch.pace, needed) {
            (Pace::Hits, None) => self.engine.watch(watch.set.watched()),
            (Pace::Counting(_) | Pace::Instructions | Pace::Edges, _) | (_, None) => {}
            _ if self.engine.can_deviate() => self.engine.watch(&RomIndex::all().collect()),
            (_, Some(first_writes)) => {
                let mut watched = first_writes.watched(self.moment(), reads);
                watched.insert_all(watch.set.always_watched());
                self.engine.watch(&watched);
            }
        }
    }

    /// Runs up to a moment.
    pub(super) fn go_to(&mut self, inputs: &Inputs, to: u64) {
        self.next(inputs, &mut Watch::nothing(), to);
    }

    /// Moves the oscillator by one edge, without the inputs that follow. Returns the instruction
    /// that this completed.
    pub(super) fn edge(&mut self, inputs: &Inputs) -> Option<Executed> {
        self.go_to(inputs, self.moment());
        match self.next(inputs, &mut Watch::edges(&NO_CONDITIONS), u64::MAX) {
            Some(Happened::Step(executed)) => executed,
            _ => None,
        }
    }

    /// Executes up to a moment and counts the hits before a position. Passes each hit to `note`,
    /// with the counts that include it.
    pub(super) fn count_hits(
        &mut self,
        inputs: &Inputs,
        watch_set: &WatchSet,
        to: u64,
        before: Position,
        mut note: impl FnMut(Hit, &[u64]),
    ) {
        let mut watch = Watch::hits(watch_set);
        while let Some(Happened::Hit(hit)) = self.next(inputs, &mut watch, to) {
            self.fresh.clear();
            if hit.position() < before {
                hit.matches.count(&mut self.hit_counts);
                note(hit, &self.hit_counts);
            }
        }
        self.fresh.clear();
    }

    /// Executes an instruction, or an edge of the oscillator if the watch sees edges or wires.
    /// Returns the instruction if it is complete.
    fn step(&mut self, watch: &mut Watch<'_>) -> Option<Executed> {
        let by_edge = matches!(watch.pace, Pace::Edges);
        if watch.set.is_empty() {
            return self.execute(by_edge);
        }
        let Watch { set, held, holding, .. } = watch;
        if self.engine.edges() == 0 {
            *held = holding.take().unwrap_or_else(|| set.holding(self.view()));
        }
        let before = self.levels(set);
        let executed = self.execute(by_edge || before.is_some());
        let mut matches = self.moved_wires(set, before.as_deref());
        if let Some(executed) = &executed {
            let (now, strays) = (set.holding(self.view()), self.engine.stray_writes());
            *holding = Some(now);
            matches = matches.or(set.occurred(Some(executed), strays, *held, now, self.view()));
        }
        self.arrival = Some(Arrival { matches, executed: executed.filter(|_| !matches.is_none()) });
        executed
    }

    fn execute(&mut self, by_edge: bool) -> Option<Executed> {
        let executed = if by_edge { self.engine.edge() } else { self.engine.step() };
        self.totals.moment += u64::from(executed.is_some());
        if let (Some(first_writes), Some(executed)) = (&mut self.first_writes, &executed) {
            for write in self.engine.stray_writes().iter().chain(&executed.write) {
                first_writes.record(write.address, self.totals.moment);
            }
        }
        executed
    }

    /// Returns the levels of all wires if a condition is on wires.
    fn levels(&self, set: &WatchSet) -> Option<Vec<bool>> {
        if set.watches_wires() { Some(self.engine.circuit()?.levels()) } else { None }
    }

    /// Returns the conditions on wires that the last edge or input made true.
    fn moved_wires(&self, set: &WatchSet, before: Option<&[bool]>) -> Matches {
        let levels = before.zip(self.engine.circuit());
        levels.map_or_else(Matches::default, |(before, circuit)| {
            set.moved_wires(before, circuit, self.view())
        })
    }

    /// Ends the way to the present position. Returns the hit there.
    fn arrive(&mut self, set: &WatchSet) -> Option<Hit> {
        let Arrival { mut matches, executed } = self.arrival.take()?;
        let (Position { moment, edges }, next) = (self.position(), self.engine.pc());
        if edges == 0 && !self.engine.halted() {
            matches = matches.or(set.reached(self.view(), self.reads_unwritten()));
        }
        (!matches.is_none()).then_some(Hit { moment, edges, matches, executed, next })
    }

    /// Returns true if the next instruction reads a byte that nothing has written, as far as writes
    /// are recorded.
    fn reads_unwritten(&self) -> bool {
        let word = self.engine.word(self.engine.pc());
        self.first_writes.as_ref().is_some_and(|first_writes| {
            word.op().reads_memory() && first_writes.is_unwritten(word.address(), self.moment())
        })
    }

    /// Restores the engine and the totals of a checkpoint, without the inputs of that moment.
    pub(super) fn restore(&mut self, checkpoint: &Checkpoint, inputs: &Inputs) {
        self.engine.restore(&checkpoint.snapshot);
        self.totals = checkpoint.totals;
        self.fresh.clear();
        self.received = inputs.before(checkpoint.moment());
        self.arrival = Some(Arrival::default());
    }

    /// Gives the machine an input between two instructions, and notes the conditions that this
    /// makes true.
    fn receive(&mut self, input: Input, watch: &mut Watch<'_>) {
        self.collect();
        let Watch { set, holding, .. } = watch;
        if !set.sees_inputs() {
            self.give(input);
            return;
        }
        let held = holding.unwrap_or_else(|| set.holding(self.view()));
        let (levels, cell) = (self.levels(set), input.cell());
        let byte = |replay: &Self| cell.map(|cell| replay.engine.ram()[cell.to_usize()]);
        let old = byte(self);
        if !self.give(input) {
            return;
        }
        let change = cell.zip(old).zip(byte(self));
        let change = change.map(|((address, old), new)| Write { address, old, new });
        let now = set.holding(self.view());
        *holding = Some(now);
        let occurred = set.occurred(None, change.as_slice(), held, now, self.view());
        let matches = occurred.or(self.moved_wires(set, levels.as_deref()));
        let arrival = self.arrival.get_or_insert_default();
        arrival.matches = arrival.matches.or(matches);
    }

    /// Gives the machine an input. Returns false if the engine ignores it, as in every replay.
    fn give(&mut self, input: Input) -> bool {
        let works = self.engine.error().is_none();
        match input {
            Input::Reset => {
                self.engine.reset();
                self.totals.before_reset = (self.totals.printed, self.totals.lines);
                return true;
            }
            Input::Hold(buttons) => self.engine.hold(buttons),
            Input::Poke(address, byte) => {
                self.engine.poke(address, byte);
                if let Some(first_writes) = &mut self.first_writes {
                    first_writes.record(address, self.totals.moment);
                }
            }
            Input::Load(registers) => return self.engine.load(registers),
        }
        works
    }

    /// Takes the output of the engine, and records that the first writes are known up to now.
    fn collect(&mut self) {
        if let Some(first_writes) = &mut self.first_writes {
            first_writes.end = first_writes.end.max(self.totals.moment);
        }
        let bytes = self.engine.take_output();
        self.totals.printed += bytes.len() as u64;
        self.totals.lines += bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        self.fresh.extend(bytes);
    }
}
