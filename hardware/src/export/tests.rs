//! Tests against mistakes that would spoil a built board: a wrong wire, byte or chip.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gray1_board::{PartChoice, Pin, PinUse};
use gray1_isa::format::{ihex, readmemh};
use gray1_isa::{Image, Op, RomIndex, Word};
use gray1_roms::{GRAY1, GRAY1_B, load};

use super::*;

/// The processor and the complete machine, each with a program.
fn boards() -> [Board; 2] {
    let program = [Word::ldi(7), Word::shr(), Word::jump(Op::Jmp, RomIndex::truncate(2))];
    let image = Image::from_words(&program).unwrap();
    [GRAY1, GRAY1_B].map(|text| load(text).unwrap().with_program(&image))
}

/// Returns the files of an export by name.
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

/// The exports must equal the reviewed files in the folder next to this file. After an intended
/// change, update them with `UPDATE_GOLDENS=1 cargo test -p gray1-hardware golden`.
#[test]
fn exports_equal_the_golden_files() {
    let [board, whole] = boards();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/export/tests/goldens");
    for (export, board, name) in [
        (Export::Verilog, &board, "board.v"),
        (Export::Verilog, &board, "gray1_tb.v"),
        (Export::Netlist, &board, "netlist.csv"),
        (Export::Bom, &whole, "bom.csv"),
    ] {
        let (path, now) = (folder.join(name), text(export, board, name));
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            std::fs::write(&path, &now).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        for (line, (kept, now)) in (1..).zip(kept.lines().zip(now.lines())) {
            assert_eq!(kept, now, "line {line} of {name}");
        }
        assert_eq!(kept.len(), now.len(), "the length of {name}");
    }
}

#[test]
fn images_and_memory_files_equal_the_contents_of_the_chips() {
    for (board, logic) in boards().iter().zip([0, 19]) {
        let images = files(Export::Images, board);
        let memories = files(Export::Verilog, board);
        let chips = board.chips().iter().filter(|chip| !chip.contents().is_empty());
        for chip in chips.clone() {
            let (name, bytes) = (chip.name(), chip.part().bytes());
            let memory = std::str::from_utf8(&memories[&format!("{name}.mem")]).unwrap();
            assert_eq!(readmemh::decode(memory, bytes).unwrap(), chip.contents(), "{name}");
            if chip.is_burned() {
                assert_eq!(images[&format!("{name}.bin")], chip.contents(), "{name}");
                let hex = std::str::from_utf8(&images[&format!("{name}.hex")]).unwrap();
                assert_eq!(ihex::decode(hex, bytes).unwrap(), chip.contents(), "{name}");
                // Every byte has a value, so the contents of a programmer's buffer do not matter.
                let records = hex.lines().filter(|line| &line[7..9] == "00").count();
                assert_eq!(records * 16, bytes, "{name}");
            }
        }
        assert_eq!(memories.len(), chips.clone().count() + 2);
        assert_eq!(images.len(), (chips.count() - logic) * 2 + 2, "a RAM and logic are not burned");
    }
}

/// Checks the complete machine: each wire of the board is on the right pins, no input floats, and
/// only the supply is external.
#[test]
fn the_wiring_has_every_wire_of_the_board_and_no_other() {
    let [_, board] = boards();
    let table = text(Export::Netlist, &board, "netlist.csv");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut drivers: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        let [chip, _, _, pin, name, net, direction, _, _] = row[..] else { panic!("{row:?}") };
        // A filter is between a data pin and its wire.
        let wire = net.strip_prefix("pin:").unwrap_or(net);
        match direction {
            "input" | "power" | "passive" | "bidirectional" => {
                assert!(!net.is_empty(), "{chip}.{name} floats");
            }
            "output" => *drivers.entry(wire).or_default() += 1,
            "open" => assert!(net.is_empty(), "{chip}.{name}"),
            other => panic!("{chip}.{name} is {other}"),
        }
        if let Some(id) = board.chip_named(chip) {
            let what = &board.chip(id).part().pins[pin.parse::<usize>().unwrap() - 1].usage;
            let has_filter = |net| board.net(net).filter.is_some();
            let is_filtered = board.net_named(wire).is_some_and(has_filter);
            let is_before = is_filtered && matches!(what, PinUse::Data(_));
            assert_eq!(net != wire, is_before, "{chip}.{name}");
            found.entry(wire).or_default().insert(format!("{chip} {what:?}"));
        }
        assert_ne!(chip, "J2", "there is no header");
    }
    for net in board.net_ids() {
        let (name, mut expected) = (board.net(net).name(), BTreeSet::new());
        // The feedback of a latch part is internal.
        let mut insert = |id, what: PinUse| {
            let chip = board.chip(id);
            if chip.part().pins.iter().any(|pin| pin.usage == what) {
                expected.insert(format!("{} {what:?}", chip.name()));
            }
        };
        for (chip, pin) in board.readers(net) {
            insert(
                chip,
                match pin {
                    Pin::Address(n) => PinUse::Address(n),
                    Pin::OutputEnableLow => PinUse::OutputEnableLow,
                    Pin::WriteEnableLow => PinUse::WriteEnableLow,
                },
            );
        }
        board.net(net).driver.pins().for_each(|pin| insert(pin.chip, PinUse::Data(pin.pin)));
        assert_eq!(found.get(name).cloned().unwrap_or_default(), expected, "{name}");
        if !name.starts_with("BUTTON.") && !name.starts_with("BUS.") {
            assert_eq!(drivers.get(name), Some(&1), "{name}");
        }
    }
}

/// A parts file can contain any current that fits the field's type, so the sum must not overflow.
#[test]
fn the_sum_of_large_supply_currents_does_not_overflow() {
    let most = u32::MAX.to_string();
    let mut parts = String::new();
    let mut changed = 0;
    for word in include_str!("../../../roms/parts.ron").split_inclusive([' ', '\n']) {
        if parts.ends_with("_ua: ") || parts.ends_with("_ma: ") {
            parts += &most;
            parts += word.trim_start_matches(|c: char| c.is_ascii_digit());
            changed += 1;
        } else {
            parts += word;
        }
    }
    assert!(changed > 10, "{changed}");
    let parts = gray1_board::Parts::load(&parts).unwrap();
    let board = Board::load(GRAY1_B, &parts, |_| Err(String::new())).unwrap();
    for export in [Export::Netlist, Export::Bom] {
        let made = export.files(&board);
        let is_pull = |error: String| error.starts_with("no resistor can hold ");
        assert!(made.err().is_none_or(is_pull), "{export:?}");
    }
}

#[test]
fn a_field_with_a_comma_or_a_quote_is_quoted() {
    let mut csv = csv::Csv::new("a,b");
    csv.row(&[&"x,y", &"say \"no\""]);
    csv.row(&[&1, &"plain"]);
    assert_eq!(csv.finish(), "a,b\n\"x,y\",\"say \"\"no\"\"\"\n1,plain\n");
}

#[test]
fn a_wire_that_no_resistor_can_pull_low_is_an_error() {
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
        let text = GRAY1.replacen("part: \"82S123\"", "part: \"PROM\"", 1);
        load(&text.replacen("probes:", &part, 1)).unwrap()
    };
    // RST is also an input of CTRL, which takes 10 uA.
    assert!(text(Export::Netlist, &board(390), "netlist.csv").contains("1 kilohm"));
    let error = Export::Netlist.files(&board(1600)).unwrap_err();
    assert!(
        error.starts_with("no resistor can hold OSC low: its inputs source 1600 uA"),
        "{error}"
    );
}

/// BUILD-IT promises that a larger flash memory fits the socket of a smaller one. Its additional
/// address pins must not float there.
#[test]
fn a_larger_flash_memory_changes_no_net() {
    let wiring = |board: &Board| -> Vec<[String; 4]> {
        let table = text(Export::Netlist, board, "netlist.csv");
        let rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
        rows.map(|row| [0, 3, 5, 8].map(|column| row[column].to_owned())).collect()
    };
    let (stock, parts) = (load(GRAY1_B).unwrap(), gray1_roms::parts());
    let mut tried = BTreeSet::new();
    for chip in stock.chips() {
        let is_larger = |part: &&gray1_board::Part| {
            (part.kind, &part.package) == (chip.part().kind, &chip.part().package)
                && part.address_pins() > chip.part().address_pins()
        };
        for part in parts.iter().filter(is_larger) {
            let instead = [PartChoice { chip: chip.name().to_owned(), part: part.name.clone() }];
            let board = Board::load_with(GRAY1_B, parts, &instead, |_| Err(String::new())).unwrap();
            assert_eq!(wiring(&board), wiring(&stock), "{instead:?}");
            tried.insert((chip.part().name.clone(), part.name.clone()));
        }
    }
    let names = |(stock, other): &(String, String)| format!("{stock} {other}");
    let tried: Vec<String> = tried.iter().map(names).collect();
    let expected = ["010A SST39SF020A", "010A SST39SF040", "020A SST39SF040"]
        .map(|it| "SST39SF".to_owned() + it);
    assert_eq!(tried, expected);
}

/// A user compares the checksums in the table with those on the programmer's screen.
#[test]
fn the_programming_table_lists_every_chip_and_its_files() {
    let program = Image::from_words(&[Word::ldi(7)]).unwrap();
    let instead = [PartChoice { chip: "PROG".to_owned(), part: "AT28C256".to_owned() }];
    let parts = gray1_roms::parts();
    let board = Board::load_with(GRAY1, parts, &instead, |_| Err(String::new())).unwrap();
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
