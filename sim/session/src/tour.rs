//! The path of one byte: a tour of an instruction that reads memory, with the values in each phase.

use gray1_board::{Board, Phase};
use gray1_isa::{Image, Op};
use gray1_sim::Engine;

use super::{Position, RunState, Session};
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
        let Position { moment: from, edges } = self.debugger.position();
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
                    && let Some(values) = values(board, &self.program.image, engine)
                {
                    self.tour = Some((now.moment, values));
                    return;
                }
                self.step(is_back);
                if self.debugger.position() == now {
                    break;
                }
            }
        }
        self.seek(from);
        self.refuse(NO_TOUR);
    }

    /// Returns the board's sentence about the current phase, with the values of the tour. Ends the
    /// tour if the machine has left its instruction.
    pub(super) fn tour(&mut self) -> Option<String> {
        let (now, phase) = (self.now(), self.debugger.engine().phase().number());
        self.tour.take_if(|(moment, _)| *moment != now);
        let (_, values) = self.tour.as_ref()?;
        let levels = self.debugger.levels()?;
        let sentence = levels.board.phase_sentence(|net| levels.level(net));
        let text = format!("{sentence} {}", values[phase as usize]);
        Some(format!("T{phase}: {}", text.trim_start()))
    }
}

/// The values in each phase of the next instruction, if it reads memory.
fn values(board: &Board, image: &Image, engine: &dyn Engine) -> Option<[String; 8]> {
    let (pc, a) = (engine.pc(), engine.a());
    let (word, instruction) = (image.word(pc), instructions::disassemble(image, pc));
    let (op, address) = (word.op(), word.address());
    let [high, low] = word.bits().to_be_bytes();
    let byte = engine.ram()[address.to_usize()];
    let value = op.alu(a, byte, word.immediate()).value;
    let (mnemonic, name) = (op.mnemonic(), image.byte_at(address, pc));
    let memory = board.chip(board.memory()).name();
    let answer = match op {
        Op::Ld => String::new(),
        Op::Add | Op::Nand => format!(
            " With A, {a:02x}, it is an address in the tables, where {mnemonic} has the answer \
             {value:02x}."
        ),
        _ => return None,
    };
    let instruction = instruction.split_whitespace().collect::<Vec<_>>().join(" ");
    Some([
        format!("The next instruction is {instruction}."),
        format!("The byte is {high:02x}."),
        format!("Three bits of {high:02x} say {mnemonic}, five begin the address."),
        "The phase moves one wire at a time, so no other chip opens.".to_owned(),
        format!(
            "It is {low:02x}. That completes the address: {:04x}, where {name} is.",
            address.get()
        ),
        format!("{memory} shows {byte:02x}.{answer}"),
        format!("The new value is {value:02x}. In this phase a store would write into {memory}."),
        format!("A is {value:02x} now, and the next instruction begins."),
    ])
}
