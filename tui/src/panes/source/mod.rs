//! The source pane: the source of the program, or its words, with marks at the current line and at
//! breakpoints. Macro calls and other generated code are folded.

mod draw;
mod find;
mod listing;

use std::collections::HashSet;
use std::sync::Arc;

use gray1_debugger::Event;
use gray1_isa::source_map::SourceLine;
use gray1_session::{Command, Goal, Program, Snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::{Context, Cursor, Pane, PaneSpec, Placement};
use crate::actions::{
    Effect, FOLLOW, KeyBinding, KeyGroup, Move, Question, Reply, ShowTarget, row,
};
use crate::key::{Key, KeyCode};
use crate::text;
use crate::widgets::first_line;
use listing::{Listing, ListingRow, RowContents, SourcePlace};

/// The lines that a turn of the wheel scrolls, and the columns that a key scrolls.
const WHEEL_LINES: usize = 3;
const SIDE_COLUMNS: usize = 8;

/// The pane.
#[derive(Debug)]
pub(crate) struct SourcePane {
    program: Arc<Program>,
    listing: Listing,
    unfolded: HashSet<Vec<SourceLine>>,
    /// The row on which the user put the cursor. `None` while it follows the machine. In a repeat,
    /// the row shows the code of the iteration that the machine is in.
    pinned: Option<ListingRow>,
    /// The top row, if the user has scrolled.
    top: Option<usize>,
    /// The number of columns scrolled sideways.
    column: usize,
    /// The string of the last search.
    search_text: String,
    seen: SeenState,
}

/// The state of the machine in the last snapshot.
#[derive(Debug, Clone, Copy)]
struct SeenState {
    is_stopped: bool,
    now: u64,
    executed: u64,
}

impl SeenState {
    fn new(snapshot: &Snapshot) -> Self {
        let is_stopped = snapshot.run_state.is_stopped();
        Self { is_stopped, now: snapshot.time.now, executed: snapshot.cpu.executed }
    }

    /// Whether the machine has stopped and has moved by more than a step.
    fn has_stopped_since(self, before: Self) -> bool {
        let is_reset = self.executed < before.executed && self.now >= before.now;
        self.is_stopped && (!before.is_stopped || self.now.abs_diff(before.now) > 1 || is_reset)
    }
}

const UNFOLD: &[Key] = &[Key::char('x'), Key::plain(KeyCode::Enter)];

impl PaneSpec for SourcePane {
    const NAME: &'static str = "source";
    const TITLE: &'static str = "pane: the source";
    const MOVES: &'static [Move] = Move::ALL;
    const KEYS: &'static [KeyBinding<Self>] = &[
        row(UNFOLD, KeyGroup::Source, "unfold", "unfold a call or a generated line, or fold it")
            .calls(SourcePane::toggle_fold),
        FOLLOW.calls(SourcePane::follow).when(|pane, _| !pane.follows()),
        row(&[Key::char('/')], KeyGroup::Source, "find", "find text")
            .calls(|pane, _| Reply::Prompt(Question::Find, pane.search_text.clone())),
        row(&[Key::char('v')], KeyGroup::Source, "edit", "edit this line in your editor")
            .calls(SourcePane::edit)
            .when(|pane, _| !pane.program.image.source_map().files().is_empty()),
        row(&[Key::char('.')], KeyGroup::Source, "", "find the text again")
            .calls(|pane, snapshot| pane.find_again(snapshot, true)),
        row(&[Key::char(',')], KeyGroup::Source, "", "find the text again, backward")
            .calls(|pane, snapshot| pane.find_again(snapshot, false)),
        row(&[Key::char('u')], KeyGroup::Source, "", "unfold to the present instruction")
            .calls(SourcePane::unfold_around),
        row(&[Key::char('U')], KeyGroup::Source, "", "fold everything").calls(SourcePane::fold_all),
        row(&[Key::char('%')], KeyGroup::Source, "", "show or hide how often lines were executed")
            .calls(|_, snapshot| {
                Reply::Ask(Effect::Session(Command::ShowProfile(snapshot.profile.is_none())))
            }),
        row(&[Key::char('h')], KeyGroup::Source, "", "run to the cursor")
            .calls(|pane, snapshot| pane.run_to_cursor(snapshot, Command::Go)),
        row(&[Key::char('H')], KeyGroup::Source, "", "run back to the cursor")
            .calls(|pane, snapshot| pane.run_to_cursor(snapshot, Command::GoBack)),
    ];
}

impl Pane for SourcePane {
    fn placement(&self, _: &Snapshot) -> Placement {
        Placement::Source
    }

    /// Takes a new snapshot. If the program was assembled again, the same calls stay unfolded and
    /// the cursor stays on its line. When the machine stops, the cursor follows it again.
    fn update(&mut self, snapshot: &Snapshot) {
        let seen = std::mem::replace(&mut self.seen, SeenState::new(snapshot));
        if !Arc::ptr_eq(&self.program, &snapshot.program) {
            let before = std::mem::replace(self, Self::new(snapshot));
            if before.program.name == self.program.name {
                let Self { unfolded, pinned, top, column, search_text, .. } = before;
                (self.unfolded, self.pinned, self.top) = (unfolded, pinned, top);
                (self.column, self.search_text) = (column, search_text);
            }
        } else if self.seen.has_stopped_since(seen) {
            (self.pinned, self.top) = (None, None);
        }
    }

    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, size: Size) -> Reply {
        match to {
            Move::Left => self.column = self.column.saturating_sub(SIDE_COLUMNS),
            Move::Right => self.column = (self.column + SIDE_COLUMNS).min(self.width_max()),
            _ => {
                let here = self.here(snapshot);
                let rows = self.rows(&here);
                let last = rows.len().saturating_sub(1);
                let page = usize::from(size.height).max(1);
                self.pinned = rows
                    .get(to.along(self.cursor_row(&rows, &here), last, page))
                    .map(ListingRow::without_iteration);
                self.top = None;
            }
        }
        Reply::Done
    }

    fn turn_wheel(&mut self, to: Move, area: Rect, snapshot: &Snapshot) -> Reply {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let (first, height) = (self.first(&rows, &here, area.height), usize::from(area.height));
        let last = rows.len().saturating_sub(height);
        self.top = Some(match to {
            Move::Up => first.saturating_sub(WHEEL_LINES),
            _ => (first + WHEEL_LINES).min(last.max(first)),
        });
        Reply::Done
    }

    /// Puts the cursor on a line.
    fn click(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let first = self.first(&rows, &here, area.height);
        if let Some(row) = rows.get(first + usize::from(at.y - area.y)) {
            // The page does not scroll.
            (self.pinned, self.top) = (Some(row.without_iteration()), Some(first));
        }
        Reply::Done
    }

    fn cursor(&self, snapshot: &Snapshot) -> Cursor {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        Cursor::Code(rows.get(self.cursor_row(&rows, &here)).and_then(ListingRow::index))
    }

    fn show(&mut self, target: &ShowTarget, snapshot: &Snapshot) -> Option<Reply> {
        match target {
            ShowTarget::Instruction(index) => {
                let there = SourcePlace::new(&self.program.image, *index);
                let rows = self.rows_in(&there, there.file(&self.program.image));
                self.pinned = rows.iter().rfind(|row| row.contains(&there)).cloned();
                self.top = None;
                Some(Reply::Done)
            }
            ShowTarget::Line(line) => Some(self.go_to_line(*line, snapshot)),
            ShowTarget::Text(text) => {
                text.clone_into(&mut self.search_text);
                Some(self.find_again(snapshot, true))
            }
            ShowTarget::Byte(_) | ShowTarget::Wires(_) => None,
        }
    }

    fn subtitle(&self, snapshot: &Snapshot) -> Option<String> {
        let map = self.program.image.source_map();
        let file = self.file(&self.here(snapshot));
        let file = file.and_then(|file| map.files().get(usize::from(file)));
        Some(file.map_or_else(|| "program memory".to_owned(), |file| text::printable(&file.name)))
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        self.draw_rows(context, area, buffer);
    }
}

impl SourcePane {
    /// A pane for the program of a session, with everything folded.
    pub(crate) fn new(snapshot: &Snapshot) -> Self {
        Self {
            program: Arc::clone(&snapshot.program),
            listing: Listing::new(&snapshot.program.image),
            unfolded: HashSet::new(),
            pinned: None,
            top: None,
            column: 0,
            search_text: String::new(),
            seen: SeenState::new(snapshot),
        }
    }

    /// The place of the machine in the source.
    fn here(&self, snapshot: &Snapshot) -> SourcePlace {
        SourcePlace::new(&self.program.image, snapshot.cpu.pc)
    }

    /// The file that is shown, which is the one with the cursor.
    fn file(&self, here: &SourcePlace) -> Option<u16> {
        self.pinned.as_ref().map_or_else(|| here.file(&self.program.image), ListingRow::file)
    }

    fn rows(&self, here: &SourcePlace) -> Vec<ListingRow> {
        let mut rows = self.rows_in(here, self.file(here));
        if let Some(pinned) = self.pinned.as_ref().filter(|it| it.index().is_some())
            && let Some(row) = rows.iter_mut().find(|it| it.matches(pinned) && !it.contains(here))
        {
            row.clone_from(pinned);
        }
        rows
    }

    fn rows_in(&self, here: &SourcePlace, file: Option<u16>) -> Vec<ListingRow> {
        self.listing.rows(&self.program.image, here, file, &self.unfolded)
    }

    /// The index of the cursor's row. If that row is not visible because a call was folded, the
    /// index of the machine's row.
    fn cursor_row(&self, rows: &[ListingRow], here: &SourcePlace) -> usize {
        let pinned = self.pinned.as_ref();
        let place = pinned.and_then(|pinned| rows.iter().position(|row| row.matches(pinned)));
        place.unwrap_or_else(|| machine_row(rows, here))
    }

    /// The index of the first visible row.
    fn first(&self, rows: &[ListingRow], here: &SourcePlace, height: u16) -> usize {
        let height = usize::from(height);
        // At the end of the file, there is also room below the current line.
        let length = rows.len() + height / 3;
        let top = self.top.map(|top| top.min(length.saturating_sub(height)));
        top.unwrap_or_else(|| first_line(self.cursor_row(rows, here), length, height))
    }

    /// Whether the pane follows the machine.
    fn follows(&self) -> bool {
        self.pinned.is_none() && self.top.is_none()
    }

    fn follow(&mut self, _: &Snapshot) -> Reply {
        (self.pinned, self.top, self.column) = (None, None, 0);
        Reply::Done
    }

    fn run_to_cursor(&self, snapshot: &Snapshot, command: fn(Goal) -> Command) -> Reply {
        match self.cursor(snapshot) {
            Cursor::Code(Some(index)) => {
                Reply::command(command(Goal::Event(Event::reaches(index))))
            }
            _ => Reply::Note("no instruction on this line"),
        }
    }

    /// Puts the cursor on a line of the shown file.
    fn go_to_line(&mut self, line: u32, snapshot: &Snapshot) -> Reply {
        let place = self.file(&self.here(snapshot)).map(|file| SourceLine { file, line });
        let place = place.filter(|place| self.program.image.source_map().line(*place).is_some());
        let Some(place) = place else { return Reply::Note("the source has no such line") };
        self.pinned =
            Some(ListingRow { path: Vec::new(), kind: RowContents::Line { place, code: None } });
        self.top = None;
        Reply::Done
    }

    /// Opens the line at the cursor in the user's editor.
    fn edit(&mut self, snapshot: &Snapshot) -> Reply {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let kind = rows.get(self.cursor_row(&rows, &here)).map(|row| row.kind);
        let Some(RowContents::Line { place: SourceLine { file, line }, .. }) = kind else {
            return Reply::Note("this program has no source here");
        };
        let file = self.program.image.source_map().files()[usize::from(file)].name.clone();
        Reply::Ask(Effect::Edit { file, line })
    }

    /// Unfolds the group at the cursor, or folds it. Inside an unfolded group, folds that group.
    fn toggle_fold(&mut self, snapshot: &Snapshot) -> Reply {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let at_cursor = rows.get(self.cursor_row(&rows, &here));
        let own = at_cursor.and_then(ListingRow::group);
        let around = at_cursor.map(|row| row.path.clone()).filter(|path| !path.is_empty());
        let Some(group) = own.clone().or(around) else {
            return Reply::Note("nothing to unfold on this line");
        };
        if !self.unfolded.remove(&group) {
            self.unfolded.insert(group);
        } else if self.pinned.is_some() && own.is_none() {
            // The cursor moves from the folded line to the line of the group.
            let call = rows.iter().find(|row| row.group().as_ref() == Some(&group));
            self.pinned = call.map(ListingRow::without_iteration);
        }
        Reply::Done
    }

    /// Unfolds all groups that contain the current instruction.
    fn unfold_around(&mut self, snapshot: &Snapshot) -> Reply {
        let here = self.here(snapshot);
        loop {
            let rows = self.rows_in(&here, here.file(&self.program.image));
            let row = rows.get(machine_row(&rows, &here)).filter(|row| row.contains(&here));
            match row.and_then(ListingRow::group) {
                Some(group) => self.unfolded.insert(group),
                None => return Reply::Done,
            };
        }
    }

    fn fold_all(&mut self, _: &Snapshot) -> Reply {
        self.unfolded.clear();
        Reply::Done
    }

    /// The maximum number of columns to scroll sideways, for the longest line.
    fn width_max(&self) -> usize {
        let files = self.program.image.source_map().files().iter();
        let widths = files.flat_map(|file| file.lines.iter()).map(|line| line.chars().count());
        widths.max().unwrap_or_default()
    }
}

/// The index of the last row that contains the machine's current place, or 0 if there is none.
fn machine_row(rows: &[ListingRow], here: &SourcePlace) -> usize {
    rows.iter().rposition(|row| row.contains(here)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use gray1_session::Session;

    use super::*;
    use crate::tests as testing;

    const SIZE: Size = Size { width: 80, height: 24 };

    fn queens() -> (SourcePane, Session) {
        let mut session = testing::session(testing::program("queens"), true);
        (SourcePane::new(&session.snapshot()), session)
    }

    fn cursor_row(view: &SourcePane, snapshot: &Snapshot) -> ListingRow {
        let here = view.here(snapshot);
        let rows = view.rows(&here);
        rows[view.cursor_row(&rows, &here)].clone()
    }

    #[test]
    fn the_source_cursor_follows_the_machine_until_it_is_moved() {
        let (mut view, mut session) = queens();
        let first = cursor_row(&view, &session.snapshot());
        session.command(Command::Go(Goal::LED_CHANGE));
        session.advance(std::time::Duration::ZERO);
        let second = cursor_row(&view, &session.snapshot());
        assert_ne!(first, second);
        view.move_cursor(Move::Up, &session.snapshot(), SIZE);
        let third = cursor_row(&view, &session.snapshot());
        assert!(!view.follows());
        for _ in 0..100 {
            session.command(Command::Step);
        }
        assert!(cursor_row(&view, &session.snapshot()).matches(&third));
        view.follow(&session.snapshot());
        assert!(cursor_row(&view, &session.snapshot()).contains(&view.here(&session.snapshot())));
    }

    #[test]
    fn run_to_cursor_stops_at_the_instruction_under_it() {
        let (mut view, mut session) = queens();
        let snapshot = session.snapshot();
        let reply = view.run_to_cursor(&snapshot, Command::GoBack);
        let Reply::Ask(Effect::Session(Command::GoBack(Goal::Event(event)))) = reply else {
            panic!("it is not sent back to an instruction");
        };
        assert_eq!(event, Event::reaches(gray1_isa::RomIndex::default()));
        // Line 1 has the title of the program.
        view.go_to_line(1, &snapshot);
        let reply = view.run_to_cursor(&snapshot, Command::Go);
        assert!(matches!(reply, Reply::Note("no instruction on this line")));
    }

    #[test]
    fn assembling_again_keeps_folds_and_cursor() {
        let (mut view, mut session) = queens();
        let (_, mut again) = queens();
        let snapshot = session.snapshot();
        while cursor_row(&view, &snapshot).group().is_none() {
            view.move_cursor(Move::Down, &snapshot, SIZE);
        }
        view.toggle_fold(&snapshot);
        view.move_cursor(Move::Down, &snapshot, SIZE);
        let (unfolded, cursor) = (view.unfolded.clone(), cursor_row(&view, &snapshot));
        view.update(&again.snapshot());
        assert_eq!(view.unfolded, unfolded);
        assert_eq!(cursor_row(&view, &again.snapshot()), cursor);
    }

    #[test]
    fn an_unfolded_call_folds_from_inside() {
        let (mut view, mut session) = queens();
        let snapshot = session.snapshot();
        while cursor_row(&view, &snapshot).group().is_none() {
            view.move_cursor(Move::Down, &snapshot, SIZE);
        }
        let call = cursor_row(&view, &snapshot);
        assert!(matches!(view.toggle_fold(&snapshot), Reply::Done));
        view.move_cursor(Move::Down, &snapshot, SIZE);
        assert_eq!(cursor_row(&view, &snapshot).path.len(), 1);
        assert!(matches!(view.toggle_fold(&snapshot), Reply::Done));
        assert!(cursor_row(&view, &snapshot).matches(&call));
        view.move_cursor(Move::First, &snapshot, SIZE);
        assert!(
            matches!(view.toggle_fold(&snapshot), Reply::Note(_)),
            "a comment has nothing to unfold"
        );
    }

    #[test]
    fn the_cursor_follows_again_after_a_run_but_not_a_step() {
        let seek = |moment| Command::Seek(moment);
        for (commands, follows) in [
            (&[Command::Step, Command::Step][..], false),
            (&[Command::Step, Command::StepBack], false),
            (&[seek(900)], true),
            (&[seek(999)], false),
            (&[Command::Reset], true),
            // It ran, but only a little.
            (&[Command::RunOrPause], false),
            (&[Command::RunOrPause, Command::RunOrPause], true),
        ] {
            let mut session = testing::session(testing::program("queens"), false);
            session.advance_by(1000);
            session.command(Command::RunOrPause);
            let mut view = SourcePane::new(&session.snapshot());
            view.move_cursor(Move::Up, &session.snapshot(), SIZE);
            for command in commands {
                session.command(command.clone());
                view.update(&session.snapshot());
            }
            assert_eq!(view.follows(), follows, "{commands:?}");
        }
    }

    #[test]
    fn scrolling_sideways_stops_at_the_longest_line() {
        let program = testing::assemble("; a line of thirty characters..\n        HALT\n");
        let snapshot = testing::session(program, true).snapshot();
        let mut view = SourcePane::new(&snapshot);
        let mut columns = Vec::new();
        for to in [Move::Right, Move::Right, Move::Right, Move::Right, Move::Right, Move::Left] {
            view.move_cursor(to, &snapshot, SIZE);
            columns.push(view.column);
        }
        assert_eq!(columns, [8, 16, 24, 31, 31, 23]);
    }
}
