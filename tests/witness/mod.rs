//! Compares the assembler with the witness, a second assembler in Python that was written only from
//! the documents (`assembler.py`). Where they differ, one of them is wrong, or the documents are
//! ambiguous.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gray1_asm::{Define, InputFile, Loader, Rendering, Source, assemble_with};
use gray1_isa::address::ROM_BYTES;
use gray1_isa::format::ihex;
use serde::Deserialize;

use crate::support::{are_installed, root};

const PROGRAMS: usize = 1000;

/// The witness's result for a program.
#[derive(Debug, Deserialize)]
struct WitnessResult {
    /// The name of the program's file.
    main: String,
    /// All files of a generated program.
    files: BTreeMap<String, String>,
    /// Values for its `.default` symbols.
    defines: BTreeMap<String, String>,
    /// The bytes of its EPROM that are not FF: addresses and hexadecimal digits.
    eprom: Option<Vec<(usize, String)>>,
    /// The first error that the witness found: class, file and line.
    error: Option<(String, String, u64)>,
}

impl WitnessResult {
    /// The contents of the EPROM, if the program has no error.
    fn eprom(&self) -> Option<Vec<u8>> {
        let mut contents = vec![0xff; ROM_BYTES];
        for (address, digits) in self.eprom.as_ref()? {
            for (byte, digit) in contents[*address..].iter_mut().zip(digits.as_bytes().chunks(2)) {
                let digits = std::str::from_utf8(digit).unwrap();
                *byte = u8::from_str_radix(digits, 16).unwrap();
            }
        }
        Some(contents)
    }
}

/// Runs the witness with these arguments, and calls `judge` with each result as it arrives.
fn ask(arguments: &[&str], mut judge: impl FnMut(WitnessResult)) {
    let mut witness = Command::new("python3")
        // Do not write compiled modules into the source tree.
        .arg("-B")
        .arg(root().join("tests/witness/main.py"))
        .arg(root().join("programs"))
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 can be started");
    for line in BufReader::new(witness.stdout.take().expect("it is a pipe")).lines() {
        judge(serde_json::from_str(&line.unwrap()).unwrap());
    }
    assert!(witness.wait().unwrap().success(), "the witness failed: see above");
}

/// The files of a program, and those of `programs/`.
struct Files<'a>(&'a BTreeMap<String, String>);

impl Files<'_> {
    fn source(&self, path: &Path) -> Option<Source> {
        let name = path.to_str()?.to_owned();
        let kept = || std::fs::read_to_string(root().join("programs").join(path)).ok();
        let text = self.0.get(&name).cloned().or_else(kept)?;
        Some(Source { id: name.clone(), name, text })
    }
}

impl Loader for Files<'_> {
    fn load(&mut self, including: &InputFile, name: &str) -> Result<Source, String> {
        let sibling = Path::new(including.name()).with_file_name(name);
        let source = self.source(&sibling).or_else(|| self.source(Path::new(name)));
        source.ok_or_else(|| "no such file".to_owned())
    }
}

/// An error: its class, and the file and the line where it is reported.
type Mistake = (&'static str, String, u64);

/// The assembler's result for a program: the contents of the EPROM, or all errors.
fn assemble(result: &WitnessResult) -> Result<Vec<u8>, Vec<Mistake>> {
    let mut files = Files(&result.files);
    let source = files.source(Path::new(&result.main)).expect("the main file is there");
    let defines = result.defines.iter().map(|(name, value)| format!("{name}={value}").parse());
    let defines: Vec<Define> = defines.collect::<Result<_, _>>().unwrap();
    let assembly = assemble_with(source, &mut files, &defines);
    if let Some(image) = assembly.image {
        return Ok(image.to_eprom().to_vec());
    }
    let json = Rendering::Json.render(&assembly.diagnostics, &assembly.files);
    let diagnostics = json.lines().map(|line| serde_json::from_str(line).unwrap());
    let errors = diagnostics.filter(|error: &serde_json::Value| error["severity"] == "error");
    Err(errors
        .map(|error| {
            let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
            (classify(&text("message")), text("file"), error["line"].as_u64().unwrap_or_default())
        })
        .collect())
}

/// Classes of errors, by words in their messages. The first matching row counts.
const CLASSES: &[(&str, &[&str])] = &[
    ("assert", &["assertion failed"]),
    ("error", &["stop"]),
    ("cycle", &["is defined in terms of itself"]),
    ("duplicate", &["is defined twice", "there are two `", "duplicate parameter"]),
    ("recursion", &["calls itself more than", "nested too deep"]),
    ("routine", &["recursive call of", "outside a routine"]),
    ("pool", &["size of the pool", "place the routines", "needs a `.pool`"]),
    (
        "block",
        &[
            "has no `.end",
            "without an open block",
            "cannot be nested",
            "after the `.else`",
            "in a routine: it",
        ],
    ),
    ("full", &["program memory is full"]),
    ("overlap", &["two instructions at index"]),
    ("memory", &["but the panel's memory starts at", "contiguous bytes"]),
    ("include", &["cannot include", "has a backslash"]),
    ("reserved", &["is reserved", "is built in"]),
    (
        "unknown",
        &[
            "unknown instruction",
            "unknown directive",
            "unknown routine",
            "unknown warning",
            "is used before its definition",
        ],
    ),
    ("undefined", &["undefined symbol", "unknown function", "is not known yet"]),
    ("presentation", &["already has a word for its results", "already has a title", "of a grid"]),
    (
        "arithmetic",
        &[
            "division by zero",
            "overflow",
            "a shift count must be",
            "needs a power of two",
            "is out of range",
        ],
    ),
    (
        "arguments",
        &[
            "needs an argument",
            "at most",
            "has no parameter",
            "is given twice",
            "must come before named ones",
            "argument, not",
            "arguments, not",
        ],
    ),
    (
        "operand",
        &[
            "cannot write to a constant",
            "takes the number itself",
            "takes an instruction index, not",
            "expected a string, found a",
            "expected a number, found",
        ],
    ),
    ("range", &["must be ", "must not be negative", "is called from"]),
    (
        "syntax",
        &[
            "expected ",
            "is not allowed here",
            "does not fit into a signed 64-bit number",
            "is not a number",
            "is not an escape",
            "takes 1 operand",
            "takes no operand",
            "is never closed",
            "unmatched",
            "can contain only variables",
            "unknown colour",
        ],
    ),
];

fn classify(message: &str) -> &'static str {
    let fits = |(_, words): &&(&str, &[&str])| words.iter().any(|words| message.contains(words));
    let class = CLASSES.iter().find(fits);
    class.unwrap_or_else(|| panic!("a message of no known class: {message}")).0
}

/// Error classes without a documented place, because they concern several lines.
const WITHOUT_PLACE: [&str; 5] = ["cycle", "full", "pool", "recursion", "routine"];

/// The difference between the assembler and the witness, if there is one.
fn difference(result: &WitnessResult) -> Option<String> {
    let found = assemble(result);
    match (&result.error, &found) {
        (None, Ok(contents)) if result.eprom().as_ref() == Some(contents) => None,
        (None, Ok(_)) => Some("other images".to_owned()),
        (Some((class, file, line)), Err(errors)) => {
            let is_same = |(other, other_file, other_line): &Mistake| {
                let is_there = other_file == file && other_line == line;
                other == class && (is_there || WITHOUT_PLACE.contains(other))
            };
            let is_found = errors.iter().any(is_same);
            (!is_found).then(|| format!("{class} at {file}:{line} is not in {errors:?}"))
        }
        (verdict, Ok(_)) => Some(format!("only the witness reports {verdict:?}")),
        (_, Err(errors)) => Some(format!("only the assembler reports {errors:?}")),
    }
}

/// The minimum number of correct programs that contain each language element.
const FLOORS: [(&str, usize); 40] = [
    (".macro ", 480),
    (".repeat", 370),
    (".if ", 490),
    (".elseif ", 300),
    (".else", 420),
    (".routine ", 330),
    (".call ", 320),
    (".return", 160),
    ("-> ", 250),
    (".pool", 390),
    ("#", 460),
    (".struct ", 300),
    (".function ", 540),
    (".include ", 170),
    (".default ", 200),
    (".org ", 160),
    (".ram ", 130),
    (".word ", 280),
    (".assert ", 220),
    (".show ", 60),
    (".grid ", 70),
    ("@l", 500),
    ("@half", 210),
    ("_{", 130),
    ("hidden = ", 540),
    (" ? ", 530),
    ("&&", 500),
    ("||", 500),
    (" ^ ", 490),
    (" << ", 500),
    (" >> ", 510),
    (" / ", 510),
    (" % ", 520),
    ("~", 500),
    ("$", 500),
    ("log2(", 460),
    ("char(\"", 460),
    ("len(\"", 460),
    ("0b", 510),
    ("'\\n'", 220),
];

#[test]
fn random_programs_have_the_same_images_and_the_same_errors() {
    if !are_installed(&["python3"]) {
        return;
    }
    let seed = std::env::var("GRAY1_WITNESS_SEED").unwrap_or_else(|_| "1".to_owned());
    let (mut differences, mut right, mut classes) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut count = 0;
    ask(&["generate", &seed, &PROGRAMS.to_string()], |result| {
        if let Some(difference) = difference(&result) {
            let main = &result.files["main.asm"];
            differences.push(format!("program {count}: {difference}\n{main}"));
        }
        match result.error {
            Some((class, ..)) => drop(classes.insert(class)),
            None => right.push(result.files),
        }
        count += 1;
    });
    assert_eq!(count, PROGRAMS);
    let first = differences.first().map_or("", String::as_str);
    assert!(differences.is_empty(), "seed {seed}: {} differ; {first}", differences.len());
    assert_variety(&right);
    assert!(classes.len() >= 18, "few classes of errors: {classes:?}");
}

/// Checks that the generated programs use enough of the language.
fn assert_variety(programs: &[BTreeMap<String, String>]) {
    let share = PROGRAMS * 6 / 10..=PROGRAMS * 8 / 10;
    assert!(share.contains(&programs.len()), "{} programs have no error", programs.len());
    for (text, least) in FLOORS {
        let has =
            |files: &&BTreeMap<String, String>| files.values().any(|file| file.contains(text));
        let count = programs.iter().filter(has).count();
        assert!(count >= least, "{text}: in {count} programs, not in {least}");
    }
}

/// All sources in a folder and its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "asm"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn the_built_in_programs_libraries_and_lessons_have_the_same_images() {
    if !are_installed(&["python3"]) {
        return;
    }
    let programs = root().join("programs");
    let paths = sources(&programs);
    let names = paths.iter().map(|path| path.strip_prefix(&programs).unwrap().to_str().unwrap());
    let arguments: Vec<&str> = ["assemble"].into_iter().chain(names).collect();
    let mut kept = 0;
    ask(&arguments, |result| {
        let name = &result.main;
        assert_eq!(difference(&result), None, "{name}");
        let hex = root().join("roms").join(name).with_extension("hex");
        if let Ok(hex) = std::fs::read_to_string(hex) {
            assert!(result.eprom() == ihex::decode(&hex, ROM_BYTES).ok(), "{name}");
            kept += 1;
        }
    });
    assert!(kept >= 15, "{kept} of {} sources have an image in roms/", paths.len());
}
