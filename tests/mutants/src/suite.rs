//! The tests, each a process of its own: which mutants it reaches, how long it takes.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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
/// Processor time in seconds: what hangs ends even if this program is stopped before it, or if it
/// has left the group of its test for a terminal of its own.
const PROCESSOR_MAX: u32 = 300;
/// How long a test waits for what a mutant may keep from happening. Less than [`GRACE`], so that it
/// finds the mutant before its time is up.
const PATIENCE: Duration = Duration::from_secs(4);

/// Which tests are run, and how.
pub(crate) struct Terms {
    /// What their names contain.
    pub(crate) named: String,
    /// How long they may take.
    pub(crate) limit: Duration,
    /// How many are run at a time.
    pub(crate) jobs: usize,
}

/// A test that passes without a mutant.
pub(crate) struct Test {
    binary: PathBuf,
    folder: PathBuf,
    pub(crate) name: String,
    pub(crate) usual: Duration,
    /// The mutants that it executes.
    pub(crate) reached: BTreeSet<u32>,
    /// How many mutants of which file it was the first to fail on.
    caught: Mutex<BTreeMap<String, u32>>,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Passed,
    Failed,
    TimedOut,
}

impl Test {
    /// A test with its time and what it reaches; `None` if it fails or takes longer than a limit.
    fn recorded(
        TestBinary { path, folder }: &TestBinary,
        name: &str,
        notes: &Path,
        last: u32,
        limit: Duration,
    ) -> io::Result<Option<Self>> {
        let start = Instant::now();
        let ending = end(command(path, folder, [name]).spawn()?, limit)?;
        let usual = start.elapsed();
        if ending != Ending::Passed {
            return Ok(None);
        }
        fs::write(notes, "")?;
        let mut noting = command(path, folder, [name]);
        noting.env("GRAY1_REACHED", notes).env("GRAY1_MUTANTS", last.to_string());
        if end(noting.spawn()?, limit * SLOWER_WHILE_NOTING_MAX)? != Ending::Passed {
            return Ok(None);
        }
        let text = fs::read_to_string(notes)?;
        let reached = text.lines().filter_map(|line| line.parse().ok()).collect();
        let (binary, folder, name) = (path.clone(), folder.clone(), name.to_owned());
        Ok(Some(Self { binary, folder, name, usual, reached, caught: Mutex::default() }))
    }

    /// Runs it with a mutant, for a multiple of its usual time and some more.
    pub(crate) fn run(&self, mutant: u32, file: &str, grace: Duration) -> io::Result<Ending> {
        let ending = confirmed(|| {
            let mut command = command(&self.binary, &self.folder, [self.name.as_str()]);
            command.env("GRAY1_MUTANT", mutant.to_string());
            end(command.spawn()?, self.usual * SLOWER_MAX + grace)
        })?;
        if ending == Ending::Failed {
            let mut caught = self.caught.lock().expect("no thread panics");
            *caught.entry(file.to_owned()).or_insert(0) += 1;
        }
        Ok(ending)
    }

    /// What it costs to catch a mutant of a file with this test, judged by those that it has caught.
    pub(crate) fn cost(&self, file: &str) -> Duration {
        let caught = self.caught.lock().expect("no thread panics");
        self.usual / (1 + caught.get(file).copied().unwrap_or(0))
    }
}

/// Runs something that counts as failed if it fails twice: once may be due to a busy machine.
fn confirmed(run: impl Fn() -> io::Result<Ending>) -> io::Result<Ending> {
    match run()? {
        Ending::Failed => run(),
        ending => Ok(ending),
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
    command.env("GRAY1_TEST_PATIENCE", PATIENCE.as_secs().to_string());
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
/// one. Returns those that pass in time and reach some, and the names of all others that fail or
/// take longer.
pub(crate) fn record(
    binaries: &[TestBinary],
    last: u32,
    home: &Path,
    terms: &Terms,
) -> io::Result<(Vec<Test>, Vec<String>)> {
    let notes = home.join("notes");
    fs::create_dir_all(&notes)?;
    let mut found = Vec::new();
    for binary in binaries {
        let names = names(binary)?.into_iter().filter(|name| name.contains(&terms.named));
        found.extend(names.map(|name| (binary, name)));
    }
    let numbered: Vec<_> = found.iter().enumerate().collect();
    let recorded = in_parallel(&numbered, terms.jobs, |(number, (binary, name))| {
        Test::recorded(binary, name, &notes.join(number.to_string()), last, terms.limit)
    })?;
    let (mut tests, mut failing) = (Vec::new(), Vec::new());
    for ((_, name), test) in found.into_iter().zip(recorded) {
        match test {
            None => failing.push(name),
            Some(test) if test.reached.is_empty() => {}
            Some(test) => tests.push(test),
        }
    }
    Ok((tests, failing))
}

/// Does some work for each item, so many at a time. The results are in the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> io::Result<R> + Sync,
) -> io::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let share = || -> io::Result<Vec<(usize, R)>> {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return Ok(done) };
            done.push((index, work(item)?));
        }
    };
    let shares = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(share)).collect();
        let join = |thread: thread::ScopedJoinHandle<_>| thread.join().expect("no thread panics");
        threads.into_iter().map(join).collect::<io::Result<Vec<_>>>()
    })?;
    let mut done: Vec<(usize, R)> = shares.into_iter().flatten().collect();
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// The tests of a binary, without those that are ignored.
fn names(TestBinary { path, folder }: &TestBinary) -> io::Result<Vec<String>> {
    let list = |more: &[&str]| -> io::Result<BTreeSet<String>> {
        let output = Command::new(path)
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
        let ending = confirmed(|| {
            let skipped = failing.iter().flat_map(|name| ["--skip", name]);
            end(command(path, folder, skipped).spawn()?, usual * SLOWER_MAX + GRACE)
        })?;
        if ending != Ending::Passed {
            return Ok(ending);
        }
    }
    Ok(Ending::Passed)
}
