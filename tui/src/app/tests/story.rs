//! The box of a story: what it shows, and where its lines lead.

use super::*;
use crate::session::{Destination, RunState};
use crate::tests::goldens;

/// The queens search after 5,000 instructions, with a question answered.
fn app_with_story(size: Size, asked: Asked) -> (App, Session) {
    let mut session = testing::session(testing::program("queens"), false);
    session.advance_by(5000);
    session.command(Command::RunOrPause);
    let mut app = testing::app_of(&mut session, size, "display");
    session.command(Command::Ask(asked));
    testing::settle(&mut session);
    app.see(session.snapshot());
    (app, session)
}

#[test]
fn the_goldens_of_a_story_are_what_is_drawn() {
    for (width, height) in [(80, 24), (120, 40)] {
        let asked = Asked::Led { row: 4, column: 3 };
        let (app, _) = app_with_story(Size { width, height }, asked);
        let screen = goldens::marked(&drawn(&app, RICH), RICH);
        goldens::check(&format!("story/{width}x{height}.txt"), &screen);
    }
}

#[test]
fn a_line_of_a_story_leads_to_its_moment_and_a_jump_leads_back() {
    let (mut app, mut session) =
        app_with_story(Size::new(80, 24), Asked::Led { row: 4, column: 3 });
    assert_eq!(session.run_state(), RunState::Paused);
    press(&mut app, KeyCode::Down);
    let effect = app.key(Key::plain(KeyCode::Enter));
    let Some(Effect::Session(command @ Command::RunTo(Destination::Moment(4894)))) = effect else {
        panic!("{effect:?}");
    };
    session.command(command);
    testing::settle(&mut session);
    let reason = session.snapshot().stops.reason.unwrap().text;
    assert!(reason.starts_with("untried+4: ") && reason.contains(" read by LD at try4+63"));
    session.command(Command::JumpBack);
    testing::settle(&mut session);
    assert_eq!(session.snapshot().time.now, 5000);
    app.see(session.snapshot());
    assert!(!text(&drawn(&app, PLAIN)).contains(" why "), "it was seen");
}

#[test]
fn a_click_on_an_led_asks_about_it() {
    let (mut app, _) = app_with_story(Size::new(80, 24), Asked::byte(panel::RED));
    press(&mut app, KeyCode::Esc);
    let click = Mouse { kind: MouseKind::Press, at: Position::new(15, 15) };
    let Some(Effect::Session(Command::Ask(asked))) = app.mouse(click) else {
        panic!("nothing is asked")
    };
    assert_eq!(asked, Asked::Led { row: 5, column: 3 });
}
