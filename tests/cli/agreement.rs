//! Random runs with inputs: the waveform, the trace, the log and `gray1 diff --by wires` show the
//! same levels, and `gray1 probe` finds nothing wrong in the waveform of a sound board.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gray1_isa::SplitMix64;
use gray1_roms::GRAY1;

use crate::support::Bench;

/// The number of random runs. The variable `GRAY1_RUNS` chooses another one.
const RUNS: u64 = 8;
/// The length of a run, in instructions.
const INSTRUCTIONS: u64 = 40;

/// The levels of all wires, by name.
type WireLevels = BTreeMap<String, bool>;

/// A waveform file of separate wires.
struct Waveform {
    /// The levels at the end of each phase, the first of which is that at power-up.
    phases: Vec<WireLevels>,
    /// The wires that rose, each with the number of the phase.
    rises: Vec<(usize, String)>,
}

impl Waveform {
    fn parse(text: &str) -> Self {
        let mut names = BTreeMap::new();
        let (mut levels, mut phases, mut rises) = (WireLevels::new(), Vec::new(), Vec::new());
        let (declarations, changes) = text.split_once("$dumpvars").unwrap();
        for line in declarations.lines().filter(|line| line.starts_with("$var")) {
            let words: Vec<&str> = line.split(' ').collect();
            names.insert(words[3], words[4].to_owned());
        }
        let (initial, changes) = changes.split_once("$end").unwrap();
        let change = |line: &str| {
            let (level, code) = line.split_at_checked(1)?;
            Some((names.get(code)?.clone(), level == "1"))
        };
        levels.extend(initial.lines().filter_map(change));
        for at_once in changes.split("\n#") {
            let moved: WireLevels = at_once.lines().skip(1).filter_map(change).collect();
            // Each edge of the oscillator begins a phase.
            if moved.contains_key("OSC") {
                phases.push(levels.clone());
            }
            for (name, level) in moved {
                let rise = (phases.len(), name.clone());
                let is_rise = levels.insert(name, level) == Some(false) && level;
                if is_rise && !rises.contains(&rise) {
                    rises.push(rise);
                }
            }
        }
        phases.push(levels);
        Self { phases, rises }
    }

    /// The accumulator and the carry at the end of a phase.
    fn registers(&self, phase: usize) -> (u8, bool) {
        let levels = &self.phases[phase];
        let a = (0..8).map(|bit| u8::from(levels[&format!("AS.{bit}")]) << bit).sum();
        (a, levels["FLAGS.1"])
    }

    /// The moments at which a wire rose, as a log point reports them.
    fn moments_of_rises(&self, wire: &str) -> Vec<u64> {
        let rises = self.rises.iter().filter(|(_, name)| name == wire);
        rises.map(|(phase, _)| (*phase as u64 + 1) / 8).collect()
    }
}

/// A program of random instructions that never halts.
fn program(random: &mut SplitMix64) -> String {
    let length = 6 + random.below(20);
    let mut text = String::new();
    for number in 0..length {
        let byte = random.byte();
        let address = match random.below(8) {
            0 => 0x1ffe,
            1 => 0x1fe0 + random.below(16),
            2 => random.below(0x1000),
            _ => random.below(4),
        };
        let target = (number + 1 + random.below(length - 1)) % length;
        let instruction = match random.below(8) {
            0 | 1 => format!("LDI {byte}"),
            2 => "SHR".to_owned(),
            3 => format!("JC l{target}"),
            4 => format!("ST {address}"),
            5 => format!("LD {address}"),
            6 => format!("ADD {address}"),
            _ => format!("NAND {address}"),
        };
        writeln!(text, "l{number}: {instruction}").unwrap();
    }
    text + " JMP l0\n"
}

/// Presses of buttons, as lines of the file for `--buttons`.
fn presses(random: &mut SplitMix64) -> String {
    let mut moment = 0;
    let mut text = String::new();
    for _ in 0..random.below(6) {
        moment += random.below(12);
        let buttons = ["left", "right+a", "up", "b", "-"][random.below(5) as usize];
        writeln!(text, "{moment} {buttons}").unwrap();
    }
    text
}

/// An option that changes a byte or, if that is possible, the accumulator at a moment.
fn change(random: &mut SplitMix64, moment: u64, has_registers: bool) -> String {
    let byte = random.byte();
    let place = match random.below(if has_registers { 4 } else { 3 }) {
        0 => "0x1fe3".to_owned(),
        3 => "A".to_owned(),
        _ => random.below(4).to_string(),
    };
    format!(" --set '{moment}: {place} = {byte}'")
}

/// Checks what `gray1 diff --by wires` says about two runs with these waveforms.
fn check_difference(bench: &Bench, [first, second]: [&str; 2], [a, b]: [&Waveform; 2]) {
    let mut command = bench.command("diff --by wires --format json");
    let report = command.args([first, second]).output().unwrap().stdout;
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    let verdict = report["verdict"].as_str().unwrap().replace(',', "");
    let Some(phase) = a.phases.iter().zip(&b.phases).position(|(a, b)| a != b) else {
        let same = a.phases.len() - 1;
        assert_eq!(verdict, format!("no difference so far: {same} phases are the same"));
        return;
    };
    let expected = if phase == 0 { "power-up".to_owned() } else { format!("phase {phase}") };
    assert_eq!(verdict, format!("first difference: {expected}"), "{report:#}");
    let moment = (phase as u64 + 1) / 8;
    for (side, own, other) in [("a", a, b), ("b", b, a)] {
        assert_eq!(report[side]["moment"], moment, "{report:#}");
        let did = report[side]["did"].as_str().unwrap();
        let (_, wires) = did.split_once(": ").unwrap();
        let wires = wires.split(' ').map(|wire| wire.split_once('=').unwrap());
        let shown: WireLevels = wires.map(|(name, level)| (name.into(), level == "1")).collect();
        let (own, other) = (&own.phases[phase], &other.phases[phase]);
        let moved = own.iter().filter(|(name, level)| other[*name] != **level);
        assert_eq!(shown.len(), moved.count().min(8), "{report:#}");
        for (name, level) in shown {
            assert!(own[&name] == level && other[&name] != level, "{name}: {report:#}");
        }
    }
}

/// Checks the registers in a trace. `changed` are the moments at which they may have been changed by
/// hand, because a trace shows them before the inputs of the moment.
fn check_trace(what: &str, trace: &str, waveform: &Waveform, changed: &[u64]) {
    for (moment, line) in (1..).zip(trace.lines()).filter(|(at, _)| !changed.contains(at)) {
        let fields: Vec<&str> = line.split(' ').collect();
        let registers = (u8::from_str_radix(fields[3], 16).unwrap(), fields[4] == "1");
        let phase = 8 * moment as usize - 1;
        assert_eq!(waveform.registers(phase), registers, "{what}: {moment}: {line}");
    }
    assert_eq!(trace.lines().count() as u64, INSTRUCTIONS, "{what}");
    assert_eq!(waveform.phases.len() as u64, 8 * INSTRUCTIONS, "{what}");
}

/// Checks the logged moments at which a wire rose.
fn check_log(what: &str, log: &str, waveform: &Waveform, wire: &str) {
    let prefix = format!("{wire} ");
    let logged = log.lines().filter_map(|line| line.strip_prefix(&prefix)?.parse().ok());
    let logged: Vec<u64> = logged.collect();
    assert_eq!(logged, waveform.moments_of_rises(wire), "{what}: {wire}");
}

fn check_random_run(seed: u64, board: &str, rewired: &str) {
    let random = &mut SplitMix64::new(seed);
    // The counter of this board does not count in Gray code, so it fails when lines have delays.
    let is_timed = board != "binary-counter" && random.below(3) == 0;
    let engine = if is_timed { "timed" } else { "chips" };
    let bench = Bench::new().file("rewired.ron", rewired);
    let bench = bench.file("p.asm", program(random)).file("keys", presses(random));
    let options = format!("--board {board} --engine {engine} --buttons keys");
    let options = format!("{options} --max-instructions {INSTRUCTIONS}");
    let has_registers = !is_timed && board != "binary-counter";
    let changed: Vec<u64> = (0..random.below(3)).map(|_| random.below(INSTRUCTIONS)).collect();
    let sets: String = changed.iter().map(|at| change(random, *at, has_registers)).collect();
    let first = format!("p.asm {options} --ram random:{seed}{sets}");
    // The second run has one more change, or another power-up.
    let late = random.below(INSTRUCTIONS + 1);
    let second = match random.below(8) {
        0 => format!("p.asm {options} --ram random:{}{sets}", seed + 1),
        1 => first.clone(),
        _ => first.clone() + &change(random, late, has_registers),
    };

    bench.gray1(&format!("run -q {first} --trace t --vcd a.vcd --vcd-wires")).status(3);
    let a = Waveform::parse(&String::from_utf8(bench.read("a.vcd")).unwrap());
    check_trace(&first, &String::from_utf8(bench.read("t")).unwrap(), &a, &changed);
    // A byte that is changed by hand looks like a fault of data memory.
    if changed.is_empty() {
        let probe = bench.gray1(&format!("probe -q a.vcd p.asm --board {board}"));
        assert!(probe.text().starts_with("no fault was found in "), "{first}: {}", probe.text());
    }

    let names: Vec<&String> = a.phases[0].keys().collect();
    let wire = random.below(names.len() as u64) as usize;
    let wires = [wire, (wire + 7) % names.len()].map(|wire| names[wire]);
    let log = |wire| format!(" --log 'wire {wire} rises: {wire} {{moment}}'");
    let logs = wires.map(log).concat();
    let run = bench.gray1(&format!("run -q {second} --vcd b.vcd --vcd-wires{logs}")).status(3);
    let b = Waveform::parse(&String::from_utf8(bench.read("b.vcd")).unwrap());
    // With delays, the log has no glitches, which rise and fall within a phase.
    if !is_timed {
        for wire in wires {
            check_log(&second, &run.err(), &b, wire);
        }
    }
    check_difference(&bench, [&first, &second], [&a, &b]);
}

#[test]
fn waveform_trace_log_and_difference_agree() {
    let count = std::env::var("GRAY1_RUNS").map_or(RUNS, |count| count.parse().unwrap());
    let rewired = GRAY1.replace(
        r#"["AS.0-3", "BUS.0-3", "IRL.0-3", "OPCODE", "0", "AS.4"]"#,
        r#"["IRL.0-3", "AS.0-3", "BUS.0-3", "OPCODE", "0", "AS.4"]"#,
    );
    assert_ne!(rewired, GRAY1);
    let boards = ["gray1", "gray1-b", "binary-counter", "./rewired.ron"].into_iter().cycle();
    for (seed, board) in (0..count).zip(boards) {
        check_random_run(seed, board, &rewired);
    }
}
