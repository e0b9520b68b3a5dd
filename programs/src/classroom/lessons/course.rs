//! A course: its lessons in order, either built in or from a folder. This module does not access
//! files. Callers provide the contents.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::document::{CourseDocument, LessonDocument, read};
use crate::LESSONS;

/// The file with the course's title.
pub const COURSE: &str = "course.ron";
/// The file with the page that follows the last lesson.
const ENDING: &str = "ending.md";
/// The file with a lesson's title and hints.
pub const LESSON: &str = "lesson.ron";
/// The file with a lesson's page.
const PAGE: &str = "page.md";
/// The file with the program that a student starts from.
pub const SKELETON: &str = "skeleton.asm";
/// The file with a program that solves the lesson.
pub const SOLUTION: &str = "solution.asm";
/// The file with the tests for the solution and for students' programs.
pub const SOLUTION_TESTS: &str = "solution.test.ron";

/// The file with tests for the solution alone. A lesson whose tests accept many programs has one,
/// so that its solution is also tested.
pub const OWN_TESTS: &str = "own.test.ron";

/// An ordered list of lessons.
#[derive(Debug)]
pub struct Course {
    /// The title that students see.
    pub title: String,
    /// The page for students who have solved all lessons.
    pub ending: String,
    /// The lessons, at least one.
    pub lessons: Vec<Lesson>,
    /// The folder of the course, or `None` for the built-in course.
    pub folder: Option<PathBuf>,
}

/// A lesson of a course.
#[derive(Debug)]
pub struct Lesson {
    /// The name of its folder, which starts with a number, such as `01-first-led`.
    pub name: String,
    /// The heading of its page.
    pub title: String,
    /// The page that the student reads, in Markdown.
    pub page: String,
    /// The hints, from a small nudge to almost the solution.
    pub hints: Vec<String>,
    /// The program that the student starts from.
    pub skeleton: String,
    /// A program that solves the lesson.
    pub solution: String,
    /// The contents of the lesson's test file.
    pub tests: String,
    /// The contents of the file with tests for the solution alone, if there is one.
    pub own_tests: Option<String>,
}

/// Returns the message for a folder without lessons.
pub fn no_lessons(folder: &str) -> String {
    format!("there are no lessons (folders with a {LESSON}) in {folder}")
}

impl Course {
    /// Returns the built-in course.
    ///
    /// # Panics
    /// Panics if the course is invalid. A test ensures that it is valid.
    pub fn built_in() -> Self {
        let names = LESSONS.iter().filter_map(|file| file.path.strip_suffix(LESSON));
        let names = names.map(|folder| folder.trim_end_matches('/').to_owned()).collect();
        let course = Self::read(names, str::to_owned, |path| {
            let file = LESSONS.iter().find(|file| file.path == path);
            file.map(|file| file.text.to_owned()).ok_or_else(|| format!("no {path}"))
        });
        course.expect("the built-in course is valid")
    }

    /// Reads a course whose files are in memory. The keys are paths in the folder.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read`].
    pub fn from_files(folder: &str, files: &BTreeMap<String, String>) -> Result<Self, String> {
        let lessons = files.keys().filter_map(|path| path.strip_suffix(LESSON)?.strip_suffix('/'));
        let lessons: Vec<String> =
            lessons.filter(|name| !name.contains('/')).map(str::to_owned).collect();
        if lessons.is_empty() && !files.contains_key(COURSE) {
            return Err(no_lessons(folder));
        }
        let shown = |path: &str| format!("{folder}/{path}");
        Self::read(lessons, shown, |path| {
            let text = files.get(path).cloned();
            text.ok_or_else(|| format!("cannot read {}: there is no such file", shown(path)))
        })
    }

    /// Returns the paths of the other files of a course, for callers that cannot list folders.
    /// `course` has the contents of `course.ron`, and messages call that file `shown`.
    ///
    /// # Errors
    /// Returns a message if the contents are invalid or do not list the lessons.
    pub fn list_files(course: &str, shown: &str) -> Result<Vec<String>, String> {
        let CourseDocument { lessons, .. } = read(course, shown)?;
        let lessons = lessons.ok_or_else(|| {
            format!("{shown}: expected a field `lessons`: a server does not list its folders")
        })?;
        let files = [LESSON, PAGE, SKELETON, SOLUTION, SOLUTION_TESTS];
        let lessons = lessons.into_iter();
        let paths = lessons.flat_map(|name| files.map(|file| format!("{name}/{file}")));
        Ok(paths.chain([ENDING.to_owned()]).collect())
    }

    /// Reads a course with the lessons that `course.ron` lists, or with all of `found` in the order
    /// of their names. `text` returns the contents of a file, and `shown` its name for messages.
    ///
    /// # Errors
    /// Returns a message with the file and the position in it.
    pub fn read(
        mut found: Vec<String>,
        shown: impl Fn(&str) -> String,
        text: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Self, String> {
        found.sort_unstable();
        let CourseDocument { title, lessons, .. } = read(&text(COURSE)?, &shown(COURSE))?;
        let names = lessons.unwrap_or(found);
        if names.is_empty() {
            return Err(format!("{}: expected at least one lesson", shown(COURSE)));
        }
        let mut lessons = Vec::new();
        for name in names {
            let file = |file| text(&format!("{name}/{file}"));
            let LessonDocument { title, hints, .. } =
                read(&file(LESSON)?, &shown(&format!("{name}/{LESSON}")))?;
            lessons.push(Lesson {
                title,
                hints,
                page: file(PAGE)?,
                skeleton: file(SKELETON)?,
                solution: file(SOLUTION)?,
                tests: file(SOLUTION_TESTS)?,
                own_tests: file(OWN_TESTS).ok(),
                name,
            });
        }
        // The last page is optional.
        let ending = text(ENDING).unwrap_or_default();
        Ok(Self { title, ending, lessons, folder: None })
    }

    /// Returns the index of a lesson, given its name or its number. Numbers count from 1.
    pub fn find(&self, word: &str) -> Option<usize> {
        let number = word.parse().ok().and_then(|number: usize| number.checked_sub(1));
        let by_number = number.filter(|index| *index < self.lessons.len());
        by_number.or_else(|| self.lessons.iter().position(|lesson| lesson.name == word))
    }
}
