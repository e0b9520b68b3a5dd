//! The schematic of the Gray-1 as tables: where its chips are, which way its wires go, and where
//! they are labelled. It fits boards whose chips have these names and are wired like this.

use std::collections::BTreeSet;

use gray1_board::role::Function;
use gray1_board::{Board, ChipId, NetId, Role};
use ratatui::layout::{Position, Rect, Size};

/// The minimum size of the schematic. On a larger area it is stretched.
pub(super) const SIZE: Size = Size { width: 98, height: 29 };
/// The most columns and lines by which it is stretched.
const STRETCH_MAX: Size = Size { width: 56, height: 20 };
/// The columns and lines after which it is stretched, in this order.
const COLUMN_CUTS: &[u16] = &[24, 50, 77];
const LINE_CUTS: &[u16] = &[4, 19, 14, 7, 12, 22, 2, 9, 24, 27];

/// A point of the table, a column and a line.
type Point = (u16, u16);

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

/// The wires: from the rim of a chip to the rim of another one, in straight lines. The strobes of
/// the control table are not drawn; the chips that read them say when they are on.
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
];

/// The labels: the chip whose wires they show, the chip that reads these wires (none: all wires),
/// whether they show the wires' name besides their value, and where they begin.
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
const LEGEND: (u16, u16) = (21, 28);

/// The schematic of a board in an area of the screen.
pub(super) struct Schematic {
    /// By [`ChipId::index`].
    pub(super) chips: Vec<Rect>,
    pub(super) wires: Vec<Wire>,
    pub(super) labels: Vec<WireLabel>,
    pub(super) legend: Position,
}

/// A bundle of wires from one chip to another.
pub(super) struct Wire {
    pub(super) from: ChipId,
    pub(super) to: ChipId,
    /// The wires, low bit first.
    pub(super) nets: Vec<NetId>,
    /// From the rim of one to the cell before the rim of the other one.
    pub(super) points: Vec<Position>,
}

/// The label of a bundle of wires.
pub(super) struct WireLabel {
    /// The wires, low bit first.
    pub(super) nets: Vec<NetId>,
    /// Whether it shows their name, too.
    pub(super) is_named: bool,
    pub(super) at: Position,
}

/// Whether this is the schematic of a board: its chips have these names and are wired like this.
pub(super) fn is_of(board: &Board) -> bool {
    let named = |name: &str| board.chip_named(name);
    let chips: BTreeSet<_> = CHIPS.iter().map(|(name, ..)| named(name)).collect();
    let wires = WIRES.iter().map(|(from, to, _)| (named(from), named(to)));
    chips == board.chip_ids().map(Some).collect()
        && wires.collect::<BTreeSet<_>>()
            == wired(board).into_iter().map(|(from, to)| (Some(from), Some(to))).collect()
}

impl Schematic {
    /// The schematic of a board in an area of at least [`SIZE`], if it [is](is_of) its schematic.
    pub(super) fn new(board: &Board, area: Rect) -> Option<Self> {
        if area.width < SIZE.width || area.height < SIZE.height || !is_of(board) {
            return None;
        }
        let extra = Size {
            width: (area.width - SIZE.width).min(STRETCH_MAX.width),
            height: (area.height - SIZE.height).min(STRETCH_MAX.height),
        };
        let left = area.x + (area.width - SIZE.width - extra.width) / 2;
        let place = |(x, y): (u16, u16)| Position {
            x: left + stretched(x, COLUMN_CUTS, extra.width),
            y: area.y + stretched(y, LINE_CUTS, extra.height),
        };
        let named = |name: &str| board.chip_named(name).expect("the board has these chips");
        let mut chips = vec![Rect::ZERO; board.chips().len()];
        for (name, (x, y), width, height) in CHIPS {
            let (from, to) = (place((*x, *y)), place((x + width - 1, y + height - 1)));
            let area = Rect::new(from.x, from.y, to.x - from.x + 1, to.y - from.y + 1);
            chips[named(name).index()] = area;
        }
        let wires = WIRES.iter().map(|(from, to, points)| {
            let (from, to) = (named(from), named(to));
            let points = before_the_rim(points.iter().copied().map(place).collect());
            Wire { from, to, nets: between(board, from, to), points }
        });
        let labels = LABELS.iter().map(|(from, to, is_named, at)| {
            let nets = match to {
                Some(to) => between(board, named(from), named(to)),
                None => board.chip(named(from)).data().to_vec(),
            };
            WireLabel { nets, is_named: *is_named, at: place(*at) }
        });
        Some(Self {
            wires: wires.collect(),
            labels: labels.collect(),
            chips,
            legend: place(LEGEND),
        })
    }

    /// The chip at a position of the screen.
    pub(super) fn chip_at(&self, board: &Board, at: Position) -> Option<ChipId> {
        board.chip_ids().find(|id| self.chips[id.index()].contains(at))
    }
}

/// The position of a column or a line of the table after `more` of them are distributed over the
/// cuts.
fn stretched(at: u16, cuts: &[u16], extra: u16) -> u16 {
    let count = cuts.len() as u16;
    let shares = (0..).zip(cuts).filter(|(_, cut)| **cut < at);
    at + shares.map(|(n, _)| extra / count + u16::from(n < extra % count)).sum::<u16>()
}

/// The path without its last cell.
fn before_the_rim(mut points: Vec<Position>) -> Vec<Position> {
    let [.., before, last] = &mut points[..] else { return points };
    let back = |from: u16, to: u16| if from < to { to - 1 } else { to + u16::from(from > to) };
    (last.x, last.y) = (back(before.x, last.x), back(before.y, last.y));
    points
}

/// The wires that a chip reads, low bit first.
fn read(board: &Board, id: ChipId) -> Vec<NetId> {
    let chip = board.chip(id);
    let written = if *chip.role() == Role::Memory { chip.data() } else { &[] };
    chip.inputs().map(|(_, net)| net).chain(written.iter().copied()).collect()
}

/// The wires that one chip drives and another one reads, low bit first.
fn between(board: &Board, from: ChipId, to: ChipId) -> Vec<NetId> {
    let read = read(board, to);
    board.chip(from).data().iter().copied().filter(|net| read.contains(net)).collect()
}

/// The pairs of chips of which one drives a wire that the other reads, without the strobes.
fn wired(board: &Board) -> BTreeSet<(ChipId, ChipId)> {
    let is_strobe =
        |id: ChipId| matches!(board.chip(id).role(), Role::Function(Function::Control(_)));
    let read =
        board.chip_ids().flat_map(|to| read(board, to).into_iter().map(move |net| (net, to)));
    read.flat_map(|(net, to)| board.net(net).driver().pins().map(move |pin| (pin.chip, to)))
        .filter(|(from, to)| from != to && !is_strobe(*from))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests as testing;

    #[test]
    fn it_is_the_schematic_of_all_boards_of_the_same_chips_and_of_no_other() {
        let [text, binary] = ["gray1.ron", "binary-counter.ron"].map(testing::board_text);
        assert!([&text, &binary].into_iter().all(|text| is_of(&testing::board_from(text))));
        for (from, to) in [
            // A chip of another name, and a wire that is not drawn.
            ("\"BUF\"", "\"DRIVER\""),
            ("\"AS.0-7\", \"0\", \"0\", \"0\"", "\"AS.0-7\", \"PHASE.0\", \"0\", \"0\""),
        ] {
            let other = text.replace(from, to);
            assert_ne!(other, text);
            assert!(!is_of(&testing::board_from(&other)), "{to}");
        }
    }

    /// At every size the chips lie apart, and wires begin at the rim of their chip and end before
    /// the other one's; on their way they touch no chip.
    #[test]
    fn wires_lead_from_chip_to_chip_and_through_none() {
        let board = testing::board();
        for (width, height) in [(98, 29), (99, 30), (105, 36), (138, 46), (154, 49), (300, 100)] {
            let area = Rect::new(7, 3, width, height);
            let schematic = Schematic::new(&board, area).unwrap();
            for (n, chip) in schematic.chips.iter().enumerate() {
                assert_eq!(chip.intersection(area), *chip);
                assert!(schematic.chips[..n].iter().all(|other| !other.intersects(*chip)));
            }
            for wire in &schematic.wires {
                let (first, last) = (wire.points[0], wire.points[wire.points.len() - 1]);
                let [from, to] = [wire.from, wire.to].map(|id| schematic.chips[id.index()]);
                let names = [wire.from, wire.to].map(|id| board.chip(id).name());
                let inside = from.inner(ratatui::layout::Margin::new(1, 1));
                assert!(from.contains(first) && !inside.contains(first), "{names:?}");
                let grown = Rect::new(to.x - 1, to.y - 1, to.width + 2, to.height + 2);
                assert!(grown.contains(last) && !to.contains(last), "{names:?}");
                for leg in wire.points.windows(2) {
                    let (x, y) = (leg[0].x.min(leg[1].x), leg[0].y.min(leg[1].y));
                    let size = (leg[0].x.abs_diff(leg[1].x) + 1, leg[0].y.abs_diff(leg[1].y) + 1);
                    assert!(size.0 == 1 || size.1 == 1, "{names:?} is straight");
                    let leg = Rect::new(x, y, size.0, size.1);
                    let others = schematic.chips.iter().filter(|chip| **chip != from);
                    assert!(others.clone().all(|chip| !chip.intersects(leg)), "{names:?}");
                }
            }
        }
    }
}
