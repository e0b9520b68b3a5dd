//! What an editor shows of the machine: scopes, registers, variables by element, the panel, chips
//! and wires; and what can be changed there.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::client::{Client, PATH};

/// A grid of two rows, variables of other sizes, and a routine with variables of its own.
const SHOWN: &str = "\
.var board, 3
.var count
.var eight, 8
.var nine, 9
.show count, \"how many\"
.grid board, 2, \"Q\"
.pool
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

/// The name and the value of each variable.
fn values(variables: &Value) -> Vec<String> {
    let told = |it: &Value| {
        format!("{} = {}", it["name"].as_str().unwrap(), it["value"].as_str().unwrap())
    };
    variables.as_array().unwrap().iter().map(told).collect()
}

/// A client in the routine of the program, and the bytes of the board.
fn in_the_routine(engine: &str) -> Client {
    let mut client = Client::at_entry_of(SHOWN, &json!({ "engine": engine, "ram": "zero" }));
    client.set_breakpoints(&json!([{ "line": 16 }]));
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 16 10");
    client
}

#[test]
fn scopes_are_those_of_the_frame_and_say_what_they_hold() {
    let mut client = in_the_routine("instruction");
    let registers = json!({
        "name": "Registers", "presentationHint": "registers", "variablesReference": 1,
        "expensive": false,
    });
    let global = |name: &str, number: u64| {
        json!({
            "name": name, "presentationHint": "globals", "variablesReference": number,
            "expensive": name == "Chips",
        })
    };
    let locals = json!({
        "name": "plus", "presentationHint": "locals", "variablesReference": 2, "expensive": false,
    });
    let inner = client.ask("scopes", &json!({ "frameId": 1 }));
    let [variables, panel, chips] =
        [("Variables", 3), ("Panel", 4), ("Chips", 5)].map(|(name, number)| global(name, number));
    assert_eq!(inner["scopes"], json!([registers, locals, variables, panel, chips]));
    let outer = client.ask("scopes", &json!({ "frameId": 2 }));
    assert_eq!(outer["scopes"], json!([registers, variables, panel, chips]));
    for frame in [0, -1, 3] {
        let refusal = client.refusal("scopes", &json!({ "frameId": frame }));
        assert_eq!(refusal, "there is no such frame");
    }
}

#[test]
fn registers_have_their_values_and_their_words() {
    let shown = [
        "A = 0x08 (8)",
        "C = 0",
        "PC = 0x000b plus+2",
        "PC in Gray code = 0b0000000001110",
        "next = ST plus.sum",
        "executed = 9 instructions",
        "phase = T0",
    ];
    // Only a board of chips has phases.
    for (engine, count) in [("instruction", 6), ("chips", 7)] {
        let mut client = in_the_routine(engine);
        let number = client.scope(1, "Registers");
        let registers = client.inside(&number);
        assert_eq!(values(&registers), shown[..count]);
        assert_eq!(registers[2]["evaluateName"], "PC");
        assert_eq!(registers[4]["presentationHint"], json!({ "attributes": ["readOnly"] }));
    }
}

#[test]
fn variables_of_the_program_are_told_with_places_captions_and_sizes() {
    let mut client = in_the_routine("instruction");
    let number = client.scope(1, "Variables");
    assert_eq!(
        client.inside(&number),
        json!([
            {
                "name": "board", "value": "00 00 00", "evaluateName": "board",
                "memoryReference": "0x0000", "indexedVariables": 3, "variablesReference": 6,
            },
            {
                "name": "count", "value": "0x03 (3) how many", "evaluateName": "count",
                "memoryReference": "0x0003", "variablesReference": 0,
            },
            {
                "name": "eight", "value": "00 00 00 00 00 00 00 00", "evaluateName": "eight",
                "memoryReference": "0x0004", "indexedVariables": 8, "variablesReference": 7,
            },
            {
                "name": "nine", "value": "00 00 00 00 00 00 00 00 ...", "evaluateName": "nine",
                "memoryReference": "0x000c", "indexedVariables": 9, "variablesReference": 8,
            },
        ])
    );
    let number = client.scope(1, "plus");
    assert_eq!(
        client.inside(&number),
        json!([
            {
                "name": "number", "value": "0x07 (7)", "evaluateName": "plus.number",
                "memoryReference": "0x0016", "variablesReference": 0,
            },
            {
                "name": "sum", "value": "0x00 (0)", "evaluateName": "plus.sum",
                "memoryReference": "0x0017", "variablesReference": 0,
            },
        ])
    );
}

#[test]
fn an_array_is_shown_by_element_and_a_grid_as_squares() {
    let mut client = in_the_routine("instruction");
    let write = json!({ "memoryReference": "0x0000", "data": "hQIB" });
    client.ask("writeMemory", &write);
    let number = client.scope(1, "Variables");
    let board = client.inside(&number)[0].clone();
    assert_eq!(board["value"], "85 02 01");
    let elements = client.inside(&board["variablesReference"]);
    assert_eq!(
        elements,
        json!([
            {
                "name": "[0]", "value": "Q.Q....Q  0x85 (133)", "evaluateName": "[board + 0]",
                "memoryReference": "0x0000", "variablesReference": 0,
            },
            {
                "name": "[1]", "value": ".Q......  0x02 (2)", "evaluateName": "[board + 1]",
                "memoryReference": "0x0001", "variablesReference": 0,
            },
            {
                "name": "[2]", "value": "0x01 (1)", "evaluateName": "[board + 2]",
                "memoryReference": "0x0002", "variablesReference": 0,
            },
        ])
    );
    let part = json!({ "variablesReference": board["variablesReference"], "start": 1, "count": 1 });
    assert_eq!(client.ask("variables", &part)["variables"], json!([elements[1]]));
    let rest = json!({ "variablesReference": board["variablesReference"], "start": 2 });
    assert_eq!(client.ask("variables", &rest)["variables"], json!([elements[2]]));
    // Where no grid begins, bytes are numbers.
    let nine = client.inside(&number)[3]["variablesReference"].clone();
    let last = client.inside(&nine)[8].clone();
    assert_eq!(
        last,
        json!({
            "name": "[8]", "value": "0x00 (0)", "evaluateName": "[nine + 8]",
            "memoryReference": "0x0014", "variablesReference": 0,
        })
    );
}

#[test]
fn the_panel_tells_leds_buttons_and_what_was_printed() {
    let program = " LDI 1\n ST 0x1fe0\n LDI 0x9\n ST 0x1fe9\n LDI 0x41\n ST 0x1fff\n HALT\n";
    let mut client = Client::at_entry_of(program, &json!({ "ram": "zero" }));
    client.ask("gray1/press", &json!({ "buttons": ["a"] }));
    let number = client.scope(1, "Panel");
    assert_eq!(values(&client.inside(&number))[1], "buttons = a");
    // The end of the program lets go.
    assert!(client.go("continue", &json!({})).starts_with("halted"));
    let number = client.scope(1, "Panel");
    let panel = client.inside(&number);
    assert_eq!(
        values(&panel),
        ["LEDs = 1 green, 2 red", "buttons = -", "printed = 1 bytes", "printed last = \"A\"",]
    );
    assert_eq!(panel[0]["memoryReference"], "0x1fe0");
    let rows = client.inside(&panel[0]["variablesReference"]);
    assert_eq!(values(&rows)[..2], ["row 0 = G . . . . . . .", "row 1 = R . . R . . . ."]);
    assert_eq!(values(&rows)[7], "row 7 = . . . . . . . .");
    for variable in panel.as_array().unwrap().iter().chain(rows.as_array().unwrap()) {
        assert_eq!(variable["presentationHint"], json!({ "attributes": ["readOnly"] }));
    }
}

/// Those of the board beside the instruction engine are those of the board as it runs.
#[test]
fn chips_tell_the_number_on_their_data_wires_and_each_of_their_wires_once() {
    for engine in ["instruction", "chips"] {
        let mut client = in_the_routine(engine);
        let number = client.scope(1, "Chips");
        let chips = client.inside(&number);
        let shown = [
            "PHASE = 0x0",
            "CTRL = 0x10",
            "PCH = 0x00",
            "PCL = 0x1d",
            "PROG = 0x40",
            "IRH = 0x60",
            "IRL = 0x15",
            "ALUL = 0x09",
            "ALUH = 0x00",
            "AM = 0x08",
            "AS = 0x08",
            "FLAGS = 0x0",
            "BUF = 0x01",
            "RAM = 0x01",
        ];
        assert_eq!(values(&chips), shown, "{engine}");
        let mut wires_of =
            |number: usize| values(&client.inside(&chips[number]["variablesReference"]));
        let phase = "PHASE.0 = 0, PHASE.1 = 0, PHASE.2 = 0, OSC = 0, RST = 0";
        assert_eq!(wires_of(0).join(", "), phase);
        assert_eq!(
            wires_of(5).join(", "),
            "IRH.0 = 0, IRH.1 = 0, IRH.2 = 0, IRH.3 = 0, IRH.4 = 0, IRH.5 = 1, IRH.6 = 1, \
             IRH.7 = 0, PROG.0 = 0, PROG.1 = 0, PROG.2 = 0, PROG.3 = 0, PROG.4 = 0, PROG.5 = 0, \
             PROG.6 = 1, PROG.7 = 0, IRH_EN = 0"
        );
        for number in 0..shown.len() {
            let wires = wires_of(number);
            let different: HashSet<&String> = wires.iter().collect();
            assert_eq!(different.len(), wires.len(), "{wires:?}");
        }
        for (name, value) in [("PCL", "0x1d"), ("IRH.5-6", "0x3"), ("IRH_EN", "0x0")] {
            assert_eq!((name, client.value(name).as_str()), (name, value), "{engine}");
        }
        let refusal = client.refusal("evaluate", &json!({ "expression": "PCX" }));
        assert_eq!(refusal, "column 1: the program has no 'PCX'");
    }
}

/// They follow when the user changes a register or another program is launched.
#[test]
fn chips_of_the_board_beside_the_engine_follow_it() {
    let mut client = in_the_routine("instruction");
    assert_eq!(client.value("AS"), "0x08");
    client.ask("setExpression", &json!({ "expression": "A", "value": "0x41" }));
    assert_eq!(client.value("AS"), "0x41");
    client.ask("restart", &json!({}));
    client.stop();
    assert_eq!(client.value("AS"), "0x00");
}

#[test]
fn what_a_user_types_over_a_value_changes_that_and_nothing_else() {
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
fn an_expression_is_changed_with_the_names_of_its_frame() {
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
    assert_eq!(refusal, "column 1: the program has no 'sum'");
    assert_eq!(client.refusal("setExpression", &set("sum", "5", 9)), "there is no such frame");
}

#[test]
fn an_editor_that_listens_hears_that_all_it_shows_is_old() {
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
