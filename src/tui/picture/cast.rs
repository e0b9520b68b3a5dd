//! Screens as an animation for asciinema: asciicast v2, a JSON header and a JSON array an event.

use std::fmt::Write as _;

use ratatui::backend::Backend as _;
use ratatui::buffer::Buffer;
use serde_json::json;

use crate::tui::screen::Screen;
use crate::tui::screenshot::{Screenshot, THEME};

pub(super) fn encode(screens: &[Screenshot]) -> String {
    let Some(first) = screens.first() else { return String::new() };
    let area = first.cells.area;
    let header = json!({ "version": 2, "width": area.width, "height": area.height });
    let mut text = format!("{header}\n");
    let mut before = Buffer::empty(area);
    for Screenshot { at, cells } in screens {
        let event = json!([at.as_secs_f64(), "o", changes(&before, cells)]);
        writeln!(text, "{event}").expect("a String takes all");
        before.clone_from(cells);
    }
    text
}

/// The sequences that make one screen of another.
fn changes(before: &Buffer, after: &Buffer) -> String {
    let mut bytes = Vec::new();
    let mut screen = Screen::new(&mut bytes, THEME.depth);
    screen
        .draw(before.diff(after).into_iter())
        .and_then(|()| screen.flush())
        .expect("memory takes all");
    String::from_utf8_lossy(&bytes).into_owned()
}
