//! `gray1 lsp`, beyond what is wrong and where it is: what an editor shows beside a text, in it and
//! above it, and the changes that it offers.

use gray1_isa::SplitMix64;
use serde_json::{Value, json};

use crate::support::editor::{Editor, REQUESTS, location, locations, range};
use crate::support::{Bench, root};

const PROGRAM: &str = "\
; é𝄞 A program.
.title \"é𝄞\"
.include \"lib/panel.asm\"
SIZE    = 6 * 7
.var    total, 2                ; é𝄞
.struct point
  .var  x
.endstruct

.macro  twice to, value = SIZE
        LDI  value
@again: ST   to
.endmacro
.function half(n) = max(n, 1) / 2

start:  twice total
@loop:  JC   @loop
.repeat 2, n
row{n}: LDI  half(n)
.endrepeat
        twice total, value = 3
        .call show(5, 6)
done:   HALT

.routine show(a, b) -> c
  .var  rest
        LD   a
        ST   c
.endroutine
";

/// How many lines it has.
const LINES: usize = 29;

/// The program in the editor of a client that can do everything.
fn program_in_editor() -> Editor {
    let introduction = json!({ "capabilities": {
        "textDocument": {
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "signatureHelp": { "signatureInformation": {
                "parameterInformation": { "labelOffsetSupport": true },
            } },
        },
        "workspace": { "inlayHint": { "refreshSupport": true } },
    } });
    let mut editor = Editor::with(Bench::new(), &introduction);
    editor.open("main.asm", PROGRAM);
    editor
}

/// The parameters of a request about a whole document.
fn whole(editor: &Editor, name: &str) -> Value {
    let range = json!({
        "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 },
    });
    json!({ "textDocument": { "uri": editor.uri(name) }, "range": range })
}

/// Symbols, a line each: what is inside of others is indented.
fn outline(symbols: &Value, depth: usize, lines: &mut Vec<String>) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let (name, kind) = (symbol["name"].as_str().unwrap(), &symbol["kind"]);
        let detail = symbol["detail"].as_str().map_or(String::new(), |text| format!(" [{text}]"));
        let (all, own) = (range(&symbol["range"]), range(&symbol["selectionRange"]));
        lines.push(format!("{:depth$}{name} {kind}{detail} {own} in {all}", ""));
        outline(&symbol["children"], depth + 2, lines);
    }
}

#[test]
fn the_outline_nests_blocks_and_local_names() {
    let mut editor = program_in_editor();
    let params = whole(&editor, "main.asm");
    let mut lines = Vec::new();
    outline(&editor.request("textDocument/documentSymbol", &params), 0, &mut lines);
    assert_eq!(
        lines,
        [
            "SIZE 14 [42] 3:0-4 in 3:0-15",
            "total 13 [0x0000] 4:8-13 in 4:0-37",
            "point 23 [1] 5:8-13 in 5:0-7:10",
            "  x 8 [0] 6:8-9 in 6:0-9",
            "twice 12 [to, value = SIZE] 9:8-13 in 9:0-12:9",
            "  @again 24 11:0-6 in 11:0-15",
            "half 12 [(n) = max(n, 1) / 2] 13:10-14 in 13:0-33",
            "start 24 [0x0000] 15:0-5 in 15:0-17:12",
            "  @loop 24 [0x0002] 16:0-5 in 16:0-18",
            "row{n} 24 18:0-6 in 18:0-21:24",
            "done 24 [0x000d] 22:0-4 in 22:0-12",
            "show 12 [(a, b) -> c] 24:9-13 in 24:0-28:11",
            "  rest 13 [0x0005] 25:8-12 in 25:0-12",
        ]
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_client_that_nests_nothing_gets_the_outline_in_a_row() {
    let mut editor = Editor::new(Bench::new());
    editor.open("main.asm", PROGRAM);
    let params = whole(&editor, "main.asm");
    let symbols = editor.request("textDocument/documentSymbol", &params);
    let line = |symbol: &Value| {
        let around = symbol["containerName"].as_str().unwrap_or("-");
        format!("{} {around} {}", symbol["name"].as_str().unwrap(), location(&symbol["location"]))
    };
    let lines: Vec<String> = symbols.as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines[..4],
        [
            "SIZE - main.asm 3:0-15",
            "total - main.asm 4:0-37",
            "point - main.asm 5:0-7:10",
            "x point main.asm 6:0-9",
        ]
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn signatures_show_the_parameter_that_is_being_written() {
    let mut editor = program_in_editor();
    for (line, expected) in [
        ("        LDI ", "LDI <n>"),
        ("        ld  total, ", "LD a 1"),
        ("a: b:   SHR ", "SHR"),
        ("        twice ", "twice <to>, value = SIZE"),
        ("        twice total, ", "twice to, <value = SIZE>"),
        ("        twice value = ", "twice to, <value = SIZE>"),
        ("        twice max(1, 2), ", "twice to, <value = SIZE>"),
        ("        twice max(", "max(<a>, b)"),
        ("        LDI  max(half(1), (2", "max(a, <b>)"),
        ("        LDI  half(", "half(<n>) = max(n, 1) / 2"),
        ("        .call show(5, ", "show(a, <b>) -> c"),
        ("        .call ", ".call <name(argument, …)>"),
        (".var é𝄞, ", ".var name, <size>"),
        (".allow unused, carry, ", ".allow warning, <…>"),
        (".function third(", ".function <name(parameter, …) = expression>"),
    ] {
        let text = format!("{PROGRAM}{line}");
        editor.change("main.asm", &text);
        let place = json!({
            "textDocument": { "uri": editor.uri("main.asm") },
            "position": { "line": LINES, "character": line.encode_utf16().count() },
        });
        let help = editor.request("textDocument/signatureHelp", &place);
        let signature = &help["signatures"][0];
        let label = signature["label"].as_str().unwrap();
        let parameters = signature["parameters"].as_array().unwrap();
        let active = help["activeParameter"].as_u64().unwrap() as usize;
        let shown = parameters.get(active).map_or_else(
            || label.to_owned() + &format!(" {active}").replace(" 0", ""),
            |parameter| {
                let [start, end] = [0, 1].map(|n| parameter["label"][n].as_u64().unwrap() as usize);
                let units: Vec<u16> = label.encode_utf16().collect();
                let part = |range: &[u16]| String::from_utf16(range).unwrap();
                let (before, behind) = (part(&units[..start]), part(&units[end..]));
                format!("{before}<{}>{behind}", part(&units[start..end]))
            },
        );
        assert_eq!(shown, expected, "{line}");
        assert!(!signature["documentation"]["value"].as_str().unwrap_or("-").is_empty());
    }
    for nothing in ["", "        LDI", "        nothing ", "        LDI 5 ; max(", "x: "] {
        let text = format!("{PROGRAM}{nothing}");
        editor.change("main.asm", &text);
        let end = json!({ "line": LINES, "character": nothing.len() });
        let answer = editor.ask("textDocument/signatureHelp", "main.asm", &end);
        assert_eq!(answer["result"], Value::Null, "{nothing}");
    }
    assert_eq!(editor.end(), Some(0));
}

/// The place of a position in a text, in bytes; it must be inside of it, between two characters.
#[track_caller]
fn offset(text: &str, position: &Value) -> usize {
    let [line, character] = ["line", "character"].map(|n| position[n].as_u64().unwrap() as usize);
    let found = text.split('\n').nth(line);
    let found = found.unwrap_or_else(|| panic!("{position} is behind the text"));
    let found = found.strip_suffix('\r').unwrap_or(found);
    let start = found.as_ptr().addr() - text.as_ptr().addr();
    let ends = found.char_indices().map(|(at, _)| at).chain([found.len()]);
    let mut ends = ends.filter(|&at| found[..at].encode_utf16().count() == character);
    start + ends.next().unwrap_or_else(|| panic!("{position} is in no place of {found:?}"))
}

/// The text after an edit.
fn edited(text: &str, edit: &Value) -> String {
    let [start, end] = ["start", "end"].map(|end| offset(text, &edit["range"][end]));
    [&text[..start], edit["newText"].as_str().unwrap(), &text[end..]].concat()
}

#[test]
fn quick_fixes_do_what_the_help_says() {
    let mut editor = program_in_editor();
    let rest =
        ".var a\nFIVE = 5\n ST a\n HALT\n.macro copy from, to\n LD from\n ST to\n.endmacro\n";
    for (wrong, title, right) in [
        (" LDI é𝄞 + FIEV", None, ""),
        (" LDI 1 + FIEV ; é𝄞", Some("Change `FIEV` to `FIVE`"), " LDI 1 + FIVE ; é𝄞"),
        (" LDI (FIEV)", Some("Change `FIEV` to `FIVE`"), " LDI (FIVE)"),
        (" LDI FIV{2+2}", None, ""),
        (" LDA 5", None, ""),
        (" JPM 5", Some("Change `JPM` to `JMP`"), " JMP 5"),
        (" LDI maxx(1, 2)", Some("Change `maxx` to `max`"), " LDI max(1, 2)"),
        (" var b", Some("Change `var` to `.var`"), " .var b"),
        (".vra b", Some("Change `.vra` to `.var`"), ".var b"),
        ("é: macro b c", None, ""),
        ("x: macro b c", Some("Change `macro` to `.macro`"), "x: .macro b c"),
        ("start LDI 5", Some("Change `start` to `start:`"), "start: LDI 5"),
        (" LDI 0FFh", Some("Change `0FFh` to `0xFF`"), " LDI 0xFF"),
        (" LDI $7F ; \t", Some("Change `$7F` to `0x7F`"), " LDI 0x7F ; \t"),
        (" LDI %101", Some("Change `%101` to `0b101`"), " LDI 0b101"),
        (" LDI 5 // five", Some("Change `//` to `;`"), " LDI 5 ; five"),
        ("# five", Some("Change `#` to `;`"), "; five"),
        (" LD (a)", Some("Change `(a)` to `a`"), " LD a"),
        (" LD 7", Some("Change `7` to `#7`"), " LD #7"),
        (
            ".include \"lib/panl.asm\"",
            Some("Change `\"lib/panl.asm\"` to `\"lib/panel.asm\"`"),
            ".include \"lib/panel.asm\"",
        ),
        (".allow unsued", Some("Change `unsued` to `unused`"), ".allow unused"),
    ] {
        let text = format!("{wrong}\n{rest}");
        editor.change("main.asm", &text);
        assert!(!editor.diagnostics("main.asm").is_empty(), "{wrong}");
        let mut params = whole(&editor, "main.asm");
        params["range"]["end"] = json!({ "line": 0, "character": 99 });
        params["context"] = json!({ "diagnostics": [], "only": ["quickfix"] });
        let fixes = editor.request("textDocument/codeAction", &params);
        assert_eq!(fixes[0]["title"].as_str(), title, "{wrong}: {fixes}");
        if title.is_some() {
            let edit = &fixes[0]["edit"]["changes"][editor.uri("main.asm")][0];
            assert_eq!(edited(&text, edit), format!("{right}\n{rest}"), "{wrong}");
            assert_eq!(fixes[0]["diagnostics"][0]["source"], "gray1");
        }
        params["context"]["only"] = json!(["refactor"]);
        assert_eq!(editor.request("textDocument/codeAction", &params), json!([]));
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn quick_fixes_insert_the_lines_that_are_missing() {
    let mut editor = program_in_editor();
    for (text, line) in [
        // Behind the lines that a program starts with.
        ("|.pool\n.var a\n increment a\n HALT\n", ".include \"lib/std.asm\"\n"),
        (".title \"t\"\n|; A.\n.pool\n not 5\n HALT\n", ".include \"lib/std.asm\"\n"),
        (
            "; A.\n\n.include \"lib/panel.asm\"\n|.pool\n not 5\n HALT\n",
            ".include \"lib/std.asm\"\n",
        ),
        // In front of the first instruction.
        (".var a\n|start: ADD #5\n JMP start\n", ".pool\n"),
        (".macro m\n ADD #5\n.endmacro\n|  m\n HALT\n", ".pool\n"),
        ("|.repeat 2\n ADD #5\n.endrepeat\n HALT\n", ".pool\n"),
        // Behind the last one.
        (" LDI 5\n ST 0x1fff ; é𝄞|", "\n        HALT"),
        (".include \"lib/std.asm\"\n set 0x1fff, 5|\n", "\n        HALT"),
        // The end is in a block, whose lines may be there several times.
        (".macro m\n LDI 5\n.endmacro\n m\n|", ""),
        (".repeat 2\n LDI 5\n.endrepeat\n|", ""),
    ] {
        let (before, behind) = text.split_once('|').unwrap();
        let wrong = [before, behind].concat();
        editor.change("main.asm", &wrong);
        let mut params = whole(&editor, "main.asm");
        params["context"] = json!({ "diagnostics": [] });
        let fixes = editor.request("textDocument/codeAction", &params);
        if line.is_empty() {
            assert_eq!(fixes, json!([]), "{text}");
            continue;
        }
        assert_eq!(fixes[0]["title"], format!("Insert `{}`", line.trim()), "{text}");
        let right = edited(&wrong, &fixes[0]["edit"]["changes"][editor.uri("main.asm")][0]);
        assert_eq!(right, [before, line, behind].concat());
        editor.change("main.asm", &right);
        let left = editor.diagnostics("main.asm");
        let is_mended = |line: &String| !line.contains("error") && !line.contains("erased");
        assert!(left.iter().all(is_mended), "{right}: {left:?}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn built_in_files_are_shown_as_copies() {
    let mut editor = program_in_editor();
    let text = format!("{PROGRAM} LDI RED\n");
    editor.change("main.asm", &text);
    let place = editor.place("main.asm", &text, "RED");
    let found = editor.request("textDocument/definition", &place);
    assert_eq!(found.as_array().unwrap().len(), 1);
    let uri = found[0]["uri"].as_str().unwrap().to_owned();
    let path = std::path::PathBuf::from(uri.strip_prefix("file://").unwrap());
    assert!(path.starts_with(editor.bench.path("cache").canonicalize().unwrap()), "{uri}");
    assert!(path.ends_with("lib/panel.asm"), "{uri}");
    assert!(path.metadata().unwrap().permissions().readonly());
    let panel = std::fs::read_to_string(&path).unwrap();
    let original = root().join("programs/lib/panel.asm");
    assert_eq!(panel, std::fs::read_to_string(original).unwrap());
    assert!(panel[offset(&panel, &found[0]["range"]["start"])..].starts_with("RED"));

    // The name of the file leads there as well.
    let place = editor.place("main.asm", &text, "lib/panel");
    let found = editor.request("textDocument/definition", &place);
    assert_eq!(locations(&found), ["panel.asm 0:0-0"]);

    // An editor that opens the copy sees it as a part of the program.
    let document = json!({ "uri": uri, "languageId": "gray1", "version": 1, "text": panel });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let (before, _) = panel.split_once("RED ").unwrap();
    let mut params = json!({
        "textDocument": { "uri": uri },
        "position": { "line": before.matches('\n').count(), "character": 0 },
        "context": { "includeDeclaration": false },
        "newName": "SCARLET",
    });
    let used = editor.request("textDocument/references", &params);
    assert!(locations(&used).contains(&format!("main.asm {LINES}:5-8")), "{used}");
    let answer = editor.response("textDocument/rename", &params);
    assert_eq!(answer["error"]["message"], "it is used in built-in:lib/panel.asm too");
    // It stays one when the program is closed.
    editor.close("main.asm");
    params["position"]["character"] = json!(1);
    assert!(editor.request("textDocument/hover", &params)["contents"].is_object());
    assert_eq!(editor.end(), Some(0));
}

/// Tokens as they are sent, a line each: place, text, type, modifiers.
fn tokens(editor: &mut Editor, method: &str, params: &Value, text: &str) -> Vec<String> {
    let legend = &editor.capabilities["semanticTokensProvider"]["legend"].clone();
    let found = editor.request(&format!("textDocument/semanticTokens/{method}"), params);
    let data: Vec<u64> = serde_json::from_value(found["data"].clone()).unwrap();
    let (mut line, mut character) = (0, 0);
    let mut lines = Vec::new();
    for token in data.chunks(5) {
        let &[down, right, length, kind, modifiers] = token else { panic!("{token:?}") };
        character = if down == 0 { character + right } else { right };
        line += down;
        let [start, end] = [character, character + length]
            .map(|character| offset(text, &json!({ "line": line, "character": character })));
        let mut words = vec![format!("{line}:{character} {}", &text[start..end])];
        words.push(legend["tokenTypes"][kind as usize].as_str().unwrap().to_owned());
        for (bit, name) in legend["tokenModifiers"].as_array().unwrap().iter().enumerate() {
            if modifiers >> bit & 1 == 1 {
                words.push(name.as_str().unwrap().to_owned());
            }
        }
        lines.push(words.join(" "));
    }
    lines
}

#[test]
fn semantic_tokens_tell_what_each_word_is() {
    let mut editor = program_in_editor();
    let mut params = whole(&editor, "main.asm");
    let all = tokens(&mut editor, "full", &params, PROGRAM);
    assert_eq!(
        all[..10],
        [
            "0:0 ; é𝄞 A program. comment",
            "1:0 .title decorator",
            "1:7 \"é𝄞\" string",
            "2:0 .include decorator",
            "2:9 \"lib/panel.asm\" string",
            "3:0 SIZE variable definition readonly",
            "3:10 6 number",
            "3:14 7 number",
            "4:0 .var decorator",
            "4:8 total variable definition",
        ]
    );
    params["range"] = json!({
        "start": { "line": 13, "character": 0 }, "end": { "line": 18, "character": 5 },
    });
    assert_eq!(
        tokens(&mut editor, "range", &params, PROGRAM),
        [
            "13:0 .function decorator",
            "13:10 half function definition",
            "13:15 n parameter definition",
            "13:20 max function defaultLibrary",
            "13:24 n parameter",
            "13:27 1 number",
            "13:32 2 number",
            "15:0 start label definition",
            "15:8 twice macro",
            "15:14 total variable",
            "16:0 @loop label definition",
            "16:8 JC keyword",
            "16:13 @loop label",
            "17:0 .repeat decorator",
            "17:8 2 number",
            "17:11 n parameter definition",
            "18:0 row label definition",
            "18:4 n parameter",
            "18:8 LDI keyword",
            "18:13 half function",
            "18:18 n parameter",
        ]
    );
    // What has no meaning is left to the editor's grammar.
    editor.change("main.asm", " LDI nothing\n.nothing\n nothing 5\n");
    let params = whole(&editor, "main.asm");
    let text = " LDI nothing\n.nothing\n nothing 5\n";
    let found = tokens(&mut editor, "full", &params, text);
    assert_eq!(found, ["0:1 LDI keyword", "2:9 5 number"]);
    assert_eq!(editor.end(), Some(0));
}

/// What the server asks for when other hints are to be shown.
const REFRESH: &str = "workspace/inlayHint/refresh";

/// Hints, a line each: place and text.
fn hints(editor: &mut Editor) -> Vec<String> {
    let params = whole(editor, "main.asm");
    let found = editor.request("textDocument/inlayHint", &params);
    let line = |hint: &Value| {
        let at = &hint["position"];
        assert!(offset(PROGRAM, at) > 0);
        format!("{}:{} {}", at["line"], at["character"], hint["label"].as_str().unwrap())
    };
    found.as_array().unwrap().iter().map(line).collect()
}

#[test]
fn hints_tell_addresses_and_costs_as_far_as_they_are_wanted() {
    let mut editor = program_in_editor();
    let all = hints(&mut editor);
    assert_eq!(
        all,
        [
            "4:16 0x0000 to 0x0001",
            "15:19 0x0000",
            "15:19 2 instructions",
            "16:18 0x0002",
            "20:30 2 instructions",
            "21:24 6 instructions",
            "22:12 0x000d",
            "24:24 0x000e",
            "25:12 0x0005",
        ]
    );
    let of_kind = |is_cost: bool| -> Vec<String> {
        all.iter().filter(|hint| hint.ends_with("instructions") == is_cost).cloned().collect()
    };
    // The client is asked to ask again, whichever way it sends settings.
    let settings = json!({ "settings": { "gray1": { "inlayHints": { "costs": false } } } });
    editor.notify("workspace/didChangeConfiguration", &settings);
    let asked = editor.next();
    assert_eq!((&asked["id"], &asked["method"]), (&json!(1), &json!(REFRESH)));
    editor.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": null }));
    assert_eq!(hints(&mut editor), of_kind(false));
    let settings = json!({ "inlayHints": { "costs": true, "addresses": false } });
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": settings }));
    let asked = editor.next();
    assert_eq!((&asked["id"], &asked["method"]), (&json!(2), &json!(REFRESH)));
    assert_eq!(hints(&mut editor), of_kind(true));
    // Without news it is left alone.
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": settings }));
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": null }));
    assert_eq!(hints(&mut editor), of_kind(true));
    assert_eq!(editor.end(), Some(0));

    let none = json!({ "inlayHints": { "addresses": false, "costs": false } });
    let introduction = json!({ "capabilities": {}, "initializationOptions": none });
    let mut editor = Editor::with(Bench::new(), &introduction);
    editor.open("main.asm", PROGRAM);
    assert_eq!(hints(&mut editor), [""; 0]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn lenses_stand_above_the_first_instruction() {
    let mut editor = program_in_editor();
    let params = whole(&editor, "main.asm");
    let path = editor.bench.path("").canonicalize().unwrap();
    let [program, tests] = ["main.asm", "main.test.ron"].map(|name| path.join(name));
    let lens = |title: &str, command: &str, argument: Value| {
        let place = json!({ "line": 15, "character": 8 });
        json!({
            "range": { "start": place, "end": place },
            "command": { "title": title, "command": command, "arguments": [argument] },
        })
    };
    let debug = lens("Debug", "gray1.debug", json!({ "program": program }));
    assert_eq!(editor.request("textDocument/codeLens", &params), json!([debug]));
    let case = |name: &str| format!("(name: {name:?}, steps: [Halts])");
    for (text, title) in [
        (format!("Tests(version: 1, cases: [{}])", case("a")), "Run 1 test"),
        (format!("Tests(version: 1, cases: [{}, {}])", case("a"), case("b")), "Run 2 tests"),
        ("Tests(version: 1, cases: [".to_owned(), "Run tests"),
    ] {
        std::fs::write(&tests, text).unwrap();
        let argument = json!({ "program": program, "tests": tests });
        let found = editor.request("textDocument/codeLens", &params);
        assert_eq!(found, json!([debug, lens(title, "gray1.test", argument)]));
    }
    // A library does not start anywhere.
    editor.change("main.asm", ".macro m\n HALT\n.endmacro\n");
    assert_eq!(editor.request("textDocument/codeLens", &params), json!([]));
    assert_eq!(editor.end(), Some(0));
}

/// Checks that all places in an answer are in the text that they are about.
fn check_places(answer: &Value, text: &str) {
    match answer {
        // Places in other files.
        Value::Object(object) if object.get("uri").is_some_and(|uri| !is_main(uri)) => {}
        Value::Object(object) if object.contains_key("character") => {
            offset(text, answer);
        }
        Value::Object(object) => object.values().for_each(|value| check_places(value, text)),
        Value::Array(array) => array.iter().for_each(|value| check_places(value, text)),
        _ => {}
    }
}

fn is_main(uri: &Value) -> bool {
    uri.as_str().is_some_and(|uri| uri.ends_with("/main.asm"))
}

#[test]
fn places_are_in_the_text_whatever_it_has_become() {
    const PIECES: [&str; 14] = [
        "",
        "\n",
        "\r\n",
        "é𝄞",
        ":",
        "(",
        "{",
        "\"",
        ";",
        "@",
        "= FIEV",
        ".macro é\n",
        ".endmacro\n",
        "row{n}: ",
    ];
    let mut editor = program_in_editor();
    let mut random = SplitMix64::new(15);
    let mut below = |n: usize| random.below(n as u64) as usize;
    let mut text = PROGRAM.to_owned();
    for turn in 0..150 {
        if turn % 10 == 0 {
            PROGRAM.clone_into(&mut text);
        }
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let start = below(ends.len());
        let end = (start + below(8)).min(ends.len() - 1);
        text.replace_range(ends[start]..ends[end], PIECES[below(PIECES.len())]);
        editor.change("main.asm", &text);
        let place = json!({ "line": below(text.lines().count() + 2), "character": below(40) });
        for method in REQUESTS {
            let answer = editor.ask(method, "main.asm", &place);
            assert!(answer["error"]["code"].as_i64().is_none_or(|code| code == -32803), "{answer}");
            if !method.contains("semanticTokens") {
                check_places(&answer["result"], &text);
            }
        }
        let params = whole(&editor, "main.asm");
        tokens(&mut editor, "full", &params, &text);
    }
    assert_eq!(editor.end(), Some(0));
}
