//! Compiles programs to machine code of the host, and runs them.

#[cfg(any(target_arch = "aarch64", test))]
#[cfg_attr(not(target_arch = "aarch64"), allow(dead_code, reason = "only tests use it here"))]
mod a64;
mod compiler;
mod context;
mod executable;
mod host;
mod operations;
mod register_cache;
#[cfg(any(target_arch = "x86_64", test))]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only tests use it here"))]
mod x64;

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{RamAddr, Registers, RomIndex};

use crate::constants::Constants;
use crate::dead::Dead;
use crate::flow::FlowGraph;
use crate::step::NativeRun;
use compiler::{Compiler, decode};
use context::Context;
use executable::Executable;

/// The size of the output buffer. Generated code returns when it is full.
const OUTPUT_BYTES: usize = 256;

/// A compiled program.
#[derive(Debug)]
pub(crate) struct Code {
    executable: Executable,
    /// For each index, the number of the block that starts there.
    numbers: Vec<Option<u16>>,
    /// For each block, the minimum limit for entering it.
    limits_min: Vec<u16>,
    /// For each block, the constants that it relies on when it is entered.
    constants: Vec<Vec<(RamAddr, u8)>>,
}

impl Code {
    /// Compiles a program. The code may rely on the program's constants. Returns `None` if the host
    /// does not allow executable memory.
    pub(crate) fn compile(flow: &FlowGraph<'_>, relies_on_constants: bool) -> Option<Self> {
        let dead = Dead::find(flow);
        let constants =
            if relies_on_constants { Constants::find(flow, &dead) } else { Constants::none(flow) };
        let mut numbers = vec![None; ROM_WORDS];
        for (number, block) in flow.blocks.iter().enumerate() {
            numbers[block.head.to_usize()] = Some(number as u16);
        }
        let limits_min = flow.blocks.iter().map(|block| block.limit_min).collect();
        let compiler = Compiler::new(flow, &dead, &constants);
        let executable = Executable::new(&compiler.compile())?;
        Some(Self { executable, numbers, limits_min, constants: constants.list() })
    }

    /// Returns whether memory contains the constants that the code at an index relies on.
    pub(crate) fn is_right_for(&self, ram: &[u8; RAM_BYTES], pc: RomIndex) -> bool {
        self.numbers[pc.to_usize()].is_none_or(|block| {
            let mut constants = self.constants[usize::from(block)].iter();
            constants.all(|(address, value)| ram[address.to_usize()] == *value)
        })
    }

    /// Executes up to `limit` instructions. Memory must contain the constants that the code relies
    /// on, which [`is_right_for`](Self::is_right_for) checks. Returns `None` and does nothing if no
    /// block starts at the program counter, or if the limit is too low.
    pub(crate) fn run(
        &self,
        registers: &mut Registers,
        ram: &mut [u8; RAM_BYTES],
        limit: u64,
        output: &mut Vec<u8>,
    ) -> Option<NativeRun> {
        let block = usize::from(self.numbers[registers.pc.to_usize()]?);
        if limit < u64::from(self.limits_min[block]) {
            return None;
        }
        let mut buffer = [0; OUTPUT_BYTES];
        let mut context = Context::new(ram, &mut buffer);
        (context.remaining, context.a, context.carry) = (limit, registers.a, registers.carry);
        let (has_halted, pc) = decode(self.executable.call(block, &mut context));
        let printed = OUTPUT_BYTES - context.output_room();
        let executed = limit - context.remaining;
        *registers = Registers { a: context.a, carry: context.carry, pc };
        output.extend_from_slice(&buffer[..printed]);
        Some(NativeRun { executed, has_halted })
    }
}
