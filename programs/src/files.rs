//! The built-in files of `programs/`: programs, libraries and lessons, and the assembler's access
//! to them.

use gray1_asm::{InputFile, Loader, Source, find_nearest};

/// A built-in file.
#[derive(Debug, Clone, Copy)]
pub struct BuiltInFile {
    /// The path below `programs/`, such as `queens.asm` or `lib/std.asm`.
    pub path: &'static str,
    /// The contents of the file.
    pub text: &'static str,
}

macro_rules! files {
    ($($path:literal),+ $(,)?) => {
        &[$(BuiltInFile { path: $path, text: include_str!(concat!("../", $path)) }),+]
    };
}

/// All built-in programs and libraries.
pub const FILES: &[BuiltInFile] = files![
    "bring-up.asm",
    "counter.asm",
    "fibonacci.asm",
    "lib/attacks.asm",
    "lib/bit-search.asm",
    "lib/buttons.asm",
    "lib/diagonals.asm",
    "lib/font.asm",
    "lib/latin.asm",
    "lib/panel.asm",
    "lib/print.asm",
    "lib/random.asm",
    "lib/squares.asm",
    "lib/std.asm",
    "life.asm",
    "primes.asm",
    "puzzle.asm",
    "queens-bits-draw.asm",
    "queens-bits.asm",
    "queens-odometer.asm",
    "queens-packed.asm",
    "queens-permute.asm",
    "queens-repair.asm",
    "queens.asm",
    "scroll.asm",
    "selftest.asm",
    "snake.asm",
];

/// The contents of a file of `programs/lessons/`.
macro_rules! lesson_file {
    ($($part:expr),+) => {
        BuiltInFile {
            path: concat!($($part),+),
            text: include_str!(concat!("../lessons/", $($part),+)),
        }
    };
}

macro_rules! lessons {
    ($($name:literal),+ $(,)?) => {
        &[
            lesson_file!("course.ron"),
            lesson_file!("ending.md"),
            $(
                lesson_file!($name, "/lesson.ron"),
                lesson_file!($name, "/page.md"),
                lesson_file!($name, "/skeleton.asm"),
                lesson_file!($name, "/solution.asm"),
                lesson_file!($name, "/solution.test.ron"),
            )+
            lesson_file!("22-yours", "/own.test.ron"),
        ]
    };
}

/// All files of `programs/lessons/`, with their paths below that folder.
pub const LESSONS: &[BuiltInFile] = lessons![
    "01-first-led",
    "02-bits",
    "03-rows",
    "04-colours",
    "05-words",
    "06-adding",
    "07-loop",
    "08-carry",
    "09-times",
    "10-compare",
    "11-nand",
    "12-bit-by-bit",
    "13-wide",
    "14-macros",
    "15-repeat",
    "16-library",
    "17-bug",
    "18-routine",
    "19-buttons",
    "20-dot",
    "21-queen",
    "22-yours",
];

/// Iterates over the built-in programs, by name. Libraries are left out.
pub fn programs() -> impl Iterator<Item = (&'static str, BuiltInFile)> {
    FILES
        .iter()
        .filter_map(|file| Some((file.path.strip_suffix(".asm")?, *file)))
        .filter(|(name, _)| !name.contains('/'))
}

/// The groups of built-in programs, in the order in which lists show them.
pub const GROUPS: [&str; 4] = ["Play", "Queens", "Numbers", "For builders"];

/// Returns the group of a built-in program.
pub fn group(name: &str) -> Option<&'static str> {
    programs().find(|(program, _)| *program == name).map(|_| match name {
        "life" | "puzzle" | "scroll" | "snake" => "Play",
        "bring-up" | "selftest" => "For builders",
        name if name.starts_with("queens") => "Queens",
        _ => "Numbers",
    })
}

/// Iterates over the built-in libraries.
pub fn libraries() -> impl Iterator<Item = &'static BuiltInFile> {
    FILES.iter().filter(|file| file.path.starts_with("lib/"))
}

/// Returns the built-in file at a path below `programs/`.
pub fn file(path: &str) -> Option<BuiltInFile> {
    FILES.iter().find(|file| file.path == path).copied()
}

/// The prefix of the identities and names of built-in files.
const PREFIX: &str = "built-in:";

/// Returns the identity of a built-in file.
pub fn identity(file: BuiltInFile) -> String {
    format!("{PREFIX}{}", file.path)
}

/// Returns the path below `programs/` from the identity of a built-in file.
pub fn built_in_path(identity: &str) -> Option<&str> {
    identity.strip_prefix(PREFIX)
}

/// Returns a built-in file as a source for the assembler.
pub fn source(file: BuiltInFile) -> Source {
    let name = identity(file);
    Source { id: name.clone(), name, text: file.text.to_owned() }
}

/// Loads included files from the built-in ones. In a built-in file, names are relative to that
/// file. Elsewhere they are paths below `programs/`, so `.include "lib/std.asm"` works in any file.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn;

impl Loader for BuiltIn {
    fn find_library(&self, name: &str) -> Option<String> {
        let found = libraries().find(|file| {
            gray1_asm::find_definitions(file.text).iter().any(|definition| definition.name == name)
        });
        found.map(|file| file.path.to_owned())
    }

    fn find_similar(&self, name: &str) -> Option<String> {
        let in_folder = file(&format!("lib/{name}")).map(|file| file.path);
        let similar = in_folder.or_else(|| find_nearest(name, libraries().map(|file| file.path)));
        similar.map(str::to_owned)
    }

    fn load(&mut self, includer: &InputFile, name: &str) -> Result<Source, String> {
        let folder = built_in_path(includer.id()).and_then(|path| path.rsplit_once('/'));
        let path = folder.map_or_else(|| name.to_owned(), |(folder, _)| format!("{folder}/{name}"));
        file(&path).map(source).ok_or_else(|| "no such file".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn lists_every_file_of_the_folder() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        for folder in ["", "lib"] {
            for entry in std::fs::read_dir(root.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|suffix| suffix == "asm") {
                    found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort_unstable();
        for entry in std::fs::read_dir(root.join("lessons")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_inside = |file: &BuiltInFile| file.path.split('/').next() == Some(name);
            assert!(LESSONS.iter().any(is_inside), "{name}");
        }
        let mut inside: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        inside.sort_unstable();
        assert_eq!(inside, found);
    }
}
