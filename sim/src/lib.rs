//! Simulates the Gray-1, a computer whose CPU is made of memory chips.
//!
//! - [`Engine`] is the interface of everything that runs a program. [`Setup`] makes engines.
//! - [`Machine`] is the instruction engine: what a programmer sees, fast.
//! - [`board::Board`] is the CPU as data: chips, wires and contents, checked. [`circuit`] puts it
//!   under power, chip by chip, and knows no instruction; a [`Computer`] is a circuit observed as
//!   an engine.
//! - [`debugger`] is a history of an engine, with breaks and searches in both directions.
//! - [`proofs`] shows that a board works whatever its chips' delays; [`export`] writes the files to
//!   build it.
//!
//! This crate does no input or output.

pub mod board;
mod burn;
pub mod capture;
pub mod circuit;
pub mod computer;
pub mod debugger;
pub mod engine;
mod executed;
pub mod export;
mod indexes;
pub mod instruction;
pub mod phase;
pub mod power_up;
pub mod profile;
pub mod proofs;
mod setup;
mod split_mix;
pub mod vcd;

pub use board::Board;
pub use circuit::Noise;
pub use computer::Computer;
pub use engine::{Engine, EngineError, Registers, Snapshot};
pub use executed::{Executed, Write};
pub use export::Export;
pub use indexes::Indexes;
pub use instruction::{BurnedUnit, Machine, Unrecognised};
pub use phase::Phase;
pub use power_up::PowerUp;
pub use profile::{ExecutionCounts, Profile};
pub use setup::{Hardware, Setup};
pub use split_mix::SplitMix64;

/// True if the instruction engine runs programs as machine code on this kind of host.
pub use gray1_native::IS_SUPPORTED as HAS_NATIVE_CODE;
