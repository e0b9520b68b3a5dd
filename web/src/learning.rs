//! A student's work on a course: the lessons, and the progress in them.

use std::collections::BTreeMap;

use gray1_isa::text::{grouped, printable};
use gray1_programs::TextStyle;
use gray1_programs::lessons::report;
use gray1_programs::lessons::{Course, Lesson, Progress, SOLUTION, SOLUTION_TESTS, Score, explain};
use gray1_sim::MachineSpec;

use crate::answer::{CourseReport, JobOutcome, LessonReport};
use crate::jobs::{CheckJob, CheckOutcome};
use crate::machine::Machine;
use crate::sources::{PageSources, SHARED};
use crate::test_machines::TestMachines;

/// A student's work on a course.
pub(crate) struct Learning {
    course: Course,
    /// The folder of the course, as the page names it. Empty for the built-in course.
    folder: String,
    /// The files of the course.
    files: PageSources,
    progress: Progress,
}

impl Learning {
    /// Opens a course from a folder, or the built-in course. `progress` is the saved progress. If
    /// it is damaged or belongs to another course, the student starts from the beginning.
    ///
    /// # Errors
    /// Returns a message with the position if the course is invalid.
    pub(crate) fn new(
        given: Option<(String, BTreeMap<String, String>)>,
        progress: &str,
    ) -> Result<Self, String> {
        let (course, folder, files) = match given {
            None => (Course::built_in(), String::new(), PageSources::built_in_lessons()),
            Some((folder, files)) => {
                (Course::from_files(&printable(&folder), &files)?, folder, PageSources::new(files))
            }
        };
        let place = (!folder.is_empty()).then(|| folder.clone());
        let kept = Progress::read(progress, "progress").ok();
        let kept = kept.and_then(|kept| kept.with_folder(&course, place.clone()).ok());
        let progress = kept.unwrap_or_else(|| Progress::start(&course, place));
        Ok(Self { course, folder, files, progress })
    }

    /// Returns everything that the page shows about the course.
    pub(crate) fn report(&self) -> CourseReport {
        let Course { title, ending, lessons, .. } = &self.course;
        let lessons = lessons.iter().map(|lesson| LessonReport {
            name: lesson.name.clone(),
            file: self.file(&lesson.name),
            title: lesson.title.clone(),
            page: lesson.page.clone(),
            hints: lesson.hints.len(),
            skeleton: lesson.skeleton.clone(),
            score: self.progress.score(&lesson.name).map(|Score { words, instructions }| {
                format!("{} words, {} instructions", grouped(words), grouped(instructions))
            }),
        });
        CourseReport {
            title: title.clone(),
            folder: self.folder.clone(),
            ending: ending.clone(),
            lessons: lessons.collect(),
            present: self.progress.current(&self.course),
            progress: self.progress.text().unwrap_or_default(),
        }
    }

    /// Returns the name of the file with the student's program for a lesson.
    fn file(&self, lesson: &str) -> String {
        if self.folder.is_empty() {
            format!("{lesson}.asm")
        } else {
            format!("{}/{lesson}.asm", self.folder)
        }
    }

    /// Returns the number and the title of the lesson that a file is a program for. The file name
    /// can end in `-2` and so on, because a link can bring another version of the program.
    pub(crate) fn title(&self, file: &str) -> Option<String> {
        let stem = file.trim_start_matches(SHARED).strip_suffix(".asm")?;
        let version = stem.rsplit_once('-').filter(|(_, number)| number.parse::<u32>().is_ok());
        let place = |stem: &str| {
            let file = format!("{stem}.asm");
            self.course.lessons.iter().position(|lesson| self.file(&lesson.name) == file)
        };
        let place = place(stem).or_else(|| place(version?.0))?;
        Some(format!("{}. {}", place + 1, self.course.lessons[place].title))
    }

    fn lesson(&self, name: &str) -> Result<&Lesson, String> {
        let place = self.course.find(name);
        place.map(|place| &self.course.lessons[place]).ok_or("there is no such lesson".to_owned())
    }

    /// Makes a lesson the current one.
    ///
    /// # Errors
    /// Returns a message if there is no lesson with this name.
    pub(crate) fn go(&mut self, lesson: &str) -> Result<CourseReport, String> {
        self.lesson(lesson)?;
        self.progress.go_to(lesson);
        Ok(self.report())
    }

    /// Returns the next hint of the current lesson, and the state of the course after it.
    pub(crate) fn hint(&mut self) -> (String, CourseReport) {
        let lesson = &self.course.lessons[self.progress.current(&self.course)];
        let number = self.progress.next_hint(lesson.hints.len());
        (report::format_hint(lesson, number, TextStyle::Plain), self.report())
    }

    /// Starts to check a program with the tests of a lesson.
    ///
    /// # Errors
    /// Returns a message if the program cannot be run, or if the tests are invalid.
    pub(crate) fn check(
        &self,
        lesson: &str,
        program: &str,
        sources: &PageSources,
    ) -> Result<CheckJob, String> {
        let Lesson { name, tests, .. } = self.lesson(lesson)?;
        let [solution, file] = [SOLUTION, SOLUTION_TESTS].map(|file| format!("{name}/{file}"));
        let machines = |program| {
            TestMachines::new((&file, tests), &self.files, MachineSpec::default(), program)
        };
        let yours = machines(sources.linked(program)?)?;
        let ours = self.files.linked(&solution).and_then(machines).ok();
        Ok(CheckJob::new(name.clone(), yours, ours))
    }

    /// Records the result of a check. Returns the result as text and the machine at the failure.
    /// The text does not include the LEDs, because the page draws them.
    pub(crate) fn record(
        &mut self,
        lesson: &str,
        outcome: CheckOutcome,
    ) -> Result<(JobOutcome, Option<Box<Machine>>), String> {
        Ok(match outcome {
            CheckOutcome::Solved(yours, ours) => {
                self.progress.solve(lesson, yours.fair_score(ours.as_ref()));
                let lesson = self.lesson(lesson)?;
                // The page has less space between the columns than a terminal.
                let costs = report::format_costs(&yours, ours.as_ref());
                let costs: String =
                    costs.lines().map(|line| line.replacen("     ", "", 1) + "\n").collect();
                let text = format!("Solved: {}\n\n{costs}", printable(&lesson.title));
                (JobOutcome { text, passed: true, ..JobOutcome::default() }, None)
            }
            CheckOutcome::Failed(case, failure, failed) => {
                let text =
                    report::format_failure(Some(&case), &explain(&failure), TextStyle::Plain);
                let leds = failure.step.leds();
                let leds = leds.map(|it| [it.expected.to_string(), it.actual.to_string()]);
                (
                    JobOutcome { text, leads: failed.is_some(), leds, ..JobOutcome::default() },
                    failed,
                )
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a source and returns the result.
    fn checked(learning: &mut Learning, lesson: &str, text: &str) -> Result<JobOutcome, String> {
        let mut sources = PageSources::default();
        sources.texts.0.insert("mine.asm".to_owned(), text.to_owned());
        let mut checking = learning.check(lesson, "mine.asm", &sources)?;
        loop {
            if let Some(outcome) = checking.advance()? {
                return learning.record(lesson, outcome).map(|(outcome, _)| outcome);
            }
        }
    }

    #[test]
    fn the_best_scores_are_kept_for_the_next_visit() {
        let mut learning = Learning::new(None, "").unwrap();
        let lesson = "01-first-led";
        checked(&mut learning, lesson, " LDI 1\n LDI 1\n ST 0x1fe0\n HALT\n").unwrap();
        checked(&mut learning, lesson, " LDI 1\n ST 0x1fe0\n HALT\n").unwrap();
        checked(&mut learning, lesson, " LDI 1\n LDI 1\n ST 0x1fe0\n HALT\n").unwrap();
        learning.go("02-bits").unwrap();
        let kept = learning.report().progress;
        let shown = Learning::new(None, &kept).unwrap().report();
        assert_eq!(shown.lessons[0].score.as_deref(), Some("3 words, 3 instructions"));
        assert_eq!(shown.present, 1);
        let anew = Learning::new(None, &kept.replace("solved", "sold")).unwrap().report();
        assert_eq!(anew.lessons[0].score, None);
    }

    #[test]
    fn a_course_is_read_from_the_files_of_a_folder() {
        let lessons = gray1_programs::LESSONS.iter();
        let of_two = lessons.filter(|file| !file.path.contains('/') || file.path < "03");
        let mut files: BTreeMap<String, String> =
            of_two.map(|file| (file.path.to_owned(), file.text.to_owned())).collect();
        files.remove("ending.md").unwrap();
        let mut learning = Learning::new(Some(("week1".to_owned(), files)), "").unwrap();
        assert_eq!(learning.report().ending, "");
        assert_eq!(learning.report().lessons[1].file, "week1/02-bits.asm");
        let passed = " LDI 1\n ST 0x1fe0\n HALT\n";
        assert!(checked(&mut learning, "01-first-led", passed).unwrap().passed);
    }
}
