//! The panes that have no golden files elsewhere, with small programs after some keys.

use gray1_session::BreakChange;

use super::*;
use crate::script::{Script, ScriptEntry};
use crate::tests::goldens;

/// Counts, lights a bit and prints a letter in each turn. It has a macro, a repeat and a long line.
const COUNTER: &str = "\
.title \"A test\"
MAILBOX = 0x1fff
GREEN = 0x1fe0
.var n
.var table, 20
.show n, \"number\"

.macro light row                ; what is shown
        LD   n
        ST   GREEN + row
.endmacro

.pool
start:  LDI  'a'
next:
.repeat 2, turn
        ST   n
        light turn
        ADD  #1                 ; a comment that goes on and on, to behind the right edge of a pane
.endrepeat
        ST   MAILBOX
        LDI  '\\n'
        ST   MAILBOX
        ST   table + 17
        JMP  again
        .org 0x40
again:  LD   n
        JMP  next
";

/// Every kind of code that unfolds: calls in calls, iterations of a repeat, and code that the
/// assembler generates for single lines.
const UNITS: &str = "\
.pool
.macro twice
        SHR
        SHR
.endmacro
.macro more
        twice
        LDI  1
.endmacro
.repeat 2
        more
.endrepeat
        ADD  #3
        .call plus(#3)
        .call plus(#4)
        HALT
.routine plus(a) -> sum
        ST   sum
.endroutine
";

/// The pane in front, the number of instructions executed, and the keys pressed then.
pub(super) type Scene = (&'static str, u64, &'static str);

/// Each pane in a screen to itself.
pub(super) const ALONE: [Scene; 18] = [
    ("source", 0, ""),
    ("source", 4, "u Down"),
    ("source", 3, "Down x Down Down"),
    ("source", 7, "% Right Right"),
    ("source", 0, "/ n Enter . ."),
    ("source", 0, "/ M A I L Enter , ,"),
    ("source", 30, "End b Up b"),
    ("machine", 6, ""),
    ("memory", 14, ""),
    ("memory", 14, "Home Down Down Right Right"),
    ("memory", 40, "End PgUp Left"),
    ("output", 100, ""),
    ("timeline", 60, "[ [ n"),
    ("breaks and watches", 20, "Down"),
    ("breaks and watches", 20, "Down Down Down x"),
    ("board", 9, ""),
    ("board", 9, "Down Down Right p p p"),
    ("waves", 9, "Down Right Right >"),
];

/// The source at each instruction, folded and with the code around it unfolded.
const FOLDS: [Scene; 8] = [
    ("source", 1, ""),
    ("source", 1, "u"),
    ("source", 3, ""),
    ("source", 6, ""),
    ("source", 6, "u"),
    ("source", 10, ""),
    ("source", 12, "u"),
    ("source", 17, "u"),
];

/// Several panes next to each other.
const TOGETHER: [Scene; 6] = [
    ("source", 7, "%"),
    ("machine", 6, ""),
    ("memory", 14, "Home Down Down Right Right"),
    ("breaks and watches", 20, "Down x"),
    ("waves", 9, "<"),
    ("display", 400, "Left Left Left Left Left Left Left Left Left Left"),
];

/// The screen after these keys, with the machine paused.
pub(super) fn after(size: Size, scene: Scene) -> App {
    after_in(COUNTER, size, scene)
}

fn after_in(source: &str, size: Size, (front, count, keys): Scene) -> App {
    let mut session = testing::session(testing::assemble(source), false);
    session.advance_by(count);
    session.command(Command::RunOrPause);
    for text in ["again", "write n", "nothing"] {
        session.command(Command::Change(BreakChange::Add(text.into())));
    }
    session.command(Command::Change(BreakChange::Watch("[n] * 2".into())));
    let mut app = testing::app_of(&mut session, size, front);
    let keys = keys.parse::<Script>().unwrap().0.into_iter().map(|entry| match entry {
        ScriptEntry::Press(key) => key,
        _ => panic!("no time passes here"),
    });
    testing::press_keys(&mut session, &mut app, keys);
    app
}

fn check(file: &str, source: &str, size: Size, scenes: &[Scene]) {
    let part = |&scene: &Scene| {
        let (front, count, keys) = scene;
        let screen = draw(&after_in(source, size, scene), RICH);
        goldens::part(&format!("{front} after {count}: {keys}"), &screen)
    };
    let golden: String = scenes.iter().map(part).collect();
    goldens::check(&format!("panes/{file}.txt"), &golden);
}

#[test]
fn panes_match_their_goldens() {
    check("52x18", COUNTER, Size::new(52, 18), &ALONE);
    check("120x34", COUNTER, Size::new(120, 34), &TOGETHER);
    check("folds", UNITS, Size::new(70, 24), &FOLDS);
}

#[test]
fn page_down_moves_by_the_visible_lines() {
    let mut session = testing::session(testing::program("queens"), true);
    session.command(Command::Change(BreakChange::Add("1".into())));
    // The breakpoints are listed below the source.
    let mut app = testing::app_of(&mut session, Size::new(120, 34), "source");
    press(&mut app, KeyCode::Home);
    press(&mut app, KeyCode::PageDown);
    let (screen, inside) = (draw(&app, RICH), app.inside(app.places()[0]));
    let is_marked = |y: &u16| screen[(inside.x, *y)].modifier.contains(Modifier::REVERSED);
    let marked = (inside.y..inside.bottom()).find(is_marked).unwrap();
    let text = text(&screen);
    let line = text.lines().nth(marked.into()).unwrap();
    assert!(inside.height < 30 && line.contains(&format!("{:>4} ", inside.height + 1)), "{line}");
}

#[test]
fn a_program_without_source_is_disassembled() {
    let mut session = testing::session(program(), true);
    let app = testing::app_of(&mut session, Size::new(52, 18), "source");
    let screen = text(&draw(&app, RICH));
    let lines: Vec<&str> = screen.lines().collect();
    for (line, expected) in [
        (1, "╭ source  program memory "),
        (2, "│▶ 0000 0005   LDI  0x05"),
        (3, "│  0001 4000   ST   N"),
    ] {
        assert!(lines[line].starts_with(expected), "{screen}");
    }
}
