//! Completions for shells: names of programs, boards and lessons, and files.

use std::ffi::OsStr;
use std::path::Path;

use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use gray1_isa::format::Format;
use gray1_programs as builtin;
use gray1_programs::lessons::Course;
use gray1_programs::testing::TEST_SUFFIX;

use crate::board;

/// Completes programs: built-in names, and files with the suffixes of programs.
pub(crate) fn programs() -> ArgValueCompleter {
    let files = PathCompleter::any().stdio().filter(has_program_suffix);
    names_and_files(builtin::programs().map(|(name, _)| name), files)
}

/// Completes sources of programs.
pub(crate) fn sources() -> ArgValueCompleter {
    let files = PathCompleter::any().stdio().filter(|path| has_suffix(path, |it| it == "asm"));
    names_and_files(std::iter::empty(), files)
}

/// Completes test files.
pub(crate) fn tests() -> ArgValueCompleter {
    names_and_files(std::iter::empty(), PathCompleter::any().filter(is_test_file))
}

/// Completes boards: built-in names, and files with the suffix of boards.
pub(crate) fn boards() -> ArgValueCompleter {
    let files = PathCompleter::any()
        .filter(|path| has_suffix(path, |it| it == "ron") && !is_test_file(path));
    names_and_files(board::names().into_iter(), files)
}

/// Completes `CHIP=PART` with the chips of the stock board and the parts of the catalogue.
pub(crate) fn parts() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let Some((chip, begun)) = typed.to_str().and_then(|typed| typed.split_once('=')) else {
            let board = board::stock();
            let chips = board.chips().iter().map(|chip| format!("{}=", chip.name()));
            let begun = typed.to_str().unwrap_or_default();
            let matches = chips.filter(|chip| chip.starts_with(begun));
            return matches.map(CompletionCandidate::new).collect();
        };
        let parts = gray1_roms::parts().iter().filter(|part| part.name.starts_with(begun));
        parts.map(|part| CompletionCandidate::new(format!("{chip}={}", part.name))).collect()
    })
}

/// Completes the values of `--ram`, the contents of data memory at power-up.
pub(crate) fn power_ups() -> ArgValueCandidates {
    ArgValueCandidates::new(|| ["zero", "ones", "random:1"].map(CompletionCandidate::new).into())
}

/// Completes the names of built-in lessons, with their titles.
pub(crate) fn lessons() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let lessons = Course::built_in().lessons.into_iter();
        lessons.map(|it| CompletionCandidate::new(it.name).help(Some(it.title.into()))).collect()
    })
}

/// True for the name of a test file.
pub(crate) fn is_test_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(TEST_SUFFIX))
}

/// True for a file with the suffix of a program.
pub(crate) fn has_program_suffix(path: &Path) -> bool {
    !is_test_file(path)
        && has_suffix(path, |suffix| {
            suffix == "asm" || Format::from_suffix(suffix).is_some_and(Format::loads)
        })
}

fn has_suffix(path: &Path, is_wanted: impl Fn(&str) -> bool) -> bool {
    path.is_file() && path.extension().and_then(OsStr::to_str).is_some_and(is_wanted)
}

fn names_and_files(
    names: impl Iterator<Item = &'static str>,
    files: PathCompleter,
) -> ArgValueCompleter {
    let names: Vec<&str> = names.collect();
    ArgValueCompleter::new(move |typed: &OsStr| {
        let begun = typed.to_str();
        let matching = names.iter().filter(|name| begun.is_some_and(|it| name.starts_with(it)));
        matching.map(CompletionCandidate::new).chain(files.complete(typed)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_completed_by_name_and_file_but_not_test_files() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["mine.ron", "p.test.ron", "p.asm"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let offered = |typed: &OsStr| -> Vec<String> {
            let found = boards().complete(typed);
            found.iter().map(|it| it.get_value().to_string_lossy().into_owned()).collect()
        };
        let typed = folder.path().join("");
        let mine = folder.path().join("mine.ron").to_string_lossy().into_owned();
        assert_eq!(offered(typed.as_os_str()), [mine]);
        assert_eq!(offered(OsStr::new("gray1-")), ["gray1-b"]);
    }
}
