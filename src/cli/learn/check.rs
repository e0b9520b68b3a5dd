//! Checks whether a program solves a lesson.

use std::path::Path;

use gray1_programs::lessons::{
    self, CheckResult, Course, Lesson, LessonCheck, OWN_TESTS, SKELETON, SOLUTION, SOLUTION_TESTS,
    Solved,
};
use gray1_programs::testing::MistakeReport;
use gray1_programs::testing::report::FailureReport;
use gray1_sim::MachineSpec;

use crate::cli::shared::machine::{self, quote};
use crate::cli::shared::messages::{Messages, explain, explain_load};
use crate::cli::shared::outcome::{Failure, failure};
use crate::cli::shared::signals::Signals;
use crate::cli::test::{Suite, power_up_args};
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
    /// If the tests cannot be run, or a signal asks to stop.
    pub(super) fn check(
        &mut self,
        course: &Course,
        lesson: &Lesson,
        program: &LoadedProgram,
        tests: &Path,
    ) -> Result<Checked, Failure> {
        let suite = parse_tests(course, lesson, SOLUTION_TESTS, &lesson.tests)?;
        let mut check = LessonCheck::new(&suite.tests, &program.image, &MachineSpec::default());
        let result = loop {
            let advanced = check.advance(|case| {
                let engine = machine::engine(&suite.machine(case), &program.image, self.messages);
                engine.map_err(|failure| explain(&failure))
            });
            if let Some(result) = advanced.map_err(failure)? {
                break result;
            }
            if self.signals.received().is_some() {
                return Err(self.stopped());
            }
        };
        Ok(match result {
            CheckResult::Solved(solved) => Checked::Solved(solved),
            CheckResult::Failed { case, failure, .. } => {
                let tests = quote(&tests.to_string_lossy());
                let about_memory = lessons::explain_power_up(&failure)
                    .map(|sentence| (failure.step.to_string(), sentence));
                let options = power_up_args(&failure, MachineSpec::default());
                let debug = format!("gray1 debug --test {tests} --case {}{options}", quote(&case));
                let mut report = FailureReport::new(*failure, None, Some(debug));
                // A student gets a sentence about memory, in place of the teacher's notes.
                if let Some((step, sentence)) = about_memory {
                    report.summary = format!("{step}\n{sentence}");
                }
                let why = report.text();
                Checked::Failed { case: Some(case), why }
            }
        })
    }

    /// The failure after a signal.
    fn stopped(&self) -> Failure {
        Failure::Signal(self.signals.received().unwrap_or_default())
    }

    /// Finds the mutations of a lesson's solution that its tests do not notice.
    pub(super) fn find_mistakes(
        &mut self,
        course: &Course,
        lesson: &Lesson,
    ) -> Result<MistakeReport, Failure> {
        let suite = match &lesson.own_tests {
            Some(tests) => parse_tests(course, lesson, OWN_TESTS, tests)?,
            None => parse_tests(course, lesson, SOLUTION_TESTS, &lesson.tests)?,
        };
        let program =
            program::assemble_text(&lesson_path(course, lesson, SOLUTION), &lesson.solution);
        let program = program.map_err(Failure::Load)?;
        let chosen = MachineSpec::default();
        let proceed = &mut |_| self.signals.received().is_none();
        let cases = &suite.tests.cases;
        let found = suite.find_mistakes(cases, &chosen, &program, self.messages, false, proceed);
        found.map_err(failure)?.ok_or_else(|| self.stopped())
    }

    /// Checks a program that comes with the lesson. `file` is `SKELETON` or `SOLUTION`. The check
    /// fails if the program cannot be assembled.
    pub(super) fn check_given(
        &mut self,
        course: &Course,
        lesson: &Lesson,
        file: &str,
    ) -> Result<Checked, Failure> {
        let text = if file == SKELETON { &lesson.skeleton } else { &lesson.solution };
        let path = lesson_path(course, lesson, file);
        match program::assemble_text(&path, text) {
            Ok(program) => {
                let tests = lesson_path(course, lesson, SOLUTION_TESTS);
                self.check(course, lesson, &program, &tests)
            }
            Err(failure) => {
                let why = explain_load(&failure, self.messages.in_report());
                Ok(Checked::Failed { case: None, why })
            }
        }
    }
}

/// The tests of a lesson in this file.
fn parse_tests(course: &Course, lesson: &Lesson, file: &str, text: &str) -> Result<Suite, Failure> {
    Suite::parse(&lesson_path(course, lesson, file), text).map_err(failure)
}
