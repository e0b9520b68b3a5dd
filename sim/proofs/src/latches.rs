//! Proof 2: latches hold their output for every D while closed, and copy D for every Q while open.

use gray1_board::Chip;
use gray1_board::role::Latch;

use super::Examination;
use super::counterexample::{Counterexample, Verdict, chip_shows};

const HOLD: &str = "a closed latch keeps its value whatever its input does";
const FOLLOW: &str = "an open latch follows its input whatever it held";

impl Examination<'_> {
    pub(super) fn prove_latches(&mut self) -> Verdict {
        let board = self.prover.board;
        board.latches().try_for_each(|(id, latch)| {
            let chip = board.chip(id);
            self.check_each(chip.addresses().map(|address| check(chip, latch, address)))
        })
    }
}

fn check(chip: &Chip, latch: &Latch, address: u32) -> Verdict {
    let open = address >> latch.enable & 1 == 1;
    let shown = chip.contents()[address as usize];
    let wanted = if open { latch.d.extract(address) } else { latch.q.back.extract(address) };
    if latch.q.out.extract(u32::from(shown)) == wanted {
        return Ok(());
    }
    let expected = u32::from(shown) & !latch.q.out.mask() | latch.q.out.put(wanted);
    let event = chip_shows(chip.name(), address, shown, Some(expected as u8));
    Err(Counterexample::new(if open { FOLLOW } else { HOLD }, vec![event]))
}
