//! Proof 5: the whole board executes instructions as specified, from any state that an instruction
//! can leave.
//!
//! This is the only proof that knows instructions. It runs the board and compares the results with
//! `gray1-isa`.

use gray1_board::Board;
use gray1_board::phase::Phase;
use gray1_board::registers::address_wires;
use gray1_circuit::nodes::wiring::Outputs;
use gray1_circuit::panel::press_reset;
use gray1_circuit::registers::RegisterProbes;
use gray1_circuit::{Circuit, Probe, Settled, Unsettled, power_up_state};
use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{Image, Op, PowerUp, RamAddr, RomIndex, Word};

use super::Examination;
use super::addresses::Addresses;
use super::counterexample::{Counterexample, Verdict, outcome};
use super::instructions::{self, Case, numbered_word};

const EXECUTES: &str = "an instruction does what it says";
const AGREES: &str = "between instructions masters and slaves agree";
const NEXT: &str = "after an instruction comes the next one, or the target of its jump";
const WRITES: &str = "data memory takes A at the address of ST, and nothing else";
const RESETS: &str = "reset lets the instruction under way complete and keeps A, C and memory";
const SETTLES: &str = "the board settles in only one way";

impl Examination<'_> {
    pub(super) fn prove_meaning(&mut self, progress: &mut dyn FnMut(u64)) -> Verdict {
        let mut bench = Bench::new(self.prover.board, progress)?;
        let verdict = bench.run_tests();
        self.cases += bench.cases;
        verdict
    }
}

/// A board under test. It is stopped in T1 of the instruction at 0, and its registers can be set.
struct Bench<'a> {
    board: &'a Board,
    circuit: Settled,
    /// The instruction at 0.
    first: Word,
    /// All wires in T1 of that instruction.
    start: Outputs,
    address: Probe,
    registers: RegisterProbes,
    /// The number of executed cases, each counted once.
    cases: u64,
    /// Called after each case, with the number of cases so far.
    progress: &'a mut dyn FnMut(u64),
}

impl<'a> Bench<'a> {
    fn new(board: &'a Board, progress: &'a mut dyn FnMut(u64)) -> Result<Self, Counterexample> {
        let board_with_program = board.with_program(&numbered_program());
        let state = power_up_state(board, PowerUp::Zero.contents());
        let mut circuit = Settled::new(&board_with_program, &state)
            .map_err(|unsettled| failure(&unsettled, Vec::new()))?;
        press_reset(&mut circuit).map_err(|unsettled| failure(&unsettled, Vec::new()))?;
        let registers = RegisterProbes::find(&circuit).map_err(|register| {
            let note = format!("no latch is known to hold {register}");
            Counterexample::new(EXECUTES, vec![note])
        })?;
        Ok(Self {
            address: circuit.probe(&address_wires(board, board.program())),
            registers,
            first: numbered_word(RomIndex::default()),
            start: circuit.all_outputs(),
            board,
            circuit,
            cases: 0,
            progress,
        })
    }

    fn run_tests(&mut self) -> Verdict {
        self.test_arithmetic()?;
        self.test_addresses()?;
        self.test_jumps()?;
        self.test_succession()?;
        self.test_stale_words()?;
        self.test_resets()
    }

    fn count(&mut self, cases: u64) {
        self.cases += cases;
        (self.progress)(self.cases);
    }

    /// Executes a list of cases, and calls `then` after each case. Cases with the same opcode,
    /// carry and key are counted once.
    fn execute_list(
        &mut self,
        key: fn(Case) -> u16,
        mut list: impl Iterator<Item = Case>,
        mut then: impl FnMut(&mut Self, Case) -> Verdict,
    ) -> Verdict {
        let mut covered = empty_set();
        list.try_for_each(|case| {
            let executed = self.execute(case)?;
            self.count(cover(&mut covered, executed, key(executed)));
            then(self, executed)
        })
    }

    /// Tests every combination of opcode, A, C and the byte that the instruction may use.
    fn test_arithmetic(&mut self) -> Verdict {
        self.execute_list(Case::arithmetic_key, instructions::arithmetic(), |_, _| Ok(()))
    }

    /// Tests every word that the instruction register can still hold.
    fn test_stale_words(&mut self) -> Verdict {
        self.execute_list(Case::stale_key, instructions::stale_words(), |_, _| Ok(()))
    }

    /// Tests every address of data memory.
    fn test_addresses(&mut self) -> Verdict {
        let mut memory = std::array::from_fn(instructions::numbered_byte);
        *self.circuit.memory_mut() = memory;
        self.execute_list(Case::word_key, instructions::addresses(), |bench, case| {
            if case.word.op().writes_memory() {
                let address = case.word.address().to_usize();
                memory[address] = bench.circuit.memory()[address];
                bench.compare_memory(&memory, address)?;
                memory[address] = case.byte;
                bench.circuit.memory_mut()[address] = case.byte;
            }
            Ok(())
        })
    }

    /// Checks that data memory has the expected contents after a write to an address.
    fn compare_memory(&self, expected: &[u8; RAM_BYTES], written: usize) -> Verdict {
        let memory = self.circuit.memory();
        if memory == expected {
            return Ok(());
        }
        let spoilt = (0..RAM_BYTES).find(|&at| memory[at] != expected[at]);
        let (found, expected) = (spoilt.unwrap_or_default() as u32, written as u32);
        let what = "the address of another byte that has changed";
        Err(Counterexample::new(WRITES, vec![outcome(what, found, expected)]))
    }

    /// Tests every jump target, and the instruction there.
    fn test_jumps(&mut self) -> Verdict {
        let mut covered = empty_set();
        self.execute_list(Case::word_key, instructions::jumps(), |bench, case| {
            // The instruction at 0 is the jump, so it cannot be tested as the target.
            let target = case.word.target();
            if case.word.op().jumps(case.carry) && target != RomIndex::default() {
                let address = bench.read_address();
                bench.execute_next(target, case)?;
                bench.count(cover(&mut covered, case, address as u16));
            }
            Ok(())
        })
    }

    /// Tests the step from every instruction to the next one, once around program memory.
    fn test_succession(&mut self) -> Verdict {
        let word = numbered_word(RomIndex::default());
        let case = Case { word, a: 0, carry: false, byte: 0, stale: Word::ERASED };
        self.prepare(case);
        let mut covered = Addresses::below(2 * ROM_WORDS);
        RomIndex::all().try_for_each(|index| {
            self.count(u64::from(covered.insert(self.read_address() as usize)));
            self.execute_next(index, case)
        })
    }

    /// Tests reset in every phase in which the panel may raise it: the phases in which the
    /// oscillator is high.
    fn test_resets(&mut self) -> Verdict {
        (0..Phase::COUNT).step_by(2).try_for_each(|edges| {
            let mut covered = empty_set();
            instructions::pairs().try_for_each(|case| {
                let case = self.reset_during(edges, case)?;
                self.count(cover(&mut covered, case, case.opcodes_key()));
                Ok(())
            })
        })
    }

    /// Executes the instruction at 0 and compares the result. Returns the case with the words that
    /// the instruction register actually held before and after the instruction. They can differ
    /// from the words in `case`, because a board does not have to fetch bits that do not affect the
    /// result.
    fn execute(&mut self, case: Case) -> Result<Case, Counterexample> {
        self.prepare(case);
        let stale = Word::from_bits(self.registers.instruction(&self.circuit));
        self.run(Phase::COUNT, case)?;
        self.compare(case)?;
        Ok(Case { word: Word::from_bits(self.registers.instruction(&self.circuit)), stale, ..case })
    }

    /// Puts the board into T1 of the instruction at 0, and writes the byte to the operand's
    /// address.
    fn prepare(&mut self, case: Case) {
        self.burn(case.word);
        self.circuit.write_cell(case.word.address(), case.byte, &mut self.start);
        let levels = self.registers.levels_for(case.a, case.carry, case.stale.bits());
        self.circuit.set_outputs(&self.start, &levels);
    }

    fn run(&mut self, edges: u32, case: Case) -> Verdict {
        let run = self.circuit.edges(edges);
        run.map_err(|unsettled| failure(&unsettled, vec![executes(RomIndex::default(), case)]))
    }

    fn compare(&mut self, case: Case) -> Verdict {
        let Case { word, a, carry, byte, .. } = case;
        let op = word.op();
        let alu = op.alu(a, byte, word.immediate());
        let a = if op.writes_a() { alu.value } else { a };
        let index = RomIndex::default();
        let next = word.next(index, carry);
        let carry = if op.writes_carry() { alu.carry } else { carry };
        let expect = |law, what, found, expected| {
            check(law, what, found, expected, || vec![executes(index, case)])
        };
        let circuit = &self.circuit;
        expect(EXECUTES, "A", circuit.read(&self.registers.a), a.into())?;
        expect(EXECUTES, "C", circuit.read(&self.registers.carry), carry.into())?;
        expect(AGREES, "A's master", circuit.read(&self.registers.a_master), a.into())?;
        expect(AGREES, "C's master", circuit.read(&self.registers.carry_master), carry.into())?;
        expect(NEXT, "the address of the program", self.read_address(), self.address(next))?;
        let writes = self.circuit.writes();
        expect(WRITES, "the number of writes", writes.len() as u32, op.writes_memory().into())?;
        let written = writes.first().map(|write| pack(write.address, write.new));
        self.circuit.clear_writes();
        let expected = pack(word.address(), a);
        expect(WRITES, "address and byte of the write", written.unwrap_or(expected), expected)
    }

    /// Executes the instruction at an index and compares the result. The instruction is an LDI
    /// whose operand is derived from the index.
    fn execute_next(&mut self, index: RomIndex, before: Case) -> Verdict {
        let case = Case { word: numbered_word(index), ..before };
        let run = self.circuit.edges(Phase::COUNT);
        run.map_err(|unsettled| failure(&unsettled, vec![executes(index, case)]))?;
        let expected = numbered_word(index).immediate();
        for (law, what, found, expected) in [
            (NEXT, "A", self.circuit.read(&self.registers.a), u32::from(expected)),
            (NEXT, "the address of the program", self.read_address(), self.address(index.next())),
        ] {
            check(law, what, found, expected, || vec![executes(index, case)])?;
        }
        Ok(())
    }

    /// Executes this number of edges of an instruction, raises and lowers reset, and compares the
    /// result. If the instruction has not begun, first sets the masters to levels that differ from
    /// their slaves, as can happen at power-up.
    fn reset_during(&mut self, edges: u32, mut case: Case) -> Result<Case, Counterexample> {
        self.prepare(case);
        case.stale = Word::from_bits(self.registers.instruction(&self.circuit));
        let begun = edges > 0;
        let (a, carry) = if begun { (case.a, case.carry) } else { (!case.a, !case.carry) };
        self.circuit.set_wires(&self.registers.a_master, a.into());
        self.circuit.set_wires(&self.registers.carry_master, carry.into());
        self.run(edges, case)?;
        let reset = press_reset(&mut self.circuit);
        reset
            .map_err(|unsettled| failure(&unsettled, vec![executes(RomIndex::default(), case)]))?;
        let op = case.word.op();
        let alu = op.alu(case.a, case.byte, case.word.immediate());
        let a = if begun && op.writes_a() { alu.value } else { a };
        let carry = if begun && op.writes_carry() { alu.carry } else { carry };
        let stored = begun && op.writes_memory();
        let stored = stored.then(|| pack(case.word.address(), a));
        let writes = self.circuit.writes();
        let count = writes.len() as u32;
        let written = writes.first().map(|write| pack(write.address, write.new));
        self.circuit.clear_writes();
        for (what, found, expected) in [
            ("A", self.circuit.read(&self.registers.a), u32::from(a)),
            ("C", self.circuit.read(&self.registers.carry), u32::from(carry)),
            ("the address of the program", self.read_address(), 0),
            ("the number of writes", count, u32::from(stored.is_some())),
            ("what is written", written.unwrap_or_default(), stored.unwrap_or_default()),
        ] {
            check(RESETS, what, found, expected, || {
                let rises = format!("reset rises in {}", Phase::AFTER_RESET.after(edges));
                vec![executes(RomIndex::default(), case), rises]
            })?;
        }
        Ok(case)
    }

    fn read_address(&self) -> u32 {
        self.circuit.read(&self.address)
    }

    /// Returns the address of the program chip at which an instruction begins.
    fn address(&self, index: RomIndex) -> u32 {
        u32::from(self.board.code().encode(2 * index.get()))
    }

    /// Burns the instruction at 0.
    fn burn(&mut self, word: Word) {
        if std::mem::replace(&mut self.first, word) == word {
            return;
        }
        let bytes = word.bits().to_be_bytes();
        for (at, byte) in (0..).zip(bytes) {
            self.circuit.burn_byte(u32::from(self.board.code().encode(at)), byte);
        }
    }
}

/// Creates an empty set of cases. Cases are distinguished by opcode, carry and a key of 16 bits.
fn empty_set() -> Addresses {
    Addresses::below((2 * Op::ALL.len()) << u16::BITS)
}

/// Adds a case. Returns 1 if it is new, otherwise 0.
fn cover(covered: &mut Addresses, case: Case, key: u16) -> u64 {
    let op_and_carry = usize::from(case.word.op().code()) << 1 | usize::from(case.carry);
    u64::from(covered.insert(op_and_carry << u16::BITS | usize::from(key)))
}

/// Combines the address and the byte of a write into one number.
fn pack(address: RamAddr, byte: u8) -> u32 {
    u32::from(address.get()) << 8 | u32::from(byte)
}

/// Checks that a value is as expected. Otherwise returns a counterexample with this explanation.
fn check(
    law: &'static str,
    what: &'static str,
    found: u32,
    expected: u32,
    events: impl FnOnce() -> Vec<String>,
) -> Verdict {
    if found == expected {
        return Ok(());
    }
    let mut events = events();
    events.push(outcome(what, found, expected));
    Err(Counterexample::new(law, events))
}

fn executes(index: RomIndex, case: Case) -> String {
    let Case { word, a, carry, byte, .. } = case;
    let (op, operand, index, carry) = (word.op(), word.operand(), index.get(), u8::from(carry));
    format!("{op} {operand:04x} at {index:04x}, with A = {a:02x}, C = {carry}, [x] = {byte:02x}")
}

fn failure(unsettled: &Unsettled, mut events: Vec<String>) -> Counterexample {
    events.push(unsettled.to_string());
    Counterexample::new(SETTLES, events)
}

/// Returns a program in which every instruction loads a number that depends on its index.
fn numbered_program() -> Image {
    let words: Vec<Word> = RomIndex::all().map(numbered_word).collect();
    debug_assert_eq!(words.len(), ROM_WORDS);
    Image::from_words(&words).unwrap_or_default()
}

#[cfg(test)]
mod tests;
