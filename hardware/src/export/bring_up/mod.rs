//! Bringing a board up, step by step: the images with a program for it, and a sheet that says for
//! each step which chips sit in their sockets, what to tie and what to read. Everything on the
//! sheet comes from the board: nets without a driver from its wiring, levels from the circuit of
//! the chips that are there.

mod partial;
mod readings;
mod steps;

use std::fmt::Write as _;

use gray1_board::{Board, ChipId, DataPin, NetId, Pin, PinUse, buses};
use gray1_isa::address::ROM_WORDS;
use gray1_isa::panel::{BUTTONS, GREEN, MAILBOX, RED, SIDE};
use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};
use gray1_sim::engine::EngineError;

use super::error::ExportError;
use super::file::ExportFile;
use super::images;
use partial::Tie;
use readings::Bench;
use steps::Step;

/// The most chips on a line.
const NAMES_OF_A_LINE: usize = 10;

/// The images of the board with the program, and `bring-up.txt`.
pub(super) fn files(board: &Board) -> Result<Vec<ExportFile>, ExportError> {
    let board = board.with_program(&program(board));
    let mut files = images::files(&board);
    files.push(ExportFile::new("bring-up.txt", sheet(&board)?));
    Ok(files)
}

/// One loop for all steps. Without a carry chip the carry is low, so that the JC is not taken, and
/// the JMP after it has the same target. The codes of targets and the addresses are patterns in
/// which each wire is low and high, and differs from its neighbour. So are the two bytes that are
/// stored. Where the board has a panel, its part is the last of the loop.
fn program(board: &Board) -> Image {
    let mut words = vec![Word::ERASED; ROM_WORDS];
    let near = RomIndex::truncate(0);
    let (far, cell) = (RomIndex::truncate(0x0ccc), RamAddr::truncate(0x0aaa));
    let (farther, other) = (RomIndex::truncate(0x1999), RamAddr::truncate(0x1555));
    let data = |op| Word::data(op, cell);
    let lights = RomIndex::truncate(0x0333);
    let last = if board.panel().is_some() { lights } else { near };
    let mut parts = vec![
        (
            near,
            vec![
                Word::ldi(0x55),
                Word::ldi(0xaa),
                Word::shr(),
                Word::shr(),
                Word::jump(Op::Jc, far),
                Word::jump(Op::Jmp, far),
            ],
        ),
        (
            far,
            vec![
                data(Op::St),
                Word::ldi(0x81),
                data(Op::Add),
                data(Op::Nand),
                Word::jump(Op::Jmp, farther),
            ],
        ),
        (
            farther,
            vec![
                Word::data(Op::St, other),
                data(Op::Ld),
                Word::data(Op::Add, other),
                Word::jump(Op::Jmp, last),
            ],
        ),
    ];
    if board.panel().is_some() {
        parts.push((lights, panel_part(near)));
    }
    for (at, part) in parts {
        words[at.to_usize()..][..part.len()].copy_from_slice(&part);
    }
    Image::from_words(&words).expect("as many words as an image has")
}

/// Writes each row of LEDs, loads the buttons and prints them, twice: the second time every LED is
/// inverted.
fn panel_part(next: RomIndex) -> Vec<Word> {
    let mut words = Vec::new();
    for other_way in [0x00, 0xff] {
        let rows = (0..SIDE as u16).flat_map(|row| [GREEN.get() + row, RED.get() + row]);
        for (number, row) in (1u8..).zip(rows) {
            // No two rows show the same byte.
            let byte = number.wrapping_mul(0x35) ^ other_way;
            words.extend([Word::ldi(byte), Word::data(Op::St, RamAddr::truncate(row))]);
        }
        words.extend([Word::data(Op::Ld, BUTTONS), Word::data(Op::St, MAILBOX)]);
    }
    words.push(Word::jump(Op::Jmp, next));
    words
}

/// The sheet of all steps that the board has.
fn sheet(board: &Board) -> Result<String, ExportError> {
    let mut text = format!(
        "{}: bring-up. docs/BRING-UP.md explains the steps.\n\
         Levels are written with the highest wire first, and read at the end of phase 100 where\n\
         no other is named; numbers behind a chip are pins.\n",
        board.title()
    );
    let has_chips = |step: &&Step| **step == Step::Clock || !step.joins(board).is_empty();
    for (number, &step) in (1..).zip(Step::ALL.iter().filter(has_chips)) {
        write!(text, "\n{number}. {}\n", step.title()).expect("a String takes all");
        for (label, lines) in section(board, step)? {
            let labels = std::iter::once(label).chain(std::iter::repeat(""));
            for (label, line) in labels.zip(lines) {
                let line = format!("{label:<9} {line}");
                text.extend([line.trim_end(), "\n"]);
            }
        }
    }
    Ok(text)
}

/// A step: labels with their lines of text.
fn section(board: &Board, step: Step) -> Result<Vec<(&'static str, Vec<String>)>, ExportError> {
    let nothing = || vec!["nothing".to_owned()];
    if step == Step::Clock {
        let lines = [board.oscillator(), board.reset()];
        let lines = lines.map(|net| {
            let pins = board.readers(net).filter_map(|(chip, pin)| address_pin(board, chip, pin));
            format!("{} at {}", board.net(net).name(), pins.collect::<Vec<_>>().join(", "))
        });
        return Ok(vec![("add", nothing()), ("measure", lines.to_vec())]);
    }
    let bench = Bench::new(board, step);
    let ties = partial::ties(board, &bench.present)?;
    let held = if ties.is_empty() { nothing() } else { tied(board, &ties) };
    let joined = step.joins(board);
    let outputs = joined.iter().map(|&id| outputs(board, id)).collect();
    let names: Vec<&str> = joined.iter().map(|&id| board.chip(id).name()).collect();
    let names = names.chunks(NAMES_OF_A_LINE).map(|names| names.join(" ")).collect();
    let readings = bench.readings(step).map_err(EngineError::from)?;
    Ok(vec![("add", names), ("tie low", held), ("measure", outputs), ("reads", readings)])
}

/// The ties, a line for each empty socket and resistance.
fn tied(board: &Board, ties: &[Tie]) -> Vec<String> {
    let mut groups: Vec<Vec<Tie>> = Vec::new();
    for tie in ties {
        let alike =
            |group: &&mut Vec<Tie>| (group[0].at.chip, group[0].ohm) == (tie.at.chip, tie.ohm);
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(*tie),
            None => groups.push(vec![*tie]),
        }
    }
    let line = |group: &Vec<Tie>| {
        let (Tie { at, ohm, .. }, each) = (group[0], if group.len() > 1 { " each" } else { "" });
        let nets: Vec<NetId> = group.iter().map(|tie| tie.net).collect();
        let pins: Vec<usize> = group.iter().map(|tie| data_pin(board, tie.at)).collect();
        let (name, kilohm) = (board.chip(at.chip).name(), ohm / 1000);
        let (nets, pins) = (buses::names(board, &nets), runs(&pins));
        format!("{nets} by {kilohm} kilohm{each}: empty socket {name}, {pins}")
    };
    groups.iter().map(line).collect()
}

/// The outputs of a chip: wires and pins.
fn outputs(board: &Board, id: ChipId) -> String {
    let chip = board.chip(id);
    let pins = (0..).zip(chip.data()).map(|(pin, _)| data_pin(board, DataPin { chip: id, pin }));
    let pins = runs(&pins.collect::<Vec<_>>());
    format!("{} at {}, {pins}", buses::names(board, chip.data()), chip.name())
}

/// Numbers, with consecutive ones as ranges: `13-15 17`.
fn runs(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let written = runs.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    written.collect::<Vec<_>>().join(" ")
}

/// The number of a data pin on its package, from 1.
fn data_pin(board: &Board, DataPin { chip, pin }: DataPin) -> usize {
    pin_number(board, chip, &PinUse::Data(pin)).unwrap_or_default()
}

fn address_pin(board: &Board, chip: ChipId, pin: Pin) -> Option<String> {
    let Pin::Address(line) = pin else { return None };
    let number = pin_number(board, chip, &PinUse::Address(line))?;
    Some(format!("{} {number}", board.chip(chip).name()))
}

fn pin_number(board: &Board, chip: ChipId, what: &PinUse) -> Option<usize> {
    let pins = &board.chip(chip).part().pins;
    pins.iter().position(|pin| pin.what == *what).map(|at| at + 1)
}

#[cfg(test)]
mod tests;
