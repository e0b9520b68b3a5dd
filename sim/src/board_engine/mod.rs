//! Runs a program on a board: resets its circuit, holds its buttons, counts its instructions and
//! reads its registers.
//!
//! This module only knows where instructions begin and how a program ends. The circuit knows
//! nothing about instructions.

use std::sync::OnceLock;

use gray1_board::Board;
use gray1_board::phase::Phase;
use gray1_board::registers::{address_wires, opcode_wires};
use gray1_board::role::Code;
use gray1_circuit::registers::{CounterWires, RegisterProbes};
use gray1_circuit::{
    ChipState, Circuit, Probe, RunsCycles, Settled, Timed, Timing, panel, power_up_state,
};
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{Buttons, MAILBOX};
use gray1_isa::{Executed, Indexes, PowerUp, RamAddr, Registers, RomIndex, Word, Write};

use crate::engine::{CurrentInstruction, EDGES_MAX, Engine, EngineError, MachineState, Snapshot};
use crate::instruction::{BurnedUnit, keeps_to, stores_to_buttons};
use crate::setup::FindReference;

/// A board under power that runs the program in its PROG chip.
#[derive(Debug, Clone)]
pub struct BoardEngine<C> {
    circuit: C,
    probes: EngineProbes,
    current: CurrentInstruction,
    executed: u64,
    halted: bool,
    output: Vec<u8>,
    watched: Indexes,
    /// The bytes that the last completed instruction wrote before its final write.
    strays: Vec<Write>,
    /// The contents of the instruction register before the last edge.
    latched: Word,
    /// Finds the board that executes each program correctly, if such a board is known.
    reference: Option<FindReference>,
    can_deviate: OnceLock<bool>,
    error: Option<EngineError>,
}

/// The program of a board, and the wires from which its registers are read.
#[derive(Debug, Clone)]
struct EngineProbes {
    words: Vec<Word>,
    code: Code,
    program_address: Probe,
    /// `None` on a board without an instruction register.
    instruction: Option<Probe>,
    a: Probe,
    carry: Probe,
    phase: Probe,
}

impl BoardEngine<Settled> {
    /// Powers up a board and resets it. The engine moves from one settled state to the next.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn settled(board: &Board, power_up: PowerUp) -> Result<Self, EngineError> {
        Self::new(Settled::new(board, &power_up_state(board, power_up.contents()))?)
    }

    /// Creates an engine that continues from a circuit with the same wires, which must be between
    /// two instructions.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn settled_from(board: &Board, circuit: &dyn Circuit) -> Result<Self, EngineError> {
        Ok(Self::wrap(Settled::from_circuit(board, circuit)?))
    }
}

impl BoardEngine<Timed> {
    /// Powers up a board and resets it. Its chips have delays.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn timed(board: &Board, power_up: PowerUp, timing: Timing) -> Result<Self, EngineError> {
        let state = power_up_state(board, power_up.contents());
        Self::new(Timed::new(board, &state, timing)?)
    }

    /// Creates an engine with delays that continues from a circuit, which must be between two
    /// instructions.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn timed_from(circuit: &dyn Circuit, timing: Timing) -> Result<Self, EngineError> {
        Ok(Self::wrap(Timed::new(circuit.board(), &ChipState::from_circuit(circuit), timing)?))
    }
}

impl<C: RunsCycles + Clone + 'static> BoardEngine<C> {
    /// Resets a board that is already under power.
    ///
    /// # Errors
    /// If the board does not settle.
    pub fn new(circuit: C) -> Result<Self, EngineError> {
        let mut engine = Self::wrap(circuit);
        engine.reset();
        match engine.error.take() {
            Some(error) => Err(error),
            None => Ok(engine),
        }
    }

    /// Wraps a circuit that is already executing a program.
    fn wrap(circuit: C) -> Self {
        let mut engine = Self {
            probes: EngineProbes::new(&circuit),
            circuit,
            current: CurrentInstruction::default(),
            executed: 0,
            halted: false,
            output: Vec::new(),
            watched: Indexes::NONE,
            strays: Vec::new(),
            latched: Word::from_bits(0),
            reference: None,
            can_deviate: OnceLock::new(),
            error: None,
        };
        engine.begin(engine.phase());
        engine
    }

    /// Returns the engine with a reference, so that it knows whether it [can
    /// deviate](Engine::can_deviate) from its program. Without one, it assumes that it can.
    #[must_use]
    pub fn with_reference(self, reference: FindReference) -> Self {
        Self { reference: Some(reference), ..self }
    }

    /// Returns the circuit.
    pub fn into_circuit(self) -> C {
        self.circuit
    }

    /// Performs an action on the board. If it fails, stores the error and returns `None`.
    fn attempt(&mut self, action: impl FnOnce(&mut Self) -> Result<(), EngineError>) -> Option<()> {
        self.error = None;
        action(self).map_err(|error| self.fail(error)).ok()
    }

    #[cold]
    fn fail(&mut self, error: EngineError) {
        // After a failure, the phase shows how far the board got.
        let left = self.phase().edges_to_go();
        self.current.edges = self.current.length.saturating_sub(left);
        self.error = Some(error);
    }

    /// Completes the current instruction.
    #[inline]
    fn complete(&mut self) -> Result<(), EngineError> {
        let CurrentInstruction { edges, length, .. } = self.current;
        // The instruction word is read before the last edge.
        let before_last = length.saturating_sub(edges + 1);
        self.circuit.edges(before_last)?;
        self.current.edges += before_last;
        while !self.is_complete() {
            self.advance_edge()?;
        }
        Ok(())
    }

    /// Moves the oscillator by one edge.
    fn advance_edge(&mut self) -> Result<(), EngineError> {
        if self.current.edges >= EDGES_MAX {
            return Err(EngineError::NoPhase);
        }
        if let Some(probe) = &self.probes.instruction {
            self.latched = Word::from_bits(self.circuit.read(probe) as u16);
        }
        self.circuit.edge()?;
        self.current.edges += 1;
        Ok(())
    }

    fn is_complete(&self) -> bool {
        let CurrentInstruction { edges, length, .. } = self.current;
        edges >= length && self.phase() == Phase::T0
    }

    /// Returns a record of the instruction that just completed.
    fn record_completed(&mut self) -> Executed {
        let index = self.pc();
        let has_register = self.probes.instruction.is_some();
        let word = if has_register { self.latched } else { self.word(index) };
        self.strays.clear();
        let write = self.circuit.writes().split_last().map(|(write, earlier)| {
            self.strays.extend(earlier);
            *write
        });
        let read = word.op().reads_memory().then(|| self.ram()[word.address().to_usize()]);
        Executed { index, word, write, read }
    }

    /// Executes up to `limit` instructions. If `to_watched` is set, stops before a watched one.
    fn run_until(&mut self, limit: u64, to_watched: bool) -> u64 {
        let start = self.executed;
        while self.executed - start < limit
            && !self.halted()
            && !(to_watched && self.watched.contains(self.pc()))
        {
            let before = self.executed;
            if self.run_cycles(limit - (before - start), to_watched) == 0 {
                match self.complete() {
                    Ok(()) => self.finish_instruction(),
                    Err(error) => self.fail(error),
                }
            }
            debug_assert!(self.executed > before || self.halted(), "it would run for ever");
        }
        self.executed - start
    }

    /// Executes whole cycles of the circuit, one instruction each, while the circuit supports this
    /// and the program cannot end in them.
    fn run_cycles(&mut self, limit: u64, to_watched: bool) -> u64 {
        let (probes, watched) = (&self.probes, &self.watched);
        // An instruction is one cycle of the phases.
        if self.current.edges != 0 || self.phase() != Phase::T0 {
            return 0;
        }
        let edges = Phase::T0.edges_to_go();
        let executed = self.circuit.run_cycles(&probes.phase, edges, limit, MAILBOX, |address| {
            to_watched && watched.contains(probes.index(address))
        });
        if executed > 0 {
            self.executed += executed;
            self.take_printed();
            self.begin(Phase::T0);
        }
        executed
    }

    /// Counts a completed instruction, and detects the end of the program.
    #[inline]
    fn finish_instruction(&mut self) {
        self.take_printed();
        self.executed += 1;
        let address = self.current.address;
        self.begin(Phase::T0);
        // Only a jump to the same instruction can end a program.
        self.halted = self.current.address == address && {
            let index = self.pc();
            self.word(index).halts_at(index)
        };
    }

    /// Appends the bytes that the circuit wrote to the mailbox to the output, and clears the
    /// circuit's list of writes.
    #[inline]
    fn take_printed(&mut self) {
        if !self.circuit.writes().is_empty() {
            let printed = self.circuit.writes().iter().filter(|write| write.address == MAILBOX);
            self.output.extend(printed.map(|write| write.new));
            self.circuit.clear_writes();
        }
    }

    /// Starts to track the next instruction, which begins in this phase.
    #[inline]
    fn begin(&mut self, phase: Phase) {
        let address = self.circuit.read(&self.probes.program_address);
        self.current = CurrentInstruction { address, edges: 0, length: phase.edges_to_go() };
    }
}

impl<C: RunsCycles + Clone + 'static> Engine for BoardEngine<C> {
    fn boxed_clone(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        self.attempt(|engine| {
            panel::press_reset(&mut engine.circuit)?;
            Ok(panel::set_buttons(&mut engine.circuit, Buttons::NONE)?)
        });
        self.circuit.clear_writes();
        self.output.clear();
        self.executed = 0;
        self.halted = false;
        self.begin(self.phase());
    }

    fn hold(&mut self, buttons: Buttons) {
        if self.error.is_none() {
            self.attempt(|engine| Ok(panel::set_buttons(&mut engine.circuit, buttons)?));
        }
    }

    fn poke(&mut self, address: RamAddr, byte: u8) {
        if self.error.is_none() {
            self.attempt(|engine| Ok(engine.circuit.poke(address, byte)?));
        }
    }

    fn load(&mut self, Registers { a, carry, pc }: Registers) -> bool {
        let circuit = &self.circuit;
        let (Ok(registers), Ok(counters)) =
            (RegisterProbes::find(circuit), CounterWires::find(circuit))
        else {
            return false;
        };
        // A jump in the instruction register would still load the program counter in T0.
        let mut levels = registers.levels_for(a, carry, Word::ldi(0).bits()).to_vec();
        levels.extend(counters.iter().map(|counter| counter.levels_for(pc, self.probes.code)));
        let is_done = self.error.is_none() && self.circuit.set_levels(&levels);
        if is_done {
            self.halted = false;
            self.begin(self.phase());
        }
        is_done
    }

    fn step(&mut self) -> Option<Executed> {
        if self.halted() {
            return None;
        }
        self.attempt(Self::complete)?;
        let executed = self.record_completed();
        self.finish_instruction();
        Some(executed)
    }

    fn edge(&mut self) -> Option<Executed> {
        if self.halted() {
            return None;
        }
        self.attempt(Self::advance_edge)?;
        if !self.is_complete() {
            return None;
        }
        let executed = self.record_completed();
        self.finish_instruction();
        Some(executed)
    }

    fn run(&mut self, limit: u64) -> u64 {
        self.run_until(limit, false)
    }

    fn run_to_watched(&mut self, limit: u64) -> u64 {
        if self.watched.is_empty() {
            return self.run(limit);
        }
        self.run_until(limit, true)
    }

    fn watch(&mut self, indexes: &Indexes) {
        self.watched.clone_from(indexes);
    }

    fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    fn save(&self) -> Snapshot {
        Snapshot {
            executed: self.executed,
            halted: self.halted,
            state: MachineState::Board {
                circuit: self.circuit.save(),
                current: self.current,
                error: self.error.clone(),
            },
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        let MachineState::Board { circuit, current, error } = &snapshot.state else {
            panic!("the snapshot is of a machine of another kind");
        };
        self.circuit.restore(circuit);
        self.current = *current;
        self.error.clone_from(error);
        self.executed = snapshot.executed;
        self.halted = snapshot.halted;
        self.output.clear();
    }

    fn registers(&self) -> Registers {
        let a = self.circuit.read(&self.probes.a) as u8;
        Registers { a, carry: self.circuit.read(&self.probes.carry) != 0, pc: self.pc() }
    }

    fn pc(&self) -> RomIndex {
        self.probes.index(self.current.address)
    }

    fn ram(&self) -> &[u8; RAM_BYTES] {
        self.circuit.memory()
    }

    fn word(&self, index: RomIndex) -> Word {
        self.probes.words[index.to_usize()]
    }

    fn keeps_to_op(&self, word: Word) -> bool {
        let board = self.circuit.board();
        let ignores = board.panel().is_some() && stores_to_buttons(word);
        !ignores && (!word.op().writes_a() || keeps_to(word.op(), board))
    }

    fn can_deviate(&self) -> bool {
        *self.can_deviate.get_or_init(|| {
            self.circuit.time_ps().is_some()
                || !self.reference.is_some_and(|reference| {
                    let board = self.circuit.board();
                    BurnedUnit::new(board, reference(board)).is_ok_and(|unit| unit.is_stock())
                })
        })
    }

    fn stray_writes(&self) -> &[Write] {
        &self.strays
    }

    fn executed(&self) -> u64 {
        self.executed
    }

    fn halted(&self) -> bool {
        self.halted || self.error.is_some()
    }

    fn error(&self) -> Option<&EngineError> {
        self.error.as_ref()
    }

    fn phase(&self) -> Phase {
        Phase::from_code(self.circuit.read(&self.probes.phase))
    }

    fn edges(&self) -> u32 {
        self.current.edges
    }

    fn circuit(&self) -> Option<&dyn Circuit> {
        Some(&self.circuit)
    }

    fn slice(&self) -> u64 {
        self.circuit.slice_edges() / u64::from(Phase::COUNT)
    }
}

impl EngineProbes {
    fn new(circuit: &impl Circuit) -> Self {
        let board = circuit.board();
        let (program, probes) = (board.program(), board.probes());
        let instruction = opcode_wires(board)
            .map(|opcode| circuit.probe(&[address_wires(board, board.memory()), opcode].concat()));
        Self {
            instruction,
            words: decode(&board.chip(program).contents()[board.program_bytes()], board.code()),
            code: board.code(),
            program_address: circuit.probe(&address_wires(board, program)),
            a: circuit.probe(&probes.a),
            carry: circuit.probe(&[probes.carry]),
            phase: circuit.probe(&probes.phase),
        }
    }

    /// Returns the index of the instruction whose first byte is at this address of the PROG chip.
    #[inline]
    fn index(&self, address: u32) -> RomIndex {
        RomIndex::truncate(self.code.decode(address as u16) >> 1)
    }
}

/// Decodes the contents of a PROG chip to instruction words.
fn decode(contents: &[u8], code: Code) -> Vec<Word> {
    let words = RomIndex::all().map(|index| {
        let places = [2 * index.get(), 2 * index.get() + 1];
        let bytes = places.map(|place| contents[usize::from(code.encode(place))]);
        Word::from_bits(u16::from_be_bytes(bytes))
    });
    words.collect()
}

#[cfg(test)]
mod tests;
