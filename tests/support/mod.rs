//! Shared by the tests of the whole program: starts `gray1` in a folder of its own.

pub(crate) mod editor;
pub(crate) mod student;
pub(crate) mod terminal;

use std::ffi::OsString;
use std::fmt::Debug;
use std::io::{Read, Write as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, LazyLock, Once};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gray1_isa::Image;
use gray1_isa::format::{Contents, load};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use tempfile::TempDir;

/// True if the external programs that a test needs can be started.
///
/// If one is missing, the test fails where `CI=true` is set. Elsewhere it is skipped, with a
/// message that bypasses the harness, which would hide it.
pub(crate) fn are_installed(programs: &[&str]) -> bool {
    // Any exit status is fine, because some programs do not know `--version`. Without an option, an
    // editor might not end.
    let is_missing =
        |name: &&&str| Command::new(name).arg("--version").stdin(Stdio::null()).output().is_err();
    let Some(missing) = programs.iter().find(is_missing) else { return true };
    skip(&format!("{missing} is not installed"));
    false
}

/// True if KiCad can be started. It is not available on every system, so without it tests are
/// skipped even where `CI=true` is set.
pub(crate) fn has_kicad() -> bool {
    let is_there = Command::new("kicad-cli").arg("version").output().is_ok();
    if !is_there {
        report_skipped("kicad-cli is not installed");
    }
    is_there
}

/// Fails where `CI=true` is set. Elsewhere prints that this test is skipped, and why.
fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{reason}");
    report_skipped(reason);
}

pub(crate) fn report_skipped(reason: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or_default();
    writeln!(std::io::stderr(), "skipped: {test}: {reason}").expect("it can be written");
}

/// The folder of an npm package installed by CI, if it is there. If it is missing, the test is
/// skipped or fails, as with [`are_installed`].
pub(crate) fn node_modules(package: &str) -> Option<PathBuf> {
    let modules = root().join("target/tools/node_modules");
    let is_there = modules.join(package).exists();
    if !is_there {
        skip(&format!("{package} is not in {}", modules.display()));
    }
    is_there.then_some(modules)
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The 92 arrangements, as published.
pub(crate) fn arrangements() -> String {
    let path = root().join("tests/data/arrangements.txt");
    std::fs::read_to_string(path).expect("the arrangements are part of the repository")
}

/// The program of the tutorial with this title.
pub(crate) fn tutorial_program(title: &str) -> String {
    let tutorial = std::fs::read_to_string(root().join("docs/TUTORIAL.md")).unwrap();
    let blocks = tutorial.split("```asm\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let is_meant = |block: &&str| block.starts_with(&format!(".title \"{title}\"\n"));
    blocks.into_iter().find(is_meant).expect("the tutorial has this program").to_owned()
}

/// The words of a command line, separated by spaces. A space between single quotes is part of its
/// word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => words.push(String::new()),
            c => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Quotes a path as one word of a command line. The path may contain spaces.
pub(crate) fn word(path: &Path) -> String {
    format!("'{}'", path.display())
}

/// The maximum size, in bytes, of a file that a child writes, and of its output.
const FILE_BYTES_MAX: u64 = 2 << 30;
const OUTPUT_BYTES_MAX: u64 = 256 << 20;

/// Sets up this process, and so its children, independently of how the tests were started. Children
/// get the default effects of signals, and cannot fill the disk.
fn settle() {
    static SETTLED: Once = Once::new();
    SETTLED.call_once(|| {
        let limits = getrlimit(Resource::Fsize);
        let current = limits.current.map_or(FILE_BYTES_MAX, |limit| limit.min(FILE_BYTES_MAX));
        let limits = Rlimit { current: Some(current), ..limits };
        setrlimit(Resource::Fsize, limits).expect("a lower limit is always allowed");
        ignored_signals().for_each(|signal| {
            // Children inherit ignored signals but not handlers.
            let unread = Arc::default();
            signal_hook::flag::register(signal, unread).expect("it can be caught");
        });
    });
}

/// The signals ignored by the parent process, for example by `nohup`. Empty on systems other than
/// Linux.
fn ignored_signals() -> impl Iterator<Item = i32> {
    use signal_hook::consts::signal::*;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let relied_on = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
        SIGVTALRM, SIGPROF, SIGIO, SIGSYS, SIGTRAP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU,
        SIGWINCH,
    ];
    relied_on.into_iter().filter(move |signal| mask >> (signal - 1) & 1 == 1)
}

/// The program under test: the one that cargo built, or the one in `GRAY1_PROGRAM`, such as a
/// script that starts an emulator.
pub(crate) fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let given = std::env::var_os("GRAY1_PROGRAM");
        given.map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_gray1")), PathBuf::from)
    });
    &PROGRAM
}

/// The drive letter under which a Windows program sees the files of this system, from
/// `GRAY1_DRIVE=Z`.
pub(crate) fn drive() -> Option<String> {
    std::env::var("GRAY1_DRIVE").ok()
}

/// The environment variables of every `gray1` in the tests. They make it independent of the
/// computer and of the user's settings. It keeps its own settings in `folder` and writes UTF-8.
/// `None` unsets a variable.
pub(crate) fn environment(folder: &Path) -> impl Iterator<Item = (&'static str, Option<OsString>)> {
    const UNSET: [&str; 6] =
        ["CLICOLOR_FORCE", "GRAY1_TEST_PANIC", "LANG", "LC_CTYPE", "NO_COLOR", "RUST_BACKTRACE"];
    let set = [
        ("LC_ALL", "C.UTF-8".into()),
        ("XDG_CACHE_HOME", folder.join("cache").into()),
        ("XDG_STATE_HOME", folder.join("state").into()),
    ];
    let unset = UNSET.into_iter().map(|name| (name, None));
    unset.chain(set.map(|(name, value)| (name, Some(value))))
}

/// A test's own folder, removed when dropped.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        settle();
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a file into the folder.
    pub(crate) fn file(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        std::fs::create_dir_all(self.path(name).parent().expect("it is in a folder"))
            .expect("the folder can be made");
        std::fs::write(self.path(name), contents).expect("the folder can be written");
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder is there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.folder.path()).args(words(arguments));
        for (name, value) in environment(self.folder.path()) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// Runs `gray1` in the folder with these arguments, separated by spaces.
    pub(crate) fn gray1(&self, arguments: &str) -> UncheckedResult {
        self.gray1_with_input(arguments, b"")
    }

    /// Runs `gray1` in the folder with these arguments and this standard input.
    pub(crate) fn gray1_with_input(&self, arguments: &str, input: &[u8]) -> UncheckedResult {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("gray1 can be started");
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        let input = input.to_owned();
        let writer = thread::spawn(move || {
            // A program that does not read its input may close the pipe.
            let _ = stdin.write_all(&input);
        });
        let output = wait_for_output(child);
        writer.join().unwrap();
        UncheckedResult(RunResult { what: format!("gray1 {arguments}"), output: Arc::new(output) })
    }
}

/// The longest time that a test waits for an event, with a reserve for slow computers.
/// `GRAY1_TEST_PATIENCE` sets another number of seconds, for example where tests are expected to
/// fail, as with `cargo mutants`.
pub(crate) static TIMEOUT: LazyLock<Duration> = LazyLock::new(|| {
    let given = std::env::var("GRAY1_TEST_PATIENCE").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(given.unwrap_or(30))
});

/// The maximum run time of a command, far longer than any takes.
const LONGEST_RUN: Duration = Duration::from_secs(600);

/// Kills a child after a timeout, so that its test fails with a message. Dropping it cancels the
/// timeout.
pub(crate) struct Watchdog(
    #[expect(dead_code, reason = "dropping it cancels the timeout")] Sender<()>,
);

impl Watchdog {
    pub(crate) fn new(child: &Child, time: Duration) -> Self {
        let pid = Pid::from_child(child);
        let (holder, held) = mpsc::channel();
        thread::spawn(move || {
            if held.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                // The child may have ended just now.
                let _ = kill_process(pid, Signal::KILL);
            }
        });
        Self(holder)
    }
}

/// Waits for a process to end, and reads its output. A process that hangs, or prints without end,
/// is killed.
fn wait_for_output(mut child: Child) -> Output {
    let watchdog = Watchdog::new(&child, LONGEST_RUN);
    let pid = Pid::from_child(&child);
    let [stdout, stderr] = [
        child.stdout.take().map(|it| read_bounded(it, pid)),
        child.stderr.take().map(|it| read_bounded(it, pid)),
    ]
    .map(|reader| reader.map(|it| it.join().unwrap()).unwrap_or_default());
    let status = child.wait().expect("it is ours");
    drop(watchdog);
    Output { status, stdout, stderr }
}

fn read_bounded(pipe: impl Read + Send + 'static, pid: Pid) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut pipe = pipe.take(OUTPUT_BYTES_MAX);
        pipe.read_to_end(&mut bytes).expect("its output can be read");
        if pipe.limit() == 0 {
            let _ = kill_process(pid, Signal::KILL);
        }
        bytes
    })
}

/// A run that has ended and has not been checked. Every method of [`RunResult`] checks it.
#[must_use = "a failed run goes unnoticed: check its status or what it printed"]
pub(crate) struct UncheckedResult(RunResult);

impl Deref for UncheckedResult {
    type Target = RunResult;

    fn deref(&self) -> &RunResult {
        &self.0
    }
}

/// A run that has ended.
#[derive(Clone)]
pub(crate) struct RunResult {
    what: String,
    output: Arc<Output>,
}

impl RunResult {
    /// Runs a command to its end, with empty standard input.
    pub(crate) fn run(command: &mut Command) -> UncheckedResult {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = wait_for_output(command.spawn().expect("the command can be started"));
        UncheckedResult(Self { what: format!("{command:?}"), output: Arc::new(output) })
    }

    #[track_caller]
    pub(crate) fn status(&self, expected: i32) -> Self {
        let status = self.output.status.code();
        assert_eq!(status, Some(expected), "{}\n{}", self.what, self.err());
        self.clone()
    }

    #[track_caller]
    pub(crate) fn stdout(&self, expected: impl AsRef<[u8]> + Debug) -> Self {
        let expected = expected.as_ref();
        if let (Ok(expected), Ok(found)) =
            (std::str::from_utf8(expected), std::str::from_utf8(&self.output.stdout))
        {
            assert_eq!(found, expected, "{}\n{}", self.what, self.err());
        }
        assert!(self.output.stdout == expected, "{} printed other bytes", self.what);
        self.clone()
    }

    #[track_caller]
    pub(crate) fn stderr(&self, expected: &str) -> Self {
        assert_eq!(self.err(), expected, "{}", self.what);
        self.clone()
    }

    /// Checks that the run failed with only this message, and printed nothing.
    #[track_caller]
    pub(crate) fn error(&self, message: &str) -> Self {
        self.status(1).stdout("").stderr(&format!("error: {message}\n"))
    }

    /// Checks that the run ended with this message about its usage, and printed nothing.
    #[track_caller]
    pub(crate) fn misuse(&self, message: &str) -> Self {
        let ran = self.status(2).stdout("");
        assert!(ran.err().starts_with(&format!("error: {message}\n\nUsage: ")), "{}", ran.err());
        ran
    }

    pub(crate) fn out(&self) -> &[u8] {
        &self.output.stdout
    }

    /// Its standard output, which must be UTF-8.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.out().to_vec()).expect("it prints UTF-8")
    }

    /// The run's standard error. In that of a Windows program, a message of the system about a
    /// missing file is replaced by the message of Linux.
    pub(crate) fn err(&self) -> String {
        let text = String::from_utf8_lossy(&self.output.stderr);
        let missing = ["File not found. (os error 2)", "Path not found. (os error 3)"];
        missing.iter().filter(|_| drive().is_some()).fold(text.into_owned(), |text, words| {
            text.replace(words, "No such file or directory (os error 2)")
        })
    }
}

/// The image of a program in the repository, with its symbols.
pub(crate) fn image(name: &str) -> Image {
    let bench = Bench::new();
    let source = root().join(format!("programs/{name}.asm"));
    let ran = bench.gray1(&format!("asm {} --format ron -o -", word(&source))).status(0);
    match load(ran.out()) {
        Ok(Contents::Image(image)) => *image,
        other => panic!("{name} became {other:?}"),
    }
}

/// The image of this source, with its symbols.
pub(crate) fn image_of_source(source: &str) -> Image {
    let bench = Bench::new().file("p.asm", source);
    match load(bench.gray1("asm p.asm -o -").status(0).out()) {
        Ok(Contents::Image(image)) => *image,
        other => panic!("the source became {other:?}"),
    }
}
