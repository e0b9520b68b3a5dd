//! What the debugger asks of an engine: to go on, to be brought back, and the same every time.

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::Buttons;
use gray1_isa::{RomIndex, Word};

use crate::{Executed, Indexes, Machine, Saved};

/// A machine that can be brought back to where it was, and then does the same again.
///
/// A clone goes its own way; what one of them saved, the other can come back to.
pub trait Replay: Clone {
    /// All that the machine remembers.
    type Saved: Clone;

    /// Saves what the machine remembers.
    fn save(&self) -> Self::Saved;

    /// Comes back to what was saved; output that nobody took is dropped.
    fn restore(&mut self, saved: &Self::Saved);

    /// Watches these instructions, and no others any more.
    fn watch(&mut self, indexes: &Indexes);

    /// Executes up to `limit` instructions, but stops before one that is watched, at once if it
    /// comes next. Says how many; fewer also where the program has ended.
    fn run_to_watched(&mut self, limit: u64) -> u64;

    /// Executes up to `limit` instructions, watched or not, and says how many.
    fn run(&mut self, limit: u64) -> u64;

    /// Executes one instruction; `None` if there is none to come.
    fn step(&mut self) -> Option<Executed>;

    /// Starts the program again, with no button held.
    fn reset(&mut self);

    /// Holds these buttons from now on.
    fn hold(&mut self, buttons: Buttons);

    /// The bytes that were written to the mailbox since the last call.
    fn take_output(&mut self) -> Vec<u8>;

    /// The accumulator.
    fn a(&self) -> u8;

    /// The carry.
    fn carry(&self) -> bool;

    /// The index of the instruction that comes next.
    fn pc(&self) -> RomIndex;

    /// The word at an index of program memory.
    fn word(&self, index: RomIndex) -> Word;

    /// Data memory.
    fn ram(&self) -> &[u8; RAM_BYTES];

    /// How many instructions were executed since the reset.
    fn executed(&self) -> u64;

    /// Whether the program has ended.
    fn halted(&self) -> bool;
}

impl Replay for Machine {
    type Saved = Saved;

    fn save(&self) -> Saved {
        self.save()
    }

    fn restore(&mut self, saved: &Saved) {
        self.restore(saved);
    }

    fn watch(&mut self, indexes: &Indexes) {
        self.watch(indexes);
    }

    fn run_to_watched(&mut self, limit: u64) -> u64 {
        let before = self.executed();
        self.run_to_watched(limit);
        self.executed() - before
    }

    fn run(&mut self, limit: u64) -> u64 {
        let before = self.executed();
        self.run(limit);
        self.executed() - before
    }

    fn step(&mut self) -> Option<Executed> {
        self.step()
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn hold(&mut self, buttons: Buttons) {
        self.hold(buttons);
    }

    fn take_output(&mut self) -> Vec<u8> {
        self.take_output()
    }

    fn a(&self) -> u8 {
        self.a()
    }

    fn carry(&self) -> bool {
        self.carry()
    }

    fn pc(&self) -> RomIndex {
        self.pc()
    }

    fn word(&self, index: RomIndex) -> Word {
        self.word(index)
    }

    fn ram(&self) -> &[u8; RAM_BYTES] {
        self.ram()
    }

    fn executed(&self) -> u64 {
        self.executed()
    }

    fn halted(&self) -> bool {
        self.halted()
    }
}
