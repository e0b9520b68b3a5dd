//! Checks the parts around the chips, and the margins of levels.

mod support_parts;

use gray1_board::Board;
use gray1_roms::{GRAY1, GRAY1_B, load};

use super::*;

/// The strobes of the decoders reach only the latches, and the feedback of a latch is internal. The
/// data pins of the RAM are inputs while it is written.
#[test]
fn margins_are_computed_for_parts_on_the_same_wire() {
    let board = load(GRAY1_B).unwrap();
    let margins = margins(&board);
    let between = |from: &str, to: &str| {
        let is_it = |it: &&Margin<'_>| it.from.name == from && it.to.name == to;
        margins.iter().find(is_it).map(|it| (it.wires, it.low_mv().zip(it.high_mv())))
    };
    assert_eq!(between("74HCT238", "74HCT573"), Some((16, Some((470, 1840)))));
    assert_eq!(between("74HCT573", "74HCT573"), None);
    // Thirteen address wires, nWE, and the data bus.
    assert_eq!(between("SST39SF010A", "AS6C6264"), Some((13 + 1 + 8, Some((400, 0)))));
    assert_eq!(between("AS6C6264", "SST39SF010A"), Some((8, Some((400, 400)))));
    // Without known levels there is no margin.
    let stock = load(GRAY1).unwrap();
    let mut unknown = super::margins(&stock);
    unknown.retain(|it| it.low_mv().is_none());
    assert!(unknown.iter().all(|it| [it.from, it.to].iter().any(|part| part.name == "IDT7005")));
}
