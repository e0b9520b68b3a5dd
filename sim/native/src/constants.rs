//! Finds the constants of a program: bytes of data memory to which every store writes the same
//! value.
//!
//! `.pool` creates many of them, because `ADD` and `NAND` can only take their operands from memory.
//! Typical ones are FF for complements and single bits for masks. If such a byte was stored on
//! every path, generated code uses the value instead of reading memory. The debugger can continue a
//! stopped program anywhere, with any byte changed. So before a block is entered, memory is
//! compared with the constants that the block relies on.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Op, Operand, RamAddr, Word};

use crate::bytes::{Accessed, ByteSet};
use crate::dead::Dead;
use crate::flow::{Flow, Step};

/// The constants of a program, and the blocks that rely on them.
#[derive(Debug)]
pub(crate) struct Constants {
    /// The address of each accessed byte, indexed by the number of the byte, and the value if the
    /// byte is constant.
    values: Vec<(RamAddr, Option<u8>)>,
    /// For each block, the constants that it relies on when it is entered. They were stored on
    /// every path from the start of the program, and the block reads them before storing them
    /// again.
    at_entry: Vec<ByteSet>,
}

impl Constants {
    /// Creates an empty set of constants, so that no byte is treated as one.
    pub(crate) fn none(flow: &Flow<'_>, accessed: &Accessed) -> Self {
        let values = accessed.bytes().iter().map(|address| (*address, None)).collect();
        let at_entry = vec![accessed.none(); flow.blocks().len()];
        Self { values, at_entry }
    }

    /// Finds the constants of a program.
    pub(crate) fn find(flow: &Flow<'_>, accessed: &Accessed, dead: &Dead<'_>) -> Self {
        let mut constants = Self::none(flow, accessed);
        constants.find_values(flow, accessed);
        constants.propagate(flow, accessed);
        for (number, known) in constants.at_entry.iter_mut().enumerate() {
            known.subtract(dead.at_entry(number));
        }
        constants
    }

    /// Finds the bytes that are read and to which every store writes the same value.
    fn find_values(&mut self, flow: &Flow<'_>, accessed: &Accessed) {
        let (mut is_read, mut varies) = (accessed.none(), accessed.none());
        for block in flow.blocks() {
            let mut a = None;
            for step in flow.steps(block.head) {
                let Step::Plain(word, _) = step else { continue };
                let number = || accessed.number(word.address());
                match word.op() {
                    Op::Ldi => a = Some(word.immediate()),
                    Op::St => {
                        let (_, value) = &mut self.values[usize::from(number())];
                        if a.is_none() || value.is_some_and(|value| Some(value) != a) {
                            varies.insert(number());
                        }
                        *value = a;
                    }
                    op => {
                        a = None;
                        if op.operand() == Operand::Data {
                            is_read.insert(number());
                        }
                    }
                }
            }
        }
        for (number, (_, value)) in self.values.iter_mut().enumerate() {
            if varies.contains(number as u16) || !is_read.contains(number as u16) {
                *value = None;
            }
        }
    }

    /// Finds the constants that were stored on every path to each block. Starts with all constants
    /// everywhere, except at the start of the program. Each path then removes the ones it does not
    /// store.
    fn propagate(&mut self, flow: &Flow<'_>, accessed: &Accessed) {
        let mut all = accessed.none();
        for (number, (_, value)) in self.values.iter().enumerate() {
            if value.is_some() {
                all.insert(number as u16);
            }
        }
        self.at_entry[1..].fill(all);
        let mut is_due = vec![true; self.at_entry.len()];
        while is_due.contains(&true) {
            for (number, block) in flow.blocks().iter().enumerate() {
                if !std::mem::take(&mut is_due[number]) {
                    continue;
                }
                let mut known = self.at_entry[number].clone();
                for step in flow.steps(block.head) {
                    match step {
                        Step::Plain(word, _) => self.record_store(accessed, &mut known, word),
                        Step::JumpIfCarry(to)
                        | Step::JumpUnlessCarry(to)
                        | Step::Jump(to)
                        | Step::Next(to) => {
                            let to = flow.number_of(to);
                            is_due[to] |= self.at_entry[to].intersect(&known);
                        }
                    }
                }
            }
        }
    }

    /// Records a store. If it stores a constant, the constant is known from there on.
    pub(crate) fn record_store(&self, accessed: &Accessed, known: &mut ByteSet, word: Word) {
        if word.op() == Op::St {
            let number = accessed.number(word.address());
            if self.values[usize::from(number)].1.is_some() {
                known.insert(number);
            }
        }
    }

    /// Returns the constants that are known when a block is entered.
    pub(crate) fn known_at(&self, block: usize) -> ByteSet {
        self.at_entry[block].clone()
    }

    /// Returns the value of a byte, if it is a known constant.
    pub(crate) fn value(&self, number: u16, known: &ByteSet) -> Option<u8> {
        let (_, value) = self.values[usize::from(number)];
        value.filter(|_| known.contains(number))
    }

    /// Returns whether memory contains the constants that a block relies on.
    pub(crate) fn hold_at(&self, block: usize, ram: &[u8; RAM_BYTES]) -> bool {
        self.at_entry[block].iter().all(|number| {
            let (address, value) = self.values[usize::from(number)];
            value == Some(ram[address.to_usize()])
        })
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::address::ROM_WORDS;

    use super::*;
    use crate::flow::tests::{data, index};

    /// Returns the constants that each block of a program relies on, with their values.
    fn relied_on(program: &[Word]) -> Vec<Vec<(u16, u8)>> {
        let mut words = [Word::ERASED; ROM_WORDS];
        words[..program.len()].copy_from_slice(program);
        let flow = Flow::analyse(&words, &[false; ROM_WORDS]);
        let accessed = Accessed::new(&flow);
        let constants = Constants::find(&flow, &accessed, &Dead::find(&flow, &accessed));
        let value = |number| {
            let (address, value) = constants.values[usize::from(number)];
            (address.get(), value.unwrap())
        };
        constants.at_entry.iter().map(|known| known.iter().map(value).collect()).collect()
    }

    /// `tests/lockstep.rs` checks that no other byte is treated as a constant.
    #[test]
    fn a_byte_that_is_stored_before_a_loop_is_constant_in_it() {
        let program = [
            Word::ldi(0xff),
            data(Op::St, 5),
            data(Op::St, 6),
            data(Op::Nand, 5),
            data(Op::Add, 6),
            Word::jump(Op::Jmp, index(3)),
        ];
        assert_eq!(relied_on(&program), [vec![], vec![(5, 0xff), (6, 0xff)]]);
    }

    /// When a block stores a constant again, the earlier store may have been omitted, so memory
    /// does not always contain the constant at the start of the block.
    #[test]
    fn a_block_does_not_rely_on_constants_that_it_stores() {
        let program = [
            Word::ldi(1),
            data(Op::St, 5),
            Word::ldi(1),
            data(Op::St, 5),
            data(Op::Add, 5),
            Word::jump(Op::Jmp, index(2)),
        ];
        assert_eq!(relied_on(&program), [vec![], vec![]]);
    }
}
