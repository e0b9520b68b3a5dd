//! Compares nodes with the chips they represent.

use gray1_roms::{GRAY1, load};

use super::*;

/// Unused data bits of a chip may have any value. If they are 0, the contents are not copied.
#[test]
fn data_pins_without_a_wire_read_as_0() {
    let stock = load(GRAY1).unwrap();
    let phase = stock.chip_named("PHASE").unwrap();
    let kind = |board: &Board| match &Wiring::new(board).nodes()[Wiring::chip(phase)].kind {
        NodeKind::Rom(contents) => Arc::clone(contents),
        kind => panic!("{kind:?}"),
    };
    let right = stock.chip(phase).contents_shared();
    assert!(Arc::ptr_eq(&kind(&stock), &right));
    for open in [0x08, 0x80, 0xf8] {
        let some = stock.with_wrong_bits(phase, 5, open);
        assert_eq!(kind(&some), right);
        let all = right.iter().map(|byte| byte | open).collect();
        assert_eq!(kind(&stock.with_contents(phase, all).unwrap()), right);
    }
}
