//! `gray1 learn verify`: checks a course for its author.

use gray1_isa::text::{grouped, printable};
use gray1_programs::lessons::{Course, Lesson, SKELETON, SOLUTION, Score};
use gray1_programs::testing::MistakeReport;
use serde::Serialize;
use serde_json::json;

use super::check::{Checked, Checker};
use crate::cli::shared::options::FormatOptions;
use crate::cli::shared::outcome::{Done, Failure, Outcome, print_report};

/// The report on a lesson.
#[derive(Default, Serialize)]
struct LessonReport {
    lesson: String,
    passed: bool,
    /// The reason why the solution fails or the skeleton passes.
    error: Option<String>,
    /// The score of the solution.
    #[serde(flatten)]
    score: Option<Score>,
    #[serde(flatten)]
    mistakes: Option<MistakeReport>,
}

impl LessonReport {
    fn text(&self) -> String {
        let verdict = if self.passed { "ok    " } else { "FAILED" };
        let score = self.score.map(|Score { words, instructions }| {
            format!("{} words, {} instructions", grouped(words), grouped(instructions))
        });
        let result = self.error.clone().or(score).unwrap_or_default();
        let mistakes = self.mistakes.as_ref().map(MistakeReport::text).unwrap_or_default();
        format!("{verdict}  {}: {result}\n{mistakes}", printable(&self.lesson))
    }
}

/// Checks that every solution passes, that every skeleton fails, and that the tests notice
/// mutations of the solution. Prints a line for each lesson, or one document.
pub(super) fn verify(course: &Course, checker: &mut Checker, format: FormatOptions) -> Outcome {
    let mut reports = Vec::new();
    for lesson in &course.lessons {
        let report = check_lesson(course, lesson, checker)?;
        if !format.is_json() {
            print_report(&report.text())?;
        }
        reports.push(report);
    }
    let is_right = reports.iter().all(|report| report.passed);
    format.print(String::new, || json!({ "lessons": reports }))?;
    Ok(if is_right { Done::Success } else { Done::Refuted })
}

/// Checks a lesson.
fn check_lesson(
    course: &Course,
    lesson: &Lesson,
    checker: &mut Checker,
) -> Result<LessonReport, Failure> {
    let solution = checker.check_given(course, lesson, SOLUTION)?;
    let skeleton = checker.check_given(course, lesson, SKELETON)?;
    let report = LessonReport { lesson: lesson.name.clone(), ..LessonReport::default() };
    Ok(match (solution, skeleton) {
        (Checked::Solved(solved), Checked::Failed { .. }) => {
            let mistakes = checker.find_mistakes(course, lesson)?;
            let (passed, score) = (mistakes.is_good(), Some(solved.score));
            LessonReport { passed, score, mistakes: Some(mistakes), ..report }
        }
        (Checked::Failed { why, .. }, _) => {
            LessonReport { error: Some(format!("{SOLUTION} does not pass\n{why}")), ..report }
        }
        (_, Checked::Solved(_)) => {
            LessonReport { error: Some(format!("{SKELETON} already passes")), ..report }
        }
    })
}
