//! The display pane: the LEDs, in front as large as there is room for, with pace, registers and
//! output beside them.

mod caption;
pub(crate) mod layout;
mod panel;

use gray1_isa::panel::{Buttons, Led, SIDE};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Block;

use super::{Context, Pane};
use crate::theme::Theme;
use crate::widgets;
use layout::Matrix;
pub(crate) use layout::SIZE_MIN;

/// The pane.
pub(crate) struct Display;

impl Pane for Display {
    fn name(&self) -> &'static str {
        "display"
    }

    fn title(&self) -> &'static str {
        "view: the display, to watch"
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        if !context.is_in_front {
            return draw(context, Matrix::small(area), true, buffer);
        }
        let (matrix, panel) = layout::arrange(area);
        draw(context, matrix, panel.is_none(), buffer);
        if let Some(area) = panel {
            panel::draw(context, area, buffer);
        }
    }

    fn is_framed(&self) -> bool {
        false
    }
}

/// Whether a display in front has room for words beside its LEDs.
pub(crate) fn has_panel(area: Rect) -> bool {
    layout::arrange(area).1.is_some()
}

/// Draws the LEDs in their frame. With `alone`, the frame also says the pace, or which buttons are
/// held.
fn draw(context: &Context, matrix: Matrix, alone: bool, buffer: &mut Buffer) {
    let Context { snapshot, theme, .. } = *context;
    frame(theme, matrix, buffer);
    if alone {
        let buttons = snapshot.buttons;
        let words =
            if buttons == Buttons::NONE { snapshot.pace.short() } else { buttons.to_string() };
        let words = format!("{words:.width$}", width = usize::from(matrix.area.width) - 2);
        let x = matrix.area.x + (matrix.area.width - words.len() as u16) / 2;
        buffer.set_string(x, matrix.area.bottom() - 1, words, theme.label());
    }
    let display = snapshot.display();
    for row in 0..SIDE {
        for column in 0..SIDE {
            square(display.led(row, column), theme, matrix, (row, column), buffer);
        }
    }
}

/// Lines around the matrix, with the numbers of rows and columns in them.
fn frame(theme: Theme, matrix: Matrix, buffer: &mut Buffer) {
    widgets::frame(Block::bordered().border_style(theme.line()), theme, matrix.area, buffer);
    let (dx, dy) = matrix.letter();
    for n in 0..SIDE as u16 {
        let number = (n + 1).to_string();
        let (row, column) = (matrix.square(n, 0), matrix.square(0, n));
        buffer.set_string(column.x + dx, matrix.area.y, &number, theme.label());
        buffer.set_string(matrix.area.x, row.y + dy, &number, theme.label());
    }
}

fn square(
    led: Led,
    theme: Theme,
    matrix: Matrix,
    (row, column): (usize, usize),
    buffer: &mut Buffer,
) {
    let style = theme.led(led, (row + column) % 2 == 1);
    let area = matrix.square(row as u16, column as u16);
    buffer.set_style(area, style);
    let (dx, dy) = matrix.letter();
    buffer.set_string(area.x + dx, area.y + dy, Theme::letter(led), style);
}
