//! A student's progress in a course, and the format of the file `progress.ron`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::course::Course;
use super::document::{VERSION, read, version};

/// A student's progress in a course, as in the file `progress.ron`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    #[serde(deserialize_with = "version")]
    version: u64,
    /// The title of the course.
    title: String,
    /// The folder of the course, or `None` for the built-in course.
    course: Option<String>,
    /// The name of the current lesson.
    lesson: String,
    /// The number of hints that the student has seen in the current lesson.
    hints: usize,
    /// The solved lessons, with the student's lowest costs.
    solved: BTreeMap<String, Score>,
}

/// The costs of a program that solves a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// The number of words of program memory.
    pub words: u64,
    /// The number of instructions executed in all test cases together.
    pub instructions: u64,
}

impl Progress {
    /// Starts a course. `place` is its folder, or `None` for the built-in course.
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

    /// Reads a progress file. `name` is the file's name for error messages.
    ///
    /// # Errors
    /// Returns a message with the position in the file.
    pub fn read(text: &str, name: &str) -> Result<Self, String> {
        read(text, name)
    }

    /// Returns the contents of the progress file.
    ///
    /// # Errors
    /// Returns a message if the progress cannot be written as a document.
    pub fn text(&self) -> Result<String, String> {
        let pretty = ron::ser::PrettyConfig::new().new_line("\n").struct_names(true);
        let text = ron::ser::to_string_pretty(self, pretty);
        text.map(|text| text + "\n").map_err(|error| error.to_string())
    }

    /// Returns this progress with the course's current folder.
    ///
    /// # Errors
    /// If this progress belongs to another course, returns the title of that course.
    pub fn with_folder(self, course: &Course, place: Option<String>) -> Result<Self, String> {
        if self.title != course.title {
            return Err(self.title);
        }
        Ok(Self { course: place, ..self })
    }

    /// Returns the folder of the course, or `None` for the built-in course.
    pub fn course(&self) -> Option<&Path> {
        self.course.as_deref().map(Path::new)
    }

    /// Returns the index of the current lesson. If the course no longer has that lesson, returns
    /// the first unsolved one.
    pub fn current(&self, course: &Course) -> usize {
        let named = course.lessons.iter().position(|lesson| lesson.name == self.lesson);
        named.or_else(|| self.unsolved(course).next()).unwrap_or(course.lessons.len() - 1)
    }

    /// Iterates over the indexes of the unsolved lessons.
    pub fn unsolved(&self, course: &Course) -> impl Iterator<Item = usize> {
        let lessons = course.lessons.iter().enumerate();
        lessons.filter(|(_, lesson)| self.score(&lesson.name).is_none()).map(|(index, _)| index)
    }

    /// Makes a lesson the current one.
    pub fn go_to(&mut self, lesson: &str) {
        if self.lesson != lesson {
            self.hints = 0;
            lesson.clone_into(&mut self.lesson);
        }
    }

    /// Advances to the next hint of the current lesson and returns its number. The lesson has
    /// `count` hints. The first one follows the last one.
    pub fn next_hint(&mut self, count: usize) -> Option<usize> {
        let number = self.hints.checked_rem(count)?;
        self.hints = number + 1;
        Some(number)
    }

    /// Returns the student's lowest costs for a lesson, if it is solved.
    pub fn score(&self, lesson: &str) -> Option<Score> {
        self.solved.get(lesson).copied()
    }

    /// Records that a program has solved a lesson. The lowest value of each cost is kept.
    pub fn solve(&mut self, lesson: &str, score: Score) {
        let best = self.solved.entry(lesson.to_owned()).or_insert(score);
        best.words = best.words.min(score.words);
        best.instructions = best.instructions.min(score.instructions);
    }
}
