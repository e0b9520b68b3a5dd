//! Writes the circuit board: footprints in position, the net of each pad, the planes of the supply,
//! and the tracks if the board is routed. The format is that of KiCad 8, which later versions can
//! read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use gray1_board::Board;

use super::super::components::{Component, ComponentPin, HIGH, LOW};
use super::footprint::{Footprint, Mark};
use super::geometry::{mm, quoted};
use super::group::{Group, PROJECT};
use super::placement::{LABEL, MARGIN, Placed, Plan};
use super::sheet::component_uuid;
use super::uuid::uuid;

/// The start of the file, with the layers.
const HEAD: &str = include_str!("circuit_board.kicad_pcb");
/// A hole for a 3 mm screw, with room for its head.
const HOLE: &str = include_str!("hole.kicad_mod");

/// Returns the file of the board.
pub(super) fn write(board: &Board, plan: &Plan<'_>) -> String {
    let nets: BTreeSet<String> = plan.placed.iter().flat_map(|it| nets(it.component)).collect();
    let nets: Vec<String> = nets.into_iter().collect();
    let mut text = HEAD.replace("{title}", &quoted(board.title()));
    for (number, net) in (1..).zip(&nets) {
        let _ = writeln!(text, "  (net {number} {})", quoted(net));
    }
    for it in &plan.placed {
        let sheet = Group::new(it.component, board.oscillator()).file_name();
        text += &write_footprint(it, sheet, &nets);
    }
    for (number, [x, y]) in (1..).zip(&plan.holes) {
        let [x, y] = [*x, *y].map(mm);
        let hidden = "(layer \"F.Fab\") (effects (font (size 0.8 0.8) (thickness 0.15)))";
        let _ = writeln!(
            text,
            "  (footprint \"{PROJECT}:hole\" (layer \"F.Cu\") (uuid \"{}\") (at {x} {y})\n    \
             (property \"Reference\" \"H{number}\" (at 0 -1) {hidden})\n    \
             (property \"Value\" \"M3\" (at 0 1) {hidden})\n{HOLE}  )",
            uuid(&format!("hole {number}")),
        );
    }
    let plane = |(layer, name): (&str, &str)| {
        let number = nets.binary_search_by(|net| (**net).cmp(name)).expect("a board has a supply");
        write_plane(layer, number + 1, name, plan.corner)
    };
    text += &[("In1.Cu", LOW), ("In2.Cu", HIGH)].map(plane).concat();
    text + &write_edges(board.title(), plan) + &plan.tracks + ")\n"
}

/// Returns a plane of the supply on an inner layer. KiCad has to fill it.
fn write_plane(layer: &str, number: usize, net: &str, corner: [i32; 2]) -> String {
    let (from, [right, bottom]) = (mm(MARGIN + 500), corner.map(|end| mm(end - 500)));
    format!(
        "  (zone (net {number}) (net_name \"{net}\") (layer \"{layer}\") (uuid \"{}\") (hatch edge 0.5)\n    \
         (connect_pads (clearance 0.3)) (min_thickness 0.25)\n    \
         (fill (thermal_gap 0.3) (thermal_bridge_width 0.5))\n    \
         (polygon (pts (xy {from} {from}) (xy {right} {from}) (xy {right} {bottom}) (xy {from} {bottom}))))\n",
        uuid(&format!("plane {net}")),
    )
}

/// Returns the names of the pins' nets, as in KiCad's netlist.
pub(super) fn nets<'a>(component: &'a Component<'a>) -> impl Iterator<Item = String> + 'a {
    (1..).zip(&component.pins).map(|(number, pin)| net(component, number, pin))
}

/// The name of a pin's net, as in KiCad's netlist.
fn net(component: &Component<'_>, number: usize, pin: &ComponentPin) -> String {
    let open = || format!("unconnected-({}-{}-Pad{number})", component.reference, pin.name);
    pin.net.clone().unwrap_or_else(open)
}

fn write_footprint(placed: &Placed<'_>, sheet: &str, nets: &[String]) -> String {
    let Placed { component, footprint, at, turn } = placed;
    let [x, y] = at.map(mm);
    let mut text = format!(
        "  (footprint {} (layer \"F.Cu\") (uuid \"{}\") (at {x} {y} {turn})\n",
        quoted(&format!("{PROJECT}:{}", footprint.name)),
        uuid(&format!("footprint {}", component.name)),
    );
    text += &write_fields(placed);
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

/// Returns the printed text of a component. The silkscreen shows the name above the component. For
/// a DIP, it also shows the part inside the outline.
fn write_fields(placed: &Placed<'_>) -> String {
    let Placed { component, footprint, turn, .. } = placed;
    let is_dip = footprint.mark == Mark::Notch;
    let is_upright = turn % 180 == 0;
    let above = footprint.extent()[usize::from(is_upright)] + LABEL / 2;
    let above = match turn {
        90 => [above, 0],
        270 => [-above, 0],
        _ => [0, -above],
    };
    let angle = if is_dip && is_upright { 90 } else { 0 };
    let (silk, fab) = ("F.SilkS", "F.Fab");
    let has_name = component.name != component.reference;
    let (reference_layer, reference_at) = if has_name { (fab, [-1_300, 0]) } else { (silk, above) };
    let part_layer = if is_dip { silk } else { fab };
    let fields = [
        ("Reference", &*component.reference, reference_layer, reference_at),
        ("Value", &component.value(), part_layer, [1_300, 0]),
        ("Function", &component.name, silk, above),
    ];
    let mut text = String::new();
    for (name, value, layer, at) in fields.into_iter().take(if has_name { 3 } else { 2 }) {
        let size = if is_dip && name == "Function" { "1.27 1.27" } else { "0.8 0.8" };
        let ([x, y], value) = (at.map(mm), quoted(value));
        let angle = if layer == silk && at == above { 0 } else { angle };
        let _ = writeln!(
            text,
            "    (property \"{name}\" {value} (at {x} {y} {angle}) (layer \"{layer}\") \
             (effects (font (size {size}) (thickness 0.15))))"
        );
    }
    text
}

/// Returns the outline of the board, and its title.
fn write_edges(title: &str, plan: &Plan<'_>) -> String {
    let (from, [right, bottom]) = (mm(MARGIN), plan.corner.map(mm));
    let ([left, first], title) = (plan.title.map(mm), quoted(title));
    format!(
        "  (gr_rect (start {from} {from}) (end {right} {bottom}) \
         (stroke (width 0.1) (type solid)) (fill none) (layer \"Edge.Cuts\"))\n  \
         (gr_text {title} (at {left} {first}) (layer \"F.SilkS\") \
         (effects (font (size 4 4) (thickness 0.5)) (justify left)))\n",
    )
}

/// Returns the footprints by name, as files of the library.
pub(super) fn library_entries(footprints: &BTreeMap<String, Footprint>) -> Vec<(&str, String)> {
    let entry = |name: &str, items: &str| {
        let name = quoted(name);
        format!(
            "(footprint {name} (version 20240108) (generator \"{PROJECT}\") (layer \"F.Cu\")\n{items})\n"
        )
    };
    let items = |it: &Footprint| it.items(0, |_| String::new());
    let computed = footprints.iter().map(|(name, it)| (&**name, entry(name, &items(it))));
    computed.chain([("hole", entry("hole", HOLE))]).collect()
}
