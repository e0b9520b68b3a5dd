//! A student in a course: the folder with the student's programs, and what is kept there.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::cli::complete::TEST_SUFFIX;
use crate::files;
use crate::lessons::{Course, Lesson, PROGRESS_FILE, Progress};

/// Where the programs for the built-in course are kept.
const FOLDER: &str = "gray1-lessons";

/// A student in a course.
pub(super) struct Student {
    pub(super) course: Course,
    pub(super) progress: Progress,
    /// The folder with the student's programs; empty for the current one.
    folder: PathBuf,
}

impl Student {
    /// Finds out where a student is. Without a `course`, it is the one that was begun in the
    /// folder, or the built-in one; without a `folder`, it is the current one if a course was begun
    /// there.
    pub(super) fn enter(course: Option<&Path>, folder: Option<&Path>) -> Result<Self, String> {
        let folder = folder.map_or_else(|| folder_for(course), Path::to_owned);
        let kept = Progress::load(&folder)?;
        let course = match course.or_else(|| kept.as_ref()?.course()) {
            None => Course::built_in(),
            Some(course) => Course::load(course)?,
        };
        let progress = match kept {
            None => Progress::start(&course),
            Some(kept) if kept.title() == course.title => kept.moved(&course),
            Some(kept) => {
                let (file, title) = (printable(&folder.join(PROGRESS_FILE)), kept.title());
                return Err(format!(
                    "{file} is about another course, \"{}\"; --folder names another folder",
                    gray1_isa::text::printable(title)
                ));
            }
        };
        Ok(Self { course, progress, folder })
    }

    /// The place of the present lesson in the course.
    pub(super) fn present(&self) -> usize {
        self.progress.present(&self.course)
    }

    /// The file of the student's program.
    pub(super) fn file(&self, lesson: &Lesson) -> PathBuf {
        self.folder.join(format!("{}.asm", lesson.name))
    }

    /// The copy of the tests beside it, for `gray1 test` and `gray1 debug --test`.
    pub(super) fn tests_file(&self, lesson: &Lesson) -> PathBuf {
        self.folder.join(format!("{}{TEST_SUFFIX}", lesson.name))
    }

    /// Writes what the student begins a lesson with, unless the student's program is there.
    pub(super) fn begin(&self, index: usize) -> Result<(), String> {
        fs::create_dir_all(&self.folder)
            .map_err(|error| format!("cannot create {}: {error}", printable(&self.folder)))?;
        let lesson = &self.course.lessons[index];
        let file = self.file(lesson);
        files::write_new(&file, lesson.skeleton.as_bytes())
            .map_err(|error| cannot_write(&file, &error))?;
        let tests = self.tests_file(lesson);
        let is_there = fs::read(&tests).is_ok_and(|bytes| bytes == lesson.tests.as_bytes());
        if !is_there {
            files::rewrite(&tests, lesson.tests.as_bytes())
                .map_err(|error| cannot_write(&tests, &error))?;
        }
        self.save()
    }

    /// Goes to a lesson.
    pub(super) fn go(&mut self, index: usize) -> Result<(), String> {
        self.progress.go(&self.course.lessons[index].name);
        self.begin(index)
    }

    /// Keeps how far the student has come.
    pub(super) fn save(&self) -> Result<(), String> {
        self.progress.save(&self.folder)
    }
}

/// The folder for the programs if the student names none.
fn folder_for(course: Option<&Path>) -> PathBuf {
    if Path::new(PROGRESS_FILE).is_file() {
        return PathBuf::new();
    }
    let name = course.and_then(|course| course.canonicalize().ok());
    let name = name.as_deref().and_then(Path::file_name);
    name.map_or_else(|| FOLDER.into(), |name| format!("{}-lessons", name.display()).into())
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", printable(path))
}

fn printable(path: &Path) -> String {
    files::printable(path)
}
