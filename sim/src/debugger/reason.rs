//! The reason of a stop in words.

use gray1_isa::Image;

use super::watch_set::Hit;
use crate::executed::{Executed, Write};

/// The reason why a machine stands where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The positions of the breakpoints that are met here.
    pub met: Vec<usize>,
    /// What happened last: `stack+1: 00 -> 10 by ST at row0+12 (queens.asm:88)`.
    pub text: String,
}

/// The byte that an instruction accessed, with its old and new value, the instruction and its
/// source line; or the place where the machine stands, if nothing was executed.
#[must_use]
pub(super) fn words(hit: &Hit, image: &Image) -> String {
    let Some(Executed { index, word, write, read }) = hit.executed else {
        return format!("at {}", image.place_and_line(hit.next));
    };
    let (op, place) = (word.op(), image.place_and_line(index));
    if let Some(Write { address, old, new }) = write {
        format!("{}: {old:02x} -> {new:02x} by {op} at {place}", image.byte_at(address, index))
    } else if let Some(byte) = read {
        let address = word.address();
        format!("{}: {byte:02x} read by {op} at {place}", image.byte_at(address, index))
    } else {
        format!("{} at {place}", image.instruction(index))
    }
}
