//! Commands do not hang on special files. Each one ends, whatever kind of file a name belongs to. A
//! signal ends every command that was asked to wait.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

/// A file without an end, or one that cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    /// A named pipe without a writer.
    Fifo,
    Zeros,
    /// A terminal, which is read like standard input.
    Terminal,
    Folder,
    LinkToItself,
    /// A file in a folder that the user may not enter.
    Forbidden,
}

use Obstacle::{Fifo, Folder, Forbidden, LinkToItself, Terminal, Zeros};

use crate::support::editor::Editor;
use crate::support::terminal::Setup;
use crate::support::{Bench, TIMEOUT, Watchdog, root};

const OBSTACLES: [Obstacle; 6] = [Fifo, Zeros, Terminal, Folder, LinkToItself, Forbidden];

impl Obstacle {
    fn put(self, path: &Path) {
        let _ = fs::remove_file(path);
        match self {
            // rustix does not have this call for macOS.
            Fifo => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            Zeros => symlink("/dev/zero", path).unwrap(),
            Terminal => symlink("/dev/tty", path).unwrap(),
            Folder => fs::create_dir(path).unwrap(),
            LinkToItself => symlink(path.file_name().unwrap(), path).unwrap(),
            Forbidden => {
                let folder = path.with_extension("forbidden");
                fs::create_dir(&folder).unwrap();
                symlink(folder.join("file"), path).unwrap();
                // The folder can still be listed, so the bench can be removed.
                fs::set_permissions(&folder, fs::Permissions::from_mode(0o400)).unwrap();
            }
        }
    }

    /// The end of the error message, if it is the same for every user.
    fn why(self) -> Option<&'static str> {
        match self {
            Fifo | Zeros | Terminal => Some("not a regular file"),
            Folder => Some("is a directory"),
            LinkToItself => Some("Too many levels of symbolic links (os error 40)"),
            Forbidden => None,
        }
    }
}

/// Runs a command, which must end without a signal, and returns its output.
#[track_caller]
fn ends(bench: &Bench, arguments: &str) -> String {
    let mut command = bench.command(arguments);
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _watchdog = Watchdog::new(&child, *TIMEOUT);
    let output = child.wait_with_output().unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    let is_well = output.status.code().is_some_and(|code| code <= 3);
    assert!(is_well, "gray1 {arguments}: {}\n{printed}", output.status);
    printed
}

const TESTS: &str = "Tests(version: 1, cases: [(name: \"c\", steps: [Halts])])";

/// Regular files of each kind, before any of them is replaced by an obstacle.
fn bench() -> Bench {
    let board = fs::read_to_string(root().join("roms/gray1.ron")).unwrap();
    let with_file =
        board.replacen("does: Buffer(", "contents: File(\"own.bin\"), does: Buffer(", 1);
    let bench = Bench::new();
    for folder in ["week1/1-a", "gray1-lessons", "state/gray1"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    let case = "Tests(version: 1, cases: [(name: \"c\", board: \"part.ron\", steps: [Halts])])";
    bench
        .file("good.asm", "HALT\n")
        .file("outer.asm", " LDI 1\n.include \"part.asm\"\n HALT\n")
        .file("outer.test.ron", TESTS)
        .file("good.test.ron", TESTS)
        .file("board.test.ron", case.replace("cases", "program: \"good.asm\", cases"))
        .file("part.test.ron", TESTS)
        .file("image.bin", [0xff; 16384])
        .file("board.ron", with_file)
        .file("own.bin", [0x5a; 2048])
        .file("week1/course.ron", "Course(version: 1, title: \"Week 1\")")
        .file("week1/ending.md", "\n")
        .file("week1/1-a/lesson.ron", "Lesson(version: 1, title: \"a\", hints: [])")
        .file("week1/1-a/page.md", "\n")
        .file("week1/1-a/skeleton.asm", "HALT\n")
        .file("week1/1-a/solution.asm", "HALT\n")
        .file("week1/1-a/solution.test.ron", TESTS)
}

/// Files to replace by an obstacle, and the commands that read them.
const ROLES: [(&str, &[&str]); 19] = [
    (
        "part.asm",
        &[
            "run part.asm",
            "asm part.asm -o -",
            "convert part.asm -o -",
            "disasm part.asm",
            "fmt part.asm",
            "fmt --check part.asm",
            "compare part.asm",
            "record part.asm -o x.gif",
            "screenshot part.asm",
            "export bom -o out part.asm",
            "test good.test.ron --program part.asm",
            "part.asm",
        ],
    ),
    ("part.asm", &["run outer.asm", "asm outer.asm -o -", "test outer.test.ron"]),
    ("part.asm", &["test part.test.ron", "test part.asm"]),
    (
        "part.ron",
        &[
            "run good.asm --board part.ron",
            "run good.asm --board part.ron --engine chips",
            "check --board part.ron",
            "export bom -o out --board part.ron",
            "test board.test.ron",
            "compare good.asm --board part.ron",
        ],
    ),
    ("own.bin", &["run good.asm --board board.ron", "check --board board.ron"]),
    ("keys", &["run good.asm --buttons keys"]),
    ("image.sym", &["run image.bin", "disasm image.bin"]),
    ("image.ron", &["run image.bin"]),
    ("good.test.ron", &["test good.test.ron", "test", "test good.asm"]),
    ("week1/course.ron", &["learn --course week1", "learn verify --course week1"]),
    ("week1/ending.md", &["learn --course week1"]),
    ("week1/1-a/lesson.ron", &["learn --course week1"]),
    ("week1/1-a/page.md", &["learn --course week1"]),
    ("week1/1-a/skeleton.asm", &["learn --course week1"]),
    ("week1/1-a/solution.asm", &["learn verify --course week1"]),
    ("week1/1-a/solution.test.ron", &["learn --course week1"]),
    ("gray1-lessons/01-first-led.asm", &["learn check", "learn page"]),
    ("gray1-lessons/01-first-led.test.ron", &["learn check", "learn page"]),
    ("gray1-lessons/progress.ron", &["learn", "learn list", "learn check", "learn hint"]),
];

#[test]
fn commands_do_not_block_on_special_files() {
    for obstacle in OBSTACLES {
        for (name, commands) in ROLES {
            let bench = bench();
            obstacle.put(&bench.path(name));
            // All commands in a row of `ROLES` read the file through the same code. So all of them
            // are tried with a named pipe only, and the first one also with the other obstacles.
            let commands = if obstacle == Fifo { commands } else { &commands[..1] };
            for command in commands {
                let printed = ends(&bench, command);
                let is_reported = obstacle.why().is_none_or(|why| printed.contains(why));
                let is_seen = name == "part.asm" && !command.starts_with("test part");
                assert!(is_reported || !is_seen, "{obstacle:?}: gray1 {command}\n{printed}");
            }
        }
    }
}

#[test]
fn an_error_about_an_include_has_the_position_of_the_include() {
    let bench = bench();
    Fifo.put(&bench.path("part.asm"));
    let printed = ends(&bench, "run outer.asm");
    assert!(
        printed.contains("--> outer.asm:2:10") && printed.contains("not a regular file"),
        "{printed}"
    );
}

#[test]
fn the_language_server_skips_files_that_it_cannot_read() {
    for obstacle in OBSTACLES {
        let bench = bench().file("lib.asm", ".macro one\n LDI 1\n.endmacro\n");
        let bench = bench.file("user.asm", ".include \"lib.asm\"\n one\n HALT\n");
        // Put into the document's folder, where the server searches for programs that include it.
        obstacle.put(&bench.path("another.asm"));
        obstacle.put(&bench.path("part.asm"));
        let mut editor = Editor::new(bench);
        editor.open("lib.asm", ".macro one\n LDI 1\n.endmacro\n");
        let uri = editor.uri("lib.asm");
        let at =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 8 } });
        let hover = editor.request("textDocument/hover", &at);
        assert!(hover.to_string().contains("macro one"), "{obstacle:?}: {hover}");
        editor.open("outer.asm", " LDI 1\n.include \"part.asm\"\n HALT\n");
        editor.request(
            "textDocument/documentSymbol",
            &json!({
                "textDocument": { "uri": editor.uri("outer.asm") }
            }),
        );
    }
}

#[test]
fn the_front_end_refuses_special_files_and_can_be_quit() {
    for obstacle in [Fifo, Terminal, Zeros] {
        let bench = bench().file("outer.asm", " LDI 1\nturn: JMP turn2\nturn2: JMP turn\n");
        obstacle.put(&bench.path("part.asm"));
        obstacle.put(&bench.path("state/gray1/settings.ron"));
        let mut terminal = Setup::gray1(&bench.path(""), "outer.asm --watch").plain().start();
        terminal.wait_for("running");
        // The include file appears while the command runs.
        fs::write(bench.path("outer.asm"), ".include \"part.asm\"\n HALT\n").unwrap();
        terminal.wait_for("not a regular file");
        terminal.keys("\x1b");
        terminal.wait_for_no("the old program stays");
        terminal.keys("opart.asm");
        terminal.wait_for("part.asm: cannot read part.asm: not a regular file");
        terminal.keys("\r");
        terminal.wait_for("cannot open part.asm");
        terminal.keys("\x03");
        terminal.ends_with(130);
    }
}

/// `--watch` reports a removed include file like any other change.
#[test]
fn the_removal_of_an_include_is_noticed() {
    let bench = bench().file("part.asm", "turn: JMP back\nback: JMP turn\n");
    let mut terminal = Setup::gray1(&bench.path(""), "outer.asm --watch").plain().start();
    terminal.wait_for("running");
    fs::remove_file(bench.path("part.asm")).unwrap();
    terminal.wait_for("cannot include");
    terminal.keys("\x03");
    terminal.ends_with(130);
}

/// Waits for a process that was asked to end.
fn wait(mut child: Child, what: &str) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > *TIMEOUT {
            let _ = child.kill();
            panic!("gray1 {what} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn one_signal_ends_each_command_that_waits_or_works() {
    let endless = "again: LDI '!'\n ST 0x1fff\n JMP again\n";
    let dark = "again: LDI 0\n JMP more\nmore: JMP again\n";
    let long = "Tests(version: 1, cases: [(name: \"c\", limit: 1000000000000, steps: [Halts])])";
    let commands = [
        "run -",
        "asm -",
        "convert - -o -",
        "fmt -",
        "compare -",
        "test good.test.ron --program -",
        "test dark.asm",
        "lsp",
        "dap",
        "dap --port 0",
        // The next commands block, because nothing reads their output.
        "run endless.asm",
        "run endless.asm --trace /dev/stdout",
        "run endless.asm --trace fifo",
        "run dark.asm --engine timed --vcd x.vcd",
        "compare dark.asm --max-instructions 1000000000000",
        "screenshot dark.asm --keys '+ + Space wait:900000000i'",
        "record dark.asm -o x.gif --changes 10000",
        "learn verify",
        "check --board binary-counter",
    ];
    let ends = |command: &str| {
        let bench = bench().file("endless.asm", endless).file("dark.asm", dark);
        let bench = bench.file("dark.test.ron", long);
        Fifo.put(&bench.path("fifo"));
        let mut words = bench.command(command);
        words.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = words.spawn().unwrap();
        thread::sleep(Duration::from_millis(300));
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let status = wait(child, command);
        // Some commands end before the signal, with a message of their own.
        let is_asked = status.code() == Some(143) || status.signal() == Some(15);
        assert!(is_asked || status.code().is_some_and(|code| code < 2), "{command}: {status}");
        let names = bench.names();
        assert!(!names.iter().any(|name| name.starts_with(".gray1-")), "{command}: {names:?}");
    };
    // Run at the same time, because some take the full five seconds.
    thread::scope(|scope| {
        for command in commands {
            scope.spawn(move || ends(command));
        }
    });
}

#[test]
fn an_early_signal_leaves_no_temporary_file() {
    let bench = bench().file("dark.asm", "again: LDI 0\n JMP again\n");
    for time in 0..40 {
        let output = ["--trace t.txt", "--vcd t.vcd --engine chips"][time % 2];
        let mut run = bench.command(&format!("run dark.asm --max-instructions 150000 {output}"));
        let child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(500 * time as u64));
        let _ = kill_process(Pid::from_child(&child), Signal::TERM);
        wait(child, output);
        let names = bench.names();
        assert!(!names.iter().any(|name| name.starts_with(".gray1-")), "{time}: {names:?}");
    }
}

#[test]
fn an_output_to_a_pipe_without_a_reader_fails() {
    let bench = bench();
    let program = bench.path("good.asm");
    fs::write(&program, "LDI 5\nHALT\n").unwrap();
    fs::create_dir(bench.path("folder")).unwrap();
    for (command, output) in [
        ("asm good.asm -o pipe", "pipe"),
        ("run good.asm --trace pipe", "pipe"),
        ("record good.asm --format gif -o pipe", "pipe"),
        ("export netlist -o folder good.asm", "folder/netlist.csv"),
    ] {
        Fifo.put(&bench.path(output));
        let printed = ends(&bench, command);
        let error = format!("error: cannot write {output}: no process reads from it\n");
        assert!(printed.starts_with(&error), "{command}: {printed}");
        // A reader that opens the pipe only now gets the complete output.
        let path = bench.path(output);
        let reader = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            fs::read(path).unwrap()
        });
        ends(&bench, command);
        assert!(!reader.join().unwrap().is_empty(), "{command}");
    }
}
