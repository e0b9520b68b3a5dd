//! Makes the files for building a machine, and examines captures of a machine that was built.
//!
//! - [`export`] turns a board into the bytes of files: images of chips, the wiring, a parts list,
//!   schematics and a Verilog model.
//! - [`capture`] compares a logic analyser's record of a machine with its board, and names the
//!   faulty chip or wire.
//! - [`soldered`] checks what is soldered around the chips, and proves its clock and reset.
//! - [`vcd`] writes the level changes of a simulated board's wires, as a logic analyser would
//!   record them.
//!
//! Start reading at [`Export`] and [`capture::Checker`]. This crate does no input or output.

pub mod capture;
pub mod export;
pub mod soldered;
pub mod vcd;

pub use export::Export;
