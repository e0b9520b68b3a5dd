//! Tests of what users see: whole commands, whole programs, the terminal. Each module is about one
//! command or feature: `cargo test --test gray1 run::` runs those of `cli/run.rs`.
//!
//! They need Unix: they send signals, limit what a process may write, and use pseudo-terminals.
//! `tests/ports.sh` has them start a `gray1` for another system.
#![cfg(unix)]

mod cli;
mod documentation;
mod editor;
mod fuzz;
mod house;
mod maker;
mod programs;
mod support;
mod terminal;
mod witness;
