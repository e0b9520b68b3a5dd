//! Routines: calls return to their callers, and the memory map lists all bytes.

use std::fmt::Write as _;

use gray1_asm::{NoIncludes, Rendering, Source, assemble};
use gray1_isa::{Image, PowerUp};
use gray1_sim::{Engine as _, Machine};

use crate::support::Bench;

fn image(text: &str) -> Image {
    let source = Source { id: String::new(), name: "t.asm".into(), text: text.to_owned() };
    let assembly = assemble(source, &mut NoIncludes);
    let messages = Rendering::Plain.render(&assembly.diagnostics, &assembly.files);
    assembly.image.unwrap_or_else(|| panic!("{messages}\nof\n{text}"))
}

/// The output of a program, and the number of instructions until it halts.
#[track_caller]
fn run(text: &str) -> (Vec<u8>, u64) {
    let mut machine = Machine::new(&image(text), PowerUp::Random(1));
    machine.run(10_000_000);
    assert!(machine.halted(), "{text}");
    (machine.take_output(), machine.executed())
}

#[test]
fn the_map_lists_every_variable_with_its_address() {
    let source = "\
.pool
.var total, 2
        .call f(total)
        .call g(#3)
        .call g(#4)
        ST total + 1
        HALT
.routine f(n)
.var table, 3
        LD n
        ADD table
        .call h()
.endroutine
.routine g(n) -> m
        LD n
        ADD #5
        ST m
.endroutine
.routine h()
.var x
        LD x
.endroutine
.routine nobody(n)
        LD n
.endroutine
";
    let bench = Bench::new().file("p.asm", source);
    bench.gray1("asm p.asm --format bin --map p.map").status(0).stdout("");
    assert_eq!(bench.names(), ["p.asm", "p.bin", "p.map"]);
    let map = "\
0000       #0x05
0001-0002  total
0003       f: n
0004-0006  f: table
0007       g: n
0008       g: m
0009       g: the number of its call
000a       h: x
11 of 8160 bytes
";
    assert_eq!(String::from_utf8(bench.read("p.map")).unwrap(), map);
    bench.gray1("asm p.asm -o p.bin --map -").status(0).stdout(map);
    // An error leaves no output file.
    let bench = Bench::new().file("p.asm", " LDI x\n");
    bench.gray1("asm p.asm --map p.map").status(1).stdout("");
    assert_eq!(bench.names(), ["p.asm"]);
}

#[test]
fn a_call_returns_after_one_decision_for_each_bit_of_its_number() {
    for sites in [1, 2, 3, 5, 33, 255, 256] {
        let calls = (0..sites).fold(String::new(), |mut text, site| {
            writeln!(text, " .call f()\n LDI {site}\n ST 0x1fff").unwrap();
            text
        });
        let (output, executed) = run(&format!("{calls} HALT\n.routine f()\n.endroutine\n"));
        let expected: Vec<u8> = (0..=u8::MAX).take(sites).collect();
        assert_eq!(output, expected, "of {sites} places");
        // A call costs a jump, and also stores the call site if there are several. On return, each
        // decision takes LD, SHR and JC, and in half of the cases also a JMP.
        let decisions = sites.next_power_of_two().ilog2() as usize;
        let (call, back) = if sites == 1 { (1, 1) } else { (3, 2 + 2 * decisions) };
        let most = sites * (call + back + 2) + 1;
        assert!(executed as usize <= most, "{executed} for {sites} places");
    }
}
