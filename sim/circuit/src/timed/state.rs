//! The state of the timed engine, which is part of snapshots.

use std::collections::VecDeque;

use gray1_board::NetId;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{SplitMix64, Write};

/// A level change of a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The time since power-up in ps.
    pub time_ps: u64,
    /// The wire.
    pub net: NetId,
    /// The new level.
    pub level: bool,
}

/// The state of a circuit with delays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedState {
    pub(super) random: SplitMix64,
    pub(super) now_ps: u64,
    pub(super) levels: Vec<bool>,
    pub(super) chips: Vec<TimedChip>,
    pub(super) memory: Box<[u8; RAM_BYTES]>,
    pub(super) writes: Vec<Write>,
    /// Pending events, in order of time.
    pub(super) events: VecDeque<Event>,
    /// Counts level changes, to number them.
    pub(super) movements: u64,
    /// The number of glitches since power-up.
    pub(super) glitches: u64,
    /// The chips that glitched since a wire was last changed from outside, as a bit mask.
    pub(super) glitched: u64,
    pub(super) changes: Vec<Change>,
}

/// The inputs as a chip has noticed them, and its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TimedChip {
    /// The address pins, then the enable, if there is one.
    pub(super) pins: Vec<InputPin>,
    pub(super) address: u32,
    pub(super) shown: u8,
    /// For each filtered data pin, the number of its last change.
    pub(super) outputs: [u64; 8],
    pub(super) glitch: Glitch,
    pub(super) enabled: bool,
    pub(super) counts: bool,
}

/// Data pins that are briefly inverted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Glitch {
    pub(super) pulses: u8,
    /// The number of the event that ends it.
    pub(super) end: u64,
}

/// An input pin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct InputPin {
    /// The number of the last change that has taken effect.
    pub(super) noticed: u64,
    /// The number of the last change of the wire.
    pub(super) moved: u64,
}

/// An event: the time at which a level change takes effect or a glitch ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub(super) time_ps: u64,
    pub(super) movement: u64,
    pub(super) chip: usize,
    pub(super) target: Target,
    pub(super) level: bool,
}

/// The target of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// The input with this index among the pins notices a change of its wire.
    Input(usize),
    /// The wire after a filtered data pin follows the pin.
    Output(usize),
    /// A glitch on the data pins ends.
    Glitch,
}

impl TimedState {
    /// Returns the approximate memory that it occupies, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let pins = self.chips.iter().map(|chip| chip.pins.len() * size_of::<InputPin>());
        size_of::<Self>()
            + RAM_BYTES
            + self.levels.len()
            + pins.sum::<usize>()
            + self.chips.len() * size_of::<TimedChip>()
            + self.events.len() * size_of::<Event>()
            + self.changes.len() * size_of::<Change>()
    }

    pub(super) fn clear_changes(&mut self) {
        self.changes.clear();
        self.glitched = 0;
    }

    pub(super) fn schedule(&mut self, event: Event) {
        // Few events are pending, and most new ones come last. A sorted queue is faster than a
        // tree.
        let place = self.events.partition_point(|it| *it < event);
        self.events.insert(place, event);
    }
}
