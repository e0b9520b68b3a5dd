//! The report of a search for mistakes that no case notices, and its text.

use std::collections::BTreeSet;
use std::fmt;

use gray1_isa::text::{grouped, printable};
use gray1_isa::{ExpansionKind, Image, RomIndex};
use gray1_language::{Lexer, TokenKind};
use serde::Serialize;

/// The mistakes that no case detects.
#[derive(Debug, Default, Serialize)]
pub struct MistakeReport {
    /// The number of mistakes that were tried: changed instructions with which a case was run.
    pub tried: u64,
    /// The number of these that a case notices.
    pub noticed: u64,
    /// The undetected mistakes that the test file does not accept, sorted by line.
    pub mistakes: Vec<Mistake>,
    /// The accepted lines of the test file that have no undetected mistake.
    pub unneeded_accepted: Vec<String>,
    /// The number of undetected mistakes that the test file accepts.
    pub accepted_count: usize,
    /// The entries of the test file that accept several lines.
    pub ambiguous: Vec<AmbiguousEntry>,
    /// The mistakes that were tried, with the cases that notice them, if the user asked for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
}

/// An entry of the test file that accepts several lines.
#[derive(Debug, Serialize)]
pub struct AmbiguousEntry {
    /// The entry.
    pub entry: String,
    /// The numbers of the lines.
    pub lines: Vec<u32>,
}

/// Which case notices which mistake.
#[derive(Debug, Serialize)]
pub struct Matrix {
    /// The names of the cases.
    pub cases: Vec<String>,
    /// The mistakes that were tried.
    pub trials: Vec<Trial>,
    /// The cases that notice no mistake that the others do not notice.
    pub superfluous: BTreeSet<String>,
}

/// A mistake that was tried.
#[derive(Debug, Serialize)]
pub struct Trial {
    /// The mistake.
    #[serde(flatten)]
    pub mistake: Mistake,
    /// False if the runs of all cases have the same effects with it, so that none can notice it.
    pub has_effect: bool,
    /// The names of the cases that notice it.
    pub noticed_by: BTreeSet<String>,
}

/// A mistake in a program.
#[derive(Debug, Clone, Serialize)]
pub struct Mistake {
    /// The name of the source file. Empty for an instruction without a source.
    pub file: String,
    /// The number of the line, counted from 1.
    pub line: Option<u32>,
    /// The index of the instruction.
    pub index: RomIndex,
    /// The line without its comment, or the instruction if it has no source.
    pub source: String,
    /// The instruction that was replaced.
    pub instruction: String,
    /// The replacement, or `None` if the instruction was left out or is never executed.
    pub replacement: Option<String>,
    /// The part of the line that was left out, if it was not the whole line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<ExpansionKind>,
    /// False if no case executes the line, so that none can notice a mistake in it.
    pub executed: bool,
    /// True if the file was included, and is not the one that was assembled.
    #[serde(skip)]
    pub(super) is_included: bool,
}

impl MistakeReport {
    /// Removes the mistakes that these entries of the test file accept.
    pub(super) fn accept(&mut self, entries: &[String]) {
        for entry in entries {
            let accepted = self.mistakes.iter().filter(|mistake| mistake.is_accepted(entry));
            let accepted: Vec<&Mistake> = accepted.collect();
            if accepted.is_empty() {
                self.unneeded_accepted.push(entry.clone());
            }
            // An instruction without a source has no line, by which an entry could choose it.
            let lines: Vec<u32> = accepted.iter().filter_map(|mistake| mistake.line).collect();
            if lines.len() > 1 {
                self.ambiguous.push(AmbiguousEntry { entry: entry.clone(), lines });
            }
        }
        let all = self.mistakes.len();
        self.mistakes.retain(|mistake| !entries.iter().any(|entry| mistake.is_accepted(entry)));
        self.accepted_count = all - self.mistakes.len();
    }

    /// Returns true if mistakes were noticed and nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.noticed > 0 && self.mistakes.is_empty() && self.unneeded_accepted.is_empty()
    }

    /// Returns the report as text.
    pub fn text(&self) -> String {
        let lines = self.mistakes.iter().map(|mistake| format!("    {mistake}\n"));
        let accepted = self.unneeded_accepted.iter().map(|source| {
            let source = printable(source);
            format!(
                "    `{source}` need not be accepted: a case notices it, or there is no such line\n"
            )
        });
        let ambiguous = self.ambiguous.iter().map(|AmbiguousEntry { entry, lines }| {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let (entry, first) = (printable(entry), &lines[0]);
            let lines = lines.join(", ");
            format!("    `{entry}` accepts lines {lines}; `{first}: {entry}` accepts one of them\n")
        });
        let nothing = self.describe_nothing().map(|nothing| format!("    {nothing}\n"));
        lines.chain(accepted).chain(ambiguous).chain(nothing).collect()
    }

    /// Says that no mistake could be noticed, if that is so.
    fn describe_nothing(&self) -> Option<String> {
        let is_seen = self.noticed > 0 || self.mistakes.iter().any(|mistake| mistake.executed);
        (!is_seen).then(|| match self.tried {
            0 => "no mistake was tried".to_owned(),
            tried => format!("none of {} mistakes has an effect", grouped(tried)),
        })
    }
}

impl Mistake {
    /// Describes a mistake in the instruction at an index that a case executes.
    pub(super) fn new(image: &Image, index: RomIndex, replacement: Option<String>) -> Self {
        let map = image.source_map();
        let place = map.calling_origin(index).map(|origin| origin.place);
        let line = place.and_then(|place| map.line(place));
        let instruction = image.instruction(index);
        Self {
            file: place
                .map_or_else(String::new, |it| map.files()[usize::from(it.file)].name.clone()),
            line: place.map(|place| place.line),
            index,
            source: line.map_or_else(|| instruction.clone(), normalize),
            instruction,
            replacement,
            part: None,
            executed: true,
            is_included: place.is_some_and(|place| place.file > 0),
        }
    }

    /// Describes the change of the program.
    pub fn change(&self) -> String {
        match (&self.replacement, &self.part) {
            (Some(other), _) => format!("`{other}` in place of `{}`", self.instruction),
            (None, None) => "if it is missing".to_owned(),
            (None, Some(ExpansionKind::Repeat(turn))) => {
                format!("if it is missing in iteration {turn}, at 0x{:04x}", self.index.get())
            }
            (None, Some(ExpansionKind::Macro(name) | ExpansionKind::Routine(name))) => {
                let name = printable(name);
                format!("if `{name}` is missing in it, at 0x{:04x}", self.index.get())
            }
        }
    }

    /// Returns true if an entry of the test file accepts the mistake: a line, or a number and the
    /// line with this number.
    fn is_accepted(&self, entry: &str) -> bool {
        let numbered = entry
            .split_once(':')
            .and_then(|(number, line)| Some((number.trim().parse::<u32>().ok()?, line)));
        match numbered {
            Some((number, line)) => self.line == Some(number) && self.source == normalize(line),
            None => self.source == normalize(entry),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, index, source, executed, .. } = self;
        if self.is_included {
            write!(f, "{}, ", printable(file))?;
        }
        match line {
            Some(line) => write!(f, "line {line}, `{}`: ", printable(source))?,
            None => write!(f, "0x{:04x}, `{source}`: ", index.get())?,
        }
        if !executed {
            return f.write_str("no case executes it");
        }
        write!(f, "no case notices {}", self.change())
    }
}

impl Matrix {
    /// Finds the cases that notice no mistake that the others do not notice.
    pub(super) fn find_superfluous(&mut self) {
        self.superfluous = self.cases.iter().cloned().collect();
        for trial in &self.trials {
            if trial.noticed_by.len() == 1 {
                self.superfluous.retain(|case| !trial.noticed_by.contains(case));
            }
        }
    }
}

/// Returns a line without its comment, with single blanks where it has some.
fn normalize(line: &str) -> String {
    let mut text = String::new();
    let mut end = 0;
    for token in Lexer::new(line).take_while(|token| token.kind != TokenKind::Comment) {
        let is_apart = end > 0 && token.start > end;
        text += if is_apart { " " } else { "" };
        text += token.text;
        end = token.start + token.text.len();
    }
    text
}
