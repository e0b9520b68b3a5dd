//! Tests the proofs on a board whose panel is damaged or wired wrongly.

use gray1_board::Board;
use gray1_isa::SplitMix64;
use gray1_roms::{GRAY1_B, load};

use super::super::Prover;
use super::first_failure;

/// Returns the number of the first proof that fails, and its explanation.
fn first_failure_text(board: &Board) -> (u8, String) {
    let (number, counterexample) = first_failure(board).unwrap();
    (number, counterexample.to_string())
}

/// Returns the explanation of proof 6.
fn last_failure(board: &Board) -> String {
    Prover::new(board).examine(6, &mut |_, _| ()).1.unwrap_err().to_string()
}

/// Returns the board with one string of its description replaced.
fn rewired(from: &str, to: &str) -> Board {
    assert!(GRAY1_B.contains(from), "{from}");
    load(&GRAY1_B.replacen(from, to, 1)).unwrap()
}

/// Returns the board with these bits of a byte flipped.
fn damaged(chip: &str, address: usize, bits: u8) -> Board {
    let board = load(GRAY1_B).unwrap();
    let chip = board.chip_named(chip).unwrap();
    board.with_wrong_bits(chip, address, bits)
}

#[test]
fn a_fault_of_the_address_decoder_is_reported_with_its_address() {
    let own_cell = "a strobe of the panel is on exactly while its own cell is written\n  ";
    for (address, bits, found) in [
        // The strobes GREEN_EN, RED_EN and MAILBOX, at a cell where they should be on and one where
        // they should be off.
        (0x1fe3, 0b0001, "0x1fe3 is written, and GREEN_EN.3 is off: its cell is 0x1fe3"),
        (0x0fe5, 0b0001, "0x0fe5 is written, and GREEN_EN.5 is on: its cell is 0x1fe5"),
        (0x1fe8, 0b0010, "0x1fe8 is written, and RED_EN.0 is off: its cell is 0x1fe8"),
        (0x1fe0, 0b0010, "0x1fe0 is written, and RED_EN.0 is on: its cell is 0x1fe8"),
        (0x1fff, 0b0100, "0x1fff is written, and MAILBOX is off: its cell is 0x1fff"),
        (0x0000, 0b0100, "0x0000 is written, and MAILBOX is on: its cell is 0x1fff"),
    ] {
        let explanation = last_failure(&damaged("SELECT", address, bits));
        assert_eq!(explanation, format!("{own_cell}{found}"));
    }
    let answers = "the buttons answer at their address, data memory at all others\n  ";
    let board = damaged("SELECT", 0x1ffd, 0b1000);
    let found = first_failure_text(&board);
    // Proof 5 finds it first, because a load there does not return the byte that was stored.
    assert_eq!(found.0, 5, "{}", found.1);
    let found = last_failure(&board);
    assert_eq!(found, format!("{answers}at 0x1ffd the answer comes from the buttons"));
}

/// Flips some of the connected bits, at addresses that can occur.
#[test]
fn each_wrong_bit_of_the_panels_tables_is_detected() {
    let (board, random) = (load(GRAY1_B).unwrap(), &mut SplitMix64::new(28));
    let reach = Prover::new(&board).reach().unwrap();
    for (name, samples) in [("MAILER", 4), ("ROW_RED", 5), ("SELECT", 5)] {
        let id = board.chip_named(name).unwrap();
        let (chip, reach) = (board.chip(id), &reach[id.index()]);
        let can_be = |address: &u32| reach.all.contains(*address as usize);
        let addresses: Vec<u32> = chip.addresses().filter(can_be).collect();
        for _ in 0..samples {
            let address = addresses[random.below(addresses.len() as u64) as usize];
            for pin in 0..chip.data.len() {
                let damaged = board.with_wrong_bits(id, address as usize, 1 << pin);
                let prover = Prover::new(&damaged);
                let is_seen =
                    [6, 3].iter().any(|number| prover.examine(*number, &mut |_, _| ()).1.is_err());
                assert!(is_seen, "{name} {address:#x} D{pin}");
            }
        }
    }
}

#[test]
fn a_wrong_bit_between_the_buttons_and_the_arithmetic_unit_is_detected() {
    // The buttons are ff there, and the bus is 00.
    let board = damaged("INPUT", 0x1_ff00, 0b1000);
    assert_eq!(
        last_failure(&board),
        "an instruction reads the buttons or the byte on the bus, unchanged\n  \
         INPUT shows f7 at address 0x1ff00, expected ff"
    );
}

#[test]
fn swapped_rows_and_swapped_strobes_are_detected() {
    let exchanged = rewired(r#""AS.0-7", "GREEN_EN.2""#, r#""AS.0-7", "GREEN_EN.4""#);
    let own_cell = "a strobe of the panel is on exactly while its own cell is written";
    assert_eq!(
        last_failure(&exchanged),
        format!("{own_cell}\n  0x1fe2 is written, and GREEN_EN.4 is off: its cell is 0x1fe2")
    );
    let lines = rewired(
        r#"address: ["OPERAND.0-2", "nWE", "0", "RED"]"#,
        r#"address: ["OPERAND.1", "OPERAND.0", "OPERAND.2", "nWE", "0", "RED"]"#,
    );
    assert_eq!(
        last_failure(&lines),
        format!("{own_cell}\n  0x1fe9 is written, and RED_EN.1 is off: its cell is 0x1fe9")
    );
    let bits = rewired(r#"["AS.0-7", "RED_EN.6"]"#, r#"["AS.1", "AS.0", "AS.2-7", "RED_EN.6"]"#);
    let takes = "the panel takes only A\n  the latch for the byte at 0x1fee does not take A";
    assert_eq!(first_failure_text(&bits), (6, takes.to_owned()));
}

/// A strobe that does not wait for nWE opens whenever an operand selects its row.
#[test]
fn a_panel_strobe_without_the_write_enable_is_detected() {
    let proof = last_failure(&rewired(
        r#"address: ["OPERAND.0-2", "nWE", "0", "GREEN"]"#,
        r#"address: ["OPERAND.0-2", "0", "0", "GREEN"]"#,
    ));
    assert_eq!(
        proof,
        "a strobe of the panel is on exactly while its own cell is written\n  \
         0x1fe0 is not written, and GREEN_EN.0 is on: its cell is 0x1fe0"
    );
}

/// The driver of the bus changes in the step in which the strobe ends.
#[test]
fn a_panel_latch_on_the_bus_is_detected() {
    let (number, explanation) =
        first_failure_text(&rewired(r#"["AS.0-7", "RED_EN.7"]"#, r#"["BUS.0-7", "RED_EN.7"]"#));
    assert_eq!(number, 3);
    let law = "the inputs of a chip do not move in the step in which its enable ends\n  ";
    assert!(explanation.starts_with(law), "{explanation}");
    assert!(
        explanation.ends_with("RED_EN.7 closes RED7 in the same step\n  RED7 takes either"),
        "{explanation}"
    );
}

#[test]
fn a_chip_that_bypasses_the_buttons_is_detected() {
    let direct = load(
        &GRAY1_B
            .replace(r#""AS.0-3", "DATA.0-3", "IRL.0-3""#, r#""AS.0-3", "BUS.0-3", "IRL.0-3""#)
            .replace(r#"data: ["DATA.0-3"], operand"#, r#"data: ["BUS.0-3"], operand"#),
    )
    .unwrap();
    assert_eq!(
        last_failure(&direct),
        "an instruction reads the buttons or the byte on the bus, unchanged\n  \
         ALUL reads BUS.0 besides INPUT"
    );
}

/// On an FPGA the buttons change in T1. A board whose A takes its input in T1 could take half of a
/// change.
#[test]
fn a_latch_that_takes_the_buttons_in_t1_is_detected() {
    let board = load(GRAY1_B).unwrap();
    let ctrl = board.chip_named("CTRL").unwrap();
    let mut contents = board.chip(ctrl).contents().to_vec();
    let in_t1 = contents.iter_mut().enumerate().filter(|(address, _)| address % 8 == 0b001);
    // AM_EN
    in_t1.for_each(|(_, strobes)| *strobes |= 0b100);
    assert_eq!(
        last_failure(&board.with_contents(ctrl, contents).unwrap()),
        "buttons that change in T1 reach no chip that takes them\n  in T1\n  BUTTON.0 can move\n  \
         ALUL.0 can move\n  AM takes either"
    );
    let mut prover = Prover::new(&board);
    assert_eq!(prover.check_delays(), Ok(()));
    // INPUT, ALUL and ALUH.
    assert_eq!(prover.chips_after_buttons(), Ok(3));
}
