//! States that go together against the same ones by themselves.

use std::collections::BTreeSet;

use gray1_board::Board;
use gray1_board::phase::Phase;
use gray1_isa::{Image, Op, RamAddr, SplitMix64, Word};
use gray1_roms::{BINARY_COUNTER, GRAY1, load};

use super::*;
use crate::nodes::wiring::Wiring;
use crate::registers::RegisterProbes;
use crate::testing::{random_contents, settled, settled_at_random};
use crate::{Circuit, Settled};

/// What a state starts with: A, the carry, and the instruction register.
type Start = (u8, bool, Word);

/// Lets a board go on from these states, all together and each by itself; returns how many edges
/// they went together.
fn compare(mut circuit: Settled, states: &mut Batch, starts: &[Start], limit: u32) -> u32 {
    let registers = RegisterProbes::of(&circuit).unwrap();
    let shown = circuit.shown_now();
    states.clear();
    let mut alone = Vec::new();
    for (state, &(a, carry, word)) in starts.iter().enumerate() {
        let levels = registers.holding(a, carry, word.bits());
        states.push(&shown, &levels);
        assert_eq!(registers.instruction_in(states, state), word.bits());
        circuit.place(&shown, &levels);
        alone.push(circuit.clone());
    }
    let edges = circuit.edges_together(limit, states);
    assert!(edges <= limit);
    for one in &mut alone {
        one.edges(edges).unwrap();
    }
    // These decide where the sequencer stands.
    let decide = ["PHASE", "CTRL", "IRH", "FLAGS"].map(|name| circuit.board().chip_named(name));
    let are_alike = decide.iter().all(|chip| states.is_alike(Wiring::chip(chip.unwrap())));
    let stand = alone[0].stand_now().filter(|_| are_alike);
    assert_eq!(states.index(), stand, "after {edges} edges");
    for (node, column) in states.shown.iter().enumerate() {
        let shown: BTreeSet<&u8> = column[..starts.len()].iter().collect();
        assert_eq!(states.is_alike(node), shown.len() <= 1, "node {node}, {edges} edges");
    }
    let memory = *circuit.memory();
    for (state, alone) in alone.iter_mut().enumerate() {
        *circuit.memory_mut() = memory;
        circuit.go_on_from(states, state);
        assert_eq!(circuit.shown_now(), alone.shown_now(), "state {state}, {edges} edges");
        assert!(circuit.memory() == alone.memory(), "state {state}, {edges} edges");
        assert_eq!(circuit.writes(), alone.writes(), "state {state}, {edges} edges");
        // It knows where it stands.
        assert_eq!(circuit.edges(1), alone.edges(1));
        assert_eq!(circuit.shown_now(), alone.shown_now(), "state {state}, then one more");
    }
    edges
}

/// Up to twenty states that differ in A and the low byte of the operand, now and then in the carry
/// or the opcode.
fn random_starts(circuit: &Settled, random: &mut SplitMix64) -> Vec<Start> {
    let registers = RegisterProbes::of(circuit).unwrap();
    let word = registers.instruction(circuit);
    let carry = circuit.read(&registers.carry) == 1;
    let (mixes_carry, mixes_op) = (random.below(8) == 0, random.below(8) == 0);
    let count = 1 + random.below(20);
    let start = |_| {
        let number = random.next() as u16;
        let op = if mixes_op { number & 0xe000 } else { 0 };
        let word = Word::from_bits((word & 0xff00 | number & 0xff) ^ op);
        (random.byte(), carry ^ (mixes_carry && random.coin()), word)
    };
    (0..count).map(start).collect()
}

/// Compares at 64 moments in which all latches are closed; returns how many edges the states
/// went together in all.
fn compare_often(board: &Board) -> u32 {
    let random = &mut SplitMix64::new(7);
    let mut edges = 0;
    for _ in 0..8 {
        let mut circuit = settled_at_random(board, random);
        let mut states = circuit.new_batch();
        for _ in 0..8 {
            circuit.edges(Phase::COUNT * random.below(4) as u32).unwrap();
            let starts = random_starts(&circuit, random);
            edges += compare(circuit.clone(), &mut states, &starts, random.below(20) as u32);
        }
    }
    edges
}

#[test]
fn states_go_together_as_they_would_alone() {
    for text in [GRAY1, BINARY_COUNTER] {
        assert!(compare_often(&load(text).unwrap()) > 300, "most of the edges");
    }
}

/// A's master opens early in an ADD; a sum is wrong.
#[test]
fn so_they_do_on_faulty_boards() {
    let stock = load(GRAY1).unwrap();
    for (name, address, bits) in [("CTRL", 0x1e, 4), ("ALUL", 0x3123, 1)] {
        let chip = stock.chip_named(name).unwrap();
        assert!(compare_often(&stock.with_wrong_bits(chip, address, bits)) > 300, "{name}");
    }
}

/// States share a data memory, so they part before one would look for a byte that it has written,
/// or write a second one.
#[test]
fn states_go_together_up_to_what_depends_on_a_byte_that_was_written() {
    let [ldi, jc] = [Word::ldi(1), Word::jump(Op::Jc, gray1_isa::RomIndex::default())];
    let of = |op, cell| Word::data(op, RamAddr::truncate(cell));
    let programs = [
        ([of(Op::St, 5), ldi, ldi], 24),
        ([of(Op::St, 5), of(Op::Ld, 5), ldi], 11),
        ([of(Op::St, 5), of(Op::Nand, 6), ldi], 11),
        ([of(Op::St, 5), of(Op::St, 6), ldi], 12),
        ([of(Op::Ld, 5), of(Op::Ld, 6), of(Op::Ld, 5)], 24),
        ([of(Op::Ld, 5), of(Op::St, 5), ldi], 24),
        ([of(Op::Add, 5), ldi, jc], 6),
    ];
    let together = programs.map(|(words, _)| {
        let program = Image::from_words(&words).unwrap();
        let contents = random_contents(&mut SplitMix64::new(1));
        let circuit = settled(&load(GRAY1).unwrap(), &program, contents);
        let starts = [0x00, 0x55, 0xfe].map(|a| (a, false, Word::ldi(0)));
        let mut states = circuit.new_batch();
        let edges = compare(circuit.clone(), &mut states, &starts, 24);
        // No states, no edges.
        states.clear();
        assert_eq!(circuit.clone().edges_together(24, &mut states), 0);
        edges
    });
    assert_eq!(together, programs.map(|(_, edges)| edges));
}
