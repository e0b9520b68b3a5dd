//! Runs `programs/selftest.asm` on boards with a wrong bit. It must fail on each board whose fault
//! a program can detect.
//!
//! The default is every bit of FLAGS, some of CTRL, and eight random bits. `GRAY1_ALL_FAULTS=100`
//! means all of CTRL and a hundred random bits, which takes two minutes. `.ci/run` does that. With
//! `CI_FULL`, it also tries a thousand random bits.

use gray1_board::{Board, ChipId, Parts};
use gray1_isa::format::{Contents, load};
use gray1_isa::panel::Display;
use gray1_isa::{Op, PowerUp, SplitMix64, gray};
use gray1_proofs::{Prover, Reach};
use gray1_sim::{BoardEngine, Engine as _};

/// The maximum number of instructions to execute: one and a half times the length of the test.
const LIMIT: u64 = 900_000;
/// The chips that a program can test. Whether a fault of another chip has an effect depends on
/// where the program is in memory.
const CHIPS: [&str; 6] = ["ALUL", "ALUH", "AM", "AS", "FLAGS", "CTRL"];

/// The stock board with the test burned in, and the addresses that can occur.
struct TestedBoard {
    board: Board,
    reaches: Vec<Reach>,
}

/// A bit of a chip.
#[derive(Debug, Clone, Copy)]
struct Bit {
    chip: ChipId,
    address: u32,
    pin: u8,
}

/// The parts of the repository's boards.
fn parts() -> Parts {
    Parts::load(include_str!("../../../roms/parts.ron")).unwrap()
}

impl TestedBoard {
    fn new() -> Self {
        let text = include_str!("../../../roms/gray1.ron");
        let board = Board::load(text, &parts(), |_| Err(String::new())).unwrap();
        let reaches = Prover::new(&board).reach().unwrap();
        let Ok(Contents::Image(program)) = load(include_bytes!("../../../roms/selftest.hex"))
        else {
            panic!("it is no image");
        };
        let board = board.with_program(&program);
        Self { board, reaches }
    }

    /// Returns the bits of a chip at addresses that can occur while settled.
    fn bits(&self, name: &str) -> Vec<Bit> {
        let chip = self.board.chip_named(name).unwrap();
        let pins = self.board.chip(chip).data.len() as u8;
        let addresses = 0..self.board.chip(chip).part().bytes() as u32;
        let settled = addresses
            .filter(|&address| self.reaches[chip.index()].settled.contains(address as usize));
        settled.flat_map(|address| (0..pins).map(move |pin| Bit { chip, address, pin })).collect()
    }

    /// Returns the board with this bit flipped.
    fn with_fault(&self, bit: Bit) -> Board {
        let mut contents = self.board.chip(bit.chip).contents().to_vec();
        contents[bit.address as usize] ^= 1 << bit.pin;
        self.board.with_contents(bit.chip, contents).unwrap()
    }

    fn name(&self, bit: Bit) -> &str {
        self.board.chip(bit.chip).name()
    }

    /// Returns the reason that no program can detect a fault in this bit, if there is one.
    fn excuse(&self, bit: Bit) -> Option<&'static str> {
        let Bit { address, pin, .. } = bit;
        match self.name(bit) {
            "ALUL" | "ALUH" => excuse_in_unit(self.name(bit) == "ALUH", address, pin),
            "FLAGS" => excuse_in_flags(address, pin),
            "CTRL" => {
                let net = self.board.chip(bit.chip).data[usize::from(pin)];
                let turned_on = self.board.chip(bit.chip).contents()[address as usize] >> pin & 1;
                excuse_in_control(self.board.net(net).name(), turned_on == 0, address)
            }
            _ => None,
        }
    }
}

/// Returns the excuse for a bit of the arithmetic unit: the instruction does not use the output, or
/// the carry in cannot occur.
fn excuse_in_unit(is_high: bool, address: u32, pin: u8) -> Option<&'static str> {
    let op = Op::from_code((address >> 12 & 7) as u8);
    let has_carry = op.writes_carry();
    match op {
        _ if !op.writes_a() => Some("the instruction takes nothing from the unit"),
        _ if pin == 4 && !has_carry => Some("the instruction takes no carry"),
        _ if is_high && address >> 15 & 1 == 1 && !has_carry => Some("no carry comes in"),
        _ => None,
    }
}

/// Returns the excuse for a bit of the flags: C is wrong only until the next T7, which updates it.
fn excuse_in_flags(address: u32, pin: u8) -> Option<&'static str> {
    let level = |pin: u8| address >> pin & 1 == 1;
    let (d, take, show, master, c) = (level(0), level(1), level(2), level(3), level(4));
    match pin {
        1 if !show => Some("C is right again in T7, before anything depends on it"),
        0 if !take && !show && master != c && master != d => {
            Some("while C waits for a new carry, that one still comes from the unit")
        }
        _ => None,
    }
}

/// Returns the excuse for a bit of the control table: an additional strobe, or a missing one, has
/// no effect.
fn excuse_in_control(strobe: &str, turned_on: bool, address: u32) -> Option<&'static str> {
    let phase = gray::decode((address & 7) as u16);
    let op = Op::from_code((address >> 3 & 7) as u8);
    let carry = address >> 6 & 1 == 1;
    let depends_on_a = matches!(op, Op::Add | Op::Nand | Op::Shr);
    match (strobe, turned_on, phase) {
        _ if address >> 7 & 1 == 1 => Some("reset is not pressed while the test runs"),
        ("IRH_EN", true, 0 | 1 | 3) => Some("the high byte is there"),
        ("IRL_EN", true, 0..=3) => Some("the low byte is fetched again in T4"),
        ("IRL_EN", true, 5..=7) => Some("the low byte is there"),
        ("IRL_EN", false, 4) if op == Op::Shr => Some("SHR has no operand"),
        ("IRL_EN", false, 4) if op == Op::Jc && !carry => Some("the jump is not taken"),
        ("AM_EN", true, 6) => Some("A is what it was, and so is the result"),
        ("AM_EN", true, 2..=4) => Some("A's master is right in T5, or takes A"),
        ("AM_EN", true, _) if !depends_on_a => Some("A's master takes A, or the result once more"),
        ("CM_EN", true, 2..=6) if op.writes_carry() => Some("the carry is right in T5, and stays"),
        ("CM_EN", true, _) if !op.writes_carry() && !carry => Some("the carry it takes is C"),
        ("nWE", false, 0 | 1 | 6 | 7) if op == Op::Ld => Some("it writes what it has read"),
        ("nWE", false, 0 | 1 | 4 | 5 | 7) if op == Op::St => Some("it writes the same once more"),
        ("AS_EN", true, 0..=4 | 6 | 7) => Some("A and C show what they hold, or will"),
        ("AS_EN", true, 5) if !depends_on_a => Some("A shows early what it will hold"),
        ("AS_EN", false, 7) if !op.writes_a() => Some("the masters have nothing new"),
        ("CLR", true, 5..=7) if op.jumps(carry) => Some("the target is loaded next"),
        ("PC_LOAD", true, 1 | 5 | 6) if op.jumps(carry) => Some("it is the target that is loaded"),
        ("PC_LOAD", false, 0 | 7) if op.jumps(carry) => Some("T7 and T0 both load the target"),
        _ => None,
    }
}

/// Returns whether the test ends on a board and reports success through the LEDs, the output and A.
/// A board that does not settle fails.
fn passes(board: &Board, power_up: PowerUp) -> bool {
    let Ok(mut engine) = BoardEngine::settled(board, power_up) else { return false };
    engine.run(LIMIT);
    let all_green = engine.display() == Display { green: [0xff; 8], red: [0; 8] };
    let is_settled = engine.halted() && engine.error().is_none();
    let reports_success = engine.take_output() == b"pass\n" && engine.registers().a == 0xff;
    is_settled && all_green && reports_success
}

fn is_exhaustive() -> bool {
    std::env::var_os("GRAY1_ALL_FAULTS").is_some()
}

/// Returns the number of random bits to try.
fn random_faults() -> u32 {
    let number = std::env::var("GRAY1_ALL_FAULTS");
    number.map_or(8, |number| number.parse().expect("a number of faults"))
}

#[test]
fn the_stock_board_passes_from_any_power_up() {
    let tested = TestedBoard::new();
    for power_up in [PowerUp::Zero, PowerUp::Ones, PowerUp::Random(3)] {
        assert!(passes(&tested.board, power_up), "{power_up}");
    }
}

/// In the arithmetic unit, the test detects exactly the outputs that an instruction uses.
#[test]
fn the_self_test_fails_for_random_faults() {
    let tested = TestedBoard::new();
    let bits: Vec<Bit> = CHIPS.iter().flat_map(|name| tested.bits(name)).collect();
    let mut random = SplitMix64::new(2017);
    let mut faults = std::iter::repeat_with(|| bits[random.below(bits.len() as u64) as usize]);
    let mut seen = 0;
    while seen < random_faults() {
        let bit = faults.next().unwrap();
        let passed = passes(&tested.with_fault(bit), PowerUp::Zero);
        let reason = tested.excuse(bit);
        assert!(!passed || reason.is_some(), "{} {bit:x?} goes unseen", tested.name(bit));
        let is_small = ["FLAGS", "CTRL"].contains(&tested.name(bit));
        assert!(
            passed || reason.is_none() || is_small,
            "{} {bit:x?}: {reason:?}?",
            tested.name(bit)
        );
        seen += u32::from(!passed);
    }
}

/// Random choices rarely select bits of these two chips, because they are small.
#[test]
fn the_self_test_fails_for_every_harmful_fault_of_flags_and_ctrl() {
    let tested = TestedBoard::new();
    let control = tested.bits("CTRL").into_iter().step_by(if is_exhaustive() { 1 } else { 211 });
    let bits = tested.bits("FLAGS").into_iter().chain(control);
    let unexplained = bits.filter(|&bit| tested.excuse(bit).is_none());
    let unseen: Vec<String> = unexplained
        .filter(|&bit| passes(&tested.with_fault(bit), PowerUp::Zero))
        .map(|bit| format!("{} {:x}.{}", tested.name(bit), bit.address, bit.pin))
        .collect();
    assert_eq!(unseen, [""; 0]);
}

/// Wires that may be stuck at a level without being detected, and the reason.
const UNDETECTED_WIRES: [(&str, bool); 2] = [
    // Reset is not pressed while the test runs.
    ("CLR", false),
    // The effect of a stuck address wire depends on where the program and its data are in memory.
    ("IRH.2", true),
];

/// A stuck data wire is detected in any chip: counters, latches and tables.
#[test]
fn the_self_test_fails_for_every_stuck_data_wire() {
    let tested = TestedBoard::new();
    let chips = tested.board.chip_ids().filter(|&id| !tested.board.chip(id).contents().is_empty());
    let wires = chips.flat_map(|chip| {
        let wires = tested.board.chip(chip).data.len();
        (0..wires).flat_map(move |pin| [(chip, pin, false), (chip, pin, true)])
    });
    let wires = wires.step_by(if is_exhaustive() { 1 } else { 9 });
    let unseen = wires.filter_map(|(chip, pin, high)| {
        let stick = |byte: &u8| if high { byte | 1 << pin } else { byte & !(1 << pin) };
        let contents = tested.board.chip(chip).contents().iter().map(stick).collect();
        let faulty = tested.board.with_contents(chip, contents).unwrap();
        let name = tested.board.net(tested.board.chip(chip).data[pin]).name();
        passes(&faulty, PowerUp::Zero).then_some((name, high))
    });
    let unseen: Vec<_> = unseen.filter(|pin| !UNDETECTED_WIRES.contains(pin)).collect();
    assert_eq!(unseen, [], "stuck and unseen");
}
