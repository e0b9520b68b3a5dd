//! Tests of the effect that glitching ROMs have on a board, and of the jig that counts glitches.

use gray1_board::{Board, NetId, Parts};
use gray1_circuit::{ChipState, Circuit, Noise, Timed, Timing};
use gray1_isa::format::{Contents, load};
use gray1_isa::{Image, PowerUp};
use gray1_sim::{BoardEngine, Engine as _, Machine};

fn board(text: &str, file: impl FnMut(&str) -> Result<Vec<u8>, String>) -> Board {
    let parts = Parts::load(include_str!("../../roms/parts.ron")).unwrap();
    Board::load(text, &parts, file).unwrap()
}

fn stock() -> Board {
    board(include_str!("../../roms/gray1.ron"), |_| Err(String::new()))
}

/// `gray1-b` with filters on these wires only.
fn filtered(lines: &str) -> Board {
    let text = include_str!("../../roms/gray1-b.ron");
    let (head, rest) = text.split_once("    filters: [").unwrap();
    let (_, tail) = rest.split_once("],\n            ohm").unwrap();
    let text = format!("{head}    filters: [(lines: [{lines}], ohm{tail}");
    board(&text, |_| Err(String::new()))
}

/// `gray1-b` with all of its filters.
fn whole() -> Board {
    board(include_str!("../../roms/gray1-b.ron"), |_| Err(String::new()))
}

fn image(hex: &[u8]) -> Image {
    let Ok(Contents::Image(program)) = load(hex) else { panic!("it is no image") };
    *program
}

fn fibonacci() -> Image {
    image(include_bytes!("../../roms/fibonacci.hex"))
}

fn selftest() -> Image {
    image(include_bytes!("../../roms/selftest.hex"))
}

fn queens() -> Image {
    image(include_bytes!("../../roms/queens-bits.hex"))
}

fn noise(seed: u64, glitch: u64) -> Noise {
    Noise { glitch: std::num::NonZeroU64::new(glitch), ..Noise::seeded(seed) }
}

/// A run of a program on a board with random delays.
struct Run {
    /// The number of correct instructions. `is_well` is true if no instruction was wrong.
    executed: u64,
    is_well: bool,
    /// The number of glitches so far, including those during reset.
    glitches: u64,
}

/// Executes a program until it halts, or until the board differs from the instruction engine.
fn run(board: &Board, program: &Image, noise: Noise) -> Run {
    run_for(u64::MAX, board, program, noise)
}

/// Like [`run`], but executes at most `limit` instructions.
fn run_for(limit: u64, board: &Board, program: &Image, noise: Noise) -> Run {
    let timing = Timing::with_noise(board, noise);
    let Ok(mut engine) = BoardEngine::timed(board, PowerUp::Zero, timing) else {
        return Run { executed: 0, is_well: false, glitches: 0 };
    };
    let mut machine = Machine::new(program, PowerUp::Zero);
    while machine.executed() < limit
        && let Some(expected) = machine.step()
    {
        let done = engine.step();
        if done.as_ref() != Some(&expected) || engine.registers() != machine.registers() {
            let executed = machine.executed() - 1;
            return Run { executed, is_well: false, glitches: engine.into_circuit().glitches() };
        }
    }
    let (executed, is_well) = (machine.executed(), engine.ram() == machine.ram());
    Run { executed, is_well, glitches: engine.into_circuit().glitches() }
}

#[test]
fn a_program_runs_without_glitches_and_fails_with_many() {
    let program = fibonacci();
    let board = stock().with_program(&program);
    let quiet = run(&board, &program, noise(1, 0));
    assert!(quiet.is_well && quiet.glitches == 0 && quiet.executed > 100);
    for seed in 0..5 {
        let noisy = run(&board, &program, noise(seed, 20));
        assert!(!noisy.is_well && noisy.executed < 100, "seed {seed}: {}", noisy.executed);
    }
    // The option has no effect if no glitch is possible, because no random number is drawn.
    let rare = run(&board, &program, noise(1, u64::MAX));
    assert!(rare.is_well && rare.glitches == 0);
}

/// Prints the figures of docs/JIG.md and docs/TRUST.md. To run it: `cargo test -p gray1-hardware
/// --test glitches -- --ignored --nocapture`.
#[test]
#[ignore = "it prints figures, and takes some minutes"]
fn print_how_many_runs_survive_glitches() {
    let program = selftest();
    let boards = [("gray1", stock()), ("bare gray1-b", filtered("")), ("gray1-b", whole())];
    for (name, board) in boards {
        let board = board.with_program(&program);
        for one_in in [1_000, 16_000, 100_000, 1_000_000, 2_000_000] {
            let runs = (0..20).map(|seed| run_for(20_000, &board, &program, noise(seed, one_in)));
            let runs: Vec<Run> = runs.collect();
            let wrong = runs.iter().filter(|run| !run.is_well).count();
            let executed: u64 = runs.iter().map(|run| run.executed).sum();
            let glitches: u64 = runs.iter().map(|run| run.glitches).sum();
            #[allow(clippy::print_stdout, reason = "these are the figures")]
            {
                println!(
                    "{name} 1/{one_in}: {wrong} of 20 wrong in {executed} instructions and \
                     {glitches} glitches"
                );
            }
        }
    }
}

/// Runs two programs five times each, and returns how many of these runs go wrong within 16,000
/// instructions.
fn wrong_runs(board: &Board, one_in: u64) -> usize {
    let programs = [selftest(), queens()];
    let boards = programs.map(|program| (board.with_program(&program), program));
    let runs = boards.iter().flat_map(|it| (0..5).map(move |seed| (it, seed)));
    let is_wrong = |&((board, program), seed): &(&(Board, Image), u64)| {
        !run_for(16_000, board, program, noise(seed, one_in)).is_well
    };
    runs.filter(is_wrong).count()
}

/// Checks figures that docs/JIG.md gives for boards with and without filters.
#[test]
fn filters_stop_the_glitches_that_break_a_board_without_them() {
    let (bare, whole) = (filtered(""), whole());
    for one_in in [2_000_000, 100_000] {
        assert_eq!(wrong_runs(&whole, one_in), 0, "1/{one_in}");
    }
    assert_eq!(wrong_runs(&bare, 100_000), 10);
}

#[test]
fn the_whole_self_test_passes_on_a_board_with_filters_whose_roms_glitch() {
    check_self_test(0..1);
}

#[test]
#[ignore = "it takes some minutes"]
fn the_whole_self_test_passes_twenty_times() {
    check_self_test(0..20);
}

fn check_self_test(seeds: std::ops::Range<u64>) {
    let program = selftest();
    let board = whole().with_program(&program);
    let passes = |seed| {
        let run = run(&board, &program, noise(seed, 100_000));
        assert!(run.is_well && run.glitches > 100, "seed {seed}: {}", run.executed);
    };
    // The runs are parallel, because each takes half a minute.
    std::thread::scope(|scope| {
        for seed in seeds {
            scope.spawn(move || passes(seed));
        }
    });
}

/// The groups of wires that may have a filter: strobes, outputs of latches (`LATCHES`), and outputs
/// of counters (`COUNTERS`).
const STROBES: &str = r#""IRH_EN", "IRL_EN", "AM_EN", "CM_EN", "nWE", "AS_EN", "PC_LOAD", "CLR""#;
const LATCHES: &str = r#""IRH.0-7", "IRL.0-7", "AM.0-7", "AS.0-7", "FLAGS.0-1""#;
const COUNTERS: &str = r#""PHASE.0-2", "PCH.0-7", "PCL.0-7""#;

/// Prints the figures for the table of docs/JIG.md that says which wires need a filter, and for
/// which pulses.
#[test]
#[ignore = "it prints figures, and takes some minutes"]
fn print_which_wires_need_a_filter() {
    let program = queens();
    let sets = [
        ("none", String::new()),
        ("latches", LATCHES.to_owned()),
        ("counters", COUNTERS.to_owned()),
        ("strobes", STROBES.to_owned()),
        ("latches, counters", format!("{LATCHES}, {COUNTERS}")),
        ("latches, strobes", format!("{LATCHES}, {STROBES}")),
        ("counters, strobes", format!("{COUNTERS}, {STROBES}")),
        ("all", format!("{LATCHES}, {COUNTERS}, {STROBES}")),
    ];
    for (name, lines) in sets {
        let board = filtered(&lines).with_program(&program);
        for pulse_ns in [24, 30, 40, 60, 100] {
            let noise = |seed| Noise { pulse_ps: 1000 * pulse_ns, ..noise(seed, 2_000) };
            let runs = (0..8).map(|seed| run_for(5_000, &board, &program, noise(seed)));
            let mut executed: Vec<u64> = runs.map(|run| run.executed).collect();
            executed.sort_unstable();
            #[allow(clippy::print_stdout, reason = "these are the figures")]
            {
                println!("{name}, {pulse_ns} ns: {executed:?}");
            }
        }
    }
}

/// The jig: an SST39SF010A with the contents of IRH, as a latch. All its D lines are connected to
/// the oscillator's wire, and its enable to the reset wire, so that the test can change both. The
/// board has program and data memory only because every board needs them.
const JIG: &str = r#"Board(
    version: 1, title: "jig", oscillator: "D", reset: "EN",
    probes: (a: ["Q.0-7"], carry: "P.0", phase: ["P.0-2"]),
    chips: [
        (
            name: "TESTED", part: "SST39SF010A",
            address: ["D", "D", "D", "D", "D", "D", "D", "D", "Q.0-7", "EN"],
            data: ["Q.0-7"], does: Table, contents: File("latch"),
        ),
        (
            name: "PROG", part: "27C128",
            address: ["0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0"],
            data: ["P.0-7"], does: Program(code: Gray),
        ),
        (
            name: "RAM", part: "IDT7005",
            address: ["0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0"],
            data: ["M.0-7"], write_enable_low: "P.0", does: Memory,
        ),
    ],
)"#;

/// The number of address changes in a trial, in which each of the eight D lines and the enable
/// changes twice.
const ARRIVALS: u64 = 18;

/// A run of the jig.
struct Jig {
    circuit: Timed,
    q: Vec<NetId>,
    /// The level that is latched in each trial.
    level: bool,
    /// The number of times that an output has left `level` while all other outputs had it.
    count: u64,
    levels: u8,
}

impl Jig {
    fn new(level: bool, noise: Noise) -> Self {
        let whole = whole();
        let latch = whole.chip(whole.chip_named("IRH").unwrap());
        let board = board(JIG, |_| Ok(latch.contents().to_vec()));
        // All wires settle between two steps of the clock.
        let timing = Timing { phase_ps: 10_000_000, ..Timing::with_noise(&board, noise) };
        let state = ChipState {
            memory: vec![0; 8192].try_into().unwrap(),
            outputs: vec![if level { 0xff } else { 0 }, 0xff, 0],
        };
        let circuit = Timed::new(&board, &state, timing).unwrap();
        let q = board.chip(board.chip_named("TESTED").unwrap()).data.clone();
        let mut jig = Self { circuit, q, level, count: 0, levels: if level { 0xff } else { 0 } };
        // D has the other level at the start of a trial.
        if !level {
            jig.circuit.edge().unwrap();
            jig.watch();
        }
        jig.count = 0;
        jig
    }

    /// Sets D to `level`, opens and closes the latch, and sets D back to the other level.
    fn trial(&mut self) {
        for step in 0..4 {
            match step {
                1 => self.circuit.set_reset(true),
                2 => self.circuit.set_reset(false),
                _ => self.circuit.edge(),
            }
            .unwrap();
            self.watch();
        }
    }

    fn is_wrong(&self) -> bool {
        self.levels != if self.level { 0xff } else { 0 }
    }

    /// Does what the jig's comparator and counter do: counts each time that the outputs stop being
    /// all at `level`.
    fn watch(&mut self) {
        for change in self.circuit.changes().to_vec() {
            let Some(bit) = self.q.iter().position(|net| *net == change.net) else { continue };
            let was_wrong = self.is_wrong();
            self.levels = self.levels & !(1 << bit) | u8::from(change.level) << bit;
            self.count += u64::from(self.is_wrong() && !was_wrong);
        }
    }
}

/// In a trial, the counter counts if and only if a glitch is injected. If a trial leaves the latch
/// wrong, the next one corrects it and is not judged.
#[test]
fn the_jig_counts_exactly_the_trials_with_a_glitch() {
    for level in [false, true] {
        let mut jig = Jig::new(level, noise(7, 400));
        let (mut judged, mut with_glitch) = (0, 0);
        for _ in 0..4_000 {
            let was_wrong = jig.is_wrong();
            let (count, glitches) = (jig.count, jig.circuit.glitches());
            jig.trial();
            let (counted, injected) = (jig.count - count, jig.circuit.glitches() - glitches);
            if !was_wrong {
                assert_eq!(counted > 0, injected > 0, "{counted} counted, {injected} injected");
                judged += 1;
                with_glitch += u64::from(injected > 0);
            }
        }
        assert!(judged > 3_500, "{judged}");
        // One in 400 of 18 address changes in each trial. A pulse on no line does not count.
        let expected = judged * ARRIVALS / 400;
        assert!(with_glitch.abs_diff(expected) < expected / 4, "{with_glitch}, not {expected}");
    }
}

#[test]
fn the_jig_counts_nothing_for_a_part_without_glitches() {
    for level in [false, true] {
        let mut jig = Jig::new(level, noise(3, 0));
        (0..500).for_each(|_| jig.trial());
        assert_eq!((jig.count, jig.circuit.glitches()), (0, 0));
    }
}
