//! Checks those rules of `docs/ARCHITECTURE.md` that a program can check.

mod circles;
mod results;
mod tokens;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::root;

/// The maximum number of lines of a source file. A longer file has more than one purpose.
const FILE_LINES_MAX: usize = 600;
/// The maximum length of a line in characters. It also applies where the formatter does not break
/// lines: in comments, sources and documents.
const WIDTH_MAX: usize = 100;

/// Access to the outside world, forbidden in all crates below `src`. The manifests keep out crates
/// that have such access.
const SYSTEM_ACCESS: &[&str] = &[
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::{",
];

/// Exceptions for single crates, each with its reason.
const EXCEPTIONS: &[(&str, &str, &str)] =
    &[("hardware/src", "std::io", "captures are read through `Read`, and may be large")];

/// Direct access to files, which is allowed only in `src/files`.
const FILE_ACCESS: &[&str] =
    &["fs::File", "fs::OpenOptions", "fs::read(", "fs::read_to_string", "fs::write", "std::fs::{"];

/// The folders of `src` that may use files only through `src/files`.
const WITHOUT_FILE_ACCESS: &[&str] = &["src/cli", "src/front"];

/// Ways to run an engine. Everything else runs a machine with its inputs through the driver in
/// `replay.rs`, so that all commands see the same run.
const RUNS_ENGINES: &[&str] = &[
    "engine.edge(",
    "engine.run(",
    "engine.step(",
    "engine().run(",
    "machine.edge(",
    "machine.run(",
    "machine.step(",
    ".run_counting(",
    ".run_to_watched(",
];

/// The files that may run an engine, besides the engines themselves, each with its reason.
const ENGINE_RUNNERS: &[(&str, &str)] = &[
    ("sim/debugger/src/replay.rs", "the driver"),
    ("sim/debugger/src/replica.rs", "a board leaves its reset before it is set to a state"),
    ("sim/debugger/src/why/deviation.rs", "a board is compared with its rules, edge by edge"),
];

/// A file of the repository: its path from the root, and its contents.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Whether the file contains only tests and their helpers.
    fn is_test(&self) -> bool {
        self.path.split(['/', '.']).any(|part| part == "tests")
    }

    /// The code before the file's tests, without comments.
    fn code(&self) -> String {
        let code = self.text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.fold(String::new(), |code, line| code + line + "\n")
    }
}

/// All files with this suffix in these folders and their subfolders.
fn files(folders: &[&str], suffix: &str) -> Vec<File> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            waiting.extend(entries.filter(|path| !is_build_output(path)));
        } else if path.extension().is_some_and(|found| found == suffix) {
            let text = std::fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            found.push(File { path, text });
        }
    }
    assert!(!found.is_empty(), "{folders:?} has no files that end in .{suffix}");
    found
}

fn is_build_output(path: &Path) -> bool {
    path.ends_with("target") || path.ends_with("node_modules")
}

/// The folders of the workspace's packages. The root package is `.`.
fn packages() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, members) = manifest.split_once("\nmembers = [").expect("a workspace has members");
    let (members, _) = members.split_once(']').expect("the list of members ends");
    let named = members.split(',').map(|member| member.trim().trim_matches('"').to_owned());
    named.filter(|member| !member.is_empty()).collect()
}

/// The source files of a package.
fn package_sources(package: &str) -> (String, Vec<File>) {
    let folder = if package == "." { "src".to_owned() } else { format!("{package}/src") };
    let files = files(&[&folder], "rs");
    (folder, files)
}

fn sources() -> Vec<File> {
    let packages = packages();
    let top = packages.iter().map(|package| if package == "." { "src" } else { package });
    let folders: BTreeSet<&str> = top.chain(["tests", "benches"]).collect();
    // A package inside another package's folder is listed with it.
    let inside = |folder: &&str| !folders.iter().any(|outer| is_below(folder, outer));
    files(&folders.iter().copied().filter(inside).collect::<Vec<_>>(), "rs")
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[test]
fn every_source_file_starts_with_its_purpose() {
    for File { path, text } in sources() {
        assert!(text.starts_with("//! "), "{path} does not start with its purpose");
    }
}

#[test]
fn source_files_have_at_most_600_lines() {
    for File { path, text } in sources() {
        let lines = text.lines().count();
        assert!(lines <= FILE_LINES_MAX, "{path} has {lines} lines, more than {FILE_LINES_MAX}");
    }
}

#[test]
fn lines_are_at_most_100_columns_wide() {
    // Tables, links and literals cannot be broken.
    let whole = |line: &str| {
        line.starts_with('|') || ["](", "://", "\"", "<!-- "].iter().any(|mark| line.contains(mark))
    };
    let texts = sources()
        .into_iter()
        // Tests quote output, which has its own width.
        .filter(|file| !file.path.contains("tests"))
        .chain(files(&["programs"], "asm"))
        .chain(files(&["docs", "README.md", "CHANGELOG.md"], "md"));
    let mut wide = Vec::new();
    for File { path, text } in texts {
        let lines = text.lines().enumerate().filter(|(_, line)| !whole(line));
        let too_wide = lines.filter(|(_, line)| line.chars().count() > WIDTH_MAX);
        wide.extend(too_wide.map(|(number, _)| format!("{path}:{}", number + 1)));
    }
    assert!(wide.is_empty(), "more than {WIDTH_MAX} characters: {}", wide.join(", "));
}

#[test]
fn only_src_does_io() {
    for package in packages().iter().filter(|package| *package != ".") {
        let (folder, files) = package_sources(package);
        for file in files.iter().filter(|file| !file.is_test()) {
            for word in SYSTEM_ACCESS.iter().filter(|word| file.code().contains(**word)) {
                let is_allowed =
                    |(home, what, _): &(&str, &str, &str)| *home == folder && what == word;
                assert!(EXCEPTIONS.iter().any(is_allowed), "{} uses {word}", file.path);
            }
        }
    }
}

#[test]
fn machines_run_through_one_driver() {
    let are_engines = ["sim/src/", "sim/native/", "sim/circuit/"];
    let mut runners = BTreeSet::new();
    for package in packages() {
        let (_, files) = package_sources(&package);
        for file in files.iter().filter(|file| !file.is_test()) {
            let runs = RUNS_ENGINES.iter().any(|way| file.code().contains(way));
            if runs && !are_engines.iter().any(|folder| file.path.starts_with(folder)) {
                runners.insert(file.path.clone());
            }
        }
    }
    let allowed = ENGINE_RUNNERS.iter().map(|(path, _)| (*path).to_owned());
    assert_eq!(runners, allowed.collect());
}

#[test]
fn commands_and_front_end_use_files_only_through_src_files() {
    for file in files(WITHOUT_FILE_ACCESS, "rs").iter().filter(|file| !file.is_test()) {
        for word in FILE_ACCESS {
            assert!(!file.code().contains(word), "{} uses {word}", file.path);
        }
    }
}

#[test]
fn property_tests_write_no_files() {
    // By default, a failure writes a folder `proptest-regressions` into the source tree.
    let (opening, setting) = ("proptest! {", "failure_persistence: None");
    let mut written = 0;
    for File { path, text } in sources().iter().filter(|file| !file.path.ends_with("house.rs")) {
        let tests = text.matches(opening).count();
        assert!(text.matches(setting).count() >= tests, "{path}");
        written += tests;
    }
    assert!(written > 0, "there are property tests");
}
