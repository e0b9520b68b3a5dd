//! The state of the timed engine, which snapshots of a circuit keep.

use std::collections::VecDeque;

use gray1_board::NetId;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{SplitMix64, Write};

/// A wire that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// When, in ps after the power came up.
    pub time_ps: u64,
    /// Which wire.
    pub net: NetId,
    /// To which level.
    pub level: bool,
}

/// The state of a circuit in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedState {
    pub(super) random: SplitMix64,
    pub(super) now_ps: u64,
    pub(super) levels: Vec<bool>,
    pub(super) chips: Vec<TimedChip>,
    pub(super) memory: Box<[u8; RAM_BYTES]>,
    pub(super) writes: Vec<Write>,
    /// In order.
    pub(super) arrivals: VecDeque<Arrival>,
    /// Numbers the movements of wires.
    pub(super) movements: u64,
    /// The number of glitches since the power came up.
    pub(super) glitches: u64,
    /// The chips that glitched since wires were last moved from outside, a bit for each.
    pub(super) glitched: u64,
    pub(super) changes: Vec<Change>,
}

/// The inputs as a chip has noticed them, and the byte that it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TimedChip {
    /// By address pin; then the enable, if there is one.
    pub(super) pins: Vec<InputPin>,
    pub(super) address: u32,
    pub(super) shown: u8,
    /// By data pin with a filter: the number of its last movement.
    pub(super) outputs: [u64; 8],
    pub(super) glitch: Glitch,
    pub(super) enabled: bool,
    pub(super) counts: bool,
}

/// Data pins of a chip that show the contrary for a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Glitch {
    pub(super) pulses: u8,
    /// The number of the movement that ends it.
    pub(super) end: u64,
}

/// An input pin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct InputPin {
    /// The number of the last movement that has taken effect.
    pub(super) noticed: u64,
    /// The number of the last movement of the wire.
    pub(super) moved: u64,
}

/// The instant at which a movement takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrival {
    pub(super) time_ps: u64,
    pub(super) movement: u64,
    pub(super) chip: usize,
    pub(super) target: Target,
    pub(super) level: bool,
}

/// The part of a chip that a movement takes effect on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// An input, by its place among the pins: it notices its wire.
    Input(usize),
    /// A data pin with a filter: its wire follows it.
    Output(usize),
    /// All data pins: a glitch is over.
    Glitch,
}

impl TimedState {
    /// The bytes of memory that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let pins = self.chips.iter().map(|chip| chip.pins.len() * size_of::<InputPin>());
        size_of::<Self>()
            + RAM_BYTES
            + self.levels.len()
            + pins.sum::<usize>()
            + self.chips.len() * size_of::<TimedChip>()
            + self.arrivals.len() * size_of::<Arrival>()
            + self.changes.len() * size_of::<Change>()
    }

    pub(super) fn forget_movements(&mut self) {
        self.changes.clear();
        self.glitched = 0;
    }

    pub(super) fn schedule(&mut self, arrival: Arrival) {
        // Few are under way, and most come after these: that is faster than a tree.
        let place = self.arrivals.partition_point(|it| *it < arrival);
        self.arrivals.insert(place, arrival);
    }
}
