//! A chip's contents as a table that a person reads: its rows, its columns, and the cell that the
//! chip reads now. The form follows from the role of the chip, so every board has it.

use gray1_board::buses::{self, Bus};
use gray1_board::role::{AluSlice, Code, Control, Counter, Field, Function, Latch};
use gray1_board::table::subsets;
use gray1_board::{Board, Chip, ChipId, NetId, Role};
use gray1_debugger::Levels;
use gray1_isa::address::ROM_BYTES;
use gray1_isa::{Op, gray};
use serde::Serialize;

use super::transfers::wires_on;
use super::wires::{hex, name};
use crate::Snapshot;

/// A table of addresses has this many columns, and up to eight rows.
const COLUMNS: u32 = 16;

/// A part of a chip's contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lookup {
    /// The parts of the contents that can be shown, such as opcodes. Empty if there is only one.
    pub views: Vec<String>,
    /// The part that is shown.
    pub view: usize,
    /// What the rows stand for, with the labels of the rows.
    pub rows: LookupAxis,
    /// What the columns stand for, with the labels of the columns.
    pub columns: LookupAxis,
    /// The cells, row by row.
    pub cells: Vec<LookupCell>,
    /// The index of the cell that the chip reads now. Null if it is not in this part.
    pub present: Option<usize>,
    /// The names and levels of the wires that also belong to the address.
    pub others: String,
    /// A sentence about any cell. `{row}`, `{column}`, `{cell}` and `{address}` stand for its
    /// labels, its text and its address.
    pub reading: String,
    /// A sentence about the order of the cells. May be empty.
    pub remark: String,
    /// For a counter, the number of its codes and the number of the present code.
    pub ring: Option<(u32, u32)>,
    /// The number of addresses at which the table shows the present cell with the same byte.
    pub alike: usize,
    /// The address pins of `others`, as a mask.
    #[serde(skip)]
    free: u32,
}

/// The rows or the columns of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LookupAxis {
    /// What they stand for.
    pub name: String,
    pub labels: Vec<String>,
    /// The levels of the axis's address pins for each label.
    #[serde(skip)]
    bits: Vec<u32>,
}

/// A byte of the contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LookupCell {
    /// The address: a bit for each address pin, of which pin 0 is the lowest.
    pub address: u32,
    /// The meaning of the byte, such as a hexadecimal digit with a `+` for a carry.
    pub text: String,
}

impl LookupAxis {
    fn new(name: impl Into<String>, of: impl IntoIterator<Item = (String, u32)>) -> Self {
        let (labels, bits) = of.into_iter().unzip();
        Self { name: name.into(), labels, bits }
    }

    /// The values of a field, in hexadecimal. At most 16, with `value` among them.
    fn values(name: impl Into<String>, field: &Field, value: u32) -> Self {
        let first = value & !(COLUMNS - 1);
        let values = first..(first + COLUMNS).min(1 << field.width());
        let digits = field.width().div_ceil(4) as usize;
        Self::new(name, values.map(|n| (format!("{n:0digits$x}"), field.put(n))))
    }
}

impl Lookup {
    /// Returns the table of a chip with these contents. `view` selects the part that is shown,
    /// otherwise it is the part that the chip reads now. Returns `None` for a logic part.
    pub fn new(levels: &Levels, chip: &Chip, contents: &[u8], view: Option<usize>) -> Option<Self> {
        if chip.part().logic.is_some() {
            return None;
        }
        let reader = Reader::new(levels, chip, contents);
        let lookup = match chip.role() {
            Role::Function(Function::AluLow(slice)) => reader.alu(slice, view, "low"),
            Role::Function(Function::AluHigh(slice)) => reader.alu(slice, view, "high"),
            Role::Function(Function::Control(control)) => reader.control(control),
            Role::Latches(latches) => reader.latch(latches, view.unwrap_or_default()),
            Role::Counter(counter) => reader.counter(counter),
            Role::Program(code) => reader.program(*code, view.unwrap_or_default()),
            Role::Function(_) | Role::Memory => reader.bytes(),
        };
        let alike = lookup.alike(contents, reader.address).len();
        Some(Self { alike, ..lookup })
    }

    /// Returns the sentence about the cell that the chip reads now, if it is shown.
    pub fn sentence(&self) -> Option<String> {
        let present = self.present?;
        let (cell, columns) = (&self.cells[present], self.columns.labels.len());
        let address = format!("0x{:04x}", cell.address);
        let sentence = self.reading.replace("{row}", &self.rows.labels[present / columns]);
        let sentence = sentence.replace("{column}", &self.columns.labels[present % columns]);
        let text = cell.text.replace('+', " and a carry");
        Some(sentence.replace("{cell}", &text).replace("{address}", &address))
    }

    /// Returns the addresses at which the table shows the same cell with the same byte, at any
    /// levels of the other wires.
    pub fn alike(&self, contents: &[u8], address: u32) -> Vec<u32> {
        let byte = |address: u32| contents.get(address as usize);
        let addresses = subsets(self.free).map(|others| address & !self.free | others);
        addresses.filter(|other| byte(*other) == byte(address)).collect()
    }
}

/// Returns the present contents of a chip.
pub fn contents(snapshot: &Snapshot, levels: &Levels, id: ChipId) -> Vec<u8> {
    let board = &*levels.board;
    if id == board.program() {
        // With the instruction engine, the program is not in the board's EPROM yet.
        board.program_contents(&snapshot.program.image)
    } else if id == board.memory() {
        snapshot.cpu.ram.to_vec()
    } else {
        board.chip(id).contents().to_vec()
    }
}

/// A chip whose contents are read.
struct Reader<'a> {
    levels: &'a Levels,
    board: &'a Board,
    chip: &'a Chip,
    contents: &'a [u8],
    /// The present address.
    address: u32,
}

impl<'a> Reader<'a> {
    fn new(levels: &'a Levels, chip: &'a Chip, contents: &'a [u8]) -> Self {
        let address = chip.address_at(|net| levels.level(net));
        Self { levels, board: &levels.board, chip, contents, address }
    }

    /// Makes the table. `fixed` are address pins whose levels in `address` the view selects.
    fn table(
        &self,
        (address, fixed): (u32, u32),
        rows: LookupAxis,
        columns: LookupAxis,
        text: impl Fn(u8) -> String,
    ) -> Lookup {
        let bits = |axis: &LookupAxis| axis.bits.iter().fold(0, |all, bits| all | bits);
        let axes = bits(&rows) | bits(&columns);
        let cells: Vec<LookupCell> = rows
            .bits
            .iter()
            .flat_map(|row| columns.bits.iter().map(move |column| row ^ column))
            .map(|bits| {
                let address = address & !axes | bits;
                let byte = self.contents.get(address as usize).copied().unwrap_or_default();
                LookupCell { address, text: text(byte) }
            })
            .collect();
        let all = (1u32 << self.chip.address.len()) - 1;
        let free = all & !(axes | fixed | self.chip.tied().pins);
        let others = Bus::group(self.board, wires_on(self.chip, free)).into_iter();
        let others = others.map(|bus| format!("{} {}", bus.name, hex(self.levels, &bus.nets)));
        Lookup {
            views: Vec::new(),
            view: 0,
            present: cells.iter().position(|cell| cell.address == self.address),
            rows,
            columns,
            cells,
            others: others.collect::<Vec<_>>().join(" · "),
            reading: String::new(),
            remark: String::new(),
            ring: None,
            alike: 0,
            free,
        }
    }

    /// The names of the wires on the address pins of a field.
    fn wires(&self, field: &Field) -> String {
        let nets: Vec<NetId> = field.pins().iter().filter_map(|pin| self.chip.wire(*pin)).collect();
        buses::names(self.board, &nets)
    }

    fn wire(&self, pin: u8) -> &'a str {
        self.chip.wire(pin).map_or("", |net| name(self.levels, net))
    }

    /// A row for four bits of A, and a column for the four bits that they are combined with.
    fn alu(&self, slice: &AluSlice, view: Option<usize>, half: &str) -> Lookup {
        let opcode = view.map_or(slice.opcode.extract(self.address), |view| view as u32);
        let op = Op::from_code(opcode as u8);
        let (column, says) = match op {
            Op::Ldi => (&slice.operand, "the instruction carries"),
            _ => (&slice.data, "the bus carries"),
        };
        let address = self.address & !slice.opcode.mask() | slice.opcode.put(opcode);
        let rows = LookupAxis::values(self.wires(&slice.a), &slice.a, 0);
        let columns = LookupAxis::values(self.wires(column), column, 0);
        let lookup = self.table((address, slice.opcode.mask()), rows, columns, |byte| {
            let carry = if byte >> slice.carry_out & 1 == 1 { "+" } else { "" };
            format!("{:x}{carry}", slice.result.extract(byte.into()))
        });
        let joint = self.address >> slice.joint & 1;
        let also = match (op, half) {
            (Op::Add, "high") => format!(", the carry from the low half is {joint}"),
            (Op::Shr, "low") => format!(", the lowest bit of the high half is {joint}"),
            _ => String::new(),
        };
        Lookup {
            views: Op::ALL.map(|op| op.mnemonic().to_owned()).into(),
            view: opcode as usize,
            reading: format!(
                "The {half} half of A is {{row}}, {says} {{column}}{also}: the table holds {{cell}}."
            ),
            ..lookup
        }
    }

    /// A row for each opcode, and a column for each phase.
    fn control(&self, control: &Control) -> Lookup {
        let opcodes = Op::ALL.map(|op| (op.mnemonic().to_owned(), op.code().into()));
        let opcodes = opcodes.map(|(label, code)| (label, control.opcode.put(code)));
        let phases = (0..8).map(|n| (format!("T{n}"), control.phase.put(gray::encode(n).into())));
        let (rows, columns) =
            (LookupAxis::new("opcode", opcodes), LookupAxis::new("phase", phases));
        let lookup = self.table((self.address, 0), rows, columns, |byte| {
            let on = byte ^ 1 << control.strobes.write_low;
            let pins = control.strobes.pins().into_iter().filter(|pin| on >> pin & 1 == 1);
            let names = pins.map(|pin| name(self.levels, self.chip.data[usize::from(pin)]));
            names.collect::<Vec<_>>().join(" ")
        });
        let reading = "At {column} of {row}, the table switches on {cell}.".to_owned();
        Lookup { reading, ..lookup }
    }

    /// A row for each number to take, and a column for each level of the strobe.
    fn latch(&self, latches: &[Latch], view: usize) -> Lookup {
        let view = view.min(latches.len() - 1);
        let Latch { enable, d, q } = &latches[view];
        let from = self.wires(d);
        let rows = LookupAxis::values(&from, d, d.extract(self.address));
        let columns = [("closed: keeps its own byte", 0), ("open: takes the other", 1 << enable)];
        let columns = columns.map(|(label, bits)| (label.to_owned(), bits));
        let columns = LookupAxis::new(self.wire(*enable), columns);
        let digits = q.out.width().div_ceil(4) as usize;
        let own = q.back.extract(self.address);
        let lookup = self.table((self.address, 0), rows, columns, |byte| {
            format!("{:0digits$x}", q.out.extract(byte.into()))
        });
        let views = latches.iter().map(|latch| self.wires(&latch.q.back));
        let reading = format!(
            "{from} is {{row}}, and its own byte is {own:0digits$x} ({{column}}). \
             The table holds {{cell}}."
        );
        let views = views.filter(|_| latches.len() > 1).collect();
        Lookup { views, view, reading, ..lookup }
    }

    /// A row for each code, and a column for each level of the clock.
    fn counter(&self, counter: &Counter) -> Lookup {
        let Counter { code, clock, count, .. } = counter;
        let (width, present) = (count.back.width() as usize, count.back.extract(self.address));
        let size = 1u32 << width;
        let encode = |number: u32| u32::from(code.encode(number as u16));
        let number = u32::from(code.decode(present as u16));
        let first = number & !(COLUMNS - 1);
        let rows = (first..(first + COLUMNS).min(size)).map(|number| {
            let code = encode(number);
            (format!("{number}: {code:0width$b}"), count.back.put(code))
        });
        let rows = LookupAxis::new(self.wires(&count.back), rows);
        let columns = [0, 1].map(|level| (level.to_string(), level << clock));
        let columns = LookupAxis::new(self.wire(*clock), columns);
        let lookup = self.table((self.address, 0), rows, columns, |byte| {
            format!("{:0width$b}", count.out.extract(byte.into()))
        });
        let next = encode((number + 1) % size);
        let moved = wires_on(self.chip, count.back.put(present ^ next)).collect::<Vec<_>>();
        let clock = self.wire(*clock);
        Lookup {
            reading: format!("It shows {{row}}, {clock} is {{column}}: the table holds {{cell}}."),
            remark: format!(
                "Its {size} codes form a ring. After {present:0width$b} comes {next:0width$b}, \
                 and only {} differs.",
                buses::names(self.board, &moved)
            ),
            ring: Some((size, number)),
            ..lookup
        }
    }

    /// The program around the present byte, in the order of instructions or of addresses.
    fn program(&self, code: Code, view: usize) -> Lookup {
        let address = self.address & (ROM_BYTES as u32 - 1);
        let place = code.decode(address as u16);
        let view = view.min(1);
        let order = if view == 0 { code } else { Code::Binary };
        let number = order.decode(address as u16).into();
        let half = if place.is_multiple_of(2) { "first" } else { "second" };
        Lookup {
            views: vec!["in the order of instructions".into(), "in the order of addresses".into()],
            view,
            remark: format!(
                "This address is the place of byte {place}, the {half} byte of instruction {}.",
                place / 2
            ),
            ..self.addresses(number, order, ROM_BYTES as u32)
        }
    }

    /// The bytes around the present address.
    fn bytes(&self) -> Lookup {
        self.addresses(self.address, Code::Binary, 1 << self.chip.address.len())
    }

    /// Rows of bytes. Byte `number` is one of them, and byte n is at the address `code.encode(n)`.
    fn addresses(&self, number: u32, code: Code, size: u32) -> Lookup {
        let first = number & !(8 * COLUMNS - 1);
        let encode = |number: u32| match code {
            // A number can be wider than a code.
            Code::Binary => number,
            Code::Gray => code.encode(number as u16).into(),
        };
        let rows = (first..(first + 8 * COLUMNS).min(size)).step_by(COLUMNS as usize);
        let rows = rows.map(|from| (format!("{from:04x}"), encode(from)));
        let columns = (0..COLUMNS.min(size)).map(|n| (format!("{n:x}"), encode(n)));
        let columns = LookupAxis::new("", columns);
        let rows = LookupAxis::new("", rows);
        let lookup =
            self.table((self.address, u32::MAX), rows, columns, |byte| format!("{byte:02x}"));
        let reading = "The address is {address}: the chip holds {cell}.".to_owned();
        Lookup { reading, ..lookup }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use gray1_sim::{Hardware, Setup};

    use super::*;
    use crate::board::drives;
    use crate::tests::machines as testing;
    use crate::{Command, WireDetail};

    /// The stock board with other names, and with the address wires of ALUL in another order.
    fn renamed() -> Board {
        let text = gray1_roms::description(gray1_roms::DEFAULT).unwrap();
        let address = r#"["AS.0-3", "BUS.0-3", "IRL.0-3", "OPCODE", "0", "AS.4"]"#;
        assert_eq!(text.matches(address).count(), 1);
        let other = r#"["OPCODE", "AS.4", "IRL.0-3", "AS.0-3", "0", "BUS.0-3"]"#;
        let mut text = text.replace(address, other);
        for (name, other) in [("ALUL", "SUMS"), ("BUS", "ROAD"), ("PCL", "LOW"), ("CTRL", "BOSS")] {
            text = text.replace(&format!("\"{name}"), &format!("\"{other}"));
        }
        Board::load(&text, gray1_roms::parts(), |_| unreachable!()).unwrap()
    }

    /// Checks the labels of a cell of an arithmetic unit against the definition of the instruction.
    fn check_sum(lookup: &Lookup, slice: &AluSlice, is_low: bool, index: usize) {
        let cell = &lookup.cells[index];
        let op = Op::from_code(lookup.view as u8);
        let [row, column] = [index / 16, index % 16].map(|n| n as u8);
        let joint = (cell.address >> slice.joint & 1) as u8;
        // The other half of A is 0, except for the bit that comes from it.
        let (a, other) = if is_low { (row | joint << 4, column) } else { (row << 4, column << 4) };
        let sum = op.alu(a, other, other);
        let (value, carry) = match (op, is_low) {
            (Op::Add, true) => ((row + column) & 15, row + column > 15),
            (Op::Add, false) => ((row + column + joint) & 15, row + column + joint > 15),
            (_, true) => (sum.value & 15, sum.carry),
            (Op::Shr, false) => (row >> 1, row & 1 == 1),
            (_, false) => (sum.value >> 4, sum.carry),
        };
        // In the high half, the carry of a shift is the bit that the low half drops.
        let is_known = is_low || op != Op::Shr;
        let text = format!("{value:x}{}", if carry { "+" } else { "" });
        assert!(!is_known || cell.text == text, "{op:?} {row:x} {column:x}: {cell:?}, not {text}");
    }

    #[test]
    fn every_cell_shows_the_contents_of_its_chip() {
        for board in [gray1_roms::stock(), gray1_roms::built_in("gray1-b").unwrap(), renamed()] {
            let board = Arc::new(board);
            let hardware = Hardware::Chips(Arc::clone(&board), gray1_roms::nearest);
            let setup = Setup { hardware, ..Setup::default() };
            let mut session = testing::session_on(setup, testing::program("queens"), true);
            session.command(Command::ShowWires(WireDetail::Levels));
            let mut shown = BTreeSet::new();
            for _ in 0..8 * 12 {
                session.command(Command::StepPhase);
                let snapshot = session.snapshot();
                let levels = snapshot.levels.as_ref().unwrap();
                for chip in levels.board.chips() {
                    let contents = match chip.role() {
                        Role::Memory => snapshot.cpu.ram.to_vec(),
                        _ => chip.contents().to_vec(),
                    };
                    let Some(now) = Lookup::new(levels, chip, &contents, None) else {
                        assert!(chip.part().logic.is_some());
                        continue;
                    };
                    let present = &now.cells[now.present.unwrap()];
                    let read = u32::from(contents[present.address as usize]);
                    let pins = (1 << chip.data.len()) - 1;
                    let is_read = drives(levels, chip);
                    assert!(
                        !is_read || read & pins == levels.number(&chip.data),
                        "{}",
                        chip.name()
                    );
                    for view in 0..now.views.len().max(1) {
                        let lookup = Lookup::new(levels, chip, &contents, Some(view)).unwrap();
                        let size = lookup.rows.labels.len() * lookup.columns.labels.len();
                        assert_eq!(lookup.cells.len(), size, "{}", chip.name());
                        check_cells(&lookup, chip, &contents);
                        shown.insert((chip.name().to_owned(), view));
                    }
                }
            }
            assert!(shown.len() >= 30, "{shown:?}");
        }
    }

    fn check_cells(lookup: &Lookup, chip: &Chip, contents: &[u8]) {
        let addresses: BTreeSet<u32> = lookup.cells.iter().map(|cell| cell.address).collect();
        assert_eq!(addresses.len(), lookup.cells.len(), "{}: two cells are one", chip.name());
        for (index, cell) in lookup.cells.iter().enumerate() {
            let byte = contents[cell.address as usize];
            let bits = |field: &Field| field.extract(byte.into());
            let number = |radix| u32::from_str_radix(&cell.text, radix).ok();
            let (row, column) =
                (index / lookup.columns.labels.len(), index % lookup.columns.labels.len());
            match chip.role() {
                Role::Function(Function::AluLow(slice)) => check_sum(lookup, slice, true, index),
                Role::Function(Function::AluHigh(slice)) => check_sum(lookup, slice, false, index),
                Role::Function(Function::Control(control)) => {
                    assert_eq!(control.opcode.extract(cell.address), row as u32);
                    let phase = control.phase.extract(cell.address);
                    assert_eq!(usize::from(gray::decode(phase as u16)), column);
                    let on = byte ^ 1 << control.strobes.write_low;
                    assert_eq!(on.count_ones() as usize, cell.text.split_whitespace().count());
                }
                Role::Latches(latches) => {
                    let Latch { enable, d, q } = &latches[lookup.view];
                    assert_eq!(usize::from(cell.address >> enable & 1 == 1), column);
                    let from = if column == 1 { d } else { &q.back };
                    assert_eq!(number(16), Some(from.extract(cell.address)), "{}", chip.name());
                }
                Role::Counter(counter) => assert_eq!(number(2), Some(bits(&counter.count.out))),
                Role::Function(_) | Role::Program(_) | Role::Memory => {
                    assert_eq!(number(16), Some(byte.into()), "{}", chip.name());
                }
            }
            assert!(lookup.alike(contents, cell.address).contains(&cell.address));
        }
    }

    #[test]
    fn a_cell_of_a_sum_is_at_32_addresses() {
        let mut session = testing::session(testing::program("queens"), true);
        session.command(Command::ShowWires(WireDetail::Levels));
        let levels = session.snapshot().levels.unwrap();
        let chip = levels.board.chip(levels.board.chip_named("ALUL").unwrap());
        let lookup = Lookup::new(&levels, chip, chip.contents(), Some(3)).unwrap();
        let cell = &lookup.cells[3 * 16 + 5];
        assert_eq!(cell.text, "8");
        assert_eq!(lookup.alike(chip.contents(), cell.address).len(), 32);
        assert!(lookup.reading.starts_with("The low half of A is {row}, the bus carries {column}"));
    }
}
