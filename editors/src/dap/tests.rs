//! Tests the adapter without I/O, in sessions with valid and malformed messages.

mod client;
mod front_ends;
mod launcher;
mod output;
mod progress;
mod requests;
mod sources;
mod stack;
mod variables;

use proptest::prelude::*;
use serde_json::{Value, json};

use client::{Client, PATH, PROGRAM, line};

#[test]
fn steps_follow_the_displayed_lines() {
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
        // Into the macro, past its first instruction, and into the routine that it calls.
        ("stepIn", format!("{inner} {again}")),
        ("stepIn", format!("{body} {inner} {again}")),
        ("next", format!("{} {inner} {again}", body + 1)),
        // The call has not yet fetched the result of the routine.
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
fn continuing_at_the_end_of_the_program_ends_the_session() {
    let mut client = Client::at_entry(&json!({}));
    assert!(client.go("continue", &json!({})).starts_with("halted"));
    client.go("stepBack", &json!({}));
    assert!(client.go("continue", &json!({})).starts_with("halted"));
    client.events.clear();
    client.ask("continue", &json!({}));
    assert_eq!(client.stop(), json!({ "exitCode": 0 }));
    assert_eq!(client.events[0]["event"], "terminated");
    assert_eq!(client.refusal("next", &json!({})), "the program has not started, or has ended");
    client.ask("disconnect", &json!({}));
    assert!(client.adapter.is_over());
}

#[test]
fn the_console_changes_and_explains_values() {
    let mut client = Client::at_entry(&json!({}));
    client.go("next", &json!({}));
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
        ("x = 1", "column 1: the program has no `x`"),
        ("why nosuch", "column 1: the program has no `nosuch`"),
    ] {
        assert_eq!(client.refusal("evaluate", &console(text)), why);
    }
    let answer = client.ask("evaluate", &console("why pair + 1"))["result"].take();
    let answer = answer.as_str().unwrap();
    assert!(
        answer.starts_with("pair+1 is 0xff because it was changed by hand at moment "),
        "{answer}"
    );
    client.go("stepBack", &json!({}));
    assert_eq!(client.value("pair"), "0x0003: 00 00, never written");
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
fn a_running_program_reads_buttons_and_reports_leds() {
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
    // Go back to a moment before the press, when no button was held.
    client.ask("setFunctionBreakpoints", &json!({ "breakpoints": [{ "name": "led" }] }));
    assert_eq!(client.go("reverseContinue", &json!({})), "function breakpoint at 2");
    client.go("stepBack", &json!({}));
    assert_eq!(client.ask("gray1/leds", &json!({}))["rows"][0], "........");
    // In the past, only pressing a released button starts a new future.
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
fn breakpoints_set_while_running_are_hit() {
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

/// Long conditions take time at each instruction, so a slice executes fewer instructions before the
/// client is served.
#[test]
fn expensive_breakpoints_do_not_block_the_client() {
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
fn a_profile_counts_executions_up_to_the_current_moment() {
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

/// Commands of the protocol and of our extensions, and an unknown one.
const COMMANDS: &str = "\
    attach breakpointLocations cancel completions configurationDone continue dataBreakpointInfo \
    disassemble disconnect evaluate goto gotoTargets gray1/leds gray1/pace gray1/press \
    initialize launch loadedSources next nonsense pause readMemory restart reverseContinue \
    scopes setBreakpoints setDataBreakpoints setExceptionBreakpoints setExpression \
    setFunctionBreakpoints setInstructionBreakpoints setVariable source stackTrace stepBack \
    stepIn stepOut terminate threads variables writeMemory next stepIn stepBack continue";

/// Names of arguments and of their members.
const NAMES: &str = "\
    breakpoints buttons column count data dataId endLine expression frameId granularity \
    hitCondition instructionCount instructionOffset instructionReference instructionsPerSecond \
    line memoryReference name offset program source targetId value variablesReference";

fn any_word(words: &'static str) -> impl Strategy<Value = &'static str> + Clone {
    prop::sample::select(words.split(' ').collect::<Vec<_>>())
}

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
            prop::collection::btree_map(any_word(NAMES), inner, 0..8).prop_map(|members| members
                .into_iter()
                .map(|(name, it)| (name.to_owned(), it))
                .collect()),
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
        requests in prop::collection::vec((any_word(COMMANDS), arguments()), 1..20),
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
