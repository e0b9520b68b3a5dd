//! A screen as its characters, without spaces at the ends of lines.

use ratatui::buffer::{Buffer, Cell};

pub(super) fn encode(cells: &Buffer) -> String {
    let mut text = String::new();
    for row in cells.content().chunks(usize::from(cells.area.width).max(1)) {
        text.extend(row.iter().map(Cell::symbol));
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}
