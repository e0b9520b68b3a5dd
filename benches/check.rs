//! Boards with a wrong bit: the self-test on such a board with the plans of the right one and
//! without, and how long the proofs take.
//!
//! `cargo bench --bench check`
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]

mod support;

use std::time::Instant;

use gray1_board::Board;
use gray1_isa::PowerUp;
use gray1_proofs::Prover;
use gray1_sim::{Computer, Engine as _};

use support::{Side, compare_rounds, image_of};

/// Wrong bits of latches and counters: chip, address and data pin. Each leaves an edge of every
/// instruction without a plan.
const WRONG: [(&str, usize, u8); 4] =
    [("AM", 0x1_a55a, 2), ("AS", 0x1_56ce, 2), ("IRL", 0x1_8b20, 5), ("PCH", 0x4191, 2)];
/// How many instructions are executed: without plans they take long.
const INSTRUCTIONS: u64 = 20_000;
const ROUNDS: usize = 5;

fn main() {
    let text = include_str!("../roms/gray1.ron");
    let stock = Board::load(text, gray1_roms::parts(), |_| Err("no file is named".to_owned()))
        .expect("it is a board");
    report("the stock board", &stock);
    let stock = stock.with_program(&image_of("selftest"));
    let right = Computer::settled(&stock, PowerUp::Zero).expect("it settles");
    for (chip, address, pin) in WRONG {
        let faulty = with_wrong_bit(&stock, chip, address, pin);
        let name = format!("{chip} with bit {address:#x}.{pin} wrong");
        report(&name, &faulty);
        let new = || Computer::settled(&faulty, PowerUp::Zero).expect("it settles");
        let like = || right.settled_like(&faulty, PowerUp::Zero).expect("it settles");
        compare_rounds(
            ROUNDS,
            INSTRUCTIONS,
            "instructions",
            &Side {
                name: "on its own",
                prepare: &new,
                run: &|board| {
                    board.run(INSTRUCTIONS);
                },
            },
            &Side {
                name: "with the right board's plans",
                prepare: &like,
                run: &|board| {
                    board.run(INSTRUCTIONS);
                },
            },
        );
    }
}

fn with_wrong_bit(board: &Board, chip: &str, address: usize, pin: u8) -> Board {
    let id = board.chip_named(chip).expect("the board has the chip");
    let mut contents = board.chip(id).contents().to_vec();
    contents[address] ^= 1 << pin;
    board.with_contents(id, contents).expect("the contents have the right size")
}

/// Runs all proofs, as `gray1 check` does.
fn report(name: &str, board: &Board) {
    let start = Instant::now();
    let prover = Prover::new(board);
    let failed = prover.check().iter().filter(|proof| proof.outcome.is_err()).count();
    let reaches = prover.reach().map_or(0, |reaches| reaches.len());
    let seconds = start.elapsed().as_secs_f64();
    println!("{name}: {failed} of 5 proofs fail, {reaches} chips, {seconds:.2} s");
}
