//! Compares the instruction engine as WebAssembly in Node.js with the same engine on this machine
//! without native code. The page should be nearly as fast as the other front ends.
//!
//! `cargo bench --bench web`, after `web/build`. The module is built with the flags of the page.
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]

mod support;

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use gray1_isa::PowerUp;
use gray1_sim::{Engine as _, Machine};

use support::{Side, compare_rounds, load_image};

/// The program, which is also the one that `web/examples/speed.rs` runs in the WebAssembly module.
const PROGRAM: &str = "queens-odometer";
const INSTRUCTIONS_MAX: u64 = 100_000_000;
const ROUNDS: usize = 21;
const TARGET: &str = "wasm32-unknown-unknown";
const FOLDER: &str = "target/web/cargo";

/// Runs the module once for each input line.
const SCRIPT: &str = "
    const { readFileSync } = require('node:fs');
    const module = new WebAssembly.Module(readFileSync(process.argv[1]));
    const { run } = new WebAssembly.Instance(module, {}).exports;
    const lines = require('node:readline').createInterface({ input: process.stdin });
    lines.on('line', () => console.log(run()));
";

fn main() {
    let built = Command::new("cargo")
        .args(["build", "--profile", "web", "--locked", "-p", "gray1-web", "--example", "speed"])
        .args(["--target", TARGET, "--target-dir", FOLDER])
        .status()
        .expect("cargo can be started");
    assert!(built.success());
    let module = format!("{FOLDER}/{TARGET}/web/examples/speed.wasm");
    let mut node = Command::new("node")
        .args(["-e", SCRIPT, &module])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node.js can be started");
    let requests = RefCell::new(node.stdin.take().expect("it is a pipe"));
    let answers = RefCell::new(BufReader::new(node.stdout.take().expect("it is a pipe")));
    let in_node = || {
        requests.borrow_mut().write_all(b"\n").expect("it listens");
        let mut line = String::new();
        answers.borrow_mut().read_line(&mut line).expect("it answers");
        line.trim().parse::<u64>().expect("it answers with a number")
    };
    let machine = Machine::new(&load_image(PROGRAM), PowerUp::Zero).interpreted();
    let mut reference = machine.clone();
    reference.run(INSTRUCTIONS_MAX);
    let count = reference.executed();
    println!("{PROGRAM}, {count} instructions:");
    compare_rounds(
        ROUNDS,
        count,
        "instructions",
        &Side {
            name: "native, interpreted",
            prepare: &|| machine.clone(),
            run: &|machine| {
                machine.run(INSTRUCTIONS_MAX);
                assert_eq!(machine.executed(), count);
            },
        },
        &Side {
            name: "WebAssembly, in Node.js",
            prepare: &|| (),
            run: &|()| assert_eq!(in_node(), count),
        },
    );
    drop(requests);
    node.wait().expect("it ends");
}
