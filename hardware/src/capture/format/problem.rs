//! What all formats share: movements, limits and errors.

use std::borrow::Cow;
use std::io;

use gray1_isa::format::Position;
use gray1_isa::text::printable;

/// The largest number of channels that is read.
pub(super) const CHANNELS_MAX: usize = 1024;
/// The latest supported time: some months.
pub(super) const TIME_PS_MAX: i64 = i64::MAX / 2;
/// The most bytes of unpacked samples that are read, against archives that unpack to almost endless
/// zeros.
pub(super) const SAMPLE_BYTES_MAX: u64 = 4 << 30;
/// The most movements that are read from an archive, against almost endless ones: those of CTRL's
/// wires in ten seconds, which are examined in one.
pub(super) const MOVEMENTS_MAX: usize = 1 << 24;

/// A change of a channel's level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// The time in ps, as the capture counts.
    pub time_ps: i64,
    /// The channel, as an index into [`Capture::channels`](super::Capture::channels).
    pub channel: usize,
    /// The new level; `None` if the capture states that it is unknown.
    pub level: Option<bool>,
}

/// Why a capture cannot be read, and where.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct CaptureError {
    /// The mistake.
    pub problem: CaptureProblem,
    /// Its position, in a text.
    pub position: Option<Position>,
}

/// What can be wrong with a capture.
#[derive(Debug, thiserror::Error)]
pub enum CaptureProblem {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Unexpected text.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What was expected.
        expected: Cow<'static, str>,
        /// What was found, printable.
        found: String,
    },
    /// The file ends too early.
    #[error("the file ends before {0}")]
    Ends(&'static str),
    /// Something is too long.
    #[error("this {what} is longer than {max} bytes")]
    TooLong {
        /// What.
        what: &'static str,
        /// The limit.
        max: usize,
    },
    /// There is too much of something.
    #[error("there are more than {max} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The limit.
        max: usize,
    },
    /// A time that is later than any capture.
    #[error("this time is longer than any capture")]
    TooLate,
    /// The time goes back.
    #[error("the time goes back here")]
    TimeGoesBack,
    /// A table of levels without times.
    #[error("there is neither a column of times nor a sample rate; export one of them")]
    NoTimes,
    /// An archive that cannot be read, or does not hold a session.
    #[error("{0}")]
    Zip(String),
}

impl CaptureProblem {
    pub(super) fn unexpected(expected: &'static str, found: &str) -> Self {
        let short: String = found.chars().take(20).collect();
        let found =
            if found.is_empty() { "nothing".into() } else { format!("'{}'", printable(&short)) };
        Self::Unexpected { expected: expected.into(), found }
    }

    pub(super) fn anywhere(self) -> CaptureError {
        CaptureError { problem: self, position: None }
    }
}

impl From<io::Error> for CaptureError {
    fn from(error: io::Error) -> Self {
        CaptureProblem::Io(error).anywhere()
    }
}
