//! What the compiler asks of a host: the operations that compiled programs consist of.
//!
//! A register of the host holds a byte in its low bits; what is above does not count.

use gray1_isa::RamAddr;

/// A position in the code, in bytes from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position(pub(super) usize);

/// Where an operation finds its second operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source<Register> {
    Register(Register),
    Memory(RamAddr),
    Constant(u8),
}

/// Appends operations to machine code of a host.
///
/// What becomes of the carry is up to the host. It may leave the carry in its flags until
/// [`save_carry`](Self::save_carry), or put it into the register of C at once. All operations
/// preserve the flags, except for those that say otherwise.
pub(super) trait Operations<Register: 'static>: Default {
    /// A jump whose destination is to be set.
    type Jump;

    /// Where A is at block boundaries.
    const HOME: Register;
    /// The registers that may hold A and cells, and nothing else.
    const CACHE: &'static [Register];

    /// The finished code.
    fn into_code(self) -> Vec<u8>;

    /// Where the next operation will start.
    fn position(&self) -> Position;

    /// The start of the function: takes the state from the context, and jumps to the entry.
    fn enter(&mut self);

    /// Decides what the function returns. Registers that cache cells may be overwritten.
    fn set_result(&mut self, number: u32);

    /// The end of the function: puts the state into the context, and returns.
    fn leave(&mut self);

    /// `to` becomes a constant.
    fn set(&mut self, to: Register, value: u8);

    /// `to` becomes a cell.
    fn load(&mut self, to: Register, from: RamAddr);

    /// A cell becomes `from`.
    fn store(&mut self, to: RamAddr, from: Register);

    /// `to` becomes `from`; nothing if they are the same.
    fn copy(&mut self, to: Register, from: Register);

    /// All bits of a register are inverted.
    fn complement(&mut self, of: Register);

    /// `to` becomes the sum of `a` and `b`. Overwrites the flags and takes the carry if it is live.
    /// `to` is no register of `b`, unless it is `a`.
    fn add(&mut self, to: Register, a: Register, b: Source<Register>, carry_is_live: bool);

    /// `to` becomes what `a` and `b` have in common; as to registers and flags, as
    /// [`add`](Self::add).
    fn and(&mut self, to: Register, a: Register, b: Source<Register>);

    /// `to` becomes what `a` or `b` has; as to registers and flags, as [`add`](Self::add).
    fn or(&mut self, to: Register, a: Register, b: Source<Register>);

    /// `to` becomes `from` shifted to the right. Overwrites the flags and takes the carry if it is
    /// live.
    fn shift_right(&mut self, to: Register, from: Register, carry_is_live: bool);

    /// The carry becomes 0. Overwrites the flags.
    fn clear_carry(&mut self);

    /// C becomes the carry of the operation before.
    fn save_carry(&mut self);

    /// A jump that is taken if C is as said. The flags may still hold it.
    fn jump_if_carry(&mut self, is_set: bool, flags_hold_carry: bool) -> Self::Jump;

    /// A jump that is always taken.
    fn jump(&mut self) -> Self::Jump;

    /// A jump that is taken if fewer instructions than `limit_min` may still be executed.
    /// Overwrites the flags.
    fn jump_if_fewer_remain(&mut self, limit_min: u16) -> Self::Jump;

    /// Subtracts executed instructions from those that may still be executed.
    fn count(&mut self, executed: i32);

    /// Appends A, in its home register, to the output. The jump is taken if there is no room.
    /// Overwrites the flags and registers that cache cells.
    fn print(&mut self) -> Self::Jump;

    /// Makes a jump lead to a position.
    fn patch(&mut self, jump: &Self::Jump, to: Position);

    /// Makes a jump lead to the next operation.
    fn patch_here(&mut self, jump: &Self::Jump) {
        self.patch(jump, self.position());
    }
}
