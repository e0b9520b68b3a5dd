//! Lengths and points on KiCad's grid.

use std::fmt;

/// A length in µm, as text in mm.
pub(super) fn mm(um: i32) -> String {
    let sign = if um < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", um.abs() / 1000, um.abs() % 1000)
}

/// A length in steps of the grid, 1.27 mm, as text in mm.
pub(super) fn length(steps: i32) -> String {
    mm(steps * 1_270)
}

/// A point: steps to the right and down. It is written as KiCad writes points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    pub(super) const fn beside(self, x: i32, y: i32) -> Self {
        Self { x: self.x + x, y: self.y + y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", length(self.x), length(self.y))
    }
}

/// A string as KiCad writes it, on one line: quoted, with special characters escaped.
pub(super) fn quoted(text: &str) -> String {
    let plain = text.replace(|c: char| c.is_control(), " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_one_text() {
        assert_eq!(quoted("a \"b\\\n)"), r#""a \"b\\ )""#);
    }

    #[test]
    fn places_are_on_the_grid() {
        assert_eq!(Point { x: -1, y: 200 }.to_string(), "-1.270 254.000");
    }
}
