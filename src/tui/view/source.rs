//! The source of the program, or its words: the present line marked, index and word beside it.

use gray1_isa::Image;
use gray1_isa::source_map::Place;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::first_row;
use crate::tui::listing::{Code, Row, RowKind};
use crate::tui::source::SourceView;
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::{names, text};

/// From this width on the words stand beside the indexes.
const WORDS_FROM: u16 = 44;

/// Draws the rows around the cursor.
pub(super) fn draw(state: &State, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let view = &state.source;
    let image = &state.snapshot.program.image;
    let here = view.here(&state.snapshot);
    let rows = view.rows(&here);
    let (cursor, present) = (view.cursor(&rows, &here), SourceView::present(&rows, &here));
    let first = first_row(cursor, rows.len(), usize::from(place.height));
    for ((n, row), y) in rows.iter().enumerate().skip(first).zip(place.y..place.bottom()) {
        let area = Rect { y, height: 1, ..place };
        let is_present = n == present && row.holds(&here);
        line(view, image, row, is_present, place.width, theme).render(area, buffer);
        if is_present {
            buffer.set_style(area, theme.present());
        }
        if n == cursor && !view.follows() {
            buffer.set_style(area, Theme::SELECTED);
        }
    }
}

/// What stands in the frame: which file it is.
pub(super) fn title(state: &State) -> String {
    let map = state.snapshot.program.image.source_map();
    let here = state.source.here(&state.snapshot);
    let file = state.source.rows(&here).first().and_then(|row| match row.kind {
        RowKind::Line { place, .. } => map.files().get(usize::from(place.file)),
        RowKind::Word(_) | RowKind::Gap => None,
    });
    file.map_or_else(|| "program memory".to_owned(), |file| text::printable(&file.name))
}

fn line(
    view: &SourceView,
    image: &Image,
    row: &Row,
    is_present: bool,
    width: u16,
    theme: Theme,
) -> Line<'static> {
    let mark = if is_present { theme.arrow() } else { " " };
    let gutter = format!("{mark}{} ", gutter(image, row, width >= WORDS_FROM));
    let fold = match row.call() {
        Some(call) if view.is_unfolded(&call) => theme.unfolded(),
        Some(_) => theme.folded(),
        None => " ",
    };
    let fold = format!("{}{fold}", "  ".repeat(row.path.len()));
    let mut spans = vec![Span::styled(gutter, theme.label()), Span::styled(fold, theme.key())];
    spans.extend(match row.kind {
        RowKind::Line { place, .. } => source_line(image, place, !row.path.is_empty(), theme),
        RowKind::Word(index) => {
            let label = image.names().label(index).map(|label| format!("{label}: "));
            let words = names::instruction(image, image.word(index));
            vec![Span::styled(label.unwrap_or_default(), Theme::VALUE), Span::raw(words)]
        }
        RowKind::Gap => vec![Span::styled("erased", theme.label())],
    });
    Line::from(spans)
}

/// Index and word of what a row stands for; of a call, how many words it has.
fn gutter(image: &Image, row: &Row, words: bool) -> String {
    let word = if let RowKind::Line { code: Some(Code::Call { words, .. }), .. } = row.kind {
        format!("+{words}")
    } else {
        let word = row.index().map(|index| format!("{:04x}", image.word(index).bits()));
        word.unwrap_or_default()
    };
    let index = row.index();
    let index = index.map(|index| format!("{:04x}", index.get())).unwrap_or_default();
    if words { format!("{index:4} {word:<5}") } else { format!("{index:4}") }
}

/// A line of the source, its comment faint; without its own indent inside an unfolded call.
fn source_line(image: &Image, place: Place, trimmed: bool, theme: Theme) -> Vec<Span<'static>> {
    let line = image.source_map().line(place).unwrap_or_default();
    let line = text::printable(&line.replace('\t', "    "));
    let line = if trimmed { line.trim_start() } else { &line };
    let (code, comment) = gray1_language::split_comment(line);
    let comment = comment.unwrap_or_default();
    let label = code.find(':').filter(|at| !code[..*at].contains([' ', '"', '\'']));
    let (label, code) = code.split_at(label.map_or(0, |at| at + 1));
    vec![
        Span::styled(label.to_owned(), Theme::VALUE),
        Span::styled(code.to_owned(), Style::new()),
        Span::styled(comment.to_owned(), theme.label()),
    ]
}
