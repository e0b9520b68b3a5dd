//! The parts that all tools of a Gray-1 share: its instructions, its addresses, the Gray code
//! of its program counter, its front panel's memory map, and the program image.
//!
//! Nothing here does I/O, and nothing here knows how a program is written or run.
//! The facts come from `docs/MACHINE.md`.

pub mod address;
pub mod format;
pub mod gray;
pub mod image;
pub mod naming;
pub mod op;
pub mod panel;
pub mod presentation;
mod routines;
pub mod run_off;
pub mod source_map;
pub mod source_text;
pub mod symbol;
pub mod text;
pub mod word;

pub use address::{Half, RamAddr, RomIndex};
pub use gray::GrayCode;
pub use image::{Image, ImageError};
pub use naming::Names;
pub use op::{Alu, Op, Operand};
pub use presentation::Presentation;
pub use routines::{Routine, Routines};
pub use run_off::run_off;
pub use source_map::{Expansion, ExpansionKind, Origin, Place, SourceFile, SourceMap};
pub use source_text::SourceText;
pub use symbol::{Symbol, SymbolKind};
pub use word::Word;
