//! The contents of each chip: files for an EPROM programmer.

use gray1_isa::format::ihex;

use super::file::File;
use crate::board::checked::Board;

/// Two files for each chip that is burned. Both hold every byte: what a programmer's buffer holds
/// besides the file, and what a blank chip reads, differ from one to the next.
pub(super) fn files(board: &Board) -> Vec<File> {
    let burned = board.chips().iter().filter(|chip| !chip.contents().is_empty());
    let both = burned.flat_map(|chip| {
        let (name, contents) = (chip.name(), chip.contents());
        [
            File::new(format!("{name}.bin"), contents),
            File::new(format!("{name}.hex"), ihex::encode(contents, None)),
        ]
    });
    both.collect()
}
