//! The packages of the parts, pin by pin. The drawings are the data: what a reader sees here is
//! what the wiring says.

use crate::board::part::Part;

/// A package and its pins.
pub(super) struct Pinout {
    /// The source of the pin numbers, for people.
    pub(super) source: &'static str,
    drawing: &'static str,
}

impl Pinout {
    /// The package of a part.
    pub(super) fn of(part: &Part) -> Self {
        let (drawing, source) = match part.name {
            "82S123" => (DIP_16_82S123, "Signetics 82S123"),
            "2716" => (DIP_24_2716, "JEDEC 24-pin EPROM"),
            "27C128" => (DIP_28_27C128, "JEDEC 28-pin EPROM"),
            "27C010" => (DIP_32_27C010, "JEDEC 32-pin EPROM"),
            "27C020" => (DIP_32_27C020, "JEDEC 32-pin EPROM"),
            "IDT7005" => (PLCC_68_IDT7005, "unverified"),
            other => unreachable!("the part {other} is in the table of parts without a drawing"),
        };
        Self { source, drawing }
    }

    /// The pins: number and name, by number.
    pub(super) fn pins(&self) -> Vec<(u32, &'static str)> {
        let mut pins = Vec::new();
        for line in self.drawing.lines() {
            let mut sides = line.split('|').map(|side| side.split_whitespace().collect::<Vec<_>>());
            if let (Some(left), Some(_), Some(right)) = (sides.next(), sides.next(), sides.next()) {
                pins.push((number(left[1]), left[0]));
                pins.push((number(right[0]), right[1]));
            }
        }
        pins.sort_unstable();
        pins
    }

    /// True if there is a pin of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.pins().iter().any(|(_, pin)| *pin == name)
    }
}

fn number(text: &str) -> u32 {
    text.parse().expect("a drawing has a number at each pin")
}

// Names are those of the data sheets, with n for a bar over a name (active low), O for what some
// sheets call D, Q or I/O.

/// Seen from above. A PROM of fuses: its blank bits read 0. (Signetics counts its outputs from 1.)
const DIP_16_82S123: &str = "
             +---._.---+
      O0   1 |         | 16  VCC
      O1   2 |         | 15  nCE
      O2   3 |         | 14  A4
      O3   4 |         | 13  A3
      O4   5 |         | 12  A2
      O5   6 |         | 11  A1
      O6   7 |         | 10  A0
     GND   8 |         | 9   O7
             +---------+
";

/// Seen from above. nCE is PGM when it is burned.
const DIP_24_2716: &str = "
             +---._.---+
      A7   1 |         | 24  VCC
      A6   2 |         | 23  A8
      A5   3 |         | 22  A9
      A4   4 |         | 21  VPP
      A3   5 |         | 20  nOE
      A2   6 |         | 19  A10
      A1   7 |         | 18  nCE
      A0   8 |         | 17  O7
      O0   9 |         | 16  O6
      O1  10 |         | 15  O5
      O2  11 |         | 14  O4
     GND  12 |         | 13  O3
             +---------+
";

/// Seen from above.
const DIP_28_27C128: &str = "
             +---._.---+
     VPP   1 |         | 28  VCC
     A12   2 |         | 27  nPGM
      A7   3 |         | 26  A13
      A6   4 |         | 25  A8
      A5   5 |         | 24  A9
      A4   6 |         | 23  A11
      A3   7 |         | 22  nOE
      A2   8 |         | 21  A10
      A1   9 |         | 20  nCE
      A0  10 |         | 19  O7
      O0  11 |         | 18  O6
      O1  12 |         | 17  O5
      O2  13 |         | 16  O4
     GND  14 |         | 15  O3
             +---------+
";

/// Seen from above.
const DIP_32_27C010: &str = "
             +---._.---+
     VPP   1 |         | 32  VCC
     A16   2 |         | 31  nPGM
     A15   3 |         | 30  NC
     A12   4 |         | 29  A14
      A7   5 |         | 28  A13
      A6   6 |         | 27  A8
      A5   7 |         | 26  A9
      A4   8 |         | 25  A11
      A3   9 |         | 24  nOE
      A2  10 |         | 23  A10
      A1  11 |         | 22  nCE
      A0  12 |         | 21  O7
      O0  13 |         | 20  O6
      O1  14 |         | 19  O5
      O2  15 |         | 18  O4
     GND  16 |         | 17  O3
             +---------+
";

/// Seen from above.
const DIP_32_27C020: &str = "
             +---._.---+
     VPP   1 |         | 32  VCC
     A16   2 |         | 31  nPGM
     A15   3 |         | 30  A17
     A12   4 |         | 29  A14
      A7   5 |         | 28  A13
      A6   6 |         | 27  A8
      A5   7 |         | 26  A9
      A4   8 |         | 25  A11
      A3   9 |         | 24  nOE
      A2  10 |         | 23  A10
      A1  11 |         | 22  nCE
      A0  12 |         | 21  O7
      O0  13 |         | 20  O6
      O1  14 |         | 19  O5
      O2  15 |         | 18  O4
     GND  16 |         | 17  O3
             +---------+
";

/// The 68-pin PLCC (J68), its four sides unrolled into two. L is the processor's port, R the
/// panel's. Unverified: read from a symbol that a maker drew
/// (github.com/Noah1989/loopmicro, idt7005.lib), not from the data sheet.
const PLCC_68_IDT7005: &str = "
             +---._.---+
      NC   1 |         | 68  VCC
      NC   2 |         | 67  A12L
    nCEL   3 |         | 66  A11L
   nSEML   4 |         | 65  A10L
    RnWL   5 |         | 64  A9L
    nOEL   6 |         | 63  A8L
      NC   7 |         | 62  A7L
     O0L   8 |         | 61  A6L
     O1L   9 |         | 60  A5L
     O2L  10 |         | 59  A4L
     O3L  11 |         | 58  A3L
     O4L  12 |         | 57  A2L
     O5L  13 |         | 56  A1L
     GND  14 |         | 55  A0L
     O6L  15 |         | 54  nINTL
     O7L  16 |         | 53  nBUSYL
     VCC  17 |         | 52  GND
     GND  18 |         | 51  MnS
     O0R  19 |         | 50  nBUSYR
     O1R  20 |         | 49  nINTR
     O2R  21 |         | 48  A0R
     VCC  22 |         | 47  A1R
     O3R  23 |         | 46  A2R
     O4R  24 |         | 45  A3R
     O5R  25 |         | 44  A4R
     O6R  26 |         | 43  A5R
     O7R  27 |         | 42  A6R
      NC  28 |         | 41  A7R
    nOER  29 |         | 40  A8R
    RnWR  30 |         | 39  A9R
   nSEMR  31 |         | 38  A10R
    nCER  32 |         | 37  A11R
      NC  33 |         | 36  A12R
      NC  34 |         | 35  GND
             +---------+
";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::PartKind;

    #[test]
    fn every_part_has_a_package_of_its_pins() {
        for part in &Part::ALL {
            let pinout = Pinout::of(part);
            let pins = pinout.pins();
            let (_, count) = part.package.split_once('-').unwrap();
            let count: u32 = count.parse().unwrap();
            let numbers: Vec<u32> = pins.iter().map(|(number, _)| *number).collect();
            assert_eq!(numbers, (1..=count).collect::<Vec<u32>>(), "{}", part.name);
        }
    }

    #[test]
    fn every_part_has_its_lines_once() {
        for part in &Part::ALL {
            let ports: &[&str] = match part.kind {
                PartKind::Prom | PartKind::Eprom => &[""],
                PartKind::DualPortRam => &["L", "R"],
            };
            let count = |name: &str| {
                let pins = Pinout::of(part).pins();
                pins.iter().filter(|(_, pin)| *pin == name).count()
            };
            for port in ports {
                for (letter, lines) in [('A', part.address_lines), ('O', part.data_lines)] {
                    for line in 0..=20 {
                        let name = format!("{letter}{line}{port}");
                        let expected = usize::from(line < lines);
                        assert_eq!(count(&name), expected, "{} of {}", name, part.name);
                    }
                }
            }
            assert!(count("VCC") > 0 && count("GND") > 0, "{} has no power", part.name);
        }
    }

    #[test]
    fn no_name_is_misspelt() {
        let names: BTreeSet<&str> = Part::ALL
            .iter()
            .flat_map(|part| Pinout::of(part).pins())
            .map(|(_, name)| name)
            .filter(|name| !name.starts_with(['A', 'O']))
            .collect();
        let expected = "GND MnS NC RnWL RnWR VCC VPP nBUSYL nBUSYR nCE nCEL nCER nINTL nINTR nOE \
            nOEL nOER nPGM nSEML nSEMR";
        assert_eq!(names, expected.split_whitespace().collect());
    }
}
