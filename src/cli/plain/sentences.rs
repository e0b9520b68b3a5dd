//! Sentences about places, instructions and LEDs, for people who listen to them.

use gray1_debugger::RecordedStep;
use gray1_isa::panel::{Display, Led, MAILBOX, SIDE, is_led};
use gray1_isa::text::{counted, grouped, join_ranges, plural};
use gray1_isa::{Image, Op, RamAddr, RomIndex, Write};
use gray1_session::{Command, Cpu, Goal, RunState, Snapshot};

/// The maximum number of rows of LEDs whose changes are listed.
const CHANGED_ROWS_MAX: usize = 3;

/// The maximum number of bytes whose differences are listed.
const CHANGED_BYTES_MAX: usize = 64;

/// What stopped the machine, unless it reached the goal.
pub(super) fn describe_stop(after: &Snapshot, is_interrupted: bool) -> Vec<String> {
    let mut said = Vec::new();
    match &after.stops.reason {
        _ if is_interrupted => said.push("Interrupted.".to_owned()),
        Some(reason) if !reason.hits.is_empty() => {
            said.push(format!("Break {}.", reason.hits.join(" and ")));
        }
        _ if after.run_state == RunState::Halted => {
            let here = describe_line(&after.program.image, after.cpu.pc);
            said.push(format!("Halted at {here}."));
        }
        _ => {}
    }
    let reason = after.stops.reason.iter().filter(|it| !it.is_effect);
    said.extend(reason.map(|it| format!("{}.", capitalize(&it.text))));
    said
}

/// What a movement of this many repetitions did, where, and what changed.
pub(super) fn describe_movement(
    command: &Command,
    times: u32,
    before: &Snapshot,
    after: &Snapshot,
    is_within: bool,
) -> Vec<String> {
    let (image, pc) = (&after.program.image, after.cpu.pc);
    let here = describe_line(image, pc);
    let next = match after.cpu.phase {
        phase if is_within => format!("In T{phase} of {here}."),
        _ => format!("Next is {here}."),
    };
    let leds = describe_led_changes(&before.display(), &after.display());
    let moment = format!("Moment {}.", grouped(after.time.now));
    let last = match after.cpu.recent.newest() {
        _ if matches!(command, Command::Reset) => {
            let moment = grouped(after.time.now);
            let said = format!("Restarted at moment {moment}. Memory keeps its contents.");
            return vec![said, next];
        }
        None if after.run_state == RunState::Halted => return vec![leds, moment],
        None if after.time.now > 0 => return vec!["At the restart.".to_owned(), leds, next],
        None => return vec!["At the start.".to_owned(), leds, next],
        Some(last) => last,
    };
    let effect = describe_effect(last, after);
    let line = format!("{}.", capitalize(&describe_line(image, last.index)));
    let mut said = match command {
        Command::Step if leds.is_empty() || leds == effect => return vec![line, effect],
        Command::Step => {
            let steps = counted(after.time.now - before.time.now, "step");
            return vec![line, effect, format!("In {steps}: {leds}")];
        }
        Command::StepBack | Command::StepPhaseBack | Command::GoBack(Goal::Over | Goal::Out) => {
            return vec![format!("Back before {here}."), leds];
        }
        Command::Go(goal @ (Goal::Over | Goal::Out)) => {
            let word = if *goal == Goal::Over { "Over" } else { "Out of" };
            let from = image.name_line(before.cpu.pc);
            let again = if times > 1 { format!(", {times} times") } else { String::new() };
            let moved = format!("{word} {from}{again}.");
            return vec![moved, if leds.is_empty() { effect } else { leds }, next];
        }
        // The change says what the instruction stored, and where.
        _ if last.write.as_ref().is_some_and(Write::changes_led) => {
            vec![effect, format!("{}.", capitalize(&image.name_line(last.index)))]
        }
        _ => vec![line, effect],
    };
    let is_event = matches!(command, Command::Go(Goal::Event(_)) | Command::GoBack(Goal::Event(_)));
    if !is_event || after.is_at_break() {
        said.extend([next, moment]);
    } else if is_within || last.after.pc != last.index.next() {
        // The instruction that simply follows needs no words.
        said.push(next);
    }
    said
}

/// The line of an instruction, and the instruction: `line 122, ST green row 4`.
pub(super) fn describe_line(image: &Image, index: RomIndex) -> String {
    format!("{}, {}", image.name_line(index), image.instruction(index))
}

/// What differs between two moments: registers, LEDs, the first bytes of memory, and how many more.
pub(super) fn describe_differences(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let (image, old, new) = (&after.program.image, &before.cpu, &after.cpu);
    let change = |name: &str, from: String, to: String| {
        (from != to).then(|| format!("{name} from {from} to {to}."))
    };
    let place = |pc| image.names().place(pc);
    let registers = [
        change("A", old.a.to_string(), new.a.to_string()),
        change("C", u8::from(old.carry).to_string(), u8::from(new.carry).to_string()),
        change("PC", place(old.pc), place(new.pc)),
    ];
    let bytes = RamAddr::all().filter(|address| !is_led(*address)).filter_map(|address| {
        let at = |cpu: &Cpu| cpu.ram[address.to_usize()].to_string();
        change(&image.byte_at(address, new.pc), at(old), at(new))
    });
    let mut bytes: Vec<String> = bytes.collect();
    let left_out = bytes.len().saturating_sub(CHANGED_BYTES_MAX) as u64;
    bytes.truncate(CHANGED_BYTES_MAX);
    let mut said: Vec<String> = registers.into_iter().flatten().collect();
    said.extend(list_led_changes(&before.display(), &after.display()));
    said.extend(bytes);
    said.extend((left_out > 0).then(|| format!("Also {} more.", counted(left_out, "byte"))));
    said
}

/// The effect of an instruction that was just executed.
fn describe_effect(step: &RecordedStep, after: &Snapshot) -> String {
    let image = &after.program.image;
    match (step.write, step.word.op()) {
        (Some(write), _) if write.changes_led() => {
            let mut before = after.cpu.ram.clone();
            before[write.address.to_usize()] = write.old;
            describe_led_changes(&Display::from_ram(&before), &after.display())
        }
        (Some(Write { address: MAILBOX, new: b'\n', .. }), _) => "Printed a line end.".to_owned(),
        (Some(Write { address: MAILBOX, new, .. }), _) => {
            format!("Printed {:?}.", char::from(new))
        }
        (Some(Write { address, old, new }), _) => {
            let byte = image.byte_at(address, step.index);
            if old == new {
                format!("{byte} stays {new}.")
            } else {
                format!("{byte} from {old} to {new}.")
            }
        }
        (None, Op::Add | Op::Shr) => {
            format!("A is {}, C is {}.", step.after.a, u8::from(step.after.carry))
        }
        (None, Op::Jc) if !step.carry => "C is 0, no jump.".to_owned(),
        (None, Op::Jmp | Op::Jc) => format!("Jumps to {}.", image.name_line(step.after.pc)),
        (None, _) => format!("A is {}.", step.after.a),
    }
}

/// The LEDs that differ, or their number if they are in many rows.
fn describe_led_changes(before: &Display, after: &Display) -> String {
    let rows = list_led_changes(before, after);
    if rows.len() > CHANGED_ROWS_MAX {
        let changed = |row: usize| {
            (before.green[row] ^ after.green[row]) | (before.red[row] ^ after.red[row])
        };
        let count: u32 = (0..SIDE).map(|row| changed(row).count_ones()).sum();
        format!("{count} LEDs changed.")
    } else {
        rows.join(" ")
    }
}

/// The LEDs that differ, by row: `LED row 4, columns 1 and 3 to 5 went dark.`
fn list_led_changes(before: &Display, after: &Display) -> Vec<String> {
    let mut rows = Vec::new();
    for row in 0..SIDE {
        let differs = |column: &usize| before.led(row, *column) != after.led(row, *column);
        let changed: Vec<usize> = (0..SIDE).filter(differs).collect();
        let texts = group_by_color(after, row, &changed).into_iter().map(|(led, columns)| {
            let verb = if led == Led::Dark { "went" } else { "turned" };
            let noun = plural(columns.len() as u64, "column");
            match columns.len() {
                SIDE => format!(" {verb} {}", led.name()),
                _ => format!(", {noun} {} {verb} {}", join_ranges(&columns), led.name()),
            }
        });
        let text = texts.collect::<Vec<_>>().concat();
        rows.extend((!changed.is_empty()).then(|| format!("LED row {row}{text}.")));
    }
    rows
}

/// The lit LEDs of a row: `row 4: red 1, green 3 to 5`.
pub(super) fn describe_row(display: &Display, row: usize) -> String {
    let mut lit = group_by_color(display, row, &[0, 1, 2, 3, 4, 5, 6, 7]);
    lit.retain(|(led, _)| *led != Led::Dark);
    let texts = lit.iter().map(|(led, columns)| format!("{} {}", led.name(), join_ranges(columns)));
    let text =
        if lit.is_empty() { "dark".to_owned() } else { texts.collect::<Vec<_>>().join(", ") };
    format!("row {row}: {text}")
}

/// The columns of each colour in a row, beginning with the colour of the first one.
fn group_by_color(display: &Display, row: usize, columns: &[usize]) -> Vec<(Led, Vec<usize>)> {
    let mut groups: Vec<(Led, Vec<usize>)> = Vec::new();
    for &column in columns {
        let led = display.led(row, column);
        match groups.iter_mut().find(|(color, _)| *color == led) {
            Some((_, columns)) => columns.push(column),
            None => groups.push((led, vec![column])),
        }
    }
    groups
}

/// A sentence with its full stop, if it needs one.
pub(super) fn end_sentence(text: &str) -> String {
    if text.ends_with(['.', '?', '!']) { text.to_owned() } else { format!("{text}.") }
}

/// A sentence that begins with a capital letter.
pub(super) fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
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
        let mixed = Display { green: [0b1010_0110; 8], red: [0b0100_0000; 8] };
        assert_eq!(describe_row(&mixed, 0), "row 0: green 1, 2, 5 and 7, red 6");
        assert_eq!(
            describe_led_changes(&dark, &lit),
            "LED row 0, column 5 turned red. LED row 4, column 1 turned red, \
             columns 3 to 5 turned green."
        );
        let mut other = lit;
        (other.green[4], other.green[7]) = (0b1001_1000, 0xff);
        assert_eq!(
            describe_led_changes(&lit, &other),
            "LED row 4, column 5 went dark, column 7 turned green. LED row 7 turned green."
        );
        assert_eq!(
            describe_led_changes(&lit, &Display { green: [0xff; 8], ..dark }),
            "61 LEDs changed."
        );
        assert_eq!(describe_led_changes(&lit, &lit), "");
    }
}
