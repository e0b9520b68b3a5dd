//! Draws the board: the phases as a strip, the chips as a picture or as a list, and all wires of
//! the chip at the cursor.

use gray1_board::schematic::Schematic;
use gray1_board::{Board, ChipId};
use gray1_session::board::{
    Transfer, describe_paths, drivers_and_readers, explain_chip, find_transfers, inputs, outputs,
};
use gray1_session::instructions::describe_instruction;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::schematic;
use super::view::BoardView;
use super::{list, picture};
use crate::theme::Theme;
use crate::{text, widgets};

/// The height of the strip, including the free line below it.
const STRIP_HEIGHT: u16 = 2;
/// The height of the detail: the marked wire, inputs, outputs and purpose of a chip.
const DETAIL_HEIGHT: u16 = 4;
/// The minimum height of a list that scrolls to leave room for the detail.
const LIST_HEIGHT_MIN: u16 = 14;
/// The height of the detail below a picture, with the reason for the chip's outputs.
const PICTURE_DETAIL_HEIGHT: u16 = 5;
/// The width of a phase on the strip, including a gap.
const PHASE_WIDTH: u16 = 5;
/// The height of the picture inside the frame.
pub(super) const PICTURE_HEIGHT: u16 =
    STRIP_HEIGHT + schematic::SIZE.height + PICTURE_DETAIL_HEIGHT;

/// The areas of all parts.
pub(super) struct Arrangement {
    strip: Rect,
    chips: Rect,
    detail: Rect,
    form: ChipsForm,
}

/// The form in which the chips are shown.
enum ChipsForm {
    Picture(Schematic),
    /// A list with this many lines for each chip.
    List(u16),
}

/// Chooses the picture if it fits and is wanted, otherwise the list.
pub(super) fn arrange(board: &Board, wants_list: bool, area: Rect) -> Arrangement {
    let height = area.height.saturating_sub(STRIP_HEIGHT + PICTURE_DETAIL_HEIGHT);
    let picture = Rect { y: area.y + STRIP_HEIGHT, height, ..area };
    match schematic::stretch(board, picture) {
        Some(schematic) if !wants_list => {
            Arrangement::new(area, height, ChipsForm::Picture(schematic))
        }
        _ => list_arrangement(board, area),
    }
}

/// The area below the strip.
pub(super) fn below_strip(area: Rect) -> Rect {
    let strip = STRIP_HEIGHT.min(area.height);
    Rect { y: area.y + strip, height: area.height - strip, ..area }
}

fn list_arrangement(board: &Board, area: Rect) -> Arrangement {
    let chips = board.chips().len() as u16;
    let fits = |lines: u16| area.height >= STRIP_HEIGHT + lines + DETAIL_HEIGHT;
    let each = if fits(2 * chips) { 2 } else { 1 };
    let detail = if fits(chips.min(LIST_HEIGHT_MIN)) { DETAIL_HEIGHT } else { 0 };
    let height = area.height.saturating_sub(STRIP_HEIGHT + detail).min(each * chips);
    Arrangement::new(area, height, ChipsForm::List(each))
}

impl Arrangement {
    /// An arrangement with this many lines for the chips, and the rest for the detail.
    fn new(area: Rect, height: u16, form: ChipsForm) -> Self {
        let strip = Rect { height: STRIP_HEIGHT.min(area.height), ..area };
        let chips = Rect { y: strip.bottom(), height, ..area };
        let detail = Rect { y: chips.bottom(), height: area.bottom() - chips.bottom(), ..area };
        Self { strip, chips, detail, form }
    }

    pub(super) fn is_picture(&self) -> bool {
        matches!(self.form, ChipsForm::Picture(_))
    }

    /// The chip at a position of the screen. `cursor` is the selected chip.
    pub(super) fn chip_at(&self, board: &Board, cursor: ChipId, at: Position) -> Option<ChipId> {
        match &self.form {
            ChipsForm::Picture(drawn) => schematic::chip_at(drawn, board, at),
            ChipsForm::List(each) => list::chip_at(board, cursor, *each, self.chips, at),
        }
    }

    /// Draws everything.
    pub(super) fn draw(&self, view: &BoardView, buffer: &mut Buffer) {
        let mut strip = phase_strip(view, self.strip.width);
        let (detail, room) = (chip_detail(view), self.detail.width.into());
        let below = match &self.form {
            ChipsForm::Picture(schematic) => {
                let transfers = find_transfers(view.levels);
                strip[0].extend(paths(view, &transfers));
                picture::draw(view, schematic, &transfers, self.chips, buffer);
                explain_selected(view, room).to_vec()
            }
            ChipsForm::List(each) => {
                list::draw(view, *each, self.chips, buffer);
                vec![purpose(view)]
            }
        };
        widgets::draw_lines(detail.into_iter().chain(below), view.theme, self.detail, buffer);
        widgets::draw_lines(strip, view.theme, self.strip, buffer);
    }
}

/// Returns two lines: the eight phases with the current one marked, followed by the instruction in
/// progress, and the board's description of this phase. If the width is too small, the first line
/// leaves out the instruction, then some other phases.
fn phase_strip(view: &BoardView, width: u16) -> [Line<'static>; 2] {
    let cpu = &view.snapshot.cpu;
    let fit = (width + 1) / PHASE_WIDTH;
    let first = (u16::from(cpu.phase) + 1).saturating_sub(fit);
    let phases = (0..8).skip(first.into()).take(fit.into()).flat_map(|phase| {
        let (word, style) = if phase == cpu.phase {
            (format!("[T{phase}]"), Theme::SELECTED)
        } else {
            (format!(" T{phase} "), view.theme.label())
        };
        [Span::styled(word, style), Span::raw(" ")]
    });
    let levels = view.levels;
    let sentence = match view.snapshot.tour {
        // The tour has the sentence.
        Some(_) => String::new(),
        None => levels.board.phase_sentence(|net| levels.level(net)).to_owned(),
    };
    let instruction = Span::styled(describe_instruction(view.snapshot), Theme::VALUE);
    let phases = phases.chain((fit > 8).then_some(instruction)).collect();
    [phases, Line::raw(sentence)]
}

/// The paths of all bytes that chips take now.
fn paths(view: &BoardView, transfers: &[Transfer]) -> Vec<Span<'static>> {
    if transfers.is_empty() {
        return vec![Span::styled("   no chip takes a byte", view.theme.label())];
    }
    let paths = describe_paths(&view.levels.board, transfers, view.theme.arrow());
    let spans =
        paths.into_iter().flat_map(|it| [Span::raw("   "), Span::styled(it, view.theme.path())]);
    spans.collect()
}

/// All wires of the chip at the cursor, and the drivers and readers of the marked one.
fn chip_detail(view: &BoardView) -> [Line<'static>; 3] {
    let board = &view.levels.board;
    let chip = board.chip(view.chip);
    let part = format!("{}, {} ns", chip.part().name, chip.access_ns);
    let mut heading = vec![
        Span::styled(format!("{} ", chip.name()), Theme::VALUE),
        Span::styled(part, view.theme.label()),
    ];
    heading.extend(wire_spans(view));
    [
        Line::from(heading),
        view.buses("in  ", &inputs(board, chip), view.wire),
        view.buses("out ", &outputs(board, chip), view.wire),
    ]
}

/// The purpose of the chip at the cursor, from the board's description.
fn purpose(view: &BoardView) -> Line<'static> {
    Line::raw(view.levels.board.chip(view.chip).purpose().to_owned())
}

/// The purpose of the chip at the cursor, and the reason for its outputs. If the reason is too long
/// for one line, which happens after glitches, it takes both lines.
fn explain_selected(view: &BoardView, width: usize) -> [Line<'static>; 2] {
    let why = explain_chip(view.levels, view.chip);
    let first = text::wrap(&why, width).swap_remove(0);
    if first == why {
        return [purpose(view), Line::raw(why)];
    }
    let rest = why[first.len()..].trim_start().to_owned();
    [Line::raw(first), widgets::clip(Line::raw(rest), 0, width, view.theme)]
}

/// The chips that drive the marked wire, and those that read it.
fn wire_spans(view: &BoardView) -> Vec<Span<'static>> {
    let Some(net) = view.marked() else { return Vec::new() };
    let board = &view.levels.board;
    let [drivers, readers] = drivers_and_readers(board, &[net]);
    let what = if view.followed.is_some() { "  follows " } else { "  wire " };
    let from =
        if drivers.is_empty() { "from outside".into() } else { format!("driven (*) by {drivers}") };
    let (name, level) = (board.net(net).name(), u8::from(view.levels.level(net)));
    vec![
        Span::styled(what, view.theme.label()),
        Span::styled(format!("{name} = {level}"), view.theme.key()),
        Span::styled(format!(": {from}, read (+) by {readers}"), view.theme.label()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_chip_takes_two_lines_if_all_fit() {
        let board = gray1_roms::stock();
        // The strip takes two lines, the detail four. There are 14 chips.
        for (height, each, chips, detail) in [
            (1, 1, 0, 0),
            (10, 1, 8, 0),
            (19, 1, 14, 3),
            (20, 1, 14, 4),
            (33, 1, 14, 17),
            (34, 2, 28, 4),
            (40, 2, 28, 10),
        ] {
            let arrangement = list_arrangement(&board, Rect::new(0, 0, 80, height));
            let ChipsForm::List(lines) = arrangement.form else { panic!("a picture") };
            let heights = (arrangement.chips.height, arrangement.detail.height);
            assert_eq!((lines, heights), (each, (chips, detail)), "{height}");
        }
    }
}
