//! The machine pane: the registers as a programmer sees them, and the next instruction.

use gray1_isa::gray;
use gray1_session::{Snapshot, instructions};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{Context, Pane, PaneSpec, Placement};
use crate::actions::{CHANGE, KeyBinding, KeyGroup, Question, Reply, row};
use crate::theme::Theme;
use crate::widgets::entry;
use crate::{text, widgets};

/// The minimum width for descriptions.
const FULL_WIDTH: u16 = 44;

/// The pane.
pub(crate) struct MachinePane;

impl PaneSpec for MachinePane {
    const NAME: &'static str = "machine";
    const TITLE: &'static str = "pane: registers and phase";
    const KEYS: &'static [KeyBinding<Self>] =
        &[row(CHANGE, KeyGroup::State, "set", "machine: change a register, or a byte")
            .replies(Reply::Prompt(Question::Change, String::new()))];
}

impl Pane for MachinePane {
    fn placement(&self, _: &Snapshot) -> Placement {
        Placement::Column(8)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let lines = if area.width < FULL_WIDTH {
            brief(context.snapshot, context.theme, usize::from(area.width))
        } else {
            full(context.snapshot, context.theme, usize::from(area.width))
        };
        widgets::draw_lines(lines, context.theme, area, buffer);
    }
}

/// The lines for 18 or more columns.
fn brief(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let (image, cpu) = (&snapshot.program.image, &snapshot.cpu);
    vec![
        entry("A  ", format!("{:02x} {}", cpu.a, bits(cpu.a.into(), 8)), theme),
        entry("C  ", u8::from(cpu.carry).to_string(), theme),
        entry("PC ", format!("{:04x}  T{}", cpu.pc.get(), cpu.phase), theme),
        Line::styled(instructions::disassemble(image, cpu.pc), Theme::VALUE),
        Line::default(),
        entry("count ", text::format_number(cpu.executed, width.saturating_sub(6)), theme),
    ]
}

fn full(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let (image, cpu) = (&snapshot.program.image, &snapshot.cpu);
    let word = image.word(cpu.pc);
    let entry =
        |label: &str, value: String| entry(format!("{label:<7}"), format!("{value:<5}"), theme);
    let number = |label: &str, value: u16, digits: usize, width: usize| {
        let mut line = entry(label, format!("{value:0digits$x}"));
        line.push_span(Span::raw(format!("  {}", bits(value, width))));
        line
    };
    let meaning = text::wrap(&instructions::describe_next(snapshot), width);
    let count = format!("{} instructions", text::grouped(cpu.executed));
    let registers = [
        number("A", cpu.a.into(), 2, 8),
        number("C", u16::from(cpu.carry), 1, 1),
        number("PC", cpu.pc.get(), 4, 13),
        number("Gray", gray::encode(cpu.pc.get()), 4, 13),
        Line::default(),
        number("word", word.bits(), 4, 16),
        entry("phase", format!("T{}", cpu.phase)),
        entry("next", instructions::disassemble(image, cpu.pc)),
        Line::default(),
    ];
    let count = [Line::default(), entry("count", count)];
    registers.into_iter().chain(meaning.into_iter().map(Line::raw)).chain(count).collect()
}

/// A number in binary, in groups of four bits.
fn bits(number: u16, width: usize) -> String {
    let digits = format!("{number:0width$b}");
    let (mut spaced, first) = (String::new(), width % 4);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && n % 4 == first {
            spaced.push(' ');
        }
        spaced.push(digit);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_pane_describes_registers_from_44_columns_on() {
        let mut session = crate::tests::session(crate::tests::program("queens"), true);
        for (width, has_words) in [(18, false), (43, false), (44, true), (80, true)] {
            let area = Rect::new(0, 0, width, 14);
            let buffer =
                crate::tests::draw_pane(&MachinePane, &session.snapshot(), Theme::PICTURE, area);
            let text = crate::tests::text(&buffer);
            assert_eq!(text.contains("Gray"), has_words, "{width}");
        }
    }

    #[test]
    fn bits_are_grouped_in_fours() {
        assert_eq!(bits(0x2a, 8), "0010 1010");
        assert_eq!(bits(0x1555, 13), "1 0101 0101 0101");
        assert_eq!(bits(1, 1), "1");
    }
}
