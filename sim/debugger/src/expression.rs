//! Expressions that users type: their values, and the instructions that can change them.
//!
//! An expression uses `A`, `C`, `PC`, bytes of data memory as `[address]`, and the program's
//! symbols, with the literals, operators and functions of the assembly language.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{PartialState, RamAddr, RomIndex, Word};
use gray1_language::{Binary, Function, Unary};
use gray1_sim::Registers;
use gray1_sim::engine::Engine;

use super::power_up::PowerUpPlace;

/// An expression whose values are signed 64-bit numbers: an operand, or an operator with its
/// operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// The address of a variable.
    Address(i64),
    /// The accumulator.
    A,
    /// The carry, 0 or 1.
    Carry,
    /// The index of the next instruction.
    Pc,
    /// The number of instructions executed since power-up.
    Moment,
    /// The byte at a constant address.
    At(RamAddr),
    /// The byte at a computed address.
    Byte(Box<Expression>),
    /// A prefix operator with its operand.
    Unary(Unary, Box<Expression>),
    /// An infix operator with its operands.
    Binary(Binary, Box<[Expression; 2]>),
    /// A condition, the value if it is true, and the value if it is false.
    Conditional(Box<[Expression; 3]>),
    /// A function call. The second argument is 0 if the function takes only one.
    Call(Function, Box<[Expression; 2]>),
}

/// The part of a machine's state that expressions can use.
#[derive(Debug, Clone, Copy)]
pub struct MachineView<'a> {
    /// The accumulator, `A` in expressions.
    pub a: u8,
    /// The carry, `C` in expressions.
    pub carry: bool,
    /// The index of the next instruction, `PC` in expressions.
    pub pc: RomIndex,
    /// The number of instructions executed since power-up, `moment` in expressions.
    pub moment: u64,
    /// Data memory, `[address]` in expressions.
    pub ram: &'a [u8; RAM_BYTES],
    /// The same with its unknown bits, on a machine that may hold anything at power-up.
    pub partial: Option<&'a PartialState>,
}

impl<'a> MachineView<'a> {
    /// Returns a view of the present state of an engine at a moment.
    pub fn new(engine: &'a dyn Engine, moment: u64) -> Self {
        let Registers { a, carry, pc } = engine.registers();
        Self { a, carry, pc, moment, ram: engine.ram(), partial: engine.partial_state() }
    }
}

impl Expression {
    /// Computes the value.
    ///
    /// Returns `None` after a division by zero, an overflow, a shift by a number outside 0 ..= 63,
    /// the logarithm of a number that is not a power of two, or a read outside data memory.
    pub fn value(&self, view: MachineView) -> Option<i64> {
        match self {
            Self::Number(number) | Self::Address(number) => Some(*number),
            Self::A => Some(view.a.into()),
            Self::Carry => Some(view.carry.into()),
            Self::Pc => Some(view.pc.get().into()),
            Self::Moment => i64::try_from(view.moment).ok(),
            Self::At(address) => Some(view.ram[address.to_usize()].into()),
            Self::Byte(address) => {
                let address = usize::try_from(address.value(view)?).ok()?;
                view.ram.get(address).copied().map(i64::from)
            }
            Self::Unary(operator, operand) => operator.apply(operand.value(view)?).ok(),
            Self::Binary(operator, operands) => {
                let [left, right] = &**operands;
                let left = left.value(view)?;
                let decided = operator.short_circuit(left);
                decided.or_else(|| operator.apply(left, right.value(view)?).ok())
            }
            Self::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                if condition.value(view)? == 0 { otherwise.value(view) } else { then.value(view) }
            }
            Self::Call(function, arguments) => {
                let [first, second] = &**arguments;
                function.apply([first.value(view)?, second.value(view)?]).ok()
            }
        }
    }

    /// Returns a register or byte with unknown bits that the value may depend on.
    pub fn unknown_place(&self, view: MachineView) -> Option<PowerUpPlace> {
        let state = view.partial?;
        let byte = |address: RamAddr| {
            let is_known = state.ram[address.to_usize()].whole().is_some();
            (!is_known).then_some(PowerUpPlace::Byte(address))
        };
        let own = match self {
            Self::A => state.a.whole().is_none().then_some(PowerUpPlace::A),
            Self::Carry => state.carry.is_none().then_some(PowerUpPlace::Carry),
            Self::At(address) => byte(*address),
            Self::Byte(address) => {
                let address = address.value(view).and_then(|address| u16::try_from(address).ok());
                address.and_then(RamAddr::new).and_then(byte)
            }
            _ => None,
        };
        own.or_else(|| self.parts().iter().find_map(|part| part.unknown_place(view)))
    }

    /// Returns true if the expression has a value other than 0.
    pub fn holds(&self, view: MachineView) -> bool {
        self.value(view).is_some_and(|value| value != 0)
    }

    /// Returns the value if it does not depend on the machine.
    pub fn constant(&self) -> Option<i64> {
        let nothing = MachineView {
            a: 0,
            carry: false,
            pc: RomIndex::default(),
            moment: 0,
            ram: &[0; RAM_BYTES],
            partial: None,
        };
        if self.is_constant() { self.value(nothing) } else { None }
    }

    /// Returns true if the value does not depend on the machine.
    pub fn is_constant(&self) -> bool {
        use Expression::{A, At, Byte, Carry, Moment, Pc};
        !matches!(self, A | Carry | Pc | Moment | At(_) | Byte(_))
            && self.parts().iter().all(Self::is_constant)
    }

    /// Returns true if the value says whether something is true.
    pub fn is_comparison(&self) -> bool {
        match self {
            Self::Unary(operator, _) => *operator == Unary::Not,
            Self::Binary(operator, _) => operator.is_comparison(),
            _ => false,
        }
    }

    /// Returns true if the value is a data address: the address of a variable, plus or minus a
    /// number.
    pub fn is_address(&self) -> bool {
        match self {
            Self::Address(_) => true,
            Self::Binary(Binary::Add, parts) => parts[0].is_address() != parts[1].is_address(),
            Self::Binary(Binary::Subtract, parts) => {
                parts[0].is_address() && !parts[1].is_address()
            }
            Self::Conditional(parts) => parts[1].is_address() && parts[2].is_address(),
            _ => false,
        }
    }

    /// Returns the number of operators and operands in the expression, which is the cost of
    /// evaluating it.
    pub(super) fn size(&self) -> u64 {
        1 + self.parts().iter().map(Self::size).sum::<u64>()
    }

    /// Returns true if an instruction can change the value.
    pub fn is_changed_by(&self, word: Word) -> bool {
        let op = word.op();
        let is_changed = match self {
            Self::A => op.writes_a(),
            Self::Carry => op.writes_carry(),
            Self::Pc | Self::Moment => true,
            Self::At(address) => op.writes_memory() && word.address() == *address,
            Self::Byte(_) => op.writes_memory(),
            _ => false,
        };
        is_changed || self.parts().iter().any(|part| part.is_changed_by(word))
    }

    /// Returns the direct subexpressions of this expression.
    fn parts(&self) -> &[Self] {
        match self {
            Self::Byte(x) | Self::Unary(_, x) => std::slice::from_ref(x),
            Self::Binary(_, parts) | Self::Call(_, parts) => &parts[..],
            Self::Conditional(parts) => &parts[..],
            _ => &[],
        }
    }
}
