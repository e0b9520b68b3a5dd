//! The tests, each a process of its own: which mutants it reaches, how long it takes.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::workspace::TestBinary;

/// What a test may take besides a multiple of its usual time.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
/// The same after another test was ended, with the same mutant.
pub(crate) const GRACE_AFTER_HANG: Duration = Duration::from_millis(500);
/// How much longer than usual a test may take.
const SLOWER_MAX: u32 = 5;
/// How much longer a test may take while it notes the mutants that it reaches.
const SLOWER_WHILE_NOTING_MAX: u32 = 20;
/// Mutants may allocate without end. In KiB, as `ulimit` counts.
const MEMORY_MAX_KIB: u32 = 4 << 20;
/// Processor time in seconds: a test that hangs ends even if this program is stopped before it.
const PROCESSOR_MAX: u32 = 1800;

/// A test that passes without a mutant.
pub(crate) struct Test {
    binary: PathBuf,
    folder: PathBuf,
    pub(crate) name: String,
    pub(crate) usual: Duration,
    /// The mutants that it executes.
    pub(crate) reached: BTreeSet<u32>,
    /// How many mutants it was the first to fail on.
    caught: AtomicU32,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Passed,
    Failed,
    TimedOut,
}

impl Test {
    /// Runs it with a mutant, for a multiple of its usual time and some more.
    pub(crate) fn run(&self, mutant: u32, grace: Duration) -> io::Result<Ending> {
        let mut command = command(&self.binary, &self.folder, [self.name.as_str()]);
        command.env("GRAY1_MUTANT", mutant.to_string());
        let ending = end(command.spawn()?, self.usual * SLOWER_MAX + grace)?;
        if ending == Ending::Failed {
            self.caught.fetch_add(1, Ordering::Relaxed);
        }
        Ok(ending)
    }

    /// What it costs to catch a mutant with this test, judged by those that it has caught.
    pub(crate) fn cost(&self) -> Duration {
        self.usual / (1 + self.caught.load(Ordering::Relaxed))
    }
}

/// Some tests of a binary; all of them if none is named.
fn command<'a>(binary: &Path, folder: &Path, tests: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new("sh");
    let script =
        format!("ulimit -v {MEMORY_MAX_KIB}; ulimit -t {PROCESSOR_MAX}; exec \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(binary).arg("--exact").args(tests);
    command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder);
    // The same random numbers in every run, so that the verdicts are the same.
    command.env("PROPTEST_RNG_SEED", "1");
    // A failure will do; the smallest input that fails takes time to find.
    command.env("PROPTEST_MAX_SHRINK_ITERS", "0");
    command.env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ended together with the processes that it starts.
    command.process_group(0);
    command
}

/// Waits for a process, up to a limit.
fn end(mut child: Child, limit: Duration) -> io::Result<Ending> {
    let (start, mut pause) = (Instant::now(), Duration::from_micros(500));
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { Ending::Passed } else { Ending::Failed });
        }
        if start.elapsed() > limit {
            let group = Pid::from_raw(child.id().cast_signed()).expect("a process has a number");
            kill_process_group(group, Signal::KILL)?;
            child.wait()?;
            return Ok(Ending::TimedOut);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Runs every test once for its time, and once to note the mutants that it reaches, up to the `last`
/// one. Returns those that pass within a limit and reach some, and the names of all others that fail
/// or take longer.
pub(crate) fn record(
    binaries: &[TestBinary],
    last: u32,
    home: &Path,
    limit: Duration,
) -> io::Result<(Vec<Test>, Vec<String>)> {
    let (mut tests, mut failing) = (Vec::new(), Vec::new());
    let reached = home.join("reached");
    for TestBinary { path, folder } in binaries {
        for name in names(path, folder)? {
            let command = || command(path, folder, [name.as_str()]);
            let start = Instant::now();
            let mut ending = end(command().spawn()?, limit)?;
            let usual = start.elapsed();
            if ending == Ending::Passed {
                fs::write(&reached, "")?;
                let mut command = command();
                command.env("GRAY1_REACHED", &reached).env("GRAY1_MUTANTS", last.to_string());
                ending = end(command.spawn()?, limit * SLOWER_WHILE_NOTING_MAX)?;
            }
            if ending != Ending::Passed {
                failing.push(name);
                continue;
            }
            let text = fs::read_to_string(&reached)?;
            let reached: BTreeSet<u32> =
                text.lines().filter_map(|line| line.parse().ok()).collect();
            if !reached.is_empty() {
                let (binary, folder) = (path.clone(), folder.clone());
                tests.push(Test { binary, folder, name, usual, reached, caught: 0.into() });
            }
        }
    }
    Ok((tests, failing))
}

/// The tests of a binary, without those that are ignored.
fn names(binary: &Path, folder: &Path) -> io::Result<Vec<String>> {
    let list = |more: &[&str]| -> io::Result<BTreeSet<String>> {
        let output = Command::new(binary)
            .args(["--list", "--format", "terse"])
            .args(more)
            .current_dir(folder)
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
    };
    Ok(list(&[])?.difference(&list(&["--ignored"])?).cloned().collect())
}

/// Runs the tests of some binaries, but for those that fail anyway, until one fails.
pub(crate) fn run_all(
    binaries: &[TestBinary],
    failing: &[String],
    usual: Duration,
) -> io::Result<Ending> {
    for TestBinary { path, folder } in binaries {
        let skipped = failing.iter().flat_map(|name| ["--skip", name]);
        let ending = end(command(path, folder, skipped).spawn()?, usual * SLOWER_MAX + GRACE)?;
        if ending != Ending::Passed {
            return Ok(ending);
        }
    }
    Ok(Ending::Passed)
}
