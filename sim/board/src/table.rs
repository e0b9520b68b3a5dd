//! The contents of a chip as a table: finds the address pins that affect its data pins.
//!
//! It only compares contents. The role of the chip does not matter.

use crate::chip::Chip;
use crate::role::{AluSlice, Field};

/// Returns every subset of some pins, as masks in ascending order.
pub fn subsets(pins: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(0u32), move |set| {
        (*set != pins).then(|| set.wrapping_sub(pins) & pins)
    })
}

/// Returns whether there are levels of `others` for which the output depends on the levels of
/// `pins`. `show` computes the output from a mask of the high pins.
pub fn depends_on<T: PartialEq>(pins: u32, others: u32, show: impl Fn(u32) -> T) -> bool {
    subsets(others & !pins).any(|at| subsets(pins).any(|own| show(at | own) != show(at)))
}

/// Returns the inputs of half an arithmetic unit that, for this opcode, affect any of the data pins
/// in `data`. The result is a mask of address pins.
pub fn alu_inputs(chip: &Chip, slice: &AluSlice, opcode: u32, data: u32) -> u32 {
    let inputs = [&slice.a, &slice.data, &slice.operand].map(Field::mask);
    let all = inputs.iter().fold(1 << slice.joint, |all, input| all | input);
    let fixed = opcode | chip.tied().levels;
    let inputs = inputs.into_iter().chain([1 << slice.joint]);
    let inputs = inputs.filter(|input| {
        depends_on(*input, all, |pins| u32::from(chip.contents()[(fixed | pins) as usize]) & data)
    });
    inputs.fold(0, |seen, input| seen | input)
}

/// Returns the entries of a table for which all address pins except the `free` ones have these
/// levels.
pub fn cut(contents: &[u8], free: u32, levels: u32) -> Vec<u8> {
    // The levels above the highest free pin are fixed, so they select one contiguous part of the
    // table.
    let pins = u32::BITS - free.leading_zeros();
    let part = &contents[(levels >> pins << pins) as usize..][..1 << pins];
    (0..pins).rev().filter(|pin| free >> pin & 1 == 0).fold(part.to_vec(), |table, pin| {
        let half = 1 << pin;
        let kept = table.chunks_exact(half).skip((levels >> pin & 1) as usize).step_by(2);
        kept.collect::<Vec<_>>().concat()
    })
}

/// Returns, for each address pin of a table, the data pins that it changes at one or more
/// combinations of levels of the other address pins.
pub fn moved_by_each_pin(table: &[u8]) -> impl Iterator<Item = u8> {
    let any = table.iter().fold(0, |any, shown| any | shown ^ table[0]);
    (0..table.len().ilog2()).map(move |pin| moved_by(table, pin, any))
}

/// Returns the data pins that one address pin changes. `any` has the data pins that can change at
/// all.
fn moved_by(table: &[u8], pin: u32, any: u8) -> u8 {
    let half: usize = 1 << pin;
    let mut moved = 0;
    // Longer blocks are faster to compare.
    for block in table.chunks(half.max(1 << 8) * 2) {
        let pairs = block.chunks_exact(2 * half).map(|pair| pair.split_at(half));
        moved |= pairs.fold(0, |moved, (low, high)| moved | difference(low, high));
        if moved == any {
            break;
        }
    }
    moved
}

/// Returns the data pins that differ anywhere between two tables.
#[inline]
fn difference(low: &[u8], high: &[u8]) -> u8 {
    low.iter().zip(high).fold(0, |pins, (low, high)| pins | low ^ high)
}

#[cfg(test)]
mod tests {
    use gray1_isa::SplitMix64;

    use super::*;

    #[test]
    fn cutting_a_table_keeps_the_selected_addresses() {
        let random = &mut SplitMix64::new(7);
        for _ in 0..500 {
            let pins = 1 + random.below(10) as u32;
            let contents: Vec<u8> = (0..1 << pins).map(|_| random.byte()).collect();
            let free = random.next() as u32 & ((1 << pins) - 1);
            let levels = random.next() as u32 & ((1 << pins) - 1) & !free;
            let addresses: Vec<u32> = (0..1 << pins).filter(|at| at & !free == 0).collect();
            assert_eq!(subsets(free).collect::<Vec<u32>>(), addresses);
            let left = addresses.iter().map(|at| contents[(at | levels) as usize]);
            assert_eq!(cut(&contents, free, levels), left.collect::<Vec<u8>>(), "{free:b}");
        }
    }

    #[test]
    fn a_pin_matters_if_it_changes_the_output_for_any_levels_of_the_others() {
        let shows = |at: u32| at & 0b101 == 0b101;
        assert!(depends_on(0b001, 0b111, shows) && depends_on(0b100, 0b111, shows));
        assert!(!depends_on(0b010, 0b111, shows));
        assert!(!depends_on(0b001, 0b011, shows), "while pin 2 is low");
    }
}
