//! Runs the cases of a test file on one program, a few milliseconds at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use gray1_isa::Image;
use gray1_sim::{Engine, MachineSpec};

use super::document::TestCase;
use super::run::{CaseRun, FinishedCase};

/// Test cases in progress.
pub struct CaseSeries {
    image: Arc<Image>,
    /// The current run of a case, and the runs that follow it.
    runs: VecDeque<Arc<TestCase>>,
    run: Option<CaseRun>,
    /// The first run of the current case, if it has passed and the case has more runs.
    first: Option<FinishedCase>,
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
        let runs = cases.into_iter().flat_map(|case| case.runs(chosen)).collect();
        Self { image: Arc::clone(image), runs, run: None, first: None }
    }

    /// Continues for at most a few milliseconds. `engine` powers up the machine for a case.
    pub fn advance(
        &mut self,
        engine: impl FnOnce(&TestCase) -> Result<Box<dyn Engine>, String>,
    ) -> SeriesStep {
        let Some(case) = self.runs.front() else { return SeriesStep::Done };
        let case = Arc::clone(case);
        let mut run = match self.run.take() {
            Some(run) => run,
            None => match engine(&case) {
                Ok(engine) => CaseRun::new(&case, engine, &self.image),
                Err(why) => {
                    self.end_case(&case);
                    return SeriesStep::NotRun(case, why);
                }
            },
        };
        let ended = run.advance();
        if ended == Ok(false) {
            let moment = run.moment();
            self.run = Some(run);
            return SeriesStep::Working(case, moment);
        }
        let finished = FinishedCase { failure: ended.err(), history: run.into_history() };
        if finished.failure.is_some() {
            self.end_case(&case);
            return SeriesStep::Ended(case, Box::new(finished));
        }
        self.runs.pop_front();
        let first = self.first.take().unwrap_or(finished);
        if self.runs.front().is_some_and(|next| next.offset == case.offset) {
            let moment = first.history.moment();
            self.first = Some(first);
            return SeriesStep::Working(case, moment);
        }
        SeriesStep::Ended(case, Box::new(first))
    }

    /// Skips the remaining runs of a case.
    fn end_case(&mut self, case: &TestCase) {
        self.first = None;
        self.runs.retain(|run| run.offset != case.offset);
    }
}
