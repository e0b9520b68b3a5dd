//! A student's folder, with the student's programs and progress in a course.

use std::path::{Path, PathBuf};

use gray1_programs::TextStyle;
use gray1_programs::lessons::report;
use gray1_programs::lessons::{Course, Lesson, Progress};
use gray1_programs::testing::TEST_SUFFIX;

use crate::cli::shared::machine::quote;
use crate::files;
use crate::lessons::{self, PROGRESS_FILE};

/// The folder of programs for the built-in course.
const FOLDER: &str = "gray1-lessons";

/// A student in a course.
pub(super) struct Student {
    pub(super) course: Course,
    pub(super) progress: Progress,
    /// The folder with the student's programs. Empty for the current folder.
    folder: PathBuf,
    /// The options that select this folder and course, each with a space before it.
    options: String,
}

impl Student {
    /// Loads a student's course and progress. Without `course`, loads the course that was begun in
    /// the folder, or else the built-in one. Without `folder`, uses the current folder if a course
    /// was begun there, or else the default folder.
    pub(super) fn load(course: Option<&Path>, folder: Option<&Path>) -> Result<Self, String> {
        let given = folder;
        let folder = given.map_or_else(|| default_folder(course), Path::to_owned);
        let kept = lessons::load(&folder)?;
        // The progress in a folder that is given or current names its course.
        let is_found = kept.is_some() && (given.is_some() || folder == Path::new(""));
        let options = [("folder", given), ("course", course.filter(|_| !is_found))];
        let options = options.into_iter().filter_map(|(name, path)| {
            Some(format!(" --{name} {}", quote(&path?.to_string_lossy())))
        });
        let options = options.collect();
        let course = match course.or_else(|| kept.as_ref()?.course()) {
            None => Course::built_in(),
            Some(course) => lessons::course(course)?,
        };
        let progress = match kept {
            None => lessons::start(&course),
            Some(kept) => lessons::relocate(kept, &course, &folder)?,
        };
        Ok(Self { course, progress, folder, options })
    }

    /// The index of the current lesson in the course.
    pub(super) fn current(&self) -> usize {
        self.progress.current(&self.course)
    }

    /// The list of all lessons, with scores.
    pub(super) fn list(&self, style: TextStyle) -> String {
        report::format_list(&self.course, &self.progress, style)
    }

    /// The command line of an action.
    pub(super) fn command(&self, action: &str) -> String {
        format!("gray1 learn {action}{}", self.options)
    }

    /// The path of the student's program.
    pub(super) fn file(&self, lesson: &Lesson) -> PathBuf {
        files::inside(&self.folder, format!("{}.asm", lesson.name))
    }

    /// The copy of the tests next to the program, for `gray1 test` and `gray1 debug --test`.
    pub(super) fn tests_file(&self, lesson: &Lesson) -> PathBuf {
        files::inside(&self.folder, format!("{}{TEST_SUFFIX}", lesson.name))
    }

    /// Writes the skeleton of a lesson, unless the student's program exists, and a copy of its
    /// tests.
    pub(super) fn prepare(&mut self, index: usize) -> Result<(), String> {
        files::make_folder(&self.folder)?;
        let lesson = &self.course.lessons[index];
        let file = self.file(lesson);
        files::write_new(&file, lesson.skeleton.as_bytes())?;
        let tests = self.tests_file(lesson);
        let is_there = files::read_own(&tests).is_ok_and(|it| it == lesson.tests.as_bytes());
        if !is_there {
            files::rewrite_unlinked(&tests, lesson.tests.as_bytes())?;
        }
        self.change(|_| ()).1
    }

    /// Reads the progress that other processes may have saved, changes it and saves it. If saving
    /// fails, only the progress in memory changes, and the error says so.
    pub(super) fn change<T>(
        &mut self,
        change: impl FnOnce(&mut Progress) -> T,
    ) -> (T, Result<(), String>) {
        let locked = self.lock();
        let result = change(&mut self.progress);
        let kept = locked.and_then(|_lock| lessons::save(&self.progress, &self.folder));
        (result, kept)
    }

    /// Locks the folder, which is created if it is missing, and loads the progress in it.
    fn lock(&mut self) -> Result<impl Sized + use<>, String> {
        files::make_folder(&self.folder)?;
        let lock = files::lock(&self.folder).map_err(|error| {
            format!("cannot write to {}: {error}", files::printable(&self.folder))
        })?;
        if let Some(kept) = lessons::load(&self.folder)? {
            self.progress = lessons::relocate(kept, &self.course, &self.folder)?;
        }
        Ok(lock)
    }
}

/// The default folder for the programs.
fn default_folder(course: Option<&Path>) -> PathBuf {
    if Path::new(PROGRESS_FILE).is_file() {
        return PathBuf::new();
    }
    let name = course.and_then(|course| files::canonical(course).ok());
    let name = name.as_deref().and_then(Path::file_name);
    name.map_or_else(|| FOLDER.into(), |name| format!("{}-lessons", name.display()).into())
}
