//! The settings of programs. The server's messages, the lenses, the extension for Visual Studio
//! Code and the debug adapter all interpret them alike.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::editor::{Editor, framed};
use crate::support::{Bench, RunResult, are_installed, root};

const PROGRAM: &str = "\
.default N = 3
.include \"units.asm\"
.assert N == 9
        LDI  LETTER
        ST   0x1fff
        HALT
";
const TESTS: &str = "\
Tests(version: 1, cases: [(name: \"one\", steps: [Prints(\"A\"), Halts])])
";

/// A folder with a program that needs settings, and with a board.
fn bench() -> Bench {
    let board = std::fs::read(root().join("roms/gray1-b.ron")).unwrap();
    let bench = Bench::new().file("week/p.asm", PROGRAM).file("week/p.test.ron", TESTS);
    bench.file("week/course/units.asm", "LETTER = 'A'\n").file("week/boards/mine.ron", board)
}

/// The lenses of the program in an editor that initializes the server with `introduction` and has
/// these settings. In `introduction`, `@` is the parent of the program's folder.
fn lenses(introduction: &str, settings: &Value) -> (Bench, Vec<Value>) {
    let bench = bench();
    let folder = bench.path("").canonicalize().unwrap();
    let mut introduction: Value =
        serde_json::from_str(&introduction.replace('@', folder.to_str().unwrap())).unwrap();
    introduction["capabilities"] = json!({});
    introduction["initializationOptions"] = settings.clone();
    let mut editor = Editor::with(bench, &introduction);
    editor.open("week/p.asm", PROGRAM);
    assert_eq!(editor.diagnostics("week/p.asm"), [""; 0], "{introduction}");
    let document = json!({ "textDocument": { "uri": editor.uri("week/p.asm") } });
    let lenses = editor.request("textDocument/codeLens", &document);
    let lenses = lenses.as_array().unwrap().iter().map(|lens| lens["command"].clone()).collect();
    let bench = std::mem::replace(&mut editor.bench, Bench::new());
    assert_eq!(editor.end(), Some(0));
    (bench, lenses)
}

#[test]
fn relative_paths_start_at_the_folder_of_the_client() {
    for (introduction, around) in [
        (r#"{ "workspaceFolders": [{ "uri": "file://@/week" }], "rootUri": "file://@" }"#, ""),
        (r#"{ "workspaceFolders": [{ "uri": "file://@" }, { "uri": "file://@/week" }] }"#, ""),
        (r#"{ "workspaceFolders": [{ "uri": "file:///no" }, { "uri": "file://@" }] }"#, "week/"),
        (r#"{ "workspaceFolders": [{ "uri": "mem:/a" }], "rootUri": "file://@/week" }"#, ""),
        (r#"{ "workspaceFolders": null, "rootUri": "file://@/week", "rootPath": "/no" }"#, ""),
        (r#"{ "rootUri": null, "rootPath": "@/week" }"#, ""),
        // The working directory of the process.
        ("{}", "week/"),
    ] {
        let (include, board) = (format!("{around}course"), format!("{around}boards/mine.ron"));
        let settings =
            json!({ "define": ["N=9"], "include": [include], "engine": "chips", "board": board });
        let (bench, lenses) = lenses(introduction, &settings);
        let path = |name: &str| bench.path("week").canonicalize().unwrap().join(name);
        let mut expected = json!({
            "program": path("p.asm"), "define": ["N=9"], "include": [path("course")],
            "engine": "chips", "board": path("boards/mine.ron"),
        });
        assert_eq!(lenses[0]["arguments"], json!([expected]), "{introduction}");
        expected["tests"] = json!(path("p.test.ron"));
        assert_eq!(lenses[1]["arguments"], json!([expected]), "{introduction}");
    }
}

/// Checks the messages about wrong settings, at the start of a session and after the client changes
/// them.
#[test]
fn a_wrong_setting_is_named_with_what_was_expected() {
    let mut editor = Editor::new(Bench::new());
    let mut complaints = |settings: Value| {
        let sent = json!({ "settings": { "gray1": settings } });
        editor.notify("workspace/didChangeConfiguration", &sent);
        let query = json!({ "query": "" });
        editor.notify("$/nothing", &json!({}));
        editor.send(&json!({ "jsonrpc": "2.0", "id": "end", "method": "workspace/symbol",
            "params": query }));
        let shown = std::iter::from_fn(|| Some(editor.next()).filter(|it| it["id"] != "end"));
        shown.map(|it| it["params"]["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let lists = "gray1.define: expected a list of values such as [\"N=3\"], found";
    for (wrong, expected) in [
        (json!({ "define": "N=9" }), &[&*format!("{lists} \"N=9\"")][..]),
        // The same message is not sent twice.
        (json!({ "define": "N=9" }), &[]),
        (json!({ "define": { "N": 9 } }), &[&*format!("{lists} {{\"N\":9}}")]),
        (json!({ "define": ["N=9", 5] }), &[&*format!("{lists} [\"N=9\",5]")]),
        (
            json!({ "include": "course", "engine": "fast", "board": 7, "seed": "x" }),
            &[
                "gray1.include: expected a list of folders such as [\"lib\"], found \"course\"",
                "gray1.engine: expected instruction, chips or timed, found \"fast\"",
                "gray1.board: expected the path or the name of a board, found 7",
                "gray1.seed: expected a number, found \"x\"",
            ],
        ),
        (
            json!({ "inlayHints": { "costs": "no" } }),
            &["gray1.inlayHints.costs: expected true or false, found \"no\""],
        ),
        (
            json!({ "inlayHints": false }),
            &["gray1.inlayHints: expected addresses and costs, found false"],
        ),
        (json!({ "define": null, "include": [], "engine": null, "inlayHints": null }), &[]),
        (json!({ "command": 5, "openPanel": true }), &[]),
    ] {
        assert_eq!(complaints(wrong.clone()), expected, "{wrong}");
    }
    assert_eq!(editor.end(), Some(0));
}

/// The extension starts programs with the settings that the server uses to display them.
#[test]
fn the_extension_forwards_settings() {
    if !are_installed(&["node"]) {
        return;
    }
    let settings = json!({ "define": ["N=9"], "include": ["course"], "engine": "chips" });
    let (bench, lenses) = lenses(r#"{ "rootPath": "@/week" }"#, &settings);
    let week = bench.path("week").canonicalize().unwrap();
    let folder = root().join("tests/editor/vscode");
    let mut node = Command::new("node");
    node.arg(folder.join("settings.js")).arg(env!("CARGO_BIN_EXE_gray1")).arg(&week);
    node.arg(json!(lenses).to_string()).env("NODE_PATH", folder.join("editor"));
    let forwarded: Value =
        serde_json::from_slice(RunResult::run(&mut node).status(0).out()).unwrap();

    // F5: launch.json takes precedence, and relative paths start at the adapter's working
    // directory.
    let launch = forwarded["launch"].clone();
    assert_eq!((&launch["define"], &launch["include"]), (&json!(["N=9"]), &json!(["course"])));
    assert_eq!((&launch["engine"], &forwarded["cwd"]), (&json!("instruction"), &json!(week)));
    for [given, folder] in [[&launch, &forwarded["cwd"]], [&forwarded["debug"], &json!("/")]] {
        let message = |seq, command, arguments: &Value| {
            framed(&json!({ "seq": seq, "type": "request", "command": command,
                "arguments": arguments }))
        };
        let sent = [
            message(1, "initialize", &json!({})),
            message(2, "launch", given),
            message(3, "disconnect", &json!({})),
        ];
        let input = bench.path("input");
        std::fs::write(&input, sent.concat()).unwrap();
        let mut adapter = Command::new(env!("CARGO_BIN_EXE_gray1"));
        adapter.arg("dap").current_dir(folder.as_str().unwrap());
        adapter.stdin(std::fs::File::open(&input).unwrap());
        let answers = String::from_utf8(adapter.output().unwrap().stdout).unwrap();
        assert_eq!(answers.matches("\"success\":true").count(), 3, "{answers}");
    }
    // The lens that runs the tests.
    let words = forwarded["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    let mut test = Command::new(env!("CARGO_BIN_EXE_gray1"));
    let ran = RunResult::run(test.args(words).current_dir("/")).status(0).text();
    assert!(ran.contains("1 program, 1 case: all passed"), "{ran}");
}
