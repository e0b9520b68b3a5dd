//! Lengths, points and strings in the notation of KiCad.

use std::fmt;

/// Formats a length in µm as mm.
pub(super) fn mm(um: i32) -> String {
    let sign = if um < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", um.abs() / 1000, um.abs() % 1000)
}

/// Formats a length in grid steps of 1.27 mm as mm.
pub(super) fn length(steps: i32) -> String {
    mm(steps * 1_270)
}

/// A point, in grid steps to the right and down. It is displayed as in KiCad's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    pub(super) const fn offset_by(self, x: i32, y: i32) -> Self {
        Self { x: self.x + x, y: self.y + y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", length(self.x), length(self.y))
    }
}

/// Quotes a string for a KiCad file. Special characters are escaped, so it stays on one line.
pub(super) fn quoted(text: &str) -> String {
    let plain = text.replace(|c: char| c.is_control(), " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_quoted_on_one_line() {
        assert_eq!(quoted("a \"b\\\n)"), r#""a \"b\\ )""#);
    }

    #[test]
    fn points_are_written_in_mm() {
        assert_eq!(Point { x: -1, y: 200 }.to_string(), "-1.270 254.000");
    }
}
