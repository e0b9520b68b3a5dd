//! What a maker loses if an export is wrong: a wire, a byte, a chip.

use std::collections::{BTreeMap, BTreeSet};

use gray1_isa::format::{ihex, readmemh};
use gray1_isa::{Image, Op, RomIndex, Word};

use super::*;
use crate::board::{ChipId, Driver, Pin};

/// Both boards, with a program in them.
fn boards() -> [Board; 2] {
    let program = [Word::ldi(7), Word::shr(), Word::jump(Op::Jmp, RomIndex::truncate(2))];
    let image = Image::from_words(&program).unwrap();
    [include_str!("../../../roms/gray1.ron"), include_str!("../../../roms/binary-counter.ron")]
        .map(|text| Board::load(text, |_| Err(String::new())).unwrap().with_program(&image))
}

/// The files of an export by name.
fn files(export: Export, board: &Board) -> BTreeMap<String, Vec<u8>> {
    let files = export.files(board);
    let by_name: BTreeMap<String, Vec<u8>> =
        files.iter().map(|file| (file.name.clone(), file.contents.clone())).collect();
    assert_eq!(by_name.len(), files.len(), "each name is used once");
    by_name
}

fn text(export: Export, board: &Board, name: &str) -> String {
    String::from_utf8(files(export, board).remove(name).unwrap()).unwrap()
}

#[test]
fn every_image_is_what_the_board_holds() {
    for board in boards() {
        let files = files(Export::Images, &board);
        let burned: Vec<_> = board.chips().iter().filter(|chip| chip.name() != "RAM").collect();
        assert_eq!((burned.len(), files.len()), (13, 26));
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
        let [chip, _, _, pin, name, net, direction, _] = fields[..] else { panic!("{line}") };
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

#[test]
fn the_wiring_has_every_wire_of_the_board_and_no_other() {
    for board in boards() {
        let rows = rows(&board);
        for net in board.net_ids() {
            let drivers = match board.net(net).driver() {
                Driver::Outside => vec![],
                Driver::Chip(pin) => vec![pin],
                Driver::Shared { low, high, .. } => vec![low, high],
            };
            let mut expected: BTreeSet<(String, String)> = board
                .readers(net)
                .map(|(chip, pin)| (board.chip(chip).name().into(), pin_name(&board, chip, pin)))
                .collect();
            expected.extend(drivers.into_iter().map(|driver| {
                let name = pin_name(&board, driver.chip, Pin::Data(driver.pin));
                (board.chip(driver.chip).name().into(), name)
            }));
            let found: BTreeSet<(String, String)> = rows
                .iter()
                .filter(|row| row.net == board.net(net).name())
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
                "input" | "power" => assert!(connected, "{chip}.{name} floats"),
                "open" => assert!(!connected, "{chip}.{name}"),
                "output" | "bidirectional" => assert!(connected, "{chip}.{name}"),
                other => panic!("{chip}.{name} is {other}"),
            }
        }
    }
}

#[test]
fn the_parts_list_has_every_chip_once() {
    for board in boards() {
        let text = text(Export::Bom, &board, "bom.csv");
        let named: BTreeSet<&str> = text
            .lines()
            .filter(|line| line.contains("PROM") || line.contains("static RAM"))
            .flat_map(|line| line.split(',').nth(4).unwrap().split(' '))
            .collect();
        assert_eq!(named, board.chips().iter().map(crate::board::Chip::name).collect());
    }
}

#[test]
fn a_field_with_a_comma_or_a_quote_is_quoted() {
    let mut csv = csv::Csv::new(&["a", "b"]);
    csv.row(&[&"x,y", &"say \"no\""]);
    csv.row(&[&1, &"plain"]);
    assert_eq!(csv.finish(), "a,b\n\"x,y\",\"say \"\"no\"\"\"\n1,plain\n");
}
