//! The recorder: a machine that executes a part of the history again, and a record of what it did,
//! by instruction or by edge of the oscillator.

use std::collections::VecDeque;

use gray1_board::NetId;
use gray1_board::phase::Phase;
use gray1_circuit::{Change, Circuit};
use gray1_isa::{Executed, RamAddr, RomIndex, Word, Write};
use gray1_sim::Registers;

use super::history::History;
use super::inputs::Inputs;
use super::replay::{Replay, Stretch};
use super::replica::Replica;
use super::watch_set::WatchSet;

/// The most instructions that are recorded.
const STEPS_MAX: usize = 1 << 16;
/// How many instructions are recent.
pub(super) const RECENT: u64 = 64;

/// An executed instruction, as the machine executed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedStep {
    /// Its index.
    pub index: RomIndex,
    /// The instruction. A board reports the word in its instruction register.
    pub word: Word,
    /// The accumulator before it.
    pub a: u8,
    /// The carry before it.
    pub carry: bool,
    /// The byte at its operand's address before it.
    pub data: u8,
    /// The byte that it wrote, the last one if a faulty board wrote several.
    pub write: Option<Write>,
    /// The registers after it.
    pub after: Registers,
}

/// An edge of the oscillator and the phase after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveEdge {
    /// The position after it: the moment, and the edges since.
    pub position: (u64, u32),
    /// The phase after it.
    pub phase: Phase,
    /// The instruction that comes next, or is under way.
    pub index: RomIndex,
    /// The time until the next edge, in ps; 0 on an untimed circuit.
    pub duration_ps: u64,
    /// The levels at the end of the phase, by [`NetId::index`].
    levels: Vec<bool>,
    /// In order of time, in ps since the edge.
    changes: Vec<Change>,
}

/// A machine that executes a part of the history again, and what it did there.
#[derive(Debug, Clone)]
pub(super) struct Recorder {
    pub(super) replay: Replay,
    /// The moment of the first step.
    start: u64,
    steps: VecDeque<RecordedStep>,
    /// The writes of faulty boards besides those of the steps, with the moments before them.
    strays: VecDeque<(u64, Write)>,
    /// In order of time. The movements of the first one are not known.
    pub(super) edges: Vec<WaveEdge>,
}

/// The instructions executed last, the newest at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentSteps {
    steps: Vec<RecordedStep>,
    /// The contents of the instruction register: before the last instruction, and now.
    register: [Word; 2],
}

impl RecordedStep {
    fn new(replay: &Replay, executed: Executed) -> Self {
        let Executed { index, word, write, .. } = executed;
        let Registers { a, carry, .. } = replay.began;
        let (engine, address) = (&*replay.engine, word.address());
        let mut writes = engine.stray_writes().iter().chain(&write);
        let first = writes.find(|write| write.address == address);
        let data = first.map_or(engine.ram()[address.to_usize()], |write| write.old);
        Self { index, word, a, carry, data, write, after: engine.registers() }
    }

    /// The instruction and its effect.
    #[must_use]
    pub fn executed(&self) -> Executed {
        let read = self.word.op().reads_memory().then_some(self.data);
        Executed { index: self.index, word: self.word, write: self.write, read }
    }

    /// Whether the program ended with it.
    fn halts(&self) -> bool {
        self.after.pc == self.index && self.word.halts_at(self.index)
    }
}

impl WaveEdge {
    /// The level of a wire at the end of the phase.
    #[must_use]
    pub fn level(&self, net: NetId) -> bool {
        self.levels[net.index()]
    }

    /// The levels of all wires at the end of the phase.
    pub(super) fn levels(&self) -> &[bool] {
        &self.levels
    }

    /// The movements of wires in order of time, in ps since the edge. Empty on an untimed circuit.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How often a wire moved, if movements are known.
    #[must_use]
    pub fn moves(&self, net: NetId) -> usize {
        self.changes.iter().filter(|change| change.net == net).count()
    }

    /// The glitches of a wire: its pulses besides the movement to the final level.
    #[must_use]
    pub fn glitches(&self, net: NetId) -> usize {
        self.moves(net) / 2
    }
}

impl Recorder {
    /// Records from where a machine is between two instructions.
    pub(super) fn new(replay: Replay) -> Self {
        let (steps, strays, edges) = Default::default();
        Self { start: replay.moment(), replay, steps, strays, edges }
    }

    /// Records the instructions up to a known moment, as far back as a record goes.
    pub(super) fn up_to(history: &History, moment: u64) -> Self {
        let length = (STEPS_MAX as u64).min(history.engine().slice());
        let start = moment.saturating_sub(length).max(history.start());
        let mut recorder = Self::new(history.replay_at(start));
        recorder.record_steps(history.inputs(), moment);
        recorder
    }

    /// Forgets what is recorded.
    pub(super) fn restart(&mut self) {
        self.start = self.replay.moment();
        self.steps.clear();
        self.strays.clear();
        self.edges.clear();
    }

    /// Executes up to a moment, and records each instruction.
    pub(super) fn record_steps(&mut self, inputs: &Inputs, to: u64) {
        let Self { replay, start, steps, strays, .. } = self;
        let mut note =
            |replay: &Replay, executed| note_step(replay, executed, start, steps, strays);
        replay.drive(inputs, Stretch::ByInstruction(&WatchSet::default(), &mut note), to);
        replay.fresh.clear();
    }

    /// Turns the oscillator over once, and records the wires of the engine or of its replica after
    /// it, and the instruction that this has completed. Returns false if the machine cannot go on.
    pub(super) fn record_edge(&mut self, inputs: &Inputs, replica: Option<&mut Replica>) -> bool {
        if self.replay.engine.halted() {
            return false;
        }
        let Self { replay, start, steps, strays, .. } = self;
        let time_ps =
            |replay: &Replay| replay.engine.circuit().and_then(Circuit::time_ps).unwrap_or(0);
        let start_ps = time_ps(replay);
        let (mut changes, mut duration_ps) = (Vec::new(), 0);
        // Inputs move wires as well, so the movements of the edge are taken before them.
        let mut note = |replay: &Replay, executed: Option<Executed>| {
            let moved = replay.engine.circuit().map(Circuit::changes).unwrap_or_default().iter();
            let since = |it: &Change| Change { time_ps: it.time_ps - start_ps, ..*it };
            changes = moved.map(since).collect();
            duration_ps = time_ps(replay) - start_ps;
            if let Some(executed) = executed {
                note_step(replay, executed, start, steps, strays);
            }
        };
        replay.drive(inputs, Stretch::ByEdge(1, &mut note), u64::MAX);
        replay.fresh.clear();
        self.record_levels(inputs, replica, changes, duration_ps);
        true
    }

    /// Records the present wires, without the edge that led to them.
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

    /// The moment of its first instruction.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// The moment after its last instruction.
    fn end(&self) -> u64 {
        self.start + self.steps.len() as u64
    }

    /// How many instructions before a moment are in it; `None` if the moment is not in it.
    pub(super) fn reach(&self, moment: u64) -> Option<u64> {
        moment.checked_sub(self.start).filter(|_| moment <= self.end())
    }

    /// The instruction executed at a moment in it.
    pub(super) fn step(&self, moment: u64) -> &RecordedStep {
        &self.steps[(moment - self.start) as usize]
    }

    /// The bytes that the instruction at a moment wrote, in order.
    pub(super) fn writes(&self, moment: u64) -> impl Iterator<Item = Write> + '_ {
        let first = self.strays.partition_point(|(at, _)| *at < moment);
        let strays = self.strays.range(first..).take_while(move |(at, _)| *at == moment);
        strays.map(|(_, write)| *write).chain(self.step(moment).write)
    }

    /// The last instruction executed from one moment to another that satisfies a predicate: its
    /// moment.
    pub(super) fn last(&self, from: u64, to: u64, wanted: impl Fn(u64) -> bool) -> Option<u64> {
        (from.max(self.start)..to).rev().find(|moment| wanted(*moment))
    }

    /// The contents of the instruction register at a moment. At power-up any word will do, and
    /// where the registers were changed from outside it holds an instruction without effect.
    fn register(&self, inputs: &Inputs, moment: u64) -> Word {
        let last = moment.checked_sub(self.start + 1).map(|it| self.steps[it as usize].word);
        let loaded = inputs.load_registers_at(moment).then(|| Word::ldi(0));
        loaded.filter(|_| last.is_some()).or(last).unwrap_or(Word::from_bits(0))
    }

    /// The instructions executed last since the reset.
    pub(super) fn recent(&self, inputs: &Inputs) -> RecentSteps {
        let end = self.end();
        let first = end.saturating_sub(RECENT).max(self.start);
        // A halted machine repeats one instruction for ever, and nothing precedes a reset.
        let halted = self.last(first, end, |moment| self.step(moment).halts());
        let reset = inputs.last_reset(first, end);
        let first = first.max(reset.unwrap_or(0)).max(halted.map_or(0, |moment| moment + 1));
        let steps = self.steps.range((first - self.start) as usize..).copied().collect();
        let before = end.saturating_sub(1).max(self.start);
        let register = [before, end].map(|moment| self.register(inputs, moment));
        RecentSteps { steps, register }
    }
}

fn note_step(
    replay: &Replay,
    executed: Executed,
    start: &mut u64,
    steps: &mut VecDeque<RecordedStep>,
    strays: &mut VecDeque<(u64, Write)>,
) {
    if steps.len() == STEPS_MAX {
        steps.pop_front();
        *start += 1;
        let earlier = strays.partition_point(|(moment, _)| *moment < *start);
        strays.drain(..earlier);
    }
    let moment = *start + steps.len() as u64;
    strays.extend(replay.engine.stray_writes().iter().map(|write| (moment, *write)));
    steps.push_back(RecordedStep::new(replay, executed));
}

impl RecentSteps {
    /// The contents of the instruction register: the instruction executed last.
    #[must_use]
    pub fn last(&self) -> Word {
        self.register[1]
    }

    /// The contents of the instruction register before the newest step.
    #[must_use]
    pub fn before_newest(&self) -> Word {
        self.register[0]
    }

    /// The instruction executed last, if there was one since the reset.
    #[must_use]
    pub fn newest(&self) -> Option<&RecordedStep> {
        self.steps.last()
    }

    /// The address written last, as far back as steps are kept.
    #[must_use]
    pub fn newest_write(&self) -> Option<RamAddr> {
        self.steps.iter().rev().find_map(|step| step.write).map(|write| write.address)
    }

    /// How many instructions ago a byte was written, 0 for the last one. `None` if that was before
    /// the kept steps.
    #[must_use]
    pub fn age(&self, address: RamAddr) -> Option<usize> {
        let mut writes = self.steps.iter().rev().map(|step| step.write);
        writes.position(|write| write.is_some_and(|write| write.address == address))
    }
}
