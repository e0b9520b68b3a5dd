//! The circuit board: footprints at their places, each pad with its net, to be routed. The format
//! is that of KiCad 8, which later versions read as well.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gray1_board::Board;

use super::super::components::{Component, ComponentPin};
use super::footprint::{Footprint, Mark};
use super::geometry::{mm, quoted};
use super::group::{Group, PROJECT};
use super::placement::{LABEL, MARGIN, Placed};
use super::sheet::component_uuid;
use super::uuid::uuid;

/// The beginning of the file, with the layers.
const HEAD: &str = include_str!("circuit_board.kicad_pcb");
/// Holes for screws: their radius, and their distance from the edges.
const SCREW: i32 = 1_600;
const FROM_EDGE: i32 = 5_080;

/// The board's file.
pub(super) fn write(board: &Board, placed: &[Placed<'_>], corner: [i32; 2]) -> String {
    let pins = |it: &Placed<'_>| -> Vec<String> {
        let pins = (1..).zip(&it.component.pins);
        pins.map(|(number, pin)| net(it.component, number, pin)).collect()
    };
    let nets: BTreeSet<String> = placed.iter().flat_map(pins).collect();
    let nets: Vec<String> = nets.into_iter().collect();
    let mut text = HEAD.replace("{title}", &quoted(board.title()));
    for (number, net) in (1..).zip(&nets) {
        let _ = writeln!(text, "  (net {number} {})", quoted(net));
    }
    for it in placed {
        let sheet = Group::of(it.component, board.oscillator()).file_name();
        text += &footprint(it, sheet, &nets);
    }
    text + &edges(board.title(), corner) + ")\n"
}

/// The net of a pin, as KiCad's netlist has it.
fn net(component: &Component<'_>, number: usize, pin: &ComponentPin) -> String {
    let open = || format!("unconnected-({}-{}-Pad{number})", component.reference, pin.name);
    pin.net.clone().unwrap_or_else(open)
}

/// A component.
fn footprint(placed: &Placed<'_>, sheet: &str, nets: &[String]) -> String {
    let Placed { component, footprint, at, turn } = placed;
    let [x, y] = at.map(mm);
    let mut text = format!(
        "  (footprint {} (layer \"F.Cu\") (uuid \"{}\") (at {x} {y} {turn})\n",
        quoted(&format!("{PROJECT}:{}", footprint.name)),
        uuid(&format!("footprint {}", component.name)),
    );
    text += &fields(placed);
    let _ = writeln!(
        text,
        "    (path \"/{}/{}\") (sheetfile \"{sheet}\")",
        uuid(sheet),
        component_uuid(component)
    );
    text += &footprint.items(*turn, |number| {
        let name = net(component, number, &component.pins[number - 1]);
        let at = nets.binary_search(&name).expect("each net of a pin is listed");
        format!(" (net {} {})", at + 1, quoted(&name))
    });
    text + "  )\n"
}

/// The texts of a component. The silkscreen has the name and, of a DIP, the part inside.
fn fields(placed: &Placed<'_>) -> String {
    let Placed { component, footprint, turn, .. } = placed;
    let is_dip = footprint.mark == Mark::Notch;
    let is_upright = turn % 180 == 0;
    let above = footprint.extent()[usize::from(is_upright)] + LABEL / 2;
    let above = match turn {
        90 => [above, 0],
        270 => [-above, 0],
        _ => [0, -above],
    };
    let name_at = if is_dip { [-1_300, 0] } else { above };
    let angle = if is_dip && is_upright { 90 } else { 0 };
    let (silk, fab) = ("F.SilkS", "F.Fab");
    let has_name = component.name != component.reference;
    let (reference_layer, reference_at) = if has_name { (fab, [0, 0]) } else { (silk, name_at) };
    let part_layer = if is_dip { silk } else { fab };
    let fields = [
        ("Reference", &*component.reference, reference_layer, reference_at),
        ("Value", &component.value(), part_layer, [1_300, 0]),
        ("Function", &component.name, silk, name_at),
    ];
    let mut text = String::new();
    for (name, value, layer, at) in fields.into_iter().take(if has_name { 3 } else { 2 }) {
        let size = if is_dip && name == "Function" { "1.27 1.27" } else { "0.8 0.8" };
        let ([x, y], value) = (at.map(mm), quoted(value));
        let _ = writeln!(
            text,
            "    (property \"{name}\" {value} (at {x} {y} {angle}) (layer \"{layer}\") \
             (effects (font (size {size}) (thickness 0.15))))"
        );
    }
    text
}

/// The outline of the board, with holes for screws, and its title.
fn edges(title: &str, corner: [i32; 2]) -> String {
    let line = "(stroke (width 0.1) (type solid)) (fill none) (layer \"Edge.Cuts\")";
    let [right, bottom] = corner.map(|end| end - FROM_EDGE);
    let first = MARGIN + FROM_EDGE;
    let screws = [[first, first], [right, first], [first, bottom], [right, bottom]];
    let screws = screws.map(|[x, y]| {
        let [x, y, radius] = [x, y, x + SCREW].map(mm);
        format!("  (gr_circle (center {x} {y}) (end {radius} {y}) {line})\n")
    });
    let [from, left, first] = [MARGIN, 2 * MARGIN, first].map(mm);
    let ([right, bottom], title) = (corner.map(mm), quoted(title));
    format!(
        "  (gr_rect (start {from} {from}) (end {right} {bottom}) {line})\n{}  \
         (gr_text {title} (at {left} {first}) (layer \"F.SilkS\") \
         (effects (font (size 4 4) (thickness 0.5)) (justify left)))\n",
        screws.concat(),
    )
}

/// A footprint as a file of the library.
pub(super) fn library_entry(footprint: &Footprint) -> String {
    format!(
        "(footprint {} (version 20240108) (generator \"{PROJECT}\") (layer \"F.Cu\")\n{})\n",
        quoted(&footprint.name),
        footprint.items(0, |_| String::new()),
    )
}
