//! Raw EPROM contents, as an EPROM programmer burns them.
//!
//! They can be the contents of the PROG chip or of a larger chip in its socket. A program uses only
//! one block of a larger chip.

use super::error::{LoadError, unexpected};
use super::hex::ERASED;
use crate::address::ROM_BYTES;
use crate::image::Image;

/// The size of the largest chip that can be read, in bytes.
pub(super) const CHIP_BYTES_MAX: usize = 1 << 20;

pub(super) fn encode(image: &Image) -> Vec<u8> {
    image.to_eprom().to_vec()
}

/// Returns true if a chip of this size in bytes can hold a program.
pub(super) fn is_chip(bytes: usize) -> bool {
    bytes.is_power_of_two() && (ROM_BYTES..=CHIP_BYTES_MAX).contains(&bytes)
}

/// Finds the program in the contents of a chip.
///
/// It is in the only block that is not erased. Several such blocks are accepted if they are equal,
/// because a chip that is read with an unconnected address pin shows the same block repeatedly.
pub(super) fn decode(contents: &[u8]) -> Result<Image, LoadError> {
    let (blocks, _) = contents.as_chunks::<ROM_BYTES>();
    let is_used = |block: &&[u8; ROM_BYTES]| block.iter().any(|byte| *byte != ERASED);
    let mut used = blocks.iter().filter(is_used);
    let first = used.next().or(blocks.first());
    match first.filter(|_| is_chip(contents.len())) {
        Some(block) if used.all(|other| other == block) => Ok(Image::from_eprom(block)),
        Some(_) => {
            let starts = blocks.iter().zip((0..).step_by(ROM_BYTES)).filter(|(it, _)| is_used(it));
            let starts: Vec<String> = starts.map(|(_, start)| format!("{start:#x}")).collect();
            Err(LoadError::anywhere(format!(
                "several blocks of {ROM_BYTES} bytes are not empty, at {}: keep only the one \
                 with the program",
                starts.join(", ")
            )))
        }
        None => {
            let found = contents.len().to_string();
            Err(LoadError::anywhere(unexpected(&format!("{ROM_BYTES} bytes"), &found)))
        }
    }
}
