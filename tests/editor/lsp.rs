//! `gray1 lsp` as an editor uses it: through its standard input and output.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::editor::{Editor, framed, locations, range};
use crate::support::{Bench, TIMEOUT, root};

#[path = "../../assembler/tests/support/mod.rs"]
mod sources;

const WORDS: &str = "\
; Words.

; to <- the byte at from. Twice as good.
.macro copy from, to
        LD   from
        ST   to
.endmacro
";

const MAIN: &str = "\
; é𝄞 A program.
.include \"words.asm\"
.var a
.var b                          ; the other one
start:  copy a, b
.repeat 2, n
row{n}: LDI  len(\"é𝄞\") > 0 ? SIZE : n   ; é𝄞
.endrepeat
SIZE    = 6 * 7
        JMP  start
";

/// The program in an editor, with its library on disk.
fn main_in_editor() -> Editor {
    let mut editor = Editor::new(Bench::new().file("words.asm", WORDS));
    editor.open("main.asm", MAIN);
    editor
}

/// The contents of the hover at a place.
fn hover(editor: &mut Editor, at: &str) -> String {
    let place = editor.place("main.asm", MAIN, at);
    let found = editor.request("textDocument/hover", &place);
    let text = found["contents"]["value"].as_str().expect("there is something to say");
    format!("{}: {}", range(&found["range"]), text.replace('\n', "/"))
}

/// The errors, warnings and help that a comment in a test source of the assembler expects for its
/// line. Notes are left out, because an editor shows them at other places.
fn expected_diagnostics(line: &str) -> Vec<&str> {
    let at = ["; error: ", "; warning: "].iter().filter_map(|mark| line.find(mark)).min();
    let parts = at.into_iter().flat_map(|at| line[at + 2..].trim_end().split(" ; "));
    parts.filter(|part| !part.starts_with("note: ")).collect()
}

/// Formats a published diagnostic in the notation of the test sources, without notes.
fn format_diagnostic(diagnostic: &Value) -> String {
    let severity = if diagnostic["severity"] == 1 { "error" } else { "warning" };
    let message = diagnostic["message"].as_str().unwrap();
    let lines = message.lines().filter(|line| !line.starts_with("note: "));
    let message = lines.collect::<Vec<_>>().join("\\n").replace("\\nhelp: ", " ; help: ");
    format!("{severity}: {message}")
}

#[test]
fn an_editor_shows_the_diagnostics_that_the_test_sources_expect() {
    // The root file's diagnostics are published after those of its include files.
    const MAIN: &str = "~.asm";
    let mut editor = Editor::new(Bench::new());
    let folder = editor.bench.path("").display().to_string();
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("assembler/tests/sources")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let text = text.replace(": no such file", ": No such file or directory (os error 2)");
        for mut case in sources::cases(&text) {
            let main = case.files.remove("").unwrap();
            for (name, text) in &case.files {
                std::fs::write(editor.bench.path(name), text).unwrap();
            }
            editor.open(MAIN, &main);
            editor.diagnostics(MAIN);
            for (name, text) in case.files.iter().chain([(&MAIN, &main)]) {
                let mut published = editor.published_for(name);
                published.retain(|it| it["severity"] == 1 || case.title.ends_with("[warnings]"));
                for (number, line) in text.lines().enumerate() {
                    let here = published.iter().filter(|it| it["range"]["start"]["line"] == number);
                    let shown = here
                        .map(format_diagnostic)
                        .collect::<Vec<_>>()
                        .join(" ; ")
                        .replace(&folder, "");
                    assert_eq!(
                        shown,
                        expected_diagnostics(line).join(" ; "),
                        "{}: {line}",
                        case.title
                    );
                    count += usize::from(!shown.is_empty());
                }
            }
            editor.close(MAIN);
            for name in case.files.keys() {
                std::fs::remove_file(editor.bench.path(name)).unwrap();
            }
        }
    }
    assert!(count > 400, "{count}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_library_is_checked_as_part_of_the_program_next_to_it() {
    let words = format!("{WORDS}        JMP  start\n");
    let bench = Bench::new().file("words.asm", &words).file("main.asm", MAIN);
    let mut editor = Editor::new(bench);
    editor.open("words.asm", &words);
    assert_eq!(editor.diagnostics("words.asm"), [""; 0]);
    // On its own, this file would be wrong.
    editor.close("words.asm");
    std::fs::remove_file(editor.bench.path("main.asm")).unwrap();
    editor.open("words.asm", &words);
    assert_eq!(editor.diagnostics("words.asm"), ["7:13-18 error: undefined symbol `start`"]);
    // The library is also checked as part of a program that is open but not saved.
    editor.open("main.asm", MAIN);
    editor.change("words.asm", &words);
    assert_eq!(editor.diagnostics("words.asm"), [""; 0]);
    let mut params = editor.place("words.asm", &words, "copy");
    params["context"] = json!({ "includeDeclaration": false });
    let found = editor.request("textDocument/references", &params);
    assert_eq!(locations(&found), ["main.asm 4:8-12"]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn unsaved_documents_are_checked() {
    let mut editor = Editor::new(Bench::new());
    let document = json!({
        "uri": "untitled:Untitled-1", "languageId": "gray1", "version": 7,
        "text": ".include \"lib/std.asm\"\n not 5\n"
    });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    editor.version = 7;
    let found = editor.wait_for(|params| params["uri"] == "untitled:Untitled-1");
    assert_eq!(
        found,
        ["1:1-6 error: `#` needs a `.pool`, and there is none \
          | help: write `.pool` where the program starts: it initialises the bytes there \
          [it comes from this line std.asm 26:13-18]"]
    );
    assert_eq!(editor.end(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_new_file_stays_the_same_when_it_is_saved() {
    let mut editor = Editor::new(Bench::new());
    let folder = editor.bench.path("folder");
    std::fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(&folder, editor.bench.path("link")).unwrap();
    editor.open("link/new.asm", " JPM 1\n");
    assert_eq!(editor.diagnostics("link/new.asm").len(), 1);
    std::fs::write(folder.join("new.asm"), "").unwrap();
    editor.change("link/new.asm", " HALT\n");
    assert_eq!(editor.diagnostics("link/new.asm"), [""; 0]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn the_protocol_is_kept() {
    let mut editor = Editor::silent(Bench::new());
    let code = |response: Value| response["error"]["code"].as_i64().unwrap();
    assert_eq!(code(editor.response("textDocument/hover", &json!({}))), -32002);
    editor.request("initialize", &json!({ "capabilities": {} }));
    editor.notify("initialized", &json!({}));
    assert_eq!(code(editor.response("workspace/makeCoffee", &json!({}))), -32601);
    assert_eq!(code(editor.response("textDocument/hover", &json!({ "position": 5 }))), -32602);
    editor.notify("textDocument/didOpen", &json!({ "textDocument": 5 }));
    editor.notify("textDocument/didChange", &json!(null));
    editor.notify("$/setTrace", &json!({ "value": "off" }));
    let place = editor.place("nowhere.asm", "x", "x");
    assert_eq!(editor.request("textDocument/hover", &place), Value::Null);
    editor.request("shutdown", &Value::Null);
    assert_eq!(code(editor.response("textDocument/hover", &place)), -32600);
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
}

#[test]
fn a_client_that_is_gone_ends_the_server() {
    let editor = Editor::new(Bench::new());
    let Editor { mut server, stdin, .. } = editor;
    drop(stdin);
    assert_eq!(server.wait().unwrap().code(), Some(1));
    // Input that does not follow the protocol also ends the server.
    let ran = Bench::new().gray1_with_input("lsp", b"GET / HTTP/1.1\r\n\r\n").status(1);
    assert!(ran.err().contains("invalid message from the client"), "{}", ran.err());
}

#[test]
fn unknown_requests_get_an_error_and_the_server_continues() {
    let mut editor = main_in_editor();
    for (frame, code) in
        [("Content-Length: 3\r\n\r\n{]}", -32700), ("Content-Length: 2\r\n\r\n[]", -32600)]
    {
        editor.send_raw(frame);
        let answer = editor.next();
        assert_eq!((&answer["id"], answer["error"]["code"].as_i64()), (&Value::Null, Some(code)));
    }
    assert_eq!(editor.diagnostics("main.asm").len(), 1);
    // An impossible length is refused before any of the body arrives.
    editor.send_raw("Content-Length: 99999999999999\r\n\r\n{}");
    let answer = editor.next();
    assert_eq!(answer["error"]["code"], -32600);
    let why = "a message has 99999999999999 bytes, more than 33554432";
    assert_eq!(answer["error"]["message"], why);
    let Editor { mut server, stdin, .. } = editor;
    drop(stdin);
    assert_eq!(server.wait().unwrap().code(), Some(1));
}

/// The titles of the fixes for a range of lines.
fn fixes(editor: &mut Editor, name: &str, lines: (u32, u32)) -> Vec<Value> {
    let (start, end) =
        (json!({ "line": lines.0, "character": 0 }), json!({ "line": lines.1, "character": 99 }));
    let params = json!({
        "textDocument": { "uri": editor.uri(name) },
        "range": { "start": start, "end": end },
        "context": { "diagnostics": [] },
    });
    editor.request("textDocument/codeAction", &params).as_array().unwrap().clone()
}

#[test]
fn each_fix_is_offered_once_and_at_its_line() {
    let bench = Bench::new().file("lib.asm", " HALTT\n");
    let mut editor = Editor::new(bench);
    let text = ".macro m\n JPM 5\n.endmacro\n m\n m\n HALTT\n STT 5\n HALT\n.include \"lib.asm\"\n";
    editor.open("p.asm", text);
    let jump = "Change `JPM` to `JMP`";
    let halt = "Change `HALTT` to `HALT`";
    let store = "Change `STT` to `ST`";
    for (lines, titles) in [
        ((0, 9), &[jump, halt, store][..]),
        ((1, 1), &[jump]),
        ((5, 5), &[halt]),
        ((6, 6), &[store]),
        ((5, 6), &[halt, store]),
        ((2, 2), &[]),
        ((7, 7), &[]),
    ] {
        let found = fixes(&mut editor, "p.asm", lines);
        let mut found: Vec<&str> = found.iter().map(|fix| fix["title"].as_str().unwrap()).collect();
        found.sort_unstable_by_key(|title| [jump, halt, store].iter().position(|it| it == title));
        assert_eq!(found, titles, "{lines:?}");
    }
    let fix = &fixes(&mut editor, "p.asm", (6, 6))[0];
    assert_eq!((&fix["kind"], &fix["isPreferred"]), (&json!("quickfix"), &json!(true)));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn changes_on_disk_are_read_after_a_notification() {
    let mut editor = main_in_editor();
    assert!(hover(&mut editor, "copy a").contains("Twice as good."));
    for (method, comment) in
        [("textDocument/didSave", "Saved."), ("workspace/didChangeWatchedFiles", "Changed.")]
    {
        let words = WORDS.replace("Twice as good.", comment);
        std::fs::write(editor.bench.path("words.asm"), words).unwrap();
        let uri = editor.uri("main.asm");
        let params = json!({ "textDocument": { "uri": uri }, "changes": [] });
        assert!(!hover(&mut editor, "copy a").contains(comment), "it has not said so");
        editor.notify(method, &params);
        assert!(hover(&mut editor, "copy a").contains(comment), "{method}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_client_that_stops_reading_is_not_an_error() {
    let bench = Bench::new();
    for server in ["lsp", "dap"] {
        let mut command = bench.command(server);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        drop(server.stdout.take());
        // A request with the members of both protocols.
        let request = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {},
            "type": "request", "seq": 1, "command": "initialize",
        });
        let mut stdin = server.stdin.take().unwrap();
        stdin.write_all(framed(&request).as_bytes()).unwrap();
        assert_eq!(String::from_utf8_lossy(&server.wait_with_output().unwrap().stderr), "");
        drop(stdin);
    }
}

#[test]
fn the_server_ends_with_the_process_that_the_client_names() {
    let bench = Bench::new();
    let start = |process: i64| {
        let mut command = bench.command("lsp");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = command.spawn().unwrap();
        let params = json!({ "processId": process });
        let request =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        server.stdin.as_mut().unwrap().write_all(framed(&request).as_bytes()).unwrap();
        server
    };
    let mut client = Command::new("sleep").arg("60").spawn().unwrap();
    let mut served = start(client.id().into());
    let mut others = [0, -1, i64::MAX].map(start);
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(served.try_wait().unwrap(), None, "the client is still there");
    client.kill().unwrap();
    client.wait().unwrap();
    let end = Instant::now() + *TIMEOUT;
    while served.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "the server outlives its client");
        thread::sleep(Duration::from_millis(20));
    }
    for other in &mut others {
        assert_eq!(other.try_wait().unwrap(), None, "the input is still open");
        drop(other.stdin.take());
        other.wait().unwrap();
    }
}
