//! Sets of wires, and lists of their levels for users.

use gray1_board::buses::name_from_high;
use gray1_board::{Board, CHIPS_MAX, NetId};
use gray1_isa::BitSet;

/// The number of `u64` in a set: enough bits for every data pin of the largest board, the
/// oscillator and the reset wire.
const WORDS: usize = (CHIPS_MAX * 8 + 2).div_ceil(64);

/// A set of wires.
pub(super) type NetSet = BitSet<NetId, [u64; WORDS]>;

/// The levels of wires with their names, high bit first: `PHASE.2-0=011 RST=0`.
pub(super) fn list_levels(board: &Board, nets: &[NetId], level: impl Fn(NetId) -> char) -> String {
    let text = |run: &[NetId]| {
        let digits: String = run.iter().rev().map(|&net| level(net)).collect();
        format!("{}={digits}", name_from_high(board, run))
    };
    board.runs(nets).map(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use gray1_roms::{GRAY1, load};

    use super::*;

    #[test]
    fn adjacent_wires_of_a_bus_are_shown_as_one_number() {
        let board = load(GRAY1).unwrap();
        let nets: Vec<NetId> = ["PHASE.0", "PHASE.1", "PHASE.2", "IRH.5", "RST"]
            .map(|name| board.net_named(name).unwrap())
            .into();
        let is_high = [nets[0], nets[4]];
        let level = |net: NetId| if is_high.contains(&net) { '1' } else { '0' };
        assert_eq!(list_levels(&board, &nets, level), "PHASE.2-0=001 IRH.5=0 RST=1");
    }
}
