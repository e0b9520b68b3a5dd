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
