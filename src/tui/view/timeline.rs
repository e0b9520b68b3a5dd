//! The timeline: what is known of the past and the future as a strip, with the moment, and the
//! moments at which LEDs were seen to change, lines ended and breaks met.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::player::{Snapshot, Time};
use crate::tui::text;
use crate::tui::theme::Theme;

/// Draws the strip between its numbers and its words.
pub(super) fn draw(snapshot: &Snapshot, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let time = &snapshot.time;
    let width = usize::from(place.width);
    let lines = [
        ends(time, theme, width),
        Line::styled(marks(time, width), theme.label()),
        strip(time, theme, width),
        Line::styled(format!("{}^", " ".repeat(column(time, time.now, width))), Theme::VALUE),
        entry("moment", text::grouped(time.now), theme),
        entry("since reset", text::grouped(snapshot.executed), theme),
        entry("lines ended", lines_ended(time), theme),
    ];
    for (line, y) in lines.into_iter().zip(place.y..place.bottom()) {
        line.render(Rect { y, height: 1, ..place }, buffer);
    }
}

/// The first moment and the last, at the ends of the strip.
fn ends(time: &Time, theme: Theme, width: usize) -> Line<'static> {
    let (start, end) = (text::grouped(time.start), text::grouped(time.end));
    let gap = width.saturating_sub(start.len() + end.len());
    Line::styled(format!("{start}{}{end}", " ".repeat(gap)), theme.label())
}

/// Where LEDs changed, lines were ended, and breaks met: what is rarer over what is not.
fn marks(time: &Time, width: usize) -> String {
    let mut marks = vec![' '; width];
    for (moments, sign) in [(&time.leds, '.'), (&time.lines, '\''), (&time.stops, '!')] {
        for &moment in moments.iter().filter(|moment| **moment >= time.start) {
            if let Some(mark) = marks.get_mut(column(time, moment, width)) {
                *mark = sign;
            }
        }
    }
    marks.into_iter().collect()
}

/// What lies behind, and what is known to come.
fn strip(time: &Time, theme: Theme, width: usize) -> Line<'static> {
    let behind = column(time, time.now, width);
    let ahead = width.saturating_sub(behind + 1);
    Line::from(vec![
        Span::styled("=".repeat(behind), Theme::VALUE),
        Span::styled("|", Theme::VALUE),
        Span::styled("-".repeat(ahead), theme.label()),
    ])
}

/// Where on the strip a moment is.
fn column(time: &Time, moment: u64, width: usize) -> usize {
    let (length, last) = (time.end - time.start, width.saturating_sub(1));
    let passed = u128::from(moment.saturating_sub(time.start));
    (passed * last as u128 / u128::from(length.max(1))) as usize
}

/// The first moment that is shown at this column of a strip so wide.
pub(in crate::tui) fn moment_at(time: &Time, column: u16, width: u16) -> u64 {
    let (length, last) = (time.end - time.start, width.saturating_sub(1).max(1));
    let passed = (u128::from(length) * u128::from(column)).div_ceil(u128::from(last));
    time.start + (passed as u64).min(length)
}

fn lines_ended(time: &Time) -> String {
    let before = time.lines.iter().filter(|moment| **moment <= time.now).count();
    format!("{before} of {}", time.lines.len())
}

fn entry(label: &str, value: String, theme: Theme) -> Line<'static> {
    let label = Span::styled(format!("{label:<13}"), theme.label());
    Line::from(vec![label, Span::styled(value, Theme::VALUE)])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_moment_is_shown_where_it_was_found() {
        for (start, length) in [(0, 1000), (7, 58), (1 << 40, 1 << 60), (0, u64::MAX)] {
            let [lines, stops, leds] = [const { Vec::new() }; 3].map(Arc::new);
            let end = start + length;
            let time = Time { start, end, now: start, lines, stops, leds, searched: None };
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
