//! Checks that valid boards load, and that errors name chip and pin.

mod filters;
mod parts;

use super::*;
use crate::boards_for_tests::{BINARY, GRAY1, PANEL, parts};
use crate::role::Field;

fn load(text: &str) -> Result<Board, BoardError> {
    Board::load(text, &parts(), |name| Err(format!("there is no {name} here")))
}

/// Returns the error message for the Gray-1 after `old` was replaced by `new` in its description.
#[track_caller]
fn refusal(old: &str, new: &str) -> String {
    assert!(GRAY1.contains(old), "the description does not say {old}");
    load(&GRAY1.replacen(old, new, 1)).expect_err("the board must be refused").to_string()
}

#[test]
fn the_gray1_is_fourteen_memory_chips() {
    let board = load(GRAY1).unwrap();
    let chips: Vec<(&str, &str)> =
        board.chips().iter().map(|chip| (chip.name(), chip.part().name.as_str())).collect();
    assert_eq!(
        chips,
        [
            ("PHASE", "82S123"),
            ("CTRL", "2716"),
            ("PCH", "27C010"),
            ("PCL", "27C020"),
            ("PROG", "27C128"),
            ("IRH", "27C010"),
            ("IRL", "27C010"),
            ("ALUL", "27C010"),
            ("ALUH", "27C010"),
            ("AM", "27C010"),
            ("AS", "27C010"),
            ("FLAGS", "82S123"),
            ("BUF", "2716"),
            ("RAM", "IDT7005"),
        ]
    );
    assert_eq!(board.code(), Code::Gray);
    assert_eq!(load(BINARY).unwrap().code(), Code::Binary);
}

/// A spare address pin may be tied to either level. The contents are burned at the addresses that
/// it selects.
#[test]
fn a_pin_tied_high_selects_the_upper_addresses() {
    let tie = |levels: &str| GRAY1.replacen("[\"AS.0-7\", \"0\", \"0\", \"0\"]", levels, 1);
    let board = load(&tie("[\"AS.0-7\", \"0\", \"1\", \"0\"]")).unwrap();
    let buffer = board.chip(board.chip_named("BUF").unwrap());
    assert_eq!(buffer.tied(), FixedPins { pins: 0x700, levels: 0x200 });
    assert!(buffer.addresses().eq(0x200..0x300));
    let passed = buffer.addresses().map(|address| buffer.contents()[address as usize]);
    assert!(passed.eq(0..=0xff));
}

#[test]
fn impossible_access_times_are_rejected() {
    let refusal =
        |ns: u32| refusal("part: \"82S123\",", &format!("part: \"82S123\", access_ns: {ns},"));
    let expected = |ns| format!("PHASE: an access time of {ns} ns (expected 1 to 1000000 ns)");
    assert_eq!(refusal(0), expected(0));
    assert_eq!(refusal(2_000_000_000), expected(2_000_000_000));
}

#[test]
fn the_driver_and_the_readers_of_a_wire_are_found() {
    let board = load(GRAY1).unwrap();
    let readers = |net: &str| -> Vec<String> {
        let net = board.net_named(net).unwrap();
        board.readers(net).map(|(chip, pin)| format!("{}.{pin}", board.chip(chip).name)).collect()
    };
    assert_eq!(readers("nWE"), ["BUF.nOE", "RAM.nWE"]);
    assert_eq!(readers("PHASE.2"), ["PHASE.A4", "CTRL.A2", "PCL.A15"]);
    assert_eq!(readers("IRL.0"), ["PCL.A8", "IRL.A8", "ALUL.A8", "RAM.A0"]);
    let bus = board.net(board.net_named("BUS.3").unwrap()).driver;
    let Driver::Shared { select, low, high } = bus else { panic!("{bus:?}") };
    assert_eq!(board.net(select).name(), "nWE");
    assert_eq!((board.chip(low.chip).name(), low.pin), ("BUF", 3));
    assert_eq!((board.chip(high.chip).name(), high.pin), ("RAM", 3));
}

#[test]
fn wires_that_do_not_exist_are_rejected() {
    assert_eq!(
        refusal(r#""PHASE.0-2", "OPCODE", "FLAGS.1""#, r#""PHASE.0-2", "OPCODE", "FLAGS.2""#),
        "CTRL: address: there is no wire 'FLAGS.2'"
    );
    assert_eq!(
        refusal(r#"["PCL.0-6", "PCH.0-6"]"#, r#"["PCL.0-6", "PCH.3-9"]"#),
        "PROG: address: there is no wire 'PCH.8'"
    );
    assert_eq!(
        refusal(r#"lines: ["IRH.5-7"]"#, r#"lines: ["IRH.7-5"]"#),
        "the group OPCODE: invalid wire 'IRH.7-5' (expected NAME, NAME.3 or NAME.0-7; \
         an address pin may also be tied to 0 or 1)"
    );
    assert_eq!(
        refusal(r#""FLAGS.1", reset: "RST""#, r#""FLAGS.1", reset: "RES""#),
        "CTRL: reset: there is no wire 'RES'"
    );
    for wrong in ["FLAGS.", "FLAGS.+1", "FLAGS.256", "FLAGS.1-", "1.FLAGS", "FL-AGS.1"] {
        assert_eq!(
            refusal(r#""FLAGS.1", reset: "RST""#, &format!(r#""{wrong}", reset: "RST""#)),
            format!(
                "CTRL: carry: invalid wire '{wrong}' (expected NAME, NAME.3 or NAME.0-7; \
                 an address pin may also be tied to 0 or 1)"
            )
        );
    }
}

#[test]
fn widths_that_do_not_fit_the_part_are_rejected() {
    assert_eq!(
        refusal(r#"["OSC", "RST", "PHASE.0-2"]"#, r#"["OSC", "RST", "PHASE.0-2", "0"]"#),
        "PHASE: the part 82S123 has 5 address pins, 6 wires are listed"
    );
    assert_eq!(
        refusal(r#"data: ["PROG.0-7"]"#, r#"data: ["PROG.0-8"]"#),
        "PROG: the part 27C128 has 8 data pins, 9 wires are listed"
    );
    assert_eq!(
        refusal(r#"part: "27C020""#, r#"part: "27C040""#),
        "PCL: the part '27C040' is not known \
         (expected 82S123, 2716, 27C128, 27C010, 27C020, IDT7005, SST39SF010A, SST39SF020A, \
         SST39SF040, AT28C256, W27C512, AS6C6264, 74HCT238, 74HCT573)"
    );
}

#[test]
fn floating_inputs_are_rejected() {
    assert_eq!(
        refusal(r#""RST", "0", "0", "0"]"#, r#""RST", "0", "0"]"#),
        "CTRL: pin A10 of the 2716 floats; connect it to a wire, \"0\" or \"1\""
    );
    assert_eq!(
        refusal(r#"            write_enable_low: "nWE","#, ""),
        "RAM: pin nWE of the IDT7005 floats; connect it to a wire, \"0\" or \"1\""
    );
    assert_eq!(
        refusal(r#"data: ["AS.0-7"],"#, r#"data: ["AS.0-7"], output_enable_low: "AM_EN","#),
        "ALUL: pin A0 floats: while AM_EN is high, nothing drives AS.0"
    );
}

#[test]
fn pins_that_a_part_does_not_have_are_rejected() {
    assert_eq!(
        refusal(
            r#"write_enable_low: "nWE","#,
            r#"write_enable_low: "nWE", output_enable_low: "RST","#
        ),
        "RAM: output_enable_low of a RAM is always tied low"
    );
    assert_eq!(
        refusal(r#"data: ["AS.0-7"],"#, r#"data: ["AS.0-7"], write_enable_low: "nWE","#),
        "AS: the 27C010 has no write enable"
    );
}

#[test]
fn two_drivers_that_can_be_on_together_are_rejected() {
    let tail = "can both drive this wire (two chips may share a wire only if one drives it while \
                a third wire is low and the other while it is high)";
    assert_eq!(
        refusal(r#"            output_enable_low: "nWE","#, ""),
        format!("BUS.0: BUF.D0 and RAM.D0 {tail}")
    );
    assert_eq!(
        refusal(r#"output_enable_low: "nWE""#, r#"output_enable_low: "AM_EN""#),
        format!("BUS.0: BUF.D0 and RAM.D0 {tail}")
    );
    assert_eq!(
        refusal(r#"data: ["PHASE.0-2"]"#, r#"data: ["PHASE.0-2", "PCL.3"]"#),
        format!("PCL.3: PHASE.D3 and PCL.D3 {tail}")
    );
    assert_eq!(
        refusal(r#"data: ["PHASE.0-2"]"#, r#"data: ["PHASE.0-2", "OSC"]"#),
        format!("OSC: the outside and PHASE.D3 {tail}")
    );
    // A third driver, before and after two that share a wire. It is always on, or on together with
    // one of the two.
    for third in [r#"data: ["BUS.0"]"#, r#"data: ["BUS.0"], output_enable_low: "nWE""#] {
        assert_eq!(
            refusal(r#"data: ["PHASE.0-2"]"#, &third.replace('[', r#"["PHASE.0-2", "#)),
            format!("BUS.0: PHASE.D3 and BUF.D0 {tail}")
        );
        let (pins, memory) = (r#"["0", "0", "0", "0", "0"]"#, "does: Memory,\n        ),");
        let chip =
            format!(r#"(name: "LAST", part: "82S123", address: {pins}, {third}, does: Table)"#);
        assert_eq!(
            refusal(memory, &format!("{memory}{chip}")),
            format!("BUS.0: BUF.D0 and LAST.D0 {tail}")
        );
    }
}

#[test]
fn a_field_extracts_its_number_from_pins_in_any_order() {
    for pins in [vec![0, 1, 2], vec![5, 6, 2], vec![3, 1, 4, 0], vec![7], vec![2, 3, 7, 8, 9]] {
        let field = Field::new(pins.clone());
        assert_eq!((field.width() as usize, field.pins()), (pins.len(), &pins[..]));
        for number in 0..1 << pins.len() {
            let levels = (0..).zip(&pins).filter(|(bit, _)| number >> bit & 1 == 1);
            let levels: u32 = levels.map(|(_, pin)| 1 << pin).sum();
            assert_eq!(field.put(number), levels, "{pins:?}");
            // Other pins do not matter.
            assert_eq!(field.extract(levels | !field.mask()), number, "{pins:?}");
        }
    }
}

#[test]
fn roles_that_do_not_fit_the_wires_are_rejected() {
    assert_eq!(
        refusal(r#"d: ["AM.0-7"], q: ["AS.0-7"]"#, r#"d: ["AM.0-6"], q: ["AS.0-7"]"#),
        "AS: d of `does`: 7 wires are listed, expected 8"
    );
    assert_eq!(
        refusal(r#"(enable: "CM_EN", d: ["ALUH.4"]"#, r#"(enable: "AM_EN", d: ["ALUH.4"]"#),
        "FLAGS: enable of `does`: no address pin is wired to AM_EN"
    );
    assert_eq!(
        refusal(r#"d: ["AM.0-7"], q: ["AS.0-7"]"#, r#"d: ["AM.0-7"], q: ["AM.0-7"]"#),
        "AS: q of `does`: no data pin drives AM.0-7"
    );
    for (wires, found) in [("", 0), (r#""PCL.0-7", "PHASE.2""#, 9)] {
        assert_eq!(
            refusal(r#"count: ["PCL.0-7"]"#, &format!("count: [{wires}]")),
            format!("PCL: count of `does`: {found} wires are listed, expected 1 to 8")
        );
    }
    assert_eq!(
        refusal(r#"(line: "PCH.7","#, r#"(line: "PCH.3","#),
        "PCH: data of `does`: two rules say what D3 shows"
    );
    assert_eq!(
        refusal(r#"carry_out: "ALUL.4""#, r#"carry_out: "ALUL.2""#),
        "ALUL: data of `does`: two rules say what D2 shows"
    );
    assert_eq!(
        refusal(r#"take_carry: "CM_EN""#, r#"take_carry: "AM_EN""#),
        "CTRL: data of `does`: two rules say what D2 shows"
    );
    assert_eq!(refusal("at: 0b001", "at: 9"), "PHASE: park of `does`: 9 does not fit into 3 wires");
    assert_eq!(
        refusal(r#"gray: [Lines(["OPERAND.6-12"])]"#, r#"gray: [Lines(["OPERAND.6-11"])]"#),
        "PCH: load of `does`: 6 wires are loaded into 7"
    );
}

#[test]
fn a_board_needs_one_program_chip_and_one_data_memory_of_the_right_size() {
    assert_eq!(
        refusal("does: Memory", r#"does: Buffer(from: ["OPERAND.0-7"])"#),
        "RAM: the IDT7005 can only be data memory"
    );
    let narrow = [
        (r#""BUS.0-7""#, r#""BUS.0-6""#),
        (r#"from: ["AS.0-7"]"#, r#"from: ["AS.0-6"]"#),
        (r#""BUS.4-7""#, r#""BUS.4-6", "FLAGS.1""#),
    ];
    let narrow = narrow.iter().fold(GRAY1.to_owned(), |text, (old, new)| text.replace(old, new));
    assert_eq!(load(&narrow).unwrap_err().to_string(), "RAM: data memory has 8 data pins, not 7");
    assert_eq!(
        refusal("does: Program(code: Gray)", r#"does: Buffer(from: ["PCL.0-6", "PCH.0"])"#),
        "a board has exactly one chip that is the program, this one has 0"
    );
    assert_eq!(
        refusal(r#"name: "PROG", part: "27C128""#, r#"name: "PROG", part: "2716""#),
        "PROG: the part 2716 has 11 address pins, 14 wires are listed"
    );
    assert_eq!(
        refusal("does: Buffer(from: [\"AS.0-7\"])", "does: Program(code: Gray)"),
        "BUF: a program is 16384 bytes: 14 address pins (others are tied), 8 data pins"
    );
}

#[test]
fn duplicate_names_are_rejected() {
    assert_eq!(refusal(r#"name: "AM""#, r#"name: "AS""#), "the name 'AS' is used twice");
    assert_eq!(refusal(r#"reset: "RST","#, r#"reset: "OSC","#), "the name 'OSC' is used twice");
    assert_eq!(
        refusal(r#"name: "OPERAND""#, r#"name: "OPCODE""#),
        "the name 'OPCODE' is used twice"
    );
    for wire in ["OSC", "PHASE"] {
        assert_eq!(
            refusal(r#"name: "OPCODE""#, &format!(r#"name: "{wire}""#)),
            format!("the name '{wire}' is used twice")
        );
    }
    assert_eq!(
        refusal(r#"name: "AM""#, r#"name: "A/M""#),
        "invalid name 'A/M' (expected letters, digits and '_', a letter first)"
    );
}

#[test]
fn a_contents_file_must_have_the_size_of_the_chip() {
    let from_file = GRAY1.replacen(
        "does: Latches([(enable: \"IRL_EN\"",
        "contents: File(\"irl.bin\"), does: Latches([(enable: \"IRL_EN\"",
        1,
    );
    let with = |bytes: usize| Board::load(&from_file, &parts(), |_| Ok(vec![0x5a; bytes]));
    let board = with(1 << 17).unwrap();
    let irl = board.chip(board.chip_named("IRL").unwrap());
    assert_eq!(irl.file(), Some("irl.bin"));
    assert!(irl.contents().iter().all(|&byte| byte == 0x5a));
    assert_eq!(
        with(1000).unwrap_err().to_string(),
        "IRL: the contents have 1000 bytes, the part 27C010 has 131072"
    );
    assert_eq!(
        load(&from_file).unwrap_err().to_string(),
        "IRL: the contents 'irl.bin': there is no irl.bin here"
    );
    assert_eq!(
        refusal(r#"does: Buffer(from: ["AS.0-7"])"#, "does: Table"),
        "BUF: a table comes from a file, but no contents are named"
    );
}

#[test]
fn other_documents_and_versions_are_rejected() {
    assert_eq!(
        load("// a program\nImage(version: 1)").unwrap_err().to_string(),
        "this describes a program (Image); expected a board (Board)"
    );
    assert_eq!(
        load("").unwrap_err().to_string(),
        "this describes nothing by name; expected a board (Board)"
    );
    assert_eq!(refusal("version: 1", "version: 2"), "unknown Board version 2 (expected version 1)");
    assert_eq!(
        load(&" ".repeat(DESCRIPTION_BYTES_MAX + 1)).unwrap_err().to_string(),
        "the description has 1048577 bytes (at most 1048576 are supported)"
    );
    let longest = GRAY1.to_owned() + &" ".repeat(DESCRIPTION_BYTES_MAX - GRAY1.len());
    assert!(load(&longest).is_ok());
    let commented = GRAY1.replacen("Board(", "#![enable(implicit_some)]\n/* Board( */ Board(", 1);
    assert!(load(&commented).is_ok());
    assert_eq!(
        load("/* Board(").unwrap_err().to_string(),
        "this describes nothing by name; expected a board (Board)"
    );
    assert_eq!(
        load("Machine(version: 1)").unwrap_err().to_string(),
        "this describes something else (Machine); expected a board (Board)"
    );
}

#[test]
fn syntax_errors_have_a_position() {
    let error = load(&GRAY1.replacen("part: \"2716\"", "prat: \"2716\"", 1)).unwrap_err();
    let wire = 1 + GRAY1.lines().position(|wire| wire.contains("part: \"2716\"")).unwrap();
    let place = error.position.unwrap().to_string();
    assert_eq!(place, format!("{wire}:{}", r#"            name: "CTRL", "#.len() + 1));
    assert!(error.to_string().contains("prat"), "{error}");
    // A description that is cut off anywhere is rejected without a panic.
    for end in (0..GRAY1.trim_end().len()).step_by(7) {
        assert!(load(&GRAY1[..GRAY1.floor_char_boundary(end)]).is_err(), "cut at {end}");
    }
}

#[test]
fn a_purpose_is_one_line_and_may_be_missing() {
    let (purpose, text) = ("Looks up which chips may take", "Looks up");
    let line = 1 + GRAY1.lines().position(|line| line.contains(purpose)).unwrap();
    let start = GRAY1.lines().nth(line - 1).unwrap();
    let with = |new: &str| {
        let described = format!("            purpose: \"{new}\",");
        load(&GRAY1.replacen(start, &described, 1))
    };
    for new in ["é".repeat(90), text.to_owned()] {
        let board = with(&new).unwrap();
        assert_eq!(board.chip(board.chip_named("CTRL").unwrap()).purpose(), new);
    }
    for new in ["é".repeat(91), String::new(), "  ".to_owned(), "two\\nlines".to_owned()] {
        let error = with(&new).unwrap_err();
        assert!(error.to_string().starts_with("invalid sentence of "), "{error}");
        assert_eq!(error.position.unwrap().line, line);
    }
    let board = load(&GRAY1.replacen(start, "", 1)).unwrap();
    assert_eq!(board.chip(board.chip_named("CTRL").unwrap()).purpose(), "");
    let escaped = crate::drawing::svg(&with("1 < 2 & 3").unwrap(), "").unwrap();
    assert!(escaped.contains("<title>1 &lt; 2 &amp; 3</title>"), "{escaped}");
}

#[test]
fn a_sentence_is_shown_while_exactly_its_strobes_are_on() {
    let sentence = |text: &str, high: &[&str]| {
        let board = load(text).unwrap();
        let high: Vec<_> = high.iter().map(|wire| board.net_named(wire)).collect();
        board.phase_sentence(|net| high.contains(&Some(net))).to_owned()
    };
    let steps = "The program counter steps on to the first byte of an instruction.";
    let held = "The program counter is still held at the target of the jump.";
    for (high, expected) in [
        (&["nWE"][..], steps),
        (&["nWE", "PC_LOAD"], held),
        (&["nWE", "PC_LOAD", "CLR"], ""),
        (&[], ""),
    ] {
        assert_eq!(sentence(GRAY1, high), expected, "{high:?}");
    }
    // Older files do not have this field.
    let (before, rest) = GRAY1.split_once("    phases: [").unwrap();
    let (_, after) = rest.split_once("\n    ],\n").unwrap();
    assert_eq!(sentence(&format!("{before}{after}"), &["nWE"]), "");
    for (old, new, expected) in [
        ("on: [\"PC_LOAD\"]", "on: [\"PCL.0\"]", "phases: the wire 'PCL.0' is not a strobe"),
        ("on: [\"PC_LOAD\"]", "on: [\"LOAD\"]", "phases: there is no wire 'LOAD'"),
        (steps, "", "invalid sentence of 0 characters"),
    ] {
        let error = load(&GRAY1.replacen(old, new, 1)).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

#[test]
fn lists_that_are_too_long_are_rejected() {
    let wide = r#""PCL.0-7", "#.repeat(1000);
    assert_eq!(
        refusal(r#"["PCL.0-6", "PCH.0-6"]"#, &format!("[{wide}]")),
        "the board has 1032 wires in one list; at most 1024 are supported"
    );
    let nets = ["A", "B", "C", "D", "E"].map(|name| format!(r#""{name}.0-255""#)).join(", ");
    assert_eq!(
        refusal(r#"data: ["PROG.0-7"]"#, &format!("data: [{nets}]")),
        "the board has 1051 wires; at most 1024 are supported"
    );
}

/// Returns the error message for the board with a panel after a replacement in its description.
fn panel_refusal(from: &str, to: &str) -> String {
    assert!(PANEL.contains(from), "{from}");
    load(&PANEL.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn a_logic_part_defines_the_role_of_its_chip() {
    let board = load(PANEL).unwrap();
    let chip = |name: &str| board.chip(board.chip_named(name).unwrap());
    let (row, latch) = (chip("ROW_GREEN"), chip("GREEN3"));
    // From the truth table of the part: Y5 is low while A2-A0 are 101, E3 is high, and nE1 and nE2
    // are low.
    assert_eq!(row.contents()[0b10_0101], 0b10_0000);
    for off in [0b00_0101, 0b10_1101, 0b11_0101] {
        assert_eq!(row.contents()[off], 0);
    }
    // D is 5a and Q is c3. The latch is open, then closed.
    assert_eq!(latch.contents()[0xc3 << 9 | 1 << 8 | 0x5a], 0x5a);
    assert_eq!(latch.contents()[0xc3 << 9 | 0x5a], 0xc3);
    assert_eq!(latch.address.len(), 17);
    assert_eq!(
        panel_refusal(r#"data: ["RED2.0-7"],"#, r#"data: ["RED2.0-7"], does: Table,"#),
        "RED2: the function of a 74HCT573 is fixed; leave out `does`"
    );
    assert_eq!(
        panel_refusal(r#"data: ["RED2.0-7"],"#, r#"data: ["RED2.0-7"], contents: File("x"),"#),
        "RED2: the contents of the 74HCT573 are fixed"
    );
    assert_eq!(
        panel_refusal(
            r#"does: Choose(by: "BUTTONS", high: ["BUTTON.0-7"], low: ["BUS.0-7"]),"#,
            ""
        ),
        "INPUT: the field `does` is missing"
    );
}

#[test]
fn a_panel_with_missing_or_extra_wires_is_rejected() {
    assert_eq!(
        panel_refusal(r#"buttons: ["BUTTON.0-7"],"#, r#"buttons: ["BUTTON.0-6"],"#),
        "INPUT: address: there is no wire 'BUTTON.7'"
    );
    assert_eq!(
        panel_refusal(r#"byte: ["AS.0-7"]"#, r#"byte: ["AS.0-6"]"#),
        "the panel's byte: 7 wires are listed, expected 8"
    );
    assert_eq!(
        panel_refusal(r#"buttons: ["BUTTON.0-7"]"#, r#"buttons: ["BUTTON.0-7", "RST"]"#),
        "the name 'RST' is used twice"
    );
    assert_eq!(
        panel_refusal("from: 0x1fff, to: 0x1fff", "from: 0x1fff, to: 0x2000"),
        "SELECT: lines of `does`: MAIL: 0x1fff to 0x2000 is not a range of addresses"
    );
}
