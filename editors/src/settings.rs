//! The settings of programs. The language server reads them from the settings of its user, and the
//! debug adapter from the arguments of a launch. Both interpret the fields in the same way.

use std::path::{Path, PathBuf};

use gray1_asm::Define;
use gray1_sim::MachineSpec;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::dap::LaunchArguments;

/// The options for assembling and running a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ProgramSettings {
    /// Values for constants that the program defines with `.default`.
    pub define: Vec<String>,
    /// More folders for included files.
    pub include: Vec<PathBuf>,
    /// The machine that runs it.
    #[serde(flatten)]
    pub machine: MachineSpec,
}

/// The names of the fields of [`ProgramSettings`], and the expected value of each.
pub(crate) const PROGRAM_FIELDS: [(&str, &str); 8] = [
    ("define", "a list of values such as [\"N=3\"]"),
    ("include", "a list of folders such as [\"lib\"]"),
    ("engine", "instruction, chips or timed"),
    ("board", "the path or the name of a board"),
    ("ram", "zero, ones or random:SEED"),
    ("seed", "a number"),
    ("glitch", "a number above 0"),
    ("pulse", "a number above 0"),
];

/// Checks the fields. Returns those that are valid or null, and messages about the others.
pub(crate) fn check(given: &Value, fields: &[(&str, &str)]) -> (Map<String, Value>, Vec<String>) {
    let mut valid = Map::new();
    let mut errors = Vec::new();
    for (name, expected) in fields {
        let Some(mut value) = given.get(*name).cloned() else { continue };
        let mut arguments = json!({ "program": "" });
        arguments[*name] = value.clone();
        if !value.is_null() && LaunchArguments::deserialize(arguments).is_err() {
            errors.push(format!("{name}: expected {expected}, found {value}"));
            continue;
        }
        if let ("define", Some(defines)) = (*name, value.as_array_mut()) {
            defines.retain(|text| {
                let text = text.as_str().unwrap_or_default();
                let why = text.parse::<Define>().err();
                errors.extend(why.iter().map(|why| format!("define: `{text}`: {why}")));
                why.is_none()
            });
        }
        valid.insert((*name).to_owned(), value);
    }
    (valid, errors)
}

impl ProgramSettings {
    /// The values for constants, without the invalid ones, which have been reported.
    pub fn defines(&self) -> Vec<Define> {
        self.define.iter().filter_map(|text| text.parse().ok()).collect()
    }

    /// Resolves the relative paths in the settings, starting at a folder.
    pub(crate) fn resolve_in(mut self, folder: &Path) -> Self {
        self.include.iter_mut().for_each(|path| *path = folder.join(&*path));
        // A word without any of these characters is the name of a built-in board.
        let board = self.machine.board.take_if(|word| word.contains(['/', '\\', '.']));
        let absolute = board.map(|path| folder.join(path).to_string_lossy().into_owned());
        self.machine.board = absolute.or(self.machine.board);
        self
    }
}
