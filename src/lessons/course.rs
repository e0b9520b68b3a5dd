//! A course: its lessons in their order, from the binary or from a folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::document::{CourseDocument, LessonDocument, read};
use crate::{builtin, files};

/// The title of the course.
const COURSE: &str = "course.ron";
/// The text after the last lesson.
const ENDING: &str = "ending.md";
/// The title of a lesson, and its hints.
const LESSON: &str = "lesson.ron";
/// The text of a lesson.
const PAGE: &str = "page.md";
/// The program that a student begins with.
pub(crate) const SKELETON: &str = "skeleton.asm";
/// A program that solves the lesson.
pub(crate) const SOLUTION: &str = "solution.asm";
/// The tests of the solution, and of what students write.
pub(crate) const SOLUTION_TESTS: &str = "solution.test.ron";

/// An ordered list of lessons.
#[derive(Debug)]
pub(crate) struct Course {
    pub(crate) title: String,
    /// The text for students who have solved all lessons.
    pub(crate) ending: String,
    /// One at least.
    pub(crate) lessons: Vec<Lesson>,
    /// The folder that it was read from, unless it is built in.
    pub(crate) folder: Option<PathBuf>,
}

/// A lesson.
#[derive(Debug)]
pub(crate) struct Lesson {
    /// The name of its folder, which begins with a number: `01-first-led`.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) page: String,
    pub(crate) hints: Vec<String>,
    pub(crate) skeleton: String,
    pub(crate) solution: String,
    /// The text of a test file.
    pub(crate) tests: String,
}

impl Course {
    /// The course that is built in.
    pub(crate) fn built_in() -> Self {
        let names = builtin::LESSONS.iter().filter_map(|file| file.path.strip_suffix(LESSON));
        let names = names.map(|folder| folder.trim_end_matches('/').to_owned()).collect();
        let read = |path: &str| {
            let file = builtin::LESSONS.iter().find(|file| file.path == path);
            file.map(|file| file.text.to_owned()).ok_or_else(|| format!("no {path}"))
        };
        Self::read(names, read, str::to_owned).expect("the built-in course is valid")
    }

    /// Reads a course from a folder. Errors are in words, and name the file and the place in it.
    pub(crate) fn load(folder: &Path) -> Result<Self, String> {
        let shown = files::printable(folder);
        let cannot_read = |error| format!("cannot read {shown}: {error}");
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(cannot_read)? {
            let entry = entry.map_err(cannot_read)?;
            if entry.path().join(LESSON).is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        if names.is_empty() {
            return Err(format!("there are no lessons (folders with a {LESSON}) in {shown}"));
        }
        let read = |path: &str| files::read_text(&folder.join(path));
        let course = Self::read(names, read, |path| files::printable(folder.join(path)))?;
        Ok(Self { folder: Some(folder.to_owned()), ..course })
    }

    /// Reads a course with these lessons. `text` gets the text of a file, `shown` is what messages
    /// call it.
    fn read(
        names: Vec<String>,
        text: impl Fn(&str) -> Result<String, String>,
        shown: impl Fn(&str) -> String,
    ) -> Result<Self, String> {
        let CourseDocument { title, .. } = read(&text(COURSE)?, &shown(COURSE))?;
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
        Ok(Self { title, ending: text(ENDING)?, lessons, folder: None })
    }

    /// The place of a lesson in the list, by its name, or by its number, counted from 1.
    pub(crate) fn find(&self, word: &str) -> Option<usize> {
        let number = word.parse().ok().and_then(|number: usize| number.checked_sub(1));
        let by_number = number.filter(|index| *index < self.lessons.len());
        by_number.or_else(|| self.lessons.iter().position(|lesson| lesson.name == word))
    }

    /// A file of a lesson, as messages call it.
    pub(crate) fn path_of(&self, lesson: &Lesson, file: &str) -> PathBuf {
        let folder = self.folder.as_deref().unwrap_or(Path::new(""));
        folder.join(&lesson.name).join(file)
    }
}
