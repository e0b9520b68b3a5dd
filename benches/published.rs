//! Compares the published methods for the eight queens: as native programs, and on the Gray-1 with
//! each engine.
//!
//! `cargo bench --bench published`
//!
//! All of them take turns, so that noise affects all of them. The results are medians of processor
//! time. A program that would take too long on an engine is measured over its first instructions,
//! and its time is marked with `~`.
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]
#![allow(clippy::cast_precision_loss, reason = "figures for people have four digits")]

#[path = "../examples/published/bits.rs"]
mod bits;
#[path = "support/clock.rs"]
mod clock;
#[path = "../examples/published/odometer.rs"]
mod odometer;
#[path = "../examples/published/packed.rs"]
mod packed;
#[path = "../examples/published/permute.rs"]
mod permute;
#[path = "../examples/published/repair.rs"]
mod repair;
mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use gray1_board::Board;
use gray1_circuit::Noise;
use gray1_isa::{Image, PowerUp, SplitMix64};
use gray1_sim::{Engine, Hardware, Setup};

use clock::timed;
use support::load_image;

const SIDE: usize = 8;
type Arrangement = [u8; SIDE];
type Search = fn(&mut dyn FnMut(Arrangement));

/// The number of arrangements that every method finds.
const ARRANGEMENTS: usize = 92;
/// The number of turns.
const ROUNDS: usize = 11;

/// The methods: the program for the Gray-1, the published time, and the native search.
const METHODS: [(&str, &str, Search); 5] = [
    ("queens-packed", "-", packed::search),
    ("queens-bits", "11.2 us, AVX", bits::search),
    ("queens-repair", "-", repair_all),
    ("queens-odometer", "350 ms, C", odometer::search),
    ("queens-permute", "24 ms, C", permute::search),
];

fn main() {
    // `cargo test --benches` only checks that it runs.
    let rounds = if std::env::args().any(|argument| argument == "--bench") { ROUNDS } else { 1 };
    let text = include_str!("../roms/gray1.ron");
    let board = Arc::new(
        Board::load(text, gray1_roms::parts(), |_| Err("no files".into())).expect("it is checked"),
    );
    let engines = [
        ("instruction engine", Hardware::default(), 1_000_000_000),
        ("chips", Hardware::Chips(Arc::clone(&board), gray1_roms::nearest), 2_000_000),
        ("chips in time", Hardware::Timed(board, Noise::seeded(1)), 20_000),
    ];
    for (program, published, search) in METHODS {
        println!("{program} (published: {published}):");
        println!(
            "  {:<20} {}",
            "native",
            format_time(median(rounds, || time_native(search)), false)
        );
        let image = load_image(program);
        for (name, hardware, limit) in &engines {
            let (time, is_estimate) = time_on_the_gray1(&image, hardware, *limit, rounds);
            println!("  {name:<20} {}", format_time(time, is_estimate));
        }
    }
}

/// Finds the 92 arrangements by self-correcting queens, from one seed.
fn repair_all(found: &mut dyn FnMut(Arrangement)) {
    let mut random = SplitMix64::new(1);
    let mut different = BTreeSet::new();
    while different.len() < ARRANGEMENTS {
        let (rows, _) = repair::search(SIDE, &mut random, &mut |_| ());
        let arrangement: Arrangement = std::array::from_fn(|queen| rows[queen] as u8);
        if different.insert(arrangement) {
            found(arrangement);
        }
    }
}

/// Returns the processor time of a native search.
fn time_native(search: Search) -> Duration {
    let mut count = 0;
    let time =
        timed(|| search(&mut |arrangement| count += std::hint::black_box(arrangement).len())).0;
    assert_eq!(count, ARRANGEMENTS * SIDE);
    time
}

/// Returns the processor time of a Gray-1 program until it has found all arrangements, and whether
/// the time is an estimate from its first `limit` instructions.
fn time_on_the_gray1(
    image: &Image,
    hardware: &Hardware,
    limit: u64,
    rounds: usize,
) -> (Duration, bool) {
    let needed = count_instructions(image);
    let count = needed.min(limit);
    let setup = Setup { hardware: hardware.clone(), power_up: PowerUp::Zero };
    let engine = setup.engine(image).expect("the board settles");
    let time = median(if count > 10_000_000 { rounds.min(3) } else { rounds }, || {
        let mut engine = engine.boxed_clone();
        timed(|| run(&mut *engine, count)).0
    });
    (time.mul_f64(needed as f64 / count as f64), count < needed)
}

/// Runs instructions as `gray1 run` does.
fn run(engine: &mut dyn Engine, count: u64) {
    while engine.executed() < count && !engine.halted() {
        engine.run(engine.slice().min(count - engine.executed()));
        engine.take_output();
    }
}

/// Returns the number of instructions that a program takes to print all arrangements.
fn count_instructions(image: &Image) -> u64 {
    let mut engine = Setup::default().engine(image).expect("it has no board");
    let (mut lines, mut line) = (BTreeSet::new(), Vec::new());
    while !engine.halted() && lines.len() < ARRANGEMENTS {
        engine.run(1_000);
        for byte in engine.take_output() {
            match byte {
                b'\n' => _ = lines.insert(std::mem::take(&mut line)),
                _ => line.push(byte),
            }
        }
    }
    engine.executed()
}

fn median(rounds: usize, mut measure: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<_> = (0..rounds).map(|_| measure()).collect();
    times.sort_unstable();
    times[rounds / 2]
}

fn format_time(time: Duration, is_estimate: bool) -> String {
    format!("{}{time:.3?}", if is_estimate { "~" } else { "" })
}
