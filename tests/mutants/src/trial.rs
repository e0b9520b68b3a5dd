//! A package with all of its mutants, the tests that reach them, and the verdicts.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use crate::mutant::{Failure, Mutant};
use crate::splice::Numbered;
use crate::suite::{Ending, GRACE, GRACE_AFTER_HANG, Terms, Test, in_parallel, record, run_all};
use crate::verdicts::{Verdict, Verdicts};
use crate::workspace::{BuildError, Copy, Spliced, build_alone, build_spliced};

/// On so many hanging tests a mutant is given up.
const HANGS_MAX: usize = 5;

pub(crate) struct Trial<'a> {
    /// The workspace without mutants.
    plain: Copy,
    /// The packages whose tests are run; the first one is mutated.
    packages: &'a [String],
    terms: &'a Terms,
    /// The tests that reach mutants.
    tests: Vec<Test>,
    /// Tests that fail without a mutant, or take too long.
    failing: Vec<String>,
    /// Mutants that are built one by one.
    alone: BTreeSet<u32>,
    /// Mutants that do not compile.
    unviable: BTreeSet<u32>,
}

impl<'a> Trial<'a> {
    /// Puts mutants into one of two copies of the workspace, builds the tests there and runs each
    /// once. Those that take longer than a limit are left out.
    pub(crate) fn new(
        plain: Copy,
        branches: &Copy,
        home: &Path,
        packages: &'a [String],
        mutants: &[Numbered<'_>],
        terms: &'a Terms,
    ) -> Result<Self, Failure> {
        let Spliced { binaries, alone, unviable } =
            build_spliced(branches, &plain, mutants, packages)?;
        let last = mutants.last().map_or(0, |(number, _)| *number);
        let (tests, failing) = record(&binaries, last, home, terms)?;
        eprintln!(
            "{} tests reach mutants, {} mutants are built one by one, \
             these tests fail anyway, or take too long: {:?}",
            tests.len(),
            alone.len(),
            failing,
        );
        Ok(Self { plain, packages, terms, tests, failing, alone, unviable })
    }

    /// Judges some of the mutants. Now and then `keep` is given the verdicts that
    /// are there.
    pub(crate) fn verdicts(
        &self,
        chosen: &[Numbered<'_>],
        keep: &(dyn Fn(&Verdicts) -> io::Result<()> + Sync),
    ) -> Result<Verdicts, Failure> {
        let (alone, together): (Vec<_>, Vec<_>) =
            chosen.iter().partition(|(number, _)| self.alone.contains(number));
        let mut verdicts = Verdicts::new();
        let found = Mutex::new(&mut verdicts);
        in_parallel(&together, self.terms.jobs, |(number, mutant)| {
            let verdict = self.verdict(*number, mutant)?;
            let mut found = found.lock().expect("no thread panics");
            found.insert(mutant.name(), verdict);
            if found.len().is_multiple_of(10) {
                eprintln!("{} of {}", found.len(), chosen.len());
                keep(&found)?;
            }
            Ok(())
        })?;
        for (_, mutant) in alone {
            verdicts.insert(mutant.name(), self.verdict_alone(mutant)?);
            keep(&verdicts)?;
        }
        Ok(verdicts)
    }

    /// Runs the tests that reach a mutant until one fails.
    fn verdict(&self, number: u32, mutant: &Mutant) -> io::Result<Verdict> {
        if self.unviable.contains(&number) {
            return Ok(Verdict::Unviable);
        }
        let (mut verdict, mut hangs) = (Verdict::Unreached, 0);
        let mut tests: Vec<&Test> =
            self.tests.iter().filter(|test| test.reached.contains(&number)).collect();
        tests.sort_by_key(|test| test.cost(&mutant.file));
        for test in tests {
            // Where one test hangs, others are likely to hang, too, and one may fail.
            let grace = if hangs == 0 { GRACE } else { GRACE_AFTER_HANG };
            match test.run(number, &mutant.file, grace)? {
                Ending::Failed => return Ok(Verdict::Caught),
                Ending::TimedOut => hangs += 1,
                Ending::Passed => verdict = Verdict::Missed,
            }
            if hangs == HANGS_MAX {
                break;
            }
        }
        Ok(if hangs > 0 { Verdict::TimedOut } else { verdict })
    }

    /// Builds a mutant by itself and runs the tests of one package after the other.
    fn verdict_alone(&self, mutant: &Mutant) -> Result<Verdict, Failure> {
        let usual: Duration = self.tests.iter().map(|test| test.usual).sum();
        for package in self.packages {
            let binaries = match build_alone(&self.plain, mutant, std::slice::from_ref(package)) {
                Ok(binaries) => binaries,
                Err(BuildError::Code(_)) => return Ok(Verdict::Unviable),
                Err(BuildError::Broken(failure)) => return Err(failure),
            };
            match run_all(&binaries, &self.failing, usual)? {
                Ending::Failed => return Ok(Verdict::Caught),
                Ending::TimedOut => return Ok(Verdict::TimedOut),
                Ending::Passed => {}
            }
        }
        Ok(Verdict::Missed)
    }
}
