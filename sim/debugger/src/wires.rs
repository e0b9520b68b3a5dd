//! Events on the wires of a board: their changes within an edge of the oscillator.

use gray1_board::NetId;
use gray1_circuit::Circuit;

use super::signal::Signal;

/// A change of a signal's wires within an edge of the oscillator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireEvent {
    pub(super) signal: Signal,
    pub(super) change: WireChange,
}

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireChange {
    /// A wire rises.
    Rises,
    /// A wire falls.
    Falls,
    /// A wire rises or falls.
    Changes,
    /// The value of the wires becomes this number.
    Becomes(u32),
    /// A wire changes more than once.
    Glitches,
    /// Two or more wires change.
    MovesTwo,
}

impl WireEvent {
    /// Returns true if the last edge caused the event. `before` contains the levels of all wires
    /// before that edge.
    pub(super) fn occurred(&self, before: &[bool], circuit: &dyn Circuit) -> bool {
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

    /// Describes the changes of the wires in the last edge: `PCL 01 -> 02: PCL.0 fell, PCL.1 rose`.
    pub fn describe(&self, before: &[bool], circuit: &dyn Circuit) -> String {
        self.signal.describe(
            circuit.board(),
            |net| before[net.index()],
            |net| circuit.level(net),
            |net| moves(net, before, circuit),
        )
    }
}

/// Returns how often a wire changed in the last edge.
fn moves(net: NetId, before: &[bool], circuit: &dyn Circuit) -> usize {
    let in_time = circuit.changes().iter().filter(|change| change.net == net).count();
    in_time.max(usize::from(before[net.index()] != circuit.level(net)))
}
