//! Does a program solve a lesson? The tests of the lesson tell.

use std::ops::ControlFlow;
use std::path::Path;

use gray1_isa::panel::Display;
use gray1_isa::run_off;

use crate::cli::machine::quoted;
use crate::cli::messages::{Messages, in_full};
use crate::cli::signals::Signals;
use crate::cli::test::{Suite, described, run_case};
use crate::lessons::{Course, Lesson, SKELETON, SOLUTION, SOLUTION_TESTS, Score};
use crate::program::{self, Program};
use crate::testing::{Finished, Verdict};

/// The result of a check.
pub(super) enum Checked {
    Solved(Solved),
    Failed(Failed),
    /// A signal of this number asked to stop.
    Interrupted(u8),
}

/// The score of a program that solves a lesson, and its LEDs.
pub(super) struct Solved {
    pub(super) score: Score,
    /// It ran into erased memory instead of ending, and is short for the wrong reason.
    pub(super) ran_off: bool,
    /// The LEDs at the end of the first case.
    pub(super) display: Display,
}

/// Why a program does not solve a lesson.
pub(super) struct Failed {
    /// The case that fails, unless there is no program to run.
    pub(super) case: Option<String>,
    /// In lines.
    pub(super) why: String,
}

/// A program of a lesson.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given {
    Skeleton,
    Solution,
}

/// Checks programs.
pub(super) struct Checker<'a> {
    pub(super) messages: &'a mut Messages,
    pub(super) signals: &'a Signals,
}

impl Checker<'_> {
    /// Runs the cases of a lesson's tests on a program, until one fails. `tests` is where they
    /// are found for a look at the failure.
    ///
    /// # Errors
    /// In words, if the tests cannot be run.
    pub(super) fn check(
        &mut self,
        course: &Course,
        lesson: &Lesson,
        program: &Program,
        tests: &Path,
    ) -> Result<Checked, String> {
        let suite = Suite::of(&course.path_of(lesson, SOLUTION_TESTS), &lesson.tests)?;
        let mut score = Score { words: program.image.used_words() as u64, instructions: 0 };
        let (mut display, mut ran_off) = (None, false);
        for case in &suite.tests.cases {
            let machine = suite.machine(case)?;
            let goes_on = &mut |_| match self.signals.received() {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            };
            let finished = run_case(case, program, &machine, self.messages, goes_on)?;
            let Finished { verdict, history, executed } = finished;
            match verdict {
                Verdict::Passed => {}
                Verdict::Failed(failure) => {
                    let tests = quoted(&tests.to_string_lossy());
                    let debug = format!("gray1 debug --test {tests} --case {}", quoted(&case.name));
                    let (case, why) = (Some(case.name.clone()), described(*failure, debug));
                    return Ok(Checked::Failed(Failed { case, why }));
                }
                Verdict::Interrupted => {
                    return Ok(Checked::Interrupted(self.signals.received().unwrap_or_default()));
                }
            }
            score.instructions += executed;
            let engine = history.engine();
            ran_off |= engine.halted() && run_off(&program.image, engine.pc()).is_some();
            display.get_or_insert(engine.display());
        }
        let display = display.unwrap_or_default();
        Ok(Checked::Solved(Solved { score, ran_off, display }))
    }

    /// The same of a program of the course itself: its skeleton or its solution. One that cannot be
    /// assembled fails.
    pub(super) fn check_given(
        &mut self,
        course: &Course,
        lesson: &Lesson,
        given: Given,
    ) -> Result<Checked, String> {
        let (file, text) = match given {
            Given::Skeleton => (SKELETON, &lesson.skeleton),
            Given::Solution => (SOLUTION, &lesson.solution),
        };
        let path = course.path_of(lesson, file);
        match program::assembled_text(&path.to_string_lossy(), text) {
            Ok(program) => {
                let tests = course.path_of(lesson, SOLUTION_TESTS);
                self.check(course, lesson, &program, &tests)
            }
            Err(failure) => Ok(Checked::Failed(Failed { case: None, why: in_full(&failure) })),
        }
    }
}
