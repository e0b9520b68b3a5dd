//! Judges the tests by the mutants of a package: single changes of its code, each of which should
//! make a test fail.
//!
//! `cargo run -p gray1-mutants -- gray1-isa --tests gray1-asm`
//!
//! The mutants are those of cargo-mutants, which builds the package once for each of them. Here
//! all are compiled at once, an environment variable chooses one, and only tests that reach it are
//! run. README.md says more.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

#[expect(dead_code, reason = "used by the copies that it is added to; checked here")]
mod hook;
mod mutant;
mod splice;
mod suite;
mod trial;
mod verdicts;
mod workspace;

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use mutant::{Failure, Mutant};
use splice::Numbered;
use suite::Terms;
use trial::Trial;
use verdicts::Verdicts;
use workspace::Copy;

/// Judges the tests by the mutants of a package that they notice.
#[derive(Parser)]
struct Arguments {
    /// The package whose code is changed, such as gray1-isa
    package: String,
    /// Further packages whose tests are run
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    tests: Vec<String>,
    /// Judges a random tenth and compares with the verdicts of the last run
    #[arg(long, value_name = "SEED")]
    tenth: Option<u64>,
    /// Judges the mutants that the last run did not catch, but for those listed as equivalent
    #[arg(long)]
    missed: bool,
    /// Judges the mutants whose file or change contains this text, such as sim/src/proofs
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Runs the tests whose names contain this text, such as proofs; what others would catch is missed
    #[arg(long, value_name = "TEXT", default_value = "")]
    named: String,
    /// Leaves out the tests that take longer; what they would catch is missed
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    faster_than: u64,
    /// How many tests are run at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

fn main() -> ExitCode {
    match judge(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is as it should be: nothing is stale, and a tenth has the verdicts it had.
fn judge(arguments: &Arguments) -> Result<bool, Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let home = root.join("target/mutants");
    let results = home.join(format!("{}.txt", arguments.package));
    let before = verdicts::read(&fs::read_to_string(&results).unwrap_or_default());

    // Work on the sources may go on.
    let plain = Copy::new(root, &home, "plain")?;
    let branches = Copy::new(root, &home, "branches")?;
    let mutants = mutant::list(&plain.root, &arguments.package)?;
    let is_meant = |name: &str| {
        arguments.tenth.is_none_or(|seed| is_in_tenth(name, seed))
            && arguments.only.as_ref().is_none_or(|text| name.contains(text))
    };
    let numbered = (1..).zip(&mutants);
    let meant: Vec<Numbered<'_>> = numbered.filter(|(_, one)| is_meant(&one.name())).collect();
    let list = root.join("tests/mutants.md");
    let list = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let argued = verdicts::argued(&list);
    let is_settled = |name: &str| {
        let earlier = before.get(name);
        earlier.is_some_and(|verdict| !verdict.is_against_tests() || argued.contains(&name))
    };
    let is_chosen = |mutant: &Mutant| !(arguments.missed && is_settled(&mutant.name()));
    let chosen = meant.iter().filter(|(_, mutant)| is_chosen(mutant)).copied();
    let chosen: Vec<Numbered<'_>> = chosen.collect();
    eprintln!("{} of {} mutants", chosen.len(), mutants.len());

    let packages = [std::slice::from_ref(&arguments.package), arguments.tests.as_slice()].concat();
    let terms = Terms {
        named: arguments.named.clone(),
        limit: Duration::from_secs(arguments.faster_than),
        jobs: arguments.jobs,
    };
    let trial = Trial::new(plain, &branches, &home, &packages, &meant, &terms)?;
    let is_part = arguments.tenth.is_some() || arguments.only.is_some() || arguments.missed;
    // Code that is no longer there does not count.
    let present: BTreeSet<String> = mutants.iter().map(Mutant::name).collect();
    let is_kept = |name: &str| is_part && present.contains(name);
    let with_earlier = |judged: &Verdicts| -> Verdicts {
        let earlier = before.iter().filter(|(name, _)| is_kept(name));
        earlier.chain(judged).map(|(name, verdict)| (name.clone(), *verdict)).collect()
    };
    let keep =
        |judged: &Verdicts| fs::write(&results, verdicts::written(&mutants, &with_earlier(judged)));
    let judged = trial.verdicts(&chosen, &keep)?;
    keep(&judged)?;
    if arguments.tenth.is_some() && !arguments.missed {
        println!("{}", verdicts::summary(&judged, &argued));
        return Ok(report_differences(&before, &judged));
    }
    Ok(report(&mutants, &present, &with_earlier(&judged), &argued))
}

/// Whether a mutant belongs to the tenth that a seed chooses.
fn is_in_tenth(name: &str, seed: u64) -> bool {
    let mut hasher = DefaultHasher::new();
    (seed, name).hash(&mut hasher);
    hasher.finish().is_multiple_of(10)
}

/// Whether all verdicts are those of the last run.
fn report_differences(before: &Verdicts, now: &Verdicts) -> bool {
    let mut same = 0;
    for (name, verdict) in now {
        match before.get(name) {
            Some(earlier) if earlier == verdict => same += 1,
            Some(earlier) => println!("{verdict}, was {earlier}: {name}"),
            None => println!("{verdict}, not judged before: {name}"),
        }
    }
    println!("{same} of {} have the verdict of the last run", now.len());
    same == now.len()
}

/// Whether the list of equivalent mutants names no others.
fn report(mutants: &[Mutant], present: &BTreeSet<String>, all: &Verdicts, argued: &[&str]) -> bool {
    for mutant in mutants {
        let name = mutant.name();
        let verdict = all.get(&name).filter(|verdict| verdict.is_against_tests());
        if let Some(verdict) = verdict.filter(|_| !argued.contains(&name.as_str())) {
            println!("{verdict:9} {}", mutant.title());
        }
    }
    let folders: BTreeSet<&str> = mutants.iter().map(Mutant::sources).collect();
    let is_ours = |name: &str| {
        let is_open = present.contains(name) && !all.contains_key(name);
        !is_open && folders.iter().any(|folder| name.starts_with(folder))
    };
    let stale = verdicts::stale(all, argued, is_ours);
    for name in &stale {
        println!("not an equivalent mutant: {name}");
    }
    println!("{}", verdicts::summary(all, argued));
    stale.is_empty()
}
