//! Tests the call stack in difficult cases, such as after the user has jumped to a line, and with
//! deeply nested calls.

use serde_json::{Value, json};

use super::client::{Client, PATH};

/// The names of the frames with their lines, `name line`, innermost first.
fn frames(client: &mut Client) -> Vec<String> {
    let frames = client.ask("stackTrace", &json!({ "threadId": 1 }))["stackFrames"].clone();
    let format = |it: &Value| format!("{} {}", it["name"].as_str().unwrap(), it["line"]);
    frames.as_array().unwrap().iter().map(format).collect()
}

/// Jumps to a line.
fn go_to(client: &mut Client, line: u64) {
    let at = json!({ "source": { "path": PATH }, "line": line });
    let target = client.ask("gotoTargets", &at)["targets"][0]["id"].clone();
    client.ask("goto", &json!({ "threadId": 1, "targetId": target }));
}

#[test]
fn a_routine_with_one_call_site_shows_it_even_after_a_jump() {
    let program = " .call one()\n HALT\n.routine one()\n ST 0\n.endroutine\n";
    let mut client = Client::at_entry_of(program, &json!({}));
    go_to(&mut client, 4);
    assert_eq!(frames(&mut client), ["one 4", "program 1"]);
}

#[test]
fn a_routine_that_was_never_called_has_an_unknown_caller() {
    let program = " .call one()\n .call one()\n HALT\n.routine one()\n ST 0\n.endroutine\n";
    let mut client = Client::at_entry_of(program, &json!({}));
    go_to(&mut client, 5);
    assert_eq!(frames(&mut client), ["one 5", "caller unknown: one of 2 call sites 0"]);
}

#[test]
fn the_most_recent_call_of_each_routine_is_shown() {
    let program = "\
        .call outer()\n .call outer()\n .call inner()\n HALT\n\
        .routine outer()\n ST 0\n .call inner()\n.endroutine\n\
        .routine inner()\n ST 1\n.endroutine\n";
    let mut client = Client::at_entry_of(program, &json!({}));
    client.set_breakpoints(&json!([{ "line": 6 }]));
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 6 1");
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 6 2");
    go_to(&mut client, 10);
    assert_eq!(frames(&mut client), ["inner 10", "outer 7", "program 2"]);
}

#[test]
fn a_deep_stack_is_limited_and_can_be_requested_in_parts() {
    let routine = |n: usize| format!(".routine r{n}()\n .call r{}()\n.endroutine\n", n + 1);
    let routines = (0..299).map(routine).collect::<Vec<_>>().concat();
    let program = format!(" .call r0()\n HALT\n{routines}.routine r299()\n ST 0\n.endroutine\n");
    let mut client = Client::at_entry_of(&program, &json!({}));
    client.ask("setFunctionBreakpoints", &json!({ "breakpoints": [{ "name": "r299" }] }));
    client.ask("continue", &json!({}));
    assert_eq!(client.stop()["reason"], "function breakpoint");
    let part = json!({ "threadId": 1, "startFrame": 1, "levels": 2 });
    let trace = client.ask("stackTrace", &part);
    assert_eq!(trace["totalFrames"], 256);
    let names: Vec<&Value> =
        trace["stackFrames"].as_array().unwrap().iter().map(|frame| &frame["name"]).collect();
    assert_eq!(names, ["r298", "r297"]);
}

#[test]
fn the_search_for_an_old_call_is_limited() {
    let program = " .call one()\n .call one()\n HALT\n.routine one()\nagain: LD 5\n ADD 6\n \
                   JC out\n JMP again\nout: ST 0\n.endroutine\n";
    let mut client = Client::at_entry_of(program, &json!({ "ram": "zero" }));
    client.ask("continue", &json!({}));
    while client.ask("gray1/leds", &json!({}))["moment"].as_u64().unwrap() < 5_000_000 {
        client.work();
    }
    client.ask("pause", &json!({}));
    assert_eq!(frames(&mut client)[1], "caller unknown: one of 2 call sites 0");
}
