//! Golden files: screens as characters, and one screen of each theme with the names of its styles.

use super::*;
use crate::tests::goldens;

/// A screen with LEDs of all colours at the end of a printed line, with an album of two pictures.
fn app_at_a_line_end(size: Size) -> App {
    let mut session = testing::session(program(), false);
    for _ in 0..2 {
        session.command(Command::Go(Goal::PRINTED_LINE));
        session.advance(Duration::ZERO);
    }
    testing::app_of(&mut session, size, "display")
}

#[test]
fn the_display_matches_its_goldens() {
    for (width, height) in [(20, 12), (40, 20), (80, 24), (120, 40), (160, 50)] {
        let app = app_at_a_line_end(Size { width, height });
        let [rich, plain] = [RICH, PLAIN].map(|theme| draw(&app, theme));
        let golden =
            goldens::part("Unicode", &rich) + &goldens::part("ASCII without colours", &plain);
        goldens::check(&format!("display/{width}x{height}.txt"), &golden);
    }
}

/// Uses the display next to the source, at the end of a printed line.
#[test]
fn each_theme_matches_its_golden() {
    for (background, file) in [(Background::Dark, "dark"), (Background::Light, "light")] {
        let mut session = testing::session(testing::program("queens"), false);
        session.command(Command::Go(Goal::PRINTED_LINE));
        testing::settle(&mut session);
        let app = testing::app_of(&mut session, Size::new(80, 24), "source");
        let theme = Theme { background, ..RICH };
        goldens::check(
            &format!("themes/{file}.txt"),
            &goldens::mark_styles(&draw(&app, theme), theme),
        );
    }
}
