//! The debug adapter: the Debug Adapter Protocol, with some requests and events of our own, whose
//! names begin with `gray1/`. The debugger is `gray1_debugger`.
//!
//! An [`Adapter`] has the stages of a session. Its requests come in at `requests`, and are about a
//! launched program (`run`). A [`Launcher`] makes the machines.

mod adapter;
mod call_view;
mod launch;
mod memory;
mod pace;
mod profile;
mod protocol;
mod requests;
mod run;
mod setting;
mod sources;
mod values;
mod variables;

#[cfg(test)]
mod tests;

pub use adapter::Adapter;
pub use launch::{LaunchArguments, Launched, Launcher};
pub use sources::Sources;
