//! Endurance: random use of what runs for long, with an eye on its memory. The suite tries each for
//! a moment. For longer:
//!
//! `GRAY1_SOAK_SECONDS=3600 cargo test --release --test gray1 soak:: -- --ignored --nocapture`
#![allow(clippy::print_stdout, reason = "whoever has waited for an hour wants to know")]

mod adapter;
mod front;
mod server;

use std::time::{Duration, Instant};

use gray1_isa::SplitMix64;

/// How much larger a process may become than it was after a tenth of the time, in bytes.
const GROWTH_MAX: u64 = 32 << 20;

/// When a test ends.
#[derive(Debug, Clone, Copy)]
enum Until {
    Rounds(u32),
    Time(Duration),
}

impl Until {
    /// The time that was asked for.
    fn asked() -> Self {
        let seconds = std::env::var("GRAY1_SOAK_SECONDS").expect("GRAY1_SOAK_SECONDS");
        Self::Time(Duration::from_secs(seconds.parse().expect("a number of seconds")))
    }

    /// Goes through rounds with random numbers, and watches how large the process becomes that each
    /// round names. Every round has numbers of its own.
    fn soak(self, mut round: impl FnMut(&mut SplitMix64) -> u32) {
        let start = Instant::now();
        let share = |n: u32| match self {
            Self::Rounds(rounds) => f64::from(n) / f64::from(rounds),
            Self::Time(time) => start.elapsed().as_secs_f64() / time.as_secs_f64(),
        };
        let (mut n, mut early, mut watched, mut peak) = (0, 0, 0, 0);
        while share(n) < 1.0 {
            let process = round(&mut SplitMix64::new(n.into()));
            n += 1;
            // A process that has ended takes no memory.
            let now = resident_bytes(process).unwrap_or(early);
            if share(n) <= 0.1 || process != watched {
                (early, watched) = (now, process);
            }
            assert!(now < early + GROWTH_MAX, "round {n}: from {early} to {now} bytes");
            peak = now.max(peak);
        }
        println!("{n} rounds in {:?}, at most {} KiB", start.elapsed(), peak >> 10);
    }
}

/// How much memory a process has, while it lives. Only Linux tells.
fn resident_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = resident.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}

#[test]
fn the_front_end_for_a_moment() {
    front::soak(Until::Rounds(10));
}

#[test]
#[ignore = "runs for as long as GRAY1_SOAK_SECONDS says"]
fn the_front_end() {
    front::soak(Until::asked());
}

#[test]
fn the_language_server_for_a_moment() {
    server::soak(Until::Rounds(10));
}

#[test]
#[ignore = "runs for as long as GRAY1_SOAK_SECONDS says"]
fn the_language_server() {
    server::soak(Until::asked());
}

#[test]
fn the_debug_adapter_for_a_moment() {
    adapter::soak(Until::Rounds(10));
}

#[test]
#[ignore = "runs for as long as GRAY1_SOAK_SECONDS says"]
fn the_debug_adapter() {
    adapter::soak(Until::asked());
}
