//! Converts the cells of the panes to numbers for a canvas.

use gray1_tui::{LedPart, LedSpot};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The number for the canvas's default colour.
const OWN: u32 = 1 << 24;

/// Writes the cells of a screen row by row, with four numbers for each.
pub(crate) fn write_cells(drawn: &Buffer, to: &mut Vec<u32>) {
    to.extend(drawn.content.iter().flat_map(encode_cell));
}

fn encode_cell(cell: &Cell) -> [u32; 4] {
    let symbol = cell.symbol().chars().next().unwrap_or(' ');
    let modifiers = [Modifier::BOLD, Modifier::UNDERLINED, Modifier::REVERSED];
    let bits = modifiers.iter().enumerate();
    let bits = bits.map(|(bit, modifier)| u32::from(cell.modifier.contains(*modifier)) << bit);
    [symbol.into(), encode_color(cell.fg), encode_color(cell.bg), bits.sum()]
}

fn encode_color(color: Color) -> u32 {
    match color {
        Color::Rgb(r, g, b) => u32::from_be_bytes([0, r, g, b]),
        _ => OWN,
    }
}

/// Writes the round LEDs that cover cells: left, top, width and height in half cells, and colour.
pub(crate) fn write_spots(spots: &[LedSpot], to: &mut Vec<u32>) {
    for spot in spots {
        let [x, y, width, height] =
            [spot.cells.x, spot.cells.y, spot.cells.width, spot.cells.height].map(|n| 2 * n);
        let (y, height) = match spot.part {
            LedPart::Whole => (y, height),
            LedPart::UpperHalf => (y, height / 2),
            LedPart::LowerHalf => (y + height / 2, height / 2),
        };
        to.extend([x, y, width, height].map(u32::from));
        to.push(encode_color(spot.color));
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::panel::Led;
    use ratatui::layout::Rect;

    use super::*;

    #[test]
    fn leds_have_the_same_colours_on_the_page_in_the_editor_and_in_pictures() {
        let page = include_str!("../page/leds.ts");
        let editor = include_str!("../../docs/editors/vscode/panel/panel.css");
        for led in [Led::Green, Led::Red, Led::Yellow] {
            let (name, color) = (led.name(), format!("#{:06x}", led.rgb()));
            assert!(page.contains(&format!("{name}: \"{color}\"")), "{name}");
            assert!(editor.contains(&format!("--{name}: {color};")), "{name}");
        }
    }

    #[test]
    fn a_cell_is_four_numbers_and_an_led_five() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        buffer[(1, 0)].set_char('é').set_fg(Color::Rgb(1, 2, 3));
        buffer[(1, 0)].modifier = Modifier::BOLD | Modifier::REVERSED;
        let mut words = Vec::new();
        write_cells(&buffer, &mut words);
        assert_eq!(words, [32, OWN, OWN, 0, 0xe9, 0x01_02_03, OWN, 0b101]);
        let spot = LedSpot {
            color: Color::Rgb(4, 5, 6),
            cells: Rect::new(3, 4, 2, 1),
            part: LedPart::LowerHalf,
        };
        words.clear();
        write_spots(&[spot], &mut words);
        assert_eq!(words, [6, 9, 4, 1, 0x04_05_06]);
    }
}
