//! The answer to a question: a sentence, the most important steps, and all steps on demand. It has
//! its own area, so the LEDs that it explains stay visible while the user goes from step to step.

use std::sync::Arc;

use gray1_debugger::why::{CauseLine, Explanation};
use gray1_session::{Command, Destination, Snapshot};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use crate::actions::{Move, Reply};
use crate::theme::Theme;
use crate::{text, widgets};

/// The number of lines below the list: an empty line, then those for the place and the caption of
/// the selected step.
const FOOT_HEIGHT: u16 = 4;
/// The minimum height of a list that has other lines below it.
const LIST_HEIGHT_MIN: u16 = 3;
/// An area with fewer columns has no margin.
const MARGIN_FROM: u16 = 36;

/// An open answer.
pub(super) struct AnswerPane {
    pub(super) explanation: Arc<Explanation>,
    /// The important steps, and all steps.
    steps: [Vec<CauseLine>; 2],
    shows_all: bool,
    selected: usize,
}

impl AnswerPane {
    pub(super) fn new(explanation: &Arc<Explanation>, snapshot: &Snapshot) -> Self {
        let image = &snapshot.program.image;
        let all = explanation.lines(image);
        let steps = Some(explanation.steps(image)).filter(|steps| !steps.is_empty());
        let steps = [steps.unwrap_or_else(|| all.clone()), all];
        Self { explanation: Arc::clone(explanation), steps, shows_all: false, selected: 0 }
    }

    /// The question about a square, in the form that users type.
    pub(super) fn question(&self) -> Option<String> {
        let (row, column) = self.explanation.asked_led?.square;
        Some(format!("led {row}, {column}"))
    }

    fn shown(&self) -> &[CauseLine] {
        &self.steps[usize::from(self.shows_all)]
    }

    /// The LED's current colour, which may differ from the one in the answer.
    fn heading(&self, snapshot: &Snapshot, theme: Theme) -> Option<Line<'static>> {
        let asked = self.explanation.asked_led?;
        let (row, column) = asked.square;
        let (led, now) = (snapshot.display().led(row.into(), column.into()), snapshot.time.now);
        let is_same = led == asked.led;
        let is = if now < self.explanation.moment && !is_same { "was still" } else { "is" };
        let heading = format!("at {} it {is} {}", text::grouped(now), led.name());
        Some(Line::styled(heading, if is_same { theme.label() } else { theme.alert() }))
    }

    /// The lines above the list.
    fn head(&self, snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
        let sentence = text::wrap(&text::printable(&self.explanation.answer()), width).into_iter();
        let sentence = sentence.map(|line| Line::styled(line, Theme::VALUE));
        self.heading(snapshot, theme).into_iter().chain(sentence).collect()
    }

    /// The lines of the list, each with the number of its step.
    fn rows(&self, theme: Theme, width: usize) -> Vec<(usize, Line<'static>)> {
        let moment = |line: &CauseLine| line.moment.map_or_else(String::new, text::grouped);
        let digits = self.shown().iter().map(|line| moment(line).len()).max().unwrap_or_default();
        let rows = self.shown().iter().enumerate().flat_map(|(n, line)| {
            let indent = (2 * line.indent).min(width / 4);
            let room = width.saturating_sub(digits + 2 + indent).max(1);
            let lines = text::wrap(&text::printable(&line.text), room).into_iter();
            let moments = std::iter::once(moment(line)).chain(std::iter::repeat(String::new()));
            lines.zip(moments).map(move |(line, moment)| {
                let moment = Span::styled(format!("{moment:>digits$}  "), theme.label());
                (n, Line::from(vec![moment, Span::raw(format!("{:indent$}{line}", ""))]))
            })
        });
        rows.collect()
    }

    /// The area of the list below the head, and the index of its first visible row.
    fn list_area(&self, inside: Rect, head: usize, rows: &[(usize, Line)]) -> (Rect, usize) {
        let room = inside.height.saturating_sub(head as u16);
        let gap = u16::from(room > LIST_HEIGHT_MIN);
        let foot = (room - gap).saturating_sub(LIST_HEIGHT_MIN).min(FOOT_HEIGHT);
        let height = (room - gap - foot).min(rows.len() as u16);
        let selected = rows.iter().position(|(n, _)| *n == self.selected).unwrap_or_default();
        let list = Rect { y: inside.bottom() - room + gap, height, ..inside };
        (list, widgets::first_line(selected, rows.len(), height.into()))
    }

    /// Switches between all steps and the important ones.
    pub(super) fn toggle_all(&mut self) {
        (self.shows_all, self.selected) = (!self.shows_all, 0);
    }

    pub(super) fn scroll(&mut self, to: Move, area: Rect) {
        let page = usize::from(area.height / 2).max(1);
        self.selected = to.along(self.selected, self.shown().len().saturating_sub(1), page);
    }

    /// A click on a step goes to its moment.
    pub(super) fn click(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let (inside, theme) = (inside(area), Theme::PICTURE);
        let rows = self.rows(theme, inside.width.into());
        let head = self.head(snapshot, theme, inside.width.into()).len();
        let (list, first) = self.list_area(inside, head, &rows);
        let row = first + usize::from(at.y.saturating_sub(list.y));
        let step = rows.get(row).filter(|_| list.contains(at));
        step.map_or(Reply::Done, |(step, _)| {
            self.selected = *step;
            self.go_to_step()
        })
    }

    /// Goes to the moment of the selected step.
    pub(super) fn go_to_step(&self) -> Reply {
        match self.shown().get(self.selected).and_then(|line| line.moment) {
            Some(moment) => Reply::command(Command::RunTo(Destination::Moment(moment))),
            None => Reply::Note("this has no moment to go to"),
        }
    }

    pub(super) fn draw(&self, snapshot: &Snapshot, theme: Theme, area: Rect, buffer: &mut Buffer) {
        Clear.render(area, buffer);
        let question = self.question().map(|question| format!("{question} "));
        let title = format!(" why {}", question.unwrap_or_default());
        let title = Line::styled(title, theme.pane_title(true));
        let other = ["steps that matter", "all steps"][usize::from(!self.shows_all)];
        let count = self.steps[usize::from(!self.shows_all)].len();
        let other = Span::styled(format!(" {other} ({count}) "), theme.label());
        let other = vec![Span::styled(" A", theme.key()), other].into();
        let block = Block::bordered()
            .border_style(theme.pane_line(true))
            .title(widgets::clip_title(title, theme, area))
            .title_bottom(widgets::clip_title(other, theme, area));
        widgets::draw_frame(block, theme, area, buffer);
        let inside = inside(area);
        let width = usize::from(inside.width);
        let (head, rows) = (self.head(snapshot, theme, width), self.rows(theme, width));
        let (list, first) = self.list_area(inside, head.len(), &rows);
        widgets::draw_lines(head, theme, inside, buffer);
        for ((step, line), row) in rows.into_iter().skip(first).zip(list.rows()) {
            line.render(row, buffer);
            if step == self.selected {
                buffer.set_style(row, Theme::SELECTED);
            }
        }
        let Some(selected) = self.shown().get(self.selected) else { return };
        let caption = selected.caption.iter().map(|caption| format!("\"{caption}\""));
        let lines = selected.place.iter().cloned().chain(caption);
        let lines = lines.flat_map(|it| text::wrap(&text::printable(&it), width));
        let foot = Rect { y: list.bottom() + 1, height: FOOT_HEIGHT - 1, ..list };
        let lines = lines.map(|line| Line::styled(line, theme.label()));
        widgets::draw_lines(lines, theme, foot.intersection(inside), buffer);
    }
}

fn inside(area: Rect) -> Rect {
    area.inner(Margin::new(1 + u16::from(area.width >= MARGIN_FROM), 1))
}
