//! The examples in the help: each command ends its help with one, and the example works.

use std::process::Command;

use crate::support::{Bench, RunResult, environment, program, root};

/// Commands that wait for somebody, so that only their help is checked.
const WAITING: [&str; 3] = ["gray1 snake", "gray1 lsp", "gray1 dap --port 4711"];

const PROGRAM: &str = " LDI 65\n ST 0x1fff\n HALT\n";
const TESTS: &str = "Tests(version: 1, cases: [(name: \"a\", steps: [Prints(\"A\"), Halts])])";

/// The first example of each command in the manual, with the name of the command.
fn examples() -> Vec<(String, String)> {
    let manual = std::fs::read_to_string(root().join("src/cli/manual.txt")).unwrap();
    let sections = manual.split("# ").skip(1);
    let sections = sections.filter(|section| !section.starts_with(char::is_uppercase));
    let first = sections.filter_map(|section| {
        let mut lines = section.lines();
        Some((lines.next()?.to_owned(), lines.next()?.to_owned()))
    });
    let examples: Vec<_> = first.collect();
    assert!(examples.len() > 20, "{examples:?}");
    examples
}

#[test]
fn each_help_ends_with_an_example() {
    for (name, example) in examples() {
        let arguments = if name == "gray1" { "--help".to_owned() } else { name + " --help" };
        let help = Bench::new().gray1(&arguments).status(0).text();
        assert!(help.ends_with(&format!("\nExample: {example}\n")), "{help}");
    }
}

#[test]
fn the_first_example_of_each_command_works() {
    let bench = Bench::new().file("mine.asm", PROGRAM).file("mine.test.ron", TESTS);
    bench.gray1("asm mine.asm -o mine.bin").status(0);
    let capture = "run queens --board gray1-b --engine chips --vcd capture.vcd --vcd-window 0..500";
    bench.gray1(&format!("{capture} --max-instructions 500")).status(3);
    let folder = program().parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    for (_, example) in examples() {
        if WAITING.contains(&example.as_str()) {
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &example]).current_dir(bench.path(""));
        shell.envs(environment(&bench.path("")).filter_map(|(name, it)| Some((name, it?))));
        // What differs is found, and not a failure.
        let status = i32::from(example.starts_with("gray1 diff "));
        RunResult::run(shell.env("PATH", &path)).status(status);
    }
}
