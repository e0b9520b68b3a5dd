//! The recorder: a machine that executes a part of the history again, and a record of its
//! instructions or oscillator edges.

use std::collections::VecDeque;

use gray1_board::NetId;
use gray1_board::phase::Phase;
use gray1_circuit::{Change, Circuit};
use gray1_isa::{Executed, RamAddr, RomIndex, Word, Write};
use gray1_sim::{Engine, Registers};

use super::history::History;
use super::inputs::Inputs;
use super::position::Position;
use super::replay::{Happened, Replay, Watch};
use super::replica::Replica;
use super::watch_set::NO_CONDITIONS;

/// The maximum number of recorded instructions.
const STEPS_MAX: usize = 1 << 16;
/// The number of instructions that count as recent.
pub(super) const RECENT: u64 = 64;

/// An executed instruction, with the state before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedStep {
    /// Its index in program memory.
    pub index: RomIndex,
    /// The instruction word. A board reports the contents of its instruction register.
    pub word: Word,
    /// The accumulator before the instruction.
    pub a: u8,
    /// The carry before the instruction.
    pub carry: bool,
    /// The byte at the operand's address before the instruction.
    pub data: u8,
    /// The byte that it wrote. If a faulty board wrote several, this is the last one.
    pub write: Option<Write>,
    /// The registers after the instruction.
    pub after: Registers,
}

/// An edge of the oscillator, and the phase after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveEdge {
    /// The position after the edge.
    pub position: Position,
    /// The phase that begins with the edge.
    pub phase: Phase,
    /// The instruction that is next or is being executed.
    pub index: RomIndex,
    /// The time until the next edge in ps. It is 0 for a circuit without delays.
    pub duration_ps: u64,
    /// The levels at the end of the phase, by [`NetId::index`].
    levels: Vec<bool>,
    /// The changes of wires in order of time. Their times are in ps since the edge.
    changes: Vec<Change>,
}

/// A machine that executes a part of the history again, and the record of that part.
#[derive(Debug, Clone)]
pub(super) struct Recorder {
    pub(super) replay: Replay,
    /// The registers at the start of the current instruction.
    began: Registers,
    /// The moment of the first recorded instruction.
    start: u64,
    steps: VecDeque<RecordedStep>,
    /// The additional writes of faulty boards, which `steps` does not contain, each with the moment
    /// before its instruction.
    strays: VecDeque<(u64, Write)>,
    /// The edges in order of time. The wire changes of the first one are not known.
    pub(super) edges: Vec<WaveEdge>,
}

/// The most recently executed instructions, the newest at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentSteps {
    steps: Vec<RecordedStep>,
    /// The contents of the instruction register before the last instruction, and now.
    register: [Word; 2],
}

impl RecordedStep {
    fn new(Registers { a, carry, .. }: Registers, executed: Executed, engine: &dyn Engine) -> Self {
        let Executed { index, word, write, .. } = executed;
        let address = word.address();
        let mut writes = engine.stray_writes().iter().chain(&write);
        let first = writes.find(|write| write.address == address);
        let data = first.map_or(engine.ram()[address.to_usize()], |write| write.old);
        Self { index, word, a, carry, data, write, after: engine.registers() }
    }

    /// Returns the instruction and its effect.
    pub fn executed(&self) -> Executed {
        let read = self.word.op().reads_memory().then_some(self.data);
        Executed { index: self.index, word: self.word, write: self.write, read }
    }

    /// Returns true if this instruction ended the program.
    fn halts(&self) -> bool {
        self.after.pc == self.index && self.word.halts_at(self.index)
    }
}

impl WaveEdge {
    /// Returns the level of a wire at the end of the phase.
    pub fn level(&self, net: NetId) -> bool {
        self.levels[net.index()]
    }

    /// Returns the levels of all wires at the end of the phase.
    pub(super) fn levels(&self) -> &[bool] {
        &self.levels
    }

    /// Returns the changes of wires in order of time. Their times are in ps since the edge. The
    /// slice is empty for a circuit without delays.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns how often a wire changed. It is 0 for a circuit without delays.
    pub fn moves(&self, net: NetId) -> usize {
        self.changes.iter().filter(|change| change.net == net).count()
    }

    /// Returns the number of glitches of a wire: its pulses besides the change to the final level.
    pub fn glitches(&self, net: NetId) -> usize {
        self.moves(net) / 2
    }
}

impl Recorder {
    /// Starts a record at the position of a machine between two instructions.
    pub(super) fn new(replay: Replay) -> Self {
        let (steps, strays, edges) = Default::default();
        let (start, began) = (replay.moment(), replay.engine.registers());
        Self { replay, began, start, steps, strays, edges }
    }

    /// Records the last instructions before a known moment. A slice of the engine and the capacity
    /// of a record limit their number.
    pub(super) fn up_to(history: &History, moment: u64) -> Self {
        let length = (STEPS_MAX as u64).min(history.engine().slice());
        let start = moment.saturating_sub(length).max(history.start());
        let mut recorder = Self::new(history.replay_at(start));
        recorder.record_steps(history.inputs(), moment);
        recorder
    }

    /// Clears the record.
    pub(super) fn restart(&mut self) {
        self.start = self.replay.moment();
        self.steps.clear();
        self.strays.clear();
        self.edges.clear();
    }

    /// Executes up to a moment, and records each instruction.
    pub(super) fn record_steps(&mut self, inputs: &Inputs, to: u64) {
        let watch = &mut Watch::instructions(&NO_CONDITIONS);
        self.began = self.replay.engine.registers();
        while let Some(happened) = self.replay.next(inputs, watch, to) {
            if let Happened::Step(Some(executed)) = happened {
                self.record_step(executed);
            }
            self.began = self.replay.engine.registers();
        }
        self.replay.fresh.clear();
    }

    fn record_step(&mut self, executed: Executed) {
        if self.steps.len() == STEPS_MAX {
            self.steps.pop_front();
            self.start += 1;
            let earlier = self.strays.partition_point(|(moment, _)| *moment < self.start);
            self.strays.drain(..earlier);
        }
        let (moment, engine) = (self.end(), &*self.replay.engine);
        self.strays.extend(engine.stray_writes().iter().map(|write| (moment, *write)));
        self.steps.push_back(RecordedStep::new(self.began, executed, engine));
    }

    /// Moves the oscillator by one edge. Records the wires of the engine or of its replica after
    /// the edge, and the instruction that it completed. Returns false if the machine cannot
    /// continue.
    pub(super) fn record_edge(&mut self, inputs: &Inputs, replica: Option<&mut Replica>) -> bool {
        if self.replay.engine.halted() {
            return false;
        }
        self.replay.go_to(inputs, self.replay.moment());
        if self.replay.engine.edges() == 0 {
            self.began = self.replay.engine.registers();
        }
        let start_ps = self.time_ps();
        let executed = self.replay.edge(inputs);
        // Inputs also change wires, so take the changes of the edge before the inputs.
        let moved = self.replay.engine.circuit().map(Circuit::changes).unwrap_or_default().iter();
        let changes = moved.map(|it| Change { time_ps: it.time_ps - start_ps, ..*it }).collect();
        let duration_ps = self.time_ps() - start_ps;
        if let Some(executed) = executed {
            self.record_step(executed);
        }
        self.replay.go_to(inputs, self.replay.moment());
        self.replay.fresh.clear();
        self.record_levels(inputs, replica, changes, duration_ps);
        true
    }

    fn time_ps(&self) -> u64 {
        self.replay.engine.circuit().and_then(Circuit::time_ps).unwrap_or(0)
    }

    /// Records the present levels of the wires, without the changes in the edge before them.
    pub(super) fn record_present(&mut self, inputs: &Inputs, replica: Option<&mut Replica>) {
        self.record_levels(inputs, replica, Vec::new(), 0);
    }

    fn record_levels(
        &mut self,
        inputs: &Inputs,
        replica: Option<&mut Replica>,
        changes: Vec<Change>,
        duration_ps: u64,
    ) {
        let engine = &*self.replay.engine;
        let levels = match (engine.circuit(), replica) {
            (Some(circuit), _) => circuit.levels(),
            (None, Some(replica)) => replica.levels(engine, self.register(inputs, self.end())),
            (None, None) => Vec::new(),
        };
        let (position, phase, index) = (self.replay.position(), engine.phase(), engine.pc());
        self.edges.push(WaveEdge { position, phase, index, duration_ps, levels, changes });
    }

    /// Returns the moment of the first recorded instruction.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// Returns the moment after the last recorded instruction.
    fn end(&self) -> u64 {
        self.start + self.steps.len() as u64
    }

    /// Returns the number of recorded instructions before a moment, or `None` if the moment is not
    /// in the record.
    pub(super) fn reach(&self, moment: u64) -> Option<u64> {
        moment.checked_sub(self.start).filter(|_| moment <= self.end())
    }

    /// Returns the instruction executed at a recorded moment.
    pub(super) fn step(&self, moment: u64) -> &RecordedStep {
        &self.steps[(moment - self.start) as usize]
    }

    /// Returns the bytes that the instruction at a moment wrote, in order.
    pub(super) fn writes(&self, moment: u64) -> impl Iterator<Item = Write> + '_ {
        let first = self.strays.partition_point(|(at, _)| *at < moment);
        let strays = self.strays.range(first..).take_while(move |(at, _)| *at == moment);
        strays.map(|(_, write)| *write).chain(self.step(moment).write)
    }

    /// Returns the moment of the last instruction in a range that satisfies a predicate.
    pub(super) fn last(&self, from: u64, to: u64, wanted: impl Fn(u64) -> bool) -> Option<u64> {
        (from.max(self.start)..to).rev().find(|moment| wanted(*moment))
    }

    /// Returns the contents of the instruction register at a moment. At power-up it can be any
    /// word. After an input has changed the registers, it is `LDI 0x00`.
    fn register(&self, inputs: &Inputs, moment: u64) -> Word {
        let last = moment.checked_sub(self.start + 1).map(|it| self.steps[it as usize].word);
        let loaded = inputs.load_registers_at(moment).then(|| Word::ldi(0));
        loaded.filter(|_| last.is_some()).or(last).unwrap_or(Word::from_bits(0))
    }

    /// Returns the most recently executed instructions since the reset.
    pub(super) fn recent(&self, inputs: &Inputs) -> RecentSteps {
        let end = self.end();
        let first = end.saturating_sub(RECENT).max(self.start);
        // A halted machine repeats one instruction forever, and a reset starts a new record.
        let halted = self.last(first, end, |moment| self.step(moment).halts());
        let reset = inputs.last_reset(first, end);
        let first = first.max(reset.unwrap_or(0)).max(halted.map_or(0, |moment| moment + 1));
        let steps = self.steps.range((first - self.start) as usize..).copied().collect();
        let before = end.saturating_sub(1).max(self.start);
        let register = [before, end].map(|moment| self.register(inputs, moment));
        RecentSteps { steps, register }
    }
}

impl RecentSteps {
    /// Returns the contents of the instruction register: the last executed instruction.
    pub fn last(&self) -> Word {
        self.register[1]
    }

    /// Returns the contents of the instruction register before the newest step.
    pub fn before_newest(&self) -> Word {
        self.register[0]
    }

    /// Returns the last executed instruction, if there was one since the reset.
    pub fn newest(&self) -> Option<&RecordedStep> {
        self.steps.last()
    }

    /// Returns the address of the last write, if one is recorded.
    pub fn newest_write(&self) -> Option<RamAddr> {
        self.steps.iter().rev().find_map(|step| step.write).map(|write| write.address)
    }

    /// Returns how many instructions ago a byte was written. It is 0 if the last instruction wrote
    /// the byte. Returns `None` if no recorded step wrote it.
    pub fn age(&self, address: RamAddr) -> Option<usize> {
        let mut writes = self.steps.iter().rev().map(|step| step.write);
        writes.position(|write| write.is_some_and(|write| write.address == address))
    }
}
