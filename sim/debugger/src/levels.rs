//! The levels of a board's wires at the present and before the last edge of the oscillator.

use std::sync::Arc;

use gray1_board::{Board, NetId, number};
use gray1_circuit::Circuit;

use super::controller::Debugger;

/// The levels of all wires, now and before the last edge.
#[derive(Debug)]
pub struct Levels {
    /// The board that the wires belong to.
    pub board: Arc<Board>,
    /// By [`NetId::index`].
    pub(super) now: Vec<bool>,
    /// `None` just after a reset, and at the end of a program.
    pub(super) before: Option<Vec<bool>>,
    /// How often each wire moved in the last edge on a timed engine; empty on other engines.
    movements: Vec<u32>,
}

impl Levels {
    /// The level of a wire.
    #[must_use]
    pub fn level(&self, net: NetId) -> bool {
        self.now[net.index()]
    }

    /// Whether the last edge changed the level of a wire.
    #[must_use]
    pub fn moved(&self, net: NetId) -> bool {
        let before = self.before.as_ref();
        before.is_some_and(|before| before[net.index()] != self.level(net))
    }

    /// How often a wire moved in the last edge. More than once is a glitch, which only a timed
    /// engine has.
    #[must_use]
    pub fn movements(&self, net: NetId) -> u32 {
        self.movements.get(net.index()).copied().unwrap_or_else(|| self.moved(net).into())
    }

    /// The number on some wires, low bit first.
    #[must_use]
    pub fn number(&self, nets: &[NetId]) -> u32 {
        number(nets, |net| self.level(net))
    }
}

impl Debugger {
    /// The levels of all wires of the engine, or of the board beside it. `None` if there is
    /// neither.
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

    /// The levels some edges of the oscillator from now. The machine stays where it is.
    pub fn levels_after(&mut self, edges: u32) -> Option<Levels> {
        let (moment, at) = self.history.position();
        (0..edges).for_each(|_| self.history.edge());
        let levels = self.levels();
        self.history.seek_edge(moment, at);
        levels
    }
}

/// How often each wire moved in the last edge; empty on an untimed circuit.
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
