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

use crate::dead::Dead;
use crate::flow::{ByteSet, FlowGraph, Step};

/// The constants of a program, and the blocks that rely on them.
#[derive(Debug)]
pub(crate) struct Constants {
    /// The value of each byte of data memory that is constant, by address.
    values: Box<[Option<u8>; RAM_BYTES]>,
    /// For each block, the constants that it relies on when it is entered. They were stored on
    /// every path from the start of the program, and the block reads them before storing them
    /// again.
    at_entry: Vec<ByteSet>,
}

impl Constants {
    /// Creates an empty set of constants, so that no byte is treated as one.
    pub(crate) fn none(flow: &FlowGraph<'_>) -> Self {
        let at_entry = vec![ByteSet::NONE; flow.blocks.len()];
        Self { values: Box::new([None; RAM_BYTES]), at_entry }
    }

    /// Finds the constants of a program.
    pub(crate) fn find(flow: &FlowGraph<'_>, dead: &Dead) -> Self {
        let mut constants = Self::none(flow);
        constants.find_values(flow);
        constants.propagate(flow);
        for (number, known) in constants.at_entry.iter_mut().enumerate() {
            known.combine(dead.at_entry(number), |known, dead| known & !dead);
        }
        constants
    }

    /// Finds the bytes that are read and to which every store writes the same value.
    fn find_values(&mut self, flow: &FlowGraph<'_>) {
        let (mut is_read, mut varies) = (ByteSet::NONE, ByteSet::NONE);
        for block in &flow.blocks {
            let mut a = None;
            for step in flow.steps(block.head) {
                let Step::Plain(word, _) = step else { continue };
                match word.op() {
                    Op::Ldi => a = Some(word.immediate()),
                    Op::St => {
                        let value = &mut self.values[word.address().to_usize()];
                        if a.is_none() || value.is_some_and(|value| Some(value) != a) {
                            varies.insert(word.address());
                        }
                        *value = a;
                    }
                    op => {
                        a = None;
                        if op.operand() == Operand::Data {
                            is_read.insert(word.address());
                        }
                    }
                }
            }
        }
        for (address, value) in (0..).map(RamAddr::truncate).zip(self.values.iter_mut()) {
            if varies.contains(address) || !is_read.contains(address) {
                *value = None;
            }
        }
    }

    /// Finds the constants that were stored on every path to each block. Starts with all constants
    /// everywhere, except at the start of the program. Each path then removes the ones it does not
    /// store.
    fn propagate(&mut self, flow: &FlowGraph<'_>) {
        let addresses = (0..RAM_BYTES as u16).map(RamAddr::truncate);
        let all = addresses.filter(|address| self.values[address.to_usize()].is_some()).collect();
        self.at_entry[1..].fill(all);
        let mut is_due = vec![true; self.at_entry.len()];
        while is_due.contains(&true) {
            for (number, block) in flow.blocks.iter().enumerate() {
                if !std::mem::take(&mut is_due[number]) {
                    continue;
                }
                let mut known = self.at_entry[number].clone();
                for step in flow.steps(block.head) {
                    match step {
                        Step::Plain(word, _) => self.record_store(&mut known, word),
                        Step::JumpIfCarry(to)
                        | Step::JumpUnlessCarry(to)
                        | Step::Jump(to)
                        | Step::Next(to) => {
                            let to = flow.number_of(to);
                            is_due[to] |=
                                self.at_entry[to].combine(&known, |own, others| own & others);
                        }
                    }
                }
            }
        }
    }

    /// Records a store. If it stores a constant, the constant is known from there on.
    pub(crate) fn record_store(&self, known: &mut ByteSet, word: Word) {
        if word.op() == Op::St && self.values[word.address().to_usize()].is_some() {
            known.insert(word.address());
        }
    }

    /// Returns the constants that are known when a block is entered.
    pub(crate) fn known_at(&self, block: usize) -> ByteSet {
        self.at_entry[block].clone()
    }

    /// Returns the value of a byte, if it is a known constant.
    pub(crate) fn value(&self, address: RamAddr, known: &ByteSet) -> Option<u8> {
        self.values[address.to_usize()].filter(|_| known.contains(address))
    }

    /// Returns, for each block, the addresses and values of the constants that it relies on.
    pub(crate) fn list(&self) -> Vec<Vec<(RamAddr, u8)>> {
        let value = |number| Some((RamAddr::truncate(number as u16), self.values[number]?));
        self.at_entry.iter().map(|known| known.numbers().filter_map(value).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::address::ROM_WORDS;

    use gray1_isa::Indexes;

    use super::*;
    use crate::flow::tests::{data, index};

    /// Returns the constants that each block of a program relies on, with their values.
    fn relied_on(program: &[Word]) -> Vec<Vec<(u16, u8)>> {
        let mut words = [Word::ERASED; ROM_WORDS];
        words[..program.len()].copy_from_slice(program);
        let flow = FlowGraph::analyse(&words, &Indexes::NONE);
        let list = Constants::find(&flow, &Dead::find(&flow)).list();
        let numbers = |(address, value): &(RamAddr, u8)| (address.get(), *value);
        list.iter().map(|constants| constants.iter().map(numbers).collect()).collect()
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
