//! Cells to escape sequences, for terminals of every colour depth.
//!
//! ratatui's own backend goes through crossterm, which writes the first sixteen colours in the
//! 256-colour syntax (terminals with sixteen colours read blink and bold in it), and under
//! `NO_COLOR` a bare reset that also wipes bold and reverse video. So the sequences are written
//! here.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::theme::Depth;

/// A terminal behind a writer.
pub(super) struct Screen<W> {
    out: W,
    /// What is written goes out in one piece when it is flushed; what a panic leaves here is lost,
    /// and does not follow its message onto the terminal.
    frame: Vec<u8>,
    depth: Depth,
}

impl<W: Write> Screen<W> {
    pub(super) fn new(out: W, depth: Depth) -> Self {
        Self { out, frame: Vec::new(), depth }
    }
}

impl<W: Write> Backend for Screen<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut next = None;
        let mut style = String::new();
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                write!(self.frame, "\x1b[{};{}H", y + 1, x + 1)?;
            }
            next = Some((x + 1, y));
            let wanted = sgr(cell, self.depth);
            if style != wanted {
                self.frame.write_all(wanted.as_bytes())?;
                style = wanted;
            }
            self.frame.write_all(cell.symbol().as_bytes())?;
        }
        self.frame.write_all(b"\x1b[m")
    }

    // The cursor is hidden when the terminal is taken, and shown when it is given back.
    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, _: P) -> io::Result<()> {
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.frame.write_all(b"\x1b[m\x1b[2J")
    }

    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        crossterm::terminal::size().map(|(width, height)| Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let unknown = Size { width: 0, height: 0 };
        Ok(WindowSize { columns_rows: self.size()?, pixels: unknown })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.frame)?;
        self.frame.clear();
        self.out.flush()
    }
}

/// The sequence that selects a cell's style, whatever was selected before.
pub(super) fn sgr(cell: &Cell, depth: Depth) -> String {
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

/// Adds a colour; `base` is 30 for the foreground, 40 for the background.
fn push_color(sequence: &mut String, color: Color, base: u8) {
    use std::fmt::Write;
    let written = match color {
        Color::Rgb(r, g, b) => write!(sequence, ";{};2;{r};{g};{b}", base + 8),
        Color::Indexed(n @ 0..8) => write!(sequence, ";{}", base + n),
        Color::Indexed(n @ 8..16) => write!(sequence, ";{}", base + 60 + n - 8),
        Color::Indexed(n) => write!(sequence, ";{};5;{n}", base + 8),
        // The theme names no others: the terminal's own colours.
        _ => Ok(()),
    };
    // Writing to a string cannot fail.
    debug_assert!(written.is_ok());
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
    fn colours_are_written_as_the_terminal_understands_them() {
        let on = |fg, bg| Style::new().fg(fg).bg(bg);
        let indexed = |n| on(Color::Indexed(n), Color::Indexed(n));
        assert_eq!(written(indexed(1), Depth::Sixteen), "\x1b[0;31;41m");
        assert_eq!(written(indexed(10), Depth::Sixteen), "\x1b[0;92;102m");
        assert_eq!(written(indexed(84), Depth::Indexed), "\x1b[0;38;5;84;48;5;84m");
        let rgb = on(Color::Rgb(1, 2, 3), Color::Reset);
        assert_eq!(written(rgb, Depth::True), "\x1b[0;38;2;1;2;3m");
    }

    #[test]
    fn without_colour_the_attributes_remain() {
        let style = Style::new().fg(Color::Rgb(1, 2, 3)).bold().reversed().underlined();
        assert_eq!(written(style, Depth::None), "\x1b[0;1;4;7m");
    }

    #[test]
    fn a_run_of_cells_is_placed_and_styled_once() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, Depth::Sixteen);
        let cell = |symbol| Cell::new(symbol);
        let cells = [(3, 1, cell("a")), (4, 1, cell("b")), (0, 2, cell("c"))];
        screen.draw(cells.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap();
        screen.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\x1b[2;4H\x1b[0mab\x1b[3;1Hc\x1b[m");
    }

    #[test]
    fn what_was_not_flushed_is_lost_with_the_screen() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, Depth::Sixteen);
        screen.clear().unwrap();
        drop(screen);
        assert!(out.is_empty());
    }
}
