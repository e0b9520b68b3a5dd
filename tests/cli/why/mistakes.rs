//! Mistakes in our programs. The first steps of the answer to an obvious question show the line
//! with the mistake.

use std::fs;

use crate::support::{Bench, root};

/// A mistake in a program, and the question of a person who sees its effect.
struct Mistake {
    program: &'static str,
    right: &'static str,
    wrong: &'static str,
    question: &'static str,
    at: u64,
    /// The line that a step must show. If the mistake is a missing line, this is the line that
    /// stored the old value.
    shown: &'static str,
}

const MISTAKES: [Mistake; 7] = [
    Mistake {
        program: "life",
        right: "@below = (r + 1) % 8",
        wrong: "@below = (r + 2) % 8",
        question: "led 1, 1",
        at: 946,
        shown: "add_bits ones + @above",
    },
    Mistake {
        program: "puzzle",
        right: "bz   blink, play",
        wrong: "bnz  blink, play",
        question: "led 3, 3",
        at: 5000,
        shown: "bnz  blink, play",
    },
    Mistake {
        program: "primes",
        right: "#lo(~(1 << @multiple % 8))",
        wrong: "#lo(~(2 << @multiple % 8))",
        question: "led 0, 5",
        at: 100,
        shown: "and  GREEN + @multiple",
    },
    Mistake {
        program: "queens",
        right: "        ST   leftward\n        ST   rightward\n",
        wrong: "        ST   leftward\n",
        question: "excluded + 9.1",
        at: 2_000_000,
        shown: "ST   rightward",
    },
    Mistake {
        program: "queens-permute",
        right: "@over:  set  done + @k, 0\n",
        wrong: "@over:\n",
        question: "led 0, 0",
        at: 146,
        shown: "ADD  done + @k",
    },
    Mistake {
        program: "queens-odometer",
        right: "@round: set  RED + @r, 1\n",
        wrong: "@round:\n",
        question: "led 7, 0",
        at: 230,
        shown: "ST   RED + @r",
    },
    Mistake {
        program: "snake",
        right: "        copy next + COLUMN, head + COLUMN\n",
        wrong: "",
        question: "led 4, 4",
        at: 60_000,
        shown: "set  head + COLUMN",
    },
];

impl Mistake {
    fn check(&self) {
        let path = root().join(format!("programs/{}.asm", self.program));
        let source = fs::read_to_string(path).unwrap();
        assert!(source.contains(self.right), "{}", self.right);
        let source = source.replacen(self.right, self.wrong, 1);
        let shown = source.lines().position(|line| line.contains(self.shown)).unwrap() + 1;
        let bench = Bench::new().file("bug.asm", &source);
        let command = format!("why bug.asm '{}' --at {}", self.question, self.at);
        let text = bench.gray1(&command).status(0).text();
        let is_shown = text.lines().skip(1).any(|step| lines_of(step).contains(&shown));
        assert!(is_shown && text.lines().count() <= 6, "{}: line {shown}\n{text}", self.program);
    }
}

/// Returns the lines that a step shows, such as those of `(bug.asm:100-104, called from line 119)`.
fn lines_of(step: &str) -> Vec<usize> {
    let (_, place) = step.split_once("bug.asm:").expect("each step has a line");
    let (lines, rest) = place.split_once([',', ')']).unwrap();
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let called = rest.split_once("called from line ").and_then(|(_, rest)| rest.split_once(')'));
    let called = called.map(|(line, _)| line.parse().unwrap());
    (first.parse().unwrap()..=last.parse().unwrap()).chain(called).collect()
}

#[test]
fn the_first_steps_show_the_line_with_the_mistake() {
    for mistake in MISTAKES {
        mistake.check();
    }
}

/// A light moves to the left, and its program forgets that the last shift leaves a byte without
/// bits. Nothing sets `d` before it is incremented.
const LIGHT: &str = "\
.allow unwritten
.include \"lib/std.asm\"
.include \"lib/panel.asm\"
.var col
.var d
.pool
        set  col, 4
loop:   copy col, GREEN
        halve col
        ST   col
        increment d
        bne  d, #5, loop
        HALT
";

#[test]
fn unusual_steps_are_shown_and_named() {
    let bench = Bench::new().file("light.asm", LIGHT);
    for (question, expected) in [
        (
            "col",
            "\
col is 0x00 because `ST col` (line 10) changed it 5 times, and `LDI 0x04` (line 7, \
             moment 7) set it to 0x04.
  col is 0x00: halve col; ST col at loop+4 (light.asm:9-10), moment 69
  C is 0: bne d, #5, loop at loop+12 (light.asm:12), moment 63
  col is 0x00, and a bit was lost: halve col; ST col at loop+4 (light.asm:9-10), moment \
             41
  bits 1 to 7 of d are 0, which nothing had written: increment d at loop+5 \
             (light.asm:11), moment 14
  bits 2 to 7 of col are 0: set col, 4; halve col; ST col at loop+4 (light.asm:7-10), \
             moment 13
",
        ),
        (
            "d",
            "\
d is 0x05 because `ST d` (line 11) changed it 5 times, and line 11 read `d` before \
             anything had written it.
  C is 1: bne d, #5, loop at loop+12 (light.asm:12), moment 77
  d is 0x05: increment d at loop+7 (light.asm:11), moment 72
  C is 0: bne d, #5, loop at loop+12 (light.asm:12), moment 63
  d is 0x04: increment d at loop+7 (light.asm:11), moment 58
  d is 0x00, which nothing had written: increment d at loop+5 (light.asm:11), moment 14
",
        ),
        (
            "led 0, 2",
            "\
LED 0, 2 is dark because `ST green row 0` (line 8) copied `col` there, and `LDI 0x04` \
             (line 7, moment 7) set it to 0x04.
  green LED 0, 2 is 0: copy col, GREEN at loop+1 (light.asm:8), moment 66
  col.3 is 0, and a bit was lost: halve col; ST col at loop+4 (light.asm:9-10), moment \
             41
  green LED 0, 2 is 0, its last change: copy col, GREEN at loop+1 (light.asm:8), moment \
             24
  bits 1 to 7 of d are 0, which nothing had written: increment d at loop+5 \
             (light.asm:11), moment 14
  col.2 is 0: set col, 4; halve col; ST col at loop+4 (light.asm:7-10), moment 13
",
        ),
    ] {
        bench.gray1(&format!("why light.asm '{question}'")).status(0).stdout(expected);
    }
}
