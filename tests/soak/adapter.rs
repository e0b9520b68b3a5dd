//! The debug adapter, and a client that runs a program forward and back, sets breakpoints anywhere,
//! asks about everything and changes bytes.

use std::io::Write as _;
use std::process::{Child, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use gray1_isa::SplitMix64;
use serde_json::{Value, json};

use super::Until;
use crate::support::editor::{framed, messages};
use crate::support::{Bench, PATIENCE, root};

/// Requests in one round.
const TURNS: u64 = 20;
/// The longest run of the program at a time, in ms.
const RUN_MAX: u64 = 20;

/// What a user looks at, some of it wrong.
const EXPRESSIONS: [&str; 6] = ["A", "[next] + 1", "A == 3 && C", "0x1fe0", "nothing", "(("];

pub(crate) fn soak(until: Until) {
    let mut client = Client::new(Bench::new());
    client.launch();
    until.soak(|random| {
        for _ in 0..TURNS {
            client.turn(random);
        }
        // It still answers, and well.
        let threads = client.response("threads", &Value::Null);
        assert_eq!(threads["body"]["threads"][0]["name"], "CPU", "{threads}");
        client.adapter.id()
    });
    client.response("disconnect", &Value::Null);
    assert!(client.adapter.wait().unwrap().success());
}

/// An editor with an adapter of its own.
struct Client {
    bench: Bench,
    adapter: Child,
    messages: Receiver<Value>,
    requests: u64,
}

impl Client {
    fn new(bench: Bench) -> Self {
        let mut command = bench.command("dap");
        let mut adapter = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let messages = messages(adapter.stdout.take().unwrap());
        Self { bench, adapter, messages, requests: 0 }
    }

    /// Opens a program that goes on for ever.
    fn launch(&mut self) {
        let program = root().join("programs/life.asm");
        std::fs::copy(program, self.bench.path("life.asm")).unwrap();
        let launch = json!({ "program": self.bench.path("life.asm"), "stopOnEntry": true });
        let requests = [
            ("initialize", json!({ "adapterID": "gray1" })),
            ("launch", launch),
            ("configurationDone", Value::Null),
        ];
        for (command, arguments) in requests {
            let response = self.response(command, &arguments);
            assert_eq!(response["success"], true, "{response}");
        }
    }

    /// The response to a request, granted or not. Events in between are for a window.
    fn response(&mut self, command: &str, arguments: &Value) -> Value {
        self.requests += 1;
        let request = json!({
            "seq": self.requests, "type": "request", "command": command, "arguments": arguments,
        });
        let stdin = self.adapter.stdin.as_mut().unwrap();
        stdin.write_all(framed(&request).as_bytes()).unwrap();
        loop {
            let message = self.messages.recv_timeout(*PATIENCE).expect("the adapter answers");
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], self.requests, "{command}: {message}");
                return message;
            }
        }
    }

    fn turn(&mut self, random: &mut SplitMix64) {
        let expression = EXPRESSIONS[random.below(EXPRESSIONS.len() as u64) as usize];
        let number = random.below(300);
        match random.below(8) {
            0 => self.set_breakpoints(random, expression),
            1 | 2 => self.run(random),
            3 => {
                let steps = ["next", "stepIn", "stepOut", "stepBack"];
                let step = steps[random.below(steps.len() as u64) as usize];
                self.response(step, &json!({ "threadId": 1 }));
                self.response("pause", &json!({ "threadId": 1 }));
            }
            4 => {
                self.response("evaluate", &json!({ "expression": expression, "context": "watch" }));
                self.response("completions", &json!({ "text": expression, "column": 1 }));
            }
            5 => self.look(number),
            6 => {
                let place = format!("0x{number:04x}");
                let bytes = json!({ "memoryReference": place, "offset": 0, "data": "AQID" });
                self.response("writeMemory", &bytes);
            }
            _ if random.below(20) == 0 => {
                self.response("restart", &Value::Null);
            }
            _ => {
                let source = json!({ "path": self.bench.path("life.asm") });
                self.response("gotoTargets", &json!({ "source": source, "line": number }));
                self.response("goto", &json!({ "threadId": 1, "targetId": number }));
            }
        }
    }

    /// Breakpoints on lines, be there code or not, and on data.
    fn set_breakpoints(&mut self, random: &mut SplitMix64, expression: &str) {
        let lines: Vec<Value> = (0..random.below(4))
            .map(|n| match n {
                0 => json!({ "line": random.below(300) }),
                1 => json!({ "line": random.below(300), "condition": expression }),
                _ => json!({ "line": random.below(300), "hitCondition": "% 1000" }),
            })
            .collect();
        let source = json!({ "path": self.bench.path("life.asm") });
        self.response("setBreakpoints", &json!({ "source": source, "breakpoints": lines }));
        let data: Vec<Value> = (0..random.below(2))
            .map(|_| json!({ "dataId": format!("{:#06x}+1", random.below(0x2000))  }))
            .collect();
        self.response("setDataBreakpoints", &json!({ "breakpoints": data }));
    }

    /// Runs for a moment, forward or back.
    fn run(&mut self, random: &mut SplitMix64) {
        let way = ["continue", "reverseContinue"][usize::from(random.below(4) == 0)];
        self.response(way, &json!({ "threadId": 1 }));
        std::thread::sleep(Duration::from_millis(random.below(RUN_MAX)));
        self.response("pause", &json!({ "threadId": 1 }));
    }

    /// Everything that the window of a debugger shows after a stop.
    fn look(&mut self, number: u64) {
        self.response("stackTrace", &json!({ "threadId": 1 }));
        self.response("scopes", &json!({ "frameId": 1 }));
        for reference in 1..6 {
            self.response("variables", &json!({ "variablesReference": reference }));
        }
        let place = format!("0x{number:04x}");
        let bytes = json!({ "memoryReference": place, "offset": 0, "count": 64 });
        self.response("readMemory", &bytes);
        let code = json!({ "memoryReference": place, "instructionCount": 50 });
        self.response("disassemble", &code);
    }
}
