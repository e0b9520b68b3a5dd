//! How the edges of the Gray-1 are planned together. Edges that are planned one by one, or look up
//! more than they have to, only cost time.

use std::collections::BTreeMap;

use gray1_isa::address::RAM_BYTES;

use super::*;
use crate::circuit::plan::tests::{Edges, edges};
use crate::computer::reference::{BINARY, GRAY1, board, with_wrong_bits};

/// How many edges are planned together, how many look-ups that takes, whether they are wide, and
/// what comes at the end.
type Together = (u32, usize, bool, &'static str);

const MOVES: &str = "moves lines that the sequencer reads";

const TOGETHER: [(Together, Edges); 31] = [
    ((1, 0, false, "rests"), "1d:6e 1f:6e"),
    ((1, 1, true, "writes"), "1d:2a 1f:2a"),
    ((1, 2, false, "may move strobes"), "14:6 16:6"),
    ((1, 2, false, MOVES), "05:all 14:01234589abcd 16:01234589abcd"),
    ((1, 4, false, "may move strobes"), "14:e 16:e"),
    ((1, 4, false, MOVES), "02:all 14:7f 16:7f"),
    ((2, 0, false, "rests"), "18:6e 1a:6e"),
    ((2, 1, true, "writes"), "18:2a 1a:2a"),
    ((2, 2, false, MOVES), "00:012345689abcd 1d:0134589bcd 1f:0134589bcd"),
    ((2, 3, true, MOVES), "00:7ef"),
    ((2, 4, false, MOVES), "13:7ef 1d:7f 1f:7f"),
    ((2, 6, true, MOVES), "13:012345689abcd"),
    ((3, 3, false, "rests"), "09:6e 0b:6e"),
    ((3, 3, true, MOVES), "11:7ef"),
    ((3, 4, false, MOVES), "18:7f 1a:7f"),
    ((3, 4, true, MOVES), "11:012345689abcd"),
    ((3, 4, true, "writes"), "09:2a 0b:2a"),
    ((3, 5, false, MOVES), "18:08 1a:08"),
    ((3, 6, false, MOVES), "18:1459cd 1a:1459cd"),
    ((3, 7, true, MOVES), "18:3b 1a:3b"),
    ((4, 3, false, "rests"), "0c:6e 0e:6e"),
    ((4, 4, true, "writes"), "0c:2a 0e:2a"),
    ((4, 7, false, MOVES), "09:7f 0b:7f"),
    ((4, 8, false, MOVES), "09:08 0b:08"),
    ((4, 9, false, MOVES), "09:1459cd 0b:1459cd"),
    ((4, 10, true, MOVES), "09:3b 0b:3b"),
    ((5, 7, false, MOVES), "0c:7f 0e:7f"),
    ((5, 8, false, MOVES), "0c:08 0e:08"),
    ((5, 9, false, MOVES), "0c:1459cd 0e:1459cd"),
    ((5, 10, true, MOVES), "0c:3b 0e:3b"),
    ((8, 0, false, "rests"), "06:all 07:all"),
];

fn together(plans: &mut CompiledPlans, wiring: &Wiring, image: &MemoryImage) -> Together {
    let entry = plans.next_entry(u32::MAX, wiring, image);
    let (look_ups, write) = plans.look_ups_of(entry);
    let end = match entry.end {
        End::Rests(_) => "rests",
        End::MovesIndex(_) => MOVES,
        End::MovesStrobes(_) => "may move strobes",
        End::Writes(..) => "writes",
        End::ToBePlanned | End::Unplanned => "no plan",
    };
    assert_eq!(write.is_some(), end == "writes");
    (entry.edges(), look_ups.len(), entry.wide, end)
}

#[test]
fn as_many_edges_as_can_be_are_planned_together() {
    for text in [GRAY1, BINARY] {
        let board = board(text);
        let wiring = Wiring::new(&board);
        let image = MemoryImage::new(&board, &wiring, &[0; RAM_BYTES]);
        let mut plans = CompiledPlans::of(&wiring, Planner::new()).unwrap();
        let mut found: BTreeMap<Together, Vec<u16>> = BTreeMap::new();
        for index in 0..plans.sequencer.len() as u16 {
            plans.stand_on(index);
            if plans.sequencer.rest(index) == Some(index) {
                let together = together(&mut plans, &wiring, &image);
                found.entry(together).or_default().push(index);
                // Fewer than that go one by one.
                assert_eq!(plans.next_entry(together.0 - 1, &wiring, &image).edges(), 1);
            }
        }
        let found = found.iter().map(|(together, from)| (*together, edges(from)));
        let found: Vec<(Together, String)> = found.collect();
        assert_eq!(found, TOGETHER.map(|(together, from)| (together, from.to_owned())));
    }
}

#[test]
fn nothing_is_planned_where_the_sequencer_stands_nowhere() {
    let board = board(GRAY1);
    let wiring = Wiring::new(&board);
    let mut image = MemoryImage::new(&board, &wiring, &[0; RAM_BYTES]);
    let mut plans = CompiledPlans::of(&wiring, Planner::new()).unwrap();
    assert_eq!(plans.stand(), None);
    let mut outputs = [0; NODES_MAX];
    assert_eq!(plans.advance(8, &wiring, &mut image, &mut outputs), (1, Outcome::Unplanned));
    // There is nothing that it would show.
    plans.show_sequencer(&mut outputs);
    plans.complete(&wiring, &image, &mut outputs);
    assert_eq!(outputs, [0; NODES_MAX]);
    let last = plans.sequencer.len() as u16 - 1;
    plans.stand_on(last);
    assert_eq!(plans.stand(), Some(last));
}

/// The plans of the stock board with some bits of the control table inverted.
fn plans_with_wrong_control(address: usize, bits: u8) -> (CompiledPlans, Wiring, MemoryImage) {
    let stock = board(GRAY1);
    let board = with_wrong_bits(&stock, stock.chip_named("CTRL").unwrap(), address, bits);
    let wiring = Wiring::new(&board);
    let image = MemoryImage::new(&board, &wiring, &[0; RAM_BYTES]);
    (CompiledPlans::of(&wiring, Planner::new()).unwrap(), wiring, image)
}

/// As a write ends, in T6 of an ST, A's master opens, or the slaves do.
#[test]
fn an_edge_that_ends_a_write_and_does_more_is_a_gap() {
    for (bits, is_gap) in [(0, false), (1 << 2, true), (1 << 5, true)] {
        let (mut plans, wiring, image) = plans_with_wrong_control(0x15, bits);
        assert!(!plans.has_gaps(), "nothing is planned");
        let entry = plans.entry(0x5d, &wiring, &image);
        assert_eq!(matches!(entry.end, End::Unplanned), is_gap, "{bits:x}");
        assert_eq!(plans.has_gaps(), is_gap);
    }
}

#[test]
fn only_lines_that_no_chip_remembers_have_to_be_looked_up() {
    let board = board(GRAY1);
    let wiring = Wiring::new(&board);
    let plans = CompiledPlans::of(&wiring, Planner::new()).unwrap();
    for net in board.net_ids() {
        let name = board.net(net).name();
        let tables = ["PROG.", "ALUL.", "ALUH.", "BUS.", "PCH.7"];
        let is_derived = tables.iter().any(|table| name.starts_with(table));
        assert_eq!(plans.is_derived(&wiring, wiring.signal(net)), is_derived, "{name}");
    }
}
