//! The layout of the display pane: the LED matrix in an area of any size, with panel and album next
//! to it.

use gray1_isa::panel::SIDE;
use ratatui::layout::{Margin, Rect, Size};

use super::album;

/// The minimum width of the panel next to the matrix.
const PANEL_WIDTH_MIN: u16 = 19;
/// The maximum width of the panel.
const PANEL_WIDTH_MAX: u16 = 60;
/// The minimum height of the panel below the matrix.
const PANEL_HEIGHT_MIN: u16 = 5 + CAPTION_HEIGHT;
/// From this width on, one column on each side stays free.
const MARGIN_FROM: u16 = 60;
/// The columns between matrix and panel.
const GAP: u16 = 2;

/// The lines of the panel above an album.
const BLOCKS_HEIGHT: u16 = 14;
/// The lines of the caption, which is below the LEDs or at the top of a panel next to them.
const CAPTION_HEIGHT: u16 = 2;
const CAPTION_IN_PANEL_HEIGHT: u16 = 4;

/// The smallest area: squares of two columns and one line, a frame, and one column on each side.
pub(crate) const SIZE_MIN: Size = Size { width: 20, height: 10 };

/// The parts of a display in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DisplayLayout {
    pub(crate) matrix: Matrix,
    /// The meaning of the LEDs: below them, or at the top of the panel. Empty if there is no panel.
    pub(crate) caption: Rect,
    /// Pace, registers, legend, output.
    pub(crate) panel: Option<Rect>,
    /// Small pictures of the LEDs.
    pub(crate) album: Option<Rect>,
}

/// The LEDs and their frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) area: Rect,
    /// The height of a square in lines. Its width is twice as many columns, which looks square.
    pub(crate) cell: u16,
}

impl Matrix {
    /// The size of a matrix with squares of this height, including the frame. An LED of one column
    /// is at the left of its square, so an additional column separates the first one from the
    /// frame.
    fn size(cell: u16) -> Size {
        let margin = u16::from(cell == 1);
        Size { width: 2 * cell * SIDE as u16 + margin + 2, height: cell * SIDE as u16 + 2 }
    }

    /// A matrix of the smallest squares at the top of an area, as wide as the area.
    pub(super) fn small(place: Rect) -> Self {
        Self { area: Rect { height: Self::size(1).height, ..place }, cell: 1 }
    }

    /// A square. Row from the top, column from the left, both 0 ..= 7.
    pub(crate) fn square(self, row: u16, column: u16) -> Rect {
        let margin = (self.area.width - 2 * self.cell * SIDE as u16).div_ceil(2);
        let (x, y) = (self.area.x + margin, self.area.y + 1);
        Rect::new(x + column * 2 * self.cell, y + row * self.cell, 2 * self.cell, self.cell)
    }
}

/// Finds the largest matrix that leaves room for the panel next to it or below it. The panel is
/// `None` if there is no room for both. Header and frame then show the most important values. An
/// album, if there is one, gets the room that the panel leaves. The area must be at least
/// [`SIZE_MIN`].
pub(crate) fn arrange(area: Rect, has_album: bool) -> DisplayLayout {
    let margin = u16::from(area.width >= MARGIN_FROM);
    let body = area.inner(Margin::new(margin, 0));
    let mut cells = (1..=(body.height - 2) / SIDE as u16).rev();
    let fit = cells.find_map(|cell| panel_right(body, cell).or(panel_below(body, cell)));
    let Some((matrix, panel)) = fit else {
        let small = Matrix::small(body).area.as_size();
        let matrix = Matrix { area: centered(body, small), cell: 1 };
        return DisplayLayout { matrix, caption: Rect::default(), panel: None, album: None };
    };
    let (caption, panel) = caption(body, matrix, panel);
    let album = has_album.then(|| album::area_for_rows(panel, BLOCKS_HEIGHT)).flatten();
    let height = panel.height - album.map_or(0, |album| album.height + 1);
    DisplayLayout { matrix, caption, panel: Some(Rect { height, ..panel }), album }
}

/// The minimum width for the largest matrix at a height with a panel next to it.
pub(crate) fn width_min(height: u16) -> u16 {
    let cell = height.saturating_sub(2) / SIDE as u16;
    Matrix::size(cell.max(1)).width + GAP + PANEL_WIDTH_MIN + 2
}

/// The minimum width of an answer next to a display without a panel.
const ANSWER_WIDTH_MIN: u16 = 16;

/// Splits the area of a display in front for an answer. The answer takes the place of the panel, so
/// the LEDs do not move. Without a panel they move to the left. The smallest screens show only one
/// of the two.
pub(crate) fn split_for_answer(area: Rect) -> (Rect, Rect) {
    let DisplayLayout { matrix: Matrix { area: leds, .. }, panel, .. } = arrange(area, false);
    let (left, x, y) = match panel {
        Some(panel) if panel.y < leds.bottom() => (area, leds.right(), leds.y),
        Some(_) => (area, area.x, leds.bottom()),
        None if area.width < SIZE_MIN.width + ANSWER_WIDTH_MIN => (area, area.x, area.y),
        None => (Rect { width: SIZE_MIN.width, ..area }, area.x + SIZE_MIN.width, area.y),
    };
    (left, Rect { x, y, width: area.right() - x, height: area.bottom() - y })
}

/// The area of the caption, and the rest of the panel. The caption is below the LEDs if two lines
/// are free there, otherwise at the top of the panel.
fn caption(body: Rect, matrix: Matrix, panel: Rect) -> (Rect, Rect) {
    let bottom = matrix.area.bottom();
    let is_right = panel.y < bottom;
    if is_right && body.bottom() - bottom >= CAPTION_HEIGHT && matrix.cell > 1 {
        return (Rect { y: bottom, height: CAPTION_HEIGHT, ..matrix.area }, panel);
    }
    let lines = if is_right { CAPTION_IN_PANEL_HEIGHT } else { CAPTION_HEIGHT };
    let caption = Rect { height: lines, ..panel };
    let used = lines + u16::from(is_right);
    (caption, Rect { y: panel.y + used, height: panel.height - used, ..panel })
}

/// The matrix on the left, the panel on the right.
fn panel_right(body: Rect, cell: u16) -> Option<(Matrix, Rect)> {
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

/// The matrix at the top, the panel under it.
fn panel_below(body: Rect, cell: u16) -> Option<(Matrix, Rect)> {
    let size = Matrix::size(cell);
    if size.width > body.width || size.height + PANEL_HEIGHT_MIN > body.height {
        return None;
    }
    let area = Rect { y: body.y, ..centered(body, size) };
    // The left edges are aligned if there is enough room.
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
        let layout = arrange(body(width, height), false);
        (layout.matrix.cell, layout.panel.map(Rect::as_size))
    }

    #[test]
    fn the_matrix_is_as_large_as_the_screen_allows() {
        let size = |width, height| Some(Size { width, height });
        assert_eq!(cell_and_panel(20, 12), (1, None));
        assert_eq!(cell_and_panel(40, 20), (1, size(19, 9)));
        assert_eq!(cell_and_panel(20, 30), (1, size(20, 16)));
        assert_eq!(cell_and_panel(80, 24), (2, size(42, 20)));
        assert_eq!(cell_and_panel(60, 45), (3, size(54, 15)));
        assert_eq!(cell_and_panel(120, 40), (4, size(50, 36)));
        assert_eq!(cell_and_panel(200, 60), (7, size(60, 53)));
    }

    #[test]
    fn a_matrix_without_a_panel_is_centred() {
        for (width, height) in
            (20..25).flat_map(|w| (12..12 + PANEL_HEIGHT_MIN).map(move |h| (w, h)))
        {
            let DisplayLayout { matrix, panel, .. } = arrange(body(width, height), false);
            let (area, body) = (matrix.area, body(width, height));
            assert!(panel.is_none());
            assert_eq!((area.y - body.y, area.height), ((body.height - 10) / 2, 10));
            let right = body.right() - area.right();
            assert!((area.x..=area.x + 1).contains(&right), "{body}: {area}");
        }
    }

    #[test]
    fn wide_screens_show_an_album() {
        for (width, height, album) in [
            (40, 20, None),
            (80, 24, None),
            (100, 40, Some((30, 18))),
            (120, 40, Some((50, 18))),
            (160, 50, Some((60, 30))),
        ] {
            let album_place = arrange(body(width, height), true).album;
            let size = album_place.map(|album| (album.width, album.height));
            assert_eq!(size, album, "{width}x{height}");
        }
    }

    #[test]
    fn parts_of_the_display_never_overlap() {
        for width in SIZE_MIN.width..=250 {
            for height in SIZE_MIN.height + 2..=80 {
                let body = body(width, height);
                let DisplayLayout { matrix, caption, panel, album } = arrange(body, true);
                let parts = [Some(matrix.area), Some(caption), panel, album];
                let parts: Vec<Rect> =
                    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
                for (n, part) in parts.iter().enumerate() {
                    assert_eq!(part.intersection(body), *part, "{body}");
                    let overlap = parts[..n].iter().any(|other| other.intersects(*part));
                    assert!(!overlap, "{body}: {parts:?}");
                }
            }
        }
    }
}
