//! The timeline pane: the known history as a strip, with the current moment and marks at LED
//! changes, printed lines and breakpoints.

use gray1_session::{Command, PRINTED_LINE, Snapshot, Time};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::{Line, Span};

use super::{Context, Pane, PaneSpec};
use crate::actions::{KeyBinding, KeyGroup, Move, Reply, row};
use crate::key::{Key, KeyCode};
use crate::theme::Theme;
use crate::widgets::entry;
use crate::{text, widgets};

/// The pane.
pub(crate) struct TimelinePane;

/// The lines inside the frame.
const HEIGHT: u16 = 7;

const BACK: &[Key] = &[Key::char('<'), Key::plain(KeyCode::Left)];
const FORWARD: &[Key] = &[Key::char('>'), Key::plain(KeyCode::Right)];

impl PaneSpec for TimelinePane {
    const NAME: &'static str = "timeline";
    const TITLE: &'static str = "pane: the timeline";
    const MOVES: &'static [Move] = &[Move::First, Move::Last];
    const KEYS: &'static [KeyBinding<Self>] = &[
        row(BACK, KeyGroup::Run, "move", "timeline: back by 2 %").sends(Command::ScrubBack),
        row(FORWARD, KeyGroup::Run, "move", "timeline: forward by 2 %")
            .sends(Command::ScrubForward),
    ];
}

impl Pane for TimelinePane {
    fn height_max(&self, _: &Snapshot, _: u16) -> u16 {
        HEIGHT + 2
    }

    fn move_cursor(&mut self, to: Move, snapshot: &Snapshot, _: Size) -> Reply {
        match to {
            Move::First => Reply::command(Command::Seek(snapshot.time.start)),
            Move::Last => Reply::command(Command::Seek(snapshot.time.end)),
            _ => Reply::Done,
        }
    }

    fn click(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let moment = moment_at(&snapshot.time, at.x - area.x, area.width);
        Reply::command(Command::Seek(moment))
    }

    fn drag(&mut self, at: Position, area: Rect, snapshot: &Snapshot) -> Reply {
        let is_inside = area.contains(at);
        if is_inside { self.click(at, area, snapshot) } else { Reply::Done }
    }

    /// Draws the strip between its numbers and its legend.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let (time, theme, width) = (&context.snapshot.time, context.theme, area.width.into());
        let line = context.snapshot.program.result().unwrap_or(PRINTED_LINE);
        let pointer = if theme.unicode { '▲' } else { '^' };
        let here = format!("{}{pointer}", " ".repeat(column(time, time.now, width)));
        let lines = [
            ends(time, theme, width),
            Line::styled(marks(time, theme, width), theme.label()),
            strip(time, theme, width),
            Line::styled(here, Theme::VALUE),
            entry("moment       ", text::grouped(time.now), theme),
            entry("since reset  ", text::grouped(context.snapshot.cpu.executed), theme),
            entry(format!("{line:<12} "), count_lines(time), theme),
        ];
        widgets::draw_lines(lines, theme, area, buffer);
    }
}

/// The first and the last moment, at the ends of the strip.
fn ends(time: &Time, theme: Theme, width: usize) -> Line<'static> {
    let (start, end) = (text::grouped(time.start), text::grouped(time.end));
    let gap = width.saturating_sub(start.len() + end.len()).max(1);
    Line::styled(format!("{start}{}{end}", " ".repeat(gap)), theme.label())
}

/// The marks: LED changes, printed lines and breakpoints. Rarer marks cover more frequent ones.
fn marks(time: &Time, theme: Theme, width: usize) -> String {
    let mut marks = vec![' '; width];
    let signs = if theme.unicode { ['·', '◆', '!'] } else { ['.', '\'', '!'] };
    let kinds = [&time.marks.leds, &time.marks.lines, &time.marks.stops];
    for (moments, sign) in kinds.into_iter().zip(signs) {
        for &moment in moments.iter().filter(|moment| **moment >= time.start) {
            if let Some(mark) = marks.get_mut(column(time, moment, width)) {
                *mark = sign;
            }
        }
    }
    marks.into_iter().collect()
}

/// The past, and the known future.
fn strip(time: &Time, theme: Theme, width: usize) -> Line<'static> {
    let passed = column(time, time.now, width);
    let left = width.saturating_sub(passed + 1);
    let [past, now, future] = if theme.unicode { ["━", "●", "─"] } else { ["=", "|", "-"] };
    Line::from(vec![
        Span::styled(past.repeat(passed), Theme::VALUE),
        Span::styled(now, Theme::VALUE),
        Span::styled(future.repeat(left), theme.label()),
    ])
}

/// The column of a moment on the strip.
fn column(time: &Time, moment: u64, width: usize) -> usize {
    let (length, last) = (time.end - time.start, width.saturating_sub(1));
    let passed = u128::from(moment.saturating_sub(time.start));
    (passed * last as u128 / u128::from(length.max(1))) as usize
}

/// The first moment of a column of a strip of this width.
pub(crate) fn moment_at(time: &Time, column: u16, width: u16) -> u64 {
    let (length, last) = (time.end - time.start, width.saturating_sub(1).max(1));
    let passed = (u128::from(length) * u128::from(column)).div_ceil(u128::from(last));
    time.start + (passed as u64).min(length)
}

/// The number of printed lines so far, and of those in the known history.
fn count_lines(time: &Time) -> String {
    let lines = &time.marks.lines;
    let before = lines.iter().filter(|moment| **moment <= time.now).count();
    format!("{before} of {}", lines.len())
}

#[cfg(test)]
mod tests {
    use gray1_session::Marks;

    use super::*;

    #[test]
    fn a_click_and_the_pointer_agree_on_the_column() {
        for (start, length) in [(0, 1000), (7, 58), (1 << 40, 1 << 60), (0, u64::MAX)] {
            let end = start + length;
            let marks = Marks::default();
            let time = Time { start, end, now: start, marks, searched: None, can_jump_back: false };
            for width in 2..=59 {
                for at in 0..width {
                    let moment = moment_at(&time, at, width);
                    assert_eq!(column(&time, moment, width.into()), usize::from(at));
                }
                assert_eq!(moment_at(&time, width - 1, width), time.end);
            }
        }
    }
}
