//! Tests of programs: the format of test files, and running them.
//!
//! A `document` is a test file with named cases, each a list of `step`s. A `run` takes the steps
//! one by one, on any engine. It keeps the history of the machine, so that a debugger can open the
//! moment at which a step failed. This module does not do input or output.

mod comparison;
mod document;
mod failure;
mod machine_names;
mod mistake_report;
mod mistakes;
mod picture;
pub mod report;
mod run;
mod series;
mod step;

/// The suffix of test files.
pub const TEST_SUFFIX: &str = ".test.ron";

pub use comparison::Comparison;
pub use document::{TestCase, TestFile, TestFileError};
pub use failure::{CaseFailure, EarlyEnd, LedDifference, OutputDifference, StepFailure};
pub use machine_names::with_machine_names;
pub use mistake_report::{Mistake, MistakeReport};
pub use mistakes::find_mistakes;
pub use run::{CaseRun, FinishedCase};
pub use series::{CaseSeries, SeriesStep};
