//! Measures the proofs on the stock board and on boards with a wrong bit.
//!
//! `cargo bench --bench check`
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]

use std::time::Instant;

use gray1_board::Board;
use gray1_proofs::{ProofOutcome, Prover};

/// Wrong bits of latches and counters: chip, address and data pin. With each of them, the circuit
/// has no precomputed plan for one clock edge of every instruction.
const WRONG: [(&str, usize, u8); 4] =
    [("AM", 0x1_a55a, 2), ("AS", 0x1_56ce, 2), ("IRL", 0x1_8b20, 5), ("PCH", 0x4191, 2)];

fn main() {
    let text = include_str!("../roms/gray1.ron");
    let stock = Board::load(text, gray1_roms::parts(), |_| Err("no file is named".to_owned()))
        .expect("it is a board");
    report("the stock board", &stock);
    for (chip, address, pin) in WRONG {
        let faulty = with_wrong_bit(&stock, chip, address, pin);
        report(&format!("{chip} with bit {address:#x}.{pin} wrong"), &faulty);
    }
}

fn with_wrong_bit(board: &Board, chip: &str, address: usize, pin: u8) -> Board {
    let id = board.chip_named(chip).expect("the board has the chip");
    let mut contents = board.chip(id).contents().to_vec();
    contents[address] ^= 1 << pin;
    board.with_contents(id, contents).expect("the contents have the right size")
}

/// Runs all proofs, as `gray1 check` does, and prints the time.
fn report(name: &str, board: &Board) {
    let start = Instant::now();
    let prover = Prover::new(board);
    let proofs = prover.check(&mut |_, _| ());
    let held = proofs.iter().filter(|proof| proof.outcome == ProofOutcome::Holds).count();
    let reaches = prover.reach().map_or(0, |reaches| reaches.len());
    let seconds = start.elapsed().as_secs_f64();
    println!("{name}: {held} of 5 proofs hold, {reaches} chips, {seconds:.2} s");
}
