//! Tests of hovers: the value, address or cost of a name, and its comments. In the sources, `¦`
//! marks the position of the request and is removed.

#[path = "support/request.rs"]
mod request;
mod support;

use gray1_asm::{FileId, Location, NameKind, find_definitions};
use request::{Request, ask, ask_with};
use support::Texts;

/// Compares the hovers at the marked positions with the expected ones.
fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(ask(text).hover(), *expected, "{text}");
    }
}

#[test]
fn a_hover_shows_the_value_address_or_cost() {
    check(&[
        (" SHR\nx¦:", "```gray1\nx:\n```\n\nLabel: index 1 = 0x0001"),
        ("x¦ = -5", "```gray1\nx = -5\n```\n\nConstant: -5"),
        ("x¦ = \"a`\"", "```gray1\nx = \"a`\"\n```\n\nConstant: \"a`\""),
        ("x¦ = #5", "```gray1\nx = #5\n```\n\nConstant: the byte that holds 5"),
        (".ram 16\n.var x¦, 4", "```gray1\n.var x, 4\n```\n\nVariable: 4 bytes at address 0x0010"),
        (
            ".repeat 9, i\n@x¦ = i\n.endrepeat",
            "```gray1\n@x = i\n```\n\n9 values: 0, 1, 2, 3, 4, 5, 6, 7, …",
        ),
        (".function f¦(n) = n", "```gray1\n.function f(n) = n\n```"),
        ("x = nothing¦", ""),
        ("x¦ = 9", "```gray1\nx = 9\n```\n\nConstant: 9"),
        ("x¦ = 10 ; c", "```gray1\nx = 10\n```\n\nConstant: 10 = 0xa\n\nc"),
        ("x¦ = \"```\"", "```gray1\nx = \"` ` `\"\n```\n\nConstant: \"```\""),
        (".var x¦", "```gray1\n.var x\n```\n\nVariable: a byte at address 0x0000"),
        (
            ".repeat 8, i\n@x¦ = i\n.endrepeat",
            "```gray1\n@x = i\n```\n\n8 values: 0, 1, 2, 3, 4, 5, 6, 7",
        ),
        (
            ".repeat 2, i\n@x¦ = #i\n.endrepeat\n.pool",
            "```gray1\n@x = #i\n```\n\n2 values: the byte that holds 0, the byte that holds 1",
        ),
        (
            ".repeat 2, i\n.var @v¦\n.endrepeat",
            "```gray1\n.var @v\n```\n\n2 values: 0x0000, 0x0001",
        ),
        (
            "; *not* `code` <b>\nx¦:",
            "```gray1\nx:\n```\n\nLabel: index 0 = 0x0000\n\n\\*not\\* \\`code\\` \\<b\\>",
        ),
    ]);
}

#[test]
fn a_hover_lists_the_values_of_a_name_built_from_numbers() {
    check(&[
        (
            ".repeat 2, i\nrow{i}¦: SHR\n.endrepeat",
            "```gray1\nrow{i}:\n```\n\n2 values: row0 = 0x0000, row1 = 0x0001",
        ),
        (
            ".repeat 2, i\nrow{i}: SHR\n.endrepeat\n JC row1¦",
            "```gray1\nrow{i}:\n```\n\nLabel: index 1 = 0x0001",
        ),
        ("a{1}: SHR\n JC a¦{1}", "```gray1\na{1}:\n```\n\nLabel: index 0 = 0x0000"),
    ]);
}

#[test]
fn a_hover_shows_the_cost_of_a_macro() {
    check(&[
        (
            ".macro m¦ n\n.repeat n\n SHR\n.endrepeat\n.endmacro\n m 1\n m 3\n",
            "```gray1\n.macro m n\n```\n\nIts calls: 1 to 3 instructions",
        ),
        (
            ".macro m n\n.repeat n\n SHR\n.endrepeat\n.endmacro\n m 2\n m¦ 3\n",
            "```gray1\n.macro m n\n```\n\nHere: 3 instructions",
        ),
        (
            ".macro m¦\n SHR\n.endmacro\n m\n m\n",
            "```gray1\n.macro m\n```\n\nIts calls: 1 instruction",
        ),
        (".macro m¦\n SHR\n.endmacro\n", "```gray1\n.macro m\n```"),
    ]);
}

#[test]
fn a_hover_describes_keywords() {
    check(&[
        ("a: add¦ 5", "```gray1\nADD a\n```\n\nA ← A + [a], C ← the carry.\n\nAt index 0x0000"),
        (" LDI l¦o(5)", "```gray1\nlo(x)\n```\n\nBits 0 to 7 of x."),
        (
            ".repeat 9\n S¦HR\n.endrepeat",
            "```gray1\nSHR\n```\n\nA ← A / 2, C ← the bit shifted out.\n\n\
            At 9 indexes: 0x0000, 0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x0007, …",
        ),
        (
            " .I¦F 0\n.endif",
            "```gray1\n.if condition\n```\n\n\
            Assembles the lines of the first condition that is not 0, up to `.endif`.",
        ),
        // Strings, numbers and mnemonics in operands have no hover.
        (" LDI 1¦2", ""),
        (" LDI \"l¦o\"", ""),
        (" LDI a¦dd", ""),
        (".pol¦l", ""),
    ]);
}

#[test]
fn a_hover_covers_the_whole_word() {
    for (text, expected) in [
        ("st¦art: SHR", "start"),
        (" JC row{¦n}", ""),
        ("n = 1\n JC row{n¦}", "n"),
        ("n = 1\nrow{n}: JC ¦row{n}", "row{n}"),
        ("a: L¦DI 5", "LDI"),
        (".REP¦EAT 5\n.endrepeat", ".REPEAT"),
        (" LDI ma¦x(1, 2)", "max"),
    ] {
        let Request { analysis, offset } = ask(text);
        let found = analysis.hover(FileId::ROOT, offset);
        let word = found.map(|hover| {
            analysis.files.text(Location { file: FileId::ROOT, span: hover.span }).to_owned()
        });
        assert_eq!(word.unwrap_or_default(), expected, "{text}");
    }
}

/// A macro with a parameter for the number of its instructions.
const MACRO: &str = ".macro m n\n.repeat n\n LDI 0\n.endrepeat\n.endmacro\n";

#[test]
fn a_hover_ignores_the_same_place_in_other_files() {
    // A library that has the same lines at the same positions as the program.
    let library = format!(";{}\n SHR\n m 5\n", "-".repeat(MACRO.len() - 2));
    let hover = |lines: &str| {
        let text = format!("{MACRO}{lines}.include \"lib\"\n");
        ask_with(&text, &mut Texts(|_: &str| Some(library.clone()))).hover()
    };
    let shift = hover(" S¦HR\n m 2\n");
    assert!(shift.ends_with("At index 0x0000"), "{shift}");
    let call = hover(" SHR\n m¦ 2\n");
    assert!(call.ends_with("Here: 2 instructions"), "{call}");
}

#[test]
fn comments_above_a_name_and_on_its_line_document_it() {
    for (text, expected) in [
        (
            "; no\n\n; one\n;two\n;; three\nx¦ = 5 ;   four  ",
            "one  \ntwo  \nthree  \n\u{a0}\u{a0}four",
        ),
        ("x¦ = 5", ""),
        ("x¦ = 5\n; no", ""),
        (" SHR ; no\nx¦ = 5", ""),
        ("; 1,2.3:4;5(6)7/8'9\"?%\nx¦ = 5", "1,2.3:4;5(6)7/8'9\"?%"),
        ("; a_b*c[d]#e\nx¦ = 5", "a\\_b\\*c\\[d\\]\\#e"),
        ("; no\n.macro m x¦\n.endmacro", ""),
    ] {
        let hover = ask(text).hover();
        let about =
            hover.split_once("Constant: 5").map_or("", |(_, about)| about.trim_start_matches('\n'));
        assert_eq!(about, expected, "{text}");
        assert!(!hover.contains("no"), "{hover}");
    }
}

#[test]
fn captions_and_comments_explain_a_name() {
    let text = "X = 5\n;; [a] <- 0\n; A trick.\n.macro clear¦ a ;; 2 instructions\n.endmacro\n";
    let hover = ask(text).hover();
    assert!(hover.ends_with("\\[a\\] \\<\\- 0  \nA trick.  \n2 instructions"), "{hover}");
    // The documentation of a library consists of its captions only.
    let found = find_definitions(&text.replace('¦', ""));
    let found: Vec<_> =
        found.iter().map(|it| (it.signature.as_str(), it.documentation.join(" "))).collect();
    let clear = (".macro clear a", "[a] <- 0 2 instructions".to_owned());
    assert_eq!(found, [("X = 5", String::new()), clear]);
}

#[test]
fn a_library_lists_its_global_names() {
    let text = "X = 5\n@x = 6\n.var v, 2 ;; two\nl: SHR\n.macro m p\n@l:\n.endmacro\n\
                .function f(n) = n\n.routine r(a) -> b\ninner = 5\n.endroutine\n\
                .struct s\n.var y\n.endstruct\n";
    let found: Vec<_> = find_definitions(text).into_iter().map(|it| (it.kind, it.name)).collect();
    let expected = [
        (NameKind::Constant, "X"),
        (NameKind::Variable, "v"),
        (NameKind::Label, "l"),
        (NameKind::Macro, "m"),
        (NameKind::Function, "f"),
        (NameKind::Routine, "r"),
        (NameKind::Structure, "s"),
        (NameKind::Field, "s_y"),
    ];
    assert_eq!(found, expected.map(|(kind, name)| (kind, name.to_owned())));
}
