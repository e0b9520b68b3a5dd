//! Test vectors: single instructions on the board of chips, each with the state before, the state
//! after, and the levels of every wire in between.
//!
//! The form is that of the `SingleStepTests` collections for other processors: a JSON file for each
//! opcode, an array of tests with `initial` and `final`. In place of bus cycles there are phases.

use std::collections::BTreeMap;

use gray1_board::buses::Bus;
use gray1_board::{Board, number};
use gray1_circuit::Settled;
use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::{Image, Op, Operand, PowerUp, RomIndex, SplitMix64, Word, panel};
use gray1_sim::board_engine::BoardEngine;
use gray1_sim::engine::{Engine as _, Registers};
use serde::Serialize;

use super::error::ExportError;
use super::file::ExportFile;

/// The number of tests of each instruction.
const TESTS: usize = 256;
/// A fixed seed, so that the tests are always the same.
const SEED: u64 = 1;

/// A test: an instruction between two states.
#[derive(Debug, Serialize)]
struct VectorTest {
    name: String,
    initial: VectorState,
    r#final: VectorState,
    /// The bytes that it printed.
    output: Vec<u8>,
    /// The levels at rest, phase by phase from T0, by the names of the buses.
    phases: Vec<BTreeMap<String, u32>>,
}

/// The state between two instructions.
#[derive(Debug, Serialize)]
struct VectorState {
    /// The index of the next instruction.
    pc: u16,
    a: u8,
    /// The carry.
    c: u8,
    /// Address and byte. All other bytes of data memory are 0.
    ram: Vec<(u16, u8)>,
    /// Index and word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rom: Vec<(u16, u16)>,
}

/// A file for each opcode.
pub(super) fn files(board: &Board) -> Result<Vec<ExportFile>, ExportError> {
    let mut random = SplitMix64::new(SEED);
    Op::ALL.into_iter().map(|op| file(board, op, &mut random)).collect()
}

fn file(board: &Board, op: Op, random: &mut SplitMix64) -> Result<ExportFile, ExportError> {
    let cases: Vec<VectorCase> =
        places(random).into_iter().map(|index| VectorCase::new(op, index, random)).collect();
    // Each test has its own place in one program, so that the board is burned once.
    let mut words = vec![Word::ERASED; ROM_WORDS];
    for case in &cases {
        words[case.before.pc.to_usize()] = case.word;
    }
    let image = Image::from_words(&words).expect("as many words as an image has");
    let mut engine = BoardEngine::settled(&board.with_program(&image), PowerUp::Zero)?;
    // A reset ends within an instruction.
    engine.step();
    let buses = Bus::all(board);
    let mut text = String::from("[\n");
    for (n, case) in cases.iter().enumerate() {
        text += if n == 0 { "" } else { ",\n" };
        text +=
            &serde_json::to_string(&run(&mut engine, &buses, case)?).expect("numbers and names");
    }
    text += "\n]\n";
    Ok(ExportFile::new(format!("{}.json", op.mnemonic().to_lowercase()), text))
}

/// Different indexes, the last one among them, from which the counter goes on to 0. The machine
/// executes the word at 0 once before the tests: it stays erased.
fn places(random: &mut SplitMix64) -> Vec<RomIndex> {
    let mut places = vec![RomIndex::MAX];
    while places.len() < TESTS {
        let index = RomIndex::truncate(random.between(1, RomIndex::MAX.get().into()) as u16);
        if !places.contains(&index) {
            places.push(index);
        }
    }
    places
}

/// The start of a test.
struct VectorCase {
    before: Registers,
    word: Word,
    /// The byte at the operand's address, which the board reads in every instruction.
    byte: u8,
}

impl VectorCase {
    fn new(op: Op, pc: RomIndex, random: &mut SplitMix64) -> Self {
        // All bits of the operand, those that the instruction has no use for, too.
        let field = match random.below(8) {
            0 => panel::MAILBOX.get(),
            1 => panel::GREEN.get(),
            2 if op.operand() == Operand::Target => pc.gray().get(),
            _ => random.below(1 << 13) as u16,
        };
        let word = Word::from_bits(u16::from(op.code()) << 13 | field);
        let before = Registers { a: byte(random), carry: random.coin(), pc };
        Self { before, word, byte: byte(random) }
    }

    fn name(&self) -> String {
        let Self { before, word, .. } = self;
        format!("{} {:04x} at {:04x}", word.op().mnemonic(), word.field(), before.pc.get())
    }

    fn state(&self, registers: Registers, ram: &[u8; RAM_BYTES]) -> VectorState {
        let address = self.word.address();
        VectorState {
            pc: registers.pc.get(),
            a: registers.a,
            c: registers.carry.into(),
            ram: vec![(address.get(), ram[address.to_usize()])],
            rom: Vec::new(),
        }
    }
}

/// A random byte; half of them are at the limits of signed or unsigned numbers.
pub(super) fn byte(random: &mut SplitMix64) -> u8 {
    const EDGES: [u8; 6] = [0, 1, 0x7f, 0x80, 0xfe, 0xff];
    if random.coin() { EDGES[random.below(6) as usize] } else { random.byte() }
}

/// Runs a test on a board between two instructions.
fn run(
    engine: &mut BoardEngine<Settled>,
    buses: &[Bus],
    case: &VectorCase,
) -> Result<VectorTest, ExportError> {
    let address = case.word.address();
    if !engine.load(case.before) {
        return Err(ExportError::Registers);
    }
    engine.poke(address, case.byte);
    let mut initial = case.state(engine.registers(), engine.ram());
    initial.rom = vec![(case.before.pc.get(), case.word.bits())];
    let mut phases = vec![levels(engine, buses)];
    while engine.edge().is_none() {
        if let Some(error) = engine.error() {
            return Err(error.clone().into());
        }
        phases.push(levels(engine, buses));
    }
    let r#final = case.state(engine.registers(), engine.ram());
    engine.poke(address, 0);
    Ok(VectorTest { name: case.name(), initial, r#final, output: engine.take_output(), phases })
}

/// The bytes on the buses.
fn levels(engine: &BoardEngine<Settled>, buses: &[Bus]) -> BTreeMap<String, u32> {
    let circuit = engine.circuit().expect("an engine of chips has wires");
    let value = |bus: &Bus| number(&bus.nets, |net| circuit.level(net));
    buses.iter().map(|bus| (bus.name.clone(), value(bus))).collect()
}
