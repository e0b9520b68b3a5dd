//! All text is readable: in every theme, with every palette, with every number of colours, on
//! terminals whose sixteen colours are known.

use std::collections::HashSet;

use super::*;

/// The default values of the sixteen colours in some terminals.
const TERMINALS: [(&str, [u32; 16]); 3] = [
    (
        "xterm",
        [
            0x00_00_00, 0xcd_00_00, 0x00_cd_00, 0xcd_cd_00, 0x00_00_ee, 0xcd_00_cd, 0x00_cd_cd,
            0xe5_e5_e5, 0x7f_7f_7f, 0xff_00_00, 0x00_ff_00, 0xff_ff_00, 0x5c_5c_ff, 0xff_00_ff,
            0x00_ff_ff, 0xff_ff_ff,
        ],
    ),
    (
        "VTE",
        [
            0x00_00_00, 0xc0_00_00, 0x00_c0_00, 0xc0_c0_00, 0x00_00_c0, 0xc0_00_c0, 0x00_c0_c0,
            0xc0_c0_c0, 0x3f_3f_3f, 0xff_3f_3f, 0x3f_ff_3f, 0xff_ff_3f, 0x3f_3f_ff, 0xff_3f_ff,
            0x3f_ff_ff, 0xff_ff_ff,
        ],
    ),
    (
        "Windows Terminal",
        [
            0x0c_0c_0c, 0xc5_0f_1f, 0x13_a1_0e, 0xc1_9c_00, 0x00_37_da, 0x88_17_98, 0x3a_96_dd,
            0xcc_cc_cc, 0x76_76_76, 0xe7_48_56, 0x16_c6_0c, 0xf9_f1_a5, 0x3b_78_ff, 0xb4_00_9e,
            0x61_d6_d6, 0xf2_f2_f2,
        ],
    ),
];

/// Minimum contrast of text with its background, and of LEDs and lit wires with their surroundings:
/// WCAG 2.1, 1.4.3 and 1.4.11.
const TEXT: f64 = 4.5;
const LIGHT: f64 = 3.0;

/// A colour as a terminal shows it. A terminal may show a bold colour of the first eight as its
/// bright version.
fn rgb(color: Color, terminal: &[u32; 16], is_bold: bool) -> u32 {
    match color {
        Color::Rgb(r, g, b) => u32::from_be_bytes([0, r, g, b]),
        Color::Indexed(n @ 0..8) if is_bold => terminal[usize::from(n) + 8],
        Color::Indexed(n @ 0..16) => terminal[usize::from(n)],
        Color::Indexed(n @ 16..232) => {
            let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let n = n - 16;
            u32::from_be_bytes([0, level(n / 36), level(n / 6 % 6), level(n % 6)])
        }
        Color::Indexed(n) => (8 + 10 * u32::from(n - 232)) * 0x01_01_01,
        other => panic!("{other:?} is the terminal's own"),
    }
}

/// The relative luminance of WCAG 2.1.
fn luminance(rgb: u32) -> f64 {
    let [_, parts @ ..] = rgb.to_be_bytes();
    let linear = parts.map(|byte| {
        let value = f64::from(byte) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(a: u32, b: u32) -> f64 {
    let [a, b] = [a, b].map(|rgb| luminance(rgb) + 0.05);
    a.max(b) / a.min(b)
}

/// All themes with colours, with their names.
fn themes() -> Vec<(String, Theme)> {
    let mut themes = Vec::new();
    for background in [Background::Dark, Background::Light] {
        for depth in [Depth::Sixteen, Depth::Indexed, Depth::True] {
            for colors in [Colors::Usual, Colors::Safe, Colors::Lettered] {
                let theme = Theme { depth, colors, background, unicode: true };
                themes.push((format!("{background:?}, {depth:?}, {colors:?}"), theme));
            }
        }
    }
    themes
}

/// Apps that show every pane and every box, running, paused and halted.
fn apps() -> Vec<App> {
    let mut apps: Vec<App> =
        panes::ALONE.iter().map(|scene| panes::after(Size::new(120, 40), *scene)).collect();
    apps.extend(panes::ALONE.iter().map(|scene| panes::after(Size::new(52, 18), *scene)));
    let boxes = overlays::SCENES.iter();
    apps.extend(boxes.map(|(front, keys)| overlays::after(Size::new(80, 24), front, keys)));
    for (width, height) in [(20, 12), (40, 20), (80, 24), (120, 40), (10, 5)] {
        apps.extend([true, false].map(|ended| app(ended, Size::new(width, height))));
    }
    let mut session = testing::session(testing::program("queens"), false);
    session.advance_by(20_000);
    apps.push(testing::app_of(&mut session, Size::new(120, 40), "display"));
    session.command(Command::Go(Goal::PRINTED_LINE));
    testing::settle(&mut session);
    apps.push(testing::app_of(&mut session, Size::new(100, 30), "display"));
    apps.push(app_in_jump(5, Size::new(120, 40)));
    apps
}

/// The distinct styles of all drawn characters except LEDs: foreground, background, modifiers.
fn styles_of_texts(apps: &mut [App], theme: Theme) -> HashSet<(Color, Color, Modifier)> {
    let mut styles = HashSet::new();
    for app in apps {
        app.preferences.colors = theme.colors;
        for cell in draw(app, theme).content {
            assert!(cell.fg != Color::Reset && cell.bg != Color::Reset, "{theme:?}: {cell:?}");
            if !matches!(cell.symbol(), " " | "●" | "▀" | "▄") {
                styles.insert((cell.fg, cell.bg, cell.modifier));
            }
        }
    }
    styles
}

#[test]
fn text_is_readable_on_every_terminal() {
    let mut apps = apps();
    for (name, theme) in themes() {
        for (text, background, modifier) in styles_of_texts(&mut apps, theme) {
            for (terminal, colors) in &TERMINALS {
                let is_bold = modifier.contains(Modifier::BOLD);
                let contrast = contrast(rgb(text, colors, is_bold), rgb(background, colors, false));
                let style = (text, background, modifier);
                assert!(contrast >= TEXT, "{name} on {terminal}: {contrast:.2} for {style:?}");
            }
        }
    }
}

#[test]
fn leds_and_wires_contrast_with_their_background() {
    for (name, theme) in themes() {
        let mut blank = Buffer::empty(Rect::new(0, 0, 1, 1));
        theme.paint(false, &mut blank);
        for (terminal, colors) in &TERMINALS {
            let contrast = |a, b| contrast(rgb(a, colors, false), rgb(b, colors, false));
            let panel = theme.panel().bg.unwrap();
            for led in [Led::Green, Led::Red, Led::Yellow] {
                let contrast = contrast(theme.led_color(led), panel);
                assert!(contrast >= LIGHT, "{led:?}, {name} on {terminal}: {contrast:.2}");
            }
            let unlit = contrast(theme.led_color(Led::Dark), panel);
            assert!(unlit > 1.8, "an unlit LED can be seen, {name} on {terminal}: {unlit:.2}");
            let wire = contrast(theme.path().fg.unwrap(), blank[(0, 0)].bg);
            assert!(wire >= LIGHT, "a wire, {name} on {terminal}: {wire:.2}");
        }
    }
}

/// The backgrounds of popular terminal themes.
const OTHERS: [(&str, [u8; 3]); 10] = [
    ("Solarized dark", [0x00, 0x2b, 0x36]),
    ("Solarized light", [0xfd, 0xf6, 0xe3]),
    ("Gruvbox dark", [0x28, 0x28, 0x28]),
    ("Gruvbox light", [0xfb, 0xf1, 0xc7]),
    ("Nord", [0x2e, 0x34, 0x40]),
    ("Dracula", [0x28, 0x2a, 0x36]),
    ("One Light", [0xfa, 0xfa, 0xfa]),
    ("Catppuccin Latte", [0xef, 0xf1, 0xf5]),
    ("black", [0, 0, 0]),
    ("white", [255, 255, 255]),
];

#[test]
fn text_is_readable_on_the_background_of_the_terminal() {
    let mut apps = apps();
    for (name, rgb @ [r, g, b]) in OTHERS {
        assert!(Background::is_near(rgb), "{name}");
        let own = u32::from_be_bytes([0, r, g, b]);
        let theme = Theme { background: Background::nearest(rgb), ..RICH };
        for app in &mut apps {
            app.keeps_background = true;
            app.preferences.background = None;
            for cell in draw(app, theme).content {
                assert!(cell.fg != Color::Reset, "{name}: {cell:?}");
                if cell.bg == Color::Reset && cell.symbol() != " " {
                    let contrast = contrast(super::contrast::rgb(cell.fg, &[0; 16], false), own);
                    // Lines, and the numbers on them.
                    let is_line = Some(cell.fg) == theme.line().fg;
                    let least = if is_line { LIGHT } else { TEXT };
                    assert!(contrast >= least, "{name}: {contrast:.2} for {cell:?}");
                }
            }
            // A background that the user chose is drawn.
            app.preferences.background = Some(Background::Light);
            assert!(draw(app, theme).content.iter().all(|cell| cell.bg != Color::Reset));
        }
    }
    assert!(![0x70, 0x90].into_iter().any(|grey| Background::is_near([grey; 3])));
}
