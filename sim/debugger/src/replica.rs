//! A replica shows wires for an engine without wires. It is a board that is set to the engine's
//! state, as if it had run the program itself.

use std::sync::Arc;

use super::recorder::{RecentSteps, RecordedStep};
use gray1_board::Board;
use gray1_board::phase::Phase;
use gray1_circuit::nodes::wiring::Outputs;
use gray1_circuit::registers::{CounterWires, RegisterProbes};
use gray1_circuit::{Circuit, Settled};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Image, PowerUp, Word};
use gray1_sim::BoardEngine;
use gray1_sim::Registers;
use gray1_sim::engine::Engine;

/// Loads the board for the replica of an engine without wires. The board must run and have its
/// registers in latches and counters. This holds for every board whose programs run on an engine
/// without wires.
pub type BoardLoader = Box<dyn Fn() -> Board + Send>;

/// A board that has a program and can be set to any state, as often as needed.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) board: Arc<Board>,
    circuit: Settled,
    /// The outputs of the chips in T0 of an instruction.
    settled: Outputs,
    registers: RegisterProbes,
    counters: Vec<CounterWires>,
}

impl Replica {
    /// Powers up the board with a program, and finds its registers.
    ///
    /// # Panics
    /// If the board does not run, or does not have its registers in latches and counters.
    pub(super) fn new(board: Board, program: &Image) -> Self {
        let engine = BoardEngine::settled(&board.with_program(program), PowerUp::Zero);
        let mut engine = engine.expect("the board next to an engine runs");
        // A reset ends in T1. The first instruction leads from there to T0 of the next one.
        engine.step();
        let circuit = engine.into_circuit();
        let registers = RegisterProbes::find(&circuit).expect("its registers are latches");
        let counters = CounterWires::find(&circuit).expect("its program counter is counters");
        let settled = circuit.all_outputs();
        Self { board: Arc::new(board), circuit, settled, registers, counters }
    }

    /// Returns the levels of all wires at the position of an engine, by
    /// [`NetId::index`](gray1_board::NetId::index). `last` is the last executed instruction.
    pub(super) fn levels(&mut self, engine: &dyn Engine, last: Word) -> Vec<bool> {
        // A whole instruction takes effect at its last edge, so the engine still has its state from
        // the start.
        self.in_phase(engine.phase().number(), engine.registers(), engine.ram(), last)
    }

    /// Returns the levels before the last edge, or `None` just after a reset and at the end of a
    /// program.
    pub(super) fn levels_before(
        &mut self,
        engine: &dyn Engine,
        recent: &RecentSteps,
    ) -> Option<Vec<bool>> {
        if engine.edges() > 0 {
            let (phase, registers) = (engine.phase().number() - 1, engine.registers());
            return Some(self.in_phase(phase, registers, engine.ram(), recent.last()));
        }
        let newest = *recent.newest()?;
        let RecordedStep { index: pc, a, carry, .. } = newest;
        let mut memory = Box::new(*engine.ram());
        if let Some(write) = newest.write {
            memory[write.address.to_usize()] = write.old;
        }
        let registers = Registers { a, carry, pc };
        Some(self.in_phase(Phase::COUNT - 1, registers, &memory, recent.before_newest()))
    }

    /// Returns the levels of all wires in a phase of an instruction. The other arguments are the
    /// state at the start of the instruction, and the previous instruction, which the instruction
    /// register still holds.
    fn in_phase(
        &mut self,
        phase: u32,
        Registers { a, carry, pc }: Registers,
        memory: &[u8; RAM_BYTES],
        last: Word,
    ) -> Vec<bool> {
        let code = self.board.code();
        let mut levels = self.registers.levels_for(a, carry, last.bits()).to_vec();
        levels.extend(self.counters.iter().map(|counter| counter.levels_for(pc, code)));
        self.circuit.set_outputs(&self.settled, &levels);
        self.circuit.set_memory(memory);
        let settled = self.circuit.edges(phase);
        settled.expect("the board comes to rest in every phase of every program");
        self.circuit.levels()
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::{SplitMix64, random_program};
    use gray1_roms::{BINARY_COUNTER, GRAY1, GRAY1_B, load};
    use gray1_sim::Machine;

    use super::*;

    /// Runs a board with a program, and compares it in each phase with a replica for an engine that
    /// runs the same program.
    fn follow(board: &Board, random: &mut SplitMix64, instructions: u32) {
        let program = random_program(random);
        let power_up = PowerUp::Random(random.next());
        let mut machine = Machine::new(&program, power_up);
        let running = BoardEngine::settled(&board.with_program(&program), power_up).unwrap();
        let mut running = running.into_circuit();
        let mut replica = Replica::new(board.clone(), &program);
        let (mut last, mut executed) = (Word::ldi(0), 0);
        while executed < instructions {
            let levels = replica.levels(&machine, last);
            let names = board.net_ids().zip(running.levels()).zip(levels);
            let wrong: Vec<&str> = names
                .filter(|((_, is), shown)| is != shown)
                .map(|((net, _), _)| board.net(net).name())
                .collect();
            assert!(wrong.is_empty(), "{wrong:?} after {executed}, {}", machine.phase());
            running.edge().unwrap();
            if let Some(step) = machine.edge() {
                (last, executed) = (step.word, executed + 1);
                // The hardware continues at the end of a program.
                if machine.halted() {
                    machine.load(machine.registers());
                }
            }
        }
    }

    #[test]
    fn a_replica_shows_the_same_levels_as_the_running_board() {
        let random = &mut SplitMix64::new(1);
        for text in [GRAY1, BINARY_COUNTER, GRAY1_B] {
            let board = load(text).unwrap();
            for _ in 0..10 {
                follow(&board, random, 100);
            }
        }
    }
}
