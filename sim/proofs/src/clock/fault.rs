//! What can be wrong with clock and reset.

/// The phases for which a reset has to last.
pub(super) const PHASES_MIN: u64 = 9;

/// Why clock and reset are wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClockFault {
    /// Not exactly one part that oscillates.
    #[error("the board has {0} oscillators, expected one")]
    Oscillators(usize),
    /// More flip-flops or wires from outside than can be tried.
    #[error("more than {0} flip-flops, or wires from outside that reach them")]
    TooMany(usize),
    /// A wire of clock or reset that no flip-flop makes.
    #[error("no flip-flop drives {0}")]
    NotHeld(String),
    /// Flip-flops that clock each other without end.
    #[error("the flip-flops never come to rest after an edge of the oscillator, from {0}")]
    Restless(String),
    /// The clock does not move.
    #[error("{0} stands still, from {1}")]
    Still(String, String),
    /// A clock whose halves differ, or depend on those of the oscillator.
    #[error(
        "the halves of {0} last {1} and {2} edges of the oscillator, expected equal, even numbers"
    )]
    Halves(String, u8, u8),
    /// A wire that may move at any time.
    #[error("{wire} can move at any time: {why}")]
    AnyTime {
        /// The wire.
        wire: String,
        /// How.
        why: String,
    },
    /// The reset wire moves at a wrong time.
    #[error("{wire} moves {when}, from {state}")]
    WrongTime {
        /// The wire.
        wire: String,
        /// When.
        when: String,
        /// The flip-flops before.
        state: String,
    },
    /// No part makes a reset, or the wire does not follow it.
    #[error("{0} does not follow a supervisor")]
    NotFollowing(String),
    /// A reset that is too short.
    #[error("a reset lasts {0} phases, expected {PHASES_MIN} at least")]
    Short(u64),
}
