//! Tests that disassembled source assembles to the original image.

mod support;

use std::collections::BTreeMap;

use gray1_asm::disassemble;
use gray1_isa::{Image, Op, RamAddr, RomIndex, Symbol, SymbolKind, Word};
use proptest::prelude::*;

fn assembled(text: &str) -> Image {
    support::image(text).unwrap_or_else(|messages| panic!("{messages}\nof\n{text}"))
}

/// Generates words like those of programs: runs of code, erased words inside, and ignored bits.
fn word() -> impl Strategy<Value = Word> {
    let target = prop_oneof![0..40_u16, 0..0x2000_u16];
    prop_oneof![
        4 => (0..=0xff_u8).prop_map(Word::ldi),
        4 => ((1..=4_u8), prop_oneof![0..40_u16, 0x1fe0..0x2000_u16])
            .prop_map(|(op, a)| Word::data(Op::from_code(op), RamAddr::truncate(a))),
        4 => (any::<bool>(), target).prop_map(|(carry, target)| {
            Word::jump(if carry { Op::Jc } else { Op::Jmp }, RomIndex::truncate(target))
        }),
        1 => Just(Word::shr()),
        2 => Just(Word::ERASED),
        1 => any::<u16>().prop_map(Word::from_bits),
    ]
}

/// Generates names that source can define and names that it cannot.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-cL_]{1,2}[0-2]{0,2}",
        1 => "L00[0-2][0-9a-f]",
        1 => "GREEN|RED|MAILBOX|add|Halt|@x|x y|\\PC{0,3}",
    ]
}

fn symbol() -> impl Strategy<Value = Symbol> {
    let label = (name(), prop_oneof![0..40_i64, 0..=8192_i64]).prop_map(|(name, value)| Symbol {
        name,
        kind: SymbolKind::Label,
        value,
        size: 1,
        is_seed: false,
    });
    let constant = (name(), prop_oneof![any::<i64>(), 0x1fe0..0x2000_i64, Just(i64::MIN)])
        .prop_map(|(name, value)| Symbol {
            name,
            kind: SymbolKind::Constant,
            value,
            size: 1,
            is_seed: false,
        });
    let variable = (name(), prop_oneof![0..40_i64, 0x1fd0..0x1fd5_i64], 0..12_u16).prop_map(
        |(name, value, size)| Symbol {
            name,
            kind: SymbolKind::Variable,
            value,
            size,
            is_seed: false,
        },
    );
    prop_oneof![label, constant, variable]
}

fn image() -> impl Strategy<Value = Image> {
    let runs = prop::collection::vec(
        (
            prop_oneof![0..60_usize, 0..8192_usize, 8180..8192_usize],
            prop::collection::vec(word(), 1..20),
        ),
        0..6,
    );
    let symbols = prop::collection::vec(symbol(), 0..12);
    (runs, symbols, prop::option::of(".{0,20}")).prop_map(|(runs, symbols, title)| {
        let mut words = vec![Word::ERASED; 8192];
        for (start, run) in runs {
            for (slot, word) in words[start..].iter_mut().zip(run) {
                *slot = word;
            }
        }
        let image = Image::from_words(&words).unwrap().with_title(title);
        // Names in an image are unique.
        let symbols: BTreeMap<String, Symbol> =
            symbols.into_iter().map(|symbol| (symbol.name.clone(), symbol)).collect();
        image.with_symbols(symbols.into_values().collect()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_disassembly_assembles_to_the_same_words(image in image()) {
        let source = disassemble(&image);
        let again = assembled(&source);
        prop_assert_eq!(again.words(), image.words(), "{}", source);
    }

    #[test]
    fn symbols_survive_disassembly(image in image()) {
        // After one round trip, source can define all remaining symbols.
        let first = assembled(&disassemble(&image));
        let second = assembled(&disassemble(&first));
        prop_assert_eq!(second.symbols(), first.symbols());
        prop_assert_eq!(second.title(), first.title());
    }
}

#[test]
fn every_word_can_be_disassembled() {
    // All 65,536 words, in blocks of one program memory.
    for block in 0..8 {
        let words: Vec<Word> = (0..0x2000_u16).map(|n| Word::from_bits(block << 13 | n)).collect();
        let image = Image::from_words(&words).unwrap();
        assert_eq!(assembled(&disassemble(&image)).words(), image.words());
    }
}

#[test]
fn a_disassembly_reads_like_formatted_source() {
    let source = "\
.title \"Count down\"

MAILBOX = 0x1fff
FIRST   = 7

.var count
.ram 0x0010
.var table, 8
.var behind

start:  LDI  0x07
        ST   count
again:  LD   table + 3
        ADD  count
        ST   MAILBOX
        JC   again
        JMP  L0008
        SHR
L0008:  HALT
        .word 0x0100
        .word 0xa001

.org 0x0100
a_long_name:
        JMP  start
";
    assert_eq!(
        disassemble(&assembled(source)),
        source
            .replace("0x1fff\nFIRST", "8191\nFIRST")
            .replace("MAILBOX = 8191\nFIRST   = 7", "FIRST   = 7\nMAILBOX = 8191")
    );
}

#[test]
fn a_disassembly_names_jump_targets_and_the_panel() {
    let data = |op, address| Word::data(op, RamAddr::truncate(address));
    let jump = |op, index| Word::jump(op, RomIndex::truncate(index));
    let words = [
        Word::ldi(5),
        data(Op::St, 0x1fe1),
        data(Op::St, 0x1fff),
        data(Op::Ld, 5),
        jump(Op::Jc, 1),
        jump(Op::Jc, 20),
        jump(Op::Jmp, 6),
    ];
    let expected = "\
GREEN   = 0x1fe0
MAILBOX = 0x1fff

        LDI  0x05
L0001:  ST   GREEN + 1
        ST   MAILBOX
        LD   0x0005
        JC   L0001
        JC   0x0014
        HALT
";
    assert_eq!(disassemble(&Image::from_words(&words).unwrap()), expected);
}

#[test]
fn a_label_at_the_end_of_memory_can_be_disassembled() {
    let label = |name: &str, value| Symbol {
        name: name.into(),
        kind: SymbolKind::Label,
        value,
        size: 1,
        is_seed: false,
    };
    let image = Image::from_words(&[Word::shr()]).unwrap();
    let image = image.with_symbols(vec![label("end", 8192), label("empty", 5)]).unwrap();
    let expected = "        SHR

.org 0x0005
empty:

.org 0x1fff
        .word 0xffff
end:
";
    assert_eq!(disassemble(&image), expected);
}

#[test]
fn a_title_keeps_the_characters_that_source_can_contain() {
    let image = Image::erased().with_title(Some("a\nb\0c\"d\\e\u{1b}f".to_owned()));
    let source = disassemble(&image);
    assert_eq!(source, ".title \"a\\nb\\0c\\\"d\\\\e\u{fffd}f\"\n");
    assert_eq!(assembled(&source).title(), Some("a\nb\0c\"d\\e\u{fffd}f"));
    let long = |length: usize| Image::erased().with_title(Some("é".repeat(length)));
    assert_eq!(disassemble(&long(501)), disassemble(&long(500)));
    assert_ne!(disassemble(&long(500)), disassemble(&long(499)));
}

#[test]
fn names_that_source_cannot_define_are_left_out() {
    let long = "n".repeat(500);
    let longer = "n".repeat(501);
    for (name, is_there) in [
        ("_1", true),
        ("Z_z9", true),
        (long.as_str(), true),
        (longer.as_str(), false),
        ("add", false),
        ("Halt", false),
        ("1a", false),
        ("@a", false),
        ("a b", false),
        ("aé", false),
        ("routine.x", false),
        ("#0x05", false),
    ] {
        let constant = Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Constant,
            value: 5,
            size: 1,
            is_seed: false,
        };
        let source = disassemble(&Image::erased().with_symbols(vec![constant]).unwrap());
        assert_eq!(source.contains(name), is_there, "{name}: {source}");
        assert_eq!(source.is_empty(), !is_there, "{name}: {source}");
    }
}

#[test]
fn a_disassembly_uses_the_names_of_the_program_for_the_panel() {
    let data = |op, address| Word::data(op, RamAddr::truncate(address));
    let constant = |name: &str, value| Symbol {
        name: name.to_owned(),
        kind: SymbolKind::Constant,
        value,
        size: 1,
        is_seed: false,
    };
    let words = [data(Op::St, 0x1fe9), data(Op::Ld, 0x1ffe), data(Op::St, 0x1fff)];
    let source = |symbols| {
        let image = Image::from_words(&words).unwrap();
        disassemble(&image.with_symbols(symbols).unwrap())
    };
    // An address with a single name keeps that name. With two names, it keeps neither. A usual
    // panel name that is already in use is not defined again.
    let named = source(vec![constant("QUEENS", 0x1fe8), constant("KEYS", 0x1ffe)]);
    assert!(named.contains("ST   QUEENS + 1") && named.contains("LD   KEYS"), "{named}");
    let twice = source(vec![constant("QUEENS", 0x1fe8), constant("LEDS", 0x1fe8)]);
    assert!(twice.contains("ST   0x1fe9"), "{twice}");
    let taken = source(vec![constant("RED", 5)]);
    assert!(taken.contains("ST   0x1fe9") && taken.contains("ST   MAILBOX"), "{taken}");
    assert!(!taken.contains("GREEN"), "{taken}");
}
