//! A board behind the debugger: chip by chip, and yet forward and back.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{Buttons, MAILBOX};
use gray1_isa::{RomIndex, Word};

use super::Replay;
use crate::circuit::{self, Circuit, Panel, PanelError, Settled};
use crate::{Executed, Indexes, Write};

/// A board, at rest between any two edges of its oscillator, that can be brought back.
///
/// A board that fails to come to rest has come to its end as a program does: [`Chips::trouble`]
/// tells why.
#[derive(Debug, Clone)]
pub struct Chips {
    panel: Panel<Settled>,
    /// Data memory before the instruction under way: a board tells what it wrote, not over what.
    before: Box<[u8; RAM_BYTES]>,
    executed: u64,
    output: Vec<u8>,
    watched: Indexes,
    trouble: Option<PanelError>,
}

/// What a board remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedChips {
    panel: circuit::Saved,
    executed: u64,
    trouble: Option<PanelError>,
}

impl Chips {
    /// A board at whose panel somebody has pressed reset.
    #[must_use]
    pub fn new(panel: Panel<Settled>) -> Self {
        Self {
            before: Box::new(*panel.circuit().memory()),
            panel,
            executed: 0,
            output: Vec::new(),
            watched: Indexes::NONE,
            trouble: None,
        }
    }

    /// Why the board cannot go on.
    #[must_use]
    pub fn trouble(&self) -> Option<&PanelError> {
        self.trouble.as_ref()
    }

    /// The board, to look at.
    #[must_use]
    pub fn circuit(&self) -> &Settled {
        self.panel.circuit()
    }

    /// Notes what an instruction wrote. One that writes more than a byte is no Gray-1's; the last
    /// one is told.
    fn note(&mut self, writes: &[circuit::Write]) -> Option<Write> {
        let mut last = None;
        for write in writes {
            let old = &mut self.before[write.address.to_usize()];
            last = Some(Write { address: write.address, old: *old, new: write.byte });
            *old = write.byte;
            if write.address == MAILBOX {
                self.output.push(write.byte);
            }
        }
        last
    }

    fn press(&mut self, press: impl FnOnce(&mut Panel<Settled>) -> Result<(), PanelError>) {
        if self.trouble.is_none() {
            self.trouble = press(&mut self.panel).err();
            self.before.copy_from_slice(self.panel.circuit().memory());
        }
    }
}

impl Replay for Chips {
    type Saved = SavedChips;

    fn save(&self) -> SavedChips {
        let Self { executed, trouble, .. } = self;
        SavedChips { panel: self.panel.save(), executed: *executed, trouble: trouble.clone() }
    }

    fn restore(&mut self, saved: &SavedChips) {
        self.panel.restore(&saved.panel);
        self.before.copy_from_slice(self.panel.circuit().memory());
        self.executed = saved.executed;
        self.trouble.clone_from(&saved.trouble);
        self.output.clear();
    }

    fn watch(&mut self, indexes: &Indexes) {
        self.watched.clone_from(indexes);
    }

    fn run_to_watched(&mut self, limit: u64) -> u64 {
        let mut count = 0;
        while count < limit && !self.watched.contains(self.pc()) && self.step().is_some() {
            count += 1;
        }
        count
    }

    fn run(&mut self, limit: u64) -> u64 {
        (0..limit).take_while(|_| self.step().is_some()).count() as u64
    }

    fn step(&mut self) -> Option<Executed> {
        if self.halted() {
            return None;
        }
        match self.panel.step() {
            Ok(circuit::Executed { index, word, writes, .. }) => {
                self.executed += 1;
                Some(Executed { index, word, write: self.note(&writes) })
            }
            Err(trouble) => {
                self.trouble = Some(trouble);
                None
            }
        }
    }

    fn reset(&mut self) {
        self.press(Panel::reset);
        self.executed = 0;
    }

    fn hold(&mut self, buttons: Buttons) {
        self.press(|panel| panel.press(buttons));
    }

    fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    fn a(&self) -> u8 {
        self.panel.a()
    }

    fn carry(&self) -> bool {
        self.panel.carry()
    }

    fn pc(&self) -> RomIndex {
        self.panel.index()
    }

    fn word(&self, index: RomIndex) -> Word {
        self.panel.word(index)
    }

    fn ram(&self) -> &[u8; RAM_BYTES] {
        self.panel.circuit().memory()
    }

    fn executed(&self) -> u64 {
        self.executed
    }

    fn halted(&self) -> bool {
        self.panel.halted() || self.trouble.is_some()
    }
}
