//! The board pane: the chips of the board as a picture or as a list, with the levels of their wires
//! and the reasons. It has a cursor on a chip and one of its wires, and it can follow a wire.

mod canvas;
mod chip;
mod draw;
mod list;
mod picture;
mod schematic;
mod table;
mod view;

use gray1_board::{Board as Wiring, Chip, ChipId, NetId};
use gray1_session::board::{driver, inputs, outputs};
use gray1_session::{Command, Snapshot, WireDetail};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::{Context, Pane, PaneSpec};
use crate::actions::{ENTER, KeyBinding, KeyGroup, KeyRow, Move, Reply, row};
use crate::key::Key;
use crate::theme::Theme;
use crate::{text, widgets};
use draw::{PICTURE_HEIGHT, arrange, below_strip};
use view::BoardView;

/// The height of a tour: its heading and three lines. This equals the height of the detail below a
/// list.
const TOUR_HEIGHT: u16 = 4;

/// The pane.
#[derive(Debug, Default)]
pub(crate) struct BoardPane {
    /// The position of the chip on the board.
    chip: usize,
    /// The index of the wire at the cursor, in the order of [`wires_of`].
    wire: usize,
    followed: Option<NetId>,
    /// Whether the user wants the list even if the picture fits.
    wants_list: bool,
    /// Whether the table of the chip at the cursor is shown in place of the chips.
    wants_table: bool,
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
        row(&[Key::char('L')], KeyGroup::Board, "table", "look it up: the table of this chip")
            .calls(BoardPane::toggle_table),
        row(&[Key::char('F')], KeyGroup::Board, "tour", "follow one byte: a tour of the phases")
            .sends(Command::ToggleTour),
    ];
}

impl Pane for BoardPane {
    /// Moves up and down through the chips, left and right through their wires.
    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, _: Size) -> Reply {
        let Some(levels) = &snapshot.levels else { return Reply::Done };
        let board = &*levels.board;
        let wires = wires_of(board, board.chip(self.chip(board))).len();
        match to {
            Move::Left => self.wire = self.wire.saturating_sub(1),
            Move::Right => self.wire = (self.wire + 1).min(wires.saturating_sub(1)),
            _ => {
                let last = board.chips().len() - 1;
                (self.chip, self.wire) = (to.along(self.chip, last, last), 0);
            }
        }
        Reply::Done
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        if let Some(levels) = &context.snapshot.levels {
            let board = &*levels.board;
            let (chip, wire, followed) = (self.chip(board), self.wire(board), self.followed);
            let Context { snapshot, theme, .. } = *context;
            let view = BoardView { snapshot, levels, theme, chip, wire, followed };
            arrange(board, self.wants_list, area).draw(&view, buffer);
            if self.wants_table {
                table::draw(&view, below_strip(area), buffer);
            }
            if let Some(sentence) = &snapshot.tour {
                draw_tour(sentence, theme, area, buffer);
            }
        }
    }

    /// The key that switches between list and picture is hidden if only the list fits.
    fn has_effect(&self, row: &KeyRow, area: Rect, snapshot: &Snapshot) -> bool {
        let levels = snapshot.levels.as_ref().filter(|_| row.label == "list");
        levels.is_none_or(|it| arrange(&it.board, false, area).is_picture())
    }

    fn wire_detail(&self) -> WireDetail {
        WireDetail::Levels
    }

    /// Selects the chip at the click.
    fn click(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let Some(levels) = &snapshot.levels else { return Reply::Done };
        let board = &*levels.board;
        let arrangement = arrange(board, self.wants_list, area);
        if let Some(chip) = arrangement.chip_at(board, self.chip(board), at) {
            (self.chip, self.wire) = (chip.index(), 0);
        }
        Reply::Done
    }

    fn subtitle(&self, snapshot: &Snapshot) -> Option<String> {
        let levels = snapshot.levels.as_ref()?;
        let has_picture = gray1_board::schematic::fits(&levels.board);
        (!has_picture).then(|| "as a list: its chips are not those of the picture".into())
    }

    /// The picture needs more height than the list.
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

    /// The wire at the cursor.
    fn wire(&self, board: &Wiring) -> Option<NetId> {
        let wires = wires_of(board, board.chip(self.chip(board)));
        wires.get(self.wire.min(wires.len().saturating_sub(1))).copied()
    }

    /// Follows the wire at the cursor, or stops following it.
    fn follow(&mut self, snapshot: &Snapshot) -> Reply {
        if let Some(levels) = &snapshot.levels {
            let wire = self.wire(&levels.board);
            self.followed = if self.followed == wire { None } else { wire };
        }
        Reply::Done
    }

    /// Moves the cursor to the chip that drives the wire at the cursor now.
    fn go_to_driver(&mut self, snapshot: &Snapshot) -> Reply {
        let Some(levels) = &snapshot.levels else { return Reply::Done };
        let board = &*levels.board;
        let Some(net) = self.wire(board) else { return Reply::Done };
        let Some(chip) = driver(levels, net) else {
            return Reply::Note("this wire comes from outside the board");
        };
        self.chip = chip.index();
        let pins = wires_of(board, board.chip(chip));
        self.wire = pins.iter().rposition(|pin| *pin == net).unwrap_or_default();
        Reply::Done
    }

    /// Shows or hides the table of the chip at the cursor.
    fn toggle_table(&mut self, _: &Snapshot) -> Reply {
        self.wants_table = !self.wants_table;
        Reply::Done
    }

    /// Switches between list and picture.
    fn toggle_list(&mut self, _: &Snapshot) -> Reply {
        self.wants_list = !self.wants_list;
        Reply::Note(if self.wants_list {
            "the chips as a list"
        } else {
            "the chips as a picture, on a screen of 100x40 or more"
        })
    }
}

/// Draws the sentence of a tour over the lines below the chips.
fn draw_tour(sentence: &str, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let top = area.bottom().saturating_sub(TOUR_HEIGHT).max(area.y);
    let place = Rect { y: top, height: area.bottom() - top, ..area };
    Clear.render(place, buffer);
    let head = Line::from(vec![
        Span::styled("the path of one byte", theme.key()),
        Span::styled("   p next, P back, F ends the tour", theme.label()),
    ]);
    let lines = text::wrap(&text::printable(sentence), area.width.max(1).into());
    let lines = lines.into_iter().map(|line| Line::styled(line, Theme::VALUE));
    widgets::draw_lines(std::iter::once(head).chain(lines), theme, place, buffer);
}

/// The wires of a chip in display order: its inputs, then its outputs, each group with the high bit
/// first.
fn wires_of(board: &Wiring, chip: &Chip) -> Vec<NetId> {
    let groups = inputs(board, chip).into_iter().chain(outputs(board, chip));
    groups.flat_map(|group| group.nets.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use gray1_board::Driver;

    use super::*;
    use crate::tests as testing;

    const SIZE: Size = Size { width: 80, height: 24 };

    fn snapshot() -> Snapshot {
        let mut session = testing::session(testing::program("queens"), true);
        session.command(Command::ShowWires(WireDetail::Levels));
        session.snapshot()
    }

    #[test]
    fn enter_goes_to_the_driver_of_every_wire() {
        let snapshot = snapshot();
        let board = &*snapshot.levels.as_ref().unwrap().board;
        for (n, id) in board.chip_ids().enumerate() {
            let mut view = BoardPane::default();
            (0..n).for_each(|_| drop(view.move_cursor(Move::Down, &snapshot, SIZE)));
            assert_eq!(view.chip(board), id);
            let count = wires_of(board, board.chip(id)).len();
            for _ in 0..count {
                let net = view.wire(board).unwrap();
                let mut there =
                    BoardPane { chip: view.chip, wire: view.wire, ..BoardPane::default() };
                if let Reply::Done = there.go_to_driver(&snapshot) {
                    let driver = board.chip(there.chip(board));
                    assert!(driver.data.contains(&net) && there.wire(board) == Some(net));
                } else {
                    assert_eq!(board.net(net).driver, Driver::Outside);
                }
                view.move_cursor(Move::Right, &snapshot, SIZE);
            }
        }
    }

    #[test]
    fn the_table_of_a_chip_shows_the_cell_that_it_reads() {
        let snapshot = snapshot();
        let mut pane = BoardPane::default();
        let area = Rect::from((Position::ORIGIN, SIZE));
        let screen = |pane: &BoardPane| {
            testing::text(&testing::draw_pane(pane, &snapshot, Theme::PICTURE, area))
        };
        pane.toggle_table(&snapshot);
        let table = screen(&pane);
        assert!(
            table.contains("PHASE: It shows 1: 001, OSC is 1: the table holds 001."),
            "{table}"
        );
        assert!(table.contains("Its 8 codes form a ring."), "{table}");
        pane.toggle_table(&snapshot);
        assert!(!screen(&pane).contains("the table holds"));
    }

    #[test]
    fn a_wire_is_followed_until_f_is_pressed_again() {
        let snapshot = snapshot();
        let board = &*snapshot.levels.as_ref().unwrap().board;
        let mut view = BoardPane::default();
        view.follow(&snapshot);
        let followed = view.followed;
        assert!(followed.is_some());
        view.move_cursor(Move::Last, &snapshot, SIZE);
        assert_eq!(view.followed, followed);
        assert_ne!(view.wire(board), followed);
        view.follow(&snapshot);
        assert_ne!(view.followed, followed);
        view.follow(&snapshot);
        assert_eq!(view.followed, None);
    }
}
