//! Whatever people feed it, no part of this panics, takes a second or fills the memory. The inputs
//! of `corpus` have found something once; mutants of them and of our sources are the same each time.

mod mutator;
mod targets;

use std::time::Duration;

use mutator::Mutator;
use rustix::time::{ClockId, clock_gettime};
use targets::{TARGETS, Target};

use crate::support;

/// No input takes longer, in seconds of the processor.
const SECONDS_MAX: f64 = 1.0;
/// How many mutants are tried.
const MUTANTS: usize = 150;

impl Target {
    /// The inputs that were kept, short ones first.
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

    /// Runs an input within the time it may take.
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
fn what_was_found_once_stays_found() {
    for target in &TARGETS {
        for input in target.corpus() {
            target.run_in_time(&input);
        }
    }
}

#[test]
fn a_few_mutants() {
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
