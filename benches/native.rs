//! Compares the native engine with C translations of the same program memory compiled by `cc -O2`,
//! with the portable engine, and with a plain `match` loop over decoded words.
//!
//! `cargo bench --bench native`
//!
//! The engines take turns, so that noise affects all of them. The results are medians of processor
//! time. In each turn a program runs several times: the first run is cold, because another engine
//! ran before, and the others are warm.
//!
//! The C translations count instructions and check the limit at backward jumps, so they overshoot
//! it by at most one iteration. *On the same terms* means that the panel and the debugger may read
//! and change memory at each check. Otherwise the compiler knows that memory is private to the
//! program. It then removes stores, and folds the constants that the program stores.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark is there to print")]
#![allow(clippy::cast_precision_loss, reason = "figures for people have four digits")]

#[path = "support/clock.rs"]
mod clock;
#[path = "support/decoded.rs"]
mod decoded;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use gray1_isa::address::{RAM_BYTES, ROM_WORDS};
use gray1_isa::format::{Contents, load};
use gray1_isa::{Image, Indexes, Op, Operand, PowerUp, Registers, RomIndex, Word, panel};
use gray1_native::Native;
use gray1_sim::{Engine as _, Machine};

use clock::timed;
use decoded::Decoded;

/// The programs, each with its limit and the number of runs in a turn.
const PROGRAMS: [(&str, u64, usize); 4] = [
    ("queens", u64::MAX, 20),
    ("queens-bits", u64::MAX, 20),
    ("queens-odometer", 50_000_000, 3),
    ("life", 50_000_000, 3),
];

/// The number of turns of each engine.
const ROUNDS: usize = 31;

fn main() {
    // `cargo test --benches` only checks that it runs.
    let rounds = if std::env::args().any(|argument| argument == "--bench") { ROUNDS } else { 1 };
    println!("on {} with {}:", std::env::consts::ARCH, std::env::consts::OS);
    for (name, limit, repeats) in PROGRAMS {
        println!("{name}:");
        let image = image(name);
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(Compiled::new(&image)),
            Box::new(Portable::new(&image)),
            Box::new(MatchLoop::new(&image)),
        ];
        for terms in [Terms::Same, Terms::Private] {
            match Translated::new(name, &image, terms) {
                Ok(translated) => engines.push(Box::new(translated)),
                Err(why) => eprintln!("\n*** SKIPPED: the C translation of {name}: {why} ***\n"),
            }
        }
        check(&image, limit, &mut engines);
        report(&measure(limit, rounds, repeats, &mut engines));
    }
}

/// The image of a built-in program, as stored in the repository.
fn image(program: &str) -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("roms/{program}.hex"));
    match load(&std::fs::read(&path).expect("an image can be read")) {
        Ok(Contents::Image(image)) => *image,
        other => panic!("{} became {other:?}", path.display()),
    }
}

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outcome {
    /// The number of executed instructions.
    executed: u64,
    /// A hash of A, C, data memory and output.
    hash: u64,
}

impl Outcome {
    fn new(executed: u64, a: u8, carry: bool, ram: &[u8], output: &[u8]) -> Self {
        let bytes = [a, u8::from(carry)];
        let bytes = bytes.iter().chain(ram).chain(output);
        // FNV-1a, which is simple to compute in C as well.
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { executed, hash }
    }
}

/// Runs a program from power-up (all zero) until it halts or reaches a limit.
trait Engine {
    fn name(&self) -> &'static str;

    /// Runs the program. Returns the processor time and the result.
    fn run(&mut self, limit: u64) -> (Duration, Outcome);
}

/// Runs each engine once. Panics if one differs from the portable engine.
fn check(image: &Image, limit: u64, engines: &mut [Box<dyn Engine>]) {
    for engine in engines {
        let (_, outcome) = engine.run(limit);
        let (_, expected) = Portable::new(image).run(outcome.executed);
        assert_eq!(outcome, expected, "{}", engine.name());
    }
}

/// The times of an engine.
struct Measured {
    name: &'static str,
    executed: u64,
    cold: Vec<Duration>,
    warm: Vec<Duration>,
}

fn measure(
    limit: u64,
    rounds: usize,
    repeats: usize,
    engines: &mut [Box<dyn Engine>],
) -> Vec<Measured> {
    let names = engines.iter().map(|engine| engine.name());
    let mut measured: Vec<Measured> = names
        .map(|name| Measured { name, executed: 0, cold: Vec::new(), warm: Vec::new() })
        .collect();
    for _ in 0..rounds {
        for (engine, measured) in engines.iter_mut().zip(&mut measured) {
            for repeat in 0..repeats {
                let (time, outcome) = engine.run(limit);
                measured.executed = outcome.executed;
                if repeat == 0 { &mut measured.cold } else { &mut measured.warm }.push(time);
            }
        }
    }
    measured
}

/// Prints a line for each engine, with its rate and how many times as fast the native engine is.
/// The native engine comes first.
fn report(all: &[Measured]) {
    let mut native = None;
    for Measured { name, executed, cold, warm } in all {
        let (cold, warm) = (median(cold), median(warm));
        let rate = *executed as f64 / warm.as_secs_f64() / 1e6;
        let ratio = *native.get_or_insert(rate) / rate;
        let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
        println!(
            "  {name:<26} warm {:>9.1} us, cold {:>9.1} us, {rate:>8.1} M/s, native is {ratio:>5.2} x",
            microseconds(warm),
            microseconds(cold),
        );
    }
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2]
}

struct Portable {
    fresh: Machine,
}

impl Portable {
    fn new(image: &Image) -> Self {
        Self { fresh: Machine::new(image, PowerUp::Zero).interpreted() }
    }
}

impl Engine for Portable {
    fn name(&self) -> &'static str {
        "portable engine"
    }

    fn run(&mut self, limit: u64) -> (Duration, Outcome) {
        let mut machine = self.fresh.clone();
        let (time, _) = timed(|| machine.run(limit));
        let output = machine.take_output();
        let (a, carry) = (machine.a(), machine.carry());
        (time, Outcome::new(machine.executed(), a, carry, machine.ram(), &output))
    }
}

struct Compiled {
    native: Native,
}

impl Compiled {
    fn new(image: &Image) -> Self {
        let words: &[Word; ROM_WORDS] = image.words().try_into().expect("8192 words");
        let mut times = Vec::new();
        let native = std::iter::repeat_with(|| {
            let (time, native) = timed(|| Native::compile(words, &Indexes::NONE));
            times.push(time);
            native.expect("this host grants executable memory")
        });
        let native = native.take(ROUNDS).last().expect("one round at least");
        println!("  compiled in {:.1} us", median(&times).as_secs_f64() * 1e6);
        Self { native }
    }
}

impl Engine for Compiled {
    fn name(&self) -> &'static str {
        "native engine"
    }

    fn run(&mut self, limit: u64) -> (Duration, Outcome) {
        let mut cpu = Registers::default();
        let mut ram = Box::new([0; RAM_BYTES]);
        let mut output = Vec::new();
        let (time, run) = timed(|| self.native.run(&mut cpu, &mut ram, limit, &mut output));
        (time, Outcome::new(run.executed, cpu.a, cpu.carry, &ram[..], &output))
    }
}

/// The assumptions that the C compiler may make about memory.
#[derive(Debug, Clone, Copy)]
enum Terms {
    /// Memory may be read and changed from outside wherever the limit is checked.
    Same,
    /// Memory is private to the program.
    Private,
}

impl Terms {
    fn name(self) -> &'static str {
        match self {
            Self::Same => "C, on the same terms",
            Self::Private => "C, memory private",
        }
    }
}

/// A C translation of the program. The process runs it on request.
struct Translated {
    terms: Terms,
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Translated {
    fn new(name: &str, image: &Image, terms: Terms) -> Result<Self, String> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
        std::fs::write(&source, translate(image)).map_err(|error| error.to_string())?;
        let status = Command::new("cc")
            .args(["-O2", "-D", &format!("{terms:?}").to_uppercase(), "-o"])
            .args([&program, &source])
            .status()
            .map_err(|error| format!("cc: {error}"))?;
        assert!(status.success(), "cc compiles {}", source.display());
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        Ok(Self { terms, process, answers })
    }
}

impl Engine for Translated {
    fn name(&self) -> &'static str {
        self.terms.name()
    }

    fn run(&mut self, limit: u64) -> (Duration, Outcome) {
        let questions = self.process.stdin.as_mut().expect("a pipe");
        writeln!(questions, "{limit}").expect("the process reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the process answers");
        let numbers: Vec<u64> =
            answer.split_whitespace().map(|number| number.parse().expect("a number")).collect();
        let [time, executed, hash] = numbers[..] else { panic!("{answer:?}") };
        (Duration::from_nanos(time), Outcome { executed, hash })
    }
}

impl Drop for Translated {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        self.process.wait().expect("the process ends with its input");
    }
}

/// The C source before the translated instructions.
const C_BEFORE: &str = r#"#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef SAME
#define PANEL __asm__ volatile("" : : "r"(ram) : "memory");
#else
#define PANEL
#endif
#define CHECK PANEL if (n >= limit) goto stop;

static uint8_t last_a, last_c, ram[8192], output[1 << 16];
static uint64_t printed, hash;

static uint64_t run(uint64_t limit)
{
    uint8_t a = 0, c = 0;
    unsigned sum;
    uint64_t n = 0;

"#;

/// The C source after the translated instructions.
const C_AFTER: &str = r#"stop:
    last_a = a;
    last_c = c;
    return n;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static void take(const uint8_t *bytes, size_t length)
{
    while (length--)
        hash = (hash ^ *bytes++) * UINT64_C(0x100000001b3);
}

int main(void)
{
    uint64_t limit;
    while (scanf("%" SCNu64, &limit) == 1) {
        memset(ram, 0, sizeof ram);
        printed = 0;
        uint64_t start = now();
        uint64_t executed = run(limit);
        uint64_t time = now() - start;
        hash = UINT64_C(0xcbf29ce484222325);
        take(&last_a, 1);
        take(&last_c, 1);
        take(ram, sizeof ram);
        take(output, printed);
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", time, executed, hash);
        fflush(stdout);
    }
    return 0;
}
"#;

/// Translates the program to C, with a statement for each reachable instruction and a label for
/// each jump target.
fn translate(image: &Image) -> String {
    let reached = reached(image);
    let is_jump = |word: &Word| word.op().operand() == Operand::Target;
    let words = reached.iter().map(|index| image.word(*index));
    let targets: BTreeSet<RomIndex> = words.filter(is_jump).map(Word::target).collect();
    let mut text = C_BEFORE.to_owned();
    // The number of instructions that are not yet added to the count.
    let mut uncounted = 0;
    for index in reached {
        let word = image.word(index);
        if targets.contains(&index) {
            _ = writeln!(text, "    n += {uncounted};\nat_{}:", index.get());
            uncounted = 0;
        }
        uncounted += 1;
        if is_jump(&word) {
            _ = writeln!(text, "    n += {uncounted};");
            uncounted = 0;
        }
        _ = writeln!(text, "    {}", statement(word, index));
    }
    text + C_AFTER
}

/// Translates an instruction to C.
fn statement(word: Word, index: RomIndex) -> String {
    let x = word.operand();
    let check = if word.target() <= index { "CHECK " } else { "" };
    match word.op() {
        Op::Ldi => format!("a = {};", word.immediate()),
        Op::Ld => format!("a = ram[{x}];"),
        Op::St if word.address() == panel::MAILBOX => {
            format!("ram[{x}] = output[printed++] = a;")
        }
        Op::St => format!("ram[{x}] = a;"),
        Op::Add => format!("sum = a + ram[{x}]; a = sum; c = sum >> 8;"),
        Op::Nand => format!("a = ~(a & ram[{x}]);"),
        Op::Shr => "c = a & 1; a >>= 1;".to_owned(),
        Op::Jc => format!("if (c) {{ {check}goto at_{x}; }}"),
        Op::Jmp if word.halts_at(index) => "goto stop;".to_owned(),
        Op::Jmp => format!("{check}goto at_{x};"),
    }
}

/// The reachable instructions of a program, in ascending order.
fn reached(image: &Image) -> BTreeSet<RomIndex> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![RomIndex::default()];
    while let Some(index) = pending.pop() {
        if reached.insert(index) {
            pending.extend(image.word(index).successors(index).into_iter().flatten());
        }
    }
    reached
}

/// A plain interpreter with the usual optimisations: operands decoded, no bounds checks, registers
/// in locals, halts and mailbox stores recognised in advance.
struct MatchLoop {
    code: Box<[Decoded; ROM_WORDS]>,
}

impl MatchLoop {
    fn new(image: &Image) -> Self {
        let decoded = RomIndex::all().map(|index| Decoded::decode(image.word(index), index));
        let code: Box<[Decoded]> = decoded.collect();
        Self { code: code.try_into().unwrap_or_else(|_| unreachable!("8192 indexes")) }
    }

    fn execute(
        &self,
        limit: u64,
        ram: &mut [u8; RAM_BYTES],
        output: &mut Vec<u8>,
    ) -> (u64, Registers) {
        let (mut a, mut carry, mut pc, mut count) = (0_u8, false, 0_u16, 0);
        while count < limit {
            count += 1;
            let instruction = self.code[usize::from(pc & 0x1fff)];
            pc += 1;
            match instruction {
                Decoded::Ldi(n) => a = n,
                Decoded::Ld(x) => a = ram[usize::from(x & 0x1fff)],
                Decoded::St(x) => ram[usize::from(x & 0x1fff)] = a,
                Decoded::StMailbox => {
                    ram[panel::MAILBOX.to_usize()] = a;
                    output.push(a);
                }
                Decoded::Add(x) => (a, carry) = a.overflowing_add(ram[usize::from(x & 0x1fff)]),
                Decoded::Nand(x) => a = !(a & ram[usize::from(x & 0x1fff)]),
                Decoded::Shr => (a, carry) = (a >> 1, a & 1 == 1),
                Decoded::Jc(target) if carry => pc = target,
                Decoded::Jc(_) => {}
                Decoded::Jmp(target) => pc = target,
                Decoded::Halt => break,
            }
        }
        (count, Registers { a, carry, pc: RomIndex::truncate(pc) })
    }
}

impl Engine for MatchLoop {
    fn name(&self) -> &'static str {
        "match over decoded words"
    }

    fn run(&mut self, limit: u64) -> (Duration, Outcome) {
        let mut ram = Box::new([0; RAM_BYTES]);
        let mut output = Vec::new();
        let (time, (executed, cpu)) = timed(|| self.execute(limit, &mut ram, &mut output));
        (time, Outcome::new(executed, cpu.a, cpu.carry, &ram[..], &output))
    }
}
