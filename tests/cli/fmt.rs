//! `gray1 fmt`: which files it changes, and how.

use crate::support::Bench;

const UGLY: &str = "start: ldi 5;five\n";
const NICE: &str = "start:  LDI  5                  ;five\n";

#[test]
fn files_are_formatted_in_place() {
    let bench = Bench::new().file("a.asm", UGLY).file("b.asm", NICE);
    bench.gray1("fmt a.asm b.asm").status(0).stdout("").stderr("");
    assert_eq!(bench.read("a.asm"), NICE.as_bytes());
    assert_eq!(bench.read("b.asm"), NICE.as_bytes());
    assert_eq!(bench.names(), ["a.asm", "b.asm"]);
}

/// Vim replaces the selected lines with all output of the command, including errors.
#[test]
fn a_selection_keeps_the_lines_that_cannot_be_formatted() {
    let bench = Bench::new().file("part.asm", ".repeat 2\nldi (5\n");
    for (part, expected) in [
        (&b".repeat  2\nldi (5\nshr\n"[..], &b".repeat 2\nldi (5\n        SHR\n"[..]),
        (b"ldi \xff\n", b"ldi \xff\n"),
        (b"", b""),
    ] {
        let ran = bench.gray1_with_input("fmt --fragment -", part).status(0).stderr("");
        assert_eq!(ran.out(), expected);
    }
    bench.gray1("fmt --fragment part.asm").status(0).stdout("").stderr("");
    assert_eq!(bench.read("part.asm"), b".repeat 2\nldi (5\n");
    bench.gray1("fmt --fragment --check -").status(2);
}

#[test]
fn a_check_names_the_files_and_changes_nothing() {
    let bench =
        Bench::new().file("a.asm", UGLY).file("b.asm", NICE).file("c.asm", "; c\nSHR\n\n\n");
    bench.gray1("fmt --check a.asm b.asm c.asm").status(1).stdout("a.asm\nc.asm\n").stderr(
        "error: a.asm is not formatted: see line 1\n\n\
         error: c.asm is not formatted: see line 2\n\n\
         error: 2 errors\n",
    );
    assert_eq!(bench.read("a.asm"), UGLY.as_bytes());
    bench.gray1("fmt --check b.asm").status(0).stdout("").stderr("");
    bench.gray1_with_input("fmt --check -", UGLY.as_bytes()).status(1).stdout("<stdin>\n");
}

#[test]
fn a_file_with_errors_stays_as_it_is_and_the_others_do_not() {
    let broken = " ldi (5\n SHR\n .endif\n";
    let bench = Bench::new().file("a.asm", broken).file("b.asm", UGLY);
    let ran = bench.gray1("fmt a.asm missing.asm b.asm").status(1).stdout("");
    ran.stderr(
        "\
error: this `(` is never closed
 --> a.asm:1:6
  |
1 |  ldi (5
  |      ^

error: `.endif` without an open block
 --> a.asm:3:2
  |
3 |  .endif
  |  ^^^^^^

error: cannot read missing.asm: No such file or directory (os error 2)

error: 3 errors
",
    );
    assert_eq!(bench.read("a.asm"), broken.as_bytes());
    assert_eq!(bench.read("b.asm"), NICE.as_bytes());
}

#[test]
fn standard_input_goes_to_standard_output() {
    Bench::new().gray1_with_input("fmt -", UGLY.as_bytes()).status(0).stdout(NICE);
    Bench::new().gray1_with_input("fmt -", NICE.as_bytes()).status(0).stdout(NICE);
    let ran = Bench::new().gray1_with_input("fmt -", b" )\n").status(1).stdout("");
    assert!(ran.err().contains("--> <stdin>:1:2"), "{}", ran.err());
}

#[test]
fn a_source_that_is_not_utf_8_is_refused() {
    let bench = Bench::new().file("p.bin", [0xff; 64]);
    let ran = bench.gray1("fmt p.bin").status(1).stdout("");
    assert!(ran.err().starts_with("error: p.bin:1:1: "), "{}", ran.err());
    assert_eq!(bench.read("p.bin"), [0xff; 64]);
    bench.gray1("fmt").status(2);
}

/// Editors and build tools would take a rewritten file for a changed one.
#[test]
fn a_file_that_is_formatted_is_not_written_again() {
    let bench = Bench::new().file("p.asm", "        HALT\n");
    let file = std::fs::File::options().append(true).open(bench.path("p.asm")).unwrap();
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    file.set_modified(long_ago).unwrap();
    bench.gray1("fmt p.asm").status(0).stdout("").stderr("");
    assert_eq!(bench.path("p.asm").metadata().unwrap().modified().unwrap(), long_ago);
    bench.gray1_with_input("fmt --check -", b"        HALT\n").status(0).stdout("").stderr("");
}
