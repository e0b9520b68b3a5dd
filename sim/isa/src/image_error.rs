//! The error for parts that do not make a valid image.

/// The reason why some parts do not make a valid image. It prints as a message for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ImageError(pub(crate) String);
