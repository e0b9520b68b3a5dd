//! Compares an instruction on a faulty board with the same instruction on a correct board, which
//! starts in the same state, has no delays, and has chips whose contents are generated from their
//! rules.

use gray1_board::{Board, ChipId};
use gray1_circuit::Circuit;
use gray1_isa::{Word, Write};
use gray1_sim::BoardEngine;
use gray1_sim::Registers;
use gray1_sim::engine::Engine;

use super::fact::{Cell, Deviation, Subject};
use crate::history::History;
use crate::recorder::RecordedStep;

/// Returns true if a recorded instruction with these writes did what [`Op`](gray1_isa::Op) defines.
/// `word` is the program's word at its index.
pub(super) fn keeps_to_program(
    step: &RecordedStep,
    writes: impl Iterator<Item = Write>,
    word: Word,
) -> bool {
    let op = word.op();
    let result = op.alu(step.a, step.data, word.immediate());
    let registers = Registers {
        a: if op.writes_a() { result.value } else { step.a },
        carry: if op.writes_carry() { result.carry } else { step.carry },
        pc: word.next(step.index, step.carry),
    };
    let should_write = op.writes_memory().then(|| (word.address(), step.a));
    let writes = writes.map(|write| (write.address, write.new));
    step.word == word && step.after == registers && writes.eq(should_write)
}

/// Executes the instruction at a moment on a faulty board, and on the same board with contents that
/// are generated from its rules. Returns the deviation if the subject has different values
/// afterwards.
pub(super) fn find_deviation(
    history: &History,
    by_rule: &Board,
    moment: u64,
    subject: Subject,
) -> Option<Deviation> {
    let mut machine = history.replay_at(moment).engine;
    let mut should = BoardEngine::settled_from(by_rule, machine.circuit()?).ok()?;
    let mut chip = None;
    let mut is_complete = [false; 2];
    while is_complete != [true; 2] {
        if !is_complete[0] {
            is_complete[0] = machine.edge().is_some() || machine.halted();
        }
        if !is_complete[1] {
            is_complete[1] = should.edge().is_some() || should.halted();
        }
        if chip.is_none() {
            let wrong = first_wrong_chip(machine.circuit()?, should.circuit()?);
            chip = wrong.map(|chip| (chip, should.phase()));
        }
    }
    let correct = value(&should, subject);
    (value(&*machine, subject) != correct).then_some(Deviation { should: correct, chip })
}

/// Returns the value of a subject. For an execution, this is the index of the next instruction.
fn value(engine: &dyn Engine, subject: Subject) -> u16 {
    match subject {
        Subject::Bits(Cell::A, mask) => (engine.a() & mask).into(),
        Subject::Bits(Cell::Carry, _) => engine.carry().into(),
        Subject::Bits(Cell::Byte(byte), mask) | Subject::Change(byte, mask) => {
            (engine.ram()[byte.to_usize()] & mask).into()
        }
        Subject::Executed(_) | Subject::Visit(_) | Subject::Skipped(_) => engine.pc().get(),
    }
}

/// Finds the chip that most likely caused the others to be wrong. A chip is wrong if one of its
/// outputs is wrong. Returns the first of these that exists, or else any wrong chip:
///
/// - a chip with wrong contents at its address
/// - a wrong chip that has just glitched, or any chip that has just glitched and drives a wrong one
/// - a wrong chip with correct inputs, none of which is driven by another wrong chip with correct
///   inputs
///
/// A wrong byte in data memory counts as a wrong output.
fn first_wrong_chip(is: &dyn Circuit, should: &dyn Circuit) -> Option<ChipId> {
    let board = is.board();
    let is_memory_wrong = is.memory() != should.memory();
    let mut wrong: Vec<ChipId> = board.chip_ids().collect();
    wrong.retain(|id| {
        is.shown(*id) != should.shown(*id) || is_memory_wrong && *id == board.memory()
    });
    let glitched: Vec<ChipId> = board.chip_ids().filter(|id| is.has_glitched(*id)).collect();
    let inputs = |id: ChipId| {
        let chip = board.chip(id);
        chip.inputs().map(|(_, net)| net).filter(|net| !chip.data.contains(net))
    };
    let drives = |one: ChipId, other| inputs(other).any(|net| board.chip(one).data.contains(&net));
    let mut suspects = wrong.clone();
    suspects.retain(|id| inputs(*id).all(|net| is.level(net) == should.level(net)));
    wrong
        .iter()
        .find(|id| has_wrong_contents(**id, is, should))
        .or_else(|| wrong.iter().find(|id| glitched.contains(id)))
        .or_else(|| wrong.iter().find_map(|id| glitched.iter().find(|other| drives(**other, *id))))
        .or_else(|| {
            suspects
                .iter()
                .find(|id| suspects.iter().all(|other| other == *id || !drives(*other, **id)))
        })
        .or(wrong.first())
        .copied()
}

/// Returns true if the contents of a chip at its present address are wrong.
fn has_wrong_contents(id: ChipId, is: &dyn Circuit, should: &dyn Circuit) -> bool {
    let address = is.board().chip(id).address_at(|net| is.level(net)) as usize;
    let byte = |circuit: &dyn Circuit| circuit.board().chip(id).contents().get(address).copied();
    byte(is) != byte(should)
}
