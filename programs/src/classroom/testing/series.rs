//! Runs the cases of a test file on one program, a few milliseconds at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use gray1_debugger::power_up::{self, SAMPLES};
use gray1_isa::Image;
use gray1_sim::{Engine, Machine, MachineSpec};

use super::document::TestCase;
use super::failure::StepFailure;
use super::machine_names::with_machine_names;
use super::run::{CaseRun, FinishedCase};

/// Test cases in progress.
///
/// A case for any contents of memory runs once on a machine that holds anything. If this does not
/// decide it, the case runs with several contents.
pub struct CaseSeries {
    image: Arc<Image>,
    chosen: MachineSpec,
    /// The current run of a case, and the runs that follow it.
    runs: VecDeque<PlannedRun>,
    run: Option<CaseRun>,
    /// The first run of the current case, if it has passed and the case has more runs.
    first: Option<FinishedCase>,
    /// The bytes and registers that left a proof of the current case undecided.
    unwritten: Vec<String>,
}

/// A run of a case.
struct PlannedRun {
    case: Arc<TestCase>,
    /// The number of the run, if the machine holds anything at power-up except in bytes of `.seed`.
    proof: Option<usize>,
}

/// The progress of a [`CaseSeries`].
pub enum SeriesStep {
    /// A case is running. The number of instructions executed so far is the second field.
    Working(Arc<TestCase>, u64),
    /// A case has ended. The second field is its failed run, or its first run if all passed.
    Ended(Arc<TestCase>, Box<FinishedCase>),
    /// A case could not be run, for this reason.
    NotRun(Arc<TestCase>, String),
    /// All cases have ended.
    Done,
}

impl CaseSeries {
    /// Prepares to run cases on a program. The settings in `chosen` take precedence over those of
    /// the cases.
    pub fn new<'a>(
        cases: impl IntoIterator<Item = &'a Arc<TestCase>>,
        image: &Arc<Image>,
        chosen: &MachineSpec,
    ) -> Self {
        let runs = cases.into_iter().flat_map(|case| {
            // The proof is about instructions, and not about a board.
            let is_proof = case.is_for_any(chosen)
                && chosen.clone().or(case.machine.clone()) == MachineSpec::default();
            let mut runs = case.runs(chosen);
            runs.truncate(if is_proof { power_up::count_runs(image) } else { runs.len() });
            let numbered = runs.into_iter().enumerate();
            numbered
                .map(move |(number, case)| PlannedRun { case, proof: is_proof.then_some(number) })
        });
        Self {
            image: with_machine_names(image),
            chosen: chosen.clone(),
            runs: runs.collect(),
            run: None,
            first: None,
            unwritten: Vec::new(),
        }
    }

    /// Continues for at most a few milliseconds. `engine` powers up the machine for a case.
    pub fn advance(
        &mut self,
        engine: impl FnOnce(&TestCase) -> Result<Box<dyn Engine>, String>,
    ) -> SeriesStep {
        let Some(&PlannedRun { ref case, proof }) = self.runs.front() else {
            return SeriesStep::Done;
        };
        let case = Arc::clone(case);
        let mut run = match self.run.take() {
            Some(run) => run,
            None => match power_up_run(&self.image, &case, proof, engine) {
                Ok(run) => run,
                Err(why) => {
                    self.end_case(&case);
                    return SeriesStep::NotRun(case, why);
                }
            },
        };
        let moment = run.moment();
        let failure = match run.advance() {
            Ok(false) => {
                self.run = Some(run);
                return SeriesStep::Working(case, moment);
            }
            ended => ended.err(),
        };
        if let Some(mut failure) = failure {
            if proof.is_some() {
                self.try_contents(&case, failure.step);
                return SeriesStep::Working(case, moment);
            }
            failure.unwritten = std::mem::take(&mut self.unwritten);
            self.end_case(&case);
            let history = run.into_history();
            let finished = FinishedCase { failure: Some(failure), history, note: None };
            return SeriesStep::Ended(case, Box::new(finished));
        }
        self.runs.pop_front();
        let note = case.is_for_any(&self.chosen).then(|| self.note(proof.is_some())).flatten();
        let finished = FinishedCase { failure: None, history: run.into_history(), note };
        let first = self.first.take().unwrap_or(finished);
        if self.runs.front().is_some_and(|next| next.case.offset == case.offset) {
            let moment = first.history.moment();
            self.first = Some(first);
            return SeriesStep::Working(case, moment);
        }
        self.unwritten.clear();
        SeriesStep::Ended(case, Box::new(first))
    }

    /// Describes what is not proved about a case for any contents that has passed.
    fn note(&self, is_proof: bool) -> Option<String> {
        if !is_proof {
            return Some(format!("{} contents tried, not proved", SAMPLES.len()));
        }
        let has_seeds = self.image.seeds().next().is_some();
        has_seeds.then(|| format!("proved for {}", power_up::describe_contents(&self.image)))
    }

    /// Replaces an undecided proof by runs with several contents, which show a failure as well.
    fn try_contents(&mut self, case: &Arc<TestCase>, undecided: StepFailure) {
        self.end_case(case);
        if let StepFailure::Unknown(unwritten) = undecided {
            self.unwritten = unwritten;
        }
        for case in case.runs(&self.chosen).into_iter().rev() {
            self.runs.push_front(PlannedRun { case, proof: None });
        }
    }

    /// Skips the remaining runs of a case.
    fn end_case(&mut self, case: &TestCase) {
        self.first = None;
        self.unwritten.clear();
        self.runs.retain(|run| run.case.offset != case.offset);
    }
}

/// Powers up the machine of a run of a case.
fn power_up_run(
    image: &Arc<Image>,
    case: &Arc<TestCase>,
    proof: Option<usize>,
    engine: impl FnOnce(&TestCase) -> Result<Box<dyn Engine>, String>,
) -> Result<CaseRun, String> {
    let Some(number) = proof else { return Ok(CaseRun::new(case, engine(case)?, image)) };
    let run = CaseRun::new(case, Box::new(Machine::with_any_contents(image)), image);
    Ok(run.with_inputs(power_up::plant_seeds(image, number)))
}
