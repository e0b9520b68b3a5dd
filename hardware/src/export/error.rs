//! The errors of an export.

use gray1_sim::engine::EngineError;

/// Why a board cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// It does not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// No state of the machine can be brought about on it.
    #[error("the board's registers are not made of latches and counters that can be set")]
    Registers,
}
