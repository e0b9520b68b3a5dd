//! The levels of a board's wires now, before the last edge of the oscillator, and over many edges.

use std::sync::Arc;

use gray1_board::{Board, NetId, number};
use gray1_circuit::Circuit;

use super::controller::Debugger;
use super::position::Position;
use super::waves::Waves;

/// The levels of all wires, now and before the last edge.
#[derive(Debug)]
pub struct Levels {
    /// The board that has these wires.
    pub board: Arc<Board>,
    /// The levels now, by [`NetId::index`].
    pub(super) now: Vec<bool>,
    /// The levels before the last edge. `None` just after a reset, and at the end of a program.
    pub(super) before: Option<Vec<bool>>,
    /// How often each wire changed in the last edge, on an engine with delays. Empty on other
    /// engines.
    movements: Vec<u32>,
}

impl Levels {
    /// Returns the level of a wire.
    pub fn level(&self, net: NetId) -> bool {
        self.now[net.index()]
    }

    /// Returns true if the last edge changed the level of a wire.
    pub fn moved(&self, net: NetId) -> bool {
        let before = self.before.as_ref();
        before.is_some_and(|before| before[net.index()] != self.level(net))
    }

    /// Returns how often a wire changed in the last edge. More than one change is a glitch, which
    /// only an engine with delays has.
    pub fn movements(&self, net: NetId) -> u32 {
        self.movements.get(net.index()).copied().unwrap_or_else(|| self.moved(net).into())
    }

    /// Returns the number formed by the levels of some wires. The first wire is the lowest bit.
    pub fn number(&self, nets: &[NetId]) -> u32 {
        number(nets, |net| self.level(net))
    }
}

impl Debugger {
    /// Returns the levels of all wires of the engine, or of its replica. Returns `None` if the
    /// engine has neither wires nor a replica.
    pub fn levels(&mut self) -> Option<Levels> {
        if let (Some(wires), Some(circuit)) = (&self.wires, self.history.engine().circuit()) {
            return Some(Levels {
                board: Arc::clone(&wires.board),
                now: circuit.levels(),
                before: self.trail.levels_before(&self.history).map(<[bool]>::to_vec),
                movements: movements(circuit),
            });
        }
        self.place_replica();
        let (engine, recent) = (self.history.engine(), self.trail.recent(&self.history));
        let replica = self.shown.replica.as_mut()?;
        Some(Levels {
            board: Arc::clone(&replica.board),
            now: replica.levels(engine, recent.last()),
            before: replica.levels_before(engine, &recent),
            movements: Vec::new(),
        })
    }

    /// Returns the levels after this many more oscillator edges. The machine does not move.
    pub fn levels_after(&mut self, edges: u32) -> Option<Levels> {
        let Position { moment, edges: at } = self.history.position();
        (0..edges).for_each(|_| self.history.edge());
        let levels = self.levels();
        self.history.seek_edge(moment, at);
        levels
    }

    /// Returns the levels of the wires of the engine or of its replica. They cover up to `reach`
    /// edges before the present and as many after it. Returns `None` if there are no wires.
    ///
    /// The levels after the present assume that no new inputs are given. A longer record is kept
    /// for the next calls.
    pub fn waves(&mut self, reach: usize) -> Option<Waves> {
        self.place_replica();
        let board = self.wires.as_deref().map(|wires| &wires.board);
        let board = Arc::clone(board.or(self.shown.replica.as_ref().map(|it| &it.board))?);
        let history = &self.history;
        let known = self.shown.wave_record.take().filter(|known| known.serves(history, reach));
        let record = known
            .unwrap_or_else(|| Arc::new(history.waves(2 * reach, self.shown.replica.as_mut())));
        let now = record.last_up_to(history.position());
        let first = now.saturating_sub(reach);
        let end = record.edges.len().min(now + reach + 1);
        self.shown.wave_record = Some(Arc::clone(&record));
        Some(Waves { board, is_replica: self.wires.is_none(), record, first, now, end })
    }
}

/// Returns how often each wire changed in the last edge. It is empty for a circuit without delays.
fn movements(circuit: &dyn Circuit) -> Vec<u32> {
    if circuit.time_ps().is_none() {
        return Vec::new();
    }
    let mut movements = vec![0; circuit.board().nets().len()];
    for change in circuit.changes() {
        movements[change.net.index()] += 1;
    }
    movements
}
