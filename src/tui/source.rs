//! Where one is in the source: which calls are unfolded, and whether the cursor goes with the
//! machine or stays where it was put.

use std::collections::HashSet;
use std::sync::Arc;

use gray1_isa::RomIndex;

use super::actions::Action;
use super::listing::{Code, Here, Listing, Path, Row, RowKind};
use super::player::{Opened, Snapshot};

/// How far page up and page down go.
const PAGE: usize = 16;

/// The state of the source view.
#[derive(Debug)]
pub(super) struct SourceView {
    program: Arc<Opened>,
    listing: Listing,
    unfolded: HashSet<Path>,
    /// The row that the cursor was put on; `None` while it goes with the machine.
    put: Option<Row>,
}

impl SourceView {
    pub(super) fn new(program: &Arc<Opened>) -> Self {
        Self {
            program: Arc::clone(program),
            listing: Listing::of(&program.image),
            unfolded: HashSet::new(),
            put: None,
        }
    }

    /// Makes sure that it is this program's source. Of one that was assembled anew the same calls
    /// stay unfolded, and the cursor stays on its line.
    pub(super) fn see(&mut self, program: &Arc<Opened>) {
        if !Arc::ptr_eq(&self.program, program) {
            let before = std::mem::replace(self, Self::new(program));
            if before.program.name == program.name {
                (self.unfolded, self.put) = (before.unfolded, before.put);
            }
        }
    }

    /// Where the machine is.
    pub(super) fn here(&self, snapshot: &Snapshot) -> Here {
        Here::of(&self.program.image, snapshot.pc)
    }

    /// The rows to show.
    pub(super) fn rows(&self, here: &Here) -> Vec<Row> {
        self.listing.rows(&self.program.image, here, &self.unfolded)
    }

    /// Which of the rows the machine is in.
    pub(super) fn present(rows: &[Row], here: &Here) -> usize {
        rows.iter().rposition(|row| row.holds(here)).unwrap_or_default()
    }

    /// Which of the rows the cursor is on. If the one it was put on is not shown any more - a
    /// call was folded, another file is shown - it goes with the machine.
    pub(super) fn cursor(&self, rows: &[Row], here: &Here) -> usize {
        let put = self.put.as_ref();
        let put = put.and_then(|put| rows.iter().position(|row| row.is_like(put)));
        put.unwrap_or_else(|| Self::present(rows, here))
    }

    /// The instruction under the cursor, or the first one of the call there.
    pub(super) fn instruction(&self, snapshot: &Snapshot) -> Option<RomIndex> {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        match rows.get(self.cursor(&rows, &here))?.kind {
            RowKind::Line { code, .. } => code.map(Code::first),
            RowKind::Word(index) => Some(index),
            RowKind::Gap => None,
        }
    }

    /// Whether the cursor goes with the machine.
    pub(super) fn follows(&self) -> bool {
        self.put.is_none()
    }

    /// Whether a call is unfolded.
    pub(super) fn is_unfolded(&self, call: &Path) -> bool {
        self.unfolded.contains(call)
    }

    /// Moves the cursor, which then stays where it is put.
    pub(super) fn move_cursor(&mut self, action: Action, snapshot: &Snapshot) {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let (cursor, last) = (self.cursor(&rows, &here), rows.len().saturating_sub(1));
        let cursor = match action {
            Action::Up => cursor.saturating_sub(1),
            Action::Down => cursor + 1,
            Action::PageUp => cursor.saturating_sub(PAGE),
            Action::PageDown => cursor + PAGE,
            Action::First => 0,
            Action::Last => last,
            _ => cursor,
        };
        self.put = rows.get(cursor.min(last)).cloned();
    }

    /// Unfolds the macro call at the cursor, or folds it; inside an unfolded call, that one. Says
    /// whether there was one.
    pub(super) fn toggle(&mut self, snapshot: &Snapshot) -> bool {
        let here = self.here(snapshot);
        let rows = self.rows(&here);
        let Some(row) = rows.get(self.cursor(&rows, &here)) else { return false };
        let Some(call) = row.call().or_else(|| Some(row.path.clone()).filter(|p| !p.is_empty()))
        else {
            return false;
        };
        if !self.unfolded.remove(&call) {
            self.unfolded.insert(call);
        } else if let (Some(_), None) = (&self.put, row.call()) {
            // The cursor's line is gone: it goes to that of the call.
            self.put = rows.iter().find(|row| row.call().as_ref() == Some(&call)).cloned();
        }
        true
    }

    /// Unfolds every call around the present instruction.
    pub(super) fn unfold_here(&mut self, snapshot: &Snapshot) {
        let here = self.here(snapshot);
        loop {
            let rows = self.rows(&here);
            let present = rows.get(Self::present(&rows, &here));
            match present.filter(|row| row.holds(&here)).and_then(Row::call) {
                Some(call) => drop(self.unfolded.insert(call)),
                None => break,
            }
        }
    }

    /// Folds everything.
    pub(super) fn fold_all(&mut self) {
        self.unfolded.clear();
    }

    /// Lets the cursor go with the machine again.
    pub(super) fn follow(&mut self) {
        self.put = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::player::Player;
    use gray1_sim::PowerUp;

    fn queens() -> (SourceView, Player) {
        let program = crate::program::load("queens").unwrap();
        let opened = Opened { name: program.name, image: program.image };
        let player = Player::new(opened, PowerUp::Zero, true);
        (SourceView::new(&player.snapshot().program), player)
    }

    fn cursor_row(view: &SourceView, snapshot: &Snapshot) -> Row {
        let here = view.here(snapshot);
        let rows = view.rows(&here);
        rows[view.cursor(&rows, &here)].clone()
    }

    #[test]
    fn the_cursor_goes_with_the_machine_until_it_is_moved() {
        let (mut view, mut player) = queens();
        let first = cursor_row(&view, &player.snapshot());
        player.command(crate::tui::player::Command::Go(crate::tui::player::Goal::LedChange));
        player.advance(std::time::Duration::ZERO);
        let second = cursor_row(&view, &player.snapshot());
        assert_ne!(first, second);
        view.move_cursor(Action::Up, &player.snapshot());
        let third = cursor_row(&view, &player.snapshot());
        assert!(!view.follows());
        for _ in 0..100 {
            player.command(crate::tui::player::Command::Step);
        }
        assert!(cursor_row(&view, &player.snapshot()).is_like(&third));
        view.follow();
        assert!(cursor_row(&view, &player.snapshot()).holds(&view.here(&player.snapshot())));
    }

    #[test]
    fn a_program_assembled_anew_keeps_what_is_unfolded_and_the_cursor() {
        let (mut view, player) = queens();
        let (_, again) = queens();
        let snapshot = player.snapshot();
        while cursor_row(&view, &snapshot).call().is_none() {
            view.move_cursor(Action::Down, &snapshot);
        }
        view.toggle(&snapshot);
        view.move_cursor(Action::Down, &snapshot);
        let (unfolded, cursor) = (view.unfolded.clone(), cursor_row(&view, &snapshot));
        view.see(&again.snapshot().program);
        assert_eq!(view.unfolded, unfolded);
        assert_eq!(cursor_row(&view, &again.snapshot()), cursor);
    }

    #[test]
    fn unfolding_shows_the_present_instruction_itself() {
        let (mut view, mut player) = queens();
        for _ in 0..300 {
            player.command(crate::tui::player::Command::Step);
        }
        let snapshot = player.snapshot();
        view.unfold_here(&snapshot);
        assert_eq!(cursor_row(&view, &snapshot).index(), Some(snapshot.pc));
        assert_eq!(cursor_row(&view, &snapshot).call(), None);
        view.fold_all();
        assert!(cursor_row(&view, &snapshot).path.is_empty());
    }

    #[test]
    fn a_call_folds_from_inside_too() {
        let (mut view, player) = queens();
        let snapshot = player.snapshot();
        while cursor_row(&view, &snapshot).call().is_none() {
            view.move_cursor(Action::Down, &snapshot);
        }
        let call = cursor_row(&view, &snapshot);
        assert!(view.toggle(&snapshot));
        view.move_cursor(Action::Down, &snapshot);
        assert_eq!(cursor_row(&view, &snapshot).path.len(), 1);
        assert!(view.toggle(&snapshot));
        assert!(cursor_row(&view, &snapshot).is_like(&call));
        view.move_cursor(Action::First, &snapshot);
        assert!(!view.toggle(&snapshot), "a comment has nothing to unfold");
    }
}
