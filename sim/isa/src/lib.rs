//! The parts that all Gray-1 tools share: instructions, addresses, the Gray code of the program
//! counter, the front panel's memory map, and program images.
//!
//! This crate does no I/O. It does not know how programs are written or run. The facts are from
//! `docs/MACHINE.md`.

#![warn(missing_docs)]

pub mod address;
mod bit_set;
mod executed;
pub mod format;
pub mod gray;
pub mod image;
mod image_error;
pub mod naming;
pub mod op;
pub mod operand_bits;
pub mod panel;
mod partial;
mod power_up;
pub mod presentation;
mod random_program;
pub mod reason;
mod registers;
mod routines;
pub mod run_off;
pub mod source_map;
pub mod source_text;
mod split_mix;
pub mod symbol;
pub mod text;
pub mod word;

pub use address::{Half, RamAddr, RomIndex};
pub use bit_set::{BitSet, Indexes};
pub use executed::{Executed, Write};
pub use gray::GrayCode;
pub use image::Image;
pub use image_error::ImageError;
pub use naming::Names;
pub use op::{Alu, Op, Operand};
pub use operand_bits::OperandBits;
pub use partial::{PartialAlu, PartialByte, PartialState};
pub use power_up::{PowerUp, PowerUpContents};
pub use presentation::Presentation;
pub use random_program::random_program;
pub use registers::Registers;
pub use routines::{Routine, Routines};
pub use run_off::run_off;
pub use source_map::{Expansion, ExpansionKind, Origin, SourceFile, SourceLine, SourceMap};
pub use source_text::SourceText;
pub use split_mix::SplitMix64;
pub use symbol::{Symbol, SymbolKind};
pub use word::Word;
