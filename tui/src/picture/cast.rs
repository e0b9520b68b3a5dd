//! Screens as an animation for asciinema: asciicast v2, with a JSON header and a JSON array for
//! each event.

use std::fmt::Write as _;
use std::time::Duration;

use ratatui::buffer::Buffer;
use serde_json::json;

use crate::escape::write_cells;
use crate::theme::Theme;

/// The first line of the file.
pub(super) fn header(cells: &Buffer) -> String {
    let (width, height) = (cells.area.width, cells.area.height);
    format!("{}\n", json!({ "version": 2, "width": width, "height": height }))
}

/// Adds an event that changes one screen into another.
pub(super) fn push(text: &mut String, at: Duration, before: &Buffer, after: &Buffer) {
    let mut changes = String::new();
    write_cells(&mut changes, before.diff(after).into_iter(), Theme::PICTURE.depth);
    let event = json!([at.as_secs_f64(), "o", changes]);
    writeln!(text, "{event}").expect("a String takes all");
}
