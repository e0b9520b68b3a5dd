//! The mutants of a package: those that cargo-mutants would try, as it lists them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// Why there are no verdicts.
pub(crate) type Failure = Box<dyn Error>;

/// One change of the code.
#[derive(Debug, Clone)]
pub(crate) struct Mutant {
    /// From the root of the workspace.
    pub(crate) file: String,
    /// Line and column, both from 1.
    pub(crate) place: (usize, usize),
    /// What is changed in which function: `replace + with - in Op::next`, with `#2` and so on if
    /// others of the file read alike.
    pub(crate) change: String,
    /// The bytes of the file that are replaced.
    pub(crate) range: Range<usize>,
    pub(crate) replacement: String,
    /// Whether a function does nothing but return `replacement`.
    pub(crate) is_whole_function: bool,
}

impl Mutant {
    /// What it is called as long as the function keeps its operators, wherever it stands.
    pub(crate) fn name(&self) -> String {
        format!("{}: {}", self.file, self.change)
    }

    /// The folder of the crate's sources.
    pub(crate) fn sources(&self) -> &str {
        let end = self.file.find("src/").map_or(self.file.len(), |at| at + "src/".len());
        &self.file[..end]
    }

    /// Its name with its place.
    pub(crate) fn title(&self) -> String {
        let (line, column) = self.place;
        format!("{}:{line}:{column}: {}", self.file, self.change)
    }

    /// The text of its file with the change.
    pub(crate) fn applied(&self, text: &str) -> String {
        let Range { start, end } = self.range;
        [&text[..start], &self.replacement, &text[end..]].concat()
    }
}

/// An entry of `cargo mutants --list --json`.
#[derive(Deserialize)]
struct Listed {
    name: String,
    file: String,
    span: Span,
    replacement: String,
    genre: String,
}

#[derive(Deserialize)]
struct Span {
    start: Position,
    end: Position,
}

/// Counted from 1; columns count characters.
#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

/// All mutants of a package.
pub(crate) fn list(root: &Path, package: &str) -> Result<Vec<Mutant>, Failure> {
    let output = Command::new("cargo")
        .args(["mutants", "--list", "--json", "--no-shuffle", "--package", package])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{message}(cargo install cargo-mutants --locked)").into());
    }
    let listed: Vec<Listed> = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the list of cargo-mutants: {error}"))?;
    let mut texts: HashMap<String, String> = HashMap::new();
    let mut namesakes: HashMap<String, u32> = HashMap::new();
    let mut mutants = Vec::new();
    for listed in listed {
        let text = match texts.entry(listed.file.clone()) {
            Entry::Occupied(text) => text.into_mut(),
            Entry::Vacant(place) => place.insert(
                std::fs::read_to_string(root.join(&listed.file))
                    .map_err(|error| format!("{}: {error}", listed.file))?,
            ),
        };
        mutants.push(located(listed, text, &mut namesakes)?);
    }
    Ok(mutants)
}

fn located(
    listed: Listed,
    text: &str,
    namesakes: &mut HashMap<String, u32>,
) -> Result<Mutant, String> {
    let unknown = || format!("unknown form of a mutant: {}", listed.name);
    let place = (listed.span.start.line, listed.span.start.column);
    let opening = format!("{}:{}:{}: ", listed.file, place.0, place.1);
    let change = listed.name.strip_prefix(&opening).ok_or_else(unknown)?;
    let count = namesakes.entry(format!("{}: {change}", listed.file)).or_insert(0);
    *count += 1;
    let change = if *count == 1 { change.to_owned() } else { format!("{change} #{count}") };
    let offset = |position: &Position| offset(text, position).ok_or_else(unknown);
    Ok(Mutant {
        place,
        change,
        range: offset(&listed.span.start)?..offset(&listed.span.end)?,
        is_whole_function: listed.genre == "FnValue",
        replacement: listed.replacement,
        file: listed.file,
    })
}

/// How many bytes stand before a position.
fn offset(text: &str, position: &Position) -> Option<usize> {
    let line = text.split_inclusive('\n').nth(position.line.checked_sub(1)?)?;
    let before: usize = text.split_inclusive('\n').take(position.line - 1).map(str::len).sum();
    let within: usize = line.chars().take(position.column - 1).map(char::len_utf8).sum();
    Some(before + within)
}
