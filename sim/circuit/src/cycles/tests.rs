//! Remembered cycles against the plans that they are composed from, on boards that are right,
//! faulty or wired in another way.

use std::cell::Cell;

use gray1_board::registers::address_wires;
use gray1_board::{Board, NetId};
use gray1_isa::panel::MAILBOX;
use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{BINARY_COUNTER, GRAY1, load};

use crate::testing::{random_contents, settled_at_random};
use crate::{Circuit, Settled, power_up_state};

/// Runs a board by cycles and by plans, with looks at single edges in between, and compares all
/// wires at rest, data memory, and what was written to the mailbox. Returns how many cycles were
/// to run, and how many of them ran as remembered ones.
fn compare(board: &Board, random: &mut SplitMix64) -> (u64, u64) {
    let board = board.with_program(&random_program(random));
    let state = power_up_state(&board, random_contents(random));
    let mut remembering = Settled::new(&board, &state).unwrap();
    let mut planned = remembering.clone().without_cycles();
    let program_address = remembering.probe(&address_wires(&board, board.program()));
    let (mut all, mut remembered) = (0, 0);
    for _ in 0..40 {
        let cycle_edges = remembering.cycle_edges(&remembering.probe(&[]));
        let limit = 1 + random.below(30);
        let address = remembering.read(&program_address);
        let begin = Cell::new(None);
        let cycles = remembering.run_cycles(limit, MAILBOX, |cycle| {
            begin.set(begin.get().or(Some(cycle.address())));
            false
        });
        assert!(begin.get().is_none_or(|begin| begin == address));
        for _ in 0..cycles {
            planned.edges(cycle_edges.unwrap()).unwrap();
        }
        (all, remembered) = (all + limit, remembered + cycles);
        assert_alike(&mut remembering, &mut planned);
        let edges = random.below(12) as u32;
        let outcome = remembering.edges(edges);
        assert_eq!(outcome, planned.edges(edges));
        if outcome.is_err() {
            break;
        }
        assert_alike(&mut remembering, &mut planned);
    }
    (all, remembered)
}

fn assert_alike(remembering: &mut Settled, planned: &mut Settled) {
    for net in planned.board().net_ids() {
        let name = planned.board().net(net).name();
        assert_eq!(remembering.level(net), planned.level(net), "{name}");
    }
    assert!(remembering.memory() == planned.memory());
    let [one, other] = [remembering, planned].map(|circuit| {
        let printed = circuit.writes().iter().filter(|write| write.address == MAILBOX);
        let printed: Vec<u8> = printed.map(|write| write.new).collect();
        circuit.forget_writes();
        printed
    });
    assert_eq!(one, other);
}

#[test]
fn a_cycle_has_as_many_edges_as_an_instruction_if_the_phase_is_asked_for() {
    let circuit = settled_at_random(&load(GRAY1).unwrap(), &mut SplitMix64::new(4));
    let board = circuit.board();
    let edges = |nets: &[NetId]| circuit.cycle_edges(&circuit.probe(nets));
    assert_eq!(edges(&board.probes().phase), Some(8));
    assert_eq!(edges(&board.probes().a), None);
}

#[test]
fn both_boards_show_the_same_with_and_without_remembered_cycles() {
    let random = &mut SplitMix64::new(1);
    for text in [GRAY1, BINARY_COUNTER] {
        let board = load(text).unwrap();
        for _ in 0..20 {
            let (all, remembered) = compare(&board, random);
            assert_eq!(remembered, all);
        }
    }
}

#[test]
fn faulty_boards_show_the_same_with_and_without_remembered_cycles() {
    let stock = load(GRAY1).unwrap();
    let random = &mut SplitMix64::new(2);
    // A chip, how many of its bits are wrong, and how many cycles are remembered then.
    let faults = [
        ("CTRL", 1, 2434),
        ("FLAGS", 1, 2613),
        ("PCH", 1, 1818),
        ("PCL", 1, 1746),
        ("IRH", 1, 558),
        ("IRL", 1, 0),
        ("ALUL", 20_000, 1353),
        ("ALUH", 20_000, 928),
        ("BUF", 300, 2278),
        ("AM", 1, 212),
        ("AS", 1, 132),
    ];
    for (name, count, expected) in faults {
        let chip = stock.chip_named(name).unwrap();
        let mut remembered = 0;
        for _ in 0..4 {
            let mut contents = stock.chip(chip).contents().to_vec();
            for _ in 0..count {
                let at = random.below(contents.len() as u64) as usize;
                contents[at] ^= 1 << random.below(8);
            }
            remembered += compare(&stock.with_contents(chip, contents).unwrap(), random).1;
        }
        assert_eq!(remembered, expected, "{name}");
    }
}

/// Where the description of the buffer begins.
const BUFFER: &str = "(\n            name: \"BUF\"";
/// The same behind another chip, which keeps the byte on the bus when A's master opens.
const LAST: &str = r#"(
            name: "LAST", part: "27C010", address: ["BUS.0-7", "LAST.0-7", "AM_EN"],
            data: ["LAST.0-7"],
            does: Latches([(enable: "AM_EN", d: ["BUS.0-7"], q: ["LAST.0-7"])]),
        ),
        (
            name: "BUF""#;

/// In T7 of an ADD, as the carry comes, PC is loaded; or in T0, which comes next, A's master opens.
#[test]
fn a_cycle_whose_strobes_follow_data_is_not_remembered() {
    let stock = load(GRAY1).unwrap();
    let (random, control) = (&mut SplitMix64::new(5), stock.chip_named("CTRL").unwrap());
    for (address, bits, expected) in [(0x5c, 1 << 6, 622), (0x58, 1 << 2, 1850)] {
        let faulty = stock.with_wrong_bits(control, address, bits);
        let remembered: u64 = (0..4).map(|_| compare(&faulty, random).1).sum();
        assert_eq!(remembered, expected, "{address:x}");
    }
}

/// In place of the buffer, a chip that shows the same byte all the time.
#[test]
fn a_byte_that_is_known_beforehand_is_written() {
    let (from, to) = (
        r#"address: ["AS.0-7", "0", "0", "0"]"#,
        format!("address: [{}]", [r#""0""#; 11].join(", ")),
    );
    let text = GRAY1.replace(from, &to);
    let text = text.replace(r#"Buffer(from: ["AS.0-7"])"#, r#"Table, contents: File("bytes")"#);
    let board = Board::load(&text, gray1_roms::parts(), |_| Ok(vec![0x5a; 1 << 11])).unwrap();
    let random = &mut SplitMix64::new(6);
    let (all, remembered) = compare(&board, random);
    assert_eq!(remembered, all);
}

#[test]
fn rewired_boards_show_the_same_with_and_without_remembered_cycles() {
    let random = &mut SplitMix64::new(3);
    // Wires, others in their place, and how many cycles are remembered then.
    let rewired = [
        // Data memory with its address pins in another order.
        ("address: [\"OPERAND\"]", "address: [\"IRH.0-4\", \"IRL.0-7\"]", 3237),
        // A cell that A takes part in choosing.
        ("address: [\"OPERAND\"]", "address: [\"IRL.0-7\", \"IRH.0-3\", \"AS.0\"]", 615),
        // A next instruction that A takes part in choosing.
        ("address: [\"PCL.0-6\", \"PCH.0-6\"]", "address: [\"PCL.0-6\", \"PCH.0-5\", \"AS.7\"]", 0),
        // A bus whose wires cross on the way from A.
        ("address: [\"AS.0-7\"", "address: [\"AS.1-7\", \"AS.0\"", 3183),
        // An address of the program that depends on a wire which no chip remembers.
        (
            "address: [\"PCL.0-6\", \"PCH.0-6\"]",
            "address: [\"PCL.0-6\", \"PCH.0-5\", \"PCH.7\"]",
            0,
        ),
        // A third latch that takes a byte together with A: more than is remembered.
        (BUFFER, LAST, 123),
        // Half of data memory.
        ("address: [\"OPERAND\"]", "address: [\"IRL.0-7\", \"IRH.0-3\", \"1\"]", 3114),
    ];
    for (from, to, expected) in rewired {
        assert!(GRAY1.contains(from), "{from}");
        let board = load(&GRAY1.replace(from, to)).unwrap();
        let remembered: u64 = (0..5).map(|_| compare(&board, random).1).sum();
        assert_eq!(remembered, expected, "{to}");
    }
}
