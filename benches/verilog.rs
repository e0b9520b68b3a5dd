//! Compares the settled engine with Verilator, the fastest free Verilog simulator. Both simulate
//! the same board; Verilator compiles the model from `gray1 export verilog`.
//!
//! `cargo bench --bench verilog`
//!
//! The benchmark measures processor time instead of elapsed time. Verilator is a separate process
//! that runs twenty times as long, so other load on the machine would distort elapsed time.
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]
#![allow(clippy::cast_precision_loss, reason = "figures for people have four digits")]

#[path = "support/clock.rs"]
mod clock;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use gray1_board::Board;
use gray1_isa::format::{Contents, load};
use gray1_isa::{Image, PowerUp};
use gray1_sim::{Engine, Hardware, Setup};

use clock::timed;

/// The number of runs of each side. The median counts.
const ROUNDS: usize = 9;
/// The number of searches in one of our runs, so that it takes about as long as one of theirs.
const SEARCHES: u32 = 16;

const GRAY1: &str = env!("CARGO_BIN_EXE_gray1");
/// The built-in programs.
const PROGRAMS: [&str; 15] = [
    "counter",
    "fibonacci",
    "life",
    "primes",
    "puzzle",
    "queens",
    "queens-bits",
    "queens-bits-draw",
    "queens-odometer",
    "queens-packed",
    "queens-permute",
    "queens-repair",
    "scroll",
    "selftest",
    "snake",
];

const BOARD: &str = include_str!("../roms/gray1.ron");

fn main() {
    for needed in ["verilator", "g++", "make", "bash"] {
        if Command::new(needed).arg("--version").output().is_err() {
            println!("there is no {needed} here: apt-get install verilator g++ make bash");
            return;
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [queens, halt] = ["queens", "halt"].map(|name| folder.path().join(name));
    std::fs::write(folder.path().join("halt.asm"), "HALT\n").expect("the folder can be written");
    run(GRAY1, &["export", "verilog", "-o", "queens", "queens"], folder.path());
    run(GRAY1, &["export", "verilog", "-o", "halt", "halt.asm"], folder.path());
    let verilator = ["--binary", "-O3", "--x-assign", "fast", "--x-initial", "fast"];
    let sources = ["-CFLAGS", "-O3", "--top-module", "gray1_tb", "board.v", "gray1_tb.v"];
    run("verilator", &[&verilator[..], &sources].concat(), &queens);
    let model = queens.join("obj_dir/Vgray1_tb");
    let model = model.to_str().expect("temporary folders have plain names");
    compare_with_verilator(&Verilator { model, queens: &queens, halt: &halt });
}

/// Runs a command in a folder.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Output {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}\n{stderr}");
    output
}

/// The compiled model, and the folders of the two programs it can run.
struct Verilator<'a> {
    model: &'a str,
    queens: &'a Path,
    halt: &'a Path,
}

impl Verilator<'_> {
    /// Returns the time of a search without the time to start and to read the contents of the
    /// chips. A program that halts at once measures that time.
    fn time(&self, expected: &[u8]) -> Duration {
        let (all, printed) = self.run(self.queens);
        assert_eq!(printed, expected, "Verilator prints other arrangements");
        let (start, printed) = self.run(self.halt);
        assert!(printed.is_empty());
        all.saturating_sub(start)
    }

    /// Returns the processor time and the output.
    fn run(&self, folder: &Path) -> (Duration, Vec<u8>) {
        let script = "TIMEFORMAT=%U; time \"$0\"";
        let Output { stdout, stderr, .. } = run("bash", &["-c", script, self.model], folder);
        let seconds: f64 = String::from_utf8_lossy(&stderr).trim().parse().expect("bash's time");
        (Duration::from_secs_f64(seconds), stdout)
    }

    fn version(&self) -> String {
        let output = run("verilator", &["--version"], self.queens);
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        version.split(' ').take(2).collect::<Vec<&str>>().join(" ")
    }
}

/// Measures both sides in turn and prints the ratio.
fn compare_with_verilator(verilator: &Verilator) {
    let mut engine = power_up(&image("queens"));
    // The first search is slower, because the engine makes its plans during it.
    let (first, (count, printed)) = timed(|| search(&mut *engine));
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(verilator.time(&printed));
        let (time, ()) = timed(|| {
            for _ in 0..SEARCHES {
                assert_eq!(search(&mut *engine), (count, printed.clone()));
            }
        });
        ours.push(time / SEARCHES);
    }
    println!("the queens search on the board of chips, {count} instructions:");
    let theirs = print_rate(&verilator.version(), count, theirs);
    print_rate("gray1-sim, settled, first search", count, vec![first]);
    let ours = print_rate("gray1-sim, settled", count, ours);
    println!("  ratio {:.1} (goal 120)", ours / theirs);
    compare_cached_cycles();
}

/// Prints how much faster cached cycles make the settled engine, on every built-in program. The
/// baseline is the same engine, one instruction at a time.
fn compare_cached_cycles() {
    println!("settled, cached cycles against planned edges:");
    for program in PROGRAMS {
        let mut engine = power_up(&image(program));
        let (mut planned, mut cached) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            planned.push(measure_rate(&mut *engine, 200_000, |engine, limit| {
                (0..limit).map_while(|_| engine.step()).count() as u64
            }));
            cached.push(measure_rate(&mut *engine, 2_000_000, |engine, limit| engine.run(limit)));
        }
        let [planned, cached] = [planned, cached].map(median);
        let ratio = cached / planned;
        let [planned, cached] = [planned, cached].map(|rate| rate / 1e6);
        println!("  {program:<20} {planned:>7.2} {cached:>9.2} M/s, ratio {ratio:.1} (goal 5)");
    }
}

/// Measures how many instructions per second `run` executes, over at least `count` instructions.
fn measure_rate(
    engine: &mut dyn Engine,
    count: u64,
    run: impl Fn(&mut dyn Engine, u64) -> u64,
) -> f64 {
    let mut executed = 0;
    let (time, ()) = timed(|| {
        while executed < count {
            if engine.halted() {
                engine.reset();
            }
            executed += run(engine, count - executed);
            engine.take_output();
        }
    });
    executed as f64 / time.as_secs_f64()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_unstable_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// The stock board with a program.
fn power_up(image: &Image) -> Box<dyn Engine> {
    let board = Board::load(BOARD, gray1_roms::parts(), |_| Err("no files".into()))
        .expect("the board is checked");
    let setup = Setup {
        hardware: Hardware::Chips(Arc::new(board), gray1_roms::nearest),
        power_up: PowerUp::Zero,
    };
    setup.engine(image).expect("the board settles")
}

/// Prints the median in instructions per second.
fn print_rate(name: &str, count: u64, mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let rate = count as f64 / times[times.len() / 2].as_secs_f64();
    println!("  {name:<32} {:>9.2} M instructions/s", rate / 1e6);
    rate
}

/// Resets the board and runs to the end. Returns the number of instructions and the output.
fn search(engine: &mut dyn Engine) -> (u64, Vec<u8>) {
    engine.reset();
    let executed = engine.run(u64::MAX);
    assert_eq!(engine.error(), None);
    (executed, engine.take_output())
}

/// The image of a built-in program, as `gray1` assembles it.
fn image(program: &str) -> Image {
    let arguments = ["convert", program, "--format", "bin", "-o", "-"];
    match load(&run(GRAY1, &arguments, Path::new(".")).stdout) {
        Ok(Contents::Image(image)) => *image,
        other => panic!("{program} became {other:?}"),
    }
}
