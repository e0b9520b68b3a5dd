//! Which bytes of data memory are dead: overwritten before anything reads them.
//!
//! At every stop data memory is exact, so a stop reads all of it. But checks of the limit are far
//! more frequent than stops. So the stop at a check is put off: where the limit is near, generated
//! code returns at a check, and the caller executes at least the instructions up to the next check
//! one by one. What these overwrite on every path is dead at the check, and need not be in memory.

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{Op, Operand, RamAddr};

use crate::flow::{Block, Flow, Kind, Step};

/// What is dead, at the heads of blocks and after instructions.
pub(crate) struct Dead {
    /// For each byte its number among those that the program accesses.
    numbers: Box<[u16; RAM_BYTES]>,
    /// For each block the bytes that are dead when it is entered.
    at_entry: Vec<Bytes>,
    /// For each instruction that accesses a byte, whether the byte is dead after it.
    after: Box<[bool; ROM_WORDS]>,
}

/// A set of bytes, one bit each.
type Bytes = Box<[u64]>;

impl Dead {
    /// Analyses a program.
    pub(crate) fn of(flow: &Flow<'_>) -> Self {
        let (numbers, count) = number(flow);
        let none: Bytes = vec![0; count.div_ceil(64)].into();
        let all = vec![none.clone(); flow.blocks().len()];
        let after = Box::new([false; ROM_WORDS]);
        let mut dead = Self { numbers, at_entry: all, after };
        // First as if each check were a stop: what is dead then is overwritten before the next one.
        let mut overwritten = dead.at_entry.clone();
        for (number, block) in flow.blocks().iter().enumerate().rev() {
            overwritten[number] = dead.before(flow, *block);
            if !block.may_stop() {
                dead.at_entry[number].clone_from(&overwritten[number]);
            }
        }
        for (number, block) in flow.blocks().iter().enumerate() {
            if block.kind == Kind::Plain {
                dead.at_entry[number] = std::mem::take(&mut overwritten[number]);
            }
        }
        // Now the checks are no stops. What is dead at a check is known; the rest follows from it.
        for (number, block) in flow.blocks().iter().enumerate().rev() {
            let before = dead.before(flow, *block);
            if !block.may_stop() {
                dead.at_entry[number] = before;
            }
        }
        dead
    }

    /// Whether a byte is dead when a block is entered.
    pub(crate) fn at_entry(&self, block: usize, address: RamAddr) -> bool {
        contains(&self.at_entry[block], self.numbers[address.to_usize()])
    }

    /// For each instruction that accesses a byte, whether the byte is dead after it.
    pub(crate) fn after(&self) -> &[bool; ROM_WORDS] {
        &self.after
    }

    /// The bytes that are dead before the first instruction of a block, as follows from what is
    /// dead where it leads to. Also notes what is dead after the instructions.
    fn before(&mut self, flow: &Flow<'_>, block: Block) -> Bytes {
        let steps: Vec<Step> = flow.steps(block.head).collect();
        let mut dead = Bytes::default();
        for step in steps.into_iter().rev() {
            match step {
                Step::Jump(to) | Step::Next(to) => {
                    dead.clone_from(&self.at_entry[flow.number_of(to)]);
                }
                Step::JumpIfCarry(to) | Step::JumpUnlessCarry(to) => {
                    for (bits, other) in dead.iter_mut().zip(&self.at_entry[flow.number_of(to)]) {
                        *bits &= other;
                    }
                }
                Step::Plain(word, index) if word.op().operand() == Operand::Data => {
                    let number = self.numbers[word.address().to_usize()];
                    self.after[index.to_usize()] = contains(&dead, number);
                    let bit = 1 << (number % 64);
                    if word.op() == Op::St {
                        dead[usize::from(number / 64)] |= bit;
                    } else {
                        dead[usize::from(number / 64)] &= !bit;
                    }
                }
                Step::Plain(..) => {}
            }
        }
        dead
    }
}

/// Numbers the bytes that a program accesses; also returns how many there are.
fn number(flow: &Flow<'_>) -> (Box<[u16; RAM_BYTES]>, usize) {
    const NONE: u16 = u16::MAX;
    let mut numbers = Box::new([NONE; RAM_BYTES]);
    let mut count = 0;
    for block in flow.blocks() {
        for step in flow.steps(block.head) {
            if let Step::Plain(word, _) = step
                && word.op().operand() == Operand::Data
                && numbers[word.address().to_usize()] == NONE
            {
                numbers[word.address().to_usize()] = count;
                count += 1;
            }
        }
    }
    (numbers, usize::from(count))
}

fn contains(bytes: &[u64], number: u16) -> bool {
    bytes[usize::from(number / 64)] >> (number % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use gray1_isa::{RomIndex, Word, panel};

    use super::*;

    fn index(n: u16) -> RomIndex {
        RomIndex::truncate(n)
    }

    fn data(op: Op, address: u16) -> Word {
        Word::data(op, RamAddr::truncate(address))
    }

    /// For each of the first instructions of a program, whether its byte is dead after it.
    fn after<const N: usize>(program: [Word; N], watched: Option<usize>) -> [bool; N] {
        let mut words = [Word::ERASED; ROM_WORDS];
        words[..N].copy_from_slice(&program);
        let is_watched = std::array::from_fn(|n| Some(n) == watched);
        let dead = Dead::of(&Flow::of(&words, &is_watched));
        std::array::from_fn(|n| dead.after()[n])
    }

    #[test]
    fn what_the_next_iteration_overwrites_is_dead_at_the_end_of_a_loop() {
        let program = [
            Word::ldi(1),
            data(Op::St, 5),
            data(Op::Ld, 5),
            data(Op::St, 6),
            data(Op::Add, 7),
            data(Op::St, 7),
            Word::jump(Op::Jmp, index(1)),
        ];
        // The value in 5 is read once, the one in 7 by the next iteration.
        assert_eq!(after(program, None), [false, false, true, true, true, false, false]);
    }

    #[test]
    fn what_only_one_way_overwrites_is_live() {
        let program =
            [data(Op::St, 5), Word::jump(Op::Jc, index(0)), Word::jump(Op::Jmp, index(2))];
        assert!(!after(program, None)[0], "the program may halt");
        let program =
            [data(Op::St, 5), Word::jump(Op::Jc, index(0)), Word::jump(Op::Jmp, index(0))];
        assert!(after(program, None)[0]);
    }

    /// In the second loop the value in 5 is not overwritten, however often its check is passed.
    #[test]
    fn what_another_loop_does_not_overwrite_is_live() {
        let program = [
            data(Op::St, 5),
            Word::shr(),
            Word::jump(Op::Jc, index(1)),
            Word::jump(Op::Jmp, index(0)),
        ];
        assert!(!after(program, None)[0]);
    }

    #[test]
    fn all_is_live_where_execution_may_stop() {
        let program =
            [data(Op::St, 5), data(Op::St, panel::MAILBOX.get()), Word::jump(Op::Jmp, index(0))];
        assert!(!after(program, None)[0], "the output may be full");
        let program = [data(Op::St, 5), Word::shr(), Word::jump(Op::Jmp, index(0))];
        assert!(after(program, None)[0]);
        assert!(!after(program, Some(1))[0], "the instruction behind is watched");
    }
}
