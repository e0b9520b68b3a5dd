//! The path of one byte: a tour of an instruction that reads memory, with a sentence for each
//! phase.

use std::fmt;

use gray1_board::role::{Function, Strobes};
use gray1_board::{Board, Chip, NetId, Phase, Role, registers};
use gray1_isa::{Image, Op};
use gray1_sim::Engine;

use super::{RunState, Session};
use crate::instructions;

/// The maximum distance from the current instruction to that of a tour, in instructions, forward or
/// back.
const REACH: usize = 500;
const NO_TOUR: &str = "no instruction near here reads memory: there is no byte to follow";

impl Session {
    /// Goes to an instruction near here that reads memory, and begins its tour. If there is a tour,
    /// ends it.
    pub(super) fn toggle_tour(&mut self) {
        self.set_run_state(RunState::Paused);
        let (from, edges) = self.debugger.position();
        if self.tour.take().is_some_and(|(moment, _)| moment == from) {
            return;
        }
        if edges > 0 {
            self.step(true);
        }
        let board = self.debugger.levels().map(|levels| levels.board);
        for (is_back, reach) in [(false, REACH), (true, 2 * REACH)] {
            for _ in 0..reach {
                let (now, engine) = (self.debugger.position(), self.debugger.engine());
                if engine.phase() == Phase::T0
                    && let Some(board) = &board
                    && let Some(sentences) = sentences(board, &self.program.image, engine)
                {
                    self.tour = Some((now.0, sentences));
                    return;
                }
                self.step(is_back);
                if self.debugger.position() == now {
                    break;
                }
            }
        }
        self.seek(from);
        self.remark = Some(NO_TOUR.into());
    }

    /// Returns the tour's sentence for the current phase. Ends the tour if the machine has left its
    /// instruction.
    pub(super) fn tour(&mut self) -> Option<String> {
        let (now, phase) = (self.now(), self.debugger.engine().phase().number());
        self.tour.take_if(|(moment, _)| *moment != now);
        let (_, sentences) = self.tour.as_ref()?;
        Some(format!("T{phase}: {}", sentences[phase as usize]))
    }
}

/// A sentence for each phase of the next instruction, if it reads memory.
fn sentences(board: &Board, image: &Image, engine: &dyn Engine) -> Option<[String; 8]> {
    let (pc, a) = (engine.pc(), engine.a());
    let (word, instruction) = (image.word(pc), instructions::disassemble(image, pc));
    let (op, address) = (word.op(), word.address());
    let [high, low] = word.bits().to_be_bytes();
    let byte = engine.ram()[address.to_usize()];
    let value = op.alu(a, byte, word.immediate()).value;
    let (mnemonic, name) = (op.mnemonic(), image.byte_at(address, pc));
    let Players { program, memory, counters, phase, first, second, tables, master, slave } =
        Players::of(board);
    let takes_it = master.that("takes", "take");
    let answer = match op {
        Op::Ld => format!("{} it on, and {takes_it} it.", tables.that("passes", "pass")),
        Op::Add | Op::Nand => format!(
            "With A, {a:02x}, it is an address in the tables {tables}. There {mnemonic} has the \
             answer {value:02x}, and {takes_it} it."
        ),
        _ => return None,
    };
    let instruction = instruction.split_whitespace().collect::<Vec<_>>().join(" ");
    Some([
        format!(
            "{} the first byte of the instruction {instruction} in {program}.",
            counters.that("addresses", "address")
        ),
        format!(
            "{program} finds that byte, {high:02x}. No chip takes it yet, so its wires can settle."
        ),
        format!(
            "{} {high:02x}. Three of its bits say {mnemonic}, five begin the address.",
            first.that("takes", "take")
        ),
        format!(
            "{} its byte. {} one wire at a time, so no other chip opens.",
            first.that("closes and keeps", "close and keep"),
            phase.that("moves", "move")
        ),
        format!(
            "{program} shows the second byte, {low:02x}, and {} it. That completes the address: \
             {:04x}, where {name} is.",
            second.that("takes", "take"),
            address.get()
        ),
        format!("{memory} shows the byte there, {byte:02x}. {answer}"),
        format!(
            "{} {value:02x}. In this phase a store would write into {memory}.",
            master.that("closes and keeps", "close and keep")
        ),
        format!(
            "{} {value:02x} from {master}. That is A now, and the next instruction begins.",
            slave.that("takes", "take")
        ),
    ])
}

/// The chips that a byte passes.
struct Players<'a> {
    program: &'a str,
    memory: &'a str,
    /// The program counter.
    counters: Chips<'a>,
    /// The phase counter.
    phase: Chips<'a>,
    /// The latches of the instruction's first byte.
    first: Chips<'a>,
    /// The latches of its second byte.
    second: Chips<'a>,
    /// The tables of the arithmetic unit.
    tables: Chips<'a>,
    /// The latches of the accumulator that take its new value.
    master: Chips<'a>,
    /// The latches that show the accumulator.
    slave: Chips<'a>,
}

impl<'a> Players<'a> {
    fn of(board: &'a Board) -> Self {
        let shown = &board.probes().a;
        let taken = shown.iter().filter_map(|wire| registers::master_wire(board, *wire));
        Self {
            program: board.chip(board.program()).name(),
            memory: board.chip(board.memory()).name(),
            counters: Chips::driving(board, &registers::address_wires(board, board.program())),
            phase: Chips::driving(board, &board.probes().phase),
            first: Chips::open_on(board, |strobes| strobes.fetch_high),
            second: Chips::open_on(board, |strobes| strobes.fetch_low),
            tables: Chips::of(board, |chip| {
                matches!(chip.role(), Role::Function(Function::AluLow(_) | Function::AluHigh(_)))
            }),
            master: Chips::driving(board, &taken.collect::<Vec<_>>()),
            slave: Chips::driving(board, shown),
        }
    }
}

/// The names of chips that act together.
struct Chips<'a>(Vec<&'a str>);

impl<'a> Chips<'a> {
    fn of(board: &'a Board, belongs: impl Fn(&Chip) -> bool) -> Self {
        Self(board.chips().iter().filter(|chip| belongs(chip)).map(Chip::name).collect())
    }

    /// The chips that drive some of these wires.
    fn driving(board: &'a Board, wires: &[NetId]) -> Self {
        Self::of(board, |chip| chip.data().iter().any(|wire| wires.contains(wire)))
    }

    /// The latches that are open during a strobe.
    fn open_on(board: &'a Board, strobe: impl Fn(&Strobes) -> u8) -> Self {
        let wire = board.chips().iter().find_map(|chip| match chip.role() {
            Role::Function(Function::Control(control)) => {
                chip.data().get(usize::from(strobe(&control.strobes))).copied()
            }
            _ => None,
        });
        Self::of(board, |chip| match chip.role() {
            Role::Latches(latches) => latches.iter().any(|it| chip.wire(it.enable) == wire),
            _ => false,
        })
    }

    /// The names with a verb: `AM takes`, `ALUL and ALUH take`.
    fn that(&self, takes: &str, take: &str) -> String {
        format!("{self} {}", if self.0.len() > 1 { take } else { takes })
    }
}

impl fmt::Display for Chips<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            // The board burns a file into the chip and does not say what it does.
            [] => f.write_str("a chip"),
            [one] => f.write_str(one),
            [others @ .., last] => write!(f, "{} and {last}", others.join(", ")),
        }
    }
}
