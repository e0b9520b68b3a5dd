//! The arithmetic unit of the instruction engine: the one that the instruction set defines, or one
//! that was read from the chips of a board.

use std::sync::Arc;

use gray1_board::role::{AluSlice, Function, Role};
use gray1_board::table::alu_inputs;
use gray1_board::{Board, Chip, NetId, Output, Source};
use gray1_isa::{Alu, Op};

/// Computes an operation from A, the data byte and the low byte of the operand.
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

/// The arithmetic unit of a board whose chips hold other contents. An operation that equals the
/// stock one still runs as native code.
#[derive(Debug, Clone)]
pub struct BurnedUnit {
    tables: Arc<[Option<AluTable>; 8]>,
    /// True if the board's buttons respond directly to reads of their address.
    buttons_answer: bool,
}

/// The results of an operation on two bytes. Entry `a << 8 | x` is for A and the other byte that
/// the operation reads.
#[derive(Debug)]
struct AluTable {
    entries: Box<[Alu; 1 << 16]>,
    /// True if the other byte is the low byte of the operand, and false if it is the data byte.
    is_immediate: bool,
}

const OTHER_CHIPS: &str = "the board has other chips than the stock board";

impl BurnedUnit {
    /// Reads the arithmetic unit of a board. The rest of the board, except for its program, must be
    /// the same as the `stock` board.
    ///
    /// # Errors
    /// If another chip or a wire differs, or if an operation depends on both the data byte and the
    /// low byte of the operand. Such a board can still run on the board engine.
    pub fn new(board: &Board, stock: &Board) -> Result<Self, String> {
        recognise(board, stock)?;
        let halves = AluChips::from_board(board).ok_or(OTHER_CHIPS)?;
        let mut tables = [const { None }; 8];
        for op in Op::ALL.into_iter().filter(|op| op.writes_a()) {
            tables[usize::from(op.code())] = halves.read_table(op)?;
        }
        Ok(Self { tables: Arc::new(tables), buttons_answer: board.panel().is_some() })
    }

    /// Returns true if the board's buttons respond directly to reads, so that a store to their
    /// address has no effect.
    pub const fn buttons_answer(&self) -> bool {
        self.buttons_answer
    }

    /// Returns true if no instruction can distinguish this unit from the stock one.
    pub fn is_stock(&self) -> bool {
        self.tables.iter().all(Option::is_none)
    }

    /// Returns true if it computes this operation as [`Op`] does.
    pub(super) fn keeps_to(&self, op: Op) -> bool {
        self.tables[usize::from(op.code())].is_none()
    }
}

/// Returns true if the arithmetic unit of a board computes this operation as [`Op`] does. Returns
/// false for a board without such a unit.
pub(crate) fn keeps_to(op: Op, board: &Board) -> bool {
    AluChips::from_board(board).is_some_and(|chips| matches!(chips.read_table(op), Ok(None)))
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

/// Refuses a board that differs from the stock board in more than the contents of the PROG chip and
/// of the arithmetic unit. Chips and wires are compared by name, so their order does not matter.
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
            return Err(format!("the contents of {name} differ from those on the stock board"));
        }
    }
    Ok(())
}

/// Describes a chip's part and the wires at its pins.
fn wiring(board: &Board, chip: &Chip) -> String {
    let name = |net: NetId| board.net(net).name();
    let output = match chip.output {
        Output::Always => String::new(),
        Output::WhileLow(net) => format!("low {}", name(net)),
        Output::WhileHigh(net) => format!("high {}", name(net)),
    };
    let address = chip.address.iter().map(|source| match source {
        Source::Tied(false) => "0",
        Source::Tied(true) => "1",
        Source::Net(net) => name(*net),
    });
    let address: Vec<_> = address.collect();
    let data: Vec<_> = chip.data.iter().map(|net| name(*net)).collect();
    format!("{} {address:?} {data:?} {output}", chip.part().name)
}

/// Returns the pins of a chip that computes half of the arithmetic unit.
fn slice(chip: &Chip) -> Option<&AluSlice> {
    match chip.role() {
        Role::Function(Function::AluLow(slice) | Function::AluHigh(slice)) => Some(slice),
        _ => None,
    }
}

/// The two chips of the arithmetic unit, for the low and the high four bits.
struct AluChips<'a> {
    low: &'a Chip,
    high: &'a Chip,
}

impl<'a> AluChips<'a> {
    fn from_board(board: &'a Board) -> Option<Self> {
        let find =
            |wanted: fn(&Role) -> bool| board.chips().iter().find(|chip| wanted(chip.role()));
        let low = find(|role| matches!(role, Role::Function(Function::AluLow(_))))?;
        let high = find(|role| matches!(role, Role::Function(Function::AluHigh(_))))?;
        Some(Self { low, high })
    }

    /// Reads the table of an operation, or returns `None` if it equals the stock one.
    fn read_table(&self, op: Op) -> Result<Option<AluTable>, String> {
        let (depends_on_data, is_immediate) = self.dependencies(op);
        if depends_on_data && is_immediate {
            return Err(format!(
                "{op} depends on the data byte and on the operand's own low byte at once"
            ));
        }
        let entry = |n: u16| {
            let [a, x] = n.to_be_bytes();
            let result = self.alu(op, a, x, x);
            // If the operation does not write C, its carry has no effect.
            Alu { carry: result.carry && op.writes_carry(), ..result }
        };
        let is_native = (0..=u16::MAX).all(|n| {
            let [a, x] = n.to_be_bytes();
            entry(n) == op.alu(a, x, x)
        });
        Ok((!is_native).then(|| {
            let entries: Vec<Alu> = (0..=u16::MAX).map(entry).collect();
            let entries = entries.try_into().expect("an entry for each two bytes");
            AluTable { entries, is_immediate }
        }))
    }

    /// Returns whether the result depends on the data byte, and whether it depends on the operand.
    fn dependencies(&self, op: Op) -> (bool, bool) {
        let slices =
            [self.low, self.high].into_iter().filter_map(|chip| Some((chip, slice(chip)?)));
        slices.fold((false, false), |(data, operand), (chip, pins)| {
            let opcode = pins.opcode.put(u32::from(op.code()));
            let output = pins.result.mask() | 1 << pins.carry_out;
            let seen = alu_inputs(chip, pins, opcode, output);
            (data || seen & pins.data.mask() != 0, operand || seen & pins.operand.mask() != 0)
        })
    }

    /// Returns the result of the two chips together.
    fn alu(&self, op: Op, a: u8, data: u8, immediate: u8) -> Alu {
        let low = evaluate(self.low, op, [a & 0xf, data & 0xf, immediate & 0xf], a >> 4 & 1 == 1);
        let high = evaluate(self.high, op, [a >> 4, data >> 4, immediate >> 4], low.carry);
        Alu { value: high.value << 4 | low.value, carry: high.carry }
    }
}

/// Returns the result of one chip for four bits each of A, of the data byte and of the operand.
fn evaluate(chip: &Chip, op: Op, [a, data, operand]: [u8; 3], joint: bool) -> Alu {
    let Some(pins) = slice(chip) else { return Alu { value: 0, carry: false } };
    let address = pins.opcode.put(u32::from(op.code()))
        | pins.a.put(u32::from(a))
        | pins.data.put(u32::from(data))
        | pins.operand.put(u32::from(operand))
        | u32::from(joint) << pins.joint
        | chip.tied().levels;
    let shown = u32::from(chip.contents()[address as usize]);
    Alu { value: pins.result.extract(shown) as u8, carry: shown >> pins.carry_out & 1 == 1 }
}

#[cfg(test)]
mod tests;
