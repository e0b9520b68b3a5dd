//! Draws LEDs as cells on a dark panel, with gaps between them, in the colours of the theme.
//!
//! Each LED has a square on the screen, with twice as many columns as lines. Its diameter is about
//! three quarters of the square, as on real matrices of 5 mm LEDs.
//!
//! The block characters of many fonts do not fill their cells, and leave seams and stray pixels. So
//! an LED is made of spaces with a background, which fill their cells in every font.

use gray1_isa::panel::Led;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;

use crate::theme::Theme;

/// An LED on the screen, for pictures that draw circles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedSpot {
    /// Its colour.
    pub color: Color,
    /// The cells of its square, or the cell that it shares with the LED above or below.
    pub cells: Rect,
    /// The part of these cells that is its square.
    pub part: LedPart,
}

/// A part of a rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum LedPart {
    Whole,
    UpperHalf,
    LowerHalf,
}

/// Draws the LEDs of a matrix in squares of a given height.
pub(crate) struct LedPainter {
    theme: Theme,
    lines: u16,
    /// For each cell of a square, line by line: whether an LED fills it.
    is_filled: Vec<bool>,
}

impl LedPainter {
    pub(crate) fn new(lines: u16, theme: Theme) -> Self {
        let places = (0..lines).flat_map(|y| (0..2 * lines).map(move |x| (x, y)));
        let is_filled = places.map(|(x, y)| is_filled(lines, x, y)).collect();
        Self { theme, lines, is_filled }
    }

    /// Draws an LED into its square.
    pub(crate) fn draw(&self, led: Led, square: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        buffer.set_style(square, theme.panel());
        if self.lines == 1 {
            let (symbol, style) = theme.small_led(led);
            buffer[square.as_position()].set_char(symbol).set_style(style);
            return;
        }
        let style = theme.filled_led(led);
        for (at, _) in square.positions().zip(&self.is_filled).filter(|(_, is_filled)| **is_filled)
        {
            buffer[at].set_style(style);
        }
        if theme.shows_letter(led) {
            buffer[middle(square)].set_char(led.letter()).set_style(theme.on_led(led));
        }
    }
}

/// The cell in the middle of an LED, or at the lower right of its middle.
pub(crate) fn middle(square: Rect) -> Position {
    let half = square.height / 2;
    Position { x: square.x + 2 * half, y: square.y + half }
}

/// Whether an LED fills a cell of its square. The LED is a disc of whole cells, with a gap of at
/// most a quarter of the square. In one line it is a bar, because a disc would be too small. In
/// three lines it is a square, because a disc would look like a cross.
fn is_filled(lines: u16, x: u16, y: u16) -> bool {
    if lines <= 2 {
        return x > 0 && y > 0;
    }
    let gap = if lines < 8 { 2 } else { 4 };
    let (diameter, left, top) = (2 * lines - gap, gap / 2, gap.div_ceil(4));
    let inside = x.checked_sub(left).zip(y.checked_sub(top));
    inside.is_some_and(|(x, y)| {
        // Twice the distances from the middle, in columns.
        let (dx, dy) = ((2 * x + 1).abs_diff(diameter), (4 * y + 2).abs_diff(diameter));
        let is_round = diameter >= 8;
        let reach = if is_round { dx * dx + dy * dy } else { dx.max(dy).pow(2) };
        reach < diameter * diameter
    })
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;
    use crate::terminal::Depth;
    use crate::theme::Colors;

    const RICH: Theme = Theme::PICTURE;

    /// Two LEDs in one line, and two below them.
    fn draw(lines: u16, theme: Theme) -> Buffer {
        let painter = LedPainter::new(lines, theme);
        let mut buffer = Buffer::empty(Rect::new(0, 0, lines * 4, lines * 2));
        for (n, led) in (0..).zip(Led::ALL) {
            let square = Rect::new(n % 2 * lines * 2, n / 2 * lines, lines * 2, lines);
            painter.draw(led, square, &mut buffer);
        }
        buffer
    }

    /// The colours of LEDs in a line of cells; `None` for the panel.
    fn leds(cells: impl Iterator<Item = Position>, buffer: &Buffer) -> Vec<Option<Color>> {
        let panel = RICH.panel().bg;
        cells.map(|at| Some(buffer[at].bg).filter(|color| Some(*color) != panel)).collect()
    }

    /// An LED in a square with this many lines.
    fn picture(lines: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2 * lines, lines));
        LedPainter::new(lines, RICH).draw(Led::Green, buffer.area, &mut buffer);
        let rows = buffer.area.rows().map(|row| {
            let leds = leds(row.positions(), &buffer);
            leds.iter().map(|led| if led.is_some() { '#' } else { '.' }).collect::<String>()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn leds_are_discs_as_far_as_cells_allow() {
        assert_eq!(picture(2), "....\n.###");
        assert_eq!(picture(3), "......\n.####.\n.####.");
        assert_eq!(picture(4), "........\n.######.\n.######.\n.######.");
        let six = "
............
...######...
.##########.
.##########.
.##########.
...######...";
        assert_eq!(format!("\n{}", picture(6)), six);
    }

    #[test]
    fn a_letter_on_an_led_is_never_bold() {
        for depth in [Depth::Sixteen, Depth::Indexed, Depth::True] {
            let buffer = draw(2, Theme { depth, colors: Colors::Lettered, ..RICH });
            let is_bold = |at: &Position| buffer[*at].modifier.contains(Modifier::BOLD);
            assert!(!buffer.area.positions().any(|at| is_bold(&at)), "{depth:?}");
        }
    }
}
