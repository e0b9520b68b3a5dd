//! Jobs that run in slices between frames: tests of programs, checks of lessons, and proofs.

use std::sync::Arc;

use gray1_debugger::Input;
use gray1_debugger::power_up::{self, Dependence, PowerUpPlace, PowerUpProof, PowerUpVerdict};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::text::{grouped, printable};
use gray1_isa::{Image, PowerUp};
use gray1_programs::TextStyle;
use gray1_programs::lessons::{CheckResult, LessonCheck, Solved};
use gray1_programs::testing::report::{self, CaseReport, FailureReport, TestReport};
use gray1_programs::testing::{CaseFailure, CaseSeries, FinishedCase, SeriesStep, TestCase};

use crate::answer::JobOutcome;
use crate::machine::Machine;
use crate::test_machines::TestMachines;

/// The maximum number of instructions of a proof.
const PROVED_MAX: u64 = 10_000_000;
/// The number of slices for the end of a proof, which is not interrupted, so that a frame can take
/// this many slices.
const PATIENCE: u32 = 100;

/// The maximum number of places that an explanation names.
const PLACES_MAX: usize = 3;

/// The tests of a program, in progress.
pub(crate) struct TestJob {
    machines: TestMachines,
    series: CaseSeries,
    report: TestReport,
    /// The machine at the first failure.
    failed: Option<Box<Machine>>,
    /// A description of the current step.
    pub(crate) news: String,
}

impl TestJob {
    /// Prepares to run the cases of a test file on a program.
    pub(crate) fn new(file: &str, program: &str, machines: TestMachines) -> Self {
        let report = TestReport {
            file: printable(file),
            student: None,
            program: printable(program),
            error: None,
            cases: Vec::new(),
            mistakes: None,
        };
        let series =
            CaseSeries::new(&machines.tests.cases, &machines.program.image, &machines.chosen);
        Self { machines, series, report, failed: None, news: String::new() }
    }

    /// Continues for at most a few milliseconds. At the end, returns the result and the machine at
    /// the first failure.
    pub(crate) fn advance(&mut self) -> Option<(JobOutcome, Option<Box<Machine>>)> {
        match self.series.advance(|case| self.machines.power_up(case)) {
            SeriesStep::Working(_, instructions) => {
                self.news = format!("{} instructions", grouped(instructions));
            }
            SeriesStep::NotRun(case, why) => {
                self.add(&case, 0, Some(FailureReport::error(why)), None);
            }
            SeriesStep::Ended(case, finished) => self.end(&case, *finished),
            SeriesStep::Done => {
                let reports = std::slice::from_ref(&self.report);
                let text = self.report.text(TextStyle::Plain) + &report::format_summary(reports);
                let (passed, leads) = (self.report.has_passed(), self.failed.is_some());
                let outcome = JobOutcome { text, passed, leads, ..JobOutcome::default() };
                return Some((outcome, self.failed.take()));
            }
        }
        None
    }

    fn end(&mut self, case: &TestCase, FinishedCase { failure, history, note }: FinishedCase) {
        let executed = history.moment();
        let Some(failure) = failure else { return self.add(case, executed, None, note) };
        if self.failed.is_none() {
            self.failed = self.machines.take_stopped(history);
        }
        let position = self.machines.position(failure.offset);
        self.add(case, executed, Some(FailureReport::new(*failure, Some(position), None)), None);
    }

    fn add(
        &mut self,
        case: &TestCase,
        instructions: u64,
        failure: Option<FailureReport>,
        note: Option<String>,
    ) {
        let report = CaseReport::new(case, instructions, 0.0, failure, note);
        self.report.cases.push(CaseReport { name: printable(&case.name), ..report });
    }
}

/// A proof about a program for every power-up, in progress.
pub(crate) struct ProofJob {
    image: Arc<Image>,
    /// The contents at power-up in the page's machine.
    power_up: PowerUp,
    pub(crate) proof: PowerUpProof,
}

impl ProofJob {
    /// Prepares to prove what a program with these inputs does. `power_up` has the contents in the
    /// page's machine.
    pub(crate) fn new(image: &Arc<Image>, inputs: Vec<(u64, Input)>, power_up: PowerUp) -> Self {
        let proof = PowerUpProof::new(Arc::clone(image), inputs, PROVED_MAX);
        Self { image: Arc::clone(image), power_up, proof }
    }

    /// Continues for at most a few milliseconds, except at the end. Returns the verdict once there
    /// is one.
    pub(crate) fn advance(&mut self) -> Option<JobOutcome> {
        let (mut left, moment) = (PATIENCE, self.proof.run.moment());
        let verdict = self.proof.advance(&mut |_| {
            left -= 1;
            left > 0
        });
        let verdict = verdict.or_else(|| (left == 0).then_some(PowerUpVerdict::Limit(moment)))?;
        let mut contents = power_up::describe_contents(&self.image);
        if self.image.seeds().next().is_none() {
            // A, C and data memory. The panel always writes the byte of the buttons.
            let bits = 8 + 1 + 8 * (RAM_BYTES as u64 - 1);
            contents = format!("all 2^{} power-ups, that is {contents}", grouped(bits));
        }
        let verdict_text = printable(&verdict.describe_for(&contents, &self.image));
        let passed = verdict.is_proved();
        let (text, details) = match &verdict {
            PowerUpVerdict::Depends(dependence) => {
                (printable(&self.explain(dependence)), Some(verdict_text))
            }
            _ => (verdict_text, None),
        };
        Some(JobOutcome { text, details, passed, ..JobOutcome::default() })
    }

    /// Describes what was found so far, for a user who stops the proof.
    pub(crate) fn describe_stopped(&self) -> String {
        PowerUpVerdict::Limit(self.proof.run.moment()).describe(&self.image)
    }

    /// Explains in plain words that a program depends on the contents at power-up.
    fn explain(&self, dependence: &Dependence) -> String {
        let Dependence { place, mask, index, ref bits, change, .. } = *dependence;
        let (image, instruction) = (&self.image, self.image.instruction(index));
        let at = image.place_and_line(index);
        let subject = match place {
            PowerUpPlace::Carry => format!("Whether `{instruction}` at {at} jumps"),
            PowerUpPlace::A => format!("The byte that `{instruction}` at {at} prints"),
            PowerUpPlace::Byte(address) => {
                let row = image.names().byte(address);
                format!("The LED in column {} of {row}", mask.trailing_zeros())
            }
        };
        let origins = bits.keys().take(PLACES_MAX).map(|place| place.name(image));
        let mut origins: Vec<String> = origins.collect();
        if bits.len() > PLACES_MAX {
            origins.push(format!("{} more", bits.len() - PLACES_MAX));
        }
        let (origins, them) = (origins.join(", "), if bits.len() == 1 { "it" } else { "them" });
        let (verdict, verb) = match change {
            Some(_) => ("This program does not do the same at every power-up", "depends"),
            None => {
                ("It is not proved that this program does the same at every power-up", "may depend")
            }
        };
        let here = match self.power_up {
            PowerUp::Zero => {
                " In this simulator, everything starts as 0. In a real machine, it can be anything."
            }
            PowerUp::Ones | PowerUp::Random(_) => "",
        };
        format!(
            "{verdict}. {subject} {verb} on what {origins} held at power-up, because the program \
             does not set {them} first.{here}"
        )
    }
}

/// The check of a program for a lesson, in progress. The lesson's solution is checked after it.
pub(crate) struct CheckJob {
    /// The name of the lesson.
    pub(crate) lesson: String,
    check: LessonCheck,
    machines: TestMachines,
    /// The solution, if it has not been checked yet.
    solution: Option<TestMachines>,
    /// The score of the student's program, once it has solved the lesson.
    yours: Option<Solved>,
}

/// The result of a check.
pub(crate) enum CheckOutcome {
    /// The program solves the lesson. These are its score and the score of the solution.
    Solved(Solved, Option<Solved>),
    /// A case failed. These are its name, the reason, and the machine at that moment.
    Failed(String, Box<CaseFailure>, Option<Box<Machine>>),
}

impl CheckJob {
    /// Prepares to check a program. Its score will be compared with that of `solution`.
    pub(crate) fn new(
        lesson: String,
        machines: TestMachines,
        solution: Option<TestMachines>,
    ) -> Self {
        let check = LessonCheck::new(&machines.tests, &machines.program.image, &machines.chosen);
        Self { lesson, check, machines, solution, yours: None }
    }

    /// Continues for at most a few milliseconds. Returns the result once there is one.
    ///
    /// # Errors
    /// Returns a message if the machine of a case cannot be set up.
    pub(crate) fn advance(&mut self) -> Result<Option<CheckOutcome>, String> {
        let Some(checked) = self.check.advance(|case| self.machines.power_up(case))? else {
            return Ok(None);
        };
        Ok(Some(match (checked, self.yours.take()) {
            (CheckResult::Solved(yours), None) => match self.solution.take() {
                None => CheckOutcome::Solved(yours, None),
                Some(solution) => {
                    self.check = LessonCheck::new(
                        &solution.tests,
                        &solution.program.image,
                        &solution.chosen,
                    );
                    (self.machines, self.yours) = (solution, Some(yours));
                    return Ok(None);
                }
            },
            (CheckResult::Solved(ours), Some(yours)) => CheckOutcome::Solved(yours, Some(ours)),
            // The solution does not solve its own lesson, so do not compare with it.
            (_, Some(yours)) => CheckOutcome::Solved(yours, None),
            (CheckResult::Failed { case, failure, history }, None) => {
                CheckOutcome::Failed(case, failure, self.machines.take_stopped(*history))
            }
        }))
    }
}
