//! LEDs as characters: round, with gaps between them, on a dark panel.
//!
//! An LED has a square of the screen, twice as many columns wide as lines high. Its diameter is
//! three quarters of that, as on real matrices of 5 mm LEDs.

use gray1_isa::panel::Led;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};

use crate::theme::{Depth, Theme};

/// An LED on the screen, for pictures that can draw circles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Its colour.
    pub(crate) color: Color,
    /// The cells of its square, or the one that it shares with the LED above or below.
    pub(crate) cells: Rect,
    /// Which part of the cells is its square.
    pub(crate) part: Part,
}

/// A part of some cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum Part {
    Whole,
    UpperHalf,
    LowerHalf,
}

/// What the LEDs of a matrix look like, in squares of so many lines.
pub(crate) struct Look {
    theme: Theme,
    lines: u16,
    /// The cells of a lit LED, line by line.
    cells: Vec<Block>,
}

impl Look {
    pub(crate) fn new(lines: u16, theme: Theme) -> Self {
        let blocks = if theme.unicode { BLOCKS } else { SOLID };
        let places = (0..lines).flat_map(|y| (0..2 * lines).map(move |x| (x, y)));
        let cells = places.map(|(x, y)| Block::nearest(disc(lines, x, y), blocks)).collect();
        Self { theme, lines, cells }
    }

    /// Draws an LED into its square.
    pub(crate) fn draw(&self, led: Led, square: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        buffer.set_style(square, theme.panel());
        if self.lines == 1 {
            let symbol = if theme.has_letters() { Theme::letter(led) } else { theme.small_led() };
            buffer.set_string(square.x, square.y, symbol, theme.led(led));
            return;
        }
        if theme.depth > Depth::None || led == Led::Red {
            let style = theme.panel().fg(theme.led_color(led));
            for (at, block) in square.positions().zip(&self.cells) {
                buffer[at].set_symbol(block.symbol).set_style(style.add_modifier(block.modifier));
            }
        }
        if theme.has_letters() {
            let at = middle(square);
            buffer[at].reset();
            buffer.set_string(at.x, at.y, Theme::letter(led), theme.on_led(led));
        }
    }
}

/// The cell in the middle of an LED's square, or the one at its upper left.
pub(crate) fn middle(square: Rect) -> Position {
    Position { x: square.x + square.height - 1, y: square.y + (square.height - 1) / 2 }
}

/// Parts of a cell: eight by eight, from the upper left to the lower right, a bit for each.
type Parts = u64;

/// The parts that an LED fills of a cell of its square.
fn disc(lines: u16, x: u16, y: u16) -> Parts {
    // In the 32nd parts of a line, of which a cell is 16 wide.
    let (middle, radius) = (16 * i32::from(lines), 12 * i32::from(lines));
    let covers = |part: i32| {
        let dx = 16 * i32::from(x) + 2 * (part % 8) + 1 - middle;
        let dy = 32 * i32::from(y) + 4 * (part / 8) + 2 - middle;
        dx * dx + dy * dy < radius * radius
    };
    (0..64).fold(0, |parts, part| parts | Parts::from(covers(part)) << part)
}

/// A character that fills a part of its cell.
#[derive(Debug, Clone, Copy)]
struct Block {
    symbol: &'static str,
    modifier: Modifier,
    filled: Parts,
}

impl Block {
    const fn new(symbol: &'static str, filled: Parts) -> Self {
        Self { symbol, modifier: Modifier::empty(), filled }
    }

    const fn reversed(self) -> Self {
        Self { modifier: Modifier::REVERSED, filled: !self.filled, ..self }
    }

    /// The block that comes nearest to filling these parts and no others.
    fn nearest(parts: Parts, blocks: &[Self]) -> Self {
        let difference = |block: &&Self| (block.filled ^ parts).count_ones();
        *blocks.iter().min_by_key(difference).expect("there are blocks")
    }

    /// The lower eighths of a cell, so many of them.
    const fn lower(symbol: &'static str, eighths: u32) -> Self {
        Self::new(symbol, Parts::MAX << (8 * (8 - eighths)))
    }

    /// The left eighths of a cell, so many of them.
    const fn left(symbol: &'static str, eighths: u32) -> Self {
        Self::new(symbol, Parts::MAX / 0xff * ((1 << eighths) - 1))
    }
}

const UPPER_LEFT: Parts = 0x0f0f_0f0f;
const UPPER_RIGHT: Parts = UPPER_LEFT << 4;
const LOWER_LEFT: Parts = UPPER_LEFT << 32;
const LOWER_RIGHT: Parts = UPPER_RIGHT << 32;

/// Where there are no characters for parts of a cell, a cell is empty or full.
const SOLID: &[Block] = &[Block::new(" ", 0), Block::new(" ", 0).reversed()];

/// The block elements of Unicode, and what they leave of a cell. Of two that are equally near, the
/// first is taken: so each family is sorted by what it fills, for the sake of symmetry.
const BLOCKS: &[Block] = &[
    Block::new(" ", 0),
    Block::new("█", Parts::MAX),
    Block::new("▘", UPPER_LEFT),
    Block::new("▝", UPPER_RIGHT),
    Block::new("▖", LOWER_LEFT),
    Block::new("▗", LOWER_RIGHT),
    Block::new("▙", !UPPER_RIGHT),
    Block::new("▟", !UPPER_LEFT),
    Block::new("▛", !LOWER_RIGHT),
    Block::new("▜", !LOWER_LEFT),
    Block::lower("▁", 1),
    Block::lower("▂", 2),
    Block::lower("▃", 3),
    Block::lower("▄", 4),
    Block::lower("▅", 5),
    Block::lower("▆", 6),
    Block::lower("▇", 7),
    Block::lower("▇", 7).reversed(),
    Block::lower("▆", 6).reversed(),
    Block::lower("▅", 5).reversed(),
    Block::lower("▄", 4).reversed(),
    Block::lower("▃", 3).reversed(),
    Block::lower("▂", 2).reversed(),
    Block::lower("▁", 1).reversed(),
    Block::left("▏", 1),
    Block::left("▎", 2),
    Block::left("▍", 3),
    Block::left("▌", 4),
    Block::left("▋", 5),
    Block::left("▊", 6),
    Block::left("▉", 7),
    Block::left("▉", 7).reversed(),
    Block::left("▊", 6).reversed(),
    Block::left("▋", 5).reversed(),
    Block::left("▌", 4).reversed(),
    Block::left("▍", 3).reversed(),
    Block::left("▎", 2).reversed(),
    Block::left("▏", 1).reversed(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::text;
    use crate::theme::Colors;

    const RICH: Theme = Theme { depth: Depth::True, colors: Colors::Usual, unicode: true };

    /// Two LEDs side by side, and two below them.
    fn drawn(lines: u16, theme: Theme) -> Buffer {
        let look = Look::new(lines, theme);
        let mut buffer = Buffer::empty(Rect::new(0, 0, lines * 4, lines * 2));
        for (n, led) in (0..).zip(Led::ALL) {
            let square = Rect::new(n % 2 * lines * 2, n / 2 * lines, lines * 2, lines);
            look.draw(led, square, &mut buffer);
        }
        buffer
    }

    #[test]
    fn leds_are_round_and_keep_their_distance_at_every_size() {
        let expected = [
            "
● ●
● ●",
            "
▗▆▆▖▗▆▆▖
▝▂▂▘▝▂▂▘
▗▆▆▖▗▆▆▖
▝▂▂▘▝▂▂▘",
            "
 ▗▅▅▖  ▗▅▅▖
▉████▏▉████▏
 ▝▃▃▘  ▝▃▃▘
 ▗▅▅▖  ▗▅▅▖
▉████▏▉████▏
 ▝▃▃▘  ▝▃▃▘",
        ];
        for (lines, expected) in (1..).zip(expected) {
            assert_eq!(format!("\n{}", text(&drawn(lines, RICH))), expected);
        }
    }

    #[test]
    fn what_is_drawn_is_as_large_as_a_disc_and_alike_on_all_sides() {
        for lines in 2_u16..20 {
            let cells = Look::new(lines, RICH).cells;
            let filled: u32 = cells.iter().map(|block| block.filled.count_ones()).sum();
            let share = f64::from(filled) / f64::from(lines * 2 * lines * 64);
            let disc = std::f64::consts::PI / 4.0 * 0.75 * 0.75;
            assert!((share - disc).abs() < 0.06, "{lines} lines: {share}, a disc: {disc}");
            let mirrored = |parts: Parts| parts.reverse_bits().swap_bytes();
            for line in cells.chunks(usize::from(lines) * 2) {
                for (left, right) in line.iter().zip(line.iter().rev()) {
                    assert_eq!(left.filled, mirrored(right.filled), "{lines} lines");
                }
            }
            for (upper, lower) in cells.iter().zip(cells.iter().rev()) {
                assert_eq!(upper.filled, lower.filled.reverse_bits(), "{lines} lines");
            }
        }
    }

    #[test]
    fn letters_stand_on_leds_where_they_are_wanted() {
        let lettered = Theme { colors: Colors::Lettered, ..RICH };
        assert_eq!(text(&drawn(1, lettered)), ". G\nR Y");
        assert_eq!(text(&drawn(2, lettered)), "▗.▆▖▗G▆▖\n▝▂▂▘▝▂▂▘\n▗R▆▖▗Y▆▖\n▝▂▂▘▝▂▂▘");
        let plain = Theme { depth: Depth::None, unicode: false, ..RICH };
        assert_eq!(text(&drawn(2, plain)), " .   G\n\n R   Y\n");
    }

    #[test]
    fn a_letter_on_an_led_is_never_bold() {
        for depth in [Depth::Sixteen, Depth::Indexed, Depth::True] {
            let buffer = drawn(2, Theme { depth, colors: Colors::Lettered, unicode: true });
            let is_bold = |at: &Position| buffer[*at].modifier.contains(Modifier::BOLD);
            assert!(!buffer.area.positions().any(|at| is_bold(&at)), "{depth:?}");
        }
    }
}
