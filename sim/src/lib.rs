//! Simulates the Gray-1, a computer without a CPU chip.
//!
//! - [`Engine`] is the interface of everything that runs a program. [`Setup`] creates engines.
//! - [`Machine`] is the instruction engine. It is fast and has no wires. It can also run a program
//!   for all contents of memory at once.
//! - [`BoardEngine`] runs programs on a board under power (crate `gray1-circuit`).
//!
//! Start reading at [`Engine`]. This crate does no input or output.

#![warn(missing_docs)]

pub mod board_engine;
pub mod engine;
mod engine_kind;
pub mod instruction;
mod machine_spec;
pub mod profile;
mod setup;

pub use board_engine::BoardEngine;
pub use engine::{Engine, EngineError, Registers, Snapshot};
pub use engine_kind::EngineKind;
pub use instruction::{BurnedUnit, Machine};
pub use machine_spec::{MachineSpec, OptionSyntax, RamSpec, ResolvedMachine, StockBoards};
pub use profile::{ExecutionCounts, Profile};
pub use setup::{FindReference, Hardware, Setup};

/// Whether the instruction engine can compile programs to machine code here.
pub use gray1_native::is_available as has_native_code;
