//! `gray1 lsp` and the files around a document: which program it belongs to, and which lines of other
//! files an editor can be led to.

use crate::support::Bench;
use crate::support::editor::Editor;

/// Which of the files beside a library shows that its mistake is none.
#[test]
fn the_program_that_a_library_belongs_to_is_found_among_other_files() {
    let library = "        JMP  start\n";
    let program = ".include \"library.asm\"\nstart: HALT\n";
    let outer = ".include \"part.asm\"\nstart: HALT\n";
    let part = ".include \"library.asm\"\n";
    let circle = [("b.asm", ".include \"c.asm\"\n"), ("c.asm", ".include \"b.asm\"\n")];
    let too_long = format!("{program}{}", "; nobody wrote this\n".repeat(20_000));
    for (what, files, is_found) in [
        ("beside it", &[("main.asm", program)][..], true),
        ("behind others", &[("a.asm", "HALT\n"), ("main.asm", program)], true),
        ("through another file", &[("main.asm", outer), ("part.asm", part)], true),
        ("behind a circle", &[circle[0], circle[1], ("main.asm", program)], true),
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

/// A mistake that several programs or calls lead to is one message, which names all of them.
#[test]
fn a_mistake_in_a_shared_file_is_shown_once() {
    let library = ".include \"t.asm\"\n.macro put v\n        LDI  v + NOTHING\n.endmacro\n";
    let text = ".include \"s.asm\"\n        put 1\n        put 2\n        HALT\n";
    let circle = ".include \"s.asm\"\n";
    let mut editor = Editor::new(Bench::new().file("s.asm", library));
    for (name, text) in [("a.asm", text), ("b.asm", text), ("s.asm", library), ("t.asm", circle)] {
        editor.open(name, text);
    }
    let _ = editor.diagnostics("t.asm");
    for (name, message) in [("t.asm", "includes itself"), ("s.asm", "undefined symbol `NOTHING`")] {
        let found = editor.published_for(name);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0]["message"].as_str().unwrap().contains(message), "{found:?}");
        let places = found[0]["relatedInformation"].as_array().unwrap();
        let ends = |of: &str| {
            places
                .iter()
                .any(|it| it["location"]["uri"].as_str().is_some_and(|uri| uri.ends_with(of)))
        };
        assert!(ends("/a.asm") && ends("/b.asm"), "{name}: {places:?}");
    }
    assert_eq!(editor.end(), Some(0));
}

/// Where there is no place for copies of built-in files, no editor can show a line of them.
#[test]
fn a_line_that_cannot_be_shown_is_told_in_words() {
    let mut editor = Editor::new(Bench::new().file("cache", "in the way"));
    editor.open("p.asm", ".include \"lib/std.asm\"\n not 5\n HALT\n");
    let found = editor.diagnostics("p.asm");
    let line = "note: it comes from this line at built-in:lib/std.asm:27:14";
    assert!(found[0].contains(line) && !found[0].contains('['), "{found:?}");
    assert_eq!(editor.end(), Some(0));
}
