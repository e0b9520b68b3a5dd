//! Schematic sheets, with components in columns and a label at each pin.

use std::fmt::Write as _;

use super::super::components::{Component, ComponentKind, PinRole};
use super::geometry::{Point, length, quoted};
use super::group::{Group, PROJECT};
use super::symbol::{Symbol, definitions, properties};
use super::uuid::uuid;

/// The paper sizes: name, width and height in steps of 1.27 mm, rounded down.
const PAPERS: [(&str, i32, i32); 4] =
    [("A4", 233, 165), ("A3", 330, 233), ("A2", 467, 330), ("A1", 662, 467)];
/// The distance from an edge of the paper to the first component.
const MARGIN: i32 = 16;
/// The height of the title block at the lower edge.
const TITLE: i32 = 34;
/// The width of a column, which fits a chip and its labels.
const COLUMN: i32 = 62;
/// The gap below a component, for the name of the next one.
const GAP: i32 = 8;

/// The maximum number of names in a sheet's box, and the maximum length of all of them together.
const NAMES_MAX: usize = 5;
const NAMES_LENGTH_MAX: usize = 38;
/// The maximum number of sheets whose boxes fit above the title block of an A4 page.
const SHEETS_ON_A4: usize = 6;

/// A sheet of the schematic.
pub(super) struct Sheet<'a> {
    pub(super) group: Group,
    pub(super) components: Vec<&'a Component<'a>>,
}

impl Sheet<'_> {
    pub(super) const fn new(group: Group) -> Self {
        Self { group, components: Vec::new() }
    }

    fn uuid(&self) -> String {
        uuid(self.group.file_name())
    }

    /// Returns the file of the sheet.
    pub(super) fn write(&self, title: &str) -> String {
        let symbols: Vec<Symbol> = self.components.iter().map(|it| Symbol::new(it)).collect();
        let leads: Vec<bool> = self.components.iter().map(|it| self.group.is_lead(it)).collect();
        let (paper, places) = layout(&symbols, &leads);
        let title = format!("{}: {}", title, self.group.name());
        let mut text = write_head(&self.group.file_name().replace(".kicad_sch", ""), paper, &title);
        let library = format!("{PROJECT}:");
        let definitions = definitions(self.components.iter().copied(), &library);
        let _ =
            writeln!(text, "  (lib_symbols\n{}  )", definitions.into_values().collect::<String>());
        for ((component, symbol), place) in self.components.iter().zip(&symbols).zip(places) {
            for (pin, end) in component.pins.iter().zip(&symbol.pins) {
                let at = place.offset_by(end.x, end.y);
                if let Some(net) = &pin.net {
                    text += &write_label(net, pin.role, at, end.x < 0);
                } else {
                    let id = uuid(&format!("open {} {at}", component.name));
                    let _ = writeln!(text, "  (no_connect (at {at}) (uuid {id}))");
                }
            }
            text += &write_instance(component, symbol, place);
        }
        text + ")\n"
    }
}

/// Returns the smallest paper for these symbols, and the position of each symbol in columns from
/// the top. `leads` marks symbols that start a series. Such a symbol starts a new column if the
/// series does not fit below the last symbol.
fn layout(symbols: &[Symbol], leads: &[bool]) -> (&'static str, Vec<Point>) {
    let room = |symbol: &Symbol| symbol.height + if symbol.height > 2 { GAP } else { 3 };
    let height_from = |at: usize| {
        let is_more = |lead: &&bool| leads[at] && !**lead;
        let last = at + leads[at + 1..].iter().take_while(is_more).count();
        symbols[at..last].iter().map(room).sum::<i32>() + symbols[last].height
    };
    let layouts = PAPERS.into_iter().map(|(paper, width, height)| {
        let bottom = height - TITLE;
        let mut place = Point { x: MARGIN + COLUMN / 2, y: MARGIN };
        let mut places = Vec::new();
        for (at, symbol) in symbols.iter().enumerate() {
            if place.y > MARGIN && place.y + height_from(at) > bottom {
                place = Point { x: place.x + COLUMN, y: MARGIN };
            }
            places.push(place);
            place.y += room(symbol);
        }
        let fits = place.x + COLUMN / 2 <= width - MARGIN / 2;
        (fits, (paper, places))
    });
    let mut layouts: Vec<_> = layouts.collect();
    let first = layouts.iter().position(|(fits, _)| *fits).unwrap_or(PAPERS.len() - 1);
    layouts.swap_remove(first).1
}

fn write_head(name: &str, paper: &str, title: &str) -> String {
    format!(
        "(kicad_sch (version 20211123) (generator {PROJECT})\n  (uuid {})\n  (paper \"{paper}\")\n  \
         (title_block (title {}) (comment 1 \"Made by gray1 export kicad\"))\n",
        uuid(&format!("file {name}")),
        quoted(title),
    )
}

/// Returns a label at the end of a pin, on the left or right side of its symbol.
fn write_label(net: &str, role: PinRole, at: Point, is_left: bool) -> String {
    let (angle, side) = if is_left { (180, "right") } else { (0, "left") };
    let shape = match role {
        PinRole::Input => "input",
        PinRole::Output | PinRole::Pull => "output",
        PinRole::SwitchedOutput => "tri_state",
        PinRole::Bidirectional => "bidirectional",
        PinRole::Power | PinRole::PowerSource | PinRole::Passive | PinRole::NotConnected => {
            "passive"
        }
    };
    format!(
        "  (global_label {} (shape {shape}) (at {at} {angle}) (effects (font (size 1.27 1.27)) \
         (justify {side})) (uuid {}))\n",
        quoted(net),
        uuid(&format!("label {net} {at}")),
    )
}

/// Returns an instance of a component on a sheet.
fn write_instance(component: &Component<'_>, symbol: &Symbol, at: Point) -> String {
    let id = component_uuid(component);
    let mut text = format!(
        "  (symbol (lib_id {}) (at {at} 0) (unit 1) (in_bom yes) (on_board yes)\n    (uuid {id})\n",
        quoted(&format!("{PROJECT}:{}", symbol.name)),
    );
    let is_named = matches!(component.kind, ComponentKind::Chip(_) | ComponentKind::Wired(_));
    let function = is_named.then_some(&*component.name);
    text += &properties(component, &component.reference, function, &symbol.field_places(at));
    for number in 1..=component.pins.len() {
        let pin = uuid(&format!("pin {} {number}", component.name));
        let _ = writeln!(text, "    (pin \"{number}\" (uuid {pin}))");
    }
    text + "  )\n"
}

/// The identifier of a component in the schematic.
pub(super) fn component_uuid(component: &Component<'_>) -> String {
    uuid(&format!("component {}", component.name))
}

/// Returns the first page, which shows the sheets as boxes and lists the components of each sheet.
pub(super) fn write_root(title: &str, sheets: &[Sheet<'_>]) -> String {
    let mut text = write_head("root", if sheets.len() > SHEETS_ON_A4 { "A3" } else { "A4" }, title);
    text += "  (lib_symbols)\n";
    let note = "Pins with the same label are connected, on all sheets.";
    let _ = writeln!(
        text,
        "  (text {} (at {} 0) (effects (font (size 2.54 2.54)) (justify left bottom)) (uuid {}))",
        quoted(note),
        Point { x: MARGIN, y: MARGIN },
        uuid(note),
    );
    for (at, sheet) in (0..).zip(sheets) {
        let (column, row) = (at % 3, at / 3);
        let place = Point { x: MARGIN + 66 * column, y: MARGIN + 14 + 46 * row };
        text += &write_box(sheet, place);
    }
    text += "  (sheet_instances\n    (path \"/\" (page \"1\"))\n";
    for (number, sheet) in (2..).zip(sheets) {
        let _ = writeln!(text, "    (path \"/{}\" (page \"{number}\"))", sheet.uuid());
    }
    text += "  )\n  (symbol_instances\n";
    for sheet in sheets {
        for component in &sheet.components {
            let _ = writeln!(
                text,
                "    (path \"/{}/{}\" (reference {}) (unit 1) (value {}) (footprint \"\"))",
                sheet.uuid(),
                component_uuid(component),
                quoted(&component.reference),
                quoted(&component.value()),
            );
        }
    }
    text + "  )\n)\n"
}

/// Returns the box of a sheet on the first page, with the names of its first components.
fn write_box(sheet: &Sheet<'_>, at: Point) -> String {
    let [width, height] = [54, 30].map(length);
    let font = "(effects (font (size 1.778 1.778)) (justify left";
    let all: Vec<&str> = sheet.components.iter().map(|it| it.name.as_str()).collect();
    let most = all.len().min(if sheet.group == Group::Outside { 2 } else { NAMES_MAX });
    let fits = |count: &usize| all[..*count].join("  ").len() <= NAMES_LENGTH_MAX;
    let shown = (1..=most).rev().find(fits).unwrap_or(most);
    let more = if all.len() > shown && sheet.group != Group::Outside { " ..." } else { "" };
    let names = all[..shown].join("  ") + more;
    format!(
        "  (sheet (at {at}) (size {width} {height}) (fields_autoplaced)\n    \
         (stroke (width 0.1524) (type solid) (color 0 0 0 0))\n    \
         (fill (color 0 0 0 0.0000))\n    (uuid {})\n    \
         (property \"Sheet name\" {} (id 0) (at {} 0) {font} bottom)))\n    \
         (property \"Sheet file\" {} (id 1) (at {} 0) {font} top)))\n  )\n  \
         (text {} (at {} 0) {font} bottom)) (uuid {}))\n",
        sheet.uuid(),
        quoted(sheet.group.name()),
        at.offset_by(0, -1),
        quoted(sheet.group.file_name()),
        at.offset_by(0, 31),
        quoted(&names),
        at.offset_by(3, 16),
        uuid(&format!("names {}", sheet.group.file_name())),
    )
}
