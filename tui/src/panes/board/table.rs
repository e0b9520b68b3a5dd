//! The table of the chip at the cursor: its cells around the one that it reads now.

use gray1_session::board::{Lookup, contents};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::view::BoardView;
use crate::theme::Theme;
use crate::{text, widgets};

/// Draws the table. A logic part has none.
pub(super) fn draw(view: &BoardView, area: Rect, buffer: &mut Buffer) {
    let (theme, chip) = (view.theme, view.levels.board.chip(view.chip));
    let contents = contents(view.snapshot, view.levels, view.chip);
    let Some(lookup) = Lookup::new(view.levels, chip, &contents, None) else { return };
    Clear.render(area, buffer);
    let wrap = |sentence: &str, style| {
        let lines = text::wrap(&text::printable(sentence), area.width.max(1).into());
        lines.into_iter().map(move |line| Line::styled(line, style))
    };
    let reading = format!("{}: {}", chip.name(), lookup.sentence().unwrap_or_default());
    let mut lines: Vec<Line> = wrap(&reading, Theme::VALUE).collect();
    let mut below = Vec::new();
    if !lookup.others.is_empty() {
        below.extend(wrap(&format!("other wires: {}", lookup.others), theme.label()));
    }
    below.extend(wrap(&lookup.remark, theme.label()));
    lines.push(head(&lookup, theme));
    let room = usize::from(area.height).saturating_sub(lines.len() + below.len()).max(1);
    let present = lookup.present.map_or(0, |at| at / lookup.columns.labels.len());
    let first = widgets::first_line(present, lookup.rows.labels.len(), room);
    lines.extend(rows(&lookup, theme).skip(first).take(room));
    widgets::draw_lines(lines.into_iter().chain(below), theme, area, buffer);
}

/// The width of a column: that of its label or of its widest cell.
fn width(lookup: &Lookup, column: usize) -> usize {
    let cells = lookup.cells.iter().skip(column).step_by(lookup.columns.labels.len());
    let widest = cells.map(|cell| cell.text.len()).max().unwrap_or_default();
    widest.max(lookup.columns.labels[column].len())
}

fn label_width(lookup: &Lookup) -> usize {
    lookup.rows.labels.iter().map(String::len).max().unwrap_or_default()
}

/// The labels of the columns.
fn head(lookup: &Lookup, theme: Theme) -> Line<'static> {
    let labels = lookup.columns.labels.iter().enumerate();
    let labels = labels.map(|(n, label)| format!(" {label:<0$}", width(lookup, n)));
    Line::styled(" ".repeat(label_width(lookup)) + &labels.collect::<String>(), theme.label())
}

/// The rows, with the present cell marked.
fn rows(lookup: &Lookup, theme: Theme) -> impl Iterator<Item = Line<'static>> {
    let columns = lookup.columns.labels.len();
    lookup.rows.labels.iter().enumerate().map(move |(row, label)| {
        let label = format!("{label:<0$} ", label_width(lookup));
        let cells = (0..columns).flat_map(|column| {
            let index = row * columns + column;
            let is_present = lookup.present == Some(index);
            let style = if is_present { Theme::SELECTED } else { Theme::VALUE };
            let (text, width) = (&lookup.cells[index].text, width(lookup, column));
            [Span::styled(format!("{text:<width$}"), style), Span::raw(" ")]
        });
        std::iter::once(Span::styled(label, theme.label())).chain(cells).collect()
    })
}
