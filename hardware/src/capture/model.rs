//! The expected behaviour of a program. Registers and bytes are unknown until the program or the
//! capture gives them a value.

use gray1_board::role::Code;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::BUTTONS;
use gray1_isa::{Image, Op, RomIndex, Word};

use super::run::{CapturedStep, WireNumber};

/// The contents that the registers and the data memory of a machine should have.
#[derive(Debug)]
pub(super) struct Model<'a> {
    code: Code,
    image: &'a Image,
    /// The next instruction.
    pc: Option<RomIndex>,
    a: Option<u8>,
    carry: Option<bool>,
    ram: Vec<Option<u8>>,
}

impl<'a> Model<'a> {
    /// Creates a model of a machine in an unknown state.
    pub(super) fn new(code: Code, image: &'a Image) -> Self {
        Self { code, image, pc: None, a: None, carry: None, ram: vec![None; RAM_BYTES] }
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
        let instruction = |bits| {
            let word = Word::from_bits(bits);
            format!("{} {:04x}", word.op(), word.operand())
        };
        let place = |address| format!("{:04x}", self.code.decode(address) / 2);
        let address = self.code.encode(2 * index.get());
        let wrong = differs("PC", step.address, address, place)
            .or_else(|| differs("the instruction", step.word, word.bits(), instruction));
        if wrong.is_some() {
            return Some((index, wrong));
        }
        self.execute(word, step);
        let (a, carry) = (self.a.map(u16::from), self.carry.map(u16::from));
        let a = a.and_then(|a| differs("A", step.a, a, |a| format!("{a:02x}")));
        let carry = carry.and_then(|it| differs("C", step.carry, it, |it| it.to_string()));
        self.pc = match word.op() {
            Op::Jc => self.carry.map(|carry| word.next(index, carry)),
            _ => Some(word.next(index, false)),
        };
        // In every instruction except ST, the slaves of A and C follow their masters.
        if word.op() != Op::St {
            self.a = self.a.or(step.a.whole.map(|a| a as u8));
            self.carry = self.carry.or(step.carry.whole.map(|carry| carry == 1));
        }
        let wrong: Vec<String> = a.into_iter().chain(carry).collect();
        Some((index, (!wrong.is_empty()).then(|| wrong.join(", "))))
    }

    fn execute(&mut self, word: Word, step: &CapturedStep) {
        let (op, address) = (word.op(), word.address());
        let cell = &mut self.ram[address.to_usize()];
        if op == Op::St {
            *cell = self.a;
        }
        // The panel determines this byte, so it becomes the captured buttons, or unknown.
        if address == BUTTONS {
            *cell = step.buttons.map(|held| held as u8);
        }
        if op.reads_memory() {
            *cell = cell.or(step.bus.whole.map(|byte| byte as u8));
        }
        let is_known = match op {
            Op::Ldi => true,
            Op::Ld => cell.is_some(),
            Op::Add | Op::Nand => cell.is_some() && self.a.is_some(),
            Op::St | Op::Shr | Op::Jc | Op::Jmp => self.a.is_some(),
        };
        let (a, data) = (self.a.unwrap_or_default(), cell.unwrap_or_default());
        let result = op.alu(a, data, word.immediate());
        if op.writes_a() {
            self.a = is_known.then_some(result.value);
        }
        if op.writes_carry() {
            self.carry = is_known.then_some(result.carry);
        }
    }
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
