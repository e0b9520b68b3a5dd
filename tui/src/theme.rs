//! Colours and characters, by what the terminal can do.
//!
//! Every state is readable without colour: LEDs then carry letters, what matters is bold or
//! reversed.

use std::ffi::OsString;

use gray1_isa::panel::Led;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use serde::{Deserialize, Serialize};

use crate::session::Status;

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None: bold, underlined and reversed only.
    None,
    /// The sixteen of the old terminals.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// Red, green and blue.
    True,
}

/// A colour as truecolor, as one of the 256, and as one of the sixteen; `None` is the terminal's
/// own.
#[derive(Debug, Clone, Copy)]
struct Swatch {
    rgb: u32,
    indexed: u8,
    sixteen: Option<u8>,
}

const fn swatch(rgb: u32, indexed: u8, sixteen: Option<u8>) -> Swatch {
    Swatch { rgb, indexed, sixteen }
}

/// The colours of LEDs.
#[derive(Debug, Clone, Copy)]
struct Leds {
    dark: Swatch,
    green: Swatch,
    red: Swatch,
    yellow: Swatch,
}

impl Leds {
    const fn of(&self, led: Led) -> Swatch {
        match led {
            Led::Dark => self.dark,
            Led::Green => self.green,
            Led::Red => self.red,
            Led::Yellow => self.yellow,
        }
    }
}

/// The usual colours. The green is bright and the red is dark: a difference for eyes that see
/// little between green and red.
const USUAL: Leds = Leds {
    dark: swatch(0x30_30_30, 236, Some(8)),
    green: swatch(0x5f_ff_87, 84, Some(10)),
    red: swatch(0xe6_1e_14, 160, Some(9)),
    yellow: swatch(0xff_d7_00, 220, Some(11)),
};
/// Sky blue in place of green, vermilion in place of red: after Okabe and Ito, "Color universal
/// design" (2008).
const SAFE: Leds = Leds {
    dark: USUAL.dark,
    green: swatch(0x56_b4_e9, 74, Some(14)),
    red: swatch(0xd5_5e_00, 166, Some(9)),
    yellow: swatch(0xff_f8_b0, 229, Some(11)),
};
/// What LEDs are mounted on: dark on every terminal, so that unlit LEDs are seen.
const PANEL: Swatch = swatch(0x12_12_12, 233, Some(0));
/// The same for pictures.
pub const PANEL_RGB: u32 = PANEL.rgb;

/// The usual colour of an LED, for pictures.
#[must_use]
pub const fn led_rgb(led: Led) -> u32 {
    USUAL.of(led).rgb
}
const BLACK: Swatch = swatch(0x00_00_00, 16, Some(0));
const WHITE: Swatch = swatch(0xff_ff_ff, 231, Some(15));
const LIME: Swatch = swatch(0x5f_ff_87, 84, Some(10));
const NIGHT: Swatch = swatch(0x26_3a_4f, 237, None);
const GRAY: Swatch = swatch(0x80_80_80, 244, None);
const SILVER: Swatch = swatch(0x94_94_94, 246, None);
const SKY: Swatch = swatch(0x5f_d7_ff, 81, Some(14));
const ORANGE: Swatch = swatch(0xff_af_5f, 215, Some(11));
const GOLD: Swatch = swatch(0xff_d7_5f, 221, Some(11));
const PINK: Swatch = swatch(0xff_87_87, 210, Some(9));

/// Which colours are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Colors {
    /// Those of real LEDs.
    #[default]
    Usual,
    /// Those that colour-blind eyes tell apart.
    Safe,
    /// Those of real LEDs, with letters on them.
    Lettered,
    /// None.
    None,
}

impl Colors {
    /// The next choice, round and round, and its name.
    pub(crate) fn next(self) -> (Self, &'static str) {
        match self {
            Self::Usual => (Self::Safe, "colours for colour-blind eyes"),
            Self::Safe => (Self::Lettered, "the usual colours, with letters"),
            Self::Lettered => (Self::None, "no colours"),
            Self::None => (Self::Usual, "the usual colours"),
        }
    }
}

/// How everything looks.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// How many colours are used.
    pub depth: Depth,
    /// Which colours are used.
    pub colors: Colors,
    /// Whether characters beyond ASCII can be shown.
    pub unicode: bool,
}

impl Theme {
    /// What pictures look like: all colours and lines, whatever terminal they are made in.
    pub(crate) const PICTURE: Self =
        Self { depth: Depth::True, colors: Colors::Usual, unicode: true };
    /// What matters.
    pub(crate) const VALUE: Style = Style::new().add_modifier(Modifier::BOLD);
    /// What is selected, and the text cursor.
    pub(crate) const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

    /// What this environment asks for; `variable` looks a variable up.
    #[must_use]
    pub fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let value = |name| variable(name).unwrap_or_default().to_string_lossy().into_owned();
        // POSIX: the first of these that is set and not empty names the encoding.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(value).into_iter().find(|v| !v.is_empty());
        let locale = locale.unwrap_or_default().to_lowercase();
        Self {
            colors: Colors::Usual,
            depth: depth(&value("NO_COLOR"), &value("COLORTERM"), &value("TERM")),
            unicode: locale.contains("utf-8") || locale.contains("utf8"),
        }
    }

    /// The same with these colours, as far as the terminal has any, and no more than so many.
    pub(crate) fn colored(self, colors: Colors, depth_max: Depth) -> Self {
        let wanted = if colors == Colors::None { Depth::None } else { depth_max };
        let depth = self.depth.min(wanted);
        Self { depth, colors, ..self }
    }

    fn color(self, swatch: Swatch) -> Color {
        let [_, r, g, b] = swatch.rgb.to_be_bytes();
        match self.depth {
            Depth::None => Color::Reset,
            Depth::Sixteen => swatch.sixteen.map_or(Color::Reset, Color::Indexed),
            Depth::Indexed => Color::Indexed(swatch.indexed),
            Depth::True => Color::Rgb(r, g, b),
        }
    }

    /// The letter for what an LED shows.
    pub(crate) const fn letter(led: Led) -> &'static str {
        match led {
            Led::Dark => ".",
            Led::Green => "G",
            Led::Red => "R",
            Led::Yellow => "Y",
        }
    }

    /// Whether LEDs carry letters: where there are no colours, or where both are asked for.
    pub(crate) fn has_letters(self) -> bool {
        self.depth == Depth::None || self.colors == Colors::Lettered
    }

    /// An LED of one column.
    pub(crate) fn small_led(self) -> &'static str {
        if self.unicode { "●" } else { "O" }
    }

    /// What LEDs are mounted on.
    pub(crate) fn panel(self) -> Style {
        Style::new().bg(self.color(PANEL))
    }

    /// An LED on the panel. Without colours, modifiers tell the LEDs apart besides their letters.
    pub(crate) fn led(self, led: Led) -> Style {
        let style = self.panel().fg(self.led_color(led));
        match (self.depth, led) {
            (Depth::None, Led::Green) => style.bold(),
            (Depth::None, Led::Red) => style.bold().reversed(),
            (Depth::None, Led::Yellow) => style.bold().underlined(),
            _ => style,
        }
    }

    /// The colour of an LED.
    pub(crate) fn led_color(self, led: Led) -> Color {
        let leds = if self.colors == Colors::Safe { SAFE } else { USUAL };
        self.color(leds.of(led))
    }

    /// A letter on an LED. On a colour it is not bold: bold black is grey on many terminals.
    pub(crate) fn on_led(self, led: Led) -> Style {
        if self.depth == Depth::None {
            return self.led(led);
        }
        let letter = if matches!(led, Led::Dark | Led::Red) { WHITE } else { BLACK };
        Style::new().fg(self.color(letter)).bg(self.led_color(led))
    }

    /// The rim of the board, and other lines.
    pub(crate) fn line(self) -> Style {
        Style::new().fg(self.color(GRAY))
    }

    /// The line at which the machine is.
    pub(crate) fn present(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        match self.depth {
            Depth::None | Depth::Sixteen => style.add_modifier(Modifier::UNDERLINED),
            Depth::Indexed | Depth::True => style.bg(self.color(NIGHT)),
        }
    }

    /// What has changed just now.
    pub(crate) fn fresh(self) -> Style {
        Style::new().fg(self.color(GOLD)).bold().underlined()
    }

    /// What marks the line at which the machine is.
    pub(crate) fn arrow(self) -> &'static str {
        if self.unicode { "▶" } else { ">" }
    }

    /// What marks a line with a break that is on, or off.
    pub(crate) fn break_mark(self, is_on: bool) -> &'static str {
        match (self.unicode, is_on) {
            (true, true) => "●",
            (true, false) => "○",
            (false, true) => "*",
            (false, false) => "o",
        }
    }

    /// The way of the present byte on the board.
    pub(crate) fn way(self) -> Style {
        Style::new().fg(self.color(LIME)).add_modifier(Modifier::BOLD)
    }

    /// What a heavy line looks like.
    pub(crate) fn heavy_line(self) -> &'static str {
        if self.unicode { "━━▶" } else { "==>" }
    }

    /// What stands for the rest of a text that does not fit.
    pub(crate) fn ellipsis(self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }

    /// What marks a macro call of which one line is shown.
    pub(crate) fn folded(self) -> &'static str {
        if self.unicode { "▸" } else { "+" }
    }

    /// What marks a macro call with its instructions under it.
    pub(crate) fn unfolded(self) -> &'static str {
        if self.unicode { "▾" } else { "-" }
    }

    /// The frame of a pane, by whether it has the keys.
    pub(crate) fn pane_line(self, has_keys: bool) -> Style {
        if has_keys { Style::new().fg(self.color(SKY)) } else { self.line() }
    }

    /// The name of a pane in its frame.
    pub(crate) fn pane_title(self, has_keys: bool) -> Style {
        if has_keys { self.key().add_modifier(Modifier::REVERSED) } else { self.label() }
    }

    /// What explains something else.
    pub(crate) fn label(self) -> Style {
        Style::new().fg(self.color(SILVER))
    }

    /// A key to press.
    pub(crate) fn key(self) -> Style {
        Style::new().fg(self.color(SKY)).add_modifier(Modifier::BOLD)
    }

    /// The end of a printed line, which is what programs find.
    pub(crate) fn found(self) -> Style {
        Style::new().fg(self.color(GOLD)).add_modifier(Modifier::BOLD)
    }

    /// What went wrong, or wants attention.
    pub(crate) fn alert(self) -> Style {
        Style::new().fg(self.color(ORANGE)).add_modifier(Modifier::BOLD)
    }

    /// The word for what the machine is doing.
    pub(crate) fn status(self, status: Status) -> Style {
        let color = match status {
            Status::Running => self.color(LIME),
            Status::Seeking | Status::Searching => self.color(SKY),
            Status::Paused => self.color(GOLD),
            Status::Halted => self.color(PINK),
        };
        Style::new().fg(color).add_modifier(Modifier::BOLD)
    }

    /// The characters of lines.
    pub(crate) fn border(self) -> border::Set<'static> {
        if self.unicode { border::ROUNDED } else { ASCII }
    }
}

/// Lines for terminals that have nothing better.
const ASCII: border::Set = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// How many colours these variables promise.
fn depth(no_color: &str, colorterm: &str, term: &str) -> Depth {
    let is_any = |wanted: &[&str], value: &str| wanted.iter().any(|w| value.contains(w));
    // no-color.org: present and not empty, whatever its value.
    if !no_color.is_empty() || is_any(&["mono", "-m"], term) || term.starts_with("vt") {
        Depth::None
    } else if is_any(&["truecolor", "24bit"], colorterm) || term.ends_with("-direct") {
        Depth::True
    } else if is_any(&["256"], term) || !colorterm.is_empty() {
        Depth::Indexed
    } else {
        Depth::Sixteen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theme(variables: &[(&str, &str)]) -> Theme {
        Theme::from_environment(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        for (no_color, colorterm, term, depth) in [
            ("", "truecolor", "xterm-256color", Depth::True),
            ("", "24bit", "xterm", Depth::True),
            ("", "", "xterm-direct", Depth::True),
            ("", "", "tmux-256color", Depth::Indexed),
            ("", "1", "xterm", Depth::Indexed),
            ("", "", "xterm", Depth::Sixteen),
            ("", "", "linux", Depth::Sixteen),
            ("", "", "vt100", Depth::None),
            ("", "", "xterm-mono", Depth::None),
            ("1", "truecolor", "xterm-256color", Depth::None),
        ] {
            let variables = [("NO_COLOR", no_color), ("COLORTERM", colorterm), ("TERM", term)];
            assert_eq!(theme(&variables).depth, depth, "{variables:?}");
        }
    }

    #[test]
    fn the_locale_says_whether_lines_can_be_drawn() {
        assert!(theme(&[("LANG", "de_DE.UTF-8")]).unicode);
        assert!(theme(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]).unicode);
        assert!(theme(&[("LC_ALL", ""), ("LANG", "en_GB.UTF-8")]).unicode);
        assert!(!theme(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]).unicode);
        assert!(!theme(&[]).unicode);
    }

    /// What a deuteranope sees, by Machado, Oliveira and Fernandes (2009), severity 1, in linear
    /// light.
    const DEUTERANOPIA: [[f64; 3]; 3] = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];
    /// Linear light to CIE XYZ (D65), each relative to white.
    const XYZ: [[f64; 3]; 3] =
        [[0.433_95, 0.376_22, 0.189_83], [0.212_6, 0.715_2, 0.072_2], [0.017_7, 0.109_5, 0.872_8]];

    fn times(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    /// CIE L*a*b* as a deuteranope sees it.
    fn seen(rgb: u32) -> [f64; 3] {
        let [_, rgb @ ..] = rgb.to_be_bytes();
        let linear = rgb.map(|byte| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let light = times(DEUTERANOPIA, linear).map(|value| value.clamp(0.0, 1.0));
        let [x, y, z] = times(XYZ, light)
            .map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn leds_in_pictures_have_the_usual_colours() {
        assert_eq!(Led::ALL.map(led_rgb), [0x30_30_30, 0x5f_ff_87, 0xe6_1e_14, 0xff_d7_00]);
    }

    #[test]
    fn a_deuteranope_tells_the_leds_apart() {
        let difference = |a: Swatch, b: Swatch| {
            let squares = seen(a.rgb).into_iter().zip(seen(b.rgb)).map(|(a, b)| (a - b).powi(2));
            squares.sum::<f64>().sqrt()
        };
        for leds in [USUAL, SAFE] {
            for (n, a) in Led::ALL.map(|led| leds.of(led)).into_iter().enumerate() {
                for b in Led::ALL[..n].iter().map(|led| leds.of(*led)) {
                    // Pure red and pure green are some 20 apart.
                    assert!(difference(a, b) > 35.0, "{a:?} {b:?}: {}", difference(a, b));
                }
            }
        }
    }
}
