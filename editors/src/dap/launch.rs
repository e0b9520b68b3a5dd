//! The launch of a program: its arguments, and the trait that makes the machine.

use std::path::{Path, PathBuf};

use gray1_debugger::Debugger;
use serde::Deserialize;
use serde_json::Value;

use crate::settings::{PROGRAM_FIELDS, ProgramSettings, check};

/// The arguments of a launch.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaunchArguments {
    /// A path, or the name of a built-in program.
    pub program: String,
    /// The options for assembling and running it.
    #[serde(flatten)]
    pub settings: ProgramSettings,
    /// The path of a file of button presses.
    pub buttons: Option<PathBuf>,
    /// The maximum speed of the machine. Unlimited by default.
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

/// The fields of [`LaunchArguments`] other than the settings, and the expected value of each.
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
    /// A message for the user that names a missing or wrong argument.
    pub fn from_json(arguments: &Value) -> Result<Self, String> {
        let (mut valid, errors) = check(arguments, &[&FIELDS[..], &PROGRAM_FIELDS].concat());
        valid.retain(|_, value| !value.is_null());
        if !errors.is_empty() {
            return Err(errors.join("; "));
        }
        Self::deserialize(Value::Object(valid)).map_err(|why| why.to_string())
    }
}

/// Loads programs and makes machines for the adapter, which reads no files itself.
pub trait Launcher {
    /// Powers up a machine with a program.
    ///
    /// # Errors
    /// A message for the user if the program cannot be loaded, the machine cannot be made, or
    /// another file cannot be read.
    fn launch(&self, arguments: &LaunchArguments) -> Result<Launched, String>;

    /// The identity of the file at a path. It is the same for every path of the file.
    fn identity(&self, path: &Path) -> String;

    /// The current contents of a file.
    fn read(&self, path: &Path) -> Option<String>;
}

/// A machine with a program, ready to run.
pub struct Launched {
    /// The machine, in its debugger.
    pub debugger: Debugger,
    /// The name of each source file, and its path. The path is `None` for a built-in or missing
    /// file.
    pub files: Vec<(String, Option<PathBuf>)>,
    /// Messages for the user, such as the assembler's warnings.
    pub notes: String,
}
