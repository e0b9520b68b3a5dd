//! Parts: names, descriptions, replacements and rejected descriptions.

use super::*;
use crate::Parts;

/// A small memory that works on any board.
const TINY: &str = r#"(
    name: "TINY-1", kind: Eprom, package: "DIP-6", row_um: 7620,
    pins: ["A0", "O0", "GND", "nCE", "VPP=1", "VCC"],
    access_ns: 100,
)"#;

/// Returns the error for a catalogue with this part after `old` was replaced by `new`.
#[track_caller]
fn refused(old: &str, new: &str) -> BoardError {
    assert!(TINY.contains(old), "the part does not say {old}");
    Parts::load(&format!("[\n{}]", TINY.replacen(old, new, 1))).expect_err("it must be refused")
}

fn load_instead(chip: &str, part: &str) -> Result<Board, BoardError> {
    let instead = [PartChoice { chip: chip.to_owned(), part: part.to_owned() }];
    Board::load_with(GRAY1, &parts(), &instead, |_| Err(String::new()))
}

#[test]
fn every_part_lists_all_pins_of_its_package() {
    for part in parts().iter() {
        assert!(part.package.ends_with(&format!("-{}", part.pins.len())), "{}", part.name);
        assert_eq!(part.package.starts_with("DIP"), part.row_um.is_some(), "{}", part.name);
        assert!(!part.sources.pins.is_empty(), "{} cites no table of pins", part.name);
        let is_burned = !part.kind.is_ram() && part.logic.is_none();
        assert_eq!(part.programmer.is_some(), is_burned, "{}", part.name);
    }
    for part in parts().wired() {
        assert!(!part.sources.pins.is_empty(), "{} cites no table of pins", part.name);
        assert!(!part.description.is_empty(), "{}", part.name);
    }
    assert_eq!(parts().iter().filter(|part| part.order.is_some()).count(), 8, "sold today");
}

#[test]
fn an_impossible_part_is_rejected_with_its_position() {
    let all_pins = r#""A0", "O0", "GND", "nCE", "VPP=1", "VCC""#;
    let lines = "each once";
    for (old, new, place, words) in [
        ("access_ns: 100", "access: 100", "5:5", "Unexpected field named `access`"),
        ("Eprom", "Erpom", "3:27", "Erpom"),
        ("VPP=1", "VPP", "4:39", "the pin 'VPP': expected NAME or NAME=USE"),
        ("VPP=1", "VPP=2", "4:39", "the pin 'VPP=2': expected NAME or NAME=USE"),
        ("VPP=1", "VPP=panel up X", "4:39", "expected NAME or NAME=USE"),
        ("DIP-6", "DIP-8", "6:1", "the part TINY-1: 6 pins are listed for the package DIP-8"),
        ("TINY-1", "TINY 1", "6:1", "the part TINY 1: expected a name of 1 to 40 letters"),
        ("VPP=1", "A2", "6:1", lines),
        ("VPP=1", "A0", "6:1", lines),
        ("\"O0\"", "\"O1\"", "6:1", lines),
        ("\"VCC\"", "\"NC\"", "6:1", "expected a pin VCC and a pin GND"),
        ("VPP=1", "nCE", "6:1", "expected one pin nCE at most"),
        ("VPP=1", "nWE", "6:1", "1 pins nWE, expected 0"),
        ("Eprom", "Ram", "6:1", "0 pins nWE, expected 1"),
        ("access_ns: 100", "access_ns: 0", "6:1", "an access time of 1 to 1000000 ns"),
        ("7620", "500", "6:1", "rows at a distance of 1000 to 100000 um"),
        (all_pins, "", "6:1", "0 pins are listed for the package DIP-6"),
    ] {
        let error = refused(old, new);
        let position = error.position.map(|position| position.to_string());
        assert!(error.to_string().contains(words), "{new}: {error}");
        assert_eq!(position.as_deref(), Some(place), "{new}: {error}");
    }
    let twice = Parts::load(&format!("[{TINY}, {TINY}]")).unwrap_err();
    assert_eq!(twice.to_string(), "the name 'TINY-1' is used twice");
}

/// The board defines a new part, and redefines a part of the catalogue with another access time.
#[test]
fn a_board_may_define_parts() {
    let fast = TINY.replace("TINY-1", "82S123").replace("DIP-6", "DIP-16").replace(
        r#""A0", "O0", "GND", "nCE", "VPP=1", "VCC""#,
        r#""O0", "O1", "O2", "O3", "O4", "O5", "O6", "GND",
           "O7", "A0", "A1", "A2", "A3", "A4", "nCE", "VCC""#,
    );
    let own =
        GRAY1.replacen("    probes:", &format!("    parts: [{TINY}, {fast}],\n    probes:"), 1);
    let board = load(&own).unwrap();
    let phase = board.chip(board.chip_named("PHASE").unwrap());
    assert_eq!(phase.access_ns, 100);
    let unknown = load(&own.replacen("27C128", "27C64", 1)).unwrap_err().to_string();
    assert!(unknown.starts_with("PROG: the part '27C64' is not known (expected TINY-1, 82S123, "));
}

/// The sockets do not change. Where the larger part has an address pin, its level comes from the
/// socket of the smaller part.
#[test]
fn a_larger_part_is_burned_at_the_addresses_its_socket_selects() {
    let stock = load(GRAY1).unwrap();
    for (chip, part, first) in [
        ("PROG", "AT28C256", 0x4000),
        ("PROG", "W27C512", 0xc000),
        ("PROG", "SST39SF040", 0),
        ("AS", "SST39SF010A", 0),
        ("AS", "SST39SF020A", 0),
        ("AS", "27C020", 0),
        ("AS", "SST39SF040", 0x40000),
        ("CTRL", "SST39SF010A", 0),
    ] {
        let board = load_instead(chip, part).unwrap();
        let [then, now] = [&stock, &board].map(|board| board.chip(board.chip_named(chip).unwrap()));
        assert_eq!((now.part().name.as_str(), now.access_ns), (part, now.part().access_ns));
        let reached: Vec<u8> = now.addresses().map(|at| now.contents()[at as usize]).collect();
        let expected: Vec<u8> = then.addresses().map(|at| then.contents()[at as usize]).collect();
        assert_eq!(now.addresses().next(), Some(first), "{part}");
        assert!(reached == expected, "{part} holds something else");
    }
}

#[test]
fn a_replacement_part_that_does_not_fit_is_rejected() {
    for (chip, part, expected) in [
        ("PROM", "2716", "the board has no chip called 'PROM'"),
        ("PROG", "2716", "PROG: the part 2716 has 11 address pins, 14 wires are listed"),
        ("PROG", "AS6C6264", "PROG: the part AS6C6264 has 13 address pins, 14 wires are listed"),
        ("RAM", "27C010", "RAM: the 27C010 has no write enable"),
        (
            "CTRL",
            "AS6C6264",
            "CTRL: pin nWE of the AS6C6264 floats; connect it to a wire, \"0\" or \"1\"",
        ),
    ] {
        assert_eq!(load_instead(chip, part).unwrap_err().to_string(), expected);
    }
    let unknown = load_instead("PROG", "28C256").unwrap_err().to_string();
    assert!(unknown.starts_with("PROG: the part '28C256' is not known (expected "), "{unknown}");
    assert!(load_instead("RAM", "AS6C6264").is_ok());
    // Tied pins that the other part lacks are removed.
    let large = GRAY1.replacen("part: \"2716\"", "part: \"SST39SF010A\"", 1);
    let large =
        large.replacen("\"RST\", \"0\"", &format!("\"RST\", {}\"0\"", "\"0\", ".repeat(6)), 1);
    let instead = [PartChoice { chip: "CTRL".to_owned(), part: "2716".to_owned() }];
    assert!(Board::load_with(&large, &parts(), &instead, |_| Err(String::new())).is_ok());
}

/// A contents file may be limited to the bytes at the addresses that the tied pins select.
#[test]
fn a_file_is_placed_at_the_addresses_the_tied_pins_allow() {
    let text = GRAY1.replacen("does: Buffer", "contents: File(\"buf.bin\"), does: Buffer", 1);
    let text =
        text.replacen("[\"AS.0-7\", \"0\", \"0\", \"0\"]", "[\"AS.0-7\", \"0\", \"1\", \"0\"]", 1);
    let bytes: Vec<u8> = (0..=255).rev().collect();
    let board = Board::load(&text, &parts(), |_| Ok(bytes.clone())).unwrap();
    let buffer = board.chip(board.chip_named("BUF").unwrap());
    assert_eq!(buffer.contents()[0x200..0x300], bytes);
    assert!(buffer.contents()[..0x200].iter().all(|byte| *byte == 0xff));
    let short = Board::load(&text, &parts(), |_| Ok(vec![0; 100])).unwrap_err();
    assert_eq!(
        short.to_string(),
        "BUF: the contents have 100 bytes, the part 2716 has 2048 \
         (256 where its tied pins leave it)"
    );
}

/// All parts have TTL levels, so any of them can drive any other. The AS6C6264 requires exactly the
/// levels that memories guarantee, so the margin is 0.
#[test]
fn outputs_reach_the_levels_that_inputs_require() {
    let parts = parts();
    let levels = || parts.iter().filter_map(|part| part.levels.as_ref());
    for (one, other) in levels().flat_map(|one| levels().map(move |other| (one, other))) {
        assert!(one.output_low_mv < other.input_low_mv, "{one:?} {other:?}");
        assert!(one.output_high_mv >= other.input_high_mv, "{one:?} {other:?}");
    }
}

#[test]
fn an_invalid_wired_part_is_rejected_with_the_reason() {
    let part = r#"(
        name: "LAMP", letter: "D", package: "LAMP-3", pins: ["A=passive", "K=passive", "NC"],
    )"#;
    assert!(Parts::load(&format!("[{part}]")).is_ok());
    for (old, new, words) in [
        ("\"D\"", "\"d\"", "the part LAMP: expected one or two capital letters"),
        ("\"D\"", "\"LED\"", "expected one or two capital letters"),
        ("LAMP-3", "LAMP-2", "3 pins are listed for the package LAMP-2"),
        ("letter", "kind: Eprom, letter", "a part with a letter is only wired"),
        ("K=passive", "A=passive", "two pins are called 'A'"),
        ("K=passive", "A0", "the pin 'A0': expected VCC, GND, NC or NAME=input|output"),
        ("letter", "does: Supervisor(out: \"Q\", low_ms: 1), letter", "there is no pin 'Q'"),
    ] {
        assert!(part.contains(old), "{old}");
        let error = Parts::load(&format!("[{}]", part.replacen(old, new, 1))).unwrap_err();
        assert!(error.to_string().contains(words), "{new}: {error}");
    }
    let memory = r#"[(name: "M", kind: Eprom, package: "DIP-6", access_ns: 100,
        pins: ["A0", "O0", "GND", "nCE", "X=input", "VCC"])]"#;
    let error = Parts::load(memory).unwrap_err().to_string();
    assert!(error.contains("the pin 'X' is one of a part that is only wired"), "{error}");
}
