//! Whatever people feed it, no part of this panics, takes a second or fills the memory.
//!
//! `cargo test` replays the corpus and tries a few mutants, the same each time. A campaign looks
//! for more, and adds the inputs that make anything say what it did not say before to the corpus,
//! as short as they can be made:
//!
//! `GRAY1_FUZZ_SECONDS=600 cargo test --release --test gray1 fuzz:: -- --ignored --nocapture`
//!
//! The input at hand is kept in `target/fuzz/`, so it is there after whatever happened.
#![allow(clippy::print_stdout, reason = "a campaign reports")]

mod mutator;
mod targets;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use mutator::Mutator;
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use targets::{Behaviour, TARGETS, Target};

use crate::support;

/// No input takes longer, in seconds of the processor.
const SECONDS_MAX: f64 = 1.0;
/// What the process of a campaign may have, all of its own included.
const MEMORY_BYTES_MAX: u64 = 256 << 20;
/// How many mutants `cargo test` tries.
const MUTANTS: usize = 150;
/// How many inputs are tried to make one that is worth keeping smaller.
const SHRINKS_MAX: usize = 1000;

impl Target {
    fn folder(&self) -> PathBuf {
        support::root().join("tests/fuzz/corpus").join(self.name)
    }

    /// The inputs that were kept, short ones first.
    fn corpus(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = std::fs::read_dir(self.folder()).expect("the target has a corpus");
        let mut corpus: Vec<(PathBuf, Vec<u8>)> = entries
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), std::fs::read(path).unwrap()))
            .collect();
        assert!(!corpus.is_empty(), "{} has a corpus", self.name);
        corpus.sort_by_key(|(path, input)| (input.len(), path.clone()));
        corpus
    }

    /// The inputs to start from.
    fn inputs(&self) -> Vec<Vec<u8>> {
        let seeds = (self.seeds)();
        assert!(!seeds.is_empty(), "{} has seeds", self.name);
        let kept = self.corpus().into_iter().map(|(_, input)| input);
        seeds.into_iter().chain(kept).collect()
    }

    /// Runs an input within the time it may take.
    fn timed(&self, input: &[u8]) -> Behaviour {
        let start = processor_seconds();
        let behaviour = (self.run)(input);
        let seconds = processor_seconds() - start;
        assert!(seconds < SECONDS_MAX, "{}: {seconds} s for {} bytes", self.name, input.len());
        behaviour
    }
}

fn processor_seconds() -> f64 {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("time goes on").as_secs_f64()
}

#[test]
fn what_was_found_once_stays_found() {
    for target in &TARGETS {
        for (_, input) in target.corpus() {
            target.timed(&input);
        }
    }
}

#[test]
fn a_few_mutants() {
    for target in &TARGETS {
        let inputs = target.inputs();
        let mut mutator = Mutator::new(1, &inputs);
        for _ in 0..MUTANTS {
            target.timed(&mutator.mutant(&inputs));
        }
    }
}

#[test]
#[ignore = "runs for as long as GRAY1_FUZZ_SECONDS says, and writes into the corpus"]
fn campaign() {
    let seconds = std::env::var("GRAY1_FUZZ_SECONDS").expect("GRAY1_FUZZ_SECONDS");
    let seconds: u64 = seconds.parse().expect("a number of seconds");
    let mut hunts: Vec<Hunt> = TARGETS.iter().map(Hunt::new).collect();
    limit(Resource::Data, MEMORY_BYTES_MAX);
    limit(Resource::Cpu, 2 * seconds + 600);
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        for hunt in &mut hunts {
            hunt.go_on(Duration::from_secs(5).min(end.saturating_duration_since(Instant::now())));
        }
    }
    for hunt in &hunts {
        hunt.report();
    }
}

fn limit(resource: Resource, maximum: u64) {
    let limit = Rlimit { current: Some(maximum), maximum: Some(maximum) };
    setrlimit(resource, limit).expect("the limit is lower than the one there is");
}

/// A campaign against one target.
struct Hunt<'a> {
    target: &'a Target,
    mutator: Mutator,
    inputs: Vec<Vec<u8>>,
    known: Behaviour,
    executions: u64,
    found: u64,
    slowest: f64,
    current: PathBuf,
}

impl<'a> Hunt<'a> {
    fn new(target: &'a Target) -> Self {
        let folder = support::root().join("target/fuzz");
        std::fs::create_dir_all(&folder).unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let mut hunt = Self {
            target,
            mutator: Mutator::new(now.as_nanos() as u64, &target.inputs()),
            known: Behaviour::new(),
            executions: 0,
            found: 0,
            slowest: 0.0,
            current: folder.join(target.name),
            inputs: (target.seeds)(),
        };
        for input in hunt.inputs.clone() {
            let behaviour = hunt.run(&input);
            hunt.known.extend(behaviour);
        }
        for (path, input) in target.corpus() {
            let behaviour = hunt.run(&input);
            if behaviour.is_subset(&hunt.known) {
                // Others show the same.
                std::fs::remove_file(path).unwrap();
            } else {
                hunt.known.extend(behaviour);
                hunt.inputs.push(input);
            }
        }
        hunt
    }

    fn run(&mut self, input: &[u8]) -> Behaviour {
        std::fs::write(&self.current, input).unwrap();
        self.executions += 1;
        let start = processor_seconds();
        let behaviour = self.target.timed(input);
        self.slowest = self.slowest.max(processor_seconds() - start);
        behaviour
    }

    fn go_on(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            let input = self.mutator.mutant(&self.inputs);
            let behaviour = self.run(&input);
            self.learn(input, &behaviour);
        }
    }

    /// Keeps an input that shows something new, as small as it can be made.
    fn learn(&mut self, input: Vec<u8>, behaviour: &Behaviour) {
        let new: Behaviour = behaviour.difference(&self.known).cloned().collect();
        if new.is_empty() {
            return;
        }
        let input = self.shrink(input, &new);
        self.known.extend(new);
        let folder = self.target.folder();
        if !self.inputs.contains(&input) {
            self.found += 1;
            let name =
                input.iter().fold(0_u32, |sum, &byte| sum.wrapping_mul(31) ^ u32::from(byte));
            std::fs::write(folder.join(format!("{name:08x}")), &input).unwrap();
            self.inputs.push(input);
        }
    }

    /// Leaves out all that is not needed for what is new.
    fn shrink(&mut self, mut input: Vec<u8>, new: &Behaviour) -> Vec<u8> {
        let mut tries = 0;
        let mut length = input.len().div_ceil(2);
        while length > 0 && tries < SHRINKS_MAX {
            let mut at = 0;
            while at < input.len() && tries < SHRINKS_MAX {
                tries += 1;
                let mut smaller = input.clone();
                smaller.drain(at..(at + length).min(input.len()));
                if self.run(&smaller).is_superset(new) {
                    input = smaller;
                } else {
                    at += length;
                }
            }
            length /= 2;
        }
        input
    }

    fn report(&self) {
        let Self { target, executions, known, found, slowest, .. } = self;
        println!(
            "{}: {executions} inputs, {} behaviours, {found} kept, the slowest took {slowest:.3} s",
            target.name,
            known.len()
        );
    }
}
