//! What a client asks for at a launch, and who makes the machine.

use std::path::PathBuf;

use gray1_debugger::Debugger;
use gray1_programs::MachineSpec;
use serde::Deserialize;

use super::sources::Sources;

/// The arguments of a launch.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaunchArguments {
    /// A path, or the name of a built-in program.
    pub program: String,
    /// What it runs on.
    #[serde(flatten)]
    pub machine: MachineSpec,
    /// A file that says which buttons are held when.
    pub buttons: Option<PathBuf>,
    /// How fast it runs; as fast as possible if that is not said.
    pub instructions_per_second: Option<u64>,
    /// Whether the machine stands before the first instruction until the client lets it run.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// Whether the machine stands at the end of the program, so that one can go back from there.
    #[serde(default = "yes")]
    pub stop_on_halt: bool,
    /// Whether breakpoints and stops are of no interest.
    #[serde(default)]
    pub no_debug: bool,
}

fn yes() -> bool {
    true
}

/// Makes the machines that clients ask for. The adapter itself reads no files.
pub trait Launcher {
    /// Powers a machine up with the program that is asked for.
    ///
    /// # Errors
    /// In words, if there is no such program or machine.
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, String>;
}

/// A machine with the program that was asked for.
pub struct Launched {
    /// The machine.
    pub debugger: Debugger,
    /// The files that its program is made from.
    pub sources: Sources,
    /// What there is to say about it, such as the assembler's warnings.
    pub notes: String,
}
