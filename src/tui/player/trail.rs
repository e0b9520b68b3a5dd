//! The instructions that were executed last, each with what it found: the way by which the machine
//! came to where it is.

use std::collections::VecDeque;

use gray1_isa::{Op, RamAddr, RomIndex, Word};
use gray1_sim::{Machine, Write};

/// How many instructions are kept.
const LENGTH: usize = 64;

/// An executed instruction, and the machine just before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) index: RomIndex,
    pub(crate) word: Word,
    pub(crate) a: u8,
    pub(crate) carry: bool,
    /// What the instruction register still held.
    pub(crate) last: Word,
    pub(crate) write: Option<Write>,
}

impl Step {
    /// Whether an LED looked different afterwards.
    pub(crate) fn changes_led(&self) -> bool {
        self.write.is_some_and(|write| write.changes_led())
    }
}

/// The last instructions, the newest one last.
#[derive(Debug, Clone)]
pub(crate) struct Trail {
    steps: VecDeque<Step>,
    /// What the instruction register holds.
    last: Word,
}

impl Default for Trail {
    fn default() -> Self {
        // What a chip shows that holds nothing but zeros: any word will do at power-up.
        Self { steps: VecDeque::with_capacity(LENGTH), last: Word::from_bits(0) }
    }
}

impl Trail {
    /// Executes instructions, `limit` at most, and notes the last ones. Says how many it were.
    pub(super) fn run(&mut self, machine: &mut Machine, limit: u64) -> u64 {
        let before = machine.executed();
        // One more than is kept, so that the oldest one knows the instruction before it.
        if let Some(fast) = limit.checked_sub(LENGTH as u64 + 1) {
            machine.run(fast);
        }
        if machine.halted() {
            self.end(halting(machine.pc()));
        }
        let left = limit - (machine.executed() - before);
        for _ in 0..left {
            if self.step(machine).is_none() {
                break;
            }
        }
        machine.executed() - before
    }

    /// Executes an instruction and notes it; `None` if the machine has halted.
    pub(super) fn step(&mut self, machine: &mut Machine) -> Option<Step> {
        let (a, carry, last) = (machine.a(), machine.carry(), self.last);
        let executed = machine.step()?;
        let step = Step {
            index: executed.index,
            word: executed.word,
            a,
            carry,
            last,
            write: executed.write,
        };
        if self.steps.len() == LENGTH {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
        self.last = step.word;
        if machine.halted() {
            self.end(step.word);
        }
        Some(step)
    }

    /// A machine at its end repeats one instruction for ever: there is no way behind it.
    fn end(&mut self, word: Word) {
        self.steps.clear();
        self.last = word;
    }

    /// Forgets the way, for the machine is reset; the instruction register keeps what it holds.
    pub(super) fn reset(&mut self) {
        self.steps.clear();
    }

    /// What the instruction register holds: the instruction executed last.
    pub(crate) fn last(&self) -> Word {
        self.last
    }

    /// The instruction executed last, if it was since the reset.
    pub(crate) fn newest(&self) -> Option<&Step> {
        self.steps.back()
    }

    /// The byte that was written last, as far as the trail goes back.
    pub(crate) fn newest_write(&self) -> Option<RamAddr> {
        self.steps.iter().rev().find_map(|step| step.write).map(|write| write.address)
    }

    /// How many instructions ago this byte was written, 0 for by the last one; `None` if it was
    /// longer ago than the trail goes back.
    pub(crate) fn age(&self, address: RamAddr) -> Option<usize> {
        let writes = |step: &Step| step.write.is_some_and(|write| write.address == address);
        self.steps.iter().rev().position(writes)
    }
}

/// The instruction that ends a program here.
fn halting(pc: RomIndex) -> Word {
    Word::jump(Op::Jmp, pc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::Image;
    use gray1_sim::PowerUp;

    /// Adds one to the byte at 0 for ever.
    fn counter() -> Machine {
        let at = |op, address| Word::data(op, RamAddr::truncate(address));
        let words =
            [Word::ldi(1), at(Op::Add, 0), at(Op::St, 0), Word::jump(Op::Jmp, RomIndex::default())];
        Machine::new(&Image::from_words(&words).unwrap(), PowerUp::Zero)
    }

    #[test]
    fn the_trail_is_the_same_however_the_machine_got_here() {
        let (mut fast, mut slow) = (Trail::default(), Trail::default());
        let (mut one, mut other) = (counter(), counter());
        assert_eq!(fast.run(&mut one, 1000), 1000);
        for _ in 0..1000 {
            slow.step(&mut other).unwrap();
        }
        assert_eq!(fast.steps.len(), LENGTH);
        assert!(fast.steps.eq(&slow.steps));
        assert_eq!(fast.last(), slow.last());
    }

    #[test]
    fn at_the_end_there_is_no_trail_however_the_machine_got_there() {
        for limit in [1, 1000] {
            let mut machine = Machine::new(&Image::erased(), PowerUp::Zero);
            let mut trail = Trail::default();
            while trail.run(&mut machine, limit) > 0 {}
            assert_eq!((trail.newest(), trail.last()), (None, Word::ERASED));
        }
    }

    #[test]
    fn a_byte_is_as_old_as_its_last_write() {
        let (mut trail, mut machine) = (Trail::default(), counter());
        trail.run(&mut machine, 3);
        assert_eq!(trail.age(RamAddr::truncate(0)), Some(0));
        trail.run(&mut machine, 2);
        assert_eq!(trail.age(RamAddr::truncate(0)), Some(2));
        assert_eq!(trail.age(RamAddr::truncate(1)), None);
        trail.reset();
        assert_eq!(trail.age(RamAddr::truncate(0)), None);
    }
}
