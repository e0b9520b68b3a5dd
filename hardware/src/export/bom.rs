//! The parts list: every component of the board, the sockets, and the supply.

use std::collections::BTreeMap;

use gray1_board::role::Role;
use gray1_board::{Board, Chip, Logic, Part};

use super::components::{Component, ComponentKind, list_components};
use super::csv::Csv;

/// The screw holes of the circuit board in `hardware/gray1-b`.
const HOLES: usize = 9;

/// Returns the parts list as a table.
pub(super) fn make_bom(board: &Board) -> Result<String, String> {
    let mut csv = Csv::new(
        "quantity,spares,part,description,package,row mm,designators,references,\
        access time ns at most,order number,notes",
    );
    let components = list_components(board)?;
    push_chips(&mut csv, board, &components);
    push_wired(&mut csv, board, &components);
    push_sockets(&mut csv, board, &components);
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
        csv.row(&[
            &chips.len(),
            &spares(chips.len()),
            &part.name,
            &description(part),
            &part.package,
            &millimetres(part.row_um),
            &names.join(" "),
            &references(components, &names),
            &access_ns,
            &part.order.as_deref().unwrap_or_default(),
            &part.notes.join(" "),
        ]);
    }
}

/// Adds the parts that are wired but not simulated, one row for each kind.
fn push_wired(csv: &mut Csv, board: &Board, components: &[Component<'_>]) {
    for alike in group_by(board.around(), |it| it.part.name.clone()).values() {
        let (part, count) = (&alike[0].part, alike.len());
        let names: Vec<&str> = alike.iter().map(|it| &*it.name).collect();
        csv.row(&[
            &count,
            &spares(count),
            &part.name,
            &part.description,
            &part.package,
            &millimetres(part.row_um),
            &names.join(" "),
            &references(components, &names),
            &"",
            &part.order.as_deref().unwrap_or_default(),
            &part.notes.join(" "),
        ]);
    }
}

/// Adds the sockets, one row for each size, and one ZIF socket for the program.
fn push_sockets(csv: &mut Csv, board: &Board, components: &[Component<'_>]) {
    for ((package, mm), names) in list_sockets(board) {
        let (count, order) = (names.len(), socket_order(&package, &mm));
        let (all, places) = (names.join(" "), references(components, &names));
        csv.row(&[
            &count,
            &spares(count),
            &"socket",
            &"",
            &package,
            &mm,
            &all,
            &places,
            &"",
            &order,
            &"",
        ]);
    }
    for chip in board.chips().iter().filter(|chip| matches!(chip.role(), Role::Program(_))) {
        let Part { package, row_um, .. } = chip.part();
        let what = "plugs into the socket of the chip that you reprogram; opens with a lever";
        let order = if package == "DIP-32" { "3M 232-1285-00-0602J" } else { "" };
        let (name, mm) = (chip.name(), millimetres(*row_um));
        let place = references(components, &[name]);
        csv.row(&[&1, &0, &"socket", &what, package, &mm, &name, &place, &"", &order, &""]);
    }
}

/// Adds the other components, one row for each value.
fn push_others(csv: &mut Csv, components: &[Component<'_>]) {
    for alike in group_by_value(components) {
        let (one, count) = (alike[0], alike.len());
        let names: Vec<&str> = alike.iter().map(|it| &*it.name).collect();
        let (what, order) = (describe(one), one.order());
        let range = if count == 1 {
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
        csv.row(&[
            &count,
            &spares(count),
            &one.value(),
            &what,
            &one.package(),
            &"",
            &range,
            &names.join(" "),
            &"",
            &order,
            &note,
        ]);
    }
}

/// Adds the spacers for the screw holes, and the supply.
fn push_rest(csv: &mut Csv, board: &Board) {
    let references: Vec<String> = (1..=HOLES).map(|number| format!("H{number}")).collect();
    let (all, what) = (references.join(" "), "with a screw, at a hole of the circuit board");
    csv.row(&[&HOLES, &0, &"M3 spacer", &what, &"", &"", &all, &all, &"", &"", &""]);
    csv.row(&[&1, &0, &"5 V supply", &describe_supply(board), &"", &"", &"", &"", &"", &"", &""]);
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

/// The names of the parts in sockets, by package and row spacing: all chips, and the support parts
/// in a DIP that have the reference letter `U` or `X`.
fn list_sockets(board: &Board) -> BTreeMap<(String, String), Vec<&str>> {
    let wired = board
        .around()
        .iter()
        .filter(|it| matches!(&*it.part.letter, "U" | "X") && it.part.row_um.is_some())
        .map(|it| (&*it.name, &it.part.package, it.part.row_um));
    let chips = board.chips().iter().map(|it| (it.name(), &it.part().package, it.part().row_um));
    let all = group_by(chips.chain(wired), |it| (it.1.clone(), millimetres(it.2)));
    all.into_iter().map(|(kind, all)| (kind, all.iter().map(|it| it.0).collect())).collect()
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
