//! The chips of the board at the present moment: what every line carries, what moved in this step
//! and why.

mod cursor;
mod lines;
mod why;

use std::sync::Arc;

use gray1_isa::RomIndex;
use gray1_isa::address::RAM_BYTES;
use gray1_sim::Board;
use gray1_sim::circuit::Circuit;
use gray1_sim::computer::preset::{ArchitecturalState, Preset};

pub(super) use cursor::BoardView;
pub(super) use lines::{Group, groups};
pub(super) use why::why;

use super::player::{Opened, Snapshot};
use gray1_sim::board::NetId;

/// The stock board, to be brought to any moment.
#[derive(Debug)]
pub(super) struct Bench {
    board: Arc<Board>,
    preset: Preset,
    /// What is in the socket of the program chip.
    program: Option<Arc<Opened>>,
}

/// What all lines carry in one phase, and what they carried in the one before.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) board: Arc<Board>,
    /// By [`NetId::index`].
    now: Vec<bool>,
    /// `None` just after a reset, and at the end of a program.
    before: Option<Vec<bool>>,
}

/// How many edges of the oscillator an instruction takes.
const PHASES: u32 = 8;
/// Why nothing can go wrong here.
const PROVEN: &str = "the built-in board comes to rest in every phase of every program";

impl Bench {
    pub(super) fn new() -> Self {
        let board = crate::board::load(crate::board::DEFAULT).expect("the built-in board is one");
        let preset =
            Preset::new(&board).expect("the built-in board keeps its registers in latches");
        Self { board: Arc::new(board), preset, program: None }
    }

    /// Looks at the lines at the moment of a snapshot.
    pub(super) fn look(&mut self, snapshot: &Snapshot) -> Lines {
        if self.program.as_ref().is_none_or(|program| !Arc::ptr_eq(program, &snapshot.program)) {
            self.preset.insert(&snapshot.program.image);
            self.program = Some(Arc::clone(&snapshot.program));
        }
        let before = match u32::from(snapshot.phase) {
            // Reset has ended here.
            1 if snapshot.executed == 0 => None,
            0 => self.before_the_instruction(snapshot),
            phase => Some(levels(self.preset(snapshot), phase - 1)),
        };
        let now = levels(self.preset(snapshot), snapshot.phase.into());
        Lines { board: Arc::clone(&self.board), now, before }
    }

    /// The board in T0 of the instruction that comes next.
    fn preset(&mut self, snapshot: &Snapshot) -> &mut dyn Circuit {
        self.at(snapshot.pc, (snapshot.a, snapshot.carry), &snapshot.ram, snapshot.trail.last())
    }

    /// The levels in T7 of the instruction executed last.
    fn before_the_instruction(&mut self, snapshot: &Snapshot) -> Option<Vec<bool>> {
        let step = snapshot.trail.newest()?;
        let mut memory = snapshot.ram.clone();
        if let Some(write) = step.write {
            memory[write.address.to_usize()] = write.old;
        }
        let circuit = self.at(step.index, (step.a, step.carry), &memory, step.last);
        Some(levels(circuit, PHASES - 1))
    }

    fn at(
        &mut self,
        pc: RomIndex,
        (a, carry): (u8, bool),
        memory: &[u8; RAM_BYTES],
        last: gray1_isa::Word,
    ) -> &mut dyn Circuit {
        self.preset.at(&ArchitecturalState { pc, a, carry, memory, last })
    }
}

/// The levels of all lines after so many edges of the oscillator.
fn levels(circuit: &mut dyn Circuit, edges: u32) -> Vec<bool> {
    circuit.edges(edges).expect(PROVEN);
    circuit.levels()
}

impl Lines {
    /// What a line carries.
    pub(super) fn level(&self, net: NetId) -> bool {
        self.now[net.index()]
    }

    /// Whether a line has moved in this step.
    pub(super) fn moved(&self, net: NetId) -> bool {
        let before = self.before.as_ref();
        before.is_some_and(|before| before[net.index()] != self.level(net))
    }

    /// The number that lines carry, low bit first.
    pub(super) fn number(&self, nets: &[NetId]) -> u32 {
        (0..).zip(nets).fold(0, |number, (bit, &net)| number | u32::from(self.level(net)) << bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::player::{Command, Player};
    use gray1_sim::{Computer, Engine, PowerUp};

    fn player(name: &str) -> Player {
        let program = crate::program::load(name).unwrap();
        let program = Opened { name: program.name, image: program.image };
        Player::new(program, PowerUp::Zero, true)
    }

    /// The board as it really runs, from reset on.
    fn running(player: &Player, board: &Board) -> Box<dyn Engine> {
        let board = board.with_program(&player.snapshot().program.image);
        Box::new(Computer::settled(&board, PowerUp::Zero).unwrap())
    }

    #[test]
    fn phase_by_phase_it_shows_what_the_running_board_does() {
        let mut bench = Bench::new();
        for name in ["queens", "life", "primes"] {
            let mut player = player(name);
            let mut computer = running(&player, &bench.board);
            let mut before = None;
            for phase in 1..8 * 150 {
                let lines = bench.look(&player.snapshot());
                let now = computer.circuit().unwrap().levels();
                assert!(lines.now == now, "{name}, phase {phase}");
                assert!(lines.before == before, "{name}, before phase {phase}");
                before = Some(now);
                player.command(Command::StepPhase);
                computer.edge();
            }
        }
    }

    #[test]
    fn it_is_the_same_after_running_there() {
        let mut bench = Bench::new();
        let mut player = player("queens");
        let mut computer = running(&player, &bench.board);
        player.command(Command::RunOrPause);
        player.advance_by(20_000);
        player.command(Command::RunOrPause);
        computer.run(20_000);
        let lines = bench.look(&player.snapshot());
        assert!(lines.now == computer.circuit().unwrap().levels());
    }
}
