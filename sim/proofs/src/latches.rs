//! Proof 2: latches hold for every D while closed, and follow D for every Q while open.

use gray1_board::role::Latch;
use gray1_board::{Board, Chip};

use super::counterexample::{Counterexample, Scene};
use super::verdict::{About, Cases, Verdict};

pub(super) const HOLD: &str = "a closed latch holds whatever its input does";
pub(super) const FOLLOW: &str = "an open latch follows its input whatever it held";

pub(super) fn prove(board: &Board, cases: &mut Cases) -> Verdict {
    for (id, latch) in board.latches() {
        let mut counts = [0; 2];
        let outcome = check_all(board.chip(id), latch, &mut counts);
        for (law, count) in [HOLD, FOLLOW].into_iter().zip(counts) {
            cases.add(About::new(law).chip(id), count);
        }
        outcome?;
    }
    Ok(())
}

/// Checks a latch at each address, and counts those at which it is closed and those at which it is
/// open.
fn check_all(chip: &Chip, latch: &Latch, counts: &mut [u64; 2]) -> Verdict {
    for address in chip.addresses() {
        let open = address >> latch.enable & 1 == 1;
        counts[usize::from(open)] += 1;
        let shown = chip.contents()[address as usize];
        let wanted = if open { latch.d.of(address) } else { latch.q.back.of(address) };
        if latch.q.out.of(u32::from(shown)) != wanted {
            let expected = u32::from(shown) & !latch.q.out.mask() | latch.q.out.put(wanted);
            let scene = Scene::Shows {
                chip: chip.name().to_owned(),
                address,
                shown,
                expected: Some(expected as u8),
            };
            return Err(Counterexample::new(if open { FOLLOW } else { HOLD }, vec![scene]));
        }
    }
    Ok(())
}
