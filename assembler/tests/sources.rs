//! Tests of the language. Each source has comments with the expected result of each line.
//!
//! A file of `tests/sources/` contains cases. Each starts with a title line, `;;; title`. In a
//! case, `;;;; name.asm` starts a file that the case can include. At the end of a line:
//!
//! - `; = 0005 e003`: the words that the line makes, directly or by expansion, ordered by index;
//! - `; error: text`: the errors at this line, in order, with `; help: text` and `; note: text`
//!   for their help and notes (`note: text @3` if the note shows line 3);
//! - `; warning: text`: the warnings, in cases whose title ends with `[warnings]`. Other cases
//!   ignore warnings, because they leave most of their definitions unused.
//!
//! The comments must list all errors, and no others.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use gray1_asm::{Assembly, Severity, Source};
use gray1_isa::{Image, SourceLine};
use support::{Case, cases, sources};

/// Returns the position in a line where its expectations start.
fn expectations(line: &str) -> Option<&str> {
    let at =
        ["; error: ", "; warning: ", "; = "].iter().filter_map(|mark| line.find(mark)).min()?;
    Some(line[at..].trim_start_matches("; ").trim_end())
}

/// Returns the words that a line made, directly or by expansion.
fn words(image: &Image, place: SourceLine) -> String {
    let map = image.source_map();
    let mut words = Vec::new();
    for (index, &word) in gray1_isa::RomIndex::all().zip(image.words()) {
        let Some(origin) = map.origin(index) else { continue };
        let mut calls = map.expansions_of(origin).map(|expansion| expansion.call);
        if origin.place == place || calls.any(|call| call == place) {
            words.push(format!("{:04x}", word.bits()));
        }
    }
    words.join(" ")
}

/// Returns the result of a case, line by line, in the form of the expectations.
fn outcome(assembly: &Assembly) -> BTreeMap<(String, u32), String> {
    let mut outcome: BTreeMap<(String, u32), String> = BTreeMap::new();
    for diagnostic in &assembly.diagnostics {
        let severity = diagnostic.severity.name();
        let mut text = format!("{severity}: {}", diagnostic.message.replace('\n', "\\n"));
        for note in &diagnostic.notes {
            write!(text, " ; note: {}", note.message).unwrap();
            if let Some(location) = note.location {
                write!(text, " @{}", assembly.files.place(location).line).unwrap();
            }
        }
        if let Some(help) = &diagnostic.help {
            write!(text, " ; help: {}", help.text).unwrap();
        }
        let at = diagnostic.location.map_or((String::new(), 0), |location| {
            let name = assembly.files.get(location.file).name().to_owned();
            (name, assembly.files.place(location).line)
        });
        let line = outcome.entry(at).or_default();
        line.push_str(if line.is_empty() { "" } else { " ; " });
        line.push_str(&text);
    }
    outcome
}

fn check(case: &Case<'_>) -> String {
    let text = case.files[""].clone();
    let source = Source { id: String::new(), name: String::new(), text };
    let mut assembly = case.assemble(source);
    if !case.title.ends_with("[warnings]") {
        assembly.diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
    }
    let mut outcome = outcome(&assembly);
    let mut report = String::new();
    let file_numbers: BTreeMap<&str, u16> =
        assembly.files.iter().map(gray1_asm::InputFile::name).zip(0..).collect();
    for (name, text) in &case.files {
        for (line, number) in text.lines().zip(1..) {
            let found = outcome.remove(&((*name).to_owned(), number));
            let expected = expectations(line).map(str::to_owned);
            let found = match (&expected, found) {
                (Some(expected), None) if expected.starts_with("= ") => {
                    let words = assembly.image.as_ref().map(|image| {
                        words(image, SourceLine { file: file_numbers[name], line: number })
                    });
                    words.map(|words| format!("= {words}"))
                }
                (_, found) => found,
            };
            if found != expected {
                writeln!(report, "  line {number} of {name:?}: {line}").unwrap();
                writeln!(report, "    expected {expected:?}\n    found    {found:?}").unwrap();
            }
        }
    }
    for ((name, line), text) in outcome {
        writeln!(report, "  line {line} of {name:?}: found {text}").unwrap();
    }
    if report.is_empty() { report } else { format!("{}\n{report}", case.title) }
}

/// Defines a test for each file of `tests/sources/`.
macro_rules! files {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                check_file(stringify!($name));
            }
        )*

        #[test]
        fn every_file_has_a_test() {
            let found: BTreeSet<String> = sources().iter().map(|(path, _)| stem(path)).collect();
            assert_eq!(found, [$(stringify!($name)),*].map(str::to_owned).into());
        }
    };
}

files![
    conditionals,
    directives,
    expressions,
    functions,
    habits,
    includes,
    instructions,
    macros,
    names,
    numbers,
    pool,
    program,
    repeat,
    routines,
    structures,
    syntax,
    warnings,
];

fn stem(path: &str) -> String {
    Path::new(path).file_stem().unwrap().to_str().unwrap().to_owned()
}

fn check_file(name: &str) {
    let (path, text) = sources().into_iter().find(|(path, _)| stem(path) == name).unwrap();
    let failures: String = cases(&text).iter().map(check).collect();
    assert!(failures.is_empty(), "\n{path}: {failures}");
}
