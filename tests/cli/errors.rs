//! Sources with a mistake: one clear message at its place, exit status 1, and no output file.

use crate::support::{Bench, word};

/// Assembles a source, and expects exactly these errors: place and message, as in
/// `2:5: undefined symbol`.
#[track_caller]
fn check(source: impl AsRef<[u8]>, expected: &[&str]) {
    let bench = Bench::new().file("p.asm", source);
    let ran = bench.gray1("asm p.asm --message-format json").status(1).stdout("");
    assert_eq!(found(&ran.err()), expected);
    assert_eq!(bench.names(), ["p.asm"]);
    let text = bench.gray1("run p.asm").status(1).stdout("").err();
    let errors = text.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(errors, expected.len() + 1, "an error line each and one that counts them:\n{text}");
}

/// Place and message of each error in JSON lines.
fn found(json: &str) -> Vec<String> {
    let error = |line| {
        let error: serde_json::Value = serde_json::from_str(line).unwrap();
        let message = error["message"].as_str().unwrap().to_owned();
        match (error["line"].as_u64(), error["column"].as_u64()) {
            (Some(line), Some(column)) => format!("{line}:{column}: {message}"),
            _ => message,
        }
    };
    json.lines().map(error).collect()
}

#[test]
fn names_that_are_wrong() {
    check(" LDD 5\n", &["1:2: unknown instruction `LDD`"]);
    check(" JMP nowhere\n", &["1:6: undefined symbol `nowhere`"]);
    check("a: HALT\nb: HALT\na: HALT\n", &["3:1: label `a` is defined twice"]);
    check("counter: JMP couner\n", &["1:14: undefined symbol `couner`"]);
    check("A = B\nB = A\n LDI A\n", &["1:5: `A` is defined by itself"]);
}

#[test]
fn values_out_of_range_by_one() {
    for (source, expected) in [
        (" LDI 256\n", "1:6: the operand of LDI must be -128 to 255, this is 256"),
        (" LDI -129\n", "1:6: the operand of LDI must be -128 to 255, this is -129"),
        (" LD 8192\n", "1:5: a data address must be 0 to 8191, this is 8192"),
        (" ST -1\n", "1:5: a data address must be 0 to 8191, this is -1"),
        (" JMP 8192\n", "1:6: a jump target must be 0 to 8191, this is 8192"),
        (" JC -1\n", "1:5: a jump target must be 0 to 8191, this is -1"),
        (" .word 65536\n", "1:8: a word must be 0 to 65535, this is 65536"),
        (" .word -1\n", "1:8: a word must be 0 to 65535, this is -1"),
        (" .org 8192\n HALT\n", "1:7: an index must be 0 to 8191, this is 8192"),
        (" .ram 8192\n", "1:7: a data address must be 0 to 8191, this is 8192"),
        (" LDI 1/0\n", "1:6: division by zero"),
        (" LDI 1<<64\n", "1:9: the count of a shift must be 0 to 63, this is 64"),
        (
            " LDI 9223372036854775807+1\n",
            "1:6: overflow: the result of `+` does not fit in 64 bits with a sign",
        ),
    ] {
        check(source, &[expected]);
    }
}

#[test]
fn memory_that_is_taken() {
    check(
        " .ram 0x1fdf\n.var a\n.var b\n",
        &["3:6: variable `b` would take 0x1fe0 to 0x1fe0, but the panel's memory starts at 0x1fe0"],
    );
    check(" HALT\n.org 0\n HALT\n", &["3:2: two instructions at index 0x0000"]);
    check(" .org 8191\n SHR\n SHR\n", &["3:2: program memory is full: it holds 8192 instructions"]);
}

#[test]
fn blocks_and_expansions_without_end() {
    for (source, expected) in [
        (" .repeat 3\n HALT\n", "1:2: this `.repeat` has no `.endrepeat`"),
        (" .if 1\n HALT\n", "1:2: this `.if` has no `.endif`"),
        (".macro m\n HALT\n", "1:1: this `.macro` has no `.endmacro`"),
        (".endrepeat\n", "1:1: `.endrepeat` without an open block"),
    ] {
        check(source, &[expected]);
    }
}

#[test]
fn expansion_is_bounded() {
    for source in [
        ".macro m\n m\n.endmacro\n m\n",
        ".repeat 1000000000\n HALT\n.endrepeat\n",
        ".repeat 60000\n.repeat 60000\n.endrepeat\n.endrepeat\n",
    ] {
        let bench = Bench::new().file("p.asm", source);
        let ran = bench.gray1("asm p.asm").status(1).stdout("");
        let errors = ran.err().lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, 2, "one error and the line that counts it:\n{}", ran.err());
        assert_eq!(bench.names(), ["p.asm"]);
    }
}

#[test]
fn includes_that_lead_nowhere_or_back() {
    check(
        ".include \"missing.asm\"\n",
        &["1:10: cannot include `missing.asm`: No such file or directory (os error 2)"],
    );
    check(".include \"p.asm\"\n", &["1:10: `p.asm` includes itself"]);
}

#[test]
fn bytes_that_are_no_text() {
    for (bytes, message) in [
        (&b" HALT\n LD\xffI 1\n"[..], "p.asm:2:4: this byte is not UTF-8 (save the file as UTF-8)"),
        (&b" HALT\n\0\n"[..], "p.asm:2:1: a NUL byte is not text"),
    ] {
        let bench = Bench::new().file("p.asm", bytes);
        bench.gray1("asm p.asm").error(message);
        bench.gray1("run p.asm").status(1).stdout("");
        assert_eq!(bench.names(), ["p.asm"]);
    }
}

/// Source, place and message, help.
const BEGINNERS: [(&str, &str, &str); 8] = [
    ("loop    ST 0x1fe0\n JMP loop\n", "1:1: the label `loop` has no colon", "write `loop:`"),
    (
        " ST GREEN\n HALT\n",
        "1:5: undefined symbol `GREEN`",
        "`lib/panel.asm` defines `GREEN`: write `.include \"lib/panel.asm\"`",
    ),
    (
        " bz 5, x\nx: HALT\n",
        "1:2: unknown instruction `bz`",
        "`lib/std.asm` defines `bz`: write `.include \"lib/std.asm\"`",
    ),
    (
        " LDI $FF\n HALT\n",
        "1:7: expected an operator or the end of the line, found `FF`",
        "a hexadecimal number starts with `0x`: `0xFF`",
    ),
    (
        " LDI 0FFh\n HALT\n",
        "1:6: `0FFh` is not a number",
        "a hexadecimal number starts with `0x`: `0xFF`",
    ),
    (
        "FIVE .equ 5\n LDI FIVE\n HALT\n",
        "1:6: expected a value or the end of the line, found `.equ`",
        "a constant is defined by `NAME = value`",
    ),
    (
        ".db 5\n HALT\n",
        "1:1: unknown directive `.db`",
        "a program fills data memory itself: reserve a byte by `.var name` and store to it, or \
         write `#5` for a byte that `.pool` initialises to 5",
    ),
    (
        ".include \"lib/std.asm\"\n.var x\n set x, 300\n HALT\n",
        "3:2: the operand of LDI must be -128 to 255, this is 300",
        "",
    ),
];

#[test]
fn the_habits_of_beginners_get_help() {
    for (source, message, help) in BEGINNERS {
        let bench = Bench::new().file("p.asm", source);
        let json = bench.gray1("asm p.asm --message-format json").status(1).err();
        assert_eq!(found(&json), [message], "{source}");
        let error: serde_json::Value = serde_json::from_str(json.trim()).unwrap();
        assert_eq!(error["help"].as_str().unwrap_or_default(), help, "{source}");
    }
}

#[test]
fn an_error_inside_a_library_is_told_at_the_line_of_the_program() {
    let source = ".include \"lib/std.asm\"\n.var x\n set x, 300\n HALT\n";
    let text = Bench::new().file("p.asm", source).gray1("asm p.asm").status(1).err();
    let place = text.find("--> p.asm:3:2\n").unwrap();
    let note = text.find("--> built-in:lib/std.asm:").unwrap();
    assert!(place < note, "{text}");
}

#[test]
fn all_mistakes_come_in_one_run() {
    check(
        "start: LDD 1\n JMP strat\n LDI 999\n.macro m\n ST 9000\n.endmacro\n m\n LDI (1\n",
        &[
            "1:8: unknown instruction `LDD`",
            "2:6: undefined symbol `strat`",
            "3:6: the operand of LDI must be -128 to 255, this is 999",
            "5:5: a data address must be 0 to 8191, this is 9000",
            "8:6: this `(` is never closed",
        ],
    );
}

#[test]
fn nothing_of_a_source_reaches_the_terminal_raw() {
    let bench = Bench::new().file("p.asm", " LDI \u{1b}[31mred\u{7}\n .title \"\u{1b}[2J\"\n");
    let ran = bench.gray1("asm p.asm").status(1);
    assert!(!ran.err().contains('\u{1b}') && !ran.err().contains('\u{7}'), "{:?}", ran.err());
}

#[test]
fn nothing_of_a_command_line_reaches_the_terminal_raw() {
    for words in
        ["run \u{1b}[31mred more", "run x --engine \u{1b}[2J", "rnu\u{7} x", "check --\u{1b}c"]
    {
        let ran = Bench::new().gray1(words).status(2);
        assert!(!ran.err().contains(['\u{1b}', '\u{7}']), "{words:?}: {:?}", ran.err());
    }
}

/// The word to blame is the one that is wrong, not the one before it.
#[test]
fn a_wrong_option_is_named_as_such() {
    for words in ["--nope", "run --nope", "--nope queens", "run queens --nope"] {
        let said = Bench::new().gray1(words).status(2).err();
        assert!(said.starts_with("error: unexpected argument '--nope' found"), "{words}: {said}");
    }
    let said = Bench::new().gray1("rnu queens").status(2).err();
    assert!(said.contains("did you mean `run`?"), "{said}");
}

/// A file is called as the user would call it who has typed the name of the program.
#[test]
fn an_included_file_is_called_after_the_file_that_includes_it() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("sub")).unwrap();
    let bench =
        bench.file("sub/p.asm", ".include \"lib.asm\"\nHALT\n").file("sub/lib.asm", " LDI 256\n");
    let of_lib = |arguments: &str| {
        let said = bench.gray1(arguments).status(1).err();
        said.lines().find_map(|line| Some(line.trim().strip_prefix("--> ")?.to_owned()))
    };
    assert_eq!(of_lib("asm sub/p.asm").as_deref(), Some("sub/lib.asm:1:6"));
    assert_eq!(of_lib("asm ./sub/../sub/p.asm").as_deref(), Some("./sub/../sub/lib.asm:1:6"));
    let path = bench.path("sub/lib.asm");
    let absolute = of_lib(&format!("asm {}", word(&bench.path("sub/p.asm"))));
    assert_eq!(absolute, Some(format!("{}:1:6", path.display())));
}

#[test]
fn the_name_of_a_built_in_library_may_be_mistyped() {
    let bench = Bench::new().file("p.asm", ".include \"lib/panl.asm\"\nHALT\n");
    let said = bench.gray1("asm p.asm").status(1).err();
    assert!(said.contains("= help: did you mean `lib/panel.asm`?"), "{said}");
}

#[test]
fn a_file_that_is_missing_may_be_one_of_a_similar_name() {
    let bench = Bench::new().file("balls.asm", " HALT\n").file("part/bell.asm", " HALT\n");
    for (command, near) in [
        ("run bals.asm", "did you mean `balls.asm`?"),
        ("part/bel.asm", "did you mean `part/bell.asm`?"),
    ] {
        let said = bench.gray1(command).status(1).err();
        assert!(said.contains("No such file") && said.contains(near), "{said}");
    }
    let said = bench.gray1("run other.asm").status(1).err();
    assert!(!said.contains("did you mean"), "{said}");
}
