//! The files of the built-in programs are formatted, free of warnings and tested, and the images in
//! `roms/` are up to date.

use std::fs;

use crate::support::{Bench, RunResult, root, word};

/// Returns the sorted names of the files in a folder that have this suffix, without the suffix.
fn names(folder: &str, suffix: &str) -> Vec<String> {
    let files = fs::read_dir(root().join(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(suffix).map(str::to_owned)).collect();
    names.sort();
    names
}

#[test]
fn each_program_has_a_title_no_warnings_and_an_image_that_is_not_stale() {
    let programs = names("programs", ".asm");
    assert!(programs.len() > 10);
    assert_eq!(names("roms", ".hex"), programs);
    let list = Bench::new().gray1("list").status(0).text();
    let listed: Vec<(&str, &str)> = list.lines().filter_map(|line| line.split_once("  ")).collect();
    assert!(listed.iter().all(|(_, title)| !title.trim().is_empty()), "{list}");
    let mut listed: Vec<&str> = listed.into_iter().map(|(name, _)| name).collect();
    listed.sort_unstable();
    assert_eq!(listed, programs);
    for name in programs {
        let ran = Bench::new().gray1(&format!("convert {name} --format ihex -o -"));
        let image = ran.status(0).stderr("");
        let kept = fs::read(root().join(format!("roms/{name}.hex"))).unwrap();
        let remedy = format!("gray1 asm programs/{name}.asm -o roms/{name}.hex");
        assert!(image.out() == kept, "roms/{name}.hex is stale; make it anew by: {remedy}");
    }
}

#[test]
fn each_program_passes_its_tests() {
    let programs = root().join("programs");
    let out = Bench::new().gray1(&format!("test {}", word(&programs))).status(0).text();
    for name in names("programs", ".asm") {
        let line = format!("ok      {}: ", programs.join(name + ".asm").display());
        assert_eq!(out.matches(&line).count(), 1, "{line}\n{out}");
    }
}

#[test]
fn programs_libraries_and_lessons_are_formatted() {
    let mut command = Bench::new().command("fmt --check");
    let lessons = fs::read_dir(root().join("programs/lessons")).unwrap();
    let lessons = lessons.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let folders = ["programs", "programs/lib"].map(|folder| root().join(folder));
    for folder in folders.into_iter().chain(lessons) {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        command.args(paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "asm")));
    }
    RunResult::run(command.current_dir(root())).status(0).stdout("").stderr("");
}
