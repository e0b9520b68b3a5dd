//! The end of a run.

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The number of executed instructions, a halting `JMP` included.
    pub executed: u64,
    /// Why the run ended.
    pub stop: Stop,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// A `JMP` to itself was executed.
    Halted,
    /// The limit was reached.
    Limit,
    /// The next instruction is watched.
    Watched,
}

/// Why generated code returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Fewer instructions remain than may be executed until the next check of the limit.
    Limit,
    /// A `JMP` to itself was executed.
    Halted,
    /// The next instruction is watched.
    Watched,
    /// The next instruction stores a byte in the mailbox, and the output buffer is full.
    OutputFull,
}

impl Exit {
    /// All exits by discriminant.
    pub(crate) const ALL: [Self; 4] = [Self::Limit, Self::Halted, Self::Watched, Self::OutputFull];
}
