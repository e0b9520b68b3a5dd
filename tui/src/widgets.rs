//! Widgets shared by panes and overlays: lines of text in an area.

use gray1_session::Snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Widget};

use crate::text;
use crate::theme::Theme;

/// Draws as many lines as fit, from the top of an area. A line that is too long ends in an
/// ellipsis.
pub(crate) fn draw_lines<'a>(
    lines: impl IntoIterator<Item = Line<'a>>,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    for (line, row) in lines.into_iter().zip(area.rows()) {
        clip(line, 0, row.width.into(), theme).render(row, buffer);
    }
}

/// Draws an explanation in as many lines as fit.
pub(crate) fn draw_text(text: &str, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let lines = text::wrap(text, usize::from(area.width)).into_iter();
    draw_lines(lines.map(|line| Line::styled(line, theme.label())), theme, area, buffer);
}

/// Draws a list of lines from line `first` on, the selected one reversed.
pub(crate) fn draw_list<'a>(
    list: impl IntoIterator<Item = Line<'a>>,
    (first, selected): (usize, usize),
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    draw_lines(list.into_iter().skip(first), theme, area, buffer);
    let row = selected.saturating_sub(first) as u16;
    if row < area.height {
        let selected = Rect { y: area.y + row, height: 1, ..area };
        buffer.set_style(selected, Theme::SELECTED);
    }
}

/// A label and a value.
pub(crate) fn entry(label: impl Into<String>, value: String, theme: Theme) -> Line<'static> {
    let label = Span::styled(label.into(), theme.label());
    Line::from(vec![label, Span::styled(value, Theme::VALUE)])
}

/// The values that the program declares, with their captions.
pub(crate) fn values(snapshot: &Snapshot, theme: Theme) -> impl Iterator<Item = Line<'static>> {
    let values = &snapshot.program.image.presentation().values;
    values.iter().map(move |value| {
        let byte = snapshot.cpu.ram[value.address.to_usize()];
        entry(format!("{} ", value.caption), byte.to_string(), theme)
    })
}

/// Puts items next to each other with gaps, on as many lines as necessary.
pub(crate) fn flow(
    items: impl IntoIterator<Item = Line<'static>>,
    gap: &'static str,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.width() + gap.len() + item.width() <= width => {
                line.push_span(gap);
                line.extend(item);
            }
            _ => lines.push(item),
        }
    }
    lines
}

/// The part of a line in `width` columns, from a column on, with a mark at an end where it
/// continues.
pub(crate) fn clip(line: Line<'_>, from: usize, width: usize, theme: Theme) -> Line<'_> {
    // Spaces at the end need not be shown.
    let length = Span::raw(line.to_string().trim_end()).width().saturating_sub(from);
    if from == 0 && length <= width {
        return line;
    }
    let more = if length > width && width > 0 { theme.ellipsis() } else { "" };
    let more = Span::styled(more, theme.label());
    let end = from + width.saturating_sub(more.width());
    let mut columns = 0;
    let visible = line.styled_graphemes(Style::new()).filter(|it| {
        let start = columns;
        columns += Span::raw(it.symbol).width();
        start >= from && columns <= end
    });
    let shown = visible.map(|it| Span::styled(it.symbol.to_owned(), it.style));
    shown.chain([more]).collect()
}

/// Clips a title to the width that the frame of an area has for it.
pub(crate) fn clip_title(title: Line<'_>, theme: Theme, area: Rect) -> Line<'_> {
    clip(title, 0, area.width.saturating_sub(2).into(), theme)
}

/// Draws a frame. Returns the area inside it.
pub(crate) fn draw_frame(block: Block, theme: Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    let block = block.border_set(theme.border());
    let inside = block.inner(area);
    block.render(area, buffer);
    inside
}

/// The first visible line of a long list. The list does not scroll while the cursor stays in the
/// middle third of the visible lines.
pub(crate) fn first_line(cursor: usize, lines: usize, height: usize) -> usize {
    let third = (height / 3).max(1);
    let first = (cursor / third * third).saturating_sub(height / 3);
    first.min(lines.saturating_sub(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clipped_line_is_marked_if_it_continues() {
        let theme = Theme::PICTURE;
        let clip = |from, width| {
            let line = Line::from(vec![Span::raw("start: "), Span::raw("LDI 1")]);
            super::clip(line, from, width, theme).to_string()
        };
        for (from, width, expected) in [
            (0, 12, "start: LDI 1"),
            (0, 11, "start: LDI…"),
            (2, 5, "art:…"),
            (9, 9, "I 1"),
            (20, 5, ""),
            (0, 1, "…"),
            (0, 0, ""),
        ] {
            assert_eq!(clip(from, width), expected, "{from} {width}");
        }
    }

    #[test]
    fn the_selected_line_is_marked_if_visible() {
        for (selected, marked) in [(2, Some(1)), (3, Some(2)), (4, None)] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 4));
            let lines = ["a", "b", "c", "d", "e"].map(Line::raw);
            draw_list(lines, (2, selected), Theme::PICTURE, Rect::new(0, 1, 4, 2), &mut buffer);
            let is_marked =
                |y: &u16| buffer[(0, *y)].style().add_modifier == Theme::SELECTED.add_modifier;
            assert_eq!((0..4).find(is_marked), marked, "{selected}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_ends_in_an_ellipsis() {
        for (unicode, width, expected) in [
            (true, 12, "break: PCL.0"),
            (true, 11, "break: PCL…"),
            (true, 1, "…"),
            (false, 11, "break: P..."),
        ] {
            let theme = Theme { unicode, ..Theme::PICTURE };
            let line = Line::from(vec![Span::styled("break: ", theme.alert()), "PCL.0".into()]);
            let line = clip(line, 0, width, theme);
            let style = if width == 1 { theme.label() } else { theme.alert() };
            assert_eq!((line.to_string().as_str(), line.spans[0].style), (expected, style));
        }
    }

    #[test]
    fn characters_of_two_columns_count_twice() {
        for (from, width, expected) in
            [(0, 8, "; 日本語"), (0, 7, "; 日本…"), (2, 4, "日…"), (3, 5, "本語")]
        {
            let line = clip(Line::raw("; 日本語"), from, width, Theme::PICTURE);
            assert_eq!(line.to_string(), expected, "{from} {width}");
        }
    }

    #[test]
    fn the_cursor_stays_visible_with_few_scrolls() {
        for height in 1..60 {
            for lines in [1, 5, 30, 500] {
                let firsts: Vec<usize> = (0..lines).map(|c| first_line(c, lines, height)).collect();
                for (cursor, first) in firsts.iter().enumerate() {
                    assert!((*first..first + height).contains(&cursor), "{cursor} {height}");
                }
                let moves = firsts.windows(2).filter(|pair| pair[0] != pair[1]).count();
                assert!(moves <= lines / (height / 3).max(1) + 1);
            }
        }
    }
}
