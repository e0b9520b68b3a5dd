//! Proof 2: latches hold their output for every D while closed, and copy D for every Q while open.

use gray1_board::role::Latch;
use gray1_board::{Board, Chip};

use super::counterexample::{Counterexample, Verdict, chip_shows};

const HOLD: &str = "a closed latch keeps its value whatever its input does";
const FOLLOW: &str = "an open latch follows its input whatever it held";

pub(super) fn prove(board: &Board, cases: &mut u64) -> Verdict {
    for (id, latch) in board.latches() {
        check_all(board.chip(id), latch, cases)?;
    }
    Ok(())
}

fn check_all(chip: &Chip, latch: &Latch, cases: &mut u64) -> Verdict {
    for address in chip.addresses() {
        let open = address >> latch.enable & 1 == 1;
        *cases += 1;
        let shown = chip.contents()[address as usize];
        let wanted = if open { latch.d.extract(address) } else { latch.q.back.extract(address) };
        if latch.q.out.extract(u32::from(shown)) != wanted {
            let expected = u32::from(shown) & !latch.q.out.mask() | latch.q.out.put(wanted);
            let event = chip_shows(chip.name(), address, shown, Some(expected as u8));
            return Err(Counterexample::new(if open { FOLLOW } else { HOLD }, vec![event]));
        }
    }
    Ok(())
}
