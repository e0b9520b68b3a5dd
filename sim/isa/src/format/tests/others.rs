//! Tests with files from other tools and from other chips.

use super::*;

#[test]
fn a_program_is_found_in_a_larger_chip() {
    let (program, erased) = (Format::Bin.encode(&example()), vec![0xff; ROM_BYTES]);
    for blocks in [
        // A 27C256 in the socket of the stock board, the board gray1-b, and a chip that was read
        // with an unconnected pin.
        vec![&erased, &program],
        vec![&program, &erased, &erased, &erased, &erased, &erased, &erased, &erased],
        vec![&program, &program],
    ] {
        let chip = blocks.into_iter().flatten().copied().collect::<Vec<u8>>();
        let hex = format!("; by a programmer\n{}end of file\n", ihex::encode(&chip, None));
        for file in [&chip, hex.as_bytes(), readmemh::encode("PROG", &chip).as_bytes()] {
            assert_eq!(loaded(file).words(), example().words(), "{} bytes", chip.len());
        }
    }
    assert_eq!(loaded(&vec![0xff; 2 * ROM_BYTES]), Image::erased());
    let other = Format::Bin.encode(&Image::from_words(&[Word::ldi(1)]).unwrap());
    let message = "several blocks of 16384 bytes are not empty, at 0x0, 0x8000: keep only \
                   the one with the program";
    assert_eq!(refused(&[&*program, &*erased, &*other, &*erased].concat()), message);
    assert!(refused(&[&*program, &*erased, &*erased].concat()).contains("this file has 49152"));
}

/// The shapes are those of IEEE 1364-2005, 17.2.9: both kinds of comment, `_`, any count of digits,
/// and any white space.
#[test]
fn memory_files_of_all_shapes_are_read() {
    let chip = Format::Bin.encode(&example());
    let bytes = |sign: &str, digits: fn(u8) -> String| {
        let bytes: Vec<String> = chip.iter().map(|byte| digits(*byte)).collect();
        bytes.join(sign)
    };
    for file in [
        format!("/* by a\n converter */\n@0000_0000 {}", bytes("\n", |it| format!("{it:02X}"))),
        format!("// by hand // twice\n{}", bytes("/**/", |it| format!("0{it:x}"))),
        format!("  /* a */ @0\x0c{}", bytes("\t//\n", |it| format!("{it:04x}"))),
        bytes(" ", |it| format!("{:x}_{:x}", it >> 4, it & 15)),
        // This would take minutes if each comment caused another search through the rest of the
        // file.
        "// a line\n".repeat(500_000) + &bytes(" ", |it| format!("{it:02x}")),
    ] {
        assert_eq!(loaded(file.as_bytes()).words(), example().words(), "{file:.40}");
    }
}

#[test]
fn text_around_intel_hex_is_skipped() {
    let hex = String::from_utf8(Format::Ihex.encode(&example())).unwrap();
    for file in [
        format!("; made by a programmer\n{hex}"),
        format!("\r\n$A0000,\r\n  {hex}\r\n# 6 bytes\r\n\x1a"),
        format!("LDI 5\n{hex}"),
    ] {
        assert_eq!(loaded(file.as_bytes()).words(), example().words(), "{file}");
    }
}

/// Loading such a file would leave the bytes of the damaged record out of the chip.
#[test]
fn a_first_or_last_record_without_its_colon_is_refused() {
    let hex = String::from_utf8(Format::Ihex.encode(&example())).unwrap();
    let text = hex.strip_prefix(':').unwrap();
    for damaged in [text.to_owned(), format!("0{text}"), format!(".{text}"), format!("{hex}{text}")]
    {
        // In the last case, the damaged record is after the end record.
        let is_first = !damaged.starts_with(':');
        let expected =
            if is_first { "1:1: expected a record, which starts with ':'" } else { "3:1:" };
        assert!(refused(damaged.as_bytes()).starts_with(expected), "{damaged}");
    }
}

#[test]
fn formats_of_other_tools_are_named() {
    let logisim = "1:1: this is Logisim-evolution's format v3.0: save the memory as `v2.0 raw`";
    let srecords = "1:1: these are Motorola S-records: convert them to Intel HEX";
    for (text, expected) in [
        ("v3.0 hex words addressed\n0000: 00 41\n", logisim),
        ("v3.0 hex bytes plain\n00 41\n", logisim),
        ("S10B00000041FF5FFFFFE00374\nS9030000FC\n", srecords),
        ("\n S00600004844521B\r\nS1130000\r\n", srecords),
    ] {
        assert_eq!(refused(text.as_bytes()), expected, "{text:?}");
    }
}

#[test]
fn a_chip_beyond_64_kib_has_its_addresses_extended() {
    let mut contents = vec![0xff; 0x20000];
    contents[0xffff] = 0x12;
    contents[0x10000] = 0x34;
    let text = ihex::encode(&contents, Some(0xff));
    assert_eq!(
        text,
        ":10FFF000FFFFFFFFFFFFFFFFFFFFFFFFFFFFFF12FE\n\
         :020000040001F9\n\
         :1000000034FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFCB\n\
         :00000001FF\n"
    );
    assert_eq!(ihex::decode(&text, 0x20000), Ok(contents.clone()));
    assert_eq!(ihex::decode(&ihex::encode(&contents, None), 0x20000), Ok(contents));
    let error = ihex::decode(&text, 0x10000).unwrap_err();
    assert_eq!(error.to_string(), "address 0x10000 is outside the chip, which ends at 0xffff");
}

#[test]
fn a_chip_of_any_size_is_the_same_after_encoding_and_decoding() {
    for size in [0, 1, 16, 32, 33, 0x10000] {
        let contents: Vec<u8> = (0..size).map(|n| (n * 7) as u8).collect();
        assert_eq!(ihex::decode(&ihex::encode(&contents, None), size), Ok(contents.clone()));
        assert_eq!(readmemh::decode(&readmemh::encode("X", &contents), size), Ok(contents));
    }
}
