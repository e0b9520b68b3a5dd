//! A jig that qualifies a part: the part is burned as a latch that has to hold while its inputs
//! move, and a counter counts the times that it does not.
//!
//! A decade counter makes ten steps of its clock a trial. Its carry is D, the data inputs of the
//! latch; the latch is open in one step in which D is stable. Then the latch is closed, and D moves
//! and moves back. A comparator detects an output that differs from the latched level.

use gray1_board::{Board, Chip, Part, PinUse};

use super::components::{HIGH, LOW};
use super::csv::Csv;
use super::file::ExportFile;

/// The pins of 74HC4017, 74HCT688 and 74HC4040 in order: a name and a net. A net that ends in `.`
/// gets the number in the pin's name.
const DECADE: [(&str, &str); 16] = [
    ("Q5", ""),
    ("Q1", ""),
    ("Q0", ""),
    ("Q2", "STEP2"),
    ("Q6", ""),
    ("Q7", "STEP7"),
    ("Q3", ""),
    ("GND", LOW),
    ("Q8", ""),
    ("Q4", ""),
    ("Q9", ""),
    ("CO", "D"),
    ("nCE", LOW),
    ("CLK", "CLK"),
    ("MR", LOW),
    ("VCC", HIGH),
];
const COMPARATOR: [(&str, &str); 20] = [
    ("nE", LOW),
    ("P0", "Q."),
    ("Q0", "REF"),
    ("P1", "Q."),
    ("Q1", "REF"),
    ("P2", "Q."),
    ("Q2", "REF"),
    ("P3", "Q."),
    ("Q3", "REF"),
    ("GND", LOW),
    ("P4", "Q."),
    ("Q4", "REF"),
    ("P5", "Q."),
    ("Q5", "REF"),
    ("P6", "Q."),
    ("Q6", "REF"),
    ("P7", "Q."),
    ("Q7", "REF"),
    ("nEQ", "WRONG"),
    ("VCC", HIGH),
];
const COUNTER: [(&str, &str); 16] = [
    ("Q11", "COUNT."),
    ("Q5", "COUNT."),
    ("Q4", "COUNT."),
    ("Q6", "COUNT."),
    ("Q3", "COUNT."),
    ("Q2", "COUNT."),
    ("Q1", "COUNT."),
    ("GND", LOW),
    ("Q0", "COUNT."),
    ("nCP", "WRONG"),
    ("MR", "CLEAR"),
    ("Q8", "COUNT."),
    ("Q7", "COUNT."),
    ("Q9", "COUNT."),
    ("Q10", "COUNT."),
    ("VCC", HIGH),
];
const COUNT_BITS: usize = 12;

/// For each part that the board burns, the image of a latch and the wiring around it.
pub(super) fn files(board: &Board) -> Vec<ExportFile> {
    let mut parts: Vec<&Part> = Vec::new();
    for part in board.chips().iter().filter(|chip| chip.is_burned()).map(Chip::part) {
        if parts.iter().all(|known| known.name != part.name) {
            parts.push(part);
        }
    }
    let of = |part: &Part| {
        let name = format!("jig-{}", part.name);
        [
            ExportFile::new(format!("{name}.bin"), image(part)),
            ExportFile::new(format!("{name}.csv"), wiring(part)),
        ]
    };
    parts.into_iter().flat_map(of).collect()
}

/// The width of the latch in this part: D, Q and the enable use all address pins, if there are as
/// many data pins.
fn width(part: &Part) -> u8 {
    part.data_bits.min(part.address_bits.saturating_sub(1) / 2)
}

/// `out = EN ? D : Q`, whatever the levels of the other address pins.
fn image(part: &Part) -> Vec<u8> {
    let width = width(part);
    let lines = (1 << width) - 1;
    let shows = |address: usize| {
        let is_open = address >> (2 * width) & 1 == 1;
        (if is_open { address } else { address >> width }) & lines
    };
    (0..part.bytes()).map(|address| shows(address) as u8).collect()
}

/// The wiring as a table.
fn wiring(part: &Part) -> String {
    let mut csv = Csv::new(&["chip", "part", "pin", "name", "net"]);
    let mut row = |chip: &str, part: &str, pin: usize, name: &str, net: &str| {
        csv.row(&[&chip, &part, &pin, &name, &net]);
    };
    for (number, pin) in (1..).zip(&part.pins) {
        row("TESTED", &part.name, number, &pin.name, &net(part, &pin.what));
    }
    let chips: [(&str, &str, &[_]); 3] = [
        ("STEPS", "74HC4017", &DECADE),
        ("COMPARE", "74HCT688", &COMPARATOR),
        ("COUNT", "74HC4040", &COUNTER),
    ];
    for (chip, name, pins) in chips {
        for (number, (pin, net)) in (1..).zip(pins) {
            row(chip, name, number, pin, &numbered(part, pin, net));
        }
    }
    let two = [
        ("J2", "jumper for ones", ["EN", "STEP2"]),
        ("J3", "jumper for ones", ["REF", HIGH]),
        ("J4", "jumper for zeros", ["EN", "STEP7"]),
        ("J5", "jumper for zeros", ["REF", LOW]),
        ("S1", "button", ["CLEAR", HIGH]),
        ("R1", "10 kilohm", ["CLEAR", LOW]),
    ];
    for (number, net) in (1..).zip(["CLK", LOW, HIGH]) {
        row("J1", "oscillator module, 1 MHz", number, "", net);
    }
    for (name, what, nets) in two {
        for (number, net) in (1..).zip(nets) {
            row(name, what, number, "", net);
        }
    }
    for bit in 0..COUNT_BITS {
        let (name, what) = (format!("D{bit}"), "LED with 1 kilohm in series");
        row(&name, what, 1, "", &format!("COUNT.{bit}"));
        row(&name, what, 2, "", LOW);
    }
    for (number, _) in (1..).zip(["TESTED", "STEPS", "COMPARE", "COUNT", "J1"]) {
        row(&format!("C{number}"), "100 nF", 1, "", HIGH);
        row(&format!("C{number}"), "100 nF", 2, "", LOW);
    }
    csv.finish()
}

/// The net of a pin of the tested part.
fn net(part: &Part, pin: &PinUse) -> String {
    let width = width(part);
    match pin {
        PinUse::Address(line) if *line < width => "D".to_owned(),
        PinUse::Address(line) if *line < 2 * width => format!("Q.{}", line - width),
        PinUse::Address(line) if *line == 2 * width => "EN".to_owned(),
        PinUse::Data(line) if *line < width => format!("Q.{line}"),
        PinUse::Supply | PinUse::WriteEnableLow | PinUse::Tied(true) => HIGH.to_owned(),
        PinUse::Data(_)
        | PinUse::NotConnected
        | PinUse::Unused
        | PinUse::Panel(..)
        | PinUse::Wired(_) => String::new(),
        PinUse::Address(_)
        | PinUse::Ground
        | PinUse::ChipEnableLow
        | PinUse::OutputEnableLow
        | PinUse::Tied(false)
        | PinUse::Spare => LOW.to_owned(),
    }
}

/// The net of a pin of the jig's own chips. Inputs of the comparator for which the latch has no
/// output compare the reference with itself.
fn numbered(part: &Part, pin: &str, net: &str) -> String {
    if !net.ends_with('.') {
        return net.to_owned();
    }
    let number = &pin[1..];
    let is_wired = net != "Q." || number.parse().is_ok_and(|line: u8| line < width(part));
    if is_wired { format!("{net}{number}") } else { "REF".to_owned() }
}
