//! The board pane: the chips of the board as a picture or as a list, what their lines carry and
//! why; a cursor on a chip and one of its lines, and a line that is followed.

mod canvas;
mod chip;
mod draw;
pub(crate) mod lines;
mod list;
mod picture;
mod schematic;
mod transfers;
mod view;
mod why;

use gray1_board::{Board as Wiring, Chip, ChipId, NetId};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::{Context, Pane, PaneSpec};
use crate::actions::{ENTER, KeyBinding, KeyGroup, Move, Reply, row};
use crate::key::Key;
use crate::session::{Snapshot, WireDetail};
use draw::{PICTURE_HEIGHT, arrange};
use lines::{inputs, outputs};
use transfers::driver;
use view::BoardView;

/// The pane.
#[derive(Debug, Default)]
pub(crate) struct BoardPane {
    /// The position of the chip on the board.
    chip: usize,
    /// Which of its lines, in the order of [`lines_of`].
    line: usize,
    followed: Option<NetId>,
    /// True if the list is wanted where the picture fits.
    wants_list: bool,
}

impl PaneSpec for BoardPane {
    const NAME: &'static str = "board";
    const TITLE: &'static str = "pane: the board, chip by chip";
    const MOVES: &'static [Move] = Move::ALL;
    const KEYS: &'static [KeyBinding<Self>] = &[
        row(&[Key::char('f')], KeyGroup::Board, "follow", "follow the wire at the cursor")
            .calls(BoardPane::follow),
        row(ENTER, KeyGroup::Board, "driver", "go to the chip that drives this wire")
            .calls(BoardPane::go_to_driver),
        row(&[Key::char('v')], KeyGroup::Board, "list", "the chips as a list, or as a picture")
            .calls(BoardPane::toggle_list),
    ];
}

impl Pane for BoardPane {
    /// Up and down through the chips, to the sides through their lines.
    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, _: Size) -> Reply {
        let Some(levels) = &snapshot.levels else { return Reply::Done };
        let board = &*levels.board;
        let lines = lines_of(board, board.chip(self.chip(board))).len();
        match to {
            Move::Left => self.line = self.line.saturating_sub(1),
            Move::Right => self.line = (self.line + 1).min(lines.saturating_sub(1)),
            _ => {
                let last = board.chips().len() - 1;
                (self.chip, self.line) = (to.along(self.chip, last, last), 0);
            }
        }
        Reply::Done
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        if let Some(levels) = &context.snapshot.levels {
            let board = &*levels.board;
            let (chip, line, followed) = (self.chip(board), self.line(board), self.followed);
            let Context { snapshot, theme, .. } = *context;
            let view = BoardView { snapshot, levels, theme, chip, line, followed };
            arrange(board, self.wants_list, area).draw(&view, buffer);
        }
    }

    fn wire_detail(&self) -> WireDetail {
        WireDetail::Levels
    }

    /// A click on a chip selects it.
    fn click(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let Some(levels) = &snapshot.levels else { return Reply::Done };
        let board = &*levels.board;
        let arrangement = arrange(board, self.wants_list, area);
        if let Some(chip) = arrangement.chip_at(board, self.chip(board), at) {
            (self.chip, self.line) = (chip.index(), 0);
        }
        Reply::Done
    }

    fn subtitle(&self, snapshot: &Snapshot) -> Option<String> {
        let levels = snapshot.levels.as_ref()?;
        let has_picture = schematic::is_of(&levels.board);
        (!has_picture).then(|| "as a list: its chips are not those of the picture".into())
    }

    /// The picture needs more than the lines of the list, which say more than others.
    fn width_min(&self, height: u16) -> u16 {
        let has_picture = !self.wants_list && height >= PICTURE_HEIGHT + 2;
        if has_picture { schematic::SIZE.width + 2 } else { 80 }
    }
}

impl BoardPane {
    /// The chip at the cursor.
    fn chip(&self, board: &Wiring) -> ChipId {
        board.chip_ids().nth(self.chip).expect("the cursor is on a chip")
    }

    /// The line at the cursor.
    fn line(&self, board: &Wiring) -> Option<NetId> {
        let lines = lines_of(board, board.chip(self.chip(board)));
        lines.get(self.line.min(lines.len().saturating_sub(1))).copied()
    }

    /// Follows the line at the cursor; lets go of it if it is followed.
    fn follow(&mut self, snapshot: &Snapshot) -> Reply {
        if let Some(levels) = &snapshot.levels {
            let line = self.line(&levels.board);
            self.followed = if self.followed == line { None } else { line };
        }
        Reply::Done
    }

    /// Goes to the chip that drives the line at the cursor now.
    fn go_to_driver(&mut self, snapshot: &Snapshot) -> Reply {
        let Some(levels) = &snapshot.levels else { return Reply::Done };
        let board = &*levels.board;
        let Some(net) = self.line(board) else { return Reply::Done };
        let Some(chip) = driver(levels, net) else {
            return Reply::Note("this wire comes from outside the board");
        };
        self.chip = chip.index();
        let pins = lines_of(board, board.chip(chip));
        self.line = pins.iter().rposition(|pin| *pin == net).unwrap_or_default();
        Reply::Done
    }

    /// The list instead of the picture, or back.
    fn toggle_list(&mut self, _: &Snapshot) -> Reply {
        self.wants_list = !self.wants_list;
        Reply::Note(if self.wants_list {
            "the chips as a list"
        } else {
            "the chips as a picture, on a screen of 100x40 or more"
        })
    }
}

/// The lines of a chip in the order in which they are shown: its inputs, then its outputs, of each
/// group the high bit first.
fn lines_of(board: &Wiring, chip: &Chip) -> Vec<NetId> {
    let groups = inputs(board, chip).into_iter().chain(outputs(board, chip));
    groups.flat_map(|group| group.nets.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use gray1_board::Driver;

    use super::*;
    use crate::session::Command;
    use crate::tests as testing;

    const SIZE: Size = Size { width: 80, height: 24 };

    fn snapshot() -> Snapshot {
        let mut session = testing::session(testing::program("queens"), true);
        session.command(Command::ShowWires(WireDetail::Levels));
        session.snapshot()
    }

    #[test]
    fn every_line_is_reached_and_leads_to_its_driver() {
        let snapshot = snapshot();
        let board = &*snapshot.levels.as_ref().unwrap().board;
        for (n, id) in board.chip_ids().enumerate() {
            let mut view = BoardPane::default();
            (0..n).for_each(|_| drop(view.move_cursor(Move::Down, &snapshot, SIZE)));
            assert_eq!(view.chip(board), id);
            let count = lines_of(board, board.chip(id)).len();
            for _ in 0..count {
                let net = view.line(board).unwrap();
                let mut there =
                    BoardPane { chip: view.chip, line: view.line, ..BoardPane::default() };
                if let Reply::Done = there.go_to_driver(&snapshot) {
                    let driver = board.chip(there.chip(board));
                    assert!(driver.data().contains(&net) && there.line(board) == Some(net));
                } else {
                    assert_eq!(board.net(net).driver(), Driver::Outside);
                }
                view.move_cursor(Move::Right, &snapshot, SIZE);
            }
        }
    }

    #[test]
    fn a_line_is_followed_until_it_is_let_go() {
        let snapshot = snapshot();
        let board = &*snapshot.levels.as_ref().unwrap().board;
        let mut view = BoardPane::default();
        view.follow(&snapshot);
        let followed = view.followed;
        assert!(followed.is_some());
        view.move_cursor(Move::Last, &snapshot, SIZE);
        assert_eq!(view.followed, followed);
        assert_ne!(view.line(board), followed);
        view.follow(&snapshot);
        assert_ne!(view.followed, followed);
        view.follow(&snapshot);
        assert_eq!(view.followed, None);
    }
}
