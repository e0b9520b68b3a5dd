//! The plans of the Gray-1, written out, and the edges for which faulty boards have none. The
//! engines would not show a plan that is longer than it has to be, or lost: they would be slower.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;
use crate::board::Board;
use crate::board::checked::ChipId;
use crate::circuit::wiring::OSCILLATOR;
use crate::computer::reference::{BINARY, GRAY1, board, with_wrong_bits};

/// Where edges start: two digits for the oscillator (bit 0), reset (1) and the phase (2 to 4), then
/// a digit for each opcode, 8 more with carry.
pub(in crate::circuit) type Edges = &'static str;

/// What is looked up on an edge, in this order: each chip, what is known of its address, and the
/// lines from which it gets the rest, each group with its first address pin. Behind `moves`: lines
/// that the sequencer reads.
const PLANS: [(&str, Edges); 16] = [
    (
        "",
        "00:012345689abcd 06:all 07:all 0c:all 0e:all 11:7ef 13:7ef 18:267aef 1a:267aef \
         1d:013456789bcdef 1f:013456789bcdef",
    ),
    ("ALUL[0 IRL.0-3@8] ALUH[0 IRL.4-7@8] AM[10000 ALUL.0-3@0 ALUH.0-3@4]", "18:08 1a:08"),
    (
        "ALUL[5000 AS.0-3@0 AS.4@16] ALUH[5000 AS.5-7@1 ALUL.4@15] AM[10000 ALUL.0-3@0 \
         ALUH.0-3@4] FLAGS[12 ALUH.4@0]",
        "18:d 1a:d",
    ),
    (
        "ALUL[5000 AS.0-3@0 AS.4@16] ALUH[5000 AS.5-7@1 ALUL.4@15] AM[10000 ALUL.0-3@0 \
         ALUH.0-3@4] FLAGS[2 ALUH.4@0]",
        "18:5 1a:5",
    ),
    ("AS[10000 AM.0-7@0] FLAGS[4 FLAGS.0@3] moves FLAGS.1", "14:012345689abcd 16:012345689abcd"),
    ("BUF[0 AS.0-7@0] RAM takes[0 IRL.0-7@0 IRH.0-4@8 BUF.0-7@14]", "1d:2a 1f:2a"),
    ("PCH[0 PCH.0-6@0 IRL.6-7@7 IRH.0-4@9 PCL.7@14]", "00:7ef"),
    (
        "PCH[10000 IRL.6-7@7 IRH.0-4@9] PCL[20000] AS[10000 AM.0-7@0] FLAGS[4 FLAGS.0@3] moves \
         FLAGS.1",
        "02:all",
    ),
    (
        "PCH[8000 IRL.6-7@7 IRH.0-4@9] PCL[18000 IRL.0-5@8 PCH.7@14] AS[10000 AM.0-7@0] FLAGS[4 \
         FLAGS.0@3] moves FLAGS.1",
        "14:7ef 16:7ef",
    ),
    (
        "PCL[0 PCL.0-7@0] PCH[0 PCH.0-6@0 IRL.6-7@7 IRH.0-4@9 PCL.7@14]",
        "11:012345689abcd 13:012345689abcd",
    ),
    ("PCL[8000 PCL.1-7@1] PROG[0 PCL.0-6@0 PCH.0-6@7] IRL[10000 PROG.0-7@0]", "09:all 0b:all"),
    (
        "PROG[0 PCL.0-6@0 PCH.0-6@7] IRH[10000 PROG.0-7@0] moves IRH.5 moves IRH.6 moves IRH.7",
        "05:all",
    ),
    (
        "RAM[2000 IRL.0-7@0 IRH.0-4@8] ALUL[1000 RAM.0-3@4] ALUH[1000 RAM.4-7@4] AM[10000 \
         ALUL.0-3@0 ALUH.0-3@4]",
        "18:19 1a:19",
    ),
    (
        "RAM[2000 IRL.0-7@0 IRH.0-4@8] ALUL[3000 AS.0-3@0 RAM.0-3@4] ALUH[3000 AS.4-7@0 \
         RAM.4-7@4 ALUL.4@15] AM[10000 ALUL.0-3@0 ALUH.0-3@4] FLAGS[12 ALUH.4@0]",
        "18:b 1a:b",
    ),
    (
        "RAM[2000 IRL.0-7@0 IRH.0-4@8] ALUL[3000 AS.0-3@0 RAM.0-3@4] ALUH[3000 AS.4-7@0 \
         RAM.4-7@4 ALUL.4@15] AM[10000 ALUL.0-3@0 ALUH.0-3@4] FLAGS[2 ALUH.4@0]",
        "18:3 1a:3",
    ),
    (
        "RAM[2000 IRL.0-7@0 IRH.0-4@8] ALUL[4000 AS.0-3@0 RAM.0-3@4] ALUH[4000 AS.4-7@0 \
         RAM.4-7@4] AM[10000 ALUL.0-3@0 ALUH.0-3@4]",
        "18:4c 1a:4c",
    ),
];

/// A bit that is wrong: chip, address, data pin.
type Fault = (&'static str, usize, u8);

/// Edges that have no plan while a bit is wrong.
const UNPLANNED: [(Fault, Edges); 48] = [
    (
        ("AM", 0x2df8, 6),
        "02:234567abcdef 05:all 09:013489bc 0b:013489bc 14:234567abcdef 16:234567abcdef",
    ),
    (("AM", 0x1_190f, 4), "18:0134589bcd 1a:0134589bcd"),
    (("AS", 0x1_eec6, 6), "02:all 14:all 16:all"),
    (("AS", 0x3b7f, 4), "18:345bcd 1a:345bcd"),
    (("ALUL", 0xb9e7, 2), ""),
    (("BUF", 0x7a0, 0), ""),
    (("CTRL", 0xc1, 7), ""),
    (("CTRL", 0x70, 0), "00:e 11:e"),
    (("CTRL", 0x88, 0), "02:1 13:1"),
    (("CTRL", 0x3, 6), "05:0 0c:0"),
    (("CTRL", 0x39, 7), "05:7"),
    (("CTRL", 0x1e, 4), "09:3"),
    (("CTRL", 0x2e, 7), "09:5 18:5"),
    (("CTRL", 0x66, 6), "09:c 18:c"),
    (("CTRL", 0xfa, 7), "0b:f 0e:f"),
    (("CTRL", 0x94, 0), "13:2"),
    (("CTRL", 0x2c, 3), "14:5"),
    (("CTRL", 0xfc, 3), "16:f"),
    (("CTRL", 0x1e, 5), "18:3"),
    (("CTRL", 0x9f, 7), "1a:3"),
    (("CTRL", 0x27, 4), "1d:4"),
    (("CTRL", 0x4d, 1), "1d:9"),
    (("CTRL", 0x85, 0), "1f:0"),
    (("CTRL", 0xdd, 1), "1f:b"),
    (("FLAGS", 0xa, 0), ""),
    (("FLAGS", 0x4, 0), "02:all 14:all 16:all"),
    (("FLAGS", 0x8, 0), "02:35bd 05:01234567 09:3 0b:3 14:35bd 16:35bd"),
    (("FLAGS", 0x15, 1), "02:35bd 14:35bd 16:35bd"),
    (("FLAGS", 0x0, 1), "05:01234567 09:3 0b:3"),
    (("FLAGS", 0x19, 1), "05:89abcdef 09:b 0b:b"),
    (("FLAGS", 0x2, 0), "18:35 1a:35"),
    (("IRH", 0xcb83, 2), "00:e 02:6e 11:6 13:6 14:e 16:e"),
    (("IRH", 0x2e1, 7), "02:08 11:08 13:08"),
    (("IRH", 0xf33c, 5), "02:7f 14:7f 16:7f"),
    (("IRH", 0x1_d1ca, 7), "05:all"),
    (("IRL", 0xb775, 0), "00:7ef 02:all 11:012345689abcd 13:012345689abcd 14:7ef 16:7ef"),
    (("IRL", 0x1_7c59, 3), "09:all 0b:all"),
    (("PCH", 0x1_8c2b, 4), ""),
    (("PCH", 0x1564, 2), "00:7ef 05:all 09:all 0b:all 11:012345689abcd 13:012345689abcd"),
    (("PCH", 0x52d, 7), "00:7ef 11:012345689abcd 13:012345689abcd"),
    (("PCH", 0x1_08de, 2), "02:all"),
    (("PCH", 0x287c, 3), "05:all 09:all 0b:all"),
    (("PCH", 0x8bc3, 7), "14:7ef 16:7ef"),
    (("PCL", 0x3_6bc2, 3), ""),
    (("PCL", 0x2_7a4f, 6), "02:all"),
    (("PCL", 0x63be, 7), "05:all 09:all 0b:all 11:012345689abcd 13:012345689abcd"),
    (("PCL", 0xc40e, 3), "09:all 0b:all"),
    (("PCL", 0x1_e031, 2), "14:7ef 16:7ef"),
];

/// All opcodes, with and without carry.
const ALL: &str = "0123456789abcdef";

/// The edges that start at these indexes of the sequencer.
pub(in crate::circuit) fn edges(from: &[u16]) -> String {
    let mut edges: BTreeMap<u16, String> = BTreeMap::new();
    for index in from {
        let opcodes = edges.entry(index & 0x1f).or_default();
        write!(opcodes, "{:x}", index >> 5).unwrap();
    }
    let edges = edges.iter().map(|(phase, opcodes)| {
        let opcodes = if opcodes == ALL { "all" } else { opcodes };
        format!("{phase:02x}:{opcodes}")
    });
    edges.collect::<Vec<String>>().join(" ")
}

/// The edges of a board by their plans.
fn edges_by_plan(board: &Board) -> BTreeMap<String, Vec<u16>> {
    let wiring = Wiring::new(board);
    let sequencer = Sequencer::of(&wiring).unwrap();
    let mut planner = Planner::new();
    let mut edges: BTreeMap<String, Vec<u16>> = BTreeMap::new();
    for from in (0..sequencer.len() as u16).filter(|from| sequencer.rest(*from) == Some(*from)) {
        let to = sequencer.rest(from ^ u16::from(OSCILLATOR)).unwrap();
        let plan = planner.plan(&wiring, &sequencer, from, to);
        let words =
            plan.map_or("no plan".to_owned(), |plan| in_words(&plan, board, &wiring, &sequencer));
        edges.entry(words).or_default().push(from);
    }
    edges
}

fn in_words(plan: &Plan, board: &Board, wiring: &Wiring, sequencer: &Sequencer) -> String {
    let mut words: Vec<String> = Vec::new();
    for LookUp { node, writes, levels, segments } in &plan.look_ups {
        let mut address = vec![format!("{levels:x}")];
        for Segment { node, mask, rotate } in segments {
            let (first, last) = (mask.trailing_zeros(), mask.ilog2());
            let lines = if first == last { format!("{first}") } else { format!("{first}-{last}") };
            let pin = (first + u32::from(*rotate)) % u32::BITS;
            address.push(format!("{}.{lines}@{pin}", chip(board, usize::from(*node))));
        }
        let takes = if *writes { " takes" } else { "" };
        words.push(format!("{}{takes}[{}]", chip(board, *node), address.join(" ")));
    }
    let moving = sequencer.foreign().filter(|(bit, _)| plan.foreign_moves & bit != 0);
    for (_, moving) in moving {
        let mut nets = board.net_ids();
        let net = nets.find(|net| wiring.signal(*net) == moving).unwrap();
        words.push(format!("moves {}", board.net(net).name()));
    }
    words.join(" ")
}

fn chip(board: &Board, node: usize) -> &str {
    let is_it = |id: &ChipId| Wiring::chip(*id) == node;
    board.chip(board.chip_ids().find(is_it).unwrap()).name()
}

#[test]
fn each_edge_looks_up_what_it_has_to_in_order() {
    for text in [GRAY1, BINARY] {
        let mut plans = edges_by_plan(&board(text));
        for (plan, from) in PLANS {
            let found = plans.remove(plan).map(|from| edges(&from));
            assert_eq!(found.as_deref(), Some(from), "{plan}");
        }
        assert_eq!(plans, BTreeMap::new());
    }
}

#[test]
fn edges_on_which_the_order_of_answers_may_matter_have_no_plan() {
    let stock = board(GRAY1);
    for ((chip, address, pin), from) in UNPLANNED {
        let id = stock.chip_named(chip).unwrap();
        let plans = edges_by_plan(&with_wrong_bits(&stock, id, address, 1 << pin));
        let unplanned = plans.get("no plan").map_or(String::new(), |from| edges(from));
        assert_eq!(unplanned, from, "{chip} {address:x}, D{pin}");
    }
}

/// One line of data memory's address comes from elsewhere, or its write enable does.
#[test]
fn a_write_has_a_plan_while_its_address_stands() {
    let address = |line: &str| {
        let (stock, new) = (r#"["OPERAND"]"#, format!(r#"["{line}", "IRL.1-7", "IRH.0-4"]"#));
        board(&GRAY1.replace(&format!("address: {stock}"), &format!("address: {new}")))
    };
    let unplanned = |board: &Board| {
        edges_by_plan(board).get("no plan").map_or(String::new(), |from| edges(from))
    };
    // The write of an ST begins as the phase goes from 110 to 111.
    assert_eq!(unplanned(&address("PHASE.0")), "18:2a 1a:2a");
    // It ends as the phase goes to 101; and there LD, ADD and NAND close A's master.
    assert_eq!(unplanned(&address("PHASE.1")), "1d:12349abc 1f:12349abc");
    assert_eq!(unplanned(&address("PHASE.2")), "");
    let enable = |line| GRAY1.replace("_enable_low: \"nWE\"", line);
    let board = board(&enable("_enable_low: \"AM.0\""));
    assert!(edges_by_plan(&board).into_keys().eq(["no plan"]));
}
