//! The front panel: an observer that resets a board, sets its buttons, counts its instructions
//! and reads its registers. All it knows of instructions is where they begin and how a program
//! ends; the circuit knows neither.

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::panel::{BUTTONS, Buttons, MAILBOX};
use gray1_isa::{Half, RomIndex, Word, gray};

use super::wiring::Outputs;
use super::{Change, Circuit, PowerUp, Probe, Settled, Timed, Unsettled, Write};
use crate::board::{Board, Code, NetId, Role, Source};

/// How many phases reset is held: long enough to walk to T1 from anywhere, and back to an
/// oscillator that is high.
const RESET_EDGES: u32 = 10;
/// How many edges of the oscillator an instruction takes.
const PHASES: u32 = 8;
/// How many edges to wait for T0 on a board whose phases do not come round as they should.
const EDGES_MAX: u32 = 64;

/// A board with someone at its panel.
#[derive(Debug, Clone)]
pub struct Panel<C> {
    circuit: C,
    words: Vec<Word>,
    code: Code,
    program_address: Probe,
    a: Probe,
    carry: Probe,
    phase: Probe,
    /// Edges until the instruction under way is complete, unless someone else made some.
    edges_to_go: Option<u32>,
    executed: u64,
    halted: bool,
}

/// An instruction that a board has executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// Its index.
    pub index: RomIndex,
    /// The word that the program chip holds there.
    pub word: Word,
    /// The accumulator afterwards.
    pub a: u8,
    /// The carry afterwards.
    pub carry: bool,
    /// What data memory took.
    pub writes: Vec<Write>,
}

/// What a board at rest remembers, and what its observer counts: all lines and data memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    shown: Outputs,
    memory: Box<[u8; RAM_BYTES]>,
    executed: u64,
    halted: bool,
}

/// Why a board cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PanelError {
    /// Its behaviour is not a matter of its contents alone.
    #[error(transparent)]
    Unsettled(#[from] Box<Unsettled>),
    /// The phase does not come back to T0.
    #[error("the phase does not come round to T0 within {EDGES_MAX} edges of the oscillator")]
    NoPhase,
}

impl PowerUp {
    /// The state of a board that will hold this data memory, accumulator and carry when reset is
    /// over; everything else is 0.
    #[must_use]
    pub fn holding(board: &Board, memory: Box<[u8; RAM_BYTES]>, a: u8, carry: bool) -> Self {
        let mut power_up = Self { memory, outputs: vec![0; board.chips().len()] };
        let probes = board.probes();
        for (bit, &net) in probes.a.iter().enumerate() {
            power_up.hold(board, net, a >> bit & 1 == 1);
        }
        power_up.hold(board, probes.carry, carry);
        // A write that ends as the power comes up would change a byte.
        if let Some(write_low) = board.chip(board.memory()).write_enable_low() {
            power_up.show(board, write_low, true);
        }
        power_up
    }

    /// Gives a line a level, and the line that its latch follows while it is open the same.
    fn hold(&mut self, board: &Board, net: NetId, level: bool) {
        for id in board.chip_ids() {
            let chip = board.chip(id);
            let Some(pin) = chip.data().iter().position(|&data| data == net) else { continue };
            self.outputs[id.index()] |= u8::from(level) << pin;
            let Role::Latches(latches) = chip.role() else { continue };
            for latch in latches {
                let shown = latch.q.out.pins().iter().zip(latch.d.pins());
                for (_, &d) in shown.filter(|(out, _)| usize::from(**out) == pin) {
                    if let Source::Net(master) = chip.address()[usize::from(d)] {
                        self.show(board, master, level);
                    }
                }
            }
        }
    }

    fn show(&mut self, board: &Board, net: NetId, level: bool) {
        for id in board.chip_ids() {
            if let Some(pin) = board.chip(id).data().iter().position(|&data| data == net) {
                self.outputs[id.index()] |= u8::from(level) << pin;
            }
        }
    }
}

impl<C: Circuit> Panel<C> {
    /// Steps up to a board under power and resets it.
    ///
    /// # Errors
    /// If the board does not settle or its phase does not come round.
    pub fn new(circuit: C) -> Result<Self, PanelError> {
        let mut panel = Self::at(circuit);
        panel.reset()?;
        Ok(panel)
    }

    /// Steps up to a board that is executing a program, and leaves it at that.
    #[must_use]
    pub fn at(circuit: C) -> Self {
        let board = circuit.board();
        let program = board.chip(board.program());
        let lines = program.address().iter().filter_map(|source| match source {
            Source::Net(net) => Some(*net),
            Source::Tied(_) => None,
        });
        let lines: Vec<NetId> = lines.collect();
        let probes = board.probes().clone();
        Self {
            words: words(program.contents(), board.code()),
            code: board.code(),
            program_address: circuit.probe(&lines),
            a: circuit.probe(&probes.a),
            carry: circuit.probe(&[probes.carry]),
            phase: circuit.probe(&probes.phase),
            edges_to_go: None,
            executed: 0,
            halted: false,
            circuit,
        }
    }

    /// Brings the program counter to 0, once the instruction under way is complete, and clears
    /// the buttons. Reset is moved only while the oscillator is high, clear of its edges.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn reset(&mut self) -> Result<(), PanelError> {
        let oscillator = self.circuit.board().oscillator();
        if !self.circuit.level(oscillator) {
            self.circuit.edge()?;
        }
        self.circuit.set_reset(true)?;
        self.circuit.edges(RESET_EDGES)?;
        self.circuit.set_reset(false)?;
        self.press(Buttons::NONE)?;
        self.circuit.forget_writes();
        self.edges_to_go = None;
        self.halted = false;
        Ok(())
    }

    /// Holds these buttons from now on.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn press(&mut self, buttons: Buttons) -> Result<(), PanelError> {
        Ok(self.circuit.poke(Write { address: BUTTONS, byte: buttons.0 })?)
    }

    /// Lets the board execute the next instruction.
    ///
    /// # Errors
    /// If the board does not settle or its phase does not come round.
    pub fn step(&mut self) -> Result<Executed, PanelError> {
        let index = self.index();
        self.step_quietly()?;
        Ok(Executed {
            index,
            word: self.words[index.to_usize()],
            a: self.a(),
            carry: self.carry(),
            writes: self.circuit.take_writes(),
        })
    }

    /// Lets the board execute instructions until it halts or has executed `limit` more, and says
    /// how many it did; `print` gets the bytes that the mailbox took.
    ///
    /// # Errors
    /// If the board does not settle or its phase does not come round.
    pub fn run(&mut self, limit: u64, mut print: impl FnMut(u8)) -> Result<u64, PanelError> {
        let before = self.executed;
        while !self.halted && self.executed - before < limit {
            self.step_quietly()?;
            if !self.circuit.writes().is_empty() {
                let mailbox = |write: &&Write| write.address == MAILBOX;
                self.circuit.writes().iter().filter(mailbox).for_each(|write| print(write.byte));
                self.circuit.forget_writes();
            }
        }
        Ok(self.executed - before)
    }

    #[inline]
    fn step_quietly(&mut self) -> Result<(), PanelError> {
        let address = self.circuit.read(&self.program_address);
        let to_go = self.edges_to_go.unwrap_or_else(|| PHASES - u32::from(self.phase_number()));
        self.circuit.edges(to_go)?;
        let mut edges = 0;
        while self.circuit.read(&self.phase) != 0 {
            if edges == EDGES_MAX {
                return Err(PanelError::NoPhase);
            }
            self.circuit.edge()?;
            edges += 1;
        }
        self.edges_to_go = Some(PHASES);
        self.executed += 1;
        // Only an instruction that comes again can be the end.
        self.halted = self.circuit.read(&self.program_address) == address && {
            let index = self.index();
            self.words[index.to_usize()].halts_at(index)
        };
        Ok(())
    }

    /// The index of the instruction that comes next.
    #[must_use]
    pub fn index(&self) -> RomIndex {
        let address = self.circuit.read(&self.program_address);
        RomIndex::truncate(self.code.decode(address as u16) >> 1)
    }

    /// The accumulator.
    #[must_use]
    pub fn a(&self) -> u8 {
        self.circuit.read(&self.a) as u8
    }

    /// The carry.
    #[must_use]
    pub fn carry(&self) -> bool {
        self.circuit.read(&self.carry) != 0
    }

    /// The phase, 0 for T0.
    #[must_use]
    pub fn phase_number(&self) -> u8 {
        gray::decode(self.circuit.read(&self.phase) as u16) as u8
    }

    /// Whether the last instruction was a jump to itself.
    #[must_use]
    pub const fn halted(&self) -> bool {
        self.halted
    }

    /// How many instructions the board has executed, over all resets.
    #[must_use]
    pub const fn executed(&self) -> u64 {
        self.executed
    }

    /// The board.
    #[must_use]
    pub const fn circuit(&self) -> &C {
        &self.circuit
    }

    /// Steps away from the board.
    #[must_use]
    pub fn into_circuit(self) -> C {
        self.circuit
    }

    /// The board, to turn the oscillator over step by step; the panel finds the next instruction
    /// by its phase.
    pub const fn circuit_mut(&mut self) -> &mut C {
        self.edges_to_go = None;
        &mut self.circuit
    }
}

impl Panel<Settled> {
    /// All that the board remembers, to come back to it.
    #[must_use]
    pub fn save(&self) -> Saved {
        Saved {
            shown: self.circuit.snapshot(),
            memory: Box::new(*self.circuit.memory()),
            executed: self.executed,
            halted: self.halted,
        }
    }

    /// Comes back to what was saved from the same board.
    pub fn restore(&mut self, saved: &Saved) {
        *self.circuit.memory_mut() = *saved.memory;
        self.circuit.place(&saved.shown, &[]);
        self.edges_to_go = None;
        self.executed = saved.executed;
        self.halted = saved.halted;
    }

    /// The word that the program chip holds at an index.
    #[must_use]
    pub fn word(&self, index: RomIndex) -> Word {
        self.words[index.to_usize()]
    }
}

impl Panel<Timed> {
    /// The recorded movements since the last call; see [`Timed::take_changes`].
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.circuit.take_changes()
    }
}

/// The words of a program chip.
fn words(contents: &[u8], code: Code) -> Vec<Word> {
    let byte = |index: RomIndex, half: Half| {
        let place = 2 * index.get() + u16::from(half == Half::Low);
        contents[usize::from(code.encode(place))]
    };
    let word = |index| u16::from_be_bytes([byte(index, Half::High), byte(index, Half::Low)]);
    let words: Vec<Word> = RomIndex::all().map(word).map(Word::from_bits).collect();
    debug_assert_eq!(words.len(), ROM_WORDS);
    words
}
