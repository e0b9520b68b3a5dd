//! What a programmer sees of the machine.

use gray1_isa::RomIndex;
use gray1_isa::address::RAM_BYTES;

use super::RecentSteps;

/// What a programmer sees of the machine, and how it came there.
#[derive(Debug, Clone)]
pub struct Cpu {
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// The index of the next instruction.
    pub pc: RomIndex,
    /// The phase of that instruction that the board is in, 0 for T0.
    pub phase: u8,
    /// How many instructions were executed since the reset.
    pub executed: u64,
    /// Data memory.
    pub ram: Box<[u8; RAM_BYTES]>,
    /// The instructions executed last.
    pub recent: RecentSteps,
}
