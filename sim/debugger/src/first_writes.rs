//! The first write to each byte of data memory. It shows whether a byte still holds what it held at
//! power-up.

use std::sync::Arc;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Indexes, Operand, RamAddr, RomIndex, Word, panel};
use gray1_sim::engine::Engine;

/// The moments at which the bytes of data memory were first written, as far as a replay has seen.
///
/// Only stores to unwritten bytes must be watched, and only after the moment up to which writes are
/// recorded. So a run is slowed down once for each byte that it writes, and a replay is not. Reads
/// must be watched only for a condition that asks for them: a program can read an unwritten byte
/// for ever.
#[derive(Debug, Clone)]
pub struct FirstWrites {
    /// For each byte, the first moment from which it is written, or [`NEVER`].
    moments: Arc<[u64]>,
    /// The instructions that read or write a byte.
    accesses: Arc<[(RomIndex, Word)]>,
    /// The moment up to which all first writes are recorded.
    pub(super) end: u64,
}

const NEVER: u64 = u64::MAX;

impl FirstWrites {
    /// Starts at power-up, when the panel has written only the buttons.
    pub(super) fn new(engine: &dyn Engine) -> Self {
        let words = RomIndex::all().map(|index| (index, engine.word(index)));
        let accesses = words.filter(|(_, word)| word.op().operand() == Operand::Data);
        let mut moments = vec![NEVER; RAM_BYTES];
        moments[panel::BUTTONS.to_usize()] = 0;
        Self { moments: moments.into(), accesses: accesses.collect(), end: 0 }
    }

    /// Returns true if nothing has written a byte up to a moment.
    pub fn is_unwritten(&self, address: RamAddr, moment: u64) -> bool {
        self.moments[address.to_usize()] > moment
    }

    /// Records that a byte is written from a moment on.
    pub(super) fn record(&mut self, address: RamAddr, moment: u64) {
        if self.is_unwritten(address, moment) {
            Arc::make_mut(&mut self.moments)[address.to_usize()] = moment;
        }
    }

    /// Forgets the writes after a moment.
    pub(super) fn cut(&mut self, moment: u64) {
        self.end = self.end.min(moment);
        let moments = Arc::make_mut(&mut self.moments).iter_mut();
        moments.filter(|first| **first > moment).for_each(|first| *first = NEVER);
    }

    /// Treats all bytes as written, because the past is not known.
    pub(super) fn forget(&mut self) {
        Arc::make_mut(&mut self.moments).fill(0);
    }

    /// Returns the instructions that write a byte that is unwritten at a moment, and with `reads`
    /// also those that read one.
    pub(super) fn watched(&self, moment: u64, reads: bool) -> Indexes {
        let open = self.accesses.iter().filter(|(_, word)| {
            (reads || word.op().writes_memory()) && self.is_unwritten(word.address(), moment)
        });
        open.map(|(index, _)| *index).collect()
    }
}
