//! Reads courses from teachers' folders, and the file with a student's progress. That file is in
//! the folder of the student's programs, so that they are moved, kept and submitted together.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gray1_isa::format;
use gray1_isa::text::printable;
use gray1_programs::lessons::{COURSE, Course, LESSON, Lesson, Progress, no_lessons};

use crate::files;

/// The name of the file with a student's progress.
pub(crate) const PROGRESS_FILE: &str = "progress.ron";

/// Reads a course from a folder. Errors are messages with the file and the position in it.
pub(crate) fn course(folder: &Path) -> Result<Course, String> {
    let shown = files::printable(folder);
    let cannot_read = |error| format!("cannot read {shown}: {error}");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot_read)? {
        let entry = entry.map_err(cannot_read)?;
        if entry.path().join(LESSON).is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    if names.is_empty() && !folder.join(COURSE).is_file() {
        return Err(no_lessons(&shown));
    }
    let read = |path: &str| files::read_text(&files::inside(folder, path));
    let course = Course::read(names, |path| files::printable(files::inside(folder, path)), read)?;
    Ok(Course { folder: Some(folder.to_owned()), ..course })
}

/// The path of a lesson's file, for messages.
pub(crate) fn lesson_path(course: &Course, lesson: &Lesson, file: &str) -> PathBuf {
    let folder = course.folder.as_deref().unwrap_or(Path::new(""));
    files::inside(folder, format!("{}/{file}", lesson.name))
}

/// The progress of a student at the start of a course.
pub(crate) fn start(course: &Course) -> Progress {
    Progress::start(course, course_folder(course))
}

/// Reads the progress in a folder, if there is any.
pub(crate) fn load(folder: &Path) -> Result<Option<Progress>, String> {
    let file = files::inside(folder, PROGRESS_FILE);
    let name = files::printable(&file);
    let bytes = match files::read_own(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|error| format!("cannot read {name}: {error}"))?,
    };
    let text =
        format::into_text(bytes).map_err(|error| files::message(&file, error.position, &error))?;
    Progress::read(&text, &name).map(Some)
}

/// Saves a student's progress in a folder.
pub(crate) fn save(progress: &Progress, folder: &Path) -> Result<(), String> {
    let file = files::inside(folder, PROGRESS_FILE);
    files::rewrite_unlinked(&file, progress.text()?.as_bytes())
}

/// Returns the progress that was read from `folder`, with the course's current folder in it.
///
/// # Errors
/// If it belongs to a course with another title.
pub(crate) fn relocate(kept: Progress, course: &Course, folder: &Path) -> Result<Progress, String> {
    kept.with_folder(course, course_folder(course)).map_err(|other| {
        let (file, title) =
            (files::printable(files::inside(folder, PROGRESS_FILE)), printable(&other));
        format!(
            "{file} belongs to another course, \"{title}\"; choose another folder with --folder"
        )
    })
}

/// The absolute path of the course's folder. `None` for the built-in course.
fn course_folder(course: &Course) -> Option<String> {
    let folder = course.folder.as_ref()?;
    let folder = files::canonical(folder).unwrap_or_else(|_| folder.clone());
    Some(folder.to_string_lossy().into_owned())
}
