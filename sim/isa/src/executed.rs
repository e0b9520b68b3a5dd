//! An executed instruction, and its effect on data memory.

use crate::{RamAddr, RomIndex, Word, panel};

/// An executed instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executed {
    /// Its index.
    pub index: RomIndex,
    /// The instruction. A board reports the word in its instruction register.
    pub word: Word,
    /// The byte that it wrote, the last one if a faulty board wrote several.
    pub write: Option<Write>,
    /// The byte at its operand's address afterwards, if the instruction reads it.
    pub read: Option<u8>,
}

/// A byte of data memory that was written, possibly with the value that it had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Write {
    /// The address.
    pub address: RamAddr,
    /// The value before.
    pub old: u8,
    /// The value after.
    pub new: u8,
}

impl Write {
    /// True if it changes an LED.
    #[must_use]
    pub fn changes_led(&self) -> bool {
        panel::is_led(self.address) && self.old != self.new
    }
}
