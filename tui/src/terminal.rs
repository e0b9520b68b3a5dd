//! What a terminal can show: its number of colours, its background and its characters.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use crate::theme::{Colors, Theme};

/// The number of colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colours, only bold, underlined and reversed.
    None,
    /// Sixteen colours.
    Sixteen,
    /// The 256 colours of xterm.
    Indexed,
    /// 24-bit colour.
    True,
}

/// The background of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Background {
    #[default]
    Dark,
    Light,
}

impl Background {
    /// The background nearest to a colour, given as red, green and blue.
    pub fn nearest(rgb: [u8; 3]) -> Self {
        if luma(rgb) < 128_000 { Self::Dark } else { Self::Light }
    }

    /// Whether text whose colours suit the nearest background is readable on a background of this
    /// colour.
    pub fn is_near(rgb: [u8; 3]) -> bool {
        !(53_000..232_000).contains(&luma(rgb))
    }
}

/// The luma of ITU-R BT.601, in thousandths.
fn luma([red, green, blue]: [u8; 3]) -> u32 {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue)
}

impl Theme {
    /// The theme for an environment. `variable` looks up a variable.
    pub fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let value = |name| variable(name).unwrap_or_default().to_string_lossy().into_owned();
        // POSIX: the first of these that is set and not empty names the encoding.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(value).into_iter().find(|v| !v.is_empty());
        let locale = locale.unwrap_or_default().to_lowercase();
        Self {
            colors: Colors::Usual,
            background: background(&value("COLORFGBG")),
            depth: depth(&value("NO_COLOR"), &value("COLORTERM"), &value("TERM")),
            unicode: locale.contains("utf-8") || locale.contains("utf8"),
        }
    }
}

/// The background from `COLORFGBG`. rxvt, Konsole and others put it after the last `;` as one of
/// sixteen colours: 7 is a light grey, and 8 is dark.
fn background(color_fg_bg: &str) -> Background {
    let named = color_fg_bg.rsplit(';').next().and_then(|it| it.parse().ok());
    match named {
        Some(7 | 9..=15) => Background::Light,
        _ => Background::Dark,
    }
}

/// Parts of the names of terminals with 24-bit colour. `ssh` passes on only `TERM`, so the name is
/// the only evidence.
const TRUE_COLOR: [&str; 7] =
    ["-direct", "kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"];

/// The number of colours that these environment variables indicate.
fn depth(no_color: &str, colorterm: &str, term: &str) -> Depth {
    let is_any = |wanted: &[&str], value: &str| wanted.iter().any(|w| value.contains(w));
    // no-color.org: present and not empty, whatever its value.
    if !no_color.is_empty() || is_any(&["mono", "-m"], term) || term.starts_with("vt") {
        Depth::None
    } else if is_any(&["truecolor", "24bit"], colorterm) || is_any(&TRUE_COLOR, term) {
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
    fn the_environment_selects_the_colour_depth() {
        for (no_color, colorterm, term, depth) in [
            ("", "truecolor", "xterm-256color", Depth::True),
            ("", "24bit", "xterm", Depth::True),
            ("", "", "xterm-direct", Depth::True),
            ("", "", "xterm-kitty", Depth::True),
            ("", "", "foot", Depth::True),
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
    fn the_environment_selects_the_background() {
        let light = ["0;15", "0;default;15", "0;7", "12;9"];
        let dark = ["", "15;0", "0;8", "0;default", "nonsense", "0;16"];
        for (texts, background) in [(&light[..], Background::Light), (&dark, Background::Dark)] {
            for text in texts {
                assert_eq!(theme(&[("COLORFGBG", text)]).background, background, "{text}");
            }
        }
    }

    #[test]
    fn the_locale_selects_unicode() {
        assert!(theme(&[("LANG", "de_DE.UTF-8")]).unicode);
        assert!(theme(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]).unicode);
        assert!(theme(&[("LC_ALL", ""), ("LANG", "en_GB.UTF-8")]).unicode);
        assert!(!theme(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]).unicode);
        assert!(!theme(&[]).unicode);
    }
}
