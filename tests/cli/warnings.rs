//! Warnings: code that assembles but is probably a mistake. They change nothing else.

use crate::support::Bench;
use crate::support::terminal::Setup;

const SOURCE: &str = "LIMIT = 3\n.var seed\n LD seed\n JC 0\n ST 0x1fff\n HALT\n";

#[test]
fn a_warning_that_is_denied_is_an_error() {
    // Tests a carry that no instruction has set, and defines a name that is not used.
    let bench = Bench::new().file("p.asm", "@x = 1\nagain: JC again\n HALT\n");
    for (options, errors, warnings) in [
        ("", 0, 2),
        ("--deny carry", 1, 1),
        ("--deny all", 2, 0),
        ("--deny all --allow unused", 1, 0),
    ] {
        let ran = bench.gray1(&format!("asm p.asm {options} --message-format json"));
        let stderr = ran.err();
        let count = |severity| stderr.matches(&format!("{{\"severity\":\"{severity}\"")).count();
        assert_eq!((count("error"), count("warning")), (errors, warnings), "{options}: {stderr}");
        ran.status(i32::from(errors > 0));
        assert_eq!(bench.path("p.ron").exists(), errors == 0, "{options}");
        let _ = std::fs::remove_file(bench.path("p.ron"));
    }
    bench.gray1("run p.asm --deny carry").status(1).stdout("");
    bench.gray1("asm p.asm --deny everything").status(2);
}

#[test]
fn warnings_do_not_change_the_image_or_the_status() {
    let bench = Bench::new().file("p.asm", SOURCE);
    let text = bench.gray1("asm p.asm --format bin").status(0).err();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("warning")).collect();
    assert_eq!(
        lines,
        [
            "warning[unused]: constant `LIMIT` is never used",
            "warning[unwritten]: variable `seed` is read but never written",
            "warning[carry]: nothing has set C before this JC",
            "warning: 3 warnings",
        ]
    );
    assert!(text.ends_with("warning: 3 warnings\nwrote p.bin\n"), "{text}");
    assert_eq!(bench.names(), ["p.asm", "p.bin"]);
    let ran = bench.gray1("run p.asm").status(0).stdout("\0").err();
    assert!(ran.ends_with("warning: 3 warnings\nhalted at 0x0003 after 4 instructions\n"), "{ran}");
}

/// A file of a library is replaced by one in the program's folder, which may be an accident.
#[test]
fn a_file_that_replaces_a_file_of_a_library_is_named() {
    let library = std::fs::read_to_string(crate::support::root().join("programs/lib/std.asm"));
    let program = ".include \"lib/std.asm\"\n LDI 1\n HALT\n";
    let bench = Bench::new().file("p.asm", program).file("lib/std.asm", library.unwrap());
    assert_eq!(bench.gray1("asm p.asm").status(0).err(), "wrote p.ron\n");
    let bench = bench.file("lib/std.asm", "; mine\n");
    let note = "note: `lib/std.asm` replaces the library's file\n";
    for command in ["asm p.asm", "run p.asm"] {
        assert!(bench.gray1(command).status(0).err().starts_with(note), "{command}");
    }
}

#[test]
fn warnings_are_coloured_where_colours_are_wanted() {
    let bench = Bench::new().file("p.asm", SOURCE);
    for (name, value, is_coloured) in [
        ("TERM", "xterm-256color", true),
        ("NO_COLOR", "1", false),
        ("CLICOLOR", "0", false),
        ("TERM", "dumb", false),
    ] {
        let setup = Setup::gray1(&bench.path(""), "run p.asm").size(100, 60).env(name, value);
        let terminal = setup.start();
        terminal.wait_for("halted at");
        let colour = terminal.cell("warning", 0).fgcolor();
        assert_eq!(colour != vt100::Color::Default, is_coloured, "{name}={value}: {colour:?}");
        terminal.ends_with(0);
    }
    // Messages written to a file have no colours.
    assert!(!bench.gray1("run p.asm").status(0).err().contains('\u{1b}'));
}
