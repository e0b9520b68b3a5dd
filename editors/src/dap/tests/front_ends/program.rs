//! Small random programs that end. They have macros, repeats, routines and loops, for steps by
//! line.

use std::fmt::Write as _;

use gray1_isa::SplitMix64;

/// Routines and macros that all programs can call. Those that are not called are not assembled.
const BEGINNING: &str = "\
.pool
.var x
.var y
.var n
.macro bump a
        LD   a
        ADD  #1
        ST   a
.endmacro
.macro show a
        bump a
        ST   0x1fe0
.endmacro
.macro ask a
        .call twice(a)
        ST   a
.endmacro
.macro fill a
.repeat 2, i
        ST   a + i
.endrepeat
        SHR
.endmacro
";

const END: &str = "\
        HALT
.routine twice(v) -> w
        LD   v
        ADD  v
        ST   w
.endroutine
.routine next(v) -> w
        bump v
        .call twice(v)
        ST   w
.endroutine
";

/// The statements of a program that is being generated.
struct Statements<'a> {
    random: &'a mut SplitMix64,
    text: String,
    labels: u32,
}

/// The source of a program with about this many statements.
pub(super) fn source(random: &mut SplitMix64, statements: u64) -> String {
    let mut all = Statements { random, text: BEGINNING.to_owned(), labels: 0 };
    let loops = all.random.below(3) == 0;
    if loops {
        all.line("LDI  254\n        ST   n\nagain:");
    }
    for _ in 0..all.random.between(1, statements) {
        all.statement(2);
    }
    if loops {
        all.line("LD   n\n        ADD  #1\n        ST   n\n        JC   done");
        all.line("JMP  again\ndone:");
        all.statement(2);
    }
    all.text + END
}

impl Statements<'_> {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "        {text}").expect("text has room");
    }

    fn statement(&mut self, depth: u32) {
        let variable = *self.one_of(&["x", "y"]);
        let byte = self.random.below(256);
        let square = 0x1fe0 + self.random.below(16);
        let kinds = if depth == 0 { 12 } else { 19 };
        match self.random.below(kinds) {
            0 | 1 => self.line(&format!("LDI  {byte}")),
            2 | 3 => self.line(&format!("ST   {variable}")),
            4 => self.line(&format!("LD   {variable}")),
            5 => self.line(&format!("ADD  {variable}")),
            6 => self.line(&format!("NAND {variable}")),
            7 => self.line("SHR"),
            8 => self.line(&format!("ST   {square}")),
            9 => self.line("ST   0x1fff"),
            10 => self.line("LD   0x1ffe"),
            11 => self.line("LDI  '\\n'\n        ST   0x1fff"),
            12 => self.line(&format!("bump {variable}")),
            13 => self.line(&format!("show {variable}")),
            14 => self.line(&format!("ask  {variable}")),
            15 => self.line(&format!(".call {}({variable})", ["twice", "next"][byte as usize % 2])),
            16 => self.line("fill x"),
            17 => self.repeat(depth),
            _ => self.skip(depth),
        }
    }

    fn repeat(&mut self, depth: u32) {
        let count = self.random.between(2, 3);
        writeln!(self.text, ".repeat {count}").expect("text has room");
        self.statement(depth - 1);
        self.statement(depth - 1);
        self.text += ".endrepeat\n";
    }

    fn skip(&mut self, depth: u32) {
        self.labels += 1;
        let label = format!("@l{}", self.labels);
        self.line(&format!("JC   {label}"));
        self.statement(depth - 1);
        writeln!(self.text, "{label}:").expect("text has room");
    }

    fn one_of<T>(&mut self, all: &'static [T]) -> &'static T {
        &all[self.random.below(all.len() as u64) as usize]
    }
}
