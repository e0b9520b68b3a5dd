//! The engine for a machine whose memory and registers may hold anything at power-up.
//!
//! A program of this machine names every address, because there is no indirect addressing. So each
//! bit of memory, A and C is either known or unknown at each moment, whatever the machine held at
//! power-up. This engine follows them until a jump or a printed byte depends on an unknown bit.

use gray1_board::phase::Phase;
use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::panel::{self, Buttons};
use gray1_isa::{
    Executed, Image, Indexes, PartialState, RamAddr, Registers, RomIndex, Word, Write,
};

use crate::engine::{Engine, EngineError, MachineState, Snapshot, first_phase};

/// A machine of which some bits are unknown. [`Engine::registers`] and [`Engine::ram`] show a 0 for
/// each unknown bit, and [`Engine::partial_state`] shows which bits are unknown.
#[derive(Debug, Clone)]
pub struct PartialMachine {
    words: Box<[Word; ROM_WORDS]>,
    watched: Indexes,
    state: PartialState,
    pc: RomIndex,
    executed: u64,
    /// The number of edges since the current instruction began. Only [`Engine::phase`] shows it.
    edges: u32,
    halted: bool,
    error: Option<EngineError>,
    output: Vec<u8>,
}

impl PartialMachine {
    /// Powers up a machine with a program and resets it. Nothing is known, except that no button is
    /// held.
    pub fn new(image: &Image) -> Self {
        let mut machine = Self {
            words: Box::new(std::array::from_fn(|n| image.word(RomIndex::truncate(n as u16)))),
            watched: Indexes::NONE,
            state: PartialState::unknown(),
            pc: RomIndex::default(),
            executed: 0,
            edges: 0,
            halted: false,
            error: None,
            output: Vec::new(),
        };
        machine.hold(Buttons::NONE);
        machine
    }

    fn word_at(&self, index: RomIndex) -> Word {
        self.words[index.to_usize()]
    }

    /// Executes the next instruction, unless its effect depends on an unknown bit.
    #[inline]
    fn execute(&mut self) -> Result<(), EngineError> {
        let word = self.word_at(self.pc);
        let jumps = self.state.jumps(word.op()).ok_or(EngineError::UnknownJump)?;
        if word.op().writes_memory() && word.address() == panel::MAILBOX {
            self.output.push(self.state.a.whole().ok_or(EngineError::UnknownOutput)?);
        }
        self.state.execute(word);
        self.halted = word.halts_at(self.pc);
        self.pc = if jumps { word.target() } else { self.pc.next() };
        self.executed += 1;
        Ok(())
    }

    fn fail(&mut self, error: EngineError) {
        self.error = Some(error);
        self.halted = true;
    }
}

impl Engine for PartialMachine {
    fn boxed_clone(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        self.pc = RomIndex::default();
        (self.executed, self.edges) = (0, 0);
        (self.halted, self.error) = (false, None);
        self.output.clear();
        self.hold(Buttons::NONE);
    }

    fn hold(&mut self, buttons: Buttons) {
        self.poke(panel::BUTTONS, buttons.0);
    }

    fn poke(&mut self, address: RamAddr, byte: u8) {
        self.state.set_byte(address, byte.into());
    }

    fn load(&mut self, Registers { a, carry, pc }: Registers) -> bool {
        (self.state.a, self.state.carry, self.pc) = (a.into(), Some(carry), pc);
        (self.halted, self.error) = (false, None);
        true
    }

    fn step(&mut self) -> Option<Executed> {
        if self.halted {
            return None;
        }
        let index = self.pc;
        let word = self.word_at(index);
        let (op, address) = (word.op(), word.address());
        let data = self.state.byte(address).bits();
        let new = self.state.a.bits();
        let write = op.writes_memory().then_some(Write { address, old: data, new });
        if let Err(error) = self.execute() {
            self.fail(error);
            return None;
        }
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
        while !self.halted && self.executed < end && !self.watched.contains(self.pc) {
            if let Err(error) = self.execute() {
                self.fail(error);
            }
        }
        if self.executed > start {
            self.edges = 0;
        }
        self.executed - start
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
            state: MachineState::Partial {
                state: self.state.clone(),
                pc: self.pc,
                edges: self.edges,
                error: self.error.clone(),
            },
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        let MachineState::Partial { state, pc, edges, error } = &snapshot.state else {
            panic!("the snapshot is of a machine of another kind");
        };
        self.state.clone_from(state);
        (self.pc, self.edges) = (*pc, *edges);
        self.error.clone_from(error);
        self.executed = snapshot.executed;
        self.halted = snapshot.halted;
        self.output.clear();
    }

    fn registers(&self) -> Registers {
        let PartialState { a, carry, .. } = &self.state;
        Registers { a: a.bits(), carry: carry.unwrap_or_default(), pc: self.pc }
    }

    fn ram(&self) -> &[u8; RAM_BYTES] {
        self.state.bits()
    }

    fn partial_state(&self) -> Option<&PartialState> {
        Some(&self.state)
    }

    fn word(&self, index: RomIndex) -> Word {
        self.word_at(index)
    }

    fn executed(&self) -> u64 {
        self.executed
    }

    fn halted(&self) -> bool {
        self.halted
    }

    fn error(&self) -> Option<&EngineError> {
        self.error.as_ref()
    }

    fn phase(&self) -> Phase {
        first_phase(self.executed).after(self.edges)
    }

    fn edges(&self) -> u32 {
        self.edges
    }

    fn slice(&self) -> u64 {
        1 << 17
    }
}
