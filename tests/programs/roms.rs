//! The files of the built-in programs are formatted, free of warnings and tested, and the images in
//! `roms/` are up to date.

use std::fs;
use std::path::PathBuf;

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

/// Returns the sources of programs, libraries and lessons.
fn sources() -> Vec<PathBuf> {
    let lessons = fs::read_dir(root().join("programs/lessons")).unwrap();
    let lessons = lessons.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let folders = ["programs", "programs/lib"].map(|folder| root().join(folder));
    let files = folders.into_iter().chain(lessons).flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "asm")).collect()
}

#[test]
fn programs_libraries_and_lessons_are_formatted() {
    let mut command = Bench::new().command("fmt --check");
    RunResult::run(command.args(sources()).current_dir(root())).status(0).stdout("").stderr("");
}

/// The arguments of macros are right in all of them, so a warning here would be a false one.
#[test]
fn no_source_has_an_address_where_a_number_was_meant() {
    for source in sources() {
        let mut command = Bench::new().command("asm -I programs");
        command.arg(source).args(["-o", "-"]).current_dir(root());
        let messages = RunResult::run(&mut command).err();
        let has = |warning| messages.contains(warning);
        assert!(!has("warning[number]") && !has("warning[unwritten]"), "{messages}");
    }
}
