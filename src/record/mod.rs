//! The LED display as an animation.

mod gif;
mod recording;
mod svg;

pub(crate) use recording::{FRAMES_MAX, Recording};

/// The file formats of recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RecordingFormat {
    /// SVG, which moves in a browser
    Svg,
    /// GIF
    Gif,
}

impl RecordingFormat {
    /// The format for a suffix.
    pub(crate) fn from_suffix(suffix: &str) -> Option<Self> {
        <Self as clap::ValueEnum>::from_str(suffix, true).ok()
    }

    /// A recording as a file of this format.
    pub(crate) fn encode(self, recording: &Recording) -> Vec<u8> {
        match self {
            Self::Svg => svg::encode(recording).into_bytes(),
            Self::Gif => gif::encode(recording),
        }
    }
}

#[cfg(test)]
mod tests;
