//! Runs the cases of a test file on one program, in steps of a few milliseconds.

use std::collections::VecDeque;
use std::sync::Arc;

use gray1_isa::Image;
use gray1_sim::Engine;

use super::document::{TestCase, TestFile};
use super::run::{CaseRun, FinishedCase};

/// Test cases in progress.
pub struct CaseSeries {
    image: Arc<Image>,
    /// The current case and those that follow it.
    cases: VecDeque<Arc<TestCase>>,
    run: Option<CaseRun>,
}

/// The progress of a [`CaseSeries`].
pub enum SeriesStep {
    /// There is more to do. This number of instructions of the current case has been executed.
    Working(u64),
    /// A case has ended.
    Ended(Arc<TestCase>, Box<FinishedCase>),
    /// A case could not be run.
    NotRun(Arc<TestCase>, String),
    /// All cases have ended.
    Done,
}

impl CaseSeries {
    /// Begins to run the selected cases of a file on a program.
    pub fn new(
        tests: &TestFile,
        image: &Arc<Image>,
        is_wanted: impl Fn(&TestCase) -> bool,
    ) -> Self {
        let cases = tests.cases.iter().filter(|case| is_wanted(case)).cloned().collect();
        Self { image: Arc::clone(image), cases, run: None }
    }

    /// Continues for a few milliseconds at most. `engine` powers up the machine for a case.
    pub fn advance(
        &mut self,
        engine: impl FnOnce(&TestCase) -> Result<Box<dyn Engine>, String>,
    ) -> SeriesStep {
        let Some(case) = self.cases.front() else { return SeriesStep::Done };
        let case = Arc::clone(case);
        let mut run = match self.run.take() {
            Some(run) => run,
            None => match engine(&case) {
                Ok(engine) => CaseRun::new(&case, engine, &self.image),
                Err(why) => {
                    self.cases.pop_front();
                    return SeriesStep::NotRun(case, why);
                }
            },
        };
        match run.advance() {
            Ok(false) => {
                let moment = run.moment();
                self.run = Some(run);
                SeriesStep::Working(moment)
            }
            ended => {
                self.cases.pop_front();
                let finished = FinishedCase { failure: ended.err(), history: run.into_history() };
                SeriesStep::Ended(case, Box::new(finished))
            }
        }
    }
}
