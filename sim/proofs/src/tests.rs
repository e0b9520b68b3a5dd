//! What the proofs find on the stock board and on the counterexample.

use gray1_board::phase::Phase;
use gray1_isa::Op;
use gray1_roms::{BINARY_COUNTER, GRAY1, GRAY1_B, load};

use super::*;

mod extent;
mod faults;
mod in_time;
pub(super) mod laws;
mod panel;
pub(super) mod rewired;

/// The steps of a board.
pub(super) fn graph(board: &Board) -> StateGraph<'_> {
    StateGraph::of(board, Wiring::new(board), &mut Sensitivities::default()).unwrap()
}

/// The number and the counterexample of the first proof to fail.
fn first_failure(board: &Board) -> Option<(u8, Counterexample)> {
    let prover = Prover::new(board);
    prover.numbers().find_map(|number| Some((number, prover.examine(number).1.err()?)))
}

#[test]
fn the_gray1_passes_all_proofs() {
    for proof in Prover::new(&load(GRAY1).unwrap()).check() {
        assert_eq!(proof.outcome, ProofOutcome::Holds, "proof {}", proof.number);
    }
}

/// A proof that leaves out cases, or takes some for others, does not reach these counts.
fn check_cases(board: &Board) {
    let prover = Prover::new(board);
    for number in prover.numbers() {
        let (cases, outcome) = prover.examine(number);
        if outcome.is_ok() {
            let differences = cases.differences(&extent::of(board, number));
            assert_eq!(differences, [], "proof {number}: about, looked at, there are");
        }
    }
}

#[test]
fn each_proof_looks_at_every_case() {
    check_cases(&load(GRAY1).unwrap());
}

#[test]
fn each_proof_looks_at_every_case_of_the_board_with_a_panel() {
    check_cases(&load(GRAY1_B).unwrap());
}

#[test]
fn each_proof_looks_at_every_case_of_the_binary_counter() {
    check_cases(&load(BINARY_COUNTER).unwrap());
}

#[test]
fn each_proof_looks_at_every_case_of_a_rewired_board() {
    let board = rewired::rewired();
    assert_eq!(first_failure(&board), None);
    check_cases(&board);
}

/// SHR does not need the low byte of its operand. A board that leaves it out passes, but then not
/// every byte has stood there while A was shifted.
#[test]
fn a_proof_counts_what_the_board_has_executed() {
    let lazy = laws::commanded(&[("IRL_EN", false, |now| now.op == Op::Shr)]);
    let prover = Prover::new(&lazy);
    for number in prover.numbers() {
        let (cases, verdict) = prover.examine(number);
        assert_eq!(verdict, Ok(()));
        let differences = cases.differences(&extent::of(&lazy, number));
        assert_eq!(differences.is_empty(), number != 5, "proof {number}: {differences:?}");
    }
}

/// The same in figures.
#[test]
fn there_are_so_many_cases() {
    let board = load(GRAY1).unwrap();
    let cases: Vec<u64> = (1..=5).map(|number| extent::of(&board, number).total()).collect();
    // Each address of PHASE, PCH and PCL, and each code; each operand as loading ends, and as
    // clearing does.
    assert_eq!(cases[0], 32 + (1 << 17) + (1 << 18) + (8 + 128 + 256) + 2 * (1 << 13));
    // Each address of IRH, IRL, AM, AS; of FLAGS, for its two latches.
    assert_eq!(cases[1], 4 * (1 << 17) + 2 * 32);
    // The sequencer stands in each of 8 phases, and under reset in 6 of them or in T1 with either
    // level of the oscillator, with any opcode and carry. An edge follows each; reset rises in the
    // 4 phases in which the oscillator is high, and falls in T1.
    let (states, steps) = (16 * (8 + 8), 16 * (8 + 8 + 4 + 1));
    // Enables: of six latches, load and clear of two counters, the write enable. On
    // the way to T2 and from there three wires of the opcode go anywhere, to T7 the carry after ADD
    // and SHR; under reset T1 is left by nothing but reset itself.
    let mixes = 2 * steps + 2 * 16 * (2 * 27 - 2) + 2 * 4 * (2 * 3 - 2) - 2 * 16;
    assert_eq!(cases[2], 11 * (states + steps) + 3 * steps + mixes);
    assert_eq!(cases[3], 8 * states + steps, "each wire of the bus, in each state; each step");
    // Arithmetic; addresses; jumps, and what stands at the targets of those that are taken, but
    // for 0; succession; leftovers; every pair of opcodes, carry and phase before a reset.
    let jumps = 4 * (1 << 13) + 3 * ((1 << 13) - 1);
    let resets = 4 * 8 * 8 * 2;
    let executed = (8 << 17) + 4 * (1 << 13) + jumps + (1 << 13) + (8 << 16) + resets;
    // What AM takes for five opcodes and the carry's master for two, with either carry, in each
    // step to T5: the edge without reset and under it, and reset as it rises there.
    let taken = (5 + 2) * 2 * 3;
    assert_eq!(cases[4], executed + taken);
}

#[test]
fn the_binary_counter_fails_the_first_proof_only() {
    let mut proofs = Prover::new(&load(BINARY_COUNTER).unwrap()).check().into_iter();
    let ProofOutcome::Fails(story) = proofs.next().unwrap().outcome else { panic!("it holds") };
    assert_eq!(
        story.to_string(),
        "a counter moves one wire at a time\n  \
         T7 -> T0: the oscillator turns over, IRH.5 = 0, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
         PHASE.2 falls\n  \
         PCL shows 02 at address 0x1\n  \
         PCL.0 and PCL.1 move at once\n  \
         PCL notices PCL.0 first, reads 0x0 and shows 0x0, expected 0x2"
    );
    for proof in proofs {
        assert_eq!(proof.outcome, ProofOutcome::Holds, "proof {}", proof.number);
    }
}

/// The wire and the chip of each hop, and when it has settled.
fn hops(board: &Board, path: &SlowestPath) -> Vec<(String, u32)> {
    let name = |hop: &Hop| format!("{} {}", hop.wire, board.chip(hop.chip).name());
    path.hops.iter().map(|hop| (name(hop), hop.settled_ns)).collect()
}

#[test]
fn the_slowest_path_chip_by_chip() {
    let board = load(GRAY1).unwrap();
    let path = Prover::new(&board).slowest_path(|id| board.chip(id).access_ns()).unwrap();
    // The control table is a slow 2716, and in T2 it sees the opcode that it has let in.
    assert_eq!((path.from, path.to), (Phase::T1, Phase::T2));
    let expected =
        [("OSC PHASE", 50), ("PHASE.1 CTRL", 500), ("IRH_EN IRH", 620), ("IRH.5 CTRL", 1070)];
    assert_eq!(hops(&board, &path), expected.map(|(hop, ns)| (hop.to_owned(), ns)));
    // With all chips alike, the way from the clock to the sum is the longest: in T4 the counter,
    // the program, the operand, the memory, both halves of the arithmetic unit, and the latch
    // behind it. (The upper half of the counter steps in T0.)
    let alike = Prover::new(&board).slowest_path(|_| 100).unwrap();
    let expected = [
        "OSC PHASE",
        "PHASE.2 PCL",
        "PCL.0 PROG",
        "PROG.0 IRL",
        "IRL.0 RAM",
        "BUS.0 ALUL",
        "ALUL.4 ALUH",
        "ALUH.0 AM",
    ];
    let expected: Vec<(String, u32)> =
        (1..).zip(expected).map(|(at, hop)| (hop.to_owned(), 100 * at)).collect();
    assert_eq!(hops(&board, &alike), expected);
    assert_eq!((alike.from, alike.to, alike.cause), (Phase::T3, Phase::T4, Cause::Oscillator));
    assert!((alike.oscillator_hz_max() - 1e9 / 1600.0).abs() < 1.0);
}

/// Three wires on the way of the low byte have filters; the chips take 70 ns each.
#[test]
fn filters_are_a_part_of_the_slowest_path() {
    let slowest = |text: &str| {
        let board = load(text).unwrap();
        Prover::new(&board).slowest_path(|id| board.chip(id).access_ns()).unwrap()
    };
    let path = slowest(GRAY1_B);
    let filters: Vec<(&str, u32)> = path
        .hops
        .iter()
        .filter(|hop| hop.filter_ns > 0)
        .map(|hop| (hop.wire.as_str(), hop.filter_ns))
        .collect();
    assert_eq!(filters, [("PHASE.2", 96), ("PCL.0", 93), ("IRL.0", 106)]);
    assert_eq!(path.total_ns(), 9 * 70 + 96 + 93 + 106);
    // With 1000 ohm each of them takes more than 300 ns longer.
    let slow = slowest(&GRAY1_B.replacen("ohm: 220", "ohm: 1000", 1));
    assert!(slow.total_ns() > path.total_ns() + 3 * 300, "{}", slow.total_ns());
}

/// The program counter is cleared after T0 under reset, but also when reset rises in T1.
#[test]
fn of_paths_that_are_equally_slow_one_without_reset_is_shown() {
    let board = load(GRAY1).unwrap();
    let program = board.program();
    let path = Prover::new(&board).slowest_path(|chip| u32::from(chip == program)).unwrap();
    assert_eq!(path.total_ns(), 1);
    assert_eq!((path.from, path.to, path.cause), (Phase::T1, Phase::T1, Cause::ResetRises));
}

#[test]
fn there_is_no_slowest_path_around_a_circle() {
    let board =
        laws::commanded(&[("AM_EN", true, |now| now.phase > Phase::T5 && now.op == Op::Nand)]);
    let story = Prover::new(&board).slowest_path(|_| 100).unwrap_err().to_string();
    assert_eq!(
        story,
        "wires do not feed each other in a circle\n  \
         T6 -> T7: the oscillator turns over, IRH.5 = 0, IRH.6 = 0, IRH.7 = 1, FLAGS.1 = 0"
    );
}

#[test]
fn the_addresses_that_can_occur() {
    let board = load(GRAY1).unwrap();
    let reaches = Prover::new(&board).reach().unwrap();
    let counts = reaches
        .iter()
        .map(|reach| (board.chip(reach.chip).name(), reach.count_settled(), reach.count_between()));
    let counts: Vec<(&str, usize, usize)> = counts.collect();
    assert_eq!(
        counts,
        [
            // Without reset each of 8 phases with its level of the oscillator; under reset T3 to
            // T0 likewise, and T1 with both levels. T2 under reset never occurs.
            ("PHASE", 16, 14),
            ("CTRL", 240, 0),
            // Counting: any count, the clock its parity, anything to load. Loading: the count is
            // what is loaded, the clock any. Clearing: the count is 0.
            ("PCH", 128 * 128 + 2 * 128 + 2 * 128, 114_176),
            // Likewise; and it is cleared in T1, in which its clock is low.
            ("PCL", 256 * 128 + 2 * 128 + 128, 163_456),
            ("PROG", 16_384, 0),
            // Closed: anything. Open: the output is the input.
            ("IRH", 65_536 + 256, 65_280),
            ("IRL", 65_536 + 256, 65_280),
            ("ALUL", 65_536, 0),
            ("ALUH", 65_536, 0),
            ("AM", 65_536 + 256, 65_280),
            ("AS", 65_536 + 256, 65_280),
            // The two latches are never open together.
            ("FLAGS", 8 + 4 + 4, 8),
            ("BUF", 256, 0),
            ("RAM", 8192, 0),
        ]
    );
}
