//! The debugger in a real terminal: steps and searches in both directions, breaks, time, phases.

use crate::support::terminal::{BLINK, Setup, Terminal, count, start};
use crate::support::{Bench, tutorial_program};

/// What a chip shows in the picture of the board, in binary digits.
fn shown(terminal: &Terminal, chip: &str) -> String {
    let text = terminal.text();
    let mut lines = text.lines();
    let corner = lines.find_map(|line| {
        let (before, _) = line.split_once(&format!("─ {chip} ─"))?;
        Some(before.chars().count())
    });
    let below = lines.next().unwrap_or_default().chars();
    below.skip(corner.unwrap_or_default() + 1).take(8).collect()
}

/// Goes phase by phase with this key until the strip shows a phase.
fn walk_to<'a>(terminal: &'a mut Terminal, key: &str, phase: u8) -> &'a Terminal {
    let present = |terminal: &Terminal| {
        (0..8_u8).find(|phase| terminal.text().contains(&format!("[T{phase}]")))
    };
    while present(terminal) != Some(phase) {
        let before = present(terminal);
        terminal.keys(key);
        terminal.wait_until("the next phase", |terminal| present(terminal) != before);
    }
    terminal
}

#[test]
fn a_step_back_across_an_led_change_shows_the_earlier_board() {
    let bench = Bench::new().file("blink.asm", BLINK);
    let mut terminal = start(&bench, "debug blink.asm");
    terminal.wait_for("paused");
    terminal.keys("1");
    terminal.wait_for("pace");
    terminal.keys("nn");
    terminal.wait_until("the LED is on, then off", |t| count(t) == Some(6));
    terminal.keys("S");
    terminal.wait_until("a step back", |t| count(t) == Some(5)).wait_for("0  R");
    terminal.keys("N");
    terminal.wait_until("the change before", |t| count(t) == Some(4));
    terminal.keys("S");
    terminal.wait_until("and what was before it", |t| count(t) == Some(3)).wait_for_no("0  R");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_break_on_a_byte_says_why_and_the_story_of_another_leads_to_its_writer() {
    let bench = Bench::new();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused");
    terminal.keys("Bwrite stack\r");
    terminal.keys("c");
    terminal.wait_for("break write stack: stack: 00 -> 01 by ST at try0+6");
    terminal.keys("wexcluded + 7\r");
    terminal.wait_for("excluded+7 is 0x00");
    terminal.keys("\r");
    terminal.wait_for("excluded+7: 00 -> 00 by ST at 0x0014");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn the_fiftieth_arrangement_is_scrubbed_to() {
    let bench = Bench::new();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused");
    terminal.keys("7]]]");
    terminal.wait_for("solution     3 of 3");
    terminal.keys("++++++++ ");
    terminal.wait_for("solution     92 of 92");
    terminal.keys("gline 50\r");
    terminal.wait_for("solution     50 of 92");
    terminal.keys("6");
    terminal.wait_for("50 lines");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_taken_jump_is_walked_through_phase_by_phase() {
    let bench = Bench::new().file("jump.asm", " LDI 1\n JMP there\n.org 6\nthere: HALT\n");
    let mut terminal = start(&bench, "debug jump.asm");
    terminal.wait_for("paused");
    terminal.keys("s5");
    let phases = ["[T0]", "[T1]", "[T2]", "[T3]", "[T4]", "[T5]", "[T6]", "[T7]"];
    for phase in phases {
        terminal.wait_for(phase).wait_for("0001 JMP  there");
        if phase == "[T7]" {
            terminal.wait_for("on: AS_EN PC_LOAD").wait_for("PC_LOAD is on: it is loaded");
        }
        terminal.keys("p");
    }
    terminal.wait_for("[T0]").wait_for("0006");
    for phase in phases.iter().rev() {
        terminal.keys("P");
        terminal.wait_for(phase).wait_for("0001 JMP  there");
    }
    terminal.keys("q");
    terminal.ends_with(0);
}

/// The walk of "Why a Gray code?" in docs/DEBUGGER.md, key by key.
#[test]
fn a_binary_counter_goes_wrong_at_the_edge_on_which_two_lines_move() {
    let bench = Bench::new();
    let options = "debug queens --board binary-counter --engine timed --seed 4";
    let mut terminal = Setup::gray1(&bench.path(""), options).size(120, 40).start();
    terminal.wait_for("paused");
    terminal.keys("Bdouble PCL\r");
    terminal.keys("c");
    terminal.wait_for("break double PCL: PCL 01 -> 00: PCL.0 fell, PCL.1 moved 4 times");
    terminal.keys("5");
    terminal.wait_for("[T0]").wait_for("0000 LDI");
    terminal.wait_until("PCL is 0", |terminal| shown(terminal, "PCL") == "00000000");
    terminal.keys("\x1b[B\x1b[B\x1b[B");
    terminal.wait_for("PCL.0 moves; PCL.1 moved 4 times, PCL.2 2 times in this edge (glitches)");
    terminal.keys("P");
    terminal.wait_for("[T7]").wait_for_no("break double PCL");
    terminal.wait_until("PCL is 1", |terminal| shown(terminal, "PCL") == "00000001");
    terminal.keys("p");
    terminal.wait_for("[T0]").wait_for("break double PCL: PCL 01 -> 00");
    terminal.keys("c");
    terminal.wait_for("PCL 01 -> 02").wait_for("0001 ST");
    terminal.keys("c");
    terminal.wait_for("PCL 03 -> 00").wait_for("0000 LDI");
    terminal.keys("C");
    terminal.wait_for("PCL 01 -> 02");
    terminal.keys("C");
    terminal.wait_for("PCL 01 -> 00");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_gray_counter_moves_two_lines_only_where_it_is_loaded() {
    let bench = Bench::new();
    let options = "debug queens --engine timed --seed 1";
    let mut terminal = Setup::gray1(&bench.path(""), options).size(120, 40).start();
    terminal.wait_for("paused");
    terminal.keys("Bdouble PCL\r");
    terminal.keys("c");
    terminal.wait_for("break double PCL: PCL 67 -> 6c").wait_for("in T7");
    terminal.keys("5");
    terminal.wait_for("PC_LOAD loads");
    terminal.keys("q");
    terminal.ends_with(0);
}

#[test]
fn a_byte_is_followed_through_the_picture_of_the_machine_and_back() {
    let bench = Bench::new().file("store.asm", " LDI 0x5a\n ST 0x1234\n HALT\n");
    let options = "debug store.asm --engine chips";
    let mut terminal = Setup::gray1(&bench.path(""), options).size(120, 40).start();
    terminal.wait_for("paused");
    terminal.keys("s5");
    let nothing = "no chip takes a byte";
    let ways = ["PROG ▶ IRH", "PROG ▶ IRL", "AS ▶ BUF ▶ RAM"];
    for (phase, way) in [2, 4, 6].into_iter().zip(ways) {
        walk_to(&mut terminal, "p", phase).wait_for(way);
        if phase == 6 {
            terminal.wait_for("takes at 1234").wait_for("BUS 5a").wait_for("━ BUF ━");
        }
    }
    walk_to(&mut terminal, "p", 0).wait_for(nothing);
    for (phase, way) in [(7, nothing), (6, ways[2]), (4, ways[1]), (3, nothing), (2, ways[0])] {
        walk_to(&mut terminal, "P", phase).wait_for(way);
    }
    // A click on BUF, and the list.
    terminal.keys("\x1b[<0;110;18M");
    terminal.wait_for("BUF 2716,").wait_for("nWE is high: it lets go of BUS");
    terminal.keys("v");
    terminal.wait_for_no("─ BUF ─").wait_for("BUF   00000000 nWE is high");
    terminal.keys("q");
    terminal.ends_with(0);
}

/// From the first to the seventh of the lines that are shown at first.
const DOWN_TO_BUS: &str = "\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B";

#[test]
fn in_time_the_waves_show_a_glitch_that_the_board_at_rest_does_not_have() {
    let bench = Bench::new();
    let options = "debug life --engine timed --seed 1";
    let mut timed = Setup::gray1(&bench.path(""), options).size(120, 40).start();
    timed.wait_for("paused");
    timed.keys("9");
    timed.wait_for("in time, 550 ns a column").wait_for("glitches");
    timed.keys(DOWN_TO_BUS);
    timed.keys("y");
    timed.wait_for("T4 of 0005 ST   #0x01: 43 edges ahead, enter goes there");
    timed.wait_for("BUS 00 -> 00: BUS.0 moved 6 times");
    timed.keys("\r");
    timed.wait_for("T4 of 0005 ST   #0x01: the present");
    timed.keys("q");
    timed.ends_with(0);

    let settled = Setup::gray1(&bench.path(""), "debug life --engine chips").size(120, 40);
    let mut settled = settled.start();
    settled.wait_for("paused");
    settled.keys("9");
    settled.wait_for("from rest to rest");
    settled.keys(DOWN_TO_BUS);
    settled.keys("y");
    settled.wait_for("no glitch of this wire there").wait_for_no("glitches");
    settled.keys("\x1b[6~\x1b[6~\x1b[6~\x1b[C\x1b[C\x1b[C");
    settled.wait_for("T4 of 0003 ST   #0x10: 27 edges ahead").wait_for("BUS stands still");
    settled.keys("q");
    settled.ends_with(0);
}

#[test]
fn the_lines_of_the_waves_are_chosen_and_found_again() {
    let bench = Bench::new();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused");
    terminal.keys("9");
    terminal.wait_for("beside the instruction engine").wait_for_no("PCL.3");
    terminal.keys("Lpcl.3\r");
    terminal.wait_for("[x] PCL.3");
    terminal.keys("\x1b");
    terminal.wait_for_no("[x]");
    terminal.keys("xxxxxxxxxxxxxx");
    terminal.wait_for_no("PHASE").wait_for("PCL.3");
    terminal.keys("q");
    terminal.ends_with(0);
    let mut again = start(&bench, "debug queens");
    again.wait_for("paused");
    again.keys("9");
    again.wait_for("PC_LOAD").wait_for("PCL.3").wait_for_no("PHASE");
    again.keys("q");
    again.ends_with(0);
}

#[test]
fn a_break_on_a_wire_needs_an_engine_that_has_wires() {
    let bench = Bench::new();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused");
    terminal.keys("Bwire PCL.3 rises\r");
    terminal.wait_for("needs --engine chips or timed");
    terminal.keys("\x1b");
    terminal.wait_for_no("needs --engine chips or timed");
    terminal.keys("q");
    terminal.ends_with(0);
}

/// LANGUAGE's routine, called twice, with a macro and a variable.
const MULTIPLY: &str = "
.pool
.var x
.macro clear name
        LDI  0
        ST   name
.endmacro
        clear x
        .call multiply(#6, #7)
        ST   x
        .call multiply(x, #2)
        ST   0x1fff
        HALT

.routine multiply(a, b) -> product
  .var rest
        LD   a
        ST   rest
        clear product
next:   LD   rest
        ADD  #-1
        ST   rest
        JC   more
        .return
more:   LD   product
        ADD  b
        ST   product
        JMP  next
.endroutine
";

/// A walk through a program of one's own that does what this language is special for.
#[test]
fn a_routine_is_debugged_by_its_own_names() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let bench = Bench::new().file("mul.asm", MULTIPLY);
        let folder = bench.path("");
        let start = || Setup::gray1(&folder, "debug mul.asm").size(columns, rows).start();
        let mut terminal = start();
        terminal.wait_for("paused").wait_for_place("0000", ".pool");
        terminal.keys("s");
        terminal.wait_for_place("0000", ".pool").wait_for("0001");
        terminal.keys("x");
        terminal.wait_for_place("0001", "ST");
        terminal.keys("xkk");
        terminal.wait_for("▸        .call multiply(#6, #7)");
        // Over the call, back over it, and into the routine.
        terminal.keys("k");
        terminal.wait_for_place("000c", "ST   x");
        terminal.keys("K");
        terminal.wait_for_place("0004", ".call multiply(#6, #7)");
        terminal.keys("gmultiply + 1\r");
        terminal.wait_for("ST   rest");
        terminal.keys("h");
        terminal.wait_for("ST   rest").wait_for("ST   multiply.re");
        terminal.keys("Bwrite product\r");
        terminal.wait_for("break set: write multiply.product");
        terminal.keys("a[product]\r");
        terminal
            .wait_for("watch added: [multiply.product]")
            .wait_for("watch      [multiply.product]");
        terminal.keys("b");
        terminal.wait_for("break set: multiply+1").wait_for("▶●");
        terminal.keys("b");
        terminal.wait_for("break removed: multiply+1").wait_for_no("▶●");
        terminal.keys("c");
        // However narrow the screen, the header says what happened, and where.
        terminal.wait_for("break write multiply.product: multiply.product: 00");
        terminal.wait_for("(mul.asm:6)");
        terminal.keys("c");
        terminal.wait_for("[multiply.product]  7  0x7");
        // Another factor from here on, and out to the caller.
        terminal.keys("4v\x15multiply.b = 100\r");
        terminal.wait_for("gives a new future");
        terminal.keys("gmultiply.b\r");
        terminal.wait_for("multiply.b = 64");
        terminal.keys("2cc");
        terminal.wait_for("[multiply.product]  207  0xcf");
        terminal.keys("q");
        terminal.ends_with(0);
        // All of it is there the next time, and can be switched off and removed.
        let mut terminal = start();
        terminal.wait_for("write multiply.product").wait_for("watch      [multiply.product]");
        terminal.keys("8x");
        terminal.wait_for("break switched off: write multiply.product");
        terminal.keys("\x7f");
        terminal.wait_for("break removed: write multiply.product");
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

/// The walk of "A bug, and time travel" in docs/TUTORIAL.md, key by key.
#[test]
fn the_bug_of_the_tutorial_is_found_long_before_its_symptom() {
    let heart = tutorial_program("A heart behind a comet");
    for (columns, rows) in [(80, 24), (120, 40)] {
        let bench = Bench::new().file("heart.asm", &heart);
        let setup = Setup::gray1(&bench.path(""), "debug heart.asm --watch").size(columns, rows);
        let mut terminal = setup.start();
        terminal.wait_for("paused").wait_for_place("0000", "");
        terminal.keys("Bwrite RED\r");
        terminal.wait_for("break set: write RED");
        terminal.keys("c");
        terminal.wait_for("red row 0: 00 -> 00").wait_for_place("0058", "set  GREEN + row");
        terminal.keys("a[heart]\r");
        terminal.wait_for("watch added: [heart]").wait_for("[heart]  0  0x0");
        terminal.keys("w\r");
        terminal.wait_for("red row 0 is 0x00: LDI 0x00 at 0x0024 (heart.asm:18)");
        terminal.keys("\x1b[B\x1b[B");
        terminal.wait_for("at 0x0025 (heart.asm:18), moment");
        terminal.keys("\r");
        terminal
            .wait_for("heart: 66 -> 00 by ST at 0x0025 (heart.asm:18)")
            .wait_for("▸        set  comet + row, 0");
        terminal.keys("S");
        terminal.wait_for("[heart]  102  0x66").wait_for_place("0024", "set  comet + row");
        std::fs::write(bench.path("heart.asm"), heart.replace("repeat 9", "repeat 8")).unwrap();
        terminal.wait_for("assembled again").wait_for_place("0000", "");
        terminal.keys("c");
        terminal.wait_for("red row 0: 00 -> 66");
        terminal.keys("q");
        terminal.ends_with(0);
    }
}

#[test]
fn the_mouse_scrolls_chooses_and_scrubs() {
    let bench = Bench::new();
    let mut terminal = start(&bench, "debug queens");
    terminal.wait_for("paused").wait_for("set  N, 0");
    // The wheel down over the source, then a click on a line of it.
    terminal.keys(&"\x1b[<65;50;10M".repeat(12));
    terminal.wait_for_no("set  N, 0");
    terminal.keys("\x1b[<0;50;10M\x1b[<0;50;10m");
    terminal.keys("f");
    terminal.wait_for("set  N, 0");
    // Dragging along the timeline.
    terminal.keys("7]");
    terminal.wait_for("solution     1 of 1");
    terminal.keys("\x1b[<0;70;5M\x1b[<32;50;5M\x1b[<32;22;5M\x1b[<0;22;5m");
    terminal.wait_for("solution     0 of 1");
    // An action of the help.
    terminal.keys("?registers");
    terminal.wait_for("pane: registers and phase");
    terminal.keys("\x1b[<0;20;5M\x1b[<0;20;5m");
    terminal.wait_for("LDI").wait_for("Gray");
    terminal.keys("q");
    terminal.ends_with(0);
}
