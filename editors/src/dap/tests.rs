//! The adapter without input and output: sessions of a client, and what is no session at all.

mod client;
mod faces;
mod launcher;
mod output;
mod progress;
mod requests;
mod sources;
mod stack;
mod variables;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::protocol::Request;
use client::{Client, PATH, PROGRAM, line};

#[test]
fn steps_go_by_the_lines_that_are_shown() {
    let mut client = Client::at_entry(&json!({}));
    let again = line("again:  twice");
    let start = line("LDI  3");
    let inner = line(".call bump");
    let body = line("LD   n");
    assert_eq!(client.lines(), "1");
    let steps = [
        ("next", start.to_string()),
        ("next", (start + 1).to_string()),
        ("next", again.to_string()),
        // Into the macro, behind its first instruction, and into the routine that it calls.
        ("stepIn", format!("{inner} {again}")),
        ("stepIn", format!("{body} {inner} {again}")),
        ("next", format!("{} {inner} {again}", body + 1)),
        // The call still takes the result from the routine.
        ("stepOut", format!("{inner} {again}")),
        ("next", format!("{} {again}", inner + 1)),
        ("next", (again + 1).to_string()),
    ];
    for (step, lines) in &steps {
        assert_eq!(client.go(step, &json!({})), format!("step at {lines}"), "{step}");
    }
    for lines in [again, start + 1, start] {
        assert_eq!(client.go("stepBack", &json!({})), format!("step at {lines}"));
    }
    assert_eq!(client.go("stepBack", &json!({})), "entry at 1");
    let by_instruction = json!({ "granularity": "instruction" });
    assert_eq!(client.go("stepIn", &by_instruction), "step at 1");
    assert_eq!(client.value("PC"), "0x01 (1)");
    assert_eq!(client.go("stepBack", &by_instruction), "step at 1");
    assert_eq!(client.go("stepBack", &by_instruction), "entry at 1");
    assert!(client.refusal("stepOut", &json!({})).contains("is not in a macro call"));
}

#[test]
fn a_step_back_onto_the_line_behind_a_breakpoint_stops_there() {
    let mut client = Client::new();
    let stores = ".var x\n LDI 1\n ST x\n LDI 2\n ST x\n LDI 3\n ST x\n HALT\n";
    client.write(stores);
    client.ask("initialize", &json!({}));
    client.ask("launch", &json!({ "program": PATH }));
    client.set_breakpoints(&json!([{ "line": 5 }, { "line": 7 }]));
    client.ask("configurationDone", &json!({}));
    assert_eq!(
        (client.stop()["reason"].clone(), client.lines()),
        ("breakpoint".into(), "5".into())
    );
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 7");
    assert_eq!(client.go("stepBack", &json!({})), "step at 6");
    assert_eq!(client.go("stepBack", &json!({})), "breakpoint at 5");
}

#[test]
fn hits_of_wires_are_the_same_on_the_way_back() {
    for (engine, name, hits) in [
        ("chips", "wire PHASE.2 rises", "%3"),
        ("chips", "wire IRH.5 rises", ">= 4"),
        ("chips", "wire PC = 6", ">= 2"),
        ("chips", "wire nWE falls", ">= 2"),
        ("timed", "double IRH", "% 2"),
    ] {
        let mut client = Client::at_entry(&json!({ "engine": engine }));
        let breakpoints = json!({ "breakpoints": [{ "name": name, "hitCondition": hits }] });
        client.ask("setFunctionBreakpoints", &breakpoints);
        let mut go = |command| {
            let stop = client.go(command, &json!({}));
            let is_hit = stop.starts_with("function breakpoint");
            is_hit.then(|| client.adapter.run().unwrap().debugger.position())
        };
        let there: Vec<_> = (0..6).map_while(|_| go("continue")).collect();
        assert!(there.len() > 1, "{name}: {there:?}");
        let back: Vec<_> = std::iter::from_fn(|| go("reverseContinue")).collect();
        // From the end of the program the last hit comes first; from the last hit, the one before.
        let before = if there.len() == 6 { &there[..5] } else { &there[..] };
        assert_eq!(back, before.iter().rev().copied().collect::<Vec<_>>(), "{engine}, {name}");
    }
}

#[test]
fn what_stops_the_machine_forward_stops_it_backward() {
    let mut client = Client::at_entry(&json!({ "ram": "ones" }));
    let body = line("LD   n");
    let set = client.set_breakpoints(&json!([
        { "line": body, "condition": "[n] % 2 == 0" },
        { "line": body + 2, "hitCondition": "% 3" },
        { "line": body + 1, "logMessage": "n is {[n]}" },
        { "line": line("ST   n2"), "condition": "[n" },
        { "line": body, "condition": "n == 2" },
    ]));
    let verified = set.as_array().unwrap().iter().map(|it| it["verified"].as_bool().unwrap());
    assert_eq!(verified.collect::<Vec<_>>(), [true, true, true, false, false]);
    assert_eq!(set[3]["message"], "column 3: expected ']', found the end");
    assert!(set[4]["message"].as_str().unwrap().contains("does not depend on the machine"));
    let info = client.ask("dataBreakpointInfo", &json!({ "name": "n" }));
    let data =
        json!([{ "dataId": info["dataId"], "accessType": "readWrite", "condition": "A == 5" }]);
    client.ask("setDataBreakpoints", &json!({ "breakpoints": data }));
    client.ask("setFunctionBreakpoints", &json!({ "breakpoints": [{ "name": "mailbox" }] }));

    let mut there = Vec::new();
    loop {
        there.push((client.go("continue", &json!({})), client.value("[n]"), client.value("A")));
        if there.last().unwrap().0.starts_with("halted") {
            break;
        }
    }
    let logged = [255, 0, 1, 2, 3, 4].map(|n| format!("n is {n}\n"));
    assert_eq!(client.printed[..6], logged, "{:?}", client.printed);
    let printed = client.printed.clone();
    let reasons: Vec<&str> =
        there.iter().map(|(stop, ..)| stop.split(" at").next().unwrap()).collect();
    for reason in ["breakpoint", "data breakpoint", "function breakpoint"] {
        assert!(reasons.contains(&reason), "{reasons:?}");
    }
    assert!(there.len() > 6, "{there:?}");
    there.pop();
    while let Some((stop, n, a)) = there.pop() {
        assert_eq!(client.go("reverseContinue", &json!({})), stop);
        assert_eq!((client.value("[n]"), client.value("A")), (n, a));
    }
    assert_eq!(client.go("reverseContinue", &json!({})), "entry at 1");
    assert_eq!(client.printed, printed, "nothing is printed on the way back");
    // And there again, with the same hits.
    assert!(client.go("continue", &json!({})).starts_with("breakpoint"));
}

#[test]
fn the_end_of_a_program_ends_the_session_on_demand() {
    let mut client = Client::at_entry(&json!({}));
    assert!(client.go("continue", &json!({})).starts_with("halted"));
    client.go("stepBack", &json!({}));
    assert!(client.go("continue", &json!({})).starts_with("halted"));
    client.events.clear();
    client.ask("continue", &json!({}));
    assert_eq!(client.stop(), json!({ "exitCode": 0 }));
    assert_eq!(client.events[0]["event"], "terminated");
    assert_eq!(client.refusal("next", &json!({})), "the program is not under way");
    client.ask("disconnect", &json!({}));
    assert!(client.adapter.is_over());
}

#[test]
fn values_and_memory_are_changed_and_changed_back_by_time() {
    let mut client = Client::at_entry(&json!({}));
    client.go("next", &json!({}));
    let scopes = client.ask("scopes", &json!({ "frameId": 1 }))["scopes"].clone();
    let named = |name: &str| {
        let scope = scopes.as_array().unwrap().iter().find(|scope| scope["name"] == name);
        scope.expect("there is such a scope")["variablesReference"].clone()
    };
    let set = |scope: &str, name: &str, value: &str| json!({ "variablesReference": named(scope), "name": name, "value": value });
    assert_eq!(client.ask("setVariable", &set("Registers", "A", "2 * 21"))["value"], "0x2a (42)");
    assert_eq!(client.ask("setVariable", &set("Variables", "n", "A + 1"))["value"], "0x2b (43)");
    let console = |text| json!({ "expression": text, "context": "repl" });
    assert_eq!(client.ask("evaluate", &console("pair + 1 = -1"))["result"], "0xff (255)");
    assert_eq!(client.value("pair"), "0x0003: 00 ff");
    assert_eq!(client.value("pair + 1"), "0x0004: 0xff (255)");
    assert_eq!(client.value("[pair + 1] + 1"), "0x0100 (256)");
    for (text, why) in [
        ("A = 256", "expected a byte, -128 to 255, found 256"),
        ("C = 2", "expected 0 or 1, found 2"),
        ("PC = 8192", "expected an index, 0 to 8191, found 8192"),
        ("8192 = 1", "expected an address in data memory, 0 to 8191, found 8192"),
        ("A = 1 / 0", "this has no value now"),
        ("x = 1", "column 1: the program has no 'x'"),
    ] {
        assert_eq!(client.refusal("evaluate", &console(text)), why);
    }
    let story = client.ask("evaluate", &console("why pair + 1"))["result"].clone();
    let story = story.as_str().unwrap();
    assert!(story.starts_with("pair+1 is 0xff: changed by hand at moment "), "{story}");
    assert_eq!(
        client.refusal("evaluate", &console("why nosuch")),
        "column 1: the program has no 'nosuch'"
    );
    let leds = json!({ "memoryReference": "0x1fe0", "offset": 1, "data": "/w==" });
    assert_eq!(client.ask("writeMemory", &leds)["bytesWritten"], 1);
    assert_eq!(client.ask("gray1/leds", &json!({}))["rows"][1], "GGGGGGGG");
    let read = json!({ "memoryReference": "8190", "count": 5 });
    let bytes = client.ask("readMemory", &read);
    assert_eq!((&bytes["data"], &bytes["unreadableBytes"]), (&json!("AAA="), &json!(3)));

    client.go("stepBack", &json!({}));
    assert_eq!(
        (client.value("pair"), client.value("A")),
        ("0x0003: 00 00".into(), "0x00 (0)".into())
    );
}

#[test]
fn a_restart_assembles_the_program_again() {
    let mut client = Client::at_entry(&json!({}));
    let body = line("LD   n");
    client.set_breakpoints(&json!([{ "line": body }]));
    assert!(client.go("continue", &json!({})).starts_with("breakpoint"));
    client.write(&format!("; one more\n{PROGRAM}"));
    client.ask("restart", &json!({}));
    let changed = client.events.iter().find(|event| event["event"] == "breakpoint").unwrap();
    assert_eq!(changed["body"]["breakpoint"]["line"], body, "lines are the client's business");
    assert_eq!(client.stop()["reason"], "entry");
    assert_eq!(client.value("[n]"), "0x00 (0)");
    client.write("nonsense");
    assert!(client.refusal("restart", &json!({})).contains("unknown instruction"));
    assert_eq!(client.lines(), "2", "the program before is still there");
}

#[test]
fn buttons_and_leds_of_a_program_that_runs() {
    let mut client = Client::new();
    client.write("again: LD 0x1ffe\n ST 0x1fe0\n JMP again\n");
    client.ask("initialize", &json!({ "linesStartAt1": false }));
    client.ask("launch", &json!({ "program": PATH }));
    client.ask("gray1/leds", &json!({}));
    client.ask("configurationDone", &json!({}));
    client.work();
    let held = client.ask("gray1/press", &json!({ "buttons": ["up", "A"] }));
    assert_eq!(held, json!({ "buttons": ["up", "a"] }));
    client.work();
    assert_eq!(client.refusal("stackTrace", &json!({})), "the program is running");
    client.ask("pause", &json!({}));
    assert_eq!(client.stop()["reason"], "pause");
    let leds = client.events.iter().rev().find(|event| event["event"] == "gray1/leds").unwrap();
    assert_eq!(leds["body"]["rows"][0], "G...G...");
    let refusal = client.refusal("gray1/press", &json!({ "buttons": ["fire"] }));
    assert!(refusal.starts_with("no button is called 'fire'"));
    // Where no button was held, it goes back to the moment before.
    client.ask("setFunctionBreakpoints", &json!({ "breakpoints": [{ "name": "led" }] }));
    assert_eq!(client.go("reverseContinue", &json!({})), "function breakpoint at 2");
    client.go("stepBack", &json!({}));
    assert_eq!(client.ask("gray1/leds", &json!({}))["rows"][0], "........");
    // In the past, only a button that was up starts another future.
    let end = |client: &mut Client| client.adapter.run().unwrap().debugger.history().end();
    let known = end(&mut client);
    for down in [&["up", "a"][..], &["a"], &["a"], &[]] {
        assert_eq!(client.ask("gray1/press", &json!({ "buttons": down })), held);
        assert_eq!(end(&mut client), known);
    }
    let held = client.ask("gray1/press", &json!({ "buttons": ["left"] }));
    assert_eq!(held, json!({ "buttons": ["up", "left", "a"] }), "none was seen there");
    assert!(end(&mut client) < known);
}

#[test]
fn breakpoints_that_are_set_under_way_are_met() {
    let mut client = Client::at_entry(&json!({}));
    client.set_breakpoints(&json!([{ "line": line("HALT") }]));
    client.ask("continue", &json!({}));
    client.set_breakpoints(&json!([{ "line": line("ST   n2"), "hitCondition": "2" }]));
    assert_eq!(client.stop()["reason"], "breakpoint");
    assert_eq!(client.value("[n]"), "0x02 (2)");
    client.ask("reverseContinue", &json!({}));
    client.set_breakpoints(&json!([{ "line": line("ST   n2"), "hitCondition": "1" }]));
    assert_eq!(client.stop()["reason"], "breakpoint");
    assert_eq!(client.value("[n]"), "0x01 (1)");
}

/// Long conditions take time at every instruction, so fewer are executed before the client is
/// looked at again.
#[test]
fn expensive_breakpoints_keep_no_client_waiting() {
    let mut client = Client::new();
    client.write(".var x\nthere: LD x\n ADD x\n ST x\n JMP there\n");
    client.ask("initialize", &json!({}));
    client.ask("launch", &json!({ "program": PATH }));
    let long = ["[x] + A"; 90].join(" + ");
    let names: Vec<Value> =
        (0..60).map(|n| json!({ "name": format!("when {long} == {}", 100_000 + n) })).collect();
    client.ask("setFunctionBreakpoints", &json!({ "breakpoints": names }));
    client.ask("configurationDone", &json!({}));
    let mut before = 0;
    for _ in 0..5 {
        client.work();
        let moment = client.ask("gray1/leds", &json!({}))["moment"].as_u64().unwrap();
        assert!((1..100).contains(&(moment - before)), "{moment}");
        before = moment;
    }
}

#[test]
fn lines_are_counted_up_to_now() {
    let mut client = Client::at_entry(&json!({}));
    let times = |client: &mut Client| {
        let profile = client.ask("gray1/profile", &json!({}));
        let lines = profile["lines"].as_array().unwrap().clone();
        let body = lines.into_iter().find(|it| it["line"] == line("LD   n")).unwrap();
        body["times"].as_u64().unwrap()
    };
    assert_eq!(times(&mut client), 0);
    client.go("continue", &json!({}));
    assert_eq!(times(&mut client), 6);
    client.go("stepBack", &json!({}));
    client.go("stepBack", &json!({}));
    client.go("stepBack", &json!({}));
    assert_eq!(times(&mut client), 6);
    client.go("reverseContinue", &json!({}));
    assert_eq!(times(&mut client), 0);
}

#[test]
fn an_answer_that_takes_time_tells_how_far_it_is_and_can_be_taken_back() {
    const ENOUGH: u64 = 5_000_000;
    let mut client = Client::new();
    client.ask("initialize", &json!({ "supportsProgressReporting": true }));
    client.write("there:  JMP back\nback:   JMP there\n");
    client.ask("launch", &json!({ "program": PATH }));
    client.ask("configurationDone", &json!({}));
    while client.ask("gray1/leds", &json!({}))["moment"].as_u64().unwrap() < ENOUGH {
        client.work();
    }
    client.ask("pause", &json!({}));
    client.events.clear();

    let by_number = |seq: i64| json!({ "requestId": seq });
    let by_progress = |seq: i64| json!({ "progressId": format!("profile {seq}") });
    for cancel in [by_number, by_progress] {
        client.requests += 1;
        let seq = client.requests;
        let (command, arguments) = ("gray1/profile".to_owned(), json!({}));
        client.send(Request { seq, command, arguments });
        while client.events.len() < 3 {
            client.work();
            assert!(client.take().is_none(), "it was answered before it was taken back");
        }
        client.ask("cancel", &by_number(seq + 1000));
        assert!(client.adapter.profile.is_some());
        client.requests += 1;
        let (taken_back, command) = (client.requests, "cancel".to_owned());
        let arguments = cancel(seq);
        client.send(Request { seq: taken_back, command, arguments });
        let messages = client.adapter.take_messages();
        assert_eq!(messages[0]["event"], "progressEnd");
        assert_eq!(
            (&messages[1]["request_seq"], &messages[1]["message"]),
            (&json!(seq), &json!("cancelled"))
        );
        assert_eq!(
            (&messages[2]["request_seq"], &messages[2]["success"]),
            (&json!(taken_back), &json!(true))
        );
        assert!(client.adapter.profile.is_none());

        let start = &client.events[0];
        assert_eq!(start["event"], "progressStart");
        assert_eq!(start["body"]["requestId"], seq);
        let percentages = client.events.iter().map(|event| event["body"]["percentage"].as_u64());
        assert!(percentages.is_sorted_by(|one, next| one < next));
        client.events.clear();
    }
}

#[test]
fn lines_of_the_chips_are_variables_and_stop_the_machine() {
    let mut client = Client::at_entry(&json!({ "engine": "chips" }));
    client.ask(
        "setFunctionBreakpoints",
        &json!({ "breakpoints": [{ "name": "line PC_LOAD rises" }] }),
    );
    assert!(client.go("continue", &json!({})).starts_with("function breakpoint"));
    assert_eq!(client.value("PC_LOAD"), "0x1");
    let scopes = client.ask("scopes", &json!({ "frameId": 1 }))["scopes"].clone();
    let chips = scopes.as_array().unwrap().iter().find(|scope| scope["name"] == "Chips").unwrap();
    let chips = json!({ "variablesReference": chips["variablesReference"] });
    let chips = client.ask("variables", &chips)["variables"].clone();
    assert_eq!(chips.as_array().unwrap().len(), 14);
    let lines =
        client.ask("variables", &json!({ "variablesReference": chips[1]["variablesReference"] }));
    let load = lines["variables"].as_array().unwrap().iter().find(|it| it["name"] == "PC_LOAD");
    assert_eq!(load.unwrap()["value"], "1");
}

/// Commands of the protocol, ours among them, and one that is none.
const COMMANDS: &[&str] = &[
    "attach",
    "breakpointLocations",
    "cancel",
    "completions",
    "configurationDone",
    "continue",
    "dataBreakpointInfo",
    "disassemble",
    "disconnect",
    "evaluate",
    "goto",
    "gotoTargets",
    "gray1/leds",
    "gray1/pace",
    "gray1/press",
    "initialize",
    "launch",
    "loadedSources",
    "next",
    "nonsense",
    "pause",
    "readMemory",
    "restart",
    "reverseContinue",
    "scopes",
    "setBreakpoints",
    "setDataBreakpoints",
    "setExceptionBreakpoints",
    "setExpression",
    "setFunctionBreakpoints",
    "setInstructionBreakpoints",
    "setVariable",
    "source",
    "stackTrace",
    "stepBack",
    "stepIn",
    "stepOut",
    "terminate",
    "threads",
    "variables",
    "writeMemory",
    "next",
    "stepIn",
    "stepBack",
    "continue",
];

/// Names of arguments, and of what is in them.
const NAMES: &[&str] = &[
    "breakpoints",
    "buttons",
    "column",
    "count",
    "data",
    "dataId",
    "endLine",
    "expression",
    "frameId",
    "granularity",
    "hitCondition",
    "instructionCount",
    "instructionOffset",
    "instructionReference",
    "instructionsPerSecond",
    "line",
    "memoryReference",
    "name",
    "offset",
    "program",
    "source",
    "targetId",
    "value",
    "variablesReference",
];

fn arguments() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        -3..10_i64,
        prop::sample::select(vec![i64::MAX, i64::MIN, 8191, 8192, 1 << 32]),
    ];
    let text = prop::sample::select(vec![
        "",
        "n",
        "A",
        "[n]",
        "0x10",
        "0x0000+2",
        "row",
        "A = 5",
        "instruction",
        "queens",
        "{A",
        "9999999999",
        "-1",
        "a.asm",
        "/w==",
        "% 0",
        "\u{1}\u{e9}",
        "bump",
        "leds",
        "up",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number.prop_map(Value::from),
        Just(json!(1e300)),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(NAMES), inner, 0..8).prop_map(
                |members| members.into_iter().map(|(name, it)| (name.to_owned(), it)).collect()
            ),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200, failure_persistence: None, ..Default::default()
    })]

    #[test]
    fn no_request_panics_and_each_has_a_response(
        is_launched in prop::bool::weighted(0.8),
        requests in prop::collection::vec((prop::sample::select(COMMANDS), arguments()), 1..20),
    ) {
        let mut client = if is_launched { Client::at_entry(&json!({})) } else { Client::new() };
        for (command, arguments) in requests {
            let response = client.response(command, &arguments);
            prop_assert!(response["success"].is_boolean());
            for _ in 0..3 {
                client.work();
            }
            client.take();
        }
    }
}
