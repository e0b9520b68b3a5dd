//! Explains to students why their program does not solve a lesson.

use gray1_isa::PowerUp;
use gray1_isa::panel::{Led, SIDE};
use gray1_isa::text::printable;

use crate::testing::{CaseFailure, Comparison};

/// The names of the rows, from the top.
const ROWS: [&str; SIDE] =
    ["top", "second", "third", "fourth", "fifth", "sixth", "seventh", "bottom"];
/// The letter for an LED that the test file does not specify.
const ANY: char = '?';
const DARK: char = Led::Dark.letter();

/// The letters of the panel's 64 LEDs, row by row.
type Squares = [char; SIDE * SIDE];

/// Explains why a case failed, in sentences.
#[must_use]
pub fn explain(failure: &CaseFailure) -> String {
    let CaseFailure { summary, comparison, ram, .. } = failure;
    let power_up = ram.map(|ram| format!(" (memory at power-up: {ram})")).unwrap_or_default();
    let summary = summary.strip_suffix(&power_up).unwrap_or(summary);
    let sentences = match comparison {
        Some(leds) if leds.are_leds() && summary.starts_with("the LEDs") => {
            let [expected, actual] = [&leds.expected, &leds.actual].map(|it| parse_leds(it));
            compare_leds(&expected, &actual)
        }
        Some(leds) if leds.are_leds() => to_sentence(summary),
        Some(texts) if texts.output_line.is_some() => compare_output(summary, texts),
        Some(Comparison { expected, actual, .. }) => {
            // Drop the hexadecimal form in brackets.
            let decimal = |text: &str| text.split(" (").next().unwrap_or_default().to_owned();
            match summary.strip_suffix(" differs").filter(|value| value.starts_with('`')) {
                Some(value) => {
                    format!("{value} is {}. It should be {}.", decimal(actual), decimal(expected))
                }
                None => format!("{} Expected: {expected}. Found: {actual}.", to_sentence(summary)),
            }
        }
        None if summary.ends_with("before `led`") => {
            to_sentence(&summary.replace("before `led`", "before an LED changed"))
        }
        None => to_sentence(summary),
    };
    sentences
        + match ram {
            None | Some(PowerUp::Zero) => "",
            Some(PowerUp::Ones) => " Before the start, all bits of memory were 1.",
            Some(PowerUp::Random(_)) => " Before the start, memory held random bytes.",
        }
}

/// Turns a line of a test report into a sentence.
fn to_sentence(summary: &str) -> String {
    let summary = summary.replacen("the program", "your program", 1);
    let mut letters = summary.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// Compares the printed output with the expected output.
fn compare_output(summary: &str, texts: &Comparison) -> String {
    let quoted = |text: &str| match text.strip_suffix('\n') {
        None if text.is_empty() => "nothing".to_owned(),
        None => format!("“{}”", printable(text)),
        Some("") => "the end of a line".to_owned(),
        Some(line) => format!("“{}” and the end of the line", printable(line)),
    };
    let line = texts.output_line.filter(|line| *line > 1);
    let place = line.map(|line| format!("In line {line}, ")).unwrap_or_default();
    let printed = format!("{place}your program printed {}", quoted(&texts.actual));
    let end = match summary.strip_prefix("the limit of ").and_then(|it| it.split(" was").next()) {
        Some(instructions) => format!(" in {instructions}"),
        None if summary.starts_with("the program halted") => " and halted".to_owned(),
        None => String::new(),
    };
    format!("{} It should print {}.", to_sentence(&(printed + &end)), quoted(&texts.expected))
}

fn parse_leds(text: &str) -> Squares {
    let mut letters = text.chars().filter(|letter| !letter.is_whitespace());
    std::array::from_fn(|_| letters.next().unwrap_or(DARK))
}

/// Describes the column of an LED.
fn describe_column(square: usize) -> String {
    match square % SIDE {
        0 => "at the left end".to_owned(),
        7 => "at the right end".to_owned(),
        column @ 1..4 => format!("{} from the left", ROWS[column]),
        column => format!("{} from the right", ROWS[SIDE - 1 - column]),
    }
}

/// Describes the row and the column of an LED.
fn describe_place(square: usize) -> String {
    let column = describe_column(square);
    let of = if column.ends_with("end") { "of" } else { "in" };
    format!("{column} {of} the {} row", ROWS[square / SIDE])
}

/// Returns the name of the colour for a letter.
fn colour_name(letter: char) -> &'static str {
    Led::ALL.iter().find(|led| led.letter() == letter).map_or("lit", |led| led.name())
}

/// Describes a single mistake that explains all differences, or else the first difference.
fn compare_leds(expected: &Squares, actual: &Squares) -> String {
    let lit = |squares: &Squares| (0..squares.len()).filter(|&n| squares[n] != DARK).collect();
    let [wanted, found]: [Vec<usize>; 2] = [lit(expected), lit(actual)];
    let other_colour = |letter| match letter {
        'G' => 'R',
        'R' => 'G',
        other => other,
    };
    let is = |other: &dyn Fn(usize) -> char| (0..actual.len()).all(|n| actual[n] == other(n));
    let is_wrong = |&n: &usize| expected[n] != ANY && expected[n] != actual[n];
    let wrong: Vec<usize> = (0..actual.len()).filter(is_wrong).collect();
    match (&wanted[..], &found[..], &wrong[..]) {
        (&[to], &[from], _) if expected[to] != ANY => {
            compare_two((to, expected[to]), (from, actual[from]))
        }
        _ if is(&|n| expected[n ^ (SIDE - 1)]) => "Left and right are swapped.".to_owned(),
        _ if is(&|n| expected[n ^ (SIDE * (SIDE - 1))]) => "Top and bottom are swapped.".to_owned(),
        _ if is(&|n| other_colour(expected[n])) => "Green and red are swapped.".to_owned(),
        (.., &[]) => String::new(),
        (.., &[only]) => {
            format!("The LED {} should be {}.", describe_place(only), colour_name(expected[only]))
        }
        (.., &[first, ..]) => {
            let (place, colour) = (describe_place(first), colour_name(expected[first]));
            format!("{} LEDs are wrong. The first, {place}, should be {colour}.", wrong.len())
        }
    }
}

/// Compares the only LED that should be lit with the only one that is lit.
fn compare_two((to, expected): (usize, char), (from, actual): (usize, char)) -> String {
    let (is, mut should) = if from == to {
        (colour_name(actual).to_owned(), String::new())
    } else if from / SIDE == to / SIDE {
        (describe_column(from), describe_column(to))
    } else {
        (describe_place(from), describe_place(to))
    };
    if is.ends_with("end") {
        should = should.replace(" end", "");
    }
    if actual != expected {
        should += if should.is_empty() { "" } else { " and " };
        should += colour_name(expected);
    }
    format!("Your LED is {is}. It should be {should}.")
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use gray1_asm::Source;

    use super::super::{CheckResult, Course, check};
    use super::*;
    use crate::testing::{TestCase, TestFile};

    /// Explains why a program fails. The string is empty if the program solves the lesson.
    fn explain_program(lesson: &str, program: &str) -> String {
        let course = Course::built_in();
        let lesson = &course.lessons[course.find(lesson).unwrap()];
        let text = program.to_owned();
        let source = Source { id: "p.asm".into(), name: "p.asm".into(), text };
        let image = Arc::new(gray1_asm::assemble(source, &mut crate::BuiltIn).image.unwrap());
        let tests = TestFile::read(&lesson.tests).unwrap();
        let engine = |case: &TestCase| {
            let setup = case.machine.clone().with_board(None).setup;
            setup.engine(&image).map_err(|error| error.to_string())
        };
        match check(&tests, &image, engine, &mut || ControlFlow::Continue(())).unwrap().unwrap() {
            CheckResult::Solved(_) => String::new(),
            CheckResult::Failed { failure, .. } => explain(&failure),
        }
    }

    #[test]
    fn wrong_leds_are_explained_in_sentences() {
        let frame: Vec<(u16, u8)> =
            (0..8).map(|row| (0x1fe0 + row, if row % 7 == 0 { 255 } else { 0x81 })).collect();
        let with = |row, byte| [&frame[..], &[(row, byte)]].concat();
        for (lesson, stored, expected) in [
            (
                "01-first-led",
                vec![(0x1fe0, 0x80)],
                "Your LED is at the right end. It should be at the left.",
            ),
            (
                "01-first-led",
                vec![(0x1fe0, 2)],
                "Your LED is second from the left. It should be at the left end.",
            ),
            ("01-first-led", vec![(0x1fe8, 1)], "Your LED is red. It should be green."),
            (
                "01-first-led",
                vec![(0x1fef, 16)],
                "Your LED is fourth from the right in the bottom row. It should be at the left end \
                 of the top row and green.",
            ),
            ("01-first-led", vec![], "The LED at the left end of the top row should be green."),
            (
                "01-first-led",
                vec![(0x1fe0, 3)],
                "The LED second from the left in the top row should be dark.",
            ),
            ("02-bits", vec![(0x1fe0, 0x55)], "Left and right are swapped."),
            ("02-bits", vec![(0x1fe7, 0xaa)], "Top and bottom are swapped."),
            ("02-bits", vec![(0x1fe8, 0xaa)], "Green and red are swapped."),
            ("03-rows", frame.clone(), ""),
            (
                "03-rows",
                with(0x1fe1, 0),
                "2 LEDs are wrong. The first, at the left end of the second row, should be green.",
            ),
            (
                "03-rows",
                with(0x1fef, 1),
                "The LED at the left end of the bottom row should be green.",
            ),
            (
                "03-rows",
                with(0x1fe3, 3),
                "2 LEDs are wrong. The first, second from the left in the fourth row, should be dark.",
            ),
        ] {
            let store = |(row, byte): &(u16, u8)| format!(" LDI {byte}\n ST {row}\n");
            let program = stored.iter().map(store).collect::<String>() + " HALT\n";
            assert_eq!(explain_program(lesson, &program), expected, "{lesson} {stored:x?}");
        }
        let light = " LDI 0x18\n ST 0x1fe9\n ST 0x1feb\n ST 0x1fe3\n ST 0x1fe5\n HALT\n";
        assert!(
            explain_program("04-colours", light)
                .ends_with(" Before the start, all bits of memory were 1.")
        );
    }

    #[test]
    fn wrong_output_and_values_are_explained_in_sentences() {
        let print = |text: &str| {
            let print = |byte: u8| format!(" LDI {byte}\n ST 0x1fff\n");
            text.bytes().map(print).collect::<String>() + " HALT\n"
        };
        let hi = "It should print “Hi!” and the end of the line.";
        for (lesson, program, expected) in [
            (
                "05-words",
                &*print("Ho!\n"),
                format!("Your program printed “Ho!” and the end of the line. {hi}"),
            ),
            ("05-words", &print("Hi!"), format!("Your program printed “Hi!” and halted. {hi}")),
            ("05-words", &print(""), format!("Your program printed nothing and halted. {hi}")),
            (
                "16-library",
                &print("10\n"),
                "In line 2, your program printed nothing and halted. It should print “9” and the \
                 end of the line."
                    .into(),
            ),
            (
                "05-words",
                &print("Hi!\nHi!"),
                "In line 2, your program printed “Hi!”. It should print nothing.".into(),
            ),
            (
                "05-words",
                "l: NAND 0\n JMP l\n",
                format!("Your program printed nothing in 1,000 instructions. {hi}"),
            ),
            (
                "02-bits",
                "l: LDI 0\n JMP l\n",
                "Your program does not halt within 1,000 instructions.".into(),
            ),
            (
                "13-wide",
                ".var low\n.var high\n.var n\n HALT\n",
                "`256 * [high] + [low]` is 500. It should be 520.".into(),
            ),
            ("22-yours", " HALT\n", "Your program halted before an LED changed.".into()),
            ("07-loop", " HALT\n", "Your program halted before the LEDs showed this.".into()),
        ] {
            assert_eq!(explain_program(lesson, program), expected, "{lesson}: {program}");
        }
    }
}
