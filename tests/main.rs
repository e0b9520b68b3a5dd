//! Tests of the program as users see it: whole commands, whole programs, the terminal. Each module
//! is about one command or feature: `cargo test --test gray1 run::` runs those of `cli/run.rs`.
//!
//! They need Unix, because they send signals, limit the files that a process may write, and use
//! pseudo-terminals. `tests/ports.sh` runs them with a `gray1` for another system.
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
mod unknown_bits;
mod witness;
