//! Register allocation within a block: host registers cache A and cells of data memory.
//!
//! A store only records which register holds the new value. Memory is written when the block is
//! left or when the register is evicted, unless the value is dead by then. Hence a cell that is
//! stored twice in a block is written once, and a cell that was stored or loaded is not loaded
//! again.

use gray1_isa::RamAddr;

use super::assembler::{Assembler, Memory, Register, Source};
use super::registers::{A, RAM, RAM_BIAS};
use crate::flow::NEVER;

/// The registers that may hold A and cells.
const REGISTERS: [Register; 11] = {
    use Register::{R8, R9, R10, R11, R12, R13, R14, R15, Rbx, Rdx};
    [A, Rdx, Rbx, R8, R9, R10, R11, R12, R13, R14, R15]
};

/// Which registers hold A and which cells.
#[derive(Debug)]
pub(super) struct Cache {
    a: Register,
    cells: Vec<Cell>,
}

/// A cell (a byte of data memory) that a register holds. One register may hold several cells that
/// have the same value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    address: RamAddr,
    register: Register,
    /// Whether memory may still hold an older value, and the value is not dead.
    is_dirty: bool,
    /// The index of the instruction that is expected to read the cell next, or [`NEVER`].
    next_use: u16,
}

/// The access of an instruction to a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub(super) address: RamAddr,
    /// The index of the instruction that is expected to read the cell next, or [`NEVER`].
    pub(super) next_use: u16,
    /// Whether the value is dead after the access.
    pub(super) is_last: bool,
}

impl Cache {
    /// The cache at the start of a block: A is in its home register, and these cells are cached.
    pub(super) fn new(cells: Vec<Cell>) -> Self {
        Self { a: A, cells }
    }

    /// Loads A with a constant.
    pub(super) fn set_a(&mut self, code: &mut Assembler, value: u8) {
        self.a = self.allocate(code, &[]);
        code.set(self.a, u32::from(value));
    }

    /// Loads A with a cell; emits nothing if the cell is cached.
    pub(super) fn load_a(&mut self, code: &mut Assembler, access: Access) {
        self.a = match self.operand(access) {
            Source::Register(register) => register,
            Source::Memory(memory) => {
                let register = self.allocate(code, &[]);
                code.load_byte(register, memory);
                self.insert(access, register, false);
                register
            }
        }
    }

    /// Stores A in a cell; emits nothing yet.
    pub(super) fn store_a(&mut self, access: Access) {
        self.cells.retain(|cell| cell.address != access.address);
        self.insert(access, self.a, !access.is_last);
    }

    /// Where the value of a cell is.
    pub(super) fn operand(&mut self, access: Access) -> Source {
        match self.cells.iter_mut().find(|cell| cell.address == access.address) {
            Some(cell) => {
                cell.next_use = access.next_use;
                cell.is_dirty &= !access.is_last;
                Source::Register(cell.register)
            }
            None => Source::Memory(memory(access.address)),
        }
    }

    /// Chooses a register for the result of an operation on A and an operand. Returns the register
    /// that holds A and the one that will: the same if no cell in it is expected to be read.
    pub(super) fn replace_a(
        &mut self,
        code: &mut Assembler,
        operand: Option<Source>,
    ) -> (Register, Register) {
        let from = self.a;
        if self.next_use(from) == NEVER {
            self.evict(code, from);
        } else if let Some(Source::Register(register)) = operand {
            self.a = self.allocate(code, &[from, register]);
        } else {
            self.a = self.allocate(code, &[from]);
        }
        (from, self.a)
    }

    /// Moves A to its home register. Preserves the flags.
    pub(super) fn move_a_home(&mut self, code: &mut Assembler) {
        if self.a != A {
            self.evict(code, A);
            code.copy(A, self.a);
            self.a = A;
        }
    }

    /// Writes the dirty cells that are live to memory. Preserves the flags.
    pub(super) fn write_back(&mut self, code: &mut Assembler, is_live: impl Fn(RamAddr) -> bool) {
        for cell in self.cells.iter_mut().filter(|cell| is_live(cell.address)) {
            cell.write_back(code);
            cell.is_dirty = false;
        }
    }

    /// The cells that a successor block may inherit, all of them clean. Its entry stub loads them from memory, which
    /// may have been changed from outside: so no two of them may share a register, nor one with A.
    pub(super) fn heritable(&self) -> Vec<Cell> {
        let mut heritable: Vec<Cell> = Vec::new();
        for cell in &self.cells {
            let is_alone = heritable.iter().all(|other| other.register != cell.register);
            if is_alone && cell.register != A {
                heritable.push(Cell { is_dirty: false, ..*cell });
            }
        }
        heritable
    }

    /// Whether a cell is cached in the same register here.
    pub(super) fn contains(&self, cell: Cell) -> bool {
        let is_same =
            |other: &Cell| other.address == cell.address && other.register == cell.register;
        self.cells.iter().any(is_same)
    }

    /// The index of the instruction that is expected to be the first to read a cell in a register.
    fn next_use(&self, register: Register) -> u16 {
        let cells = self.cells.iter().filter(|cell| cell.register == register);
        cells.map(|cell| cell.next_use).min().unwrap_or(NEVER)
    }

    fn insert(&mut self, access: Access, register: Register, is_dirty: bool) {
        let Access { address, next_use, .. } = access;
        self.cells.push(Cell { address, register, is_dirty, next_use });
    }

    /// Evicts the register whose next use is furthest away, but none that is to be kept.
    fn allocate(&mut self, code: &mut Assembler, kept: &[Register]) -> Register {
        let register = REGISTERS
            .into_iter()
            .filter(|register| !kept.contains(register))
            .min_by_key(|register| NEVER - self.next_use(*register))
            .expect("fewer registers are kept than there are");
        self.evict(code, register);
        register
    }

    /// Writes the dirty cells in a register to memory and drops all cells in it. Preserves the
    /// flags.
    fn evict(&mut self, code: &mut Assembler, register: Register) {
        for cell in self.cells.extract_if(.., |cell| cell.register == register) {
            cell.write_back(code);
        }
    }
}

impl Cell {
    /// Loads the register from memory.
    pub(super) fn load(self, code: &mut Assembler) {
        code.load_byte(self.register, memory(self.address));
    }

    /// Writes the register to memory if the cell is dirty. Preserves the flags.
    fn write_back(self, code: &mut Assembler) {
        if self.is_dirty {
            code.store_byte(memory(self.address), self.register);
        }
    }
}

/// The address of a cell in the host's memory.
fn memory(address: RamAddr) -> Memory {
    Memory { base: RAM, offset: i32::from(address.get()) - RAM_BIAS }
}
