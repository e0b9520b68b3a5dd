//! Shell completions (the tab key) and manual pages.
#![allow(clippy::print_stderr, reason = "a test that cannot be run here has to say so")]

use std::process::Command;

use crate::support::terminal::Setup;
use crate::support::{Bench, RunResult, are_installed};

/// The keys to type, then a string that must appear on the screen, then one that must not.
const COMPLETED: &[(&str, &str, &str)] = &[
    ("gray1 ru\t", "gray1 run ", ""),
    // bash lists candidates only when there is nothing left to insert.
    ("gray1 run que\t\t\t", "queens-repair", "fibonacci"),
    ("gray1 fib\t", "gray1 fibonacci", ""),
    ("gray1 run ./p\t", "./prog.asm", "./prose.txt"),
    ("gray1 run --en\t", "--engine", ""),
    ("gray1 run --engine ch\t", "--engine chips", ""),
    ("gray1 run --board bi\t", "--board binary-counter", ""),
    ("gray1 asm --format \t\t", "readmemh", ""),
    ("gray1 test --format ju\t", "--format junit", ""),
    ("gray1 show lib/sq\t", "gray1 show lib/squares.asm", ""),
    ("gray1 asm pr\t", "gray1 asm prog.asm", ""),
    ("gray1 learn page 01\t", "gray1 learn page 01-first-led", ""),
    // After a command, other commands are not offered.
    ("gray1 run \t\t", "queens-repair", "disasm"),
    // Options are offered only after the user has typed a dash.
    ("gray1 run \t\t", "queens-repair", "--engine"),
    ("gray1 \t\t", "queens-repair", "--mouse"),
    ("gray1 run --no-such-\t\t", "gray1 run --no-such-", "queens-repair"),
    ("gray1 test --case ha\t", "gray1 test --case halts", ""),
    ("gray1 debug --test prog.test.ron --case pr\t", "--case prints", ""),
];

/// More cases for bash, which needs quotes here or splits a word at `:` or `=`.
const COMPLETED_BY_BASH: &[(&str, &str, &str)] = &[
    ("gray1 run my\t", r"gray1 run my\ prog.asm", ""),
    ("gray1 run my\\ pr\t", r"gray1 run my\ prog.asm", ""),
    ("gray1 run \"my\t", "gray1 run \"my prog.asm\"", ""),
    ("gray1 run 'my\t", "gray1 run 'my prog.asm'", ""),
    ("gray1 run it\t", r"gray1 run it\'s.asm", ""),
    ("gray1 run co:\t", "gray1 run co:lon.asm", "--"),
    ("gray1 run co:lo\t", "gray1 run co:lon.asm", ""),
    ("gray1 run --engine=ch\t", "--engine=chips", ""),
    ("gray1 check --part PROG=AT\t", "PROG=AT28C256", ""),
    ("gray1 run --ram random:\t", "random:1", ""),
    ("gray1 run --ram=random:\t", "--ram=random:1", ""),
    ("gray1 run nothing-of-this\t\t", "gray1 run nothing-of-this", "''"),
];

/// Starts a shell with these arguments, loads the completions, and tries [`COMPLETED`] and the
/// cases in `more`.
fn completes(shell: &str, arguments: &[&str], load: &str, more: &[(&str, &str, &str)]) {
    if !are_installed(&[shell]) {
        return;
    }
    let mut bench = Bench::new().file("prog.asm", "HALT\n").file("prose.txt", "");
    let cases = "(name: \"halts\", steps: [Halts]), (name: \"prints\", steps: [Prints(\"1\")])";
    bench = bench.file("prog.test.ron", format!("Tests(version: 1, cases: [{cases}])"));
    if !more.is_empty() {
        for name in ["my prog.asm", "it's.asm", "co:lon.asm"] {
            bench = bench.file(name, "HALT\n");
        }
    }
    let setup = Setup::shell_with(shell, arguments, &bench.path(""));
    let mut terminal = setup.size(120, 60).start();
    terminal.wait_for("ready> ");
    terminal.keys(&format!("{load} && echo loaded | tr a-z A-Z\r"));
    terminal.wait_for("LOADED");
    for (typed, shown, not_shown) in COMPLETED.iter().chain(more) {
        // Clears the screen in the line editor. If `clear` ran, the kernel would echo the next
        // keys.
        terminal.keys("\x0c");
        terminal.wait_until("an empty screen", |terminal| terminal.text().trim() == "ready>");
        terminal.keys(typed);
        terminal.wait_for(shown);
        assert!(not_shown.is_empty() || !terminal.text().contains(not_shown), "{typed:?}");
        // Clears the line, and any menu with it. Ctrl-C would also drop the keys typed after it.
        terminal.keys("\x15");
        terminal.wait_until("a fresh prompt", |terminal| {
            terminal.text().lines().any(|line| line.trim() == "ready>")
        });
    }
    terminal.keys("exit 0\r");
    terminal.ends_with(0);
}

#[test]
fn bash_completes() {
    let arguments = ["--noprofile", "--norc", "-i"];
    completes("bash", &arguments, "source <(gray1 completions bash)", COMPLETED_BY_BASH);
}

#[test]
fn zsh_completes() {
    let start = "autoload -U compinit && compinit -D";
    completes("zsh", &["-f", "-i"], &format!("{start} && source <(gray1 completions zsh)"), &[]);
    // The file name and folder that a package would use.
    let file = "mkdir f && gray1 completions zsh > f/_gray1 && fpath=(f $fpath)";
    completes("zsh", &["-f", "-i"], &format!("{file} && {start}"), &[]);
}

#[test]
fn fish_completes() {
    let prompt = "function fish_prompt; echo -n 'ready> '; end";
    let arguments = ["--no-config", "--init-command", prompt, "--interactive"];
    completes("fish", &arguments, "gray1 completions fish | source", &[]);
}

#[test]
fn every_command_has_a_manual_page_that_can_be_formatted() {
    let bench = Bench::new();
    bench.gray1("man --output share/man1").status(0).stdout("").stderr("");
    let help = bench.gray1("--help");
    let help = help.text();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().map_while(|line| line.split_whitespace().next());
    let commands: Vec<&str> = commands.filter(|command| *command != "help").collect();
    assert!(commands.contains(&"run") && commands.contains(&"man"), "{commands:?}");

    let is_formatted = are_installed(&["mandoc"]);
    for name in
        ["gray1".to_owned()].into_iter().chain(commands.iter().map(|it| format!("gray1-{it}")))
    {
        let page = format!("share/man1/{name}.1");
        let text = String::from_utf8(bench.read(&page)).unwrap();
        assert!(text.contains(&format!(".TH {name} 1")), "{name}: {text}");
        if is_formatted {
            let path = bench.path(&page);
            RunResult::run(Command::new("mandoc").args(["-T", "lint", "-W", "error"]).arg(&path))
                .status(0);
        }
    }
    let main = bench.gray1("man").status(0);
    assert_eq!(main.out(), bench.read("share/man1/gray1.1"));
}
