//! What a settled circuit keeps, and what it forgets.

use gray1_isa::panel::MAILBOX;
use gray1_isa::{Image, Op, RomIndex, Word};

use super::*;
use crate::computer::reference::{GRAY1, board, settled};
use crate::power_up::PowerUp;

/// Loads A again and again, from T0 on.
fn loading(byte: u8) -> Settled {
    let words = [Word::ldi(byte), Word::jump(Op::Jmp, RomIndex::default())];
    let program = Image::from_words(&words).unwrap();
    let mut circuit = settled(&board(GRAY1), &program, PowerUp::Zero.contents()).into_circuit();
    circuit.edges(7).unwrap();
    circuit
}

fn a(circuit: &Settled) -> u32 {
    circuit.read(&circuit.probe(&circuit.board().probes().a))
}

#[test]
fn what_follows_from_the_program_is_forgotten_as_it_changes() {
    let mut circuit = loading(0x11);
    assert_eq!(circuit.run_cycles(20, MAILBOX, |_| false), 20);
    assert!(circuit.knows_cycles() && a(&circuit) == 0x11);
    // The low byte of the first instruction.
    circuit.burn_byte(1, 0x22);
    assert!(!circuit.knows_cycles());
    assert_eq!(circuit.run_cycles(20, MAILBOX, |_| false), 20);
    assert_eq!(a(&circuit), 0x22);
    // Edges for which all orders were tried.
    let mut circuit = circuit.without_plans();
    for byte in [0x22, 0x33, 0x33, 0x44] {
        circuit.burn_byte(1, byte);
        circuit.edges(32).unwrap();
        assert_eq!(a(&circuit), u32::from(byte));
    }
}

#[test]
fn reset_moves_to_the_other_level_only() {
    let mut circuit = loading(0x11);
    let reset = circuit.board().reset();
    for high in [false, true, true, false, false] {
        circuit.set_reset(high).unwrap();
        assert_eq!(circuit.level(reset), high);
    }
}

#[test]
fn a_snapshot_holds_wires_memory_and_what_was_written() {
    let words =
        [Word::data(Op::St, MAILBOX), Word::ldi(7), Word::jump(Op::Jmp, RomIndex::default())];
    let program = Image::from_words(&words).unwrap();
    let mut circuit = settled(&board(GRAY1), &program, PowerUp::Ones.contents()).into_circuit();
    circuit.edges(9).unwrap();
    let (saved, levels, writes) = (circuit.save(), circuit.levels(), circuit.writes().to_vec());
    assert_eq!(writes, [Write { address: MAILBOX, old: 0xff, new: 0xff }]);
    circuit.edges(29).unwrap();
    assert_ne!(circuit.save(), saved);
    circuit.restore(&saved);
    assert_eq!((circuit.levels(), circuit.writes()), (levels, &writes[..]));
    assert_eq!(circuit.save(), saved);
}
