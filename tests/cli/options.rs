//! Options that several commands share: one name, one meaning.

use crate::support::Bench;

#[test]
fn numbers_are_taken_as_they_are_shown() {
    let bench = Bench::new().file("presses", "0x0 left\n1,000 -\n");
    for (command, number, status) in [
        ("run queens --buttons presses --max-instructions", "5,000", 3),
        ("run queens --ram random:0xff --seed", "1_0", 2),
        ("run queens --engine timed --max-instructions 0x10 --pulse 2_4 --glitch", "1,000", 3),
        ("run queens --engine chips --max-instructions 20 --vcd v --vcd-window 0x5..", "1,0", 3),
        ("run queens --max-instructions 5 --set", "0x2:A=1", 3),
        ("why queens A --depth 0x1 --at", "8,547", 0),
        ("link queens --short --at", "8_547", 0),
        ("record queens -o film.svg --changes 0x2 --skip 1_0 --rate", "0xa", 0),
        ("compare fibonacci --lines 0x2 --max-instructions", "1,000", 0),
        ("check --access", "PCH=0x46", 0),
        ("diff fibonacci --set A=0 --at", "0x0", 0),
    ] {
        let separator = if number.ends_with(",0") { "" } else { " " };
        bench.gray1(&format!("{command}{separator}{number}")).status(status).err();
    }
    let said = bench.gray1("record queens -o film.svg --rate 51").status(2).err();
    assert!(said.contains("'--rate <N>': expected a number from 1 to 50"), "{said}");
}

#[test]
fn a_suffix_that_no_format_has_is_refused_in_one_wording() {
    let bench = Bench::new().file("p.asm", "HALT\n");
    for (command, format) in [
        ("asm p.asm", "ihex (.hex)"),
        ("convert p.asm", "ihex (.hex)"),
        ("screenshot p.asm", "ansi (.ans)"),
        ("record p.asm", "gif (.gif)"),
    ] {
        let said = bench.gray1(&format!("{command} -o picture.png")).status(2).err();
        let wording = "error: picture.png: no format has the suffix .png; choose one by --format";
        assert!(said.starts_with(wording) && said.contains(format), "{said}");
        assert_eq!(bench.names(), ["p.asm"]);
        // Capitals are the same suffix, and without one there is a default.
        for output in ["p.SVG", "p.HEX", "p"] {
            let has = matches!((output, format), ("p.SVG", "ansi (.ans)" | "gif (.gif)"))
                || matches!((output, format), ("p.HEX", "ihex (.hex)"))
                || output == "p";
            bench.gray1(&format!("{command} -o {output}")).status(if has { 0 } else { 2 }).err();
            let _ = std::fs::remove_file(bench.path(output));
        }
    }
}

#[test]
fn without_a_moment_the_end_of_the_run_is_meant() {
    let bench = Bench::new()
        .file("sum.asm", ".var sum\nLDI 3\nADD sum\nST sum\nHALT\n")
        .file("loop.asm", "top: LDI 1\nJMP top\n");
    for command in ["why sum.asm sum", "link sum.asm"] {
        let end = bench.gray1(&format!("{command} --at 4")).status(0);
        bench.gray1(command).status(0).stdout(end.out()).stderr("");
    }
    for command in ["why loop.asm A", "link loop.asm"] {
        let endless = "loop.asm has not ended after 1,000,000,000 instructions: choose a moment \
            by --at";
        bench.gray1(command).status(1).error(endless);
    }
}
