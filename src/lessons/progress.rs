//! A student's progress: a file in the folder with the student's programs, so that both are
//! moved, kept and handed in together.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use gray1_isa::format;
use gray1_isa::text::printable;

use super::course::Course;
use super::document::{ProgressDocument, Version, read};
use crate::files;

pub(crate) use super::document::Score;

/// The name of the file.
pub(crate) const PROGRESS_FILE: &str = "progress.ron";

/// A student's progress in a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Progress(ProgressDocument);

impl Progress {
    /// The start of a course, at its first lesson.
    pub(crate) fn start(course: &Course) -> Self {
        Self(ProgressDocument {
            version: Version,
            title: course.title.clone(),
            course: place_of(course),
            lesson: course.lessons[0].name.clone(),
            hints: 0,
            solved: BTreeMap::new(),
        })
    }

    /// Reads what is kept in a folder. `None` if nothing is.
    pub(crate) fn load(folder: &Path) -> Result<Option<Self>, String> {
        let file = folder.join(PROGRESS_FILE);
        let name = files::printable(&file);
        let bytes = match files::read_own(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|error| format!("cannot read {name}: {error}"))?,
        };
        let text = format::into_text(bytes).map_err(|error| files::refused(&file, &error))?;
        read(&text, &name).map(|document| Some(Self(document)))
    }

    /// Keeps it in a folder.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), String> {
        let file = folder.join(PROGRESS_FILE);
        let pretty = ron::ser::PrettyConfig::default().struct_names(true);
        let text =
            ron::ser::to_string_pretty(&self.0, pretty).map_err(|error| error.to_string())?;
        files::rewrite_unlinked(&file, format!("{text}\n").as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", files::printable(&file)))
    }

    /// The same, with the course where it is now.
    ///
    /// # Errors
    /// If it is about a course of another title.
    pub(crate) fn moved(self, course: &Course, folder: &Path) -> Result<Self, String> {
        if self.0.title == course.title {
            return Ok(Self(ProgressDocument { course: place_of(course), ..self.0 }));
        }
        let (file, title) =
            (files::printable(folder.join(PROGRESS_FILE)), printable(&self.0.title));
        Err(format!("{file} is about another course, \"{title}\"; --folder names another folder"))
    }

    /// The folder of the course, unless it is built in.
    pub(crate) fn course(&self) -> Option<&Path> {
        self.0.course.as_deref().map(Path::new)
    }

    /// The place of the present lesson in the course: the one that is named, or, if the course has
    /// it no more, the first that is not solved.
    pub(crate) fn present(&self, course: &Course) -> usize {
        let named = course.lessons.iter().position(|lesson| lesson.name == self.0.lesson);
        named.or_else(|| self.open(course).next()).unwrap_or(course.lessons.len() - 1)
    }

    /// The places of the lessons that are not solved.
    pub(crate) fn open(&self, course: &Course) -> impl Iterator<Item = usize> {
        let lessons = course.lessons.iter().enumerate();
        lessons.filter(|(_, lesson)| self.score(&lesson.name).is_none()).map(|(index, _)| index)
    }

    /// Goes to a lesson.
    pub(crate) fn go(&mut self, lesson: &str) {
        if self.0.lesson != lesson {
            self.0.hints = 0;
            lesson.clone_into(&mut self.0.lesson);
        }
    }

    /// The number of the next hint of the present lesson, which has so many. After the last one
    /// comes the first one again.
    pub(crate) fn next_hint(&mut self, count: usize) -> Option<usize> {
        let number = self.0.hints.checked_rem(count)?;
        self.0.hints = number + 1;
        Some(number)
    }

    /// The least costs of the programs that solved a lesson.
    pub(crate) fn score(&self, lesson: &str) -> Option<Score> {
        self.0.solved.get(lesson).copied()
    }

    /// A program has solved a lesson.
    pub(crate) fn solve(&mut self, lesson: &str, score: Score) {
        let best = self.0.solved.entry(lesson.to_owned()).or_insert(score);
        best.words = best.words.min(score.words);
        best.instructions = best.instructions.min(score.instructions);
    }
}

/// The folder of a course, by a name that means the same wherever the student is the next time.
fn place_of(course: &Course) -> Option<String> {
    let folder = course.folder.as_ref()?;
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    Some(folder.to_string_lossy().into_owned())
}
