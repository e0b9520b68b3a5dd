//! How long an answer takes after a long run.

use std::io::Write as _;
use std::time::{Duration, Instant};

use gray1_debugger::Debugger;
use gray1_debugger::why::{Cell, Fact, FactOrigin, Leaf};
use gray1_isa::{RamAddr, SplitMix64};

use super::{node, truth};

/// How far back the facts are that are asked about.
const REACH: u64 = 1 << 22;

/// The times of 200 steps of stories about `life` after so many instructions, the shortest first:
/// from LEDs and registers down, as far as a step ends within reach, at a constant of the pool or
/// at power-up. (A byte that is stored nowhere but where nobody has been is searched for in the
/// whole past.)
fn times(instructions: u64) -> Vec<Duration> {
    let mut debugger = truth::after("life", instructions);
    let (now, mut random) = (debugger.position().0, SplitMix64::new(44));
    let mut times = Vec::new();
    while times.len() < 200 {
        let cell = match random.below(4) {
            0 => Cell::A,
            1 => Cell::Carry,
            _ => Cell::Byte(RamAddr::truncate(0x1fe0 + random.below(16) as u16)),
        };
        let mut fact = Fact::bits(cell, 1 << random.below(8), now - random.below(REACH));
        for _ in 0..20 {
            let start = Instant::now();
            let found = node(&mut debugger, fact);
            let time = start.elapsed();
            let is_wanted = match found.origin {
                FactOrigin::Step(step) => step.before >= now - REACH || is_planted(&debugger, fact),
                FactOrigin::Leaf(leaf) => matches!(leaf, Leaf::PowerUp | Leaf::Reset(0)),
            };
            if is_wanted && times.len() < 200 {
                times.push(time);
            }
            let (facts, _) = found.causes();
            if facts.is_empty() {
                break;
            }
            fact = facts[random.below(facts.len() as u64) as usize];
        }
    }
    times.sort();
    times
}

/// Whether a fact is about a constant of the pool.
fn is_planted(debugger: &Debugger, fact: Fact) -> bool {
    let name = fact.byte().and_then(|byte| debugger.image().names().variable(byte));
    name.is_some_and(|name| name.starts_with('#'))
}

#[test]
#[ignore = "takes minutes, and wants a machine that does nothing else"]
fn answers_after_a_long_run_come_soon() {
    for (instructions, limit) in [(1_000_000_000, 0.3), (100_000_000_000, 1.5)] {
        let times = times(instructions);
        let [median, p95, most] = [100, 190, 199].map(|place| times[place]);
        let told = format!("{instructions}: median {median:?}, p95 {p95:?}, most {most:?}");
        writeln!(std::io::stderr(), "{told}").unwrap();
        assert!(p95 < Duration::from_secs_f64(limit), "{told}");
    }
}
