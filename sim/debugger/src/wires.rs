//! The movements of a board's wires within an edge of the oscillator, as events to stop at.

use gray1_board::NetId;
use gray1_circuit::Circuit;

use super::signal::Signal;

/// A movement of one wire, or of several of one name, within an edge of the oscillator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEvent {
    pub(super) signal: Signal,
    pub(super) change: WireChange,
}

/// A movement of wires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireChange {
    /// One of them is high that was low.
    Rises,
    /// One of them is low that was high.
    Falls,
    /// One of them moves.
    Changes,
    /// They carry a number that they did not carry before.
    Becomes(u32),
    /// One of them moves more than once.
    Glitches,
    /// Two or more of them move.
    MovesTwo,
}

impl WireEvent {
    /// Whether the last edge did it. `before` holds the levels of all wires before that edge.
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
