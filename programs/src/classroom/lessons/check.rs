//! Checks whether a program solves a lesson, by running the lesson's tests.

use std::sync::Arc;

use gray1_debugger::History;
use gray1_isa::panel::Display;
use gray1_isa::{Image, run_off};
use gray1_sim::{Engine, MachineSpec};

use super::Score;
use crate::testing::{CaseFailure, CaseSeries, FinishedCase, SeriesStep, TestCase, TestFile};

/// The result of checking a program.
#[derive(Debug)]
pub enum CheckResult {
    /// Every case passed.
    Solved(Solved),
    /// A case failed. The other cases were not run.
    Failed {
        /// The name of the case.
        case: String,
        /// The reason.
        failure: Box<CaseFailure>,
        /// The history of the machine up to the failure.
        history: Box<History>,
    },
}

/// The costs and the LEDs of a program that solves a lesson.
#[derive(Debug)]
pub struct Solved {
    /// The costs of the program.
    pub score: Score,
    /// True if it ran into erased memory instead of halting. In that case, the measured costs are
    /// lower than those of a correct program.
    pub ran_off: bool,
    /// The LEDs at the end of the first case.
    pub display: Display,
}

impl Solved {
    /// Returns the score to record. A program that ran off its end cannot beat the solution.
    pub fn fair_score(&self, solution: Option<&Self>) -> Score {
        match solution {
            Some(ours) if self.ran_off => Score {
                words: self.score.words.max(ours.score.words),
                instructions: self.score.instructions.max(ours.score.instructions),
            },
            _ => self.score,
        }
    }
}

/// A check in progress.
pub struct LessonCheck {
    image: Arc<Image>,
    series: CaseSeries,
    score: Score,
    ran_off: bool,
    display: Option<Display>,
}

impl LessonCheck {
    /// Starts to check a program by the cases of a lesson's tests. The settings in `chosen` take
    /// precedence over those of the cases.
    pub fn new(tests: &TestFile, image: &Arc<Image>, chosen: &MachineSpec) -> Self {
        Self {
            image: Arc::clone(image),
            series: CaseSeries::new(&tests.cases, image, chosen),
            score: Score { words: image.used_words() as u64, instructions: 0 },
            ran_off: false,
            display: None,
        }
    }

    /// Continues for at most a few milliseconds. Returns the result once there is one. `engine`
    /// powers up the machine for a case.
    ///
    /// # Errors
    /// Returns the error of `engine`.
    pub fn advance(
        &mut self,
        engine: impl FnOnce(&TestCase) -> Result<Box<dyn Engine>, String>,
    ) -> Result<Option<CheckResult>, String> {
        let (case, finished) = match self.series.advance(engine) {
            SeriesStep::Working(..) => return Ok(None),
            SeriesStep::NotRun(_, why) => return Err(why),
            SeriesStep::Done => {
                let &mut Self { score, ran_off, display, .. } = self;
                let display = display.unwrap_or_default();
                return Ok(Some(CheckResult::Solved(Solved { score, ran_off, display })));
            }
            SeriesStep::Ended(case, finished) => (case, finished),
        };
        let FinishedCase { failure, history, .. } = *finished;
        Ok(match failure {
            None => {
                self.score.instructions += history.moment();
                let engine = history.engine();
                self.ran_off |= engine.halted() && run_off(&self.image, engine.pc()).is_some();
                self.display.get_or_insert(engine.display());
                None
            }
            Some(failure) => {
                let (case, history) = (case.name.clone(), Box::new(history));
                Some(CheckResult::Failed { case, failure, history })
            }
        })
    }
}
