//! Draws the board: the phase as a strip, the chips with what they show and why, and all lines of
//! the chip at the cursor.

use gray1_sim::board::{Chip, ChipId, NetId};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::lines::{Group, groups};
use super::why::why;
use crate::names;
use crate::panes::Context;
use crate::session::{Levels, Snapshot};
use crate::theme::Theme;
use crate::widgets::{self, first_line};

/// The strip and the line below it.
const STRIP_HEIGHT: u16 = 2;
/// Inputs, outputs and the marked line of one chip.
const DETAIL_HEIGHT: u16 = 4;
/// A phase on the strip, and the space behind it.
const PHASE_WIDTH: u16 = 5;

/// What the cursor is on.
pub(super) struct Marked {
    pub(super) chip: ChipId,
    pub(super) line: Option<NetId>,
    /// The line that is followed.
    pub(super) followed: Option<NetId>,
}

/// Draws the board with these levels.
pub(super) fn draw(
    marked: &Marked,
    levels: &Levels,
    context: &Context,
    area: Rect,
    buffer: &mut Buffer,
) {
    let Context { snapshot, theme, .. } = *context;
    let net = marked.followed.or(marked.line);
    let drawing = Drawing { cursor: marked, snapshot, levels, theme, marked: net };
    let chips = levels.board.chips().len() as u16;
    let fits = |lines: u16| area.height >= STRIP_HEIGHT + lines + DETAIL_HEIGHT;
    let (lines, detail) = if fits(2 * chips) {
        (2 * chips, DETAIL_HEIGHT)
    } else if fits(chips) {
        (chips, DETAIL_HEIGHT)
    } else {
        (chips, 0)
    };
    let strip = Rect { height: STRIP_HEIGHT.min(area.height), ..area };
    let list_height = area.height.saturating_sub(STRIP_HEIGHT + detail).min(lines);
    let list = Rect { y: strip.bottom(), height: list_height, ..area };
    let below = Rect { y: list.bottom(), height: area.bottom() - list.bottom(), ..area };
    widgets::lines(drawing.strip(strip.width), strip, buffer);
    drawing.list(list, lines / chips, buffer);
    widgets::lines(drawing.detail(), below, buffer);
}

struct Drawing<'a> {
    cursor: &'a Marked,
    snapshot: &'a Snapshot,
    levels: &'a Levels,
    theme: Theme,
    /// The line whose chips are marked.
    marked: Option<NetId>,
}

impl Drawing<'_> {
    /// The eight phases, the present one marked, or as many up to it as the width allows; the
    /// instruction under way.
    fn strip(&self, width: u16) -> Vec<Line<'static>> {
        let (image, cpu) = (&self.snapshot.program.image, &self.snapshot.cpu);
        let fit = (width + 1) / PHASE_WIDTH;
        let first = (u16::from(cpu.phase) + 1).saturating_sub(fit);
        let phases = (0..8).skip(usize::from(first)).flat_map(|phase| {
            let (word, style) = if phase == cpu.phase {
                (format!("[T{phase}]"), Theme::SELECTED)
            } else {
                (format!(" T{phase} "), self.theme.label())
            };
            [Span::styled(word, style), Span::raw(" ")]
        });
        let instruction = names::instruction(image, cpu.pc);
        let what = format!("{:04x} {instruction}", cpu.pc.get());
        vec![phases.collect(), Line::styled(what, Theme::VALUE)]
    }

    /// The chips, `each` lines a chip: with two, the second one holds its inputs.
    fn list(&self, area: Rect, each: u16, buffer: &mut Buffer) {
        let board = &self.levels.board;
        let cursor = self.cursor.chip.index();
        let first = first_line(cursor, board.chips().len(), usize::from(area.height / each));
        let lines = board.chip_ids().skip(first).flat_map(|id| {
            let inputs = groups(board, board.chip(id).inputs().map(|(_, net)| net));
            let inputs = (each > 1).then(|| self.all("        ", &inputs, None));
            std::iter::once(self.row(id)).chain(inputs)
        });
        widgets::lines(lines, area, buffer);
        let name = board.chips()[cursor].name().len() as u16;
        let (x, y) = (area.x + 2, area.y + (cursor - first) as u16 * each);
        buffer.set_style(Rect::new(x, y, name, 1).intersection(area), Theme::SELECTED);
    }

    /// A chip: how it stands to the marked line, what it shows, why.
    fn row(&self, id: ChipId) -> Line<'static> {
        let chip = self.levels.board.chip(id);
        let relation = Span::styled(self.relation(chip), self.theme.key());
        let mut spans = vec![relation, Span::styled(format!("{:<6}", chip.name()), Theme::VALUE)];
        spans.extend(self.bits(chip.data(), None));
        spans.push(Span::raw(" ".repeat(9 - chip.data().len().min(8))));
        spans.push(Span::raw(why(self.levels, id)));
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
        let board = &self.levels.board;
        let chip = board.chip(self.cursor.chip);
        let at = self.cursor.line;
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
        let board = &self.levels.board;
        let chips = |wanted: &dyn Fn(&Chip) -> bool| {
            let names = board.chips().iter().filter(|chip| wanted(chip)).map(Chip::name);
            names.collect::<Vec<_>>().join(" ")
        };
        let drivers = chips(&|chip| chip.data().contains(&net));
        let readers = chips(&|chip| chip.inputs().any(|(_, input)| input == net));
        let what = if self.cursor.followed.is_some() { "  follows " } else { "  line " };
        let from = if drivers.is_empty() {
            "from outside".into()
        } else {
            format!("driven (*) by {drivers}")
        };
        let (name, level) = (board.net(net).name(), u8::from(self.levels.level(net)));
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
            let digit = if self.levels.level(net) { "1" } else { "0" };
            Span::styled(digit, self.style(net, at))
        };
        nets.iter().rev().map(bit).collect()
    }

    fn style(&self, net: NetId, at: Option<NetId>) -> Style {
        let style = if self.levels.moved(net) { self.theme.fresh() } else { Style::new() };
        let style = if self.marked == Some(net) { style.patch(self.theme.key()) } else { style };
        if at == Some(net) { style.patch(Theme::SELECTED) } else { style }
    }
}
