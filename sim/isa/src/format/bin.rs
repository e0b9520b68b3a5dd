//! Raw EPROM contents, as a programmer burns them: of the PROG chip, or of a larger part in its
//! place, in which the program takes one block.

use super::hex::ERASED;
use super::{LoadError, unexpected};
use crate::address::ROM_BYTES;
use crate::image::Image;

/// The largest chip that is read, in bytes.
pub(super) const CHIP_BYTES_MAX: usize = 1 << 20;

pub(super) fn encode(image: &Image) -> Vec<u8> {
    image.to_eprom().to_vec()
}

/// True if a chip that can hold a program has so many bytes.
pub(super) fn is_chip(bytes: usize) -> bool {
    bytes.is_power_of_two() && (ROM_BYTES..=CHIP_BYTES_MAX).contains(&bytes)
}

/// The program in a chip: in the only block that is not erased, or in blocks that are all the same,
/// as when an address pin was not connected.
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
                "several blocks of {ROM_BYTES} bytes hold something, at {}: cut out the one with \
                 the program",
                starts.join(", ")
            )))
        }
        None => {
            let found = contents.len().to_string();
            Err(LoadError::anywhere(unexpected(&format!("{ROM_BYTES} bytes"), &found)))
        }
    }
}
