//! Output of programs, log points and the adapter is sent once, complete and without control
//! characters.

use serde_json::json;

use super::client::{Client, PATH};

/// A program that runs longer than a client should wait.
const WAIT: &str = "\
wait:   LD   x
        ADD  #1
        ST   x
        JC   more
        JMP  wait
more:   LD   y
        ADD  #1
        ST   y
        JC   on
        JMP  wait
on:
";

/// The source of a program that prints these bytes.
fn printing(bytes: &[u8]) -> String {
    let prints = bytes.iter().map(|byte| format!(" LDI {byte}\n ST 0x1fff\n"));
    prints.collect::<Vec<_>>().concat()
}

#[test]
fn each_byte_is_printed_once_even_if_its_instruction_runs_again() {
    let mut client = Client::at_entry_of(
        " LDI 0x61\n ST 0x1fff\n LDI 0x62\n ST 0x1fff\n LDI 0x63\n ST 0x1fff\n HALT\n",
        &json!({}),
    );
    client.set_breakpoints(&json!([{ "line": 3 }, { "line": 5 }]));
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 3");
    assert_eq!(client.printed, ["a"]);
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 5");
    assert_eq!(client.printed, ["a", "b"]);
    assert_eq!(client.go("reverseContinue", &json!({})), "breakpoint at 3");
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 5");
    assert_eq!(client.printed, ["a", "b"], "the client has seen this");
    // A different future prints something else.
    client.go("reverseContinue", &json!({}));
    client.go("next", &json!({}));
    client.ask("setExpression", &json!({ "expression": "A", "value": "0x78" }));
    client.go("continue", &json!({}));
    assert!(client.go("continue", &json!({})).starts_with("halted"));
    assert_eq!(client.printed[..4], ["a", "b", "x", "c"]);
    assert_eq!(client.printed[4], "halted at 0x0006 after 7 instructions\n");
    assert_eq!(client.printed.len(), 5);
}

#[test]
fn a_character_printed_in_parts_is_sent_as_one() {
    let (first, second) = (printing(b"a\xc3"), printing(b"\xa9b"));
    let program = format!(".pool\n.var x\n.var y\n{first}{WAIT}{second}end: LDI 1\n JMP end\n");
    let mut client = Client::at_entry_of(&program, &json!({ "ram": "zero" }));
    client.ask("continue", &json!({}));
    client.work();
    client.take();
    assert_eq!(client.printed, ["a"]);
    client.work();
    client.take();
    assert_eq!(client.printed, ["a", "\u{e9}b"]);
}

#[test]
fn invalid_utf_8_does_not_delay_output() {
    for (bytes, shown) in [(&b"\xffa"[..], "\u{fffd}a"), (b"a\xc3b", "a\u{fffd}b")] {
        let program = printing(bytes) + "end: LDI 1\n JMP end\n";
        let mut client = Client::at_entry_of(&program, &json!({}));
        client.ask("continue", &json!({}));
        client.work();
        client.take();
        assert_eq!(client.printed, [shown]);
    }
    // At a stop, it is not known whether the rest of the character will follow.
    let mut client = Client::at_entry_of(&(printing(b"a\xc3") + " HALT\n"), &json!({}));
    client.go("continue", &json!({}));
    assert_eq!(client.printed, ["a\u{fffd}", "halted at 0x0004 after 5 instructions\n"]);
}

#[test]
fn control_characters_in_output_are_escaped() {
    let printed = printing("\u{1b}[2J\t\u{e9}\r\n\u{202e}".as_bytes());
    let mut client = Client::at_entry_of(&(printed + " HALT\n"), &json!({}));
    client.go("continue", &json!({}));
    assert_eq!(client.printed[0], "\\u{1b}[2J\t\u{e9}\\r\n\\u{202e}");
}

#[test]
fn a_log_point_reports_its_line() {
    let mut client = Client::at_entry_of(" LDI 7\n ST 0\n HALT\n", &json!({}));
    client.set_breakpoints(&json!([{ "line": 2, "logMessage": "A is {A}\u{7}" }]));
    client.ask("continue", &json!({}));
    while client.wait().is_some() {
        client.work();
    }
    let messages = client.adapter.take_messages();
    let output = messages.iter().find(|message| message["event"] == "output").unwrap();
    let source = json!({ "name": "a.asm", "path": PATH });
    let body = json!({
        "category": "console", "output": "A is 7\\u{7}\n", "source": source, "line": 2,
    });
    assert_eq!(output["body"], body);
    client.go("reverseContinue", &json!({}));
    assert_eq!(client.printed, [""; 0], "log points are silent when going back");
}

#[test]
fn assembler_warnings_are_shown_at_launch_and_restart() {
    let mut client = Client::at_entry_of(" HALT\n", &json!({}));
    assert_eq!(client.printed, [""; 0]);
    client.write(".var unused\n HALT\n");
    client.ask("restart", &json!({}));
    assert_eq!(client.printed.len(), 1);
    assert!(client.printed[0].starts_with("warning[unused]: "), "{:?}", client.printed);
    client.write(" HALT\n");
    client.ask("restart", &json!({}));
    assert_eq!(client.printed.len(), 1);

    let client = Client::at_entry_of(".var unused\n HALT\n", &json!({}));
    assert!(client.printed[0].starts_with("warning[unused]: "), "{:?}", client.printed);
}

#[test]
fn led_changes_are_reported_only_on_request() {
    let program = " LDI 1\n ST 0\n ST 0x1fe0\n ST 0\n HALT\n";
    let mut client = Client::at_entry_of(program, &json!({ "ram": "zero" }));
    let count = |client: &mut Client| {
        client.ask("next", &json!({}));
        client.events.clear();
        while client.wait().is_some() {
            client.work();
        }
        client.take();
        client.events.iter().filter(|event| event["event"] == "gray1/leds").count()
    };
    assert_eq!([count(&mut client), count(&mut client), count(&mut client)], [0, 0, 0]);
    client.ask("reverseContinue", &json!({}));
    client.stop();
    client.ask("gray1/leds", &json!({}));
    assert_eq!([count(&mut client), count(&mut client)], [0, 0]);
    assert_eq!([count(&mut client), count(&mut client)], [1, 0]);
}
