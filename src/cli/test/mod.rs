//! `gray1 test`: programs tested by the files beside them.

mod files;
mod junit;
mod progress;
mod report;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use gray1_isa::text::printable;
use gray1_tui::Session;

use super::machine::{MachineOptions, quoted};
use super::messages::{Messages, in_full, in_words};
use super::signals::Signals;
use super::{Done, Failure, Outcome, failure, print};
use crate::files as program_files;
use crate::program::{self, Program};
use crate::testing::{self, Case, Finished, Verdict};
pub(super) use files::Suite;
use progress::Progress;
use report::{CaseReport, FailureReport, Report};

#[derive(clap::Args)]
#[command(
    after_help = "A test file NAME.test.ron is beside the program NAME.asm. docs/TESTING.md \
    explains what is in it. --engine, --board, --ram and --seed override what it says.\n\n\
    Exit status: 0 all cases passed; 1 one failed, or could not be run."
)]
pub(super) struct Options {
    /// Test files, programs that have one beside them, or folders to search for test files
    #[arg(default_value = ".", add = super::complete::tests())]
    paths: Vec<PathBuf>,
    /// Test this program instead of the one that the test file is about
    #[arg(long, value_name = "PROGRAM", add = super::complete::programs())]
    program: Option<String>,
    /// Run only the case of this name
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    /// The format of the report
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// These options count more than what a test file says.
    #[command(flatten)]
    machine: MachineOptions,
}

/// How the outcome is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ReportFormat {
    /// A line for each program, and what failed
    #[default]
    Text,
    /// One JSON document
    Json,
    /// The XML of `JUnit`
    Junit,
}

pub(super) fn test(options: &Options, messages: &mut Messages) -> Outcome {
    let files = files::find(&options.paths).map_err(failure)?;
    if options.program.is_some() && files.len() > 1 {
        return Err(failure("--program needs exactly one test file"));
    }
    let mut tester = Tester {
        options,
        messages,
        signals: Signals::listen()?,
        progress: Progress::new(),
        interrupted: None,
    };
    let mut reports = Vec::new();
    for file in &files {
        let report = tester.file(file);
        tester.progress.clear();
        if let Some(number) = tester.interrupted {
            return Ok(Done::Signal(number));
        }
        // Without the case that is wanted there is nothing to say.
        let has_cases = !report.cases.is_empty() || report.error.is_some();
        if has_cases {
            if options.format == ReportFormat::Text {
                print(&report.text())?;
            }
            reports.push(report);
        }
    }
    if let (Some(name), true) = (&options.case, reports.is_empty()) {
        return Err(failure(no_case(name)));
    }
    print(&match options.format {
        ReportFormat::Text => report::summary(&reports),
        ReportFormat::Json => report::json(&reports),
        ReportFormat::Junit => junit::xml(&reports),
    })?;
    let has_passed = reports.iter().all(Report::has_passed);
    Ok(if has_passed { Done::Well } else { Done::Refuted })
}

/// Runs test files.
struct Tester<'a> {
    options: &'a Options,
    messages: &'a mut Messages,
    signals: Signals,
    progress: Progress,
    /// The signal that asked to stop.
    interrupted: Option<u8>,
}

impl Tester<'_> {
    fn file(&mut self, file: &Path) -> Report {
        let mut report = Report {
            file: program_files::printable(file),
            program: String::new(),
            error: None,
            cases: Vec::new(),
        };
        report.error = self.cases(file, &mut report).err();
        report
    }

    /// Runs the cases of a file, as far as they are wanted.
    fn cases(&mut self, file: &Path, report: &mut Report) -> Result<(), String> {
        let suite = Suite::load(file, self.options.program.as_deref())?;
        report.program = program_files::printable(&suite.program);
        let program = program::load(&suite.program).map_err(|failure| in_full(&failure))?;
        let is_wanted =
            |case: &&Case| self.options.case.as_ref().is_none_or(|name| *name == case.name);
        for case in suite.tests.cases.iter().filter(is_wanted) {
            let outcome = self.case(&suite, case, &program);
            if self.interrupted.is_some() {
                break;
            }
            let (instructions, failure) = match outcome {
                Err(error) => (0, Some(FailureReport::error(error))),
                Ok(Finished { verdict: Verdict::Failed(failure), executed, .. }) => {
                    let debug = self.debug_command(file, case);
                    let position = suite.place(failure.offset);
                    (executed, Some(FailureReport::new(*failure, Some(position), debug)))
                }
                Ok(Finished { executed, .. }) => (executed, None),
            };
            let (name, passed) = (printable(&case.name), failure.is_none());
            report.cases.push(CaseReport { name, passed, instructions, failure });
        }
        Ok(())
    }

    fn case(&mut self, suite: &Suite, case: &Case, program: &Program) -> Result<Finished, String> {
        let machine = self.options.machine.or(suite.machine(case)?);
        let name = format!("{}: {}", printable(&program.name), printable(&case.name));
        let goes_on = &mut |instructions| {
            self.progress.say(&name, instructions);
            self.interrupted = self.signals.received();
            if self.interrupted.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        run_case(case, program, &machine, self.messages, goes_on)
    }

    /// The command that opens the moment at which a case fails.
    fn debug_command(&self, file: &Path, case: &Case) -> String {
        let program = self.options.program.as_deref().map(|word| format!(" {}", quoted(word)));
        format!(
            "gray1 debug{} --test {} --case {}{}",
            program.unwrap_or_default(),
            quoted(&file.to_string_lossy()),
            quoted(&case.name),
            self.options.machine.words(),
        )
    }
}

/// Runs a case with a program on a machine.
pub(super) fn run_case(
    case: &Case,
    program: &Program,
    machine: &MachineOptions,
    messages: &mut Messages,
    goes_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Finished, String> {
    let engine = machine.engine(&program.image, messages);
    let engine = engine.map_err(|failure| in_words(&failure))?;
    Ok(testing::run(case, engine, &program.image, goes_on))
}

/// Why a case failed, for people, with the command that opens that moment.
pub(super) fn described(failure: testing::Failure, debug: String) -> String {
    FailureReport::new(failure, None, debug).text()
}

/// What [`debugged`] opens.
pub(super) struct Debugged<'a> {
    pub(super) file: &'a Path,
    /// The name of the case; the first one if there is none.
    pub(super) case: Option<&'a str>,
    /// The program, if it is not the one that the file is about.
    pub(super) program: Option<&'a str>,
    pub(super) machine: &'a MachineOptions,
}

/// A session that stands where a case fails, or where it ends, and the word for its program.
pub(super) fn debugged(
    wanted: &Debugged,
    messages: &mut Messages,
) -> Result<(String, Session), Failure> {
    let suite = Suite::load(wanted.file, wanted.program).map_err(failure)?;
    let mut cases = suite.tests.cases.iter();
    let case = match wanted.case {
        None => cases.next(),
        Some(name) => cases.find(|case| case.name == name),
    };
    let case = case.ok_or_else(|| failure(no_case(wanted.case.unwrap_or_default())))?;
    let Program { name, image, .. } = super::load(&suite.program, messages)?;
    let machine = wanted.machine.or(suite.machine(case).map_err(failure)?);
    let setup = machine.setup(messages)?;
    let engine = super::machine::power_up(&setup, &image)?;
    let mut progress = Progress::new();
    let finished = testing::run(case, engine, &image, &mut |instructions| {
        progress.say(&printable(&case.name), instructions);
        ControlFlow::Continue(())
    });
    progress.clear();
    let board = machine.board_beside(&setup)?;
    let program = gray1_tui::Program::new(name, image);
    let session = Session::resumed(program, setup, finished.history, board);
    Ok((suite.program, session))
}

fn no_case(name: &str) -> String {
    format!("there is no case called \"{}\"", printable(name))
}
