//! How long an answer takes after a long run.

use std::io::Write as _;
use std::time::{Duration, Instant};

use gray1_debugger::why::{Cell, Fact, FactOrigin, Leaf};
use gray1_isa::{RamAddr, SplitMix64};

use super::{node, truth};

/// How far back the facts are that are asked about.
const REACH: u64 = 1 << 22;

/// The times of 200 questions about `life` after so many instructions, the shortest first: those
/// whose answer lies within reach or is a leaf.
fn times(instructions: u64) -> Vec<Duration> {
    let mut debugger = truth::after("life", instructions);
    let (now, mut random) = (debugger.position().0, SplitMix64::new(44));
    let mut times = Vec::new();
    while times.len() < 200 {
        let cell = match random.below(8) {
            0 => Cell::A,
            1 => Cell::Carry,
            2 => Cell::Byte(RamAddr::truncate(0x1fe0 + random.below(32) as u16)),
            _ => Cell::Byte(RamAddr::truncate(random.below(0x120) as u16)),
        };
        let fact = Fact::bits(cell, 1 << random.below(8), now - random.below(REACH));
        let start = Instant::now();
        let found = node(&mut debugger, fact);
        let time = start.elapsed();
        let is_wanted = match found.origin {
            FactOrigin::Step(step) => step.before >= now - REACH || step.before < 1000,
            FactOrigin::Leaf(leaf) => matches!(leaf, Leaf::PowerUp | Leaf::Reset(0)),
        };
        if is_wanted {
            times.push(time);
        }
    }
    times.sort();
    times
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
