//! The data that generated code and its caller exchange.

use std::marker::PhantomData;
use std::mem::offset_of;
use std::ops::Range;

use gray1_isa::address::RAM_BYTES;

/// The arguments and results of generated code.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Context<'a> {
    /// Data memory, `RAM_BYTES` bytes.
    ram: *mut u8,
    /// The number of instructions that may still be executed.
    pub(super) remaining: u64,
    /// The position of the next output byte in the output buffer.
    output: *mut u8,
    /// The end of the output buffer.
    output_end: *mut u8,
    pub(super) a: u8,
    pub(super) carry: bool,
    /// The pointers borrow data memory and the output buffer for the life of the context.
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> Context<'a> {
    pub(super) fn new(ram: &'a mut [u8; RAM_BYTES], output: &'a mut [u8]) -> Self {
        let Range { start, end } = output.as_mut_ptr_range();
        Self {
            ram: ram.as_mut_ptr(),
            remaining: 0,
            output: start,
            output_end: end,
            a: 0,
            carry: false,
            borrowed: PhantomData,
        }
    }

    /// Returns the number of bytes that fit in the output buffer.
    pub(super) fn output_room(&self) -> usize {
        self.output_end.addr() - self.output.addr()
    }
}

/// The offsets of the fields, for generated code.
impl Context<'_> {
    pub(super) const RAM: usize = offset_of!(Self, ram);
    pub(super) const REMAINING: usize = offset_of!(Self, remaining);
    pub(super) const OUTPUT: usize = offset_of!(Self, output);
    pub(super) const OUTPUT_END: usize = offset_of!(Self, output_end);
    pub(super) const A: usize = offset_of!(Self, a);
    pub(super) const CARRY: usize = offset_of!(Self, carry);
}
