//! Measures the debugger after a billion instructions: the time to go back, the memory for the
//! past, and the cost of recording while the machine runs.
//!
//! `cargo bench --bench debugger`
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gray1_board::Board;
use gray1_debugger::{
    Access, BreakpointRequest, BreakpointTarget, Condition, Debugger, Event, ExecutionCounter,
    Goal, History, Position, RunResult, Search, SearchResult, WatchSet,
};
use gray1_isa::{Image, PowerUp, RamAddr, RomIndex, SplitMix64};
use gray1_sim::{Engine as _, Hardware, Machine, Setup};

use support::{Side, compare_rounds, load_image};

const BOARD: &str = include_str!("../roms/gray1.ron");
const BILLION: u64 = 1_000_000_000;
/// The number of instructions that a front end executes before it checks for a key press.
const SLICE: u64 = 1 << 18;

fn main() {
    // Conway's Life runs forever, accesses data memory all over, and prints nothing.
    let image = load_image("life");
    measure_recording(&image);

    let mut history = record_history(Hardware::default(), &image, BILLION);
    measure_steps_back(&mut history, Duration::from_millis(50));
    measure_searches(&image, &history);
    measure_far_seeks(&image);
    measure_numbered_hits(&image);

    let board = Board::load(BOARD, gray1_roms::parts(), |_| Err("no files".into()))
        .expect("the board is checked");
    let mut history =
        record_history(Hardware::Chips(Arc::new(board), gray1_roms::nearest), &image, BILLION / 10);
    measure_steps_back(&mut history, Duration::from_millis(100));
}

/// Returns the history of a machine after this many instructions.
fn record_history(hardware: Hardware, image: &Image, count: u64) -> History {
    let setup = Setup { hardware, power_up: PowerUp::Zero };
    let mut history = History::new(setup.engine(image).expect("the board settles"));
    history.advance(count);
    assert_eq!((history.moment(), history.start()), (count, 0), "life does not end");
    let name = match setup.hardware {
        Hardware::Instruction(_) => "the instruction engine",
        Hardware::Chips(..) | Hardware::Timed(..) => "the chips",
    };
    println!("after {count} instructions of life on {name}:");
    let mebibytes = history.bytes().div_ceil(1 << 20);
    println!("  {:<44} {mebibytes:>7} MiB (bound 64)", "memory for the past");
    history
}

fn measure_recording(image: &Image) {
    let count = 50_000_000;
    println!("life, {count} instructions:");
    let machine = Machine::new(image, PowerUp::Zero);
    compare_rounds(
        21,
        count,
        "instructions",
        &Side {
            name: "only the machine",
            prepare: &|| machine.clone(),
            run: &|machine| {
                machine.run(count);
            },
        },
        &Side {
            name: "with its history, in slices",
            prepare: &|| History::new(machine.boxed_clone()),
            run: &|history| {
                let nothing = WatchSet::default();
                while history.moment() < count {
                    assert_eq!(
                        history.run(&nothing, SLICE.min(count - history.moment())),
                        RunResult::Limit
                    );
                }
            },
        },
    );
}

fn measure_steps_back(history: &mut History, goal: Duration) {
    let end = history.end();
    let stepped = slowest((0..50).map(|_| time(|| history.seek(history.moment() - 1))));
    print_time("one instruction back, the slowest of 50", stepped, goal);
    let middle = slowest((0..50).map(|n| {
        history.seek(end);
        time(|| history.seek(end / 2 + n * 7919))
    }));
    print_time("seek to the middle, the slowest of 50", middle, goal);
    history.seek(end);
}

/// Measures seeks in a history that is so long that its snapshots are sparse. The further back a
/// seek goes, the longer it takes.
fn measure_far_seeks(image: &Image) {
    let history = record_history(Hardware::default(), image, 100 * BILLION);
    let (end, mut random) = (history.end(), SplitMix64::new(1));
    let mut debugger = Debugger::new(Arc::new(image.clone()), history);
    let mut slowest_slice = Duration::ZERO;
    let mut times: Vec<Duration> = (0..31)
        .map(|_| {
            let target = random.below(end);
            let start = Instant::now();
            debugger.seek(target, 0);
            while debugger.is_busy() {
                slowest_slice = slowest_slice.max(time(|| {
                    debugger.advance(0);
                }));
            }
            assert_eq!(debugger.position(), Position::at(target));
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    print_time("seek to a random moment, the median of 31", times[15], Duration::from_secs(1));
    print_time("the slowest of them", times[30], Duration::from_secs(30));
    println!("    the longest slice {:.1} ms", slowest_slice.as_secs_f64() * 1e3);
}

/// Measures going back to a hit with a given number, which skips all later hits. Where the
/// snapshots are sparse, there are many hits between two snapshots. The baseline is counting the
/// hits forward.
fn measure_numbered_hits(image: &Image) {
    let history = record_history(Hardware::default(), image, 10 * BILLION);
    let mut debugger = Debugger::new(Arc::new(image.clone()), history);
    let index = find_rare_instruction(image);
    debugger.change_breakpoints(|breakpoints, program| {
        let mut request = BreakpointRequest::from(BreakpointTarget::Instruction(index));
        request.hit_condition = Some("== 1".to_owned());
        breakpoints.add(request, program);
    });
    let counted = time(|| while !debugger.count_hits() {});
    let count = debugger.hits().counts[0];
    let mut slowest_slice = Duration::ZERO;
    let back = time(|| {
        debugger.go_back(Goal::Run).expect("a run leads somewhere");
        while debugger.is_busy() {
            slowest_slice = slowest_slice.max(time(|| {
                debugger.advance(0);
            }));
        }
    });
    assert_eq!(*debugger.hits().counts, [1], "it stops at the first hit");
    print_time(&format!("back to the first of {count} hits"), back, 3 * counted);
    println!("    counting them forward {:.1} ms", counted.as_secs_f64() * 1e3);
    println!("    the longest slice {:.1} ms", slowest_slice.as_secs_f64() * 1e3);
}

/// Finds an instruction that is about one in a thousand executed instructions.
fn find_rare_instruction(image: &Image) -> RomIndex {
    let mut history = History::new(Box::new(Machine::new(image, PowerUp::Zero)));
    history.advance(BILLION / 100);
    let mut counting = ExecutionCounter::new(&history);
    counting.advance(&history, history.moment());
    let counts = RomIndex::all().zip(counting.by_index());
    let (index, _) = counts
        .min_by_key(|(_, count)| count.abs_diff(history.moment() / 1000))
        .expect("there are instructions");
    index
}

fn measure_searches(image: &Image, history: &History) {
    let condition = |text: &str| Condition::parse(text, image).expect("life has these names");
    // The first instruction is executed only once, before all others.
    let first = condition("0");
    let byte = find_byte_written_early(image);
    for (name, condition) in [
        ("the last LED change", condition("led")),
        ("a breakpoint hit at the very beginning", first),
        ("a byte that never had this value", condition("when [0x1fe3] == 300")),
        (
            "a write to a byte at the very beginning",
            Event::Touches(Access::Write, byte..=byte).into(),
        ),
    ] {
        let watch_set = WatchSet::new(vec![condition], history.engine());
        let mut slowest = Duration::ZERO;
        let start = Instant::now();
        let mut search = Search::new(history, watch_set);
        let found = loop {
            let slice = Instant::now();
            let found = search.advance(history, SLICE);
            slowest = slowest.max(slice.elapsed());
            if !matches!(found, SearchResult::DownTo(_)) {
                break found;
            }
        };
        print_time(name, start.elapsed(), Duration::from_secs(2));
        println!("    {found:?}, the longest slice {:.1} ms", slowest.as_secs_f64() * 1e3);
    }
}

/// Finds a byte of data memory that is written in the first thousand instructions and not after
/// that.
fn find_byte_written_early(image: &Image) -> RamAddr {
    let mut machine = Machine::new(image, PowerUp::Zero);
    let mut written = |count| {
        let steps = (0..count).filter_map(|_| machine.step()?.write);
        steps.map(|write| write.address).collect::<BTreeSet<RamAddr>>()
    };
    let (early, later) = (written(1000), written(100_000));
    *early.difference(&later).next().expect("life plants constants")
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn slowest(times: impl Iterator<Item = Duration>) -> Duration {
    times.max().unwrap_or_default()
}

fn print_time(what: &str, time: Duration, goal: Duration) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("  {what:<44} {:>9.2} ms (goal {} ms)", ms(time), ms(goal));
}
