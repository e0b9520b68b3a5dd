//! What stands beside the display: pace, counts, registers, what the colours mean, the output.

use gray1_isa::panel::{Buttons, Led};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::output;
use crate::tui::player::{Snapshot, Status, Time};
use crate::tui::state::State;
use crate::tui::text;
use crate::tui::theme::Theme;

/// The output is shown from this many rows on: a heading and a few lines. Empty lines between the
/// blocks come second.
const OUTPUT_ROWS_MIN: usize = 4;
/// What the legend needs in order to be spacious.
const LEGEND_WIDTH: usize = " R  red   G  green   Y  both".len();

/// Draws the panel: blocks of lines, and the output in the rows that are left.
pub(super) fn draw(state: &State, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let snapshot = &state.snapshot;
    let (width, height) = (usize::from(place.width), usize::from(place.height));
    let blocks = [
        progress(snapshot, theme, width),
        registers(snapshot, theme, width).into_iter().chain(buttons(state, theme)).collect(),
        vec![legend(snapshot, theme, width)],
    ];
    let rows: usize = blocks.iter().map(|block| block.len() + 1).sum();
    let spacious = rows + OUTPUT_ROWS_MIN <= height;
    let mut lines = Vec::new();
    for block in blocks {
        lines.extend(block);
        lines.extend(spacious.then(Line::default));
    }
    lines.extend(output::under_heading(
        &snapshot.output,
        theme,
        width,
        height.saturating_sub(lines.len()),
    ));
    for (line, y) in lines.into_iter().zip(place.y..place.bottom()) {
        line.render(Rect::new(place.x, y, place.width, 1), buffer);
    }
}

/// How fast it is to be, how fast it is or what else it does, how far it has come.
fn progress(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let pc = snapshot.pc.get();
    let now = match snapshot.status {
        Status::Halted => [format!("halted at {pc:#06x}"), format!("halted {pc:#06x}")],
        Status::Paused => ["paused".into(), String::new()],
        Status::Seeking => ["seeking".into(), String::new()],
        Status::Searching => [format!("searching, {}", searched(snapshot)), "searching".into()],
        Status::Running => [snapshot.speed.map_or("...".into(), text::speed), String::new()],
    };
    let what = if snapshot.status == Status::Running { "speed" } else { "state" };
    let count = text::grouped(snapshot.executed);
    let entry = |label, variants: [String; 2], style| {
        let label = format!("{label:<6}");
        let value = fitting(width - label.len(), variants);
        Line::from(vec![Span::styled(label, theme.label()), Span::styled(value, style)])
    };
    vec![
        entry("pace", [snapshot.pace.to_string(), snapshot.pace.short()], Theme::VALUE),
        entry(what, now, theme.status(snapshot.status)),
        entry("count", [format!("{count} instructions"), count], Theme::VALUE),
    ]
}

/// How much of the past was searched.
fn searched(snapshot: &Snapshot) -> String {
    let Time { now, start, searched, .. } = snapshot.time;
    let done = searched.map_or(0, |down_to| now.saturating_sub(down_to));
    format!("{} %", done * 100 / now.saturating_sub(start).max(1))
}

/// The first of the texts if it fits, else the second one.
fn fitting(width: usize, [long, short]: [String; 2]) -> String {
    if long.len() <= width || short.is_empty() { long } else { short }
}

/// What a programmer sees of the CPU, and how many queens stand if the program counts them.
fn registers(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let entry = |label: &'static str, value: String| {
        [Span::styled(label, theme.label()), Span::styled(value, Theme::VALUE)]
    };
    let (a, carry, pc) = (snapshot.a, u8::from(snapshot.carry), snapshot.pc.get());
    let others = "A   C 0  PC 0000".len() + 2;
    let in_binary = format!("{a:02x} {:04b} {:04b}", a >> 4, a & 0xf);
    let registers = [
        entry("A ", fitting(width.saturating_sub(others), [in_binary, format!("{a:02x}")])),
        entry("  C ", carry.to_string()),
        entry("  PC ", format!("{pc:04x}")),
    ];
    let n = snapshot.variable("N").map(|n| entry("N ", n.to_string()).into_iter().collect());
    std::iter::once(registers.into_iter().flatten().collect()).chain(n).collect()
}

/// Which buttons are held, or who has their keys; nothing if the program does not look at them.
fn buttons(state: &State, theme: Theme) -> Option<Line<'static>> {
    let snapshot = &state.snapshot;
    let value = match snapshot.buttons {
        Buttons::NONE if state.at_panel => "none held".into(),
        Buttons::NONE => "i takes them".into(),
        held => held.to_string(),
    };
    let line = [Span::styled("buttons ", theme.label()), Span::styled(value, Theme::VALUE)];
    snapshot.reads_buttons.then(|| line.into_iter().collect())
}

/// What the colours of the LEDs mean.
fn legend(snapshot: &Snapshot, theme: Theme, width: usize) -> Line<'static> {
    let is_queens = ["N", "stack"].into_iter().all(|name| snapshot.variable(name).is_some());
    let meanings: &[(Led, &str, &str)] = if is_queens {
        &[(Led::Red, "R", "queen"), (Led::Green, "G", "free")]
    } else {
        &[(Led::Red, "R", "red"), (Led::Green, "G", "green"), (Led::Yellow, "Y", "both")]
    };
    let (margin, gap) = if width < LEGEND_WIDTH { ("", " ") } else { (" ", "  ") };
    let spans = meanings.iter().enumerate().flat_map(|(n, (led, letter, meaning))| {
        [
            Span::raw(if n == 0 { "" } else { gap }),
            Span::styled(format!("{margin}{letter}{margin}"), theme.led(*led, false)),
            Span::styled(format!(" {meaning}"), theme.label()),
        ]
    });
    spans.collect()
}
