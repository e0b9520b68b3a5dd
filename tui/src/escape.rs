//! Converts cells to escape sequences for terminals of any colour depth.

use std::fmt::Write;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use crate::terminal::Depth;

/// Writes cells at their columns and rows. Successive cells of the same style share one sequence.
pub fn write_cells<'a>(
    out: &mut String,
    cells: impl Iterator<Item = (u16, u16, &'a Cell)>,
    depth: Depth,
) {
    let mut next = None;
    let mut style = String::new();
    for (x, y, cell) in cells {
        if next != Some((x, y)) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\x1b[{};{}H", y + 1, x + 1);
        }
        next = Some((x + 1, y));
        let wanted = sgr(cell, depth);
        if style != wanted {
            out.push_str(&wanted);
            style = wanted;
        }
        out.push_str(cell.symbol());
    }
    out.push_str("\x1b[m");
}

/// The sequence that selects a cell's style, independently of the previous style.
pub(crate) fn sgr(cell: &Cell, depth: Depth) -> String {
    let attributes = [
        (Modifier::BOLD, ";1"),
        (Modifier::DIM, ";2"),
        (Modifier::UNDERLINED, ";4"),
        (Modifier::REVERSED, ";7"),
    ];
    let mut sequence = String::from("\x1b[0");
    for (modifier, code) in attributes {
        if cell.modifier.contains(modifier) {
            sequence.push_str(code);
        }
    }
    if depth != Depth::None {
        push_color(&mut sequence, cell.fg, 30);
        push_color(&mut sequence, cell.bg, 40);
    }
    sequence.push('m');
    sequence
}

/// Adds a colour. `base` is 30 for the foreground, 40 for the background.
fn push_color(sequence: &mut String, color: Color, base: u8) {
    let written = match color {
        Color::Rgb(r, g, b) => write!(sequence, ";{};2;{r};{g};{b}", base + 8),
        Color::Indexed(n @ 0..8) => write!(sequence, ";{}", base + n),
        Color::Indexed(n @ 8..16) => write!(sequence, ";{}", base + 60 + n - 8),
        Color::Indexed(n) => write!(sequence, ";{};5;{n}", base + 8),
        // The theme uses no other named colours.
        _ => Ok(()),
    };
    debug_assert!(written.is_ok(), "writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn written(style: Style, depth: Depth) -> String {
        let mut cell = Cell::new("x");
        cell.set_style(style);
        sgr(&cell, depth)
    }

    #[test]
    fn colours_become_the_escape_sequences_of_their_depth() {
        let on = |fg, bg| Style::new().fg(fg).bg(bg);
        let indexed = |n| on(Color::Indexed(n), Color::Indexed(n));
        assert_eq!(written(indexed(1), Depth::Sixteen), "\x1b[0;31;41m");
        assert_eq!(written(indexed(10), Depth::Sixteen), "\x1b[0;92;102m");
        assert_eq!(written(indexed(84), Depth::Indexed), "\x1b[0;38;5;84;48;5;84m");
        let rgb = on(Color::Rgb(1, 2, 3), Color::Reset);
        assert_eq!(written(rgb, Depth::True), "\x1b[0;38;2;1;2;3m");
    }

    #[test]
    fn attributes_are_written_without_colours() {
        let style = Style::new().fg(Color::Rgb(1, 2, 3)).bold().reversed().underlined();
        assert_eq!(written(style, Depth::None), "\x1b[0;1;4;7m");
    }

    #[test]
    fn cells_of_one_style_share_an_escape_sequence() {
        let cell = |symbol| Cell::new(symbol);
        let cells = [(3, 1, cell("a")), (4, 1, cell("b")), (0, 2, cell("c"))];
        let mut out = String::new();
        write_cells(&mut out, cells.iter().map(|(x, y, cell)| (*x, *y, cell)), Depth::Sixteen);
        assert_eq!(out, "\x1b[2;4H\x1b[0mab\x1b[3;1Hc\x1b[m");
    }
}
