//! What the program printed: its last lines, in columns where they are short.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::player::Output;
use crate::tui::text;
use crate::tui::theme::Theme;

/// Fills a place with the last lines.
pub(super) fn draw(output: &Output, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let (width, height) = (usize::from(place.width), usize::from(place.height));
    let mut lines = under_heading(output, theme, width, height);
    if lines.is_empty() {
        lines.push(Line::styled("nothing yet", theme.label()));
    }
    for (line, y) in lines.into_iter().zip(place.y..place.bottom()) {
        line.render(Rect { y, height: 1, ..place }, buffer);
    }
}

/// The last lines of the output under a heading, in columns where they are short.
pub(super) fn under_heading(
    output: &Output,
    theme: Theme,
    width: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    let lines: Vec<&str> = output.lines().collect();
    let Some(rows) = rows.checked_sub(1).filter(|rows| *rows > 0 && !lines.is_empty()) else {
        return Vec::new();
    };
    let count = output.finished();
    let unit = if count == 1 { "line" } else { "lines" };
    let heading = Line::styled(format!("output, {} {unit}", text::grouped(count)), theme.label());
    std::iter::once(heading).chain(columns(output, &lines, width, rows)).collect()
}

/// Lays lines out in rows of columns, read like a page; the last row ends with the newest line.
/// A line keeps its column while others follow it.
fn columns(output: &Output, lines: &[&str], width: usize, rows: usize) -> Vec<Line<'static>> {
    const GAP: usize = 2;
    let longest = lines.iter().map(|line| line.len()).max().unwrap_or_default().clamp(1, width);
    let columns = (width + GAP) / (longest + GAP);
    // The oldest line that is kept is this many lines from the first.
    let forgotten = output.forgotten();
    let skipped = (columns - forgotten % columns) % columns;
    let chunks: Vec<&[&str]> = lines[skipped.min(lines.len())..].chunks(columns).collect();
    let shown = &chunks[chunks.len().saturating_sub(rows)..];
    let cell = |line: &&str| format!("{line:<longest$.longest$}{:GAP$}", "");
    shown.iter().map(|row| Line::raw(row.iter().map(cell).collect::<String>())).collect()
}
