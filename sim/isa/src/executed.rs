//! One executed instruction and its effect on data memory.

use crate::{RamAddr, RomIndex, Word, panel};

/// An executed instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executed {
    /// Its index in program memory.
    pub index: RomIndex,
    /// The instruction word. A board reports the contents of its instruction register.
    pub word: Word,
    /// The byte that it wrote. If a faulty board wrote several, this is the last one.
    pub write: Option<Write>,
    /// The byte at its operand's address after the instruction, if the instruction reads memory.
    pub read: Option<u8>,
}

/// A write to a byte of data memory. The new value can equal the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Write {
    /// The address of the byte.
    pub address: RamAddr,
    /// The value before the write.
    pub old: u8,
    /// The value after the write.
    pub new: u8,
}

impl Write {
    /// Returns true if the write changes an LED.
    pub fn changes_led(&self) -> bool {
        panel::is_led(self.address) && self.old != self.new
    }
}
