//! Screens of the debugger: timeline, breakpoints and watches, questions, steps in both directions.

use gray1_session::{BreakChange, RunState, Snapshot};

use super::*;
use crate::panes::Cursor;
use gray1_isa::{RamAddr, RomIndex};

/// The screen of a paused session after these keys, with this pane in front at first.
fn type_keys(session: &mut Session, front: &str, keys: &str) -> String {
    let mut app = testing::app_of(session, Size::new(80, 24), front);
    testing::press_keys(session, &mut app, testing::keys(keys));
    text(&draw(&app, PLAIN))
}

fn paused() -> Session {
    testing::session(program(), true)
}

#[test]
fn the_timeline_marks_the_current_moment_and_printed_lines() {
    let mut session = paused();
    let screen = type_keys(&mut session, "timeline", "]]");
    let first = screen.lines().next().unwrap();
    assert!(first.contains("mailbox: 35 -> 0a by ST at 0x002d"), "{screen}");
    for expected in ["0  ", " 46|", "moment       46 ", "printed line 2 of 2 "] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let screen = type_keys(&mut session, "timeline", "[");
    for expected in ["moment       28 ", "printed line 1 of 2 ", "</> move"] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let marks: Vec<usize> =
        screen.lines().nth(3).unwrap().match_indices('\'').map(|(at, _)| at).collect();
    let now = screen.lines().nth(5).unwrap().find('^').unwrap();
    assert_eq!((marks.len(), marks[0]), (2, now), "{screen}");
}

#[test]
fn timeline_keys_move_by_fiftieths_and_to_the_ends() {
    let mut session = testing::session(testing::program("queens"), false);
    session.advance_by(1001);
    session.command(Command::RunOrPause);
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "timeline");
    for (code, now) in [
        (KeyCode::Char('<'), 980),
        (KeyCode::Left, 959),
        (KeyCode::Char('>'), 980),
        (KeyCode::Home, 0),
        (KeyCode::Left, 0),
        (KeyCode::Right, 21),
        (KeyCode::End, 1001),
        (KeyCode::Up, 1001),
    ] {
        if let Some(Effect::Session(command)) = app.key(code.into()) {
            session.command(command);
            app.update(session.snapshot());
        }
        assert_eq!(session.snapshot().time.now, now, "{code:?}");
    }
}

#[test]
fn the_timeline_marks_hit_breakpoints() {
    let mut session = paused();
    // A breakpoint at a late moment that the search goes back to, then one at an earlier moment.
    let keys = "]]Bmailbox '6'\nCBmailbox '1'\nC";
    let screen = type_keys(&mut session, "timeline", keys);
    let marks = screen.lines().nth(3).unwrap();
    let now = screen.lines().nth(5).unwrap().find('^').unwrap();
    let stops: Vec<usize> = marks.match_indices('!').map(|(at, _)| at).collect();
    assert_eq!((stops.len(), stops[0]), (2, now), "{screen}");
    let screen = type_keys(&mut session, "timeline", "r");
    let marks = screen.lines().nth(3).unwrap();
    assert_eq!(marks.matches('!').count(), 1, "another future: {screen}");
    let screen = type_keys(&mut paused(), "timeline", "Bmailbox '5'\nc");
    let marks = screen.lines().nth(3).unwrap();
    let now = screen.lines().nth(5).unwrap().find('^');
    assert_eq!(marks.find('!'), now, "{screen}");
}

#[test]
fn breaks_and_watches_are_listed_with_errors() {
    let mut session = paused();
    let screen = type_keys(&mut session, "breaks and watches", "");
    assert!(screen.contains("b: break here, B: break at anything else"), "{screen}");
    let screen = type_keys(&mut session, "breaks and watches", "Bwrite stock\n");
    assert!(screen.contains("column 7: the program has no `stock`"), "{screen}");
    let screen =
        type_keys(&mut session, "breaks and watches", "Bled 0, 3\nBmailbox '\\n'\na[N] * 2\nc");
    for expected in [
        "break led 0, 3: green row 0: 00 -> f8 by ST at 0x0005",
        "|break    1 led 0, 3 ",
        "|break    0 mailbox '\\n' ",
        "|watch      [N] * 2  10  0xa ",
        "off/on",
    ] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
}

#[test]
fn a_wire_break_reports_what_the_wire_did() {
    for (wire, expected) in [
        ("nWE falls", "nWE fell, in T6 at 0x0001"),
        ("PHASE = 0", "PHASE 4 -> 0: PHASE.2 fell, in T0 at 0x0001"),
    ] {
        let mut session = testing::session_on(testing::on_chips(), program(), true);
        let screen = type_keys(&mut session, "source", &format!("Bwire {wire}\nc"));
        let header = screen.lines().next().unwrap();
        assert!(header.contains(&format!("break wire {wire}: {expected}")), "{header}");
    }
}

#[test]
fn stepping_back_restores_every_pane() {
    // Except the timeline, which also shows the history found by the step.
    for pane in testing::app("queens").panes.iter().filter(|pane| pane.name() != "timeline") {
        let view = pane.name();
        let mut session = paused();
        session.command(Command::Change(BreakChange::Add("write stack".into())));
        for _ in 0..8 {
            let before = type_keys(&mut session, view, "");
            assert_eq!(type_keys(&mut session, view, "sS"), before, "{view}");
            assert_eq!(type_keys(&mut session, view, "ppPP"), before, "{view}");
            type_keys(&mut session, view, "s");
        }
    }
}

#[test]
fn a_key_cancels_a_search_and_does_nothing_else() {
    let mut session = paused();
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "source");
    app.update(Snapshot { run_state: RunState::Searching, ..session.snapshot() });
    for code in [KeyCode::Char('s'), KeyCode::Char('8'), KeyCode::Esc, KeyCode::Char('%')] {
        let effect = app.key(code.into());
        assert!(matches!(effect, Some(Effect::Session(Command::Cancel))), "{code:?}");
    }
    assert!(matches!(app.key(KeyCode::Char('q').into()), Some(Effect::Quit)));
    assert_eq!(app.pane().name(), "source");
}

#[test]
fn a_message_disappears_at_the_next_key() {
    let mut session = paused();
    let remark = "already at the beginning";
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "source");
    session.command(Command::StepBack);
    app.update(session.snapshot());
    let screen = text(&draw(&app, PLAIN));
    assert!(screen.contains(remark), "{screen}");
    app.key(KeyCode::Char('B').into());
    let screen = text(&draw(&app, PLAIN));
    assert!(!screen.contains(remark) && screen.contains(" esc back"), "{screen}");
}

#[test]
fn go_to_accepts_a_moment_or_a_printed_line() {
    let mut session = paused();
    let screen = type_keys(&mut session, "timeline", "]]g12\n");
    assert!(screen.contains("moment       12 "), "{screen}");
    assert!(type_keys(&mut session, "timeline", "gline 1\n").contains("moment       28 "));
    assert!(type_keys(&mut session, "timeline", "gline 2\n").contains("moment       46 "));
    assert!(type_keys(&mut session, "timeline", "gline 0\n").contains("from 1 on"));
    assert!(type_keys(&mut session, "timeline", "gsoon\n").contains("the program has no `soon`"));
    // A place that is not known yet is reached by running.
    for place in ["gline 3\n", "g99999\n"] {
        let screen = type_keys(&mut session, "timeline", place);
        assert!(screen.contains("the program ended before that"), "{screen}");
    }
    let mut session = paused();
    assert!(type_keys(&mut session, "timeline", "gline 2\n").contains("moment       46 "));
    let mut session = paused();
    assert!(type_keys(&mut session, "timeline", "g31\n").contains("moment       31 "));
}

#[test]
fn a_jump_can_be_undone_and_redone() {
    let mut session = paused();
    let keys = "]]g12\nJ";
    assert!(type_keys(&mut session, "timeline", keys).contains("moment       46 "));
    assert!(type_keys(&mut session, "timeline", "JJ").contains("moment       0 "));
    assert!(type_keys(&mut session, "timeline", "J").contains("no earlier jump"));
    assert!(type_keys(&mut session, "timeline", "jjj").contains("moment       12 "));
}

/// A routine and a macro, each with a distinctive name.
const ROUTINES: &str = "
.pool
.var x
.macro twice
        SHR
        SHR
.endmacro
        LDI  9
        ST   x
        twice
        .call plus(x, #3)
        .call plus(x, #4)
.repeat 2
        SHR
.endrepeat
        HALT
.routine plus(a, b) -> sum
        LD   a
        ADD  b
        ADD  #1
        ST   sum
.endroutine
";

fn with_routines() -> Session {
    testing::session(testing::assemble(ROUTINES), true)
}

/// The contents of the row with this mark, after index and word.
fn row_with(screen: &str, mark: &str) -> Option<String> {
    let (_, row) = screen.lines().find_map(|line| line.split_once(mark))?;
    let row = row.trim_end_matches('|').trim_end();
    let words = row.strip_suffix(" next").unwrap_or(row).split_whitespace().skip(2);
    Some(words.collect::<Vec<_>>().join(" ").trim_start_matches(['+', ' ']).to_owned())
}

/// The row of the machine's current instruction.
fn current_row(screen: &str) -> String {
    row_with(screen, "|>").unwrap_or_default()
}

#[test]
fn stepping_over_takes_one_line_in_both_directions() {
    let mut session = with_routines();
    let mut lines = vec![current_row(&type_keys(&mut session, "source", ""))];
    for _ in 0..8 {
        lines.push(current_row(&type_keys(&mut session, "source", "k")));
    }
    let calls = [".call plus(x, #3)", ".call plus(x, #4)"];
    let turns = ["SHR", "SHR"];
    let start = [".pool", "LDI 9", "ST x", "twice"];
    assert_eq!(lines, [&start[..], &calls, &turns, &["HALT"]].concat());
    for expected in lines.iter().rev().skip(1) {
        assert_eq!(current_row(&type_keys(&mut session, "source", "K")), *expected);
    }
    assert!(type_keys(&mut session, "source", "K").contains("already at the beginning"));
}

#[test]
fn local_names_work_inside_their_routine() {
    let mut session = with_routines();
    let screen = type_keys(&mut session, "source", "Bwrite sum\n");
    assert!(screen.contains("the program has no `sum`"), "{screen}");
    let screen = type_keys(&mut session, "source", "Bplus\nc");
    assert!(screen.contains("break plus: at plus (own.asm:"), "{screen}");
    let screen = type_keys(&mut session, "source", "Bwrite sum\n");
    assert!(screen.contains("break set: write plus.sum"), "{screen}");
    let screen = type_keys(&mut session, "source", "a[b] + 1\n");
    assert!(screen.contains("watch added: [plus.b] + 1"), "{screen}");
}

#[test]
fn the_margin_marks_enabled_and_disabled_breaks() {
    let mut session = with_routines();
    let screen = type_keys(&mut session, "source", "B5\n");
    assert!(screen.contains("break set: 5"), "{screen}");
    assert_eq!(row_with(&screen, "| *").as_deref(), Some("twice"), "folded, the call has it");
    let screen = type_keys(&mut session, "breaks and watches", "x");
    assert!(screen.contains("break switched off: 5"), "{screen}");
    assert_eq!(row_with(&screen, "| o").as_deref(), Some("twice"), "{screen}");
    let screen = type_keys(&mut session, "source", "Bplus + 1\ngplus\n");
    assert_eq!(row_with(&screen, "| *").as_deref(), Some("ADD b"), "{screen}");
}

#[test]
fn the_source_scrolls_to_the_place_of_a_stop() {
    let mut session = testing::session(testing::program("queens"), true);
    for keys in ["Brow3\nc", "r", "]", "g5000\n", "J"] {
        let mut app = testing::app_of(&mut session, Size::new(80, 24), "source");
        testing::press_keys(&mut session, &mut app, [KeyCode::PageDown.into(); 60]);
        assert!(!text(&draw(&app, PLAIN)).contains("|>"), "the cursor is far away");
        testing::press_keys(&mut session, &mut app, testing::keys(keys));
        let screen = text(&draw(&app, PLAIN));
        assert!(!current_row(&screen).is_empty(), "{keys}: {screen}");
    }
}

#[test]
fn find_searches_forward_backward_and_in_other_files() {
    let mut session = testing::session(testing::program("queens"), true);
    let selected = |keys: &str| {
        let mut app = testing::app_of(&mut session, Size::new(80, 24), "source");
        testing::keys(keys).for_each(|key| drop(app.key(key)));
        let buffer = draw(&app, PLAIN);
        let is_selected = |y: &u16| buffer[(30, *y)].modifier.contains(Modifier::REVERSED);
        let line = (1..22).find(is_selected);
        line.map(|y| text(&buffer).lines().nth(usize::from(y)).unwrap().to_owned())
    };
    let mut selected = selected;
    let first = selected("/halt\n").unwrap();
    assert!(first.contains("HALT"), "{first}");
    let rows: Vec<String> =
        ["/untried\n", "/untried\n.", "/untried\n..,"].map(|k| selected(k).unwrap()).into();
    assert!(rows.iter().all(|row| row.contains("untried")), "{rows:?}");
    assert_eq!(rows[1], rows[2], "one on and one back");
    assert_ne!(rows[0], rows[1]);
    // A macro that a library defines.
    assert!(selected("/.macro bnz\n").is_some_and(|line| line.contains("bnz")));
    assert_eq!(selected("/no such text\n"), None);
    // A match far to the right is scrolled into view.
    assert!(
        selected("/The search puts one\n").is_some_and(|line| line.contains("The search puts one"))
    );
}

#[test]
fn go_to_accepts_labels_addresses_lines_and_variables() {
    let mut session = testing::session(testing::program("queens"), true);
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "machine");
    let go = |app: &mut App, place: &str| {
        testing::keys(&format!("g{place}\n")).for_each(|key| drop(app.key(key)));
        (app.pane().name(), app.pane().cursor(&app.snapshot))
    };
    let image = &testing::program("queens").image;
    let label =
        |name: &str| RomIndex::truncate(u16::try_from(image.symbol(name).unwrap().value).unwrap());
    assert_eq!(go(&mut app, "row3"), ("source", Cursor::Code(Some(label("row3")))));
    let (name, cursor) = go(&mut app, "stack + 2");
    let stack = u16::try_from(image.symbol("stack").unwrap().value).unwrap();
    assert_eq!((name, cursor), ("memory", Cursor::Byte(RamAddr::truncate(stack + 2))));
    assert_eq!(go(&mut app, "0x12"), ("memory", Cursor::Byte(RamAddr::truncate(0x12))));
    go(&mut app, "row3");
    let (name, cursor) = go(&mut app, "0x12");
    assert!(matches!(cursor, Cursor::Code(Some(_))), "{name}: {cursor:?}");
    assert_eq!(go(&mut app, ":1"), ("source", Cursor::Code(None)));
}

#[test]
fn stepping_back_undoes_a_change_of_registers_or_memory() {
    let mut session = with_routines();
    let screen = type_keys(&mut session, "machine", "ssss");
    assert!(screen.contains("A      09"), "{screen}");
    let screen = type_keys(&mut session, "machine", "vA = 0x42\n");
    assert!(screen.contains("A      42"), "{screen}");
    assert!(screen.contains("starts a new future"), "{screen}");
    let screen = type_keys(&mut session, "machine", "vx = A + 1\n");
    assert_eq!(testing::variable(&session.snapshot(), "x"), 0x43, "{screen}");
    for (set, shown) in [("C = 1", "C      1"), ("C = 0", "C      0")] {
        let screen = type_keys(&mut session, "machine", &format!("v{set}\n"));
        assert!(screen.contains(shown), "{set}: {screen}");
    }
    for (text, problem) in [
        ("A = 256", "expected a byte, -128 to 255, found 256"),
        ("y = 1", "column 1: the program has no `y`"),
        ("x = y", "column 5: the program has no `y`"),
        ("x", "expected a register or a byte, '=' and its new value"),
    ] {
        let screen = type_keys(&mut session, "machine", &format!("v{text}\n"));
        assert!(screen.contains(problem), "{text}: {screen}");
    }
    session.command(Command::StepBack);
    assert_ne!(testing::variable(&session.snapshot(), "x"), 0x43);
    session.command(Command::Step);
    assert_eq!(
        (testing::variable(&session.snapshot(), "x"), session.snapshot().cpu.a),
        (0x43, 0x42)
    );
    let screen = type_keys(&mut session, "machine", "vPC = 0\n");
    assert!(screen.contains("PC     0000"), "{screen}");
}

#[test]
fn breaks_and_watches_can_be_edited() {
    let mut session = paused();
    let screen = type_keys(&mut session, "breaks and watches", "Bled\n\n 0, 3\n");
    assert!(screen.contains("break changed: led 0, 3"), "{screen}");
    let mut session = paused();
    let screen = type_keys(&mut session, "breaks and watches", "aN\n");
    assert!(screen.contains("N  0x0000: 0  0x0 "), "{screen}");
    // The prompt starts with the old condition.
    let screen = type_keys(&mut session, "breaks and watches", "\n + 1\n");
    assert!(screen.contains("watch changed: N + 1"), "{screen}");
}

#[test]
fn a_remark_is_shown_once() {
    let mut session = testing::session(testing::program("queens"), false);
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "source");
    session.command(Command::Change(BreakChange::Watch("[N]".into())));
    app.update(session.snapshot());
    assert!(app.shown_note().is_some());
    app.key(KeyCode::Tab.into());
    // A running machine publishes successive snapshots.
    session.advance_by(10);
    app.update(session.snapshot());
    assert!(app.shown_note().is_none());
    session.command(Command::Change(BreakChange::Watch("[N]".into())));
    app.update(session.snapshot());
    assert!(app.shown_note().is_some(), "the same words once more");
}

#[test]
fn the_counts_of_a_macro_line_belong_to_its_call() {
    let source = ".macro half\n SHR\n.endmacro\n half\nagain: half\n JMP again\n";
    let mut session = testing::session(testing::assemble(source), true);
    let screen = type_keys(&mut session, "source", "%sssssx");
    // It was executed three times, two of them after that moment.
    assert!(screen.contains(">      0001     2  40.0%    SHR"), "{screen}");
}

#[test]
fn the_margin_shows_execution_counts() {
    let source = ".var left\n LDI 2\nagain: ST left\n LDI 255\n ADD left\n JC again\n HALT\n SHR\n";
    let mut session = testing::session(testing::assemble(source), true);
    let screen = type_keys(&mut session, "source", "%ssssssssssssss");
    let lines: Vec<&str> = screen
        .lines()
        .filter_map(|line| Some(line.split_at_checked(line.find("000")?)?.1))
        .map(|line| line.trim_end_matches([' ', '|']))
        .collect();
    assert_eq!(
        lines,
        [
            "0000     1   7.1%   LDI 2",
            "0001     3  21.4%  again: ST left",
            "0002     3  21.4%   LDI 255",
            "0003     3  21.4%   ADD left",
            "0004     3  21.4%   JC again",
            "0005     1   7.1%   HALT",
            "0006        never   SHR",
            // The registers are below.
            "0005  T0",
        ],
        "{screen}"
    );
}
