//! The launch of a program: its arguments, and the trait that makes the machine.

use std::path::{Path, PathBuf};

use gray1_debugger::Debugger;
use serde::Deserialize;
use serde_json::Value;

use crate::settings::{PROGRAM_FIELDS, ProgramSettings, checked};

/// The arguments of a launch.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaunchArguments {
    /// A path, or the name of a built-in program.
    pub program: String,
    /// How it is assembled and run.
    #[serde(flatten)]
    pub settings: ProgramSettings,
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

/// The fields of [`LaunchArguments`] besides the settings, and what is expected there.
const FIELDS: [(&str, &str); 6] = [
    ("program", "the path or the name of a program"),
    ("buttons", "the path of a file"),
    ("instructionsPerSecond", "a number"),
    ("stopOnEntry", "true or false"),
    ("stopOnHalt", "true or false"),
    ("noDebug", "true or false"),
];

impl LaunchArguments {
    /// Reads the arguments of a launch.
    ///
    /// # Errors
    /// If one is missing or wrong: a message for the user that names it.
    pub fn read(arguments: &Value) -> Result<Self, String> {
        let (mut right, wrong) = checked(arguments, &[&FIELDS[..], &PROGRAM_FIELDS].concat());
        right.retain(|_, value| !value.is_null());
        let read = || Self::deserialize(Value::Object(right)).map_err(|why| why.to_string());
        if wrong.is_empty() { read() } else { Err(wrong.join("; ")) }
    }
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
