//! The cases of a test file, one after the other, on one program, in steps of a few milliseconds.

use std::collections::VecDeque;
use std::sync::Arc;

use gray1_isa::Image;
use gray1_sim::Engine;

use super::document::{Case, TestFile};
use super::run::{Finished, Run};

/// Cases on their way.
pub struct Series {
    image: Arc<Image>,
    /// The case under way, and those that follow it.
    cases: VecDeque<Arc<Case>>,
    run: Option<Run>,
}

/// The progress of a [`Series`].
pub enum Came<E> {
    /// There is more to do. So many instructions of the case under way were executed.
    Working(u64),
    /// A case has ended.
    Ended(Arc<Case>, Box<Finished>),
    /// A case has no machine.
    NotRun(Arc<Case>, E),
    /// All cases have ended.
    Done,
}

impl Series {
    /// The cases of a file that are wanted, on a program.
    pub fn new(tests: &TestFile, image: &Arc<Image>, is_wanted: impl Fn(&Case) -> bool) -> Self {
        let cases = tests.cases.iter().filter(|case| is_wanted(case)).cloned().collect();
        Self { image: Arc::clone(image), cases, run: None }
    }

    /// Goes on for a few milliseconds at most. `engine` powers up the machine that a case asks for.
    pub fn advance<E>(
        &mut self,
        engine: impl FnOnce(&Case) -> Result<Box<dyn Engine>, E>,
    ) -> Came<E> {
        let Some(case) = self.cases.front() else { return Came::Done };
        let case = Arc::clone(case);
        let mut run = match self.run.take() {
            Some(run) => run,
            None => match engine(&case) {
                Ok(engine) => Run::new(&case, engine, &self.image),
                Err(why) => {
                    self.cases.pop_front();
                    return Came::NotRun(case, why);
                }
            },
        };
        match run.advance() {
            None => {
                let moment = run.moment();
                self.run = Some(run);
                Came::Working(moment)
            }
            Some(verdict) => {
                self.cases.pop_front();
                Came::Ended(case, Box::new(run.finish(verdict)))
            }
        }
    }
}
