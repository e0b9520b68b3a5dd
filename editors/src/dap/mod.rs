//! The debug adapter: the Debug Adapter Protocol, with some requests and events of our own, whose
//! names begin with `gray1/`. The debugger itself is `gray1_debugger`.
//!
//! An [`Adapter`] goes through the stages of a session. `requests` dispatches its requests, most of
//! which are about the run of a launched program (`run`). A [`Launcher`] makes the machines.

mod adapter;
mod breakpoints;
mod call_stack;
mod launch;
mod memory;
mod profile;
mod protocol;
mod requests;
mod run;
mod sources;
mod values;
mod variables;

#[cfg(test)]
mod tests;

pub use adapter::Adapter;
pub use launch::{LaunchArguments, Launched, Launcher};
