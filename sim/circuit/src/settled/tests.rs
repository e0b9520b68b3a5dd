//! Checks what a settled circuit keeps, and what it discards.

use gray1_isa::panel::MAILBOX;
use gray1_isa::{Image, Op, PowerUp, RomIndex, SplitMix64, Word};
use gray1_roms::{GRAY1, load, parts};

use super::*;
use crate::power_up_state;
use crate::testing::{settled, settled_at_random};

/// Returns a circuit at T0 that loads A again and again.
fn loading(byte: u8) -> Settled {
    let words = [Word::ldi(byte), Word::jump(Op::Jmp, RomIndex::default())];
    let program = Image::from_words(&words).unwrap();
    let mut circuit = settled(&load(GRAY1).unwrap(), &program, PowerUp::Zero.contents());
    circuit.edges(7).unwrap();
    circuit
}

fn a(circuit: &Settled) -> u32 {
    circuit.read(&circuit.probe(&circuit.board().probes().a))
}

#[test]
fn plans_and_cycles_are_discarded_when_the_program_changes() {
    let mut circuit = loading(0x11);
    let phase = circuit.probe(&circuit.board().probes().phase);
    assert_eq!(circuit.run_cycles(&phase, 8, 20, MAILBOX, |_| false), 20);
    assert_eq!(a(&circuit), 0x11);
    // The low byte of the first instruction.
    circuit.burn_byte(1, 0x22);
    assert_eq!(circuit.run_cycles(&phase, 8, 20, MAILBOX, |_| false), 20);
    assert_eq!(a(&circuit), 0x22);
    // On these edges all orders are tried.
    let mut circuit = circuit.without_plans();
    for byte in [0x22, 0x33, 0x33, 0x44] {
        circuit.burn_byte(1, byte);
        circuit.edges(32).unwrap();
        assert_eq!(a(&circuit), u32::from(byte));
    }
}

#[test]
fn reset_has_the_level_it_was_last_set_to() {
    let mut circuit = loading(0x11);
    let reset = circuit.board().reset();
    for high in [false, true, true, false, false] {
        circuit.set_reset(high).unwrap();
        assert_eq!(circuit.level(reset), high);
    }
}

#[test]
fn a_snapshot_has_wires_memory_and_stores() {
    let words =
        [Word::data(Op::St, MAILBOX), Word::ldi(7), Word::jump(Op::Jmp, RomIndex::default())];
    let program = Image::from_words(&words).unwrap();
    let mut circuit = settled(&load(GRAY1).unwrap(), &program, PowerUp::Ones.contents());
    circuit.edges(9).unwrap();
    let (saved, levels, writes) = (circuit.save(), circuit.levels(), circuit.writes().to_vec());
    assert_eq!(writes, [Write { address: MAILBOX, old: 0xff, new: 0xff }]);
    circuit.edges(29).unwrap();
    assert_ne!(circuit.save(), saved);
    circuit.restore(&saved);
    assert_eq!((circuit.levels(), circuit.writes()), (levels, &writes[..]));
    assert_eq!(circuit.save(), saved);
}

#[test]
fn a_race_is_an_error_that_names_chips_and_wires() {
    // The master and the slave of the flags open on the same strobe. The slave then gets the old or
    // the new carry, depending on which wire changes first. But wires of one chip change together,
    // so that is not a race. Two latches that hold each other's complement are a true race.
    let text = GRAY1.replace(
        "(\n            name: \"PHASE\"",
        r#"(
            name: "SET", part: "82S123", address: ["OSC", "OUT.0", "0", "0", "0"],
            data: ["SET.0"], does: Table, contents: File("nor"),
        ),
        (
            name: "OUT", part: "82S123", address: ["OSC", "SET.0", "0", "0", "0"],
            data: ["OUT.0"], does: Table, contents: File("nor"),
        ),
        (
            name: "PHASE""#,
    );
    let nor = |_: &str| Ok((0..32).map(|address| u8::from(address % 4 == 0)).collect());
    let board = Board::load(&text, parts(), nor).unwrap();
    let state = power_up_state(&board, PowerUp::Zero.contents());
    let mut circuit = Settled::new(&board, &state).unwrap();
    circuit.edge().unwrap();
    let race = circuit.edge().unwrap_err();
    assert_eq!(
        race.to_string(),
        "in phase T1 (oscillator high) the outcome depends on which chip is faster: \
         SET.0, OUT.0 of SET, OUT"
    );
}

#[test]
fn a_board_that_never_settles_is_an_error_that_names_chips_and_wires() {
    let text = GRAY1.replace(
        "(\n            name: \"PHASE\"",
        r#"(
            name: "RING", part: "82S123", address: ["OSC", "RING.0", "0", "0", "0"],
            data: ["RING.0"], does: Table, contents: File("nand"),
        ),
        (
            name: "PHASE""#,
    );
    let nand = |_: &str| Ok((0..32).map(|address| u8::from(address % 4 != 3)).collect());
    let board = Board::load(&text, parts(), nand).unwrap();
    let state = power_up_state(&board, PowerUp::Zero.contents());
    let mut circuit = Settled::new(&board, &state).unwrap();
    let endless = circuit.edge().unwrap_err();
    assert_eq!(
        endless.to_string(),
        "in phase T0 (oscillator low) wires never come to rest: RING.0, PHASE.0 of RING, PHASE"
    );
}

/// Returns the description of a table that reads these wires.
fn table(name: &str, wires: &str, outputs: &str, contents: &str) -> String {
    let tied = r#", "0""#.repeat(11 - wires.split(' ').count());
    let wires = wires.replace(' ', r#"", ""#);
    format!(
        r#"(name: "{name}", part: "2716", address: ["{wires}"{tied}], data: ["{name}.{outputs}"],
            does: Table, contents: File("{contents}")), "#
    )
}

/// Returns the stock board with other wires and additional chips.
fn rewired(wires: &[(&str, &str)], chips: &[String]) -> Board {
    let source = wires.iter().fold(GRAY1.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    });
    let begin = "(\n            name: \"PHASE\"";
    let text = source.replace(begin, &format!("{}{begin}", chips.concat()));
    let contents = |name: &str| {
        let shows = |address: u32| match name {
            "copy" => address as u8,
            "choose" => (address >> (address >> 2 & 1) & 1) as u8,
            _ => 0,
        };
        Ok((0..1 << 11).map(shows).collect())
    };
    Board::load(&text, parts(), contents).unwrap()
}

/// Tries loops through a chip that ignores a wire, a chip whose wires are unrelated, and a
/// multiplexer that never switches.
#[test]
fn a_loop_without_effect_has_plans_with_the_right_result() {
    const IGNORED: &str = r#""OPCODE", "0", "AS.4""#;
    const THROUGH_X: [(&str, &str); 2] = [
        (r#"address: ["AS.0-3", "BUS.0-3""#, r#"address: ["X.0", "AS.1-3", "BUS.0-3""#),
        (r#"a: ["AS.0-3"]"#, r#"a: ["X.0", "AS.1-3"]"#),
    ];
    const BACK: [(&str, &str); 2] = [
        (r#"address: ["ALUH.4", "CM_EN""#, r#"address: ["X.1", "CM_EN""#),
        (r#"d: ["ALUH.4"]"#, r#"d: ["X.1"]"#),
    ];
    let x = |wires, outputs| table("X", wires, outputs, "copy");
    let chosen =
        [table("X", "AS.0 ALUH.4 Z.0", "0", "choose"), table("Z", "PHASE.0", "0", "zeros")];
    let boards = [
        rewired(&[(IGNORED, r#""OPCODE", "ALUH.4", "AS.4""#)], &[]),
        rewired(
            &[(IGNORED, r#""OPCODE", "Y.1", "AS.4""#)],
            &[x("ALUH.4 ALUH.1", "0-1"), table("Y", "X.1 X.0", "0-1", "copy")],
        ),
        rewired(&[], &[x("AS.0 Y.0", "0"), table("Y", "AS.0 X.0", "0", "copy")]),
        rewired(&THROUGH_X, &[x("AS.0 ALUH.0 ALUH.1 ALUH.2 ALUH.3 ALUH.4", "0-5")]),
        rewired(&[THROUGH_X, BACK].concat(), &[x("AS.0 ALUH.4", "0-1")]),
        rewired(&THROUGH_X, &chosen),
    ];
    let random = &mut SplitMix64::new(54);
    for (number, board) in boards.iter().enumerate() {
        let mut circuit = settled_at_random(board, random);
        let mut by_all_orders = circuit.clone().without_plans();
        for edge in 0..800 {
            let plans = circuit.plans.as_mut().expect("the loop is no reason to have no plans");
            assert!(plans.advance(&mut circuit.powered), "board {number}, edge {edge}");
            by_all_orders.edge().unwrap();
            assert_eq!(circuit.levels(), by_all_orders.levels(), "board {number}, edge {edge}");
        }
        assert_eq!(circuit.writes(), by_all_orders.writes());
        assert_eq!(circuit.memory(), by_all_orders.memory());
    }
}

/// Each of the two chips copies the other.
#[test]
fn a_loop_that_stores_bits_has_no_plans() {
    let chips = [table("X", "Y.0", "0", "copy"), table("Y", "X.0", "0", "copy")];
    let circuit = settled_at_random(&rewired(&[], &chips), &mut SplitMix64::new(55));
    assert!(circuit.plans.is_none());
}

/// In the damaged board, a wrong byte of the counter allows a race, so the edges that count have no
/// plan.
#[test]
fn slices_are_shorter_if_edges_have_no_plan() {
    let stock = load(GRAY1).unwrap();
    let counter = stock.chip_named("PCL").unwrap();
    let mut contents = stock.chip(counter).contents().to_vec();
    contents[0x0b04] = 0;
    let damaged = stock.with_contents(counter, contents).unwrap();
    let program = Image::from_words(&[Word::ldi(1), Word::jump(Op::Jmp, RomIndex::default())]);
    let [stock, damaged] = [stock, damaged].map(|board| {
        let mut circuit = settled(&board, program.as_ref().unwrap(), PowerUp::Zero.contents());
        circuit.edges(64).unwrap();
        circuit.slice_edges()
    });
    assert!(damaged < stock / 16, "{damaged} and {stock}");
}
