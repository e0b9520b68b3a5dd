//! Tests the proofs on the stock board and on the board with binary counters.

use gray1_board::Code;
use gray1_board::phase::Phase;
use gray1_isa::Op;
use gray1_roms::{BINARY_COUNTER, GRAY1, GRAY1_B, load};

use super::*;

mod faults;
mod in_time;
pub(super) mod laws;
mod panel;
pub(super) mod rewired;

/// Returns the steps of a board.
pub(super) fn graph(board: &Board) -> StateGraph<'_> {
    StateGraph::explore(board, Wiring::new(board), &mut Sensitivities::default()).unwrap()
}

/// Returns the number and the counterexample of the first proof that fails.
fn first_failure(board: &Board) -> Option<(u8, Counterexample)> {
    let prover = Prover::new(board);
    prover
        .numbers()
        .find_map(|number| Some((number, prover.examine(number, &mut |_, _| ()).1.err()?)))
}

/// Returns the number of cases of each proof, for a board with the instruction set, the phases and
/// the chips of the Gray-1, and with `rows` rows of LEDs.
fn cases(rows: u64) -> [u64; 6] {
    let (opcodes, phases, bytes, operands) = (8, 8, 1 << 8, 1 << 13);
    // The inputs of the control table other than phase and reset: opcode and carry.
    let levels = 2 * opcodes;
    // The sequencer can be settled in each phase. Under reset it can be settled in all phases
    // except T2, and in T1 with either level of the oscillator. Each of these states is followed by
    // an edge. Reset rises in the 4 phases with the oscillator high, and falls in T1.
    let (states, steps) = (levels * (phases + phases), levels * (phases + phases + 4 + 1));
    // Each address of PHASE, PCH and PCL, and each code. Then each operand as loading ends, and as
    // clearing ends.
    let counters = 32 + (1 << 17) + (1 << 18) + (8 + 128 + 256) + 2 * operands;
    // Each address of IRH, IRL, AM, AS and the rows, and each address of FLAGS for its two latches.
    let latches = (4 + rows) * (1 << 17) + 2 * 32;
    // Load and clear of two counters, the enables of six latches and the rows, and the write
    // enable.
    let enables = 2 * 2 + 6 + rows + 1;
    // In a step, one wire of phase or reset changes, which makes two mixes. While reset holds T1,
    // none changes. Each wire that can change from any level to any level makes three mixes of
    // each. These are the opcode in the steps to T2 and from T2, and the carry in the step to T7
    // after ADD and SHR.
    let (fetching, showing) = (2 * levels * (2 * 27 - 2), 2 * 2 * 2 * (2 * 3 - 2));
    let mixes = 2 * steps - 2 * levels + fetching + showing;
    // Three laws check each step as a whole.
    let strobes = enables * (states + steps) + 3 * steps + mixes;
    // Each wire of the bus in each state, and each step.
    let bus = 8 * states + steps;
    // Arithmetic, addresses, jumps, the instructions at the targets of taken jumps (except 0),
    // succession, stale words, and every pair of opcodes and carry before a reset in four phases.
    let arithmetic = opcodes * 2 * bytes * bytes;
    let jumps = 4 * operands + 3 * (operands - 1);
    let stale_words = opcodes * bytes * bytes;
    let resets = 4 * opcodes * opcodes * 2;
    let executed = arithmetic + 4 * operands + jumps + operands + stale_words + resets;
    // The input of AM for five opcodes, and the input of the carry's master for two, with either
    // carry, in each step to T5. There are three such steps: the edge without reset, the edge under
    // reset, and the rise of reset in T5.
    let taken = (5 + 2) * 2 * 3;
    // Each row and the mailbox: one case for its input, one for each operand with and without a
    // write, and one for each step. Then each operand, and each pair of bytes, of the multiplexer
    // that replaces the bus by the buttons. Then each step from T1: the edge, the rise of reset,
    // and under reset both edges and the fall.
    let panel_latches = rows + 1;
    let panel =
        panel_latches * (1 + 2 * operands + steps) + operands + 2 * bytes * bytes + 5 * levels;
    [counters, latches, strobes, bus, executed + taken, panel]
}

/// A proof that skips cases or counts cases twice would not give these numbers.
#[test]
fn each_proof_holds_for_every_case() {
    let [stock, binary, panel] = [GRAY1, BINARY_COUNTER, GRAY1_B].map(|text| load(text).unwrap());
    for (board, rows) in [(stock, 0), (rewired::rewired(), 0), (binary, 0), (panel, 16)] {
        let mut last = 0;
        let proofs = Prover::new(&board).check(&mut |number, cases| {
            assert_eq!((number, last.max(cases)), (5, cases));
            last = cases;
        });
        assert!(last > 1_600_000 || board.code() == Code::Binary, "{last} cases were reported");
        assert_eq!(proofs.len(), if rows == 0 { 5 } else { 6 });
        for (proof, cases) in proofs.iter().zip(cases(rows)) {
            if board.code() == Code::Binary && proof.number == 1 {
                // All cases of PHASE, and the first two addresses of PCL.
                assert_eq!((proof.fails(), proof.cases), (true, 32 + 8 + 2));
                continue;
            }
            assert_eq!(proof.outcome, ProofOutcome::Holds, "proof {}", proof.number);
            assert_eq!(proof.cases, cases, "proof {} of {}", proof.number, board.title());
        }
    }
}

/// SHR does not need the low byte of its operand, so a board that does not fetch it passes. On such
/// a board, not every value of that byte occurs while A is shifted, so proof 5 counts fewer cases.
#[test]
fn a_proof_counts_what_the_board_has_executed() {
    let lazy = laws::with_strobes(&[("IRL_EN", false, |now| now.op == Op::Shr)]);
    for (proof, cases) in Prover::new(&lazy).check(&mut |_, _| ()).iter().zip(cases(0)) {
        assert_eq!(proof.outcome, ProofOutcome::Holds);
        assert_eq!(proof.cases < cases, proof.number == 5, "proof {}", proof.number);
    }
}

#[test]
fn the_binary_counter_fails_the_first_proof() {
    let (number, explanation) = first_failure(&load(BINARY_COUNTER).unwrap()).unwrap();
    assert_eq!(number, 1);
    assert_eq!(
        explanation.to_string(),
        "a counter moves one wire at a time\n  \
         T7 -> T0: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 0, FLAGS.1 = 0\n  \
         PHASE.2 falls\n  \
         PCL shows 02 at address 0x1\n  \
         PCL.0 and PCL.1 move at once\n  \
         PCL notices PCL.0 first, reads 0x0 and shows 0x0, expected 0x2"
    );
}

/// Returns the wire and the chip of each hop, and the time at which the chip has settled.
fn hops(board: &Board, path: &SlowestPath) -> Vec<(String, u32)> {
    let name = |hop: &Hop| format!("{} {}", hop.wire, board.chip(hop.chip).name());
    path.hops.iter().map(|hop| (name(hop), hop.settled_ns)).collect()
}

#[test]
fn the_slowest_path_is_found_chip_by_chip() {
    let board = load(GRAY1).unwrap();
    let path = Prover::new(&board).slowest_path(|id| board.chip(id).access_ns).unwrap();
    // The control table is a slow 2716. In T2 it reads the opcode that its own strobe has just
    // fetched.
    assert_eq!((path.from, path.to), (Phase::T1, Phase::T2));
    let expected =
        [("OSC PHASE", 50), ("PHASE.1 CTRL", 500), ("IRH_EN IRH", 620), ("IRH.5 CTRL", 1070)];
    assert_eq!(hops(&board, &path), expected.map(|(hop, ns)| (hop.to_owned(), ns)));
    // If all chips have the same delay, the path from the clock to the sum is the slowest. In T4 it
    // goes through the counter, the program, the operand, the memory, both halves of the arithmetic
    // unit, and the next latch. The upper half of the counter steps in T0.
    let equal = Prover::new(&board).slowest_path(|_| 100).unwrap();
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
    assert_eq!(hops(&board, &equal), expected);
    assert_eq!((equal.from, equal.to, equal.cause), (Phase::T3, Phase::T4, Cause::Oscillator));
    assert!((equal.oscillator_hz_max() - 1e9 / 1600.0).abs() < 1.0);
}

/// Three wires on the path of the low byte have filters. The chips take 70 ns each.
#[test]
fn filters_are_a_part_of_the_slowest_path() {
    let slowest = |text: &str| {
        let board = load(text).unwrap();
        Prover::new(&board).slowest_path(|id| board.chip(id).access_ns).unwrap()
    };
    let path = slowest(GRAY1_B);
    let filters: Vec<(&str, u32)> = path
        .hops
        .iter()
        .filter(|hop| hop.filter_ns > 0)
        .map(|hop| (hop.wire.as_str(), hop.filter_ns))
        .collect();
    assert_eq!(filters, [("PHASE.2", 99), ("PCL.0", 93), ("IRL.0", 106)]);
    assert_eq!(path.total_ns(), 9 * 70 + 99 + 93 + 106);
    // With 1000 ohm, each filter takes more than 300 ns longer.
    let slow = slowest(&GRAY1_B.replacen("ohm: 220", "ohm: 1000", 1));
    assert!(slow.total_ns() > path.total_ns() + 3 * 300, "{}", slow.total_ns());
}

/// The program counter is cleared after T0 under reset, and also when reset rises in T1.
#[test]
fn among_equally_slow_paths_one_without_reset_is_shown() {
    let board = load(GRAY1).unwrap();
    let program = board.program();
    let path = Prover::new(&board).slowest_path(|chip| u32::from(chip == program)).unwrap();
    assert_eq!(path.total_ns(), 1);
    assert_eq!((path.from, path.to, path.cause), (Phase::T1, Phase::T1, Cause::ResetRises));
}

#[test]
fn a_cycle_of_wires_has_no_slowest_path() {
    let board =
        laws::with_strobes(&[("AM_EN", true, |now| now.phase > Phase::T5 && now.op == Op::Nand)]);
    let explanation = Prover::new(&board).slowest_path(|_| 100).unwrap_err().to_string();
    assert_eq!(
        explanation,
        "wires do not feed each other in a circle\n  \
         T6 -> T7: the oscillator changes, IRH.5 = 0, IRH.6 = 0, IRH.7 = 1, FLAGS.1 = 0"
    );
}

#[test]
fn the_addresses_that_can_occur_are_counted() {
    let board = load(GRAY1).unwrap();
    let reaches = Prover::new(&board).reach().unwrap();
    let counts = reaches.iter().map(|reach| {
        (board.chip(reach.chip).name(), reach.settled.len(), reach.all.len() - reach.settled.len())
    });
    let counts: Vec<(&str, usize, usize)> = counts.collect();
    assert_eq!(
        counts,
        [
            // Without reset, each of 8 phases with the matching level of the oscillator. Under
            // reset, the same for T3 to T0, and T1 with both levels. T2 under reset never occurs.
            ("PHASE", 16, 14),
            ("CTRL", 240, 0),
            // While counting: any count, its parity as the clock, and any value to load. While
            // loading: the count equals the loaded value, and the clock is any. While clearing: the
            // count is 0.
            ("PCH", 128 * 128 + 2 * 128 + 2 * 128, 114_176),
            // The same, but it is cleared in T1, in which its clock is low.
            ("PCL", 256 * 128 + 2 * 128 + 128, 163_456),
            ("PROG", 16_384, 0),
            // While closed, any address. While open, the output equals the input.
            ("IRH", 65_536 + 256, 65_280),
            ("IRL", 65_536 + 256, 65_280),
            ("ALUL", 65_536, 0),
            ("ALUH", 65_536, 0),
            ("AM", 65_536 + 256, 65_280),
            ("AS", 65_536 + 256, 65_280),
            // The two latches are never open at the same time.
            ("FLAGS", 8 + 4 + 4, 8),
            ("BUF", 256, 0),
            ("RAM", 8192, 0),
        ]
    );
}
