//! What differs between the systems that we run on: signals, the terminal's modes and keys, locks,
//! and what a file system knows of a file. Each system has the same functions.

#[cfg(unix)]
mod decoder;
mod event;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use event::{Signal, TerminalInput};
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
