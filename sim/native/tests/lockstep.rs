//! Compares compiled programs with [`Machine::step`]. Registers, memory, output and count must be
//! the same at every stop, for random programs, limits, watched instructions and buttons.
#![cfg(any(all(target_arch = "x86_64", any(unix, windows)), all(target_arch = "aarch64", unix)))]

use std::path::Path;

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::format::{Contents, load};
use gray1_isa::panel::{self, Buttons};
use gray1_isa::{Image, Indexes, Op, PowerUp, RamAddr, Registers, RomIndex, Word};
use gray1_native::{Native, NativeRun};
use gray1_sim::{Engine as _, Machine};

/// The maximum number of variables of a random program, and the distance between them.
const VARIABLES_MAX: u64 = 24;
const STRIDE: u16 = 37;

/// A program in the form that both engines use.
type Words = Box<[Word; ROM_WORDS]>;

#[test]
fn programs_that_loop_run_as_they_are_stepped() {
    lockstep(1, 12_000_000, 20_000, structured);
}

#[test]
fn random_words_run_as_they_are_stepped() {
    lockstep(2, 100_000, 2_000, uniform);
}

#[test]
fn values_and_their_complements_are_not_confused() {
    lockstep(5, 4_000_000, 5_000, logical);
}

#[test]
fn constants_that_changed_at_a_stop_are_read_from_memory() {
    lockstep(6, 4_000_000, 2_000, pooled);
}

/// Runs programs that fill program memory, with jumps across all of it.
#[test]
fn programs_that_fill_program_memory_run_as_they_are_stepped() {
    lockstep(7, 1_000_000, 100_000, full);
}

#[test]
fn the_programs_of_the_repository_run_as_they_are_stepped() {
    let mut random = SplitMix64(4);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|suffix| suffix == "hex") {
            let Ok(Contents::Image(image)) = load(&std::fs::read(&path).expect("a file")) else {
                panic!("{} is an image", path.display());
            };
            Bench::new(&words(image.words()), &mut random).run(&mut random, 300_000);
            count += 1;
        }
    }
    assert!(count >= 10, "{count} programs");
}

#[test]
fn output_that_exceeds_the_buffer_is_complete() {
    let program =
        [Word::ldi(b'!'), Word::data(Op::St, panel::MAILBOX), Word::jump(Op::Jmp, index(0))];
    let mut pair = Pair::new(&program, 0);
    let native = Native::compile(&words(&program), &Indexes::NONE).expect("executable memory");
    assert_eq!(pair.run(&native, &[], 3000), NativeRun { executed: 3000, has_halted: false });
}

/// At the instruction where two paths meet, a host register caches the buttons. In the first
/// program it also caches a copy of them, and in the second one it also holds A.
#[test]
fn buttons_changed_at_a_stop_are_read_afterwards() {
    let data = |op, n| Word::data(op, RamAddr::truncate(n));
    let buttons = Word::data(Op::Ld, panel::BUTTONS);
    let copied = [
        data(Op::Ld, 6),
        buttons,
        data(Op::St, 5),
        Word::jump(Op::Jc, index(5)),
        Word::ldi(1),
        buttons,
        data(Op::St, 7),
        data(Op::Add, 6),
        Word::jump(Op::Jmp, index(8)),
    ];
    let loaded = [
        buttons,
        Word::jump(Op::Jc, index(3)),
        data(Op::St, 6),
        data(Op::St, 7),
        buttons,
        data(Op::St, 8),
        Word::jump(Op::Jmp, index(6)),
    ];
    for (program, meeting) in [(&copied[..], 5), (&loaded[..], 3)] {
        let native = Native::compile(&words(program), &Indexes::NONE).expect("executable memory");
        let mut pair = Pair::new(program, 0);
        pair.hold(Buttons(1));
        while pair.cpu.pc != index(meeting) {
            pair.run(&native, &[], 1);
        }
        pair.hold(Buttons(2));
        assert!(pair.run(&native, &[], 100).has_halted);
    }
}

#[test]
fn instructions_that_no_jump_leads_to_are_executed() {
    let mut program = words(&[Word::shr(), Word::jump(Op::Jmp, index(1))]);
    program[100] = Word::ldi(7);
    program[101] = Word::jump(Op::Jmp, index(0));
    let native =
        Native::compile(&program, &[index(101)].into_iter().collect()).expect("executable memory");
    let (mut ram, mut output) = ([0; RAM_BYTES], Vec::new());
    let mut cpu = Registers { a: 0, carry: false, pc: index(100) };
    let stopped = native.run(&mut cpu, &mut ram, 10, &mut output);
    assert_eq!(stopped, NativeRun { executed: 1, has_halted: false });
    assert_eq!(cpu, Registers { a: 7, carry: false, pc: index(101) });
    cpu.pc = index(0);
    let halted = native.run(&mut cpu, &mut ram, 10, &mut output);
    assert_eq!(halted, NativeRun { executed: 2, has_halted: true });
    assert_eq!(cpu, Registers { a: 3, carry: true, pc: index(1) });
}

/// Executes about `total` instructions of random programs, at most `each` of one program.
fn lockstep(seed: u64, total: u64, each: u64, program: fn(&mut SplitMix64) -> Words) {
    let mut random = SplitMix64(seed);
    let mut executed = 0;
    while executed < total {
        let words = program(&mut random);
        executed += Bench::new(&words, &mut random).run(&mut random, each);
    }
}

/// A program compiled without and with watched instructions, and the state that both work on.
struct Bench {
    free: Native,
    watching: Native,
    watched: Vec<RomIndex>,
    pair: Pair,
}

impl Bench {
    fn new(words: &Words, random: &mut SplitMix64) -> Self {
        let first = if random.one_in(2) { 0 } else { random.next() as u16 };
        let near = |random: &mut SplitMix64| index(first.wrapping_add(random.below(64) as u16));
        let watched: Vec<RomIndex> = (0..random.below(4)).map(|_| near(random)).collect();
        let compile = |watched: &[RomIndex]| {
            Native::compile(words, &watched.iter().copied().collect()).expect("executable memory")
        };
        Self {
            free: compile(&[]),
            watching: compile(&watched),
            watched,
            pair: Pair::new(&words[..], random.next()),
        }
    }

    /// Executes about `total` instructions in runs of random length, or fewer if the program halts
    /// again and again. Returns the number of executed instructions.
    fn run(&mut self, random: &mut SplitMix64, total: u64) -> u64 {
        let (mut executed, mut halts) = (0, 0);
        while executed < total && halts < 3 {
            if random.one_in(2) {
                self.pair.hold(Buttons(random.next() as u8));
            }
            if random.one_in(8) {
                let variable = address(random, VARIABLES_MAX);
                self.pair.poke(variable, random.next() as u8);
            }
            let limit = {
                let bits = random.below(14);
                random.below(1 << bits)
            };
            let run = if random.one_in(2) {
                self.pair.run(&self.free, &[], limit)
            } else {
                self.pair.run(&self.watching, &self.watched, limit)
            };
            executed += run.executed;
            if !run.has_halted && run.executed < limit {
                executed += self.pair.run(&self.free, &[], 1).executed;
            }
            if self.pair.machine.halted() {
                halts += 1;
                self.pair.reset();
            }
        }
        executed
    }
}

/// A machine, and the state that compiled programs work on. They are the same at every stop.
struct Pair {
    machine: Machine,
    cpu: Registers,
    ram: Box<[u8; RAM_BYTES]>,
    printed: Vec<u8>,
}

impl Pair {
    fn new(words: &[Word], seed: u64) -> Self {
        let image = Image::from_words(words).expect("not more than 8192 words");
        let machine = Machine::new(&image, PowerUp::Random(seed));
        let (cpu, ram) = (machine.registers(), Box::new(*machine.ram()));
        Self { machine, cpu, ram, printed: Vec::new() }
    }

    /// Runs the program, and steps the machine to the same point.
    fn run(&mut self, native: &Native, watched: &[RomIndex], limit: u64) -> NativeRun {
        let run = native.run(&mut self.cpu, &mut self.ram, limit, &mut self.printed);
        for _ in 0..run.executed {
            assert!(!watched.contains(&self.machine.pc()), "a watched instruction was executed");
            self.machine.step();
        }
        assert_eq!(run.has_halted, self.machine.halted());
        let stops = run.has_halted || run.executed == limit;
        assert!(stops || watched.contains(&self.machine.pc()), "it stopped for no reason");
        self.compare();
        run
    }

    fn compare(&mut self) {
        assert_eq!(self.cpu, self.machine.registers());
        assert!(*self.ram == *self.machine.ram(), "data memory differs");
        assert_eq!(std::mem::take(&mut self.printed), self.machine.take_output());
    }

    fn hold(&mut self, buttons: Buttons) {
        self.machine.hold(buttons);
        self.ram[panel::BUTTONS.to_usize()] = buttons.0;
    }

    fn poke(&mut self, address: RamAddr, byte: u8) {
        self.machine.poke(address, byte);
        self.ram[address.to_usize()] = byte;
    }

    fn reset(&mut self) {
        self.machine.reset();
        self.cpu.pc = RomIndex::default();
        self.hold(Buttons::NONE);
    }
}

fn index(n: u16) -> RomIndex {
    RomIndex::truncate(n)
}

/// Places a program in otherwise erased program memory.
fn words(program: &[Word]) -> Words {
    let mut words = Box::new([Word::ERASED; ROM_WORDS]);
    words[..program.len()].copy_from_slice(program);
    words
}

/// Random words. They soon halt or reach a tight loop, after code of every shape.
fn uniform(random: &mut SplitMix64) -> Words {
    Box::new(std::array::from_fn(|_| Word::from_bits(random.next() as u16)))
}

/// Returns random words without `JMP`. Half of them are `JC`, so that all of program memory can be
/// reached.
fn full(random: &mut SplitMix64) -> Words {
    Box::new(std::array::from_fn(|_| match random.below(8) {
        0..4 => Word::jump(Op::Jc, index(random.next() as u16)),
        4 => Word::shr(),
        5 => Word::ldi(random.next() as u8),
        _ => {
            let ops = [Op::Ld, Op::St, Op::Add, Op::Nand];
            Word::data(ops[random.below(4) as usize], address(random, VARIABLES_MAX))
        }
    }))
}

/// Generates a program that runs for a long time. Such programs have few variables, so that
/// instructions use each other's data, and all jumps stay within the program. Some are placed where
/// the program counter wraps, and some are longer than the maximum block.
fn structured(random: &mut SplitMix64) -> Words {
    let length = if random.one_in(8) { 700 } else { 4 + random.below(60) };
    let start = if random.one_in(4) { ROM_WORDS as u64 - length / 2 } else { 0 };
    let variables = 1 + random.below(VARIABLES_MAX);
    let jumps = 1 + random.below(8);
    let mut words = words(&[]);
    for n in 0..length {
        let at = index((start + n) as u16);
        let target = index((start + random.below(length)) as u16);
        // The last instruction jumps, because otherwise the program would run into erased memory
        // and soon halt.
        let is_jump = n + 1 == length || random.below(16) < jumps;
        words[at.to_usize()] = match random.below(6) {
            0..4 if is_jump && n + 1 < length => {
                // A jump over one instruction is compiled together with that instruction.
                let target = if random.one_in(3) { at.next().next() } else { target };
                Word::jump(Op::Jc, target)
            }
            _ if is_jump => Word::jump(Op::Jmp, target),
            0 => Word::ldi(random.next() as u8),
            1 => Word::shr(),
            _ => {
                let ops = [Op::Ld, Op::St, Op::Add, Op::Nand];
                Word::data(ops[random.below(4) as usize], address(random, variables))
            }
        };
    }
    words
}

/// Generates a program that reads constants in loops. Most constants are stored at the start. The
/// program also stores some of them again, or occasionally another value.
fn pooled(random: &mut SplitMix64) -> Words {
    let values: Vec<u8> = (0..=random.below(4))
        .map(|_| if random.one_in(2) { 0xff } else { random.next() as u8 })
        .collect();
    let variables = values.len() as u64 + 1 + random.below(4);
    let variable = |n: u64| RamAddr::truncate(n as u16 * STRIDE);
    let mut program = Vec::new();
    for (n, value) in (0..).zip(&values) {
        if !random.one_in(8) {
            program.extend([Word::ldi(*value), Word::data(Op::St, variable(n))]);
        }
    }
    let length = program.len() as u64 + 4 + random.below(40);
    while (program.len() as u64) < length {
        let target = random.below(length) as u16;
        match random.below(16) {
            0 => program.push(Word::jump(Op::Jc, index(target))),
            1 if random.one_in(4) => program.push(Word::jump(Op::Jmp, index(target))),
            2 => {
                let n = random.below(values.len() as u64);
                let value = values[n as usize] ^ u8::from(random.one_in(8));
                program.extend([Word::ldi(value), Word::data(Op::St, variable(n))]);
            }
            3 => program.push(Word::shr()),
            4 | 5 => {
                let n = values.len() as u64 + random.below(variables - values.len() as u64);
                program.push(Word::data(Op::St, variable(n)));
            }
            n => {
                let op = [Op::Ld, Op::Add, Op::Nand, Op::Nand][n as usize % 4];
                program.push(Word::data(op, variable(random.below(variables))));
            }
        }
    }
    program.push(Word::jump(Op::Jmp, index(random.below(length) as u16)));
    words(&program)
}

/// Generates a loop of straight-line code with few variables. Half of the code is `NAND`.
fn logical(random: &mut SplitMix64) -> Words {
    let variables = 1 + random.below(6);
    let ops = [Op::Nand, Op::Nand, Op::Nand, Op::Ld, Op::St, Op::Add];
    let mut program: Vec<Word> = (0..4 + random.below(40))
        .map(|_| match random.below(12) {
            0 => Word::shr(),
            n => Word::data(ops[n as usize % 6], RamAddr::truncate(random.below(variables) as u16)),
        })
        .collect();
    program.push(Word::jump(Op::Jmp, index(random.below(program.len() as u64) as u16)));
    words(&program)
}

/// Returns the address of a variable, or one near the panel's addresses.
fn address(random: &mut SplitMix64, variables: u64) -> RamAddr {
    match random.below(40) {
        0 => panel::MAILBOX,
        1..6 => panel::BUTTONS,
        6..9 => RamAddr::truncate(panel::GREEN.get() + random.below(16) as u16),
        _ => RamAddr::truncate(random.below(variables) as u16 * STRIDE),
    }
}

/// `SplitMix64`, by Sebastiano Vigna, public domain.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}
