//! Mistakes in program files, with their positions.

use std::fmt;

use crate::source_text::line_starts;

/// The maximum size of a program file, in bytes. No format needs nearly as much for 8192
/// instructions, and a file of this size still loads easily.
///
/// A caller can stop reading one byte after this limit.
pub const FILE_BYTES_MAX: usize = 16 << 20;

/// A position in a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl Position {
    /// Returns the position of the byte at `offset`.
    pub fn new(bytes: &[u8], offset: usize) -> Self {
        let starts: Vec<_> = line_starts(bytes).take_while(|start| *start <= offset).collect();
        let before = &bytes[starts.last().copied().unwrap_or(0)..offset];
        let column = String::from_utf8_lossy(before).chars().count() + 1;
        Self { line: starts.len() + 1, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The reason why a file cannot be loaded, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct LoadError {
    /// A description of the mistake.
    pub problem: String,
    /// The position of the mistake, if it has one.
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

/// Formats "expected this, found that". Shortens what was found and escapes unprintable characters.
pub(super) fn unexpected(expected: &str, found: &str) -> String {
    let shown: String = found.chars().take(20).flat_map(char::escape_debug).collect();
    let found = if found.is_empty() { "nothing".to_owned() } else { format!("'{shown}'") };
    format!("expected {expected}, found {found}")
}

pub(super) fn address_beyond(address: u64, chip_bytes: usize) -> String {
    let last = chip_bytes.saturating_sub(1);
    format!("address {address:#x} is outside the chip, which ends at {last:#x}")
}
