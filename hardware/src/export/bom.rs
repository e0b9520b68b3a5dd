//! The parts to buy: every component of the board, and the sockets. The last rows name what a
//! maker connects to the board.

use std::collections::BTreeMap;

use gray1_board::{Board, Chip, Logic, Part, Wired};

use super::components::{Component, Kind, components};
use super::csv::Csv;
use super::error::ExportError;

/// The parts as a table.
pub(super) fn bom(board: &Board) -> Result<String, ExportError> {
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
            &millimetres(part.row_um),
            &names(&chips),
            &access_ns,
            &part.order.as_deref().unwrap_or_default(),
            &part.notes.join(" "),
        ]);
    }
    push_wired(&mut csv, board);
    let mut row = |count: usize, part: &str, what: &str, package: &str, mm: &str, names: &str| {
        let count = if count == 0 { String::new() } else { count.to_string() };
        csv.row(&[&count, &part, &what, &package, &mm, &names, &"", &"", &""]);
    };
    for ((package, mm), names) in sockets(board) {
        row(names.len(), "socket", "", &package, &mm, &names.join(" "));
    }
    let components = components(board)?;
    for alike in alike(&components) {
        let one = alike[0];
        let (first, last) = (&one.name, &alike[alike.len() - 1].name);
        let names = if alike.len() == 1 { first.clone() } else { format!("{first}-{last}") };
        row(alike.len(), &one.value(), what(one), one.package(), "", &names);
    }
    row(1, "5 V supply", &supply(board), "", "", "");
    let outside = if board.around().is_empty() { &OUTSIDE[..] } else { &[] };
    for what in outside {
        row(0, "outside of the board", what, "", "", "J2");
    }
    Ok(csv.finish())
}

/// The wired parts, those of one kind in a row.
fn push_wired(csv: &mut Csv, board: &Board) {
    for alike in wired(board).values() {
        let part = alike[0].part();
        csv.row(&[
            &alike.len(),
            &part.name,
            &part.description,
            &part.package,
            &millimetres(part.row_um),
            &alike.iter().map(|it| it.name()).collect::<Vec<_>>().join(" "),
            &"",
            &part.order.as_deref().unwrap_or_default(),
            &part.notes.join(" "),
        ]);
    }
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
    let is_other = |it: &&Component<'_>| !matches!(it.kind, Kind::Chip(_) | Kind::Wired(_));
    let others = components.iter().filter(is_other);
    let others: Vec<&Component<'_>> = others.collect();
    others.chunk_by(|one, other| one.value() == other.value()).map(<[_]>::to_vec).collect()
}

const fn what(component: &Component<'_>) -> &'static str {
    match component.kind {
        Kind::Chip(_) | Kind::Wired(_) => "",
        Kind::Supply => "screw terminal of two poles, where the supply comes in",
        Kind::Header => "for everything else that comes from outside",
        Kind::Resistor(_) => "holds a wire from outside while nothing is connected",
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

/// The wired parts of each kind.
fn wired(board: &Board) -> BTreeMap<&str, Vec<&Wired>> {
    let mut groups: BTreeMap<&str, Vec<&Wired>> = BTreeMap::new();
    for wired in board.around() {
        groups.entry(&wired.part().name).or_default().push(wired);
    }
    groups
}

/// The names of what sits in sockets, by package and distance of rows: chips, and what schematics
/// call like them.
fn sockets(board: &Board) -> BTreeMap<(String, String), Vec<&str>> {
    let mut sockets: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for chip in board.chips() {
        let key = (chip.part().package.clone(), millimetres(chip.part().row_um));
        sockets.entry(key).or_default().push(chip.name());
    }
    for wired in board.around() {
        let part = wired.part();
        if ["U", "X"].contains(&&*part.letter) && part.row_um.is_some() {
            let key = (part.package.clone(), millimetres(part.row_um));
            sockets.entry(key).or_default().push(wired.name());
        }
    }
    sockets
}

fn description(part: &Part) -> String {
    match part.logic {
        None => format!("{} {}x{}", part.kind, part.bytes(), part.data_lines),
        Some(Logic::Latch) => format!("{} latches", part.data_lines),
        Some(Logic::Decoder { .. }) => format!("decoder, 1 of {}", part.data_lines),
    }
}

fn millimetres(um: Option<u32>) -> String {
    um.map_or_else(String::new, |um| (f64::from(um) / 1000.0).to_string())
}

/// The current of the parts, as far as it is known, with all LEDs lit.
fn supply(board: &Board) -> String {
    let known = board.chips().iter().filter_map(|chip| chip.part().levels.as_ref());
    let known_ma: u64 = known.map(|levels| u64::from(levels.supply_ma)).sum();
    let around_ua: u64 = board.around().iter().map(|it| u64::from(it.part().supply_ua)).sum();
    let ma = known_ma + around_ua.div_ceil(1000);
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
