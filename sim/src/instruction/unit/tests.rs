//! Tests with another arithmetic unit: the fast engine must do what the chips do, or report that it
//! cannot.

use std::sync::LazyLock;

use gray1_isa::{Image, PowerUp, RamAddr, RomIndex, Word};
use proptest::prelude::*;

use super::*;
use crate::{BoardEngine, Engine as _, Machine};

fn load(text: &str) -> Board {
    Board::load(text, gray1_roms::parts(), |name| Err(format!("no file {name}"))).unwrap()
}

fn stock() -> Board {
    load(include_str!("../../../../roms/gray1.ron"))
}

/// Returns the stock board with another operation in place of `NAND`. `change` computes the result
/// from four bits of A and of the data byte.
fn with_nand_replaced(board: &Board, change: fn(u8, u8) -> u8) -> Board {
    ["ALUL", "ALUH"].into_iter().fold(board.clone(), |board, name| {
        let id = board.chip_named(name).unwrap();
        let chip = board.chip(id);
        let pins = slice(chip).unwrap();
        let mut contents = chip.contents().to_vec();
        for address in chip.addresses() {
            if pins.opcode.extract(address) == u32::from(Op::Nand.code()) {
                let [a, data] = [&pins.a, &pins.data].map(|field| field.extract(address) as u8);
                contents[address as usize] = pins.result.put(u32::from(change(a, data))) as u8;
            }
        }
        board.with_contents(id, contents).unwrap()
    })
}

fn xor_board() -> Board {
    with_nand_replaced(&stock(), |a, data| a ^ data)
}

#[test]
fn the_stock_unit_is_recognised_and_stays_native() {
    assert!(BurnedUnit::new(&stock(), &stock()).unwrap().is_stock());
    let program = Image::from_words(&[Word::shr()]).unwrap();
    let burned = stock().with_program(&program);
    assert!(BurnedUnit::new(&burned, &stock()).unwrap().is_stock(), "whatever the program");
}

/// The carry from `NAND` is not connected to C, so no instruction can see it.
#[test]
fn an_unused_carry_does_not_make_a_different_unit() {
    let stock = stock();
    let id = stock.chip_named("ALUH").unwrap();
    let chip = stock.chip(id);
    let pins = slice(chip).unwrap();
    let mut contents = chip.contents().to_vec();
    for address in chip.addresses() {
        if pins.opcode.extract(address) == u32::from(Op::Nand.code()) {
            contents[address as usize] ^= 1 << pins.carry_out;
        }
    }
    let board = stock.with_contents(id, contents).unwrap();
    assert!(BurnedUnit::new(&board, &stock).unwrap().is_stock());
}

#[test]
fn only_the_replaced_operation_becomes_a_table() {
    let unit = BurnedUnit::new(&xor_board(), &stock()).unwrap();
    let replaced: Vec<Op> =
        Op::ALL.into_iter().filter(|op| unit.tables[usize::from(op.code())].is_some()).collect();
    assert_eq!(replaced, [Op::Nand]);
    for a in 0..=u8::MAX {
        for data in 0..=u8::MAX {
            assert_eq!(unit.alu(Op::Nand, a, data, 0x5a), Alu { value: a ^ data, carry: false });
        }
    }
}

/// With one wrong entry, the result depends on both the data byte and the low byte of the operand.
#[test]
fn an_operation_that_depends_on_data_and_operand_is_refused() {
    let stock = stock();
    for name in ["ALUL", "ALUH"] {
        let id = stock.chip_named(name).unwrap();
        let pins = slice(stock.chip(id)).unwrap();
        for op in Op::ALL.into_iter().filter(|op| op.writes_a()) {
            for [a, data, operand, joint] in
                [[0, 0, 0, 0], [15, 0, 0, 1], [0, 15, 0, 1], [0, 0, 15, 0], [9, 6, 3, 1]]
            {
                let address = pins.opcode.put(u32::from(op.code()))
                    + pins.a.put(a)
                    + pins.data.put(data)
                    + pins.operand.put(operand)
                    + (joint << pins.joint);
                let board = stock.with_wrong_bits(id, address as usize, pins.result.put(8) as u8);
                let error = BurnedUnit::new(&board, &stock).unwrap_err();
                let wrong = format!(
                    "{op} depends on the data byte and on the operand's own low byte at once"
                );
                assert_eq!(error, wrong, "{name} {address:#x}");
            }
        }
    }
}

#[test]
fn boards_that_differ_in_other_chips_are_refused() {
    let refused = |board: &Board| BurnedUnit::new(board, &stock()).unwrap_err();
    let binary = load(include_str!("../../../../roms/binary-counter.ron"));
    assert_eq!(refused(&binary), "the board has other chips than the stock board");
    let buffer = stock().chip_named("BUF").unwrap();
    let changed = stock().with_wrong_bits(buffer, 7, 1);
    assert_eq!(refused(&changed), "the contents of BUF differ from those on the stock board");
    let text = include_str!("../../../../roms/gray1.ron");
    let renamed = text.replace("\"RST\"", "\"RESET\"");
    assert_eq!(refused(&load(&renamed)), "the board has other chips than the stock board");
    let rewired = text.replacen("\"FLAGS.1\", \"RST\", \"0\"", "\"FLAGS.1\", \"RST\", \"1\"", 1);
    assert_ne!(rewired, text);
    assert_eq!(refused(&load(&rewired)), "CTRL is not wired as on the stock board");
}

/// Generates programs that only jump forward, so they execute many different instructions.
fn programs() -> impl Strategy<Value = Vec<Word>> {
    let word = (0..6_u8, any::<u8>()).prop_map(|(code, x)| match Op::from_code(code) {
        Op::Ldi => Word::ldi(x),
        Op::Shr => Word::shr(),
        op => Word::data(op, RamAddr::truncate(u16::from(x % 8))),
    });
    prop::collection::vec(word, 1..60)
}

static XOR: LazyLock<(Board, BurnedUnit)> = LazyLock::new(|| {
    let board = xor_board();
    let unit = BurnedUnit::new(&board, &stock()).unwrap();
    (board, unit)
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..Default::default() })]

    #[test]
    fn with_another_unit_both_engines_agree(words in programs(), seed in any::<u64>()) {
        let image = Image::from_words(&words).unwrap();
        let power_up = PowerUp::Random(seed);
        let (board, unit) = &*XOR;
        let board = board.with_program(&image);
        let mut fast = Machine::new(&image, power_up).with_unit(unit.clone());
        let mut chips = BoardEngine::settled(&board, power_up).unwrap();
        let mut stepped = fast.clone();
        for _ in 0..words.len() {
            prop_assert_eq!(stepped.step(), chips.step());
            prop_assert_eq!(stepped.registers(), chips.registers());
        }
        fast.run(words.len() as u64);
        prop_assert_eq!(fast.ram(), stepped.ram());
        prop_assert_eq!((fast.a(), fast.carry()), (stepped.a(), stepped.carry()));
        prop_assert_eq!(fast.pc(), RomIndex::truncate(words.len() as u16));
    }
}

#[test]
fn a_program_for_another_unit_is_never_compiled() {
    let program = Image::from_words(&[Word::shr()]).unwrap();
    let unit = BurnedUnit::new(&xor_board(), &stock()).unwrap();
    let mut machine = Machine::new(&program, PowerUp::Zero).with_unit(unit);
    machine.run(1_000_000);
    assert!(machine.is_interpreted());
    // The unit of the stock board computes the same as machine code, so it is compiled unless that
    // is disabled.
    let unit = BurnedUnit::new(&stock(), &stock()).unwrap();
    let machine = Machine::new(&program, PowerUp::Zero).with_unit(unit);
    assert!(!machine.is_interpreted());
    assert!(machine.interpreted().is_interpreted());
}
