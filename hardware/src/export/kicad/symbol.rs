//! Symbols: a box with its inputs on the left and its outputs on the right.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::components::{Component, ComponentKind, ComponentPin, PANEL, PinRole};
use super::footprint::Footprint;
use super::geometry::{Point, length, quoted};
use super::group::PROJECT;

/// The length of a pin, in steps.
const PIN: i32 = 4;
/// The distance between two pins, in steps.
const ROW: i32 = 2;

/// A symbol. Its origin is the middle of the upper edge of its box.
pub(super) struct Symbol {
    /// The name in the library.
    pub(super) name: String,
    /// Half the width of the box, in steps.
    half_width: i32,
    /// The height of the box, in steps.
    pub(super) height: i32,
    /// The ends of the pins, by pin number, relative to the origin.
    pub(super) pins: Vec<Point>,
    is_small: bool,
}

impl Symbol {
    pub(super) fn new(component: &Component<'_>) -> Self {
        let is_small = component.pins.len() == 2
            && !matches!(component.kind, ComponentKind::Supply | ComponentKind::Wired(_));
        let [left, right] = match component.kind {
            ComponentKind::Chip(_) => chip_sides(&component.pins),
            ComponentKind::Wired(_) => wired_sides(&component.pins),
            ComponentKind::Header => halves(component.pins.len()),
            _ if is_small => [vec![vec![0]], vec![vec![1]]],
            _ => [vec![], vec![(0..component.pins.len()).collect()]],
        };
        let half_width = if is_small { 2 } else { 8 };
        let top = if is_small { 1 } else { ROW };
        let mut pins = vec![None; component.pins.len()];
        let mut height = 0;
        for (groups, is_left) in [(&left, true), (&right, false)] {
            let mut y = top;
            for group in groups {
                for &pin in group {
                    let x = if is_left { -half_width - PIN } else { half_width + PIN };
                    pins[pin] = Some(Point { x, y });
                    y += ROW;
                }
                y += ROW;
            }
            height = height.max(y - 2 * ROW + top);
        }
        let pins = pins.into_iter().map(|pin| pin.expect("each pin has a place")).collect();
        Self { name: name(component), half_width, height, pins, is_small }
    }

    /// Returns the definition. In a schematic, its name starts with the name of the library.
    pub(super) fn write(&self, component: &Component<'_>, library: &str) -> String {
        let name = &self.name;
        let hidden = if self.is_small { " (pin_numbers hide)" } else { "" };
        let names = match component.kind {
            ComponentKind::Chip(_) | ComponentKind::Wired(_) => "(pin_names (offset 1.016))",
            _ => "(pin_names (offset 0) hide)",
        };
        let full = quoted(&format!("{library}{name}"));
        let mut text = format!("    (symbol {full}{hidden} {names} (in_bom yes) (on_board yes)\n");
        let place = Point { x: 0, y: 0 };
        text += &properties(component, letter(component), None, &self.field_places(place));
        let _ = writeln!(
            text,
            "      (symbol {}\n{}      )",
            quoted(&format!("{name}_0_1")),
            self.draw_body(component)
        );
        let _ = writeln!(text, "      (symbol {}", quoted(&format!("{name}_1_1")));
        for ((number, pin), end) in (1..).zip(&component.pins).zip(&self.pins) {
            let &Point { x, y } = end;
            let (angle, kind) = (if x < 0 { 0 } else { 180 }, electrical(pin.role));
            let [pin_name, number] = [quoted(&pin.name), quoted(&number.to_string())];
            let _ = writeln!(
                text,
                "        (pin {kind} line (at {} {angle}) (length {}) \
                 (name {pin_name} {FONT}) (number {number} {FONT}))",
                Point { x, y: -y },
                length(PIN),
            );
        }
        text + "      )\n    )\n"
    }

    /// Returns the drawing: a box, or the plates of a capacitor.
    fn draw_body(&self, component: &Component<'_>) -> String {
        let stroke = "(stroke (width 0.254) (type default) (color 0 0 0 0))";
        let line = |from: (i32, i32), to: (i32, i32)| {
            let [from, to] = [from, to].map(|(x, y)| Point { x, y });
            format!("        (polyline (pts (xy {from}) (xy {to})) {stroke} (fill (type none)))\n")
        };
        match component.kind {
            _ if letter(component) == "C" => [
                line((-2, -1), (-1, -1)),
                line((-1, 0), (-1, -2)),
                line((1, 0), (1, -2)),
                line((1, -1), (2, -1)),
            ]
            .concat(),
            _ => {
                let start = Point { x: -self.half_width, y: 0 };
                let end = Point { x: self.half_width, y: -self.height };
                format!(
                    "        (rectangle (start {start}) (end {end}) {stroke} \
                     (fill (type background)))\n"
                )
            }
        }
    }

    /// Returns the positions of reference, value and function for a symbol at this point.
    pub(super) fn field_places(&self, at: Point) -> [(Point, &'static str); 3] {
        let (w, left, right) = (self.half_width, "left", "right");
        if self.is_small {
            return [(at.offset_by(-w, -1), right), (at.offset_by(w, -1), left), (at, left)];
        }
        [(at.offset_by(-w, -1), left), (at.offset_by(w, -1), right), (at.offset_by(-w, -3), left)]
    }
}

/// Returns the properties of a symbol, or of its instance on a sheet.
pub(super) fn properties(
    component: &Component<'_>,
    reference: &str,
    function: Option<&str>,
    places: &[(Point, &'static str); 3],
) -> String {
    let (plain, large) = ("(size 1.27 1.27)", "(size 2.54 2.54) bold");
    let (value, order) = (component.value(), component.order());
    let footprint = Footprint::new(component).map(|it| format!("{PROJECT}:{}", it.name));
    let fields = [
        ("Reference", Some(reference), plain),
        ("Value", Some(&*value), plain),
        ("Footprint", footprint.as_deref(), plain),
        ("Datasheet", None, plain),
        ("Order number", Some(&*order), plain),
        ("Function", function, large),
    ];
    let at = [places[0], places[1], places[0], places[0], places[0], places[2]];
    let mut text = String::new();
    for (id, ((name, value, font), (place, side))) in fields.into_iter().zip(at).enumerate() {
        if name == "Function" && value.is_none() {
            continue;
        }
        let is_visible = ["Reference", "Value", "Function"].contains(&name) && value.is_some();
        let hide = if is_visible { "" } else { " hide" };
        let _ = writeln!(
            text,
            "    (property \"{name}\" {} (id {id}) (at {place} 0) \
             (effects (font {font}) (justify {side}){hide}))",
            quoted(value.unwrap_or_default()),
        );
    }
    text
}

const FONT: &str = "(effects (font (size 1.27 1.27)))";

/// Returns the library, with a symbol for each kind of component.
pub(super) fn write_library(components: &[Component<'_>]) -> String {
    let symbols: String = definitions(components.iter(), "").into_values().collect();
    format!("(kicad_symbol_lib (version 20211014) (generator {PROJECT})\n{symbols})\n")
}

/// Returns the definitions that some components need, by name.
pub(super) fn definitions<'a, 'b: 'a>(
    components: impl Iterator<Item = &'a Component<'b>>,
    library: &str,
) -> BTreeMap<String, String> {
    components
        .map(|component| {
            let symbol = Symbol::new(component);
            let text = symbol.write(component, library);
            (symbol.name, text)
        })
        .collect()
}

/// The reference letter of a component.
fn letter<'a>(component: &Component<'a>) -> &'a str {
    match component.kind {
        ComponentKind::Wired(wired) => &wired.part().letter,
        ComponentKind::Chip(_) => "U",
        ComponentKind::Supply | ComponentKind::Header => "J",
        ComponentKind::Protection => "Q",
        ComponentKind::Resistor(_) | ComponentKind::FilterResistor(..) => "R",
        ComponentKind::FilterCapacitor(..)
        | ComponentKind::Decoupling
        | ComponentKind::Reservoir => "C",
    }
}

/// Returns the name of the symbol. Parts that drive a shared bus get a different symbol from parts
/// that always drive. KiCad's checks can then distinguish buses from shorted outputs.
fn name(component: &Component<'_>) -> String {
    let value = component.value().replace(' ', "_");
    let is_switched = component.pins.iter().any(|pin| pin.role == PinRole::SwitchedOutput);
    if is_switched { format!("{value}_bus") } else { value }
}

const fn electrical(role: PinRole) -> &'static str {
    match role {
        PinRole::Input => "input",
        PinRole::Output => "output",
        PinRole::SwitchedOutput => "tri_state",
        PinRole::Bidirectional => "bidirectional",
        PinRole::Pull => "open_collector",
        PinRole::Power => "power_in",
        PinRole::PowerSource => "power_out",
        PinRole::Passive => "passive",
        PinRole::NotConnected => "no_connect",
    }
}

/// Returns the pins on the left and right side of a chip's symbol, in groups with gaps between
/// them. Address pins and other inputs are on the left, with the panel's inputs below them. On the
/// right are data pins, other outputs, the panel's outputs and supply pins, from top to bottom. The
/// result depends only on the part, so chips of one part share a symbol.
fn chip_sides(pins: &[ComponentPin]) -> [Vec<Vec<usize>>; 2] {
    let is_panel =
        |pin: &ComponentPin| pin.net.as_deref().is_some_and(|net| net.starts_with(PANEL));
    let is_line = |pin: &ComponentPin, letter| {
        pin.name.starts_with(letter) && pin.name.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
    };
    let is_input = |pin: &ComponentPin| matches!(pin.role, PinRole::Input | PinRole::Passive);
    let column = |wanted: &dyn Fn(&ComponentPin) -> bool| {
        let mut column: Vec<usize> = (0..pins.len()).filter(|&at| wanted(&pins[at])).collect();
        column.sort_by_key(|&at| (line_number(&pins[at].name), pins[at].name.clone()));
        column
    };
    let power = |pin: &ComponentPin| pin.role == PinRole::Power;
    let groups = |groups: Vec<Vec<usize>>| groups.into_iter().filter(|it| !it.is_empty()).collect();
    [
        groups(vec![
            column(&|pin| is_input(pin) && is_line(pin, 'A') && !is_panel(pin)),
            column(&|pin| is_input(pin) && !is_line(pin, 'A') && !is_panel(pin)),
            column(&|pin| is_input(pin) && is_panel(pin)),
        ]),
        groups(vec![
            column(&|pin| !is_input(pin) && is_line(pin, 'O') && !is_panel(pin)),
            column(&|pin| !is_input(pin) && !is_line(pin, 'O') && !is_panel(pin) && !power(pin)),
            column(&|pin| !is_input(pin) && is_panel(pin)),
            column(&|pin| power(pin)),
        ]),
    ]
}

/// Returns the pins of the left side and of the right side, in groups. Inputs are on the left, and
/// so is one end of each resistor, LED and button. All other pins are on the right.
fn wired_sides(pins: &[ComponentPin]) -> [Vec<Vec<usize>>; 2] {
    let is_far = |pin: &ComponentPin| {
        let is_line = pin.name.starts_with('B') && pin.name.len() > 1;
        is_line || ["2", "K"].contains(&&*pin.name)
    };
    let side = |pin: &ComponentPin| match pin.role {
        PinRole::Input | PinRole::Bidirectional => 0,
        PinRole::Passive if !is_far(pin) => 1,
        PinRole::Passive => 2,
        PinRole::Power => 4,
        _ => 3,
    };
    let group = |wanted: u32| {
        let mut group: Vec<usize> =
            (0..pins.len()).filter(|&at| side(&pins[at]) == wanted).collect();
        group.sort_by_key(|&at| (line_number(&pins[at].name), at));
        group
    };
    let groups = |all: &[u32]| {
        all.iter().map(|&side| group(side)).filter(|group| !group.is_empty()).collect()
    };
    [groups(&[0, 1]), groups(&[2, 3, 4])]
}

/// The number in the name of an address or data pin, for sorting. Other pins come last.
fn line_number(name: &str) -> u32 {
    let digits: String = name.chars().skip(1).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(u32::MAX)
}

/// Returns the pins on the two sides of a two-row header as seen from above: odd numbers on the
/// left.
fn halves(pins: usize) -> [Vec<Vec<usize>>; 2] {
    let row = |first: usize| vec![(first..pins).step_by(2).collect()];
    [row(0), row(1)]
}
