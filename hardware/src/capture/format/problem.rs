//! What all formats share: movements, limits, and the mistakes in a file.

use std::borrow::Cow;
use std::io;

use gray1_isa::format::Position;
use gray1_isa::text::printable;

/// The largest number of channels that is read.
pub(super) const CHANNELS_MAX: usize = 1024;
/// The latest time that is read: some months.
pub(super) const TIME_PS_MAX: i64 = i64::MAX / 2;
/// The most bytes of unpacked samples that are read: a bomb of zeros ends here.
pub(super) const SAMPLE_BYTES_MAX: u64 = 4 << 30;
/// A channel has another level from a time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// When, in ps, as the capture counts.
    pub time_ps: i64,
    /// Which channel, by its place in [`Capture::channels`](super::Capture::channels).
    pub channel: usize,
    /// To which level; `None` if the capture says that it is unknown.
    pub level: Option<bool>,
}

/// Why a file is not a capture that can be read, and where.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct CaptureError {
    /// The mistake.
    pub problem: Problem,
    /// Its place in a text.
    pub position: Option<Position>,
}

/// The kinds of mistakes in a capture.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Something else stands where something is expected.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What should stand there.
        expected: Cow<'static, str>,
        /// What does, printable.
        found: String,
    },
    /// The file stops too early.
    #[error("the file ends before {0}")]
    Ends(&'static str),
    /// Longer than is supported.
    #[error("this {what} is longer than {max} bytes")]
    TooLong {
        /// What.
        what: &'static str,
        /// The limit.
        max: usize,
    },
    /// More than is supported.
    #[error("there are more than {max} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The limit.
        max: usize,
    },
    /// A time beyond all captures.
    #[error("this time is longer than any capture")]
    TooLate,
    /// Times must rise.
    #[error("the time goes back here")]
    TimeGoesBack,
    /// A table of levels without times.
    #[error("there is neither a column of times nor a sample rate; export one of them")]
    NoTimes,
    /// An archive that cannot be read, or does not hold a session.
    #[error("{0}")]
    Zip(String),
}

impl Problem {
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
        Problem::Io(error).anywhere()
    }
}
