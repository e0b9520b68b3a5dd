//! Transfers: which bytes move now, from where, through which chips, and into which chip. They are
//! computed from the levels of the wires and from the chips' roles and contents.

use std::collections::BTreeSet;

use gray1_board::role::Function;
use gray1_board::table::alu_inputs;
use gray1_board::{Board, Chip, ChipId, Driver, NetId, Role, Source};
use gray1_debugger::Levels;

/// A byte, or a part of one, that moves into a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The chips that hold it: latches, counters and memories.
    pub from: BTreeSet<ChipId>,
    /// The tables it goes through.
    pub through: BTreeSet<ChipId>,
    /// The chip that takes it.
    pub to: ChipId,
    /// The steps of its path.
    pub hops: BTreeSet<Hop>,
}

/// A step of a byte, from a chip to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// The chip that drives the wires.
    pub from: ChipId,
    /// The chip that reads them.
    pub to: ChipId,
}

/// All current transfers, in the order of the chips that take them.
pub fn find_transfers(levels: &Levels) -> Vec<Transfer> {
    let board = &*levels.board;
    let latched = board.chip_ids().map(|id| (id, latched_wires(levels, id)));
    latched
        .filter(|(_, nets)| !nets.is_empty())
        .map(|(to, nets)| {
            let mut transfer = Transfer::new(to);
            transfer.trace(levels, &nets, to);
            transfer
        })
        .collect()
}

/// The steps of all transfers.
pub fn collect_hops(transfers: &[Transfer]) -> BTreeSet<Hop> {
    transfers.iter().flat_map(|transfer| transfer.hops.iter().copied()).collect()
}

/// The paths of the bytes, chip by chip: `AS ▶ BUF ▶ RAM`. Chips that take the same byte are named
/// together.
pub fn describe_paths(board: &Board, transfers: &[Transfer], arrow: &str) -> Vec<String> {
    let alike = transfers.chunk_by(|a, b| (&a.from, &a.through) == (&b.from, &b.through));
    let paths = alike.map(|alike| {
        let (from, through) = (&alike[0].from, &alike[0].through);
        let stages = [
            from.iter().copied().collect(),
            through.iter().copied().collect(),
            alike.iter().map(|transfer| transfer.to).collect::<Vec<_>>(),
        ];
        let stages = stages.iter().filter(|chips| !chips.is_empty()).map(|chips| {
            let names: Vec<&str> = chips.iter().map(|id| board.chip(*id).name()).collect();
            names.join(", ")
        });
        stages.collect::<Vec<_>>().join(&format!(" {arrow} "))
    });
    paths.collect()
}

/// The chip that drives a wire now. `None` if it comes from outside the board.
pub fn driver(levels: &Levels, net: NetId) -> Option<ChipId> {
    match levels.board.net(net).driver {
        Driver::Outside => None,
        Driver::Chip(pin) => Some(pin.chip),
        Driver::Shared { select, high, .. } if levels.level(select) => Some(high.chip),
        Driver::Shared { low, .. } => Some(low.chip),
    }
}

/// The wires on these address pins.
pub(super) fn wires_on(chip: &Chip, pins: u32) -> impl Iterator<Item = NetId> + '_ {
    let sources = chip.address.iter().enumerate();
    let chosen = sources.filter(move |(pin, _)| pins >> pin & 1 == 1);
    chosen.filter_map(|(_, source)| source.net())
}

/// Whether an address pin is high.
pub fn is_high(levels: &Levels, chip: &Chip, pin: u8) -> bool {
    match chip.address[usize::from(pin)] {
        Source::Net(net) => levels.level(net),
        Source::Tied(level) => level,
    }
}

/// The wires whose levels a chip takes from other chips now, if it is an open latch, a counter that
/// is being loaded or a memory that is being written.
fn latched_wires(levels: &Levels, id: ChipId) -> Vec<NetId> {
    let chip = levels.board.chip(id);
    let is_high = |pin| is_high(levels, chip, pin);
    let nets: Vec<NetId> = match chip.role() {
        Role::Latches(latches) => {
            let open = latches.iter().filter(|latch| is_high(latch.enable));
            open.flat_map(|latch| wires_on(chip, latch.d.mask())).collect()
        }
        Role::Counter(counter) if counter.clear.is_some_and(is_high) => Vec::new(),
        Role::Counter(counter) => {
            let load = counter.load.iter().filter(|load| is_high(load.on));
            load.flat_map(|load| &load.gray).flat_map(|parity| wires_on(chip, parity.0)).collect()
        }
        Role::Memory => {
            let is_written = chip.write_enable_low().is_some_and(|net| !levels.level(net));
            if is_written { chip.data.clone() } else { Vec::new() }
        }
        Role::Function(_) | Role::Program(_) => Vec::new(),
    };
    nets.into_iter().filter(|net| driver(levels, *net) != Some(id)).collect()
}

impl Transfer {
    fn new(to: ChipId) -> Self {
        let (from, through, hops) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Self { from, through, to, hops }
    }

    /// Traces the origins of the levels on these wires, which `to` reads.
    fn trace(&mut self, levels: &Levels, nets: &[NetId], to: ChipId) {
        let drivers: BTreeSet<ChipId> =
            nets.iter().filter_map(|&net| driver(levels, net)).collect();
        for from in drivers {
            let chip = levels.board.chip(from);
            let pins = (0..).zip(&chip.data).filter(|(_, net)| nets.contains(net));
            let pins = pins.fold(0, |pins, (pin, _)| pins | 1 << pin);
            let is_new = self.hops.insert(Hop { from, to });
            let Some(inputs) = dependencies(levels, chip, pins) else {
                self.from.insert(from);
                continue;
            };
            self.through.insert(from);
            // A loop of tables, which another board may have, is traced once.
            if is_new {
                self.trace(levels, &inputs, from);
            }
        }
    }
}

/// The wires on which some data pins of a chip depend now. `None` if the chip itself holds their
/// levels.
fn dependencies(levels: &Levels, chip: &Chip, pins: u32) -> Option<Vec<NetId>> {
    let inputs = match chip.role() {
        Role::Function(Function::AluLow(slice) | Function::AluHigh(slice)) => {
            let opcode = slice.opcode.pins().iter().filter(|pin| is_high(levels, chip, **pin));
            let opcode = opcode.fold(0, |opcode, pin| opcode | 1 << pin);
            alu_inputs(chip, slice, opcode, pins)
        }
        Role::Function(Function::Buffer { from, .. }) => from.mask(),
        Role::Function(_) => u32::MAX,
        Role::Counter(counter) => {
            let beside = counter.others.iter().find(|(pin, _)| pins == 1 << pin);
            beside.map(|(_, parity)| parity.0)?
        }
        Role::Latches(_) | Role::Program(_) | Role::Memory => return None,
    };
    Some(wires_on(chip, inputs).collect())
}

#[cfg(test)]
mod tests {
    use gray1_isa::{Image, Op, RamAddr, RomIndex, Word};

    use super::*;
    use crate::tests::machines as testing;
    use crate::{Command, Program, WireDetail};

    /// The transfers of the instruction after `LDI n`, including T0 of the next one.
    fn phases(n: u8, word: Word) -> Vec<String> {
        // Sets the carry, so that JC jumps.
        let ff = Word::data(Op::Add, RamAddr::default());
        let words =
            [Word::ldi(0xff), Word::data(Op::St, RamAddr::default()), ff, Word::ldi(n), word];
        let image = Image::from_words(&words).unwrap();
        let mut session = testing::session(Program::new("test".into(), image), true);
        session.command(Command::ShowWires(WireDetail::Levels));
        (0..4).for_each(|_| session.command(Command::Step));
        let phases = (0..9).map(|_| {
            let levels = session.snapshot().levels.unwrap();
            session.command(Command::StepPhase);
            describe_paths(&levels.board, &find_transfers(&levels), ">").join("; ")
        });
        phases.collect()
    }

    /// Checks what docs/MACHINE.md says in "Phases" and "What a programmer sees": which latches are
    /// open in each phase, and what each instruction reads and writes.
    #[test]
    fn transfers_match_the_documented_phases() {
        let at = RamAddr::truncate(0x1234);
        let jump = "IRH, IRL > PCH; IRH, IRL > PCH > PCL";
        let taken = format!("{jump}; AM > AS");
        // The instruction, T5, T6, T7, and T0 of the next one.
        for (word, t5, t6, t7, t0) in [
            (Word::ldi(7), "IRL > ALUL, ALUH > AM", "", "AM > AS", ""),
            (Word::data(Op::Ld, at), "RAM > ALUL, ALUH > AM", "", "AM > AS", ""),
            (Word::data(Op::St, at), "", "AS > BUF > RAM", "", ""),
            (Word::data(Op::Add, at), "AS, RAM > ALUL, ALUH > AM, FLAGS", "", "AM > AS", ""),
            (Word::data(Op::Nand, at), "AS, RAM > ALUL, ALUH > AM", "", "AM > AS", ""),
            (Word::shr(), "AS > ALUL, ALUH > AM, FLAGS", "", "AM > AS", ""),
            (Word::jump(Op::Jc, RomIndex::truncate(0x155)), "", "", taken.as_str(), jump),
            (Word::jump(Op::Jmp, RomIndex::truncate(0x155)), "", "", taken.as_str(), jump),
        ] {
            // The value of A does not matter: a NAND of zeros still reads both.
            for n in [0, 0x5a] {
                let expected =
                    ["", "", "PROG > IRH", "", "PROG > IRL", t5, t6, t7, t0].map(str::to_owned);
                assert_eq!(phases(n, word), expected, "{word:?} with A = {n}");
            }
        }
    }
}
