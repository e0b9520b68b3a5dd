//! Clients identify sources on disk by their paths, and built-in sources by their numbers.

use serde_json::{Value, json};

use super::client::{Client, PATH};

/// Includes a built-in file.
const PROGRAM: &str = "\
.include \"lib/std.asm\"
.var x
        set  x, 1
        HALT
";

fn at_entry() -> Client {
    Client::at_entry_of(PROGRAM, &json!({}))
}

#[test]
fn loaded_sources_are_the_files_of_the_program_and_its_includes() {
    let mut client = at_entry();
    let sources = client.ask("loadedSources", &json!({}))["sources"].clone();
    let own = json!({ "name": "a.asm", "path": PATH });
    let built_in = json!({ "name": "built-in:lib/std.asm", "sourceReference": 2 });
    assert_eq!(sources, json!([own, built_in]));
}

#[test]
fn a_built_in_file_is_returned_by_its_reference() {
    let mut client = at_entry();
    let text = |arguments: Value, client: &mut Client| {
        let body = client.ask("source", &arguments);
        assert_eq!(body["mimeType"], "text/x-asm");
        body["content"].as_str().unwrap().to_owned()
    };
    let built_in = gray1_programs::file("lib/std.asm").unwrap().text;
    for arguments in [
        json!({ "sourceReference": 2 }),
        json!({ "source": { "name": "lib/std.asm", "sourceReference": 2 }, "sourceReference": 2 }),
        json!({ "source": { "sourceReference": 2 } }),
        json!({ "source": { "sourceReference": 2 }, "sourceReference": 1 }),
    ] {
        assert_eq!(text(arguments.clone(), &mut client), built_in, "{arguments}");
    }
    let own = json!({ "source": { "path": PATH } });
    assert_eq!(text(own, &mut client), PROGRAM);
    for arguments in [
        json!({ "sourceReference": 3 }),
        json!({ "sourceReference": -1 }),
        json!({ "source": { "path": "elsewhere.asm" } }),
        json!({}),
    ] {
        let refusal = client.refusal("source", &arguments);
        assert_eq!(refusal, "the program has no such source", "{arguments}");
    }
}

#[test]
fn breakpoints_work_in_built_in_files() {
    let mut client = at_entry();
    let built_in = gray1_programs::file("lib/std.asm").unwrap().text;
    let body = built_in.lines().position(|line| line.starts_with(".macro set ")).unwrap() + 3;
    let source = json!({ "sourceReference": 2 });
    let breakpoints = json!({ "source": source, "breakpoints": [{ "line": body }] });
    let set = client.ask("setBreakpoints", &breakpoints)["breakpoints"].clone();
    assert_eq!(set[0]["source"], json!({ "name": "built-in:lib/std.asm", "sourceReference": 2 }));
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(body)));
    let locations = json!({ "source": source, "line": body, "endLine": body });
    let answer = client.ask("breakpointLocations", &locations);
    assert_eq!(answer, json!({ "breakpoints": [{ "line": body }] }));
    assert!(client.go("continue", &json!({})).starts_with("breakpoint"));
}

#[test]
fn breakpoint_locations_are_the_executed_lines() {
    let mut client = Client::at_entry_of(" LDI 1\n\n; a comment\n ST 0\n HALT\n", &json!({}));
    for (line, end, expected) in [
        (1, Some(5), json!([{ "line": 1 }, { "line": 4 }, { "line": 5 }])),
        (2, Some(4), json!([{ "line": 4 }])),
        (1, None, json!([{ "line": 1 }])),
        (2, None, json!([])),
    ] {
        let source = json!({ "path": PATH });
        let arguments = json!({ "source": source, "line": line, "endLine": end });
        let answer = client.ask("breakpointLocations", &arguments);
        assert_eq!(answer["breakpoints"], expected, "{line} to {end:?}");
    }
    let elsewhere = json!({ "source": { "path": "elsewhere.asm" }, "line": 1 });
    let refusal = client.refusal("breakpointLocations", &elsewhere);
    assert_eq!(refusal, "the program has no such source");
}

/// Sets breakpoints at these lines of a file. Returns the line of each verified breakpoint, and the
/// message of each unverified one.
fn set(client: &mut Client, path: &str, lines: &[u32]) -> Vec<String> {
    let wanted: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
    let arguments = json!({ "source": { "path": path }, "breakpoints": wanted });
    let answer = client.ask("setBreakpoints", &arguments)["breakpoints"].clone();
    let lines = answer.as_array().unwrap().iter().map(|breakpoint| {
        let is_verified = breakpoint["verified"] == true;
        assert!(!is_verified || breakpoint["source"]["path"] == path, "{breakpoint}");
        if is_verified { breakpoint["line"].to_string() } else { breakpoint["message"].to_string() }
    });
    lines.collect()
}

const LINK: &str = "/link/a.asm";
const FOUR: &str = " LDI 1\n LDI 2\n LDI 3\n HALT\n";

#[test]
fn a_file_keeps_the_path_that_the_client_uses() {
    let mut client = Client::at_entry_of(FOUR, &json!({}));
    let path = |client: &mut Client| {
        client.ask("stackTrace", &json!({ "threadId": 1 }))["stackFrames"][0]["source"]["path"]
            .take()
    };
    assert_eq!(path(&mut client), PATH);
    assert_eq!(set(&mut client, LINK, &[2]), ["2"]);
    assert_eq!(path(&mut client), LINK);
    // Each name of a file has its own breakpoints. Setting breakpoints under one name replaces only
    // those under that name.
    assert_eq!(set(&mut client, PATH, &[3, 4]), ["3", "4"]);
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 2");
    assert_eq!(set(&mut client, PATH, &[4]), ["4"]);
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 4");
    assert_eq!(path(&mut client), PATH);
    client.ask("restart", &json!({}));
    client.stop();
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 2");
    assert_eq!(set(&mut client, LINK, &[]), [""; 0]);
    client.ask("stepBack", &json!({}));
    client.stop();
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 4");
}

const CHANGED: &str = "\"this has changed since the program was assembled: restart to run it\"";

#[test]
fn a_breakpoint_in_a_changed_source_moves_with_its_line_or_is_refused() {
    for (now, expected) in [
        // Lines added above move the ones below.
        (format!("; new\n LDI 9\n{FOUR}"), [CHANGED, CHANGED, "3", "4", "5", "6"]),
        // Lines added below do not move the ones above.
        (format!("{FOUR} LDI 9\n HALT\n"), ["1", "2", "3", "4", CHANGED, CHANGED]),
        // One line replaced, one deleted, one inserted.
        (FOUR.replace("LDI 2", "LDI 9"), ["1", CHANGED, "3", "4", "", ""]),
        (FOUR.replace(" LDI 2\n", ""), ["1", "2", "3", "", "", ""]),
        (FOUR.replace(" LDI 3", "\n LDI 9\n LDI 3"), ["1", "2", CHANGED, CHANGED, "5", "6"]),
    ] {
        let mut client = Client::at_entry_of(FOUR, &json!({}));
        client.write(&now);
        let lines: Vec<u32> =
            (1..=6).take_while(|n| !expected[*n as usize - 1].is_empty()).collect();
        let set_lines = set(&mut client, PATH, &lines);
        assert_eq!(set_lines, expected[..lines.len()], "{now}");
        // The machine stops at the line where the client sees the breakpoint.
        let verified = set_lines.iter().rfind(|line| *line != CHANGED).unwrap();
        set(&mut client, PATH, &[verified.parse().unwrap()]);
        assert_eq!(client.go("continue", &json!({})), format!("breakpoint at {verified}"));
        assert_eq!(client.value("PC"), "0x03 (3)", "{now}");
        // The new program has all of the breakpoints.
        set(&mut client, PATH, &[1, 2]);
        client.ask("restart", &json!({}));
        client.stop();
        let set_lines = set(&mut client, PATH, &[1]);
        assert_eq!(set_lines, [if now.starts_with(';') { "2" } else { "1" }]);
    }
}

#[test]
fn a_changed_include_does_not_affect_breakpoints_in_other_files() {
    let mut client = Client::new();
    client.programs.write("/programs/k.asm", ".macro two\n LDI 1\n LDI 2\n.endmacro\n");
    client.write(".include \"k.asm\"\n two\n HALT\n");
    client.ask("initialize", &json!({ "adapterID": "gray1" }));
    client.ask("launch", &json!({ "program": PATH, "stopOnEntry": true }));
    client.ask("configurationDone", &json!({}));
    client.stop();
    client.programs.write("/programs/k.asm", "; new\n.macro two\n LDI 9\n LDI 2\n.endmacro\n");
    assert_eq!(set(&mut client, "/link/k.asm", &[3, 4]), [CHANGED, "4"]);
    assert_eq!(set(&mut client, PATH, &[3]), ["3"]);
    assert_eq!(client.go("continue", &json!({})), "breakpoint at 4 2");
    let source = json!({ "path": "/programs/k.asm" });
    let locations = json!({ "source": source, "line": 1, "endLine": 9 });
    assert_eq!(
        client.ask("breakpointLocations", &locations)["breakpoints"],
        json!([{ "line": 4 }])
    );
    let targets = |client: &mut Client, line: u32| {
        client.ask("gotoTargets", &json!({ "source": source, "line": line }))["targets"].clone()
    };
    assert_eq!(targets(&mut client, 3), json!([]));
    assert_eq!(targets(&mut client, 4)[0]["line"], 4);
    client.programs.write("/programs/k.asm", "");
    assert_eq!(set(&mut client, "/link/k.asm", &[1]), [CHANGED]);
}
