//! The state that an editor shows: scopes, registers, variables and their elements, the panel,
//! chips and wires. Also tests changes to these values.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, PATH};
use crate::dap::protocol::with;

/// A grid of two rows, variables of other sizes, a routine with local variables, LEDs and output.
const SHOWN: &str = "\
.var board, 3
.var count
.var eight, 8
.var nine, 9
.show count, \"how many\"
.grid board, 2, \"Q\"
.pool
        LDI  0x41
        ST   0x1fff
        LDI  9
        ST   0x1fe9
        LDI  3
        ST   count
        .call plus(#7)
        HALT

.routine plus(number) -> sum
        LD   number
        ADD  #1
        ST   sum
.endroutine
";

/// A client that has stopped in the routine of the program.
fn in_the_routine(engine: &str) -> Client {
    let mut client = Client::at_entry_of(SHOWN, &json!({ "engine": engine, "ram": "zero" }));
    client.set_breakpoints(&json!([{ "line": 20 }]));
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 20 14");
    client
}

/// Adds the variables in a container, one line each: name, value, and the rest of the response.
fn add_inside(client: &mut Client, container: &Value, depth: usize, shown: &mut String) {
    for mut variable in client.inside(container).as_array().unwrap().clone() {
        let members = variable.as_object_mut().unwrap();
        let [name, value, inside] =
            ["name", "value", "variablesReference"].map(|member| members.remove(member).unwrap());
        let rest = if members.is_empty() { String::new() } else { format!("  {variable}") };
        let (name, value) = (name.as_str().unwrap(), value.as_str().unwrap());
        writeln!(shown, "{:1$}{name} = {value}{rest}", "", 2 * depth).unwrap();
        if inside != 0 {
            add_inside(client, &inside, depth + 1, shown);
        }
    }
}

/// Everything that an editor shows in both frames.
fn shown(engine: &str) -> String {
    let mut client = in_the_routine(engine);
    client.ask("writeMemory", &json!({ "memoryReference": "0x0000", "data": "hQIB" }));
    client.ask("gray1/press", &json!({ "buttons": ["a"] }));
    let mut shown = String::new();
    for frame in [1, 2] {
        let scopes = client.ask("scopes", &json!({ "frameId": frame }))["scopes"].take();
        for mut scope in scopes.as_array().unwrap().clone() {
            let number = scope.as_object_mut().unwrap().remove("variablesReference").unwrap();
            writeln!(shown, "{scope}").unwrap();
            if frame == 1 {
                add_inside(&mut client, &number, 1, &mut shown);
            }
        }
    }
    shown.replace("{\"presentationHint\":{\"attributes\":[\"readOnly\"]}}", "(read-only)")
}

/// `UPDATE_GOLDENS=1 cargo test -p gray1-editors golden` writes the golden file.
#[test]
fn scopes_and_variables_match_the_golden() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dap/tests/shown.txt");
    let shown = ["instruction", "chips"].map(shown);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, &shown[0]).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), shown[0]);
    // Only the chip engine has phases. The other engine shows the wires of a board that runs in
    // parallel.
    let phase = "  phase = T0  (read-only)\n";
    assert!(shown[1].contains(phase));
    assert_eq!(shown[1].replace(phase, ""), shown[0]);
}

#[test]
fn a_client_can_ask_for_a_part_of_an_array() {
    let mut client = in_the_routine("instruction");
    let number = client.scope(1, "Variables");
    let nine = client.inside(&number)[3]["variablesReference"].clone();
    for (part, names) in [
        (json!({ "start": 1, "count": 1 }), &["[1]"][..]),
        (json!({ "start": 7 }), &["[7]", "[8]"]),
        (json!({ "count": 2 }), &["[0]", "[1]"]),
        (json!({ "filter": "indexed", "start": 3, "count": 1 }), &["[3]"]),
        (json!({ "filter": "named" }), &[]),
    ] {
        let arguments = with(part, "variablesReference", nine.clone());
        let found = client.ask("variables", &arguments)["variables"].take();
        let found: Vec<&Value> = found.as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(found, names);
    }
    // A container with named variables has no indexed ones.
    let mut count = |filter: &str| {
        let arguments = json!({ "variablesReference": number, "filter": filter });
        client.ask("variables", &arguments)["variables"].as_array().unwrap().len()
    };
    assert_eq!((count("named"), count("indexed")), (4, 0));
    let arguments = json!({ "variablesReference": number, "filter": "all" });
    let refusal = client.refusal("variables", &arguments);
    assert_eq!(refusal, "expected the filter indexed or named");
    for frame in [0, -1, 3] {
        let refusal = client.refusal("scopes", &json!({ "frameId": frame }));
        assert_eq!(refusal, "there is no such frame");
    }
}

#[test]
fn expressions_can_name_wires_and_registers_of_the_board() {
    for engine in ["instruction", "chips"] {
        let mut client = in_the_routine(engine);
        for (name, value) in [("AS", "0x08"), ("IRH.5-6", "0x3"), ("IRH_EN", "0x0")] {
            assert_eq!((name, client.value(name).as_str()), (name, value), "{engine}");
        }
        let refusal = client.refusal("evaluate", &json!({ "expression": "PCX" }));
        assert_eq!(refusal, "column 1: the program has no `PCX`; did you mean `PC`?");
    }
}

/// The values on the chips shown for an engine without wires are updated when the user changes a
/// register or restarts the program.
#[test]
fn chips_follow_register_changes_and_restarts() {
    let mut client = in_the_routine("instruction");
    assert_eq!(client.value("AS"), "0x08");
    client.ask("setExpression", &json!({ "expression": "A", "value": "0x41" }));
    assert_eq!(client.value("AS"), "0x41");
    client.ask("restart", &json!({}));
    client.stop();
    assert_eq!(client.value("AS"), "0x00");
}

#[test]
fn setting_a_variable_changes_only_that_variable() {
    let mut client = in_the_routine("instruction");
    let (registers, variables) = (client.scope(1, "Registers"), client.scope(1, "Variables"));
    let (locals, panel) = (client.scope(1, "plus"), client.scope(1, "Panel"));
    let board = client.inside(&variables)[0]["variablesReference"].clone();
    let set = |number: &Value, name: &str, value: &str| -> Value {
        json!({
            "variablesReference": number, "name": name, "value": value,
        })
    };
    for (number, name, value, shown, difference) in [
        (&registers, "A", "0x41", "0x41 (65)", "A - 0x41"),
        (&registers, "C", "1", "1", "C - 1"),
        (&registers, "PC", "2", "0x0002", "PC - 2"),
        (&variables, "count", "-1", "0xff (255)", "[count] - 255"),
        (&locals, "sum", "[count] - 1", "0xfe (254)", "[0x17] - 254"),
        (&board, "[0]", "7", "0x07 (7)", "[board] - 7"),
        (&board, "[2]", "9", "0x09 (9)", "[board + 2] - 9"),
    ] {
        let answer = client.ask("setVariable", &set(number, name, value));
        assert_eq!((name, &answer["value"]), (name, &json!(shown)));
        assert_eq!((name, client.value(difference)), (name, "0x00 (0)".to_owned()));
    }
    assert_eq!(client.value("board"), "0x0000: 07 00 09");
    for (number, name) in [
        (&registers, "next"),
        (&registers, "count"),
        (&variables, "sum"),
        (&locals, "count"),
        (&panel, "LEDs"),
        (&board, "[3]"),
        (&board, "[-1]"),
        (&board, "0"),
        (&board, "board"),
    ] {
        let refusal = client.refusal("setVariable", &set(number, name, "1"));
        assert_eq!(refusal, format!("'{name}' cannot be changed"));
    }
    let gone = client.refusal("setVariable", &set(&json!(99), "A", "1"));
    assert_eq!(gone, "there are no such variables at this stop");
    assert_eq!(client.value("board"), "0x0000: 07 00 09");
}

#[test]
fn set_expression_uses_the_names_of_its_frame() {
    let mut client = in_the_routine("instruction");
    let set = |expression: &str, value: &str, frame: i64| -> Value {
        json!({
            "expression": expression, "value": value, "frameId": frame,
        })
    };
    for (expression, value, frame, shown) in [
        ("[board + 1]", "6", 1, "0x06 (6)"),
        ("sum", "5", 1, "0x05 (5)"),
        ("count", "[board + 1] * 2", 2, "0x0c (12)"),
        ("C", "1", 1, "1"),
    ] {
        let answer = client.ask("setExpression", &set(expression, value, frame));
        assert_eq!((expression, &answer), (expression, &json!({ "value": shown })));
    }
    assert_eq!(client.value("[sum]"), "0x05 (5)");
    assert_eq!(client.value("board"), "0x0000: 00 06 00");
    let refusal = client.refusal("setExpression", &set("sum", "5", 2));
    assert_eq!(refusal, "column 1: the program has no `sum`");
    assert_eq!(client.refusal("setExpression", &set("sum", "5", 9)), "there is no such frame");
}

#[test]
fn a_change_invalidates_the_values_that_the_editor_shows() {
    let mut client = Client::new();
    client.ask("initialize", &json!({ "supportsInvalidatedEvent": true }));
    client.ask("launch", &json!({ "program": PATH, "stopOnEntry": true }));
    client.ask("configurationDone", &json!({}));
    client.stop();
    client.ask("setExpression", &json!({ "expression": "A", "value": "1" }));
    assert_eq!(client.events.len(), 1);
    assert_eq!(client.events[0]["event"], "invalidated");
    assert_eq!(client.events[0]["body"], json!({ "areas": ["all"] }));
}
