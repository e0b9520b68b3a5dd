//! The debug adapter and `gray1 debug --plain` are faces of one debugger: after the same movements
//! they are at the same moment, whatever else is asked in between.

use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};

use gray1_isa::SplitMix64;
use serde_json::{Value, json};

use super::{next, request, server};
use crate::support::{Bench, root};

/// Commands that move the machine, each with the request that does the same. With the granularity
/// `instruction`, the step is an instruction.
type Moves = [(&'static str, &'static str, &'static str)];
const STEPS: &Moves = &[
    ("step", "stepIn", "instruction"),
    ("s", "stepIn", "instruction"),
    ("Back", "stepBack", "instruction"),
    ("over", "next", "line"),
    ("back over", "stepBack", "line"),
    ("out", "stepOut", "line"),
    ("  d # out", "stepOut", "line"),
];

/// Steps, and runs, which can be long.
const RUNS: &Moves = &[
    ("step", "stepIn", "instruction"),
    ("over", "next", "line"),
    ("back over", "stepBack", "line"),
    ("out", "stepOut", "line"),
    ("continue", "continue", "line"),
    ("Reverse", "reverseContinue", "line"),
    ("c", "continue", "line"),
];

/// Lines that move nothing: questions, mistakes, and bytes that are no text.
const OTHERS: [&[u8]; 31] = [
    b"where",
    b"leds",
    b"registers",
    b"why 1, 1",
    b"why stack",
    b"why",
    b"print [stack] + A",
    b"memory 0..16",
    b"memory green row 0..mailbox",
    b"led 4, 3",
    b"compare 0",
    b"compare 3",
    b"source",
    b"source 80..90",
    b"chips",
    b"breaks",
    b"help",
    b"help why",
    b"press up",
    b"stpe",
    b"go",
    b"go :9999",
    b"break",
    b"delete 0",
    b"set A",
    b"99",
    b"\x1b[2J\x07",
    b"\x00\xff\xfe",
    b"print \x1b]0;x\x07",
    b"\xe2\x80\xae step",
    b"break when ((((((((((((",
];

struct Client {
    /// Whether the program has ended, so that `continue` would end the session.
    has_halted: bool,
    server: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    seq: u32,
}

impl Client {
    fn launch(program: &str, breaks: &[&str]) -> Self {
        let mut server = server("dap");
        let requests = server.stdin.take().unwrap();
        let answers = BufReader::new(server.stdout.take().unwrap());
        let mut client = Self { has_halted: false, server, requests, answers, seq: 0 };
        client.ask("initialize", &json!({}));
        client.ask("launch", &json!({ "program": program, "stopOnEntry": true }));
        let breaks: Vec<Value> = breaks.iter().map(|name| json!({ "name": name })).collect();
        client.ask("setFunctionBreakpoints", &json!({ "breakpoints": breaks }));
        client.ask("configurationDone", &json!({}));
        client.wait_for_stop();
        client
    }

    fn ask(&mut self, command: &str, arguments: &Value) -> Value {
        self.seq += 1;
        let seq = self.seq;
        self.requests.write_all(request(seq, command, arguments).as_bytes()).unwrap();
        next(&mut self.answers, |message| message["request_seq"] == seq)
    }

    fn wait_for_stop(&mut self) {
        let stop = next(&mut self.answers, |message| message["event"] == "stopped");
        self.has_halted = stop["body"]["reason"] == "halted";
    }

    /// Moves the machine, unless that is refused.
    fn step(&mut self, command: &str, granularity: &str) {
        if self.has_halted && command == "continue" {
            return;
        }
        let answer = self.ask(command, &json!({ "threadId": 1, "granularity": granularity }));
        if answer["success"] == true {
            self.wait_for_stop();
        }
    }

    fn moment(&mut self) -> Value {
        self.ask("gray1/leds", &json!({}))["body"]["moment"].clone()
    }
}

/// Compares the moments of both debuggers after each of `count` random lines.
fn compare(program: &str, breaks: &[&str], moves: &Moves, count: usize) {
    let path = root().join(program);
    let mut client = Client::launch(path.to_str().unwrap(), breaks);
    let random = &mut SplitMix64::new(67);
    let (mut script, mut expected) = (Vec::new(), Vec::new());
    for condition in breaks {
        script.extend(format!("break {condition}\n").bytes());
        expected.push(client.moment());
    }
    for _ in 0..count {
        if random.coin() {
            let (line, command, granularity) = moves[random.below(moves.len() as u64) as usize];
            script.extend(line.bytes());
            client.step(command, granularity);
        } else {
            script.extend(OTHERS[random.below(OTHERS.len() as u64) as usize]);
        }
        script.push(b'\n');
        expected.push(client.moment());
    }
    client.ask("disconnect", &json!({}));
    client.server.wait().unwrap();
    let options = format!("debug {} --keep-going --format json", path.display());
    let text = Bench::new().gray1_with_input(&options, &script).status(0).text();
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "control characters");
    let answers = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answers: Vec<Value> = answers.collect();
    assert_eq!(answers.len(), expected.len());
    for (answer, moment) in answers.iter().zip(expected) {
        let said = answer["answer"].as_array().unwrap();
        assert!(!said.is_empty() || answer["error"].is_string(), "no answer: {answer}");
        let is_short = |line: &Value| line.as_str().unwrap().chars().count() < 200;
        assert!(said.iter().all(is_short), "a long line: {answer}");
        assert_eq!(answer["moment"], moment, "{answer}");
    }
}

#[test]
fn two_thousand_random_lines_lead_to_the_moments_of_the_adapter() {
    compare("programs/queens.asm", &[], STEPS, 2000);
}

#[test]
fn random_runs_to_breaks_lead_to_the_moments_of_the_adapter() {
    let breaks = ["write n if [n] > 4", "bump", "mailbox 'n'"];
    compare("tests/editor/dap/counting.asm", &breaks, RUNS, 2000);
}
