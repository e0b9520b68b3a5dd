//! The lines of a board over the last and the next edges of the oscillator, executed once more.

use gray1_board::NetId;
use gray1_board::phase::Phase;
use gray1_circuit::{Change, Circuit};
use gray1_isa::{RomIndex, Word};
use gray1_sim::engine::{Engine, Registers};

use super::history::History;
use super::inputs::Inputs;
use super::replay::Replay;
use crate::preset::{ArchitecturalState, Preset};

/// The shortest instruction: the first one after a reset, which ends in T1.
const EDGES_MIN: u64 = 7;

/// The lines of a board over some edges around the present.
#[derive(Debug, Clone)]
pub struct Waves {
    /// In order. The first one is where the record begins: its movements are not known.
    pub edges: Vec<WaveEdge>,
    /// The number of the present one.
    pub now: usize,
    /// Whether nothing that is remembered comes before them.
    pub is_whole_past: bool,
    /// Whether nothing comes after them: the machine cannot go on.
    pub is_whole_future: bool,
}

/// An edge of the oscillator, and the phase that it leads into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveEdge {
    /// The moment after it, and how many edges of the instruction under way have passed.
    pub position: (u64, u32),
    /// The phase after it.
    pub phase: Phase,
    /// The instruction that comes next, or is under way.
    pub index: RomIndex,
    /// How long it is until the next edge, in ps; 0 on a circuit without time.
    pub duration_ps: u64,
    /// By [`NetId::index`], at its end.
    levels: Vec<bool>,
    /// In order, in ps since the edge.
    changes: Vec<Change>,
}

impl WaveEdge {
    /// The level of a line at the end of the phase.
    #[must_use]
    pub fn level(&self, net: NetId) -> bool {
        self.levels[net.index()]
    }

    /// The movements of lines, in order; times are in ps since the edge. Empty on a circuit that
    /// goes from one state of rest to the next.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How often a line moved, as far as movements are known.
    #[must_use]
    pub fn moves(&self, net: NetId) -> usize {
        self.changes.iter().filter(|change| change.net == net).count()
    }

    /// How many pulses a line made besides the movement to its level: its glitches.
    #[must_use]
    pub fn glitches(&self, net: NetId) -> usize {
        self.moves(net) / 2
    }
}

impl History {
    /// The lines over up to `reach` edges before the present and as many after it, as if the
    /// panel did nothing new. For an engine without lines they are those of a replica of its board
    /// with the same program.
    ///
    /// # Panics
    /// If the engine has no lines, and there is no replica.
    #[must_use]
    pub fn waves(&self, reach: usize, replica: Option<&mut Preset>) -> Waves {
        let present = self.position();
        let begin = present.0.saturating_sub(reach as u64 / EDGES_MIN + 2).max(self.start());
        let mut recorder = Recorder::new(self, begin, replica);
        while recorder.replay.position() < present && recorder.turn_over() {}
        let is_whole_future = !(0..reach).all(|_| recorder.turn_over());
        let mut edges = recorder.edges;
        let now = edges.partition_point(|edge| edge.position <= present) - 1;
        let excess = now.saturating_sub(reach);
        edges.drain(..excess);
        let is_whole_past = begin == self.start() && excess == 0;
        Waves { edges, now: now - excess, is_whole_past, is_whole_future }
    }
}

/// A machine that is observed edge by edge.
struct Recorder<'a> {
    replay: Replay,
    inputs: &'a Inputs,
    replica: Option<Replica<'a>>,
    edges: Vec<WaveEdge>,
}

impl<'a> Recorder<'a> {
    /// Begins at a moment.
    fn new(history: &'a History, begin: u64, replica: Option<&'a mut Preset>) -> Self {
        let inputs = history.inputs();
        let replay = history.replay_at(begin);
        let mut recorder =
            Self { replay, inputs, replica: replica.map(Replica::new), edges: Vec::new() };
        recorder.look(Vec::new(), 0);
        recorder
    }

    fn time_ps(&self) -> u64 {
        self.replay.engine.circuit().and_then(Circuit::time_ps).unwrap_or_default()
    }

    /// Turns the oscillator over once, if the machine goes on; whether it does.
    fn turn_over(&mut self) -> bool {
        if self.replay.engine.halted() {
            return false;
        }
        let start_ps = self.time_ps();
        let executed = self.replay.engine.edge();
        let duration_ps = self.time_ps() - start_ps;
        let circuit = self.replay.engine.circuit();
        let changes = circuit.map(Circuit::changes).unwrap_or_default().iter();
        let since = |change: &Change| Change { time_ps: change.time_ps - start_ps, ..*change };
        let changes = changes.map(since).collect();
        if let Some(executed) = executed {
            self.replay.counts.moment += 1;
            // The panel moves lines, too; what the edge did is known by now.
            self.replay.arrive(self.inputs);
            if let Some(replica) = &mut self.replica {
                replica.last = executed.word;
            }
        }
        self.look(changes, duration_ps);
        true
    }

    /// Notes what there is to see after an edge.
    fn look(&mut self, changes: Vec<Change>, duration_ps: u64) {
        let engine = &*self.replay.engine;
        let levels = match (engine.circuit(), &mut self.replica) {
            (Some(circuit), _) => circuit.levels(),
            (None, Some(replica)) => replica.levels(engine),
            (None, None) => panic!("an engine without lines needs a replica"),
        };
        let (phase, index) = (engine.phase(), engine.pc());
        let position = self.replay.position();
        self.edges.push(WaveEdge { position, phase, index, duration_ps, levels, changes });
    }
}

/// A board that follows an engine without lines.
struct Replica<'a> {
    preset: &'a mut Preset,
    /// The instruction executed last; at power-up, what a chip shows that holds zeros.
    last: Word,
    /// The levels of all lines after each edge of the instruction under way.
    levels: Vec<Vec<bool>>,
}

impl<'a> Replica<'a> {
    fn new(preset: &'a mut Preset) -> Self {
        Self { preset, last: Word::from_bits(0), levels: Vec::new() }
    }

    /// The levels of all lines where the engine is.
    fn levels(&mut self, engine: &dyn Engine) -> Vec<bool> {
        if engine.edges() == 0 {
            self.levels = self.levels_of_instruction(engine);
        }
        self.levels[engine.edges() as usize].clone()
    }

    fn levels_of_instruction(&mut self, engine: &dyn Engine) -> Vec<Vec<bool>> {
        let Registers { a, carry, pc } = engine.registers();
        let state = ArchitecturalState { pc, a, carry, memory: engine.ram(), last: self.last };
        self.preset.levels(&state, engine.phase().number()..Phase::COUNT)
    }
}
