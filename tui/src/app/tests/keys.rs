//! The key tables: a key has one meaning, every row works somewhere, and each button has its name.

use gray1_session::{BreakChange, WireDetail};

use super::*;
use crate::actions::{KeyBinding, KeyGroup, ListPurpose, Reply, row};
use crate::panes::{Context, Pane, PaneSpec};
use crate::preferences::Preferences;

#[test]
fn no_key_has_two_meanings_at_once() {
    let mut app = testing::app("queens");
    let check = |app: &App, place: &str| {
        let working = app.entries().filter(|entry| app.works(entry));
        let keys: Vec<Key> = working.flat_map(|entry| entry.row.keys).copied().collect();
        for (n, key) in keys.iter().enumerate() {
            assert!(!keys[..n].contains(key), "{key} in {place}");
        }
    };
    for front in 0..app.panes.len() {
        app.front = front;
        check(&app, app.pane().name());
    }
    app.buttons_have_keys = true;
    check(&app, "the buttons");
    app.buttons_have_keys = false;
    for keys in ["?", "o", "B"] {
        let mut app = testing::app("queens");
        app.show_programs(programs());
        keys.chars().for_each(|c| press(&mut app, KeyCode::Char(c)));
        check(&app, keys);
    }
}

#[test]
fn every_action_has_keys_a_title_and_a_place_where_it_works() {
    let mut app = testing::app("queens");
    let rows = app.rows(ListPurpose::Help);
    let mut working = Vec::new();
    let mut note = |app: &App| {
        working.extend(app.entries().filter(|it| app.works(it)).map(|it| it.row));
    };
    for front in 0..app.panes.len() {
        app.front = front;
        note(&app);
    }
    let mut session = testing::session(testing::program("queens"), true);
    session.command(Command::Ask(Asked::Led { row: 0, column: 0 }));
    testing::settle(&mut session);
    app.update(session.snapshot());
    note(&app);
    app.buttons_have_keys = true;
    note(&app);
    app.show_programs(programs());
    note(&app);
    for row in rows {
        assert!(!row.keys.is_empty() && !row.title.is_empty(), "{row:?}");
        assert!(working.contains(&row), "{row:?}");
    }
}

#[test]
fn letters_typed_into_a_dialog_trigger_no_action() {
    let mut app = testing::app("queens");
    app.show_programs(programs());
    for c in ' '..='~' {
        let bound = app.entries().filter(|entry| app.works(entry));
        assert!(!bound.flat_map(|entry| entry.row.keys).any(|key| *key == Key::char(c)), "{c}");
    }
}

/// A pane whose check for the context line must not run.
struct Slow;

impl PaneSpec for Slow {
    const NAME: &'static str = "slow";
    const TITLE: &'static str = "pane: slow";
    const KEYS: &'static [KeyBinding<Self>] = &[row(&[Key::char('x')], KeyGroup::Cursor, "x", "x")
        .calls(|_, _| Reply::Note("done"))
        .when(|_, _| unreachable!("only the context line offers keys"))];
}

impl Pane for Slow {
    fn draw(&self, _: &Context, _: Rect, _: &mut Buffer) {}
}

/// On a terminal that does not mark pasted text, it arrives as thousands of keys.
#[test]
fn finding_a_key_does_not_compute_the_context_line() {
    let mut app = testing::app("queens");
    app.panes.push(Box::new(Slow));
    press(&mut app, KeyCode::Char('B'));
    "xyz ".chars().for_each(|c| press(&mut app, KeyCode::Char(c)));
    press(&mut app, KeyCode::Esc);
    app.front = app.panes.len() - 1;
    press(&mut app, KeyCode::Char('x'));
    assert_eq!(app.note.as_deref(), Some("done"));
}

/// A key or a paste without a meaning shows a note with advice.
#[test]
fn a_key_without_effect_shows_a_note() {
    let note = |buttons_have_keys, act: fn(&mut App)| {
        let mut app = testing::app("snake");
        app.buttons_have_keys = buttons_have_keys;
        act(&mut app);
        app.note.unwrap()
    };
    for (buttons_have_keys, act, expected) in [
        (
            false,
            (|app| press(app, KeyCode::Up)) as fn(&mut App),
            "press i to use the keys as the panel's buttons",
        ),
        (false, |app| press(app, KeyCode::Char('X')), "X does nothing here: ? lists the keys"),
        (true, |app| press(app, KeyCode::Char('x')), "x is not a button: esc ends button mode"),
        (false, |app| app.paste('x'), "you can paste only into a text box"),
    ] {
        assert_eq!(note(buttons_have_keys, act), expected);
    }
    let mut app = testing::app("snake");
    press(&mut app, KeyCode::Char('B'));
    "led".chars().for_each(|c| app.paste(c));
    assert!(app.note.is_none() && text(&draw(&app, PLAIN)).contains("> led"));
}

#[test]
fn every_panel_button_has_a_key() {
    use gray1_isa::panel::Buttons;
    let app = testing::app("queens");
    for (bit, name) in Buttons::NAMES.iter().enumerate() {
        let holds = |command: Option<&Command>| matches!(command, Some(Command::Tap(it)) if it.0 == 1 << bit);
        let entry = app.entries().find(|entry| holds(entry.command()));
        let title = entry.map(|entry| entry.row.title.to_lowercase());
        assert_eq!(title, Some(format!("button {name}")));
    }
}

#[test]
fn tab_cycles_through_the_panes() {
    let mut app = testing::app("queens");
    let count = app.panes.len();
    for n in 0..2 * count {
        assert_eq!(app.front, n % count);
        press(&mut app, KeyCode::Tab);
    }
    for n in (0..2 * count).rev() {
        press(&mut app, KeyCode::BackTab);
        assert_eq!(app.front, n % count);
    }
}

#[test]
fn alt_distinguishes_keys() {
    let mut app = testing::app("queens");
    assert!(app.key(Key { alt: true, ..Key::char('q') }).is_none());
    assert!(matches!(app.key(Key::char('q')), Some(Effect::Quit)));
    assert!(matches!(app.key(Key::control('c')), Some(Effect::Interrupt)));
}

#[test]
fn the_session_computes_only_the_wires_that_the_front_pane_draws() {
    use WireDetail::{Levels, Nothing, Waves};
    let mut app = testing::app("queens");
    let mut requested = Vec::new();
    for c in ['5', '5', '2', '1', '5', '9', '9', '1'] {
        if let Some(Effect::Session(Command::ShowWires(wanted))) = app.key(Key::char(c)) {
            requested.push(wanted);
        }
    }
    assert_eq!(requested, [Levels, Nothing, Levels, Waves, Nothing]);
}

#[test]
fn preferences_are_restored() {
    let mut session = testing::session(program(), true);
    let mut app = testing::app_of(&mut session, Size::new(80, 24), "waves");
    assert_eq!(app.preferences(), Preferences::default());
    for c in ['z', 'x', 'v'] {
        press(&mut app, KeyCode::Char(c));
    }
    let chosen = app.preferences();
    assert!(chosen.alone);
    assert_eq!(chosen.waves[..3], ["PC", "PHASE", "PROG"]);
    let again = App::new(session.snapshot(), app.size, "waves", chosen.clone());
    assert_eq!(again.preferences(), chosen);
}

#[test]
fn w_explains_the_byte_at_the_cursor_and_b_sets_a_break() {
    let mut app = app(false, Size::new(80, 24));
    press(&mut app, KeyCode::Char('4'));
    let Some(Effect::Session(Command::Ask(Asked::Subject(_)))) = app.key(Key::char('w')) else {
        panic!("nothing is asked");
    };
    // In a pane without a cursor.
    press(&mut app, KeyCode::Char('1'));
    let Some(Effect::Session(Command::Change(BreakChange::Toggle(index)))) =
        app.key(Key::char('b'))
    else {
        panic!("no break is set");
    };
    assert_eq!(index.get(), 0);
    assert!(app.key(Key::char('w')).is_none(), "it asks what is meant");
}

#[test]
fn a_key_toggles_pauses_at_printed_lines() {
    let mut app = app(false, Size::new(80, 24));
    for on in [false, true] {
        let effect = app.key(Key::char('l'));
        assert!(matches!(effect, Some(Effect::Session(Command::SetDwelling(now))) if now == on));
        assert_eq!(app.preferences().dwells, on);
    }
}

#[test]
fn breaks_are_saved_under_the_name_of_the_program() {
    let mut session = testing::session(program(), true);
    session.command(Command::Change(BreakChange::Toggle(RomIndex::truncate(1))));
    let app = testing::app_of(&mut session, Size::new(80, 24), "display");
    let (name, saved) = app.saved_breakpoints();
    assert_eq!((name, saved.breaks.len()), ("test", 1));
}

#[test]
fn assembling_again_closes_messages_only() {
    let mut app = app(false, Size::new(80, 24));
    app.show_programs(programs());
    assert!(app.reload("own.asm", Err("a mistake".into())).is_none());
    let screen = text(&draw(&app, PLAIN));
    assert!(
        screen.contains("the old program stays loaded: own.asm") && screen.contains("a mistake")
    );
    assert!(matches!(app.reload("own.asm", Ok(program())), Some(Command::Load(_))));
    let screen = text(&draw(&app, PLAIN));
    assert!(!screen.contains("a mistake") && screen.contains("open a program"), "{screen}");
}
