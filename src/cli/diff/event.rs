//! The events of a run that are compared, and when two of them are equal.

use gray1_board::phase::Phase;
use gray1_isa::panel::Display;
use gray1_isa::{RamAddr, RomIndex, Word};
use gray1_sim::{Engine, Registers};

/// The events to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EventKind {
    Output,
    Leds,
    Instructions,
    Wires,
    /// The events at which this condition of the debugger is true, such as stores to a byte.
    Condition(String),
}

impl EventKind {
    pub(super) fn new(text: &str) -> Self {
        match text {
            "output" => Self::Output,
            "leds" => Self::Leds,
            "instructions" => Self::Instructions,
            "wires" => Self::Wires,
            text => Self::Condition(text.to_owned()),
        }
    }

    /// Whether the state at power-up is compared as well, before the first event.
    pub(super) fn begins_at_power_up(&self) -> bool {
        matches!(self, Self::Leds | Self::Wires)
    }

    /// The name of an event of this kind, for messages.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Self::Output => "printed byte",
            Self::Leds => "LED change",
            Self::Instructions => "instruction",
            Self::Wires => "phase",
            Self::Condition(_) => "hit",
        }
    }
}

/// A recorded event.
#[derive(Debug, Clone)]
pub(super) struct RunEvent {
    pub(super) moment: u64,
    /// The index of the instruction that caused it.
    pub(super) index: RomIndex,
    /// Whether the previous instruction had the same index.
    pub(super) is_repeated: bool,
    pub(super) effect: Effect,
}

/// The part of an event that is compared. If a condition selects the events, their absolute
/// addresses and instruction indexes are not compared, because they can differ between two
/// programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    Leds(Box<Display>),
    /// A read of the byte with this name, which nothing has written.
    Unwritten(String),
    Wrote(Written),
    /// The executed instruction, if instructions are compared, and the registers after it.
    State(Option<Word>, Registers),
    Wires(Phase, Vec<bool>),
}

/// A write to data memory.
#[derive(Debug, Clone, Copy, Eq)]
pub(super) struct Written {
    pub(super) address: RamAddr,
    /// The distance of the address from the first watched byte, if the condition watches bytes.
    /// Otherwise only what is written is compared.
    pub(super) offset: Option<u16>,
    pub(super) new: u8,
}

impl PartialEq for Written {
    fn eq(&self, other: &Self) -> bool {
        (self.offset, self.new) == (other.offset, other.new)
    }
}

impl Effect {
    pub(super) fn state(word: Option<Word>, engine: &dyn Engine) -> Self {
        // Leave out the PC, because the index of the next instruction is compared as part of the
        // next event.
        Self::State(word, Registers { pc: RomIndex::default(), ..engine.registers() })
    }
}

impl RunEvent {
    /// Whether two events are equal.
    pub(super) fn equals(&self, other: &Self) -> bool {
        self.effect == other.effect && (!self.is_step() || self.index == other.index)
    }

    /// The byte that the event wrote.
    pub(super) fn written(&self) -> Option<u8> {
        if let Effect::Wrote(written) = &self.effect { Some(written.new) } else { None }
    }

    pub(super) fn is_step(&self) -> bool {
        matches!(self.effect, Effect::State(Some(_), _))
    }
}
