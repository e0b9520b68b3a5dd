//! The instruction-level machine: registers, data memory and the panel as a programmer sees them.
//!
//! [`Machine::step`] is the plain meaning of an instruction, asked from `gray1-isa`.
//! [`Machine::run`] does the same to many instructions at once; `fused` says how.
//!
//! Who wants to look at some instructions as they are executed has them watched: then
//! [`Machine::run_to_watched`] stops before each. All others run as fast as ever.

mod fused;
mod indexes;
mod unit;

use gray1_isa::address::RAM_BYTES;
use gray1_isa::panel::{self, Buttons, Display};
use gray1_isa::{Alu, Image, Op, RamAddr, RomIndex, Word};

use crate::power_up::{Contents, PowerUp};
use fused::Program;
pub use indexes::Indexes;
pub use unit::{BurnedUnit, Unrecognised};
use unit::{Stock, Unit};

/// A Gray-1 with a program in its socket.
#[derive(Debug, Clone)]
pub struct Machine {
    program: Program,
    /// The arithmetic unit, if it is not the stock one.
    unit: Option<BurnedUnit>,
    cpu: Cpu,
    ram: Box<[u8; RAM_BYTES]>,
    executed: u64,
    halted: bool,
    output: Vec<u8>,
}

/// The registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cpu {
    a: u8,
    carry: bool,
    pc: RomIndex,
}

/// What a machine remembers: registers, data memory, how far it is. Some 8 KiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    cpu: Cpu,
    ram: Box<[u8; RAM_BYTES]>,
    executed: u64,
    halted: bool,
}

/// Why [`Machine::run`] came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// A `JMP` to itself was executed, now or earlier; the machine would repeat it for ever.
    Halted,
    /// As many instructions were executed as were asked for.
    Limit,
    /// A watched instruction comes next (only from [`Machine::run_to_watched`]).
    Watched,
    /// An LED changed (only from [`Machine::run_to_led_change`]).
    LedChange,
}

/// What an executed instruction was and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executed {
    /// Where it stands.
    pub index: RomIndex,
    /// The instruction.
    pub word: Word,
    /// The byte it stored, for an instruction that stores.
    pub write: Option<Write>,
}

/// A byte of data memory that was written, be it with the value it had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    /// Where.
    pub address: RamAddr,
    /// What it held.
    pub old: u8,
    /// What it holds now.
    pub new: u8,
}

impl Machine {
    /// A machine that was powered up with a program in its socket, and reset.
    #[must_use]
    pub fn new(image: &Image, power_up: PowerUp) -> Self {
        let Contents { a, carry, ram } = power_up.contents();
        let mut machine = Self {
            program: Program::fuse(image),
            unit: None,
            cpu: Cpu { a, carry, pc: RomIndex::default() },
            ram,
            executed: 0,
            halted: false,
            output: Vec::new(),
        };
        machine.reset();
        machine
    }

    /// The same machine with another arithmetic unit.
    #[must_use]
    pub fn with_unit(self, unit: BurnedUnit) -> Self {
        Self { unit: Some(unit).filter(|unit| !unit.is_stock()), ..self }
    }

    /// Starts the program from index 0. A, C and data memory keep what they hold, but for the
    /// buttons, of which the panel then says that none is held. The count of instructions starts
    /// again, and output that nobody took is dropped.
    pub fn reset(&mut self) {
        self.cpu.pc = RomIndex::default();
        self.executed = 0;
        self.halted = false;
        self.output.clear();
        self.hold(Buttons::NONE);
    }

    /// Tells the program which buttons are held from now on.
    pub fn hold(&mut self, buttons: Buttons) {
        self.ram[panel::BUTTONS.to_usize()] = buttons.0;
    }

    /// Executes one instruction; `None` if the machine has halted.
    pub fn step(&mut self) -> Option<Executed> {
        if self.halted {
            return None;
        }
        let index = self.cpu.pc;
        let word = self.program.word(index);
        let (op, address) = (word.op(), word.address());
        let data = self.ram[address.to_usize()];

        let write = op.writes_memory().then_some(Write { address, old: data, new: self.cpu.a });
        if let Some(write) = write {
            self.store(write);
        }
        self.halted = word.halts_at(index);
        self.cpu.pc = if op.jumps(self.cpu.carry) { word.target() } else { index.next() };
        self.cpu.take(op, self.alu(op, data, word.immediate()));
        self.executed += 1;
        Some(Executed { index, word, write })
    }

    fn alu(&self, op: Op, data: u8, immediate: u8) -> Alu {
        match &self.unit {
            None => Stock.alu(op, self.cpu.a, data, immediate),
            Some(unit) => unit.alu(op, self.cpu.a, data, immediate),
        }
    }

    fn store(&mut self, Write { address, new, .. }: Write) {
        self.ram[address.to_usize()] = new;
        if address == panel::MAILBOX {
            self.output.push(new);
        }
    }

    /// Executes up to `limit` instructions, as fast as it can.
    ///
    /// What the program prints meanwhile is kept: a caller that takes it ([`Self::take_output`])
    /// between runs bounds the memory by the limit.
    pub fn run(&mut self, limit: u64) -> Stop {
        let end = self.executed.saturating_add(limit);
        loop {
            match self.run_to_watched(end - self.executed) {
                Stop::Watched => {
                    self.step();
                }
                stop => return stop,
            }
        }
    }

    /// The same, but stops before an instruction that is watched, at once if it comes next.
    pub fn run_to_watched(&mut self, limit: u64) -> Stop {
        let end = self.executed.saturating_add(limit);
        while !self.halted && self.executed < end {
            let left = end - self.executed;
            let (program, cpu, ram) = (&self.program, &mut self.cpu, &mut self.ram);
            self.executed += match &self.unit {
                None => program.run(&Stock, cpu, ram, left),
                Some(unit) => program.run(unit, cpu, ram, left),
            };
            // What the fused code leaves to us: the last few, a store to the mailbox, the end.
            if self.executed < end {
                if self.program.is_watched(self.cpu.pc) {
                    return Stop::Watched;
                }
                self.step();
            }
        }
        if self.halted { Stop::Halted } else { Stop::Limit }
    }

    /// Watches these instructions, and no others any more.
    pub fn watch(&mut self, indexes: &Indexes) {
        self.program.watch(indexes);
    }

    /// All that the machine remembers, to come back to it.
    #[must_use]
    pub fn save(&self) -> Saved {
        let Self { cpu, ram, executed, halted, .. } = self;
        Saved { cpu: *cpu, ram: ram.clone(), executed: *executed, halted: *halted }
    }

    /// Comes back to what was saved from a machine with the same program. Output that nobody took
    /// is dropped.
    pub fn restore(&mut self, saved: &Saved) {
        self.cpu = saved.cpu;
        self.ram.copy_from_slice(&saved.ram[..]);
        self.executed = saved.executed;
        self.halted = saved.halted;
        self.output.clear();
    }

    /// Executes up to `limit` instructions, but stops behind one that changes an LED.
    pub fn run_to_led_change(&mut self, limit: u64) -> Stop {
        for _ in 0..limit {
            match self.step() {
                None => return Stop::Halted,
                Some(Executed { write: Some(write), .. }) if write.changes_led() => {
                    return Stop::LedChange;
                }
                Some(_) => {}
            }
        }
        if self.halted { Stop::Halted } else { Stop::Limit }
    }

    /// The accumulator.
    #[must_use]
    pub fn a(&self) -> u8 {
        self.cpu.a
    }

    /// The carry.
    #[must_use]
    pub fn carry(&self) -> bool {
        self.cpu.carry
    }

    /// The index of the instruction to be executed next.
    #[must_use]
    pub fn pc(&self) -> RomIndex {
        self.cpu.pc
    }

    /// The word at an index of program memory.
    #[must_use]
    pub fn word(&self, index: RomIndex) -> Word {
        self.program.word(index)
    }

    /// Data memory, as CPU and panel see it.
    #[must_use]
    pub fn ram(&self) -> &[u8; RAM_BYTES] {
        &self.ram
    }

    /// What the LEDs show.
    #[must_use]
    pub fn display(&self) -> Display {
        Display::of(&self.ram)
    }

    /// How many instructions were executed since the reset, a halting `JMP` included.
    #[must_use]
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// Whether the program has come to its end: a `JMP` to itself.
    #[must_use]
    pub fn halted(&self) -> bool {
        self.halted
    }

    /// The bytes that were written to the mailbox since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }
}

impl Cpu {
    /// Takes what the arithmetic unit answers, as far as the operation asks for it.
    #[inline]
    fn take(&mut self, op: Op, answer: Alu) {
        if op.writes_a() {
            self.a = answer.value;
        }
        if op.writes_carry() {
            self.carry = answer.carry;
        }
    }
}

impl Write {
    /// Whether an LED looks different now.
    #[must_use]
    pub fn changes_led(&self) -> bool {
        panel::is_led(self.address) && self.old != self.new
    }
}

#[cfg(test)]
mod tests;
