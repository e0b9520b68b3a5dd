//! The panel next to the display: the meaning of the colours, the program's counts, pace and
//! registers, and its results. Each stays in its place while the machine runs and pauses.

use gray1_isa::panel::{Buttons, Display, Led};
use gray1_isa::run_off;
use gray1_session::{Rate, RunState, Snapshot, Time};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::panes::{Context, output};
use crate::theme::Theme;
use crate::widgets::entry;
use crate::{text, widgets};

/// The minimum height for the output: a heading and a few lines. It takes precedence over gaps
/// between the blocks.
const OUTPUT_HEIGHT_MIN: usize = 4;
/// A program that uses the LEDs changes one within this many instructions.
const INSTRUCTIONS_LONG: u64 = 1_000_000;
/// The minimum width of a legend with gaps between its entries.
const LEGEND_WIDTH: usize = " R  red   G  green   Y  both".len();
/// The legend of programs that do not declare one.
const COLORS: &[(Led, &str)] = &[(Led::Red, "red"), (Led::Green, "green"), (Led::Yellow, "both")];

/// Draws the panel: blocks of lines, then the output, unless there is an album.
pub(super) fn draw(context: &Context, has_album: bool, area: Rect, buffer: &mut Buffer) {
    let Context { snapshot, theme, .. } = *context;
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let values = widgets::flow(widgets::values(snapshot, theme), "  ", width);
    let values = values.into_iter().chain(buttons(context)).collect();
    let machine = progress(snapshot, theme, width).into_iter();
    let machine = machine.chain([registers(snapshot, theme, width)]).chain(note(snapshot, theme));
    let mut blocks = [legend(snapshot, theme, width), values, machine.collect()];
    // If there is not enough room, the registers are shown only while the machine is stopped.
    let has_room = blocks.iter().map(Vec::len).sum::<usize>() <= height;
    if !has_room && snapshot.run_state != RunState::Running {
        blocks.reverse();
    }
    let blocks = blocks.into_iter().filter(|block| !block.is_empty());
    let used: usize = blocks.clone().map(|block| block.len() + 1).sum();
    let spacious = used + OUTPUT_HEIGHT_MIN <= height;
    let mut lines = Vec::new();
    for block in blocks {
        lines.extend(block);
        lines.extend(spacious.then(Line::default));
    }
    let left = if has_album { 0 } else { height.saturating_sub(lines.len()) };
    lines.extend(output::lines(&snapshot.output, theme, width, left));
    widgets::draw_lines(lines, theme, area, buffer);
}

/// A line with a label and the longer of two variants of its value, or the shorter one if the
/// longer does not fit.
fn labelled(
    label: &str,
    variants: [String; 2],
    style: Style,
    width: usize,
    theme: Theme,
) -> Line<'static> {
    let label = format!("{label:<6}");
    let value = choose_form(width - label.len(), variants);
    Line::from(vec![Span::styled(label, theme.label()), Span::styled(value, style)])
}

/// The pace, the speed or the state, and the instruction count.
fn progress(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let pc = snapshot.cpu.pc.get();
    let now = match snapshot.run_state {
        RunState::Halted if run_off(&snapshot.program.image, snapshot.cpu.pc).is_some() => {
            ["halted in erased memory".into(), "halted, erased".into()]
        }
        RunState::Halted => [format!("halted at {pc:#06x}"), format!("halted {pc:#06x}")],
        RunState::Paused => ["paused".into(), String::new()],
        RunState::Seeking(_) => ["seeking".into(), String::new()],
        RunState::Searching => [describe_search(snapshot), "searching".into()],
        RunState::Running => {
            let speed = snapshot.speed.map_or(theme.unknown().into(), text::format_speed);
            [speed.clone(), speed.replace(" instr", "")]
        }
    };
    let what = if snapshot.run_state == RunState::Running { "speed" } else { "state" };
    let count = snapshot.cpu.executed;
    let short = text::format_number(count, width.saturating_sub("count ".len()));
    let count = [format!("{} instructions", text::grouped(count)), short];
    let pace = [snapshot.pace.to_string(), snapshot.pace.short()];
    vec![
        labelled("pace", pace, Theme::VALUE, width, theme),
        labelled(what, now, theme.run_state(snapshot.run_state), width, theme),
        labelled("count", count, Theme::VALUE, width, theme),
    ]
}

/// Describes a search, with the share of the past that has been searched.
fn describe_search(snapshot: &Snapshot) -> String {
    let Time { now, start, searched, .. } = snapshot.time;
    let Some(down_to) = searched else { return "searching".to_owned() };
    let done = now.saturating_sub(down_to);
    format!("searching, {} %", done * 100 / now.saturating_sub(start).max(1))
}

/// The first string if it fits, otherwise the second.
fn choose_form(width: usize, [long, short]: [String; 2]) -> String {
    if long.len() <= width || short.is_empty() { long } else { short }
}

fn registers(snapshot: &Snapshot, theme: Theme, width: usize) -> Line<'static> {
    let cpu = &snapshot.cpu;
    let others = "A   C 0  PC 0000".len() + 2;
    let in_binary = format!("{:02x} {:04b} {:04b}", cpu.a, cpu.a >> 4, cpu.a & 0xf);
    let a = choose_form(width.saturating_sub(others), [in_binary, format!("{:02x}", cpu.a)]);
    let registers = [
        entry("A ", a, theme),
        entry("  C ", u8::from(cpu.carry).to_string(), theme),
        entry("  PC ", format!("{:04x}", cpu.pc.get()), theme),
    ];
    registers.into_iter().flatten().collect()
}

/// A note for a machine whose pace counts LED changes, but that has executed many instructions
/// without lighting an LED.
fn note(snapshot: &Snapshot, theme: Theme) -> Option<Line<'static>> {
    let waits = matches!(snapshot.pace.rate(), Rate::LedChanges(_));
    let is_long =
        snapshot.cpu.executed >= INSTRUCTIONS_LONG && snapshot.run_state != RunState::Halted;
    let is_dark = snapshot.time.marks.leds.is_empty() && snapshot.display() == Display::default();
    (waits && is_long && is_dark).then(|| Line::styled("no LED has changed yet", theme.label()))
}

/// The held buttons, or how to press them. `None` if the program does not read them.
fn buttons(context: &Context) -> Option<Line<'static>> {
    let Context { snapshot, theme, .. } = *context;
    let value = match snapshot.buttons {
        Buttons::NONE if context.buttons_have_keys => "none held".into(),
        Buttons::NONE => "press i".into(),
        held => held.to_string(),
    };
    snapshot.program.reads_buttons.then(|| entry("buttons ", value, theme))
}

/// The meanings of the colours.
fn legend(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let presentation = snapshot.program.image.presentation();
    let declared: Vec<(Led, &str)> =
        presentation.legend.iter().map(|meaning| (meaning.led, meaning.text.as_str())).collect();
    let meanings = if declared.is_empty() { COLORS } else { &declared };
    let (margin, gap) = if width < LEGEND_WIDTH { ("", " ") } else { (" ", "  ") };
    let meanings = meanings.iter().map(|(led, meaning)| {
        let (symbol, style) = theme.small_led(*led);
        Line::from(vec![
            Span::styled(format!("{margin}{symbol}{margin}"), style),
            Span::styled(format!(" {meaning}"), theme.label()),
        ])
    });
    widgets::flow(meanings, gap, width)
}

#[cfg(test)]
mod tests {
    use gray1_session::Command;

    use super::*;
    use crate::tests as testing;

    #[test]
    fn gaps_between_blocks_leave_four_lines_for_the_output() {
        let snapshot = testing::session(testing::assemble(" HALT\n"), true).snapshot();
        let theme = Theme::PICTURE;
        let context = Context {
            snapshot: &snapshot,
            theme,
            is_in_front: true,
            buttons_have_keys: false,
            answer: None,
        };
        for height in 6..30 {
            let area = Rect::new(0, 0, 60, height);
            let mut buffer = Buffer::empty(area);
            draw(&context, false, area, &mut buffer);
            let text = testing::text(&buffer);
            // Two blocks of five lines in all, with a gap after each.
            let have_gaps = text.lines().nth(1) == Some("");
            assert_eq!(have_gaps, height >= 5 + 2 + 4, "{height}: {text}");
        }
    }

    #[test]
    fn a_note_explains_a_display_that_stays_dark() {
        let says = |source, count| {
            let mut session = testing::session(testing::assemble(source), false);
            session.advance_by(count);
            note(&session.snapshot(), Theme::PICTURE).is_some()
        };
        let counts = "again: ST 0\n JMP again\n";
        assert_eq!([1_000, 1_000_000].map(|count| says(counts, count)), [false, true]);
        assert!(!says(" LDI 1\n ST 0x1fe0\nagain: JMP again + 0\n", 1_000_000));
    }

    /// A program without HALT runs into erased memory and halts at 0x1555.
    #[test]
    fn a_program_without_an_end_halts_in_erased_memory() {
        for (source, words) in [(" HALT\n", "halted at 0x0000"), (" LDI 1\n", "halted in erased")] {
            let mut session = testing::session(testing::assemble(source), true);
            for _ in 0..3 {
                session.command(Command::Step);
            }
            let lines = progress(&session.snapshot(), Theme::PICTURE, 40);
            let text: String = lines.iter().map(ToString::to_string).collect();
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn a_search_shows_its_progress() {
        let mut snapshot = testing::session(testing::assemble(" HALT\n"), true).snapshot();
        for (start, now, down_to, share) in [
            (0, 200, None, "searching"),
            (0, 200, Some(150), "searching, 25 %"),
            (100, 200, Some(150), "searching, 50 %"),
            (100, 200, Some(100), "searching, 100 %"),
            (0, 0, Some(0), "searching, 0 %"),
        ] {
            snapshot.time = Time { start, now, searched: down_to, ..snapshot.time };
            assert_eq!(describe_search(&snapshot), share);
        }
    }
}
