//! Errors in sources and on command lines: clear messages with a place, the exit status, and no
//! output file. The messages about sources are tested in `assembler/tests/sources/`.

use crate::support::{Bench, word};

/// Assembles a source and expects exactly these errors, each written as place and message: `2:5:
/// undefined symbol`.
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

/// The place and the message of each error in JSON lines.
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

/// The JSON members give the place of the error, as they do for any other error.
#[test]
fn json_gives_the_position_in_a_file_that_is_not_utf_8() {
    let bench = Bench::new().file("latin.asm", b".title \"caf\xe9\"\n").file("cut.mem", "00 zz\n");
    for (name, line, column) in [("latin.asm", 1, 12), ("cut.mem", 1, 4)] {
        let stderr = bench.gray1(&format!("run {name} --message-format json")).status(1).err();
        let json: serde_json::Value = serde_json::from_str(&stderr).unwrap();
        assert_eq!([&json["line"], &json["column"]], [line, column], "{stderr}");
        assert_eq!(json["file"], name);
        assert!(!json["message"].as_str().unwrap().contains(name), "{stderr}");
    }
}

#[test]
fn missing_and_circular_includes_are_errors() {
    check(
        ".include \"missing.asm\"\n",
        &["1:10: cannot include `missing.asm`: No such file or directory (os error 2)"],
    );
    check(".include \"p.asm\"\n", &["1:10: `p.asm` includes itself"]);
}

#[test]
fn sources_that_are_not_utf_8_are_refused() {
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

/// A byte in a comment does no harm, but in a string it would be printed.
#[test]
fn a_byte_that_is_not_utf_8_is_a_warning_in_a_comment() {
    let warning = "warning: this byte is not UTF-8 (save the file as UTF-8)";
    let bench = Bench::new()
        .file("p.asm", &b"; caf\xe9; and more\n.include \"lib.asm\"\n HALT ; \xe9\n"[..])
        .file("lib.asm", &b" LDI 1 ; \xfc\n"[..])
        .file("text.asm", &b".title \"caf\xe9\" ; \xe9\n HALT\n"[..]);
    for command in ["asm p.asm -o p.bin", "run p.asm"] {
        let stderr = bench.gray1(command).status(0).err();
        assert_eq!(stderr.matches(warning).count(), 2, "{stderr}");
        assert!(stderr.contains(" --> p.asm:1:6\n"), "{stderr}");
        assert!(stderr.contains(" --> lib.asm:1:10\n"), "{stderr}");
    }
    bench
        .gray1("asm text.asm")
        .error("text.asm:1:12: this byte is not UTF-8 (save the file as UTF-8)");
    // The formatter would write another byte in its place.
    bench.gray1("fmt p.asm").error("p.asm:1:6: this byte is not UTF-8 (save the file as UTF-8)");
    let proper = Bench::new().file("p.asm", "; caf\u{e9}\n HALT\n");
    proper.gray1("run p.asm").status(0).stderr("halted at 0x0000 after 1 instruction\n");
}

#[test]
fn all_errors_are_reported_in_one_run() {
    check(
        "start: LDD 1\n JMP strat\n LDI 999\n.macro m\n ST 9000\n.endmacro\n m\n LDI (1\n",
        &[
            "1:8: unknown instruction `LDD`",
            "2:6: undefined symbol `strat`",
            "3:6: the operand of LDI must be -128 to 255, not 999",
            "5:5: a data address must be 0 to 8191, not 9000",
            "8:6: this `(` is never closed",
        ],
    );
}

#[test]
fn control_characters_of_a_source_are_escaped() {
    let bench = Bench::new().file("p.asm", " LDI \u{1b}[31mred\u{7}\n .title \"\u{1b}[2J\"\n");
    let ran = bench.gray1("asm p.asm").status(1);
    assert!(!ran.err().contains('\u{1b}') && !ran.err().contains('\u{7}'), "{:?}", ran.err());
}

#[test]
fn control_characters_of_a_command_line_are_escaped() {
    for words in
        ["run \u{1b}[31mred more", "run x --engine \u{1b}[2J", "rnu\u{7} x", "check --\u{1b}c"]
    {
        let ran = Bench::new().gray1(words).status(2);
        assert!(!ran.err().contains(['\u{1b}', '\u{7}']), "{words:?}: {:?}", ran.err());
    }
}

/// The message names the wrong option and not the word before it.
#[test]
fn an_unknown_option_is_named() {
    for words in ["--nope", "run --nope", "--nope queens", "run queens --nope"] {
        let stderr = Bench::new().gray1(words).status(2).err();
        assert!(
            stderr.starts_with("error: unexpected argument '--nope' found"),
            "{words}: {stderr}"
        );
    }
    let stderr = Bench::new().gray1("rnu queens").status(2).err();
    assert!(stderr.contains("did you mean `run`?"), "{stderr}");
}

#[test]
fn a_word_after_a_program_is_named() {
    for words in ["queens life", "--watch queens life"] {
        let stderr = Bench::new().gray1(words).status(2).err();
        assert!(stderr.starts_with("error: `life` follows a program; "), "{words}: {stderr}");
    }
}

/// A message names an included file by a path that starts with the folder of the including file, as
/// the user wrote it.
#[test]
fn included_files_are_named_relative_to_the_including_file() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("sub")).unwrap();
    let bench =
        bench.file("sub/p.asm", ".include \"lib.asm\"\nHALT\n").file("sub/lib.asm", " LDI 256\n");
    let of_lib = |arguments: &str| {
        let stderr = bench.gray1(arguments).status(1).err();
        stderr.lines().find_map(|line| Some(line.trim().strip_prefix("--> ")?.to_owned()))
    };
    assert_eq!(of_lib("asm sub/p.asm").as_deref(), Some("sub/lib.asm:1:6"));
    assert_eq!(of_lib("asm ./sub/../sub/p.asm").as_deref(), Some("./sub/../sub/lib.asm:1:6"));
    let path = bench.path("sub/lib.asm");
    let absolute = of_lib(&format!("asm {}", word(&bench.path("sub/p.asm"))));
    assert_eq!(absolute, Some(format!("{}:1:6", path.display())));
}

#[test]
fn a_missing_file_suggests_a_similar_name() {
    let bench = Bench::new().file("balls.asm", " HALT\n").file("part/bell.asm", " HALT\n");
    for (command, near) in [
        ("run bals.asm", "did you mean `balls.asm`?"),
        ("part/bel.asm", "did you mean `part/bell.asm`?"),
    ] {
        let stderr = bench.gray1(command).status(1).err();
        assert!(stderr.contains("No such file") && stderr.contains(near), "{stderr}");
    }
    let stderr = bench.gray1("run other.asm").status(1).err();
    assert!(!stderr.contains("did you mean"), "{stderr}");
    #[cfg(unix)]
    for (link, target) in [("bell.asm", "nowhere"), ("gone.asm", "bells.asm")] {
        std::os::unix::fs::symlink(target, bench.path(link)).unwrap();
        bench.gray1(&format!("run {link}")).error(&format!(
            "cannot read {link}: No such file or directory (os error 2); it is a link to {target}"
        ));
    }
}

#[test]
fn help_without_a_position_has_its_own_line() {
    Bench::new().gray1("run odometer").status(1).stderr(
        "error: there is no built-in program called `odometer`\n\
         help: `gray1 list` shows the built-in programs; a path contains a `/` or a `.`\n",
    );
}

#[test]
fn names_of_the_library_are_suggested() {
    let ours = ".include \"lib/std.asm\"\n.var x\n set x, 300\n HALT\n";
    for (source, expected) in [
        (" ST GREEN\n HALT\n", "defines `GREEN`: write `.include \"lib/panel.asm\"`"),
        (" bz 5, x\nx: HALT\n", "defines `bz`: write `.include \"lib/std.asm\"`"),
        (".include \"lib/panl.asm\"\n HALT\n", "= help: did you mean `lib/panel.asm`?"),
        // A wrong call of a library macro is reported at the call.
        (ours, "--> p.asm:3:2\n"),
        (ours, "--> built-in:lib/std.asm:"),
    ] {
        let text = Bench::new().file("p.asm", source).gray1("asm p.asm").status(1).err();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn short_messages_have_one_line_and_no_frame() {
    let tests = "Tests(version: 1, cases: [(name: \"a\", steps: [Halts])])";
    let bench =
        Bench::new().file("p.asm", "start:  NAN 3\n        JMP strat\n").file("p.test.ron", tests);
    let expected = "\
p.asm:1:9: error: unknown instruction `NAN`; neither an instruction nor a macro; \
did you mean `NAND`?
p.asm:2:13: error: undefined symbol `strat`; not defined anywhere; did you mean `start`?
";
    for command in ["asm", "run"] {
        bench.gray1(&format!("{command} p.asm --message-format short")).status(1).stderr(expected);
    }
    let tested =
        bench.gray1("test --test p.test.ron p.asm --message-format short").status(1).text();
    assert!(expected.lines().all(|line| tested.contains(line.trim())), "{tested}");
    assert!(!tested.contains('^'), "{tested}");
}
