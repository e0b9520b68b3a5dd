//! Screens of the debugger: timeline, breaks and watches, questions, and steps there and back.

use super::*;
use crate::session::{BreakChange, Due, Snapshot, Status};

/// The screen of a paused session after these keys, with this pane in front at first.
fn debugged(session: &mut Session, front: &str, keys: &str) -> String {
    let mut app = testing::app_of(session, Size::new(80, 24), front);
    for c in keys.chars() {
        let code = if c == '\n' { Code::Enter } else { Code::Char(c) };
        if let Some(Effect::Session(command)) = app.key(code.into()) {
            session.command(command);
            while session.advance(std::time::Duration::ZERO) == Due::Now {}
            app.see(session.snapshot());
        }
    }
    text(&drawn(&app, PLAIN))
}

fn paused() -> Session {
    testing::session(program(), true)
}

#[test]
fn the_timeline_shows_where_one_is_and_where_lines_were_ended() {
    let mut session = paused();
    let screen = debugged(&mut session, "timeline", "]]");
    let first = screen.lines().next().unwrap();
    assert!(first.contains("mailbox: 35 -> 0a by ST at 0x002d"), "{screen}");
    for expected in ["0  ", " 46|", "moment       46 ", "lines ended  2 of 2 "] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let screen = debugged(&mut session, "timeline", "[");
    for expected in ["moment       28 ", "lines ended  1 of 2 ", "</> move"] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let marks: Vec<usize> =
        screen.lines().nth(3).unwrap().match_indices('\'').map(|(at, _)| at).collect();
    let now = screen.lines().nth(5).unwrap().find('^').unwrap();
    assert_eq!((marks.len(), marks[0]), (2, now), "{screen}");
}

#[test]
fn the_timeline_marks_the_led_changes_that_were_gone_to() {
    let mut session = paused();
    let screen = debugged(&mut session, "timeline", "nn");
    // On the left are the LEDs.
    let timeline: Vec<&str> =
        screen.lines().filter_map(|line| Some(line.split_at_checked(20)?.1)).collect();
    assert_eq!(timeline[3].matches('.').count(), 2, "{screen}");
    assert_eq!(timeline[3].rfind('.'), timeline[5].find('^'), "{screen}");
}

#[test]
fn the_timeline_marks_where_breaks_were_met() {
    let mut session = paused();
    // A break is set late and gone back to, then one before it.
    let keys = "]]Bmailbox '6'\nCBmailbox '1'\nC";
    let screen = debugged(&mut session, "timeline", keys);
    let marks = screen.lines().nth(3).unwrap();
    let now = screen.lines().nth(5).unwrap().find('^').unwrap();
    let stops: Vec<usize> = marks.match_indices('!').map(|(at, _)| at).collect();
    assert_eq!((stops.len(), stops[0]), (2, now), "{screen}");
    let screen = debugged(&mut session, "timeline", "r");
    let marks = screen.lines().nth(3).unwrap();
    assert_eq!(marks.matches('!').count(), 1, "another future: {screen}");
    let screen = debugged(&mut paused(), "timeline", "Bmailbox '5'\nc");
    let marks = screen.lines().nth(3).unwrap();
    let now = screen.lines().nth(5).unwrap().find('^');
    assert_eq!(marks.find('!'), now, "{screen}");
}

#[test]
fn breaks_and_watches_are_listed_with_what_is_wrong() {
    let mut session = paused();
    let screen = debugged(&mut session, "breaks and watches", "");
    assert!(screen.contains("b: break here, B: break at anything else"), "{screen}");
    let screen = debugged(&mut session, "breaks and watches", "Bwrite stock\n");
    assert!(screen.contains("column 7: the program has no 'stock'"), "{screen}");
    let screen =
        debugged(&mut session, "breaks and watches", "Bled 0, 3\nBmailbox '\\n'\na[N] * 2\nc");
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
fn a_reason_that_does_not_fit_ends_in_an_ellipsis() {
    let mut session = paused();
    for condition in ["led 0, 3", "write 0x1fe0", "when [0x1fe0] == 0xf8"] {
        session.command(Command::Change(BreakChange::Add(condition.into())));
    }
    let screen = debugged(&mut session, "source", "c");
    let header = screen.lines().next().unwrap();
    let expected =
        " test  break led 0, 3, write 0x1fe0, when [0x1fe0] == 0xf8: green row... paused";
    assert_eq!(header, expected);
}

#[test]
fn a_step_and_a_step_back_is_the_same_screen_in_every_view() {
    // The timeline has learnt what comes next.
    for pane in testing::app("queens").panes.iter().filter(|pane| pane.name() != "timeline") {
        let view = pane.name();
        let mut session = paused();
        session.command(Command::Change(BreakChange::Add("write stack".into())));
        for _ in 0..8 {
            let before = debugged(&mut session, view, "");
            assert_eq!(debugged(&mut session, view, "sS"), before, "{view}");
            assert_eq!(debugged(&mut session, view, "ppPP"), before, "{view}");
            debugged(&mut session, view, "s");
        }
    }
}

#[test]
fn any_key_gives_up_a_search_and_does_nothing_else() {
    let mut session = paused();
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "source");
    app.see(Snapshot { status: Status::Searching, ..session.snapshot() });
    for code in [Code::Char('s'), Code::Char('8'), Code::Esc, Code::Char('%')] {
        let effect = app.key(code.into());
        assert!(matches!(effect, Some(Effect::Session(Command::Cancel))), "{code:?}");
    }
    assert!(matches!(app.key(Code::Char('q').into()), Some(Effect::Quit)));
    assert_eq!(app.pane().name(), "source");
}

#[test]
fn a_remark_stands_until_the_next_key() {
    let mut session = paused();
    let remark = "this is the beginning";
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "source");
    session.command(Command::StepBack);
    app.see(session.snapshot());
    let screen = text(&drawn(&app, PLAIN));
    assert!(screen.contains(remark), "{screen}");
    app.key(Code::Char('B').into());
    let screen = text(&drawn(&app, PLAIN));
    assert!(!screen.contains(remark) && screen.contains(" esc back"), "{screen}");
}

#[test]
fn a_moment_is_gone_to_by_its_number_or_by_a_line() {
    let mut session = paused();
    let screen = debugged(&mut session, "timeline", "]]g12\n");
    assert!(screen.contains("moment       12 "), "{screen}");
    assert!(debugged(&mut session, "timeline", "gline 2\n").contains("moment       46 "));
    assert!(debugged(&mut session, "timeline", "gline 3\n").contains("2 lines are known so far"));
    assert!(debugged(&mut session, "timeline", "gsoon\n").contains("expected a number"));
    let screen = debugged(&mut session, "timeline", "g99999\n");
    assert!(screen.contains(" instructions are known so far"), "{screen}");
}
