//! The schematic of a board, stretched to the cells of an area.

use gray1_board::schematic::{self, Point, Schematic};
use gray1_board::{Board, ChipId};
use ratatui::layout::{Position, Rect, Size};

/// The minimum size of the schematic. On a larger area it is stretched.
pub(super) const SIZE: Size = Size { width: schematic::SIZE.0, height: schematic::SIZE.1 };
/// The maximum number of columns and lines by which it is stretched.
const STRETCH_MAX: Size = Size { width: 56, height: 20 };
/// The columns and lines after which cells are inserted, in this order.
const COLUMN_CUTS: &[u16] = &[24, 50, 77];
const LINE_CUTS: &[u16] = &[4, 19, 14, 7, 12, 22, 2, 9, 24, 27];

/// The schematic of a board in an area of at least [`SIZE`], if the board has one.
pub(super) fn stretch(board: &Board, area: Rect) -> Option<Schematic> {
    let extra = Size {
        width: area.width.checked_sub(SIZE.width)?.min(STRETCH_MAX.width),
        height: area.height.checked_sub(SIZE.height)?.min(STRETCH_MAX.height),
    };
    let left = area.x + (area.width - SIZE.width - extra.width) / 2;
    Schematic::new(board, |(x, y)| {
        let x = left + stretched(x, COLUMN_CUTS, extra.width);
        (x, area.y + stretched(y, LINE_CUTS, extra.height))
    })
}

/// The position of a column or a line after `extra` columns or lines have been inserted, spread
/// evenly over the cuts.
fn stretched(at: u16, cuts: &[u16], extra: u16) -> u16 {
    let count = cuts.len() as u16;
    let shares = (0..).zip(cuts).filter(|(_, cut)| **cut < at);
    at + shares.map(|(n, _)| extra / count + u16::from(n < extra % count)).sum::<u16>()
}

/// The cells of a chip.
pub(super) fn cells([(left, top), (right, bottom)]: [Point; 2]) -> Rect {
    Rect::new(left, top, right - left + 1, bottom - top + 1)
}

/// The chip at a position of the screen.
pub(super) fn chip_at(schematic: &Schematic, board: &Board, at: Position) -> Option<ChipId> {
    board.chip_ids().find(|id| cells(schematic.chips[id.index()]).contains(at))
}

/// The path of wires without its last cell, which the edge of a chip occupies.
pub(super) fn path_to_edge(points: &[Point]) -> Vec<Position> {
    let mut points: Vec<Position> = points.iter().copied().map(Position::from).collect();
    let [.., before, last] = &mut points[..] else { return points };
    let back = |from: u16, to: u16| if from < to { to - 1 } else { to + u16::from(from > to) };
    (last.x, last.y) = (back(before.x, last.x), back(before.y, last.y));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every size, chips do not touch. Wires begin at the edge of one chip and end just before
    /// the edge of another. They do not cross other chips.
    #[test]
    fn wires_connect_chips_without_crossing_other_chips() {
        let board = gray1_roms::stock();
        for (width, height) in [(98, 29), (99, 30), (105, 36), (138, 46), (154, 49), (300, 100)] {
            let area = Rect::new(7, 3, width, height);
            let schematic = stretch(&board, area).unwrap();
            let chips: Vec<Rect> = schematic.chips.iter().copied().map(cells).collect();
            for (n, chip) in chips.iter().enumerate() {
                assert_eq!(chip.intersection(area), *chip);
                assert!(chips[..n].iter().all(|other| !other.intersects(*chip)));
            }
            for bundle in &schematic.bundles {
                let points = path_to_edge(&bundle.points);
                let (first, last) = (points[0], points[points.len() - 1]);
                let [from, to] = [bundle.from, bundle.to].map(|id| chips[id.index()]);
                let names = [bundle.from, bundle.to].map(|id| board.chip(id).name());
                let inside = from.inner(ratatui::layout::Margin::new(1, 1));
                assert!(from.contains(first) && !inside.contains(first), "{names:?}");
                let grown = Rect::new(to.x - 1, to.y - 1, to.width + 2, to.height + 2);
                assert!(grown.contains(last) && !to.contains(last), "{names:?}");
                for leg in points.windows(2) {
                    let (x, y) = (leg[0].x.min(leg[1].x), leg[0].y.min(leg[1].y));
                    let size = (leg[0].x.abs_diff(leg[1].x) + 1, leg[0].y.abs_diff(leg[1].y) + 1);
                    assert!(size.0 == 1 || size.1 == 1, "{names:?} is straight");
                    let leg = Rect::new(x, y, size.0, size.1);
                    let others = chips.iter().filter(|chip| **chip != from);
                    assert!(others.clone().all(|chip| !chip.intersects(leg)), "{names:?}");
                }
            }
        }
    }
}
