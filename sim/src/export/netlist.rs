//! The wiring, chip by chip and pin by pin: every pin of every package, with what it is tied to.

use super::csv::Csv;
use super::pinout::Pinout;
use crate::board::checked::{Board, Chip, Output, Source};

/// The supply, as nets. No line of a board can have these names.
const HIGH: &str = "+5V";
const LOW: &str = "0V";

/// The net of a pin.
struct Wire {
    net: String,
    direction: &'static str,
}

/// The wiring as a table.
pub(super) fn netlist(board: &Board) -> String {
    let mut csv =
        Csv::new(&["chip", "part", "package", "pin", "name", "net", "direction", "source"]);
    for chip in board.chips() {
        let pinout = Pinout::of(chip.part());
        let part = chip.part();
        for (pin, name) in pinout.pins() {
            let Wire { net, direction } = wire(board, chip, &pinout, name);
            csv.row(&[
                &chip.name(),
                &part.name,
                &part.package,
                &pin,
                &name,
                &net,
                &direction,
                &pinout.source,
            ]);
        }
    }
    csv.finish()
}

fn wire(board: &Board, chip: &Chip, pinout: &Pinout, name: &'static str) -> Wire {
    match name {
        "VCC" => to(HIGH, "power"),
        "GND" => to(LOW, "power"),
        "NC" => to("", "open"),
        // While an EPROM is read, both of its programming pins are high.
        "VPP" | "nPGM" => to(HIGH, "input"),
        // A chip that has both is selected for ever: waking up takes longer than opening outputs.
        "nCE" if pinout.has("nOE") => to(LOW, "input"),
        "nCE" | "nOE" => enable(board, chip),
        _ => match (name.strip_suffix('L'), name.strip_suffix('R')) {
            (Some(name), _) => processor_port(board, chip, name),
            (_, Some(name)) => panel_port(name),
            _ if name == "MnS" => to(HIGH, "input"),
            _ => line(board, chip, name, "output"),
        },
    }
}

fn to(net: &str, direction: &'static str) -> Wire {
    Wire { net: net.to_owned(), direction }
}

/// The output enable: low, or the line that switches the chip's outputs.
fn enable(board: &Board, chip: &Chip) -> Wire {
    match chip.output() {
        Output::WhileLow(net) => to(board.net(net).name(), "input"),
        Output::Always | Output::WhileHigh(_) => to(LOW, "input"),
    }
}

/// An address or data pin: a letter and a number.
fn line(board: &Board, chip: &Chip, name: &str, data: &'static str) -> Wire {
    let (letter, number) = name.split_at(1);
    let number: usize = number.parse().expect("address and data pins have numbers");
    let net = |source| match source {
        Source::Tied(true) => HIGH,
        Source::Tied(false) => LOW,
        Source::Net(net) => board.net(net).name(),
    };
    match letter {
        "A" => to(net(chip.address()[number]), "input"),
        _ => match chip.data().get(number) {
            Some(&line) => to(board.net(line).name(), data),
            None => to("", "open"),
        },
    }
}

/// The port of a dual-port RAM that the board is wired to. The RAM is always selected, shows what
/// it holds unless it is written, and is master of the arbitration; semaphores are not used, and
/// a processor without wait states has no use for BUSY.
fn processor_port(board: &Board, chip: &Chip, name: &'static str) -> Wire {
    match name {
        "nCE" | "nOE" => to(LOW, "input"),
        "nSEM" => to(HIGH, "input"),
        "nBUSY" | "nINT" => to("", "open"),
        "RnW" => match chip.write_enable_low() {
            Some(net) => to(board.net(net).name(), "input"),
            None => to(HIGH, "input"),
        },
        _ => line(board, chip, name, "bidirectional"),
    }
}

/// The port of a dual-port RAM that is left to the panel: its nets end at the panel's connector.
fn panel_port(name: &'static str) -> Wire {
    let direction = match name {
        "nSEM" => return to(HIGH, "input"),
        "nBUSY" | "nINT" => "output",
        _ if name.starts_with('O') => "bidirectional",
        _ => "input",
    };
    to(&format!("panel:{name}"), direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::part::Part;
    use crate::computer::reference::{GRAY1, board};

    /// BUF shares the data bus: it must let go of it, by the one pin that its package has for that.
    #[test]
    fn outputs_are_switched_by_the_pin_that_a_package_has() {
        let board = board(GRAY1);
        let buffer = board.chip(board.chip_named("BUF").unwrap());
        let on = |part, pin| {
            let pinout = Pinout::of(Part::named(part).unwrap());
            wire(&board, buffer, &pinout, pin).net
        };
        let enable = on("2716", "nOE");
        assert_eq!(enable, "nWE");
        assert_eq!((on("2716", "nCE"), on("82S123", "nCE")), (LOW.to_owned(), enable));
    }
}
