//! Sentences about places, instructions and LEDs, for people who listen to them.

use std::collections::BTreeSet;

use gray1_debugger::RecordedStep;
use gray1_isa::panel::{Display, LedColor, MAILBOX, SIDE};
use gray1_isa::text::grouped;
use gray1_isa::{Image, Op, RomIndex, SourceLine, Write};
use gray1_session::{Command, Goal, RunState, Snapshot};

/// The maximum number of rows of LEDs whose changes are listed.
const CHANGED_ROWS_MAX: usize = 3;

/// What stopped the machine, unless it reached the goal.
pub(super) fn describe_stop(after: &Snapshot, is_interrupted: bool, is_known: bool) -> Vec<String> {
    let reason = after.stops.reason.as_ref();
    let hits = reason.map_or(&[][..], |reason| &reason.hits);
    let mut said = Vec::new();
    if is_interrupted {
        said.push("Interrupted.".to_owned());
    } else if !hits.is_empty() && !is_known {
        said.push(format!("Break {}.", hits.join(" and ")));
    } else if after.run_state == RunState::Halted {
        let here = describe_line(&after.program.image, after.cpu.pc);
        said.push(format!("Halted at {}.", lower(&here)));
    }
    said.extend(reason.filter(|it| !it.is_effect).map(|it| format!("{}.", capitalize(&it.text))));
    said
}

/// What a movement did, where, and what changed.
pub(super) fn describe_movement(
    command: &Command,
    before: &Snapshot,
    after: &Snapshot,
    is_within: bool,
) -> Vec<String> {
    let (image, pc) = (&after.program.image, after.cpu.pc);
    let here = lower(&describe_line(image, pc));
    let next = match after.cpu.phase {
        phase if is_within => format!("In T{phase} of {here}."),
        _ => format!("Next is {here}."),
    };
    let leds = describe_led_changes(&before.display(), &after.display());
    let last = match after.cpu.recent.newest() {
        _ if matches!(command, Command::Reset) => return vec!["Restarted.".to_owned(), next],
        None if after.run_state == RunState::Halted => return vec![leds],
        None => return vec!["At the start.".to_owned(), leds, next],
        Some(last) => last,
    };
    let effect = describe_effect(last, after);
    // The instruction that follows in the program needs no words, unless the user waited for it.
    let is_break = after.stops.reason.as_ref().is_some_and(|reason| !reason.hits.is_empty());
    let is_next = last.after.pc == last.index.next() && !is_break && !is_within;
    let jump = if is_next { String::new() } else { next.clone() };
    let line = format!("{}.", describe_line(image, last.index));
    let now = grouped(after.time.now);
    match command {
        Command::Step => vec![line, effect],
        Command::StepBack | Command::StepPhaseBack | Command::GoBack(Goal::Over | Goal::Out) => {
            vec![format!("Back before {here}."), leds]
        }
        Command::Go(Goal::Over | Goal::Out) => {
            let from = lower(&name_line(image, before.cpu.pc));
            let is_over = matches!(command, Command::Go(Goal::Over));
            let word = if is_over { "Over" } else { "Out of" };
            vec![format!("{word} {from}."), if leds.is_empty() { effect } else { leds }, next]
        }
        Command::Seek(_) | Command::RunTo(_) | Command::JumpBack | Command::JumpForward => {
            vec![format!("Moment {now}."), line, effect, jump]
        }
        _ if effect.starts_with("LED") => vec![effect, line, jump],
        _ => vec![line, effect, jump],
    }
}

/// The line of an instruction, and the instruction: `Line 122, ST green row 4`.
pub(super) fn describe_line(image: &Image, index: RomIndex) -> String {
    format!("{}, {}", name_line(image, index), image.instruction(index))
}

/// The line of an instruction in the program's own file. An instruction of a library is named after
/// the line that calls it.
pub(super) fn name_line(image: &Image, index: RomIndex) -> String {
    let map = image.source_map();
    match map.calling_origin(index).map(|origin| origin.place) {
        Some(SourceLine { file: 0, line }) => format!("Line {line}"),
        Some(SourceLine { file, line }) => {
            format!("Line {line} of {}", map.files()[usize::from(file)].name)
        }
        None => format!("Address {}", image.names().place(index)),
    }
}

/// The effect of an instruction that was just executed.
pub(super) fn describe_effect(step: &RecordedStep, after: &Snapshot) -> String {
    let (image, op) = (&after.program.image, step.word.op());
    match step.write {
        Some(write) if write.changes_led() => {
            describe_led_changes(&before_write(after.display(), write), &after.display())
        }
        Some(Write { address: MAILBOX, new: b'\n', .. }) => "Printed a line end.".to_owned(),
        Some(Write { address: MAILBOX, new, .. }) => format!("Printed {:?}.", char::from(new)),
        Some(Write { address, old, new }) => {
            let change = if old == new { "Stays" } else { &format!("From {old} to") };
            // The operand names the byte, unless the board is faulty.
            if address == step.word.address() {
                format!("{change} {new}.")
            } else {
                format!("{change} {new}, in {}.", image.byte_at(address, step.index))
            }
        }
        None => match op {
            Op::Add | Op::Shr => {
                format!("A is {}, carry {}.", step.after.a, u8::from(step.after.carry))
            }
            Op::Jc if !step.carry => "Carry is 0, no jump.".to_owned(),
            Op::Jmp | Op::Jc => {
                format!("Jumps to {}.", lower(&name_line(image, step.after.pc)))
            }
            _ => format!("A is {}.", step.after.a),
        },
    }
}

/// The display before a byte of it was written.
fn before_write(mut display: Display, write: Write) -> Display {
    if let Some(row) = LedColor::Green.row_of(write.address) {
        display.green[usize::from(row)] = write.old;
    }
    if let Some(row) = LedColor::Red.row_of(write.address) {
        display.red[usize::from(row)] = write.old;
    }
    display
}

/// The LEDs that differ: `LED row 4, columns 1 and 3 to 5 went dark`. Empty if none does.
pub(super) fn describe_led_changes(before: &Display, after: &Display) -> String {
    let mut rows = Vec::new();
    let mut count = 0;
    for row in 0..SIDE {
        let led = |display: &Display, column| display.led(row, column).name();
        let changed = (0..SIDE).filter(|column| led(before, *column) != led(after, *column));
        let changed: Vec<usize> = changed.collect();
        count += changed.len();
        let colors: BTreeSet<&str> = changed.iter().map(|column| led(after, *column)).collect();
        let texts = colors.into_iter().map(|color| {
            let columns = changed.iter().copied().filter(|column| led(after, *column) == color);
            let columns = join_ranges(columns);
            let noun = if columns.len() > 1 { "columns" } else { "column" };
            let verb = if color == "dark" { "went" } else { "turned" };
            format!("{noun} {columns} {verb} {color}")
        });
        let texts = texts.collect::<Vec<_>>().join(", ");
        rows.extend((!texts.is_empty()).then(|| format!("LED row {row}, {texts}.")));
    }
    if rows.len() > CHANGED_ROWS_MAX { format!("{count} LEDs changed.") } else { rows.join(" ") }
}

/// The lit LEDs of a row: `row 4: red 1, green 3 to 5`.
pub(super) fn describe_row(display: &Display, row: usize) -> String {
    let colors = (0..SIDE).map(|column| display.led(row, column).name()).collect::<Vec<_>>();
    let mut lit = Vec::new();
    let mut first = 0;
    for same in colors.chunk_by(|a, b| a == b) {
        if same[0] != "dark" {
            lit.push(format!("{} {}", same[0], join_ranges(first..first + same.len())));
        }
        first += same.len();
    }
    let lit = if lit.is_empty() { "dark".to_owned() } else { lit.join(", ") };
    format!("row {row}: {lit}")
}

/// Numbers in order, with ranges: `1 and 3 to 5`.
fn join_ranges(numbers: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<usize> = numbers.into_iter().collect();
    let ranges = numbers.chunk_by(|a, b| a + 1 == *b).flat_map(|range| match range {
        [first, _, .., last] if range.len() > 2 => vec![format!("{first} to {last}")],
        few => few.iter().map(usize::to_string).collect(),
    });
    let mut ranges: Vec<String> = ranges.collect();
    let last = ranges.pop().unwrap_or_default();
    if ranges.is_empty() { last } else { format!("{} and {last}", ranges.join(", ")) }
}

/// A sentence that begins with a capital letter.
pub(super) fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The same in the middle of a sentence.
pub(super) fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_and_rows_of_leds_are_sentences() {
        let dark = Display::default();
        let mut lit = dark;
        (lit.green[4], lit.red[4], lit.red[0]) = (0b0011_1000, 0b0000_0010, 0b0010_0000);
        assert_eq!(describe_row(&lit, 4), "row 4: red 1, green 3 to 5");
        assert_eq!(describe_row(&lit, 5), "row 5: dark");
        assert_eq!(
            describe_led_changes(&dark, &lit),
            "LED row 0, column 5 turned red. LED row 4, columns 3 to 5 turned green, \
             column 1 turned red."
        );
        let mut other = lit;
        (other.green[4], other.green[7]) = (0b1001_1000, 0xff);
        assert_eq!(
            describe_led_changes(&lit, &other),
            "LED row 4, column 5 went dark, column 7 turned green. \
             LED row 7, columns 0 to 7 turned green."
        );
        assert_eq!(
            describe_led_changes(&lit, &Display { green: [0xff; 8], ..dark }),
            "61 LEDs changed."
        );
        assert_eq!(describe_led_changes(&lit, &lit), "");
    }
}
