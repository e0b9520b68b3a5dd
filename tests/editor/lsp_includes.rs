//! `gray1 lsp` and the files around a document: the program that it belongs to, and the lines of
//! other files that an editor can open.

use serde_json::Value;

use crate::support::Bench;
use crate::support::editor::{Editor, location};

/// The editor finds a program in which the library's apparent error disappears.
#[test]
fn the_program_of_a_library_is_found_among_other_files() {
    let library = "        JMP  start\n";
    let program = ".include \"library.asm\"\nstart: HALT\n";
    let outer = ".include \"part.asm\"\nstart: HALT\n";
    let part = ".include \"library.asm\"\n";
    let cycle = [("b.asm", ".include \"c.asm\"\n"), ("c.asm", ".include \"b.asm\"\n")];
    let too_long = format!("{program}{}", "; nobody wrote this\n".repeat(20_000));
    for (what, files, is_found) in [
        ("next to it", &[("main.asm", program)][..], true),
        ("after others", &[("a.asm", "HALT\n"), ("main.asm", program)], true),
        ("through another file", &[("main.asm", outer), ("part.asm", part)], true),
        ("after a cycle", &[cycle[0], cycle[1], ("main.asm", program)], true),
        ("no source", &[("main.txt", program)], false),
        ("too long", &[("main.asm", &too_long)], false),
        ("unrelated", &[("main.asm", "start: HALT\n")], false),
    ] {
        let bench = Bench::new().file("library.asm", library);
        let bench = files.iter().fold(bench, |bench, (name, text)| bench.file(name, text));
        let mut editor = Editor::new(bench);
        editor.open("library.asm", library);
        assert_eq!(editor.diagnostics("library.asm").is_empty(), is_found, "{what}");
        assert_eq!(editor.end(), Some(0));
    }
}

/// An error that several programs share is one message, which lists all include paths to it.
#[test]
fn an_error_in_a_shared_file_is_shown_once() {
    let text = ".include \"s.asm\"\n        LDI  put(0)\n        HALT\n";
    for (library, part, wrong, message) in [
        (".include \"t.asm\"\n", ".include \"s.asm\"\n", "t.asm", "includes itself"),
        ("        LDI  NOTHING\n.include \"t.asm\"\n", "", "s.asm", "undefined symbol"),
    ] {
        let library = format!("{library}.include \"t.asm\"\n");
        let bench = Bench::new().file("s.asm", &library).file("t.asm", part);
        let mut editor = Editor::new(bench);
        for name in ["a.asm", "b.asm"] {
            editor.open(name, text);
        }
        editor.open("t.asm", part);
        let _ = editor.diagnostics("t.asm");
        let found = editor.published_for(wrong);
        let is_it = |it: &&Value| it["message"].as_str().unwrap().contains(message);
        let [only] = found.iter().filter(is_it).collect::<Vec<_>>()[..] else {
            panic!("{message}: {found:?}")
        };
        let paths = only["relatedInformation"].as_array().into_iter().flatten();
        let paths: Vec<_> = paths.map(|it| location(&it["location"])).collect();
        for path in &paths {
            assert_eq!(paths.iter().filter(|it| *it == path).count(), 1, "{paths:?}");
        }
        let count = |name| paths.iter().filter(|path| path.starts_with(name)).count();
        assert_eq!(count("a.asm"), count("b.asm"), "{message}: {paths:?}");
        assert_eq!(editor.end(), Some(0));
    }
}

/// If built-in files cannot be copied to disk, an editor cannot open their lines.
#[test]
fn a_message_names_a_line_that_the_editor_cannot_open() {
    let mut editor = Editor::new(Bench::new().file("cache", "in the way"));
    editor.open("p.asm", ".include \"lib/std.asm\"\n not 5\n HALT\n");
    let found = editor.diagnostics("p.asm");
    let line = "note: it comes from this line at built-in:lib/std.asm:27:14";
    assert!(found[0].contains(line) && !found[0].contains('['), "{found:?}");
    assert_eq!(editor.end(), Some(0));
}
