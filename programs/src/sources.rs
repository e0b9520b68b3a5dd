//! Sources in memory, as a loader for the assembler.

use std::collections::BTreeMap;

use gray1_asm::{InputFile, Loader, Source};
use serde::{Deserialize, Serialize};

use crate::BuiltIn;

/// Sources by path, separated by `/`. An included file is looked up next to the including file,
/// then by its path, then among the built-in files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources(pub BTreeMap<String, String>);

impl Sources {
    /// Returns the source at this path.
    pub fn source(&self, path: &str) -> Option<Source> {
        let text = self.0.get(path)?.clone();
        Some(Source { id: path.to_owned(), name: path.to_owned(), text })
    }
}

impl Loader for &Sources {
    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let own = self.source(&resolve_path(includer.id(), name)).or_else(|| self.source(name));
        own.map_or_else(|| BuiltIn.load(includer, name), Ok)
    }

    fn libraries(&self) -> Option<&dyn Loader> {
        Some(&BuiltIn)
    }
}

/// Resolves `name` relative to the file at `path`, and removes `.` and `..` where possible.
pub fn resolve_path(path: &str, name: &str) -> String {
    if name.starts_with('/') {
        return name.to_owned();
    }
    let mut steps: Vec<&str> = path.split('/').collect();
    steps.pop();
    for step in name.split('/') {
        match (step, steps.last()) {
            (".", _) => {}
            ("..", Some(folder)) if *folder != ".." => {
                steps.pop();
            }
            _ => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_relative_to_the_including_file() {
        let paths = [
            ("a.asm", "b.asm", "b.asm"),
            ("x/a.asm", "b.asm", "x/b.asm"),
            ("x/a.asm", "./y/../b.asm", "x/b.asm"),
            ("x/a.asm", "../../b.asm", "../b.asm"),
            ("../a.asm", "../b.asm", "../../b.asm"),
            ("x/a.asm", "/b.asm", "/b.asm"),
        ];
        for (path, name, expected) in paths {
            assert_eq!(resolve_path(path, name), expected, "{name} in {path}");
        }
    }
}
