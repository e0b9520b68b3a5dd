//! Tests that the edit in a help message fixes the source.

mod support;

use gray1_asm::{Assembly, InputFile, Loader, Source, assemble};
use support::source;

/// Two libraries. One of them is known to define a macro.
struct Libraries;

impl Loader for Libraries {
    fn load(&mut self, _: &InputFile, name: &str) -> Result<Source, String> {
        let text = match name {
            "std.asm" => ".macro clear to\n LDI 0\n ST to\n.endmacro\n",
            "sdt.asm" => return Err("there is none".to_owned()),
            _ => ".macro five\n ADD #5\n.endmacro\n",
        };
        Ok(Source { id: name.to_owned(), name: name.to_owned(), text: text.to_owned() })
    }

    fn find_similar(&self, name: &str) -> Option<String> {
        (name == "sdt.asm").then(|| "std.asm".to_owned())
    }

    fn find_library(&self, name: &str) -> Option<String> {
        (name == "clear").then(|| "std.asm".to_owned())
    }
}

fn assembled(text: &str) -> Assembly {
    assemble(source(text), &mut Libraries)
}

/// Applies the edit of the first help message. Returns `None` if it has no edit.
fn changed(text: &str) -> Option<String> {
    let Assembly { diagnostics, files, .. } = assembled(text);
    let help = diagnostics.iter().find_map(|diagnostic| diagnostic.help.as_ref());
    let edit = help?.edit.as_ref()?;
    let span = edit.place(&files)?.span;
    let mut text = text.to_owned();
    text.replace_range(span.start as usize..span.end as usize, &edit.new);
    Some(text)
}

#[test]
fn the_edit_of_a_suggestion_fixes_the_source() {
    let rest =
        ".var a\nFIVE = 5\n ST a\n JMP $\n.macro copy from, to\n LD from\n ST to\n.endmacro\n";
    for (wrong, right) in [
        (" LDI 1 + FIEV ; é", " LDI 1 + FIVE ; é"),
        (" LDI (FIEV)", " LDI (FIVE)"),
        (" LDI ( FIEV\t)", " LDI ( FIVE\t)"),
        (" LDI fivE", " LDI FIVE"),
        (" JPM 5", " JMP 5"),
        ("l: HLAT", "l: HALT"),
        (" copi a, a", " copy a, a"),
        (".macro put to\n.endmacro\n put too = 5", ".macro put to\n.endmacro\n put to = 5"),
        (" LDI maxx(1, 2)", " LDI max(1, 2)"),
        (" var b", " .var b"),
        (".vra b", ".var b"),
        ("x: macro b c", "x: .macro b c"),
        ("start LDI 5", "start: LDI 5"),
        (" a: b LDI 5", " a: b: LDI 5"),
        (" LDI 0FFh", " LDI 0xFF"),
        (".include \"sdt.asm\"", ".include \"std.asm\""),
        (".include \"sub\\sub\\std.asm\"", ".include \"sub/sub/std.asm\""),
        (" LDI\u{a0}5", " LDI 5"),
        (" LD\u{200b}I 5", " LDI 5"),
        (" LDI 00h", " LDI 0x0"),
        (" LDI 1fH", " LDI 0x1f"),
        (" LDI FFh", " LDI 0xFF"),
        (" LDI 101b", " LDI 0b101"),
        (" LDI 1F", " LDI 0x1F"),
        (" LDI $7F ; \t", " LDI 0x7F ; \t"),
        (" LDI %101", " LDI 0b101"),
        (" LDI 5 // five", " LDI 5 ; five"),
        ("# five", "; five"),
        (" LD (a)", " LD a"),
        (" LD ( a )", " LD a"),
        (" LD 7", " LD #7"),
        (" LD 0x07", " LD #0x07"),
        (".allow unsued", ".allow unused"),
    ] {
        let expected = format!("{right}\n{rest}");
        let text = format!("{wrong}\n{rest}");
        assert_eq!(changed(&text), Some(expected), "{:?}", assembled(&text).diagnostics);
    }
}

#[test]
fn help_without_a_single_place_has_no_edit() {
    for text in [
        // The name is built from numbers.
        " LDI FIV{2 + 2}\nFIVE = 5\nFIV4X = 4\n",
        " LDI $ 7F\n HALT\n",
        " LDI $7G\n HALT\n",
        " LDI %12\n HALT\n",
        " LD 300\n HALT\n",
        " LDA 5\n",
        " clear 300\n.macro clear a\n LD 7 * a\n.endmacro\n",
    ] {
        assert_eq!(changed(text), None, "{text}");
    }
}

#[test]
fn missing_lines_are_inserted_in_the_right_place() {
    for (before, line, after) in [
        // After the leading title and includes, or else before the first line.
        ("", ".include \"std.asm\"\n", ".var a\n clear a\n HALT\n"),
        (".title \"t\"\n", ".include \"std.asm\"\n", "; A.\n.var a\n clear a\n HALT\n"),
        ("; A.\n\n.include \"lib\"\n", ".include \"std.asm\"\n", ".var a\n clear a\n HALT\n"),
        // Before the first instruction.
        (".var a\n", ".pool\n", "start: ADD #5\n JMP start\n"),
        (".macro m\n ADD #5\n.endmacro\n", ".pool\n", "  m\n HALT\n"),
        ("", ".pool\n", ".repeat 2\n ADD #5\n.endrepeat\n HALT\n"),
        (".include \"lib\"\n", ".pool\n", " five\n HALT\n"),
        // After the last instruction.
        (" LDI 5\n ST 0x1fff ; é", "\n        HALT", ""),
        (".var a\n.include \"std.asm\"\n clear a", "\n        HALT", "\n"),
        // Outside of its block or macro, which can be repeated.
        (".repeat 2\n LDI 5\n.endrepeat", "\n        HALT", "\n"),
        (".macro m\n LDI 5\n.endmacro\n m", "\n        HALT", "\n"),
    ] {
        let right = [before, line, after].concat();
        assert_eq!(changed(&[before, after].concat()), Some(right), "{before}{after}");
    }
}
