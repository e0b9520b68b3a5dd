//! Reads descriptions of boards and parts in Rusty Object Notation.

use ::ron::Options;
use ::ron::error::SpannedError;
use ::ron::extensions::Extensions;
use gray1_isa::format::Position;
use serde::de::DeserializeOwned;

use super::error::BoardError;

/// The maximum length of a description in bytes.
pub const DESCRIPTION_BYTES_MAX: usize = 1 << 20;

/// Parses a description of any shape.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, BoardError> {
    check_length(text)?;
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| syntax(&error))
}

/// Rejects a description that is too long.
pub(super) fn check_length(text: &str) -> Result<(), BoardError> {
    let (length, max) = (text.len(), DESCRIPTION_BYTES_MAX);
    if length <= max {
        return Ok(());
    }
    Err(BoardError::new(format!(
        "the description has {length} bytes (at most {max} are supported)"
    )))
}

fn syntax(error: &SpannedError) -> BoardError {
    let start = error.span.start;
    let position = Position { line: start.line, column: start.col };
    BoardError::syntax(position, error.code.to_string())
}
