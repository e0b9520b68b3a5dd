//! A course: its lessons in order, built in or from a folder.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::document::{CourseDocument, LessonDocument, read};
use crate::LESSONS;

/// The title of the course.
pub const COURSE: &str = "course.ron";
/// The text after the last lesson.
const ENDING: &str = "ending.md";
/// The title of a lesson, and its hints.
pub const LESSON: &str = "lesson.ron";
/// The text of a lesson.
const PAGE: &str = "page.md";
/// The program that a student begins with.
pub const SKELETON: &str = "skeleton.asm";
/// A program that solves the lesson.
pub const SOLUTION: &str = "solution.asm";
/// The tests for the solution and for students' programs.
pub const SOLUTION_TESTS: &str = "solution.test.ron";

/// An ordered list of lessons.
#[derive(Debug)]
pub struct Course {
    /// Its name.
    pub title: String,
    /// The text for students who have solved all lessons.
    pub ending: String,
    /// One at least.
    pub lessons: Vec<Lesson>,
    /// The folder that it was read from, unless it is built in.
    pub folder: Option<PathBuf>,
}

/// A lesson.
#[derive(Debug)]
pub struct Lesson {
    /// The name of its folder, which begins with a number: `01-first-led`.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// The text that the student reads.
    pub page: String,
    /// Hints, from the first nudge to nearly the solution.
    pub hints: Vec<String>,
    /// The program that the student begins with.
    pub skeleton: String,
    /// A program that solves it.
    pub solution: String,
    /// The text of a test file.
    pub tests: String,
}

/// The message for a folder without lessons.
#[must_use]
pub fn no_lessons(folder: &str) -> String {
    format!("there are no lessons (folders with a {LESSON}) in {folder}")
}

impl Course {
    /// The built-in course.
    ///
    /// # Panics
    /// If the course is invalid, which a test excludes.
    #[must_use]
    pub fn built_in() -> Self {
        let names = LESSONS.iter().filter_map(|file| file.path.strip_suffix(LESSON));
        let names = names.map(|folder| folder.trim_end_matches('/').to_owned()).collect();
        let read = |path: &str| {
            let file = LESSONS.iter().find(|file| file.path == path);
            file.map(|file| file.text.to_owned()).ok_or_else(|| format!("no {path}"))
        };
        Self::read(names, read, str::to_owned).expect("the built-in course is valid")
    }

    /// Reads the course in a folder whose files are in memory, by their paths in it.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn of_files(folder: &str, files: &BTreeMap<String, String>) -> Result<Self, String> {
        let lessons = files.keys().filter_map(|path| path.strip_suffix(LESSON)?.strip_suffix('/'));
        let lessons: Vec<String> =
            lessons.filter(|name| !name.contains('/')).map(str::to_owned).collect();
        if lessons.is_empty() && !files.contains_key(COURSE) {
            return Err(no_lessons(folder));
        }
        let shown = |path: &str| format!("{folder}/{path}");
        let text = |path: &str| {
            let missing = || format!("cannot read {}: there is no such file", shown(path));
            files.get(path).cloned().ok_or_else(missing)
        };
        Self::read(lessons, text, shown)
    }

    /// The other files of a course, given the text of its `course.ron`, for callers that cannot
    /// list folders. Messages call that file `shown`.
    ///
    /// # Errors
    /// In words, if the text is invalid or does not name the lessons.
    pub fn files_named(course: &str, shown: &str) -> Result<Vec<String>, String> {
        let CourseDocument { lessons, .. } = read(course, shown)?;
        let lessons = lessons.ok_or_else(|| {
            format!("{shown}: expected a field `lessons`: a server does not list its folders")
        })?;
        let files = [LESSON, PAGE, SKELETON, SOLUTION, SOLUTION_TESTS];
        let of_lesson = |name: String| files.map(|file| format!("{name}/{file}"));
        Ok(lessons.into_iter().flat_map(of_lesson).chain([ENDING.to_owned()]).collect())
    }

    /// Reads a course with the lessons that `course.ron` names, or else with all that were found,
    /// in the order of their names. `text` returns the text of a file, `shown` its name for
    /// messages.
    ///
    /// # Errors
    /// In words, with the file and the place in it.
    pub fn read(
        mut found: Vec<String>,
        text: impl Fn(&str) -> Result<String, String>,
        shown: impl Fn(&str) -> String,
    ) -> Result<Self, String> {
        found.sort_unstable();
        let CourseDocument { title, lessons, .. } = read(&text(COURSE)?, &shown(COURSE))?;
        let names = lessons.unwrap_or(found);
        if names.is_empty() {
            return Err(format!("{}: expected at least one lesson", shown(COURSE)));
        }
        let lesson = |name: String| {
            let file = |file| text(&format!("{name}/{file}"));
            let LessonDocument { title, hints, .. } =
                read(&file(LESSON)?, &shown(&format!("{name}/{LESSON}")))?;
            Ok(Lesson {
                title,
                hints,
                page: file(PAGE)?,
                skeleton: file(SKELETON)?,
                solution: file(SOLUTION)?,
                tests: file(SOLUTION_TESTS)?,
                name,
            })
        };
        let lessons = names.into_iter().map(lesson).collect::<Result<_, String>>()?;
        // A course may do without one.
        let ending = text(ENDING).unwrap_or_default();
        Ok(Self { title, ending, lessons, folder: None })
    }

    /// The index of a lesson, given its name or its number, counted from 1.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<usize> {
        let number = word.parse().ok().and_then(|number: usize| number.checked_sub(1));
        let by_number = number.filter(|index| *index < self.lessons.len());
        by_number.or_else(|| self.lessons.iter().position(|lesson| lesson.name == word))
    }
}
