//! The arithmetic unit of the instruction engine: the one that the instruction set defines, or
//! another one, read from the chips of a board.

use std::sync::Arc;

use gray1_board::role::{AluSlice, Function, Role};
use gray1_board::table::alu_inputs;
use gray1_board::{Board, Chip, NetId, Output, Source};
use gray1_isa::{Alu, Op};

/// Computes an operation on A, the data byte and the operand's low byte.
pub(super) trait Unit {
    fn alu(&self, op: Op, a: u8, data: u8, immediate: u8) -> Alu;
}

/// The unit that [`Op`] defines.
#[derive(Debug, Clone, Copy)]
pub(super) struct StockUnit;

impl Unit for StockUnit {
    #[inline]
    fn alu(&self, op: Op, a: u8, data: u8, immediate: u8) -> Alu {
        op.alu(a, data, immediate)
    }
}

/// The unit of a board whose arithmetic chips hold something else. For operations whose tables say
/// what the stock one says, it keeps the native operation.
#[derive(Debug, Clone)]
pub struct BurnedUnit {
    tables: Arc<[Option<AluTable>; 8]>,
    /// True if the board's buttons answer in place of their cell of data memory.
    buttons_answer: bool,
}

/// The result of an operation on two bytes: entry `a << 8 | x`, where x is the byte it looks at.
#[derive(Debug)]
struct AluTable {
    entries: Box<[Alu; 1 << 16]>,
    /// True if it looks at the operand's low byte rather than at the data byte.
    is_immediate: bool,
}

const OTHER_CHIPS: &str = "the board has other chips than the stock board";

impl BurnedUnit {
    /// Reads the arithmetic unit of a board that is otherwise the same as the `stock` one, except
    /// for its program.
    ///
    /// # Errors
    /// If another chip or a wire differs, or if an operation cannot be given as a table of two
    /// bytes. The chips of such a board can be run instead.
    pub fn of(board: &Board, stock: &Board) -> Result<Self, String> {
        recognise(board, stock)?;
        let halves = AluChips::of(board).ok_or(OTHER_CHIPS)?;
        let mut tables = [const { None }; 8];
        for op in Op::ALL.into_iter().filter(|op| op.writes_a()) {
            tables[usize::from(op.code())] = halves.table(op)?;
        }
        Ok(Self { tables: Arc::new(tables), buttons_answer: board.panel().is_some() })
    }

    /// True if the board's buttons answer in place of their cell: a store there changes nothing.
    #[must_use]
    pub const fn buttons_answer(&self) -> bool {
        self.buttons_answer
    }

    /// True if this is the stock unit in all that instructions can see of it.
    #[must_use]
    pub fn is_stock(&self) -> bool {
        self.tables.iter().all(Option::is_none)
    }

    /// True if it computes this operation as [`Op`] does.
    pub(super) fn keeps_to(&self, op: Op) -> bool {
        self.tables[usize::from(op.code())].is_none()
    }
}

/// True if the arithmetic unit of a board computes this operation as [`Op`] does; false, too, on a
/// board that has no such unit.
pub(crate) fn keeps_to(op: Op, board: &Board) -> bool {
    AluChips::of(board).is_some_and(|chips| matches!(chips.table(op), Ok(None)))
}

impl Unit for BurnedUnit {
    #[inline]
    fn alu(&self, op: Op, a: u8, data: u8, immediate: u8) -> Alu {
        match &self.tables[usize::from(op.code())] {
            None => op.alu(a, data, immediate),
            Some(table) => {
                let x = if table.is_immediate { immediate } else { data };
                table.entries[usize::from(u16::from_be_bytes([a, x]))]
            }
        }
    }
}

/// Refuses a board that differs from the stock board in more than the contents of the program and
/// the arithmetic unit. Order and numbers do not matter, names do.
fn recognise(board: &Board, stock: &Board) -> Result<(), String> {
    let same_size = board.chips().len() == stock.chips().len();
    let named = |wire: &dyn Fn(&Board) -> NetId| {
        board.net(wire(board)).name() == stock.net(wire(stock)).name()
    };
    let outside = named(&Board::oscillator) && named(&Board::reset);
    if !same_size || !outside || board.code() != stock.code() {
        return Err(OTHER_CHIPS.to_owned());
    }
    for chip in stock.chips() {
        let id = board.chip_named(chip.name()).ok_or(OTHER_CHIPS)?;
        let ours = board.chip(id);
        if wiring(board, ours) != wiring(stock, chip) || ours.role() != chip.role() {
            return Err(format!("{} is not wired as on the stock board", chip.name()));
        }
        let is_free = slice(chip).is_some() || matches!(chip.role(), Role::Program(_));
        if !is_free && ours.contents() != chip.contents() {
            let name = chip.name();
            return Err(format!("{name} does not hold what it holds on the stock board"));
        }
    }
    Ok(())
}

/// A chip's part and the names of the wires at its pins.
fn wiring<'a>(board: &'a Board, chip: &'a Chip) -> (&'a str, Vec<&'a str>, Vec<&'a str>, String) {
    let name = |net: NetId| board.net(net).name();
    let source = |source: &Source| match source {
        Source::Tied(false) => "0",
        Source::Tied(true) => "1",
        Source::Net(net) => name(*net),
    };
    let output = match chip.output() {
        Output::Always => String::new(),
        Output::WhileLow(net) => format!("low {}", name(net)),
        Output::WhileHigh(net) => format!("high {}", name(net)),
    };
    (
        &chip.part().name,
        chip.address().iter().map(source).collect(),
        chip.data().iter().map(|net| name(*net)).collect(),
        output,
    )
}

/// The pins of a chip that is half of the arithmetic unit.
fn slice(chip: &Chip) -> Option<&AluSlice> {
    match chip.role() {
        Role::Function(Function::AluLow(slice) | Function::AluHigh(slice)) => Some(slice),
        _ => None,
    }
}

/// The two chips of the arithmetic unit.
struct AluChips<'a> {
    low: &'a Chip,
    high: &'a Chip,
}

impl<'a> AluChips<'a> {
    fn of(board: &'a Board) -> Option<Self> {
        let find =
            |wanted: fn(&Role) -> bool| board.chips().iter().find(|chip| wanted(chip.role()));
        let low = find(|role| matches!(role, Role::Function(Function::AluLow(_))))?;
        let high = find(|role| matches!(role, Role::Function(Function::AluHigh(_))))?;
        Some(Self { low, high })
    }

    /// An operation as a table; `None` if that is what it should do.
    fn table(&self, op: Op) -> Result<Option<AluTable>, String> {
        let (looks_at_data, is_immediate) = self.looks_at(op);
        if looks_at_data && is_immediate {
            return Err(format!(
                "{op} depends on the data byte and on the operand's own low byte at once"
            ));
        }
        let entry = |n: u16| {
            let [a, x] = n.to_be_bytes();
            let answer = self.alu(op, a, x, x);
            // The carry of an operation that leaves C alone goes nowhere.
            Alu { carry: answer.carry && op.writes_carry(), ..answer }
        };
        let is_native = (0..=u16::MAX).all(|n| {
            let [a, x] = n.to_be_bytes();
            entry(n) == op.alu(a, x, x)
        });
        let table = || {
            let entries: Vec<Alu> = (0..=u16::MAX).map(entry).collect();
            let entries = entries.try_into().expect("an entry for each two bytes");
            AluTable { entries, is_immediate }
        };
        Ok((!is_native).then(table))
    }

    /// Whether the answer of either chip depends on the data byte, and on the operand.
    fn looks_at(&self, op: Op) -> (bool, bool) {
        let slices =
            [self.low, self.high].into_iter().filter_map(|chip| Some((chip, slice(chip)?)));
        slices.fold((false, false), |(data, operand), (chip, pins)| {
            let opcode = pins.opcode.put(u32::from(op.code()));
            let answer = pins.result.mask() | 1 << pins.carry_out;
            let seen = alu_inputs(chip, pins, opcode, answer);
            (data || seen & pins.data.mask() != 0, operand || seen & pins.operand.mask() != 0)
        })
    }

    /// The answer of the two chips together.
    fn alu(&self, op: Op, a: u8, data: u8, immediate: u8) -> Alu {
        let low = half(self.low, op, [a & 0xf, data & 0xf, immediate & 0xf], a >> 4 & 1 == 1);
        let high = half(self.high, op, [a >> 4, data >> 4, immediate >> 4], low.carry);
        Alu { value: high.value << 4 | low.value, carry: high.carry }
    }
}

/// The answer of one chip to four bits of A, of the data byte and of the operand.
fn half(chip: &Chip, op: Op, [a, data, operand]: [u8; 3], joint: bool) -> Alu {
    let Some(pins) = slice(chip) else { return Alu { value: 0, carry: false } };
    let address = pins.opcode.put(u32::from(op.code()))
        | pins.a.put(u32::from(a))
        | pins.data.put(u32::from(data))
        | pins.operand.put(u32::from(operand))
        | u32::from(joint) << pins.joint
        | chip.tied().1;
    let shown = u32::from(chip.contents()[address as usize]);
    Alu { value: pins.result.of(shown) as u8, carry: shown >> pins.carry_out & 1 == 1 }
}

#[cfg(test)]
mod tests;
