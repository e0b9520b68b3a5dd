//! The messages that students see: pages, hints, scores and the list of lessons, with or without
//! colours.

use std::fmt::Write as _;

use gray1_isa::panel::{Display, Led};
use gray1_isa::text::{grouped, printable, wrap};

use super::check::Solved;
use super::{Course, Lesson, Progress, Score};
use crate::text_style::TextStyle;

/// The maximum length of a wrapped line, in characters.
const LINE_MAX: usize = 78;

/// Escape sequences for emphasis in terminals. Green and yellow are backgrounds of black letters,
/// because they are not readable on white.
const HEADING: &str = "\x1b[1m";
const CODE: &str = "\x1b[35m";
const GOOD: &str = "\x1b[30;42m";
const BAD: &str = "\x1b[1;31m";

impl TextStyle {
    fn heading(self, text: &str) -> String {
        self.paint(HEADING, &printable(text)) + "\n"
    }

    /// Formats Markdown. Lines indented by four blanks and spans in backquotes are code, and spans
    /// between `**` are bold. Without colours, the Markdown stays unchanged.
    fn markdown(self, text: &str) -> String {
        let line = |line: &str| {
            let line = printable(line);
            if line.starts_with("    ") { self.paint(CODE, &line) } else { self.spans(&line) }
        };
        text.lines().flat_map(|text| [line(text), "\n".to_owned()]).collect()
    }

    /// Colours code spans in backquotes, and makes spans between `**` bold. Without colours, the
    /// text stays unchanged.
    fn spans(self, text: &str) -> String {
        if self == Self::Plain {
            return text.to_owned();
        }
        let parts = text.split('`').enumerate().map(|(n, part)| match n % 2 {
            0 => self.bold(part),
            _ => self.paint(CODE, part),
        });
        parts.collect()
    }

    /// Makes the text between pairs of `**` bold.
    fn bold(self, text: &str) -> String {
        let parts: Vec<&str> = text.split("**").collect();
        if parts.len().is_multiple_of(2) {
            // The marks are not in pairs, so they are literal stars.
            return text.to_owned();
        }
        let parts = parts.iter().enumerate().map(|(n, part)| match n % 2 {
            0 => (*part).to_owned(),
            _ => self.paint(HEADING, part),
        });
        parts.collect()
    }

    fn led(self, led: Led) -> String {
        let letter = led.letter().to_string();
        match led {
            Led::Dark => letter,
            Led::Green => self.paint(GOOD, &letter),
            Led::Red => self.paint("\x1b[30;41m", &letter),
            Led::Yellow => self.paint("\x1b[30;43m", &letter),
        }
    }
}

/// Returns the page of a lesson.
pub fn format_page(course: &Course, index: usize, style: TextStyle) -> String {
    let lessons = &course.lessons;
    let lesson = &lessons[index];
    let heading = format!("Lesson {} of {}: {}", index + 1, lessons.len(), lesson.title);
    format!("{}\n{}\n", style.heading(&heading), style.markdown(&lesson.page))
}

/// Returns the page for students who have solved all lessons.
pub fn format_ending(course: &Course, progress: &Progress, style: TextStyle) -> String {
    let heading = style.heading(&format!("The end of: {}", course.title));
    let list = format_list(course, progress, style);
    format!("{heading}\n{}\n{list}", style.markdown(&course.ending))
}

/// Returns the message for a program that does not solve a lesson. `case` is the failed case, or
/// `None` if the program cannot be run. `why` is the reason, which can have several lines.
pub fn format_failure(case: Option<&str>, why: &str, style: TextStyle) -> String {
    let case = case.map(|case| format!(" ({})", printable(case))).unwrap_or_default();
    format!("{} {why}\n", style.paint(BAD, &format!("Not yet{case}:")))
}

/// Returns the message for a solved lesson, with the LEDs, and the program's costs next to the
/// solution's.
pub fn format_success(
    lesson: &Lesson,
    yours: &Solved,
    ours: Option<&Solved>,
    style: TextStyle,
) -> String {
    let title = printable(&lesson.title);
    let picture = format_leds(&yours.display, style);
    format!("{} {title}\n\n{picture}{}", style.paint(GOOD, "Solved:"), format_costs(yours, ours))
}

/// Returns the costs of a program next to those of the solution, or an empty string without a
/// solution.
pub fn format_costs(yours: &Solved, ours: Option<&Solved>) -> String {
    let Some(Solved { score: ours, .. }) = ours else { return String::new() };
    let mut text = String::new();
    let is_short = yours.ran_off;
    let _ = writeln!(text, "  {:12}  {:>12}  {:>12}", "", "yours", "the solution");
    for (what, yours, ours) in [
        ("words", yours.score.words, ours.words),
        ("instructions", yours.score.instructions, ours.instructions),
    ] {
        let mark = if yours < ours && !is_short { "  fewer!" } else { "" };
        let [yours, ours] = [yours, ours].map(grouped);
        let _ = writeln!(text, "  {what:12}  {yours:>12}  {ours:>12}{mark}");
    }
    if is_short {
        text += "\n  Your program has no HALT and ran into erased memory, so being shorter does not count.\n";
    }
    text.push('\n');
    text
}

/// Draws the LEDs, if any is lit.
fn format_leds(display: &Display, style: TextStyle) -> String {
    if *display == Display::default() {
        return String::new();
    }
    let rows = (0..8).map(|row| {
        let leds: Vec<String> = (0..8).map(|column| style.led(display.led(row, column))).collect();
        format!("  {}\n", leds.join(" "))
    });
    rows.collect::<String>() + "\n"
}

/// Returns the hint with this number, counted from 0, if there is one.
pub fn format_hint(lesson: &Lesson, number: Option<usize>, style: TextStyle) -> String {
    let Some(number) = number else { return "This lesson has no hints.\n\n".to_owned() };
    let heading = format!("Hint {} of {}", number + 1, lesson.hints.len());
    let lines = wrap(&printable(&lesson.hints[number]), LINE_MAX);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    format!("{}{}\n\n", style.heading(&heading), style.spans(&lines.join("\n")))
}

/// Returns the list of all lessons, with scores.
pub fn format_list(course: &Course, progress: &Progress, style: TextStyle) -> String {
    let mut text = style.heading(&course.title);
    let titles: Vec<String> = course.lessons.iter().map(|it| printable(&it.title)).collect();
    let width = titles.iter().map(|title| title.chars().count()).max().unwrap_or_default();
    for (index, (lesson, title)) in course.lessons.iter().zip(titles).enumerate() {
        let mark = if index == progress.current(course) { '>' } else { ' ' };
        let score = progress.score(&lesson.name);
        let score = score.map(|Score { words, instructions }| {
            let [words, instructions] = [words, instructions].map(grouped);
            format!("{words:>5} words  {instructions:>9} instructions")
        });
        let line = format!("{mark} {:2}  {title:width$}  {}", index + 1, score.unwrap_or_default());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text + &format_bar(course, progress) + "\n\n"
}

/// Returns a progress bar with one character for each lesson.
pub fn format_bar(course: &Course, progress: &Progress) -> String {
    let lessons = &course.lessons;
    let is_solved = |lesson: &&Lesson| progress.score(&lesson.name).is_some();
    let marks = lessons.iter().enumerate().map(|(index, lesson)| match () {
        () if is_solved(&lesson) => '#',
        () if index == progress.current(course) => '>',
        () => '.',
    });
    let marks: String = marks.collect();
    let solved = lessons.iter().filter(is_solved).count();
    format!("[{marks}] {solved} of {} solved", lessons.len())
}

/// Returns the solution of a lesson.
pub fn format_solution(lesson: &Lesson) -> String {
    lesson.solution.lines().flat_map(|line| [printable(line), "\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_only_pairs_of_double_stars_as_bold() {
        let spans = |text| TextStyle::Coloured.spans(text);
        assert_eq!(spans("a **b** c `d ** e`"), "a \x1b[1mb\x1b[m c \x1b[35md ** e\x1b[m");
        assert_eq!(spans("2 ** 3"), "2 ** 3");
        assert_eq!(TextStyle::Plain.spans("a **b**"), "a **b**");
    }
}
