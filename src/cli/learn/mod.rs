//! `gray1 learn`: a course of lessons in the terminal.

mod check;
mod dialog;
mod guide;
mod student;
mod verify;

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;
use gray1_programs::lessons::{Course, Lesson};
use serde_json::{Value, json};

use super::shared::complete;
use super::shared::messages::{Messages, text_style};
use super::shared::options::FormatOptions;
use super::shared::outcome::{Done, Failure, Outcome, failure, print_report};
use super::shared::signals::Signals;
use crate::{files, front, lessons};
use check::Checker;
use guide::Guide;
use student::Student;

/// Learn to program the machine: small lessons, each with a check
#[derive(clap::Args)]
#[command(after_help = "Your programs and your progress are kept in the folder \
    gray1-lessons (COURSE-lessons with --course), or in the one that --folder names. \
    docs/TEACHING.md explains how to write lessons.\n\n\
    Exit status: 0 done; 1 the program does not solve the lesson yet, or an error.")]
pub(super) struct LearnOptions {
    /// What to do [default: show the lesson, and on a terminal check the program at every change]
    #[arg(value_enum)]
    action: Option<LearnAction>,
    /// The lesson, by its number or its name [default: the current one]
    #[arg(requires = "action", add = complete::lessons())]
    lesson: Option<String>,
    /// Take the lessons from this folder [default: the built-in ones]
    #[arg(long, visible_alias = "path", value_name = "DIR")]
    #[arg(value_hint = clap::ValueHint::DirPath)]
    course: Option<PathBuf>,
    /// Keep your programs in this folder [default: gray1-lessons, or COURSE-lessons]
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    folder: Option<PathBuf>,
    #[command(flatten)]
    format: FormatOptions,
}

/// The actions of `gray1 learn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnAction {
    /// Print the lesson, and write the file to edit
    Page,
    /// Check your program
    Check,
    /// Print the next hint
    Hint,
    /// Go to the next lesson, once this one is solved
    Next,
    /// Go to any lesson
    Go,
    /// List the lessons, with your scores
    List,
    /// Print our solution, once you have solved the lesson
    Solution,
    /// For authors: check that every solution passes, that every skeleton fails, and that the tests
    /// notice mistakes in the solution
    Verify,
}

pub(super) fn learn(options: &LearnOptions, messages: &mut Messages) -> Outcome {
    let has_report = matches!(options.action, Some(LearnAction::List | LearnAction::Verify));
    if options.format.is_json() && !has_report {
        return Err(Failure::Usage("--format json needs `list` or `verify`".to_owned()));
    }
    let mut checker = Checker { messages, signals: &Signals::listen()? };
    if options.action == Some(LearnAction::Verify) {
        // Otherwise a folder given here would be called good, although the built-in course is.
        if options.lesson.is_some() {
            let why = "`verify` checks all lessons; --course names the folder of other lessons";
            return Err(Failure::Usage(why.to_owned()));
        }
        let course =
            options.course.as_deref().map_or_else(|| Ok(Course::built_in()), lessons::course);
        return verify::verify(&course.map_err(failure)?, &mut checker, options.format);
    }
    let student = Student::load(options.course.as_deref(), options.folder.as_deref());
    let student = student.map_err(failure)?;
    let index = match &options.lesson {
        None => student.current(),
        Some(name) => student.course.find(name).ok_or_else(|| {
            let (name, list) = (files::printable(name), student.command("list"));
            failure(format!("there is no lesson `{name}`; `{list}` shows them"))
        })?,
    };
    let has_keys = options.action.is_none() && front::obstacle("").is_none();
    let style = text_style(&io::stdout());
    let mut guide =
        Guide { student, index, style, checker, has_keys, failed_case: None, problem: None };
    let (done, text) = match options.action {
        None if has_keys => return dialog::run(&mut guide),
        None | Some(LearnAction::Page) => (Done::Success, guide.page()),
        Some(LearnAction::Check) => guide.check()?,
        Some(LearnAction::Hint) => (Done::Success, guide.hint()?),
        Some(LearnAction::Next) => (Done::Success, guide.next()?),
        Some(LearnAction::Go) if options.lesson.is_none() => {
            let list = guide.student.command("list");
            return Err(failure(format!("which lesson? `{list}` shows them")));
        }
        Some(LearnAction::Go) => (Done::Success, guide.go(index)),
        Some(LearnAction::List) => {
            let student = &guide.student;
            let lessons = (1..).zip(&student.course.lessons).map(|(number, lesson)| {
                let Lesson { name, title, .. } = lesson;
                let score = student.progress.score(name);
                json!({ "number": number, "lesson": name, "title": title, "score": score })
            });
            let json = json!({
                "course": student.course.title, "current": student.current() + 1,
                "lessons": lessons.collect::<Value>(),
            });
            options.format.print(|| student.list(style), || json)?;
            (Done::Success, String::new())
        }
        Some(LearnAction::Solution) => (Done::Success, guide.solution()?),
        Some(LearnAction::Verify) => unreachable!("that needs no student"),
    };
    print_report(&text)?;
    guide.problem.map_or(Ok(done), |problem| Err(failure(problem)))
}
