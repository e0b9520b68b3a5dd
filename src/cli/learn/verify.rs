//! `gray1 learn verify`: checks a course for its author.

use gray1_isa::text::grouped;
use gray1_isa::text::printable;
use gray1_programs::lessons::{Course, SKELETON, SOLUTION};

use super::check::{Checked, Checker};
use crate::cli::{Done, Outcome, failure, print};

/// Checks that every solution passes, that every skeleton fails, and that the tests notice mistakes
/// in the solution. Prints a line for each lesson.
pub(super) fn verify(course: &Course, checker: &mut Checker) -> Outcome {
    let mut is_right = true;
    for lesson in &course.lessons {
        let solution = checker.check_given(course, lesson, SOLUTION).map_err(failure)?;
        let skeleton = checker.check_given(course, lesson, SKELETON).map_err(failure)?;
        let name = printable(&lesson.name);
        print(&match (solution, skeleton) {
            (Checked::Interrupted(number), _) | (_, Checked::Interrupted(number)) => {
                return Ok(Done::Signal(number));
            }
            (Checked::Solved(solved), Checked::Failed { .. }) => {
                let [words, instructions] =
                    [solved.score.words, solved.score.instructions].map(grouped);
                let Some(report) = checker.find_mistakes(course, lesson).map_err(failure)? else {
                    return Ok(Done::Signal(checker.signals.received().unwrap_or_default()));
                };
                is_right &= report.is_empty();
                let verdict = if report.is_empty() { "ok    " } else { "FAILED" };
                let mistakes = report.text();
                format!("{verdict}  {name}: {words} words, {instructions} instructions\n{mistakes}")
            }
            (Checked::Failed { why, .. }, _) => {
                is_right = false;
                format!("FAILED  {name}: {SOLUTION} does not pass\n{why}\n")
            }
            (_, Checked::Solved(_)) => {
                is_right = false;
                format!("FAILED  {name}: {SKELETON} passes as it is\n")
            }
        })?;
    }
    Ok(if is_right { Done::Well } else { Done::Refuted })
}
