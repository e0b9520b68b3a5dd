//! A client that supports progress receives reports of long work, and can cancel it.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, PATH};
use crate::dap::protocol::Request;

/// More instructions than a replay executes in one slice.
const MANY: u64 = 5_000_000;
/// The adapter reports the progress of work that takes longer than this.
const PROGRESS_DELAY: Duration = Duration::from_millis(500);

/// A client of an endless program that has executed this many instructions and has stopped.
fn after(instructions: u64, initialize: &Value) -> Client {
    let mut client = Client::new();
    client.write("there: LD 5\n JC never\n JMP there\nnever: ST 0x1000\n");
    client.ask("initialize", initialize);
    client.ask("launch", &json!({ "program": PATH }));
    client.ask("configurationDone", &json!({}));
    while client.ask("gray1/leds", &json!({}))["moment"].as_u64().unwrap() < instructions {
        client.work();
    }
    client.ask("pause", &json!({}));
    client.events.clear();
    client
}

/// The names of the events so far.
fn names(client: &Client) -> Vec<&str> {
    client.events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

/// Checks that the reported percentages rise and do not exceed 100, and returns them.
fn percentages(client: &Client) -> Vec<u64> {
    let sent = client.events.iter().filter_map(|event| event["body"]["percentage"].as_u64());
    let sent: Vec<u64> = sent.collect();
    assert!(sent.is_sorted_by(|one, next| one < next) && sent.iter().all(|it| *it <= 100));
    sent
}

/// Requests work and does its first slice. Checks that no progress is reported yet.
fn begin(client: &mut Client, command: &str) {
    client.ask(command, &json!({}));
    client.events.clear();
    client.work();
    client.take();
    assert_eq!(names(client), [""; 0], "most searches take less time");
}

#[test]
fn long_searches_report_progress_and_can_be_cancelled() {
    let supported = json!({ "supportsProgressReporting": true });
    let mut counting = after(MANY, &supported);
    counting.set_breakpoints(&json!([{ "line": 1, "hitCondition": "% 7" }]));
    let mut searching = after(MANY, &supported);
    let never = json!({ "breakpoints": [{ "dataId": "0x1000+1" }] });
    searching.ask("setDataBreakpoints", &never);
    let mut silent = after(MANY, &json!({}));
    silent.ask("setDataBreakpoints", &never);
    begin(&mut counting, "continue");
    begin(&mut searching, "reverseContinue");
    begin(&mut silent, "reverseContinue");
    for client in [&mut counting, &mut searching, &mut silent] {
        client.time += PROGRESS_DELAY;
    }

    while counting.wait().is_some() {
        counting.work();
        counting.take();
    }
    assert!(percentages(&counting).len() > 5, "{:?}", percentages(&counting));
    assert!(*percentages(&counting).last().unwrap() > 50);
    assert_eq!(
        counting.events[0]["body"],
        json!({
            "progressId": "past", "title": "Counting hits of breakpoints", "cancellable": true,
            "percentage": percentages(&counting)[0],
        })
    );
    let events = names(&counting);
    assert_eq!((events[0], events[1]), ("progressStart", "progressUpdate"));
    assert_eq!(events[events.len() - 2..], ["progressEnd", "stopped"]);

    for _ in 0..8 {
        for client in [&mut searching, &mut silent] {
            client.work();
            client.take();
        }
    }
    assert!(percentages(&searching).len() > 3, "{:?}", percentages(&searching));
    assert_eq!(searching.events[0]["body"]["title"], "Searching the past");
    assert_eq!(names(&silent), [""; 0], "this client does not support progress");
    searching.ask("cancel", &json!({ "progressId": "future" }));
    assert!(searching.wait().is_some(), "another request was cancelled");
    searching.events.clear();
    searching.ask("cancel", &json!({ "progressId": "past" }));
    assert!(searching.wait().is_none());
    assert_eq!(names(&searching), ["progressEnd", "stopped"]);
    assert_eq!(searching.events[1]["body"]["description"], "cancelled");
    let moment = searching.ask("gray1/leds", &json!({}))["moment"].as_u64().unwrap();
    assert!(moment >= MANY, "the machine is where it was");
}

/// A client with a long history and an unanswered question, which the adapter has started to work
/// on.
fn asking() -> Client {
    let mut client = Client::new();
    client.write(".pool\n.var n\n LDI 3\n ST n\nl: LD n\n ADD #1\n ST n\n JMP l\n");
    client.ask("initialize", &json!({ "supportsProgressReporting": true }));
    client.ask("launch", &json!({ "program": PATH }));
    client.ask("configurationDone", &json!({}));
    while client.ask("gray1/leds", &json!({}))["moment"].as_u64().unwrap() < 500_000 {
        client.work();
    }
    client.ask("pause", &json!({}));
    client.events.clear();
    client.requests += 1;
    let (seq, command) = (client.requests, "evaluate".to_owned());
    client.send(Request { seq, command, arguments: why("n") });
    client.work();
    client.time += PROGRESS_DELAY;
    client.work();
    assert!(client.take().is_none());
    client
}

fn why(what: &str) -> Value {
    json!({ "expression": format!("why {what}"), "context": "repl" })
}

#[test]
fn a_long_question_reports_progress_and_is_answered() {
    let mut client = asking();
    let seq = client.requests;
    let refusal = "the previous request is still being answered";
    assert_eq!(client.refusal("next", &json!({})), refusal);
    assert_eq!(client.refusal("evaluate", &why("A")), refusal);
    client.ask("pause", &json!({}));
    let mut response = None;
    while client.wait().is_some() {
        client.work();
        response = response.or(client.take());
    }
    let response = response.expect("it is answered");
    assert_eq!(response["request_seq"], seq);
    let answer = response["body"]["result"].as_str().unwrap();
    assert!(answer.starts_with("n is 0x") && answer.contains("repeated 85598 times"), "{answer}");
    let events = names(&client);
    assert_eq!((events[0], events[events.len() - 1]), ("progressStart", "progressEnd"));
    assert!(!events.contains(&"stopped"), "the machine did not move");
    client.go("next", &json!({}));
}

#[test]
fn a_long_question_is_cancelled_on_request_and_at_the_end_of_the_program() {
    for (command, arguments) in [
        ("cancel", json!({ "progressId": "past" })),
        ("cancel", json!({ "requestId": () })),
        ("restart", json!({})),
        ("terminate", json!({})),
        ("disconnect", json!({})),
    ] {
        let mut client = asking();
        let (asked, seq) = (client.requests, client.requests + 1);
        let by_number = json!({ "requestId": asked });
        let is_by_number = arguments.get("requestId").is_some();
        let arguments = if is_by_number { by_number } else { arguments };
        client.send(Request { seq, command: command.to_owned(), arguments });
        let messages = client.adapter.take_messages();
        let response = |seq| messages.iter().find(|it| it["request_seq"] == seq).unwrap();
        assert_eq!(response(asked)["message"], "cancelled", "{command}");
        assert_eq!(response(seq)["success"], true, "{command}");
        assert!(messages.iter().any(|it| it["event"] == "progressEnd"), "{command}");
        assert!(client.adapter.question.is_none());
        assert_eq!(client.wait().is_some(), command == "restart", "{command}");
    }
}

/// Requests a profile and does the first slice of work on it.
fn begin_profile(client: &mut Client) {
    client.requests += 1;
    let (seq, command) = (client.requests, "gray1/profile".to_owned());
    client.send(Request { seq, command, arguments: Value::Null });
    client.work();
    assert!(client.take().is_none());
}

#[test]
fn a_profile_reports_progress_only_to_clients_that_support_it() {
    for (is_supported, is_reported) in [(true, true), (false, false)] {
        let mut client = after(1_000_000, &json!({ "supportsProgressReporting": is_supported }));
        begin_profile(&mut client);
        let again = client.refusal("gray1/profile", &json!({}));
        assert_eq!(again, "the previous answer is still being computed");
        let response = client.take_response().unwrap();
        assert_eq!(response["success"], true);
        assert_eq!(percentages(&client).len() > 1, is_reported);
        assert_eq!(names(&client).last().copied(), is_reported.then_some("progressEnd"));
    }
}

#[test]
fn a_profile_is_cancelled_by_request_id_or_progress_id() {
    let mut client = after(MANY, &json!({ "supportsProgressReporting": true }));
    let by_number = |seq: i64| json!({ "requestId": seq });
    let by_progress = |seq: i64| json!({ "progressId": format!("profile {seq}") });
    for cancel in [by_number, by_progress] {
        client.events.clear();
        begin_profile(&mut client);
        let seq = client.requests;
        assert_eq!(client.events[0]["body"]["requestId"], seq);
        client.ask("cancel", &by_number(seq + 1000));
        assert!(client.adapter.profile.is_some());
        let (command, arguments) = ("cancel".to_owned(), cancel(seq));
        client.send(Request { seq: seq + 1000, command, arguments });
        let messages = client.adapter.take_messages();
        assert_eq!(messages[0]["event"], "progressEnd");
        assert_eq!(messages[1]["request_seq"], seq);
        assert_eq!(messages[1]["message"], "cancelled");
        assert_eq!(messages[2]["success"], true);
        assert!(client.adapter.profile.is_none());
    }
}

#[test]
fn a_profile_fails_if_the_machine_moves_or_the_session_ends() {
    for (command, arguments, message) in [
        ("disconnect", json!({}), "the program has ended"),
        ("gray1/press", json!({ "buttons": ["up"] }), "the machine has moved since"),
    ] {
        let mut client = after(1_000_000, &json!({}));
        begin_profile(&mut client);
        let seq = client.requests;
        client.requests += 1;
        let request = Request { seq: seq + 1, command: command.to_owned(), arguments };
        client.send(request);
        assert_eq!(client.take().unwrap()["success"], true);
        client.work();
        let response = client.take().unwrap();
        assert_eq!(
            (&response["request_seq"], &response["message"]),
            (&json!(seq), &json!(message))
        );
        assert!(client.adapter.profile.is_none());
    }
}
