//! Lessons: a course, built in or in a teacher's folder, and a student's progress in it.
//!
//! A lesson consists of a page to read, a program to complete, a solution, and the tests that
//! decide whether a program solves it ([`LessonCheck`]).

mod check;
mod course;
mod document;
mod explain;
mod progress;
pub mod report;

pub use check::{CheckResult, LessonCheck, Solved};
pub use course::{
    COURSE, Course, LESSON, Lesson, OWN_TESTS, SKELETON, SOLUTION, SOLUTION_TESTS, no_lessons,
};
pub use explain::{explain, explain_power_up};
pub use progress::{Progress, Score};
