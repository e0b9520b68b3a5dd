//! What can be asked about, and what follows from what: a fact, the instruction or the input that
//! made it so, and the facts that this depended on.

use gray1_isa::operand_bits::CARRY;
use gray1_isa::{Op, RamAddr, RomIndex};

use super::deviation::Deviation;
use crate::recorder::RecordedStep;

/// A register or a byte of data memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// The accumulator.
    A,
    /// The carry.
    Carry,
    /// A byte of data memory.
    Byte(RamAddr),
}

/// Something that can be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// These bits of a cell are what they are.
    Bits(Cell, u8),
    /// One of these bits of a byte changed last.
    Change(RamAddr, u8),
    /// This instruction comes next.
    Executed(RomIndex),
    /// This instruction was executed last.
    Visit(RomIndex),
}

/// A subject at a moment, after the inputs of that moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// What is asked about.
    pub subject: Subject,
    /// When.
    pub moment: u64,
}

/// A fact, with its value and with what made it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CausalNode {
    /// The fact.
    pub fact: Fact,
    /// The value of the cell; of an execution, the carry by which a `JC` decided it.
    pub value: u8,
    /// What made it so.
    pub origin: FactOrigin,
}

/// What made a fact so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactOrigin {
    /// An instruction.
    Step(CausalStep),
    /// Something that has no cause in the program.
    Leaf(Leaf),
}

/// An instruction as a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CausalStep {
    /// The moment before it.
    pub before: u64,
    /// True if the named operand bits are a minimal set; false on a board that does not keep to
    /// [`Op`], where they are all there are.
    pub is_minimal: bool,
    /// The instruction as it was executed.
    pub recorded: RecordedStep,
    /// What a faulty board did otherwise.
    pub deviation: Option<Deviation>,
}

/// Where the causes end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaf {
    /// A constant that the pool has planted in a byte.
    Planted(RamAddr),
    /// A constant of an instruction.
    Constant(RomIndex),
    /// The buttons, held from this moment on.
    Buttons(u64),
    /// A byte or a register was changed by hand at this moment.
    Hand(u64),
    /// A reset at this moment.
    Reset(u64),
    /// Power-up.
    PowerUp,
    /// Something earlier than is remembered.
    Forgotten,
}

impl Fact {
    /// Bits of a cell at a moment.
    #[must_use]
    pub const fn bits(cell: Cell, mask: u8, moment: u64) -> Self {
        Self { subject: Subject::Bits(cell, mask), moment }
    }

    /// The instruction that comes next at a moment.
    #[must_use]
    pub const fn executed(index: RomIndex, moment: u64) -> Self {
        Self { subject: Subject::Executed(index), moment }
    }

    /// The byte of data memory that it is about, if it is about one.
    #[must_use]
    pub const fn byte(&self) -> Option<RamAddr> {
        match self.subject {
            Subject::Bits(Cell::Byte(address), _) | Subject::Change(address, _) => Some(address),
            _ => None,
        }
    }

    /// Its bits; `None` for the execution of an instruction.
    #[must_use]
    pub const fn mask(&self) -> Option<u8> {
        match self.subject {
            Subject::Bits(_, mask) | Subject::Change(_, mask) => Some(mask),
            Subject::Executed(_) | Subject::Visit(_) => None,
        }
    }
}

impl CausalStep {
    /// The moment after it.
    #[must_use]
    pub const fn moment(&self) -> u64 {
        self.before + 1
    }

    /// That it was executed.
    #[must_use]
    pub const fn executed(&self) -> Fact {
        Fact::executed(self.recorded.index, self.before)
    }
}

impl CausalNode {
    /// The instruction that made it so; `None` for a leaf.
    #[must_use]
    pub const fn step(&self) -> Option<&CausalStep> {
        match &self.origin {
            FactOrigin::Step(step) => Some(step),
            FactOrigin::Leaf(_) => None,
        }
    }

    /// The value of its bits: of a single one 0 or 1, of several the byte with the others cleared.
    #[must_use]
    pub const fn bits(&self) -> u8 {
        self.bits_of(self.value)
    }

    /// Its bits of another value.
    const fn bits_of(&self, value: u8) -> u8 {
        match self.fact.mask() {
            Some(mask) if mask.is_power_of_two() => value >> mask.trailing_zeros() & 1,
            Some(mask) => value & mask,
            None => value,
        }
    }

    /// What a faulty board did otherwise, if this is the reason of the value: the value that its
    /// bits should have, or the index that should come next, and the chip.
    #[must_use]
    pub fn deviation(&self) -> Option<Deviation> {
        let Deviation { should, chip } = self.step()?.deviation?;
        let should = self.fact.mask().map_or(should, |_| self.bits_of(should as u8).into());
        Some(Deviation { should, chip })
    }

    /// The operands that it follows from, and the constant, if there is one; a leaf has neither.
    #[must_use]
    pub fn causes(&self) -> (Vec<Fact>, Option<Leaf>) {
        let (Some(step), subject) = (self.step(), self.fact.subject) else {
            return Default::default();
        };
        let RecordedStep { index, word, a, data, write, .. } = step.recorded;
        let operand = |cell, mask| Fact::bits(cell, mask, step.before);
        let is_written = |byte| write.is_some_and(|write| Some(write.address) == byte);
        if step.deviation.is_some() && self.fact.byte().is_some_and(|it| !is_written(Some(it))) {
            // It should have been written and kept its value.
            return (vec![Fact { subject, moment: step.before }], None);
        }
        let result = match subject {
            Subject::Executed(_) if step.deviation.is_some() => return Default::default(),
            Subject::Executed(_) => return (vec![operand(Cell::Carry, 1)], None),
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
