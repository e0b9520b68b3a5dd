//! What a programmer sees of the CPU: the registers, and the instruction that comes next.

use gray1_isa::gray;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::player::Snapshot;
use crate::tui::theme::Theme;
use crate::tui::{names, text};

/// From this width on there is room for words.
const FULL_WIDTH: u16 = 44;

/// Draws the registers; where there is room, bit by bit and with words.
pub(super) fn draw(snapshot: &Snapshot, theme: Theme, place: Rect, buffer: &mut Buffer) {
    let lines = if place.width < FULL_WIDTH {
        brief(snapshot, theme)
    } else {
        full(snapshot, theme, usize::from(place.width))
    };
    for (line, y) in lines.into_iter().zip(place.y..place.bottom()) {
        line.render(Rect { y, height: 1, ..place }, buffer);
    }
}

/// For 18 columns.
fn brief(snapshot: &Snapshot, theme: Theme) -> Vec<Line<'static>> {
    let image = &snapshot.program.image;
    let entry = |label: &'static str, value: String| {
        Line::from(vec![Span::styled(label, theme.label()), Span::styled(value, Theme::VALUE)])
    };
    vec![
        entry("A  ", format!("{:02x} {}", snapshot.a, bits(snapshot.a.into(), 8))),
        entry("C  ", u8::from(snapshot.carry).to_string()),
        entry("PC ", format!("{:04x}  T{}", snapshot.pc.get(), snapshot.phase)),
        Line::styled(names::instruction(image, image.word(snapshot.pc)), Theme::VALUE),
        Line::default(),
        entry("count ", text::grouped(snapshot.executed)),
    ]
}

fn full(snapshot: &Snapshot, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let image = &snapshot.program.image;
    let (pc, word) = (snapshot.pc, image.word(snapshot.pc));
    let entry = |label: &str, value: String, rest: String| {
        Line::from(vec![
            Span::styled(format!("{label:<7}"), theme.label()),
            Span::styled(format!("{value:<5}"), Theme::VALUE),
            Span::raw(rest),
        ])
    };
    let number = |label: &str, value: u16, digits: usize, width: usize| {
        entry(label, format!("{value:0digits$x}"), format!("  {}", bits(value, width)))
    };
    let mut lines = vec![
        number("A", snapshot.a.into(), 2, 8),
        number("C", u16::from(snapshot.carry), 1, 1),
        number("PC", pc.get(), 4, 13),
        number("Gray", gray::encode(pc.get()), 4, 13),
        Line::default(),
        number("word", word.bits(), 4, 16),
        entry("phase", format!("T{}", snapshot.phase), String::new()),
        entry("next", names::instruction(image, word), String::new()),
        Line::default(),
    ];
    let meaning = names::meaning(snapshot);
    lines.extend(text::wrap(&meaning, width).into_iter().map(Line::raw));
    lines.extend([
        Line::default(),
        entry("count", format!("{} instructions", text::grouped(snapshot.executed)), String::new()),
    ]);
    lines
}

/// A number bit by bit, in fours.
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
    fn bits_stand_in_fours() {
        assert_eq!(bits(0x2a, 8), "0010 1010");
        assert_eq!(bits(0x1555, 13), "1 0101 0101 0101");
        assert_eq!(bits(1, 1), "1");
    }
}
