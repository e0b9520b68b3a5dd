//! The syntax highlighting files for editors agree with the assembler about the language.

use serde_json::{Value, json};

use crate::support::editor::Editor;
use crate::support::{Bench, root};

const EXTENSION: &str = "docs/editors/vscode";

/// A JSON file of the VS Code extension.
fn read(name: &str) -> Value {
    let path = root().join(EXTENSION).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The words in a grammar rule: the alternatives in the last group of its pattern.
fn words(rule: &Value) -> Vec<String> {
    let (_, group) = rule["match"].as_str().unwrap().rsplit_once("(?:").unwrap();
    let (words, _) = group.split_once(')').unwrap();
    sorted(words.split('|'))
}

fn sorted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort();
    words
}

/// The completions that the server offers at the end of a line.
fn offered(editor: &mut Editor, line: &str) -> Vec<String> {
    editor.open("t.asm", line);
    let place = json!({
        "textDocument": { "uri": editor.uri("t.asm") },
        "position": { "line": 0, "character": line.len() },
    });
    let found = editor.request("textDocument/completion", &place);
    let labels = found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap());
    sorted(labels)
}

#[test]
fn the_grammar_has_the_words_of_the_language() {
    let grammar = read("syntaxes/gray1.tmLanguage.json");
    let rules = &grammar["repository"];
    let mut editor = Editor::new(Bench::new());

    // The completions at the start of a statement.
    let statements = offered(&mut editor, "x: ");
    let directives = statements.iter().filter_map(|word| word.strip_prefix('.'));
    assert_eq!(words(&rules["directive"]), sorted(directives.clone()));
    let handbook = std::fs::read_to_string(root().join("docs/LANGUAGE.md")).unwrap();
    let unlisted = directives.filter(|name| !handbook.contains(&format!("`.{name}")));
    assert_eq!(sorted(unlisted), [""; 0]);
    let instructions = statements.iter().map(String::as_str).filter(|word| !word.starts_with('.'));
    assert_eq!(words(&rules["instruction"]), sorted(instructions));

    // The completions in an expression, in a program without names.
    let expressions = rules["expression"]["patterns"].as_array().unwrap();
    let functions = expressions.iter().find(|rule| rule["name"] == "support.function.gray1");
    assert_eq!(words(functions.unwrap()), offered(&mut editor, " LDI "));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn the_files_of_the_extension_agree() {
    let package = read("package.json");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(package["license"], env!("CARGO_PKG_LICENSE"));
    let contributes = &package["contributes"];
    let grammar = &contributes["grammars"][0];
    for file in [&package["main"], &contributes["languages"][0]["configuration"], &grammar["path"]]
    {
        let path = root().join(EXTENSION).join(file.as_str().unwrap());
        assert!(path.is_file(), "{} is missing", path.display());
    }
    assert_eq!(contributes["languages"][0]["id"], grammar["language"]);
    assert_eq!(read("syntaxes/gray1.tmLanguage.json")["scopeName"], grammar["scopeName"]);
    assert_eq!(read("language-configuration.json")["comments"]["lineComment"], ";");
    // The extension must declare every setting that it reads.
    let program = std::fs::read_to_string(root().join(EXTENSION).join("program.js")).unwrap();
    assert!(program.contains("getConfiguration(\"gray1\").get(\"command\")"), "{program}");
    let settings = &contributes["configuration"]["properties"];
    for setting in ["command", "inlayHints.addresses", "inlayHints.costs", "define", "include"] {
        let setting = format!("gray1.{setting}");
        assert!(settings[&setting].is_object(), "{setting}");
    }
}
