//! Checks docs/BRING-UP.md against the board. In each step, only the chips that the page has added
//! so far are in their sockets, and the wires that the step ties are low.

use std::collections::BTreeSet;
use std::error::Error;

use gray1_board::phase::Phase;
use gray1_board::{Board, ChipId, NetId, PinUse};
use gray1_circuit::panel::{press_reset, set_buttons};
use gray1_circuit::{ChipState, Circuit as _, Settled, Unsettled};
use gray1_isa::SplitMix64;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::format::{Contents, load};
use gray1_isa::panel::Buttons;

const PAGE: &str = include_str!("../../docs/BRING-UP.md");

fn board() -> Board {
    let Ok(Contents::Image(program)) = load(include_bytes!("../../roms/bring-up.hex")) else {
        panic!("it is not an image")
    };
    gray1_roms::built_in("gray1-b").unwrap().with_program(&program)
}

/// A step of the page.
struct Step {
    added: Vec<ChipId>,
    /// All chips that are in their sockets.
    present: BTreeSet<ChipId>,
    block: &'static str,
}

/// Returns a step for each block of the page except the first one, which adds no chip.
fn steps(board: &Board) -> Vec<Step> {
    let mut present = BTreeSet::new();
    let (steps, _) = PAGE.split_once("## Find the fault").unwrap();
    let blocks = steps.split("```text\n").skip(2).map(|rest| rest.split("```").next().unwrap());
    let step = |block| {
        let names = lines(block, "add").into_iter().flat_map(str::split_whitespace);
        let added: Vec<ChipId> = names.map(|name| board.chip_named(name).unwrap()).collect();
        present.extend(&added);
        Step { added, present: present.clone(), block }
    };
    blocks.map(step).collect()
}

/// Returns the lines of a block that belong to a label in its left column.
fn lines(block: &'static str, label: &str) -> Vec<&'static str> {
    let lines = block.lines().skip_while(|line| !line.starts_with(label));
    let belongs = |(at, line): &(usize, &str)| *at == 0 || line.starts_with(&" ".repeat(10));
    lines.enumerate().take_while(belongs).map(|(_, line)| &line[10..]).collect()
}

/// The result of a check. The error is the first line that does not match the board, or reports
/// that the board does not settle.
type Checked = Result<(), Box<dyn Error>>;

fn check(is_right: bool, line: &str) -> Checked {
    if is_right { Ok(()) } else { Err(line.into()) }
}

impl Step {
    /// Compares the readings of the step with those of a board that has only the chips in
    /// `present`. `seed` determines the outputs of the chips and the contents of data memory at
    /// power-up.
    fn check_readings(&self, board: &Board, seed: u64) -> Checked {
        let start = |high: &[NetId]| after_reset(board, &self.present, high, seed);
        let lines = lines(self.block, "reads");
        match self.block.as_bytes()[0] {
            b'2' => check_phases(board, &lines, start(&[])?),
            b'3' => check_strobes(board, &lines, start),
            b'8' => check_panel(board, &lines, start(&[])?),
            _ => check_table(board, &lines, start),
        }
    }
}

/// Returns the wires in a list such as `PCH.0-7 FLAGS.1`. The wires of a range are returned low bit
/// first, even if it is written as `PCH.7-0`.
fn wires(board: &Board, names: &str) -> Vec<NetId> {
    let expanded = names.split_whitespace().flat_map(|name| {
        let range = name.split_once('.').and_then(|(bus, range)| {
            let (one, other) = range.split_once('-')?;
            let [one, other]: [u8; 2] = [one, other].map(|it| it.parse().unwrap());
            Some((one.min(other)..=one.max(other)).map(|n| format!("{bus}.{n}")).collect())
        });
        range.unwrap_or_else(|| vec![name.to_owned()])
    });
    expanded.map(|name| board.net_named(&name).expect(&name)).collect()
}

/// Powers up and resets a board with only the chips in `present`. Each missing chip is replaced by
/// one that outputs a constant byte, whose bits are 1 only for the wires in `high`. The board is in
/// phase 001 afterwards.
fn after_reset(
    board: &Board,
    present: &BTreeSet<ChipId>,
    high: &[NetId],
    seed: u64,
) -> Result<Settled, Box<Unsettled>> {
    let mut power_up = SplitMix64::new(seed);
    let mut outputs: Vec<u8> = board.chip_ids().map(|_| power_up.byte()).collect();
    let mut part = board.clone();
    for id in board.chip_ids().filter(|id| !present.contains(id)) {
        let byte = gray1_board::number(&board.chip(id).data, |net| high.contains(&net)) as u8;
        outputs[id.index()] = byte;
        if id != board.memory() {
            part = part.with_contents(id, vec![byte; board.chip(id).part().bytes()]).unwrap();
        }
    }
    let memory = Box::new([outputs[board.memory().index()]; RAM_BYTES]);
    let mut circuit = Settled::new(&part, &ChipState { memory, outputs })?;
    press_reset(&mut circuit)?;
    Ok(circuit)
}

/// Returns the wires whose digit in a binary number is 1.
fn ones(nets: &[NetId], binary: &str) -> Vec<NetId> {
    let digits = nets.iter().zip(binary.bytes().rev());
    digits.filter(|(_, digit)| *digit == b'1').map(|(net, _)| *net).collect()
}

fn binary(circuit: &Settled, nets: &[NetId]) -> String {
    nets.iter().rev().map(|net| if circuit.level(*net) { '1' } else { '0' }).collect()
}

fn check_phases(board: &Board, lines: &[&str], mut circuit: Settled) -> Checked {
    let phase = &board.probes().phase;
    let parked = format!("PHASE.2-0 = {}, and stays", binary(&circuit, phase));
    check(lines[0].ends_with(&parked), lines[0])?;
    let mut walk = String::from("edge by edge:");
    for _ in 0..Phase::COUNT {
        circuit.edge()?;
        walk.extend([" ", &binary(&circuit, phase)]);
    }
    check(lines[1].ends_with(&format!("{walk}, and again")), lines[1])
}

fn check_strobes(
    board: &Board,
    lines: &[&str],
    start: impl Fn(&[NetId]) -> Result<Settled, Box<Unsettled>>,
) -> Checked {
    let ctrl = board.chip(board.chip_named("CTRL").unwrap());
    // The phase and the strobes that are on.
    let on = |circuit: &Settled| {
        let is_on = |net: &&NetId| circuit.level(**net) != (board.net(**net).name() == "nWE");
        let names = ctrl.data.iter().filter(is_on).map(|net| board.net(*net).name());
        let names = names.collect::<Vec<_>>().join(" ").replace("nWE", "nWE low");
        let phase = binary(circuit, &board.probes().phase);
        if names.is_empty() { names } else { format!("{phase} {names}") }
    };
    let [_, rows @ .., parked] = lines else { panic!("{lines:?}") };
    for row in rows {
        for carry in row[10..16].trim().split(" or ") {
            let mut high = ones(&wires(board, "IRH.5-7"), &row[..3]);
            high.extend(ones(&wires(board, "FLAGS.1"), carry));
            let mut circuit = start(&high)?;
            circuit.edges(Phase::AFTER_RESET.edges_to_go())?;
            let mut seen = Vec::new();
            for _ in 0..Phase::COUNT {
                seen.push(on(&circuit));
                circuit.edge()?;
            }
            seen.retain(|phase| !phase.is_empty());
            check(row[18..].trim() == seen.join("  "), row)?;
        }
    }
    let mut circuit = start(&[])?;
    circuit.set_reset(true)?;
    check(parked.ends_with(&format!(": {}", on(&circuit))), parked)
}

/// Checks the levels in a table. A row begins with the number of executed instructions, the number
/// of the current instruction, or the opcode and the operand to which the inputs are tied. The
/// levels of a column are below its name in the heading.
fn check_table(
    board: &Board,
    lines: &[&str],
    start: impl Fn(&[NetId]) -> Result<Settled, Box<Unsettled>>,
) -> Checked {
    let is_done = lines[0].starts_with("instructions done");
    let names: Vec<&str> = lines[0].split(' ').filter(|name| name.contains('.')).collect();
    let columns = names.iter().map(|name| (wires(board, name), lines[0].find(name).unwrap()));
    let columns: Vec<_> = columns.collect();
    let executed = Phase::T7.number() - Phase::AFTER_RESET.number();
    let (mut circuit, mut before) = (start(&[])?, 0);
    for row in lines[1..].iter().filter(|row| !row.contains("tied to")) {
        let label: Vec<&str> = row[..columns[0].1].split_whitespace().collect();
        let edges = match label[..] {
            [done] if is_done => done.parse::<u32>()? * Phase::COUNT,
            [opcode, operand] if is_done => {
                let mut high = ones(&wires(board, "IRH.5-7"), opcode);
                high.extend(ones(&wires(board, "IRL.0-7 IRH.0-4"), operand));
                (circuit, before) = (start(&high)?, 0);
                executed
            }
            _ => (label[0].parse::<u32>()? - 1) * Phase::COUNT + executed,
        };
        circuit.edges(edges - before)?;
        before = edges;
        for (nets, from) in &columns {
            // The byte on the bus is given where an instruction uses it.
            let levels = row.get(*from..).unwrap_or_default();
            check(levels.is_empty() || levels.starts_with(&binary(&circuit, nets)), row)?;
        }
    }
    Ok(())
}

/// Checks the LED rows and A after the listed number of instructions, and the phases in which the
/// mailbox strobe is active.
fn check_panel(board: &Board, lines: &[&str], mut circuit: Settled) -> Checked {
    let [heading, rows @ .., last] = lines else { panic!("{lines:?}") };
    let mut strobes = Vec::new();
    let mut number = 1;
    for (words, held) in [("no button held", 0x00), ("all buttons held", 0xff)] {
        set_buttons(&mut circuit, Buttons(held))?;
        let (count, _) = heading.split_once(&format!(" done, {words}")).unwrap();
        let from = count.rfind(' ').unwrap() + 1;
        let count: u32 = count[from..].parse()?;
        while number <= count {
            circuit.edge()?;
            let phase = binary(&circuit, &board.probes().phase);
            if circuit.level(board.panel().unwrap().mailbox) {
                strobes.push(format!("in instruction {number}: {phase}"));
            }
            number += u32::from(phase == "000");
        }
        for row in rows {
            let nets = wires(board, row.split(' ').next().unwrap());
            check(row[from..].starts_with(&binary(&circuit, &nets)), row)?;
        }
    }
    check(*last == format!("MAILBOX is high {}, and at no other time", strobes.join(", ")), last)
}

#[test]
fn each_bring_up_step_gives_the_readings_of_the_page() {
    let board = board();
    let steps = steps(&board);
    assert_eq!(steps.len(), 7);
    for step in &steps {
        for seed in 0..3 {
            step.check_readings(&board, seed).unwrap();
        }
    }
    assert!(board.chip_ids().eq(steps[6].present.iter().copied()), "every chip is added");
}

/// Returns a line for each chip that a line stands for. For `REDn.0-7 at REDn, 19, n from 0 to 7`,
/// the first one is `RED0.0-7 at RED0, 19`.
fn lines_of_chips(line: &str) -> Vec<String> {
    let Some(line) = line.strip_suffix(", n from 0 to 7") else { return vec![line.to_owned()] };
    (0..8).map(|n| line.replace('n', &n.to_string())).collect()
}

/// Checks that each step ties exactly those inputs that have a driver whose chip is not in its
/// socket yet. Also checks the pin numbers of chips and empty sockets, as in `PHASE.0-2 at PHASE,
/// 13-15`.
#[test]
fn no_input_floats_in_any_step_and_the_page_has_the_right_pins() {
    let board = board();
    let ram = board.memory();
    for step in steps(&board) {
        let mut tied = BTreeSet::new();
        let places = ["tie low", "measure"].map(|label| lines(step.block, label)).concat();
        let places = places.into_iter().filter(|line| *line != "nothing");
        for line in &places.flat_map(lines_of_chips).collect::<Vec<_>>() {
            let (place, pins) = line.split_once(", ").unwrap();
            let (nets, place) = place.split_once(" by ").or(place.split_once(" at ")).unwrap();
            let id = board.chip_named(place.rsplit(' ').next().unwrap()).unwrap();
            assert_eq!(step.present.contains(&id), !place.contains("empty socket"), "{line}");
            let numbers = pins.split(' ').flat_map(|run| {
                let (first, last) = run.split_once('-').unwrap_or((run, run));
                first.parse::<usize>().unwrap()..=last.parse().unwrap()
            });
            let (chip, nets) = (board.chip(id), wires(&board, nets));
            let pins: Vec<&PinUse> = numbers.map(|n| &chip.part().pins[n - 1].usage).collect();
            let data = |net| chip.data.iter().position(|data| data == net).expect(line) as u8;
            let expected: Vec<PinUse> = nets.iter().map(|net| PinUse::Data(data(net))).collect();
            assert_eq!(pins, expected.iter().collect::<Vec<_>>(), "{line}");
            if !step.present.contains(&id) {
                tied.extend(nets);
            }
        }
        let here = |id: ChipId| step.present.contains(&id);
        let floats = board.net_ids().filter(|&net| {
            let is_input = board.readers(net).any(|(chip, _)| here(chip))
                || here(ram) && board.chip(ram).data.contains(&net);
            is_input && board.net(net).driver.pins().any(|pin| !here(pin.chip))
        });
        assert_eq!(tied, floats.collect(), "{}", step.block);
    }
}

/// The outputs that can be stuck at the given level without changing a reading of the step that
/// adds their chip. The step of the panel reads A only after loads of the buttons, and the
/// simulator also keeps the buttons in data memory, so a load that wrongly reads the bus gets the
/// same byte.
const UNSEEN: [(&str, bool); 2] = [("BUTTONS", false), ("BUTTONS", true)];

/// If an output of a ROM is stuck at either level, a reading of the step that adds the ROM changes,
/// except for the outputs in `UNSEEN`.
#[test]
fn a_stuck_output_is_noticed_in_the_step_of_its_chip() {
    let board = board();
    let mut unseen = Vec::new();
    for step in steps(&board) {
        for &id in step.added.iter().filter(|id| **id != board.memory()) {
            let chip = board.chip(id);
            for (pin, &net) in chip.data.iter().enumerate() {
                for high in [false, true] {
                    let stick = |byte: &u8| if high { byte | 1 << pin } else { byte & !(1 << pin) };
                    let contents = chip.contents().iter().map(stick).collect();
                    let faulty = board.with_contents(id, contents).unwrap();
                    if step.check_readings(&faulty, 0).is_ok() {
                        unseen.push((board.net(net).name(), high));
                    }
                }
            }
        }
    }
    assert_eq!(unseen, UNSEEN);
}
