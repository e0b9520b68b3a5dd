//! Level changes, limits and errors, which all formats share.

use std::fmt::Display;
use std::io;

use gray1_isa::format::Position;
use gray1_isa::text::printable;

/// The maximum number of channels that are read.
pub(super) const CHANNELS_MAX: usize = 1 << 16;
/// The latest supported time: about 53 days.
pub(super) const TIME_PS_MAX: i64 = i64::MAX / 2;
/// The maximum number of unpacked sample bytes that are read. It protects against archives that
/// unpack to almost endless zeros.
pub(super) const SAMPLE_BYTES_MAX: u64 = 4 << 30;
/// The maximum number of level changes that are read from an archive. It protects against archives
/// with almost endless changes. The wires of the chip CTRL make this many changes in about ten
/// seconds, and processing them takes about one second.
pub(super) const CHANGES_MAX: usize = 1 << 24;

/// A change of a channel's level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelChange {
    /// The time in ps, from the capture's own origin.
    pub time_ps: i64,
    /// The channel, as an index into [`Capture::channels`](super::Capture::channels).
    pub channel: usize,
    /// The new level. `None` if the capture marks it as unknown.
    pub level: Option<bool>,
}

/// The reason why a capture cannot be read, and the position.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct CaptureError {
    /// The error message.
    pub message: String,
    /// The position of the error, if the format is text.
    pub position: Option<Position>,
}

impl CaptureError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), position: None }
    }
}

impl From<io::Error> for CaptureError {
    fn from(error: io::Error) -> Self {
        Self::new(error.to_string())
    }
}

pub(super) const TOO_LATE: &str = "this time is longer than any capture";

pub(super) fn unexpected(expected: &str, found: &str) -> String {
    let short: String = found.chars().take(20).collect();
    let found = if found.is_empty() { "nothing" } else { &format!("'{}'", printable(&short)) };
    format!("expected {expected}, found {found}")
}

pub(super) fn too_long(what: &str, max: impl Display) -> String {
    format!("this {what} is longer than {max} bytes")
}

pub(super) fn too_many(what: &str, max: usize) -> String {
    format!("there are more than {max} {what}")
}
