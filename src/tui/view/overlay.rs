//! What lies over the machine: a text to read, the dialog that opens a program, the list of
//! actions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::actions::Binding;
use crate::tui::chooser::Chooser;
use crate::tui::open::OpenDialog;
use crate::tui::pager::{self, Pager};
use crate::tui::palette::Palette;
use crate::tui::prompt::Prompt;
use crate::tui::text;
use crate::tui::theme::Theme;

/// Draws a text with as many of its lines as there is room for.
pub(super) fn pager(pager: &Pager, theme: Theme, buffer: &mut Buffer) {
    let screen = buffer.area.as_size();
    let area = pager.area(screen);
    let inside = window(&pager.title, theme, area, buffer);
    let (lines, first) = (pager.lines(usize::from(inside.width)), pager.first_line(screen));
    let rest = lines.len() - first;
    for (line, y) in lines.into_iter().skip(first).zip(inside.y..inside.bottom()) {
        Line::raw(line).render(Rect { y, height: 1, ..inside }, buffer);
    }
    let more = |there_is| if there_is { "more" } else { "" };
    hint(more(first > 0), area.y, theme, area, buffer);
    hint(more(rest > usize::from(inside.height)), area.bottom() - 1, theme, area, buffer);
}

/// Draws a question: the line that is typed, what is wrong with it or what could be answered.
pub(super) fn prompt(prompt: &Prompt, theme: Theme, buffer: &mut Buffer) {
    let examples = prompt.examples();
    let area = pager::centered(buffer.area.as_size(), 64, examples.len() as u16 + 4);
    let inside = window(prompt.title(), theme, area, buffer);
    input(&prompt.chooser, "", theme, inside, buffer);
    let list = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    let lines = match &prompt.problem {
        Some(problem) => text::wrap(problem, usize::from(list.width)),
        None => examples.iter().map(|&example| example.to_owned()).collect(),
    };
    let style = if prompt.problem.is_some() { theme.alert() } else { theme.label() };
    for (line, y) in lines.into_iter().zip(list.y..list.bottom()) {
        Line::styled(line, style).render(Rect { y, height: 1, ..list }, buffer);
    }
}

/// Draws the dialog: the line that is typed, the programs that match.
pub(super) fn open(dialog: &OpenDialog, theme: Theme, buffer: &mut Buffer) {
    let screen = buffer.area.as_size();
    let matches = dialog.matches();
    let height = u16::try_from(dialog.programs_count() + 4).unwrap_or(u16::MAX).max(6);
    let area = pager::centered(screen, 64, height);
    let inside = window("open a program", theme, area, buffer);
    input(&dialog.chooser, "type a name or a path", theme, inside, buffer);
    let list = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    if matches.is_empty() {
        let is_path = dialog.chooser.typed().contains(['/', '.']);
        let words = if is_path { "enter opens this file" } else { "no program is called so" };
        return nothing_matches(words, theme, list, buffer);
    }
    let names = matches.iter().map(|program| text::printable(&program.name));
    let names: Vec<String> = names.collect();
    let name_width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let first = (dialog.selected() + 1).saturating_sub(usize::from(list.height));
    let rows = names.iter().zip(&matches).enumerate().skip(first);
    for ((n, (name, program)), y) in rows.zip(list.y..list.bottom()) {
        let row = Rect { y, height: 1, ..list };
        let title = format!("  {}", text::printable(&program.title));
        let name = Span::styled(format!("{name:<name_width$}"), Theme::VALUE);
        Line::from(vec![name, Span::styled(title, theme.label())]).render(row, buffer);
        if n == dialog.selected() {
            buffer.set_style(row, Theme::SELECTED);
        }
    }
}

/// Draws the list of actions: keys and titles, under headings where they stand in groups.
pub(super) fn palette(palette: &Palette, theme: Theme, buffer: &mut Buffer) {
    let area = pager::centered(buffer.area.as_size(), 64, u16::MAX);
    let inside = window(palette.title(), theme, area, buffer);
    input(&palette.chooser, "type a word or a key", theme, inside, buffer);
    let list = Rect { y: inside.y + 2, height: inside.height.saturating_sub(2), ..inside };
    let rows = palette.matches();
    if rows.is_empty() {
        return nothing_matches("nothing is called so", theme, list, buffer);
    }
    let (lines, selected) = palette_lines(palette, &rows, theme);
    let first = (selected + 1).saturating_sub(usize::from(list.height));
    for ((n, line), y) in lines.into_iter().enumerate().skip(first).zip(list.y..list.bottom()) {
        let row = Rect { y, height: 1, ..list };
        line.render(row, buffer);
        if n == selected {
            buffer.set_style(row, Theme::SELECTED);
        }
    }
}

/// The lines of the list, headings among them, and which of them is selected.
fn palette_lines(
    palette: &Palette,
    rows: &[&Binding],
    theme: Theme,
) -> (Vec<Line<'static>>, usize) {
    let (mut lines, mut selected) = (Vec::new(), 0);
    for (n, row) in rows.iter().enumerate() {
        if let Some(group) = palette.heading(rows, n) {
            lines.extend((n > 0).then(Line::default));
            lines.push(Line::styled(group.title(), theme.label()));
        }
        if n == palette.chooser.selected(rows.len()) {
            selected = lines.len();
        }
        let keys = row.keys.iter().map(|key| key.name()).collect::<Vec<_>>().join(" ");
        lines.push(Line::from(vec![
            Span::styled(format!("{keys:<8} "), theme.key()),
            Span::raw(row.title),
        ]));
    }
    (lines, selected)
}

fn nothing_matches(words: &str, theme: Theme, place: Rect, buffer: &mut Buffer) {
    for (line, y) in text::wrap(words, usize::from(place.width)).iter().zip(place.y..place.bottom())
    {
        Line::styled(line.as_str(), theme.label()).render(Rect { y, height: 1, ..place }, buffer);
    }
}

/// The line that is typed, scrolled so that its cursor is in sight.
fn input(chooser: &Chooser, empty: &str, theme: Theme, inside: Rect, buffer: &mut Buffer) {
    let place = Rect { height: inside.height.min(1), ..inside };
    let prompt = "> ";
    buffer.set_string(place.x, place.y, prompt, theme.key());
    let width = usize::from(place.width).saturating_sub(prompt.len() + 1);
    let value = &chooser.input;
    let x = place.x + prompt.len() as u16;
    if value.value().is_empty() {
        buffer.set_stringn(x + 1, place.y, empty, width, theme.label());
    }
    let scroll = value.visual_scroll(width);
    let visible: String = value.value().chars().skip(scroll).collect();
    buffer.set_stringn(x, place.y, text::printable(&visible), width, Style::new());
    let cursor = x + (value.visual_cursor().max(scroll) - scroll) as u16;
    if cursor < place.right() {
        buffer.set_style(Rect::new(cursor, place.y, 1, 1), Theme::SELECTED);
    }
}

/// An empty box with a title; gives back what is inside.
fn window(title: &str, theme: Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    Clear.render(area, buffer);
    let title = Line::styled(format!(" {} ", text::printable(title)), Theme::VALUE);
    let block =
        Block::bordered().border_set(theme.border()).border_style(theme.line()).title(title);
    let inside = block.inner(area);
    block.render(area, buffer);
    let margin = u16::from(inside.width > 2);
    Rect { x: inside.x + margin, width: inside.width - 2 * margin, ..inside }
}

/// A word in the frame, on the right.
fn hint(word: &str, y: u16, theme: Theme, area: Rect, buffer: &mut Buffer) {
    if !word.is_empty() && usize::from(area.width) > word.len() + 4 {
        let word = format!(" {word} ");
        buffer.set_string(area.right() - 1 - word.len() as u16, y, &word, theme.label());
    }
}
