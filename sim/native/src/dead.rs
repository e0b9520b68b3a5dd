//! Finds the dead bytes of data memory: those that are overwritten before they are read.
//!
//! Data memory is exact at every stop, so a stop counts as a read of all of it. But checks of the
//! limit are far more frequent than stops. So generated code need not be exact at a check. Near the
//! limit it returns at a check, and the caller then executes at least the instructions up to the
//! next check one by one. The bytes that these instructions overwrite on every path are dead at the
//! check, and need not be in memory.

use gray1_isa::address::ROM_WORDS;
use gray1_isa::{Op, Operand, RamAddr};

use crate::flow::{Block, ByteSet, FlowGraph, InstructionKind, Step};

/// The bytes that are dead at the start of blocks and after instructions.
pub(crate) struct Dead {
    /// For each block, the bytes that are dead when it is entered.
    at_entry: Vec<ByteSet>,
    /// For each instruction that accesses a byte, whether the byte is dead after it.
    pub(crate) after: Box<[bool; ROM_WORDS]>,
}

impl Dead {
    /// Analyses a program.
    pub(crate) fn find(flow: &FlowGraph<'_>) -> Self {
        let at_entry = vec![ByteSet::NONE; flow.blocks.len()];
        let after = Box::new([false; ROM_WORDS]);
        let mut dead = Self { at_entry, after };
        // First, each check counts as a stop. Under this assumption, a byte that is dead at a check
        // is always overwritten before the next check.
        let mut overwritten = dead.at_entry.clone();
        for (number, block) in flow.blocks.iter().enumerate().rev() {
            overwritten[number] = dead.find_before(flow, *block);
            if !block.may_stop() {
                dead.at_entry[number].clone_from(&overwritten[number]);
            }
        }
        for (number, (block, bytes)) in flow.blocks.iter().zip(overwritten).enumerate() {
            if block.kind == InstructionKind::Plain {
                dead.at_entry[number] = bytes;
            }
        }
        // Now checks do not count as stops. The bytes that are dead at a check are known, and the
        // rest follows from them.
        for (number, block) in flow.blocks.iter().enumerate().rev() {
            let before = dead.find_before(flow, *block);
            if !block.may_stop() {
                dead.at_entry[number] = before;
            }
        }
        dead
    }

    /// Returns whether a byte is dead when a block is entered.
    pub(crate) fn is_dead_at_entry(&self, block: usize, address: RamAddr) -> bool {
        self.at_entry[block].contains(address)
    }

    /// Returns the bytes that are dead when a block is entered.
    pub(crate) fn at_entry(&self, block: usize) -> &ByteSet {
        &self.at_entry[block]
    }

    /// Returns the bytes that are dead before the first instruction of a block, given the bytes
    /// that are dead in its successors. Also records the bytes that are dead after its
    /// instructions.
    fn find_before(&mut self, flow: &FlowGraph<'_>, block: Block) -> ByteSet {
        let steps: Vec<Step> = flow.steps(block.head).collect();
        let mut dead = ByteSet::NONE;
        for step in steps.into_iter().rev() {
            match step {
                Step::Jump(to) | Step::Next(to) => {
                    dead.clone_from(&self.at_entry[flow.number_of(to)]);
                }
                Step::JumpIfCarry(to) | Step::JumpUnlessCarry(to) => {
                    dead.combine(&self.at_entry[flow.number_of(to)], |own, others| own & others);
                }
                Step::Plain(word, index) if word.op().operand() == Operand::Data => {
                    self.after[index.to_usize()] = dead.contains(word.address());
                    dead.set(word.address(), word.op() == Op::St);
                }
                Step::Plain(..) => {}
            }
        }
        dead
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::{Indexes, Word};

    use super::*;
    use crate::flow::tests::{data, index};

    /// `tests/lockstep.rs` checks that no other byte is treated as dead.
    #[test]
    fn a_byte_that_the_next_iteration_overwrites_is_dead_at_the_end_of_a_loop() {
        let program = [
            Word::ldi(1),
            data(Op::St, 5),
            data(Op::Ld, 5),
            data(Op::St, 6),
            data(Op::Add, 7),
            data(Op::St, 7),
            Word::jump(Op::Jmp, index(1)),
        ];
        let mut words = [Word::ERASED; ROM_WORDS];
        words[..program.len()].copy_from_slice(&program);
        let flow = FlowGraph::analyse(&words, &Indexes::NONE);
        let dead = Dead::find(&flow);
        // The value in 5 is read once. The value in 7 is read by the next iteration.
        assert_eq!(dead.after[..7], [false, false, true, true, true, false, false]);
    }
}
