//! A screen as characters with escape sequences for the colours, one line for each row.

use ratatui::buffer::Buffer;

use crate::escape::sgr;
use crate::theme::Theme;

pub(super) fn encode(cells: &Buffer) -> String {
    let mut text = String::new();
    for row in cells.content().chunks(usize::from(cells.area.width).max(1)) {
        let mut style = String::new();
        for cell in row {
            let wanted = sgr(cell, Theme::PICTURE.depth);
            if style != wanted {
                text.push_str(&wanted);
                style = wanted;
            }
            text.push_str(cell.symbol());
        }
        text.push_str("\x1b[m\n");
    }
    text
}
