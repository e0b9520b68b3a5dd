//! The editor: a client of the adapter.

use gray1_isa::Image;
use serde_json::{Value, json};

use super::breaks::{Break, Request};
use super::model::StopReason;
use super::script::{Move, MoveKind};
use crate::dap::tests::client::{Client, PATH};

/// A client, and the numbers of its breakpoints.
pub(super) struct Editor {
    client: Client,
    /// The index of each breakpoint, by its id.
    ids: Vec<(i64, usize)>,
}

/// The state that an editor receives at a stop.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EditorStop {
    pub(super) at: (u64, u32),
    pub(super) reason: StopReason,
    /// The number of hits of each breakpoint, by its index.
    pub(super) counts: Vec<u64>,
}

impl Editor {
    pub(super) fn new(source: &str, engine: &str) -> Self {
        let mut client = Client::new();
        client.write(source);
        client.ask("initialize", &json!({}));
        let arguments = json!({ "program": PATH, "engine": engine, "stopOnEntry": true });
        client.ask("launch", &arguments);
        client.ask("configurationDone", &json!({}));
        client.stop();
        Self { client, ids: Vec::new() }
    }

    /// The image of the program.
    pub(super) fn image(&self) -> Image {
        self.client.programs.image(PATH)
    }

    /// Goes to the beginning, and replaces all breakpoints.
    pub(super) fn restart(&mut self, breaks: &[Break]) {
        self.set(&[]);
        self.move_by("reverseContinue", &json!({}));
        self.set(breaks);
    }

    fn set(&mut self, breaks: &[Break]) {
        self.ids.clear();
        let [mut functions, mut instructions, mut lines, mut data] = [(); 4].map(|()| Vec::new());
        for (number, it) in breaks.iter().enumerate() {
            let (list, request) = match it.request {
                Request::Function => (&mut functions, json!({ "name": it.text })),
                Request::Instruction(index) => {
                    let reference = format!("{index:#06x}");
                    (&mut instructions, json!({ "instructionReference": reference }))
                }
                Request::Line(line) => (&mut lines, json!({ "line": line })),
                Request::Data(None) => (&mut data, json!({ "dataId": "leds" })),
                Request::Data(Some((access, name))) => {
                    let info = self.client.ask("dataBreakpointInfo", &json!({ "name": name }));
                    (&mut data, json!({ "dataId": info["dataId"], "accessType": access }))
                }
            };
            list.push((number, it.refined(request)));
        }
        let source = json!({ "path": PATH });
        for (command, list) in [
            ("setFunctionBreakpoints", functions),
            ("setInstructionBreakpoints", instructions),
            ("setBreakpoints", lines),
            ("setDataBreakpoints", data),
        ] {
            let (numbers, requests): (Vec<usize>, Vec<Value>) = list.into_iter().unzip();
            let arguments = json!({ "source": source, "breakpoints": requests });
            let set = self.client.ask(command, &arguments)["breakpoints"].clone();
            for (number, set) in numbers.into_iter().zip(set.as_array().unwrap()) {
                assert_eq!(set["verified"], true, "{}: {set}", breaks[number].describe());
                self.ids.push((set["id"].as_i64().unwrap(), number));
            }
        }
    }

    /// Moves, and returns the reason for the stop.
    pub(super) fn go(&mut self, what: Move) -> StopReason {
        let by_instruction = json!({ "granularity": "instruction" });
        let (command, arguments) = match what {
            Move::Forward(MoveKind::Run) => ("continue", json!({})),
            Move::Forward(MoveKind::Over) => ("next", json!({})),
            Move::Forward(MoveKind::OverInstruction) => ("next", by_instruction),
            Move::Forward(MoveKind::Into) => ("stepIn", json!({})),
            Move::Forward(MoveKind::Step) => ("stepIn", by_instruction),
            Move::Forward(MoveKind::Out) => ("stepOut", json!({})),
            Move::Back(MoveKind::Run) => ("reverseContinue", json!({})),
            Move::Back(MoveKind::Over) => ("stepBack", json!({})),
            Move::Back(MoveKind::Step) => ("stepBack", by_instruction),
            what => unreachable!("editors cannot {what:?}"),
        };
        self.move_by(command, &arguments)
    }

    fn move_by(&mut self, command: &str, arguments: &Value) -> StopReason {
        self.client.events.clear();
        if self.client.response(command, arguments)["success"] == false {
            return StopReason::Impossible;
        }
        let stop = self.client.stop();
        match stop["reason"].as_str().expect("it stops") {
            "step" => StopReason::Goal,
            "entry" => StopReason::Beginning,
            "halted" => StopReason::Halted,
            _ => {
                let ids = stop["hitBreakpointIds"].as_array().unwrap().iter();
                let number = |id: &Value| {
                    let id = id.as_i64();
                    self.ids.iter().find(|it| Some(it.0) == id).expect("it was set").1
                };
                let mut numbers: Vec<usize> = ids.map(number).collect();
                numbers.sort_unstable();
                StopReason::Breaks(numbers)
            }
        }
    }

    /// The state at the stop, and the reason as a message.
    pub(super) fn stop(&mut self, reason: StopReason) -> (EditorStop, Option<String>) {
        let debugger = &mut self.client.adapter.run().unwrap().debugger;
        let at = (debugger.position().moment, debugger.engine().phase().number());
        let list = debugger.breakpoints().list().iter().map(|it| it.id).collect::<Vec<_>>();
        let hits = debugger.hits().counts;
        let mut counts = vec![0; list.len()];
        for (id, count) in list.iter().zip(&hits) {
            let (_, number) = self.ids.iter().find(|it| it.0 == *id).expect("it was set");
            counts[*number] = *count;
        }
        (EditorStop { at, reason, counts }, debugger.reason().map(|reason| reason.text))
    }
}
