//! Mistakes in program files, and their places.

use std::fmt;

use crate::source_text::line_starts;

/// The largest file that can be a program, in bytes: far above what 8192 instructions need in any
/// format, far below what would strain a machine. Callers need not read more than one byte beyond.
pub const FILE_BYTES_MAX: usize = 16 << 20;

/// A place in a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
}

impl Position {
    /// The position of the byte at `offset`.
    #[must_use]
    pub fn of(bytes: &[u8], offset: usize) -> Self {
        let before = &bytes[..offset];
        let starts = || line_starts(bytes).take_while(|start| *start <= offset);
        let (line, start) = (starts().count() + 1, starts().last().unwrap_or(0));
        Self { line, column: String::from_utf8_lossy(&before[start..]).chars().count() + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a file cannot be loaded, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct LoadError {
    /// The mistake.
    pub problem: String,
    /// Its place, if it is in one.
    pub position: Option<Position>,
}

impl LoadError {
    pub(super) fn at(position: Position, problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), position: Some(position) }
    }

    pub(super) fn on_line(line: usize, problem: impl Into<String>) -> Self {
        Self::at(Position { line, column: 1 }, problem)
    }

    pub(super) fn anywhere(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), position: None }
    }
}

/// "Expected this, found that", with what was found shortened and made printable.
pub(super) fn unexpected(expected: &str, found: &str) -> String {
    let shown: String = found.chars().take(20).flat_map(char::escape_debug).collect();
    let found = if found.is_empty() { "nothing".to_owned() } else { format!("'{shown}'") };
    format!("expected {expected}, found {found}")
}

pub(super) fn address_beyond(address: u64, chip_bytes: usize) -> String {
    let last = chip_bytes.saturating_sub(1);
    format!("address {address:#x} is beyond the chip, whose last is {last:#x}")
}
