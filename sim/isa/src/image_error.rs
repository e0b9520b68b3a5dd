//! The error of parts that do not make an image.

/// Why some parts do not make an image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ImageError(pub(crate) String);
