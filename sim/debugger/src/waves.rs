//! Waves: the wires of a board over the last and the next edges of the oscillator.

use std::sync::Arc;

use gray1_board::phase::Phase;
use gray1_board::{Board, NetId};
use gray1_circuit::{Change, Circuit};
use gray1_isa::{RomIndex, Word};

use super::controller::Debugger;
use super::history::History;
use super::inputs::Inputs;
use super::replay::Replay;
use super::replica::Replica;

/// The shortest instruction: the first one after a reset, which ends in T1.
const EDGES_MIN: u64 = 7;

/// The wires of a board over some edges around the present.
#[derive(Debug, Clone)]
pub struct Waves {
    /// The board that the wires belong to.
    pub board: Arc<Board>,
    /// Whether it stands beside an engine that has no wires.
    pub is_replica: bool,
    pub(super) record: Arc<WaveRecord>,
    /// Indexes into the record: the first edge, the present one, and the end.
    first: usize,
    now: usize,
    end: usize,
}

/// Edges that were executed again, and when they are still valid.
#[derive(Debug)]
pub(super) struct WaveRecord {
    /// In order of time. The movements of the first one are not known.
    pub(super) edges: Vec<WaveEdge>,
    /// Whether the history starts with them.
    pub(super) is_whole_past: bool,
    /// Whether the machine cannot go on after them.
    pub(super) is_whole_future: bool,
    /// The revision of the history.
    revision: u64,
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

impl WaveEdge {
    /// The level of a wire at the end of the phase.
    #[must_use]
    pub fn level(&self, net: NetId) -> bool {
        self.levels[net.index()]
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

impl Waves {
    /// The edges in order of time.
    #[must_use]
    pub fn edges(&self) -> &[WaveEdge] {
        &self.record.edges[self.first..self.end]
    }

    /// The index of the present edge.
    #[must_use]
    pub fn now(&self) -> usize {
        self.now - self.first
    }

    /// The edge before one of them; `None` if nothing before it is known.
    #[must_use]
    pub fn before(&self, edge: usize) -> Option<&WaveEdge> {
        self.record.edges.get((self.first + edge).checked_sub(1)?)
    }

    /// Whether the circuit is timed, so that there are glitches.
    #[must_use]
    pub fn are_in_time(&self) -> bool {
        self.record.edges.iter().any(|edge| edge.duration_ps > 0)
    }
}

impl Debugger {
    /// The wires of the engine, or of the board beside it, over up to `reach` edges before the
    /// present and as many after it, assuming no new inputs. `None` if there are no wires. A longer
    /// record is kept for the next steps.
    pub fn waves(&mut self, reach: usize) -> Option<Waves> {
        self.place_replica();
        let board = self.wires.as_deref().map(|wires| &wires.board);
        let board = Arc::clone(board.or(self.shown.replica.as_ref().map(|it| &it.board))?);
        let history = &self.history;
        let known = self.shown.wave_record.take().filter(|known| known.serves(history, reach));
        let record = known
            .unwrap_or_else(|| Arc::new(history.waves(2 * reach, self.shown.replica.as_mut())));
        let now = record.last_up_to(history.position());
        let (first, end) = (now.saturating_sub(reach), record.edges.len().min(now + reach + 1));
        self.shown.wave_record = Some(Arc::clone(&record));
        Some(Waves { board, is_replica: self.wires.is_none(), record, first, now, end })
    }
}

impl WaveRecord {
    /// The index of the last edge up to a position.
    pub(super) fn last_up_to(&self, position: (u64, u32)) -> usize {
        self.edges.partition_point(|edge| edge.position <= position).saturating_sub(1)
    }

    /// Whether it is valid and has `reach` edges on each side of the present, or all there are.
    fn serves(&self, history: &History, reach: usize) -> bool {
        let now = self.last_up_to(history.position());
        self.revision == history.revision()
            && self.edges[now].position == history.position()
            && (self.is_whole_past || now >= reach)
            && (self.is_whole_future || now + reach < self.edges.len())
    }
}

impl History {
    /// Executes up to `reach` edges before the present and as many after it, assuming no new
    /// inputs. An engine without wires needs a replica.
    pub(super) fn waves(&self, reach: usize, replica: Option<&mut Replica>) -> WaveRecord {
        let present = self.position();
        let begin = present.0.saturating_sub(reach as u64 / EDGES_MIN + 2).max(self.start());
        let mut recorder = WaveRecorder::new(self, begin, replica);
        while recorder.replay.position() < present && recorder.turn_over() {}
        let is_whole_future = !(0..reach).all(|_| recorder.turn_over());
        let mut edges = recorder.edges;
        let now = edges.partition_point(|edge| edge.position <= present) - 1;
        let excess = now.saturating_sub(reach);
        edges.drain(..excess);
        let is_whole_past = begin == self.start() && excess == 0;
        WaveRecord { edges, is_whole_past, is_whole_future, revision: self.revision() }
    }
}

/// A machine whose wires are recorded edge by edge.
struct WaveRecorder<'a> {
    replay: Replay,
    inputs: &'a Inputs,
    replica: Option<&'a mut Replica>,
    /// The instruction executed last; at power-up, the output of a chip of zeros.
    last: Word,
    edges: Vec<WaveEdge>,
}

impl<'a> WaveRecorder<'a> {
    /// Begins at a moment.
    fn new(history: &'a History, begin: u64, replica: Option<&'a mut Replica>) -> Self {
        let inputs = history.inputs();
        let replay = history.replay_at(begin);
        let (last, edges) = (Word::from_bits(0), Vec::new());
        let mut recorder = Self { replay, inputs, replica, last, edges };
        recorder.look(Vec::new(), 0);
        recorder
    }

    fn time_ps(&self) -> u64 {
        self.replay.engine.circuit().and_then(Circuit::time_ps).unwrap_or_default()
    }

    /// Turns the oscillator over once. Returns false if the machine cannot go on.
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
            self.replay.totals.moment += 1;
            // Inputs move wires, too, so the edge's movements are taken before.
            self.replay.arrive(self.inputs);
            let is_loaded = self.inputs.load_registers_at(self.replay.moment());
            self.last = if is_loaded { Word::ldi(0) } else { executed.word };
        }
        self.look(changes, duration_ps);
        true
    }

    /// Records the wires after an edge.
    fn look(&mut self, changes: Vec<Change>, duration_ps: u64) {
        let engine = &*self.replay.engine;
        let levels = match (engine.circuit(), &mut self.replica) {
            (Some(circuit), _) => circuit.levels(),
            (None, Some(replica)) => replica.levels(engine, self.last),
            (None, None) => unreachable!("an engine without wires has a replica"),
        };
        let (phase, index) = (engine.phase(), engine.pc());
        let position = self.replay.position();
        self.edges.push(WaveEdge { position, phase, index, duration_ps, levels, changes });
    }
}
