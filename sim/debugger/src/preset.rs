//! Brings a board to a given architectural state, as if it had run there: what the instruction
//! engine knows of a machine, on the wires of every chip.

use std::ops::Range;

use gray1_board::Board;
use gray1_circuit::nodes::wiring::Outputs;
use gray1_circuit::registers::{CounterWires, RegisterProbes};
use gray1_circuit::{Circuit, Settled};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::{Image, PowerUp, RomIndex, Word};
use gray1_sim::Computer;
use gray1_sim::engine::{Engine, EngineError};

/// The state of the machine between two instructions: all that a board remembers in T0.
#[derive(Debug, Clone, Copy)]
pub struct ArchitecturalState<'a> {
    /// The index of the instruction that comes next.
    pub pc: RomIndex,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub carry: bool,
    /// Data memory.
    pub memory: &'a [u8; RAM_BYTES],
    /// The instruction that was executed last: the instruction register still holds it.
    pub last: Word,
}

/// A board that can be brought to any architectural state, any number of times.
#[derive(Debug)]
pub struct Preset {
    circuit: Settled,
    /// The bytes that the chips show in T0 of some instruction.
    at_rest: Outputs,
    registers: RegisterProbes,
    counters: Vec<CounterWires>,
}

/// Why a board cannot be preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// It does not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It has no such register, or the register is not made of latches and counters.
    #[error("no latch or counter of the board is known to hold {0}")]
    Unknown(&'static str),
}

impl Preset {
    /// Powers a board up and finds its registers.
    ///
    /// # Errors
    /// If the board does not run, or keeps its registers in another way.
    pub fn new(board: &Board) -> Result<Self, PresetError> {
        // The instruction at 0 brings it from reset, which ends in T1, to T0 of the next one.
        let mut computer = Computer::settled(board, PowerUp::Zero)?;
        computer.step();
        if let Some(error) = computer.error() {
            return Err(error.clone().into());
        }
        let circuit = computer.into_circuit();
        let registers = RegisterProbes::of(&circuit).map_err(PresetError::Unknown)?;
        let counters = CounterWires::of(&circuit).map_err(PresetError::Unknown)?;
        Ok(Self { at_rest: circuit.shown_now(), registers, counters, circuit })
    }

    /// Puts another program into its socket.
    pub fn insert(&mut self, program: &Image) {
        self.circuit.insert(self.circuit.board().with_program(program));
    }

    /// The levels of all wires, by [`NetId::index`](gray1_board::NetId::index), in phases of the
    /// instruction that comes next, by their numbers.
    ///
    /// # Panics
    /// If wires do not come to rest, as they do on a board that passes the proofs.
    pub fn levels(&mut self, state: &ArchitecturalState<'_>, phases: Range<u32>) -> Vec<Vec<bool>> {
        const PROVEN: &str = "the board comes to rest in every phase of every program";
        let circuit = self.at(state);
        circuit.edges(phases.start).expect(PROVEN);
        let first = phases.start;
        let levels = phases.map(|phase| {
            circuit.edges(u32::from(phase > first)).expect(PROVEN);
            circuit.levels()
        });
        levels.collect()
    }

    /// Brings the board to T0 before an instruction.
    fn at(&mut self, state: &ArchitecturalState<'_>) -> &mut dyn Circuit {
        let code = self.circuit.board().code();
        let mut levels = self.registers.holding(state.a, state.carry, state.last.bits()).to_vec();
        levels.extend(self.counters.iter().map(|counter| counter.holding(state.pc, code)));
        self.circuit.place(&self.at_rest, &levels);
        self.circuit.set_memory(state.memory);
        &mut self.circuit
    }
}

#[cfg(test)]
mod tests {
    use gray1_isa::{SplitMix64, random_program};
    use gray1_roms::{BINARY_COUNTER, GRAY1, GRAY1_B, load};
    use gray1_sim::{Machine, Registers};

    use super::*;

    /// All wires and data memory.
    fn seen(circuit: &dyn Circuit) -> (Vec<bool>, Vec<u8>) {
        (circuit.levels(), circuit.memory().to_vec())
    }

    /// Runs a board with a program, and compares the preset one with it after each instruction and
    /// in each phase of the next one.
    fn follow(board: &Board, preset: &mut Preset, random: &mut SplitMix64, steps: u32) {
        let program = random_program(random);
        let power_up = PowerUp::Random(random.next());
        let mut machine = Machine::new(&program, power_up);
        let running = Computer::settled(&board.with_program(&program), power_up).unwrap();
        let mut running = running.into_circuit();
        preset.insert(&program);
        let mut last = Word::ldi(0);
        for n in 0..steps {
            let registers = machine.registers();
            // The hardware goes on at the end of a program.
            machine.load(registers);
            let Registers { a, carry, pc } = registers;
            let state = ArchitecturalState { pc, a, carry, memory: machine.ram(), last };
            let preset = preset.at(&state);
            if n == 0 {
                // Reset has ended in T1.
                preset.edge().unwrap();
            }
            for phase in u32::from(n == 0)..8 {
                let names = board.net_ids().zip(seen(&running).0).zip(seen(preset).0);
                let wrong: Vec<&str> = names
                    .filter(|((_, is), preset)| is != preset)
                    .map(|((net, _), _)| board.net(net).name())
                    .collect();
                assert!(wrong.is_empty(), "{wrong:?} before {n}, {last:?}, T{phase}");
                assert_eq!(seen(&running).1, seen(preset).1, "before {n}, T{phase}");
                running.edge().unwrap();
                preset.edge().unwrap();
            }
            last = machine.step().unwrap().word;
        }
    }

    #[test]
    fn a_preset_board_is_where_the_running_one_is() {
        let random = &mut SplitMix64::new(1);
        for text in [GRAY1, BINARY_COUNTER, GRAY1_B] {
            let board = load(text).unwrap();
            let mut preset = Preset::new(&board).unwrap();
            for _ in 0..10 {
                follow(&board, &mut preset, random, 100);
            }
        }
    }

    #[test]
    fn a_board_without_a_known_accumulator_cannot_be_preset() {
        let text = GRAY1.replace(
            r#"does: Latches([(enable: "AS_EN", d: ["AM.0-7"], q: ["AS.0-7"])])"#,
            r#"does: Table, contents: File("as")"#,
        );
        let contents = |_: &str| {
            let latch = |address: u32| {
                if address >> 16 & 1 == 1 { address as u8 } else { (address >> 8) as u8 }
            };
            Ok((0..1 << 17).map(latch).collect())
        };
        let board = Board::load(&text, gray1_roms::parts(), contents).unwrap();
        assert_eq!(Preset::new(&board).unwrap_err(), PresetError::Unknown("A"));
    }
}
