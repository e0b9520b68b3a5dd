//! The file formats of a course, in Rusty Object Notation, and the parts that progress files share.
//!
//! An incompatible change needs a new [`VERSION`].

use ron::Options;
use ron::extensions::Extensions;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use crate::classroom::notation::describe_error;

/// The supported version of the formats.
pub(super) const VERSION: u64 = 1;

/// The contents of `course.ron`.
#[derive(Deserialize)]
#[serde(rename = "Course", deny_unknown_fields)]
pub(super) struct CourseDocument {
    #[serde(rename = "version", deserialize_with = "version")]
    _version: u64,
    pub(super) title: String,
    /// The folders of the lessons, in order. Courses on web servers need them, because servers do
    /// not list folders.
    pub(super) lessons: Option<Vec<String>>,
}

/// The contents of `lesson.ron`.
#[derive(Deserialize)]
#[serde(rename = "Lesson", deny_unknown_fields)]
pub(super) struct LessonDocument {
    #[serde(rename = "version", deserialize_with = "version")]
    _version: u64,
    pub(super) title: String,
    /// The hints, from a small nudge to almost the solution.
    pub(super) hints: Vec<String>,
}

/// Reads the version of a document, and refuses all but the supported one.
pub(super) fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let version = u64::deserialize(from)?;
    if version == VERSION {
        return Ok(version);
    }
    Err(D::Error::custom(format_args!("version {version} is not supported, only {VERSION}")))
}

/// Reads a document. `name` is the file's name for error messages.
pub(super) fn read<T: DeserializeOwned>(text: &str, name: &str) -> Result<T, String> {
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| {
        let place = error.span.start;
        format!("{name}:{}:{}: {}", place.line, place.col, describe_error(&error.code))
    })
}
