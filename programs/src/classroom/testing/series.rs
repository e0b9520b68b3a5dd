//! Runs the cases of a test file on one program, a few milliseconds at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use gray1_debugger::power_up::SAMPLES;
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
    /// True if the machine holds anything at power-up.
    is_proof: bool,
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
            runs.truncate(if is_proof { 1 } else { runs.len() });
            runs.into_iter().map(move |case| PlannedRun { case, is_proof })
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
        let Some(&PlannedRun { ref case, is_proof }) = self.runs.front() else {
            return SeriesStep::Done;
        };
        let case = Arc::clone(case);
        let mut run = match self.run.take() {
            Some(run) => run,
            None if is_proof => {
                let engine = Box::new(Machine::with_any_contents(&self.image));
                CaseRun::new(&case, engine, &self.image)
            }
            None => match engine(&case) {
                Ok(engine) => CaseRun::new(&case, engine, &self.image),
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
            if is_proof {
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
        let note = (case.is_for_any(&self.chosen) && !is_proof)
            .then(|| format!("{} contents tried, not proved", SAMPLES.len()));
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

    /// Replaces an undecided proof by runs with several contents, which show a failure as well.
    fn try_contents(&mut self, case: &Arc<TestCase>, undecided: StepFailure) {
        self.end_case(case);
        if let StepFailure::Unknown(unwritten) = undecided {
            self.unwritten = unwritten;
        }
        for case in case.runs(&self.chosen).into_iter().rev() {
            self.runs.push_front(PlannedRun { case, is_proof: false });
        }
    }

    /// Skips the remaining runs of a case.
    fn end_case(&mut self, case: &TestCase) {
        self.first = None;
        self.unwritten.clear();
        self.runs.retain(|run| run.case.offset != case.offset);
    }
}
