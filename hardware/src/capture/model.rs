//! The expected behaviour of a program. Each bit of a register or a byte is unknown until the
//! program or the capture gives it a value.

use gray1_board::role::Code;
use gray1_isa::panel::BUTTONS;
use gray1_isa::{Image, Op, PartialByte, PartialState, RomIndex, Word};

use super::run::{CapturedStep, WireNumber};

/// The contents that the registers and the data memory of a machine should have.
#[derive(Debug)]
pub(super) struct Model<'a> {
    code: Code,
    image: &'a Image,
    /// The next instruction.
    pc: Option<RomIndex>,
    state: PartialState,
}

impl<'a> Model<'a> {
    /// Creates a model of a machine in an unknown state.
    pub(super) fn new(code: Code, image: &'a Image) -> Self {
        Self { code, image, pc: None, state: PartialState::unknown() }
    }

    /// Handles a reset: the program starts.
    pub(super) fn reset(&mut self) {
        self.pc = Some(RomIndex::default());
    }

    /// Executes the next instruction in the model and compares it with the captured one. Returns
    /// the index of the instruction and a message about any difference, or `None` if the index is
    /// not known.
    pub(super) fn follow(&mut self, step: &CapturedStep) -> Option<(RomIndex, Option<String>)> {
        let Some(index) = self.pc.or(step.index) else {
            // The unknown instruction may have stored a byte anywhere.
            *self = Self::new(self.code, self.image);
            return None;
        };
        let word = self.image.word(index);
        let address = self.code.encode(2 * index.get());
        let wrong = differs("PC", step.address, address, |address| {
            format!("{:04x}", self.code.decode(address) / 2)
        });
        let wrong = wrong
            .or_else(|| differs("the instruction", step.word, word.bits(), format_instruction));
        if wrong.is_some() {
            return Some((index, wrong));
        }
        self.execute(word, step);
        let PartialState { a, carry, .. } = &mut self.state;
        let (should, should_carry) = (a.whole().map(u16::from), carry.map(u16::from));
        let wrong_a = should.and_then(|a| differs("A", step.a, a, |a| format!("{a:02x}")));
        let wrong_carry =
            should_carry.and_then(|it| differs("C", step.carry, it, |it| it.to_string()));
        self.pc = match word.op() {
            Op::Jc => carry.map(|carry| word.next(index, carry)),
            _ => Some(word.next(index, false)),
        };
        // In every instruction except ST, the slaves of A and C follow their masters.
        if word.op() != Op::St {
            *a = a.or(step.a.byte());
            *carry = carry.or(step.carry.whole.map(|carry| carry == 1));
        }
        let wrong: Vec<String> = wrong_a.into_iter().chain(wrong_carry).collect();
        Some((index, (!wrong.is_empty()).then(|| wrong.join(", "))))
    }

    fn execute(&mut self, word: Word, step: &CapturedStep) {
        let cell = &mut self.state.ram[word.address().to_usize()];
        // The panel determines this byte, so it becomes the captured buttons, or unknown.
        if word.address() == BUTTONS {
            *cell = step.buttons.map_or(PartialByte::UNKNOWN, |held| (held as u8).into());
        }
        if word.op().reads_memory() {
            *cell = cell.or(step.bus.byte());
        }
        self.state.execute(word);
    }
}

/// Formats the bits of an instruction.
fn format_instruction(bits: u16) -> String {
    let word = Word::from_bits(bits);
    format!("{} {:04x}", word.op(), word.operand())
}

/// Returns a message such as `A is 3f, should be 3e`, if a known bit differs from the expected
/// number.
fn differs(
    what: &str,
    shown: WireNumber,
    should: u16,
    text: impl Fn(u16) -> String,
) -> Option<String> {
    let is = shown.whole.map_or_else(|| "something else".to_owned(), &text);
    shown.differs(should).then(|| format!("{what} is {is}, should be {}", text(should)))
}
