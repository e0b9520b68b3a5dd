//! Where everything goes on a screen of any size.

use gray1_isa::panel::SIDE;
use ratatui::layout::{Rect, Size};

/// The smallest screen on which the board can be shown: two columns and a row a square, a frame,
/// a header and a footer.
pub(super) const SCREEN_MIN: Size = Size { width: 20, height: 12 };

/// What the panel needs beside the board, in columns, ...
const PANEL_WIDTH_MIN: u16 = 20;
/// ... and what it can make use of.
const PANEL_WIDTH_MAX: u16 = 60;
/// What it needs below the board, in rows.
const PANEL_HEIGHT_MIN: u16 = 5;
/// From this width on, a column on either side is left free.
const MARGIN_FROM: u16 = 60;
/// Columns between board and panel.
const GAP: u16 = 2;

/// The places on a screen that is large enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) header: Rect,
    pub(super) board: Board,
    /// `None` where there is no room: header and frame then say what matters most.
    pub(super) panel: Option<Rect>,
    pub(super) footer: Rect,
}

/// The display and its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) area: Rect,
    /// The height of a square, in rows; it is twice as many columns wide, which looks square.
    pub(super) cell: u16,
}

impl Board {
    /// The size of a board with such cells, its frame included.
    fn size(cell: u16) -> Size {
        Size { width: 2 * cell * SIDE as u16 + 2, height: cell * SIDE as u16 + 2 }
    }

    /// A board of the smallest squares, at the top of a place.
    pub(super) fn small(place: Rect) -> Self {
        let size = Self::size(1);
        let x = place.x + place.width.saturating_sub(size.width) / 2;
        Self { area: Rect::new(x, place.y, size.width, size.height), cell: 1 }
    }

    /// A square: row from the top, column from the left, both 0 ..= 7.
    pub(super) fn square(self, row: u16, column: u16) -> Rect {
        let (x, y) = (self.area.x + 1, self.area.y + 1);
        Rect::new(x + column * 2 * self.cell, y + row * self.cell, 2 * self.cell, self.cell)
    }

    /// Where the letter stands in its square: in the middle, columns and rows from its corner.
    pub(super) fn letter(self) -> (u16, u16) {
        (self.cell - 1, (self.cell - 1) / 2)
    }
}

/// Finds the largest board that leaves room for the panel, beside it or below. `None` if the
/// screen is smaller than [`SCREEN_MIN`].
pub(super) fn arrange(screen: Size) -> Option<Layout> {
    let Size { width, height } = screen;
    if width < SCREEN_MIN.width || height < SCREEN_MIN.height {
        return None;
    }
    let margin = u16::from(width >= MARGIN_FROM);
    let body = Rect::new(margin, 1, width - 2 * margin, height - 2);
    let cell_max = (body.height - 2) / SIDE as u16;
    let with_panel = (1..=cell_max).rev().find_map(|cell| beside(body, cell).or(below(body, cell)));
    let (board, panel) = match with_panel {
        Some((board, panel)) => (board, Some(panel)),
        None => (Board { area: centered(body, Board::size(1)), cell: 1 }, None),
    };
    let header = Rect::new(0, 0, width, 1);
    let footer = Rect::new(0, height - 1, width, 1);
    Some(Layout { header, board, panel, footer })
}

/// The board on the left, the panel on the right.
fn beside(body: Rect, cell: u16) -> Option<(Board, Rect)> {
    let Size { width, height } = Board::size(cell);
    let panel_width = body.width.checked_sub(width + GAP)?.min(PANEL_WIDTH_MAX);
    if panel_width < PANEL_WIDTH_MIN || height > body.height {
        return None;
    }
    let x = body.x + (body.width - width - GAP - panel_width) / 2;
    let y = body.y + (body.height - height) / 2;
    let panel = Rect::new(x + width + GAP, y, panel_width, body.bottom() - y);
    Some((Board { area: Rect::new(x, y, width, height), cell }, panel))
}

/// The board on top, the panel under it.
fn below(body: Rect, cell: u16) -> Option<(Board, Rect)> {
    let size = Board::size(cell);
    if size.width > body.width || size.height + PANEL_HEIGHT_MIN > body.height {
        return None;
    }
    let area = Rect { height: size.height, ..centered(body, size) };
    let area = Rect { y: body.y, ..area };
    // Left edges in line, if that leaves room enough.
    let x = area.x.min(body.right() - PANEL_WIDTH_MIN);
    let width = (body.right() - x).min(PANEL_WIDTH_MAX);
    let panel = Rect::new(x, area.bottom(), width, body.bottom() - area.bottom());
    Some((Board { area, cell }, panel))
}

fn centered(body: Rect, size: Size) -> Rect {
    let x = body.x + (body.width - size.width) / 2;
    Rect::new(x, body.y + (body.height - size.height) / 2, size.width, size.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell_and_panel(width: u16, height: u16) -> (u16, Option<Size>) {
        let layout = arrange(Size { width, height }).unwrap();
        (layout.board.cell, layout.panel.map(Rect::as_size))
    }

    #[test]
    fn the_board_is_as_large_as_the_screen_allows() {
        let size = |width, height| Some(Size { width, height });
        assert_eq!(cell_and_panel(20, 12), (1, None));
        assert_eq!(cell_and_panel(40, 20), (1, size(20, 14)));
        assert_eq!(cell_and_panel(20, 30), (1, size(20, 18)));
        assert_eq!(cell_and_panel(80, 24), (2, size(42, 20)));
        assert_eq!(cell_and_panel(60, 45), (3, size(54, 17)));
        assert_eq!(cell_and_panel(120, 40), (4, size(50, 36)));
        assert_eq!(cell_and_panel(200, 60), (7, size(60, 58)));
    }

    #[test]
    fn nothing_lies_outside_the_screen_or_over_something_else() {
        for width in 1..=250 {
            for height in 1..=80 {
                let screen = Size { width, height };
                let Some(layout) = arrange(screen) else {
                    assert!(width < SCREEN_MIN.width || height < SCREEN_MIN.height);
                    continue;
                };
                let Layout { header, board, panel, footer } = layout;
                let places: Vec<Rect> =
                    [header, board.area, footer].into_iter().chain(panel).collect();
                for (n, place) in places.iter().enumerate() {
                    assert_eq!(place.intersection(Rect::from(screen)), *place, "{screen}");
                    for other in &places[..n] {
                        assert!(!place.intersects(*other), "{screen}: {place} and {other}");
                    }
                }
            }
        }
    }
}
