//! The [schematic] as a drawing: SVG, with a class for all that a page writes on or colours. It is
//! plain by itself: the style is in `drawing.css`.

use crate::buses::{Bus, names};
use crate::role::Function;
use crate::schematic::{self, Bundle, Point, Schematic, WireLabel};
use crate::{Board, ChipId, Role};

/// The style of the drawing.
pub const STYLE: &str = include_str!("drawing.css");

/// The pixels of a column and of a line, and around them.
const CELL: Point = (10, 20);
const MARGIN: u16 = 15;
/// How far pins look out of a chip.
const PIN: u16 = 4;
/// The height of a label, the width of a letter in tenths, and the gap before the value.
const LABEL: u16 = 16;
const LETTER: usize = 76;
const GAP: u16 = 4;

/// Width and height: from margin to margin, between them the schematic from its first cell to its
/// last.
const SIZE: Point = {
    let (right, bottom) = place((schematic::SIZE.0 - 1, schematic::SIZE.1 - 1));
    (right + MARGIN, bottom + MARGIN)
};

/// The drawing of a board, with a style if that is not empty; `None` if the board has no
/// [`Schematic`].
///
/// The elements of the classes `bundle`, `label` and `chip` are in the order of the schematic. What
/// changes has the classes `value` and `state`: until a page writes there, a chip shows what it
/// does, and its part.
#[must_use]
pub fn svg(board: &Board, style: &str) -> Option<String> {
    let schematic = Schematic::new(board, place)?;
    let (width, height) = SIZE;
    let root = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" \
         viewBox=\"0 0 {width} {height}\">"
    );
    let paper = format!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
    let paper = (!style.is_empty()).then(|| format!("<style>\n{style}</style>\n{paper}"));
    let bundles = schematic.bundles.iter().map(bundle);
    let grounds: String = schematic.labels.iter().map(|it| ground(board, it)).collect();
    let grounds = format!("<path class=\"grounds\" d=\"{grounds}\"/>");
    let labels = schematic.labels.iter().map(|it| label(board, it));
    let chips = board.chip_ids().zip(&schematic.chips).map(|(id, at)| chip(board, id, *at));
    let elements = [root].into_iter().chain(paper).chain(bundles);
    let elements = elements.chain([grounds]).chain(labels).chain(chips);
    let end = [legend(schematic.legend), "</svg>\n".to_owned()];
    Some(elements.chain(end).collect::<Vec<_>>().join("\n"))
}

/// Where a cell of the schematic is in the drawing.
const fn place((x, y): Point) -> Point {
    (MARGIN + x * CELL.0, MARGIN + y * CELL.1)
}

/// The wires from one chip to another: a bus is thicker than a wire.
fn bundle(Bundle { points, nets, .. }: &Bundle) -> String {
    let (way, head, tenths) = (way(points), head(points), 13 + 2 * nets.len());
    format!(
        "<g class=\"bundle\"><path d=\"{way}\" stroke-width=\"{}.{}\"/>\
         <path class=\"head\" d=\"{head}\"/></g>",
        tenths / 10,
        tenths % 10,
    )
}

/// The ground on which a label is written: the wires under it end at its sides.
fn ground(board: &Board, label: &WireLabel) -> String {
    let letters = label_name(board, label).len() + label.nets.len().div_ceil(4);
    let (left, top) = (label.at.0 - GAP, label.at.1 - LABEL / 2);
    let width = (letters * LETTER / 10) as u16 + 3 * GAP;
    format!("M{left} {top}h{width}v{LABEL}h-{width}z")
}

fn label(board: &Board, label: &WireLabel) -> String {
    let (x, y, name) = (label.at.0, label.at.1 + 4, label_name(board, label));
    format!(
        "<text class=\"label\" x=\"{x}\" y=\"{y}\">{name}\
         <tspan class=\"value\" dx=\"{GAP}\"/></text>"
    )
}

fn label_name(board: &Board, label: &WireLabel) -> String {
    let mut buses = Bus::among(board, label.nets.iter().copied());
    if label.is_named { buses.swap_remove(0).name } else { String::new() }
}

/// A chip: its body with a notch for pin 1 and pins on both sides, and what is written on it.
fn chip(board: &Board, id: ChipId, [(left, top), (right, bottom)]: [Point; 2]) -> String {
    let chip = board.chip(id);
    let (width, height) = (right - left, bottom - top);
    let count = chip.part().pins.len() as u16 / 2;
    let pin = |n| left + width * (2 * n + 1) / (2 * count);
    let pins = (0..count).map(|n| format!("M{} {}V{}", pin(n), top - PIN, bottom + PIN));
    let pins: String = pins.collect();
    let does = match chip.role() {
        Role::Function(Function::Control(_)) => names(board, chip.data()),
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
    // The pages that find a chip by the start of its text want the title last.
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

fn legend((x, y): Point) -> String {
    let [byte, moved, base] = [x + 38, x + 200, y + 4];
    let circle = x + 340;
    format!(
        "<g class=\"legend\"><path d=\"M{x} {y}h30\"/>\
         <text x=\"{byte}\" y=\"{base}\">a byte on its way</text>\
         <text class=\"moved\" x=\"{moved}\" y=\"{base}\">moved just now</text>\
         <text x=\"{circle}\" y=\"{base}\">a chip with a loop remembers</text></g>"
    )
}

/// A path through some points.
fn way(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x} {y}")).collect();
    format!("M{}", points.join("L"))
}

/// The head of an arrow at the end of a way.
fn head(points: &[Point]) -> String {
    let [.., before, last] = points else { return String::new() };
    let [(from_x, from_y), (x, y)] = [*before, *last].map(|(x, y)| (i32::from(x), i32::from(y)));
    // From the tip back along the way, in which one of them is 0.
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
    fn what_a_page_writes_on_is_in_the_order_of_the_schematic() {
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
