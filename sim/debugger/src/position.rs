//! Positions in a history.

/// A position in a history: a moment, and a number of edges of the oscillator after it. Positions
/// are ordered in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position {
    /// The moment: the number of instructions executed since power-up.
    pub moment: u64,
    /// The number of edges since then. It is 0 between two instructions.
    pub edges: u32,
}

impl Position {
    /// Returns the position between two instructions, at a moment.
    pub const fn at(moment: u64) -> Self {
        Self { moment, edges: 0 }
    }

    /// Returns the moment that a machine must reach to find all hits before this position. If a hit
    /// can be in the middle of an instruction, the machine must complete that instruction.
    pub(super) const fn end(self) -> u64 {
        self.moment + (self.edges > 1) as u64
    }
}
