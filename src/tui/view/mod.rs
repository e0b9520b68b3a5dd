//! Draws the state. Nothing here changes anything.

mod breaks;
mod chips;
mod display;
mod layout;
mod machine;
mod memory;
mod output;
mod overlay;
mod panel;
mod panes;
mod source;
mod timeline;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Widget};

use super::arrangement::{Arrangement, View};
use super::player::{Reason, Status};
use super::state::{Overlay, State};
use super::text;
use super::theme::Theme;
use layout::{Board, Layout};
use panes::Pane;
pub(super) use timeline::moment_at;

/// Draws everything.
pub(super) fn draw(state: &State, theme: Theme, buffer: &mut Buffer) {
    let theme = theme.colored(state.colors, state.depth_max);
    let Some(places) = layout::arrange(buffer.area.as_size()) else {
        return too_small(buffer);
    };
    if state.views.focus == View::Display {
        watch(state, theme, places, buffer);
    } else {
        header(state, theme, places.panel.is_none(), places.header, buffer);
        for pane in panes::arrange(buffer.area.as_size(), state.views) {
            draw_pane(state, theme, pane, buffer);
        }
    }
    footer(state, theme, places.footer, buffer);
    for over in &state.overlays {
        match over {
            Overlay::Pager(pager) => overlay::pager(pager, theme, buffer),
            Overlay::Open(dialog) => overlay::open(dialog, theme, buffer),
            Overlay::Palette(palette) => overlay::palette(palette, theme, buffer),
            Overlay::Prompt(prompt) => overlay::prompt(prompt, theme, buffer),
        }
    }
}

/// The pane at this place of the screen. The display alone has none.
pub(super) fn pane_at(screen: Size, views: Arrangement, at: Position) -> Option<Pane> {
    layout::arrange(screen).filter(|_| views.focus != View::Display)?;
    panes::arrange(screen, views).into_iter().find(|pane| pane.area.contains(at))
}

/// The display as large as it goes, and what one wants to know while it runs.
fn watch(state: &State, theme: Theme, places: Layout, buffer: &mut Buffer) {
    let alone = places.panel.is_none();
    header(state, theme, alone, places.header, buffer);
    display::draw(&state.snapshot, theme, places.board, alone, buffer);
    if let Some(place) = places.panel {
        panel::draw(state, theme, place, buffer);
    }
}

/// A view in its frame, which says whether it has the keys.
fn draw_pane(state: &State, theme: Theme, Pane { view, area }: Pane, buffer: &mut Buffer) {
    if view == View::Display {
        let board = Board::small(area);
        return display::draw(&state.snapshot, theme, board, true, buffer);
    }
    let has_keys = state.views.focus == view;
    let mut title = vec![Span::styled(format!(" {} ", view.name()), theme.pane_title(has_keys))];
    if view == View::Source {
        title.push(Span::styled(format!(" {} ", source::title(state)), theme.label()));
    }
    let block = Block::bordered()
        .border_set(theme.border())
        .border_style(theme.pane_line(has_keys))
        .title(Line::from(title));
    let inside = block.inner(area);
    block.render(area, buffer);
    match view {
        View::Display => {}
        View::Source => source::draw(state, theme, inside, buffer),
        View::Machine => machine::draw(&state.snapshot, theme, inside, buffer),
        View::Memory => memory::draw(state, theme, inside, buffer),
        View::Board => chips::draw(state, theme, inside, buffer),
        View::Output => output::draw(&state.snapshot.output, theme, inside, buffer),
        View::Timeline => timeline::draw(&state.snapshot, theme, inside, buffer),
        View::Breaks => breaks::draw(state, theme, inside, buffer),
    }
}

/// Says what is missing.
fn too_small(buffer: &mut Buffer) {
    let (is, needs) = (buffer.area, layout::SCREEN_MIN);
    let message = format!("needs {needs}, this is {}", is.as_size());
    let lines = text::wrap(&message, usize::from(is.width));
    let top = is.height.saturating_sub(lines.len() as u16) / 2;
    for (line, y) in lines.iter().zip(top..is.height) {
        let x = (is.width - (line.trim_end().len() as u16).min(is.width)) / 2;
        buffer.set_stringn(x, y, line, usize::from(is.width), ratatui::style::Style::new());
    }
}

/// What the last instruction did, and the breaks that are met here.
fn why(reason: &Reason, theme: Theme) -> [Span<'static>; 2] {
    let met = if reason.met.is_empty() {
        Span::raw("  ")
    } else {
        Span::styled(
            format!("  break {}: ", text::printable(&reason.met.join(", "))),
            theme.alert(),
        )
    };
    [met, Span::styled(text::printable(&reason.text), theme.label())]
}

/// The program and what it does, and why it stands where it does; with `alone`, also what the panel
/// would say first.
fn header(state: &State, theme: Theme, alone: bool, place: Rect, buffer: &mut Buffer) {
    let (snapshot, watching) = (&state.snapshot, state.views.focus == View::Display);
    let margin = u16::from(!alone);
    let status = status_word(snapshot.status);
    let x = place.right() - margin - status.len() as u16;
    buffer.set_string(x, place.y, status, theme.status(snapshot.status));

    let name = Span::styled(text::printable(&snapshot.program.name), Theme::VALUE);
    let n = snapshot
        .variable("N")
        .map(|n| [Span::styled("  N ", theme.label()), Span::styled(n.to_string(), Theme::VALUE)]);
    let rest = match &snapshot.reason {
        Some(reason) if !reason.met.is_empty() || !watching => Some(why(reason, theme)),
        _ if alone => n,
        _ => {
            let title = snapshot.program.image.title().map(text::printable);
            title.map(|title| [Span::raw("  "), Span::styled(title, theme.label())])
        }
    };
    let left = std::iter::once(name).chain(rest.into_iter().flatten()).collect::<Line>();
    left.render(Rect { x: margin, width: x - margin - 1, ..place }, buffer);
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::Paused => "paused",
        Status::Seeking => "seeking",
        Status::Searching => "searching",
        Status::Halted => "halted",
    }
}

/// A remark if there is one, else the keys that fit.
fn footer(state: &State, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let line = match &state.note {
        Some(note) => Line::styled(format!(" {note}"), theme.alert()),
        None if state.snapshot.remark.is_some() => {
            let remark = state.snapshot.remark.unwrap_or_default();
            Line::styled(format!(" {remark}"), theme.alert())
        }
        None => keys(state, theme, usize::from(place.width)),
    };
    line.render(place, buffer);
}

/// The keys of this mode, the most important ones first, as far as the width goes. Those of buttons
/// that are held stand out.
fn keys(state: &State, theme: Theme, width: usize) -> Line<'static> {
    let mut spans = Vec::new();
    let mut used = 0;
    for rows in state.offered().chunk_by(|a, b| a.label == b.label) {
        let keys: Vec<String> = rows.iter().map(|row| row.keys[0].name()).collect();
        let label = state.label(rows[0]);
        let columns = " ".len() + keys.join("/").len() + " ".len() + label.len();
        if used + columns > width {
            break;
        }
        used += columns + " ".len();
        let mut between = " ";
        for (row, key) in rows.iter().zip(keys) {
            let held = row.action.button().is_some_and(|it| state.snapshot.buttons.0 & it.0 != 0);
            let style = if held { Theme::SELECTED } else { theme.key() };
            spans.extend([Span::raw(between), Span::styled(key, style)]);
            between = "/";
        }
        spans.push(Span::styled(format!(" {label} "), theme.label()));
    }
    Line::from(spans)
}

/// The first row of a long list to show: the page stays while the cursor is in its middle half.
fn first_row(cursor: usize, rows: usize, height: usize) -> usize {
    let half = (height / 2).max(1);
    let first = (cursor / half * half).saturating_sub(height / 4);
    first.min(rows.saturating_sub(height))
}

#[cfg(test)]
mod tests;
