//! The exports of a whole machine, with its clock and its panel.

use gray1_roms::{GRAY1_B, load};

use super::*;

fn whole() -> Board {
    load(GRAY1_B).unwrap()
}

/// The fields of a line, some of them quoted.
fn fields(line: &str) -> Vec<String> {
    let mut is_quoted = false;
    let mut fields = vec![String::new()];
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

#[test]
fn every_part_is_in_the_list_once_and_nothing_is_left_to_the_maker() {
    let board = whole();
    let bom = text(Export::Bom, &board, "bom.csv");
    let is_part = |line: &&str| !line.contains(",socket,");
    let lines: Vec<Vec<String>> = bom.lines().skip(1).filter(is_part).map(fields).collect();
    let listed: Vec<&str> = lines.iter().flat_map(|fields| fields[6].split(' ')).collect();
    let chips = board.chips().iter().map(gray1_board::Chip::name);
    let around = board.support_parts().iter().map(gray1_board::SupportPart::name);
    for name in chips.chain(around) {
        assert_eq!(listed.iter().filter(|word| **word == name).count(), 1, "{name}");
    }
    // A line without a number to order says that none was found.
    for fields in bom.lines().skip(1).map(fields).filter(|fields| fields[2] != "5 V supply") {
        assert!(!fields[8].is_empty() || fields[9].contains("No order number"), "{fields:?}");
    }
    for words in ["to be designed", "outside of the board", "header"] {
        assert!(!bom.contains(words), "{words}");
    }
    let quantity = |what: &str| {
        let line = bom.lines().find(|line| line.contains(what));
        line.and_then(|line| line.split(',').next()?.parse::<u32>().ok())
    };
    assert_eq!(quantity("LED-RG"), Some(64));
    assert_eq!(quantity(",8x1k,"), Some(16));
    assert_eq!(quantity(",button,"), Some(9));
    assert_eq!(quantity("socket,,DIP-32,15.24"), Some(15));
    assert_eq!(quantity("socket,,DIP-8,7.62"), Some(1));
    // 15 flash memories of 25 mA, the RAM's 45, 19 logic parts of 1 and what is around them, with
    // all LEDs lit: 128 of 2.7 mA.
    assert!(bom.contains("5 V supply,for 843 mA: measure it"), "{bom}");
}

/// Each supply pin has its capacitor, and no input of any part floats.
#[test]
fn every_pin_of_a_whole_machine_is_where_it_belongs() {
    let board = whole();
    let rows = rows(&board);
    let mut drivers: BTreeMap<&str, usize> = BTreeMap::new();
    for Row { chip, name, net, direction, .. } in &rows {
        match direction.as_str() {
            "input" | "power" | "passive" | "bidirectional" => {
                assert!(!net.is_empty(), "{chip}.{name} floats");
            }
            "output" => *drivers.entry(net).or_default() += 1,
            "open" => assert!(net.is_empty(), "{chip}.{name}"),
            other => panic!("{chip}.{name} is {other}"),
        }
    }
    let lines = board.net_ids().map(|net| board.net(net).name());
    for line in lines.filter(|line| !line.starts_with("BUTTON.") && !line.starts_with("BUS.")) {
        // A filter is between a data pin and its wire.
        let before = format!("pin:{line}");
        let driver = drivers.get(line).or_else(|| drivers.get(&*before));
        assert_eq!(driver, Some(&1), "{line}");
    }
    let supplies = rows.iter().filter(|row| row.name == "VCC" && row.net == "+5V").count();
    let bom = text(Export::Bom, &board, "bom.csv");
    assert!(bom.contains(&format!("\n{supplies},5,100 nF,")), "{supplies}: {bom}");
    // No header: nothing comes from outside but the supply.
    assert!(rows.iter().all(|row| row.chip != "J2"));
}

/// A file of parts may say any current that fits its type.
#[test]
fn currents_of_parts_add_up_whatever_they_are() {
    let most = u32::MAX.to_string();
    let mut parts = String::new();
    let mut changed = 0;
    for word in include_str!("../../../../roms/parts.ron").split_inclusive([' ', '\n']) {
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
    for text in [gray1_roms::GRAY1, GRAY1_B] {
        let board = Board::load(text, &parts, |_| Err(String::new())).unwrap();
        for export in Export::ALL {
            let made = export.files(&board);
            let is_refused = matches!(
                made,
                Err(ExportError::Pull { .. } | ExportError::NotWhole(_) | ExportError::NotDrawn(_))
            );
            assert!(made.is_ok() || is_refused, "{}", export.name());
        }
    }
}
