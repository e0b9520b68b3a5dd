//! Themes: the styles of what is drawn, the colours of LEDs, and characters that the terminal can
//! show.
//!
//! Everything is readable without colour. LEDs then have letters, and important text is bold or
//! reversed.

use gray1_isa::Op;
use gray1_isa::panel::{BACKGROUND_RGB, Led};
use gray1_language::TokenKind;
use gray1_session::RunState;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use serde::{Deserialize, Serialize};

use crate::terminal::{Background, Depth};

/// A colour in 24 bits, as one of 256, and as one of sixteen.
#[derive(Debug, Clone, Copy)]
struct Swatch(u32, u8, u8);

/// The colours of LEDs in the order of [`Led::ALL`], also used in pictures. Only the first eight of
/// the sixteen colours are used, because Solarized has greys in most of the others.
const USUAL: [Swatch; 4] = [
    Swatch(Led::Dark.rgb(), 238, 8),
    Swatch(Led::Green.rgb(), 42, 2),
    Swatch(Led::Red.rgb(), 160, 1),
    Swatch(Led::Yellow.rgb(), 221, 3),
];
/// Sky blue in place of green, vermilion in place of red: after Okabe and Ito, "Color universal
/// design" (2008).
const SAFE: [Swatch; 4] =
    [USUAL[0], Swatch(0x56_b4_e9, 74, 14), Swatch(0xd5_5e_00, 166, 9), Swatch(0xff_f8_b0, 229, 11)];
/// Letters on lit LEDs. The usual red is the only dark one.
const ON_LED: Swatch = Swatch(0x00_00_00, 16, 0);
const ON_RED_LED: Swatch = Swatch(0xff_ff_ff, 231, 15);

/// A colour on a dark background and on a light one. `tests/contrast.rs` checks each against the
/// colours under it. On white, the bright ones of the sixteen colours and half of the others are
/// too pale.
type Ink = [Swatch; 2];

const BACKGROUND: Ink = [Swatch(BACKGROUND_RGB, 233, 0), Swatch(0xff_ff_ff, 231, 15)];
/// The background of the current line.
const CURRENT: Ink = [Swatch(0x18_24_38, 17, 0), Swatch(0xd7_f0_ff, 195, 15)];
const TEXT: Ink = [Swatch(0xd0_d0_d0, 252, 7), Swatch(0x1c_1c_1c, 234, 0)];
const LABEL: Ink = [Swatch(0x9e_9e_9e, 247, 7), Swatch(0x58_58_58, 240, 0)];
const LINE: Ink = [Swatch(0x8e_8e_8e, 244, 7), Swatch(0x62_62_62, 241, 0)];
const KEY: Ink = [Swatch(0x5f_d7_ff, 81, 14), Swatch(0x00_5f_87, 24, 4)];
const FOUND: Ink = [Swatch(0xff_d7_5f, 221, 11), Swatch(0x87_5f_00, 94, 5)];
const ALERT: Ink = [Swatch(0xff_af_5f, 215, 11), Swatch(0xaf_00_00, 124, 1)];
const LIT: Ink = [Swatch(0x5f_ff_87, 84, 10), Swatch(0x00_5f_00, 22, 4)];
const HALTED: Ink = [Swatch(0xff_87_87, 210, 9), Swatch(0xaf_00_5f, 125, 1)];
const MNEMONIC: Ink = [Swatch(0x87_af_d7, 110, 14), Swatch(0x00_4f_9f, 25, 4)];
const DIRECTIVE: Ink = [Swatch(0xc5_a3_d9, 183, 11), Swatch(0x7a_2a_8f, 90, 5)];
const NUMBER: Ink = [Swatch(0x9f_c7_8f, 150, 10), Swatch(0x3a_5f_00, 58, 1)];

/// A choice of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Colors {
    /// The colours of real LEDs.
    #[default]
    Usual,
    /// Colours that colour-blind users can tell apart.
    Safe,
    /// The colours of real LEDs, with letters on them.
    Lettered,
    /// No colours.
    None,
}

impl Colors {
    /// The next choice in turn, and its name.
    pub(crate) fn next(self) -> (Self, &'static str) {
        match self {
            Self::Usual => (Self::Safe, "colours for colour-blind eyes"),
            Self::Safe => (Self::Lettered, "the usual colours, with letters"),
            Self::Lettered => (Self::None, "no colours"),
            Self::None => (Self::Usual, "the usual colours"),
        }
    }
}

/// The theme.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// The number of colours.
    pub depth: Depth,
    /// Which colours are used.
    pub colors: Colors,
    /// The brightness of the terminal's background.
    pub background: Background,
    /// Whether characters beyond ASCII can be shown.
    pub unicode: bool,
}

impl Theme {
    /// The theme of pictures: all colours and characters, whatever the terminal.
    pub(crate) const PICTURE: Self = Self {
        depth: Depth::True,
        colors: Colors::Usual,
        background: Background::Dark,
        unicode: true,
    };
    pub(crate) const VALUE: Style = Style::new().add_modifier(Modifier::BOLD);
    /// The selection, and the text cursor.
    pub(crate) const SELECTED: Style =
        Style::new().fg(Color::Reset).bg(Color::Reset).add_modifier(Modifier::REVERSED);

    /// This theme with other colours.
    pub(crate) fn colored(self, colors: Colors) -> Self {
        let depth = if colors == Colors::None { Depth::None } else { self.depth };
        Self { depth, colors, ..self }
    }

    /// Sets both colours of every cell. If a style sets only one, the terminal's own other colour
    /// might make it unreadable. If the terminal's own background `is_kept`, it stays.
    pub(crate) fn paint(self, is_kept: bool, buffer: &mut Buffer) {
        if self.depth == Depth::None {
            return;
        }
        let [text, background] = [TEXT, BACKGROUND].map(|ink| self.color(self.swatch(ink)));
        // Many terminals show a bold colour of the first eight as the bright one.
        let is_pale = self.depth == Depth::Sixteen && self.background == Background::Light;
        for cell in &mut buffer.content {
            cell.fg = if cell.fg == Color::Reset { text } else { cell.fg };
            cell.bg = if cell.bg == Color::Reset && !is_kept { background } else { cell.bg };
            cell.modifier.set(Modifier::BOLD, !is_pale && cell.modifier.contains(Modifier::BOLD));
        }
    }

    const fn swatch(self, ink: Ink) -> Swatch {
        ink[self.background as usize]
    }

    fn ink(self, ink: Ink) -> Style {
        Style::new().fg(self.color(self.swatch(ink)))
    }

    pub(crate) const fn background_rgb(self) -> u32 {
        self.swatch(BACKGROUND).0
    }

    fn color(self, Swatch(rgb, indexed, sixteen): Swatch) -> Color {
        let [_, r, g, b] = rgb.to_be_bytes();
        match self.depth {
            Depth::None => Color::Reset,
            Depth::Sixteen => Color::Indexed(sixteen),
            Depth::Indexed => Color::Indexed(indexed),
            Depth::True => Color::Rgb(r, g, b),
        }
    }

    /// Whether LEDs have letters, because there are no colours or the user chose letters.
    pub(crate) fn has_letters(self) -> bool {
        self.depth == Depth::None || self.colors == Colors::Lettered
    }

    /// Whether an LED has a letter. Among sixteen colours, the one of an unlit LED can be that of
    /// the panel, as in Solarized.
    pub(crate) fn shows_letter(self, led: Led) -> bool {
        self.has_letters() || self.depth == Depth::Sixteen && led == Led::Dark
    }

    /// A blank cell of an LED, if LEDs have colours.
    pub(crate) fn filled_led(self, led: Led) -> Style {
        match (self.depth, led) {
            (Depth::None, Led::Red) => Style::new().reversed(),
            (Depth::None, _) => Style::new(),
            (_, Led::Dark) if self.has_letters() => Style::new(),
            _ => Style::new().bg(self.led_color(led)),
        }
    }

    /// An LED of one column.
    pub(crate) fn small_led(self, led: Led) -> (char, Style) {
        match (self.shows_letter(led), self.unicode) {
            (true, _) => (led.letter(), self.on_led(led)),
            (false, true) => ('●', self.led(led)),
            (false, false) => ('O', self.led(led)),
        }
    }

    /// The panel under the LEDs. It is dark on every background, so that unlit LEDs are visible.
    pub(crate) fn panel(self) -> Style {
        let theme = self.on_panel();
        theme.ink(TEXT).bg(theme.color(theme.swatch(BACKGROUND)))
    }

    /// The theme for text on the panel.
    pub(crate) fn on_panel(self) -> Self {
        Self { background: Background::Dark, ..self }
    }

    /// An LED on the panel. Without colours, LEDs differ by modifiers and letters.
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
        self.color(leds[led as usize])
    }

    /// A letter on an LED. On a colour it is not bold, because bold black is grey on many
    /// terminals.
    pub(crate) fn on_led(self, led: Led) -> Style {
        match (self.depth, led) {
            (Depth::None, _) => self.led(led),
            (_, Led::Dark) => self.panel(),
            (_, Led::Red) => Style::new().fg(self.color(ON_RED_LED)).bg(self.led_color(led)),
            _ => Style::new().fg(self.color(ON_LED)).bg(self.led_color(led)),
        }
    }

    /// The edge of the board and other lines.
    pub(crate) fn line(self) -> Style {
        self.ink(LINE)
    }

    /// The style of the line that is executed next.
    pub(crate) fn current_line(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        match self.depth {
            Depth::None | Depth::Sixteen => style.add_modifier(Modifier::UNDERLINED),
            Depth::Indexed | Depth::True => style.bg(self.color(self.swatch(CURRENT))),
        }
    }

    /// A token of the assembly language.
    pub(crate) fn token(self, kind: TokenKind, text: &str) -> Style {
        match kind {
            TokenKind::Directive => self.ink(DIRECTIVE),
            TokenKind::Number | TokenKind::Character | TokenKind::Text => self.ink(NUMBER),
            TokenKind::Name if Op::from_mnemonic(text).is_some() => self.ink(MNEMONIC),
            TokenKind::Comment => self.label(),
            TokenKind::Name | TokenKind::Symbol | TokenKind::Damaged => Style::new(),
        }
    }

    /// A value that has just changed.
    pub(crate) fn fresh(self) -> Style {
        self.found().underlined()
    }

    /// The mark of the current line.
    pub(crate) fn arrow(self) -> &'static str {
        if self.unicode { "▶" } else { ">" }
    }

    /// The mark of a line with a breakpoint, depending on whether it is on.
    pub(crate) fn break_mark(self, is_on: bool) -> &'static str {
        match (self.unicode, is_on) {
            (true, true) => "●",
            (true, false) => "○",
            (false, true) => "*",
            (false, false) => "o",
        }
    }

    /// The path of the current byte on the board.
    pub(crate) fn path(self) -> Style {
        self.ink(LIT).bold()
    }

    /// A sample of a heavy line, for legends.
    pub(crate) fn heavy_line(self) -> &'static str {
        if self.unicode { "━━▶" } else { "==>" }
    }

    /// The mark of a string that was cut off.
    pub(crate) fn ellipsis(self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }

    /// The mark of a value that is not known yet.
    pub(crate) fn unknown(self) -> &'static str {
        if self.unicode { "–" } else { "-" }
    }

    /// The mark of a folded macro call.
    pub(crate) fn folded(self) -> &'static str {
        if self.unicode { "▸" } else { "+" }
    }

    /// The mark of an unfolded macro call.
    pub(crate) fn unfolded(self) -> &'static str {
        if self.unicode { "▾" } else { "-" }
    }

    /// The frame of a pane, depending on whether it has the keys.
    pub(crate) fn pane_line(self, has_keys: bool) -> Style {
        if has_keys { self.ink(KEY) } else { self.line() }
    }

    /// The name of a pane in its frame.
    pub(crate) fn pane_title(self, has_keys: bool) -> Style {
        if has_keys { self.key().reversed() } else { self.label() }
    }

    /// An explanation.
    pub(crate) fn label(self) -> Style {
        self.ink(LABEL)
    }

    /// A key to press.
    pub(crate) fn key(self) -> Style {
        self.ink(KEY).bold()
    }

    /// A printed line, which is a result of the program.
    pub(crate) fn found(self) -> Style {
        self.ink(FOUND).bold()
    }

    /// A problem, or a call for attention.
    pub(crate) fn alert(self) -> Style {
        self.ink(ALERT).bold()
    }

    /// The name of the run state.
    pub(crate) fn run_state(self, state: RunState) -> Style {
        let style = match state {
            RunState::Running => self.ink(LIT),
            RunState::Seeking(_) | RunState::Searching => self.ink(KEY),
            RunState::Paused => self.ink(FOUND),
            RunState::Halted => self.ink(HALTED),
        };
        style.bold()
    }

    /// The characters of line drawings.
    pub(crate) fn border(self) -> border::Set<'static> {
        if self.unicode { border::ROUNDED } else { ASCII }
    }
}

/// Line drawings in ASCII.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The colours that a deuteranope sees, by Machado, Oliveira and Fernandes (2009), severity 1,
    /// in linear light.
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
    fn colour_blind_users_can_tell_the_leds_apart() {
        let difference = |a: Swatch, b: Swatch| {
            let squares = seen(a.0).into_iter().zip(seen(b.0)).map(|(a, b)| (a - b).powi(2));
            squares.sum::<f64>().sqrt()
        };
        for leds in [USUAL, SAFE] {
            for (n, a) in leds.into_iter().enumerate() {
                for b in leds.into_iter().take(n) {
                    // Pure red and pure green differ by about 20.
                    assert!(difference(a, b) > 35.0, "{a:?} {b:?}: {}", difference(a, b));
                }
            }
        }
    }
}
