//! Parts of several commands: their options, messages and endings, and what editors and shells ask.

pub(in crate::cli) mod complete;
pub(in crate::cli) mod frames;
pub(in crate::cli) mod image_file;
pub(in crate::cli) mod machine;
pub(in crate::cli) mod messages;
pub(in crate::cli) mod named;
pub(in crate::cli) mod outcome;
pub(in crate::cli) mod profile;
pub(in crate::cli) mod programs;
pub(in crate::cli) mod signals;
