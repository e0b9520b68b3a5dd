//! Lessons: a course, built in or a teacher's folder, and how far a student has come in it.
//!
//! A lesson is a page to read, a program to complete, a solution, and the tests that tell whether a
//! program solves it ([`check()`]).

mod check;
mod course;
mod document;
mod progress;
pub mod report;

pub use check::{CheckResult, LessonCheck, Solved, check};
pub use course::{COURSE, Course, LESSON, Lesson, SKELETON, SOLUTION, SOLUTION_TESTS, no_lessons};
pub use progress::{Progress, Score};
