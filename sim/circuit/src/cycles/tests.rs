//! Compares cached cycles with the plans they are composed from, on correct boards and on boards
//! with changed wires. `sim/tests/independence.rs` compares boards with damaged chips with a
//! reference model.

use std::cell::Cell;

use gray1_board::registers::address_wires;
use gray1_board::{Board, Phase};
use gray1_isa::panel::MAILBOX;
use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{BINARY_COUNTER, GRAY1, load};

use super::RunsCycles as _;
use crate::testing::{random_contents, settled_at_random};
use crate::{Circuit, Settled, power_up_state};

/// Runs a board by cycles and by plans, and sometimes by single edges in between. Compares all
/// settled wires, data memory and the bytes written to the mailbox. Returns the number of cycles
/// that ran from the cache.
fn compare(board: &Board, random: &mut SplitMix64) -> u64 {
    let board = board.with_program(&random_program(random));
    let state = power_up_state(&board, random_contents(random));
    let mut cached = Settled::new(&board, &state).unwrap();
    let mut planned = cached.clone().without_cycles();
    let program_address = cached.probe(&address_wires(&board, board.program()));
    let phase = cached.probe(&board.probes().phase);
    let mut cached_cycles = 0;
    for _ in 0..40 {
        // A cycle may begin in any phase.
        let edges = Phase::T0.edges_to_go();
        let limit = 1 + random.below(30);
        let address = cached.read(&program_address);
        let begin = Cell::new(None);
        let cycles = cached.run_cycles(&phase, edges, limit, MAILBOX, |address| {
            begin.set(begin.get().or(Some(address)));
            false
        });
        assert!(begin.get().is_none_or(|begin| begin == address));
        for _ in 0..cycles {
            planned.edges(edges).unwrap();
        }
        cached_cycles += cycles;
        assert_same_state(&mut cached, &mut planned);
        let edges = random.below(12) as u32;
        let outcome = cached.edges(edges);
        assert_eq!(outcome, planned.edges(edges));
        if outcome.is_err() {
            break;
        }
        assert_same_state(&mut cached, &mut planned);
    }
    cached_cycles
}

fn assert_same_state(cached: &mut Settled, planned: &mut Settled) {
    for net in planned.board().net_ids() {
        let name = planned.board().net(net).name();
        assert_eq!(cached.level(net), planned.level(net), "{name}");
    }
    assert!(cached.memory() == planned.memory());
    let [one, other] = [cached, planned].map(|circuit| {
        let printed = circuit.writes().iter().filter(|write| write.address == MAILBOX);
        let printed: Vec<u8> = printed.map(|write| write.new).collect();
        circuit.clear_writes();
        printed
    });
    assert_eq!(one, other);
}

#[test]
fn cycles_run_only_for_wires_and_edge_counts_of_the_phase() {
    let mut circuit = settled_at_random(&load(GRAY1).unwrap(), &mut SplitMix64::new(4));
    let probes = circuit.board().probes();
    let [phase, a] = [&probes.phase[..], &probes.a[..]].map(|nets| circuit.probe(nets));
    let mut run = |wires, edges| circuit.run_cycles(wires, edges, 1, MAILBOX, |_| false);
    assert_eq!([run(&phase, 6), run(&a, 8), run(&phase, 8)], [0, 0, 1]);
}

#[test]
fn cached_cycles_give_the_results_of_plans_on_both_boards() {
    let random = &mut SplitMix64::new(1);
    for text in [GRAY1, BINARY_COUNTER] {
        let board = load(text).unwrap();
        let cached_cycles: u64 = (0..20).map(|_| compare(&board, random)).sum();
        assert!(cached_cycles > 5000, "most cycles are cached, not {cached_cycles}");
    }
}

/// The start of the buffer's description.
const BUFFER: &str = "(\n            name: \"BUF\"";
/// Another chip, followed by the buffer. The chip stores the byte on the bus when A's master opens.
const LAST: &str = r#"(
            name: "LAST", part: "27C010", address: ["BUS.0-7", "LAST.0-7", "AM_EN"],
            data: ["LAST.0-7"],
            does: Latches([(enable: "AM_EN", d: ["BUS.0-7"], q: ["LAST.0-7"])]),
        ),
        (
            name: "BUF""#;

/// On one board, T7 of an ADD that carries also loads PC. On the other, A's master also opens in
/// T0, the phase after it.
#[test]
fn cached_cycles_give_the_results_of_plans_if_strobes_depend_on_data() {
    let stock = load(GRAY1).unwrap();
    let (random, control) = (&mut SplitMix64::new(5), stock.chip_named("CTRL").unwrap());
    for (address, bits) in [(0x5c, 1 << 6), (0x58, 1 << 2)] {
        let faulty = stock.with_wrong_bits(control, address, bits);
        for _ in 0..4 {
            compare(&faulty, random);
        }
    }
}

/// A chip that always shows the same byte replaces the buffer.
#[test]
fn cached_cycles_write_constant_bytes() {
    let (from, to) = (
        r#"address: ["AS.0-7", "0", "0", "0"]"#,
        format!("address: [{}]", [r#""0""#; 11].join(", ")),
    );
    let text = GRAY1.replace(from, &to);
    let text = text.replace(r#"Buffer(from: ["AS.0-7"])"#, r#"Table, contents: File("bytes")"#);
    let board = Board::load(&text, gray1_roms::parts(), |_| Ok(vec![0x5a; 1 << 11])).unwrap();
    assert!(compare(&board, &mut SplitMix64::new(6)) > 0);
}

#[test]
fn cached_cycles_give_the_results_of_plans_on_rewired_boards() {
    let random = &mut SplitMix64::new(3);
    // Wires and their replacements.
    let rewired = [
        // Permute the address pins of data memory.
        ("address: [\"OPERAND\"]", "address: [\"IRH.0-4\", \"IRL.0-7\"]"),
        // Make the address of data memory depend on A.
        ("address: [\"OPERAND\"]", "address: [\"IRL.0-7\", \"IRH.0-3\", \"AS.0\"]"),
        // Make the address of the next instruction depend on A.
        ("address: [\"PCL.0-6\", \"PCH.0-6\"]", "address: [\"PCL.0-6\", \"PCH.0-5\", \"AS.7\"]"),
        // Cross the wires of the bus on the way from A.
        ("address: [\"AS.0-7\"", "address: [\"AS.1-7\", \"AS.0\""),
        // Make the address of the program depend on a wire that no chip stores.
        ("address: [\"PCL.0-6\", \"PCH.0-6\"]", "address: [\"PCL.0-6\", \"PCH.0-5\", \"PCH.7\"]"),
        // Add a third latch that opens together with A, which is more than can be cached.
        (BUFFER, LAST),
        // Use half of data memory.
        ("address: [\"OPERAND\"]", "address: [\"IRL.0-7\", \"IRH.0-3\", \"1\"]"),
    ];
    for (from, to) in rewired {
        assert!(GRAY1.contains(from), "{from}");
        let board = load(&GRAY1.replace(from, to)).unwrap();
        for _ in 0..5 {
            compare(&board, random);
        }
    }
}
