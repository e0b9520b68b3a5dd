//! Events on the wires of a board: their movements within an edge of the oscillator.

use gray1_board::NetId;
use gray1_circuit::Circuit;

use super::signal::Signal;

/// A movement of a signal's wires within an edge of the oscillator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEvent {
    pub(super) signal: Signal,
    pub(super) change: WireChange,
}

/// A kind of movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireChange {
    /// A wire rises.
    Rises,
    /// A wire falls.
    Falls,
    /// A wire moves.
    Changes,
    /// The wires carry this number, and did not before.
    Becomes(u32),
    /// A wire moves more than once.
    Glitches,
    /// Two or more wires move.
    MovesTwo,
}

impl WireEvent {
    /// Whether the last edge did it. `before` has the levels of all wires before that edge.
    pub(super) fn was_done(&self, before: &[bool], circuit: &dyn Circuit) -> bool {
        let nets = self.signal.nets();
        let goes = |level| {
            let mut nets = nets.iter();
            nets.any(|&net| before[net.index()] != level && circuit.level(net) == level)
        };
        let moves = || nets.iter().map(|&net| moves(net, before, circuit));
        match self.change {
            WireChange::Rises => goes(true),
            WireChange::Falls => goes(false),
            WireChange::Changes => moves().any(|count| count > 0),
            WireChange::Becomes(number) => {
                self.signal.value(|net| before[net.index()]) != number
                    && self.signal.value(|net| circuit.level(net)) == number
            }
            WireChange::Glitches => moves().any(|count| count > 1),
            WireChange::MovesTwo => moves().filter(|count| *count > 0).count() > 1,
        }
    }

    /// The movements of the wires in the last edge, in words: `PCL 01 -> 02: PCL.0 fell, PCL.1
    /// rose`.
    #[must_use]
    pub fn story(&self, before: &[bool], circuit: &dyn Circuit) -> String {
        self.signal.story(
            circuit.board(),
            |net| before[net.index()],
            |net| circuit.level(net),
            |net| moves(net, before, circuit),
        )
    }
}

/// How often a wire moved in the last edge.
fn moves(net: NetId, before: &[bool], circuit: &dyn Circuit) -> usize {
    let in_time = circuit.changes().iter().filter(|change| change.net == net).count();
    in_time.max(usize::from(before[net.index()] != circuit.level(net)))
}
