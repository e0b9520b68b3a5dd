//! Code that all front ends of the Gray-1 share: built-in programs, libraries, lessons, links to
//! moments, tests of programs, and the choice of a machine. This crate does not do input or output.

mod as_string;
mod engine_kind;
mod files;
mod includes;
pub mod lessons;
mod link;
mod machine_spec;
mod nearest;
mod notation;
mod profile;
mod sources;
pub mod testing;

pub use engine_kind::EngineKind;
pub use files::{BuiltInFile, FILES, GROUPS, LESSONS, file, group, libraries, programs};
pub use includes::{BuiltIn, built_in_path, identity, source};
pub use link::{
    Link, LinkError, LinkInput, LinkOpening, LinkedBoard, OpenError, decode_contents, fit_message,
    format_board_error,
};
pub use machine_spec::{MachineSpec, OptionSyntax, ResolvedMachine};
pub use nearest::find_nearest;
pub use profile::profile_json;
pub use sources::{Sources, resolve_path};
