//! Filters: where a board may have them, and their times.

use super::*;

/// Loads the stock board with this list of filters.
fn with_filters(filters: &str) -> Result<Board, BoardError> {
    load(&GRAY1.replacen("    chips: [", &format!("    filters: [{filters}],\n    chips: ["), 1))
}

/// 220 ohm and 330 pF: RC is 72.6 ns, or 79.2 ns with the 30 pF of three inputs.
#[test]
fn the_times_of_a_filter_follow_from_its_values_and_the_inputs_on_its_wire() {
    let board = with_filters(r#"(lines: ["PHASE.0-2", "CLR"], ohm: 220, pf: 330)"#).unwrap();
    let filter = |name: &str| board.net(board.net_named(name).unwrap()).filter;
    let clock = filter("PHASE.2").unwrap();
    assert_eq!((clock.ohm, clock.pf), (220, 330));
    // 5 V · (1 - e^(-t/RC)) reaches 1.5 V after 25.9 ns. 5 V · e^(-t/RC) reaches it after 95.4 ns.
    assert_eq!((clock.stops_ps(), clock.delay_ps()), (25_845, 95_356));
    let volts = |ps: u64, rc_ps: f64| 5.0 * (-f64::from(ps as u32) / rc_ps).exp();
    assert!((5.0 - volts(clock.stops_ps(), 72_600.0) - 1.5).abs() < 0.01);
    assert!((volts(clock.delay_ps(), 79_200.0) - 1.5).abs() < 0.01);
    // PHASE.0 has one fewer input because it does not clock anything.
    let other = filter("PHASE.0").unwrap();
    assert_eq!((other.stops_ps(), other.delay_ps()), (25_845, 92_708));
    assert_eq!(filter("IRH_EN"), None);
    // The delay of the slowest filter of PHASE plus the delay of the filter of CLR.
    assert_eq!(board.filters_ps(), 95_356 + filter("CLR").unwrap().delay_ps());
}

#[test]
fn a_filter_needs_a_wire_with_a_single_driver() {
    let refusal = |filter: &str| with_filters(filter).unwrap_err().to_string();
    let on = |lines: &str| refusal(&format!("(lines: [{lines}], ohm: 220, pf: 330)"));
    assert_eq!(on(r#""OSC""#), "the filter of OSC: expected a wire of one chip");
    assert_eq!(on(r#""BUS.3""#), "the filter of BUS.3: expected a wire of one chip");
    assert_eq!(on(r#""AS.0", "AS.0-7""#), "the filter of AS.0: it has one already");
    assert_eq!(on(r#""AX""#), "filters: there is no wire 'AX'");
    let values = "the filter of CLR: expected 1 to 100000 ohm and 1 to 100000 pF";
    for (ohm, pf) in [(0, 330), (220, 0), (u32::MAX, u32::MAX)] {
        assert_eq!(refusal(&format!(r#"(lines: ["CLR"], ohm: {ohm}, pf: {pf})"#)), values);
    }
    let latch = PANEL.replacen("\"CLR\",\n            ],", "\"CLR\", \"RED3.4\"],", 1);
    assert_eq!(
        load(&latch).unwrap_err().to_string(),
        "the filter of RED3.4: expected the output of a ROM that is always on"
    );
}
