//! Tests of printed diagnostics: the complete output, and its safety for terminals.
//!
//! The output for each `NAME.asm` of `tests/rendering/` must equal `NAME.txt`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gray1_asm::{Assembly, InputFile, Loader, NoIncludes, Rendering, Source, Span, assemble};

/// Loads includes from the folder of the expected outputs.
struct Folder(PathBuf);

impl Folder {
    fn source(&self, name: &str) -> Result<Source, String> {
        let text = std::fs::read_to_string(self.0.join(name)).map_err(|_| "no such file")?;
        Ok(Source { id: name.to_owned(), name: name.to_owned(), text })
    }
}

impl Loader for Folder {
    fn load(&mut self, _: &InputFile, name: &str) -> Result<Source, String> {
        self.source(name)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rendering")
}

fn assembled(name: &str, text: &str) -> Assembly {
    let source = Source { id: name.to_owned(), name: name.to_owned(), text: text.to_owned() };
    assemble(source, &mut NoIncludes)
}

fn rendered(name: &str, text: &str, rendering: Rendering) -> String {
    let assembly = assembled(name, text);
    rendering.render(&assembly.diagnostics, &assembly.files)
}

#[test]
fn printed_messages_match_the_expected_files() {
    let folder = folder();
    let mut failures = String::new();
    for name in [
        "call-chain",
        "include-chain",
        "two-places",
        "suggestions",
        "quotes",
        "columns",
        "long-chain",
        "seeded",
    ] {
        let source = Folder(folder.clone()).source(&format!("{name}.asm")).unwrap();
        let assembly = assemble(source, &mut Folder(folder.clone()));
        let text = Rendering::Plain.render(&assembly.diagnostics, &assembly.files);
        let golden = folder.join(format!("{name}.txt"));
        if std::fs::read_to_string(&golden).unwrap_or_default() != text {
            write!(failures, "--- {name}.txt should hold\n{text}").unwrap();
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn a_program_without_mistakes_has_no_closing_line() {
    for rendering in [Rendering::Plain, Rendering::Coloured, Rendering::Json] {
        assert_eq!(rendered("a.asm", "HALT", rendering), "");
    }
}

#[test]
fn a_lone_carriage_return_ends_a_line_as_editors_show_it() {
    let text = rendered("a.asm", "; a\rLDI 5 ; b\r\nLDI 256 ; c\rHALT\n", Rendering::Plain);
    assert!(text.contains("a.asm:3:5"), "{text}");
    assert!(text.contains("3 | LDI 256 ; c\n"), "{text}");
}

#[test]
fn one_error_is_counted_in_the_singular() {
    assert!(rendered("a.asm", "x", Rendering::Plain).ends_with("\nerror: 1 error\n"));
    assert!(rendered("a.asm", "x\ny", Rendering::Plain).ends_with("\nerror: 2 errors\n"));
}

#[test]
fn json_has_one_object_on_each_line() {
    let text = ".macro m n\nLDI n\n.endmacro\nm 300\nstart: SHR\nJMP strat ; é \"\nstart:\n.error \"a\\nb\"\n";
    let expected = r#"
{"severity":"error","message":"the operand of LDI must be -128 to 255, not 300","file":"a\"\\.asm","line":2,"column":5,"end_column":6,"trace":[{"message":"in macro `m`, called","file":"a\"\\.asm","line":4,"column":1,"end_column":6}]}
{"severity":"error","message":"undefined symbol `strat`","file":"a\"\\.asm","line":6,"column":5,"end_column":10,"label":"not defined anywhere","help":"did you mean `start`?"}
{"severity":"error","message":"label `start` is defined twice","file":"a\"\\.asm","line":7,"column":1,"end_column":6,"label":"defined again here","notes":[{"message":"`start` is first defined here","file":"a\"\\.asm","line":5,"column":1,"end_column":6}]}
{"severity":"error","message":"a\nb","file":"a\"\\.asm","line":8,"column":1,"end_column":14}
"#;
    assert_eq!(rendered("a\"\\.asm", text, Rendering::Json), expected.trim_start());
}

#[test]
fn unreachable_code_has_a_label() {
    let text = rendered("a.asm", " HALT\n SHR\n", Rendering::Plain);
    assert!(text.contains("^^^ nothing leads here\n"), "{text}");
}

#[test]
fn a_trace_of_more_than_seven_steps_is_shortened() {
    let middle = |calls: usize| {
        let body = ".if n\n down n - 1\n.else\n LDI 256\n.endif\n";
        let text = format!(".macro down n\n{body}.endmacro\n down {}\n", calls - 1);
        assembled("a.asm", &text).diagnostics[0].trace[3].message.clone()
    };
    assert_eq!([7, 8].map(middle), ["in macro `down`, called", "… 2 more levels …"]);
}

#[test]
fn errors_underline_the_wrong_part() {
    for (text, expected) in [
        (" LDI 1 + (1 << 64)", "64"),
        (" LDI 1 + 2 / 0", "2 / 0"),
        (" LDI char(\"a\", 1 + 1)", "1 + 1"),
        (" LDI len(5)", "5"),
        (" LDI -\"a\"", "\"a\""),
        (" LDI log2(3)", "log2(3)"),
        (" LDI 1 + x", "x"),
        (" LD #256", "256"),
        (" JMP 0 - 1", "0 - 1"),
    ] {
        let Assembly { diagnostics, files, .. } = assembled("a.asm", text);
        let [found] = diagnostics.as_slice() else { panic!("{text}: {diagnostics:?}") };
        assert_eq!(files.text(found.location.unwrap()), expected, "{text}");
    }
}

#[test]
fn errors_underline_the_wrong_bracket() {
    let deep = " LDI ".to_owned() + &"(".repeat(64) + "«(»1";
    let many = " LDI ".to_owned() + &"0 ? 1 : ".repeat(64) + "0 «?» 1 : 2";
    for text in [
        deep.as_str(),
        many.as_str(),
        " LDI «(»3",
        " LDI 3«)»",
        " LDI «(»3}",
        " LDI x«{»1",
        " LDI 3«}»",
        " LDI 1 + a{«(»1}",
        " LDI 1 + a«{»1)}",
        " LDI 1 + a{b{2 + «(»1}}",
        " LDI 1 + a{b{1}c«{»2)}}",
        " LDI «\"»a",
        " LDI 1 + «'»",
    ] {
        let (before, rest) = text.split_once('«').unwrap();
        let (wrong, _) = rest.split_once('»').unwrap();
        let found = assembled("a.asm", &text.replace(['«', '»'], "")).diagnostics;
        let [found] = found.as_slice() else { panic!("{text}: {found:?}") };
        let Span { start, end } = found.location.unwrap().span;
        assert_eq!(
            [start, end],
            [before.len(), before.len() + wrong.len()].map(|at| at as u32),
            "{text}"
        );
    }
}

/// A source and a file name that try to get escape sequences into the output.
fn hostile() -> (String, String) {
    let trick = "\u{1b}[31mRED\u{1b}]0;title\u{7}\u{9b}2J\u{8}\u{7f}\u{202e}\u{200f}\r";
    let lines = [
        format!("LDI 256 ; {trick}"),
        format!(".error \"{trick}\""),
        format!(".assert 0, \"{trick}\""),
        format!(".include \"{trick}\""),
        trick.to_owned(),
        format!("LDI {trick}"),
        format!("x = \"{trick}\" + 1"),
        format!(".title \"{trick}\""),
        "LDI '\\\u{1b}'".to_owned(),
        "\tLDI\u{1b}1".to_owned(),
    ];
    (format!("{trick}.asm"), lines.join("\n"))
}

#[test]
fn control_characters_of_a_source_do_not_reach_the_terminal() {
    let (name, text) = hostile();
    for rendering in [Rendering::Plain, Rendering::Json] {
        let text = rendered(&name, &text, rendering);
        let harmful = |c: &char| *c != '\n' && (c.is_control() || "\u{202e}\u{200f}".contains(*c));
        assert_eq!(text.chars().find(harmful), None, "{text:?}");
        assert!(text.contains("RED"), "{text}");
    }
}

#[test]
fn colours_are_the_only_escape_sequences() {
    let (name, text) = hostile();
    let coloured = rendered(&name, &text, Rendering::Coloured);
    let mut plain = String::new();
    for (number, piece) in coloured.split('\u{1b}').enumerate() {
        let (colour, rest) =
            if number == 0 { ("[m", piece) } else { piece.split_at(piece.find('m').unwrap() + 1) };
        let digits = colour.strip_prefix('[').and_then(|colour| colour.strip_suffix('m')).unwrap();
        assert!(digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'), "{colour:?}");
        assert!(number == 0 || !rest.starts_with("RED"), "a colour of the source: {rest:?}");
        plain.push_str(rest);
    }
    assert_eq!(plain, rendered(&name, &text, Rendering::Plain));
    assert!(coloured.contains('\u{1b}'));
}
