//! The board: the phase as a strip, a row a chip with what it shows and why, and all lines of the
//! chip at the cursor.

use gray1_sim::board::{Chip, ChipId, NetId};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::first_row;
use crate::tui::chips::{Group, Lines, groups, why};
use crate::tui::names;
use crate::tui::state::State;
use crate::tui::theme::Theme;

/// The strip and the line below it.
const STRIP_HEIGHT: u16 = 2;
/// Inputs, outputs and the marked line of one chip.
const DETAIL_HEIGHT: u16 = 4;
/// A phase on the strip, and the space behind it.
const PHASE_WIDTH: u16 = 5;

/// Draws the board at the present moment.
pub(super) fn draw(state: &State, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let Some(lines) = &state.lines else { return };
    let drawing = Drawing { state, lines, theme, marked: state.board.marked(&lines.board) };
    let chips = lines.board.chips().len() as u16;
    let fits = |rows: u16| place.height >= STRIP_HEIGHT + rows + DETAIL_HEIGHT;
    let (rows, detail) = if fits(2 * chips) {
        (2 * chips, DETAIL_HEIGHT)
    } else if fits(chips) {
        (chips, DETAIL_HEIGHT)
    } else {
        (chips, 0)
    };
    let strip = Rect { height: STRIP_HEIGHT.min(place.height), ..place };
    let list_height = place.height.saturating_sub(STRIP_HEIGHT + detail).min(rows);
    let list = Rect { y: strip.bottom(), height: list_height, ..place };
    put(drawing.strip(strip.width), strip, buffer);
    drawing.list(list, rows / chips, buffer);
    let below = Rect { y: list.bottom(), height: place.bottom() - list.bottom(), ..place };
    put(drawing.detail(), below, buffer);
}

fn put(lines: Vec<Line<'_>>, place: Rect, buffer: &mut Buffer) {
    for (line, y) in lines.into_iter().zip(place.y..place.bottom()) {
        line.render(Rect { y, height: 1, ..place }, buffer);
    }
}

struct Drawing<'a> {
    state: &'a State,
    lines: &'a Lines,
    theme: Theme,
    /// The line whose chips are marked.
    marked: Option<NetId>,
}

impl Drawing<'_> {
    /// The eight phases, the present one marked, or as many up to it as the width allows; the
    /// instruction under way.
    fn strip(&self, width: u16) -> Vec<Line<'static>> {
        let snapshot = &self.state.snapshot;
        let image = &snapshot.program.image;
        let fit = (width + 1) / PHASE_WIDTH;
        let first = (u16::from(snapshot.phase) + 1).saturating_sub(fit);
        let phases = (0..8).skip(usize::from(first)).flat_map(|phase| {
            let (word, style) = if phase == snapshot.phase {
                (format!("[T{phase}]"), Theme::SELECTED)
            } else {
                (format!(" T{phase} "), self.theme.label())
            };
            [Span::styled(word, style), Span::raw(" ")]
        });
        let what = format!(
            "{:04x} {}",
            snapshot.pc.get(),
            names::instruction(image, image.word(snapshot.pc))
        );
        vec![phases.collect(), Line::styled(what, Theme::VALUE)]
    }

    /// The chips, `each` rows a chip: with two, the second one holds its inputs.
    fn list(&self, place: Rect, each: u16, buffer: &mut Buffer) {
        let board = &self.lines.board;
        let cursor = self.state.board.chip(board);
        let first =
            first_row(cursor.index(), board.chips().len(), usize::from(place.height / each));
        let tops = (place.y..place.bottom()).step_by(usize::from(each));
        for (id, y) in board.chip_ids().skip(first).zip(tops) {
            let area = Rect { y, height: 1, ..place };
            self.row(id).render(area, buffer);
            if each > 1 && y + 1 < place.bottom() {
                let inputs = groups(board, board.chip(id).inputs().map(|(_, net)| net));
                self.all("        ", &inputs, None).render(Rect { y: y + 1, ..area }, buffer);
            }
            if id == cursor {
                let name = board.chip(id).name().len() as u16;
                let place = Rect { x: area.x + 2, width: name, ..area }.intersection(area);
                buffer.set_style(place, Theme::SELECTED);
            }
        }
    }

    /// A chip: how it stands to the marked line, what it shows, why.
    fn row(&self, id: ChipId) -> Line<'static> {
        let chip = self.lines.board.chip(id);
        let relation = Span::styled(self.relation(chip), self.theme.key());
        let mut spans = vec![relation, Span::styled(format!("{:<6}", chip.name()), Theme::VALUE)];
        spans.extend(self.bits(chip.data(), None));
        spans.push(Span::raw(" ".repeat(9 - chip.data().len().min(8))));
        spans.push(Span::raw(why(self.lines, id)));
        Line::from(spans)
    }

    /// Whether a chip drives the marked line, or reads it.
    fn relation(&self, chip: &Chip) -> &'static str {
        let Some(net) = self.marked else { return "  " };
        match (chip.data().contains(&net), chip.inputs().any(|(_, input)| input == net)) {
            (true, true) => "*+",
            (true, false) => "* ",
            (false, true) => " +",
            (false, false) => "  ",
        }
    }

    /// All lines of the chip at the cursor, and what is known of the marked one.
    fn detail(&self) -> Vec<Line<'static>> {
        let board = &self.lines.board;
        let chip = board.chip(self.state.board.chip(board));
        let at = self.state.board.line(board);
        let inputs = groups(board, chip.inputs().map(|(_, net)| net));
        let outputs = groups(board, chip.data().iter().copied());
        let part = format!("{}, {} ns", chip.part().name, chip.access_ns());
        let mut heading = vec![
            Span::styled(format!("{} ", chip.name()), Theme::VALUE),
            Span::styled(part, self.theme.label()),
        ];
        heading.extend(self.about_marked());
        vec![Line::from(heading), self.all("in  ", &inputs, at), self.all("out ", &outputs, at)]
    }

    fn all(&self, label: &'static str, groups: &[Group], at: Option<NetId>) -> Line<'static> {
        let label = Span::styled(label, self.theme.label());
        std::iter::once(label)
            .chain(groups.iter().flat_map(|group| self.group(group, at)))
            .collect()
    }

    /// Who drives the marked line, and who reads it.
    fn about_marked(&self) -> Vec<Span<'static>> {
        let Some(net) = self.marked else { return Vec::new() };
        let board = &self.lines.board;
        let chips = |wanted: &dyn Fn(&Chip) -> bool| {
            let names = board.chips().iter().filter(|chip| wanted(chip)).map(Chip::name);
            names.collect::<Vec<_>>().join(" ")
        };
        let drivers = chips(&|chip| chip.data().contains(&net));
        let readers = chips(&|chip| chip.inputs().any(|(_, input)| input == net));
        let what = if self.state.board.followed().is_some() { "  follows " } else { "  line " };
        let from = if drivers.is_empty() {
            "from outside".into()
        } else {
            format!("driven (*) by {drivers}")
        };
        let (name, level) = (board.net(net).name(), u8::from(self.lines.level(net)));
        vec![
            Span::styled(what, self.theme.label()),
            Span::styled(format!("{name} = {level}"), self.theme.key()),
            Span::styled(format!(": {from}, read (+) by {readers}"), self.theme.label()),
        ]
    }

    /// Lines of one name: the name, then their levels, the high bit first.
    fn group(&self, group: &Group, at: Option<NetId>) -> Vec<Span<'static>> {
        let mut spans = vec![Span::styled(format!("{} ", group.name), self.theme.label())];
        spans.extend(self.bits(&group.nets, at));
        spans.push(Span::raw(" "));
        spans
    }

    /// Levels, the high bit first; what has moved is marked.
    fn bits(&self, nets: &[NetId], at: Option<NetId>) -> Vec<Span<'static>> {
        let bit = |&net: &NetId| {
            let digit = if self.lines.level(net) { "1" } else { "0" };
            Span::styled(digit, self.style(net, at))
        };
        nets.iter().rev().map(bit).collect()
    }

    fn style(&self, net: NetId, at: Option<NetId>) -> Style {
        let style = if self.lines.moved(net) { self.theme.fresh() } else { Style::new() };
        let style = if self.marked == Some(net) { style.patch(self.theme.key()) } else { style };
        if at == Some(net) { style.patch(Theme::SELECTED) } else { style }
    }
}
