//! Tests of what users see: whole commands, whole programs, the terminal. A module a topic:
//! `cargo test --test gray1 run::` runs those of `run.rs`.
//!
//! They need Unix: they send signals, limit what a process may write, and use pseudo-terminals.
//! `tests/ports.sh` has them start a `gray1` for another system.
#![cfg(unix)]

mod assistance;
mod check;
mod chips;
mod classroom;
mod compare;
mod dap;
mod debugging;
mod documentation;
mod editors;
mod ending;
mod export;
mod files;
mod first_minutes;
mod fmt;
mod fuzz;
mod games;
mod glitches;
mod house;
mod keeping;
mod kicad;
mod learn;
mod lesson_keys;
mod library;
mod limits;
mod links;
mod lsp;
mod lsp_answers;
mod lsp_names;
mod mistakes;
mod neighbours;
mod neovim;
mod opening;
mod panel;
mod probe;
mod programs;
mod queens;
mod record;
mod roms;
mod routines;
mod run;
mod screenshot;
mod shells;
mod show;
mod soak;
mod support;
mod terminal;
mod terminals;
mod tutorial;
mod vscode;
mod waiting;
mod warnings;
mod why;
mod windows;
mod witness;
