//! A board with wrong bits beside the same one by the plans of the right one.

use gray1_board::Board;
use gray1_isa::{SplitMix64, random_program};
use gray1_roms::{GRAY1, load};

use super::*;
use crate::testing::{random_contents, settled, settled_at_random};
use crate::{ChipState, Circuit, Settled};

/// The plans of a board, none made yet.
fn plans(board: &Board) -> CompiledPlans {
    CompiledPlans::of(Wiring::new(board)).unwrap()
}

/// One address of an open latch is wrong, at which it is hardly ever: not one edge has to do
/// without a plan, and the board does what the right one does.
#[test]
fn a_wrong_bit_that_is_not_met_does_not_matter() {
    let random = &mut SplitMix64::new(4);
    for (name, address) in [("AM", 0x1_a55a), ("IRL", 0x1_8b20), ("PCH", 0x4191)] {
        let program = random_program(random);
        let stock = load(GRAY1).unwrap().with_program(&program);
        let chip = stock.chip_named(name).unwrap();
        let faulty = stock.with_wrong_bits(chip, address, 1);
        let mut right = settled(&stock, &program, random_contents(random));
        let mut powered = Powered::new(&faulty, right.memory());
        powered.outputs = right.shown_now();
        let mut model = Model::new(&plans(&stock), &powered.wiring).unwrap();
        for edge in 0..2000 {
            assert!(model.edge(&mut powered), "{name}, edge {edge}");
            powered.outputs = model.plans.complete(&powered);
            right.edge().unwrap();
            assert_eq!(powered.outputs, right.shown_now(), "{name}, edge {edge}");
            assert_eq!(powered.image.memory(), right.memory(), "{name}, edge {edge}");
        }
    }
}

#[test]
fn a_model_differs_at_sixteen_addresses_at_most() {
    let stock = load(GRAY1).unwrap();
    let chip = stock.chip_named("ALUL").unwrap();
    let mut contents = stock.chip(chip).contents().to_vec();
    for count in 1..=DIFFERENCES_MAX + 1 {
        contents[0x100 * count] ^= 1;
        let faulty = Wiring::new(&stock.with_contents(chip, contents.clone()).unwrap());
        let model = Model::new(&plans(&stock), &faulty);
        assert_eq!(model.is_some(), count <= DIFFERENCES_MAX, "{count}");
    }
}

#[test]
fn a_model_has_the_same_wires() {
    let stock = load(GRAY1).unwrap();
    for (old, new) in [
        (r#"["AS.0-7", "0", "0", "0"]"#, r#"["AS.0-7", "0", "1", "0"]"#),
        (r#"address: ["OPERAND"]"#, r#"address: ["IRH.0-4", "IRL.0-7"]"#),
    ] {
        assert!(GRAY1.contains(old), "{old}");
        let other = Wiring::new(&load(&GRAY1.replace(old, new)).unwrap());
        assert!(Model::new(&plans(&stock), &other).is_none(), "{new}");
    }
    assert!(Model::new(&plans(&stock), &Wiring::new(&stock)).is_some());
}

/// Wrong bits of every chip that remembers, where programs come across them: with a model and
/// without, each edge ends alike, or the board comes to rest on neither.
#[test]
fn a_wrong_bit_that_is_met_shows_as_it_does_without_a_model() {
    let random = &mut SplitMix64::new(12);
    let stock = load(GRAY1).unwrap();
    let (mut met, mut restless) = (0, 0);
    for name in ["AM", "AS", "FLAGS", "IRH", "IRL", "PCH", "PCL", "ALUL", "ALUH"] {
        let chip = stock.chip_named(name).unwrap();
        for _ in 0..4 {
            let start = settled_at_random(&stock, random);
            let stock = start.board().clone();
            // What the chip looks up some way on is where the bit is wrong.
            let node = Wiring::chip(chip);
            let mut scout = start.clone();
            scout.edges(random.below(400) as u32).unwrap();
            let address = Wiring::new(&stock).address(node, &scout.shown_now()) as usize;
            let pins = stock.chip(chip).data().len() as u64;
            let faulty = stock.with_wrong_bits(chip, address, 1 << random.below(pins));
            let state = ChipState::of(&start);
            let Ok(mut slow) = Settled::new(&faulty, &state) else { continue };
            let mut right = Settled::new(&stock, &state).unwrap();
            let mut fast = slow.clone().with_model(&right);
            let mut differs = false;
            for edge in 0..500 {
                let (one, other) = (slow.edge(), fast.edge());
                assert_eq!(one.is_ok(), other.is_ok(), "{name} {address:x}, edge {edge}");
                if one.is_err() {
                    restless += 1;
                    break;
                }
                assert_eq!(slow.shown_now(), fast.shown_now(), "{name} {address:x} {edge}");
                assert_eq!(slow.memory(), fast.memory(), "{name} {address:x}, edge {edge}");
                right.edge().unwrap();
                differs |= slow.shown_now() != right.shown_now();
            }
            met += u32::from(differs);
        }
    }
    assert!(met > 9 && restless > 0, "{met} boards differ, {restless} are restless");
}
