//! The source pane: the source of the program, or its words, with the present line marked; macro
//! calls are folded until they are unfolded.

mod listing;

use std::collections::HashSet;
use std::sync::Arc;

use gray1_isa::source_map::Place;
use gray1_isa::{Image, RomIndex};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Context, Cursor, Offer, Pane, offers};
use crate::actions::Action::Call;
use crate::actions::{Binding, FOLLOW, Group, Move, Reply, bind, row};
use crate::key::{Code, Key};
use crate::session::{Command, Goal, Program, Snapshot};
use crate::theme::Theme;
use crate::widgets::{self, first_line};
use crate::{names, text};
use listing::{Code as Stands, Here, Listing, Path, Row, RowKind};

/// How far page up and page down go.
const PAGE: usize = 16;
/// From this width on the words stand beside the indexes.
const WORDS_FROM: u16 = 44;

/// The pane.
#[derive(Debug)]
pub(crate) struct Source {
    program: Arc<Program>,
    listing: Listing,
    unfolded: HashSet<Path>,
    /// The row that the cursor was put on; `None` while it follows the machine.
    put: Option<Row>,
}

const UNFOLD: &[Key] = &[Key::char('x'), Key::plain(Code::Enter)];

const KEYS: &[Binding<Source>] = &[
    bind(
        row(UNFOLD, Group::Source, "unfold", "unfold a macro call, or fold it"),
        Call(Source::toggle),
    ),
    bind(FOLLOW, Call(Source::follow)).when(|pane, _| !pane.follows()),
    bind(
        row(&[Key::char('u')], Group::Source, "", "unfold to the present instruction"),
        Call(Source::unfold_here),
    ),
    bind(row(&[Key::char('U')], Group::Source, "", "fold everything"), Call(Source::fold_all)),
    bind(
        row(&[Key::char('h')], Group::Source, "", "run to the cursor"),
        Call(|pane, snapshot| pane.to_cursor(snapshot, Command::Go)),
    ),
    bind(
        row(&[Key::char('H')], Group::Source, "", "run back to the cursor"),
        Call(|pane, snapshot| pane.to_cursor(snapshot, Command::GoBack)),
    ),
];

impl Pane for Source {
    fn name(&self) -> &'static str {
        "source"
    }

    fn title(&self) -> &'static str {
        "view: the source"
    }

    fn keys(&self, snapshot: &Snapshot) -> Vec<Offer> {
        offers(self, KEYS, snapshot)
    }

    fn act(&mut self, row: usize, snapshot: &Snapshot) -> Reply {
        KEYS[row].action.act(self, snapshot)
    }

    /// Shows this program's source. Of one that was assembled again the same calls stay unfolded,
    /// and the cursor stays on its line.
    fn see(&mut self, snapshot: &Snapshot) {
        if !Arc::ptr_eq(&self.program, &snapshot.program) {
            let before = std::mem::replace(self, Self::new(&snapshot.program));
            if before.program.name == self.program.name {
                (self.unfolded, self.put) = (before.unfolded, before.put);
            }
        }
    }

    fn moves(&self) -> &'static [Move] {
        Move::VERTICAL
    }

    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, _: Size) -> Reply {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let last = rows.len().saturating_sub(1);
        self.put = rows.get(to.along(self.place(&rows, &here), last, PAGE)).cloned();
        Reply::Done
    }

    fn cursor(&self, snapshot: &Snapshot) -> Cursor {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        Cursor::Code(rows.get(self.place(&rows, &here)).and_then(Row::index))
    }

    /// Which file it is.
    fn subtitle(&self, snapshot: &Snapshot) -> Option<String> {
        let map = self.program.image.source_map();
        let file = self.rows(&self.here(snapshot)).first().and_then(|row| match row.kind {
            RowKind::Line { place, .. } => map.files().get(usize::from(place.file)),
            RowKind::Word(_) | RowKind::Gap => None,
        });
        Some(file.map_or_else(|| "program memory".to_owned(), |file| text::printable(&file.name)))
    }

    /// The rows around the cursor.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let here = self.here(context.snapshot);
        let rows = self.rows(&here);
        let (cursor, present) = (self.place(&rows, &here), present(&rows, &here));
        let first = first_line(cursor, rows.len(), usize::from(area.height));
        let is_present = |n: usize, row: &Row| n == present && row.holds(&here);
        let line = |(n, row)| self.line(row, is_present(n, row), area.width, context.theme);
        widgets::lines(rows.iter().enumerate().skip(first).map(line), area, buffer);
        for ((n, row), y) in rows.iter().enumerate().skip(first).zip(area.y..area.bottom()) {
            let area = Rect { y, height: 1, ..area };
            if is_present(n, row) {
                buffer.set_style(area, context.theme.present());
            }
            if n == cursor && !self.follows() {
                buffer.set_style(area, Theme::SELECTED);
            }
        }
    }
}

impl Source {
    /// The pane of this program, everything folded.
    #[must_use]
    pub(crate) fn new(program: &Arc<Program>) -> Self {
        Self {
            program: Arc::clone(program),
            listing: Listing::of(&program.image),
            unfolded: HashSet::new(),
            put: None,
        }
    }

    /// Where the machine is.
    fn here(&self, snapshot: &Snapshot) -> Here {
        Here::of(&self.program.image, snapshot.cpu.pc)
    }

    fn rows(&self, here: &Here) -> Vec<Row> {
        self.listing.rows(&self.program.image, here, &self.unfolded)
    }

    /// The place of the cursor among the rows. If the row it was put on is not shown any more - a
    /// call was folded, another file is shown - it follows the machine.
    fn place(&self, rows: &[Row], here: &Here) -> usize {
        let put = self.put.as_ref().and_then(|put| rows.iter().position(|row| row.is_like(put)));
        put.unwrap_or_else(|| present(rows, here))
    }

    /// Whether the cursor follows the machine.
    fn follows(&self) -> bool {
        self.put.is_none()
    }

    fn follow(&mut self, _: &Snapshot) -> Reply {
        self.put = None;
        Reply::Done
    }

    fn to_cursor(&self, snapshot: &Snapshot, command: fn(Goal) -> Command) -> Reply {
        match self.cursor(snapshot) {
            Cursor::Code(Some(index)) => Reply::command(command(Goal::Instruction(index))),
            _ => Reply::Note("no instruction on this line"),
        }
    }

    /// Unfolds the macro call at the cursor, or folds it; inside an unfolded call, that one.
    fn toggle(&mut self, snapshot: &Snapshot) -> Reply {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let at_cursor = rows.get(self.place(&rows, &here));
        let own = at_cursor.and_then(Row::call);
        let around = at_cursor.map(|row| row.path.clone()).filter(|path| !path.is_empty());
        let Some(call) = own.clone().or(around) else {
            return Reply::Note("no macro call on this line");
        };
        if !self.unfolded.remove(&call) {
            self.unfolded.insert(call);
        } else if self.put.is_some() && own.is_none() {
            // The cursor's line is gone: it goes to that of the call.
            self.put = rows.iter().find(|row| row.call().as_ref() == Some(&call)).cloned();
        }
        Reply::Done
    }

    /// Unfolds every call around the present instruction.
    fn unfold_here(&mut self, snapshot: &Snapshot) -> Reply {
        let here = self.here(snapshot);
        loop {
            let rows = self.rows(&here);
            let row = rows.get(present(&rows, &here)).filter(|row| row.holds(&here));
            match row.and_then(Row::call) {
                Some(call) => self.unfolded.insert(call),
                None => return Reply::Done,
            };
        }
    }

    fn fold_all(&mut self, _: &Snapshot) -> Reply {
        self.unfolded.clear();
        Reply::Done
    }

    fn line(&self, row: &Row, is_present: bool, width: u16, theme: Theme) -> Line<'static> {
        let image = &self.program.image;
        let mark = if is_present { theme.arrow() } else { " " };
        let gutter = format!("{mark}{} ", gutter(image, row, width >= WORDS_FROM));
        let fold = match row.call() {
            Some(call) if self.unfolded.contains(&call) => theme.unfolded(),
            Some(_) => theme.folded(),
            None => " ",
        };
        let fold = format!("{}{fold}", "  ".repeat(row.path.len()));
        let mut spans = vec![Span::styled(gutter, theme.label()), Span::styled(fold, theme.key())];
        spans.extend(match row.kind {
            RowKind::Line { place, .. } => source_line(image, place, !row.path.is_empty(), theme),
            RowKind::Word(index) => word(image, index),
            RowKind::Gap => vec![Span::styled("erased", theme.label())],
        });
        Line::from(spans)
    }
}

/// The place of the machine among the rows.
fn present(rows: &[Row], here: &Here) -> usize {
    rows.iter().rposition(|row| row.holds(here)).unwrap_or_default()
}

/// Index and word of what a row stands for; of a call, how many words it has.
fn gutter(image: &Image, row: &Row, words: bool) -> String {
    let hexadecimal = |number: Option<u16>| number.map(|n| format!("{n:04x}")).unwrap_or_default();
    let index = hexadecimal(row.index().map(RomIndex::get));
    let word = if let RowKind::Line { code: Some(Stands::Call { words, .. }), .. } = row.kind {
        format!("+{words}")
    } else {
        hexadecimal(row.index().map(|index| image.word(index).bits()))
    };
    if words { format!("{index:4} {word:<5}") } else { format!("{index:4}") }
}

/// A word for which no line is known, as an instruction.
fn word(image: &Image, index: RomIndex) -> Vec<Span<'static>> {
    let label = image.names().label(index).map(|label| format!("{label}: "));
    let instruction = names::instruction(image, image.word(index));
    vec![Span::styled(label.unwrap_or_default(), Theme::VALUE), Span::raw(instruction)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::tests as testing;

    const SIZE: Size = Size { width: 80, height: 24 };

    fn queens() -> (Source, Session) {
        let mut session = testing::session(testing::program("queens"), true);
        (Source::new(&session.snapshot().program), session)
    }

    fn cursor_row(view: &Source, snapshot: &Snapshot) -> Row {
        let here = view.here(snapshot);
        let rows = view.rows(&here);
        rows[view.place(&rows, &here)].clone()
    }

    #[test]
    fn the_cursor_goes_with_the_machine_until_it_is_moved() {
        let (mut view, mut session) = queens();
        let first = cursor_row(&view, &session.snapshot());
        session.command(Command::Go(Goal::LedChange));
        session.advance(std::time::Duration::ZERO);
        let second = cursor_row(&view, &session.snapshot());
        assert_ne!(first, second);
        view.move_cursor(Move::Up, &session.snapshot(), SIZE);
        let third = cursor_row(&view, &session.snapshot());
        assert!(!view.follows());
        for _ in 0..100 {
            session.command(Command::Step);
        }
        assert!(cursor_row(&view, &session.snapshot()).is_like(&third));
        view.follow(&session.snapshot());
        assert!(cursor_row(&view, &session.snapshot()).holds(&view.here(&session.snapshot())));
    }

    #[test]
    fn a_program_assembled_anew_keeps_what_is_unfolded_and_the_cursor() {
        let (mut view, mut session) = queens();
        let (_, mut again) = queens();
        let snapshot = session.snapshot();
        while cursor_row(&view, &snapshot).call().is_none() {
            view.move_cursor(Move::Down, &snapshot, SIZE);
        }
        view.toggle(&snapshot);
        view.move_cursor(Move::Down, &snapshot, SIZE);
        let (unfolded, cursor) = (view.unfolded.clone(), cursor_row(&view, &snapshot));
        view.see(&again.snapshot());
        assert_eq!(view.unfolded, unfolded);
        assert_eq!(cursor_row(&view, &again.snapshot()), cursor);
    }

    #[test]
    fn unfolding_shows_the_present_instruction_itself() {
        let (mut view, mut session) = queens();
        for _ in 0..300 {
            session.command(Command::Step);
        }
        let snapshot = session.snapshot();
        view.unfold_here(&snapshot);
        assert_eq!(cursor_row(&view, &snapshot).index(), Some(snapshot.cpu.pc));
        assert_eq!(cursor_row(&view, &snapshot).call(), None);
        view.fold_all(&snapshot);
        assert!(cursor_row(&view, &snapshot).path.is_empty());
    }

    #[test]
    fn a_call_folds_from_inside_too() {
        let (mut view, mut session) = queens();
        let snapshot = session.snapshot();
        while cursor_row(&view, &snapshot).call().is_none() {
            view.move_cursor(Move::Down, &snapshot, SIZE);
        }
        let call = cursor_row(&view, &snapshot);
        assert!(matches!(view.toggle(&snapshot), Reply::Done));
        view.move_cursor(Move::Down, &snapshot, SIZE);
        assert_eq!(cursor_row(&view, &snapshot).path.len(), 1);
        assert!(matches!(view.toggle(&snapshot), Reply::Done));
        assert!(cursor_row(&view, &snapshot).is_like(&call));
        view.move_cursor(Move::First, &snapshot, SIZE);
        assert!(
            matches!(view.toggle(&snapshot), Reply::Note(_)),
            "a comment has nothing to unfold"
        );
    }
}
