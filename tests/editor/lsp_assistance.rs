//! `gray1 lsp`: what an editor shows in and above the source (hints, lenses, tokens), and the
//! changes that it offers. `tests/data/editor/answers.txt` has the answers to every request about
//! `main.asm` in that folder. `UPDATE_GOLDENS=1 cargo test --test gray1 every_request` writes it.

use std::fmt::Write as _;

use gray1_isa::SplitMix64;
use serde_json::{Value, json};

use crate::support::editor::{Editor, REQUESTS, locations, range};
use crate::support::{Bench, root};

const PROGRAM: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/editor/main.asm"));
const WORDS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/editor/words.asm"));
const TESTS: &str = "Tests(version: 1, cases: [(name: \"a\", steps: [Halts])])";

/// The number of lines of the program.
const LINES: usize = 35;

/// The program, in an editor whose client supports everything.
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
    let bench = Bench::new().file("words.asm", WORDS).file("main.test.ron", TESTS);
    let mut editor = Editor::with(bench, &introduction);
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

/// Requests about places in the program. Requests that do not need a place use the start.
const QUESTIONS: [(&str, &[&str]); 15] = [
    (
        "textDocument/hover",
        &[
            "copy total",
            "total + 1",
            "SIZE ;",
            "row{n}",
            "n) : SIZE",
            "LDI  len",
            ".repeat",
            "A pro",
        ],
    ),
    ("textDocument/signatureHelp", &["value = 3", "show(5", "n) : SIZE", "done"]),
    ("textDocument/definition", &["copy total", "words.asm", "total + 1", "n) : SIZE"]),
    ("textDocument/references", &["SIZE ;", "A pro"]),
    ("textDocument/documentHighlight", &["SIZE ;"]),
    ("textDocument/prepareRename", &["start:", "JC "]),
    ("textDocument/rename", &["copy total", "row{n}"]),
    ("textDocument/completion", &["total + 1", "copy total", "carry", "A pro"]),
    ("textDocument/documentSymbol", &[""]),
    ("workspace/symbol", &[""]),
    ("textDocument/inlayHint", &[""]),
    ("textDocument/codeLens", &[""]),
    ("textDocument/formatting", &[""]),
    ("textDocument/foldingRange", &[""]),
    ("textDocument/codeAction", &[""]),
];

/// Adds the answer to a request about a place to `answers`.
fn add(answers: &mut String, editor: &mut Editor, method: &str, (text, at): (&str, &str)) {
    let mut params = whole(editor, "main.asm");
    params["position"] = editor.place("main.asm", text, at)["position"].clone();
    params["context"] = json!({ "includeDeclaration": true, "diagnostics": [] });
    params["newName"] = "renamed".into();
    params["query"] = "Tl".into();
    params["options"] = json!({ "tabSize": 8, "insertSpaces": true });
    let mut response = editor.response(method, &params);
    let is_granted = response["error"].is_null();
    let mut answer = response[if is_granted { "result" } else { "error" }].take();
    if method == "textDocument/completion" {
        // One completion of each kind.
        let mut kinds = Vec::new();
        answer.as_array_mut().unwrap().retain(|item| {
            let is_new = !kinds.contains(&item["kind"]);
            kinds.push(item["kind"].clone());
            is_new
        });
    }
    add_json(answers, editor, &format!("{method} {at}"), answer);
}

/// Adds an answer, without the path of the test's folder.
fn add_json(answers: &mut String, editor: &Editor, title: &str, mut answer: Value) {
    shorten(&mut answer);
    let folder = editor.bench.path("").canonicalize().unwrap();
    let mut text = format!("\n---- {}: ", title.trim_end());
    write_json(&answer, 0, &mut text);
    text.push('\n');
    let text = text.replace(" \n", "\n").replace(&editor.uri(""), "");
    *answers += &text.replace(&format!("{}/", folder.display()), "");
}

/// Shortens ranges and positions to `line:column-column` and `line:column`.
fn shorten(value: &mut Value) {
    if value.get("start").is_some() {
        *value = range(value).into();
    } else if let (Some(line), Some(character)) = (value.get("line"), value.get("character")) {
        *value = format!("{line}:{character}").into();
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(shorten),
        Value::Array(elements) => elements.iter_mut().for_each(shorten),
        _ => {}
    }
}

/// Writes JSON. Long values are split over several lines.
fn write_json(value: &Value, depth: usize, to: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) if value.to_string().len() > 160 => {
            for (name, member) in members {
                write!(to, "\n{indent}{name}: ").unwrap();
                write_json(member, depth + 1, to);
            }
        }
        Value::Array(elements) if elements.iter().any(Value::is_object) => {
            for element in elements {
                write!(to, "\n{indent}- ").unwrap();
                write_json(element, depth + 1, to);
            }
        }
        value => write!(to, "{value}").unwrap(),
    }
}

/// The diagnostics of a document, once they have been published.
fn published(editor: &mut Editor, name: &str) -> Value {
    editor.diagnostics(name);
    editor.published_for(name).into()
}

#[test]
fn every_request_has_its_golden_answer() {
    let mut answers = String::new();
    let mut editor = program_in_editor();
    add_json(&mut answers, &editor, "capabilities", editor.capabilities.clone());
    let diagnostics = published(&mut editor, "main.asm");
    add_json(&mut answers, &editor, "diagnostics", diagnostics);
    for (method, places) in QUESTIONS {
        for at in places {
            add(&mut answers, &mut editor, method, (PROGRAM, at));
        }
    }
    let mut params = whole(&editor, "main.asm");
    let all = tokens(&mut editor, "full", &params, PROGRAM).join("\n");
    write!(answers, "\n---- semantic tokens\n{all}\n").unwrap();
    let line = json!({ "line": 15, "character": 9 });
    params["range"] = json!({ "start": line, "end": line });
    let line = tokens(&mut editor, "range", &params, PROGRAM).join("\n");
    write!(answers, "\n---- semantic tokens of a line\n{line}\n").unwrap();

    // Errors after characters whose lengths in UTF-8 and UTF-16 differ, in a macro, and on two
    // lines.
    let wrong = PROGRAM.replace("half(n) : SIZE", "half(n) : SIEZ").replace("JC   @", "jcc @");
    let wrong = wrong.replace("total, total + 1", "total, 9000").replace("LD   a", "LD   #5");
    editor.change("main.asm", &wrong);
    let diagnostics = published(&mut editor, "main.asm");
    add_json(&mut answers, &editor, "diagnostics of mistakes", diagnostics);
    add(&mut answers, &mut editor, "textDocument/codeAction", (&wrong, ""));
    for untidy in ["\n\n\n .call show", "  jmp (\n .call show"] {
        let untidy = PROGRAM.replace("        .call show", untidy);
        editor.change("main.asm", &untidy);
        for method in ["textDocument/formatting", "textDocument/rangeFormatting"] {
            add(&mut answers, &mut editor, method, (&untidy, ""));
        }
    }
    assert_eq!(editor.end(), Some(0));

    answers += "\n==== A client that can do little\n";
    let mut editor = Editor::new(Bench::new().file("words.asm", WORDS));
    editor.open("main.asm", PROGRAM);
    add(&mut answers, &mut editor, "textDocument/documentSymbol", (PROGRAM, ""));
    add(&mut answers, &mut editor, "textDocument/signatureHelp", (PROGRAM, "value = 3"));
    assert_eq!(editor.end(), Some(0));

    let path = root().join("tests/data/editor/answers.txt");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, &answers).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    for (number, (line, expected)) in (1..).zip(answers.lines().zip(golden.lines())) {
        assert_eq!(line, expected, "line {number} of {}", path.display());
    }
    assert_eq!(answers.len(), golden.len());
}

/// The byte offset of a position, which must be inside the source and between two characters.
#[track_caller]
fn offset(text: &str, position: &Value) -> usize {
    let [line, character] = ["line", "character"].map(|n| position[n].as_u64().unwrap() as usize);
    let found = text.split('\n').nth(line);
    let found = found.unwrap_or_else(|| panic!("{position} is after the end of the text"));
    let found = found.strip_suffix('\r').unwrap_or(found);
    let start = found.as_ptr().addr() - text.as_ptr().addr();
    let ends = found.char_indices().map(|(at, _)| at).chain([found.len()]);
    let mut ends = ends.filter(|&at| found[..at].encode_utf16().count() == character);
    start + ends.next().unwrap_or_else(|| panic!("{position} is in no place of {found:?}"))
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

    // The name of the included file leads to the same copy.
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
    assert_eq!(
        answer["error"]["message"],
        "it is used in built-in:lib/panel.asm, which cannot be changed"
    );
    // The server does not ask for a new name either.
    assert_eq!(editor.response("textDocument/prepareRename", &params)["error"], answer["error"]);
    // The copy stays part of the program when the program is closed in the editor.
    editor.close("main.asm");
    params["position"]["character"] = json!(1);
    assert!(editor.request("textDocument/hover", &params)["contents"].is_object());
    assert_eq!(editor.end(), Some(0));
}

/// Semantic tokens in the order sent, one line each: place, source, type, modifiers.
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

/// The request by which the server asks the client to fetch hints again.
const REFRESH: &str = "workspace/inlayHint/refresh";

/// The number of hints that show addresses, and the number that show costs.
fn hints(editor: &mut Editor) -> (usize, usize) {
    let params = whole(editor, "main.asm");
    let found = editor.request("textDocument/inlayHint", &params);
    let found = found.as_array().unwrap();
    let costs = found.iter().filter(|hint| hint["label"].as_str().unwrap().contains("instruction"));
    (found.len() - costs.clone().count(), costs.count())
}

#[test]
fn settings_switch_the_kinds_of_hints() {
    let mut editor = program_in_editor();
    assert_eq!(hints(&mut editor), (6, 4));
    // The server asks for a refresh, however the client sends its settings.
    let settings = json!({ "gray1": { "inlayHints": { "costs": false } } });
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": settings }));
    let asked = editor.next();
    assert_eq!((&asked["id"], &asked["method"]), (&json!(1), &json!(REFRESH)));
    editor.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": null }));
    assert_eq!(hints(&mut editor), (6, 0));
    let settings = json!({ "inlayHints": { "costs": true, "addresses": false } });
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": settings }));
    let asked = editor.next();
    assert_eq!((&asked["id"], &asked["method"]), (&json!(2), &json!(REFRESH)));
    // Unchanged settings cause no refresh.
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": settings }));
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": null }));
    assert_eq!(hints(&mut editor), (0, 4));
    assert_eq!(editor.end(), Some(0));

    let none = json!({ "inlayHints": { "addresses": false, "costs": false } });
    let introduction = json!({ "capabilities": {}, "initializationOptions": none });
    let mut editor = Editor::with(Bench::new().file("words.asm", WORDS), &introduction);
    editor.open("main.asm", PROGRAM);
    assert_eq!(hints(&mut editor), (0, 0));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn the_code_lens_counts_the_tests() {
    let mut editor = program_in_editor();
    let params = whole(&editor, "main.asm");
    let tests = editor.bench.path("main.test.ron");
    let case = |name: &str| format!("(name: {name:?}, steps: [Halts])");
    for (text, title) in [
        (format!("Tests(version: 1, cases: [{}, {}])", case("a"), case("b")), json!("Run 2 tests")),
        ("Tests(version: 1, cases: [".to_owned(), json!("Run tests")),
    ] {
        std::fs::write(&tests, text).unwrap();
        let found = editor.request("textDocument/codeLens", &params);
        assert_eq!(found[1]["command"]["title"], title);
    }
    std::fs::remove_file(&tests).unwrap();
    let found = editor.request("textDocument/codeLens", &params);
    assert_eq!(found.as_array().map(Vec::len), Some(1), "it has no tests");
    // A library has no entry point.
    editor.change("main.asm", ".macro m\n HALT\n.endmacro\n");
    assert_eq!(editor.request("textDocument/codeLens", &params), json!([]));
    assert_eq!(editor.end(), Some(0));
}

/// Checks that all places in an answer are inside the source that they refer to.
fn check_positions(answer: &Value, text: &str) {
    match answer {
        // These places are in other files.
        Value::Object(object) if object.get("uri").is_some_and(|uri| !is_main(uri)) => {}
        Value::Object(object) if object.contains_key("character") => {
            offset(text, answer);
        }
        Value::Object(object) => object.values().for_each(|value| check_positions(value, text)),
        Value::Array(array) => array.iter().for_each(|value| check_positions(value, text)),
        _ => {}
    }
}

fn is_main(uri: &Value) -> bool {
    uri.as_str().is_some_and(|uri| uri.ends_with("/main.asm"))
}

#[test]
fn positions_stay_within_the_text_after_any_edit() {
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
                check_positions(&answer["result"], &text);
            }
        }
        let params = whole(&editor, "main.asm");
        tokens(&mut editor, "full", &params, &text);
    }
    assert_eq!(editor.end(), Some(0));
}
