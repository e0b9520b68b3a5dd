//! Replaces the compiler on hosts that are not supported. It rejects every program.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Registers, RomIndex};

use crate::flow::FlowGraph;
use crate::step::NativeRun;

/// A compiled program. None can exist.
#[derive(Debug)]
pub(crate) enum Code {}

impl Code {
    pub(crate) fn compile(_: &FlowGraph<'_>, _: bool) -> Option<Self> {
        None
    }

    pub(crate) fn is_right_for(&self, _: &[u8; RAM_BYTES], _: RomIndex) -> bool {
        match *self {}
    }

    pub(crate) fn run(
        &self,
        _: &mut Registers,
        _: &mut [u8; RAM_BYTES],
        _: u64,
        _: &mut Vec<u8>,
    ) -> Option<NativeRun> {
        match *self {}
    }
}
