//! Shared by several commands: options, messages, exit statuses, and the protocols of editors and
//! shells.

pub(super) mod complete;
pub(super) mod debugger;
pub(super) mod frames;
pub(super) mod image_file;
pub(super) mod inputs;
pub(super) mod machine;
pub(super) mod messages;
pub(super) mod options;
pub(super) mod outcome;
pub(super) mod profile;
pub(super) mod programs;
pub(super) mod progress;
pub(super) mod signals;
pub(super) mod source_options;
