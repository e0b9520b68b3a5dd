//! What an editor answers while a line is being typed: each case is a source of the tree in which
//! one line ends at a random place.
//!
//! The answers are in `broken_lines.txt`. `UPDATE_GOLDENS=1 cargo test -p gray1-asm broken_lines`
//! writes it. The line under a title is the one that was cut, up to the cut. The last line of a
//! case has digests of the answers about the whole file, by kind.

#[path = "support/answers.rs"]
mod answers;
mod support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use answers::{about_file, about_line, digest};
use gray1_asm::{Analysis, Source};
use gray1_language::split_comment;
use support::{Random, Texts, cases};

/// The number of lines that are cut in each file of `programs/`.
const CUTS_IN_PROGRAM: usize = 6;
/// The number of lines that are cut in each file of `tests/sources/`.
const CUTS_IN_SOURCES: usize = 3;

/// A source, and the number of lines to cut in it.
struct Sample {
    title: String,
    text: String,
    cuts: usize,
}

/// Returns the sources of the tree. Both folders include files of `programs/`.
fn samples(here: &Path) -> Vec<Sample> {
    let mut samples = Vec::new();
    for folder in ["", "lib/"] {
        for (name, text) in read_folder(&here.join("../programs").join(folder)) {
            samples.push(Sample { title: format!("{folder}{name}"), text, cuts: CUTS_IN_PROGRAM });
        }
    }
    for (name, text) in read_folder(&here.join("tests/sources")) {
        let sources = cases(&text).into_iter().filter_map(|mut case| case.files.remove(""));
        let (title, text) = (format!("tests/{name}"), sources.collect());
        samples.push(Sample { title, text, cuts: CUTS_IN_SOURCES });
    }
    samples
}

fn read_folder(folder: &Path) -> Vec<(String, String)> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "asm")).collect();
    paths.sort_unstable();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// Cuts the line of the sample at a random place before its comment. Returns the text and the
/// offset of the cut, or `None` if the line has no code.
fn cut(text: &str, number: usize, random: &mut Random) -> Option<(String, usize)> {
    let line = text.split_inclusive('\n').nth(number)?;
    let code = split_comment(line.trim_end()).0.trim_end();
    let start: usize = text.split_inclusive('\n').take(number).map(str::len).sum();
    let first = code.len() - code.trim_start().len();
    let places: Vec<usize> =
        (first + 1..code.len()).filter(|at| code.is_char_boundary(*at)).collect();
    if places.is_empty() {
        return None;
    }
    let cut = start + places[random.below(places.len())];
    let rest = &text[start + line.trim_end_matches('\n').len()..];
    Some((format!("{}{rest}", &text[..cut]), cut))
}

/// Adds the answers about some cuts of a sample.
fn describe(Sample { title, text, cuts }: &Sample, programs: &Path, golden: &mut String) {
    let mut random = Random::new(title.bytes().map(u64::from).sum());
    let lines = random.some((0..text.lines().count()).collect(), usize::MAX);
    let mut cuts: Vec<(usize, (String, usize))> = lines
        .into_iter()
        .filter_map(|number| Some((number, cut(text, number, &mut random)?)))
        .take(*cuts)
        .collect();
    cuts.sort_unstable();
    for (number, (text, offset)) in cuts {
        let line = text[..offset].lines().last().unwrap_or_default();
        writeln!(golden, "{title}:{}\n{line}", number + 1).unwrap();
        let mut loader = Texts(|name: &str| std::fs::read_to_string(programs.join(name)).ok());
        let source = Source { id: title.clone(), name: title.clone(), text };
        let analysis = Analysis::new(source, &mut loader);
        golden.push_str(&about_line(&analysis, offset as u32));
        let all = about_file(&analysis).map(|(kind, all)| format!("{kind} {}", digest(&all)));
        writeln!(golden, "  in the file: {}\n", all.join(", ")).unwrap();
    }
}

#[test]
fn broken_lines_keep_their_answers() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut golden = String::new();
    for sample in samples(here) {
        describe(&sample, &here.join("../programs"), &mut golden);
    }
    let path = here.join("tests/broken_lines.txt");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, &golden).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = golden.lines().zip(known.lines()).position(|(new, old)| new != old);
    assert!(golden == known, "tests/broken_lines.txt differs from line {differs:?} on");
}
