//! Register allocation within a block: host registers cache A and cells of data memory.
//!
//! A store only records which register has the new value. Memory is written at the end of the block
//! or when the register is evicted, unless the value is dead by then. A cell that is stored twice
//! in a block is therefore written once. A cell that was stored or loaded is not loaded again.
//!
//! Constants are not cached here, because the instructions that read them contain their value.
//!
//! `NAND` leaves the complement of its result in the register. Most such values are only read by
//! other `NAND`s, which also accept complements. For other instructions, the register is
//! complemented when needed.

use gray1_isa::RamAddr;

use super::host::{Emitter, Register};
use super::operations::{Operations, Source};
use crate::flow::NEVER;

/// The home register of A.
const A: Register = Emitter::HOME;

/// The registers of A and of the cached cells.
#[derive(Debug)]
pub(super) struct Cache {
    a: CachedValue,
    cells: Vec<CachedCell>,
}

/// A value that a register holds, either unchanged or as its complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CachedValue {
    register: Register,
    is_complement: bool,
}

impl CachedValue {
    fn plain(register: Register) -> Self {
        Self { register, is_complement: false }
    }
}

/// A cell (a byte of data memory) in a register. One register may hold several cells that have the
/// same value, or its complement.
#[derive(Debug, Clone, Copy)]
pub(super) struct CachedCell {
    address: RamAddr,
    value: CachedValue,
    /// Whether memory may still have an older value and the value is not dead.
    is_dirty: bool,
    /// The index of the instruction that probably reads the cell next, or [`NEVER`].
    next_use: u16,
}

/// The access of an instruction to a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellAccess {
    pub(super) address: RamAddr,
    /// The index of the instruction that probably reads the cell next, or [`NEVER`].
    pub(super) next_use: u16,
    /// Whether the value is dead after the access.
    pub(super) is_last: bool,
    /// The value of the cell, if it is a known constant.
    pub(super) constant: Option<u8>,
}

impl Cache {
    /// Creates the cache at the start of a block. A is in its home register, and these cells are
    /// cached.
    pub(super) fn new(cells: Vec<CachedCell>) -> Self {
        Self { a: CachedValue::plain(A), cells }
    }

    /// Loads A with a constant.
    pub(super) fn set_a(&mut self, code: &mut Emitter, value: u8) {
        let register = self.allocate(code, &[]);
        code.set(register, value);
        self.a = CachedValue::plain(register);
    }

    /// Loads A from a cell. Emits nothing if the cell is cached.
    pub(super) fn load_a(&mut self, code: &mut Emitter, access: CellAccess) {
        if let Some(constant) = access.constant {
            return self.set_a(code, constant);
        }
        self.a = self.read(access).unwrap_or_else(|| {
            let value = CachedValue::plain(self.allocate(code, &[]));
            code.load(value.register, access.address);
            self.insert(access, value, false);
            value
        });
    }

    /// Stores A in a cell. Emits nothing yet.
    pub(super) fn store_a(&mut self, access: CellAccess) {
        self.cells.retain(|cell| cell.address != access.address);
        self.insert(access, self.a, !access.is_last);
    }

    /// Adds a cell to A.
    pub(super) fn add(&mut self, code: &mut Emitter, access: CellAccess, carry_is_live: bool) {
        let operand = self.read(access);
        let is_opposite = operand.is_some_and(|value| value == self.complement_of_a());
        let to = self.register_for_result(code, operand);
        if is_opposite {
            // All bits of the sum are set, and the carry is clear.
            code.set(to, 0xff);
            code.clear_carry();
        } else {
            self.make_plain(code, self.a);
            let from = self.a.register;
            if let Some(value) = operand.filter(|value| value.register != from) {
                self.make_plain(code, value);
            }
            code.add(to, from, source(operand, access), carry_is_live);
        }
        self.a = CachedValue::plain(to);
    }

    /// Sets A to the NAND of A and a cell.
    pub(super) fn nand(&mut self, code: &mut Emitter, access: CellAccess) {
        let operand = self.read(access);
        if operand == Some(self.a) || access.constant == Some(0xff) {
            self.a = self.complement_of_a();
        } else if operand == Some(self.complement_of_a()) {
            self.set_a(code, 0xff);
        } else {
            let to = self.register_for_result(code, operand);
            let are_complements =
                self.a.is_complement && operand.is_some_and(|value| value.is_complement);
            if !are_complements {
                self.make_plain(code, self.a);
                if let Some(value) = operand {
                    self.make_plain(code, value);
                }
            }
            let (from, source) = (self.a.register, source(operand, access));
            if are_complements {
                // By De Morgan, the complement of the AND of two complements is the OR of the
                // values.
                code.or(to, from, source);
            } else {
                code.and(to, from, source);
            }
            self.a = CachedValue { register: to, is_complement: !are_complements };
        }
    }

    /// Shifts A right by one.
    pub(super) fn shift_a_right(&mut self, code: &mut Emitter, carry_is_live: bool) {
        let to = self.register_for_result(code, None);
        self.make_plain(code, self.a);
        code.shift_right(to, self.a.register, carry_is_live);
        self.a = CachedValue::plain(to);
    }

    /// Moves A to its home register. Preserves the flags.
    pub(super) fn move_a_home(&mut self, code: &mut Emitter) {
        if self.a.register != A {
            self.evict(code, A);
            code.copy(A, self.a.register);
            self.a.register = A;
        }
        self.make_plain(code, self.a);
    }

    /// Writes the dirty cells that are live to memory. Preserves the flags.
    pub(super) fn write_back(&mut self, code: &mut Emitter, is_live: impl Fn(RamAddr) -> bool) {
        for number in 0..self.cells.len() {
            let CachedCell { address, value, is_dirty, .. } = self.cells[number];
            if is_dirty && is_live(address) {
                self.make_plain(code, value);
                code.store(address, value.register);
                self.cells[number].is_dirty = false;
            }
        }
    }

    /// Returns the cells that a successor block may inherit. All of them are clean. The entry stub
    /// of the block loads them from memory, which may have been changed from outside. So each one
    /// needs a separate register, which A does not use, and none is stored as a complement.
    pub(super) fn inheritable(&self) -> Vec<CachedCell> {
        let mut inheritable: Vec<CachedCell> = Vec::new();
        for cell in &self.cells {
            let CachedValue { register, is_complement } = cell.value;
            let is_unique = inheritable.iter().all(|other| other.value.register != register);
            if is_unique && register != A && !is_complement {
                inheritable.push(CachedCell { is_dirty: false, ..*cell });
            }
        }
        inheritable
    }

    /// Returns whether the cache contains this cell in the same register and in the same form,
    /// plain or complemented.
    pub(super) fn contains(&self, cell: CachedCell) -> bool {
        let mut cells = self.cells.iter();
        cells.any(|other| (other.address, other.value) == (cell.address, cell.value))
    }

    /// Returns the cached value of a cell that an instruction reads. A constant is not read from
    /// the cache.
    fn read(&mut self, access: CellAccess) -> Option<CachedValue> {
        if access.constant.is_some() {
            return None;
        }
        let cell = self.cells.iter_mut().find(|cell| cell.address == access.address)?;
        cell.next_use = access.next_use;
        cell.is_dirty &= !access.is_last;
        Some(cell.value)
    }

    fn complement_of_a(&self) -> CachedValue {
        CachedValue { is_complement: !self.a.is_complement, ..self.a }
    }

    /// Chooses a register for the result of an operation on A and an operand. It is A's own
    /// register, unless that register caches a cell that will still be read.
    fn register_for_result(
        &mut self,
        code: &mut Emitter,
        operand: Option<CachedValue>,
    ) -> Register {
        let from = self.a.register;
        if self.next_use(from) == NEVER {
            self.evict(code, from);
            from
        } else {
            let other = operand.map_or(from, |value| value.register);
            self.allocate(code, &[from, other])
        }
    }

    /// Complements a register if it has the complement of the value. Preserves the flags.
    fn make_plain(&mut self, code: &mut Emitter, value: CachedValue) {
        if value.is_complement {
            code.complement(value.register);
            let values = self.cells.iter_mut().map(|cell| &mut cell.value);
            for other in values.chain([&mut self.a]) {
                other.is_complement ^= other.register == value.register;
            }
        }
    }

    /// Returns the index of the first instruction that is likely to read one of the cells in the
    /// register.
    fn next_use(&self, register: Register) -> u16 {
        let cells = self.cells.iter().filter(|cell| cell.value.register == register);
        cells.map(|cell| cell.next_use).min().unwrap_or(NEVER)
    }

    fn insert(&mut self, access: CellAccess, value: CachedValue, is_dirty: bool) {
        let CellAccess { address, next_use, .. } = access;
        self.cells.push(CachedCell { address, value, is_dirty, next_use });
    }

    /// Evicts the register whose next use is furthest away, and returns it. Never chooses one in
    /// `kept`.
    fn allocate(&mut self, code: &mut Emitter, kept: &[Register]) -> Register {
        let register = *Emitter::CACHE
            .iter()
            .filter(|register| !kept.contains(register))
            .min_by_key(|register| NEVER - self.next_use(**register))
            .expect("fewer registers are kept than there are");
        self.evict(code, register);
        register
    }

    /// Writes the dirty cells in a register to memory and removes all its cells from the cache.
    /// Preserves the flags.
    fn evict(&mut self, code: &mut Emitter, register: Register) {
        while let Some(number) = self.cells.iter().position(|cell| cell.value.register == register)
        {
            let CachedCell { address, value, is_dirty, .. } = self.cells[number];
            if is_dirty {
                self.make_plain(code, value);
                code.store(address, register);
            }
            self.cells.swap_remove(number);
        }
    }
}

impl CachedCell {
    /// Loads the register from memory.
    pub(super) fn load(self, code: &mut Emitter) {
        code.load(self.value.register, self.address);
    }
}

/// Returns where to read the value of a cell.
fn source(cached: Option<CachedValue>, access: CellAccess) -> Source<Register> {
    match (cached, access.constant) {
        (Some(value), _) => Source::Register(value.register),
        (None, Some(constant)) => Source::Constant(constant),
        (None, None) => Source::Memory(access.address),
    }
}
