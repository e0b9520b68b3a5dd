//! Breaks with their hits, and watched expressions with their values.

use gray1_sim::debugger::Break;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::breaks::{self, Row};
use crate::tui::state::State;
use crate::tui::text;
use crate::tui::theme::Theme;

/// What to do with an empty list.
const EMPTY: [&str; 3] =
    ["no breaks and no watches", "b breaks here, B at anything else", "a watches an expression"];

/// Draws the list around the row that is selected.
pub(super) fn draw(state: &State, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let snapshot = &state.snapshot;
    let all = snapshot.breaks.list();
    let breaks = all.iter().enumerate().map(|(n, entry)| (Row::Break(n), of_break(entry, theme)));
    let watches = state.breaks.watches.iter().enumerate().map(|(n, watch)| {
        let value = breaks::value(watch, &snapshot.program.image, snapshot);
        let label = Span::styled("watch      ", theme.label());
        let value = Span::styled(text::printable(&value), Theme::VALUE);
        let line = vec![label, Span::raw(format!("{}  ", text::printable(watch))), value];
        (Row::Watch(n), Line::from(line))
    });
    let rows: Vec<(Row, Line)> = breaks.chain(watches).collect();
    if rows.is_empty() {
        for (words, y) in EMPTY.into_iter().zip(place.y..place.bottom()) {
            Line::styled(words, theme.label()).render(Rect { y, height: 1, ..place }, buffer);
        }
        return;
    }
    let selected = state.breaks.selected(snapshot);
    let cursor = rows.iter().position(|(row, _)| Some(*row) == selected).unwrap_or_default();
    let first = super::first_row(cursor, rows.len(), usize::from(place.height));
    for ((row, line), y) in rows.into_iter().skip(first).zip(place.y..place.bottom()) {
        let place = Rect { y, height: 1, ..place };
        line.render(place, buffer);
        if Some(row) == selected {
            buffer.set_style(place, Theme::SELECTED);
        }
    }
}

/// A break: whether it is on, how often it was met, what it is, and what is wrong with it.
fn of_break(entry: &Break, theme: Theme) -> Line<'static> {
    let state = match (&entry.condition, entry.enabled) {
        (Err(_), _) => "waits",
        (Ok(_), true) => "break",
        (Ok(_), false) => "off",
    };
    let mut spans = vec![
        Span::styled(format!("{state:<5} {:>4} ", entry.hits), theme.label()),
        Span::styled(text::printable(&entry.text), Theme::VALUE),
    ];
    if let Err(problem) = &entry.condition {
        let problem = text::printable(&problem.to_string());
        spans.push(Span::styled(format!("  {problem}"), theme.alert()));
    }
    Line::from(spans)
}
