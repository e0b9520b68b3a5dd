//! Support parts: how they are connected, and wires that are rejected.

use gray1_board::BoardError;
use gray1_roms::{GRAY1_B, load, parts};

use super::*;

/// Loads a board and connects what is around its chips.
fn load_connected(text: &str) -> Result<(), BoardError> {
    let board = Board::load(text, parts(), |_| Err(String::new()))?;
    connect(&board).map(drop)
}

/// Returns the error message for the complete machine after `old` was replaced by `new`.
#[track_caller]
fn refused(old: &str, new: &str) -> String {
    assert!(GRAY1_B.contains(old), "the description does not say {old}");
    load_connected(&GRAY1_B.replacen(old, new, 1)).expect_err("it must be refused").to_string()
}

#[test]
fn each_led_has_two_resistors_in_its_row_and_column() {
    let board = load(GRAY1_B).unwrap();
    let parts = connect(&board).unwrap();
    let named = |name: &str| parts.iter().find(|it| it.name == name).unwrap();
    let connection = |name: &str, pin: &str| match named(name).connection(pin) {
        Some(Connection::Wire(wire)) => wire.to_owned(),
        other => panic!("{name}.{pin}: {other:?}"),
    };
    for (colour, letter) in [("GREEN", "G"), ("RED", "R")] {
        for row in 0..8 {
            for column in 0..8 {
                let limit = format!("LIMIT_{colour}.{row}");
                let lit = connection(&format!("LED{column}.{row}"), letter);
                assert_eq!(connection(&limit, &format!("B{column}")), lit);
                // The row's latch shows the byte with bit 0 on the left.
                assert_eq!(
                    connection(&limit, &format!("A{column}")),
                    format!("{colour}{row}.{column}")
                );
            }
        }
    }
    assert_eq!(named("LED7.0").connection("K"), Some(Connection::Tied(false)));
    assert_eq!(named("CAN").connections[7], Connection::Tied(true), "VCC needs no wire");
}

#[test]
fn impossible_wires_of_support_parts_are_rejected() {
    for (old, new, words) in [
        ("part: \"8x10k\"", "part: \"9x10k\"", "KEYS_LOW: the part '9x10k' is not known"),
        ("part: \"8x10k\"", "part: \"74HCT573\"", "the part '74HCT573' is not known (expected XO"),
        ("\"CLK1\": [\"CAN\"]", "\"CP1\": [\"CAN\"]", "the 74HC74 has no pin 'CP1' to wire"),
        ("\"CLK1\": [\"CAN\"]", "\"VCC\": [\"CAN\"]", "no pin 'VCC' to wire"),
        ("\"CLK1\": [\"CAN\"], ", "", "DIVIDE: pin CLK1 of the 74HC74 is not connected"),
        ("[\"BUTTON.0-7\"]}", "[\"BUTTON.0-6\"]}", "7 wires are listed, expected 1 or 8"),
        ("\"OUT\": [\"CAN\"]", "\"OUT\": [\"A B\"]", "CAN: OUT: invalid wire 'A B'"),
        ("\"OUT\": [\"CAN\"]", "\"OUT\": [\"AAA\"]", "CAN: the wire 'AAA' ends at this pin"),
        ("\"OUT\": [\"CAN\"]", "\"OUT\": [\"1\"]", "DIVIDE: the wire 'CAN' is driven by nothing"),
        ("\"Q1\": [\"OSC\"]", "\"Q1\": [\"OSC\", \"QUAD\"]", "2 wires are listed, expected 1"),
        ("\"Q1\": [\"nASKED\"]", "\"Q1\": [\"QUAD\"]", "QUAD: DIVIDE.Q2 and RESET.Q1 can"),
        (
            "\"nQ2\": [\"RST\"]",
            "\"nQ2\": [\"RST\"], \"nQ1\": [\"nWE\"]",
            "nWE: RESET.nQ1 and CTRL.D4 can",
        ),
        ("\"nQ2\": [\"RST\"],", "", "PROBE: the wire 'RST' is driven by nothing"),
        ("name: \"KEY_UP\"", "name: \"SELECT\"", "the name 'SELECT' is used twice"),
        ("name: \"LED1.0-7\"", "name: \"LED0.0-7\"", "the name 'LED0.0' is used twice"),
    ] {
        let message = refused(old, new);
        assert!(message.contains(words), "{new}: {message}");
    }
    let alone = GRAY1_B.replacen("\"nQ2\": [\"RST\"],", "", 1);
    let message = load_connected(&alone.replacen(
        "\"IRH.5-7\", \"FLAGS.1\", \"RST\"",
        "\"IRH.5-7\", \"FLAGS.0-1\"",
        1,
    ))
    .unwrap_err()
    .to_string();
    assert!(message.contains("around: no part drives the wire 'RST', which"), "{message}");
}
