//! For tests: circuits right after the reset.

use gray1_board::Board;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::BUTTONS;
use gray1_isa::{Image, PowerUpContents, SplitMix64, random_program};

use crate::{Settled, panel, power_up_state};

/// Returns a board with this program and these power-up contents, after the reset.
pub(crate) fn settled(board: &Board, program: &Image, contents: PowerUpContents) -> Settled {
    let state = power_up_state(board, contents);
    let mut circuit = Settled::new(&board.with_program(program), &state).unwrap();
    panel::press_reset(&mut circuit).unwrap();
    circuit
}

/// Returns a board with a random program and random power-up contents, after the reset.
pub(crate) fn settled_at_random(board: &Board, random: &mut SplitMix64) -> Settled {
    let program = random_program(random);
    settled(board, &program, random_contents(random))
}

/// Returns random registers and a random memory.
pub(crate) fn random_contents(random: &mut SplitMix64) -> PowerUpContents {
    let (a, carry) = (random.byte(), random.coin());
    let mut ram = Box::new([0; RAM_BYTES]);
    ram.iter_mut().for_each(|byte| *byte = random.byte());
    // The panel clears the buttons during reset.
    ram[BUTTONS.to_usize()] = 0;
    PowerUpContents { a, carry, ram }
}
