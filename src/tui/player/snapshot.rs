//! What there is to see of a player at one moment.

use std::sync::Arc;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{Buttons, Display};
use gray1_isa::{RomIndex, SymbolKind};
use gray1_sim::debugger::Breaks;

use super::{Opened, Output, Pace, Trail};

/// What the machine is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Waiting for a command.
    Paused,
    /// Executing at its pace.
    Running,
    /// Executing as fast as it can, to something.
    Seeking,
    /// Looking for something in its past.
    Searching,
    /// At the end of its program.
    Halted,
}

/// Everything a screen may want to know, at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) program: Arc<Opened>,
    pub(crate) status: Status,
    pub(crate) pace: Pace,
    /// Instructions a second, while it runs.
    pub(crate) speed: Option<u64>,
    pub(crate) executed: u64,
    pub(crate) time: Time,
    pub(crate) breaks: Arc<Breaks>,
    /// Why it stands here, while it stands.
    pub(crate) reason: Option<Reason>,
    /// What became of the last command, if there is something to say.
    pub(crate) remark: Option<&'static str>,
    /// Whether the program looks at the panel's buttons ...
    pub(crate) reads_buttons: bool,
    /// ... and which are held.
    pub(crate) buttons: Buttons,
    pub(crate) trail: Trail,
    /// The phase of the next instruction that the board is in, 0 for T0.
    pub(crate) phase: u8,
    pub(crate) a: u8,
    pub(crate) carry: bool,
    pub(crate) pc: RomIndex,
    pub(crate) ram: Box<[u8; RAM_BYTES]>,
    pub(crate) output: Arc<Output>,
}

/// The past and what is known of the future. Moments count instructions over all resets.
#[derive(Debug, Clone)]
pub(crate) struct Time {
    pub(crate) now: u64,
    /// The earliest moment that can be gone back to.
    pub(crate) start: u64,
    /// The latest that is known.
    pub(crate) end: u64,
    /// When lines were ended.
    pub(crate) lines: Arc<Vec<u64>>,
    /// When breaks stopped it, forward or back.
    pub(crate) stops: Arc<Vec<u64>>,
    /// When LEDs changed while it went from one change to the next.
    pub(crate) leds: Arc<Vec<u64>>,
    /// Down to where a search has found nothing.
    pub(crate) searched: Option<u64>,
}

/// What the last instruction did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    /// The breaks that are met here, as they are written.
    pub(crate) met: Vec<String>,
    /// In words.
    pub(crate) text: String,
}

impl Snapshot {
    /// What the LEDs show.
    pub(crate) fn display(&self) -> Display {
        Display::of(&self.ram)
    }

    /// The byte of a variable that has this name.
    pub(crate) fn variable(&self, name: &str) -> Option<u8> {
        let symbol = self.program.image.symbol(name)?;
        let address = usize::try_from(symbol.value).ok()?;
        (symbol.kind == SymbolKind::Variable).then(|| self.ram.get(address).copied())?
    }
}
