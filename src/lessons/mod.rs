//! Lessons: a course, built in or a teacher's folder, and how far a student has come in it.
//!
//! A lesson is a page to read, a program to complete, a solution, and the tests that tell whether a
//! program solves it. What runs the tests, and what is said to the student, is in `cli/learn`.

mod course;
mod document;
mod progress;

pub(crate) use course::{Course, Lesson, SKELETON, SOLUTION, SOLUTION_TESTS};
pub(crate) use progress::{PROGRESS_FILE, Progress, Score};
