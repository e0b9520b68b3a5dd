//! The ways in which a step of a test case fails, and the sentences about them.

use std::fmt;

use gray1_debugger::power_up::PowerUpPlace;
use gray1_debugger::{ChangeError, GoalError, ParseError, ParseProblem};
use gray1_isa::PowerUp;
use gray1_isa::panel::Display;
use gray1_isa::text::{counted, grouped, printable};

use super::comparison::Comparison;
use super::picture::Picture;

/// The maximum size of a condition for a step that runs to it. The condition is evaluated after
/// each instruction, so with the default limit of instructions this takes about a second.
pub(super) const CONDITION_MAX: u64 = 100;

/// The failure of a case: what happened, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFailure {
    /// The offset of the failed step in the test file, in bytes.
    pub offset: usize,
    /// The way in which the step failed.
    pub step: StepFailure,
    /// The number of instructions executed before the failure.
    pub moment: u64,
    /// The place in the program at that moment, such as `row3+4 (queens.asm:88)`.
    pub place: String,
    /// The contents of memory at power-up, if the case is run with several.
    pub ram: Option<PowerUp>,
    /// A change of these contents: `x = 16`.
    pub change: Option<String>,
    /// The bytes and registers that decide and were never written, if a proof for all contents has
    /// found them.
    pub unwritten: Vec<String>,
}

impl CaseFailure {
    /// Returns the reason in one line, with the contents of memory if they were not zero, and with
    /// the bytes that were never written.
    pub fn summary(&self) -> String {
        let ram = self.ram.filter(|ram| *ram != PowerUp::Zero || self.change.is_some());
        let change = self.change.iter().map(|change| format!(", but {}", printable(change)));
        let change: String = change.collect();
        let ram = ram.map(|ram| format!("memory at power-up: {ram}{change}"));
        let unwritten = (!self.unwritten.is_empty())
            .then(|| format!("nothing wrote {} before", printable(&self.unwritten.join(", "))));
        let notes: Vec<String> = ram.into_iter().chain(unwritten).collect();
        match notes.as_slice() {
            [] => self.step.to_string(),
            notes => format!("{} ({})", self.step, notes.join("; ")),
        }
    }
}

/// A way in which a step of a test case fails. It is displayed as a line of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepFailure {
    /// The case is over before the program has executed an instruction.
    NothingExecuted,
    /// The machine cannot continue, for this reason.
    MachineFailed(String),
    /// The debugger refuses to run to the goal of the step.
    NoGoal(GoalError),
    /// An expression or a condition cannot be read, or has no value that the step can use.
    Unreadable {
        /// The expression or condition in the test file.
        text: String,
        /// The reason.
        error: ChangeError,
    },
    /// What happens depends on memory, A and C at power-up, because this register or byte is
    /// unknown. It is `None` if the unknown bits need not be wrong.
    Unknown(Option<PowerUpPlace>),
    /// This condition has more names, numbers and operators than a step may have.
    LongCondition(String),
    /// `Run`: the run ended too early.
    Run {
        /// How the run ended.
        end: EarlyEnd,
        /// The number of instructions that the step should execute.
        count: u64,
        /// The number of instructions that the step did execute.
        executed: u64,
    },
    /// `RunTo`: the run ended before this condition was true.
    RunTo(EarlyEnd, String),
    /// `Halts`: the program has not halted within this number of instructions.
    Halts(u64),
    /// `RunToLeds`: the run ended before the LEDs showed a picture.
    RunToLeds(EarlyEnd, LedDifference),
    /// `Leds`: the LEDs do not show a picture.
    Leds(LedDifference),
    /// The program has printed more than the history keeps.
    LongOutput,
    /// `Prints` or `Lines`: the run ended before the program had printed a text.
    Unprinted(EarlyEnd, OutputDifference),
    /// `Prints` or `Lines`: the program has printed something else.
    Output {
        /// The line and the texts.
        difference: OutputDifference,
        /// The column of the first wrong byte, counted from 1.
        column: usize,
        /// True if no more output was expected at all.
        is_excess: bool,
    },
    /// `Is`: an expression has another value.
    Is {
        /// The expression.
        text: String,
        /// The value that it should have.
        expected: i64,
        /// The value that it has.
        actual: i64,
    },
    /// `Bytes`: the bytes at an address differ.
    Bytes {
        /// The name of the first byte that differs, or `None` if it is outside data memory.
        name: Option<String>,
        /// The bytes.
        comparison: Comparison,
    },
    /// `AtMost` or `AtLeast`: the program has executed too many or too few instructions.
    Bound {
        /// The largest or the smallest number of instructions that the step accepts.
        bound: u64,
        /// The number of instructions that were executed.
        executed: u64,
    },
}

/// How a run ended before it reached the goal of its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyEnd {
    /// The program halted.
    Halted,
    /// The case reached its limit, which is this number of instructions.
    Limit(u64),
}

/// The LEDs that a step expects, and those of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedDifference {
    /// The LEDs that the test file specifies.
    pub expected: Picture,
    /// The LEDs of the machine.
    pub actual: Display,
}

/// A line of output that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputDifference {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The line in the test file, and the line that the program printed.
    pub comparison: Comparison,
}

impl EarlyEnd {
    /// Describes the end as a clause. `program` is its subject, such as "the program".
    pub(crate) fn describe(self, program: &str) -> String {
        match self {
            Self::Halted => format!("{program} halted"),
            Self::Limit(limit) => {
                format!("the limit of {} instructions was reached", grouped(limit))
            }
        }
    }
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe("the program"))
    }
}

impl StepFailure {
    /// Describes the failure in one line, in which `program` stands for the tested program.
    pub(crate) fn describe(&self, program: &str) -> String {
        match self {
            Self::NothingExecuted => {
                format!("the case is over before {program} has executed an instruction")
            }
            Self::MachineFailed(why) => format!("the machine cannot continue: {why}"),
            Self::NoGoal(error) => error.to_string(),
            Self::Unreadable {
                text,
                error:
                    ChangeError::Parse(ParseError {
                        column,
                        problem: ParseProblem::Unknown { name, .. },
                    }),
            } => {
                let text = printable(text);
                format!("`{text}`: column {column}: {program} has no `{name}`")
            }
            Self::Unreadable { text, error } => format!("`{}`: {error}", printable(text)),
            Self::Unknown(_) => "this depends on what memory held at power-up".to_owned(),
            Self::LongCondition(text) => format!(
                "`{}`: expected at most {CONDITION_MAX} names, numbers and operators",
                printable(text)
            ),
            Self::Run { end, .. } => end.describe(program),
            Self::RunTo(end, text) => {
                format!("{} before `{}`", end.describe(program), printable(text))
            }
            Self::Halts(limit) => {
                format!("{program} does not halt within {} instructions", grouped(*limit))
            }
            Self::RunToLeds(end, _) => {
                format!("{} before the LEDs showed this", end.describe(program))
            }
            Self::Leds(LedDifference { expected, actual }) => {
                let (row, column) = expected.find_difference(actual).unwrap_or_default();
                format!("the LEDs differ, first in row {row}, column {column}")
            }
            Self::LongOutput => format!("{program} prints more than can be compared"),
            Self::Unprinted(end, _) => {
                format!("{} before it had printed this", end.describe(program))
            }
            Self::Output { difference: OutputDifference { line, .. }, column, is_excess } => {
                if *is_excess {
                    format!("more output than expected, starting at line {line}, column {column}")
                } else {
                    format!("the output first differs at line {line}, column {column}")
                }
            }
            Self::Is { text, .. } => format!("`{}` differs", printable(text)),
            Self::Bytes { name: Some(name), .. } => format!("{name} differs"),
            Self::Bytes { name: None, .. } => "these bytes do not fit into data memory".to_owned(),
            Self::Bound { bound, executed } => {
                let side = if executed > bound { "most" } else { "least" };
                format!("expected at {side} {} instructions", grouped(*bound))
            }
        }
    }

    /// Returns the expected and the actual result, if the failure is about a difference.
    pub fn comparison(&self) -> Option<Comparison> {
        Some(match self {
            Self::NothingExecuted
            | Self::MachineFailed(_)
            | Self::NoGoal(_)
            | Self::Unreadable { .. }
            | Self::Unknown(_)
            | Self::LongCondition(_)
            | Self::RunTo(..)
            | Self::Halts(_)
            | Self::LongOutput => return None,
            Self::Run { count, executed, .. } => {
                Comparison::new(counted(*count, "instruction"), counted(*executed, "instruction"))
            }
            Self::RunToLeds(_, leds) | Self::Leds(leds) => {
                Comparison::new(leds.expected.to_string(), leds.actual.to_string())
            }
            Self::Unprinted(_, difference) | Self::Output { difference, .. } => {
                difference.comparison.clone()
            }
            Self::Is { expected, actual, .. } => {
                Comparison::new(decimal(*expected), decimal(*actual))
            }
            Self::Bytes { comparison, .. } => comparison.clone(),
            Self::Bound { bound, executed } => Comparison::new(grouped(*bound), grouped(*executed)),
        })
    }

    /// Returns the expected and the actual LEDs, if the failure is about them.
    pub fn leds(&self) -> Option<&LedDifference> {
        match self {
            Self::RunToLeds(_, leds) | Self::Leds(leds) => Some(leds),
            _ => None,
        }
    }
}

/// Returns a number in decimal, and in hexadecimal if it fits a byte or an address.
fn decimal(number: i64) -> String {
    match u16::try_from(number) {
        Ok(word) => format!("{number} ({word:#04x})"),
        Err(_) => number.to_string(),
    }
}
