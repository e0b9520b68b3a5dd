//! The instruction engine: registers, data memory and the panel as a programmer sees them.
//!
//! [`Machine::step`] executes one instruction by the definition in `gray1-isa`. [`Machine::run`]
//! has the same effect for many instructions. At first `fused` interprets sequences of them, and
//! later `compiled` runs the program as machine code of the host.
//!
//! To observe certain instructions, mark them as watched: [`Machine::run_to_watched`] stops before
//! each of these and runs all others at full speed.

mod compiled;
mod fused;
mod unit;

use gray1_board::phase::Phase;
use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{self, Buttons};
use gray1_isa::{
    Alu, Executed, Image, Indexes, Op, Operand, PartialByte, PartialState, PowerUp,
    PowerUpContents, RamAddr, Registers, RomIndex, Word, Write,
};

use crate::engine::{Engine, EngineError, MachineState, Snapshot, first_phase};
use crate::profile::ExecutionCounts;
use compiled::Compilation;
pub(crate) use fused::stores_to_buttons;
use fused::{FusedProgram, Observer};
use unit::{StockUnit, Unit};

pub use unit::BurnedUnit;
pub(crate) use unit::keeps_to;

/// A Gray-1 that runs a program by the definition of its instructions, without wires.
#[derive(Debug, Clone)]
pub struct Machine {
    program: FusedProgram,
    compiled: Compilation,
    /// The arithmetic unit of a board, if it differs from the stock one.
    unit: Option<BurnedUnit>,
    /// True if a store to the address of the buttons has no effect, because they respond directly
    /// to reads.
    buttons_answer: bool,
    registers: Registers,
    ram: Box<[u8; RAM_BYTES]>,
    executed: u64,
    halted: bool,
    /// The state with its unknown bits, on a machine that may hold anything at power-up. The fields
    /// above then describe a machine that held only zeros.
    partial: Option<PartialState>,
    /// False if an instruction of the program may still use an unknown bit.
    is_determined: bool,
    /// The number of edges since the current instruction began. Only [`Engine::phase`] shows it.
    edges: u32,
    output: Vec<u8>,
}

impl Machine {
    /// Powers up a machine with a program and resets it.
    pub fn new(image: &Image, power_up: PowerUp) -> Self {
        let PowerUpContents { a, carry, ram } = power_up.contents();
        let mut machine = Self {
            program: FusedProgram::fuse(image),
            compiled: Compilation::NEW,
            unit: None,
            buttons_answer: false,
            registers: Registers { a, carry, pc: RomIndex::default() },
            ram,
            executed: 0,
            halted: false,
            partial: None,
            is_determined: true,
            edges: 0,
            output: Vec::new(),
        };
        machine.hold(Buttons::NONE);
        machine
    }

    /// Powers up a machine that may hold anything, and resets it. It follows which bits of
    /// [`Engine::partial_state`] are known, until a jump or a printed byte depends on an unknown
    /// one. [`Engine::registers`] and [`Engine::ram`] show a machine that held only zeros.
    ///
    /// A program of this machine names every address, because there is no indirect addressing. So
    /// all power-ups execute the same instructions as long as each jump is known.
    pub fn with_any_contents(image: &Image) -> Self {
        let mut machine = Self::new(image, PowerUp::Zero);
        (machine.partial, machine.is_determined) = (Some(PartialState::unknown()), false);
        machine.hold(Buttons::NONE);
        machine
    }

    /// Replaces the arithmetic unit.
    #[must_use]
    pub fn with_unit(self, unit: BurnedUnit) -> Self {
        let buttons_answer = unit.buttons_answer();
        let unit = Some(unit).filter(|unit| !unit.is_stock());
        let mut words = self.program.words().iter();
        // Machine code computes as `Op` defines, and cannot ignore a store.
        let is_native =
            unit.is_none() && !(buttons_answer && words.any(|word| stores_to_buttons(*word)));
        let compiled = if is_native { self.compiled } else { Compilation::Never };
        Self { compiled, unit, buttons_answer, ..self }
    }

    /// Disables compilation, so that the program is interpreted however long it runs.
    #[must_use]
    pub fn interpreted(self) -> Self {
        Self { compiled: Compilation::Never, ..self }
    }

    #[cfg(test)]
    fn is_interpreted(&self) -> bool {
        matches!(self.compiled, Compilation::Never)
    }

    fn alu(&self, op: Op, data: u8, immediate: u8) -> Alu {
        match &self.unit {
            None => StockUnit.alu(op, self.registers.a, data, immediate),
            Some(unit) => unit.alu(op, self.registers.a, data, immediate),
        }
    }

    fn store(&mut self, Write { address, new, .. }: Write) {
        if !(self.buttons_answer && address == panel::BUTTONS) {
            self.ram[address.to_usize()] = new;
        }
        if address == panel::MAILBOX {
            self.output.push(new);
        }
    }

    /// Returns the reason why the effect of the next instruction depends on an unknown bit.
    fn obstacle(&self) -> Option<&EngineError> {
        let state = self.partial.as_ref()?;
        let word = self.program.word(self.registers.pc);
        let op = word.op();
        if op.jumps(false) != op.jumps(true) && state.carry.is_none() {
            return Some(&EngineError::UnknownJump);
        }
        let prints = op.writes_memory() && word.address() == panel::MAILBOX;
        (prints && state.a.whole().is_none()).then_some(&EngineError::UnknownOutput)
    }

    /// Returns true if A, C and every byte that the program names are known. They stay so, because
    /// instructions that use only known bits compute known ones.
    fn knows_all_operands(&self) -> bool {
        self.partial.as_ref().is_none_or(|PartialState { a, carry, ram }| {
            let words = self.program.words().iter();
            let mut named = words.filter(|word| word.op().operand() == Operand::Data);
            let is_known = named.all(|word| ram[word.address().to_usize()].whole().is_some());
            is_known && a.whole().is_some() && carry.is_some()
        })
    }

    /// Ends a run of several instructions, and returns their number.
    fn finish_run(&mut self, start: u64) -> u64 {
        if self.executed > start {
            self.edges = 0;
        }
        if self.is_determined
            && let Some(PartialState { a, carry, ram }) = &mut self.partial
        {
            (*a, *carry) = (self.registers.a.into(), Some(self.registers.carry));
            for (byte, bits) in ram.iter_mut().zip(self.ram.iter()) {
                *byte = PartialByte::new(*bits, byte.known());
            }
        }
        self.executed - start
    }

    /// Executes up to `limit` instructions as machine code. Returns false if there is no machine
    /// code.
    fn run_compiled(&mut self, limit: u64) -> bool {
        let Some(code) = self.compiled.code(&self.program) else { return false };
        let run = code.run(&mut self.registers, &mut self.ram, limit, &mut self.output);
        self.executed += run.executed;
        self.halted = run.has_halted;
        true
    }

    /// Executes up to `limit` instructions, but at least one, as fused sequences where possible.
    /// The next instruction must not be watched.
    fn run_fused(&mut self, limit: u64) {
        let limit = limit.min(self.compiled.due_after());
        let executed = self.interpret(limit, &mut ());
        self.compiled.count(executed);
        // These are not fused: the last few instructions, a store to the mailbox, and the end of
        // the program.
        if executed < limit && !self.program.is_watched(self.registers.pc) {
            self.step();
            self.compiled.count(1);
        }
    }

    /// Executes up to `limit` instructions as fused sequences, and returns their number.
    fn interpret(&mut self, limit: u64, observer: &mut impl Observer) -> u64 {
        let (program, registers, ram) = (&self.program, &mut self.registers, &mut self.ram);
        let executed = match &self.unit {
            None => program.run(&StockUnit, registers, ram, limit, observer),
            Some(unit) => program.run(unit, registers, ram, limit, observer),
        };
        self.executed += executed;
        executed
    }
}

impl Engine for Machine {
    fn boxed_clone(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        self.registers.pc = RomIndex::default();
        self.executed = 0;
        self.halted = false;
        self.edges = 0;
        self.output.clear();
        self.hold(Buttons::NONE);
    }

    fn hold(&mut self, buttons: Buttons) {
        self.poke(panel::BUTTONS, buttons.0);
    }

    fn poke(&mut self, address: RamAddr, byte: u8) {
        self.ram[address.to_usize()] = byte;
        if let Some(state) = &mut self.partial {
            state.ram[address.to_usize()] = byte.into();
        }
    }

    fn load(&mut self, registers: Registers) -> bool {
        self.registers = registers;
        if let Some(state) = &mut self.partial {
            (state.a, state.carry) = (registers.a.into(), Some(registers.carry));
        }
        self.halted = false;
        true
    }

    fn step(&mut self) -> Option<Executed> {
        self.halted |= self.obstacle().is_some();
        if self.halted {
            return None;
        }
        let Registers { a, carry, pc: index } = self.registers;
        let word = self.program.word(index);
        let (op, address) = (word.op(), word.address());
        let data = self.ram[address.to_usize()];

        let write = op.writes_memory().then_some(Write { address, old: data, new: a });
        if let Some(write) = write {
            self.store(write);
        }
        self.halted = word.halts_at(index);
        self.registers.pc = word.next(index, carry);
        self.registers.apply(op, self.alu(op, data, word.immediate()));
        if let Some(state) = &mut self.partial {
            state.execute(word);
        }
        self.executed += 1;
        self.edges = 0;
        Some(Executed { index, word, write, read: op.reads_memory().then_some(data) })
    }

    fn edge(&mut self) -> Option<Executed> {
        if self.halted {
            return None;
        }
        self.edges += 1;
        if self.edges == first_phase(self.executed).edges_to_go() { self.step() } else { None }
    }

    fn run_to_watched(&mut self, limit: u64) -> u64 {
        let start = self.executed;
        let end = start.saturating_add(limit);
        while !self.halted && self.executed < end && !self.program.is_watched(self.registers.pc) {
            let before = self.executed;
            if !self.is_determined {
                self.step();
                // The check takes as long as a few hundred instructions.
                self.is_determined =
                    self.executed.is_multiple_of(1 << 16) && self.knows_all_operands();
            } else if !self.run_compiled(end - before) {
                self.run_fused(end - before);
            }
            debug_assert!(self.halted || self.executed > before, "it would run for ever");
        }
        self.finish_run(start)
    }

    fn run_counting(&mut self, limit: u64, counts: &mut ExecutionCounts) -> u64 {
        let start = self.executed;
        let end = start.saturating_add(limit);
        while !self.halted && self.executed < end {
            let before = self.executed;
            if self.is_determined {
                self.interpret(end - before, counts);
            }
            if self.executed < end
                && let Some(executed) = self.step()
            {
                counts.add(executed.index, 1);
            }
            debug_assert!(self.halted || self.executed > before, "it would run for ever");
        }
        self.finish_run(start)
    }

    fn watch(&mut self, indexes: &Indexes) {
        if self.program.watch(indexes) {
            self.compiled.forget();
        }
    }

    fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    fn save(&self) -> Snapshot {
        Snapshot {
            executed: self.executed,
            halted: self.halted,
            state: MachineState::Instruction {
                registers: self.registers,
                ram: self.ram.clone(),
                partial: self.partial.clone(),
                edges: self.edges,
            },
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        let MachineState::Instruction { registers, ram, partial, edges } = &snapshot.state else {
            panic!("the snapshot of a board cannot be restored on the instruction engine");
        };
        self.registers = *registers;
        self.ram.copy_from_slice(&ram[..]);
        self.partial.clone_from(partial);
        self.is_determined = partial.is_none();
        self.executed = snapshot.executed;
        self.halted = snapshot.halted;
        self.edges = *edges;
        self.output.clear();
    }

    fn registers(&self) -> Registers {
        self.registers
    }

    fn ram(&self) -> &[u8; RAM_BYTES] {
        &self.ram
    }

    fn partial_state(&self) -> Option<&PartialState> {
        self.partial.as_ref()
    }

    fn word(&self, index: RomIndex) -> Word {
        self.program.word(index)
    }

    fn keeps_to_op(&self, word: Word) -> bool {
        let unit = self.unit.as_ref().is_none_or(|unit| unit.keeps_to(word.op()));
        unit && !(self.buttons_answer && stores_to_buttons(word))
    }

    fn executed(&self) -> u64 {
        self.executed
    }

    fn halted(&self) -> bool {
        self.halted
    }

    fn error(&self) -> Option<&EngineError> {
        self.obstacle().filter(|_| self.halted)
    }

    fn phase(&self) -> Phase {
        first_phase(self.executed).after(self.edges)
    }

    fn edges(&self) -> u32 {
        self.edges
    }

    fn slice(&self) -> u64 {
        1 << 18
    }
}

#[cfg(test)]
mod tests;
