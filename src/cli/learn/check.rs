//! Checks whether a program solves a lesson.

use std::ops::ControlFlow;
use std::path::Path;

use gray1_programs::lessons::{
    self, CheckResult, Course, Lesson, SKELETON, SOLUTION, SOLUTION_TESTS, Solved,
};
use gray1_programs::testing::report::FailureReport;
use gray1_programs::testing::{MistakeReport, TestCase};
use gray1_sim::{MachineSpec, RamSpec};

use crate::cli::shared::machine::{self, quote};
use crate::cli::shared::messages::{Messages, explain, explain_load};
use crate::cli::shared::signals::Signals;
use crate::cli::test::Suite;
use crate::lessons::lesson_path;
use crate::program::{self, LoadedProgram};

/// The result of a check.
pub(super) enum Checked {
    Solved(Solved),
    /// The program does not solve the lesson.
    Failed {
        /// The case that fails, or `None` if the program cannot be assembled.
        case: Option<String>,
        /// The reason, which may have several lines.
        why: String,
    },
    /// The number of a signal that asked to stop.
    Interrupted(u8),
}

impl Checked {
    /// The score, if the lesson is solved.
    pub(super) fn solved(&self) -> Option<&Solved> {
        if let Self::Solved(solved) = self { Some(solved) } else { None }
    }
}

/// Checks programs against the tests of lessons.
pub(super) struct Checker<'a> {
    pub(super) messages: &'a mut Messages,
    pub(super) signals: &'a Signals,
}

impl Checker<'_> {
    /// Runs the cases of a lesson's tests until one fails. If a case fails, the report shows a
    /// command that opens the debugger there. In that command, `tests` is the path of the tests.
    ///
    /// # Errors
    /// A message if the tests cannot be run.
    pub(super) fn check(
        &mut self,
        course: &Course,
        lesson: &Lesson,
        program: &LoadedProgram,
        tests: &Path,
    ) -> Result<Checked, String> {
        let suite = Suite::parse(&lesson_path(course, lesson, SOLUTION_TESTS), &lesson.tests)?;
        let proceed = &mut || match self.signals.received() {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        };
        let engine = |case: &TestCase| {
            let engine = machine::engine(&suite.machine(case), &program.image, self.messages);
            engine.map_err(|failure| explain(&failure))
        };
        Ok(match lessons::check(&suite.tests, &program.image, engine, proceed)? {
            None => Checked::Interrupted(self.signals.received().unwrap_or_default()),
            Some(CheckResult::Solved(solved)) => Checked::Solved(solved),
            Some(CheckResult::Failed { case, failure, .. }) => {
                let tests = quote(&tests.to_string_lossy());
                let machine = MachineSpec::with_ram(failure.ram.map(RamSpec::Contents));
                let options = machine::to_args(&machine);
                let debug = format!("gray1 debug --test {tests} --case {}{options}", quote(&case));
                let why = FailureReport::new(*failure, None, Some(debug)).text();
                Checked::Failed { case: Some(case), why }
            }
        })
    }

    /// Finds the mutations of a lesson's solution that its tests do not notice. Returns `None` if a
    /// signal asked to stop.
    pub(super) fn find_mistakes(
        &mut self,
        course: &Course,
        lesson: &Lesson,
    ) -> Result<Option<MistakeReport>, String> {
        let suite = Suite::parse(&lesson_path(course, lesson, SOLUTION_TESTS), &lesson.tests)?;
        let program =
            program::assemble_text(&lesson_path(course, lesson, SOLUTION), &lesson.solution);
        let program = program.map_err(|failure| explain_load(&failure))?;
        let (chosen, proceed) =
            (MachineSpec::default(), &mut |_| self.signals.received().is_none());
        suite.find_mistakes(&suite.tests.cases, &chosen, &program, self.messages, proceed)
    }

    /// Checks a program that comes with the lesson. `file` is `SKELETON` or `SOLUTION`. The check
    /// fails if the program cannot be assembled.
    pub(super) fn check_given(
        &mut self,
        course: &Course,
        lesson: &Lesson,
        file: &str,
    ) -> Result<Checked, String> {
        let text = if file == SKELETON { &lesson.skeleton } else { &lesson.solution };
        let path = lesson_path(course, lesson, file);
        match program::assemble_text(&path, text) {
            Ok(program) => {
                let tests = lesson_path(course, lesson, SOLUTION_TESTS);
                self.check(course, lesson, &program, &tests)
            }
            Err(failure) => Ok(Checked::Failed { case: None, why: explain_load(&failure) }),
        }
    }
}
