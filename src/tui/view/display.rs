//! The LED display, as large as there is room for.

use gray1_isa::panel::{Buttons, Led, SIDE};
use ratatui::buffer::Buffer;
use ratatui::widgets::{Block, Widget};

use super::layout::Board;
use crate::tui::player::Snapshot;
use crate::tui::theme::Theme;

/// Draws the display in its frame. With `alone`, the frame also says the pace, or which buttons are
/// held.
pub(super) fn draw(
    snapshot: &Snapshot,
    theme: Theme,
    board: Board,
    alone: bool,
    buffer: &mut Buffer,
) {
    frame(theme, board, buffer);
    if alone {
        let buttons = snapshot.buttons;
        let words =
            if buttons == Buttons::NONE { snapshot.pace.short() } else { buttons.to_string() };
        let words = format!("{words:.width$}", width = usize::from(board.area.width) - 2);
        let x = board.area.x + (board.area.width - words.len() as u16) / 2;
        buffer.set_string(x, board.area.bottom() - 1, words, theme.label());
    }
    let display = snapshot.display();
    for row in 0..SIDE {
        for column in 0..SIDE {
            square(display.led(row, column), theme, board, (row, column), buffer);
        }
    }
}

/// Lines around the board, with the numbers of rows and columns in them.
fn frame(theme: Theme, board: Board, buffer: &mut Buffer) {
    Block::bordered()
        .border_set(theme.border())
        .border_style(theme.line())
        .render(board.area, buffer);
    let (dx, dy) = board.letter();
    for n in 0..SIDE as u16 {
        let number = (n + 1).to_string();
        let (row, column) = (board.square(n, 0), board.square(0, n));
        buffer.set_string(column.x + dx, board.area.y, &number, theme.label());
        buffer.set_string(board.area.x, row.y + dy, &number, theme.label());
    }
}

fn square(
    led: Led,
    theme: Theme,
    board: Board,
    (row, column): (usize, usize),
    buffer: &mut Buffer,
) {
    let style = theme.led(led, (row + column) % 2 == 1);
    let place = board.square(row as u16, column as u16);
    buffer.set_style(place, style);
    let (dx, dy) = board.letter();
    buffer.set_string(place.x + dx, place.y + dy, letter(led), style);
}

/// What a square shows to those who see no colours.
fn letter(led: Led) -> &'static str {
    match led {
        Led::Dark => ".",
        Led::Green => "G",
        Led::Red => "R",
        Led::Yellow => "Y",
    }
}
