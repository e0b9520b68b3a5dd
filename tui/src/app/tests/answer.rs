//! The answer to a question: its contents, its position, and the effect of its steps.

use gray1_debugger::why::Explanation;
use gray1_session::{Destination, RunState};

use super::*;
use crate::tests::goldens;

const ASKED: Asked = Asked::Led { row: 4, column: 3 };

/// The queens search after 5,000 instructions, with an open answer.
fn app_with_answer(size: Size, front: &str) -> (App, Session) {
    let mut session = testing::session(testing::program("queens"), false);
    session.advance_by(5000);
    session.command(Command::RunOrPause);
    let mut app = testing::app_of(&mut session, size, front);
    session.command(Command::Ask(ASKED));
    testing::settle(&mut session);
    app.update(session.snapshot());
    (app, session)
}

fn screen(app: &App) -> String {
    text(&draw(app, PLAIN))
}

#[test]
fn answers_match_their_goldens() {
    for (width, height) in [(80, 24), (120, 40)] {
        let (app, _) = app_with_answer(Size { width, height }, "display");
        let screen = goldens::mark_styles(&draw(&app, RICH), RICH);
        goldens::check(&format!("answer/{width}x{height}.txt"), &screen);
    }
}

/// The answer does not overlap LEDs or panes, and the panes stay where they were.
#[test]
fn an_answer_never_covers_the_leds() {
    let (mut app, _) = app_with_answer(Size::new(80, 24), "display");
    for (width, height) in [(40, 12), (40, 20), (60, 45), (80, 24), (100, 30), (120, 40), (200, 60)]
    {
        app.resize(Size { width, height });
        for front in 0..app.panes.len() {
            app.front = front;
            let (places, answer) = app.arrange();
            let name = format!("{width}x{height}, {}: {answer}", app.pane().name());
            assert_eq!(layout::body(app.size).intersection(answer), answer, "{name}");
            assert!(answer.width >= 20 && answer.height >= 5, "{name}");
            let spots = app.spots(RICH, &draw(&app, RICH)).into_iter();
            // The smaller LEDs of the album may be covered.
            let leds: Vec<_> =
                spots.filter(|led| led.cells.height == led.cells.width / 2).collect();
            assert!(leds.iter().all(|led| !led.cells.intersects(answer)), "{name}");
            let pane = places.iter().find(|place| place.pane == 0);
            assert_eq!(pane.is_some(), leds.len() == SIDE * SIDE, "{name}: {}", leds.len());
            let is_watched = front == 0 || width >= 80 && app.pane().width_min(height) <= 58;
            assert!(pane.is_some() || !is_watched || height < 20, "{name}");
            let larger = places.iter().skip(usize::from(front == 0));
            assert!(larger.into_iter().all(|it| !it.area.intersects(answer)), "{name}");
        }
    }
    // If the panel is next to the LEDs, the LEDs do not move.
    app.front = 0;
    for size in [(80, 24), (100, 30), (120, 40), (200, 60)] {
        app.resize(size.into());
        let there = app.places()[0].area;
        let answer = app.answer.take();
        assert_eq!(app.places()[0].area, there, "{}", app.size);
        app.answer = answer;
    }
}

/// The square in question has a ring of heavy lines, and other squares of the sentence have light
/// rings.
#[test]
fn an_answer_rings_the_led_and_the_squares_it_mentions() {
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        let (mut app, mut session) = app_with_answer(Size::new(80, 24), "display");
        let mut snapshot = session.snapshot();
        let explanation = snapshot.stops.explanation.as_deref().unwrap();
        // At the edges, one side of the ring is on the matrix's frame.
        let explanation = Explanation { squares: vec![(7, 7), (0, 0)], ..explanation.clone() };
        snapshot.stops.explanation = Some(explanation.into());
        app.resize(Size { width, height });
        app.update(snapshot);
        let buffer = draw(&app, RICH);
        let matrix = matrix_in(&app);
        let corner = |row, column| {
            let at = matrix.square(row, column).as_position();
            let left = if matrix.cell == 1 { at.x - 1 } else { at.x };
            buffer[(left, at.y)].symbol().to_owned()
        };
        let (heavy, light) = if matrix.cell == 1 { ("[", "[") } else { ("┏", "╭") };
        for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
            let expected = match (row, column) {
                (4, 3) => heavy,
                (0, 0) | (7, 7) => light,
                _ => continue,
            };
            assert_eq!(corner(row, column), expected, "{row}, {column} at {width}x{height}");
            if matrix.cell > 1 {
                let square = matrix.square(row, column);
                let last = buffer[(square.right(), square.bottom())].symbol();
                assert_eq!(last, if (row, column) == (4, 3) { "┛" } else { "╯" }, "closed");
            }
        }
        assert_eq!(corner(2, 2).trim(), "", "{width}x{height}");
    }
}

/// The position of the LEDs with an answer open.
fn matrix_in(app: &App) -> display::layout::Matrix {
    display::layout::arrange(app.places()[0].area, true).matrix
}

#[test]
fn going_to_a_step_keeps_the_answer_open() {
    let (mut app, mut session) = app_with_answer(Size::new(80, 24), "display");
    assert_eq!(session.run_state(), RunState::Paused);
    assert!(screen(&app).contains("at 5,000 it is dark"));
    let answer = app.answer.as_ref().unwrap();
    let (explanation, image) = (&answer.explanation, &session.snapshot().program.image.clone());
    let (steps, all) = (explanation.steps(image), explanation.lines(image));
    assert!((2..=5).contains(&steps.len()) && steps.len() < all.len());
    let last = steps.last().unwrap().moment.unwrap();
    let keys = |app: &App| screen(app).lines().last().unwrap().to_owned();
    assert!(!keys(&app).contains("J back"), "{}", keys(&app));
    press(&mut app, KeyCode::End);
    let effect = app.key(Key::plain(KeyCode::Enter));
    let Some(Effect::Session(command @ Command::RunTo(Destination::Moment(moment)))) = effect
    else {
        panic!("{effect:?}");
    };
    assert_eq!(moment, last);
    session.command(command);
    testing::settle(&mut session);
    app.update(session.snapshot());
    let was = session.snapshot().display().led(4, 3).name();
    assert_eq!(was, "green");
    let heading = format!("at {} it was still green", crate::text::grouped(last));
    assert!(screen(&app).contains(&heading), "{}", screen(&app));
    assert!(keys(&app).starts_with(" enter go there  J back  A all steps"), "{}", keys(&app));
    testing::press_keys(&mut session, &mut app, [Key::char('J')]);
    assert_eq!(session.snapshot().time.now, 5000);
    assert!(!keys(&app).contains("J back"), "{}", keys(&app));
    // The keys of the panes work while it is open.
    testing::press_keys(&mut session, &mut app, [Key::char('j')]);
    assert_eq!(session.snapshot().time.now, last);
    testing::press_keys(&mut session, &mut app, [Key::char('J')]);
    // Shows all steps, then only the important ones again.
    assert!(screen(&app).contains(&format!("A all steps ({})", all.len())));
    press(&mut app, KeyCode::Char('A'));
    assert!(screen(&app).contains(&format!("A steps that matter ({})", steps.len())));
    assert!(screen(&app).contains("LED 4, 3"), "{}", screen(&app));
    press(&mut app, KeyCode::Char('A'));
    assert!(screen(&app).contains(&format!("A all steps ({})", all.len())));
    press(&mut app, KeyCode::Esc);
    assert!(app.answer.is_none() && !screen(&app).contains(" why led"));
}

#[test]
fn a_click_goes_to_a_step_or_asks_about_an_led() {
    let (mut app, _) = app_with_answer(Size::new(80, 24), "display");
    let click = |x, y| Mouse { kind: MouseKind::Press, at: Position::new(x, y) };
    let Some(Effect::Session(Command::RunTo(_))) = app.mouse(click(60, 8)) else {
        panic!("it leads nowhere: {}", screen(&app));
    };
    assert!(app.mouse(click(60, 20)).is_none(), "there is no step");
    let Some(Effect::Session(Command::Ask(asked))) = app.mouse(click(15, 15)) else {
        panic!("nothing is asked")
    };
    assert_eq!(asked, Asked::Led { row: 5, column: 3 });
}

#[test]
fn typing_replaces_the_last_question() {
    let (mut app, mut session) = app_with_answer(Size::new(80, 24), "display");
    let field = |app: &App, keys: &str| {
        let line = screen(app).lines().find(|line| line.contains("> ")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("no field after {keys}"))
    };
    press(&mut app, KeyCode::Char('w'));
    assert!(field(&app, "w").contains("> led 4, 3 "));
    testing::press_keys(&mut session, &mut app, testing::keys("5, 2"));
    assert!(field(&app, "5, 2").contains("> 5, 2 "));
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Char('w'));
    testing::press_keys(&mut session, &mut app, [KeyCode::Left.into(), Key::char('5')]);
    assert!(field(&app, "left").contains("> led 4, 53 "), "it was edited");
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Char('w'));
    testing::press_keys(&mut session, &mut app, testing::keys("5, 2\n"));
    assert!(screen(&app).contains(" why led 5, 2 "), "{}", screen(&app));
}

/// The panes make the same room for the question as for its answer, so no pane moves twice and no
/// LED is covered.
#[test]
fn a_question_opens_where_its_answer_will_be() {
    for (width, height) in [(36, 14), (40, 12), (60, 45), (80, 24), (120, 40), (200, 60)] {
        for front in ["display", "source", "board"] {
            let (mut app, _) = app_with_answer(Size::new(80, 24), front);
            let (answer, leds) = (app.answer.take(), app.spots(RICH, &draw(&app, RICH)).len());
            press(&mut app, KeyCode::Char('w'));
            app.resize(Size { width, height });
            let (places, area) = app.arrange();
            assert_eq!(app.overlays[0].area(app.size), area, "{front} {width}x{height}");
            if (width, height) == (80, 24) {
                assert_eq!(app.spots(RICH, &draw(&app, RICH)).len(), leds, "{front}");
            }
            app.overlays.clear();
            app.answer = answer;
            assert_eq!((places, area), app.arrange(), "{front} {width}x{height}");
        }
    }
}

#[test]
fn a_click_on_an_led_answers_the_question_which_square() {
    let click = |x, y| Mouse { kind: MouseKind::Press, at: Position::new(x, y) };
    for (run_state, keys, asks) in [
        (RunState::Paused, "", true),
        (RunState::Paused, "w", true),
        (RunState::Running, "", false),
        (RunState::Running, "w", true),
        (RunState::Paused, "B", false),
    ] {
        let (mut app, session) = app_with_answer(Size::new(80, 24), "display");
        app.update(Snapshot { run_state, ..{ session }.snapshot() });
        keys.chars().for_each(|c| press(&mut app, KeyCode::Char(c)));
        if keys == "w" {
            assert!(app.mouse(click(60, 20)).is_none() && app.overlays.len() == 1, "in the box");
        }
        let asked = matches!(app.mouse(click(15, 15)), Some(Effect::Session(Command::Ask(_))));
        assert_eq!(asked, asks, "{run_state:?} after {keys:?}");
        assert_eq!(app.overlays.len(), usize::from(keys == "B"));
    }
}

#[test]
fn loading_a_program_closes_the_answer() {
    let (mut app, mut session) = app_with_answer(Size::new(80, 24), "display");
    session.command(Command::Load(Box::new(program())));
    app.update(session.snapshot());
    assert!(app.answer.is_none());
}
