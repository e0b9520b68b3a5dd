//! The path of one byte: a tour of an instruction that reads memory, with a sentence for each
//! phase.

use gray1_board::Phase;
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
        for (is_back, reach) in [(false, REACH), (true, 2 * REACH)] {
            for _ in 0..reach {
                let (now, engine) = (self.debugger.position(), self.debugger.engine());
                if engine.phase() == Phase::T0
                    && let Some(sentences) = sentences(&self.program.image, engine)
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
fn sentences(image: &Image, engine: &dyn Engine) -> Option<[String; 8]> {
    let (pc, a) = (engine.pc(), engine.a());
    let (word, instruction) = (image.word(pc), instructions::disassemble(image, pc));
    let (op, address) = (word.op(), word.address());
    let [high, low] = word.bits().to_be_bytes();
    let byte = engine.ram()[address.to_usize()];
    let value = op.alu(a, byte, word.immediate()).value;
    let (mnemonic, name) = (op.mnemonic(), image.byte_at(address, pc));
    let answer = match op {
        Op::Ld => "ALUL and ALUH pass it on, and AM takes it.".to_owned(),
        Op::Add | Op::Nand => format!(
            "With A, {a:02x}, it is an address in the tables ALUL and ALUH. There {mnemonic} has \
             the answer {value:02x}, and AM takes it."
        ),
        _ => return None,
    };
    let instruction = instruction.split_whitespace().collect::<Vec<_>>().join(" ");
    Some([
        format!("PCH and PCL address the first byte of the instruction {instruction} in PROG."),
        format!("PROG finds that byte, {high:02x}. No chip takes it yet, so its wires can settle."),
        format!("IRH takes {high:02x}. Three of its bits say {mnemonic}, five begin the address."),
        "IRH closes and keeps its byte. PHASE moves one wire at a time, so no other chip opens."
            .to_owned(),
        format!(
            "PROG shows the second byte, {low:02x}, and IRL takes it. That completes the address: \
             {:04x}, where {name} is.",
            address.get()
        ),
        format!("RAM shows the byte there, {byte:02x}. {answer}"),
        format!("AM closes and keeps {value:02x}. In this phase a store would write into RAM."),
        format!("AS takes {value:02x} from AM. That is A now, and the next instruction begins."),
    ])
}
