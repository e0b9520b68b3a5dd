//! Explains to students why their program does not solve a lesson.

use gray1_isa::PowerUp;
use gray1_isa::panel::{Led, SIDE};
use gray1_isa::text::{grouped, printable};

use crate::testing::{
    CaseFailure, Comparison, EarlyEnd, LedDifference, OutputDifference, StepFailure,
};

/// The names of the rows, from the top.
const ROWS: [&str; SIDE] =
    ["top", "second", "third", "fourth", "fifth", "sixth", "seventh", "bottom"];

/// The subject of sentences about the student's program.
const PROGRAM: &str = "your program";

/// Explains why a case failed, in sentences.
pub fn explain(failure: &CaseFailure) -> String {
    let sentences = match &failure.step {
        StepFailure::Leds(leds) => compare_leds(leds),
        StepFailure::Unprinted(end, output) => compare_output(output, Some(*end)),
        StepFailure::Output { difference, .. } => compare_output(difference, None),
        StepFailure::Is { text, expected, actual } => {
            format!("`{}` is {actual}. It should be {expected}.", printable(text))
        }
        StepFailure::RunTo(end, condition) if condition == "led" => {
            to_sentence(&format!("{} before an LED changed", end.describe(PROGRAM)))
        }
        step => {
            let sentence = to_sentence(&step.describe(PROGRAM));
            match step.comparison().filter(|_| step.leds().is_none()) {
                None => sentence,
                Some(Comparison { expected, actual, .. }) => {
                    format!("{sentence} Expected: {expected}. Found: {actual}.")
                }
            }
        }
    };
    sentences
        + &explain_power_up(failure).map(|sentence| format!(" {sentence}")).unwrap_or_default()
}

/// Explains in a sentence that a failure depends on the contents of memory at power-up.
pub fn explain_power_up(failure: &CaseFailure) -> Option<String> {
    if let Some(name) = failure.unwritten.first() {
        let name = printable(name);
        return Some(format!(
            "At the start, {name} can hold anything, so your program must set it first."
        ));
    }
    let sentence = match failure.ram? {
        PowerUp::Zero => return None,
        PowerUp::Ones => "This happens if all bits of memory are 1 at the start.",
        PowerUp::Random(_) => "This happens if memory holds random bytes at the start.",
    };
    Some(sentence.to_owned())
}

/// Makes a sentence of a clause.
fn to_sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// Compares the printed output with the expected output. `end` is the end of the run, if the
/// program printed too little.
fn compare_output(output: &OutputDifference, end: Option<EarlyEnd>) -> String {
    let quoted = |text: &str| match text.strip_suffix('\n') {
        None if text.is_empty() => "nothing".to_owned(),
        None => format!("“{}”", printable(text)),
        Some("") => "the end of a line".to_owned(),
        Some(line) => format!("“{}” and the end of the line", printable(line)),
    };
    let OutputDifference { line, comparison: Comparison { expected, actual, .. } } = output;
    let place = if *line > 1 { format!("In line {line}, ") } else { String::new() };
    let end = match end {
        Some(EarlyEnd::Limit(limit)) => format!(" in {} instructions", grouped(limit)),
        Some(EarlyEnd::Halted) => " and halted".to_owned(),
        None => String::new(),
    };
    let printed = to_sentence(&format!("{place}{PROGRAM} printed {}{end}", quoted(actual)));
    format!("{printed} It should print {}.", quoted(expected))
}

/// Returns true if an LED is in the first or the last column.
fn is_at_end(square: usize) -> bool {
    [0, SIDE - 1].contains(&(square % SIDE))
}

/// Describes the column of an LED. `end` is " end", or empty to leave out that word.
fn describe_column(square: usize, end: &str) -> String {
    match square % SIDE {
        0 => format!("at the left{end}"),
        7 => format!("at the right{end}"),
        column @ 1..4 => format!("{} from the left", ROWS[column]),
        column => format!("{} from the right", ROWS[SIDE - 1 - column]),
    }
}

/// Describes the row and the column of an LED.
fn describe_place(square: usize) -> String {
    let column = describe_column(square, " end");
    let of = if is_at_end(square) { "of" } else { "in" };
    format!("{column} {of} the {} row", ROWS[square / SIDE])
}

/// Describes a single mistake that explains all differences, or else the first difference.
fn compare_leds(leds: &LedDifference) -> String {
    let expected = leds.expected.leds();
    let squares = 0..expected.len();
    let actual: Vec<Led> = squares.clone().map(|n| leds.actual.led(n / SIDE, n % SIDE)).collect();
    // An LED that the test file does not specify counts as lit here.
    let lit = squares.clone().filter(|&n| expected[n] != Some(Led::Dark));
    let wanted: Vec<(usize, Option<Led>)> = lit.map(|n| (n, expected[n])).collect();
    let found: Vec<usize> = squares.clone().filter(|&n| actual[n] != Led::Dark).collect();
    let wrong = squares.clone();
    let wrong: Vec<(usize, Led)> =
        wrong.filter_map(|n| Some((n, expected[n].filter(|led| *led != actual[n])?))).collect();
    let is =
        |other: &dyn Fn(usize) -> Option<Led>| squares.clone().all(|n| Some(actual[n]) == other(n));
    match (&wanted[..], &found[..], &wrong[..]) {
        (&[(to, Some(led))], &[from], _) => compare_two((to, led), (from, actual[from])),
        _ if is(&|n| expected[n ^ (SIDE - 1)]) => "Left and right are swapped.".to_owned(),
        _ if is(&|n| expected[n ^ (SIDE * (SIDE - 1))]) => "Top and bottom are swapped.".to_owned(),
        _ if is(&|n| expected[n].map(other_colour)) => "Green and red are swapped.".to_owned(),
        (.., &[]) => String::new(),
        (.., &[(only, led)]) => {
            format!("The LED {} should be {}.", describe_place(only), led.name())
        }
        (.., &[(first, led), ..]) => {
            let (place, colour) = (describe_place(first), led.name());
            format!("{} LEDs are wrong. The first, {place}, should be {colour}.", wrong.len())
        }
    }
}

/// Returns the colour with green and red exchanged.
fn other_colour(led: Led) -> Led {
    match led {
        Led::Green => Led::Red,
        Led::Red => Led::Green,
        other => other,
    }
}

/// Compares the only LED that should be lit with the only one that is lit.
fn compare_two((to, expected): (usize, Led), (from, actual): (usize, Led)) -> String {
    let (is, mut should) = if from == to {
        (actual.name().to_owned(), String::new())
    } else if from / SIDE == to / SIDE {
        let end = if is_at_end(from) { "" } else { " end" };
        (describe_column(from, " end"), describe_column(to, end))
    } else {
        (describe_place(from), describe_place(to))
    };
    if actual != expected {
        should += if should.is_empty() { "" } else { " and " };
        should += expected.name();
    }
    format!("Your LED is {is}. It should be {should}.")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gray1_asm::Source;
    use gray1_sim::MachineSpec;

    use super::super::{CheckResult, Course, LessonCheck};
    use super::*;
    use crate::testing::TestFile;

    /// Explains why a program fails. The string is empty if the program solves the lesson.
    fn explain_program(lesson: &str, program: &str) -> String {
        let course = Course::built_in();
        let lesson = &course.lessons[course.find(lesson).unwrap()];
        let text = program.to_owned();
        let source = Source { id: "p.asm".into(), name: "p.asm".into(), text };
        let image = Arc::new(gray1_asm::assemble(source, &mut crate::BuiltIn).image.unwrap());
        let tests = TestFile::read(&lesson.tests).unwrap();
        let mut check = LessonCheck::new(&tests, &image, &MachineSpec::default());
        loop {
            let result = check.advance(|case| {
                let setup = case.machine.with_board(crate::STOCK, None).setup;
                setup.engine(&image).map_err(|error| error.to_string())
            });
            match result.unwrap() {
                None => {}
                Some(CheckResult::Solved(_)) => return String::new(),
                Some(CheckResult::Failed { failure, .. }) => return explain(&failure),
            }
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
        assert!(explain_program("04-colours", light).ends_with(
            " At the start, green row 0 can hold anything, so your program must set it first."
        ));
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
            ("13-wide", " HALT\n", "`low`: column 1: your program has no `low`.".into()),
            ("22-yours", " HALT\n", "Your program halted before an LED changed.".into()),
            ("07-loop", " HALT\n", "Your program halted before the LEDs showed this.".into()),
        ] {
            assert_eq!(explain_program(lesson, program), expected, "{lesson}: {program}");
        }
    }
}
