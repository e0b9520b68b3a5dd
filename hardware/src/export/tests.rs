//! What a maker loses if an export is wrong: a wire, a byte, a chip.

mod goldens;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use gray1_board::{ChipId, Pin};
use gray1_isa::format::{ihex, readmemh};
use gray1_isa::{Image, Op, RomIndex, Word};

use super::*;

/// Both boards, with a program in them.
fn boards() -> [Board; 2] {
    let program = [Word::ldi(7), Word::shr(), Word::jump(Op::Jmp, RomIndex::truncate(2))];
    let image = Image::from_words(&program).unwrap();
    [include_str!("../../../roms/gray1.ron"), include_str!("../../../roms/binary-counter.ron")].map(
        |text| {
            Board::load(text, gray1_roms::parts(), |_| Err(String::new()))
                .unwrap()
                .with_program(&image)
        },
    )
}

/// The files of an export by name.
fn files(export: Export, board: &Board) -> BTreeMap<String, Vec<u8>> {
    let files = export.files(board).unwrap();
    let by_name: BTreeMap<String, Vec<u8>> =
        files.iter().map(|file| (file.name.clone(), file.contents.clone())).collect();
    assert_eq!(by_name.len(), files.len(), "each name is used once");
    by_name
}

fn text(export: Export, board: &Board, name: &str) -> String {
    String::from_utf8(files(export, board).remove(name).unwrap()).unwrap()
}

#[test]
fn every_export_has_a_name_to_type_and_a_line_of_its_own() {
    assert_eq!(
        Export::ALL.map(Export::name),
        ["images", "verilog", "netlist", "bom", "kicad", "drawing"]
    );
    let summaries: BTreeSet<&str> = Export::ALL.into_iter().map(Export::summary).collect();
    assert_eq!(summaries.len(), Export::ALL.len());
    assert!(summaries.iter().all(|summary| summary.contains(' ')), "{summaries:?}");
}

#[test]
fn every_image_is_what_the_board_holds() {
    for board in boards() {
        let files = files(Export::Images, &board);
        let burned: Vec<_> = board.chips().iter().filter(|chip| chip.name() != "RAM").collect();
        assert_eq!((burned.len(), files.len()), (13, 26 + 2));
        for chip in burned {
            let file = |suffix| &files[&format!("{}.{suffix}", chip.name())];
            assert_eq!(file("bin"), chip.contents(), "{}", chip.name());
            let hex = std::str::from_utf8(file("hex")).unwrap();
            assert_eq!(ihex::decode(hex, chip.part().bytes()).unwrap(), chip.contents());
            // Every byte is given: nothing is left to what a programmer's buffer holds.
            let records = hex.lines().filter(|line| &line[7..9] == "00").count();
            assert_eq!(records * 16, chip.contents().len(), "{}", chip.name());
        }
    }
}

#[test]
fn every_memory_file_is_what_the_board_holds() {
    for board in boards() {
        let files = files(Export::Verilog, &board);
        assert_eq!(files.len(), 13 + 2);
        for chip in board.chips().iter().filter(|chip| !chip.contents().is_empty()) {
            let text = std::str::from_utf8(&files[&format!("{}.mem", chip.name())]).unwrap();
            assert_eq!(readmemh::decode(text, chip.part().bytes()).unwrap(), chip.contents());
        }
    }
}

/// In the words of the description: address pins, data pins, who drives the bus.
#[test]
fn the_verilog_model_has_the_chips_and_the_wires_of_the_board() {
    let [board, _] = boards();
    let model = text(Export::Verilog, &board, "board.v");
    for line in [
        "// Gray-1: the board, chip by chip and wire by wire.",
        "input wire OSC,",
        "output wire [13:0] program_address,",
        "assign program_address = {PCH[6:0], PCL[6:0]};",
        "assign program_data = PROG[7:0];",
        "assign memory_address = {IRH[4:0], IRL[7:0]};",
        "wire [7:0] BUS;",
        "wire [1:0] FLAGS;",
        "wire nWE;",
        "rom #(11, \"CTRL.mem\") CTRL_chip (power,",
        "{3'b000, RST, FLAGS[1], IRH[7:5], PHASE[2:0]}, CTRL_shows);",
        "{AS[4], 1'b0, IRH[7:5], IRL[3:0], BUS[3:0], AS[3:0]}, ALUL_shows);",
        "ram #(13) RAM_chip (power,",
        "{IRH[4:0], IRL[7:0]}, nWE, BUS[7:0], RAM_shows);",
        "assign {CLR, PC_LOAD, AS_EN, nWE, CM_EN, AM_EN, IRL_EN, IRH_EN} = CTRL_shows[7:0];",
        "assign PHASE[2:0] = PHASE_shows[2:0];",
        "assign BUS[7:0] = nWE ? RAM_shows[7:0] : BUF_shows[7:0];",
    ] {
        assert!(model.lines().any(|found| found.trim() == line), "{line}");
    }
    assert_eq!(model.matches("rom #(").count() - 1, 13, "a chip each, and the module");
    assert_eq!(model.matches("    assign ").count() - 2, 6 + 13, "ports; a chip's lines");
    let bench = text(Export::Verilog, &board, "gray1_tb.v");
    for part in ["13'h1fff", "10'h3fc", "10'h3fd", "[13:0] program_address", "3'd7"] {
        assert!(bench.contains(part), "{part}");
    }
}

/// A row of the wiring.
struct Row {
    chip: String,
    pin: u32,
    name: String,
    net: String,
    direction: String,
}

fn rows(board: &Board) -> Vec<Row> {
    let text = text(Export::Netlist, board, "netlist.csv");
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [chip, _, _, pin, name, net, direction, _, _] = fields[..] else { panic!("{line}") };
        Row {
            chip: chip.to_owned(),
            pin: pin.parse().unwrap(),
            name: name.to_owned(),
            net: net.to_owned(),
            direction: direction.to_owned(),
        }
    });
    rows.collect()
}

/// The name of a pin in the wiring.
fn pin_name(board: &Board, chip: ChipId, pin: Pin) -> String {
    let port = if chip == board.memory() { "L" } else { "" };
    match pin {
        Pin::Address(n) => format!("A{n}{port}"),
        Pin::Data(n) => format!("O{n}{port}"),
        Pin::OutputEnableLow => "nOE".to_owned(),
        Pin::WriteEnableLow => "RnWL".to_owned(),
    }
}

/// Semaphores are off, and all else of the port is at the panel's connector.
#[test]
fn the_right_port_of_data_memory_is_the_panels() {
    for board in boards() {
        for row in rows(&board).iter().filter(|row| row.chip == "RAM") {
            let Some(name) = row.name.strip_suffix('R') else { continue };
            let direction = match name {
                "nSEM" => {
                    assert_eq!((&*row.net, &*row.direction), ("+5V", "input"));
                    continue;
                }
                "nBUSY" | "nINT" => "output",
                "nCE" | "nOE" | "RnW" => "input",
                _ if name.starts_with('A') => "input",
                _ => "bidirectional",
            };
            assert_eq!((&row.net, &*row.direction), (&format!("panel:{name}"), direction));
        }
    }
}

#[test]
fn the_wiring_has_every_wire_of_the_board_and_no_other() {
    for board in boards() {
        let rows = rows(&board);
        for net in board.net_ids() {
            let mut expected: BTreeSet<(String, String)> = board
                .readers(net)
                .map(|(chip, pin)| (board.chip(chip).name().into(), pin_name(&board, chip, pin)))
                .collect();
            expected.extend(board.net(net).driver().pins().map(|driver| {
                let name = pin_name(&board, driver.chip, Pin::Data(driver.pin));
                (board.chip(driver.chip).name().into(), name)
            }));
            let found: BTreeSet<(String, String)> = rows
                .iter()
                .filter(|row| row.net == board.net(net).name())
                .filter(|row| board.chip_named(&row.chip).is_some())
                .map(|row| (row.chip.clone(), row.name.clone()))
                .collect();
            assert_eq!(found, expected, "{}", board.net(net).name());
        }
    }
}

#[test]
fn no_pin_of_a_package_is_forgotten() {
    let [board, _] = boards();
    let rows = rows(&board);
    for chip in board.chips() {
        let (_, pins) = chip.part().package.split_once('-').unwrap();
        let found: Vec<u32> =
            rows.iter().filter(|row| row.chip == chip.name()).map(|row| row.pin).collect();
        assert_eq!(found, (1..=pins.parse().unwrap()).collect::<Vec<u32>>(), "{}", chip.name());
    }
}

#[test]
fn no_input_floats() {
    for board in boards() {
        for row in rows(&board) {
            let Row { chip, name, net, direction, .. } = row;
            let connected = !net.is_empty();
            match direction.as_str() {
                "input" | "power" | "passive" => assert!(connected, "{chip}.{name} floats"),
                "open" => assert!(!connected, "{chip}.{name}"),
                "output" | "bidirectional" => assert!(connected, "{chip}.{name}"),
                other => panic!("{chip}.{name} is {other}"),
            }
        }
    }
}

#[test]
fn a_field_with_a_comma_or_a_quote_is_quoted() {
    let mut csv = csv::Csv::new(&["a", "b"]);
    csv.row(&[&"x,y", &"say \"no\""]);
    csv.row(&[&1, &"plain"]);
    assert_eq!(csv.finish(), "a,b\n\"x,y\",\"say \"\"no\"\"\"\n1,plain\n");
}

/// Each chip gets a capacitor at each of its supply pins, and wires from outside never float.
#[test]
fn supply_pins_and_lines_from_outside_have_what_they_need() {
    for board in boards() {
        let rows = rows(&board);
        // The chip RAM begins with the letter of resistors, too.
        let is_resistor =
            |row: &&Row| row.chip.strip_prefix('R').is_some_and(|rest| rest.parse::<u32>().is_ok());
        let is_chip = |row: &&Row| board.chip_named(&row.chip).is_some();
        let supplies = rows.iter().filter(is_chip).filter(|row| row.name == "VCC").count();
        assert_eq!(supplies, 13 + 3, "the RAM has three");
        let wiring = text(Export::Netlist, &board, "netlist.csv");
        assert_eq!(wiring.matches(",100 nF,").count(), 2 * 16);
        // Behind the header a board without a panel is quiet.
        let header = rows.iter().filter(|row| row.chip == "J2");
        for row in header.filter(|row| ["output", "bidirectional"].contains(&&*row.direction)) {
            let held = rows.iter().filter(is_resistor).filter(|it| it.net == row.net).count();
            assert_eq!(held, 1, "{}", row.net);
        }
        let level = |net: &str| {
            let resistor = rows.iter().filter(is_resistor).find(|row| row.net == net);
            let name = &resistor.unwrap().chip;
            let other = rows.iter().find(|row| row.chip == *name && row.pin == 2);
            other.unwrap().net.clone()
        };
        let at_rest = ["OSC", "RST", "panel:nCE", "panel:RnW", "panel:A3", "panel:O7"].map(level);
        assert_eq!(at_rest, ["0V", "0V", "+5V", "+5V", "0V", "0V"]);
        assert_eq!(wiring.matches(",1 kilohm,").count(), 2 * 2, "bipolar inputs");
    }
}

#[test]
fn a_wire_that_no_resistor_holds_low_is_named() {
    let part = gray1_roms::parts().named("82S123").unwrap();
    let pins: Vec<String> = part.pins.iter().map(|pin| format!("\"{}\"", pin.name)).collect();
    let pins = pins.join(", ");
    let board = |input_low_ua: u32| {
        let part = format!(
            "parts: [(name: \"PROM\", kind: Prom, package: \"DIP-16\", access_ns: 50, \
             pins: [{pins}], levels: (input_low_mv: 800, input_high_mv: 2000, \
             output_low_mv: 500, output_high_mv: 2400, input_low_ua: {input_low_ua}, \
             supply_ma: 110))],\n    probes:"
        );
        let text = gray1_roms::GRAY1.replacen("part: \"82S123\"", "part: \"PROM\"", 1);
        gray1_roms::load(&text.replacen("probes:", &part, 1)).unwrap()
    };
    // RST is an input of CTRL, too, which takes 10 uA.
    assert!(text(Export::Netlist, &board(390), "netlist.csv").contains("1 kilohm"));
    for export in [Export::Netlist, Export::Kicad] {
        let error = export.files(&board(1600)).unwrap_err().to_string();
        assert!(
            error.starts_with("no resistor can hold OSC low: its inputs source 1600 uA"),
            "{error}"
        );
    }
}

/// A programmer's user compares the sums of the table with those on the screen.
#[test]
fn the_programming_table_says_what_goes_where() {
    let program = Image::from_words(&[Word::ldi(7)]).unwrap();
    let instead = [("PROG".to_owned(), "AT28C256".to_owned())];
    let text = include_str!("../../../roms/gray1.ron");
    let parts = gray1_roms::parts();
    let board = Board::load_with(text, parts, &instead, |_| Err(String::new())).unwrap();
    let files = files(Export::Images, &board.with_program(&program));
    let table = std::str::from_utf8(&files["programming.csv"]).unwrap();
    let row = |chip: &str| table.lines().find(|row| row.ends_with(&format!(",{chip}"))).unwrap();
    let prog = row("PROG");
    let device = "PROG.bin,AT28C256,EEPROM,5 V EEPROM programmer,32768,0x04000,0x07fff,ff,ff,";
    assert!(prog.starts_with(device), "{prog}");
    let bytes = &files["PROG.bin"];
    assert_eq!((bytes.len(), &bytes[0x4000..0x4003]), (0x8000, &[0x00, 0x07, 0xff][..]));
    assert!(bytes[..0x4000].iter().all(|byte| *byte == 0xff));
    let sum: u32 = bytes.iter().map(|byte| u32::from(*byte)).sum();
    assert_eq!(prog.split(',').nth(9), Some(&*format!("{:04x}", sum & 0xffff)));
    assert!(
        row("PHASE").starts_with(
            "PHASE.bin,82S123,fuse PROM,bipolar PROM programmer,32,0x00000,0x0001f,,00,"
        )
    );
    assert!(row("CTRL").contains(",2048,0x00000,0x000ff,ff,ff,"), "{}", row("CTRL"));
    assert_eq!(table.lines().count(), 1 + 13, "a RAM is not burned");
}

/// A processor without clock and panel is a reference, not a machine to build; its chips are drawn.
#[test]
fn what_is_to_build_from_is_made_of_whole_machines_only() {
    for export in Export::ALL {
        for board in boards() {
            let made = export.files(&board);
            let is_refused = export == Export::Bom;
            assert_eq!(made.is_err(), is_refused, "{}", export.name());
        }
        let made = export.files(&gray1_roms::load(gray1_roms::GRAY1_B).unwrap());
        assert_eq!(made.is_ok(), export != Export::Drawing, "{}", export.name());
    }
}
