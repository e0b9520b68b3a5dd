//! The levels of the board's lines at the present moment, and in the phase before.

use std::sync::Arc;

use gray1_board::{Board, NetId, Phase, number};
use gray1_circuit::Circuit;
use gray1_debugger::preset::{ArchitecturalState, Preset};
use gray1_debugger::{Debugger, RecentStep};

use super::{Cpu, Program};

/// What all lines carry in one phase, and what they carried in the one before.
#[derive(Debug)]
pub struct Levels {
    /// The board that the lines belong to.
    pub board: Arc<Board>,
    /// By [`NetId::index`].
    now: Vec<bool>,
    /// `None` just after a reset, and at the end of a program.
    before: Option<Vec<bool>>,
    /// How often each line has moved in this step, on an engine that works in time; elsewhere
    /// empty.
    movements: Vec<u32>,
}

impl Levels {
    /// What a line carries.
    #[must_use]
    pub fn level(&self, net: NetId) -> bool {
        self.now[net.index()]
    }

    /// Whether a line has moved in this step.
    #[must_use]
    pub fn moved(&self, net: NetId) -> bool {
        let before = self.before.as_ref();
        before.is_some_and(|before| before[net.index()] != self.level(net))
    }

    /// How often a line has moved in this step: more than once is a glitch, which only an engine
    /// that works in time has.
    #[must_use]
    pub fn movements(&self, net: NetId) -> u32 {
        self.movements.get(net.index()).copied().unwrap_or_else(|| self.moved(net).into())
    }

    /// The number that lines carry, low bit first.
    #[must_use]
    pub fn number(&self, nets: &[NetId]) -> u32 {
        number(nets, |net| self.level(net))
    }
}

/// Loads the board that stands beside an engine without lines.
pub type BoardLoader = Box<dyn Fn() -> Board + Send>;

/// Where the levels come from: the machine itself, or a replica beside it.
pub(super) struct LevelSource {
    load: BoardLoader,
    replica: Option<Replica>,
}

/// The board beside an instruction engine, which has no lines: preset to the engine's state, it
/// shows what its lines carry there.
struct Replica {
    board: Arc<Board>,
    preset: Preset,
    /// The program in its socket.
    program: Arc<Program>,
}

impl LevelSource {
    pub(super) fn new(load: BoardLoader) -> Self {
        Self { load, replica: None }
    }

    /// The levels at this moment.
    pub(super) fn levels(&mut self, program: &Arc<Program>, debugger: &mut Debugger) -> Levels {
        let before = debugger.levels_before();
        match (debugger.wires(), debugger.engine().circuit()) {
            (Some(wires), Some(circuit)) => Levels {
                board: Arc::clone(&wires.board),
                now: circuit.levels(),
                before,
                movements: movements(circuit),
            },
            _ => self.inserted(program).levels(&Cpu::of(debugger)),
        }
    }

    /// The board beside an engine without lines, with this program, and the means to preset it.
    pub(super) fn replica(&mut self, program: &Arc<Program>) -> (&Arc<Board>, &mut Preset) {
        let Replica { board, preset, .. } = self.inserted(program);
        (board, preset)
    }

    fn inserted(&mut self, program: &Arc<Program>) -> &mut Replica {
        let replica = self.replica.get_or_insert_with(|| Replica::new((self.load)(), program));
        replica.insert(program);
        replica
    }
}

impl Replica {
    fn new(board: Board, program: &Arc<Program>) -> Self {
        let mut preset = Preset::new(&board).expect("the board keeps its registers in latches");
        preset.insert(&program.image);
        Self { board: Arc::new(board), preset, program: Arc::clone(program) }
    }

    fn insert(&mut self, program: &Arc<Program>) {
        if !Arc::ptr_eq(&self.program, program) {
            self.preset.insert(&program.image);
            self.program = Arc::clone(program);
        }
    }

    fn levels(&mut self, cpu: &Cpu) -> Levels {
        let phase = u32::from(cpu.phase);
        let state = ArchitecturalState {
            pc: cpu.pc,
            a: cpu.a,
            carry: cpu.carry,
            memory: &cpu.ram,
            last: cpu.recent.last(),
        };
        let mut levels = self.preset.levels(&state, phase.saturating_sub(1)..phase + 1);
        let now = levels.pop().expect("a phase has levels");
        let before = match phase {
            // Reset has ended here.
            1 if cpu.executed == 0 => None,
            0 => self.before_the_instruction(cpu),
            _ => levels.pop(),
        };
        Levels { board: Arc::clone(&self.board), now, before, movements: Vec::new() }
    }

    /// The levels in T7 of the instruction executed last.
    fn before_the_instruction(&mut self, cpu: &Cpu) -> Option<Vec<bool>> {
        let step = cpu.recent.newest()?;
        let mut memory = cpu.ram.clone();
        if let Some(write) = step.executed.write {
            memory[write.address.to_usize()] = write.old;
        }
        let (pc, memory) = (step.executed.index, &memory);
        let RecentStep { a, carry, last, .. } = *step;
        let state = ArchitecturalState { pc, a, carry, memory, last };
        self.preset.levels(&state, Phase::COUNT - 1..Phase::COUNT).pop()
    }
}

/// How often each line has moved in the last edge; empty on a circuit that has no clock.
fn movements(circuit: &dyn Circuit) -> Vec<u32> {
    if circuit.time_ps().is_none() {
        return Vec::new();
    }
    let mut movements = vec![0; circuit.board().nets().len()];
    for change in circuit.changes() {
        movements[change.net.index()] += 1;
    }
    movements
}

#[cfg(test)]
mod tests {
    use gray1_isa::PowerUp;
    use gray1_sim::{Computer, Engine, Setup};

    use super::super::{Command, LineDetail, Session};
    use crate::tests as testing;

    /// An engine without lines, and one with lines of its own.
    fn setups() -> [Setup; 2] {
        [Setup::default(), testing::on_chips()]
    }

    fn session(setup: Setup, name: &str) -> Session {
        let mut session = testing::session_on(setup, testing::program(name), true);
        session.command(Command::ShowLines(LineDetail::Levels));
        session
    }

    /// The board as it really runs, from reset on.
    fn running(session: &mut Session) -> Box<dyn Engine> {
        let board = testing::board().with_program(&session.snapshot().program.image);
        Box::new(Computer::settled(&board, PowerUp::Zero).unwrap())
    }

    #[test]
    fn phase_by_phase_it_shows_what_the_running_board_does_and_back() {
        for setup in setups() {
            for name in ["queens", "life", "primes"] {
                let mut session = session(setup.clone(), name);
                let mut computer = running(&mut session);
                let mut seen = vec![computer.circuit().unwrap().levels()];
                for phase in 1..8 * 100 {
                    session.command(Command::StepPhase);
                    computer.edge();
                    seen.push(computer.circuit().unwrap().levels());
                    let lines = session.snapshot().levels.unwrap();
                    assert!(lines.now == seen[phase], "{name}, phase {phase}");
                    assert!(lines.before.as_ref() == Some(&seen[phase - 1]), "{name}, {phase}");
                }
                for phase in (1..8 * 100 - 1).rev().take(20) {
                    session.command(Command::StepPhaseBack);
                    let lines = session.snapshot().levels.unwrap();
                    assert!(lines.now == seen[phase], "{name}, back at {phase}");
                    assert!(lines.before.as_ref() == Some(&seen[phase - 1]), "{name}, {phase}");
                }
            }
        }
    }

    #[test]
    fn it_is_the_same_after_running_there() {
        for setup in setups() {
            let mut session = session(setup, "queens");
            let mut computer = running(&mut session);
            session.command(Command::RunOrPause);
            session.advance_by(20_000);
            session.command(Command::RunOrPause);
            computer.run(19_999);
            for _ in 0..7 {
                computer.edge();
            }
            let before = computer.circuit().unwrap().levels();
            computer.edge();
            let lines = session.snapshot().levels.unwrap();
            assert!(lines.now == computer.circuit().unwrap().levels());
            assert!(lines.before == Some(before));
        }
    }

    #[test]
    fn a_program_that_is_loaded_has_its_own_lines() {
        for setup in setups() {
            let mut session = session(setup.clone(), "queens");
            assert!(session.snapshot().levels.unwrap().before.is_none());
            session.command(Command::Load(Box::new(testing::program("life"))));
            let mut other = self::session(setup, "life");
            // From reset on, and past T1 of the next instruction.
            for phase in 0..12 {
                let lines = session.snapshot().levels.unwrap();
                let others = other.snapshot().levels.unwrap();
                assert!(lines.now == others.now && lines.before == others.before, "{phase}");
                assert_eq!(lines.before.is_none(), phase == 0);
                session.command(Command::StepPhase);
                other.command(Command::StepPhase);
            }
        }
    }

    #[test]
    fn levels_are_worked_out_while_they_are_wanted() {
        let mut session = session(Setup::default(), "queens");
        assert!(session.snapshot().levels.is_some());
        session.command(Command::ShowLines(LineDetail::Nothing));
        assert!(session.snapshot().levels.is_none());
    }
}
