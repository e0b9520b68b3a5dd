//! The chips as a list: a line for each, with its outputs and the reason. If there is room, a
//! second line has its inputs.

use gray1_board::{Board, Chip, ChipId};
use gray1_session::board::{explain_chip, inputs};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::view::BoardView;
use crate::theme::Theme;
use crate::widgets::{self, first_line};

/// Draws the list with `each` lines for a chip. The second one has its inputs.
pub(super) fn draw(view: &BoardView, each: u16, area: Rect, buffer: &mut Buffer) {
    let board = &view.levels.board;
    let first = first(board, view.chip, each, area);
    let lines = board.chip_ids().skip(first).flat_map(|id| {
        let inputs = || view.buses("        ", &inputs(board, board.chip(id)), None);
        let inputs = (each > 1).then(inputs);
        std::iter::once(line(view, id)).chain(inputs)
    });
    widgets::draw_lines(lines, view.theme, area, buffer);
    let cursor = view.chip.index();
    let name = board.chips()[cursor].name().len() as u16;
    let (x, y) = (area.x + 2, area.y + (cursor - first) as u16 * each);
    buffer.set_style(Rect::new(x, y, name, 1).intersection(area), Theme::SELECTED);
}

/// The chip at a position of the screen. `cursor` is the selected chip.
pub(super) fn chip_at(
    board: &Board,
    cursor: ChipId,
    each: u16,
    area: Rect,
    at: Position,
) -> Option<ChipId> {
    let line = usize::from(at.y.checked_sub(area.y)? / each);
    let mut ids = board.chip_ids().skip(first(board, cursor, each, area));
    if area.contains(at) { ids.nth(line) } else { None }
}

/// The index of the first visible chip.
fn first(board: &Board, cursor: ChipId, each: u16, area: Rect) -> usize {
    first_line(cursor.index(), board.chips().len(), usize::from(area.height / each))
}

/// A line for a chip: its relation to the marked wire, its outputs and the reason.
fn line(view: &BoardView, id: ChipId) -> Line<'static> {
    let chip = view.levels.board.chip(id);
    let relation = Span::styled(relation(view, chip), view.theme.key());
    let longest = view.levels.board.chips().iter().map(|chip| chip.name().len()).max();
    let name = format!("{:<width$} ", chip.name(), width = longest.unwrap_or_default());
    let mut spans = vec![relation, Span::styled(name, Theme::VALUE)];
    spans.extend(view.bits(&chip.data, None));
    spans.push(Span::raw(" ".repeat(9 - chip.data.len().min(8))));
    spans.push(Span::raw(explain_chip(view.levels, id)));
    Line::from(spans)
}

/// A mark that shows whether a chip drives or reads the marked wire.
fn relation(view: &BoardView, chip: &Chip) -> &'static str {
    let Some(net) = view.marked() else { return "  " };
    match (chip.data.contains(&net), chip.inputs().any(|(_, input)| input == net)) {
        (true, true) => "*+",
        (true, false) => "* ",
        (false, true) => " +",
        (false, false) => "  ",
    }
}
