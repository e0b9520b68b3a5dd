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
    let widths = widths(&lookup);
    lines.push(head(&lookup, &widths, theme));
    let room = usize::from(area.height).saturating_sub(lines.len() + below.len()).max(1);
    let present = lookup.present.map_or(0, |at| at / lookup.columns.labels.len());
    let first = widgets::first_line(present, lookup.rows.labels.len(), room);
    lines.extend(rows(&lookup, &widths, theme).skip(first).take(room));
    widgets::draw_lines(lines.into_iter().chain(below), theme, area, buffer);
}

/// The widths of the columns. The first one has the labels of the rows.
fn widths(lookup: &Lookup) -> Vec<usize> {
    let labels = lookup.rows.labels.iter().map(String::len).max().unwrap_or_default();
    let columns = lookup.columns.labels.iter().enumerate().map(|(column, label)| {
        let cells = lookup.cells.iter().skip(column).step_by(lookup.columns.labels.len());
        cells.map(|cell| cell.text.len()).max().unwrap_or_default().max(label.len())
    });
    std::iter::once(labels).chain(columns).collect()
}

/// The labels of the columns.
fn head(lookup: &Lookup, widths: &[usize], theme: Theme) -> Line<'static> {
    let labels = lookup.columns.labels.iter().zip(&widths[1..]);
    let labels = labels.map(|(label, width)| format!(" {label:<width$}"));
    Line::styled(" ".repeat(widths[0]) + &labels.collect::<String>(), theme.label())
}

/// The rows, with the present cell marked.
fn rows(lookup: &Lookup, widths: &[usize], theme: Theme) -> impl Iterator<Item = Line<'static>> {
    let columns = lookup.columns.labels.len();
    lookup.rows.labels.iter().enumerate().map(move |(row, label)| {
        let label = format!("{label:<0$} ", widths[0]);
        let cells = (row * columns..).zip(&widths[1..]).flat_map(|(index, &width)| {
            let is_present = lookup.present == Some(index);
            let style = if is_present { Theme::SELECTED } else { Theme::VALUE };
            let text = &lookup.cells[index].text;
            [Span::styled(format!("{text:<width$}"), style), Span::raw(" ")]
        });
        std::iter::once(Span::styled(label, theme.label())).chain(cells).collect()
    })
}
