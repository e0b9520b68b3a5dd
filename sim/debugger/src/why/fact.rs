//! Facts and their causes: the subjects of questions, the instruction or input that made a fact
//! true, and the facts on which that instruction depended.

use gray1_board::ChipId;
use gray1_board::phase::Phase;
use gray1_isa::operand_bits::CARRY;
use gray1_isa::{Op, RamAddr, RomIndex};

use crate::recorder::RecordedStep;

/// A register or a byte of data memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// The accumulator, an 8-bit register.
    A,
    /// The carry, a single bit.
    Carry,
    /// A byte of data memory, by its address.
    Byte(RamAddr),
}

/// The subject of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The value of these bits of a cell.
    Bits(Cell, u8),
    /// The last change of any of these bits of a byte.
    Change(RamAddr, u8),
    /// The fact that this instruction is next.
    Executed(RomIndex),
    /// The last execution of this instruction.
    Visit(RomIndex),
    /// The first `JC` after the last store to this byte that could have led to another one.
    Skipped(RamAddr),
}

/// A subject at a moment, after the machine has received the inputs of that moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The subject of the fact.
    pub subject: Subject,
    /// The moment of the fact.
    pub moment: u64,
}

/// A fact with its value and its cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CausalNode {
    /// The fact without its value.
    pub fact: Fact,
    /// The value of the cell. For an execution, it is the carry that decided whether the `JC`
    /// jumped.
    pub value: u8,
    /// The cause of the fact.
    pub origin: FactOrigin,
}

/// The cause of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactOrigin {
    /// An executed instruction.
    Step(CausalStep),
    /// Something that has no cause in the program.
    Leaf(Leaf),
}

/// An executed instruction that is the cause of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CausalStep {
    /// The moment before the instruction.
    pub before: u64,
    /// True if the operand bits are a minimal set. On a board that deviates from [`Op`] it is
    /// false, and all operand bits are included.
    pub is_minimal: bool,
    /// The instruction with the state before and after it.
    pub recorded: RecordedStep,
    /// The deviation of a faulty board, if there is one.
    pub deviation: Option<Deviation>,
}

/// The way in which a faulty board deviates from its rules in an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deviation {
    /// The correct value of the result, or the correct index of the next instruction.
    pub should: u16,
    /// The first chip with a wrong output, and the phase. `None` if all outputs were correct at the
    /// end of each phase.
    pub chip: Option<(ChipId, Phase)>,
}

/// A leaf of the tree of causes. It has no further cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaf {
    /// A constant that the program's constant pool has stored in a byte.
    PoolConstant(RamAddr),
    /// A constant of an instruction.
    Constant(RomIndex),
    /// The buttons, which have been held since this moment.
    Buttons(u64),
    /// A change of a byte or a register by the user, at this moment.
    UserChange(u64),
    /// A reset at this moment.
    Reset(u64),
    /// The random state at power-up.
    PowerUp,
    /// A cause before the start of the history.
    Forgotten,
}

impl Fact {
    /// Creates the fact that bits of a cell have their value at a moment.
    pub const fn bits(cell: Cell, mask: u8, moment: u64) -> Self {
        Self { subject: Subject::Bits(cell, mask), moment }
    }

    /// Creates the fact that an instruction is next at a moment.
    pub const fn executed(index: RomIndex, moment: u64) -> Self {
        Self { subject: Subject::Executed(index), moment }
    }

    /// Returns the byte of data memory that the fact is about, if it is about one.
    pub const fn byte(&self) -> Option<RamAddr> {
        match self.subject {
            Subject::Bits(Cell::Byte(address), _) | Subject::Change(address, _) => Some(address),
            _ => None,
        }
    }

    /// Returns the bits that the fact is about as a mask, or `None` for the execution of an
    /// instruction.
    pub const fn mask(&self) -> Option<u8> {
        match self.subject {
            Subject::Bits(_, mask) | Subject::Change(_, mask) => Some(mask),
            Subject::Executed(_) | Subject::Visit(_) | Subject::Skipped(_) => None,
        }
    }
}

impl CausalStep {
    /// Returns the moment after the instruction.
    pub const fn moment(&self) -> u64 {
        self.before + 1
    }

    /// Returns the fact that the instruction was executed.
    pub const fn executed(&self) -> Fact {
        Fact::executed(self.recorded.index, self.before)
    }
}

impl CausalNode {
    /// Returns the instruction that caused the fact, or `None` if the chain of causes ends here.
    pub const fn step(&self) -> Option<&CausalStep> {
        match &self.origin {
            FactOrigin::Step(step) => Some(step),
            FactOrigin::Leaf(_) => None,
        }
    }

    /// Returns the moment of the instruction or of the user's change that caused the fact, and true
    /// for a change, which comes after an instruction that ends at the same moment.
    pub(super) const fn caused_at(&self) -> Option<(u64, bool)> {
        match &self.origin {
            FactOrigin::Step(step) => Some((step.moment(), false)),
            FactOrigin::Leaf(Leaf::UserChange(moment)) => Some((*moment, true)),
            FactOrigin::Leaf(_) => None,
        }
    }

    /// Returns the value of the fact's bits. For a single bit, it is 0 or 1. For several bits, it
    /// is the byte with all other bits cleared.
    pub const fn bits(&self) -> u8 {
        self.bits_of(self.value)
    }

    /// Reduces a value to the bits that the fact is about, in the form that [`Self::bits`] returns.
    const fn bits_of(&self, value: u8) -> u8 {
        match self.fact.mask() {
            Some(mask) if mask.is_power_of_two() => value >> mask.trailing_zeros() & 1,
            Some(mask) => value & mask,
            None => value,
        }
    }

    /// Returns the deviation of a faulty board, if it caused the value. Its correct value is
    /// limited to the bits of the fact.
    pub fn deviation(&self) -> Option<Deviation> {
        let Deviation { should, chip } = self.step()?.deviation?;
        let should = self.fact.mask().map_or(should, |_| self.bits_of(should as u8).into());
        Some(Deviation { should, chip })
    }

    /// Returns the operands on which the fact depends, and the constant, if there is one. At the
    /// end of a chain, it returns neither.
    pub fn causes(&self) -> (Vec<Fact>, Option<Leaf>) {
        let (Some(step), subject) = (self.step(), self.fact.subject) else {
            return Default::default();
        };
        let RecordedStep { index, word, a, data, write, .. } = step.recorded;
        let operand = |cell, mask| Fact::bits(cell, mask, step.before);
        let written = write.map(|write| write.address);
        if step.deviation.is_some() && self.fact.byte().is_some_and(|it| written != Some(it)) {
            // The byte was not written though it should have been, so it kept its value.
            return (vec![Fact { subject, moment: step.before }], None);
        }
        let result = match subject {
            Subject::Executed(_) if step.deviation.is_some() => return Default::default(),
            Subject::Executed(_) | Subject::Skipped(_) => {
                return (vec![operand(Cell::Carry, 1)], None);
            }
            Subject::Visit(_) => return Default::default(),
            Subject::Bits(Cell::Carry, _) => CARRY,
            Subject::Bits(_, mask) | Subject::Change(_, mask) => mask.into(),
        };
        let op = word.op();
        let mut bits = op.operand_bits(result, a, data);
        if !step.is_minimal {
            bits.a = 0xff;
            bits.data = if op.reads_memory() { 0xff } else { 0 };
            bits.instruction = matches!(op, Op::Ldi | Op::Shr);
        }
        let operands = [(Cell::A, bits.a), (Cell::Byte(word.address()), bits.data)];
        let operands = operands.into_iter().filter(|(_, mask)| *mask != 0);
        let facts = operands.map(|(cell, mask)| operand(cell, mask)).collect();
        (facts, bits.instruction.then_some(Leaf::Constant(index)))
    }
}
