//! Tests correct clocks, and clocks with wrong wires.

use gray1_roms::{GRAY1, load, parts};

use super::*;

/// A Johnson counter that divides by four, and two flip-flops in series for the reset.
const SUPPORT_PARTS: &str = r#"    around: [
        (name: "CAN", part: "XO-1.8432MHz", pins: {"EN": ["1"], "OUT": ["CAN"]}),
        (
            name: "DIVIDE", part: "74HC74",
            pins: {
                "D1": ["nQUAD"], "CLK1": ["CAN"], "Q1": ["OSC"],
                "D2": ["OSC"], "CLK2": ["CAN"], "Q2": ["QUAD"], "nQ2": ["nQUAD"],
                "nSET1": ["1"], "nCLR1": ["1"], "nSET2": ["1"], "nCLR2": ["1"],
            },
        ),
        (
            name: "RESET", part: "74HC74",
            pins: {
                "D1": ["nPRESSED"], "CLK1": ["nQUAD"], "Q1": ["nASKED"],
                "D2": ["nASKED"], "CLK2": ["QUAD"], "nQ2": ["RST"],
                "nSET1": ["1"], "nCLR1": ["1"], "nSET2": ["1"], "nCLR2": ["1"],
            },
        ),
        (name: "WATCH", part: "DS1813-5", pins: {"nRST": ["nPRESSED"]}),
        (name: "PRESS", part: "button", pins: {"1": ["nPRESSED"], "2": ["0"]}),
    ],
"#;

/// Returns the proof about the stock board with these support parts, or the fault. A fault in the
/// wiring is reported before the proof starts.
fn prove_with(support_parts: &str) -> Result<ClockProof, String> {
    let text = GRAY1.replacen("    chips:", &format!("{support_parts}    chips:"), 1);
    let board = Board::load(&text, parts(), |_| Err(String::new()));
    let proof = prove(&board.map_err(|error| error.to_string())?);
    proof.expect("it has a clock")
}

/// Returns the proof, or the fault, for the support parts above after replacing some wires.
#[track_caller]
fn prove_changed(changes: &[(&str, &str)]) -> Result<ClockProof, String> {
    let mut support_parts = SUPPORT_PARTS.to_owned();
    for (old, new) in changes {
        assert!(support_parts.contains(old), "{old}");
        support_parts = support_parts.replacen(old, new, 1);
    }
    prove_with(&support_parts)
}

#[test]
fn a_board_without_a_clock_has_nothing_to_prove() {
    assert_eq!(prove(&load(GRAY1).unwrap()), None);
}

#[test]
fn the_divider_by_four_is_right_whenever_the_button_changes() {
    let proof = prove_changed(&[]).unwrap();
    assert_eq!(proof.source_hz, 1_843_200);
    // Two periods of the oscillator.
    assert_eq!(proof.phase_ps, 1_085_069);
    let middle = Distances { before: 1, after: 1 };
    assert_eq!(proof.apart_periods, middle, "the middle of the high half");
    // A tenth of a second, minus the delay of the flip-flops.
    assert!((92_100..=92_160).contains(&proof.reset_phases), "{}", proof.reset_phases);
    assert!(proof.cases >= 16 * 2 * 2 * 3, "{}", proof.cases);
}

/// Removes outputs that would be connected to nothing.
const NO_QUAD: (&str, &str) = (r#""Q2": ["QUAD"], "#, "");
const NOT_ASKED: (&str, &str) = (r#", "Q1": ["nASKED"]"#, "");

/// Connects each wire that matters to a wrong pin.
#[test]
fn a_wire_at_a_wrong_pin_is_found() {
    for (changes, expected) in [
        // The reset wire changes together with the clock, or while the clock is low.
        (
            &[NO_QUAD, (r#""CLK2": ["QUAD"]"#, r#""CLK2": ["OSC"]"#)][..],
            "RST moves in the same instant as OSC",
        ),
        (&[NO_QUAD, (r#""CLK2": ["QUAD"]"#, r#""CLK2": ["nQUAD"]"#)], "RST moves while OSC is low"),
        (&[NO_QUAD, (r#""CLK2": ["QUAD"]"#, r#""CLK2": ["CAN"]"#)], "RST moves "),
        // The last flip-flop reads the button directly.
        (
            &[(r#""D2": ["nASKED"]"#, r#""D2": ["nPRESSED"]"#), NOT_ASKED],
            "RST can move at any time: its flip-flop takes a wire from outside",
        ),
        (
            &[(
                r#""nQ2": ["RST"],
                "nSET1": ["1"], "nCLR1": ["1"], "nSET2": ["1"]"#,
                r#""nQ2": ["RST"],
                "nSET1": ["1"], "nCLR1": ["1"], "nSET2": ["nPRESSED"]"#,
            )],
            "RST can move at any time: a wire from outside sets",
        ),
        // The wrong output, then the wrong input.
        (&[(r#""nQ2": ["RST"]"#, r#""Q2": ["RST"]"#)], "RST does not follow a supervisor"),
        (&[(r#""D2": ["nASKED"]"#, r#""D2": ["1"]"#), NOT_ASKED], "does not follow"),
        // A divider that does not count, a divider by two, and a divider with unequal half-periods.
        (&[(r#""D1": ["nQUAD"]"#, r#""D1": ["QUAD"]"#)], "OSC does not change, from DIVIDE.Q1="),
        (&[(r#""CLK1": ["CAN"]"#, r#""CLK1": ["nQUAD"]"#)], "OSC"),
        (&[(r#""Q1": ["OSC"]"#, r#""nQ1": ["OSC"]"#)], "OSC"),
        // No flip-flop drives the clock, then none drives the reset wire.
        (
            &[(r#""OUT": ["CAN"]"#, r#""OUT": ["OSC"]"#), (r#""Q1": ["OSC"]"#, r#""Q1": ["CAN"]"#)],
            "no flip-flop drives OSC",
        ),
        (
            &[(r#""nQ2": ["RST"],"#, ""), (r#""2": ["0"]"#, r#""2": ["RST"]"#)],
            "no flip-flop drives RST",
        ),
    ] {
        let fault = prove_changed(changes).map(|proof| panic!("{changes:?}: {proof:?}"));
        let fault = fault.unwrap_err();
        assert!(fault.contains(expected), "{changes:?}: {fault}");
    }
}

/// Tries a supervisor that releases reset too soon, and a board with two oscillators.
#[test]
fn a_part_that_does_not_fit_is_found() {
    let parts = r#"    parts: [(
        name: "HASTY", letter: "U", package: "TO-92-3", pins: ["nRST=pull", "VCC", "GND"],
        does: Supervisor(out: "nRST", low_ms: 0),
    )],
"#;
    let hasty = SUPPORT_PARTS.replacen("DS1813-5", "HASTY", 1);
    let fault = prove_with(&(parts.to_owned() + &hasty)).unwrap_err();
    assert_eq!(fault, "a reset lasts 0 phases, expected 9 at least");
    let second = r#"(
            name: "CAN2", part: "XO-1.8432MHz", pins: {"EN": ["1"]},
        ),
        (name: "WATCH""#;
    let fault = prove_changed(&[("(name: \"WATCH\"", second)]).unwrap_err();
    assert_eq!(fault, "the board has 2 oscillators, expected one");
}
