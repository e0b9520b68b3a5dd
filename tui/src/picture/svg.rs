//! Screens as SVG: a rectangle for each background, a text element for each run of one style, a dot
//! for each LED.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::leds::{LedPart, LedSpot};
use crate::theme::Theme;

/// The size of a cell in the picture's units. It is twice as high as wide.
const WIDTH: u32 = 9;
const HEIGHT: u32 = 18;
/// The baseline of letters, measured from the top of their cell.
const BASELINE: u32 = 14;
const MARGIN: u32 = 9;
/// The diameter of an LED as a fraction of its square's side.
const DIAMETER: f64 = 0.75;

pub(super) fn encode(mut cells: Buffer, spots: &[LedSpot], theme: Theme) -> String {
    let area = cells.area;
    for at in spots.iter().flat_map(|spot| spot.cells.positions()) {
        cells[at].reset();
        cells[at].set_style(theme.panel());
    }
    theme.paint(false, &mut cells);
    let background = theme.background_rgb();
    let width = u32::from(area.width) * WIDTH + 2 * MARGIN;
    let height = u32::from(area.height) * HEIGHT + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"ui-monospace, 'DejaVu Sans Mono', \
         Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#{background:06x}\"/>\n"
    );
    for (row, y) in cells.content().chunks(usize::from(area.width).max(1)).zip(0..) {
        let mut x = 0;
        for run in row.chunk_by(|a, b| CellStyle::from_cell(a) == CellStyle::from_cell(b)) {
            push_run(&mut svg, run, (x, y), background);
            x += run.len() as u32;
        }
    }
    push_spots(&mut svg, spots);
    svg.push_str("</svg>\n");
    svg
}

/// Draws LEDs as dots: zero-length lines with round caps, one path for each colour and size.
fn push_spots(svg: &mut String, spots: &[LedSpot]) {
    let mut dots: BTreeMap<(u32, u32), String> = BTreeMap::new();
    for spot in spots {
        let Rect { x, y, width, height } = spot.cells;
        let [x, y, width, height] = [x, y, width, height].map(u32::from);
        let (down, side) = match spot.part {
            LedPart::Whole => (height * HEIGHT / 2, height * HEIGHT),
            LedPart::UpperHalf => (HEIGHT / 4, HEIGHT / 2),
            LedPart::LowerHalf => (HEIGHT * 3 / 4, HEIGHT / 2),
        };
        let (x, y) = (MARGIN + x * WIDTH + width * WIDTH / 2, MARGIN + y * HEIGHT + down);
        let path = dots.entry((rgb(spot.color), side)).or_default();
        write!(path, "M{x} {y}h0").expect("a String takes all");
    }
    for ((color, side), path) in dots {
        let diameter = f64::from(side) * DIAMETER;
        writeln!(
            svg,
            "<path d=\"{path}\" stroke=\"#{color:06x}\" stroke-width=\"{diameter}\" \
             stroke-linecap=\"round\"/>"
        )
        .expect("a String takes all");
    }
}

/// The style of a cell in a picture.
#[derive(PartialEq, Eq)]
struct CellStyle {
    foreground: u32,
    background: u32,
    bold: bool,
    underlined: bool,
}

impl CellStyle {
    fn from_cell(cell: &Cell) -> Self {
        let has = |modifier| cell.modifier.contains(modifier);
        let (mut foreground, mut background) = (rgb(cell.fg), rgb(cell.bg));
        if has(Modifier::REVERSED) {
            std::mem::swap(&mut foreground, &mut background);
        }
        let (bold, underlined) = (has(Modifier::BOLD), has(Modifier::UNDERLINED));
        Self { foreground, background, bold, underlined }
    }
}

fn rgb(color: Color) -> u32 {
    match color {
        Color::Rgb(r, g, b) => u32::from_be_bytes([0, r, g, b]),
        other => unreachable!("pictures are drawn in truecolor, not in {other}"),
    }
}

/// Draws cells of one style at a column and a row.
fn push_run(svg: &mut String, run: &[Cell], (x, y): (u32, u32), default_background: u32) {
    let Some(first) = run.first() else { return };
    let CellStyle { foreground, background, bold, underlined } = CellStyle::from_cell(first);
    let (left, top) = (MARGIN + x * WIDTH, MARGIN + y * HEIGHT);
    let width = run.len() as u32 * WIDTH;
    let mut put = |text: String| svg.write_str(&text).expect("a String takes all");
    if background != default_background {
        put(format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{HEIGHT}\" \
             fill=\"#{background:06x}\"/>\n"
        ));
    }
    let text: String = run.iter().map(Cell::symbol).collect();
    if text.trim().is_empty() {
        return;
    }
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let line = if underlined { " text-decoration=\"underline\"" } else { "" };
    put(format!(
        "<text x=\"{left}\" y=\"{}\" textLength=\"{width}\" xml:space=\"preserve\" \
         fill=\"#{foreground:06x}\"{weight}{line}>{}</text>\n",
        top + BASELINE,
        escaped(&text),
    ));
}

/// Escapes a string for an XML element. Control characters are removed, because XML cannot contain
/// them even when escaped.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn svg_text_is_escaped() {
        assert_eq!(escaped("a<b>&\u{1b}\n"), "a&lt;b&gt;&amp;\u{fffd}\n");
    }

    #[test]
    fn an_led_becomes_a_dot_without_characters() {
        let mut cells = Buffer::with_lines(["▗▆▆▖ ab", "▝▂▂▘ cd"]);
        cells.set_style(Rect::new(1, 1, 2, 1), Style::new().add_modifier(Modifier::REVERSED));
        let color = Color::Rgb(1, 2, 3);
        let square = LedSpot { color, cells: Rect::new(0, 0, 4, 2), part: LedPart::Whole };
        let upper = LedSpot { color, cells: Rect::new(6, 0, 1, 1), part: LedPart::UpperHalf };
        let lower = LedSpot { color, cells: Rect::new(5, 1, 1, 1), part: LedPart::LowerHalf };
        let svg = encode(cells, &[square, upper, lower], Theme::PICTURE);
        // The middle of the square, two columns and one line from the corner, with a margin of 9.
        assert!(
            svg.contains("<path d=\"M27 27h0\" stroke=\"#010203\" stroke-width=\"27\""),
            "{svg}"
        );
        assert!(
            svg.contains("<path d=\"M67 13h0M58 40h0\" stroke=\"#010203\" stroke-width=\"6.75\""),
            "{svg}"
        );
        let drawn = svg.matches("<text").count();
        assert_eq!((drawn, svg.matches("<rect").count()), (2, 1), "{svg}");
        assert!(svg.contains("a </text>") && svg.contains("d</text>"), "{svg}");
    }

    #[test]
    fn each_run_of_a_style_is_drawn_at_its_cells() {
        let mut cells = Buffer::with_lines(["ab<cd ", "      ", " ef&  "]);
        let style = |color| Style::new().bg(color).add_modifier(Modifier::BOLD);
        cells.set_style(Rect::new(3, 0, 2, 1), style(Color::Rgb(1, 2, 3)));
        cells.set_style(Rect::new(1, 2, 3, 1), Style::new().add_modifier(Modifier::UNDERLINED));
        cells.set_style(Rect::new(4, 2, 2, 1), Style::new().add_modifier(Modifier::REVERSED));
        let svg = encode(cells, &[], Theme::PICTURE);
        // A cell is 9 wide and 18 high, the margin is 9, and the baseline is at 14.
        let same = "xml:space=\"preserve\" fill=\"#d0d0d0\"";
        let expected = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 72 72\" width=\"72\" \
             height=\"72\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, \
             monospace\" font-size=\"15\">",
            "<rect width=\"72\" height=\"72\" rx=\"6\" fill=\"#121212\"/>",
            &format!("<text x=\"9\" y=\"23\" textLength=\"27\" {same}>ab&lt;</text>"),
            "<rect x=\"36\" y=\"9\" width=\"18\" height=\"18\" fill=\"#010203\"/>",
            &format!(
                "<text x=\"36\" y=\"23\" textLength=\"18\" {same} font-weight=\"bold\">cd</text>"
            ),
            &format!(
                "<text x=\"18\" y=\"59\" textLength=\"27\" {same} \
                 text-decoration=\"underline\">ef&amp;</text>"
            ),
            "<rect x=\"45\" y=\"45\" width=\"18\" height=\"18\" fill=\"#d0d0d0\"/>",
            "</svg>",
        ];
        assert_eq!(svg.lines().collect::<Vec<_>>(), expected);
    }
}
