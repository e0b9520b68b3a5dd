//! Flips single bits of chips. Each flipped bit must fail a proof or be harmless. No bit may pass
//! the proofs and fail only in the timed engine.
//!
//! The default is a sample. With `GRAY1_ALL_FAULTS` set, every bit of PHASE, CTRL and FLAGS is
//! flipped, and thousands of random bits elsewhere. That takes a quarter of an hour in a release
//! build.

use std::collections::BTreeMap;

use gray1_board::{Board, ChipId};
use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{GRAY1, load};

use super::super::{Prover, Reach};
use super::first_failure;
use super::in_time::{random_timing, runs_correctly};

/// The effect of a flipped bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The data pin is not connected.
    OpenPin,
    /// The address cannot occur.
    NoSuchAddress,
    /// The proof with this number fails.
    Fails(u8),
    /// All proofs pass, but the timed engine gives wrong results.
    FailsInTime,
    /// All proofs pass, and the timed engine gives correct results.
    Harmless,
}

/// A bit of a chip.
#[derive(Debug, Clone, Copy)]
struct Bit {
    chip: ChipId,
    address: u32,
    pin: u8,
}

/// A board whose bits are flipped one at a time.
struct Faults<'a> {
    board: &'a Board,
    reaches: Vec<Reach>,
}

impl<'a> Faults<'a> {
    fn new(board: &'a Board) -> Self {
        let reaches = Prover::new(board).reach().unwrap();
        Self { board, reaches }
    }

    /// Returns all bits of a chip.
    fn bits(&self, name: &str) -> Vec<Bit> {
        let chip = self.board.chip_named(name).unwrap();
        let addresses = 0..self.board.chip(chip).part().bytes() as u32;
        addresses.flat_map(|address| (0..8).map(move |pin| Bit { chip, address, pin })).collect()
    }

    /// Returns the board with this bit flipped.
    fn with_fault(&self, bit: Bit) -> Board {
        self.board.with_wrong_bits(bit.chip, bit.address as usize, 1 << bit.pin)
    }

    fn classify(&self, bit: Bit) -> Class {
        let Bit { chip, address, pin } = bit;
        if usize::from(pin) >= self.board.chip(chip).data.len() {
            return Class::OpenPin;
        }
        if !self.reaches[chip.index()].all.contains(address as usize) {
            return Class::NoSuchAddress;
        }
        let faulty = self.with_fault(bit);
        if let Some((number, _)) = first_failure(&faulty) {
            return Class::Fails(number);
        }
        let random = &mut SplitMix64::new(u64::from(address) << 3 | u64::from(pin));
        let wrong = (0..20).any(|_| {
            let program = random_program(random);
            let faulty = faulty.with_program(&program);
            let timing = random_timing(&faulty, random);
            !runs_correctly(&faulty, &program, &timing, random)
        });
        if wrong { Class::FailsInTime } else { Class::Harmless }
    }

    /// Classifies bits. Returns the number of bits in each class.
    fn sweep(&self, bits: impl IntoIterator<Item = Bit>) -> BTreeMap<Class, usize> {
        let mut counts = BTreeMap::new();
        for bit in bits {
            let class = self.classify(bit);
            let Bit { chip, address, pin } = bit;
            let what = || format!("{} at {address:#x}, D{pin}", self.board.chip(chip).name());
            assert_ne!(class, Class::FailsInTime, "{}", what());
            *counts.entry(class).or_insert(0) += 1;
        }
        counts
    }
}

fn is_exhaustive() -> bool {
    std::env::var_os("GRAY1_ALL_FAULTS").is_some()
}

#[test]
fn every_fault_of_the_phase_fails_the_first_proof() {
    let stock = load(GRAY1).unwrap();
    let faults = Faults::new(&stock);
    let counts = faults.sweep(faults.bits("PHASE"));
    let expected = [
        (Class::OpenPin, 5 * 32),
        // T2 under reset, at both levels of the oscillator.
        (Class::NoSuchAddress, 2 * 3),
        (Class::Fails(1), 30 * 3),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    // Regression test: an open pin was taken for a phase that changes twice.
    let chip = stock.chip_named("PHASE").unwrap();
    let open = faults.with_fault(Bit { chip, address: 0x17, pin: 7 });
    assert_eq!(first_failure(&open), None);
}

#[test]
fn every_fault_of_the_flags_fails_the_second_proof() {
    let stock = load(GRAY1).unwrap();
    let faults = Faults::new(&stock);
    let counts = faults.sweep(faults.bits("FLAGS"));
    let expected = [
        (Class::OpenPin, 6 * 32),
        // Both latches are open.
        (Class::NoSuchAddress, 8 * 2),
        (Class::Fails(2), 24 * 2),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
}

#[test]
fn faults_of_the_control_table_fail_a_proof_or_do_no_harm() {
    let stock = load(GRAY1).unwrap();
    let faults = Faults::new(&stock);
    let step = if is_exhaustive() { 1 } else { 211 };
    let counts = faults.sweep(faults.bits("CTRL").into_iter().step_by(step));
    if is_exhaustive() {
        let expected = [
            // Addresses that tied pins make unreachable, and T2 under reset.
            (Class::NoSuchAddress, 8 * (2048 - 240)),
            (Class::Fails(1), 279),
            (Class::Fails(3), 1132),
            (Class::Fails(5), 206),
            (Class::Harmless, 303),
        ];
        assert_eq!(counts, BTreeMap::from(expected));
    }
}

#[test]
fn faults_elsewhere_fail_a_proof_or_do_no_harm() {
    let stock = load(GRAY1).unwrap();
    let faults = Faults::new(&stock);
    let random = &mut SplitMix64::new(9);
    let number = if is_exhaustive() { 400 } else { 3 };
    for name in ["PCH", "PCL", "IRH", "IRL", "ALUL", "ALUH", "AM", "AS", "BUF"] {
        let chip = faults.board.chip_named(name).unwrap();
        let bytes = faults.board.chip(chip).part().bytes() as u64;
        let bits = (0..number).map(|_| Bit {
            chip,
            address: random.below(bytes) as u32,
            pin: random.below(8) as u8,
        });
        let counts = faults.sweep(bits);
        // Only in the arithmetic unit are there addresses that occur but do not matter, because no
        // latch stores its output then.
        let spare = name.starts_with("ALU");
        assert!(spare || !counts.contains_key(&Class::Harmless), "{name}: {counts:?}");
    }
}
