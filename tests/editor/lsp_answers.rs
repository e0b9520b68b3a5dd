//! `gray1 lsp`: formatting of ranges, completion of file names, names in all programs, and
//! settings.

use serde_json::{Value, json};

use crate::support::Bench;
use crate::support::editor::{Editor, location, range};

/// Returns a document after applying the answer's edit. There is at most one edit.
fn edited(text: &str, edits: &Value) -> String {
    let Some(edit) = edits.as_array().unwrap().first() else { return text.to_owned() };
    assert_eq!((&edits[1], &edit["range"]["start"]["character"]), (&Value::Null, &json!(0)));
    let line = |end: &str| edit["range"][end]["line"].as_u64().unwrap() as usize;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let new = edit["newText"].as_str().unwrap();
    lines[..line("start")].concat() + new + &lines[line("end")..].concat()
}

#[test]
fn a_part_of_a_document_is_formatted_and_the_rest_is_not() {
    let mut editor = Editor::new(Bench::new());
    let text = "ldi 1\nshr\n.repeat 2\nadd 5\nFLY (\n.endrepeat\nhalt";
    editor.open("p.asm", text);
    let mut format = |first: (u32, u32), last: (u32, u32)| {
        let place = |(line, character)| json!({ "line": line, "character": character });
        let params = json!({
            "textDocument": { "uri": editor.uri("p.asm") },
            "range": { "start": place(first), "end": place(last) },
            "options": { "tabSize": 8, "insertSpaces": true },
        });
        edited(text, &editor.request("textDocument/rangeFormatting", &params))
    };
    let shr = text.replace("shr", "        SHR");
    assert_eq!(format((1, 1), (1, 2)), shr, "the lines that it touches");
    assert_eq!(format((1, 0), (2, 0)), shr, "not the one that it ends before");
    let both = shr.replace("ldi 1", "        LDI  1");
    assert_eq!(format((0, 0), (1, 2)), both, "the line that it ends in");
    assert_eq!(format((4, 0), (4, 3)), text, "a mistake stays");
    let rest = format((2, 0), (99, 0));
    assert!(rest.starts_with("ldi 1\nshr\n.repeat 2\n"), "{rest}");
    assert!(rest.contains("FLY (\n.endrepeat\n        HALT"), "{rest}");
    assert_eq!(format((99, 0), (99, 9)), text);
    // A line gets the columns that the lines around it would give it.
    let text = "        LDI  1                  ; one\n                                ; more\n        \
        ; Show it.\n        ST   0x1fff\n";
    editor.change("p.asm", text);
    for line in 0..4 {
        let params = json!({
            "textDocument": { "uri": editor.uri("p.asm") },
            "range": { "start": { "line": line, "character": 0 },
                "end": { "line": line + 1, "character": 0 } },
            "options": { "tabSize": 8, "insertSpaces": true },
        });
        let edits = editor.request("textDocument/rangeFormatting", &params);
        assert_eq!(edits, json!([]), "line {line}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn files_to_include_are_offered() {
    let bench = Bench::new().file("words.asm", "").file("p.asm", "").file("notes.txt", "");
    let bench = bench.file("more/inner.asm", "").file("course/\u{e9} x.asm", "");
    let mut editor = Editor::new(bench);
    editor.open("p.asm", "");
    let settings = json!({ "settings": { "gray1": { "include": [editor.bench.path("course")] } } });
    editor.notify("workspace/didChangeConfiguration", &settings);
    let mut offered = |line: &str| {
        editor.change("p.asm", line);
        let character = line.encode_utf16().count();
        let params = json!({
            "textDocument": { "uri": editor.uri("p.asm") },
            "position": { "line": 0, "character": character },
        });
        let found = editor.request("textDocument/completion", &params);
        let found = found.as_array().unwrap().clone();
        let labels = found.iter().map(|item| item["label"].as_str().unwrap().to_owned());
        let replaced = found.first().map(|item| range(&item["textEdit"]["range"]));
        (labels.collect::<Vec<String>>(), replaced.unwrap_or_default())
    };
    let (all, replaced) = offered("x: .include \"w");
    assert_eq!(replaced, "0:13-14");
    for name in ["words.asm", "more/", "course/", "lib/std.asm", "\u{e9} x.asm"] {
        assert!(all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    for name in ["p.asm", "notes.txt", "queens.asm", "inner.asm"] {
        assert!(!all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    assert_eq!(offered(".include \"more/in"), (vec!["more/inner.asm".into()], "0:10-17".into()));
    assert!(offered(".include \"lib/").0.contains(&"lib/panel.asm".to_owned()));
    assert_eq!(offered(".include \"no/"), (Vec::new(), String::new()));
    for elsewhere in [".include \"w\"", ".title \"w", " LDI \"w", "; .include \"w"] {
        assert!(!offered(elsewhere).0.contains(&"words.asm".to_owned()), "{elsewhere}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn names_are_found_in_all_programs() {
    let bench = Bench::new().file("words.asm", "SIX = 6\n.macro sixty\n LDI 60\n.endmacro\n");
    let mut editor = Editor::new(bench);
    let text = ".include \"words.asm\"\n.include \"lib/panel.asm\"\nat_six: LDI SIX + SIX\n HALT\n";
    editor.open("a.asm", text);
    editor.open("b.asm", text);
    let mut symbols = |query: &str| {
        let found = editor.request("workspace/symbol", &json!({ "query": query }));
        let symbol =
            |it: &Value| format!("{} {}", it["name"].as_str().unwrap(), location(&it["location"]));
        found.as_array().unwrap().iter().map(symbol).collect::<Vec<_>>()
    };
    let six = ["at_six a.asm 2:0-3:5", "SIX words.asm 0:0-7", "sixty words.asm 1:0-3:9"];
    assert_eq!(symbols("six")[..3], six);
    assert_eq!(symbols("six")[3..], ["at_six b.asm 2:0-3:5"]);
    assert_eq!(symbols("sXy"), ["sixty words.asm 1:0-3:9"]);
    assert_eq!(symbols("RED"), [""; 0], "what is built in is in no program of the user");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_client_that_can_watch_files_is_asked_to() {
    let capability = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let introduction = json!({ "capabilities": { "workspace": capability } });
    let mut editor = Editor::with(Bench::new(), &introduction);
    let asked = editor.next();
    assert_eq!(asked["method"], "client/registerCapability");
    let registration = &asked["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    let watchers = json!([{ "globPattern": "**/*.{asm,ron}" }]);
    assert_eq!(registration["registerOptions"]["watchers"], watchers);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn settings_give_values_and_folders_to_all_programs() {
    let bench = Bench::new().file("course/words.asm", "").file("p.asm", "");
    let root = format!("file://{}", bench.path("").display());
    let settings = json!({ "define": ["N=3", "M"], "include": ["course"] });
    let introduction =
        json!({ "capabilities": {}, "rootUri": root, "initializationOptions": settings });
    let mut editor = Editor::silent(bench);
    let version =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": introduction });
    editor.send(&version);
    let complaint = editor.next();
    assert_eq!(complaint["method"], "window/showMessage");
    let message = "gray1.define: `M`: expected NAME=value";
    assert_eq!(complaint["params"], json!({ "type": 1, "message": message }));
    assert_eq!(editor.next()["id"], 1);
    editor.notify("initialized", &json!({}));
    let text = ".include \"words.asm\"\n.default N = 1\n.if N != 3\n FLY\n.endif\n LDI N\n HALT\n";
    editor.open("p.asm", text);
    assert_eq!(editor.diagnostics("p.asm"), [""; 0]);
    editor.open("other.asm", " LDI 5\n HALT\n");
    assert_eq!(editor.diagnostics("other.asm"), [""; 0], "the value is for the other program");
    let settings = json!({ "settings": { "gray1": { "define": [] } } });
    editor.notify("workspace/didChangeConfiguration", &settings);
    editor.change("p.asm", text);
    assert_eq!(
        editor.diagnostics("p.asm"),
        ["3:1-4 error: unknown instruction `FLY` | help: for a label, write `FLY:`"]
    );
    assert_eq!(editor.end(), Some(0));
}
