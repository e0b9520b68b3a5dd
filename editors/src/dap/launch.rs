//! The launch of a program: its arguments, and the trait that makes the machine.

use std::path::{Path, PathBuf};

use gray1_debugger::Debugger;
use gray1_programs::MachineSpec;
use serde::Deserialize;

/// The arguments of a launch.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaunchArguments {
    /// A path, or the name of a built-in program.
    pub program: String,
    /// Values for constants that it defines by `.default`.
    #[serde(default)]
    pub define: Vec<String>,
    /// More folders of included files.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// The machine that runs it.
    #[serde(flatten)]
    pub machine: MachineSpec,
    /// The path of a file of button presses.
    pub buttons: Option<PathBuf>,
    /// The pace of the machine; unlimited by default.
    pub instructions_per_second: Option<u64>,
    /// Whether the machine stops before the first instruction.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// Whether the machine stops at the end of the program, so that the client can go back.
    #[serde(default = "yes")]
    pub stop_on_halt: bool,
    /// Whether to run without breakpoints and stops.
    #[serde(default)]
    pub no_debug: bool,
}

fn yes() -> bool {
    true
}

/// Loads programs and makes machines for the adapter, which reads no files itself.
pub trait Launcher {
    /// Powers up a machine with a program.
    ///
    /// # Errors
    /// If there is no such program or machine: a message for the user.
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, String>;

    /// The identity of the file at a path, the same for every path of the file.
    fn identity(&self, path: &Path) -> String;

    /// The text that a file has now.
    fn text(&self, path: &Path) -> Option<String>;
}

/// A machine with a program, ready to run.
pub struct Launched {
    /// The machine.
    pub debugger: Debugger,
    /// The name of each file that its program is made from, and its path; `None` for a built-in
    /// file and for one that is missing.
    pub files: Vec<(String, Option<PathBuf>)>,
    /// Messages for the user, such as the warnings of the assembler.
    pub notes: String,
}
