//! Tests of the loaders and writers. Without them, programs could come back changed, or bad files
//! could load without an error.

mod others;

use proptest::prelude::*;

use super::*;
use crate::address::ROM_WORDS;
use crate::panel::{Led, LedColor};
use crate::presentation::{Caption, Grid, LedCount, LegendEntry, Presentation, ShownValue};
use crate::reason::{Reason, Sign};
use crate::{
    Expansion, ExpansionKind, Origin, SourceFile, SourceLine, SourceMap, Symbol, SymbolKind,
};
use crate::{Op, RamAddr, RomIndex, Word};

fn loaded(bytes: &[u8]) -> Image {
    match load(bytes) {
        Ok(Contents::Image(image)) => *image,
        other => panic!("expected an image, got {other:?}"),
    }
}

fn refused(bytes: &[u8]) -> String {
    match load(bytes) {
        Err(LoadError { problem, position: Some(at) }) => format!("{at}: {problem}"),
        Err(LoadError { problem, position: None }) => problem,
        Ok(contents) => panic!("taken for {contents:?}"),
    }
}

/// Returns a small program that has everything an image can contain.
fn example() -> Image {
    let call = SourceLine { file: 0, line: 1 };
    let expansion = |parent| Expansion { kind: ExpansionKind::Macro("load".into()), call, parent };
    let origin = |line, expansion| Some(Origin { place: SourceLine { file: 0, line }, expansion });
    let lines = vec!["  load 7", "  LDI n ; \"quoted\"\t", "done: HALT"].into();
    let map = SourceMap::new(
        vec![SourceFile { name: "seven.asm".into(), lines }],
        vec![expansion(None), expansion(Some(0))],
        vec![origin(2, Some(1)), None, origin(3, None)],
    );
    let symbol = |name: &str, kind, value, size| Symbol {
        name: name.into(),
        kind,
        value,
        size,
        is_seed: false,
    };
    let halt = Word::jump(Op::Jmp, RomIndex::truncate(2));
    let store = Word::data(Op::St, RamAddr::truncate(0x1fff));
    Image::from_words(&[Word::ldi(7), store, halt])
        .and_then(|image| {
            image.with_symbols(vec![
                symbol("table", SymbolKind::Variable, 0x10, 8),
                symbol("done", SymbolKind::Label, 2, 1),
                symbol("MINUS", SymbolKind::Constant, -2, 1),
            ])
        })
        .unwrap()
        .with_title(Some("Seven".into()))
        .with_source_map(map.unwrap())
}

#[test]
fn ron_is_indented_and_groups_words() {
    let text = String::from_utf8(Format::Ron.encode(&example())).unwrap();
    let expected = r#"Image(
    version: 1,
    title: Some("Seven"),
    instructions: [
        (at: 0, words: "0007 5fff e003"),
    ],
    symbols: [
        (name: "MINUS", kind: constant, value: -2, size: 1),
        (name: "done", kind: label, value: 2, size: 1),
        (name: "table", kind: variable, value: 16, size: 8),
    ],
    files: [
        (name: "seven.asm", lines: ["  load 7", "  LDI n ; \"quoted\"\t", "done: HALT"]),
    ],
    expansions: [
        (kind: macro("load"), call: (file: 0, line: 1), parent: None),
        (kind: macro("load"), call: (file: 0, line: 1), parent: Some(0)),
    ],
    origins: [
        (at: 0, file: 0, line: 2, expansion: Some(1)),
        (at: 2, file: 0, line: 3, expansion: None),
    ],
)
"#;
    assert_eq!(text, expected);
}

#[test]
fn ron_keeps_the_presentation() {
    let at = RamAddr::truncate;
    let presentation = Presentation {
        values: vec![ShownValue { address: at(0), caption: "N".into() }],
        grids: vec![Grid { first: at(1), size: 8, mark: 'Q', rows: Some(at(0)), index: None }],
        legend: vec![LegendEntry { led: Led::Red, text: "queen".into() }],
        counts: vec![LedCount { color: LedColor::Red, caption: "queens set".into() }],
        result: Some("solution".into()),
        captions: vec![Caption {
            text: "place".into(),
            at: vec![(RomIndex::default(), 2)],
            reasons: vec![Reason {
                led: Led::Red,
                text: "a {count Q}".into(),
                was: Some(Sign::Mark('Q')),
            }],
        }],
    };
    let image = example().with_presentation(presentation).unwrap();
    let text = String::from_utf8(Format::Ron.encode(&image)).unwrap();
    let expected = r#"
    presentation: (
        values: [(address: 0, caption: "N")],
        grids: [(first: 1, size: 8, mark: 'Q', rows: Some(0), index: None)],
        legend: [(led: red, text: "queen")],
        counts: [(color: red, caption: "queens set")],
        result: Some("solution"),
        captions: [(text: "place", at: [(0, 2)], reasons: [(led: red, text: "a {count Q}", was: Some("Q"))])],
    ),
)
"#;
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(loaded(text.as_bytes()), image);
    let changed = |from: &str, to: &str| refused(text.replacen(from, to, 1).as_bytes());
    assert_eq!(
        changed("address: 0", "address: 8192"),
        "24:28: invalid number 8192 (expected 0 to 8191)"
    );
    assert_eq!(
        changed("size: 8, mark", "size: 9, mark"),
        "invalid size 9 of a grid (expected 1 to 8, or a multiple of 8)"
    );
}

#[test]
fn a_symbol_file_has_a_line_for_each_symbol() {
    let text = String::from_utf8(Format::Symbols.encode(&example())).unwrap();
    assert_eq!(text, "MINUS constant -0x0002 1\ndone label 0x0002 1\ntable variable 0x0010 8\n");
    assert_eq!(load_symbols(text.as_bytes()).unwrap(), example().symbols());
    assert_eq!(load_symbols(b" \r\nx\tlabel 0x0 1\r\n").unwrap()[0].name, "x");
    for (bad, message) in [
        (
            "a label 0x1 1\nb label 1 1",
            "2:1: expected a symbol: name, kind, value and size, found 'b label 1 1'",
        ),
        (
            "a byte 0x1 1",
            "1:1: expected a symbol: name, kind, value and size, found 'a byte 0x1 1'",
        ),
        ("a label 0x1", "1:1: expected a symbol: name, kind, value and size, found 'a label 0x1'"),
        (
            "a label 0xffffffffffffffff 1",
            "1:1: expected a symbol: name, kind, value and size, found 'a label 0xffffffffff'",
        ),
        ("\0", "1:1: a NUL byte is not text"),
    ] {
        let LoadError { problem, position } = load_symbols(bad.as_bytes()).unwrap_err();
        assert_eq!(format!("{}: {problem}", position.unwrap()), message);
    }
}

#[test]
fn symbols_from_a_file_cannot_control_a_terminal() {
    let name = "\x1b]0;x\x07".to_owned();
    let symbols =
        vec![Symbol { name, kind: SymbolKind::Constant, value: 0, size: 1, is_seed: false }];
    let image = Image::erased().with_symbols(symbols).unwrap();
    let text = String::from_utf8(Format::Symbols.encode(&image)).unwrap();
    assert_eq!(text, "\\u{1b}]0;x\\u{7} constant 0x0000 1\n");
}

#[test]
fn a_listing_shows_calls_above_their_expansions() {
    let text = String::from_utf8(Format::Listing.encode(&example())).unwrap();
    let expected = "\
; Seven

                         1    load 7
                         1      load 7
0000 0007 LDI  0007      2        LDI n ; \"quoted\" \u{20}
0001 5fff ST   1fff
0002 e003 JMP  0002      3  done: HALT
";
    assert_eq!(text, expected.replace("\" \u{20}\n", "\" \n"));
}

#[test]
fn a_listing_shows_a_call_once_however_much_it_expands_to() {
    let place = |line| SourceLine { file: 0, line };
    let expansion = |line, parent| {
        let kind = ExpansionKind::Macro("m".into());
        Expansion { kind, call: place(line), parent }
    };
    let expansions = vec![expansion(1, None), expansion(2, Some(0)), expansion(4, None)];
    let origins = [(3, 1), (3, 1), (2, 0), (3, 2)]
        .map(|(line, number)| Some(Origin { place: place(line), expansion: Some(number) }));
    let lines = vec!["first", "second", "SHR", "third"].into();
    let file = SourceFile { name: "a.asm".into(), lines };
    let map = SourceMap::new(vec![file], expansions, origins.to_vec()).unwrap();
    let image = Image::from_words(&[Word::shr(); 4]).unwrap().with_source_map(map);
    let image = image.with_title(Some("Calls".into()));
    let text = String::from_utf8(Format::Listing.encode(&image)).unwrap();
    let expected = "\
; Calls

                         1  first
                         2    second
0000 a000 SHR  0000      3      SHR
0001 a000 SHR  0000      3      SHR
0002 a000 SHR  0000      2    second
                         4  third
0003 a000 SHR  0000      3    SHR
";
    assert_eq!(text, expected);
}

#[test]
fn a_listing_shows_instructions_that_assemble_to_erased_words() {
    let lines = vec!["  JMP 0x1555"].into();
    let origin = |line| Some(Origin { place: SourceLine { file: 0, line }, expansion: None });
    let file = SourceFile { name: "end.asm".into(), lines };
    let map = SourceMap::new(vec![file], vec![], vec![None, origin(1)]).unwrap();
    let image = Image::erased().with_source_map(map);
    let text = String::from_utf8(Format::Listing.encode(&image)).unwrap();
    assert_eq!(text, "0001 ffff JMP  1555      1    JMP 0x1555\n");
}

#[test]
fn intel_hex_of_a_known_program() {
    let text = String::from_utf8(Format::Ihex.encode(&example())).unwrap();
    // The bytes 00 07 5f ff e0 03 are at the Gray codes 0, 1, 3, 2, 6, 7.
    assert_eq!(text, ":100000000007FF5FFFFFE003FFFFFFFFFFFFFFFFB2\n:00000001FF\n");
}

#[test]
fn intel_hex_with_a_mistake_is_refused_at_its_place() {
    for (text, expected) in [
        (":0100000042BE\n:00000001FF\n", "1:12: the checksum is be, but the record adds up to bd"),
        (
            ":0200000042BC\n:00000001FF\n",
            "1:2: the record says that it holds 2 data bytes, but holds 1",
        ),
        (":0100000042BD\n", "1:1: there is no end-of-file record (:00000001FF)"),
        (":0140000042 7D\n", "1:12: expected a hexadecimal digit, found ' '"),
        (
            ":01400000427D\n:00000001FF\n",
            "1:4: address 0x4000 is outside the chip, which ends at 0x3fff",
        ),
        (
            ":020000040001F9\n:0100000042BD\n:00000001FF\n",
            "2:4: address 0x10000 is outside the chip, which ends at 0x3fff",
        ),
        (":0100000042BD\n:0100000042BD\n:00000001FF\n", "2:4: address 0x0 is given twice"),
        (":00000001FF\n:0100000042BD\n", "2:1: unexpected text after the end-of-file record"),
        (
            ":00000009F7\n",
            "1:1: record type 09 is not supported (expected 00, 01, 02, 03, 04 or 05)",
        ),
        (
            ":0000\n",
            "1:1: expected two digits a byte and at least five bytes a record, \
            found '4 digits'",
        ),
        (
            "\n:0100000042BD\nrubbish\n",
            "3:1: expected a record, which starts with ':', found 'rubbish'",
        ),
        (
            ":",
            "1:1: expected two digits a byte and at least five bytes a record, \
            found '0 digits'",
        ),
        (":0100000142BC\n", "1:1: expected no data in a record of type 01, found '1 bytes'"),
        (
            ":00000001FF0\n",
            "1:1: expected two digits a byte and at least five bytes a record, \
            found '11 digits'",
        ),
        (":00000001\n", "1:10: expected a checksum, found nothing"),
        (
            ":0100000400FB\n",
            "1:1: expected two data bytes in a record of type 02 or 04, found '1 bytes'",
        ),
        (
            ":0100000500FA\n",
            "1:1: expected four data bytes in a record of type 03 or 05, found '1 bytes'",
        ),
        (":00é00001FF\n", "1:4: expected a hexadecimal digit, found 'é'"),
    ] {
        assert_eq!(refused(text.as_bytes()), expected, "{text:?}");
    }
}

#[test]
fn other_hexadecimal_files_with_a_mistake_are_refused_at_their_place() {
    for (text, expected) in [
        ("v2.0 raw\n1 zz\n", "2:3: expected a byte in hexadecimal, or count*byte, found 'zz'"),
        ("v2.0 raw\n123\n", "2:1: expected a byte in hexadecimal, or count*byte, found '123'"),
        ("v2.0 raw\n+1\n", "2:1: expected a byte in hexadecimal, or count*byte, found '+1'"),
        ("v2.0 raw\n0*ff\n", "2:1: expected a byte in hexadecimal, or count*byte, found '0*ff'"),
        (
            "v2.0 raw\n8192*0 16384*1\n",
            "2:8: address 0x5fff is outside the chip, which ends at 0x3fff",
        ),
        ("v2.0 raw\n16385*0\n", "2:1: address 0x4000 is outside the chip, which ends at 0x3fff"),
        (
            "v2.0 raw\n18446744073709551615*0\n",
            "2:1: address 0xfffffffffffffffe is outside the chip, which ends at 0x3fff",
        ),
        ("v2.0 rawer\n", "1:1: expected v2.0 raw, found 'v2.0 rawer'"),
        (
            "00 01 // two\n@4000 ff\n",
            "2:7: address 0x4000 is outside the chip, which ends at 0x3fff",
        ),
        (
            "@ffffffffffffffff ff ff\n",
            "1:19: address 0xffffffffffffffff is outside the chip, which ends at 0x3fff",
        ),
        ("00 01\n@0 ff\n", "2:4: address 0x0 is given twice"),
        ("00 01\nxyz\n", "2:1: expected a byte in hexadecimal, found 'xyz'"),
        ("00 /* 01\n*/ 123", "2:4: expected a byte in hexadecimal, found '123'"),
        ("xx xx\n", "1:1: expected a byte in hexadecimal, found 'xx'"),
        ("00\n/* 01", "2:1: a comment is not closed"),
        ("00 01\n02\n", "2:1: the data ends after 3 bytes; the chip has 16384"),
        ("v2.0 raw\n16383*ff\n\n", "3:1: the data ends after 16383 bytes; the chip has 16384"),
        ("v2.0 raw\n", "1:1: the data ends after 0 bytes; the chip has 16384"),
    ] {
        assert_eq!(refused(text.as_bytes()), expected, "{text:?}");
    }
}

#[test]
fn intel_hex_may_give_its_addresses_by_segments() {
    let text = ":020000020010EC\n:0100000042BD\n:00000001FF\n";
    let contents = ihex::decode(text, 0x200).unwrap();
    let burned: Vec<usize> = (0..0x200).filter(|&address| contents[address] != 0xff).collect();
    assert_eq!((burned, contents[0x100]), (vec![0x100], 0x42));
}

#[test]
fn a_memory_file_cut_at_any_line_is_refused() {
    for format in [Format::Readmemh, Format::Logisim] {
        let text = String::from_utf8(format.encode(&example())).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        // A comment without bytes is not a memory file.
        for kept in 2..lines.len() {
            let problem = refused(lines[..kept].join("\n").as_bytes());
            assert!(problem.contains("the data ends after"), "{} {kept}: {problem}", format.name());
        }
    }
}

#[test]
fn a_memory_file_may_skip_addresses() {
    let text = "// the byte of index 0 that is fetched second, and the first\n@1 07\n@0 00\n";
    assert_eq!(loaded(text.as_bytes()), Image::from_words(&[Word::ldi(7)]).unwrap());
}

#[test]
fn a_mistake_in_ron_is_refused_with_its_name() {
    let good = String::from_utf8(Format::Ron.encode(&example())).unwrap();
    let changed = |from: &str, to: &str| refused(good.replacen(from, to, 1).as_bytes());
    assert_eq!(
        changed("version: 1", "version: 2"),
        "version 2 of Image is not supported (expected version 1)"
    );
    assert_eq!(
        changed("Image(", "Board("),
        "1:1: this describes a board (Board); expected a program (Image)"
    );
    assert_eq!(
        changed("5fff e003", "5ffg e003"),
        "expected words of four hexadecimal digits at 0 to 8191, found '5ffg' at 1"
    );
    assert_eq!(
        changed("(at: 0, words", "(at: 8190, words"),
        "expected words of four hexadecimal digits at 0 to 8191, found 'e003' at 8192"
    );
    assert_eq!(
        changed("value: 16", "value: 8192"),
        "the variable 'table' has the value 8192 and the size 8, which is outside the machine"
    );
    assert_eq!(
        changed("line: 3", "line: 4"),
        "instruction 0x0002 is at line 4 of file 0, which the source map does not have"
    );
    assert_eq!(
        changed("parent: Some(0)", "parent: Some(1)"),
        "expansion 1 is in expansion 1, which the source map does not define before it"
    );
    assert_eq!(
        changed("(at: 0, words", "(at: 2, words: \"0001\"), (at: 0, words"),
        "index 0x0002 is given twice"
    );
    assert_eq!(changed("(at: 2, file", "(at: 0, file"), "index 0x0000 is given twice");
    assert_eq!(changed("\"done\"", "\"table\""), "the symbol 'table' is defined twice");
    // A file that is cut at any position does not load and does not panic.
    for end in "Image(".len()..good.trim_end().len() {
        refused(&good.as_bytes()[..end]);
    }
}

#[test]
fn ron_may_begin_with_comments() {
    let good = String::from_utf8(Format::Ron.encode(&example())).unwrap();
    for before in ["// by hand\n", "/* by\nhand */ ", "\n#![enable(implicit_some)]\n"] {
        assert_eq!(loaded(format!("{before}{good}").as_bytes()), example(), "{before:?}");
    }
}

#[test]
fn deeply_nested_ron_is_refused() {
    let deep = format!("Image(version: 1, title: {}", "Some(".repeat(100_000));
    assert!(refused(deep.as_bytes()).contains("recursion limit"));
}

#[test]
fn files_that_are_neither_text_nor_chip_contents_are_refused() {
    let short = vec![0xff; ROM_BYTES - 1];
    let long = vec![0; ROM_BYTES + 1];
    assert_eq!(
        refused(&short),
        "1:1: this byte is not UTF-8 (save the file as UTF-8); it is not an EPROM image either: \
         those have 16384, 32768, 65536, … bytes, this file has 16383"
    );
    assert_eq!(
        refused(&long),
        "1:1: a NUL byte is not text; it is not an EPROM image either: \
         those have 16384, 32768, 65536, … bytes, this file has 16385"
    );
    assert!(load(&vec![b' '; FILE_BYTES_MAX]).is_ok());
    assert_eq!(
        refused(&vec![b' '; FILE_BYTES_MAX + 1]),
        "the file is larger than 16 MiB, too large for a program"
    );
}

#[test]
fn a_chip_whose_contents_happen_to_be_text_is_a_chip() {
    for bits in [0x4141, 0x0141, 0x411b, 0x3a3a, 0x0a0a, 0x0a20, 0x0a3b, 0x0a78] {
        let image = Image::from_words(&vec![Word::from_bits(bits); ROM_WORDS]).unwrap();
        assert_eq!(loaded(&Format::Bin.encode(&image)), image, "{bits:04x}");
    }
    // A source may have the length of the PROG chip, unless it contains control characters.
    for statement in ["  LDI 'x'  ; é", "HALT", "x: .title \"x\"", "HALT \x1b"] {
        let mut source = format!("{statement}\n");
        source += &"\n".repeat(ROM_BYTES - source.len());
        let is_source = load(source.as_bytes()) == Ok(Contents::Source(&source));
        assert_eq!(is_source, !source.contains('\x1b'), "{statement}");
    }
}

#[test]
fn formats_are_known_by_name_and_suffix() {
    let of = |format: Format| (format.name(), format.suffix(), format.loads());
    let expected = [
        ("bin", "bin", true),
        ("ihex", "hex", true),
        ("readmemh", "mem", true),
        ("logisim", "lhex", true),
        ("ron", "ron", true),
        ("listing", "lst", false),
        ("symbols", "sym", false),
        ("coe", "coe", false),
        ("mif", "mif", false),
        ("c", "c", false),
    ];
    assert_eq!(Format::ALL.map(of), expected);
    for format in Format::ALL {
        assert_eq!(Format::from_suffix(&format.suffix().to_uppercase()), Some(format));
    }
    assert_eq!(Format::from_suffix("asm"), None);
}

/// Other tools read these tables. Here they are recognised, and their bytes come back from them.
#[test]
fn a_table_has_all_bytes_and_is_recognised() {
    let image = example();
    for (format, start, end, name) in [
        (Format::Coe, "; Gray-1", "ff;\n", "a COE file"),
        (Format::Mif, "-- Gray-1", "ff;\nEND;\n", "a MIF file"),
        (Format::C, "/* Gray-1", "0xff,\n};\n", "an array in C"),
    ] {
        let text = String::from_utf8(format.encode(&image)).unwrap();
        assert!(text.starts_with(start) && text.ends_with(end), "{text}");
        let (_, table) = text
            .split_once(match format {
                Format::Coe => "vector=",
                Format::Mif => "BEGIN",
                _ => "{",
            })
            .unwrap();
        let words = table.split(|c: char| !c.is_ascii_alphanumeric());
        let words = words.map(|word| word.trim_start_matches("0x")).filter(|it| it.len() == 2);
        let bytes: Vec<u8> = words.filter_map(|it| u8::from_str_radix(it, 16).ok()).collect();
        assert!(bytes == image.to_eprom()[..], "{name}");
        let line = if format == Format::Mif { 4 } else { 2 };
        let expected = format!("{line}:1: this is {name}, which cannot be loaded: ");
        let problem = refused(text.as_bytes());
        assert!(problem.starts_with(&expected), "{problem}");
    }
    // A source may mention such a table.
    for source in [
        "; int a[2] = {1, 2};\n HALT",
        " .title \"a[2] = {1, 2}\"\naddress_radix: HALT",
        "memory_initialization_radix: LDI 0 ; = 16\n ST [x] ; ] =\n HALT ; {",
    ] {
        assert_eq!(load(source.as_bytes()), Ok(Contents::Source(source)));
    }
}

#[test]
fn bad_text_is_reported_at_its_position() {
    for (bytes, expected) in [("\u{feff}LDI 1", "LDI 1"), ("LDI 1", "LDI 1"), ("\u{feff}", "")] {
        assert_eq!(into_text(bytes.into()), Ok(expected.to_owned()));
    }
    for (bytes, column, problem) in
        [(&b"a\n\xc3\xa9b\xff"[..], 3, "this byte is not UTF-8"), (b"a\n\0\xff", 1, "a NUL byte")]
    {
        let error = into_text(bytes.into()).unwrap_err();
        assert_eq!(error.position, Some(Position { line: 2, column }));
        assert!(error.problem.starts_with(problem), "{error}");
    }
}

#[test]
fn source_is_not_taken_for_an_image() {
    for source in [
        "",
        "\n; nothing\n",
        "be: LDI 1",
        "start: LDI 1",
        "Image: LDI 1",
        "a5 = 3",
        // Calls of macros whose names have the same length or the same digits as bytes.
        "xy",
        "a",
        "Image (1)+2",
        // Names that resemble the formats of other tools.
        "v3: LDI 1",
        "S1 0x10",
        "S10B0000: LDI 1",
        "  LDI 0x10\n",
    ] {
        let expected = !source.starts_with("Image (");
        assert_eq!(
            matches!(load(source.as_bytes()), Ok(Contents::Source(_))),
            expected,
            "{source:?}"
        );
    }
}

fn images() -> impl Strategy<Value = Image> {
    let run = (0..ROM_WORDS, prop::collection::vec(any::<u16>(), 1..200));
    prop::collection::vec(run, 0..8).prop_map(|runs| {
        let mut words = vec![Word::ERASED; ROM_WORDS];
        for (at, run) in runs {
            for (place, bits) in words[at..].iter_mut().zip(run) {
                *place = Word::from_bits(bits);
            }
        }
        Image::from_words(&words).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_program_is_the_same_after_encoding_and_decoding(image in images()) {
        for format in [Format::Bin, Format::Ihex, Format::Readmemh, Format::Logisim, Format::Ron] {
            prop_assert_eq!(&loaded(&format.encode(&image)), &image, "{}", format.name());
        }
    }
}
