//! Keeps the house in order: what `docs/ARCHITECTURE.md` promises and a machine can check.

#[path = "support/modules.rs"]
mod modules;
#[path = "support/rust.rs"]
mod rust;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use modules::Crate;

use crate::support::root;

/// Longer files have more than one thing to say.
const FILE_LINES_MAX: usize = 600;
/// Larger types are several types.
const FIELDS_MAX: usize = 14;
/// Characters a line, also where the formatter does not reach: comments, sources, documents.
const WIDTH_MAX: usize = 100;

/// Types that may have more fields, by file and name, with the reason.
const LARGE_TYPES: &[(&str, &str, &str)] = &[
    ("sim/board/src/part.rs", "Part", "a fact of a catalogue's entry is a field"),
    ("sim/board/src/part.rs", "Described", "a fact of a catalogue's entry is a field"),
];

/// Which crates of the workspace each crate may use.
const DEPENDENCIES: &[(&str, &[&str])] = &[
    (
        ".",
        &[
            "gray1-asm",
            "gray1-board",
            "gray1-circuit",
            "gray1-debugger",
            "gray1-hardware",
            "gray1-isa",
            "gray1-language",
            "gray1-programs",
            "gray1-proofs",
            "gray1-roms",
            "gray1-sim",
            "gray1-tui",
        ],
    ),
    ("assembler", &["gray1-isa", "gray1-language"]),
    ("hardware", &["gray1-board", "gray1-circuit", "gray1-isa", "gray1-sim"]),
    ("language", &[]),
    (
        "programs",
        &[
            "gray1-asm",
            "gray1-board",
            "gray1-circuit",
            "gray1-debugger",
            "gray1-isa",
            "gray1-roms",
            "gray1-sim",
        ],
    ),
    ("roms", &["gray1-board"]),
    ("sim", &["gray1-board", "gray1-circuit", "gray1-isa", "gray1-native"]),
    ("sim/board", &["gray1-isa"]),
    ("sim/circuit", &["gray1-board", "gray1-isa"]),
    ("sim/debugger", &["gray1-board", "gray1-circuit", "gray1-isa", "gray1-language", "gray1-sim"]),
    ("sim/isa", &[]),
    ("sim/native", &["gray1-isa"]),
    ("sim/proofs", &["gray1-board", "gray1-circuit", "gray1-isa", "gray1-sim"]),
    (
        "tui",
        &[
            "gray1-board",
            "gray1-circuit",
            "gray1-debugger",
            "gray1-isa",
            "gray1-language",
            "gray1-sim",
        ],
    ),
    (
        "web",
        &[
            "gray1-asm",
            "gray1-board",
            "gray1-debugger",
            "gray1-isa",
            "gray1-programs",
            "gray1-roms",
            "gray1-sim",
            "gray1-tui",
        ],
    ),
];

/// What touches the world.
const WORLD: &[&str] = &[
    "crossterm",
    "ctrlc",
    "filedescriptor",
    "rustix",
    "signal_hook",
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// Ways to files past the door.
const FILES: &[&str] = &[
    "std::fs::File",
    "std::fs::OpenOptions",
    "std::fs::read",
    "std::fs::read_to_string",
    "std::fs::write",
];

/// Which paths the code below a folder does not use, besides those of crates that it does not
/// depend on.
const BORDERS: &[(&str, &[&str])] = &[
    ("assembler/src", WORLD),
    ("assembler/src", &["std::io"]),
    ("language/src", WORLD),
    ("programs/src", WORLD),
    ("programs/src", &["std::io"]),
    ("roms/src", WORLD),
    ("hardware/src", WORLD),
    ("sim/src", WORLD),
    ("sim/board/src", WORLD),
    ("sim/circuit/src", WORLD),
    ("sim/debugger/src", WORLD),
    ("sim/proofs/src", WORLD),
    // All files go in and out by `src/files`.
    ("src/cli", FILES),
    ("src/front", FILES),
    ("src/record", FILES),
    ("sim/isa/src", WORLD),
    ("sim/isa/src", &["std::io"]),
    // What an instruction means reaches the circuit only as the contents of chips.
    ("sim/circuit/src", &["gray1_isa::Op", "gray1_isa::Word", "gray1_isa::op", "gray1_isa::word"]),
    // It maps memory, and nothing else.
    ("sim/native/src", &["crossterm", "std::env", "std::fs", "std::io", "std::process"]),
    ("tui/src", WORLD),
    ("web/src", WORLD),
    ("web/src", &["std::io"]),
];

/// Modules that may use each other in a circle, by the folder of their crate and the beginnings of
/// their paths, with the reason.
const CIRCLES: &[(&str, &[&str], &str)] =
    &[("sim/isa/src", &["address", "gray"], "a RomIndex has a GrayCode, and back")];

/// Variables of queens.asm. Like every program, it declares what front ends show of them.
const QUEENS_VARIABLES: &[&str] = &["excluded", "stack", "untried"];

/// A file of the repository: its path from the root, and its text.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Whether it holds nothing but tests and their helpers.
    fn is_test(&self) -> bool {
        self.path.split(['/', '.']).any(|part| part == "tests")
    }
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
    assert!(!found.is_empty(), "{folders:?} has no files that end in .{suffix}");
    found
}

fn is_build_output(path: &Path) -> bool {
    path.ends_with("target") || path.ends_with("node_modules")
}

/// The folders of the workspace's packages, `.` for the one at the root.
fn packages() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, members) = manifest.split_once("\nmembers = [").expect("a workspace has members");
    let (members, _) = members.split_once(']').expect("the list of members ends");
    let named = members.split(',').map(|member| member.trim().trim_matches('"').to_owned());
    named.filter(|member| !member.is_empty()).collect()
}

/// The sources of a package.
fn sources_of(package: &str) -> (String, Vec<File>) {
    let folder = if package == "." { "src".to_owned() } else { format!("{package}/src") };
    let files = files(&[&folder], "rs");
    (folder, files)
}

fn sources() -> Vec<File> {
    let packages = packages();
    let top = packages.iter().map(|package| if package == "." { "src" } else { package });
    let folders: BTreeSet<&str> = top.chain(["tests", "benches"]).collect();
    // A package inside another one's folder is found with it.
    let inside = |folder: &&str| !folders.iter().any(|outer| is_below(folder, outer));
    files(&folders.iter().copied().filter(inside).collect::<Vec<_>>(), "rs")
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
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
        assert!(lines <= FILE_LINES_MAX, "{path} has {lines} lines, more than {FILE_LINES_MAX}");
    }
}

#[test]
fn types_have_few_fields() {
    let mut found = BTreeSet::new();
    for File { path, text } in sources() {
        let types = rust::structs(&rust::tokens(&text));
        let large = types.iter().filter(|found| found.fields > FIELDS_MAX);
        found.extend(large.map(|large| (path.clone(), large.name.to_owned())));
    }
    let allowed = LARGE_TYPES.iter().map(|(path, name, _)| ((*path).into(), (*name).into()));
    assert_eq!(found, allowed.collect(), "types with more than {FIELDS_MAX} fields");
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
    let mut wide = Vec::new();
    for File { path, text } in texts {
        let lines = text.lines().enumerate().filter(|(_, line)| !whole(line));
        let too_wide = lines.filter(|(_, line)| line.chars().count() > WIDTH_MAX);
        wide.extend(too_wide.map(|(number, _)| format!("{path}:{}", number + 1)));
    }
    assert!(wide.is_empty(), "more than {WIDTH_MAX} characters: {}", wide.join(", "));
}

#[test]
fn packages_depend_on_those_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = DEPENDENCIES.iter().copied().collect();
    for package in packages() {
        let manifest = root().join(&package).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        let allowed = allowed.get(package.as_str());
        let allowed = allowed.unwrap_or_else(|| panic!("who may {package} use?"));
        let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        for line in lines.take_while(|line| !line.starts_with('[')) {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let is_ours = name.starts_with("gray1-");
            assert!(!is_ours || allowed.contains(&name), "{package} uses {name}");
        }
    }
}

#[test]
fn no_border_is_crossed() {
    for package in packages().iter().filter(|package| *package != ".") {
        let folder = format!("{package}/src");
        assert!(BORDERS.iter().any(|(border, _)| *border == folder), "what may {folder} not use?");
    }
    // Some of the crates are still to come.
    for (folder, forbidden) in BORDERS.iter().filter(|(folder, _)| root().join(folder).exists()) {
        for file in files(&[folder], "rs").iter().filter(|file| !file.is_test()) {
            for path in paths_in(&file.text) {
                assert!(!is_in_one_of(&path, forbidden), "{} uses {path}", file.path);
            }
        }
    }
}

/// All paths that a source uses, tests left out.
fn paths_in(text: &str) -> Vec<String> {
    let tokens = rust::without_tests(&rust::tokens(text));
    let (uses, rest) = rust::uses(&tokens);
    // A path that begins with a name that was brought into scope goes on from there.
    let whole = |path: Vec<&str>| {
        let start = uses.iter().find(|declaration| declaration.name == path[0]);
        let start = start.map_or(vec![path[0]], |declaration| declaration.path.clone());
        [&start[..], &path[1..]].concat().join("::")
    };
    let declared = uses.iter().map(|declaration| declaration.path.join("::"));
    declared.chain(rust::paths(&rest).into_iter().map(whole)).collect()
}

#[test]
fn the_front_end_knows_no_program_by_its_variables() {
    for File { path, text } in files(&["src", "tui/src"], "rs").iter().filter(|it| !it.is_test()) {
        let code = text.split("\n#[cfg(test)]\n").next().unwrap_or_default();
        for name in QUEENS_VARIABLES {
            let text = format!("\"{name}");
            let mut texts = code.split(&text).skip(1);
            // A longer word, such as a request of a protocol, is another one.
            let is_known = texts.any(|rest| !rest.starts_with(char::is_alphanumeric));
            assert!(!is_known, "{path} knows the variable {name}");
        }
    }
    let queens = std::fs::read_to_string(root().join("programs/queens.asm")).unwrap();
    for name in QUEENS_VARIABLES {
        assert!(queens.contains(&format!("\n.var {name}, ")), "queens.asm has no {name}");
    }
}

#[test]
fn every_package_carries_its_licences_and_says_what_it_is() {
    let read = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    for package in packages() {
        let folder = root().join(&package);
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(read(&folder.join(licence)), read(&root().join(licence)), "{package}");
        }
        let manifest = read(&folder.join("Cargo.toml"));
        assert!(manifest.contains("readme = \"README.md\""), "{package}");
        assert!(read(&folder.join("README.md")).starts_with("# "), "{package}");
    }
}

#[test]
fn modules_do_not_use_each_other_in_circles() {
    let mut needed = BTreeSet::new();
    for package in packages() {
        let (folder, files) = sources_of(&package);
        let modules = modules_of(&folder, &files);
        let read = files.iter().filter(|file| !file.is_test()).count();
        assert_eq!(modules.paths().count(), read, "{folder}");
        for circle in modules.circles() {
            let exception = CIRCLES.iter().find(|(home, parts, _)| {
                *home == folder && circle.iter().all(|module| is_in_one_of(module, parts))
            });
            let exception = exception
                .unwrap_or_else(|| panic!("{folder} has a circle:\n{}", drawn(&modules, &circle)));
            needed.insert(exception);
        }
    }
    let all: BTreeSet<_> = CIRCLES.iter().collect();
    assert_eq!(needed, all, "exceptions without need");
}

fn modules_of(folder: &str, files: &[File]) -> Crate {
    let below = |file: &File| PathBuf::from(&file.path[folder.len() + 1..]);
    Crate::new(files.iter().map(|file| (below(file), file.text.as_str())))
}

fn is_in_one_of(module: &str, parts: &[&str]) -> bool {
    let is_in = |part: &&str| module == *part || module.starts_with(&format!("{part}::"));
    parts.iter().any(is_in)
}

/// A circle, a line a module.
fn drawn(modules: &Crate, circle: &BTreeSet<&str>) -> String {
    let line = |module: &&str| {
        let used = &modules.used_by(module) & circle;
        format!("{module} -> {}\n", used.into_iter().collect::<Vec<_>>().join(", "))
    };
    circle.iter().map(line).collect()
}

#[test]
fn circles_are_found_in_all_the_ways_in_which_modules_use_each_other() {
    let circles = |sources: &[(&str, &str)]| -> Vec<String> {
        let modules = Crate::new(sources.iter().map(|(path, text)| (PathBuf::from(path), *text)));
        let joined = |circle: BTreeSet<&str>| circle.into_iter().collect::<Vec<_>>().join(" ");
        modules.circles().into_iter().map(joined).collect()
    };
    let root = ("lib.rs", "mod a; mod b; pub use b::{B, b as c}; pub(crate) use a::A;");
    for (a, b, expected) in [
        ("use crate::b::B;", "use super::a::A;", "a b"),
        ("use crate::{b::{self, B}, x};", "fn f() { crate::a::f() }", "a b"),
        // Names that the root hands on belong to those who define them.
        ("use crate::B;", "use crate::A as Other;", "a b"),
        ("use crate::c;", "struct B(super::A);", "a b"),
        ("use crate::B;", "use std::fmt; // crate::a::A", ""),
        ("use crate::B;", "#[cfg(test)]\nmod tests { use crate::a::A; }", ""),
        ("use crate::B;", "const X: &str = r#\"use crate::a::A;\"#;", ""),
        ("use ::b::B; use a::b::c::d;", "use crate::a::A;", ""),
        ("fn f<'a>(b: &'a B) -> char { b.crate_(); '\"' }", "use crate::a::A;", ""),
    ] {
        let expected: Vec<&str> =
            Some(expected).filter(|text| !text.is_empty()).into_iter().collect();
        assert_eq!(circles(&[root, ("a.rs", a), ("b/mod.rs", b)]), expected, "{a} and {b}");
    }
    let child = ("a/child.rs", "use super::A;");
    for (parent, expected) in [
        ("mod child; pub(crate) use child::Child; pub struct A;", 0),
        ("mod child; pub(crate) use child::Child; pub struct A(Child);", 1),
        ("mod child; pub struct A(child::Child);", 1),
    ] {
        assert_eq!(circles(&[root, ("a/mod.rs", parent), child]).len(), expected, "{parent}");
    }
}

#[test]
fn fields_are_counted() {
    let source = "\
struct Point<'a> { x: u8, #[doc = \"y: \"] pub y: [u8; 2], z: std::fmt::Arguments<'a> }
struct Pair(u8, u8);
impl Point<'_> {
    fn is_brace(&self) -> bool { '{' == '\\'' /* } */ }
}
struct After { a: u8, b: u8 }
";
    let structs = rust::structs(&rust::tokens(source));
    let structs: Vec<usize> = structs.iter().map(|found| found.fields).collect();
    assert_eq!(structs, [3, 0, 2]);
}

#[test]
fn property_tests_leave_nothing_behind() {
    // By default a failure writes a folder `proptest-regressions` into the tree.
    let (opening, setting) = ("proptest! {", "failure_persistence: None");
    let mut written = 0;
    for File { path, text } in sources().iter().filter(|file| !file.path.ends_with("house.rs")) {
        let tests = text.matches(opening).count();
        assert!(text.matches(setting).count() >= tests, "{path}");
        written += tests;
    }
    assert!(written > 0, "there are property tests");
}
