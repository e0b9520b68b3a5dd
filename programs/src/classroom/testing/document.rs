//! The format of test files, in Rusty Object Notation, and the positions of steps in them.
//!
//! An incompatible change needs a new [`VERSION`].

use std::collections::HashSet;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

use gray1_debugger::power_up::SAMPLES;
use gray1_isa::PowerUp;
use gray1_isa::format::Position;
use gray1_sim::{EngineKind, MachineSpec, OptionSyntax, RamSpec};
use ron::Options;
use ron::error::SpannedError;
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::step::TestStep;
use crate::classroom::notation::describe_error;

/// The supported version of the format.
const VERSION: u64 = 1;
/// The default limit of instructions for a case.
const LIMIT: u64 = 10_000_000;

/// A test file.
#[derive(Debug)]
pub struct TestFile {
    text: String,
    /// The program, as a built-in name or a path relative to the test file. `None` means the
    /// program next to the test file.
    pub program: Option<String>,
    /// The cases, at least one, with different names.
    pub cases: Vec<Arc<TestCase>>,
    /// Lines of the program whose mistakes may stay undetected, possibly with the line's number in
    /// front: `12: ST x`.
    pub accepted: Vec<String>,
}

/// A test case.
#[derive(Debug, Clone)]
pub struct TestCase {
    /// The name of the case in reports.
    pub name: String,
    /// The position of the case, in bytes from the start of the file.
    pub offset: usize,
    /// The machine that runs the case. The path of a board is relative to the test file.
    pub machine: MachineSpec,
    /// True if the case must pass for any contents of memory at power-up.
    pub any_ram: bool,
    /// The maximum number of instructions that the case may execute.
    pub limit: u64,
    /// The points that the case is worth.
    pub points: u32,
    /// The steps, at least one, each with its offset in the file.
    pub steps: Arc<[(usize, TestStep)]>,
}

impl TestCase {
    /// Returns true if the case is for any contents of memory, and `chosen` does not set them.
    pub(super) fn is_for_any(&self, chosen: &MachineSpec) -> bool {
        self.any_ram && chosen.ram.is_none()
    }

    /// Returns the runs of this case on ordinary machines: one for each of several contents of
    /// memory if the case is for any, and otherwise one.
    pub fn runs(self: &Arc<Self>, chosen: &MachineSpec) -> Vec<Arc<Self>> {
        if !self.is_for_any(chosen) {
            return vec![Arc::clone(self)];
        }
        SAMPLES.map(|power_up| self.with_power_up(power_up)).into()
    }

    /// Returns a run of this case with these contents of memory at power-up.
    pub(super) fn with_power_up(&self, power_up: PowerUp) -> Arc<Self> {
        let ram = Some(RamSpec::Contents(power_up));
        let machine = MachineSpec { ram, ..self.machine.clone() };
        Arc::new(Self { machine, ..self.clone() })
    }
}

/// An error in a test file, with its position.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {message}")]
pub struct TestFileError {
    /// The line and the column of the error.
    pub position: Position,
    /// The message.
    pub message: String,
}

/// The part of a test file that is read before its version is known.
#[derive(Deserialize)]
#[serde(rename = "Tests")]
struct TestHeader {
    version: u64,
}

#[derive(Deserialize)]
#[serde(rename = "Tests", deny_unknown_fields)]
struct TestDocument<'a> {
    #[serde(rename = "version")]
    _version: u64,
    program: Option<String>,
    /// Lines, each with a reason for readers of the file.
    #[serde(default)]
    accepted: Vec<(String, String)>,
    #[serde(borrow)]
    cases: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename = "Case", deny_unknown_fields)]
struct CaseDocument<'a> {
    name: String,
    engine: Option<EngineKind>,
    board: Option<String>,
    ram: Option<RamSpec>,
    seed: Option<u64>,
    glitch: Option<NonZeroU64>,
    pulse: Option<NonZeroU32>,
    limit: Option<u64>,
    #[serde(default, deserialize_with = "points")]
    points: Option<u32>,
    #[serde(borrow)]
    steps: Vec<&'a RawValue>,
}

/// Reads the field `points`. A fraction is read, so that the message can name what is wrong.
fn points<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let points = f64::deserialize(from)?;
    let whole = u32::try_from(points as i64).ok().filter(|_| points.fract() == 0.0);
    whole.map(Some).ok_or_else(|| D::Error::custom("points: expected a whole number"))
}

impl TestFile {
    /// Reads a test file.
    ///
    /// # Errors
    /// Returns the first error if the file is invalid.
    pub fn read(text: &str) -> Result<Self, TestFileError> {
        // Normalise line ends, so that a string over several lines does not depend on the platform.
        let text = &*text.replace("\r\n", "\n").replace('\r', "\n");
        let whole = TextPart { text, start: 0 };
        let TestHeader { version } = whole.read()?;
        if version != VERSION {
            let message = format!("version {version} is not supported, only {VERSION}");
            return Err(TestFileError { position: whole.position(), message });
        }
        let TestDocument { program, accepted, cases, .. } = whole.read()?;
        let accepted = accepted.into_iter().map(|(line, _)| line).collect();
        if cases.is_empty() {
            let message = "expected at least one case".to_owned();
            return Err(TestFileError { position: whole.position(), message });
        }
        let cases = cases.into_iter().map(|raw| whole.part(raw).parse_case().map(Arc::new));
        let cases: Vec<Arc<TestCase>> = cases.collect::<Result<_, _>>()?;
        let mut names = HashSet::new();
        match cases.iter().find(|case| !names.insert(&case.name)) {
            None => Ok(Self { text: text.to_owned(), program, cases, accepted }),
            Some(case) => {
                let TestCase { name, offset, .. } = &**case;
                let message = format!("there is already a case \"{}\" above", name.escape_debug());
                Err(TestFileError { position: Position::new(text.as_bytes(), *offset), message })
            }
        }
    }

    /// Returns the line and the column of an offset. They are computed on demand, because a file
    /// can have many steps.
    pub fn position(&self, offset: usize) -> Position {
        Position::new(self.text.as_bytes(), offset)
    }
}

/// A part of the file: the file's contents up to the end of the part, and the part's start.
#[derive(Clone, Copy)]
struct TextPart<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> TextPart<'a> {
    /// Returns the part that a value inside this part covers.
    fn part(self, raw: &'a RawValue) -> Self {
        let inside = raw.get_ron();
        // The value borrows from the contents, so the difference of the addresses is its offset.
        let start = inside.as_ptr().addr() - self.text.as_ptr().addr();
        Self { text: &self.text[..start + inside.len()], start }
    }

    fn position(self) -> Position {
        Position::new(self.text.as_bytes(), self.start)
    }

    fn read<T: Deserialize<'a>>(self) -> Result<T, TestFileError> {
        let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        options.from_str(&self.text[self.start..]).map_err(|error| self.error_at(&error))
    }

    fn error_at(self, error: &SpannedError) -> TestFileError {
        let (start, inside) = (self.position(), error.span.start);
        let column = if inside.line == 1 { start.column - 1 } else { 0 } + inside.col;
        let position = Position { line: start.line + inside.line - 1, column };
        TestFileError { position, message: describe_error(&error.code) }
    }

    fn parse_case(self) -> Result<TestCase, TestFileError> {
        let CaseDocument { name, engine, board, ram, seed, glitch, pulse, limit, points, steps } =
            self.read()?;
        let error = |message| TestFileError { position: self.position(), message };
        if steps.is_empty() {
            return Err(error("expected at least one step".to_owned()));
        }
        let any_ram = ram == Some(RamSpec::Any);
        let ram = ram.filter(|_| !any_ram);
        let machine = MachineSpec { engine, board, ram, seed, glitch, pulse };
        machine.check(OptionSyntax::Fields).map_err(error)?;
        let whole = TextPart { start: 0, ..self };
        let parts = steps.into_iter().map(|raw| whole.part(raw));
        let steps = parts.map(|part| Ok((part.start, part.read()?)));
        let steps: Arc<[(usize, TestStep)]> = steps.collect::<Result<_, _>>()?;
        if !steps.iter().any(|(_, step)| step.runs_program()) {
            let message = "no step lets the program run: expected Run, RunTo, Prints, Lines, \
                RunToLeds or Halts";
            return Err(error(message.to_owned()));
        }
        let limit = limit.unwrap_or(LIMIT);
        let mistake = steps.iter().find_map(|(offset, step)| {
            let empty = step.find_empty_check(limit);
            let empty = empty.map(|why| format!("this step {why}, so it would always succeed"));
            Some((offset, step.find_mistake().or(empty)?))
        });
        if let Some((offset, message)) = mistake {
            let position = Position::new(self.text.as_bytes(), *offset);
            return Err(TestFileError { position, message });
        }
        let points = points.unwrap_or(1);
        Ok(TestCase { name, offset: self.start, machine, any_ram, limit, points, steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test file with a case of these steps, in line 4.
    fn case(steps: &str) -> String {
        format!("Tests(\n  version: 1,\n  cases: [\n    (name: \"a\", steps: [{steps}]),\n  ],\n)")
    }

    #[test]
    fn a_check_that_cannot_fail_is_an_error() {
        let nothing = "looks at nothing";
        let picture = format!("RunToLeds({:?}), Halts", ["????????"; 8].join("\n"));
        for (steps, column, problem) in [
            ("Halts, Bytes(\"x\", [])", 32, nothing),
            ("Halts, AtLeast(0)", 32, nothing),
            ("Halts, Is(\"5 + 2\", 7)", 32, nothing),
            (&*picture, 25, nothing),
            ("Halts, Is(\"[x]\", \"[ x ]\")", 32, "compares a value with itself"),
            ("Halts, AtMost(10_000_001)", 32, "allows more than the case's limit"),
        ] {
            let found = TestFile::read(&case(steps)).unwrap_err().to_string();
            let expected = format!("4:{column}: this step {problem}, so it would always succeed");
            assert_eq!(found, expected, "{steps}");
        }
        for steps in ["Halts, Is(\"[x]\", \"[y]\")", "Halts, AtMost(10_000_000)"] {
            assert!(TestFile::read(&case(steps)).is_ok(), "{steps}");
        }
    }

    #[test]
    fn an_error_is_reported_at_its_position() {
        for (text, expected) in [
            ("Image(version: 1)".to_owned(), "1:1: expected `Tests`, found `Image`"),
            ("Tests(version: 2)".to_owned(), "1:1: version 2 is not supported, only 1"),
            ("Tests(version: 1, cases: [])".to_owned(), "1:1: expected at least one case"),
            (case(""), "4:5: expected at least one step"),
            (case("AtMost(200)"), "4:5: no step lets the program run: expected Run, "),
            (case("Is(\"[0]\", 0), Run(0), Prints(\"\")"), "4:5: no step lets the program run"),
            (case("RunTo(\"writ x\")"), "4:25: `writ x`: column 6: expected an operator"),
            (case("Halts, Is(\"[x + 1\", 5)"), "4:32: `[x + 1`: column 7: expected ']'"),
            (case("Halts, Is(\"A\", \"1 +\")"), "4:32: `1 +`: column 4: expected a value"),
            (case("Set(\"x +\", 5), Halts"), "4:25: `x +`: column 4: expected a value"),
            (case("RunTo(\"A\")"), "4:25: `A`: column 1: this address cannot depend"),
            (case("Halts, Flies"), "4:32: unknown name `Flies`"),
            (case("Halts,\n   Hold(\"fire\")"), "5:10: no button is called 'fire'"),
            (case("Leds(\". G X\")"), "4:31: expected ., G, R, Y or ?, found 'X'"),
            (case("Run(-1)"), "4:30: this number is out of range"),
            (
                "Tests(version: 1, cases: [\n (name: \"a\", engine: \"x\", steps: [Halts])])"
                    .to_owned(),
                "2:23: engine: expected instruction, chips or timed",
            ),
            (
                "Tests(version: 1, cases: [\n (name: \"a\", ram: \"x\", steps: [Halts])])"
                    .to_owned(),
                "2:20: ram: expected zero, ones or random:SEED with a number from 0 to \
                 18446744073709551615, or any",
            ),
            (
                "Tests(version: 1, cases: [\n (name: \"a\", glitch: 0, steps: [Halts])])"
                    .to_owned(),
                "2:22: expected a number from 1",
            ),
            (
                "Tests(version: 1, cases: [\n (name: \"a\", seed: 1, steps: [Halts])])".to_owned(),
                "2:2: `seed` requires the engine `timed`",
            ),
            (
                "Tests(version: 1, cases: [(name: \"a\", steps: [Halts]),\n(name: \"a\", \
                 steps: [Halts])])"
                    .to_owned(),
                "2:1: there is already a case \"a\" above",
            ),
        ] {
            let found = TestFile::read(&text).unwrap_err().to_string();
            assert!(found.starts_with(expected), "{text}\n{found}");
        }
    }

    #[test]
    fn line_ends_do_not_depend_on_the_platform() {
        let text =
            "Tests(version: 1, cases: [\n(name: \"a\", steps: [Prints(\"a\nb\n\"),\nHalts])])\n";
        let read = |end: &str| TestFile::read(&text.replace('\n', end)).unwrap();
        let unix = read("\n");
        assert_eq!(unix.cases[0].steps[0].1.printed().as_deref(), Some(&b"a\nb\n"[..]));
        for end in ["\r\n", "\r"] {
            let other = read(end);
            assert_eq!(format!("{:?}", other.cases), format!("{:?}", unix.cases), "{end:?}");
            let offset = unix.cases[0].steps[1].0;
            assert_eq!(other.position(offset), unix.position(offset), "{end:?}");
        }
    }
}
