//! A screen as characters with escape sequences for the colours, a line a row.

use ratatui::buffer::Buffer;

use super::THEME;
use crate::escape::sgr;

pub(super) fn encode(cells: &Buffer) -> String {
    let mut text = String::new();
    for row in cells.content().chunks(usize::from(cells.area.width).max(1)) {
        let mut style = String::new();
        for cell in row {
            let wanted = sgr(cell, THEME.depth);
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
