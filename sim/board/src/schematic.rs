//! The layout of the Gray-1's schematic: the positions of its chips, the routes of its wires, and
//! the positions of labels. It fits only boards with the same chip names and wiring. The terminal
//! scales it to its cells. [`drawing`](crate::drawing) draws it as SVG.

use std::collections::BTreeSet;

use crate::{Board, ChipId, NetId, Role};

/// A column and a line.
pub type Point = (u16, u16);

/// The number of columns and lines of the schematic.
pub const SIZE: Point = (98, 29);

/// The chips: name, corner, width and height.
const CHIPS: &[(&str, Point, u16, u16)] = &[
    ("PHASE", (3, 0), 16, 4),
    ("CTRL", (29, 0), 67, 4),
    ("PCL", (3, 5), 16, 4),
    ("PCH", (3, 10), 16, 4),
    ("PROG", (29, 7), 16, 4),
    ("IRH", (56, 5), 16, 4),
    ("IRL", (56, 10), 16, 4),
    ("RAM", (80, 5), 16, 4),
    ("BUF", (80, 11), 16, 4),
    ("ALUH", (3, 20), 16, 4),
    ("ALUL", (29, 20), 16, 4),
    ("AM", (56, 20), 16, 4),
    ("AS", (80, 20), 16, 4),
    ("FLAGS", (3, 25), 16, 4),
];

/// The wires: two chips, and the straight segments from the edge of the first one to the edge of
/// the second one. The strobes of the control table are not drawn. The chips that read them show
/// when they are on.
const WIRES: &[(&str, &str, &[Point])] = &[
    ("PHASE", "CTRL", &[(18, 1), (29, 1)]),
    ("PHASE", "PCL", &[(10, 3), (10, 5)]),
    ("PCL", "PCH", &[(6, 8), (6, 10)]),
    ("PCH", "PCL", &[(15, 10), (15, 8)]),
    ("PCL", "PROG", &[(18, 6), (27, 6), (27, 8), (29, 8)]),
    ("PCH", "PROG", &[(18, 11), (27, 11), (27, 9), (29, 9)]),
    ("PROG", "IRH", &[(44, 8), (54, 8), (54, 6), (56, 6)]),
    ("PROG", "IRL", &[(44, 8), (54, 8), (54, 11), (56, 11)]),
    ("IRH", "CTRL", &[(58, 5), (58, 3)]),
    ("IRH", "RAM", &[(71, 6), (80, 6)]),
    ("IRH", "PCH", &[(71, 6), (73, 6), (73, 15), (11, 15), (11, 13)]),
    ("IRH", "ALUH", &[(71, 6), (73, 6), (73, 15), (5, 15), (5, 20)]),
    ("IRH", "ALUL", &[(71, 6), (73, 6), (73, 15), (31, 15), (31, 20)]),
    ("IRL", "RAM", &[(71, 11), (75, 11), (75, 7), (80, 7)]),
    ("IRL", "PCH", &[(71, 11), (75, 11), (75, 16), (1, 16), (1, 11), (3, 11)]),
    ("IRL", "PCL", &[(71, 11), (75, 11), (75, 16), (1, 16), (1, 6), (3, 6)]),
    ("IRL", "ALUH", &[(71, 11), (75, 11), (75, 16), (9, 16), (9, 20)]),
    ("IRL", "ALUL", &[(71, 11), (75, 11), (75, 16), (35, 16), (35, 20)]),
    ("RAM", "ALUH", &[(84, 8), (84, 10), (78, 10), (78, 17), (13, 17), (13, 20)]),
    ("RAM", "ALUL", &[(84, 8), (84, 10), (78, 10), (78, 17), (39, 17), (39, 20)]),
    ("BUF", "RAM", &[(90, 11), (90, 8)]),
    ("BUF", "ALUH", &[(90, 11), (90, 10), (78, 10), (78, 17), (13, 17), (13, 20)]),
    ("BUF", "ALUL", &[(90, 11), (90, 10), (78, 10), (78, 17), (39, 17), (39, 20)]),
    ("ALUL", "ALUH", &[(29, 21), (18, 21)]),
    ("ALUL", "AM", &[(44, 21), (56, 21)]),
    ("ALUH", "AM", &[(17, 23), (17, 24), (50, 24), (50, 22), (56, 22)]),
    ("ALUH", "FLAGS", &[(6, 23), (6, 25)]),
    ("AM", "AS", &[(71, 21), (80, 21)]),
    ("AS", "ALUH", &[(84, 20), (84, 18), (17, 18), (17, 20)]),
    ("AS", "ALUL", &[(84, 20), (84, 18), (43, 18), (43, 20)]),
    ("AS", "BUF", &[(90, 20), (90, 14)]),
    ("FLAGS", "CTRL", &[(18, 26), (97, 26), (97, 2), (95, 2)]),
    // Latches and counters store their value by reading their own outputs.
    ("PHASE", "PHASE", &[(3, 1), (1, 1), (1, 2), (3, 2)]),
    ("PCL", "PCL", &[(4, 5), (4, 4), (7, 4), (7, 5)]),
    ("PCH", "PCH", &[(13, 13), (13, 14), (16, 14), (16, 13)]),
    ("IRH", "IRH", &[(60, 8), (60, 9), (63, 9), (63, 8)]),
    ("IRL", "IRL", &[(60, 13), (60, 14), (63, 14), (63, 13)]),
    ("AM", "AM", &[(60, 23), (60, 24), (63, 24), (63, 23)]),
    ("AS", "AS", &[(86, 23), (86, 24), (89, 24), (89, 23)]),
    ("FLAGS", "FLAGS", &[(3, 26), (1, 26), (1, 27), (3, 27)]),
];

/// The labels: the chip that drives the wires, the chip that reads them (`None` for all wires of
/// the first one), whether the label has the name of the wires, and its left end.
const LABELS: &[(&str, Option<&str>, bool, Point)] = &[
    ("PHASE", Some("CTRL"), true, (20, 1)),
    ("PHASE", Some("PCL"), true, (12, 4)),
    ("PCL", Some("PCH"), true, (7, 9)),
    ("PCH", Some("PCL"), true, (16, 9)),
    ("PCL", Some("PROG"), false, (22, 6)),
    ("PCH", Some("PROG"), false, (22, 11)),
    ("PROG", None, true, (46, 8)),
    ("IRH", Some("CTRL"), true, (60, 4)),
    ("IRH", Some("RAM"), false, (76, 6)),
    ("IRL", Some("RAM"), false, (76, 7)),
    ("IRH", None, true, (50, 15)),
    ("IRL", None, true, (50, 16)),
    ("RAM", None, true, (50, 17)),
    ("AS", None, true, (50, 18)),
    ("AS", Some("BUF"), true, (92, 17)),
    ("ALUL", Some("ALUH"), true, (20, 21)),
    ("ALUL", Some("AM"), true, (45, 21)),
    ("ALUH", Some("AM"), true, (30, 24)),
    ("ALUH", Some("FLAGS"), true, (8, 24)),
    ("AM", None, true, (73, 21)),
    ("FLAGS", Some("CTRL"), true, (21, 26)),
];

/// The left end of the legend.
const LEGEND: Point = (21, 28);

/// The schematic of a board.
pub struct Schematic {
    /// The upper left and the lower right corner of each chip, indexed by [`ChipId::index`].
    pub chips: Vec<[Point; 2]>,
    /// The connections between the chips.
    pub bundles: Vec<Bundle>,
    /// The labels of the wires.
    pub labels: Vec<WireLabel>,
    /// The left end of the legend.
    pub legend: Point,
}

/// The wires from one chip to another.
pub struct Bundle {
    /// A chip that drives them.
    pub from: ChipId,
    /// The chip that reads them.
    pub to: ChipId,
    /// The wires, low bit first.
    pub nets: Vec<NetId>,
    /// Their route from the edge of one chip to the edge of the other, as the corners of straight
    /// segments.
    pub points: Vec<Point>,
}

/// The label of some wires.
pub struct WireLabel {
    /// The wires, low bit first.
    pub nets: Vec<NetId>,
    /// Whether the label has their name in addition to their value.
    pub is_named: bool,
    /// The left end.
    pub at: Point,
}

/// Returns whether this schematic fits a board: the board has the same chip names and wiring.
pub fn fits(board: &Board) -> bool {
    let named = |name: &str| board.chip_named(name);
    let wired = connections(board);
    let mut drawn = WIRES.iter().map(|(from, to, _)| named(from).zip(named(to)));
    CHIPS.len() == board.chip_ids().count()
        && CHIPS.iter().all(|(name, ..)| named(name).is_some())
        && WIRES.len() == wired.len()
        && drawn.all(|pair| pair.is_some_and(|pair| wired.contains(&pair)))
}

impl Schematic {
    /// Creates the schematic of a board, or `None` if it does not [fit](fits). `place` converts a
    /// point of the tables to a position in the drawing.
    #[expect(clippy::missing_panics_doc, reason = "it is the schematic of boards with its chips")]
    pub fn new(board: &Board, place: impl Fn(Point) -> Point) -> Option<Self> {
        if !fits(board) {
            return None;
        }
        let named = |name: &str| board.chip_named(name).expect("the board has these chips");
        let mut chips = vec![[(0, 0); 2]; board.chips().len()];
        for (name, (x, y), width, height) in CHIPS {
            chips[named(name).index()] = [place((*x, *y)), place((x + width - 1, y + height - 1))];
        }
        let bundles = WIRES.iter().map(|(from, to, points)| {
            let (from, to) = (named(from), named(to));
            let points = points.iter().copied().map(&place).collect();
            Bundle { from, to, nets: wires_between(board, from, to), points }
        });
        let labels = LABELS.iter().map(|(from, to, is_named, at)| {
            let nets = match to {
                Some(to) => wires_between(board, named(from), named(to)),
                None => board.chip(named(from)).data.clone(),
            };
            WireLabel { nets, is_named: *is_named, at: place(*at) }
        });
        let (bundles, labels) = (bundles.collect(), labels.collect());
        Some(Self { chips, bundles, labels, legend: place(LEGEND) })
    }
}

/// Returns the wires that a chip reads, low bit first.
fn inputs(board: &Board, id: ChipId) -> Vec<NetId> {
    let chip = board.chip(id);
    let written = if *chip.role() == Role::Memory { &chip.data[..] } else { &[] };
    chip.inputs().map(|(_, net)| net).chain(written.iter().copied()).collect()
}

/// Returns the wires that one chip drives and another one reads, low bit first.
fn wires_between(board: &Board, from: ChipId, to: ChipId) -> Vec<NetId> {
    let read = inputs(board, to);
    board.chip(from).data.iter().copied().filter(|net| read.contains(net)).collect()
}

/// Returns the pairs of chips where the first one drives a wire that the second one reads. Leaves
/// out the chips that drive strobes. A chip that reads its own output is paired with itself, except
/// for data memory.
fn connections(board: &Board) -> BTreeSet<(ChipId, ChipId)> {
    let read =
        board.chip_ids().flat_map(|to| inputs(board, to).into_iter().map(move |net| (net, to)));
    read.flat_map(|(net, to)| board.net(net).driver.pins().map(move |pin| (pin.chip, to)))
        .filter(|(from, to)| {
            let role = board.chip(*from).role();
            !role.is_control() && (from != to || *role != Role::Memory)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards_for_tests::{BINARY, GRAY1, board};

    #[test]
    fn the_schematic_fits_only_boards_with_the_same_chips() {
        assert!([GRAY1, BINARY].into_iter().all(|text| fits(&board(text))));
        for (from, to) in [
            // A chip with another name, and a wire that the schematic does not have.
            ("\"BUF\"", "\"DRIVER\""),
            ("\"AS.0-7\", \"0\", \"0\", \"0\"", "\"AS.0-7\", \"PHASE.0\", \"0\", \"0\""),
        ] {
            let other = GRAY1.replace(from, to);
            assert_ne!(other, GRAY1);
            assert!(!fits(&board(&other)), "{to}");
        }
    }

    /// Chips, wires and the left ends of labels are inside the drawing.
    #[test]
    fn everything_is_inside_the_drawing() {
        let Schematic { chips, bundles, labels, legend } =
            Schematic::new(&board(GRAY1), |at| at).unwrap();
        let points = bundles.iter().flat_map(|bundle| &bundle.points);
        let texts = labels.iter().map(|label| &label.at).chain([&legend]);
        for (x, y) in chips.iter().flatten().chain(points).chain(texts) {
            assert!(*x < SIZE.0 && *y < SIZE.1, "{x} {y}");
        }
    }
}
