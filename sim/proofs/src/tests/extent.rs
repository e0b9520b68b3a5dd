//! The number of cases that each proof has to look at, by what they are about.
//!
//! That follows from the roles of the chips, the phases and the instruction set. Contents and wires
//! are not looked at, and nothing is shared with the loops of the proofs: a proof that leaves out
//! cases, or takes some for others, does not come to the same numbers.

use gray1_board::phase::Phase;
use gray1_board::registers::master;
use gray1_board::role::{Function, Role};
use gray1_board::{Board, Chip, ChipId, NetId};
use gray1_isa::Op;
use gray1_isa::address::{RAM_BYTES, ROM_WORDS};

use crate::counterexample::Cause;
use crate::verdict::{About, Cases};
use crate::{bus, counters, instructions, latches, panel, strobes, support};

/// The values of a byte.
const BYTES: u64 = 1 << 8;
/// The wires of the opcode.
const OPCODE_WIRES: u32 = Op::ALL.len().ilog2();

/// All cases of a proof.
pub(super) fn of(board: &Board, number: u8) -> Cases {
    let mut cases = Cases::default();
    match number {
        1 => of_counters(board, &mut cases),
        2 => of_latches(board, &mut cases),
        3 => of_strobes(board, &mut cases),
        4 => of_bus(board, &mut cases),
        6 => of_panel(board, &mut cases),
        _ => {
            of_support(board, &mut cases);
            of_meaning(&mut cases);
        }
    }
    cases
}

/// The number of addresses that the wires of a chip can form.
fn addresses(chip: &Chip) -> u64 {
    let wired = chip.address().iter().filter(|source| source.net().is_some());
    1 << wired.count()
}

fn of_counters(board: &Board, cases: &mut Cases) {
    for (id, chip) in chips(board) {
        let Role::Counter(counter) = chip.role() else { continue };
        let mut left = addresses(chip);
        // Each of these pins decides while it is high and none before it is.
        for (pin, law) in [
            (counter.clear, counters::CLEARS),
            (counter.load.as_ref().map(|load| load.on), counters::LOADS),
            (counter.park.map(|park| park.during), counters::PARKS),
        ] {
            if pin.is_some() {
                left /= 2;
                cases.add(About::new(law).chip(id), left);
            }
        }
        cases.add(About::new(counters::STEPS).chip(id), left);
        let codes = 1 << counter.count.out.width();
        cases.add(About::new(counters::ALL_CODES).chip(id), codes);
    }
    let mut ends: Vec<NetId> = enables(board)
        .filter(|(id, _)| matches!(board.chip(*id).role(), Role::Counter(_)))
        .map(|(_, strobe)| strobe)
        .collect();
    ends.sort_unstable();
    ends.dedup();
    for strobe in ends {
        cases.add(About::new(counters::QUIET_END).strobe(strobe), ROM_WORDS as u64);
    }
}

fn of_latches(board: &Board, cases: &mut Cases) {
    for (id, chip) in chips(board) {
        let Role::Latches(latches) = chip.role() else { continue };
        for law in [latches::HOLD, latches::FOLLOW] {
            cases.add(About::new(law).chip(id), latches.len() as u64 * addresses(chip) / 2);
        }
    }
}

fn of_strobes(board: &Board, cases: &mut Cases) {
    for (phase, _) in states() {
        for (chip, strobe) in enables(board) {
            let about = About::new(strobes::ONE_COMMAND).chip(chip).strobe(strobe);
            cases.add(about.phase(phase), seen_levels());
        }
    }
    let is_control = |chip: &Chip| matches!(chip.role(), Role::Function(Function::Control(_)));
    for step in steps() {
        for (chip, strobe) in enables(board) {
            let about = About::new(strobes::CLOSES).chip(chip).strobe(strobe);
            cases.add(about.phase(step.from), seen_levels());
        }
        for law in [strobes::WRITE_STANDS, strobes::WRITE_SETTLED, strobes::NO_CIRCLE] {
            cases.add(About::new(law).phase(step.from), seen_levels());
        }
        for (table, _) in chips(board).filter(|(_, chip)| is_control(chip)) {
            let mixes = Op::ALL.into_iter().map(|op| 2 * step.mixes(op)).sum();
            cases.add(About::new(strobes::NO_GLITCH).chip(table).phase(step.from), mixes);
        }
    }
}

fn of_bus(board: &Board, cases: &mut Cases) {
    let wires = board.chip(board.memory()).data().len() as u64;
    for (phase, _) in states() {
        cases.add(About::new(bus::ONE_DRIVER).phase(phase), wires * seen_levels());
    }
    for step in steps() {
        cases.add(About::new(bus::UNSEEN).phase(step.from), seen_levels());
    }
}

/// The strobes of the rows of LEDs and of the mailbox, at every operand, written and not; the table
/// that puts the buttons in the place of the bus, by every operand and every pair of bytes.
fn of_panel(board: &Board, cases: &mut Cases) {
    let Some(wires) = board.panel() else { return };
    let is_row = |chip: &Chip| chip.data().iter().any(|net| wires.leds.contains(net));
    let rows = enables(board).filter(|(id, _)| is_row(board.chip(*id))).map(|(_, strobe)| strobe);
    for strobe in rows.chain([wires.mailbox]) {
        cases.add(About::new(panel::TAKES_A).strobe(strobe), 1);
        cases.add(About::new(panel::OWN_CELL).strobe(strobe), 2 * RAM_BYTES as u64);
        for step in steps() {
            let about = About::new(panel::NO_GLITCH).strobe(strobe);
            cases.add(about.phase(step.from), seen_levels());
        }
    }
    let is_chooser = |chip: &Chip| matches!(chip.role(), Role::Function(Function::Choose(_)));
    for (id, _) in chips(board).filter(|(_, chip)| is_chooser(chip)) {
        cases.add(About::new(panel::ANSWERS).chip(id), RAM_BYTES as u64);
        cases.add(About::new(panel::SHOWS).chip(id), 2 * BYTES * BYTES);
    }
}

/// The values that A and the carry take, each time that the phase in which they do is reached.
fn of_support(board: &Board, cases: &mut Cases) {
    let probes = board.probes();
    let holder = |wire: NetId| {
        let wire = master(board, wire)?;
        chips(board).find(|(_, chip)| chip.data().contains(&wire)).map(|(id, _)| id)
    };
    let holders = [(holder(probes.a[0]), Op::writes_a as fn(Op) -> bool)];
    let holders = holders.into_iter().chain([(holder(probes.carry), Op::writes_carry as _)]);
    for (chip, writes) in holders.filter_map(|(chip, writes)| Some((chip?, writes))) {
        for op in Op::ALL.into_iter().filter(|op| writes(*op)) {
            for carry in [false, true] {
                let taken = steps().filter(|step| step.to == Phase::T5).count();
                let about = About::new(support::NAMED).chip(chip).phase(Phase::T5);
                cases.add(about.op(op).carry(carry), taken as u64);
            }
        }
    }
}

fn of_meaning(cases: &mut Cases) {
    for (op, carry) in Op::ALL.into_iter().flat_map(|op| [(op, false), (op, true)]) {
        let mut add = |law, count| cases.add(About::new(law).op(op).carry(carry), count);
        add(instructions::ARITHMETIC, BYTES * BYTES);
        // Half of all words follow with either carry.
        add(instructions::LEFTOVERS, 1 << (u16::BITS - 1));
        if (op.reads_memory() || op.writes_memory()) && !carry {
            add(instructions::ADDRESSES, RAM_BYTES as u64);
        }
        if matches!(op, Op::Jc | Op::Jmp) {
            add(instructions::JUMPS, ROM_WORDS as u64);
        }
        if op.jumps(carry) {
            // At 0 stands the jump itself.
            add(instructions::TARGETS, ROM_WORDS as u64 - 1);
        }
        for phase in [Phase::T1, Phase::T3, Phase::T5, Phase::T7] {
            let about = About::new(instructions::RESETS).phase(phase);
            cases.add(about.op(op).carry(carry), Op::ALL.len() as u64);
        }
    }
    cases.add(About::new(instructions::SUCCESSION), ROM_WORDS as u64);
}

/// The levels of the wires that the control table reads besides phase and reset: opcode and carry.
const fn seen_levels() -> u64 {
    2 * Op::ALL.len() as u64
}

/// The strobes that let a chip take something.
fn enables(board: &Board) -> impl Iterator<Item = (ChipId, NetId)> + '_ {
    chips(board).flat_map(|(id, chip)| {
        let pins: Vec<u8> = match chip.role() {
            Role::Latches(latches) => latches.iter().map(|latch| latch.enable).collect(),
            Role::Counter(counter) => {
                counter.load.iter().map(|load| load.on).chain(counter.clear).collect()
            }
            Role::Memory | Role::Function(_) | Role::Program(_) => Vec::new(),
        };
        let wires = pins.into_iter().filter_map(|pin| chip.wire(pin));
        let is_memory = *chip.role() == Role::Memory;
        wires.chain(chip.write_enable_low().filter(|_| is_memory)).map(move |wire| (id, wire))
    })
}

fn chips(board: &Board) -> impl Iterator<Item = (ChipId, &Chip)> {
    board.chip_ids().zip(board.chips())
}

/// A step of the phase, or of reset.
struct Step {
    from: Phase,
    to: Phase,
    cause: Cause,
}

impl Step {
    /// At how many mixes of old and new levels the control table can be, over all levels that wires
    /// from elsewhere can take. Each wire that goes from any level to any adds a level to stay at
    /// and two, old and new, to be mixed.
    fn mixes(&self, op: Op) -> u64 {
        let own = self.cause != Cause::Oscillator || self.from != self.to;
        // The latch of the opcode opens in T2 and closes behind it; that what it has taken stands
        // then is for another law.
        let fetches = self.cause == Cause::Oscillator && [self.from, self.to].contains(&Phase::T2);
        let shows = self.cause == Cause::Oscillator && self.to == Phase::T7 && op.writes_carry();
        let from_elsewhere = if fetches { OPCODE_WIRES } else { u32::from(shows) };
        (1 << u32::from(own)) * 3_u64.pow(from_elsewhere)
    }
}

/// The states of the phase: each phase, and whether reset is pressed. Under reset it waits in T1
/// at either level of the oscillator, and never comes to T2.
fn states() -> impl Iterator<Item = (Phase, bool)> {
    let free = Phase::ALL.into_iter().map(|phase| (phase, false));
    let under_reset = Phase::ALL.into_iter().filter(|phase| *phase != Phase::T2);
    free.chain(under_reset.chain([Phase::AFTER_RESET]).map(|phase| (phase, true)))
}

/// The steps from there: the oscillator turns over; or, in the phases in which it is high, reset
/// rises; or, where the phase waits, it falls.
fn steps() -> impl Iterator<Item = Step> {
    let turns = states().map(|(from, reset)| {
        let waits = reset && from == Phase::AFTER_RESET;
        let to = if waits { from } else { from.after(1) };
        Step { from, to, cause: Cause::Oscillator }
    });
    let at = |phase, cause| Step { from: phase, to: phase, cause };
    let is_high = |phase: &Phase| phase.number() % 2 == 1;
    let rises = Phase::ALL.into_iter().filter(is_high);
    let rises = rises.map(move |phase| at(phase, Cause::ResetRises));
    turns.chain(rises).chain([at(Phase::AFTER_RESET, Cause::ResetFalls)])
}
