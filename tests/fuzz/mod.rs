//! Fuzzes every kind of input that people provide. No input may cause a panic, take a second of CPU
//! time or fill the memory. Each input in `corpus` once found a bug. Mutants of these and of our
//! sources are the same in every run.

mod mutator;
mod targets;

use std::time::Duration;

use mutator::Mutator;
use rustix::time::{ClockId, clock_gettime};
use targets::{TARGETS, Target};

use crate::support;

/// The CPU time that an input may take, in seconds.
const SECONDS_MAX: f64 = 1.0;
/// The number of mutants tried.
const MUTANTS: usize = 150;

impl Target {
    /// The inputs kept for this target, shortest first.
    fn corpus(&self) -> Vec<Vec<u8>> {
        let folder = support::root().join("tests/fuzz/corpus").join(self.name);
        let entries = std::fs::read_dir(folder).expect("the target has a corpus");
        let mut corpus: Vec<(usize, _, Vec<u8>)> = entries
            .map(|entry| entry.unwrap().path())
            .map(|path| (std::fs::read(&path).unwrap(), path))
            .map(|(input, path)| (input.len(), path, input))
            .collect();
        assert!(!corpus.is_empty(), "{} has a corpus", self.name);
        corpus.sort();
        corpus.into_iter().map(|(_, _, input)| input).collect()
    }

    /// Runs an input and checks its CPU time.
    fn run_in_time(&self, input: &[u8]) {
        let start = processor_seconds();
        (self.run)(input);
        let seconds = processor_seconds() - start;
        assert!(seconds < SECONDS_MAX, "{}: {seconds} s for {} bytes", self.name, input.len());
    }
}

fn processor_seconds() -> f64 {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("time goes on").as_secs_f64()
}

#[test]
fn inputs_that_failed_before_pass() {
    for target in &TARGETS {
        for input in target.corpus() {
            target.run_in_time(&input);
        }
    }
}

#[test]
fn mutated_inputs_do_not_crash() {
    for target in &TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{} has seeds", target.name);
        let inputs: Vec<Vec<u8>> = seeds.into_iter().chain(target.corpus()).collect();
        let mut mutator = Mutator::new(1, &inputs);
        for _ in 0..MUTANTS {
            target.run_in_time(&mutator.mutant(&inputs));
        }
    }
}
