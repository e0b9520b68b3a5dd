//! `gray1 compare`: programs side by side, in a table of what they take.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::{Duration, Instant};

use gray1_isa::panel::{MAILBOX, RED, SIDE};
use gray1_isa::{Image, RamAddr, Word};
use gray1_sim::proofs::slowest_path;
use gray1_sim::{Board, Machine, PowerUp};

use super::messages::Messages;
use super::run::stuck;
use super::{Done, Failure, Outcome, cannot_write, failure, load};
use crate::board;
use crate::engine::Engine;
use crate::program::Program;
use gray1_tui::grouped;

#[derive(clap::Args)]
#[command(
    after_help = "A line a program: its instructions in program memory; those it executes; how \
    often a red LED came on, which in the queens programs is a queen who was set; the time that \
    it takes on either engine (`~`: worked out from the first 20,000,000 instructions), and on a \
    built machine at the highest speed that `gray1 check` allows it."
)]
pub(super) struct Options {
    /// The programs: paths or built-in names
    #[arg(required = true, value_name = "PROGRAM")]
    programs: Vec<String>,
    /// Stop each after so many instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    max_instructions: u64,
    /// Stop each when it has printed so many lines that differ
    #[arg(long, value_name = "N")]
    lines: Option<usize>,
}

/// The chips are timed for no more instructions than this, some seconds' worth; what a longer
/// program takes on them is worked out.
const CHIPS_MAX: u64 = 20_000_000;
/// Short programs are timed again and again for so long, and the shortest time counts.
const TIMED: Duration = Duration::from_millis(200);
/// How many phases an instruction has.
const PHASES: u64 = 8;
/// What is run between two looks at what was printed.
const CHUNK: u64 = 1 << 20;
/// How much of a line tells it from others.
const LINE_MAX: usize = 256;

pub(super) fn compare(options: &Options, messages: &mut Messages) -> Outcome {
    let programs = options.programs.iter().map(|word| load(word, messages));
    let programs: Vec<Program> = programs.collect::<Result<_, _>>()?;
    let board = board::load(board::DEFAULT).map_err(failure)?;
    let path = slowest_path(&board, |chip| board.chip(chip).access_ns());
    let phase_ns = u64::from(path.expect("the stock board is proved").total_ns());
    let names = programs.iter().map(|program| program.name.chars().count());
    let width = names.chain(["program".len()]).max().unwrap_or_default();
    let heading = ["words", "executed", "queens set", "instructions", "chips", "built", "end"];
    print(&row("program", width, &heading.map(String::from)))?;
    for program in &programs {
        let counts = Counts::of(&program.image, options);
        let cells = cells(&counts, &program.image, &board, phase_ns)?;
        print(&row(&program.name, width, &cells))?;
    }
    Ok(Done::Well)
}

/// The cells of a program's row, but for its name.
fn cells(
    counts: &Counts,
    image: &Image,
    board: &Board,
    phase_ns: u64,
) -> Result<[String; 7], Failure> {
    let words = image.words().iter().filter(|word| **word != Word::ERASED).count();
    let executed = counts.executed;
    let fast = shortest(|| timed(Engine::instruction(image, PowerUp::default()), executed))?;
    let on_chips = executed.min(CHIPS_MAX);
    let slow = shortest(|| {
        let engine = Engine::chips(board, image, PowerUp::default()).map_err(stuck)?;
        timed(engine, on_chips)
    })?;
    let chips = if on_chips < executed {
        let nanoseconds = slow.as_nanos() * u128::from(executed) / u128::from(on_chips);
        format!("~{}", time(Duration::from_nanos(nanoseconds as u64)))
    } else {
        time(slow)
    };
    Ok([
        grouped(words as u64),
        grouped(executed),
        grouped(counts.queens),
        time(fast),
        chips,
        time(Duration::from_nanos(executed.saturating_mul(PHASES * phase_ns))),
        counts.end.into(),
    ])
}

/// A line of the table.
fn row(name: &str, width: usize, cells: &[String; 7]) -> String {
    let [words, executed, queens, fast, slow, built, end] = cells;
    format!(
        "{name:width$} {words:>6} {executed:>13} {queens:>11} {fast:>12} {slow:>9} {built:>9}  {end}\n"
    )
}

fn print(line: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| cannot_write("standard output", &error))
}

/// What a program does that does not depend on the time it takes.
struct Counts {
    executed: u64,
    /// How often a red LED came on.
    queens: u64,
    /// How it ended.
    end: &'static str,
}

impl Counts {
    /// Steps through a program that wakes up with a memory of zeros.
    fn of(image: &Image, options: &Options) -> Self {
        let mut machine = Machine::new(image, PowerUp::default());
        let mut lines = Lines::default();
        let (mut queens, mut end) = (0, "stopped");
        while machine.executed() < options.max_instructions {
            let Some(executed) = machine.step() else {
                end = "halted";
                break;
            };
            let Some(write) = executed.write else { continue };
            if is_red(write.address) {
                queens += u64::from((write.new & !write.old).count_ones());
            } else if write.address == MAILBOX {
                machine.take_output();
                let enough = options.lines.is_some_and(|enough| lines.take(write.new) >= enough);
                if enough {
                    end = "all lines";
                    break;
                }
            }
        }
        Self { executed: machine.executed(), queens, end }
    }
}

fn is_red(address: RamAddr) -> bool {
    (RED.get()..RED.get() + SIDE as u16).contains(&address.get())
}

/// The lines that a program has printed so far.
#[derive(Default)]
struct Lines {
    seen: BTreeSet<Vec<u8>>,
    line: Vec<u8>,
}

impl Lines {
    /// Takes one more byte. Tells how many lines there are that differ.
    fn take(&mut self, byte: u8) -> usize {
        if byte == b'\n' {
            self.seen.insert(std::mem::take(&mut self.line));
        } else if self.line.len() < LINE_MAX {
            self.line.push(byte);
        }
        self.seen.len()
    }
}

/// How long an engine takes for so many instructions.
fn timed(mut engine: Engine, instructions: u64) -> Result<Duration, Failure> {
    let start = Instant::now();
    while engine.executed() < instructions {
        engine.run((instructions - engine.executed()).min(CHUNK)).map_err(stuck)?;
        engine.take_output();
    }
    Ok(start.elapsed())
}

/// The shortest time of several runs.
fn shortest(run: impl Fn() -> Result<Duration, Failure>) -> Result<Duration, Failure> {
    let start = Instant::now();
    let mut best = run()?;
    while start.elapsed() < TIMED {
        best = best.min(run()?);
    }
    Ok(best)
}

/// A time to three digits or so.
fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 600.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds >= 1.0 => format!("{seconds:.1} s"),
        seconds if seconds >= 0.001 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{:.0} µs", 1e6 * seconds),
    }
}
