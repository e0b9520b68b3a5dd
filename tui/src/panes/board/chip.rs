//! The text on a chip of the picture: its name, its outputs and its current action.

use gray1_board::{Chip, ChipId};
use gray1_session::board::{describe_action, drives, hex, name};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::view::BoardView;
use crate::theme::Theme;
use crate::widgets;

/// Writes on a chip: its name in its frame, its outputs and its action. If there is room, also
/// writes its part.
pub(super) fn draw(
    view: &BoardView,
    id: ChipId,
    is_on_path: bool,
    place: Rect,
    buffer: &mut Buffer,
) {
    let chip = view.levels.board.chip(id);
    let style = if is_on_path { view.theme.path() } else { Style::reset().patch(Theme::VALUE) };
    let style = if view.chip == id { style.patch(Theme::SELECTED) } else { style };
    buffer.set_string(place.x + 2, place.y, format!(" {} ", chip.name()), style);
    let part = Line::styled(chip.part().name.as_str(), view.theme.label());
    let (width, height) = (place.width - 3, place.height - 2);
    let inside = Rect { x: place.x + 2, y: place.y + 1, width, height };
    let (action, is_active) = describe_action(view.levels, chip);
    let action =
        Line::styled(action, if is_active { view.theme.path() } else { view.theme.label() });
    widgets::draw_lines([output_line(view, chip), action, part], view.theme, inside, buffer);
}

/// The levels of a chip's data pins. For the control table, the names of its active strobes.
fn output_line(view: &BoardView, chip: &Chip) -> Line<'static> {
    if chip.role().is_control() {
        return strobe_line(view, chip);
    }
    if !drives(view.levels, chip) {
        return Line::styled("-".repeat(chip.data.len()), view.theme.label());
    }
    let mut spans = view.bits(&chip.data, None);
    spans.push(Span::styled(format!("  {}", hex(view.levels, &chip.data)), Theme::VALUE));
    Line::from(spans)
}

/// All data wires of the control table with their levels.
fn strobe_line(view: &BoardView, chip: &Chip) -> Line<'static> {
    let strobes = chip.data.iter().flat_map(|&net| {
        let name = Span::styled(format!("{} ", name(view.levels, net)), view.theme.label());
        std::iter::once(name).chain(view.bits(&[net], None)).chain([Span::raw(" ")])
    });
    strobes.collect()
}
