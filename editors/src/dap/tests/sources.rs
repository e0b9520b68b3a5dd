//! Sources: files on disk by their paths, what is inside the adapter by its number.

use serde_json::{Value, json};

use super::client::{Client, PATH};

/// Includes a file that every copy of the adapter brings along.
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
fn the_text_of_a_built_in_file_is_had_by_its_number_in_either_place() {
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
fn breakpoints_stand_in_a_file_with_a_number_too() {
    let mut client = at_entry();
    let built_in = gray1_programs::file("lib/std.asm").unwrap().text;
    let body = built_in.lines().position(|line| line.starts_with(".macro set ")).unwrap() + 3;
    let source = json!({ "sourceReference": 2 });
    let breakpoints = json!({ "source": source, "breakpoints": [{ "line": body }] });
    let set = client.ask("setBreakpoints", &breakpoints)["breakpoints"].clone();
    assert_eq!(set[0]["source"], json!({ "name": "built-in:lib/std.asm", "sourceReference": 2 }));
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(body)));
    let locations = json!({ "source": source, "line": body, "endLine": body });
    let told = client.ask("breakpointLocations", &locations);
    assert_eq!(told, json!({ "breakpoints": [{ "line": body }] }));
    assert!(client.go("continue", &json!({})).starts_with("breakpoint"));
}

#[test]
fn breakpoints_can_stand_at_lines_that_are_executed() {
    let mut client = Client::at_entry_of(" LDI 1\n\n; a comment\n ST 0\n HALT\n", &json!({}));
    for (line, end, expected) in [
        (1, Some(5), json!([{ "line": 1 }, { "line": 4 }, { "line": 5 }])),
        (2, Some(4), json!([{ "line": 4 }])),
        (1, None, json!([{ "line": 1 }])),
        (2, None, json!([])),
    ] {
        let source = json!({ "path": PATH });
        let arguments = json!({ "source": source, "line": line, "endLine": end });
        let told = client.ask("breakpointLocations", &arguments);
        assert_eq!(told["breakpoints"], expected, "{line} to {end:?}");
    }
    let elsewhere = json!({ "source": { "path": "elsewhere.asm" }, "line": 1 });
    let refusal = client.refusal("breakpointLocations", &elsewhere);
    assert_eq!(refusal, "the program has no such source");
}
