//! The parts to buy: every component of the board, and the sockets. The last rows name what a
//! maker connects to the board.

use std::collections::BTreeMap;

use super::components::{Component, Kind, components};
use super::csv::Csv;
use crate::board::Part;
use crate::board::checked::{Board, Chip};

/// The parts as a table.
pub(super) fn bom(board: &Board) -> String {
    let mut csv = Csv::new(&[
        "quantity",
        "part",
        "description",
        "package",
        "row mm",
        "designators",
        "access time ns at most",
        "order number",
        "notes",
    ]);
    for ((_, access_ns), chips) in by(board, |chip| (chip.part().name.clone(), chip.access_ns())) {
        let part = chips[0].part();
        csv.row(&[
            &chips.len(),
            &part.name,
            &description(part),
            &part.package,
            &row_mm(part),
            &names(&chips),
            &access_ns,
            &part.order.as_deref().unwrap_or_default(),
            &part.notes.join(" "),
        ]);
    }
    let mut row = |count: usize, part: &str, what: &str, package: &str, mm: &str, names: &str| {
        let count = if count == 0 { String::new() } else { count.to_string() };
        csv.row(&[&count, &part, &what, &package, &mm, &names, &"", &"", &""]);
    };
    for ((package, mm), chips) in
        by(board, |chip| (chip.part().package.clone(), row_mm(chip.part())))
    {
        row(chips.len(), "socket", "", &package, &mm, &names(&chips));
    }
    let components = components(board);
    for alike in alike(&components) {
        let one = alike[0];
        let (first, last) = (&one.name, &alike[alike.len() - 1].name);
        let names = if alike.len() == 1 { first.clone() } else { format!("{first}-{last}") };
        row(alike.len(), &one.value(), what(one), one.package(), "", &names);
    }
    row(1, "5 V supply", &supply(board), "", "", "");
    for what in OUTSIDE {
        row(0, "outside of the board", what, "", "", "J2");
    }
    csv.finish()
}

/// The other end of the header. This project has a design of these for no board with this header,
/// and says so.
const OUTSIDE: [&str; 4] = [
    "to be designed by the maker: a 5 V square wave for OSC with equal halves, each longer than \
     the longest settling path",
    "to be designed by the maker: a reset switch, and a flip-flop that moves RST only while OSC \
     is high",
    "to be designed by the maker: an 8x8 display of two-colour LEDs with its drivers",
    "to be designed by the maker: eight buttons, and the controller of the panel's port, which \
     prints the mailbox, scans the display and writes the buttons",
];

/// The components besides the chips, those of one value and kind in a row together.
fn alike<'a, 'b>(components: &'a [Component<'b>]) -> Vec<Vec<&'a Component<'b>>> {
    let others = components.iter().filter(|it| !matches!(it.kind, Kind::Chip(_)));
    let others: Vec<&Component<'_>> = others.collect();
    others.chunk_by(|one, other| one.value() == other.value()).map(<[_]>::to_vec).collect()
}

const fn what(component: &Component<'_>) -> &'static str {
    match component.kind {
        Kind::Chip(_) => "",
        Kind::Supply => "screw terminal of two poles, where the supply comes in",
        Kind::Header => "for everything else that comes from outside",
        Kind::Resistor(_) => "holds a line from outside while nothing is connected",
        Kind::Decoupling => "ceramic capacitor, one at each supply pin of each chip",
        Kind::Reservoir => {
            "electrolytic capacitor: one where the supply comes in, the others spread evenly"
        }
    }
}

/// The chips that share something, in the order of the board within each group.
fn by<K: Ord>(board: &Board, key: impl Fn(&Chip) -> K) -> BTreeMap<K, Vec<&Chip>> {
    let mut groups: BTreeMap<K, Vec<&Chip>> = BTreeMap::new();
    for chip in board.chips() {
        groups.entry(key(chip)).or_default().push(chip);
    }
    groups
}

fn description(part: &Part) -> String {
    format!("{} {}x{}", part.kind, part.bytes(), part.data_lines)
}

fn row_mm(part: &Part) -> String {
    part.row_um.map_or_else(String::new, |um| (f64::from(um) / 1000.0).to_string())
}

/// The current of the chips, as far as it is known.
fn supply(board: &Board) -> String {
    let known = board.chips().iter().filter_map(|chip| chip.part().levels.as_ref());
    let ma: u32 = known.clone().map(|levels| levels.supply_ma).sum();
    let unknown = board.chips().iter().filter(|chip| chip.part().levels.is_none());
    let unknown: Vec<&Chip> = unknown.collect();
    let besides = if unknown.is_empty() {
        String::new()
    } else {
        format!(", and what {} draws", names(&unknown))
    };
    format!("for {ma} mA{besides}: measure it")
}

fn names(chips: &[&Chip]) -> String {
    chips.iter().map(|chip| chip.name()).collect::<Vec<_>>().join(" ")
}
