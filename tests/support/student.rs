//! A student of the built-in course with solutions but no score yet.

use std::fs;

use crate::support::{Bench, root};

/// The folder in which the command keeps a student's programs and scores.
pub(crate) const FOLDER: &str = "gray1-lessons";

/// Returns the folder of a student who has the solutions of the first `lessons` lessons.
pub(crate) fn student(lessons: usize) -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path(FOLDER)).unwrap();
    for name in names().into_iter().take(lessons) {
        let solution = root().join("programs/lessons").join(&name).join("solution.asm");
        fs::copy(solution, bench.path(&format!("{FOLDER}/{name}.asm"))).unwrap();
    }
    bench
}

/// The names of the built-in lessons, in order.
fn names() -> Vec<String> {
    let entries = fs::read_dir(root().join("programs/lessons")).unwrap();
    let folders = entries.map(Result::unwrap).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The number of solved lessons, from the output of `gray1 learn list`.
#[track_caller]
pub(crate) fn solved(bench: &Bench) -> usize {
    let list = String::from_utf8(bench.gray1("learn list").status(0).out().to_vec()).unwrap();
    list.lines().filter(|line| line.ends_with(" instructions")).count()
}
