//! Compares the timed engine with the instruction engine, to test the results of the proofs.

use gray1_board::{Board, Phase};
use gray1_circuit::{ChipState, Timed, Timing};
use gray1_isa::{Image, PowerUp, RamAddr, SplitMix64, random_program};
use gray1_roms::{GRAY1, load};
use gray1_sim::{BoardEngine, Engine as _, Machine};

use super::super::Prover;

/// Returns random delays for every chip, and a phase that is longer than any path through the
/// board.
pub(super) fn random_timing(board: &Board, random: &mut SplitMix64) -> Timing {
    let mut timing = Timing::new(board, random.next());
    for delay_ps in &mut timing.delays_ps {
        let longest = 1 + random.below(200_000);
        *delay_ps = random.below(longest)..=longest;
    }
    timing.phase_ps = timing.delays_ps.iter().map(std::ops::RangeInclusive::end).sum();
    timing.mixes = random.coin();
    timing
}

/// Powers up a board in a random state and runs it for a hundred instructions, with resets at
/// random times. Returns whether it always agrees with the instruction engine.
pub(super) fn runs_correctly(
    board: &Board,
    program: &Image,
    timing: &Timing,
    random: &mut SplitMix64,
) -> bool {
    let outputs = board.chips().iter().map(|_| random.byte()).collect();
    let memory = PowerUp::Random(random.next()).contents().ram;
    let timed = Timed::new(board, &ChipState { memory, outputs }, timing.clone()).unwrap();
    let Ok(mut engine) = BoardEngine::new(timed) else { return false };
    let mut machine = Machine::new(program, PowerUp::Zero);
    machine.load(engine.registers());
    for (address, &byte) in (0..).map(RamAddr::truncate).zip(engine.ram()) {
        machine.poke(address, byte);
    }
    for _ in 0..100 {
        if engine.step() != machine.step() || engine.registers() != machine.registers() {
            return false;
        }
        if engine.halted() || random.below(10) == 0 {
            // An instruction that has begun is completed, even if reset is raised.
            let is_complete = (0..random.below(8)).any(|_| engine.edge().is_some());
            if is_complete || engine.phase() > Phase::T1 {
                machine.step();
            }
            engine.reset();
            machine.reset();
            if engine.registers() != machine.registers() || engine.ram() != machine.ram() {
                return false;
            }
        }
    }
    true
}

#[test]
fn a_phase_must_be_longer_than_the_slowest_path() {
    let random = &mut SplitMix64::new(250);
    let stock = load(GRAY1).unwrap();
    let slowest_ns = Prover::new(&stock).slowest_path(|_| 100).unwrap().total_ns();
    for run in 0..10 {
        let program = random_program(random);
        let board = stock.with_program(&program);
        let delays_ps = vec![100_000..=100_000; board.chips().len()];
        let mut runs_correctly_at = |phase_ns: u32| {
            let (phase_ps, delays_ps) = (1000 * u64::from(phase_ns), delays_ps.clone());
            let timing = Timing { delays_ps, phase_ps, ..Timing::new(&board, run) };
            runs_correctly(&board, &program, &timing, random)
        };
        assert!(runs_correctly_at(slowest_ns + 1), "run {run}");
        // The sum has one phase more than it needs, because it is stored when the latch closes in
        // T6.
        assert!(!runs_correctly_at(slowest_ns / 4), "run {run}");
    }
}
