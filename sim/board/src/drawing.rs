//! Draws the [schematic] as SVG. Elements that a page writes to or colours have a class. The
//! drawing has no styles of its own; `drawing.css` has them.

use crate::buses::{Bus, names};
use crate::role::Function;
use crate::schematic::{self, Bundle, Point, Schematic, WireLabel};
use crate::{Board, ChipId, Role};

/// The style of the drawing.
pub const STYLE: &str = include_str!("drawing.css");

/// The width of a column and the height of a line in pixels, and the margin around the drawing.
const CELL: Point = (10, 20);
const MARGIN: u16 = 15;
/// The length of a pin outside the body of its chip.
const PIN: u16 = 4;
/// The height of a label, the width of a letter in tenths of a pixel, and the gap before the value.
const LABEL: u16 = 16;
const LETTER: usize = 76;
const GAP: u16 = 4;

/// Width and height of the drawing: all cells of the schematic, and the margins.
const SIZE: Point = {
    let (right, bottom) = place((schematic::SIZE.0 - 1, schematic::SIZE.1 - 1));
    (right + MARGIN, bottom + MARGIN)
};

/// Draws a board. `style` is embedded unless it is empty. Returns `None` if the board has no
/// [`Schematic`].
///
/// The elements of the classes `bundle`, `label` and `chip` are in the order of the schematic. The
/// elements of the classes `value` and `state` hold text that a page can replace. Until a page
/// replaces it, the text of a chip states its function and its part.
pub fn svg(board: &Board, style: &str) -> Option<String> {
    let schematic = Schematic::new(board, place)?;
    let (width, height) = SIZE;
    let root = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" \
         viewBox=\"0 0 {width} {height}\">"
    );
    let paper = format!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
    let paper = (!style.is_empty()).then(|| format!("<style>\n{style}</style>\n{paper}"));
    let bundles = schematic.bundles.iter().map(draw_bundle);
    let grounds: String = schematic.labels.iter().map(|it| ground_path(board, it)).collect();
    let grounds = format!("<path class=\"grounds\" d=\"{grounds}\"/>");
    let labels = schematic.labels.iter().map(|it| draw_label(board, it));
    let chips = board.chip_ids().zip(&schematic.chips).map(|(id, at)| draw_chip(board, id, *at));
    let elements = [root].into_iter().chain(paper).chain(bundles);
    let elements = elements.chain([grounds]).chain(labels).chain(chips);
    let end = [draw_legend(schematic.legend, style.is_empty()), "</svg>\n".to_owned()];
    Some(elements.chain(end).collect::<Vec<_>>().join("\n"))
}

/// Converts a cell of the schematic to a position in the drawing.
const fn place((x, y): Point) -> Point {
    (MARGIN + x * CELL.0, MARGIN + y * CELL.1)
}

/// Draws the wires from one chip to another. A bus is thicker than a single wire.
fn draw_bundle(Bundle { points, nets, .. }: &Bundle) -> String {
    let (path, head, tenths) = (line_path(points), head_path(points), 13 + 2 * nets.len());
    format!(
        "<g class=\"bundle\"><path d=\"{path}\" stroke-width=\"{}.{}\"/>\
         <path class=\"head\" d=\"{head}\"/></g>",
        tenths / 10,
        tenths % 10,
    )
}

/// Draws the background of a label, which covers the wires under it.
fn ground_path(board: &Board, label: &WireLabel) -> String {
    let letters = label_name(board, label).len() + label.nets.len().div_ceil(4);
    let (left, top) = (label.at.0 - GAP, label.at.1 - LABEL / 2);
    let width = (letters * LETTER / 10) as u16 + 3 * GAP;
    format!("M{left} {top}h{width}v{LABEL}h-{width}z")
}

fn draw_label(board: &Board, label: &WireLabel) -> String {
    let (x, y, name) = (label.at.0, label.at.1 + 4, label_name(board, label));
    format!(
        "<text class=\"label\" x=\"{x}\" y=\"{y}\">{name}\
         <tspan class=\"value\" dx=\"{GAP}\"/></text>"
    )
}

fn label_name(board: &Board, label: &WireLabel) -> String {
    let mut buses = Bus::group(board, label.nets.iter().copied());
    if label.is_named { buses.swap_remove(0).name } else { String::new() }
}

/// Draws a chip: its body with a notch for pin 1, the pins on both sides, and its inscription.
fn draw_chip(board: &Board, id: ChipId, [(left, top), (right, bottom)]: [Point; 2]) -> String {
    let chip = board.chip(id);
    let (width, height) = (right - left, bottom - top);
    let count = chip.part().pins.len() as u16 / 2;
    let columns = (0..count).map(|n| left + width * (2 * n + 1) / (2 * count));
    let pins = columns.map(|x| format!("M{x} {}V{}", top - PIN, bottom + PIN));
    let pins: String = pins.collect();
    let does = match chip.role() {
        Role::Function(Function::Control(_)) => names(board, &chip.data),
        Role::Function(_) => "table".to_owned(),
        Role::Latches(_) => "latch".to_owned(),
        Role::Counter(_) => "counter".to_owned(),
        Role::Program(_) => "program".to_owned(),
        Role::Memory => "data memory".to_owned(),
    };
    let text = |class, below, text: &str| {
        let (x, y) = (left + 13, top + below);
        format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>")
    };
    // The title comes last because pages find a chip by the start of its text content.
    let title = match chip.purpose() {
        "" => String::new(),
        purpose => {
            format!("<title>{}</title>", purpose.replace('&', "&amp;").replace('<', "&lt;"))
        }
    };
    format!(
        "<g class=\"chip\"><path class=\"pins\" d=\"{pins}\"/>\
         <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>\
         <path class=\"notch\" d=\"M{left} {}a6 6 0 0 1 0 12\"/>{}{}{}{title}</g>",
        top + height / 2 - 6,
        text("name", 17, chip.name()),
        text("value", 35, &does),
        text("state", 52, &chip.part().name),
    )
}

/// Returns the legend. A live drawing is on a page, which fills in values and marks wires that have
/// changed. A static picture has neither, so its legend does not explain them.
fn draw_legend((x, y): Point, is_live: bool) -> String {
    let [byte, moved, base] = [x + 38, x + 200, y + 4];
    let circle = x + 340;
    if !is_live {
        return format!(
            "<g class=\"legend\"><text x=\"{x}\" y=\"{base}\">a chip with a loop remembers; \
             a thick line is a byte, a thin one a single wire</text></g>"
        );
    }
    format!(
        "<g class=\"legend\"><path d=\"M{x} {y}h30\"/>\
         <text x=\"{byte}\" y=\"{base}\">a byte on its way</text>\
         <text class=\"moved\" x=\"{moved}\" y=\"{base}\">moved just now</text>\
         <text x=\"{circle}\" y=\"{base}\">a chip with a loop remembers</text></g>"
    )
}

/// Returns the SVG path through some points.
fn line_path(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x} {y}")).collect();
    format!("M{}", points.join("L"))
}

/// Returns the arrow head at the end of a path.
fn head_path(points: &[Point]) -> String {
    let [.., before, last] = points else { return String::new() };
    let [(from_x, from_y), (x, y)] = [*before, *last].map(|(x, y)| (i32::from(x), i32::from(y)));
    // The direction from the tip back along the path. Either `along` or `down` is 0.
    let (along, down) = ((from_x - x).signum(), (from_y - y).signum());
    let corner = |side: i32| (x + 9 * along + 4 * side * down, y + 9 * down + 4 * side * along);
    let [(ax, ay), (bx, by)] = [corner(1), corner(-1)];
    format!("M{x} {y}L{ax} {ay}L{bx} {by}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards_for_tests::{BINARY, GRAY1, PANEL, board};

    #[test]
    fn elements_of_the_drawing_are_in_the_order_of_the_schematic() {
        for text in [GRAY1, BINARY] {
            let board = board(text);
            let (svg, schematic) =
                (svg(&board, "").unwrap(), Schematic::new(&board, |at| at).unwrap());
            let count = |class: &str| svg.matches(&format!("class=\"{class}\"")).count();
            assert_eq!(count("bundle"), schematic.bundles.len());
            assert_eq!(count("label"), schematic.labels.len());
            let names = svg.split("class=\"name\"").skip(1);
            let names =
                names.map(|rest| &rest[rest.find('>').unwrap() + 1..rest.find('<').unwrap()]);
            let chips = board.chips().iter().map(crate::Chip::name);
            assert!(names.eq(chips));
        }
        assert_eq!(svg(&board(PANEL), ""), None, "it has other chips");
    }
}
