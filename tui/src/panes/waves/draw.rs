//! Draws the waves: names and values on the left, the axis and the traces, and the changes of the
//! selected signal at the cursor.

use gray1_debugger::{Signal, WaveEdge};
use gray1_isa::text::plural;
use gray1_session::{RunState, Waves, instructions};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::trace;
use super::window::Window;
use crate::panes::Context;
use crate::text;
use crate::theme::Theme;
use crate::widgets::{self, first_line};

/// The lines of the axis: instructions, phases, and the mark of the current edge.
const AXIS_HEIGHT: u16 = 3;
/// The minimum and maximum number of lines about the cursor.
const DETAIL_HEIGHT: (u16, u16) = (2, 4);
/// The minimum number of signals in an area with lines about the cursor.
const LINES_MIN: u16 = 4;
/// The maximum length of a name. Longer ones are cut.
const NAME_WIDTH_MAX: usize = 10;
/// The width of the column `glitches` and a gap.
const COUNT_WIDTH: usize = 9;

/// The input for the layout.
#[derive(Clone, Copy)]
pub(super) struct WavesView<'a> {
    pub(super) waves: &'a Waves,
    /// The names of the signals.
    pub(super) names: &'a [String],
    /// The index of the selected signal, or 0 if there is none.
    pub(super) selected: usize,
    /// The index of the edge at the cursor.
    pub(super) cursor: usize,
    /// An edge takes 2^`zoom` columns.
    pub(super) zoom: u32,
}

/// The areas of all parts.
pub(super) struct WavesLayout {
    /// The signals. `None` for names that the board does not have.
    signals: Vec<Option<Signal>>,
    window: Window,
    /// The area of the traces and the axis.
    traces: Rect,
    /// The area of the signals, including their names.
    rows: Rect,
    detail: Rect,
    /// The index of the first visible signal, and the distance between signals in lines.
    first: usize,
    step: u16,
    name_width: usize,
    digits: usize,
}

impl WavesLayout {
    pub(super) fn new(view: &WavesView, area: Rect) -> Self {
        let WavesView { waves, names, selected, cursor, zoom } = *view;
        let signals: Vec<Option<Signal>> =
            names.iter().map(|name| Signal::named(name, &waves.board)).collect();
        let name_width = names.iter().map(|name| name.chars().count()).max();
        let name_width = name_width.unwrap_or_default().min(NAME_WIDTH_MAX);
        let digits = signals.iter().flatten().map(Signal::digits).max().unwrap_or(1);
        let counts = if waves.are_in_time() { COUNT_WIDTH } else { 0 };
        let left = (name_width + 1 + digits + counts + 1) as u16;
        let left = left.min(area.width.saturating_sub(1));
        let traces = Rect { x: area.x + left, width: area.width - left, ..area };
        let below = area.height.saturating_sub(AXIS_HEIGHT);
        let (least, most) = DETAIL_HEIGHT;
        let count = signals.len() as u16;
        let step = if 2 * count + least <= below { 2 } else { 1 };
        let free = below.saturating_sub(step * count);
        let detail = if below >= LINES_MIN + least { free.clamp(least, most) } else { 0 };
        let axis = AXIS_HEIGHT.min(area.height);
        let rows = Rect { y: area.y + axis, height: below - detail, ..area };
        let detail = Rect { y: rows.bottom(), height: detail, ..area };
        let first = first_line(selected, signals.len(), usize::from(rows.height / step));
        let place = (waves.now(), cursor);
        let window = Window::new(traces.width.max(1), 1 << zoom, waves.edges().len(), place);
        Self { signals, window, traces, rows, detail, first, step, name_width, digits }
    }

    /// The index of the signal at a position.
    pub(super) fn signal_at(&self, at: Position) -> Option<usize> {
        let line = self.first + usize::from((at.y.checked_sub(self.rows.y)?) / self.step);
        (self.rows.contains(at) && line < self.signals.len()).then_some(line)
    }

    /// The index of the edge at a position.
    pub(super) fn edge_at(&self, at: Position) -> Option<usize> {
        let is_inside = self.traces.contains(at) && !self.detail.contains(at);
        self.window.edge_at(at.x.checked_sub(self.traces.x)?).filter(|_| is_inside)
    }
}

/// The input for drawing the waves.
pub(super) struct WavesDrawing<'a> {
    pub(super) view: WavesView<'a>,
    pub(super) layout: WavesLayout,
    pub(super) context: &'a Context<'a>,
}

/// Draws a notice in place of waves that are not available.
pub(super) fn draw_running(context: &Context, area: Rect, buffer: &mut Buffer) {
    if matches!(context.snapshot.run_state, RunState::Running | RunState::Seeking(_)) {
        const MESSAGE: &str = "the machine runs: pause it (space), or slow it down (-)";
        widgets::draw_text(MESSAGE, context.theme, area, buffer);
    }
}

impl WavesDrawing<'_> {
    pub(super) fn draw(&self, buffer: &mut Buffer) {
        let WavesLayout { traces, rows, detail, .. } = self.layout;
        let axis = Rect { height: rows.y - traces.y, ..traces };
        widgets::draw_lines(self.axis(), self.context.theme, axis, buffer);
        let head = Rect { x: rows.x, y: rows.y.saturating_sub(1), height: 1, ..traces };
        let head = Rect { width: traces.x - rows.x, ..head };
        if axis.height == AXIS_HEIGHT {
            widgets::draw_lines([self.head()], self.context.theme, head, buffer);
        }
        self.draw_signals(buffer);
        self.draw_cursor(axis, buffer);
        widgets::draw_lines(self.describe_cursor(detail), self.context.theme, detail, buffer);
    }

    /// The lines of the axis: instructions, phases, and the mark of the current edge.
    fn axis(&self) -> [Line<'static>; 3] {
        let (window, theme) = (self.layout.window, self.context.theme);
        let edges = || window.edges().map(|edge| &self.view.waves.edges()[edge]);
        let width = usize::from(window.width);
        let instructions: Vec<&WaveEdge> = edges().collect();
        let instructions = instructions.chunk_by(|a, b| a.position.moment == b.position.moment);
        let instructions = instructions.map(|edges| {
            let columns = edges.len() * width;
            let text: String = self.instruction(edges[0]).chars().take(columns - 1).collect();
            Span::styled(format!("{text:<columns$}"), theme.label())
        });
        let phases = edges().map(|edge| {
            let number = edge.phase.number().to_string();
            let phase = if width > 2 { format!("T{number}") } else { number };
            Span::styled(format!("{phase:<width$}"), theme.label())
        });
        let mark = self.now_column().map(|column| {
            let arrow = if theme.unicode { "▼" } else { "v" };
            format!("{}{arrow} now", " ".repeat(column.into()))
        });
        [
            instructions.collect(),
            phases.collect(),
            Line::styled(mark.unwrap_or_default(), Theme::VALUE),
        ]
    }

    /// The column of the current edge, if it is visible.
    fn now_column(&self) -> Option<u16> {
        let (now, window) = (self.view.waves.now(), self.layout.window);
        window.edges().contains(&now).then(|| window.column(now))
    }

    /// The instruction that is next or in progress at an edge.
    fn instruction(&self, edge: &WaveEdge) -> String {
        let image = &self.context.snapshot.program.image;
        let instruction = instructions::disassemble(image, edge.index);
        format!("{:04x} {}", edge.index.get(), text::printable(&instruction))
    }

    /// The heading above names, values and counts.
    fn head(&self) -> Line<'static> {
        let phase = self.view.waves.edges()[self.view.cursor].phase.to_string();
        let WavesLayout { name_width, digits, .. } = self.layout;
        let count = if self.view.waves.are_in_time() { " glitches" } else { "" };
        let head = format!("{:name_width$} {phase:>digits$}{count}", "");
        Line::styled(head, self.context.theme.label())
    }

    fn draw_signals(&self, buffer: &mut Buffer) {
        let WavesLayout { rows, traces, first, step, .. } = self.layout;
        let tops = (rows.y..rows.bottom()).step_by(step.into());
        for (number, y) in (first..self.layout.signals.len()).zip(tops) {
            let left = Rect { y, height: 1, width: traces.x - rows.x, ..rows };
            let right = Rect { y, height: 1, ..traces };
            widgets::draw_lines([self.label(number)], self.context.theme, left, buffer);
            widgets::draw_lines([self.trace(number)], self.context.theme, right, buffer);
            if number == self.view.selected {
                let name = Rect { width: self.layout.name_width as u16, ..left };
                buffer.set_style(name.intersection(left), Theme::SELECTED);
            }
        }
    }

    /// The name of a signal, its value at the cursor, and its glitches on the screen.
    fn label(&self, number: usize) -> Line<'static> {
        let (theme, WavesLayout { name_width, digits, window, .. }) =
            (self.context.theme, &self.layout);
        let (name_width, digits) = (*name_width, *digits);
        let name: String =
            text::printable(&self.view.names[number]).chars().take(name_width).collect();
        let mut line = Line::raw(format!("{name:<name_width$} "));
        if let Some(signal) = &self.layout.signals[number] {
            let edge = &self.view.waves.edges()[self.view.cursor];
            let (value, width) = (signal.value(|net| edge.level(net)), signal.digits());
            let value = format!("{value:0width$x}");
            line.push_span(Span::styled(format!("{value:>digits$}"), Theme::VALUE));
            let edges = &self.view.waves.edges()[window.edges()];
            let count: usize = edges.iter().map(|edge| trace::count_glitches(signal, edge)).sum();
            if count > 0 {
                line.push_span(Span::styled(format!("{count:>COUNT_WIDTH$}"), theme.alert()));
            }
        }
        line
    }

    fn trace(&self, number: usize) -> Line<'static> {
        let theme = self.context.theme;
        let Some(signal) = &self.layout.signals[number] else {
            return Line::styled("the board has no such wire", theme.alert());
        };
        let samples = trace::sample(signal, self.view.waves, self.layout.window);
        let is_wire = signal.nets().len() == 1;
        let spans = if is_wire {
            trace::draw_wire(&samples, theme)
        } else {
            trace::draw_bus(&samples, signal.digits(), theme)
        };
        Line::from(spans)
    }

    /// Marks the columns of the edge at the cursor.
    fn draw_cursor(&self, axis: Rect, buffer: &mut Buffer) {
        let WavesLayout { window, traces, rows, .. } = self.layout;
        let x = traces.x + window.column(self.view.cursor);
        let width = window.width.min(traces.right().saturating_sub(x));
        let column = |y, height| Rect { x, y, width, height };
        let theme = self.context.theme;
        let style = theme.current_line();
        if style.bg.is_some() || width < 2 {
            buffer.set_style(column(rows.y, rows.height), style);
        } else {
            // With few colours, a line of characters takes the place of a tint.
            let bar = if theme.unicode { "│" } else { "|" };
            (rows.y..rows.bottom()).for_each(|y| buffer.set_string(x, y, bar, Theme::VALUE));
        }
        if axis.height > 1 {
            buffer.set_style(column(axis.y + 1, 1), Theme::SELECTED);
        }
    }

    /// Describes the position of the cursor and the changes of the selected signal there, as far as
    /// they fit.
    fn describe_cursor(&self, area: Rect) -> Vec<Line<'static>> {
        let (theme, number) = (self.context.theme, self.view.cursor);
        let edge = &self.view.waves.edges()[number];
        let now = self.view.waves.now();
        let distance = match number.abs_diff(now) {
            0 => "the present".to_owned(),
            edges => {
                let side = if number < now { "back" } else { "ahead" };
                format!("{edges} {} {side}, enter goes there", plural(edges, "edge"))
            }
        };
        let place = format!("{} of {}: {distance}", edge.phase, self.instruction(edge));
        let signal = self.layout.signals.get(self.view.selected).and_then(Option::as_ref);
        let changes = signal.map(|signal| self.describe_signal(signal, number)).unwrap_or_default();
        let mut lines = text::wrap(&changes, usize::from(area.width.saturating_sub(3)));
        let room = usize::from(area.height).saturating_sub(1);
        if lines.len() > room {
            lines.truncate(room);
            lines.iter_mut().skip(room.saturating_sub(1)).for_each(|last| last.push_str("..."));
        }
        let lines = lines.into_iter().map(|line| Line::styled(line, Theme::VALUE));
        std::iter::once(Line::styled(place, theme.label())).chain(lines).collect()
    }

    /// Describes how a signal changes at an edge.
    fn describe_signal(&self, signal: &Signal, number: usize) -> String {
        let edge = &self.view.waves.edges()[number];
        let Some(before) = self.view.waves.before(number) else { return String::new() };
        let mut nets = signal.nets().iter();
        if nets.all(|&net| edge.moves(net) == 0 && before.level(net) == edge.level(net)) {
            return format!("{} does not change", signal.name());
        }
        let (before, after) = (|net| before.level(net), |net| edge.level(net));
        signal.describe(&self.view.waves.board, before, after, |net| edge.moves(net))
    }
}

#[cfg(test)]
mod tests {
    use gray1_session::{Command, WireDetail};

    use super::*;
    use crate::tests as testing;

    /// The layout of 15 lines on 80 columns.
    fn layout(height: u16) -> WavesLayout {
        let mut session = testing::session(testing::program("queens"), true);
        session.command(Command::ShowWires(WireDetail::Waves));
        let (waves, names) = (&session.snapshot().waves.unwrap(), &vec!["PC".to_owned(); 15]);
        let view = WavesView { waves, names, selected: 0, cursor: 0, zoom: 2 };
        WavesLayout::new(&view, Rect::new(0, 0, 80, height))
    }

    #[test]
    fn a_click_finds_the_signal_drawn_there() {
        for (height, step) in [(12, 1), (24, 1), (50, 2)] {
            let layout = layout(height);
            for y in 0..height {
                let line = y.checked_sub(AXIS_HEIGHT).map(|y| usize::from(y / step));
                let line = line.filter(|line| *line < 15 && y < layout.detail.y);
                assert_eq!(layout.signal_at(Position { x: 7, y }), line, "{y} of {height}");
                assert_eq!(layout.signal_at(Position { x: 80, y }), None, "outside");
            }
        }
    }

    #[test]
    fn the_detail_takes_the_room_that_the_signals_leave() {
        // The axis takes three lines.
        for (height, step, lines, detail) in [
            (2, 1, 0, 0),
            (8, 1, 5, 0),
            (9, 1, 4, 2),
            (20, 1, 15, 2),
            (21, 1, 15, 3),
            (22, 1, 15, 4),
            (34, 1, 27, 4),
            (35, 2, 30, 2),
            (37, 2, 30, 4),
        ] {
            let layout = layout(height);
            let heights = (layout.rows.height, layout.detail.height);
            assert_eq!((layout.step, heights), (step, (lines, detail)), "{height}");
        }
    }
}
