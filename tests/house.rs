//! Keeps the house in order: what `docs/ARCHITECTURE.md` promises and a machine can check.

mod support;

use std::path::{Path, PathBuf};

use support::root;

/// Longer files have more than one thing to say.
const LINES_MAX: usize = 600;
/// Characters a line, also where the formatter does not reach: comments, sources, documents.
const WIDTH_MAX: usize = 100;

/// A file of the repository: its path from the root, and its text.
struct File {
    path: String,
    text: String,
}

/// All files below these folders with this suffix.
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
    assert!(!found.is_empty(), "{folders:?} has files that end in .{suffix}");
    found
}

fn is_build_output(path: &Path) -> bool {
    path.ends_with("target") || path.ends_with("node_modules")
}

fn sources() -> Vec<File> {
    files(&["src", "sim", "language", "assembler", "tests", "benches"], "rs")
}

#[test]
fn every_source_says_first_what_lives_there() {
    for File { path, text } in sources() {
        assert!(text.starts_with("//! "), "{path} does not start with its purpose");
    }
}

#[test]
fn no_source_is_longer_than_a_reader_bears() {
    for File { path, text } in sources() {
        let lines = text.lines().count();
        assert!(lines <= LINES_MAX, "{path} has {lines} lines, more than {LINES_MAX}");
    }
}

#[test]
fn lines_fit_the_page() {
    // Tables, links and literals cannot be broken.
    let whole = |line: &str| {
        line.starts_with('|') || ["](", "://", "\""].iter().any(|mark| line.contains(mark))
    };
    let texts = sources()
        .into_iter()
        // Tests hold what is printed, which has its own width.
        .filter(|file| !file.path.contains("tests"))
        .chain(files(&["programs"], "asm"))
        .chain(files(&["docs", "README.md", "CHANGELOG.md"], "md"));
    for File { path, text } in texts {
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !whole(line)) {
            let width = line.chars().count();
            assert!(width <= WIDTH_MAX, "{path}:{} has {width} characters", number + 1);
        }
    }
}

#[test]
fn who_may_know_whom() {
    for (folder, forbidden) in [
        ("assembler/src", &["gray1_sim", "std::fs", "std::io", "println!"][..]),
        ("sim/src", &["gray1_asm", "std::fs", "println!", "crossterm", "ratatui"]),
        (
            "language/src",
            &["gray1_isa", "gray1_asm", "gray1_sim", "std::fs", "std::io", "println!"],
        ),
        ("sim/isa/src", &["gray1_asm", "gray1_sim", "std::fs", "std::io", "println!"]),
    ] {
        for File { path, text } in files(&[folder], "rs") {
            for word in forbidden {
                assert!(!text.contains(word), "{path} uses {word}");
            }
        }
    }
}
