//! Colours and letters of LEDs on terminals with few or no colours, and the keys that switch them.

use super::*;

#[test]
fn every_led_shows_its_colour_or_letter() {
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        for colors in [Colors::Usual, Colors::Safe, Colors::Lettered] {
            let theme = Theme { depth, colors, ..RICH };
            for (width, height) in [(20, 12), (40, 20), (80, 24), (200, 60)] {
                let mut app = app(true, Size::new(width, height));
                app.preferences.colors = colors;
                let buffer = draw(&app, theme);
                let matrix = matrix(&app);
                let display = app.snapshot.display();
                for (row, column) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
                    let square = matrix.square(row as u16, column as u16);
                    check_square(&buffer, theme, square, display.led(row, column));
                }
            }
        }
    }
}

/// Checks that a square has the colours of its LED and of the panel around it. It has a letter if
/// there are no colours or letters were chosen, and an unlit one also with sixteen colours.
fn check_square(buffer: &Buffer, theme: Theme, square: Rect, led: Led) {
    let letter = match led {
        Led::Dark => ".",
        Led::Green => "G",
        Led::Red => "R",
        Led::Yellow => "Y",
    };
    let cells: Vec<_> = square.positions().map(|position| &buffer[position]).collect();
    let letters = cells.iter().filter(|cell| cell.symbol().is_ascii() && cell.symbol() != " ");
    let letters: String = letters.map(|cell| cell.symbol()).collect();
    let has_letter = theme.has_letters() || theme.depth == Depth::Sixteen && led == Led::Dark;
    assert_eq!(letters, if has_letter { letter } else { "" }, "{theme:?}");
    let is = |cell: &&&ratatui::buffer::Cell, color| cell.fg == color || cell.bg == color;
    let lit = cells.iter().filter(|cell| is(cell, theme.led_color(led))).count();
    assert!(lit > 0 || has_letter && led == Led::Dark, "{led:?} {theme:?}");
    // The corner has the panel's colour.
    assert!(square.height == 1 || cells[0].bg == theme.panel().bg.unwrap());
}

#[test]
fn a_theme_without_colours_uses_none() {
    let mut app = app(true, Size::new(80, 24));
    for key in ['?', 'o'] {
        let buffer = draw(&app, PLAIN);
        for cell in buffer.content() {
            let colours = (cell.fg, cell.bg);
            assert_eq!(colours, (ratatui::style::Color::Reset, ratatui::style::Color::Reset));
            assert!(cell.symbol().is_ascii());
        }
        assert!(buffer.content().iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
        press(&mut app, KeyCode::Char(key));
    }
}

#[test]
fn a_key_switches_colours_at_once() {
    let mut app = app(true, Size::new(80, 24));
    let led_background = |app: &App| {
        let square = matrix(app).square(0, 0);
        draw(app, RICH)[(square.x + 1, square.y + 1)].bg
    };
    let usual = led_background(&app);
    press(&mut app, KeyCode::Char('t'));
    let safe = led_background(&app);
    press(&mut app, KeyCode::Char('t'));
    let lettered = text(&draw(&app, RICH));
    press(&mut app, KeyCode::Char('t'));
    let none = led_background(&app);
    assert!(usual != safe && none == Color::Reset);
    assert!(lettered.contains("0  R   .") && lettered.contains("Y   ."), "{lettered}");
    press(&mut app, KeyCode::Char('t'));
    assert_eq!(led_background(&app), usual);
}

#[test]
fn a_key_switches_the_background_at_once() {
    let mut app = app(true, Size::new(80, 24));
    let light = Theme { background: Background::Light, ..RICH };
    let backgrounds = |app: &App| [RICH, light].map(|theme| draw(app, theme)[(0, 1)].bg);
    let [dark, white] = backgrounds(&app);
    assert_ne!(dark, white);
    for expected in [[white; 2], [dark; 2], [dark, white]] {
        press(&mut app, KeyCode::Char('T'));
        assert_eq!(backgrounds(&app), expected);
    }
}
