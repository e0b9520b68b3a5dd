//! The interface between the compiler and a host: the operations that compiled programs consist of.
//!
//! A register of the host holds a byte in its low bits. The bits above are undefined.

use gray1_isa::RamAddr;

/// A position in the code, in bytes from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position(pub(super) usize);

/// The second operand of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source<Register> {
    Register(Register),
    Memory(RamAddr),
    Constant(u8),
}

/// Appends operations to machine code of a host.
///
/// A host may leave the carry in its flags until [`save_carry`](Self::save_carry), or copy it to
/// the register of C at once. All operations preserve the flags unless their description says
/// otherwise.
pub(super) trait Operations<Register: 'static>: Default {
    /// A jump whose destination has not been set yet.
    type Jump;

    /// The register of A at block boundaries.
    const HOME: Register;
    /// The registers that only hold A and cells.
    const CACHE: &'static [Register];

    /// Returns the finished code.
    fn into_code(self) -> Vec<u8>;

    /// Returns the position of the next operation.
    fn position(&self) -> Position;

    /// Starts the function: loads the state from the context, and jumps to the entry.
    fn enter(&mut self);

    /// Sets the result of the function. May overwrite registers that cache cells.
    fn set_result(&mut self, number: u32);

    /// Ends the function: stores the state in the context, and returns.
    fn leave(&mut self);

    /// Sets `to` to a constant.
    fn set(&mut self, to: Register, value: u8);

    /// Loads `to` from a cell.
    fn load(&mut self, to: Register, from: RamAddr);

    /// Stores `from` in a cell.
    fn store(&mut self, to: RamAddr, from: Register);

    /// Copies `from` to `to`. Emits nothing if they are the same.
    fn copy(&mut self, to: Register, from: Register);

    /// Inverts all bits of a register.
    fn complement(&mut self, of: Register);

    /// Sets `to` to the sum of `a` and `b`. Overwrites the flags, and updates the carry if it is
    /// live. `to` must not be a register of `b`, unless it is also `a`.
    fn add(&mut self, to: Register, a: Register, b: Source<Register>, carry_is_live: bool);

    /// Sets `to` to the bitwise AND of `a` and `b`. Overwrites the flags. `to` is restricted as for
    /// [`add`](Self::add).
    fn and(&mut self, to: Register, a: Register, b: Source<Register>);

    /// Sets `to` to the bitwise OR of `a` and `b`. Overwrites the flags. `to` is restricted as for
    /// [`add`](Self::add).
    fn or(&mut self, to: Register, a: Register, b: Source<Register>);

    /// Sets `to` to `from` shifted right by one. Overwrites the flags, and updates the carry if it
    /// is live.
    fn shift_right(&mut self, to: Register, from: Register, carry_is_live: bool);

    /// Clears the carry. Overwrites the flags.
    fn clear_carry(&mut self);

    /// Copies the carry of the previous operation to C.
    fn save_carry(&mut self);

    /// Jumps if C equals `is_set`. C may still be in the flags.
    fn jump_if_carry(&mut self, is_set: bool, flags_hold_carry: bool) -> Self::Jump;

    /// Jumps unconditionally.
    fn jump(&mut self) -> Self::Jump;

    /// Jumps if fewer than `limit_min` instructions may still be executed. Overwrites the flags.
    fn jump_if_fewer_remain(&mut self, limit_min: u16) -> Self::Jump;

    /// Subtracts executed instructions from the number that may still be executed.
    fn count(&mut self, executed: i32);

    /// Appends A, in its home register, to the output. Jumps if the buffer is full. Overwrites the
    /// flags and registers that cache cells.
    fn print(&mut self) -> Self::Jump;

    /// Sets the destination of a jump.
    fn patch(&mut self, jump: &Self::Jump, to: Position);

    /// Sets the destination of a jump to the next operation.
    fn patch_here(&mut self, jump: &Self::Jump) {
        self.patch(jump, self.position());
    }
}
