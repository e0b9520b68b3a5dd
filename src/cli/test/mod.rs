//! `gray1 test`: runs the test files of programs.

mod files;
mod junit;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;
use gray1_isa::text::{grouped, printable};
use gray1_programs::testing::report::{self, CaseReport, FailureReport, TestReport};
use gray1_programs::testing::{
    CaseFailure, CaseRun, CaseSeries, MistakeReport, SeriesStep, TestCase, with_machine_names,
};
use gray1_session::Session;
use gray1_sim::{MachineSpec, RamSpec};

use super::shared::complete;
use super::shared::inputs::InputOptions;
use super::shared::machine::{self, MachineOptions, quote};
use super::shared::messages::{Messages, explain, explain_load, text_style};
use super::shared::outcome::{Done, Failure, Outcome, failure, print_report};
use super::shared::progress::ProgressLine;
use super::shared::signals::Signals;
use super::shared::source_options::{SourceOptions, load};
use super::watch::FrontOptions;
use crate::files as program_files;
use crate::program::LoadedProgram;
pub(super) use files::{Suite, cases};

/// Test programs with the test files next to them
#[derive(clap::Args)]
#[command(after_help = "The test file of NAME.asm is NAME.test.ron, next to it. docs/TEACHING.md \
    describes test files. The options --engine, --board, --ram and --seed override the settings in \
    a test file.\n\n\
    Exit status: 0 all cases passed; 1 a case failed, or could not be run; 2 wrong usage, or a \
    mistake in the file of --test.")]
pub(super) struct TestOptions {
    /// Test files, programs with a test file next to them, or folders to search for test files;
    /// with --test, programs, or folders with a program of the same name as the test file
    #[arg(default_value = ".", add = complete::tests())]
    paths: Vec<PathBuf>,
    /// Run this test file on each program, and print a table of the results at the end
    #[arg(long = "test", value_name = "FILE")]
    #[arg(conflicts_with = "program", requires = "paths")]
    #[arg(add = complete::tests())]
    tests: Option<PathBuf>,
    /// Test this program instead of the one that the test file names
    #[arg(long, value_name = "PROGRAM", add = complete::programs())]
    program: Option<OsString>,
    /// Run only the case with this name
    #[arg(long, value_name = "NAME", add = files::cases())]
    case: Option<String>,
    /// Print one line for each program, without the failures
    #[arg(short, long)]
    quiet: bool,
    /// Put mistakes into programs that pass, one at a time, and report those that no case detects
    #[arg(long)]
    mistakes: bool,
    /// The format of the report
    #[arg(short, long, value_enum, default_value_t)]
    format: ReportFormat,
    #[command(flatten)]
    sources: SourceOptions,
    /// These options override those in a test file.
    #[command(flatten)]
    machine: MachineOptions,
}

/// The formats of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ReportFormat {
    /// A line for each program, and the failures
    #[default]
    Text,
    /// One JSON document
    Json,
    /// `JUnit` XML
    Junit,
    /// A line for each program, with its points; with --mistakes, a line for each mistake
    Csv,
}

impl ReportFormat {
    /// The reports as a document. Empty for the plain format, which is printed as tests finish.
    fn document(self, reports: &[TestReport]) -> String {
        match self {
            Self::Text => String::new(),
            Self::Json => report::format_json(reports),
            Self::Junit => junit::to_xml(reports),
            Self::Csv => report::format_csv(reports),
        }
    }
}

/// The reason why cases have no result after a signal.
const INTERRUPTED: &str = "not run: the tests were interrupted";
/// The maximum number of lines of a program's errors in a report.
const ERROR_LINES_MAX: usize = 60;
/// The maximum number of characters of each line.
const ERROR_LINE_MAX: usize = 400;

pub(super) fn test(options: &TestOptions, messages: &mut Messages) -> Outcome {
    if options.mistakes && options.format == ReportFormat::Junit {
        return Err(Failure::Usage("--mistakes needs --format text, json or csv".to_owned()));
    }
    machine::refuse_any(&options.machine.spec())?;
    // A mistake in the teacher's file is no failure of each student.
    if let Some(tests) = &options.tests {
        let suite = Suite::load(tests).map_err(Failure::Usage)?;
        for case in &suite.tests.cases {
            let machine = options.machine.spec().or(suite.machine(case));
            let machine = machine::resolve(&machine, messages);
            machine.map_err(|why| Failure::Usage(explain(&why)))?;
        }
    }
    let jobs = jobs(options).map_err(failure)?;
    let mut tester = Tester {
        options,
        messages,
        signals: Signals::listen()?,
        progress: ProgressLine::new(),
        submissions: jobs.iter().filter_map(TestJob::submission).collect(),
        interrupted: None,
    };
    let mut reports = Vec::new();
    let is_text = options.format == ReportFormat::Text;
    let has_table = options.tests.is_some();
    let style = text_style(&io::stdout());
    for job in jobs {
        let report = tester.report(&job);
        tester.progress.clear();
        // Files without the selected case are not reported.
        if report.cases.is_empty() && report.error.is_none() {
            continue;
        }
        if is_text && !options.quiet && tester.interrupted.is_none() {
            print_report(&report.text(style))?;
        } else if is_text && !has_table {
            print_report(&report.line(style))?;
        }
        reports.push(report);
    }
    if let (Some(name), true) = (&options.case, reports.is_empty()) {
        return Err(failure(no_case(name)));
    }
    if is_text {
        let table = report::format_table(&reports, style);
        // An empty line separates the table from the reports.
        let gap = if table.is_empty() || options.quiet { "" } else { "\n" };
        print_report(&format!("{gap}{table}{}", report::format_summary(&reports)))?;
    }
    print_report(&match options.format {
        ReportFormat::Csv if options.mistakes => report::format_mistakes_csv(&reports),
        format => format.document(&reports),
    })?;
    let has_passed = reports.iter().all(TestReport::has_passed);
    Ok(match tester.interrupted {
        Some(number) => Done::Signal(number),
        None if has_passed => Done::Success,
        None => Done::Refuted,
    })
}

/// A test file to run.
struct TestJob {
    file: PathBuf,
    /// The program to test instead of the one that the file names, or the reason why there is none.
    program: Option<Result<OsString, String>>,
    /// The student whose program it is.
    student: Option<String>,
}

impl TestJob {
    fn submission(&self) -> Option<PathBuf> {
        self.student.as_ref()?;
        self.program.as_ref()?.as_ref().ok().map(PathBuf::from)
    }
}

fn jobs(options: &TestOptions) -> Result<Vec<TestJob>, String> {
    if let Some(tests) = &options.tests {
        let jobs = options.paths.iter().map(|path| TestJob {
            file: tests.clone(),
            program: Some(files::find_submission(tests, path)),
            student: Some(files::student_name(path)),
        });
        return Ok(jobs.collect());
    }
    let hinted = |why: String| match options.program {
        Some(_) => why + "; --test FILE runs one test file on several programs",
        None => why,
    };
    let files = files::find(&options.paths).map_err(hinted)?;
    if options.program.is_some() && files.len() > 1 {
        return Err(hinted("--program needs exactly one test file".to_owned()));
    }
    let program = options.program.clone().map(Ok);
    let files = files.into_iter();
    Ok(files.map(|file| TestJob { file, program: program.clone(), student: None }).collect())
}

/// Runs test files.
struct Tester<'a> {
    options: &'a TestOptions,
    messages: &'a mut Messages,
    signals: Signals,
    progress: ProgressLine,
    /// The students' programs to test.
    submissions: Vec<PathBuf>,
    /// The signal that asked to stop.
    interrupted: Option<u8>,
}

impl Tester<'_> {
    fn report(&mut self, job: &TestJob) -> TestReport {
        let mut report = TestReport {
            file: program_files::printable(&job.file),
            student: job.student.clone(),
            program: String::new(),
            error: None,
            cases: Vec::new(),
            mistakes: None,
        };
        report.error = if self.interrupted.is_some() {
            Some(INTERRUPTED.to_owned())
        } else {
            self.cases(job, &mut report).err().map(|why| shorten(&why))
        };
        report
    }

    /// Runs the selected cases of a file. If the program cannot be run, all of them fail.
    fn cases(&mut self, job: &TestJob, report: &mut TestReport) -> Result<(), String> {
        let suite = Suite::load(&job.file)?;
        let mut wanted: Vec<&Arc<TestCase>> = suite.tests.cases.iter().collect();
        wanted.retain(|case| self.options.case.as_ref().is_none_or(|name| *name == case.name));
        let replaces = job.program.is_some();
        let (name, program) = match self.program(&suite, job, report) {
            Ok(loaded) => loaded,
            Err(_) if wanted.is_empty() => return Ok(()),
            Err(why) => {
                let reason = "the program cannot be run";
                report.cases = wanted.iter().map(|it| CaseReport::not_run(it, reason)).collect();
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
                engine.map_err(|failure| explain(&failure))
            });
            let (case, instructions, failure, note) = match step {
                SeriesStep::Done => break,
                SeriesStep::Working(case, instructions) => {
                    let name = format!("{}: {}", printable(&program.name), printable(&case.name));
                    self.progress.update(&name, instructions);
                    self.interrupted = self.signals.received();
                    if self.interrupted.is_some() {
                        let left = wanted.iter().skip(report.cases.len());
                        let not_run = left.map(|case| CaseReport::not_run(case, INTERRUPTED));
                        report.cases.extend(not_run);
                        return Ok(());
                    }
                    continue;
                }
                SeriesStep::NotRun(case, error) => {
                    (case, 0, Some(FailureReport::error(error)), None)
                }
                SeriesStep::Ended(case, finished) => {
                    let report = finished.failure.map(|failure| {
                        let shown = name.to_string_lossy();
                        let program = replaces.then_some(&*shown);
                        let debug = self.debug_command(program, &job.file, &case, &failure);
                        let position = suite.place(failure.offset);
                        FailureReport::new(*failure, Some(position), Some(debug))
                    });
                    (case, finished.history.moment(), report, finished.note)
                }
            };
            let seconds = start.elapsed().as_secs_f64();
            report.cases.push(CaseReport::new(&case, instructions, seconds, failure, note));
            start = Instant::now();
        }
        if self.options.mistakes && report.has_passed() {
            let mistakes = self.find_mistakes(&suite, wanted, &program)?;
            let mistakes = mistakes.ok_or("the search for mistakes was interrupted")?;
            report.mistakes = Some(mistakes);
        }
        Ok(())
    }

    /// The program that a job tests.
    fn program(
        &self,
        suite: &Suite,
        job: &TestJob,
        report: &mut TestReport,
    ) -> Result<(OsString, LoadedProgram), String> {
        let name = job.program.clone().unwrap_or_else(|| suite.program())?;
        report.program = program_files::printable(&name);
        let sources = &self.options.sources;
        let program = match job.student {
            Some(_) => sources.load_submission(&name, &self.submissions),
            None => sources.load(&name),
        };
        let rendering = self.messages.in_report();
        Ok((name, program.map_err(|failure| explain_load(&failure, rendering))?))
    }

    fn find_mistakes(
        &mut self,
        suite: &Suite,
        cases: Vec<&Arc<TestCase>>,
        program: &LoadedProgram,
    ) -> Result<Option<MistakeReport>, String> {
        let (name, all) = (printable(&program.name), grouped(program.image.used_words() as u64));
        let proceed = &mut |done| {
            self.progress.show(|| format!("{name:.50}: mistakes in {done} of {all} instructions"));
            self.interrupted = self.signals.received();
            self.interrupted.is_none()
        };
        let chosen = self.options.machine.spec();
        let has_matrix = self.options.format != ReportFormat::Text;
        let report =
            suite.find_mistakes(cases, &chosen, program, self.messages, has_matrix, proceed);
        let mut report = report?;
        // The test file accepts mistakes in lines of its own program, and another program need not
        // have these lines.
        let is_other = self.options.program.is_some() || self.options.tests.is_some();
        if let Some(report) = report.as_mut().filter(|_| is_other) {
            report.unneeded_accepted.clear();
        }
        Ok(report)
    }

    /// The command that opens the debugger at a failure.
    fn debug_command(
        &self,
        program: Option<&str>,
        file: &Path,
        case: &TestCase,
        failure: &CaseFailure,
    ) -> String {
        let program = program.map(|name| format!(" {}", quote(name)));
        format!(
            "gray1 debug{} --test {} --case {}{}{}",
            program.unwrap_or_default(),
            quote(&file.to_string_lossy()),
            quote(&case.name),
            self.options.sources.to_args(),
            power_up_args(failure, self.options.machine.spec()),
        )
    }
}

/// Formats the command-line options for the machine of a failed case, each with a space before it.
pub(super) fn power_up_args(failure: &CaseFailure, chosen: MachineSpec) -> String {
    let ram = MachineSpec::with_ram(failure.ram.map(RamSpec::Contents));
    let set = failure.change.iter().map(|change| format!("0: {change}")).collect();
    machine::to_args(&chosen.or(ram)) + &InputOptions { set, buttons: None }.to_args()
}

/// Opens a session at the point where a case fails or ends. Also returns the name of its program.
/// The default case is the first one, and the default program is the one that the file names.
pub(super) fn session_at_end_of_case(
    file: &Path,
    case: Option<&str>,
    program: Option<&OsStr>,
    front: &FrontOptions,
    inputs: &InputOptions,
    messages: &mut Messages,
) -> Result<(OsString, Session), Failure> {
    let suite = Suite::load(file).map_err(failure)?;
    let tested = program.map_or_else(|| suite.program(), |name| Ok(name.into()));
    let tested = tested.map_err(failure)?;
    let mut cases = suite.tests.cases.iter();
    let found = match case {
        None => cases.next(),
        Some(name) => cases.find(|case| case.name == name),
    };
    let case = found.ok_or_else(|| failure(no_case(case.unwrap_or_default())))?;
    let LoadedProgram { name, image, .. } = load(&tested, &front.sources, messages)?;
    let image = with_machine_names(&image);
    let chosen = front.machine.spec();
    let mut progress = ProgressLine::new();
    let mut shown = None;
    for case in case.runs(&chosen) {
        let machine = machine::resolve(&chosen.clone().or(suite.machine(&case)), messages)?;
        let engine = machine::power_up(&machine.setup, &image)?;
        let inputs = inputs.read(&image, &*engine, u64::MAX, &Signals::default())?;
        let mut run = CaseRun::new(&case, engine, &image, inputs);
        let failure = loop {
            match run.advance() {
                Ok(false) => progress.update(&printable(&case.name), run.moment()),
                ended => break ended.err(),
            }
        };
        let has_failed = failure.is_some();
        // If all runs pass, shows the first.
        if has_failed || shown.is_none() {
            let remark = match failure {
                Some(failure) => describe_in_line(&suite.place(failure.offset), &failure),
                None => format!("the case \"{}\" passes", printable(&case.name)),
            };
            shown = Some((machine, run.into_history(), remark));
        }
        if has_failed {
            break;
        }
    }
    progress.clear();
    let (machine, history, remark) = shown.expect("a case has a run");
    let board = Box::new(machine.board_loader());
    let program = gray1_session::Program::new(name, image);
    let session = Session::resume(program, machine.setup, history, board);
    Ok((tested, session.with_remark(remark)))
}

/// Describes a failure in one line: `sum.test.ron:4:17: the output differs: expected 5, actual 0`.
fn describe_in_line(place: &str, failure: &CaseFailure) -> String {
    let comparison = failure.step.comparison().filter(|_| failure.step.leds().is_none());
    let values = comparison.map(|it| {
        let [expected, actual] = [&it.expected, &it.actual].map(|text| printable(text));
        format!(": expected {expected}, actual {actual}")
    });
    format!("{place}: {}{}", failure.summary(), values.unwrap_or_default())
}

/// Shortens a list of errors. A student's program can have any number of errors.
fn shorten(text: &str) -> String {
    let lines = text.lines().take(ERROR_LINES_MAX);
    let short: String =
        lines.flat_map(|line| line.chars().take(ERROR_LINE_MAX).chain(['\n'])).collect();
    let left = text.lines().count().saturating_sub(ERROR_LINES_MAX);
    if left > 0 { format!("{short}... {left} more lines\n") } else { short }
}

fn no_case(name: &str) -> String {
    format!("there is no case called \"{}\"", printable(name))
}
