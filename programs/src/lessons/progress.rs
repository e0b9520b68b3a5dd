//! A student's progress: the solved lessons, and the current one.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::course::Course;
use super::document::{VERSION, read, version};

/// A student's progress in a course: the file `progress.ron`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    #[serde(deserialize_with = "version")]
    version: u64,
    /// The title of the course.
    title: String,
    /// The folder of the course, unless it is built in.
    course: Option<String>,
    /// The name of the current lesson.
    lesson: String,
    /// The number of its hints that were shown.
    hints: usize,
    /// The solved lessons, with the lowest costs.
    solved: BTreeMap<String, Score>,
}

/// The costs of a program that solves a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Words of program memory.
    pub words: u64,
    /// Instructions that are executed in all cases of the tests.
    pub instructions: u64,
}

impl Progress {
    /// The start of a course, whose folder is `place` unless it is built in.
    #[must_use]
    pub fn start(course: &Course, place: Option<String>) -> Self {
        Self {
            version: VERSION,
            title: course.title.clone(),
            course: place,
            lesson: course.lessons[0].name.clone(),
            hints: 0,
            solved: BTreeMap::new(),
        }
    }

    /// Reads a document. `name` is the file's name for error messages.
    ///
    /// # Errors
    /// In words, with the place in the file.
    pub fn read(text: &str, name: &str) -> Result<Self, String> {
        read(text, name)
    }

    /// The document.
    ///
    /// # Errors
    /// In words, if it cannot be written.
    pub fn text(&self) -> Result<String, String> {
        let pretty = ron::ser::PrettyConfig::new().new_line("\n").struct_names(true);
        let text = ron::ser::to_string_pretty(self, pretty);
        text.map(|text| text + "\n").map_err(|error| error.to_string())
    }

    /// This progress, with the course's present folder.
    ///
    /// # Errors
    /// The title of its course, if that is a different one.
    pub fn moved(self, course: &Course, place: Option<String>) -> Result<Self, String> {
        if self.title != course.title {
            return Err(self.title);
        }
        Ok(Self { course: place, ..self })
    }

    /// The folder of the course, unless it is built in.
    #[must_use]
    pub fn course(&self) -> Option<&Path> {
        self.course.as_deref().map(Path::new)
    }

    /// The index of the current lesson in the course: the one that is named, or, if the course no
    /// longer has it, the first that is not solved.
    #[must_use]
    pub fn present(&self, course: &Course) -> usize {
        let named = course.lessons.iter().position(|lesson| lesson.name == self.lesson);
        named.or_else(|| self.open(course).next()).unwrap_or(course.lessons.len() - 1)
    }

    /// The indexes of the lessons that are not solved.
    pub fn open(&self, course: &Course) -> impl Iterator<Item = usize> {
        let lessons = course.lessons.iter().enumerate();
        lessons.filter(|(_, lesson)| self.score(&lesson.name).is_none()).map(|(index, _)| index)
    }

    /// Goes to a lesson.
    pub fn go(&mut self, lesson: &str) {
        if self.lesson != lesson {
            self.hints = 0;
            lesson.clone_into(&mut self.lesson);
        }
    }

    /// The number of the next hint of the current lesson, which has `count` hints. The first
    /// follows the last.
    pub fn next_hint(&mut self, count: usize) -> Option<usize> {
        let number = self.hints.checked_rem(count)?;
        self.hints = number + 1;
        Some(number)
    }

    /// The lowest costs of the programs that solved a lesson.
    #[must_use]
    pub fn score(&self, lesson: &str) -> Option<Score> {
        self.solved.get(lesson).copied()
    }

    /// Records that a program has solved a lesson.
    pub fn solve(&mut self, lesson: &str, score: Score) {
        let best = self.solved.entry(lesson.to_owned()).or_insert(score);
        best.words = best.words.min(score.words);
        best.instructions = best.instructions.min(score.instructions);
    }
}
