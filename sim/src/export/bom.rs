//! The parts to buy: the chips of the board and what every board needs besides them. The last
//! rows name what this project has not designed.

use std::collections::BTreeMap;

use super::csv::Csv;
use crate::board::checked::{Board, Chip};
use crate::board::part::{Part, PartKind};

/// The parts as a table.
pub(super) fn bom(board: &Board) -> String {
    let mut csv = Csv::new(&[
        "quantity",
        "part",
        "description",
        "package",
        "designators",
        "access time ns at most",
    ]);
    for (part, chips) in by(board, |chip| (chip.part().name, chip.access_ns())) {
        let (name, access_ns) = part;
        let description = description(chips[0].part());
        let package = chips[0].part().package;
        csv.row(&[&chips.len(), &name, &description, &package, &names(&chips), &access_ns]);
    }
    for (package, chips) in by(board, |chip| chip.part().package) {
        csv.row(&[&chips.len(), &"socket", &"", &package, &names(&chips), &""]);
    }
    support(board, &mut csv);
    for what in NOT_DESIGNED {
        csv.row(&[&"", &"not designed", &what, &"", &"", &""]);
    }
    csv.finish()
}

/// Parts that the board leaves to its maker.
const NOT_DESIGNED: [&str; 4] = [
    "8x8 display of two-colour LEDs with its drivers",
    "eight buttons and the latch that holds them",
    "panel controller on the second port of the data memory, which prints the mailbox, \
     scans the display and writes the buttons",
    "reset switch and the flip-flop that moves the reset line only while the oscillator is high",
];

/// Oscillator and capacitors. A bypass capacitor at each chip and a larger one where the supply
/// comes in are what data sheets of such parts ask for.
fn support(board: &Board, csv: &mut Csv) {
    let oscillator = board.net(board.oscillator()).name();
    csv.row(&[
        &1,
        &"oscillator",
        &"5 V square wave with equal halves; each half is longer than the longest settling path",
        &"",
        &oscillator,
        &"",
    ]);
    let chips = board.chips().len();
    let last = chips + 1;
    csv.row(&[
        &chips,
        &"100 nF",
        &"ceramic capacitor, one across the supply pins of each chip",
        &"2.54 mm radial",
        &format!("C1-C{chips}"),
        &"",
    ]);
    csv.row(&[
        &1,
        &"47 uF",
        &"electrolytic capacitor where the 5 V supply comes in",
        &"radial",
        &format!("C{last}"),
        &"",
    ]);
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
    let (bytes, data_lines) = (part.bytes(), part.data_lines);
    let kind = match part.kind {
        PartKind::Prom => "fuse PROM",
        PartKind::Eprom => "EPROM",
        PartKind::DualPortRam => "dual-port static RAM",
    };
    format!("{kind} {bytes}x{data_lines}")
}

fn names(chips: &[&Chip]) -> String {
    chips.iter().map(|chip| chip.name()).collect::<Vec<_>>().join(" ")
}
