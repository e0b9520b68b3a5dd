//! Proof 2: latches hold for every D while closed, and follow D for every Q while open.

use super::story::{Counterexample, Scene};
use super::verdict::{Cases, Verdict};
use crate::board::checked::{Board, Chip};
use crate::board::role::Role;

const HOLD: &str = "a closed latch holds whatever its input does";
const FOLLOW: &str = "an open latch follows its input whatever it held";

pub(super) fn prove(board: &Board, cases: &mut Cases) -> Verdict {
    for chip in board.chips() {
        if let Role::Latches(latches) = chip.role() {
            for address in chip.addresses() {
                cases.add(latches.len() as u64);
                check(chip, address)?;
            }
        }
    }
    Ok(())
}

fn check(chip: &Chip, address: u32) -> Verdict {
    let Role::Latches(latches) = chip.role() else { return Ok(()) };
    let shown = chip.contents()[address as usize];
    for latch in latches {
        let open = address >> latch.enable & 1 == 1;
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
