//! Where the LED matrix and the words beside it go, in an area of any size.

use gray1_isa::panel::SIDE;
use ratatui::layout::{Margin, Rect, Size};

/// What the panel needs beside the matrix, in columns, ...
const PANEL_WIDTH_MIN: u16 = 20;
/// ... and what it can make use of.
const PANEL_WIDTH_MAX: u16 = 60;
/// What it needs below the matrix, in rows.
const PANEL_HEIGHT_MIN: u16 = 5;
/// From this width on, a column on either side is left free.
const MARGIN_FROM: u16 = 60;
/// Columns between matrix and panel.
const GAP: u16 = 2;

/// The smallest area: two columns and a row a square, a frame, and a column on either side.
pub(crate) const SIZE_MIN: Size = Size { width: 20, height: 10 };

/// The display and its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) area: Rect,
    /// The height of a square, in rows; it is twice as many columns wide, which looks square.
    pub(crate) cell: u16,
}

impl Matrix {
    /// The size of a matrix with such cells, its frame included.
    fn size(cell: u16) -> Size {
        Size { width: 2 * cell * SIDE as u16 + 2, height: cell * SIDE as u16 + 2 }
    }

    /// A matrix of the smallest squares, at the top of a place.
    pub(super) fn small(place: Rect) -> Self {
        let size = Self::size(1);
        let x = place.x + place.width.saturating_sub(size.width) / 2;
        Self { area: Rect::new(x, place.y, size.width, size.height), cell: 1 }
    }

    /// A square: row from the top, column from the left, both 0 ..= 7.
    pub(crate) fn square(self, row: u16, column: u16) -> Rect {
        let (x, y) = (self.area.x + 1, self.area.y + 1);
        Rect::new(x + column * 2 * self.cell, y + row * self.cell, 2 * self.cell, self.cell)
    }

    /// Where the letter stands in its square: in the middle, columns and rows from its corner.
    pub(super) fn letter(self) -> (u16, u16) {
        (self.cell - 1, (self.cell - 1) / 2)
    }
}

/// Finds the largest matrix that leaves room for the panel, beside it or below: `None` is for an
/// area that has no room for both; header and frame then say what matters most. The area must hold
/// [`SIZE_MIN`].
pub(crate) fn arrange(area: Rect) -> (Matrix, Option<Rect>) {
    let margin = u16::from(area.width >= MARGIN_FROM);
    let body = area.inner(Margin::new(margin, 0));
    let cell_max = (body.height - 2) / SIDE as u16;
    let with_panel = (1..=cell_max).rev().find_map(|cell| beside(body, cell).or(below(body, cell)));
    match with_panel {
        Some((matrix, panel)) => (matrix, Some(panel)),
        None => (Matrix { area: centered(body, Matrix::size(1)), cell: 1 }, None),
    }
}

/// The matrix on the left, the panel on the right.
fn beside(body: Rect, cell: u16) -> Option<(Matrix, Rect)> {
    let Size { width, height } = Matrix::size(cell);
    let panel_width = body.width.checked_sub(width + GAP)?.min(PANEL_WIDTH_MAX);
    if panel_width < PANEL_WIDTH_MIN || height > body.height {
        return None;
    }
    let x = body.x + (body.width - width - GAP - panel_width) / 2;
    let y = body.y + (body.height - height) / 2;
    let panel = Rect::new(x + width + GAP, y, panel_width, body.bottom() - y);
    Some((Matrix { area: Rect::new(x, y, width, height), cell }, panel))
}

/// The matrix on top, the panel under it.
fn below(body: Rect, cell: u16) -> Option<(Matrix, Rect)> {
    let size = Matrix::size(cell);
    if size.width > body.width || size.height + PANEL_HEIGHT_MIN > body.height {
        return None;
    }
    let area = Rect { height: size.height, ..centered(body, size) };
    let area = Rect { y: body.y, ..area };
    // Left edges in line, if that leaves room enough.
    let x = area.x.min(body.right() - PANEL_WIDTH_MIN);
    let width = (body.right() - x).min(PANEL_WIDTH_MAX);
    let panel = Rect::new(x, area.bottom(), width, body.bottom() - area.bottom());
    Some((Matrix { area, cell }, panel))
}

fn centered(body: Rect, size: Size) -> Rect {
    let x = body.x + (body.width - size.width) / 2;
    Rect::new(x, body.y + (body.height - size.height) / 2, size.width, size.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The area between header and footer.
    fn body(width: u16, height: u16) -> Rect {
        Rect::new(0, 1, width, height - 2)
    }

    fn cell_and_panel(width: u16, height: u16) -> (u16, Option<Size>) {
        let (matrix, panel) = arrange(body(width, height));
        (matrix.cell, panel.map(Rect::as_size))
    }

    #[test]
    fn the_matrix_is_as_large_as_the_screen_allows() {
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
    fn nothing_lies_outside_the_area_or_over_something_else() {
        for width in SIZE_MIN.width..=250 {
            for height in SIZE_MIN.height + 2..=80 {
                let body = body(width, height);
                let (Matrix { area, .. }, panel) = arrange(body);
                assert_eq!(area.intersection(body), area, "{body}");
                if let Some(panel) = panel {
                    assert_eq!(panel.intersection(body), panel, "{body}");
                    assert!(!panel.intersects(area), "{body}: {panel} and {area}");
                }
            }
        }
    }
}
