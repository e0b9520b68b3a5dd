//! The actions of a student in a lesson. Each returns the output to print.

use std::path::PathBuf;

use gray1_programs::TextStyle;
use gray1_programs::lessons::report;
use gray1_programs::lessons::{Lesson, Progress, SOLUTION};

use super::check::{Checked, Checker};
use super::student::Student;
use crate::cli::shared::outcome::{Done, Failure, failure};
use crate::cli::shared::source_options::{SourceOptions, load};
use crate::{files, front};

/// The lines below a page: how to edit the program, and the keys.
const HOW_LINES: usize = 4;

/// A student in a lesson.
pub(super) struct Guide<'a> {
    pub(super) student: Student,
    /// The index of the lesson in the course.
    pub(super) index: usize,
    pub(super) style: TextStyle,
    pub(super) checker: Checker<'a>,
    /// Whether the student uses the keys of the dialogue, not `gray1 learn ACTION`.
    pub(super) has_keys: bool,
    /// The case that failed in the last check.
    pub(super) failed_case: Option<String>,
    /// The reason why something could not be saved. It is printed after the output.
    pub(super) problem: Option<String>,
}

impl Guide<'_> {
    pub(super) fn lesson(&self) -> &Lesson {
        &self.student.course.lessons[self.index]
    }

    pub(super) fn is_solved(&self) -> bool {
        self.student.progress.score(&self.lesson().name).is_some()
    }

    /// Returns the lesson's page, and writes the student's file if it does not exist.
    pub(super) fn page(&mut self) -> String {
        self.problem = self.student.prepare(self.index).err();
        let page = report::format_page(&self.student.course, self.index, self.style);
        let file = files::printable(self.file());
        if self.problem.is_some() {
            page
        } else if self.has_keys {
            let how = "it is checked whenever you save it";
            // The title of a long page has left the screen.
            let height = front::size().map_or(24, |size| size.height.into());
            let title = page.lines().next().filter(|_| page.lines().count() + HOW_LINES > height);
            let title = title.map(|title| format!("{title}\n")).unwrap_or_default();
            format!("{page}{title}Edit {file} with `e`, or in another window:\n{how}.\n\n")
        } else {
            let [check, hint] = ["check", "hint"].map(|action| self.student.command(action));
            format!("{page}Edit {file}, then check it:\n  {check}\nIf you are stuck:\n  {hint}\n")
        }
    }

    /// The name of an action in messages: a command or a key.
    fn action_name(&self, key: char, action: &str) -> String {
        if self.has_keys {
            format!("`{key}`")
        } else {
            format!("`{}`", self.student.command(action))
        }
    }

    /// Changes and saves the student's progress.
    fn change<T>(&mut self, change: impl FnOnce(&mut Progress) -> T) -> T {
        let (result, kept) = self.student.change(change);
        self.problem = kept.err();
        result
    }

    /// The student's file.
    pub(super) fn file(&self) -> PathBuf {
        self.student.file(self.lesson())
    }

    /// Checks the student's program, and saves the score if it solves the lesson.
    ///
    /// # Errors
    /// For example, if the program does not exist or cannot be assembled.
    pub(super) fn check(&mut self) -> Result<(Done, String), Failure> {
        self.failed_case = None;
        let file = self.file();
        if !file.exists() {
            let (file, page) = (files::printable(&file), self.action_name('p', "page"));
            return Err(failure(format!("there is no {file}; {page} writes one")));
        }
        self.problem = self.student.prepare(self.index).err();
        let Self { student, index, style, checker, .. } = self;
        let lesson = &student.course.lessons[*index];
        let program = load(&file, &SourceOptions::default(), checker.messages)?;
        let tests = student.tests_file(lesson);
        let yours = match checker.check(&student.course, lesson, &program, &tests)? {
            Checked::Solved(yours) => yours,
            Checked::Failed { case, why } => {
                let text = report::format_failure(case.as_deref(), &why, *style);
                self.failed_case = case;
                return Ok((Done::Refuted, text));
            }
        };
        let ours = checker.check_given(&student.course, lesson, SOLUTION)?;
        let solved = report::format_success(lesson, &yours, ours.solved(), *style);
        let (name, score) = (lesson.name.clone(), yours.fair_score(ours.solved()));
        self.change(|progress| progress.solve(&name, score));
        let bar = report::format_bar(&self.student.course, &self.student.progress);
        let text = format!("{solved}{bar}\n\n");
        if self.has_keys {
            return Ok((Done::Success, text));
        }
        let [next, solution] = [self.action_name('n', "next"), self.action_name('s', "solution")];
        Ok((Done::Success, text + &format!("{next} continues, {solution} shows how we did it.\n")))
    }

    /// Returns the next hint.
    pub(super) fn hint(&mut self) -> Result<String, Failure> {
        if self.index != self.student.current() {
            let go = self.student.command("go");
            return Err(failure(format!(
                "hints are for the current lesson; `{go}` goes to others"
            )));
        }
        let count = self.lesson().hints.len();
        let number = self.change(|progress| progress.next_hint(count));
        Ok(report::format_hint(self.lesson(), number, self.style))
    }

    /// Goes to the next lesson. After the last lesson, returns the ending.
    ///
    /// # Errors
    /// If this lesson is not solved, or if it is the last one and another lesson is not solved.
    pub(super) fn next(&mut self) -> Result<String, Failure> {
        let has_next = self.index + 1 < self.student.course.lessons.len();
        if !self.is_solved() {
            let why = "this lesson is not solved yet";
            return Err(failure(if has_next {
                let go = self.student.command(&format!("go {}", self.index + 2));
                format!("{why}; `{go}` skips it")
            } else {
                why.to_owned()
            }));
        }
        if has_next {
            return Ok(self.go(self.index + 1));
        }
        let Student { course, progress, .. } = &self.student;
        let Some(unsolved) = progress.unsolved(course).next() else {
            return Ok(report::format_ending(course, progress, self.style));
        };
        let number = unsolved + 1;
        Err(failure(format!("this is the last lesson; lesson {number} is still open")))
    }

    /// Goes to a lesson and returns its page.
    pub(super) fn go(&mut self, index: usize) -> String {
        self.index = index;
        self.failed_case = None;
        let name = self.lesson().name.clone();
        self.change(|progress| progress.go_to(&name));
        self.page()
    }

    /// Returns the solution.
    ///
    /// # Errors
    /// If the lesson is not solved.
    pub(super) fn solution(&self) -> Result<String, Failure> {
        if self.is_solved() {
            return Ok(report::format_solution(self.lesson()));
        }
        let hint = self.action_name('h', "hint");
        Err(failure(format!("our solution is shown once you have solved the lesson; {hint} helps")))
    }
}
