//! Where one is on the board: a chip, one of its lines, and a line that is followed.

use gray1_sim::Board;
use gray1_sim::board::{Chip, ChipId, Driver, NetId};

use super::{Lines, groups};
use crate::tui::actions::Action;

/// The state of the board view.
#[derive(Debug, Default)]
pub(in crate::tui) struct BoardView {
    /// The chip's place on the board.
    chip: usize,
    /// Which of its lines, in the order of [`lines_of`].
    line: usize,
    followed: Option<NetId>,
}

impl BoardView {
    /// The chip at the cursor.
    pub(in crate::tui) fn chip(&self, board: &Board) -> ChipId {
        let mut ids = board.chip_ids();
        let last = ids.len() - 1;
        ids.nth(self.chip.min(last)).expect("a board has chips")
    }

    /// The line at the cursor.
    pub(in crate::tui) fn line(&self, board: &Board) -> Option<NetId> {
        let lines = lines_of(board, board.chip(self.chip(board)));
        lines.get(self.line.min(lines.len().saturating_sub(1))).copied()
    }

    /// The line whose chips are marked: the followed one, else the one at the cursor.
    pub(in crate::tui) fn marked(&self, board: &Board) -> Option<NetId> {
        self.followed.or_else(|| self.line(board))
    }

    /// The line that is followed.
    pub(in crate::tui) fn followed(&self) -> Option<NetId> {
        self.followed
    }

    /// Follows the line at the cursor; lets go of it if it is followed.
    pub(in crate::tui) fn follow(&mut self, board: &Board) {
        let line = self.line(board);
        self.followed = if self.followed == line { None } else { line };
    }

    /// Moves the cursor: up and down through the chips, to the sides through their lines.
    pub(in crate::tui) fn move_cursor(&mut self, action: Action, board: &Board) {
        let (chips, lines) =
            (board.chips().len(), lines_of(board, board.chip(self.chip(board))).len());
        let chip = match action {
            Action::Up => self.chip.saturating_sub(1),
            Action::Down => (self.chip + 1).min(chips - 1),
            Action::First => 0,
            Action::Last => chips - 1,
            Action::Left => {
                self.line = self.line.saturating_sub(1);
                return;
            }
            Action::Right => {
                self.line = (self.line + 1).min(lines.saturating_sub(1));
                return;
            }
            _ => return,
        };
        (self.chip, self.line) = (chip, 0);
    }

    /// Goes to the chip that drives the line at the cursor now. Says no if it comes from outside.
    pub(in crate::tui) fn go_to_driver(&mut self, lines: &Lines) -> bool {
        let board = &lines.board;
        let Some(net) = self.line(board) else { return false };
        let driver = match board.net(net).driver() {
            Driver::Outside => return false,
            Driver::Chip(pin) => pin,
            Driver::Shared { select, high, .. } if lines.level(select) => high,
            Driver::Shared { low, .. } => low,
        };
        self.chip = driver.chip.index();
        let pins = lines_of(board, board.chip(driver.chip));
        self.line = pins.iter().rposition(|pin| *pin == net).unwrap_or_default();
        true
    }
}

/// The lines of a chip in the order in which they are shown: its inputs, then its outputs, of each
/// group the high bit first.
fn lines_of(board: &Board, chip: &Chip) -> Vec<NetId> {
    let inputs = groups(board, chip.inputs().map(|(_, net)| net));
    let outputs = groups(board, chip.data().iter().copied());
    inputs.into_iter().chain(outputs).flat_map(|group| group.nets.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::chips::Bench;
    use crate::tui::player::{Opened, Player};
    use gray1_sim::PowerUp;

    fn lines() -> Lines {
        let program = crate::program::load("queens").unwrap();
        let program = Opened { name: program.name, image: program.image };
        Bench::new().look(&Player::new(program, PowerUp::Zero, true).snapshot())
    }

    #[test]
    fn every_line_is_reached_and_leads_to_its_driver() {
        let lines = lines();
        let board = &lines.board;
        for (n, id) in board.chip_ids().enumerate() {
            let mut view = BoardView::default();
            (0..n).for_each(|_| view.move_cursor(Action::Down, board));
            assert_eq!(view.chip(board), id);
            let count = lines_of(board, board.chip(id)).len();
            for _ in 0..count {
                let net = view.line(board).unwrap();
                let mut there = BoardView { chip: view.chip, line: view.line, followed: None };
                if there.go_to_driver(&lines) {
                    let driver = board.chip(there.chip(board));
                    assert!(driver.data().contains(&net) && there.line(board) == Some(net));
                } else {
                    assert_eq!(board.net(net).driver(), Driver::Outside);
                }
                view.move_cursor(Action::Right, board);
            }
        }
    }

    #[test]
    fn a_line_is_followed_until_it_is_let_go() {
        let lines = lines();
        let board = &lines.board;
        let mut view = BoardView::default();
        view.follow(board);
        let followed = view.followed();
        assert!(followed.is_some());
        view.move_cursor(Action::Last, board);
        assert_eq!(view.marked(board), followed);
        view.follow(board);
        assert_ne!(view.followed(), followed);
        view.follow(board);
        assert_eq!(view.followed(), None);
    }
}
