//! Each request gets a response, or a refusal that names the error.

use serde_json::{Value, json};

use super::client::{Client, PATH, line};
use crate::dap::protocol::Request;

#[test]
fn messages_are_numbered_from_one_without_gaps() {
    let mut client = Client::new();
    let arguments = json!({ "program": PATH, "stopOnEntry": true });
    let mut numbers = Vec::new();
    for (seq, command) in (1..).zip(["initialize", "launch", "threads", "configurationDone"]) {
        let (command, arguments) = (command.to_owned(), arguments.clone());
        client.send(Request { seq, command, arguments });
        let messages = client.adapter.take_messages();
        numbers.extend(messages.iter().map(|message| message["seq"].as_u64().unwrap()));
    }
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn requests_at_the_wrong_stage_are_refused_with_a_reason() {
    let mut client = Client::new();
    let program = json!({ "program": PATH, "stopOnEntry": true });
    let begun = "the session has already begun";
    assert_eq!(client.refusal("threads", &json!({})), "expected initialize first");
    assert_eq!(client.refusal("launch", &program), "expected initialize first");
    let uris = json!({ "pathFormat": "uri" });
    assert_eq!(client.refusal("initialize", &uris), "expected `path` as the pathFormat");
    client.ask("initialize", &json!({}));
    assert_eq!(client.refusal("initialize", &json!({})), begun);
    let attach = client.refusal("attach", &json!({}));
    assert_eq!(attach, "there is nothing to attach to: launch a program");
    for command in ["threads", "terminate", "restart", "configurationDone", "source", "nonsense"] {
        assert_eq!(client.refusal(command, &json!({})), "no program was launched", "{command}");
    }
    client.ask("launch", &program);
    for command in ["initialize", "launch", "attach"] {
        assert_eq!(client.refusal(command, &program), begun);
    }
    assert_eq!(client.refusal("next", &json!({})), "the program has not started, or has ended");
    client.ask("configurationDone", &json!({}));
    assert_eq!(
        client.refusal("configurationDone", &json!({})),
        "unknown request configurationDone"
    );
    assert_eq!(client.refusal("non\u{1b}sense", &json!({})), "unknown request non\\u{1b}sense");
}

#[test]
fn there_is_one_thread_and_no_exception_breakpoint() {
    let mut client = Client::at_entry(&json!({}));
    let threads = client.ask("threads", &json!({}));
    assert_eq!(threads, json!({ "threads": [{ "id": 1, "name": "CPU" }] }));
    let exceptions = client.ask("setExceptionBreakpoints", &json!({ "filters": [] }));
    assert_eq!(exceptions, json!({ "breakpoints": [] }));
}

#[test]
fn terminate_ends_the_program_once() {
    let mut client = Client::at_entry(&json!({}));
    client.ask("continue", &json!({}));
    client.ask("terminate", &json!({}));
    client.ask("terminate", &json!({}));
    let names = client.events.iter().filter(|event| event["event"] == "terminated").count();
    assert_eq!((names, client.wait()), (1, None));
    for command in ["next", "restart", "gray1/profile"] {
        let refusal = client.refusal(command, &json!({}));
        assert_ne!(refusal, "", "{command}");
    }
    assert_eq!(
        client.refusal("stackTrace", &json!({})),
        "the program has not started, or has ended"
    );
    client.ask("disconnect", &json!({}));
    assert!(client.adapter.is_over());
}

#[test]
fn without_debugging_the_session_ends_with_the_program() {
    for arguments in [json!({ "noDebug": true }), json!({ "stopOnHalt": false })] {
        let mut client = Client::at_entry(&arguments);
        client.events.clear();
        client.ask("continue", &json!({}));
        assert_eq!(client.stop(), json!({ "exitCode": 0 }), "{arguments}");
        assert_eq!(client.events.last().unwrap()["event"], "terminated");
    }
}

#[test]
fn completions_continue_the_word_at_the_cursor() {
    let mut client = Client::at_entry(&json!({}));
    client.set_breakpoints(&json!([{ "line": line("ADD  #1") }]));
    client.go("continue", &json!({}));
    let target = |label: &str, start: u64, length: u64| -> Value {
        json!({
            "label": label, "type": "variable", "start": start, "length": length,
        })
    };
    for (text, column, expected) in [
        ("pa", 3, json!([target("pair", 1, 2)])),
        ("1 + [pai] * 2", 9, json!([target("pair", 6, 3)])),
        ("\u{1f600} + don", 10, json!([target("done", 6, 3)])),
        ("x_pair", 7, json!([])),
        ("2pair", 6, json!([])),
        ("bump.n", 7, json!([target("bump.n2", 1, 6)])),
        ("n2", 3, json!([target("n2", 1, 2)])),
        ("pair", 2, json!([target("pair", 1, 1)])),
    ] {
        let arguments = json!({ "text": text, "column": column, "frameId": 1 });
        let targets = client.ask("completions", &arguments)["targets"].clone();
        assert_eq!(targets, expected, "{text}");
    }
}

#[test]
fn disassembly_has_lines_and_names_and_marks_invalid_addresses() {
    let mut client = Client::at_entry_of(" LDI 3\nrow: ST 5\n HALT\n", &json!({}));
    let ask = |first: &str, offset: i64, count: u64| {
        json!({
            "memoryReference": first, "instructionOffset": offset, "instructionCount": count,
        })
    };
    let source = json!({ "name": "a.asm", "path": PATH });
    let shown = client.ask("disassemble", &ask("0x0000", -1, 3))["instructions"].clone();
    assert_eq!(
        shown,
        json!([
            { "address": "-1", "instruction": "", "presentationHint": "invalid" },
            {
                "address": "0x0000", "instructionBytes": "0003", "instruction": "LDI 0x03",
                "location": source, "line": 1,
            },
            {
                "address": "0x0001", "instructionBytes": "4005", "instruction": "ST 0x0005",
                "symbol": "row", "location": source, "line": 2,
            },
        ])
    );
    let last = client.ask("disassemble", &ask("8191", 0, 2))["instructions"].clone();
    let erased = json!({
        "address": "0x1fff", "instructionBytes": "ffff", "instruction": "JMP 0x1555",
    });
    let outside = json!({
        "address": "8192", "instruction": "", "presentationHint": "invalid",
    });
    assert_eq!(last, json!([erased, outside]));
    let all = client.ask("disassemble", &ask("0", 0, 16384))["instructions"].clone();
    assert_eq!(all.as_array().unwrap().len(), 16384);
    let refusal = client.refusal("disassemble", &ask("0", 0, 16385));
    assert_eq!(refusal, "at most 16384 instructions at once");
    let refusal = client.refusal("disassemble", &ask("1", i64::MAX, 1));
    assert_eq!(refusal, "this is outside program memory 0 to 8191");
}

#[test]
fn goto_jumps_to_an_instruction_of_the_line() {
    let mut client = Client::at_entry(&json!({}));
    let at = |line: usize| json!({ "source": { "path": PATH }, "line": line });
    let ask = at(line("ADD  #-5"));
    let targets = client.ask("gotoTargets", &ask)["targets"].clone();
    assert_eq!(
        targets,
        json!([{
            "id": 15, "label": "0x000e again+8", "line": 12,
            "instructionPointerReference": "0x000e",
        }])
    );
    client.events.clear();
    client.ask("goto", &json!({ "threadId": 1, "targetId": targets[0]["id"] }));
    assert_eq!(client.stop()["reason"], "goto");
    assert_eq!(client.lines(), line("ADD  #-5").to_string());
    assert_eq!(client.value("A"), "0x00 (0)", "the other registers stay");
    // An empty line stands for the next executed line. A line after the end stands for none.
    let ask = at(8);
    let targets = client.ask("gotoTargets", &ask)["targets"].clone();
    assert_eq!((&targets[0]["line"], &targets[0]["id"]), (&json!(9), &json!(5)));
    let ask = at(99);
    assert_eq!(client.ask("gotoTargets", &ask), json!({ "targets": [] }));
    for target in [0, -1, 8193, 65537, i64::MIN] {
        let refusal = client.refusal("goto", &json!({ "targetId": target }));
        assert_eq!(refusal, "there is no such target", "{target}");
    }
    client.ask("goto", &json!({ "threadId": 1, "targetId": 8192 }));
    assert_eq!(client.value("PC"), "0x1fff (8191)");
}

#[test]
fn at_pace_zero_the_machine_waits_without_using_the_cpu() {
    let mut client = Client::at_entry_of("there: JMP there\n", &json!({}));
    let moment = |client: &mut Client| client.ask("gray1/leds", &json!({}))["moment"].clone();
    client.ask("gray1/pace", &json!({ "instructionsPerSecond": 0 }));
    client.ask("continue", &json!({}));
    client.work();
    assert_eq!(moment(&mut client), 0);
    let wait = client.wait().unwrap();
    assert!(!wait.is_zero(), "nothing is due, so the driver can wait");
    client.ask("gray1/pace", &json!({}));
    assert!(client.wait().unwrap().is_zero());
    client.work();
    assert_ne!(moment(&mut client), 0);
}

#[test]
fn memory_is_read_and_written_up_to_its_end() {
    let mut client = Client::at_entry(&json!({ "ram": "zero" }));
    for (first, offset, count, expected) in [
        ("0x1fff", 0, 1, json!({ "address": "0x1fff", "data": "AA==" })),
        ("0x1fff", 0, 3, json!({ "address": "0x1fff", "data": "AA==", "unreadableBytes": 2 })),
        ("0x2000", 0, 3, json!({ "address": "0x2000", "unreadableBytes": 3 })),
        ("0x0000", 2, 0, json!({ "address": "0x0002", "data": "" })),
    ] {
        let ask = json!({ "memoryReference": first, "offset": offset, "count": count });
        assert_eq!(client.ask("readMemory", &ask), expected, "{first}+{offset}, {count}");
    }
    let wrong = json!({ "memoryReference": "n", "count": 1 });
    assert_eq!(client.refusal("readMemory", &wrong), "expected an address such as 0x1fe0");

    let write = |first: &str, data: &str, is_partial: bool| -> Value {
        json!({
            "memoryReference": first, "data": data, "allowPartial": is_partial,
        })
    };
    let refusal = client.refusal("writeMemory", &write("0x1fff", "BQY=", false));
    assert_eq!(refusal, "these bytes do not fit into data memory 0 to 8191");
    assert_eq!(client.value("[0x1fff]"), "0x00 (0)");
    let written = client.ask("writeMemory", &write("0x1fff", "BQY=", true));
    assert_eq!(written, json!({ "offset": 0, "bytesWritten": 1 }));
    assert_eq!(client.value("[0x1fff]"), "0x05 (5)");
    let written = client.ask("writeMemory", &write("0x0003", "BwgJ", true));
    assert_eq!(written, json!({ "offset": 0, "bytesWritten": 3 }));
    let written = client.ask("writeMemory", &write("0x2000", "Bw==", true));
    assert_eq!(written, json!({ "offset": 0, "bytesWritten": 0 }));
    assert_eq!(client.value("pair"), "0x0003: 07 08");
    let refusal = client.refusal("writeMemory", &write("0", "?", false));
    assert_eq!(refusal, "the data is not valid base64");
}

#[test]
fn data_breakpoints_accept_names_elements_addresses_and_the_display() {
    let mut client = Client::at_entry(&json!({}));
    let (variables, panel) = (client.scope(1, "Variables"), client.scope(1, "Panel"));
    let registers = client.scope(1, "Registers");
    let pair = client.inside(&variables)[1]["variablesReference"].clone();
    let of_registers =
        "registers have no data breakpoints; use a function breakpoint such as `when A == 5`";
    for (arguments, id, description) in [
        (json!({ "name": "pair" }), json!("0x0003+2"), "pair"),
        (json!({ "name": "pair", "bytes": 1 }), json!("0x0003+1"), "pair"),
        (json!({ "name": "[pair + 1]" }), json!("0x0004+1"), "pair+1"),
        (json!({ "name": "pair", "variablesReference": variables }), json!("0x0003+2"), "pair"),
        (json!({ "name": "[1]", "variablesReference": pair }), json!("0x0004+1"), "pair+1"),
        (json!({ "name": "0x0003", "asAddress": true, "bytes": 3 }), json!("0x0003+3"), "pair"),
        (json!({ "name": "LEDs", "variablesReference": panel }), json!("leds"), "LEDs"),
        (
            json!({ "name": "LEDs", "variablesReference": variables }),
            Value::Null,
            "'LEDs' cannot be changed",
        ),
        (
            json!({ "name": "buttons", "variablesReference": panel }),
            Value::Null,
            "'buttons' cannot be changed",
        ),
        (json!({ "name": "A", "variablesReference": registers }), Value::Null, of_registers),
        (json!({ "name": "A" }), Value::Null, of_registers),
    ] {
        let info = client.ask("dataBreakpointInfo", &arguments);
        assert_eq!(
            (&info["dataId"], &info["description"]),
            (&id, &json!(description)),
            "{arguments}"
        );
    }
    // Bytes beyond the end of data memory are unreadable, like an address beyond it.
    for (name, bytes, last) in [("0x1fff", 2, 8192), ("0x2000", 1, 8192), ("8000", 70_000, 77_999)]
    {
        let too_far = json!({ "name": name, "asAddress": true, "bytes": bytes });
        let info = client.ask("dataBreakpointInfo", &too_far);
        let why = format!("expected an address in data memory, 0 to 8191, found {last}");
        assert_eq!(info, json!({ "dataId": null, "description": why }));
    }
    let no_id = "expected the dataId of a dataBreakpointInfo";
    let too_far = "expected an address in data memory, 0 to 8191, found 8192";
    for (id, why) in [
        ("0x0000+0", no_id),
        ("0x0000", no_id),
        ("0x1fff+2", too_far),
        ("0x2000+1", too_far),
        ("0x0000+x", no_id),
    ] {
        let data = json!({ "breakpoints": [{ "dataId": id }] });
        let set = client.ask("setDataBreakpoints", &data)["breakpoints"][0].clone();
        assert_eq!(set, json!({ "verified": false, "message": why }), "{id}");
    }
}

#[test]
fn a_data_breakpoint_ignores_adjacent_bytes() {
    let stores = ".var a\n.var b, 2\n.var c\n LDI 1\n ST a\n ST b\n ST b + 1\n ST c\n HALT\n";
    for (id, expected) in [
        ("0x0000+1", &["6"][..]),
        ("0x0001+1", &["7"]),
        ("0x0001+2", &["7", "8"]),
        ("0x0003+1", &["9"]),
        ("0x1fff+1", &[]),
    ] {
        let mut client = Client::at_entry_of(stores, &json!({}));
        client.ask("setDataBreakpoints", &json!({ "breakpoints": [{ "dataId": id }] }));
        let mut stops = Vec::new();
        while client.go("continue", &json!({})).starts_with("data breakpoint") {
            stops.push(client.lines());
        }
        assert_eq!(stops, expected, "{id}");
    }
}

#[test]
fn an_instruction_breakpoint_stops_at_its_instruction() {
    let mut client = Client::at_entry_of(" LDI 3\n ST 5\n HALT\n", &json!({}));
    let at = |reference: &str, offset: i64| {
        let breakpoint = json!({ "instructionReference": reference, "offset": offset });
        json!({ "breakpoints": [breakpoint] })
    };
    let set = client.ask("setInstructionBreakpoints", &at("0x0000", 1))["breakpoints"].clone();
    let source = json!({ "name": "a.asm", "path": PATH });
    let reference = "0x0001";
    assert_eq!(
        set,
        json!([{
            "id": 1, "verified": true, "instructionReference": reference, "source": source,
            "line": 2,
        }])
    );
    assert_eq!(client.go("continue", &json!({})), "instruction breakpoint at 2");
    for (reference, offset) in [("0x2000", 0), ("0x0000", -1), ("0x1fff", 1)] {
        let set = client.ask("setInstructionBreakpoints", &at(reference, offset));
        let why = "this is outside program memory 0 to 8191";
        assert_eq!(set["breakpoints"], json!([{ "verified": false, "message": why }]));
    }
}

#[test]
fn a_function_breakpoint_and_its_condition_are_parsed_separately() {
    let mut client = Client::at_entry(&json!({}));
    let breakpoints = json!([
        { "name": "bump", "condition": "[n" },
        { "name": "bump", "condition": "1" },
        // Names are those visible in the routine. A name may have its own condition.
        { "name": "bump", "condition": "[n2] == 3" },
        { "name": "bump if [n] > 3", "condition": "[n] % 4 == 0" },
    ]);
    let set = client.ask("setFunctionBreakpoints", &json!({ "breakpoints": breakpoints }));
    assert_eq!(set["breakpoints"][0]["message"], "column 3: expected ']', found the end");
    assert_eq!(
        set["breakpoints"][1]["message"],
        "column 1: this condition never changes: write [n] for the byte at n"
    );
    for n in ["0x03 (3)", "0x04 (4)"] {
        assert!(client.go("continue", &json!({})).starts_with("function breakpoint"));
        assert_eq!(client.value("[n]"), n);
    }
    assert!(client.go("continue", &json!({})).starts_with("halted"));
}

#[test]
fn an_invalid_breakpoint_does_not_affect_the_others_of_its_request() {
    let mut client = Client::at_entry(&json!({}));
    let source = json!({ "path": PATH });
    for bad in [
        json!({ "line": 0 }),
        json!({ "line": -1 }),
        json!({ "line": 1_000_000_000_000_u64 }),
        json!({ "line": 1.5 }),
        json!({ "line": 1, "condition": 7 }),
        json!({}),
        json!("line 1"),
    ] {
        let wanted = json!([{ "line": 1 }, bad, { "line": 2 }]);
        let arguments = json!({ "source": source, "breakpoints": wanted });
        let set = client.ask("setBreakpoints", &arguments)["breakpoints"].clone();
        let verified: Vec<_> = set.as_array().unwrap().iter().map(|it| &it["verified"]).collect();
        assert_eq!(verified, [true, false, true], "{bad}");
        assert!(set[1]["message"].as_str().is_some_and(|why| !why.is_empty()), "{bad}");
    }
    let wanted = json!({ "breakpoints": [{ "name": 5 }, { "name": "A == 1" }] });
    let set = client.ask("setFunctionBreakpoints", &wanted)["breakpoints"].clone();
    assert_eq!(set.as_array().map(Vec::len), Some(2));
    assert_eq!(set[0]["verified"], false);
}
