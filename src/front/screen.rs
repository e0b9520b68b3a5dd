//! A ratatui backend that writes to any writer.
//!
//! ratatui's own backend uses crossterm. crossterm writes the first sixteen colours in the
//! 256-colour syntax, which terminals with sixteen colours read as blink and bold. Under `NO_COLOR`
//! it writes a reset that also clears bold and reverse video. So this backend writes the sequences
//! of [`gray1_tui::write_cells`].

use std::fmt::Write as _;
use std::io::{self, Write};

use gray1_tui::Depth;
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

use crate::system;

/// A terminal as a writer.
pub(super) struct Screen<W> {
    out: W,
    /// Output is buffered until it is flushed. After a panic the buffer is dropped, so that it does
    /// not follow the panic's message onto the terminal.
    frame: String,
    depth: Depth,
    shows_cursor: bool,
}

impl<W: Write> Screen<W> {
    pub(super) fn new(out: W, depth: Depth) -> Self {
        Self { out, frame: String::new(), depth, shows_cursor: false }
    }
}

impl<W: Write> Backend for Screen<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        gray1_tui::write_cells(&mut self.frame, content, self.depth);
        Ok(())
    }

    // The cursor is hidden when the terminal is taken, and shown when it is restored.
    fn hide_cursor(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.shows_cursor) {
            self.frame.push_str("\x1b[?25l");
        }
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.shows_cursor, true) {
            self.frame.push_str("\x1b[?25h");
        }
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, at: P) -> io::Result<()> {
        let Position { x, y } = at.into();
        // Writing to a string cannot fail.
        let _ = write!(self.frame, "\x1b[{};{}H", y + 1, x + 1);
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.frame.push_str("\x1b[m\x1b[2J");
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let unknown = Size { width: 0, height: 0 };
        Ok(WindowSize { columns_rows: self.size()?, pixels: unknown })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(self.frame.as_bytes())?;
        self.frame.clear();
        self.out.flush()
    }
}

/// The size of the drawn area. It is bounded, because a terminal that reports an absurd size would
/// make us fill the memory with cells.
pub(crate) fn size() -> io::Result<Size> {
    let Size { width, height } = system::screen_size()?;
    let width = if width == 0 { env_size("COLUMNS").unwrap_or(80) } else { width };
    let height = if height == 0 { env_size("LINES").unwrap_or(24) } else { height };
    Ok(Size { width: width.min(COLUMNS_MAX), height: height.min(LINES_MAX) })
}

/// A dimension from the environment, for a terminal that does not know its size, such as one on a
/// serial line.
fn env_size(variable: &str) -> Option<u16> {
    system::env_var(variable)?.to_str()?.parse().ok().filter(|size| *size > 0)
}

const COLUMNS_MAX: u16 = 1000;
const LINES_MAX: u16 = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_that_was_not_flushed_is_dropped() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, Depth::Sixteen);
        screen.clear().unwrap();
        drop(screen);
        assert!(out.is_empty());
    }
}
