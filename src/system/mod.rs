//! The differences between operating systems: signals, the terminal's modes and keys, locks, and
//! the metadata of files. Each system has the same functions.

#[cfg(unix)]
mod decoder;
mod event;
#[cfg(unix)]
mod key_codes;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use event::{Signal, TerminalInput};
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
