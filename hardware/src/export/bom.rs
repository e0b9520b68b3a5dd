//! The parts list: every component of the board, the sockets, and the supply.

use std::collections::BTreeMap;

use gray1_board::role::Role;
use gray1_board::{Board, Chip, Logic, Part, WiredPart};

use super::components::{Component, ComponentKind, list_components};
use super::csv::Csv;

/// The screw holes of the circuit board in `hardware/gray1-b`.
const HOLES: usize = 9;

/// A row of the parts list. Fields that do not apply are empty.
#[derive(Default)]
struct BomRow<'a> {
    quantity: usize,
    spares: usize,
    part: &'a str,
    description: &'a str,
    package: &'a str,
    row_um: Option<u32>,
    designators: String,
    references: String,
    access_ns: Option<u32>,
    order: String,
    is_in_socket: bool,
    notes: String,
}

impl<'a> BomRow<'a> {
    /// Creates a row for parts of which spares are needed.
    fn new(part: &'a str, quantity: usize) -> Self {
        Self { part, quantity, spares: spares(quantity), ..Self::default() }
    }

    fn push(self, csv: &mut Csv) {
        let row_mm = millimetres(self.row_um);
        let (socket, socket_order) = if self.is_in_socket {
            (self.package, socket_order(self.package, &row_mm))
        } else {
            Default::default()
        };
        csv.row(&[
            &self.quantity,
            &self.spares,
            &self.part,
            &self.description,
            &self.package,
            &row_mm,
            &self.designators,
            &self.references,
            &self.access_ns.map_or_else(String::new, |ns| ns.to_string()),
            &self.order,
            &socket,
            &socket_order,
            &self.notes,
        ]);
    }
}

/// Returns the parts list as a table. No reference is in two rows.
pub(super) fn make_bom(board: &Board) -> Result<String, String> {
    let mut csv = Csv::new(
        "quantity,spares,part,description,package,row mm,designators,references,\
        access time ns at most,order number,socket,socket order number,notes",
    );
    let components = list_components(board)?;
    push_chips(&mut csv, board, &components);
    push_wired(&mut csv, board, &components);
    push_sockets(&mut csv, board);
    push_others(&mut csv, &components);
    push_rest(&mut csv, board);
    Ok(csv.finish())
}

/// Returns the references of the components with these names.
fn references(components: &[Component<'_>], names: &[&str]) -> String {
    let found = names.iter().filter_map(|name| components.iter().find(|it| it.name == **name));
    found.map(|it| &*it.reference).collect::<Vec<_>>().join(" ")
}

/// Adds the chips, one row for each part and access time.
fn push_chips(csv: &mut Csv, board: &Board, components: &[Component<'_>]) {
    let groups = group_by(board.chips(), |chip| (chip.part().name.clone(), chip.access_ns));
    for ((_, access_ns), chips) in groups {
        let (part, names) = (chips[0].part(), names(&chips));
        let mut notes = part.notes.clone();
        let program = chips.iter().find(|chip| matches!(chip.role(), Role::Program(_)));
        notes.extend(program.map(|chip| {
            let order = if part.package == "DIP-32" { " (3M 232-1285-00-0602J)" } else { "" };
            let name = chip.name();
            format!(
                "To reprogram {name} often, plug a socket that opens with a lever{order} into its \
                 socket."
            )
        }));
        BomRow {
            description: &description(part),
            package: &part.package,
            row_um: part.row_um,
            designators: names.join(" "),
            references: references(components, &names),
            access_ns: Some(access_ns),
            order: part.order.clone().unwrap_or_default(),
            is_in_socket: true,
            notes: notes.join(" "),
            ..BomRow::new(&part.name, chips.len())
        }
        .push(csv);
    }
}

/// Adds the parts that are wired but not simulated, one row for each kind.
fn push_wired(csv: &mut Csv, board: &Board, components: &[Component<'_>]) {
    for alike in group_by(board.around(), |it| it.part.name.clone()).values() {
        let (part, count) = (&alike[0].part, alike.len());
        let names: Vec<&str> = alike.iter().map(|it| &*it.name).collect();
        BomRow {
            description: &part.description,
            package: &part.package,
            row_um: part.row_um,
            designators: names.join(" "),
            references: references(components, &names),
            order: part.order.clone().unwrap_or_default(),
            is_in_socket: is_in_socket(part),
            notes: part.notes.join(" "),
            ..BomRow::new(&part.name, count)
        }
        .push(csv);
    }
}

/// Adds the number of sockets of each size. The rows of the parts in them have the references.
fn push_sockets(csv: &mut Csv, board: &Board) {
    let around = board.around().iter().map(|it| &it.part).filter(|part| is_in_socket(part));
    let around = around.map(|it| (&it.package, it.row_um));
    let chips = board.chips().iter().map(|it| (&it.part().package, it.part().row_um));
    for ((package, row_um), all) in group_by(chips.chain(around), |it| *it) {
        BomRow {
            package,
            row_um,
            order: socket_order(package, &millimetres(row_um)),
            ..BomRow::new("socket", all.len())
        }
        .push(csv);
    }
}

/// Adds the other components, one row for each value.
fn push_others(csv: &mut Csv, components: &[Component<'_>]) {
    for alike in group_by_value(components) {
        let (one, count) = (alike[0], alike.len());
        let names: Vec<&str> = alike.iter().map(|it| &*it.name).collect();
        let order = one.order();
        let designators = if count == 1 {
            names[0].to_owned()
        } else {
            format!("{}-{}", names[0], names[count - 1])
        };
        let note = match one.kind {
            _ if order.is_empty() => "No order number was found.",
            ComponentKind::FilterCapacitor(_) => {
                "The order number follows the maker's scheme but was not found in a parts list: check it."
            }
            _ => "",
        };
        BomRow {
            description: describe(one),
            package: one.package(),
            designators,
            references: names.join(" "),
            order,
            notes: note.to_owned(),
            ..BomRow::new(&one.value(), count)
        }
        .push(csv);
    }
}

/// Adds the spacers for the screw holes, and the supply.
fn push_rest(csv: &mut Csv, board: &Board) {
    let holes: Vec<String> = (1..=HOLES).map(|number| format!("H{number}")).collect();
    BomRow {
        quantity: HOLES,
        part: "M3 spacer",
        description: "with a screw, at a hole of the circuit board",
        designators: holes.join(" "),
        references: holes.join(" "),
        ..BomRow::default()
    }
    .push(csv);
    let description = &describe_supply(board);
    BomRow { quantity: 1, part: "5 V supply", description, ..BomRow::default() }.push(csv);
}

/// Groups the components other than chips by value and kind.
fn group_by_value<'a, 'b>(components: &'a [Component<'b>]) -> Vec<Vec<&'a Component<'b>>> {
    let mut others: Vec<&Component<'_>> = components.iter().collect();
    others.retain(|it| !matches!(it.kind, ComponentKind::Chip(_) | ComponentKind::Wired(_)));
    others.chunk_by(|one, other| one.value() == other.value()).map(<[_]>::to_vec).collect()
}

const fn describe(component: &Component<'_>) -> &'static str {
    match component.kind {
        ComponentKind::Chip(_) | ComponentKind::Wired(_) => "",
        ComponentKind::Supply => "two-pole screw terminal for the supply",
        ComponentKind::Protection => "transistor, P-channel: stays off if the supply is reversed",
        ComponentKind::Header => "for all other connections to the outside",
        ComponentKind::Resistor(_) => "holds an external wire at its level while unconnected",
        ComponentKind::FilterResistor(_) => "filter: from a data pin of a chip to its wire",
        ComponentKind::FilterCapacitor(_) => {
            "filter: ceramic capacitor (C0G), from such a wire to ground, close to the chip"
        }
        ComponentKind::Decoupling => "ceramic capacitor, one at each supply pin of each chip",
        ComponentKind::Reservoir => {
            "electrolytic capacitor: one at the supply terminal, the others spread evenly"
        }
    }
}

/// The number of spare parts: one in ten, but at least one.
fn spares(count: usize) -> usize {
    count.div_ceil(10)
}

/// The part number of 3M's socket for a DIP of this width. Public parts lists contain such sockets
/// with 8 to 32 pins.
fn socket_order(package: &str, mm: &str) -> String {
    let pins = package.strip_prefix("DIP-").and_then(|pins| pins.parse::<u8>().ok());
    let width = [("7.62", 3), ("15.24", 6)].into_iter().find(|known| known.0 == mm);
    let order = pins.zip(width);
    order.map_or_else(String::new, |(pins, (_, width))| format!("3M 48{pins:02}-{width}000-CP"))
}

/// Groups items by a key and keeps their order within each group.
fn group_by<K: Ord, T>(
    all: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> BTreeMap<K, Vec<T>> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for one in all {
        groups.entry(key(&one)).or_default().push(one);
    }
    groups
}

/// True if a support part is put in a socket: one in a DIP with the reference letter `U` or `X`.
fn is_in_socket(part: &WiredPart) -> bool {
    matches!(&*part.letter, "U" | "X") && part.row_um.is_some()
}

fn description(part: &Part) -> String {
    match part.logic {
        None => format!("{} {}x{}", part.kind, part.bytes(), part.data_bits),
        Some(Logic::Latch) => format!("{} latches", part.data_bits),
        Some(Logic::Decoder { .. }) => format!("decoder, 1 of {}", part.data_bits),
    }
}

fn millimetres(um: Option<u32>) -> String {
    um.map_or_else(String::new, |um| (f64::from(um) / 1000.0).to_string())
}

/// Describes the supply: the total current of all parts whose current is known, with all LEDs on,
/// and the chips whose current is unknown.
fn describe_supply(board: &Board) -> String {
    let known = board.chips().iter().filter_map(|chip| chip.part().levels.as_ref());
    let known_ma: u64 = known.map(|levels| u64::from(levels.supply_ma)).sum();
    let around_ua: u64 = board.around().iter().map(|it| u64::from(it.part.supply_ua)).sum();
    let ma = known_ma + around_ua.div_ceil(1000);
    let unknown = board.chips().iter().filter(|chip| chip.part().levels.is_none());
    let unknown: Vec<&Chip> = unknown.collect();
    let unknown_draw = if unknown.is_empty() {
        String::new()
    } else {
        format!(" and the current of {}", names(&unknown).join(" "))
    };
    format!("for {ma} mA{unknown_draw}: measure it")
}

fn names<'a>(chips: &[&'a Chip]) -> Vec<&'a str> {
    chips.iter().map(|chip| chip.name()).collect()
}
