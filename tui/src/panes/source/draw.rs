//! Draws the rows of the source pane.

use gray1_debugger::Event;
use gray1_isa::source_map::SourceLine;
use gray1_isa::{Image, RomIndex};
use gray1_language::{Lexer, TokenKind};
use gray1_session::{RunState, Snapshot, instructions};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::listing::{ListingRow, RowContents, SourcePlace};
use super::{Context, SourcePane, machine_row};
use crate::theme::Theme;
use crate::{text, widgets};

/// The minimum width for instruction words next to indexes, without and with line numbers.
const WORDS_FROM: u16 = 44;
const NUMBERED_WORDS_FROM: u16 = 64;
/// Marks the line that is executed next.
const NEXT: &str = " next";
/// The width of a line number.
const NUMBER: usize = 4;

/// The widths of a count, of a share, and of the margin that shows both.
const COUNT: usize = "99.9k".len();
const SHARE: usize = "100.0%".len();
const MARGIN: usize = COUNT + SHARE + 2;

impl SourcePane {
    /// Draws the rows around the cursor.
    pub(super) fn draw_rows(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let here = self.here(context.snapshot);
        let rows = self.rows(&here);
        let (cursor, machine) = (self.cursor_row(&rows, &here), machine_row(&rows, &here));
        let first = self.first(&rows, &here, area.height);
        let marks = marks(&self.program.image, context.snapshot);
        for ((n, row), y) in rows.iter().enumerate().skip(first).zip(area.y..area.bottom()) {
            let area = Rect { y, height: 1, ..area };
            let is_current = n == machine && row.contains(&here);
            let margin = self.margin(row, is_current, context);
            let line = self.line(row, is_current, &marks, margin, area.width, context.theme);
            widgets::draw_lines([line], context.theme, area, buffer);
            if is_current {
                buffer.set_style(area, context.theme.current_line());
                if context.snapshot.run_state != RunState::Halted {
                    let x = area.right().saturating_sub(NEXT.len() as u16);
                    buffer.set_string(x, y, NEXT, context.theme.key());
                }
            }
            if n == cursor && self.pinned.is_some() {
                buffer.set_style(area, Theme::SELECTED);
            }
        }
    }

    fn line(
        &self,
        row: &ListingRow,
        is_current: bool,
        marks: &[(SourcePlace, bool)],
        margin: Option<Span<'static>>,
        width: u16,
        theme: Theme,
    ) -> Line<'static> {
        let image = &self.program.image;
        let group = row.group();
        let is_unfolded = group.as_ref().is_some_and(|group| self.unfolded.contains(group));
        let arrow = if is_current { theme.arrow() } else { " " };
        let mark = mark(image, row, is_unfolded, marks);
        let fold = match group {
            Some(_) if is_unfolded => theme.unfolded(),
            Some(_) => theme.folded(),
            None => " ",
        };
        let is_numbered = !image.source_map().files().is_empty();
        let words_from = if is_numbered { NUMBERED_WORDS_FROM } else { WORDS_FROM }
            + margin.as_ref().map_or(0, |_| MARGIN as u16);
        let number = match row.kind {
            _ if !is_numbered => String::new(),
            RowContents::Line { place, .. } if row.path.is_empty() => {
                format!("{:>NUMBER$} ", place.line)
            }
            _ => " ".repeat(NUMBER + 1),
        };
        let mut spans = vec![
            Span::styled(arrow, theme.label()),
            Span::styled(mark.map_or(" ", |is_on| theme.break_mark(is_on)), theme.alert()),
            Span::styled(number, theme.line()),
            Span::styled(gutter(image, row, width >= words_from), theme.label()),
        ];
        spans.extend(margin);
        spans.push(Span::styled(format!(" {}{fold}", "  ".repeat(row.path.len())), theme.key()));
        let content = match row.kind {
            RowContents::Line { place, .. } => {
                source_line(image, place, !row.path.is_empty(), theme)
            }
            RowContents::Word(index) => word(image, index),
            RowContents::Gap => vec![Span::styled("erased", theme.label())],
        };
        let used: usize = spans.iter().map(Span::width).sum();
        let after = if is_current { NEXT.len() } else { 0 };
        let left = usize::from(width).saturating_sub(used + after);
        spans.extend(widgets::clip(content.into(), self.column, left, theme));
        Line::from(spans)
    }

    /// The execution count of a row and its share of the time, if the profile is shown. Blank while
    /// they are unknown.
    fn margin(
        &self,
        row: &ListingRow,
        is_current: bool,
        context: &Context,
    ) -> Option<Span<'static>> {
        let Context { snapshot, theme, .. } = context;
        let profile = snapshot.profile.as_ref()?;
        let Some(profile) = profile else {
            let is_stopped = snapshot.run_state.is_stopped();
            let note = if is_stopped && is_current { "counting" } else { "" };
            return Some(Span::styled(format!("{note:>MARGIN$}"), theme.label()));
        };
        Some(match self.listing.cost(row, profile) {
            None => Span::raw(" ".repeat(MARGIN)),
            Some((0, 0)) => Span::styled(format!("{:>MARGIN$}", "never"), theme.alert()),
            Some((times, executed)) => {
                let (times, share) = (text::format_count(times), profile.per_mille(executed));
                let share = format!("{}.{}%", share / 10, share % 10);
                Span::raw(format!(" {times:>COUNT$} {share:>SHARE$}"))
            }
        })
    }
}

/// Whether the breakpoint on a row is on. `None` if there is none. The breakpoint of an unfolded
/// group is on one of the rows inside the group.
fn mark(
    image: &Image,
    row: &ListingRow,
    is_unfolded: bool,
    marks: &[(SourcePlace, bool)],
) -> Option<bool> {
    let here = marks.iter().filter(|(spot, _)| !is_unfolded && row.covers(spot, image));
    here.map(|(_, is_on)| *is_on).max()
}

/// The places of the breakpoints on instructions, and whether each is on.
fn marks(image: &Image, snapshot: &Snapshot) -> Vec<(SourcePlace, bool)> {
    let breaks = snapshot.stops.breaks.list().iter();
    let marks = breaks.filter_map(|entry| match entry.condition()?.event() {
        Event::Reaches(indexes) => {
            Some((SourcePlace::new(image, indexes.iter().next()?), entry.enabled))
        }
        _ => None,
    });
    marks.collect()
}

/// The index and word of a row, or the number of words of a group.
fn gutter(image: &Image, row: &ListingRow, words: bool) -> String {
    let hexadecimal = |number: Option<u16>| number.map(|n| format!("{n:04x}")).unwrap_or_default();
    let index = hexadecimal(row.index().map(RomIndex::get));
    let word = match row.kind {
        RowContents::Line { code: Some(code), .. } if code.is_group() => format!("+{}", code.words),
        _ => hexadecimal(row.index().map(|index| image.word(index).bits())),
    };
    if words { format!("{index:4} {word:<5}") } else { format!("{index:4}") }
}

/// A word without a source line, as an instruction.
fn word(image: &Image, index: RomIndex) -> Vec<Span<'static>> {
    let label = image.names().label(index).map(|label| format!("{label}: "));
    let instruction = instructions::disassemble(image, index);
    vec![Span::styled(label.unwrap_or_default(), Theme::VALUE), Span::raw(instruction)]
}

/// The displayed form of a source line.
pub(super) fn line_text(image: &Image, place: SourceLine) -> String {
    let line = image.source_map().line(place).unwrap_or_default();
    text::printable(&line.replace('\t', "    "))
}

/// A source line with coloured tokens. `trimmed` removes the indentation, for lines inside an
/// unfolded call.
fn source_line(
    image: &Image,
    place: SourceLine,
    trimmed: bool,
    theme: Theme,
) -> Vec<Span<'static>> {
    let line = line_text(image, place);
    let line = if trimmed { line.trim_start() } else { &line };
    let mut spans = Vec::new();
    let mut end = 0;
    let mut tokens = Lexer::new(line).peekable();
    while let Some(token) = tokens.next() {
        let is_label = token.kind == TokenKind::Name && tokens.peek().is_some_and(|it| it.is(":"));
        let style = if is_label { Theme::VALUE } else { theme.token(token.kind, token.text) };
        spans.push(Span::raw(line[end..token.start].to_owned()));
        spans.push(Span::styled(token.text.to_owned(), style));
        end = token.end();
    }
    spans.push(Span::raw(line[end..].to_owned()));
    spans
}
