//! `gray1 test`: programs tested by the files beside them.

mod files;
mod junit;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;
use gray1_isa::text::printable;
use gray1_programs::MachineSpec;
use gray1_programs::testing::report::{self, CaseReport, FailureReport, TestReport};
use gray1_programs::testing::{
    CaseFailure, CaseRun, CaseSeries, MistakeReport, SeriesStep, TestCase,
};
use gray1_tui::Session;

use super::machine::{self, MachineOptions, quoted};
use super::messages::{Messages, in_full, in_words};
use super::progress::Progress;
use super::signals::Signals;
use super::watch::FrontOptions;
use super::{Done, Failure, Outcome, SourceOptions, failure, print};
use crate::files as program_files;
use crate::program::Program;
pub(super) use files::Suite;

#[derive(clap::Args)]
#[command(
    after_help = "A test file NAME.test.ron is beside the program NAME.asm. docs/TESTING.md \
    explains what is in it. --engine, --board, --ram and --seed override what it says.\n\n\
    Exit status: 0 all cases passed; 1 one failed, or could not be run."
)]
pub(super) struct TestOptions {
    /// Test files, programs that have one beside them, or folders to search for test files; with
    /// --tests the programs, or folders in which the program is called like the test file
    #[arg(default_value = ".", add = super::complete::tests())]
    paths: Vec<PathBuf>,
    /// Run this test file on each of the programs, and end with a table of them
    #[arg(long, value_name = "FILE", conflicts_with = "program", requires = "paths")]
    #[arg(add = super::complete::tests())]
    tests: Option<PathBuf>,
    /// Test this program instead of the one that the test file is about
    #[arg(long, value_name = "PROGRAM", add = super::complete::programs())]
    program: Option<OsString>,
    /// Run only the case of this name
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    /// Put mistakes into programs that pass, one at a time, and report those that no case notices
    #[arg(long)]
    mistakes: bool,
    /// The format of the report
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    #[command(flatten)]
    sources: SourceOptions,
    /// These options count more than what a test file says.
    #[command(flatten)]
    machine: MachineOptions,
}

/// The formats of the report.
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

pub(super) fn test(options: &TestOptions, messages: &mut Messages) -> Outcome {
    if options.mistakes && options.format == ReportFormat::Junit {
        return Err(Failure::Usage("--mistakes needs --format text or json".to_owned()));
    }
    let jobs = jobs(options).map_err(failure)?;
    let mut tester = Tester {
        options,
        messages,
        signals: Signals::listen()?,
        progress: Progress::new(),
        interrupted: None,
    };
    let mut reports = Vec::new();
    for job in jobs {
        let report = tester.report(job);
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
        ReportFormat::Text => report::table(&reports) + &report::summary(&reports),
        ReportFormat::Json => report::json(&reports),
        ReportFormat::Junit => junit::xml(&reports),
    })?;
    let has_passed = reports.iter().all(TestReport::has_passed);
    Ok(if has_passed { Done::Well } else { Done::Refuted })
}

/// A test file to run.
struct TestJob {
    file: PathBuf,
    /// The program to test instead of the one that the file names, or why there is none.
    program: Option<Result<OsString, String>>,
    /// The student.
    student: Option<String>,
}

fn jobs(options: &TestOptions) -> Result<Vec<TestJob>, String> {
    if let Some(tests) = &options.tests {
        let job = |path: &PathBuf| TestJob {
            file: tests.clone(),
            program: Some(files::handed_in(tests, path)),
            student: Some(files::student(path)),
        };
        return Ok(options.paths.iter().map(job).collect());
    }
    let hinted = |why: String| match options.program {
        Some(_) => why + "; --tests FILE runs one test file on several programs",
        None => why,
    };
    let files = files::find(&options.paths).map_err(hinted)?;
    if options.program.is_some() && files.len() > 1 {
        return Err(hinted("--program needs exactly one test file".to_owned()));
    }
    let program = options.program.clone().map(Ok);
    let job = |file| TestJob { file, program: program.clone(), student: None };
    Ok(files.into_iter().map(job).collect())
}

/// Runs test files.
struct Tester<'a> {
    options: &'a TestOptions,
    messages: &'a mut Messages,
    signals: Signals,
    progress: Progress,
    /// The signal that asked to stop.
    interrupted: Option<u8>,
}

impl Tester<'_> {
    fn report(&mut self, job: TestJob) -> TestReport {
        let mut report = TestReport {
            file: program_files::printable(&job.file),
            student: job.student.clone(),
            program: String::new(),
            error: None,
            cases: Vec::new(),
            mistakes: None,
        };
        report.error = self.cases(job, &mut report).err();
        report
    }

    /// Runs the selected cases of a file. If the program cannot be run, all of them fail.
    fn cases(&mut self, job: TestJob, report: &mut TestReport) -> Result<(), String> {
        let suite = Suite::load(&job.file)?;
        let is_wanted = |case: &&Arc<TestCase>| {
            self.options.case.as_ref().is_none_or(|name| *name == case.name)
        };
        let wanted: Vec<&Arc<TestCase>> = suite.tests.cases.iter().filter(is_wanted).collect();
        let replaces = job.program.is_some();
        let loaded = job.program.unwrap_or_else(|| suite.program()).and_then(|word| {
            report.program = program_files::printable(&word);
            let program = self.options.sources.load(&word).map_err(|failure| in_full(&failure))?;
            Ok((word, program))
        });
        let (word, program) = match loaded {
            Ok(loaded) => loaded,
            Err(_) if wanted.is_empty() => return Ok(()),
            Err(why) => {
                report.cases = wanted.iter().map(|case| CaseReport::not_run(&case.name)).collect();
                return Err(why);
            }
        };
        let chosen = self.options.machine.spec();
        let mut series = CaseSeries::new(wanted.iter().copied(), &program.image, &chosen);
        let mut start = Instant::now();
        loop {
            let step = series.advance(|case| {
                let machine = chosen.clone().or(suite.machine(case));
                let engine = machine::engine(&machine, &program.image, self.messages);
                engine.map_err(|failure| in_words(&failure))
            });
            let (case, instructions, failure) = match step {
                SeriesStep::Done => break,
                SeriesStep::Working(case, instructions) => {
                    let name = format!("{}: {}", printable(&program.name), printable(&case.name));
                    self.progress.say(&name, instructions);
                    self.interrupted = self.signals.received();
                    if self.interrupted.is_some() {
                        return Ok(());
                    }
                    continue;
                }
                SeriesStep::NotRun(case, error) => (case, 0, Some(FailureReport::error(error))),
                SeriesStep::Ended(case, finished) => {
                    let report = finished.failure.map(|failure| {
                        let shown = word.to_string_lossy();
                        let program = replaces.then_some(&*shown);
                        let debug = self.debug_command(program, &job.file, &case, &failure);
                        let position = suite.place(failure.offset);
                        FailureReport::new(*failure, Some(position), Some(debug))
                    });
                    (case, finished.history.moment(), report)
                }
            };
            let (name, passed, seconds) =
                (case.name.clone(), failure.is_none(), start.elapsed().as_secs_f64());
            report.cases.push(CaseReport { name, passed, instructions, seconds, failure });
            start = Instant::now();
        }
        if self.options.mistakes && report.has_passed() {
            report.mistakes = self.find_mistakes(&suite, wanted, &program)?;
        }
        Ok(())
    }

    fn find_mistakes(
        &mut self,
        suite: &Suite,
        cases: Vec<&Arc<TestCase>>,
        program: &Program,
    ) -> Result<Option<MistakeReport>, String> {
        let name = format!("{}: mistakes", printable(&program.name));
        let goes_on = &mut |instructions| {
            self.progress.say(&name, instructions);
            self.interrupted = self.signals.received();
            self.interrupted.is_none()
        };
        let chosen = self.options.machine.spec();
        let mut report = suite.find_mistakes(cases, &chosen, program, self.messages, goes_on)?;
        // Another program need not have the lines that the test file accepts.
        let is_other = self.options.program.is_some() || self.options.tests.is_some();
        if let Some(report) = report.as_mut().filter(|_| is_other) {
            report.accepted_in_vain.clear();
        }
        Ok(report)
    }

    /// The command that opens the moment at which a case fails.
    fn debug_command(
        &self,
        program: Option<&str>,
        file: &Path,
        case: &TestCase,
        failure: &CaseFailure,
    ) -> String {
        let program = program.map(|word| format!(" {}", quoted(word)));
        let ram = MachineSpec { ram: failure.ram, ..MachineSpec::default() };
        format!(
            "gray1 debug{} --test {} --case {}{}{}",
            program.unwrap_or_default(),
            quoted(&file.to_string_lossy()),
            quoted(&case.name),
            self.options.sources.words(),
            machine::words(&self.options.machine.spec().or(ram)),
        )
    }
}

/// A session at the point where a case fails or ends, and the word for its program. Without a name
/// of a case it is the first one; without a program, the one that the file names.
pub(super) fn debugged(
    file: &Path,
    case: Option<&str>,
    program: Option<&OsStr>,
    front: &FrontOptions,
    messages: &mut Messages,
) -> Result<(OsString, Session), Failure> {
    let suite = Suite::load(file).map_err(failure)?;
    let word = program.map_or_else(|| suite.program(), |word| Ok(word.into()));
    let word = word.map_err(failure)?;
    let mut cases = suite.tests.cases.iter();
    let found = match case {
        None => cases.next(),
        Some(name) => cases.find(|case| case.name == name),
    };
    let case = found.ok_or_else(|| failure(no_case(case.unwrap_or_default())))?;
    let Program { name, image, .. } = super::load(&word, &front.sources, messages)?;
    let chosen = front.machine.spec();
    let mut progress = Progress::new();
    let mut shown = None;
    for case in case.runs(&chosen) {
        let machine = machine::resolve(&chosen.clone().or(suite.machine(&case)), messages)?;
        let mut run = CaseRun::new(&case, machine::power_up(&machine.setup, &image)?, &image);
        let has_failed = loop {
            match run.advance() {
                Ok(false) => progress.say(&printable(&case.name), run.moment()),
                ended => break ended.is_err(),
            }
        };
        // Of runs that all pass, the first.
        if has_failed || shown.is_none() {
            shown = Some((machine, run.into_history()));
        }
        if has_failed {
            break;
        }
    }
    progress.clear();
    let (machine, history) = shown.expect("a case has a run");
    let board = Box::new(machine.board_loader());
    let program = gray1_tui::Program::new(name, image);
    Ok((word, Session::resumed(program, machine.setup, history, board)))
}

fn no_case(name: &str) -> String {
    format!("there is no case called \"{}\"", printable(name))
}
