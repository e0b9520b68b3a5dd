//! `gray1 lsp` and files that have two names: every answer uses the client's own spelling.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::support::Bench;
use crate::support::editor::Editor;

const MAIN: &str = "\
.include \"words.asm\"
        LDI  SIX
        HALT
";
const WORDS: &str = "SIX = 6\n";

/// A folder with a program, its library (also reachable through a link), and a link to the program.
fn editor() -> Editor {
    let editor = Editor::new(Bench::new());
    let folder = editor.bench.path("folder");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("main.asm"), MAIN).unwrap();
    std::fs::write(folder.join("words.asm"), WORDS).unwrap();
    symlink("folder", editor.bench.path("link")).unwrap();
    symlink("folder/main.asm", editor.bench.path("file.asm")).unwrap();
    editor
}

/// The distinct URIs in an answer, without the path of the test's folder.
fn names(editor: &Editor, places: &Value) -> Vec<String> {
    let folder = editor.uri("");
    let uris = places.as_array().unwrap().iter().map(|place| place["uri"].as_str().unwrap());
    let mut names: Vec<String> =
        uris.map(|uri| uri.strip_prefix(&folder).unwrap().to_owned()).collect();
    names.dedup();
    names
}

/// The number of diagnostics that the server published last for a document. Unlike
/// `Editor::diagnostics`, it does not wait for those of the newest version.
fn wrong(editor: &Editor, name: &str) -> usize {
    editor.published_for(name).len()
}

#[test]
fn a_file_with_two_paths_is_two_documents() {
    for [one, other] in [
        ["link/main.asm", "folder/main.asm"],
        ["folder/main.asm", "link/main.asm"],
        ["file.asm", "folder/main.asm"],
        ["file.asm", "link/main.asm"],
    ] {
        let mut editor = editor();
        editor.open(one, MAIN);
        editor.open(other, MAIN);
        assert_eq!(editor.diagnostics(other), [""; 0]);
        let mistaken = MAIN.replace("HALT", "HALTT");
        editor.change(one, &mistaken);
        assert_eq!(editor.diagnostics(one).len(), 1, "{one} and {other}");
        assert_eq!(wrong(&editor, other), 0, "{other} is as it was");
        // Whichever document is closed, the other one still gets all answers.
        editor.close(other);
        editor.change(one, &format!("{mistaken}; again\n"));
        assert_eq!(editor.diagnostics(one).len(), 1, "{one} after {other} was closed");
        let at = editor.place(one, MAIN, "SIX");
        assert!(editor.request("textDocument/hover", &at).is_object());
        let found = editor.request("textDocument/definition", &at);
        let folder = if one == "file.asm" { "folder" } else { one.split('/').next().unwrap() };
        assert_eq!(names(&editor, &found), [format!("{folder}/words.asm")]);
        assert_eq!(editor.end(), Some(0));
    }
}

#[test]
fn an_included_file_has_the_path_by_which_its_program_reaches_it() {
    let mut editor = editor();
    editor.open("link/main.asm", MAIN);
    editor.open("folder/words.asm", WORDS);
    let at = editor.place("link/main.asm", MAIN, "SIX");
    let definition = |editor: &mut Editor| {
        let found = editor.request("textDocument/definition", &at);
        names(editor, &found)
    };
    assert_eq!(definition(&mut editor), ["folder/words.asm"], "it is open");
    let mistaken = format!("{WORDS} HALTT\n");
    editor.open("link/words.asm", &mistaken);
    assert_eq!(editor.diagnostics("link/words.asm").len(), 1);
    assert_eq!(wrong(&editor, "folder/words.asm"), 0);
    assert_eq!(definition(&mut editor), ["link/words.asm"], "it is meant");
    editor.close("link/words.asm");
    assert_eq!(definition(&mut editor), ["folder/words.asm"]);
    editor.close("folder/words.asm");
    assert_eq!(definition(&mut editor), ["link/words.asm"], "it is in the folder of the program");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_rename_edits_the_documents_of_the_client() {
    let mut editor = editor();
    editor.open("link/main.asm", MAIN);
    editor.open("folder/main.asm", &format!("; another text\n{MAIN}"));
    for folder in ["link", "folder"] {
        let (main, words) = (format!("{folder}/main.asm"), format!("{folder}/words.asm"));
        let text = if folder == "link" { MAIN } else { "; another text\n.\n SIX" };
        let mut place = editor.place(&main, text, "SIX");
        place["position"]["character"] = json!(13);
        place["newName"] = json!("SEVEN");
        let changes = editor.request("textDocument/rename", &place)["changes"].clone();
        let uris: Vec<&String> = changes.as_object().unwrap().keys().collect();
        assert_eq!(uris, [&editor.uri(&main), &editor.uri(&words)]);
        place["context"] = json!({ "includeDeclaration": true });
        let found = editor.request("textDocument/references", &place);
        assert_eq!(names(&editor, &found), [main, words]);
    }
    assert_eq!(editor.end(), Some(0));
}

/// Only Linux allows file names that are not UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn a_file_name_that_is_not_utf_8_works() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let mut editor = editor();
    let folder = editor.bench.path("").join(OsStr::from_bytes(b"\xff"));
    std::fs::rename(editor.bench.path("folder"), folder).unwrap();
    editor.open("%FF/main.asm", MAIN);
    assert_eq!(editor.diagnostics("%FF/main.asm"), [""; 0]);
    let at = editor.place("%FF/main.asm", MAIN, "SIX");
    let found = editor.request("textDocument/definition", &at);
    assert_eq!(names(&editor, &found), ["%FF/words.asm"]);
    // When only the library is open, its program is still found.
    editor.close("%FF/main.asm");
    let words = format!("{WORDS}LDI SIX\n");
    editor.open("%FF/words.asm", &words);
    let at = editor.place("%FF/words.asm", &words, "SIX");
    let found = editor.request(
        "textDocument/references",
        &json!({
            "textDocument": at["textDocument"], "position": at["position"],
            "context": { "includeDeclaration": false },
        }),
    );
    assert_eq!(names(&editor, &found), ["%FF/main.asm", "%FF/words.asm"]);
    let lenses = editor.request("textDocument/codeLens", &at);
    assert_eq!(lenses, Value::Null, "JSON has no such path");
    assert_eq!(editor.end(), Some(0));
}
