//! Screens of the debugger: timeline, breaks and watches, questions, and steps there and back.

use super::*;
use crate::tui::player::{Command, Due};

/// The screen of a paused player after these keys.
fn debugged(player: &mut Player, view: View, keys: &str) -> String {
    let views = Arrangement::showing(view);
    let mut state = State::new(Box::new(player.snapshot()), Size::new(80, 24), views);
    state.see(Box::new(player.snapshot()));
    for c in keys.chars() {
        let code = if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
        if let Some(Effect::Machine(command)) = state.key(code.into()) {
            player.command(command);
            while player.advance(std::time::Duration::ZERO) == Due::Now {}
        }
        state.see(Box::new(player.snapshot()));
    }
    text(&drawn(&state, PLAIN))
}

fn paused() -> Player {
    Player::new(program(), PowerUp::Zero, true)
}

#[test]
fn the_timeline_shows_where_one_is_and_where_lines_were_ended() {
    let mut player = paused();
    let screen = debugged(&mut player, View::Timeline, "]]");
    let first = screen.lines().next().unwrap();
    assert!(first.contains("mailbox: 35 -> 0a by ST at 0x002d"), "{screen}");
    for expected in ["0  ", " 46|", "moment       46 ", "lines ended  2 of 2 "] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let screen = debugged(&mut player, View::Timeline, "[");
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
    let mut player = paused();
    let screen = debugged(&mut player, View::Timeline, "nn");
    // On the left are the LEDs.
    let timeline: Vec<&str> =
        screen.lines().filter_map(|line| Some(line.split_at_checked(20)?.1)).collect();
    assert_eq!(timeline[3].matches('.').count(), 2, "{screen}");
    assert_eq!(timeline[3].rfind('.'), timeline[5].find('^'), "{screen}");
}

#[test]
fn the_timeline_marks_where_breaks_were_met() {
    let mut player = paused();
    // A break is set late and gone back to, then one before it.
    let keys = "]]Bmailbox '6'\nCBmailbox '1'\nC";
    let screen = debugged(&mut player, View::Timeline, keys);
    let marks = screen.lines().nth(3).unwrap();
    let now = screen.lines().nth(5).unwrap().find('^').unwrap();
    let stops: Vec<usize> = marks.match_indices('!').map(|(at, _)| at).collect();
    assert_eq!((stops.len(), stops[0]), (2, now), "{screen}");
    let screen = debugged(&mut player, View::Timeline, "r");
    let marks = screen.lines().nth(3).unwrap();
    assert_eq!(marks.matches('!').count(), 1, "another future: {screen}");
    let screen = debugged(&mut paused(), View::Timeline, "Bmailbox '5'\nc");
    let marks = screen.lines().nth(3).unwrap();
    let now = screen.lines().nth(5).unwrap().find('^');
    assert_eq!(marks.find('!'), now, "{screen}");
}

#[test]
fn breaks_and_watches_are_listed_with_what_is_wrong() {
    let mut player = paused();
    let screen = debugged(&mut player, View::Breaks, "");
    assert!(screen.contains("b breaks here, B at anything else"), "{screen}");
    let screen = debugged(&mut player, View::Breaks, "Bwrite stock\n");
    assert!(screen.contains("column 7: the program has no 'stock'"), "{screen}");
    let screen = debugged(&mut player, View::Breaks, "Bled 0, 3\nBmailbox '\\n'\na[N] * 2\nc");
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
fn a_step_and_a_step_back_is_the_same_screen_in_every_view() {
    // The timeline has learnt what comes next.
    for view in View::ALL.into_iter().filter(|view| *view != View::Timeline) {
        let mut player = paused();
        player.command(Command::AddBreak("write stack".into()));
        for _ in 0..8 {
            let before = debugged(&mut player, view, "");
            assert_eq!(debugged(&mut player, view, "sS"), before, "{view:?}");
            assert_eq!(debugged(&mut player, view, "ppPP"), before, "{view:?}");
            debugged(&mut player, view, "s");
        }
    }
}

#[test]
fn any_key_gives_up_a_search_and_does_nothing_else() {
    let mut player = paused();
    let mut state = State::new(
        Box::new(player.snapshot()),
        Size::new(80, 24),
        Arrangement::showing(View::Source),
    );
    state.snapshot.status = Status::Searching;
    for code in [KeyCode::Char('s'), KeyCode::Char('8'), KeyCode::Esc, KeyCode::Char('%')] {
        let effect = state.key(code.into());
        assert!(matches!(effect, Some(Effect::Machine(Command::Cancel))), "{code}");
    }
    assert!(matches!(state.key(KeyCode::Char('q').into()), Some(Effect::Quit)));
    assert_eq!(state.views.focus, View::Source);
    player.command(Command::Cancel);
}

#[test]
fn a_remark_stands_until_the_next_key() {
    let mut player = paused();
    let remark = "this is the beginning";
    let mut state = State::new(
        Box::new(player.snapshot()),
        Size::new(80, 24),
        Arrangement::showing(View::Source),
    );
    player.command(Command::StepBack);
    state.see(Box::new(player.snapshot()));
    let screen = text(&drawn(&state, PLAIN));
    assert!(screen.contains(remark), "{screen}");
    state.key(KeyCode::Char('B').into());
    let screen = text(&drawn(&state, PLAIN));
    assert!(!screen.contains(remark) && screen.contains(" esc back"), "{screen}");
}

#[test]
fn a_moment_is_gone_to_by_its_number_or_by_a_line() {
    let mut player = paused();
    let screen = debugged(&mut player, View::Timeline, "]]g12\n");
    assert!(screen.contains("moment       12 "), "{screen}");
    assert!(debugged(&mut player, View::Timeline, "gline 2\n").contains("moment       46 "));
    assert!(
        debugged(&mut player, View::Timeline, "gline 3\n").contains("2 lines are known so far")
    );
    assert!(debugged(&mut player, View::Timeline, "gsoon\n").contains("expected a number"));
    let screen = debugged(&mut player, View::Timeline, "g99999\n");
    assert!(screen.contains(" instructions are known so far"), "{screen}");
}
