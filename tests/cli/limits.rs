//! Limits set by a grader or an administrator, and signals while a file is being written.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::support::{Bench, RunResult, UncheckedResult, are_installed, drive, program};

const PROGRAM: &str = " LDI 65\n ST 0x1fff\n HALT\n";
const TESTS: &str = "Tests(version: 1, cases: [(name: \"a\", steps: [Prints(\"A\"), Halts])])";

/// Runs `gray1` as a user who may not start another thread or process.
fn alone(bench: &Bench, arguments: &[&str]) -> UncheckedResult {
    // The limit does not apply to the superuser.
    let mut words = vec!["prlimit", "--nproc=1", "./gray1"];
    if geteuid().is_root() {
        let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
        words.splice(0..0, user);
    }
    RunResult::run(
        Command::new(words[0]).args(&words[1..]).args(arguments).current_dir(bench.path("")),
    )
}

#[test]
fn programs_run_and_are_tested_without_threads() {
    if drive().is_some() || !are_installed(&["prlimit", "setpriv"]) {
        return;
    }
    let bench = Bench::new().file("p.asm", PROGRAM).file("p.test.ron", TESTS);
    fs::set_permissions(bench.path(""), fs::Permissions::from_mode(0o777)).unwrap();
    fs::copy(program(), bench.path("gray1")).unwrap();
    alone(&bench, &["run", "p.asm"]).status(0).stdout("A");
    alone(&bench, &["test", "p.asm"]).status(0);
    alone(&bench, &["asm", "p.asm", "-o", "p.bin"]).status(0);
    alone(&bench, &["learn", "page"]).status(0);
    let ran = alone(&bench, &["learn", "check"]).status(1).stderr("");
    assert!(ran.out().starts_with(b"Not yet"), "{:?}", ran.text());
    for server in ["lsp", "dap"] {
        let errors = alone(&bench, &[server]).status(1).err();
        assert!(errors.starts_with("error: cannot start a thread: "), "{server}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{server}: {errors}");
    }
}

#[test]
fn a_file_beyond_the_limit_is_an_error_and_leaves_the_old_one() {
    if drive().is_some() {
        return;
    }
    for arguments in
        ["convert queens -o out", "run queens --trace out", "screenshot queens --format svg -o out"]
    {
        let bench = Bench::new().file("out", "old");
        let gray1 = program().display();
        let script = format!("ulimit -f 1; exec '{gray1}' {arguments}");
        let mut command = Command::new("sh");
        let ran =
            RunResult::run(command.args(["-c", &script]).current_dir(bench.path(""))).status(1);
        let error = "error: cannot write out: File too large (os error 27)\n";
        assert!(ran.err().ends_with(error), "{arguments}: {}", ran.err());
        assert_eq!(bench.read("out"), b"old", "{arguments}");
        assert_eq!(bench.names(), ["out"], "{arguments}");
    }
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    if drive().is_some() {
        return;
    }
    let bench = Bench::new().file("p.asm", PROGRAM);
    for (number, signal) in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT]
        .into_iter()
        .cycle()
        .take(24)
        .enumerate()
    {
        let arguments = ["export images -o .", "asm p.asm -o out.ron"][number % 3 / 2];
        let mut command = bench.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(2 * number as u64));
        let _ = kill_process(Pid::from_child(&child), signal);
        child.wait().unwrap();
        let is_temporary = |name: &String| name.starts_with(".gray1");
        assert!(!bench.names().iter().any(is_temporary), "{arguments}, {number}, {signal:?}");
    }
}
