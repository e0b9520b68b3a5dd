//! The errors of an export.

use gray1_sim::engine::EngineError;

/// Why a board cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The board does not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The machine cannot be put into a given state.
    #[error("the board's registers are not made of latches and counters that can be set")]
    Registers,
    /// No resistor holds a wire low that nothing drives.
    #[error(
        "no resistor can hold {net} low: its inputs source {current_ua} uA, and 1 kilohm sinks 400 \
         uA; drive it by fewer or by CMOS inputs"
    )]
    Pull {
        /// The wire.
        net: String,
        /// The current out of its inputs while they are low, in µA.
        current_ua: u64,
    },
}
